//! Generous matching: whether a command is one that the pattern describes, even if it has further words.

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption, program_name};
use crate::few::ShortList;
use crate::glob::{Fit, Glob};
use crate::programs::{ProgramOption, UnlistedSubcommand, shells};
use crate::word::{Cause, Unknown, Word, WordPart};

use super::sequence::{self, OperandSequence, Strictness};
use super::{
    FlagSpelling, Pattern, PatternEnd, PatternFlag, PatternOperand, Presence, ProgramView, TestedCommand,
    ValuePlacement,
};

impl Pattern {
    /// Tests a command generously: it may have flags, operands and global options that the pattern does not name.
    ///
    /// An unknown word counts as a single word: `rm -rf $X` certainly is `rm -r -f`. The result is [`Fit::Maybe`]
    /// only if the value of an unknown word decides the match.
    #[must_use]
    pub fn runs(&self, command: &SimpleCommand) -> Fit {
        self.runs_in(&TestedCommand::new(command))
    }

    /// Like [`Pattern::runs`], for a command that several patterns are compared with.
    #[must_use]
    pub fn runs_in(&self, asked: &TestedCommand<'_>) -> Fit {
        let Some(first) = asked.command.words.first() else { return Fit::No };
        // The command of a script is its text. A pattern for any program matches the process instead, which is the
        // interpreter.
        if asked.command.is_script && self.programs.iter().any(Glob::is_any) {
            return Fit::No;
        }
        match program_name(first) {
            Some(name) => {
                let is_named_before_dash =
                    || name.split_once('-').is_some_and(|(program, _)| self.names_program(program));
                let is_named = self.names_program(name);
                if !is_named && !is_named_before_dash() {
                    return Fit::No;
                }
                let argv = asked.argv(&self.added);
                let direct = if is_named { self.test_arguments(&argv, None) } else { Fit::No };
                match argv.subcommand_in_name {
                    Some(subcommand) if is_named_before_dash() => {
                        direct.or(self.test_arguments(&argv, Some(&Word::text(subcommand))))
                    }
                    _ => direct,
                }
            }
            None => self.test_unknown_program(first),
        }
    }

    /// Tests a command whose program is unknown: an unquoted `$X` may also be a program with arguments.
    fn test_unknown_program(&self, word: &Word) -> Fit {
        let Some(why) = word.unknown_reason() else { return Fit::No };
        let name = last_component(word);
        if word.is_shell() {
            let may_be = shells().iter().any(|shell| self.names_program(shell));
            return if may_be { Fit::Maybe(why) } else { Fit::No };
        }
        let may_be = word.may_split_at_blanks() || self.programs.iter().any(|glob| glob.test(&name) != Fit::No);
        if may_be { Fit::Maybe(why) } else { Fit::No }
    }

    /// Tests the words after the program. `subcommand_in_name` is the subcommand in the name of the program, if it
    /// counts as a word.
    fn test_arguments(&self, argv: &Argv<'_>, subcommand_in_name: Option<&Word>) -> Fit {
        if argv.usage_option().is_some_and(|given| !self.is_naming_option(given, argv)) {
            return Fit::No;
        }
        if let Some(why) = self.possible_alias(argv) {
            return Fit::Maybe(why);
        }
        if let PatternEnd::Looks(which) = self.end {
            return self.test_looks(argv, which, None);
        }
        let fit = self.test_words(argv, subcommand_in_name, ValuePlacement::Attached);
        if fit != Fit::Yes && self.has_possible_values(argv) {
            fit.or(self.test_words(argv, subcommand_in_name, ValuePlacement::Apart))
        } else {
            fit
        }
    }

    /// Returns why the given subcommand may be the one that the pattern names, although it has another name and no
    /// record: it may be an alias, or it is unknown.
    fn possible_alias(&self, argv: &Argv<'_>) -> Option<Unknown> {
        let command = argv.subcommands.last().filter(|_| argv.is_unlisted())?;
        let named = self.front.get(argv.subcommands.len().checked_sub(1)?)?;
        match named.test(command) {
            Fit::Yes => None,
            Fit::Maybe(why) => Some(why),
            Fit::No => {
                let is_alias = argv.table().is_some_and(|table| table.unlisted == UnlistedSubcommand::Alias);
                is_alias.then(|| {
                    command.unknown_reason().unwrap_or_else(|| Unknown::new(Cause::Alias, command.display_text()))
                })
            }
        }
    }

    /// Tests the operands and the flags, where `values` determines whether an operand may be the value of a flag.
    pub(super) fn test_words(&self, argv: &Argv<'_>, subcommand_in_name: Option<&Word>, values: ValuePlacement) -> Fit {
        let view = self.view_for(argv, values);
        let sequence = match (self.test_positional(&view, argv, subcommand_in_name), &argv.maybe_subcommand) {
            (Fit::No, Some(why)) => Fit::Maybe(why.clone()),
            (fit, _) => fit,
        };
        view.flags.iter().fold(sequence, |fit, (flag, value)| match fit {
            Fit::No => Fit::No,
            fit => fit.and(flag.test(*value, argv)),
        })
    }

