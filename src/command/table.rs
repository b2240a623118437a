//! The table of programs: their options, subcommands, what they run and what they do to files.
//!
//! Data only. A program that is not in it is read as it is written.

mod again;
mod code;
mod elsewhere;
mod git;
mod runners;
mod shells;
mod wrappers;

/// A program or a subcommand.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its names: base names of a program, words of a subcommand.
    pub names: &'static [&'static str],
    /// How it reads its words.
    pub reading: Reading,
    /// Its options; a subcommand takes those of its program too where [`Reading`] does not end them.
    pub options: &'static [Opt],
    /// Its subcommands. Where there are some, the first operand is one, in the table or not.
    pub commands: &'static [Program],
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
    /// Its spellings with their dashes. The first is the one that it is known by.
    pub names: &'static [&'static str],
    /// Whether it takes a value.
    pub arity: Arity,
    /// What it does that a guard cares for.
    pub does: Does,
    /// The option that it takes back: the last of both counts.
    pub undoes: Option<&'static str>,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// It takes none.
    None,
    /// It takes one, attached or as the next word.
    Value,
    /// It takes one that is attached, or none (`--color[=WHEN]`, `-i[SUFFIX]`).
    Attached,
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
}

impl Program {
    /// A program that reads its words as most do, to be filled in: `Program { names: &["rm"], ..Program::GNU }`.
    pub const GNU: Self = Self { names: &[], reading: Reading::Gnu, options: &[], commands: &[] };

    /// Returns the subcommand of a name.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&'static Self> {
        self.commands.iter().find(|command| command.names.contains(&name))
    }

    /// Returns the option of an exact spelling.
    #[must_use]
    pub fn option(&self, spelling: &str) -> Option<&'static Opt> {
        self.options.iter().find(|option| option.names.contains(&spelling))
    }

    /// Returns the option that a long spelling begins, if it is one alone.
    #[must_use]
    pub fn abbreviated(&self, spelling: &str) -> Option<&'static Opt> {
        let begins = |option: &&Opt| option.names.iter().any(|name| name.starts_with(spelling));
        let mut found = self.options.iter().filter(begins);
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

    const fn undoes(self, other: &'static str) -> Self {
        Self { undoes: Some(other), ..self }
    }
}

/// Makes an option without a value.
const fn flag(names: &'static [&'static str]) -> Opt {
    Opt { names, arity: Arity::None, does: Does::Nothing, undoes: None }
}

/// Makes an option with a value.
const fn value(names: &'static [&'static str]) -> Opt {
    Opt { arity: Arity::Value, ..flag(names) }
}

/// Makes an option whose value, if it has one, is attached.
const fn attached(names: &'static [&'static str]) -> Opt {
    Opt { arity: Arity::Attached, ..flag(names) }
}

/// Makes an option without a value that has the program run code.
const fn starts(names: &'static [&'static str]) -> Opt {
    flag(names).does(Does::Runs)
}

/// Makes an option whose value is run.
const fn runs(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Runs)
}

/// Makes an option whose value is a file that is read.
const fn reads(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Reads)
}

/// Makes an option whose value is a file that is written.
const fn writes(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Writes)
}

/// Makes an option whose value is a directory to work in.
const fn enters(names: &'static [&'static str]) -> Opt {
    value(names).does(Does::Enters)
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
    Program { names, reading: Reading::Leading, options, commands }
}

/// Makes a program whose options are whole words behind one dash or two.
const fn words(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { names, reading: Reading::Words, options, ..Program::GNU }
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
    code::PROGRAMS,
    elsewhere::PROGRAMS,
    git::PROGRAMS,
    runners::PROGRAMS,
    shells::PROGRAMS,
    wrappers::PROGRAMS,
];

/// Returns the program of a base name.
#[must_use]
pub fn program(name: &str) -> Option<&'static Program> {
    GROUPS.iter().flat_map(|group| group.iter()).find(|program| program.names.contains(&name))
}
