//! A command that may run others: its parsed words, where its own words end, and the values of its options.

use super::words;
use crate::analysis::SimpleCommand;
use crate::argv::{Argv, parse_argv};
use crate::stream::StreamContent;
use crate::word::{Cause, Unknown, Word};

/// A command with its words, parsed by the record of its program.
pub(super) struct OuterCommand<'a> {
    pub(super) words: &'a [Word],
    pub(super) argv: Argv<'a>,
    /// The text on its standard input, if it is known.
    pub(super) stdin: Option<&'a str>,
}

impl<'a> OuterCommand<'a> {
    /// Parses the words of a command.
    pub(super) fn new(words: &'a [Word]) -> Self {
        Self { words, argv: parse_argv(words), stdin: None }
    }

    /// Creates an outer command from a command whose words may already be parsed.
    pub(super) fn from_command(command: &'a SimpleCommand) -> Self {
        let stdin = match &command.input.content {
            StreamContent::Known(text) => text.word.known_text(),
            _ => None,
        };
        Self { words: &command.words, argv: command.argv(), stdin }
    }

    /// Returns the program's base name, if it is known.
    pub(super) fn program(&self) -> Option<&str> {
        self.argv.name
    }

    /// Whether the program (level 0) or its subcommand at a level from 1 on has one of these names.
    pub(super) fn has_name_at(&self, level: usize, names: &[&str]) -> bool {
        if let Some(table) = self.argv.records.get(level) {
            return table.names.iter().any(|name| names.contains(name));
        }
        let name = match level.checked_sub(1) {
            None => self.program(),
            Some(command) => self.argv.subcommands.get(command).and_then(|word| word.known_text()),
        };
        name.is_some_and(|name| names.contains(&name))
    }

    /// Returns the number of subcommands.
    pub(super) fn subcommand_count(&self) -> usize {
        self.argv.subcommands.len()
    }

    /// Returns the index of an operand in the list of all words.
    pub(super) fn operand_index(&self, operand: usize) -> Option<usize> {
        self.word_index(self.operand(operand)?)
    }

    /// Returns an operand by its number; `None` if there are fewer.
    pub(super) fn operand(&self, at: usize) -> Option<&'a Word> {
        self.argv.operands.get(at).copied()
    }

    /// Returns all words from an operand on, including options; empty if there is no such operand.
    pub(super) fn tail(&self, operand: usize) -> &'a [Word] {
        self.operand_index(operand).and_then(|at| self.words.get(at..)).unwrap_or_default()
    }

    /// Returns the words after the first `--` that comes after the subcommands; `None` without a `--`.
    pub(super) fn words_after_dashes(&self) -> Option<&'a [Word]> {
        let from = self.argv.subcommands.last().and_then(|command| self.word_index(command)).unwrap_or_default();
        let dashes = self.words.iter().skip(from).position(|word| word.known_text() == Some("--"))?;
        self.words.get(from + dashes + 1..)
    }

    /// Returns the index of one of the words, compared by its address: equal words are different ones.
    pub(super) fn word_index(&self, word: &Word) -> Option<usize> {
        self.words.iter().position(|other| std::ptr::eq(other, word))
    }

    /// Returns the values of an option, given in any of its spellings.
    pub(super) fn values<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c Word> {
        self.options_named(name).filter_map(|given| given.value.as_ref())
    }

    /// Returns the value of an option; the last one if the option is given several times.
    pub(super) fn value<'c>(&'c self, name: &'c str) -> Option<&'c Word> {
        self.values(name).last()
    }

    /// Whether an option is given, in any of its spellings.
    pub(super) fn has_option(&self, name: &str) -> bool {
        self.options_named(name).next().is_some()
    }

    /// Whether one of these options is given.
    pub(super) fn has_any_option(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has_option(name))
    }

    /// Returns the given options that have a name as one of their spellings.
    fn options_named<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c crate::argv::GivenOption> {
        self.argv.options.iter().filter(move |given| match given.option {
            Some(option) => option.names.contains(&name),
            None => *given.name == *name,
        })
    }

    /// Returns the words without the first uncertain word, and the reason why that word is uncertain; `None` if all
    /// are certain. A word that begins with an unknown part may be no word at all, an option or an operand. An option
    /// without a record may take the next word as its value, so both are left out.
    pub(super) fn without_uncertain_word(&self, own_operands: OwnOperands) -> Option<(Vec<Word>, Unknown)> {
        let own_count = match own_operands {
            OwnOperands::None => return None,
            OwnOperands::Before(count) | OwnOperands::With(count)
                if self.argv.after_dashes.is_some_and(|dashes| dashes <= count) =>
            {
                self.argv.after_dashes.unwrap_or_default()
            }
            OwnOperands::Before(count) => count + usize::from(self.has_option_after(count)),
            OwnOperands::With(count) => count + 1,
        };
        let is_uncertain =
            |at: &usize| self.words.get(*at).is_some_and(words::begins_with_unknown) && at + 1 < self.words.len();
        if let Some(at) = (0..own_count).filter_map(|operand| self.operand_index(operand)).find(is_uncertain) {
            return Some((self.words_without(at, 1), self.words.get(at)?.unknown_reason()?));
        }
        let (at, word) = self.unlisted_option()?;
        Some((self.words_without(at, 2), Unknown::new(Cause::Option, word.display_text())))
    }

    /// Whether the first word of the nested command may still belong to this program, because an option or an
    /// assignment follows that word. In any other case, the caller examines the word as a program with an unknown
    /// name.
    fn has_option_after(&self, operand: usize) -> bool {
        let next = self.operand_index(operand).and_then(|at| self.words.get(at + 1));
        next.is_some_and(|word| word.prefix().starts_with('-') || words::assignment(word).is_some())
    }

    /// Returns the index of an option right before the first operand, and the option, if the record does not list it.
    fn unlisted_option(&self) -> Option<(usize, &'a Word)> {
        // Without a record, nothing is known about any option.
        self.argv.table()?;
        let operand = self.operand_index(0)?;
        let option_at = operand.checked_sub(1).filter(|at| *at > 0)?;
        let unlisted_subcommand = self.argv.subcommands.last().filter(|_| self.argv.is_unlisted());
        // An option after the name of a task or a program belongs to that task or program.
        if unlisted_subcommand.and_then(|name| self.word_index(name)).is_some_and(|name| name < option_at) {
            return None;
        }
        let word = self.words.get(option_at)?;
        let text = word.known_text()?;
        // Several letters after one dash, or a digit, are rarely an option with a separate value.
        let may_take_value =
            text.starts_with("--") || (text.len() == 2 && !text.ends_with(|c: char| c.is_ascii_digit()));
        let is_unlisted = |given: &&crate::argv::GivenOption| given.option.is_none() && *given.name == *text;
        (may_take_value && text != "--" && self.argv.options.iter().rev().find(is_unlisted).is_some())
            .then_some((option_at, word))
    }

    /// Returns the words without `count` of them from an index on.
    fn words_without(&self, at: usize, count: usize) -> Vec<Word> {
        self.words
            .iter()
            .enumerate()
            .filter(|(index, _)| !(at..at + count).contains(index))
            .map(|(_, word)| word.clone())
            .collect()
    }
}

/// The number of operands that belong to the program, before the command that it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OwnOperands {
    /// No operand belongs to the program: the command begins after a word such as `-exec`.
    None,
    /// This number of operands; the next one begins the command.
    Before(usize),
    /// This number of operands, and the next one is code or a file: `sh script`.
    With(usize),
}
