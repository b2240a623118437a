//! The table of programs: their options and subcommands, and the commands that they run.
//!
//! The build script compiles the table from the records in `programs/`. The words of a program without a record are
//! read as they are.
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
    Arity, LongOptionSyntax, OperandEffect, OptionEffect, OptionRecord, ProgramRecord, RecordMistake,
    ShortOptionSyntax, SubcommandSyntax, UnlistedSubcommand, WordSyntax,
};
pub use added::{Programs, ReplaceableRecords};

/// A program or a subcommand: how its words are parsed, and what its options and operands do.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its names: the base names of a program (`cp`, `gcp`), or the words for a subcommand (`remove`).
    pub names: &'static [&'static str],
    /// How its words are parsed.
    pub reading: WordSyntax,
    /// How its long options may be abbreviated.
    pub long_options: LongOptionSyntax,
    /// How a value may be attached to an option with one letter.
    pub short_options: ShortOptionSyntax,
    /// How its subcommands may be abbreviated.
    pub subcommands: SubcommandSyntax,
    /// Groups of names of its subcommands that mean the same. The name of a nested subcommand has several words:
    /// `container run`.
    pub aliases: &'static [&'static [&'static str]],
    /// The groups of [`Program::aliases`] that contain a name with several words.
    pub(crate) far_aliases: &'static [&'static [&'static str]],
    /// Words that may be before its subcommands and change nothing: `beta` in `gcloud beta compute`.
    pub tracks: &'static [&'static str],
    /// Its own options. A subcommand also accepts the options of its program, unless the program's [`WordSyntax`]
    /// ends them there.
    pub options: &'static [ProgramOption],
    /// The options that it inherits, in groups: from a similar program (`like`), and from sets of options.
    pub shared: &'static [&'static [ProgramOption]],
    /// Its subcommands. If there are any, the first operand is a subcommand, even if it is not one of these.
    pub commands: &'static [Program],
    /// What a subcommand may be that is not in `commands`.
    pub unlisted: UnlistedSubcommand,
    /// What it does with its operands besides reading them.
    pub operands: OperandEffect,
    /// Whether it is a shell or an interpreter.
    is_interpreter: bool,
    /// Whether its words may contain a command or code that it runs: the table `[runs]` of its record.
    is_runner: bool,
    /// The words with which it only looks. Those of subcommands are in their own records.
    pub(crate) looks: LookEnds,
    /// The programs to which it hands the words after a `--`; empty if those are its own operands.
    pub(crate) behind_dashes: &'static [&'static str],
    /// The values, by the canonical spelling of the option, with which that option does nothing beyond the program's
    /// own work: `term` of `pytest --cov-report`.
    pub(crate) plain_values: &'static [(&'static str, &'static [&'static str])],
    /// The options that only say how the work is done, so that a strict pattern need not name them: `make -s`.
    pub(crate) incidental: &'static [&'static str],
    /// The calls that a strict pattern need not name if they only look.
    pub(crate) incidental_call: Option<IncidentalCall>,
    /// Whether its subcommand `run` runs a script of the project by its name: `npm run lint`.
    pub(crate) runs_scripts: bool,
    /// Whether it may read its standard input.
    pub(crate) reads_input: bool,
    /// The language of the code that it runs, if it is an interpreter.
    pub(crate) language: Option<InterpreterLanguage>,
    /// The dialects in which it may read a script; empty if it is not a Bourne-like shell.
    pub(crate) dialects: DialectSet,
}

/// How the calls of a program leave the calls around them as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IncidentalCall {
    /// Behind a pipe, it prints what it reads, perhaps changed: `| tail -5`.
    Filter,
    /// It prints its words, waits, or sets how the shell goes on: `echo done`.
    Idle,
}

/// The words with which a program only looks, each as the end of a pattern: `*`, `--list *`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LookEnds {
    /// Those with which it may read files of the user.
    pub reading: &'static [&'static str],
    /// Those with which it asks a service, or only says what it is.
    pub asking: &'static [&'static str],
}

impl LookEnds {
    /// A program that is not known to look.
    pub(crate) const NONE: Self = Self { reading: &[], asking: &[] };
}

/// The looks of a program whose record does not list its options.
pub(crate) struct AsWrittenLooks {
    names: &'static [&'static str],
    looks: LookEnds,
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

/// An option of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProgramOption {
    /// Its spellings with their dashes; the first is the canonical one. The spelling `-#` is a dash and a number, where
    /// the number is the value: `head -5`.
    pub names: &'static [&'static str],
    /// Whether it takes a value.
    pub arity: Arity,
    /// What it does that matters to a rule.
    pub does: OptionEffect,
    /// The canonical spelling of the option that it cancels. If a command has both, the last one takes effect.
    pub undoes: Option<&'static str>,
    /// The options that it is short for, one spelling of each: `--delete` and `--force` for `git branch -D`.
    pub means: &'static [&'static str],
    /// The option and its value that take effect with it, unless the command has that option: `--method=POST` for the
    /// `--field` of `gh api`.
    pub implies: Option<&'static str>,
}

/// The spelling of an option that is a dash and a number: `-5`.
pub(super) const NUMBER: &str = "-#";

