//! Records of programs, compiled from TOML. `programs/README.md` documents their keys.
//!
//! Text in, records out: this module reads no files. Every mistake is reported with its place. The build script
//! compiles the built-in table with this module, which is why its submodules have explicit paths; the library reads
//! with it the records that a policy adds.

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

/// The maximum number of options of a program or a subcommand in an added record, including inherited ones: they are
/// searched for each word of a command.
const MAX_OPTIONS: usize = 1000;

/// The maximum number of subcommands of one program or subcommand in an added record.
const MAX_COMMANDS: usize = 1000;

/// The maximum number of reported mistakes: nobody would read more.
const MAX_MISTAKES: usize = 50;

/// The maximum nesting of subcommands in one file.
const MAX_DEPTH: usize = 8;

/// The maximum nesting of subcommands, including inherited ones.
const MAX_LEVELS: usize = 32;

/// The context for records that a policy adds to the built-in table: they may refer to its records, and their size is
/// bounded.
#[derive(Clone, Copy)]
pub(crate) struct Additions<'k> {
    /// Returns an existing record.
    pub(crate) known: &'k dyn Fn(&str) -> Option<Record>,
    /// Whether an existing record has this name: an added one of that name is dropped.
    pub(crate) is_taken: &'k dyn Fn(&str) -> bool,
    /// The work budget, in options and subcommands that are visited.
    pub(crate) work: usize,
}

/// Compiled records, and those dropped because of a name clash.
pub(crate) struct Compiled {
    pub(crate) programs: Vec<Resolved>,
    pub(crate) left_out: Vec<Mistake>,
}

/// Compiles files, each a path and its text, sorted by path: the built-in table, or additions to it.
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

/// A mistake in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
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

    /// Returns the byte range in the file.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.place.span.clone()
    }

    /// Returns the description of the mistake.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the advice on how to fix it.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    pub(crate) file: String,
    span: Range<usize>,
    pub(crate) line: usize,
}

/// A program or a subcommand, as written.
#[derive(Default)]
pub(crate) struct Record {
    place: Place,
    names: Vec<String>,
    /// The places of its names, as a list and individually.
    named: Place,
    places: Vec<Place>,
    /// The names that may carry a version (`python3.12`).
    versioned: Vec<String>,
    is_interpreter: bool,
    reading: Option<Reading>,
    long_options: Option<LongOptions>,
    short_options: Option<ShortOptions>,
    subcommands: Option<Subcommands>,
    /// Groups of synonymous names of its subcommands, with their places.
    aliases: Vec<(Place, Vec<String>)>,
    tracks: Vec<String>,
    /// Its words are read as if it had no record: the record describes its effects, not its syntax.
    is_as_written: bool,
    unlisted: Option<Unlisted>,
    operands: Option<Does>,
    like: Option<Reference>,
    /// The sets of options that it includes.
    with: Vec<Reference>,
    /// The sets of options that each of its subcommands includes.
    each: Vec<Reference>,
    /// The records whose subcommands it also has.
    shares: Vec<Reference>,
    options: Vec<Written>,
    /// Its effects on files.
    files: Option<Files>,
    /// The machines that it connects to, and the data that it sends.
    network: Option<Network>,
    /// The commands that it runs.
    runs: Option<Runs>,
    /// Environment variables that contain what it runs.
    variables: Option<Variables>,
    /// Whether it may read its standard input.
    reads_input: Option<bool>,
    /// The Rust name of the language of the code that it runs.
    language: Option<&'static str>,
    /// The Rust name of the dialects in which it reads shell code.
    dialect: Option<&'static str>,
    /// Files in the user's home that it runs automatically.
    startup: Startup,
    /// Its known output.
    prints: Option<Prints>,
    /// How it uses the project in its working directory.
    project: Option<Project>,
    sets: Vec<(String, Vec<Written>)>,
    commands: Vec<Record>,
}

impl Record {
    /// Converts a compiled record back, so that others can refer to it.
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

/// A reference to something that is defined elsewhere.
#[derive(Clone)]
struct Reference {
    place: Place,
    name: String,
}

/// An option with its place.
#[derive(Clone)]
struct Written {
    place: Place,
    option: OptionRecord,
}

/// An option, with the fields of [`Opt`](crate::programs::Opt).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OptionRecord {
    /// Its spellings. The first is the canonical one.
    pub names: Vec<String>,
    /// Whether it takes a value.
    pub arity: Arity,
    /// Its effect that matters to a guard.
    pub does: Does,
    /// The option that it cancels.
    pub undoes: Option<String>,
    /// The options that it is equivalent to.
    pub means: Vec<String>,
}

/// A program or a subcommand with everything that it inherits, with the fields of [`Program`](crate::programs::Program).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ProgramRecord {
    /// Its names: base names of a program, words of a subcommand.
    pub names: Vec<String>,
    /// The names that may carry a version (`python3.12`).
    pub versioned: Vec<String>,
    /// It is a shell or an interpreter.
    pub is_interpreter: bool,
    /// How its words are parsed.
    pub reading: Reading,
    /// How its long options may be abbreviated.
    pub long_options: LongOptions,
    /// How a value may follow a letter.
    pub short_options: ShortOptions,
    /// How its subcommands may be abbreviated.
    pub subcommands: Subcommands,
    /// Groups of synonymous names of its subcommands.
    pub aliases: Vec<Vec<String>>,
    /// Words that may precede its subcommands without changing anything.
    pub tracks: Vec<String>,
    /// What an unlisted subcommand may be.
    pub unlisted: Unlisted,
    /// What its operands may do besides being read.
    pub operands: Does,
    /// Its own options.
    pub options: Vec<OptionRecord>,
    /// Its inherited options, which follow its own.
    pub shared: Vec<Vec<OptionRecord>>,
    /// Its subcommands.
    pub commands: Vec<ProgramRecord>,
}

/// A program or a subcommand with everything that it inherits, and with the fields of the built-in table only.
pub(crate) struct Resolved {
    /// The record without its subcommands.
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
    /// Converts it to the record that defines how its words, and those of its subcommands, are parsed.
    pub(crate) fn into_record(self) -> ProgramRecord {
        ProgramRecord { commands: self.commands.into_iter().map(Self::into_record).collect(), ..self.record }
    }

    /// Returns its options, with its own first.
    pub(crate) fn all_options(&self) -> impl Iterator<Item = &OptionRecord> {
        self.record.options.iter().chain(self.record.shared.iter().flatten())
    }
}

impl ProgramRecord {
    /// Whether it has this name.
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
            // It is in none of the files.
            0 => out.write_str("a built-in record"),
            line => write!(out, "{}:{line}", self.file),
        }
    }
}

/// Whether one of these names of a subcommand has several words.
pub(crate) fn is_far(names: &[String]) -> bool {
    names.iter().any(|name| name.contains(' '))
}

/// Records a mistake, with advice on how to fix it.
fn report(mistakes: &mut Vec<Mistake>, place: &Place, message: impl Into<String>, help: impl Into<String>) {
    if mistakes.len() < MAX_MISTAKES {
        mistakes.push(Mistake { place: place.clone(), message: message.into(), help: help.into() });
    }
}
