//! The table of programs: their options and subcommands, the commands that they run and their effects on files.
//!
//! The data are the records in `programs/`, which the build script compiles. The words of a program without a record
//! are read as written.
//!
//! ```
//! use hookrules_shell::programs::{OptionEffect, is_shell, program};
//!
//! let tar = program("tar").expect("a record");
//! let create = tar.options.iter().find(|option| option.names.contains(&"--create"));
//! assert!(create.is_some_and(|option| option.names.contains(&"-c")));
//! assert!(is_shell("zsh"));
//! ```

mod added;

use crate::by_name::{NameTable, by_name};
use crate::dialect::DialectSet;
pub use crate::records::{
    Arity, LongOptionSyntax, OptionEffect, OptionRecord, ProgramRecord, RecordMistake, ShortOptionSyntax,
    SubcommandSyntax, UnlistedSubcommand, WordSyntax,
};
pub use added::{Programs, ReplaceableRecords};

/// A program or a subcommand.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its names: base names of a program, words of a subcommand.
    pub names: &'static [&'static str],
    /// How its words are parsed.
    pub reading: WordSyntax,
    /// How its long options may be abbreviated.
    pub long_options: LongOptionSyntax,
    /// How a value may follow a letter.
    pub short_options: ShortOptionSyntax,
    /// How its subcommands may be abbreviated.
    pub subcommands: SubcommandSyntax,
    /// Groups of synonymous names of its subcommands. The name of a nested subcommand has several words.
    pub aliases: &'static [&'static [&'static str]],
    /// The groups of [`Program::aliases`] that include a name of several words.
    pub(crate) far_aliases: &'static [&'static [&'static str]],
    /// Words that may precede its subcommands without changing anything: `gcloud beta`.
    pub tracks: &'static [&'static str],
    /// Its options; a subcommand also accepts those of its program unless [`WordSyntax`] ends them.
    pub options: &'static [ProgramOption],
    /// Options that it inherits: from the program that it is like, and from sets.
    pub shared: &'static [&'static [ProgramOption]],
    /// Its subcommands. If there are any, the first operand is a subcommand, listed or not.
    pub commands: &'static [Program],
    /// What an unlisted subcommand may be.
    pub unlisted: UnlistedSubcommand,
    /// What its operands may do besides being read: [`OptionEffect::Runs`] if one is code, [`OptionEffect::Writes`] if
    /// one names a file that is created.
    pub operands: OptionEffect,
    is_interpreter: bool,
    /// Whether it runs a command or code from its words: the table `[runs]` of its record.
    is_runner: bool,
    /// Whether it may read its standard input.
    pub(crate) reads_input: bool,
    /// The language of the code that it runs, if it is an interpreter.
    pub(crate) language: Option<InterpreterLanguage>,
    /// The dialects in which it may read a text, if it is a Bourne-like shell.
    pub(crate) dialects: DialectSet,
}

/// A language whose code an interpreter runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InterpreterLanguage {
    AppleScript,
    Awk,
    JavaScript,
    Julia,
    Lua,
    Perl,
    Php,
    Python,
    R,
    Ruby,
}

/// An option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProgramOption {
    /// Its spellings with their dashes. The first is the canonical one. `-#` is a dash and a number, which is its value
    /// (`head -5`).
    pub names: &'static [&'static str],
    /// Whether it takes a value.
    pub arity: Arity,
    /// Its effect that matters to a guard.
    pub does: OptionEffect,
    /// The option that it cancels: the last of both counts.
    pub undoes: Option<&'static str>,
    /// The options that it is equivalent to, one spelling of each (`git branch -D`, `cp -a`).
    pub means: &'static [&'static str],
}

/// The spelling of an option whose value directly follows the dash: `-5`.
pub(super) const NUMBER: &str = "-#";