    /// Tests the subcommands, of which any synonym matches, and the operands. Their order matters, except for a program
    /// with `name=value` options.
    fn test_positional(&self, view: &ProgramView<'_>, argv: &Argv<'_>, subcommand_in_name: Option<&Word>) -> Fit {
        if argv.has_pairs() {
            return view.front.iter().fold(Fit::Yes, |fit, operand| fit.and(test_any_word(operand, argv)));
        }
        let written: ShortList<&Word> =
            subcommand_in_name.into_iter().chain(argv.subcommands.iter().copied()).collect();
        sequence::test_with_synonyms(argv, &written, Strictness::Generous, |commands| {
            self.test_operands(view, argv, commands)
        })
    }

    /// Tests the given subcommands and the operands after them.
    fn test_operands(&self, view: &ProgramView<'_>, argv: &Argv<'_>, commands: &ShortList<&Word>) -> Fit {
        let positional = || commands.iter().chain(&argv.operands).copied();
        let words = || positional().filter(|word| !self.is_flag_word(word, argv, Strictness::Generous));
        let Some(after_dashes) = &self.after_dashes else {
            return sequence::test_sequence(&view.front, words(), argv, self.end, Strictness::Generous);
        };
        let Some(dashes) = dashes(argv) else {
            // An unquoted unknown part may contain the `--`, too, after the words that the pattern names before it.
            let why = argv
                .maybe_options
                .iter()
                .find(|word| word.may_split_at_blanks())
                .and_then(|word| word.unknown_reason());
            let front = || sequence::test_sequence(&view.front, words(), argv, PatternEnd::Open, Strictness::Generous);
            return why.map_or(Fit::No, |why| front().and(Fit::Maybe(why)));
        };
        let at = commands.len() + dashes.operands;
        let front =
            sequence::test_sequence(&view.front, words().take(at), argv, PatternEnd::Open, Strictness::Generous);
        front.and(sequence::test_sequence(
            &OperandSequence::All(after_dashes),
            words().skip(at + dashes.skip),
            argv,
            self.end,
            Strictness::Generous,
        ))
    }

    /// Whether a flag that the pattern requires is this given option.
    pub(super) fn is_naming_option(&self, given: &GivenOption, argv: &Argv<'_>) -> bool {
        let flags = self.flags.iter().filter(|flag| flag.presence == Presence::Given);
        flags.flat_map(|flag| &flag.alternatives).any(|spelled| spelled.names(given, spelled.option(argv)))
    }
}

/// The position of the `--` in a command.
pub(super) struct DashPosition {
    /// The number of operands before the `--`.
    pub(super) operands: usize,
    /// 1 if the program has no options, so that the `--` is itself an operand, and 0 otherwise.
    pub(super) skip: usize,
}

/// Finds the `--` that ends the options; for a program without options, the first operand `--`.
pub(super) fn dashes(argv: &Argv<'_>) -> Option<DashPosition> {
    let is_dashes = |word: &&Word| word.known_text() == Some("--");
    let operand = || argv.operands.iter().position(is_dashes).map(|operands| DashPosition { operands, skip: 1 });
    argv.after_dashes.map(|operands| DashPosition { operands, skip: 0 }).or_else(operand)
}

/// Tests whether a word after the program matches.
fn test_any_word(operand: &PatternOperand, argv: &Argv<'_>) -> Fit {
    argv.words.iter().skip(1).fold(Fit::No, |fit, word| {
        let any = word.unknown_reason().filter(|_| word.may_split_at_blanks()).map_or(Fit::No, Fit::Maybe);
        fit.or(operand.test(word)).or(any)
    })
}

/// Returns the last path component of a word. An unknown part may contain a slash, so everything before it is
/// dropped.
fn last_component(word: &Word) -> Word {
    let mut last = Word::default();
    for part in &word.parts {
        match part {
            WordPart::Unknown(_) => last = Word::of(part.clone()),
            WordPart::Glob(_) => last.push(part.clone()),
            WordPart::Text(text) => match text.rsplit_once('/') {
                Some((_, name)) => last = Word::text(name),
                None => last.push(part.clone()),
            },
        }
    }
    last
}

impl PatternFlag {
    /// Tests whether the flag is present or absent as required.
    fn test(&self, value: Option<&PatternOperand>, argv: &Argv<'_>) -> Fit {
        let given = self.alternatives.iter().fold(Fit::No, |fit, spelled| match fit {
            Fit::Yes => Fit::Yes,
            fit => fit.or(spelled.test(value, self.presence, argv)),
        });
        match self.presence {
            Presence::Given => given,
            Presence::Absent => given.negate(),
        }
    }
}

