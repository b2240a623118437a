//! The table of programs: their options, subcommands, what they run and what they do to files.
//!
//! Data only. A program that is not in it is read as it is written.

mod again;
mod build;
mod checks;
mod cloud;
mod cluster;
mod code;
mod containers;
mod elsewhere;
mod git;
mod network;
mod packages;
mod runners;
mod shells;
mod system;
mod text;
mod tree;
mod wrappers;

use crate::by_name::{ByName, by_name};

/// A program or a subcommand.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its names: base names of a program, words of a subcommand.
    pub names: &'static [&'static str],
    /// How it reads its words.
    pub reading: Reading,
    /// Its options; a subcommand takes those of its program too where [`Reading`] does not end them.
    pub options: &'static [Opt],
    /// Options that it shares with others.
    pub shared: &'static [&'static [Opt]],
    /// Its subcommands. Where there are some, the first operand is one, in the table or not.
    pub commands: &'static [Program],
    /// What a subcommand may be that is not in the table.
    pub unlisted: Unlisted,
    /// What its operands may do beside being read: [`Does::Runs`] where one is code, [`Does::Writes`] where one names
    /// a file that is made.
    pub operands: Does,
}

/// What a subcommand may be that is not in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlisted {
    /// Another one, which the table does not need to know.
    Other,
    /// An alias that the user or the repository has set up; every subcommand of the program's own is in the table.
    Alias,
}

/// How a program reads its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Options anywhere before a `--`; one-letter options in clusters; long ones by any beginning that is theirs alone.
    Gnu,
    /// As [`Reading::Gnu`], up to the first operand.
    Leading,
    /// Options are whole words behind one dash or two (`find -name`, `terraform -auto-approve`).
    Words,
    /// `name=value` (`dd of=x`).
    Pairs,
    /// As [`Reading::Gnu`]; the first word is a cluster without a dash too (`tar xzf`, `ps aux`).
    Bundled,
    /// There are no options (`echo`, `test`).
    Operands,
}

/// An option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opt {
    /// Its spellings with their dashes. The first is the one that it is known by. [`NUMBER`] is a dash and a number,
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

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// It takes none.
    None,
    /// It takes one, attached or as the next word.
    Value,
    /// It takes one that is attached, or none (`--color[=WHEN]`, `-i[SUFFIX]`).
    Attached,
    /// Its long spelling takes one that is attached, or none; its letter takes none (`--follow[=HOW]`, `-f`).
    Long,
    /// It takes the words of a command, up to a `;` or to a `+` behind `{}`.
    Command,
}

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// Nothing that reaches beyond the program's own work.
    Nothing,
    /// Reads the file of its value.
    Reads,
    /// Writes the file of its value.
    Writes,
    /// Runs its value, or lets the program run code that the value names.
    Runs,
    /// Works in the directory of its value.
    Enters,
    /// Where it comes first, the program says how it is used and does nothing else.
    Explains,
}

impl Program {
    /// A program that reads its words as most do, to be filled in: `Program { names: &["rm"], ..Program::GNU }`.
    pub const GNU: Self = Self {
        names: &[],
        reading: Reading::Gnu,
        options: &[],
        shared: &[],
        commands: &[],
        unlisted: Unlisted::Other,
        operands: Does::Nothing,
    };

    /// Returns the subcommand of a name.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&'static Self> {
        self.commands.iter().find(|command| command.names.contains(&name))
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

    /// Returns the option that a long spelling begins, if it is one alone.
    #[must_use]
    pub fn abbreviated(&self, spelling: &str) -> Option<&'static Opt> {
        let begins = |option: &&Opt| option.names.iter().any(|name| name.starts_with(spelling));
        let mut found = self.all_options().filter(begins);
        found.next().filter(|_| found.next().is_none())
    }
}

impl Opt {
    /// Returns the spelling that it is known by.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }

    const fn does(self, does: Does) -> Self {
        Self { does, ..self }
    }
}

/// Makes an option without a value.
const fn flag(names: &'static [&'static str]) -> Opt {
    Opt { names, arity: Arity::None, does: Does::Nothing, undoes: None, means: &[] }
}

/// Makes an option without a value that takes another one back.
const fn undo(names: &'static [&'static str], undoes: &'static str) -> Opt {
    Opt { undoes: Some(undoes), ..flag(names) }
}

/// Makes an option that stands for several others.
const fn both(names: &'static [&'static str], means: &'static [&'static str]) -> Opt {
    Opt { means, ..flag(names) }
}

/// Makes an option without a value that has the program write a file, or change the one it works on.
const fn changes(names: &'static [&'static str]) -> Opt {
    flag(names).does(Does::Writes)
}

/// Makes an option without a value that has the program run code that is configured elsewhere.
const fn starts(names: &'static [&'static str]) -> Opt {
    flag(names).does(Does::Runs)
}

/// Makes an option after which nothing else is done.
const fn explains(names: &'static [&'static str]) -> Opt {
    flag(names).does(Does::Explains)
}

