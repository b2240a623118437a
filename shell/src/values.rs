//! The values of a command that `where` conditions test (`program`, `args`, `operands`, …), as far as they are known.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::values::EnvironmentVariable;
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("CI=1 npm run build -- --watch", &start);
//! let npm = &analysis.commands[0];
//! assert_eq!(npm.program().words[0].known_text(), Some("npm"));
//! assert!(matches!(npm.variable("CI"), EnvironmentVariable::Set(value) if value.known_text() == Some("1")));
//! ```

use crate::analysis::{Analysis, RedirectKind, SimpleCommand};
use crate::argv::{Argv, GivenOption, program_name};
use crate::glob::Fit;
use crate::nested::{Runnable, nested};
use crate::programs::Programs;
use crate::stream::CommandId;
use crate::stream::StreamContent;
use crate::word::{Cause, Unknown, ValueSource, Word, WordPart};

/// The values of a field of a command, such as `args`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FieldValues {
    /// The values that certainly exist; parts of them may be unknown.
    pub words: Vec<Word>,
    /// Why there may be other values; `None` if there are none.
    pub others: Option<Unknown>,
}

/// What a command finds in its environment under a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnvironmentVariable<'a> {
    /// The value that the text sets.
    Set(&'a Word),
    /// Nothing: the text removes the variable.
    Removed,
    /// What the caller of the shell has set, which is not visible.
    Inherited,
    /// It is unknown: something in the text may set the variable.
    Unknown(&'a Unknown),
}

impl FieldValues {
    /// Tests whether at least one value satisfies a test. Without values, the result is `Fit::No`.
    pub fn test_any(&self, mut test: impl FnMut(&Word) -> Fit) -> Fit {
        let known = self.words.iter().fold(Fit::No, |fit, word| match fit {
            Fit::Yes => Fit::Yes,
            fit => fit.or(test(word)),
        });
        known.or(self.others.clone().map_or(Fit::No, Fit::Maybe))
    }

    /// Tests whether there is a value and all values satisfy a test.
    pub fn test_all(&self, mut test: impl FnMut(&Word) -> Fit) -> Fit {
        let known = self.words.iter().fold(self.test_existence(), |fit, word| match fit {
            Fit::No => Fit::No,
            fit => fit.and(test(word)),
        });
        known.and(self.others.clone().map_or(Fit::Yes, Fit::Maybe))
    }

    /// Tests whether there is at least one value.
    #[must_use]
    pub fn test_existence(&self) -> Fit {
        match &self.others {
            _ if !self.words.is_empty() => Fit::Yes,
            Some(reason) => Fit::Maybe(reason.clone()),
            None => Fit::No,
        }
    }

    /// Returns a single certain value.
    fn single(word: Word) -> Self {
        Self { words: vec![word], others: None }
    }

    /// Adds a word of a command. A word that may split into several is not a certain value.
    pub(super) fn push(&mut self, word: &Word) {
        if word.may_split_at_blanks() {
            self.others = self.others.take().or_else(|| word.unknown_reason());
        } else {
            self.words.push(word.clone());
        }
    }
}

impl SimpleCommand {
    /// Returns the base name of the program, for the field `program`.
    #[must_use]
    pub fn program(&self) -> FieldValues {
        match self.words.first() {
            None => FieldValues::default(),
            Some(word) => match program_name(word) {
                Some(name) => FieldValues::single(Word::text(name)),
                None => FieldValues { words: Vec::new(), others: word.unknown_reason() },
            },
        }
    }

    /// Returns the words after the program, for the field `args`.
    #[must_use]
    pub fn args(&self) -> FieldValues {
        let mut values = FieldValues::default();
        self.words.iter().skip(1).for_each(|word| values.push(word));
        values
    }

    /// Returns the names of the variables that are expanded in the arguments or in a here-document or here-string
    /// (`<<`, `<<<`), and that the text did not set: the field `variables`.
    #[must_use]
    pub fn variables(&self) -> FieldValues {
        let texts = self.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text);
        let words = self.words.iter().skip(1).chain(texts.map(|redirect| &*redirect.target));
        let unknown = words.flat_map(|word| &word.parts).filter_map(|part| match part {
            WordPart::Unknown(unknown) => Some(&unknown.reason),
            WordPart::Text(_) | WordPart::Glob(_) => None,
        });
        let mut values = FieldValues::default();
        for reason in unknown {
            match reason.source.base_variable() {
                Some(name) => values.words.push(Word::text(name)),
                None if reason.source == ValueSource::IndirectVariable => values.others = Some(reason.clone()),
                None => {}
            }
        }
        values
    }

    /// Returns the words after the subcommands that are neither options nor their values: the field `operands`.
    #[must_use]
    pub fn operands(&self) -> FieldValues {
        self.argv().operand_values(|_| false)
    }

    /// Like [`SimpleCommand::operands`], with the words parsed according to `programs` as well as the built-in
    /// records.
    #[must_use]
    pub fn operands_with(&self, programs: &Programs) -> FieldValues {
        self.argv_with(programs).operand_values(|_| false)
    }

    /// Returns the values of an option in any of its spellings: the test `option "-m"`. An option without a value has
    /// the empty text as its value.
    #[must_use]
    pub fn option(&self, name: &str) -> FieldValues {
        self.argv().option_values(name)
    }

    /// Like [`SimpleCommand::option`], with the words parsed according to `programs` as well as the built-in records.
    #[must_use]
    pub fn option_with(&self, name: &str, programs: &Programs) -> FieldValues {
        self.argv_with(programs).option_values(name)
    }

    /// Returns the commands whose output the program reads on standard input. Empty for an interpreter: it executes
    /// its input as code, or its script may do anything with it.
    pub fn input_from(&self) -> impl Iterator<Item = &CommandId> {
        let writers = self.stdin_from.iter().chain(&self.piped_from);
        writers.filter(|_| !self.is_interpreter())
    }

    /// Returns the text on the program's standard input without trailing newlines, as far as the call determines it:
    /// the field `input`. Without a redirection or a pipe there is no value.
    #[must_use]
    pub fn input(&self) -> FieldValues {
        let unknown = |cause, word: String| FieldValues { words: Vec::new(), others: Some(Unknown::new(cause, word)) };
        match &self.input.content {
            StreamContent::Unset => FieldValues::default(),
            StreamContent::Known(value) => FieldValues::single(value.clone().into_one_word().without_newlines().word),
            StreamContent::File(file) if file.known_text() == Some("/dev/null") => FieldValues::single(Word::default()),
            StreamContent::File(file) => unknown(Cause::FileText, file.display_text()),
            StreamContent::Program(_) | StreamContent::Unknown => unknown(Cause::Output, String::new()),
        }
    }

    /// Returns the size of the known text on standard input, roughly in bytes; 0 if it is not known.
    #[must_use]
    pub fn input_size(&self) -> usize {
        match &self.input.content {
            StreamContent::Known(value) => value.size(),
            _ => 0,
        }
    }

    /// Whether the program executes text: a shell, an interpreter, `eval`.
    fn is_interpreter(&self) -> bool {
        self.argv().records.first().is_some_and(|table| table.is_interpreter())
            || nested(&self.words).iter().any(|inner| !matches!(inner.runnable, Runnable::Argv(_)))
    }

    /// Returns a variable as the program finds it in its environment: the field `env.NAME`.
    #[must_use]
    pub fn variable(&self, name: &str) -> EnvironmentVariable<'_> {
        // Assignments before the program override variables that were exported earlier.
        let mut set = self.environment.iter().chain(&self.assignments).rev();
        match set.find(|assignment| assignment.name == name) {
            None => {
                self.environment_hidden.as_ref().map_or(EnvironmentVariable::Inherited, EnvironmentVariable::Unknown)
            }
            Some(assignment) => {
                assignment.value.as_ref().map_or(EnvironmentVariable::Removed, EnvironmentVariable::Set)
            }
        }
    }
}

