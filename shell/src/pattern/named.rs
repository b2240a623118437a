//! The words of a command that match words of a pattern: a rewrite replaces them.

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption};
use crate::glob::{Fit, Glob};
use crate::values;
use crate::word::Word;

use super::runs::dashes;
use super::sequence::Strictness;
use super::{FlagSpelling, Pattern, PatternOperand, Presence, ProgramView, ResolvedSpelling, ValuePlacement};

/// The words of a command that match words of a pattern.
pub(crate) struct NamedWords<'p> {
    /// The program, and then the subcommands, operands and the `--`, in the order of the pattern.
    pub words: Vec<NamedWord<'p>>,
    /// The options that match flags of the pattern, as indices into [`Argv::options`].
    pub options: Vec<usize>,
}

/// A word of a command, and the part of the pattern that it matches.
#[derive(Clone, Copy)]
pub(crate) struct NamedWord<'p> {
    /// The alternatives in the pattern; `None` for the `--`.
    globs: Option<&'p [Glob]>,
    /// The index of the word in the command. A program whose name contains its subcommand (`git-push`) is the word of
    /// both.
    pub word_index: usize,
}

impl NamedWord<'_> {
    /// Whether the pattern has exactly this text at the word.
    pub(crate) fn has_exact(&self, text: &str) -> bool {
        match self.globs {
            Some([glob]) => glob.literal().is_some_and(|literal| literal == text),
            Some(_) => false,
            None => text == "--",
        }
    }

    /// Whether the pattern has a wildcard at the word.
    pub(crate) fn is_glob(&self) -> bool {
        self.globs.is_some_and(|globs| !globs.iter().all(Glob::is_literal))
    }
}

impl Pattern {
    /// Returns the words that match words of the pattern in a command that certainly matches; `None` if they are
    /// ambiguous.
    pub(crate) fn named_words(&self, argv: &Argv<'_>) -> Option<NamedWords<'_>> {
        let name = argv.name?;
        let dashed = argv.dashed.map(Word::text);
        let direct = self.names(name).then_some(None);
        let inside = dashed.as_ref().map(Some);
        let readings = direct.into_iter().chain(inside);
        let mut all = readings
            .flat_map(|dashed| [ValuePlacement::Attached, ValuePlacement::Apart].map(|values| (dashed, values)));
        all.find_map(|(dashed, values)| {
            let is_meant = self.test_words(argv, dashed, values) == Fit::Yes;
            is_meant.then(|| self.find_named_words(argv, dashed, values)).flatten()
        })
    }

    /// Returns the operands of a command that certainly matches, without those that the pattern has literally: in
    /// `pip install x`, `install` is not an operand.
    #[must_use]
    pub fn operands_of(&self, command: &SimpleCommand) -> values::FieldValues {
        let argv = command.argv_with(&self.added);
        let named = self.named_words(&argv).map(|named| named.words).unwrap_or_default();
        let at = |own: &NamedWord<'_>| argv.words.get(own.word_index).filter(|_| !own.is_glob());
        argv.operand_values(|word| named.iter().filter_map(at).any(|own| std::ptr::eq(own, word)))
    }

    /// Returns the words that match words of the pattern, for one reading of both; `None` if they are ambiguous.
    fn find_named_words(
        &self,
        argv: &Argv<'_>,
        dashed: Option<&Word>,
        values: ValuePlacement,
    ) -> Option<NamedWords<'_>> {
        let view = self.view_for(argv, values);
        let place = |word: &Word| argv.words.iter().position(|other| std::ptr::eq(other, word));
        let mut all: Vec<(usize, &Word)> = dashed.map(|word| (0, word)).into_iter().collect();
        for word in argv.sequence() {
            all.push((place(word)?, word));
        }
        let mut words = vec![NamedWord { globs: Some(&self.programs), word_index: 0 }];
        if argv.has_pairs() {
            // The words of a program with `name=value` options have no order, so only a pattern without operands is
            // unambiguous.
            return (view.front.len() == 0).then(|| Some(NamedWords { words, options: options(&view, argv)? }))?;
        }
        match (&self.after_dashes, dashes(argv)) {
            (None, _) => words.extend(match_operands(view.front.iter(), &all, argv)?),
            (Some(behind), Some(dashes)) => {
                let at = usize::from(dashed.is_some()) + argv.subcommands.len() + dashes.operands;
                words.extend(match_operands(view.front.iter(), all.get(..at)?, argv)?);
                let is_dashes = |word: &Word| word.known_text() == Some("--");
                let from = words.last().map_or(0, |word| word.word_index);
                let sign = argv.words.iter().enumerate().skip(from).find(|(_, word)| is_dashes(word))?;
                words.push(NamedWord { globs: None, word_index: sign.0 });
                words.extend(match_operands(behind.iter(), all.get(at + dashes.skip..)?, argv)?);
            }
            (Some(_), None) => return None,
        }
        Some(NamedWords { words, options: options(&view, argv)? })
    }
}

/// Finds the operands of a pattern among the words of a command, in order; `None` if a word in between cannot be
/// skipped.
fn match_operands<'p>(
    pattern: impl Iterator<Item = &'p PatternOperand>,
    words: &[(usize, &Word)],
    argv: &Argv<'_>,
) -> Option<Vec<NamedWord<'p>>> {
    let mut words = words.iter();
    let mut found = Vec::new();
    for operand in pattern {
        let (at, _) = words
            .by_ref()
            .find_map(|(at, word)| match operand.test(word) {
                Fit::Yes => Some((*at, true)),
                _ if operand.matches_other_name(word, argv, Strictness::Generous) => Some((*at, true)),
                _ if argv.may_be_value(word) => None,
                _ => Some((*at, false)),
            })
            .filter(|(_, fits)| *fits)?;
        found.push(NamedWord { globs: Some(&operand.alternatives), word_index: at });
    }
    Some(found)
}

/// Returns the given options that match flags of the pattern; `None` if the value of one may be a separate word.
fn options(view: &ProgramView<'_>, argv: &Argv<'_>) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let flags = view.flags.iter().filter(|(flag, _)| flag.presence == Presence::Given);
    let spelled = flags.flat_map(|(flag, value)| flag.alternatives.iter().map(move |one| (one, *value)));
    let all: Vec<_> = spelled.map(|(spelled, value)| (spelled, spelled.resolve(argv), value)).collect();
    for (at, given) in argv.options.iter().enumerate() {
        let meant = all.iter().find(|(spelled, resolved, value)| spelled.is_option(given, *value, (resolved, argv)));
        let Some((meant, _, value)) = meant else { continue };
        let has_value = meant.value.is_some() || value.is_some();
        if has_value && given.option.is_none() && given.value.is_none() {
            return None;
        }
        found.push(at);
    }
    Some(found)
}

impl FlagSpelling {
    /// Whether a given option matches this flag, or one of the options that the flag is short for.
    fn is_option(
        &self,
        given: &GivenOption,
        value: Option<&PatternOperand>,
        (resolved, argv): (&ResolvedSpelling<'_>, &Argv<'_>),
    ) -> bool {
        let has_value = || match resolved {
            ResolvedSpelling::Parts(_) => true,
            ResolvedSpelling::One(..) => self.value_fit(given, value, argv) == Fit::Yes,
        };
        resolved.names(given) && has_value()
    }
}
