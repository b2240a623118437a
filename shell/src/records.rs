//! Records of programs, from TOML to what they come to. `programs/README.md` says what a record may hold.
//!
//! Text in, records out: it reads no files. Every mistake is reported at its place. The build script makes the built-in
//! table with this module, which is why it names its files; the library reads with it what a policy adds to that table.

#[path = "records/kinds.rs"]
mod kinds;
#[path = "records/read.rs"]
mod read;
#[path = "records/resolve.rs"]
mod resolve;

use std::fmt;
use std::ops::Range;

pub use kinds::{Arity, Does, Reading, Unlisted};

/// The most options of a program or a subcommand of an added record, those that it takes from others included: they are
/// looked through for each word of a command.
const MAX_OPTIONS: usize = 1000;

/// The most subcommands of one program or subcommand of an added record.
const MAX_COMMANDS: usize = 1000;

/// The most mistakes that are reported: more would not be read.
const MAX_MISTAKES: usize = 50;

/// How deep subcommands may lie within each other in one file.
const MAX_DEPTH: usize = 8;

/// How deep subcommands may lie within each other, those that are taken from others included.
const MAX_LEVELS: usize = 32;

/// What records may say and take that a policy adds to the built-in table: they may refer to those that are there
/// already, and what they come to is bounded.
#[derive(Clone, Copy)]
pub(crate) struct Additions<'k> {
    /// Returns a record that is there already.
    pub(crate) known: &'k dyn Fn(&str) -> Option<Record>,
    /// Tells whether a name belongs to a record that stands: another of that name is left out.
    pub(crate) is_taken: &'k dyn Fn(&str) -> bool,
    /// How much work they may be, in options and subcommands that are looked at.
    pub(crate) work: usize,
}

/// What records come to, and those that are left out, because a name of theirs is taken.
pub(crate) struct Compiled {
    pub(crate) programs: Vec<Program>,
    pub(crate) left_out: Vec<Mistake>,
}

/// Reads files, each a path and its text, in the order of their paths: those of the built-in table, or additions to it.
pub(crate) fn compile(files: &[(String, String)], additions: Option<Additions<'_>>) -> Result<Compiled, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let records = read::read(files, additions, &mut mistakes);
    let programs = resolve::resolve(&records, additions, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut compiled = Compiled { programs: Vec::new(), left_out: Vec::new() };
    for (record, program) in records.iter().zip(programs) {
        let taken = additions.and_then(|additions| record.names.iter().find(|name| (additions.is_taken)(name)));
        match taken {
            Some(name) => {
                let message = format!("`{name}` has a record already, and this one is not used");
                report(&mut compiled.left_out, &record.named, message, "remove this record, or change the other one");
            }
            None => compiled.programs.push(program),
        }
    }
    Ok(compiled)
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    place: Place,
    message: String,
    help: String,
}

impl Mistake {
    /// Returns the path of the file.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.place.file
    }

    /// Returns the place in the file, in bytes.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.place.span.clone()
    }

    /// Returns what is wrong there.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns what to do about it.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

/// Where something is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    file: String,
    span: Range<usize>,
    line: usize,
}

/// A program or a subcommand as it is written.
#[derive(Default)]
pub(crate) struct Record {
    place: Place,
    names: Vec<String>,
    /// Where its names stand.
    named: Place,
    /// Those of its names that may carry a version (`python3.12`).
    versioned: Vec<String>,
    is_interpreter: bool,
    reading: Option<Reading>,
    unlisted: Option<Unlisted>,
    operands: Option<Does>,
    like: Option<Reference>,
    /// The sets of options that it takes.
    with: Vec<Reference>,
    /// The sets of options that each of its subcommands takes.
    each: Vec<Reference>,
    /// The subcommands of others that it has too.
    shares: Vec<Reference>,
    options: Vec<Opt>,
    sets: Vec<(String, Vec<Opt>)>,
    commands: Vec<Record>,
}

