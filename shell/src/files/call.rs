//! The words of a command, parsed for the lookups of its row.

use super::paths;
use crate::analysis::{Assignment, SimpleCommand, environment_value};
use crate::argv::{Argv, GivenOption, parse_argv};
use crate::files::StdinKind;
use crate::stream::StreamContent;
use crate::word::{Unknown, Word, WordPart};

/// A command, with its words parsed according to the table.
pub(crate) struct ParsedCommand<'a> {
    pub(crate) words: &'a [Word],
    pub(crate) argv: Argv<'a>,
    pub(crate) input: StdinKind,
    /// The content of the standard input, if it is known.
    pub(crate) stdin: Option<&'a str>,
    /// The variables that the text sets in its environment.
    environment: &'a [Assignment],
    /// The subcommands and operands in order: the table need not know which is which.
    sequence: Vec<&'a Word>,
    /// How many of them are subcommands, according to the row.
    depth: usize,
}

impl<'a> ParsedCommand<'a> {
    /// Parses the words of a command.
    pub(crate) fn from_command(command: &'a SimpleCommand, input: StdinKind) -> Self {
        let stdin = match &command.input.content {
            StreamContent::Known(text) => text.word.known_text(),
            _ => None,
        };
        Self { stdin, environment: &command.environment, ..Self::from_argv(command.argv(), input) }
    }

    /// Parses words that are part of a command.
    pub(crate) fn new(words: &'a [Word], input: StdinKind) -> Self {
        Self::from_argv(parse_argv(words), input)
    }

    fn from_argv(argv: Argv<'a>, input: StdinKind) -> Self {
        let words = argv.words;
        let sequence = argv.subcommands.iter().chain(&argv.operands).copied().collect();
        Self { words, argv, input, stdin: None, environment: &[], sequence, depth: 0 }
    }

    /// Returns the program's base name, if it is known.
    pub(crate) fn program(&self) -> Option<&str> {
        self.argv.name
    }

    /// Returns the value that the text gives a variable in the command's environment.
    pub(crate) fn variable(&self, name: &str) -> Option<&'a Word> {
        environment_value(self.environment, name)
    }

    /// Whether the program has one of these names, with or without a version (`python3.12`).
    pub(crate) fn is_program(&self, names: &[&str]) -> bool {
        self.names().any(|name| names.contains(&name))
    }

    /// Returns all names of the program.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let own = self.program();
        let entry = self.argv.records.first().map_or(&[][..], |table| table.names);
        let others = if own.is_none_or(|own| entry.contains(&own)) { &[] } else { entry };
        own.into_iter().chain(others.iter().copied())
    }

    /// Whether the subcommands begin with these, each given by its possible names.
    pub(crate) fn has_subcommands(&self, commands: &[&[&str]]) -> bool {
        let is = |(at, names): (usize, &&[&str])| {
            self.sequence.get(at).and_then(|word| word.known_text()).is_some_and(|name| names.contains(&name))
        };
        commands.iter().enumerate().all(is)
    }

    /// Sets how many words are subcommands.
    pub(crate) fn descend(&mut self, depth: usize) {
        self.depth = depth;
    }

    /// Returns the operands after the subcommands.
    pub(crate) fn operands(&self) -> &[&'a Word] {
        self.sequence.get(self.depth..).unwrap_or_default()
    }

    /// Returns the operands, split at a `--`: those before it, and those after it if there is one.
    pub(crate) fn split_at_dashes(&self) -> (&[&'a Word], Option<&[&'a Word]>) {
        let operands = self.operands();
        let Some(behind) = self.argv.after_dashes else { return (operands, None) };
        let count = self.argv.operands.len().saturating_sub(behind);
        let (before, behind) = operands.split_at(operands.len().saturating_sub(count));
        (before, Some(behind))
    }

    /// Returns the operands with their indices among the words.
    pub(crate) fn operands_with_indices(&self) -> impl Iterator<Item = (usize, &'a Word)> {
        let mut operands = self.operands().iter().copied().peekable();
        let words = self.words.iter().enumerate();
        words.filter(move |(_, word)| operands.next_if(|operand| std::ptr::eq(*operand, *word)).is_some())
    }

    /// Returns every occurrence of an option of one of these spellings.
    pub(crate) fn options_named<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c GivenOption> {
        self.argv.options.iter().filter(move |given| given.has_spelling(names))
    }

    /// Returns the values of an option under any of its spellings.
    pub(crate) fn values<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c Word> {
        self.options_named(names).filter_map(|given| given.value.as_ref())
    }

    /// Returns the last value of an option.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Word> {
        self.argv.options.iter().rev().filter(|given| given.has_spelling(names)).find_map(|given| given.value.as_ref())
    }

    pub(crate) fn has_option(&self, names: &[&str]) -> bool {
        self.options_named(names).next().is_some()
    }

    /// Returns why there may be unseen options, if a word before `--` may expand to some.
    pub(crate) fn test_option(&self) -> Option<Unknown> {
        let end = self.words.iter().position(|word| word.known_text() == Some("--")).unwrap_or(self.words.len());
        let is_open =
            |word: &&Word| matches!(word.parts.first(), Some(WordPart::Unknown(unknown)) if unknown.may_split);
        self.words.get(1..end)?.iter().find(is_open).and_then(Word::unknown_reason)
    }
}

/// Joins a path to the directory, if there is one.
pub(crate) fn join_directory(directory: Option<&Word>, path: &Word) -> Word {
    directory.map_or_else(|| path.clone(), |directory| paths::join(directory, path))
}