impl Program {
    /// Returns the subcommand with a name, or with an abbreviation if the program accepts those.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&'static Self> {
        let named = |name: &str| self.commands.iter().find(|command| command.names.contains(&name));
        named(name).or_else(|| named(self.full_subcommand(name)?))
    }

    /// Whether it has a subcommand with exactly this name.
    fn has_command(&self, name: &str) -> bool {
        self.commands.iter().any(|command| command.names.contains(&name))
    }

    /// Returns the names of the same subcommand, including this one; empty if it is the only one.
    pub(crate) fn same_commands(&self, name: &str) -> &'static [&'static str] {
        self.aliases.iter().copied().find(|names| names.contains(&name)).unwrap_or_default()
    }

    /// Returns the subcommand that this is a prefix of, if all matching names are synonymous.
    pub(crate) fn full_subcommand(&self, name: &str) -> Option<&'static str> {
        if self.subcommands == SubcommandSyntax::Whole || name.is_empty() || self.has_command(name) {
            return None;
        }
        let mut names = self.commands.iter().flat_map(|command| command.names).filter(|own| own.starts_with(name));
        let first = *names.next()?;
        let same = self.same_commands(first);
        names.all(|other| same.contains(other)).then_some(first)
    }

    /// Whether it is a shell or an interpreter, which executes its input.
    #[must_use]
    pub fn is_interpreter(&self) -> bool {
        self.is_interpreter
    }

    /// Whether its words contain no command or code that it runs, except for those of a subcommand.
    #[must_use]
    pub fn is_self_contained(&self) -> bool {
        !self.is_interpreter && !self.is_runner
    }

    /// Whether a spelling is a single option wherever it or a subcommand accepts it, and not a cluster.
    pub(crate) fn is_single_option(&self, spelling: &str) -> bool {
        matches!(self.reading, WordSyntax::Gnu | WordSyntax::Leading)
            && self.option(spelling).is_none_or(|option| option.means.is_empty())
            && self.commands.iter().all(|command| command.is_single_option(spelling))
    }

    /// Returns its options, with its own first.
    pub fn all_options(&self) -> impl Iterator<Item = &'static ProgramOption> {
        self.options.iter().chain(self.shared.iter().copied().flatten())
    }

    /// Returns the option with exactly this spelling.
    #[must_use]
    pub fn option(&self, spelling: &str) -> Option<&'static ProgramOption> {
        self.all_options().find(|option| option.names.contains(&spelling))
    }

    /// Returns the option of a letter after one dash.
    #[must_use]
    pub fn letter(&self, letter: char) -> Option<&'static ProgramOption> {
        let is_letter = |name: &str| name.strip_prefix('-').is_some_and(|rest| rest.chars().eq([letter]));
        self.all_options().find(|option| option.names.iter().any(|name| is_letter(name)))
    }

    /// Returns the options that a long spelling abbreviates, if the program accepts abbreviations. Help options cannot
    /// be abbreviated: git looks for `--help` before it parses options, and elsewhere nothing depends on it.
    pub fn options_with_prefix(&self, spelling: &str) -> impl Iterator<Item = &'static ProgramOption> {
        let takes = self.long_options == LongOptionSyntax::Shortened && self.reading != WordSyntax::Words;
        let begins = move |option: &&ProgramOption| {
            option.does != OptionEffect::Explains && option.names.iter().any(|name| name.starts_with(spelling))
        };
        self.all_options().filter(move |option| takes && begins(option))
    }
}

impl ProgramOption {
    /// Returns the canonical spelling.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

// `PROGRAMS`, each in a list of its own, `VERSIONED`, the names that may carry a version (`python3.12`, `gcc-13`), and
// `SHELLS`, the names of the Bourne-like shells.
include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// Returns the program with this base name.
#[must_use]
pub fn program(name: &str) -> Option<&'static Program> {
    built_in_program(name).or_else(|| {
        let bare = without_version(name);
        VERSIONED.contains(&bare).then(|| built_in_program(bare)).flatten()
    })
}

/// Returns the first name in the record of a program; without a record, the given name.
pub(super) fn main_name(name: &str) -> &str {
    program(name).and_then(|record| record.names.first().copied()).unwrap_or(name)
}

/// Whether the program with this base name is a Bourne-like shell.
#[must_use]
pub fn is_shell(name: &str) -> bool {
    !dialects(name).is_empty()
}

/// Returns the dialects in which the Bourne-like shell with this base name may read a text; empty for another program.
pub(super) fn dialects(name: &str) -> DialectSet {
    program(name).map_or(DialectSet::NONE, |record| record.dialects)
}

/// Returns the language of the code that the interpreter with this base name runs.
pub(super) fn language(name: &str) -> Option<InterpreterLanguage> {
    program(name)?.language
}

/// Returns the names of the Bourne-like shells.
pub(super) fn shells() -> &'static [&'static str] {
    SHELLS
}

/// Returns a name without a version at its end.
fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
}

static BY_NAME: NameTable<Program> = by_name!(Program, PROGRAMS);

fn built_in_program(name: &str) -> Option<&'static Program> {
    BY_NAME.find(name, |program| program.names)
}

/// Returns every program of the table.
#[cfg(test)]
pub(super) fn programs() -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().copied().flatten()
}

#[cfg(test)]
mod tests;
