//! The table of programs: their options, subcommands, what they run and what they do to files.
//!
//! The data are the records in `programs/`, which the build script compiles. A program that has none is read as it is
//! written.

mod added;

use crate::by_name::{ByName, by_name};
use crate::dialect::Dialects;
pub use crate::records::{Arity, Does, LongOptions, Reading, ShortOptions, Subcommands, Unlisted};
pub use added::{Programs, Replaces};

/// A program or a subcommand.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its names: base names of a program, words of a subcommand.
    pub names: &'static [&'static str],
    /// How it reads its words.
    pub reading: Reading,
    /// How its long options may be written.
    pub long_options: LongOptions,
    /// How a value may follow a letter.
    pub short_options: ShortOptions,
    /// How its subcommands may be written.
    pub subcommands: Subcommands,
    /// Names of its subcommands, those together that mean the same. One within another has several words.
    pub aliases: &'static [&'static [&'static str]],
    /// Those of [`Program::aliases`] among which one has several words.
    pub(crate) far_aliases: &'static [&'static [&'static str]],
    /// Words that may stand in front of its subcommands and change nothing: `gcloud beta`.
    pub tracks: &'static [&'static str],
    /// Its options; a subcommand takes those of its program too where [`Reading`] does not end them.
    pub options: &'static [Opt],
    /// Options that it takes from others: from the program that it is like, from sets.
    pub shared: &'static [&'static [Opt]],
    /// Its subcommands. Where there are some, the first operand is one, in the table or not.
    pub commands: &'static [Program],
    /// What a subcommand may be that is not in the table.
    pub unlisted: Unlisted,
    /// What its operands may do beside being read: [`Does::Runs`] where one is code, [`Does::Writes`] where one names
    /// a file that is made.
    pub operands: Does,
    is_interpreter: bool,
    /// It runs a command or code that its words hold: the table `[runs]` of its record.
    is_runner: bool,
    /// It may read its standard input.
    pub(crate) reads_input: bool,
    /// The language of the code that it runs, if it is an interpreter of one.
    pub(crate) language: Option<Language>,
    /// The dialects that it may read a text as, if it is a shell in Bourne's manner.
    pub(crate) dialects: Dialects,
}

/// A language whose code an interpreter runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
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
pub struct Opt {
    /// Its spellings with their dashes. The first is the one that it is known by. `-#` is a dash and a number,
    /// which is its value (`head -5`).
    pub names: &'static [&'static str],
    /// Whether it takes a value.
    pub arity: Arity,
    /// What it does that a guard cares for.
    pub does: Does,
    /// The option that it takes back: the last of both counts.
    pub undoes: Option<&'static str>,
    /// The options that it stands for, one spelling of each (`git branch -D`, `cp -a`).
    pub means: &'static [&'static str],
}

/// The spelling of an option whose value stands behind the dash: `-5`.
pub(super) const NUMBER: &str = "-#";

