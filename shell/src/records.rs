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

use files::FilesTable;
use network::NetworkTable;
use prints::PrintsTable;
use project::ProjectTable;
use runs::RunsTable;
use variables::{StartupTable, VariablesTable};

pub use kinds::{
    Arity, LongOptionSyntax, OptionEffect, ShortOptionSyntax, SubcommandSyntax, UnlistedSubcommand, WordSyntax,
};

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
pub(crate) struct AdditionContext<'k> {
    /// Returns an existing record.
    pub(crate) known: &'k dyn Fn(&str) -> Option<Record>,
    /// Whether an existing record has this name: an added one of that name is dropped.
    pub(crate) is_taken: &'k dyn Fn(&str) -> bool,
    /// The work budget, in options and subcommands that are visited.
    pub(crate) work: usize,
}

/// Compiled records, and those dropped because of a name clash.
pub(crate) struct CompiledRecords {
    pub(crate) programs: Vec<ResolvedRecord>,
    pub(crate) dropped: Vec<RecordMistake>,
}

/// Compiles files, each a path and its text, sorted by path: the built-in table, or additions to it.
pub(crate) fn compile(
    files: &[(String, String)],
    additions: Option<AdditionContext<'_>>,
) -> Result<CompiledRecords, Vec<RecordMistake>> {
    let mut mistakes = Vec::new();
    let records = read::read(files, additions, &mut mistakes);
    let programs = resolve::resolve(&records, additions, &mut mistakes);
    check::check(&programs, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut compiled = CompiledRecords { programs: Vec::new(), dropped: Vec::new() };
    for (record, program) in records.iter().zip(programs) {
        let taken = additions.and_then(|additions| record.names.iter().position(|name| (additions.is_taken)(name)));
        match taken.and_then(|at| Some((record.names.get(at)?, record.places.get(at)?))) {
            Some((name, place)) => {
                let message = format!("`{name}` has a record already, and this one is not used");
                report(&mut compiled.dropped, place, message, "remove this record, or change the other one");
            }
            None => compiled.programs.push(program),
        }
    }
    Ok(compiled)
}

/// A mistake in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordMistake {
    place: SourcePlace,
    message: String,
    help: String,
}

impl RecordMistake {
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
pub(crate) struct SourcePlace {
    pub(crate) file: String,
    span: Range<usize>,
    pub(crate) line: usize,
}

/// A program or a subcommand, as written.
#[derive(Default)]
pub(crate) struct Record {
    place: SourcePlace,
    names: Vec<String>,
    /// The places of its names, as a list and individually.
    named: SourcePlace,
    places: Vec<SourcePlace>,
    /// The names that may carry a version (`python3.12`).
    versioned: Vec<String>,
    is_interpreter: bool,
    reading: Option<WordSyntax>,
    long_options: Option<LongOptionSyntax>,
    short_options: Option<ShortOptionSyntax>,
    subcommands: Option<SubcommandSyntax>,
    /// Groups of synonymous names of its subcommands, with their places.
    aliases: Vec<(SourcePlace, Vec<String>)>,
    tracks: Vec<String>,
    /// Its words are read as if it had no record: the record describes its effects, not its syntax.
    is_as_written: bool,
    unlisted: Option<UnlistedSubcommand>,
    operands: Option<OptionEffect>,
    like: Option<RecordReference>,
    /// The sets of options that it includes.
    with: Vec<RecordReference>,
    /// The sets of options that each of its subcommands includes.
    each: Vec<RecordReference>,
    /// The records whose subcommands it also has.
    shares: Vec<RecordReference>,
    options: Vec<WrittenOption>,
    /// Its effects on files.
    files: Option<FilesTable>,
    /// The machines that it connects to, and the data that it sends.
    network: Option<NetworkTable>,
    /// The commands that it runs.
    runs: Option<RunsTable>,
    /// Environment variables that contain what it runs.
    variables: Option<VariablesTable>,
    /// Whether it may read its standard input.
    reads_input: Option<bool>,
    /// The Rust name of the language of the code that it runs.
    language: Option<&'static str>,
    /// The Rust name of the dialects in which it reads shell code.
    dialect: Option<&'static str>,
    /// Files in the user's home that it runs automatically.
    startup: StartupTable,
    /// Its known output.
    prints: Option<PrintsTable>,
    /// How it uses the project in its working directory.
    project: Option<ProjectTable>,
    sets: Vec<(String, Vec<WrittenOption>)>,
    commands: Vec<Record>,
}

impl Record {
    /// Converts a compiled record back, so that others can refer to it.
    pub(crate) fn from_compiled(program: &ProgramRecord) -> Self {
        let written = |options: &[OptionRecord]| {
            let written =
                |option: &OptionRecord| WrittenOption { place: SourcePlace::default(), option: option.clone() };
            options.iter().map(written).collect()
        };
        let sets = program.shared.iter().enumerate();
        let sets: Vec<_> = sets.map(|(number, options)| (number.to_string(), written(options))).collect();
        let reference = |(name, _): &(String, _)| RecordReference { place: SourcePlace::default(), name: name.clone() };
        Self {
            names: program.names.clone(),
            reading: Some(program.reading),
            long_options: Some(program.long_options),
            short_options: Some(program.short_options),
            subcommands: Some(program.subcommands),
            aliases: program.aliases.iter().map(|names| (SourcePlace::default(), names.clone())).collect(),
            tracks: program.tracks.clone(),
            unlisted: Some(program.unlisted),
            operands: Some(program.operands),
            with: sets.iter().map(reference).collect(),
            options: written(&program.options),
            sets,
            commands: program.commands.iter().map(Self::from_compiled).collect(),
            ..Self::default()
        }
    }
}

/// A reference to something that is defined elsewhere.
#[derive(Clone)]
struct RecordReference {
    place: SourcePlace,
    name: String,
}

/// An option with its place.
#[derive(Clone)]
struct WrittenOption {
    place: SourcePlace,
    option: OptionRecord,
}

/// An option, with the fields of [`Opt`](crate::programs::ProgramOption).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OptionRecord {
    /// Its spellings. The first is the canonical one.
    pub names: Vec<String>,
    /// Whether it takes a value.
    pub arity: Arity,
    /// Its effect that matters to a guard.
    pub does: OptionEffect,
    /// The option that it cancels.
    pub undoes: Option<String>,
    /// The options that it is equivalent to.
    pub means: Vec<String>,
}

