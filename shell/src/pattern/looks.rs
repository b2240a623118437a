//! Patterns that end in `@looks` or `@reads`: the record of the program says with which words it only looks.

use std::borrow::Cow;

use crate::analysis::{SimpleCommand, is_own_variable};
use crate::argv::Argv;
use crate::glob::Fit;
use crate::programs::{LookEnds, as_written_looks};
use crate::word::Directory;

use super::sequence::{self, Strictness};
use super::{Looks, Pattern, PatternEnd, ValuePlacement};

impl Looks {
    /// Returns what a word of a pattern means if it is the last one, and not after `--`.
    pub(super) fn at_end(words: &[&str], at: usize) -> Option<Self> {
        let (word, _) = words.split_last().filter(|(_, before)| before.len() == at && !before.contains(&"--"))?;
        [Self::All, Self::Reading].into_iter().find(|which| which.word() == *word)
    }

    /// Returns the last word of a pattern for these.
    fn word(self) -> &'static str {
        match self {
            Self::All => "@looks",
            Self::Reading => "@reads",
        }
    }

    /// Returns these words of a record, each as the end of a pattern.
    fn of(self, ends: LookEnds) -> impl Iterator<Item = &'static str> + use<> {
        let asking = if self == Self::All { ends.asking } else { &[] };
        ends.reading.iter().chain(asking).copied()
    }
}

impl Pattern {
    /// Returns the text of the pattern, with an end from the record of its program in place of `@looks` or `@reads`.
    #[must_use]
    pub fn text_of_look(&self) -> Cow<'_, str> {
        let PatternEnd::Looks(which) = self.end else { return Cow::Borrowed(&self.text) };
        let start = self.text.trim_end().strip_suffix(which.word());
        let name = self.programs.first().map(|glob| glob.literal().unwrap_or("ls"));
        let end = name.and_then(|name| {
            let record = self.added.program(name);
            which.of(record.map_or_else(|| as_written_looks(name), |record| record.looks)).next()
        });
        match (start, name, end) {
            (Some(start), Some(name), Some(end)) => {
                let words = start.split_once(' ').map_or("", |(_, words)| words.trim());
                Cow::Owned([name, words, end].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
            }
            _ => Cow::Borrowed(&self.text),
        }
    }

    /// Tests whether a command only looks: its words match one of the ends in the record of its program, or of one of
    /// its subcommands. Options that this pattern names are allowed too.
    pub(super) fn test_looks(&self, argv: &Argv<'_>, which: Looks, cwd: Option<&Directory>) -> Fit {
        if let Some(why) = &argv.maybe_subcommand {
            return Fit::Maybe(why.clone());
        }
        let named = self.test_named_front(argv);
        if named == Fit::No {
            return named;
        }
        let mut start = argv.name.unwrap_or_default().to_owned();
        let mut fit = Fit::No;
        for (level, table) in argv.records.iter().enumerate() {
            let subcommand = argv.subcommands.get(level).and_then(|word| word.known_text());
            // Most ends are about another subcommand. One that has synonyms may have another name there.
            let has_synonyms = |name: &str| !table.far_aliases.is_empty() || !table.same_commands(name).is_empty();
            let may_match = |end: &&str| subcommand.is_none_or(|name| end.contains(name) || has_synonyms(name));
            if fit != Fit::Yes {
                fit = fit.or(self.test_ends(&start, which.of(table.looks).filter(may_match), argv, cwd));
            }
            start.push(' ');
            start.push_str(subcommand.unwrap_or_default());
        }
        if argv.records.is_empty() {
            fit = self.test_ends(&start, which.of(as_written_looks(&start)), argv, cwd);
        }
        named.and(fit)
    }

    /// Tests whether the words of a command match one of some ends of patterns that begin with `start`.
    fn test_ends(
        &self,
        start: &str,
        ends: impl Iterator<Item = &'static str>,
        argv: &Argv<'_>,
        cwd: Option<&Directory>,
    ) -> Fit {
        let mut fit = Fit::No;
        for pattern in ends.filter_map(|end| self.with_end(start, end)) {
            fit = fit.or(pattern.test_arguments_strictly(argv, cwd));
            if fit == Fit::Yes {
                break;
            }
        }
        fit
    }

    /// Tests the subcommands that the pattern names itself: `git stash @looks`.
    fn test_named_front(&self, argv: &Argv<'_>) -> Fit {
        let view = self.view_for(argv, ValuePlacement::Apart);
        let words = argv.subcommands.iter().chain(&argv.operands).copied();
        sequence::test_sequence(&view.front, words, argv, PatternEnd::Anything, Strictness::Strict)
    }

    /// Returns the pattern that one of the ends in a record means, with the flags of this pattern.
    fn with_end(&self, start: &str, end: &str) -> Option<Self> {
        let mut pattern = Self::with_programs(&format!("{start} {end}"), &self.added).ok()?;
        pattern.flags.extend(self.flags.iter().cloned());
        Some(pattern)
    }
}

impl SimpleCommand {
    /// Whether the command only sets variables that nothing but the text itself reads: `n=3`.
    pub(super) fn sets_plain_variables(&self) -> bool {
        !self.assignments.is_empty() && self.assignments.iter().all(|assignment| is_own_variable(&assignment.name))
    }
}