impl Analysis {
    /// Returns the base names of the programs of some commands, for the fields `via`, `piped_from` and `piped_to`.
    #[must_use]
    pub fn programs(&self, ids: &[CommandId]) -> FieldValues {
        let mut values = FieldValues::default();
        for program in ids.iter().filter_map(|id| self.command(*id)).map(SimpleCommand::program) {
            values.words.extend(program.words);
            values.others = values.others.or(program.others);
        }
        values
    }
}

impl Argv<'_> {
    /// Returns the operands, except those for which `is_named` holds. If a word may be an option or several words,
    /// there may be others.
    pub(crate) fn operand_values(&self, is_named: impl Fn(&Word) -> bool) -> FieldValues {
        let mut values = FieldValues::default();
        self.operands.iter().filter(|word| !is_named(word)).for_each(|word| values.push(word));
        // A word that may split adds further words, at any position.
        let splitting = self.maybe_options.iter().find(|word| word.may_split_at_blanks());
        values.others = values.others.or_else(|| splitting.and_then(|word| word.unknown_reason()));
        values
    }

    /// Returns the values of an option in any of its spellings, in order.
    pub(super) fn option_values(&self, name: &str) -> FieldValues {
        let mut values = FieldValues::default();
        // The same letter may be an option of the program and of the subcommand: only those in effect count.
        let has_name = |given: &&GivenOption| {
            given.name == name || given.option.is_some_and(|option| option.names.contains(&name))
        };
        let implied = self.implied_options();
        let options = self.options.iter().chain(&implied);
        for given in options.filter(has_name).filter(|given| self.is_effective(given)) {
            // For a program without a record, the next word may be the value.
            let next = || self.words.get(given.word_index + 1).filter(|word| !word.prefix().starts_with('-'));
            let value = given.value.as_ref().or_else(|| next().filter(|_| given.option.is_none()));
            values.words.push(value.cloned().unwrap_or_default());
        }
        let may_be_option =
            |word: &&&Word| word.may_split_at_blanks() || word.prefix().len() < 2 || name.starts_with(word.prefix());
        values.others = self.maybe_options.iter().find(may_be_option).and_then(|word| word.unknown_reason());
        if values.others.is_none() && self.is_as_written() {
            // In a program without a record, `-lx` may be `-l x`.
            let is_letter = name.len() == 2 && !name.starts_with("--");
            let may_have_value = |given: &&GivenOption| given.name.len() > 2 && given.name.starts_with(name);
            let given = self.options.iter().find(may_have_value).filter(|_| is_letter);
            values.others = given.map(|given| Unknown::new(Cause::Letters, given.name.clone()));
        }
        values
    }
}

#[cfg(test)]
mod tests;