/// A program or a subcommand with everything that it inherits, with the fields of
/// [`Program`](crate::programs::Program).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ProgramRecord {
    /// Its names: base names of a program, words of a subcommand.
    pub names: Vec<String>,
    /// The names that may carry a version (`python3.12`).
    pub versioned: Vec<String>,
    /// It is a shell or an interpreter.
    pub is_interpreter: bool,
    /// How its words are parsed.
    pub reading: WordSyntax,
    /// How its long options may be abbreviated.
    pub long_options: LongOptionSyntax,
    /// How a value may follow a letter.
    pub short_options: ShortOptionSyntax,
    /// How its subcommands may be abbreviated.
    pub subcommands: SubcommandSyntax,
    /// Groups of synonymous names of its subcommands.
    pub aliases: Vec<Vec<String>>,
    /// Words that may precede its subcommands without changing anything.
    pub tracks: Vec<String>,
    /// What an unlisted subcommand may be.
    pub unlisted: UnlistedSubcommand,
    /// What its operands may do besides being read.
    pub operands: OptionEffect,
    /// Its own options.
    pub options: Vec<OptionRecord>,
    /// Its inherited options, which follow its own.
    pub shared: Vec<Vec<OptionRecord>>,
    /// Its subcommands.
    pub commands: Vec<ProgramRecord>,
}

/// A program or a subcommand with everything that it inherits, and with the fields of the built-in table only.
pub(crate) struct ResolvedRecord {
    /// The record without its subcommands.
    pub(crate) record: ProgramRecord,
    pub(crate) is_as_written: bool,
    pub(crate) files: Option<FilesTable>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) network: Option<NetworkTable>,
    pub(crate) runs: Option<RunsTable>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) variables: Option<VariablesTable>,
    pub(crate) prints: Option<PrintsTable>,
    pub(crate) project: Option<ProjectTable>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) reads_input: bool,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) language: Option<&'static str>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) dialect: Option<&'static str>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) startup: StartupTable,
    pub(crate) commands: Vec<ResolvedRecord>,
}

impl ResolvedRecord {
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
    pub fn has_name(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }
}

impl fmt::Display for RecordMistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.message, self.help)
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            // It is in none of the files.
            0 => out.write_str("a built-in record"),
            line => write!(out, "{}:{line}", self.file),
        }
    }
}

/// Whether one of these names of a subcommand has several words.
pub(crate) fn has_multi_word_name(names: &[String]) -> bool {
    names.iter().any(|name| name.contains(' '))
}

/// Records a mistake, with advice on how to fix it.
fn report(mistakes: &mut Vec<RecordMistake>, place: &SourcePlace, message: impl Into<String>, help: impl Into<String>) {
    if mistakes.len() < MAX_MISTAKES {
        mistakes.push(RecordMistake { place: place.clone(), message: message.into(), help: help.into() });
    }
}