impl Program {
    /// Returns the subcommand with a name, or with an abbreviation or another case of its name if the program accepts
    /// these.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&'static Self> {
        let find = |name: &str| self.commands.iter().find(|command| command.names.contains(&name));
        find(name).or_else(|| find(self.full_subcommand(name)?))
    }

    /// Whether the program has a subcommand with exactly this name.
    fn has_command(&self, name: &str) -> bool {
        self.commands.iter().any(|command| command.names.contains(&name))
    }

    /// Returns all names that mean the same subcommand, including the given one; empty if the name has no synonyms.
    pub(crate) fn same_commands(&self, name: &str) -> &'static [&'static str] {
        self.aliases.iter().copied().find(|names| names.contains(&name)).unwrap_or_default()
    }

    /// Returns the full name of a subcommand that is abbreviated or in another case. Returns `None` if it is a full
    /// name already, if the program accepts no other spellings, or if subcommands with different meanings begin like
    /// this.
    pub(crate) fn full_subcommand(&self, name: &str) -> Option<&'static str> {
        if self.subcommands == SubcommandSyntax::Whole || name.is_empty() || self.has_command(name) {
            return None;
        }
        let mut names = self.commands.iter().flat_map(|command| command.names);
        if self.subcommands == SubcommandSyntax::AnyCase {
            let name = if name.starts_with("//") { name.get(1..)? } else { name };
            return names.find(|full| full.eq_ignore_ascii_case(name)).copied();
        }
        let mut names = names.filter(|full| full.starts_with(name));
        let first = *names.next()?;
        let synonyms = self.same_commands(first);
        names.all(|other| synonyms.contains(other)).then_some(first)
    }

    /// Whether the program is a shell or an interpreter, which executes its input.
    #[must_use]
    pub fn is_interpreter(&self) -> bool {
        self.is_interpreter
    }

    /// Whether the program's own words contain no command or code that it runs; those of its subcommands may.
    #[must_use]
    pub fn is_self_contained(&self) -> bool {
        !self.is_interpreter && !self.is_runner
    }

    /// Whether the program may only look and run a command in its words: `timeout`, `env`. That command is judged as if
    /// it ran on its own.
    #[must_use]
    pub fn only_runs_command(&self) -> bool {
        self.is_runner && self.commands.is_empty() && self.looks != LookEnds::NONE
    }

    /// Whether a spelling such as `-ab` is one option for the program and for all of its subcommands, and not the two
    /// options `-a` and `-b`.
    pub(crate) fn is_single_option(&self, spelling: &str) -> bool {
        matches!(self.reading, WordSyntax::Gnu | WordSyntax::Leading)
            && self.option(spelling).is_none_or(|option| option.means.is_empty())
            && self.commands.iter().all(|command| command.is_single_option(spelling))
    }

    /// Returns its own options, and then the inherited ones.
    pub fn all_options(&self) -> impl Iterator<Item = &'static ProgramOption> {
        self.options.iter().chain(self.shared.iter().copied().flatten())
    }

    /// Returns the option with exactly this spelling.
    #[must_use]
    pub fn option(&self, spelling: &str) -> Option<&'static ProgramOption> {
        self.all_options().find(|option| option.names.contains(&spelling))
    }

    /// Returns the option with this letter after one dash.
    #[must_use]
    pub fn letter(&self, letter: char) -> Option<&'static ProgramOption> {
        let is_letter = |name: &str| name.strip_prefix('-').is_some_and(|rest| rest.chars().eq([letter]));
        self.all_options().find(|option| option.names.iter().any(|name| is_letter(name)))
    }

    /// Returns the options that a long spelling abbreviates; empty if the program does not accept abbreviations.
    ///
    /// Options that print the usage cannot be abbreviated: git looks for `--help` before it parses options, and for
    /// other programs nothing depends on it.
    pub fn options_with_prefix(&self, spelling: &str) -> impl Iterator<Item = &'static ProgramOption> {
        let accepts_abbreviations =
            self.long_options == LongOptionSyntax::Shortened && self.reading != WordSyntax::Words;
        let begins = move |option: &&ProgramOption| {
            option.does != OptionEffect::Explains && option.names.iter().any(|name| name.starts_with(spelling))
        };
        self.all_options().filter(move |option| accepts_abbreviations && begins(option))
    }
}

impl ProgramOption {
    /// Returns the canonical spelling.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

// Defines `PROGRAMS`, each program in a list of its own; `VERSIONED`, the names that may have a version
// (`python3.12`, `gcc-13`); `SHELLS`, the names of the Bourne-like shells; and `AS_WRITTEN_LOOKS`.
include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// Returns the program with this base name, which may have a version at its end: `python3.12`.
#[must_use]
pub fn program(name: &str) -> Option<&'static Program> {
    built_in_program(name).or_else(|| {
        let bare = without_version(name);
        VERSIONED.contains(&bare).then(|| built_in_program(bare)).flatten()
    })
}

/// Returns the first name in the record of a program; the given name if there is no record.
pub(super) fn main_name(name: &str) -> &str {
    program(name).and_then(|record| record.names.first().copied()).unwrap_or(name)
}

/// Whether the program with this base name is a Bourne-like shell.
#[must_use]
pub fn is_shell(name: &str) -> bool {
    !dialects(name).is_empty()
}

/// Returns the dialects in which the Bourne-like shell with this base name may read a script; empty for any other
/// program.
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

/// Returns a name without the version at its end: `python` for `python3.12`.
fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
}

/// The rows of `PROGRAMS` by name.
static BY_NAME: NameTable<Program> = by_name!(Program, PROGRAMS);

/// The rows of `AS_WRITTEN_LOOKS` by name.
static AS_WRITTEN_BY_NAME: NameTable<AsWrittenLooks> = by_name!(AsWrittenLooks, AS_WRITTEN_LOOKS);

/// Returns the looks of a program whose record does not list its options.
pub(super) fn as_written_looks(name: &str) -> LookEnds {
    AS_WRITTEN_BY_NAME.find(name, |row| row.names).map_or(LookEnds::NONE, |row| row.looks)
}

/// Returns the program of the table with exactly this base name.
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
