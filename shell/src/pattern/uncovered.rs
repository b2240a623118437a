//! The word that keeps a pattern from matching a command strictly, for those who ask why it does not match.

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption};
use crate::glob::Fit;
use crate::network;
use crate::path::Roots;
use crate::programs::OptionEffect;
use crate::word::{Directory, Word};

use super::only::{ResolvedFlag, changes_named};
use super::{Pattern, PatternEnd, TestedCommand, ValuePlacement};

/// An option or an operand that a pattern does not cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UncoveredWord {
    /// The operand, or the option as it is written, without its value.
    pub name: String,
    /// Why the pattern does not cover it.
    pub why: UncoveredReason,
}

/// Why a pattern does not cover an option or an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UncoveredReason {
    /// The pattern neither names it nor ends in `*`.
    NoStar,
    /// It is not in the record of its program, if there is one.
    Unrecorded,
    /// It is abbreviated.
    Abbreviated,
    /// It reads a file, and is global or names a file with code.
    Reads,
    /// It writes a file.
    Writes,
    /// It runs something.
    Runs,
    /// It changes the directory.
    Enters,
    /// It names the machine or the server that does the work.
    Elsewhere,
    /// It gives an option of the pattern another value, or undoes one.
    Changes,
    /// Its value may be another option.
    Value,
    /// It comes after a `--`, and another program reads it.
    HandedOver,
    /// It names a file that is sent over the network.
    Sends,
    /// It is a path that leads out of the project, whose code the program runs.
    OutsideProject,
}

impl Pattern {
    /// Returns the first word that keeps the pattern from matching a command strictly: an option, a word after `--`, or
    /// a path out of the project. `None` if the program, another operand, a redirection or a missing option keeps it
    /// from matching.
    #[must_use]
    pub fn uncovered_word(&self, tested: &TestedCommand<'_>, roots: &Roots) -> Option<UncoveredWord> {
        let command = tested.command;
        let first = command.words.first().filter(|_| !matches!(self.end, PatternEnd::Looks(_)))?;
        if !command.redirects.iter().all(|redirect| self.allows_redirect(redirect))
            || self.test_program(first, &command.cwd, || roots) == Fit::No
        {
            return None;
        }
        let argv = tested.argv(&self.added);
        argv.name?;
        let view = self.view_for(&argv, ValuePlacement::InOrder);
        let lacks_flag = || view.flags.iter().any(|(flag, value)| flag.test_strictly(*value, &argv) == Fit::No);
        if self.test_positional_strictly(&view, &argv) == Fit::No || lacks_flag() {
            return None;
        }
        let spellings = self.given_spellings(&view, &argv);
        let cwd = command.outer_commands.is_empty().then_some(&command.cwd);
        let given = argv.options.iter().find(|given| self.test_option(&spellings, &argv, given, cwd) == Fit::No);
        let Some(given) = given else {
            let sent = || self.sent_word(&argv, command);
            return self.uncovered_operand(&argv, &command.cwd, roots).or_else(sent);
        };
        let written = argv.words.get(given.word_index).map_or("", Word::prefix);
        let name = written.split_once('=').map_or(written, |(name, _)| name);
        // Several short options in one word are told apart by their names.
        let name = if name.is_empty() { &*given.name } else { name };
        Some(UncoveredWord { name: name.to_owned(), why: self.reason_for(given, &argv, &spellings) })
    }

    /// Returns the operand that a trailing `*` does not cover, for the program that gets it or for the path that it is.
    fn uncovered_operand(&self, argv: &Argv<'_>, cwd: &Directory, roots: &Roots) -> Option<UncoveredWord> {
        let word = |word: &Word, why| UncoveredWord { name: word.display_text(), why };
        let outer = self.path_out_of_project(argv, cwd, roots).map(|path| word(path, UncoveredReason::OutsideProject));
        let handed = || self.handed_words(argv).next().filter(|_| self.test_handed_words(argv) == Fit::No);
        outer.or_else(|| handed().map(|first| word(first, UncoveredReason::HandedOver)))
    }

    /// Returns the option or the redirection that names a file to be sent, which a trailing `*` does not cover.
    fn sent_word(&self, argv: &Argv<'_>, command: &SimpleCommand) -> Option<UncoveredWord> {
        let (access, option) = self.sent_file(argv, command).filter(|_| self.end == PatternEnd::Anything)?;
        let option = option.and_then(|given| argv.words.get(given.word_index));
        let name = option.map_or_else(|| access.path.display_text(), |word| word.prefix().to_owned());
        Some(UncoveredWord { name, why: UncoveredReason::Sends })
    }

    fn reason_for(&self, given: &GivenOption, argv: &Argv<'_>, named: &[ResolvedFlag<'_>]) -> UncoveredReason {
        if self.end != PatternEnd::Anything {
            return UncoveredReason::NoStar;
        }
        if given.is_abbreviated {
            return UncoveredReason::Abbreviated;
        }
        if changes_named(named, given) || self.is_switched_off(given, argv) {
            return UncoveredReason::Changes;
        }
        match argv.effect(given) {
            None => UncoveredReason::Unrecorded,
            Some(OptionEffect::Reads) => UncoveredReason::Reads,
            Some(OptionEffect::Writes) => UncoveredReason::Writes,
            Some(OptionEffect::Runs) => UncoveredReason::Runs,
            Some(OptionEffect::Enters) => UncoveredReason::Enters,
            Some(OptionEffect::Nothing | OptionEffect::Explains) if network::names_place(argv, given) => {
                UncoveredReason::Elsewhere
            }
            Some(OptionEffect::Nothing | OptionEffect::Explains) => UncoveredReason::Value,
        }
    }
}