impl FlagSpelling {
    /// Tests whether a command has this flag, with a value that matches. A required flag may also be a word of the operand
    /// that it follows; an absent one is not there if only such a word is equal to it, since the program does not see it.
    fn test(&self, value: Option<&PatternOperand>, presence: Presence, argv: &Argv<'_>) -> Fit {
        let is_word = presence == Presence::Given && value.is_none() && self.follows_operand(argv);
        let among_words = match argv.has_words_alone() || is_word {
            true if is_word && self.value.is_none() => self.is_named_among_words(argv).or(self.test_among_words(argv)),
            true => self.test_among_words(argv),
            false => Fit::No,
        };
        if among_words == Fit::Yes || !self.may_be_option(argv) {
            return among_words;
        }
        among_words.or(self.test_among_options(value, argv))
    }

    /// Tests whether an option of a command is this flag, with a value that matches.
    fn test_among_options(&self, value: Option<&PatternOperand>, argv: &Argv<'_>) -> Fit {
        // No word of the command can be this flag.
        if argv.options.is_empty() && argv.maybe_options.is_empty() {
            return Fit::No;
        }
        let certain = match self.parts(argv) {
            Ok(parts) => {
                let count = parts.len();
                let value_of = |at: usize| value.filter(|_| at + 1 == count);
                let fits = parts.iter().enumerate().map(|(at, part)| part.test_among_options(value_of(at), argv));
                fits.fold(Fit::Yes, Fit::and)
            }
            Err(option) => {
                let implied = argv.implied_options();
                let options = argv.options.iter().chain(&implied);
                let given = options.filter(|given| self.is_effective_option(given, option, argv));
                given.fold(Fit::No, |fit, given| fit.or(self.value_fit(given, value, argv)))
            }
        };
        if certain == Fit::Yes {
            return certain;
        }
        // An unknown word may be the flag.
        let possible = argv.maybe_options.iter().find(|word| self.may_match_word(word, argv));
        let fit = certain.or(possible.and_then(|word| word.unknown_reason()).map_or(Fit::No, Fit::Maybe));
        let abbreviation =
            self.ambiguous_abbreviation(argv).map(|given| Unknown::new(Cause::Abbreviation, given.name.clone()));
        if fit == Fit::No { abbreviation.map_or(Fit::No, Fit::Maybe) } else { fit }
    }

    /// Whether a given option is this flag, and no other option cancels it.
    fn is_effective_option(
        &self,
        given: &GivenOption,
        option: Option<&'static ProgramOption>,
        argv: &Argv<'_>,
    ) -> bool {
        // Without a record, several letters after one dash may be several options.
        let in_cluster = || {
            argv.is_as_written()
                && self.glob.is_none()
                && given.name.strip_prefix('-').is_some_and(|letters| {
                    let flag_letters = self.name.strip_prefix('-').unwrap_or_default();
                    !letters.starts_with('-')
                        && !flag_letters.starts_with('-')
                        && flag_letters.chars().all(|c| letters.contains(c))
                })
        };
        (self.names(given, option) || in_cluster()) && argv.is_effective(given)
    }

    /// Tests whether the value of a given option matches: the value in the spelling, or `value`, the next operand of
    /// the pattern.
    pub(super) fn value_fit(&self, given: &GivenOption, value: Option<&PatternOperand>, argv: &Argv<'_>) -> Fit {
        let globs = self.value.as_slice().iter().chain(value.map_or(&[] as &[Glob], |value| &value.alternatives));
        let mut globs = globs.peekable();
        if globs.peek().is_none() {
            return Fit::Yes;
        }
        // Without a record, the next word may be the value.
        let next = || argv.words.get(given.word_index + 1).filter(|word| !word.prefix().starts_with('-'));
        let is_unlisted = given.option.is_none();
        let Some(word) = given.value.as_ref().or_else(|| next().filter(|_| is_unlisted)) else { return Fit::No };
        globs.fold(Fit::No, |fit, glob| fit.or(glob.test(word)))
    }

    /// Returns a given option whose name is short for several options, this one among them.
    fn ambiguous_abbreviation<'a>(&self, argv: &'a Argv<'_>) -> Option<&'a GivenOption> {
        let as_written = [self.name.as_str()];
        let others = self.option(argv).map(|option| option.names).unwrap_or(&as_written);
        let is_ambiguous = |given: &&GivenOption| given.is_abbreviated && given.option.is_none();
        let mut given = argv.options.iter().filter(is_ambiguous);
        given.find(|given| others.iter().any(|name| name.starts_with(&*given.name)))
    }

    /// Whether an unknown word may be this flag, judging by its known start.
    fn may_match_word(&self, word: &Word, argv: &Argv<'_>) -> bool {
        let start = word.prefix();
        // A start of less than two characters excludes no flag.
        if word.may_split_at_blanks() || start.len() < 2 || self.glob.is_some() {
            return true;
        }
        let recorded = self.option(argv).map(|option| option.names).unwrap_or_default();
        let mut names = recorded.iter().copied().chain([self.name.as_str()]);
        if start.starts_with("--") {
            names.any(|name| name.starts_with(start.split('=').next().unwrap_or(start)))
        } else {
            names.any(|name| !name.starts_with("--"))
        }
    }
}
