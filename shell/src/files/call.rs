//! A command in the form in which the rows of programs (the tables `[files]` of their records) are applied to it.

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
    /// The subcommands and operands, in order. A row may take more of these words for subcommands than the record by
    /// which they were parsed.
    sequence: Vec<&'a Word>,
    /// How many words of `sequence` the row that applies takes for subcommands.
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

    /// Parses words as a separate command, without variables in its environment and without known input.
    pub(crate) fn new(words: &'a [Word], input: StdinKind) -> Self {
        Self::from_argv(parse_argv(words), input)
    }

    /// Creates a command from parsed arguments.
    fn from_argv(argv: Argv<'a>, input: StdinKind) -> Self {
        let words = argv.words;
        let repeated = |word: &&'a Word| vec![*word; Self::repetitions(word)];
        let sequence = argv.subcommands.iter().chain(&argv.operands).flat_map(repeated).collect();
        Self { words, argv, input, stdin: None, environment: &[], sequence, depth: 0 }
    }

    /// Returns how many words of the sequence a word is. Words that `xargs` reads may be several: the first operand and
    /// further ones.
    fn repetitions(word: &Word) -> usize {
        if word.is_input_words() { 2 } else { 1 }
    }

    /// Returns the base name of the program, if it is known.
    pub(crate) fn program(&self) -> Option<&str> {
        self.argv.name
    }

    /// Returns the value of a variable that the text sets in the environment of the command.
    pub(crate) fn variable(&self, name: &str) -> Option<&'a Word> {
        environment_value(self.environment, name)
    }

    /// Whether the text sets variables in the environment of the command.
    pub(crate) fn has_variables(&self) -> bool {
        !self.environment.is_empty()
    }

    /// Returns the values of the variables in the environment that have one of these names. A `*` in a name matches any
    /// text. Of several assignments to a variable, the last one counts.
    pub(crate) fn variables_named<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'a Word> + 'c {
        let is_last = |at: usize, name: &str| self.environment.iter().skip(at + 1).all(|later| later.name != name);
        let matching =
            self.environment.iter().enumerate().filter(|(_, assignment)| matches_any(names, &assignment.name));
        matching
            .filter(move |(at, assignment)| is_last(*at, &assignment.name))
            .filter_map(|(_, assignment)| assignment.value.as_ref())
    }

    /// Whether the program has one of these names, with or without a version (`python3.12`).
    pub(crate) fn is_program(&self, names: &[&str]) -> bool {
        self.names().any(|name| names.contains(&name))
    }

    /// Returns the name of the program as given, and the other names in its record.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let given_name = self.program();
        let record_names = self.argv.records.first().map_or(&[][..], |table| table.names);
        let others =
            if given_name.is_none_or(|given_name| record_names.contains(&given_name)) { &[] } else { record_names };
        given_name.into_iter().chain(others.iter().copied())
    }

    /// Whether the command begins with these subcommands. Each element has the possible names of one subcommand.
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
        let count_after: usize = self.argv.operands.iter().skip(behind).map(|word| Self::repetitions(word)).sum();
        let (before, behind) = operands.split_at(operands.len().saturating_sub(count_after));
        (before, Some(behind))
    }

    /// Returns the operands, each with its index among the words.
    pub(crate) fn operands_with_indices(&self) -> impl Iterator<Item = (usize, &'a Word)> {
        let mut operands = self.operands().iter().copied().peekable();
        let words = self.words.iter().enumerate();
        words.filter(move |(_, word)| {
            let is_operand = operands.next_if(|operand| std::ptr::eq(*operand, *word)).is_some();
            while operands.next_if(|operand| is_operand && std::ptr::eq(*operand, *word)).is_some() {}
            is_operand
        })
    }

    /// Returns every occurrence of an option that has one of these spellings.
    pub(crate) fn options_named<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c GivenOption> {
        self.argv.options.iter().filter(move |given| given.has_spelling(names))
    }

    /// Returns the values of all occurrences of an option that has one of these spellings.
    pub(crate) fn values<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c Word> {
        self.options_named(names).filter_map(|given| given.value.as_ref())
    }

    /// Returns the last value of an option that has one of these spellings.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Word> {
        self.argv.options.iter().rev().filter(|given| given.has_spelling(names)).find_map(|given| given.value.as_ref())
    }

    pub(crate) fn has_option(&self, names: &[&str]) -> bool {
        self.options_named(names).next().is_some()
    }

    /// Returns why the command may have further options: a word before `--` is unknown and may expand to some. `None`
    /// if that is impossible.
    pub(crate) fn test_option(&self) -> Option<Unknown> {
        let end = self.words.iter().position(|word| word.known_text() == Some("--")).unwrap_or(self.words.len());
        let is_open =
            |word: &&Word| matches!(word.parts.first(), Some(WordPart::Unknown(unknown)) if unknown.may_split);
        self.words.get(1..end)?.iter().find(is_open).and_then(Word::unknown_reason)
    }
}

/// Joins a path to the directory to which it is relative, such as the value of `-C`. Without a directory, the path is
/// returned unchanged.
pub(crate) fn join_directory(directory: Option<&Word>, path: &Word) -> Word {
    directory.map_or_else(|| path.clone(), |directory| paths::join(directory, path))
}
