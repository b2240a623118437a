//! The words of a command, parsed for the lookups of its row.

use super::paths;
use crate::analysis::{Assignment, Simple, value_in};
use crate::argv::{Argv, GivenOption, read};
use crate::files::Input;
use crate::stream::Content;
use crate::word::{Part, Unknown, Word};

/// A command, with its words parsed according to the table.
pub(crate) struct Call<'a> {
    pub(crate) words: &'a [Word],
    pub(crate) argv: Argv<'a>,
    pub(crate) input: Input,
    /// The content of the standard input, if it is known.
    pub(crate) stdin: Option<&'a str>,
    /// The variables that the text sets in its environment.
    environment: &'a [Assignment],
    /// The subcommands and operands in order: the table need not know which is which.
    sequence: Vec<&'a Word>,
    /// How many of them are subcommands, according to the row.
    depth: usize,
}

impl<'a> Call<'a> {
    /// Parses the words of a command.
    pub(crate) fn of(command: &'a Simple, input: Input) -> Self {
        let stdin = match &command.input.content {
            Content::Known(text) => text.word.known(),
            _ => None,
        };
        Self { stdin, environment: &command.environment, ..Self::with(command.argv(), input) }
    }

    /// Parses words that are part of a command.
    pub(crate) fn new(words: &'a [Word], input: Input) -> Self {
        Self::with(read(words), input)
    }

    fn with(argv: Argv<'a>, input: Input) -> Self {
        let words = argv.words;
        let sequence = argv.commands.iter().chain(&argv.operands).copied().collect();
        Self { words, argv, input, stdin: None, environment: &[], sequence, depth: 0 }
    }

    /// Returns the program's base name, if it is known.
    pub(crate) fn program(&self) -> Option<&str> {
        self.argv.name
    }

    /// Returns the value that the text gives a variable in the command's environment.
    pub(crate) fn variable(&self, name: &str) -> Option<&'a Word> {
        value_in(self.environment, name)
    }

    /// Whether the program has one of these names, with or without a version (`python3.12`).
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        self.names().any(|name| names.contains(&name))
    }

    /// Returns all names of the program.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let own = self.program();
        let entry = self.argv.tables.first().map_or(&[][..], |table| table.names);
        let others = if own.is_none_or(|own| entry.contains(&own)) { &[] } else { entry };
        own.into_iter().chain(others.iter().copied())
    }

    /// Whether the subcommands begin with these, each given by its possible names.
    pub(crate) fn is_under(&self, commands: &[&[&str]]) -> bool {
        let is = |(at, names): (usize, &&[&str])| {
            self.sequence.get(at).and_then(|word| word.known()).is_some_and(|name| names.contains(&name))
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
    pub(crate) fn around_dashes(&self) -> (&[&'a Word], Option<&[&'a Word]>) {
        let operands = self.operands();
        let Some(behind) = self.argv.behind_dashes else { return (operands, None) };
        let count = self.argv.operands.len().saturating_sub(behind);
        let (before, behind) = operands.split_at(operands.len().saturating_sub(count));
        (before, Some(behind))
    }

    /// Returns the operands with their indices among the words.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (usize, &'a Word)> {
        let mut operands = self.operands().iter().copied().peekable();
        let words = self.words.iter().enumerate();
        words.filter(move |(_, word)| operands.next_if(|operand| std::ptr::eq(*operand, *word)).is_some())
    }

    /// Returns every occurrence of an option of one of these spellings.
    pub(crate) fn given<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c GivenOption> {
        self.argv.options.iter().filter(move |given| given.is_named(names))
    }

    /// Returns the values of an option under any of its spellings.
    pub(crate) fn values<'c>(&'c self, names: &'c [&'c str]) -> impl Iterator<Item = &'c Word> {
        self.given(names).filter_map(|given| given.value.as_ref())
    }

    /// Returns the last value of an option.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Word> {
        self.argv.options.iter().rev().filter(|given| given.is_named(names)).find_map(|given| given.value.as_ref())
    }

    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.given(names).next().is_some()
    }

    /// Returns why there may be unseen options, if a word before `--` may expand to some.
    pub(crate) fn maybe_has(&self) -> Option<Unknown> {
        let end = self.words.iter().position(|word| word.known() == Some("--")).unwrap_or(self.words.len());
        let is_open = |word: &&Word| matches!(word.parts.first(), Some(Part::Unknown(unknown)) if unknown.splits);
        self.words.get(1..end)?.iter().find(is_open).and_then(Word::why)
    }
}

/// Joins a path to the directory, if there is one.
pub(crate) fn in_directory(directory: Option<&Word>, path: &Word) -> Word {
    directory.map_or_else(|| path.clone(), |directory| paths::join(directory, path))
}