impl Record {
    /// Makes the record of what one came to, so that others can refer to it.
    pub(crate) fn of(program: &ProgramRecord) -> Self {
        let written = |options: &[OptionRecord]| -> Vec<Opt> {
            let option = |OptionRecord { names, arity, does, undoes, means }| Opt {
                place: Place::default(),
                names,
                arity,
                does,
                undoes,
                means,
            };
            options.iter().cloned().map(option).collect()
        };
        let sets = program.shared.iter().enumerate();
        let sets: Vec<_> = sets.map(|(number, options)| (number.to_string(), written(options))).collect();
        let reference = |(name, _): &(String, _)| Reference { place: Place::default(), name: name.clone() };
        Self {
            names: program.names.clone(),
            reading: Some(program.reading),
            unlisted: Some(program.unlisted),
            operands: Some(program.operands),
            with: sets.iter().map(reference).collect(),
            options: written(&program.options),
            sets,
            commands: program.commands.iter().map(Self::of).collect(),
            ..Self::default()
        }
    }
}

/// The name of something that is written elsewhere.
#[derive(Clone)]
struct Reference {
    place: Place,
    name: String,
}

/// An option where it is written.
#[derive(Clone)]
pub(crate) struct Opt {
    place: Place,
    pub(crate) names: Vec<String>,
    pub(crate) arity: Arity,
    pub(crate) does: Does,
    pub(crate) undoes: Option<String>,
    pub(crate) means: Vec<String>,
}

/// A program or a subcommand with everything that it takes from others.
pub(crate) struct Program {
    pub(crate) names: Vec<String>,
    pub(crate) versioned: Vec<String>,
    pub(crate) is_interpreter: bool,
    pub(crate) reading: Reading,
    pub(crate) unlisted: Unlisted,
    pub(crate) operands: Does,
    /// Its own options.
    pub(crate) options: Vec<Opt>,
    /// Those that it takes from others: its own come first.
    pub(crate) shared: Vec<Vec<Opt>>,
    pub(crate) commands: Vec<Program>,
}

impl Program {
    /// Returns what it comes to, wherever that is written.
    pub(crate) fn record(&self) -> ProgramRecord {
        let options = |options: &Vec<Opt>| options.iter().map(Opt::record).collect();
        ProgramRecord {
            names: self.names.clone(),
            versioned: self.versioned.clone(),
            is_interpreter: self.is_interpreter,
            reading: self.reading,
            unlisted: self.unlisted,
            operands: self.operands,
            options: options(&self.options),
            shared: self.shared.iter().map(options).collect(),
            commands: self.commands.iter().map(Self::record).collect(),
        }
    }
}

impl Opt {
    fn record(&self) -> OptionRecord {
        let Self { place: _, names, arity, does, undoes, means } = self.clone();
        OptionRecord { names, arity, does, undoes, means }
    }
}

/// An option, as [`crate::Opt`] has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OptionRecord {
    /// Its spellings. The first is the one that it is known by.
    pub names: Vec<String>,
    /// Whether it takes a value.
    pub arity: Arity,
    /// What it does that a guard cares for.
    pub does: Does,
    /// The option that it takes back.
    pub undoes: Option<String>,
    /// The options that it stands for.
    pub means: Vec<String>,
}

/// A program or a subcommand with everything that it takes from others, as [`crate::Program`] has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ProgramRecord {
    /// Its names: base names of a program, words of a subcommand.
    pub names: Vec<String>,
    /// Those of its names that may carry a version (`python3.12`).
    pub versioned: Vec<String>,
    /// It is a shell or an interpreter.
    pub is_interpreter: bool,
    /// How it reads its words.
    pub reading: Reading,
    /// What a subcommand may be that is not listed.
    pub unlisted: Unlisted,
    /// What its operands may do beside being read.
    pub operands: Does,
    /// Its own options.
    pub options: Vec<OptionRecord>,
    /// Those that it takes from others: its own come first.
    pub shared: Vec<Vec<OptionRecord>>,
    /// Its subcommands.
    pub commands: Vec<ProgramRecord>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.message, self.help)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            // It stands in none of the files.
            0 => out.write_str("a built-in record"),
            line => write!(out, "{}:{line}", self.file),
        }
    }
}

/// Notes a mistake: what is wrong, and what to do about it.
fn report(mistakes: &mut Vec<Mistake>, place: &Place, message: impl Into<String>, help: impl Into<String>) {
    if mistakes.len() < MAX_MISTAKES {
        mistakes.push(Mistake { place: place.clone(), message: message.into(), help: help.into() });
    }
}