/// Makes an option with a value.
const fn value(names: &'static [&'static str]) -> Opt {
    Opt { arity: Arity::Value, ..flag(names) }
}

/// Makes an option whose value is a file that is read.
const fn reads(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Reads)
}

/// Makes an option whose value is a file or a directory that is written.
const fn writes(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Writes)
}

/// Makes an option whose value is run, or names what is run.
const fn runs(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Runs)
}

/// Makes an option whose value is the directory to work in.
const fn enters(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Enters)
}

/// Makes an option whose value, if it has one, is attached.
const fn attached(names: &'static [&'static str]) -> Opt {
    Opt { arity: Arity::Attached, ..flag(names) }
}

/// Makes an option whose long spelling alone may have a value, which is attached.
const fn long(names: &'static [&'static str]) -> Opt {
    Opt { arity: Arity::Long, ..flag(names) }
}

/// Makes an option whose value, if it has one, is attached and a file that is written.
const fn attached_writes(names: &'static [&'static str]) -> Opt {
    attached(names).does(Does::Writes)
}

/// Makes an option whose value, if it has one, is attached and names what is run.
const fn attached_runs(names: &'static [&'static str]) -> Opt {
    attached(names).does(Does::Runs)
}

/// Makes an option that is followed by a command.
const fn command(names: &'static [&'static str]) -> Opt {
    Opt { arity: Arity::Command, does: Does::Runs, ..flag(names) }
}

/// Makes a program that reads its words as most do.
const fn gnu(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { names, options, ..Program::GNU }
}

/// Makes a program whose options end at its first operand: what follows is a command, or a script with its arguments.
const fn leading(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { names, reading: Reading::Leading, options, ..Program::GNU }
}

/// Makes a program with subcommands; its own options stand before them.
const fn group(names: &'static [&'static str], options: &'static [Opt], commands: &'static [Program]) -> Program {
    Program { names, reading: Reading::Leading, options, commands, ..Program::GNU }
}

/// Makes a program that has no options.
const fn plain(names: &'static [&'static str]) -> Program {
    Program { names, reading: Reading::Operands, ..Program::GNU }
}

/// Makes a program whose options are whole words behind one dash or two.
const fn words(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { names, reading: Reading::Words, options, ..Program::GNU }
}

/// Joins lists of subcommands. `N` is how many there are in all.
const fn join<const N: usize>(mut groups: &[&[Program]]) -> [Program; N] {
    let mut joined = [Program::GNU; N];
    let mut free = joined.as_mut_slice();
    while let Some((group, others)) = groups.split_first() {
        let mut group = *group;
        while let Some((program, rest)) = group.split_first() {
            let Some((place, left)) = { free }.split_first_mut() else { return joined };
            *place = *program;
            (group, free) = (rest, left);
        }
        groups = others;
    }
    joined
}

/// Lists options by what makes them: `options! { flag: "-f" "--force", "-v"; value: "-o"; }`. The first spelling of
/// each is the one that it is known by.
macro_rules! options {
    ($($make:ident: $($($name:literal)+),+ ;)*) => { &[$($($make(&[$($name),+])),+),*] };
}
use options;

/// The table, a group of programs a file.
const GROUPS: &[&[Program]] = &[
    again::PROGRAMS,
    build::PROGRAMS,
    checks::PROGRAMS,
    cloud::PROGRAMS,
    code::PROGRAMS,
    elsewhere::PROGRAMS,
    git::PROGRAMS,
    network::PROGRAMS,
    packages::PROGRAMS,
    runners::PROGRAMS,
    shells::PROGRAMS,
    system::PROGRAMS,
    text::PROGRAMS,
    tree::PROGRAMS,
    wrappers::PROGRAMS,
];

/// Programs that carry their version in their name (`python3.12`, `gcc-13`).
const VERSIONED: &[&str] = &[
    "python", "pypy", "pip", "node", "nodejs", "ruby", "gem", "perl", "php", "lua", "luajit", "gcc", "g++", "cpp",
    "clang", "clang++", "go", "java", "bash", "zsh", "psql",
];

/// Returns the program of a base name.
#[must_use]
pub fn program(name: &str) -> Option<&'static Program> {
    listed(name).or_else(|| {
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
        VERSIONED.contains(&bare).then(|| listed(bare)).flatten()
    })
}

impl Program {
    /// Tells whether it is a shell or an interpreter: what it is given is executed.
    #[must_use]
    pub fn is_interpreter(&self) -> bool {
        shells::PROGRAMS.iter().any(|program| program.names == self.names)
    }
}

static BY_NAME: ByName<Program> = by_name!(Program, GROUPS);

fn listed(name: &str) -> Option<&'static Program> {
    BY_NAME.near(name).map(|(_, program)| program).find(|program| program.names.contains(&name))
}

/// Returns every program of the table.
#[cfg(test)]
pub(super) fn programs() -> impl Iterator<Item = &'static Program> {
    GROUPS.iter().copied().flatten()
}

#[cfg(test)]
mod tests;