impl Program {
    /// Returns the subcommand of a name, or of a beginning of one where the program takes that.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&'static Self> {
        let named = |name: &str| self.commands.iter().find(|command| command.names.contains(&name));
        named(name).or_else(|| named(self.lengthened(name)?))
    }

    /// Tells whether it has a subcommand of just this name.
    fn has_command(&self, name: &str) -> bool {
        self.commands.iter().any(|command| command.names.contains(&name))
    }

    /// Returns the names that mean the same subcommand as this one, itself among them; none where there is one alone.
    pub(crate) fn same_commands(&self, name: &str) -> &'static [&'static str] {
        self.aliases.iter().copied().find(|names| names.contains(&name)).unwrap_or_default()
    }

    /// Returns the name of the subcommand that this is only the beginning of, if all such names mean the same.
    pub(crate) fn lengthened(&self, name: &str) -> Option<&'static str> {
        if self.subcommands == Subcommands::Whole || name.is_empty() || self.has_command(name) {
            return None;
        }
        let mut names = self.commands.iter().flat_map(|command| command.names).filter(|own| own.starts_with(name));
        let first = *names.next()?;
        let same = self.same_commands(first);
        names.all(|other| same.contains(other)).then_some(first)
    }

    /// Tells whether it is a shell or an interpreter: what it is given is executed.
    #[must_use]
    pub fn is_interpreter(&self) -> bool {
        self.is_interpreter
    }

    /// Tells whether what it does is its own: its words hold no command and no code that it runs, unless those of a
    /// subcommand do.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        !self.is_interpreter && !self.is_runner
    }

    /// Tells whether a spelling is one option wherever it or a subcommand takes it, and none of several in one word.
    pub(crate) fn takes_as_one(&self, spelling: &str) -> bool {
        matches!(self.reading, Reading::Gnu | Reading::Leading)
            && self.option(spelling).is_none_or(|option| option.means.is_empty())
            && self.commands.iter().all(|command| command.takes_as_one(spelling))
    }

    /// Returns its options, its own first.
    pub fn all_options(&self) -> impl Iterator<Item = &'static Opt> {
        self.options.iter().chain(self.shared.iter().copied().flatten())
    }

    /// Returns the option of an exact spelling.
    #[must_use]
    pub fn option(&self, spelling: &str) -> Option<&'static Opt> {
        self.all_options().find(|option| option.names.contains(&spelling))
    }

    /// Returns the option of a letter behind one dash.
    #[must_use]
    pub fn letter(&self, letter: char) -> Option<&'static Opt> {
        let is_letter = |name: &str| name.strip_prefix('-').is_some_and(|rest| rest.chars().eq([letter]));
        self.all_options().find(|option| option.names.iter().any(|name| is_letter(name)))
    }

    /// Returns the options that a long spelling begins, where the program takes that. A help is asked for by its whole
    /// name: git finds it before it looks for options, and nothing else follows from it elsewhere.
    pub fn lengthened_options(&self, spelling: &str) -> impl Iterator<Item = &'static Opt> {
        let takes = self.long_options == LongOptions::Shortened && self.reading != Reading::Words;
        let begins = move |option: &&Opt| {
            option.does != Does::Explains && option.names.iter().any(|name| name.starts_with(spelling))
        };
        self.all_options().filter(move |option| takes && begins(option))
    }
}

impl Opt {
    /// Returns the spelling that it is known by.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

// `PROGRAMS`, each in a list of its own, `VERSIONED`, the names that may carry a version (`python3.12`, `gcc-13`), and
// `SHELLS`, those of the shells in Bourne's manner.
include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// Returns the program of a base name.
#[must_use]
pub fn program(name: &str) -> Option<&'static Program> {
    listed(name).or_else(|| {
        let bare = without_version(name);
        VERSIONED.contains(&bare).then(|| listed(bare)).flatten()
    })
}

/// Returns the name that the record of a program has first; of a program without one, its own.
pub(super) fn main_name(name: &str) -> &str {
    program(name).and_then(|record| record.names.first().copied()).unwrap_or(name)
}

/// Tells whether a program is a shell in Bourne's manner, by its base name.
#[must_use]
pub fn is_shell(name: &str) -> bool {
    !dialects(name).is_empty()
}

/// Returns the dialects that a shell in Bourne's manner may read a text as, by its base name; none of another program.
pub(super) fn dialects(name: &str) -> Dialects {
    program(name).map_or(Dialects::NONE, |record| record.dialects)
}

/// Returns the language of the code that an interpreter runs, by its base name.
pub(super) fn language(name: &str) -> Option<Language> {
    program(name)?.language
}

/// Returns the names of the shells in Bourne's manner.
pub(super) fn shells() -> &'static [&'static str] {
    SHELLS
}

/// Returns a name without the version at its end.
fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
}

static BY_NAME: ByName<Program> = by_name!(Program, PROGRAMS);

fn listed(name: &str) -> Option<&'static Program> {
    BY_NAME.find(name, |program| program.names)
}

/// Returns every program of the table.
#[cfg(test)]
pub(super) fn programs() -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().copied().flatten()
}

#[cfg(test)]
mod tests;
