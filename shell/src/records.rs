//! Records of programs, from TOML to what they come to. `programs/README.md` says what a record may hold.
//!
//! Text in, records out: it reads no files. Every mistake is reported at its place. The build script makes the built-in
//! table with this module, which is why it names its files; the library reads with it what a policy adds to that table.

#[path = "records/check.rs"]
mod check;
#[path = "records/files.rs"]
pub(crate) mod files;
#[path = "records/kinds.rs"]
mod kinds;
#[path = "records/network.rs"]
pub(crate) mod network;
#[path = "records/prints.rs"]
pub(crate) mod prints;
#[path = "records/project.rs"]
pub(crate) mod project;
#[path = "records/read.rs"]
mod read;
#[path = "records/resolve.rs"]
mod resolve;
#[path = "records/runs.rs"]
pub(crate) mod runs;
#[path = "records/variables.rs"]
mod variables;

use std::fmt;
use std::ops::Range;

use files::Files;
use network::Network;
use prints::Prints;
use project::Project;
use runs::Runs;
use variables::{Startup, Variables};

pub use kinds::{Arity, Does, LongOptions, Reading, ShortOptions, Subcommands, Unlisted};

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
    pub(crate) programs: Vec<Resolved>,
    pub(crate) left_out: Vec<Mistake>,
}

/// Reads files, each a path and its text, in the order of their paths: those of the built-in table, or additions to it.
pub(crate) fn compile(files: &[(String, String)], additions: Option<Additions<'_>>) -> Result<Compiled, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let records = read::read(files, additions, &mut mistakes);
    let programs = resolve::resolve(&records, additions, &mut mistakes);
    check::check(&programs, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut compiled = Compiled { programs: Vec::new(), left_out: Vec::new() };
    for (record, program) in records.iter().zip(programs) {
        let taken = additions.and_then(|additions| record.names.iter().position(|name| (additions.is_taken)(name)));
        match taken.and_then(|at| Some((record.names.get(at)?, record.places.get(at)?))) {
            Some((name, place)) => {
                let message = format!("`{name}` has a record already, and this one is not used");
                report(&mut compiled.left_out, place, message, "remove this record, or change the other one");
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
    pub(crate) file: String,
    span: Range<usize>,
    pub(crate) line: usize,
}

/// A program or a subcommand as it is written.
#[derive(Default)]
pub(crate) struct Record {
    place: Place,
    names: Vec<String>,
    /// Where its names stand, as a list and each.
    named: Place,
    places: Vec<Place>,
    /// Those of its names that may carry a version (`python3.12`).
    versioned: Vec<String>,
    is_interpreter: bool,
    reading: Option<Reading>,
    long_options: Option<LongOptions>,
    short_options: Option<ShortOptions>,
    subcommands: Option<Subcommands>,
    /// Names of its subcommands that mean the same, and where they are written.
    aliases: Vec<(Place, Vec<String>)>,
    tracks: Vec<String>,
    /// Its words are read as if it had no record: it says what it does, and not how it is called.
    is_as_written: bool,
    unlisted: Option<Unlisted>,
    operands: Option<Does>,
    like: Option<Reference>,
    /// The sets of options that it takes.
    with: Vec<Reference>,
    /// The sets of options that each of its subcommands takes.
    each: Vec<Reference>,
    /// The subcommands of others that it has too.
    shares: Vec<Reference>,
    options: Vec<Written>,
    /// What it does to files.
    files: Option<Files>,
    /// Whom it talks to over the network, and what it sends.
    network: Option<Network>,
    /// What it runs in its turn.
    runs: Option<Runs>,
    /// Variables that hold what it runs.
    variables: Option<Variables>,
    /// Whether it may read its standard input.
    reads_input: Option<bool>,
    /// The language of the code that it runs, in Rust.
    language: Option<&'static str>,
    /// The dialects that it reads a shell's text as, in Rust.
    dialect: Option<&'static str>,
    /// Files in the user's home that it runs by itself.
    startup: Startup,
    /// What is known of what it prints.
    prints: Option<Prints>,
    /// What it does with the project that it is run in.
    project: Option<Project>,
    sets: Vec<(String, Vec<Written>)>,
    commands: Vec<Record>,
}

impl Record {
    /// Makes the record of what one came to, so that others can refer to it.
    pub(crate) fn of(program: &ProgramRecord) -> Self {
        let written = |options: &[OptionRecord]| {
            let written = |option: &OptionRecord| Written { place: Place::default(), option: option.clone() };
            options.iter().map(written).collect()
        };
        let sets = program.shared.iter().enumerate();
        let sets: Vec<_> = sets.map(|(number, options)| (number.to_string(), written(options))).collect();
        let reference = |(name, _): &(String, _)| Reference { place: Place::default(), name: name.clone() };
        Self {
            names: program.names.clone(),
            reading: Some(program.reading),
            long_options: Some(program.long_options),
            short_options: Some(program.short_options),
            subcommands: Some(program.subcommands),
            aliases: program.aliases.iter().map(|names| (Place::default(), names.clone())).collect(),
            tracks: program.tracks.clone(),
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
struct Written {
    place: Place,
    option: OptionRecord,
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
    /// How its long options may be written.
    pub long_options: LongOptions,
    /// How a value may follow a letter.
    pub short_options: ShortOptions,
    /// How its subcommands may be written.
    pub subcommands: Subcommands,
    /// Names of its subcommands, those together that mean the same.
    pub aliases: Vec<Vec<String>>,
    /// Words that may stand in front of its subcommands and change nothing.
    pub tracks: Vec<String>,
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

/// A program or a subcommand with everything that it takes from others, and what only the built-in table has.
pub(crate) struct Resolved {
    /// Without its subcommands.
    pub(crate) record: ProgramRecord,
    pub(crate) is_as_written: bool,
    pub(crate) files: Option<Files>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) network: Option<Network>,
    pub(crate) runs: Option<Runs>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) variables: Option<Variables>,
    pub(crate) prints: Option<Prints>,
    pub(crate) project: Option<Project>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) reads_input: bool,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) language: Option<&'static str>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) dialect: Option<&'static str>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) startup: Startup,
    pub(crate) commands: Vec<Resolved>,
}

impl Resolved {
    /// Returns how its words are read, and those of its subcommands.
    pub(crate) fn into_record(self) -> ProgramRecord {
        ProgramRecord { commands: self.commands.into_iter().map(Self::into_record).collect(), ..self.record }
    }

    /// Returns its options, its own first.
    pub(crate) fn all_options(&self) -> impl Iterator<Item = &OptionRecord> {
        self.record.options.iter().chain(self.record.shared.iter().flatten())
    }
}

impl ProgramRecord {
    /// Tells whether it goes by a name.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }
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

/// Tells whether one of these names of a subcommand has several words.
pub(crate) fn is_far(names: &[String]) -> bool {
    names.iter().any(|name| name.contains(' '))
}

/// Notes a mistake: what is wrong, and what to do about it.
fn report(mistakes: &mut Vec<Mistake>, place: &Place, message: impl Into<String>, help: impl Into<String>) {
    if mistakes.len() < MAX_MISTAKES {
        mistakes.push(Mistake { place: place.clone(), message: message.into(), help: help.into() });
    }
}
