//! A command prepared for the row of its program: its words are parsed into options and operands.

use super::paths;
use crate::analysis::{Assignment, SimpleCommand, environment_value};
use crate::argv::{Argv, GivenOption, parse_argv};
use crate::files::StdinKind;
use crate::nested::matches_any;
use crate::stream::StreamContent;
use crate::word::{Unknown, Word, WordPart};

/// A command whose words are parsed into options and operands.
pub(crate) struct ParsedCommand<'a> {
    /// The program and its arguments.
    pub(crate) words: &'a [Word],
    /// The parsed arguments.
    pub(crate) argv: Argv<'a>,
    /// Whether its standard input is known to have content.
    pub(crate) input: StdinKind,
    /// The text on the standard input, if it is known.
    pub(crate) stdin: Option<&'a str>,
    /// The variables that the text sets in the environment of the command.
    environment: &'a [Assignment],
    /// The subcommands and operands, in order. The record that parsed them may count fewer words as subcommands than
    /// a row.
    sequence: Vec<&'a Word>,
    /// How many words of `sequence` are subcommands, according to the row that applies.
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

    /// Parses words as a command of their own, without an environment or a known input.
    pub(crate) fn new(words: &'a [Word], input: StdinKind) -> Self {
        Self::from_argv(parse_argv(words), input)
    }

    /// Creates the call from parsed arguments.
    fn from_argv(argv: Argv<'a>, input: StdinKind) -> Self {
        let words = argv.words;
        let sequence = argv.subcommands.iter().chain(&argv.operands).copied().collect();
        Self { words, argv, input, stdin: None, environment: &[], sequence, depth: 0 }
    }

    /// Returns the base name of the program, if it is known.
    pub(crate) fn program(&self) -> Option<&str> {
        self.argv.name
    }

    /// Returns the value that the text gives a variable in the environment of the command.
    pub(crate) fn variable(&self, name: &str) -> Option<&'a Word> {
        environment_value(self.environment, name)
    }

    /// Whether the text sets variables in the environment of the command.
    pub(crate) fn has_variables(&self) -> bool {
        !self.environment.is_empty()
    }

    /// Returns the values of the variables that have one of these names, in which a `*` matches any text.
    pub(crate) fn variables_named<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'a Word> + 'c {
        let is_last = |at: usize, name: &str| self.environment.iter().skip(at + 1).all(|later| later.name != name);
        let meant = self.environment.iter().enumerate().filter(|(_, one)| matches_any(names, &one.name));
        meant.filter(move |(at, one)| is_last(*at, &one.name)).filter_map(|(_, one)| one.value.as_ref())
    }

    /// Whether the program has one of these names, with or without a version (`python3.12`).
    pub(crate) fn is_program(&self, names: &[&str]) -> bool {
        self.names().any(|name| names.contains(&name))
    }

    /// Returns the name of the program as given, and the other names in its record.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let own = self.program();
        let entry = self.argv.records.first().map_or(&[][..], |table| table.names);
        let others = if own.is_none_or(|own| entry.contains(&own)) { &[] } else { entry };
        own.into_iter().chain(others.iter().copied())
    }

    /// Whether the command begins with these subcommands. Each is given by its possible names.
    pub(crate) fn has_subcommands(&self, commands: &[&[&str]]) -> bool {
        let is = |(at, names): (usize, &&[&str])| {
            self.sequence.get(at).and_then(|word| word.known_text()).is_some_and(|name| names.contains(&name))
        };
        commands.iter().enumerate().all(is)
    }

    /// Sets how many of the words are subcommands, so that [`Self::operands`] returns the words after them.
    pub(crate) fn descend(&mut self, depth: usize) {
        self.depth = depth;
    }

    /// Returns the words after the subcommands that are not options.
    pub(crate) fn operands(&self) -> &[&'a Word] {
        self.sequence.get(self.depth..).unwrap_or_default()
    }

    /// Returns the operands before a `--`, and those after it if there is one.
    pub(crate) fn split_at_dashes(&self) -> (&[&'a Word], Option<&[&'a Word]>) {
        let operands = self.operands();
        let Some(behind) = self.argv.after_dashes else { return (operands, None) };
        let count = self.argv.operands.len().saturating_sub(behind);
        let (before, behind) = operands.split_at(operands.len().saturating_sub(count));
        (before, Some(behind))
    }

    /// Returns the operands, each with its index among the words.
    pub(crate) fn operands_with_indices(&self) -> impl Iterator<Item = (usize, &'a Word)> {
        let mut operands = self.operands().iter().copied().peekable();
        let words = self.words.iter().enumerate();
        words.filter(move |(_, word)| operands.next_if(|operand| std::ptr::eq(*operand, *word)).is_some())
    }

    /// Returns every occurrence of an option in one of these spellings.
    pub(crate) fn options_named<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c GivenOption> {
        self.argv.options.iter().filter(move |given| given.has_spelling(names))
    }

    /// Returns the values of all occurrences of an option in one of these spellings.
    pub(crate) fn values<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c Word> {
        self.options_named(names).filter_map(|given| given.value.as_ref())
    }

    /// Returns the last value of an option in one of these spellings.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Word> {
        self.argv.options.iter().rev().filter(|given| given.has_spelling(names)).find_map(|given| given.value.as_ref())
    }

    pub(crate) fn has_option(&self, names: &[&str]) -> bool {
        self.options_named(names).next().is_some()
    }

    /// Returns why there may be options that are not seen: a word before `--` may expand to some. `None` if none
    /// does.
    pub(crate) fn test_option(&self) -> Option<Unknown> {
        let end = self.words.iter().position(|word| word.known_text() == Some("--")).unwrap_or(self.words.len());
        let is_open =
            |word: &&Word| matches!(word.parts.first(), Some(WordPart::Unknown(unknown)) if unknown.may_split);
        self.words.get(1..end)?.iter().find(is_open).and_then(Word::unknown_reason)
    }
}

/// Returns a path relative to a directory as one relative to the working directory; without a directory, the path
/// itself.
pub(crate) fn join_directory(directory: Option<&Word>, path: &Word) -> Word {
    directory.map_or_else(|| path.clone(), |directory| paths::join(directory, path))
}
