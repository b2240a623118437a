//! Compiles the records of programs from TOML. `programs/README.md` documents their keys.
//!
//! The module gets texts and returns records; it reads no files. Every mistake is reported with its position. The build
//! script compiles the built-in table with this module, which is why its submodules have explicit paths. The library
//! uses it to read the records that a policy adds.

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
    Arity, LongOptionSyntax, OperandEffect, OptionEffect, ShortOptionSyntax, SubcommandSyntax, UnlistedSubcommand,
    WordSyntax,
};

/// The maximum number of options of a program or a subcommand in a record that a policy adds, including inherited ones.
/// It is limited because each word of a command is compared with all of them.
const MAX_OPTIONS: usize = 1000;

/// The maximum number of subcommands of one program or subcommand in a record that a policy adds.
const MAX_COMMANDS: usize = 1000;

/// The maximum number of reported mistakes. Further ones are dropped.
const MAX_MISTAKES: usize = 50;

/// The maximum nesting of subcommands that one file defines.
const MAX_DEPTH: usize = 8;

/// The maximum nesting of subcommands, including those from other records.
const MAX_LEVELS: usize = 32;

/// What is needed to compile records that a policy adds: the existing records, to which they may refer, and a bound on
/// their size.
#[derive(Clone, Copy)]
pub(crate) struct AdditionContext<'k> {
    /// Returns the existing record with a name; `None` if there is none.
    pub(crate) known: &'k dyn Fn(&str) -> Option<Record>,
    /// Whether an existing record has this name and may not be replaced. An added record with such a name is dropped.
    pub(crate) is_taken: &'k dyn Fn(&str) -> bool,
    /// The maximum work, measured in options and subcommands that are visited.
    pub(crate) work: usize,
}

/// The result of compiling records: the programs, and a message for each record that was dropped because its name is
/// taken.
pub(crate) struct CompiledRecords {
    pub(crate) programs: Vec<ResolvedRecord>,
    pub(crate) dropped: Vec<RecordMistake>,
}

/// Compiles records from files, each given by its path and its text, and sorted by path. Without `additions`, they are
/// the built-in table; with it, they are added to existing records.
///
/// Returns the mistakes instead if there are any.
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
        match taken.and_then(|at| Some((record.names.get(at)?, record.name_places.get(at)?))) {
            Some((name, place)) => {
                let message = format!("`{name}` has a record already, and this one is not used");
                report(&mut compiled.dropped, place, message, "remove this record, or change the other one");
            }
            None => compiled.programs.push(program),
        }
    }
    Ok(compiled)
}

/// A mistake in a record, with its position and advice.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordMistake {
    place: SourcePlace,
    message: String,
    help: String,
}

impl RecordMistake {
    /// Returns the path of the file that contains the mistake.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.place.file
    }

    /// Returns the byte range of the mistake in the file.
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

/// A position in the file of a record. The default means a built-in record, which has no position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SourcePlace {
    pub(crate) file: String,
    span: Range<usize>,
    /// The line number, from 1 on; 0 for a built-in record.
    pub(crate) line: usize,
}

/// The record of a program or a subcommand as its file defines it, before its references are resolved. A key that the
/// file does not have is `None` or empty.
#[derive(Default)]
pub(crate) struct Record {
    place: SourcePlace,
    /// The names of the program or the subcommand.
    names: Vec<String>,
    /// The position of the list of names.
    names_place: SourcePlace,
    /// The position of each name.
    name_places: Vec<SourcePlace>,
    /// The names that may have a version (`python3.12`).
    versioned: Vec<String>,
    is_interpreter: bool,
    /// How its words are parsed.
    reading: Option<WordSyntax>,
    /// How its long options may be abbreviated.
    long_options: Option<LongOptionSyntax>,
    /// How a value may be attached to an option with one letter.
    short_options: Option<ShortOptionSyntax>,
    /// How its subcommands may be abbreviated.
    subcommands: Option<SubcommandSyntax>,
    /// Groups of names of its subcommands that mean the same, with the position of each group.
    aliases: Vec<(SourcePlace, Vec<String>)>,
    /// Words that may precede its subcommands without changing what they do: `gcloud beta`.
    tracks: Vec<String>,
    /// Whether its words are parsed as if it had no record, because the record describes its effects, but not its
    /// syntax.
    is_as_written: bool,
    /// What a subcommand without a record may be.
    unlisted: Option<UnlistedSubcommand>,
    /// What it does with its operands besides reading them.
    operands: Option<OperandEffect>,
    /// The words with which it only looks, as the ends of patterns: `*`, `--list *`.
    looks: Vec<String>,
    /// The same for words with which it reads no file that a user wrote.
    asks: Vec<String>,
    /// The programs to which it hands the words after a `--`; `None` if those are its own operands.
    behind_dashes: Option<Vec<String>>,
    /// The values with which an option does nothing beyond the program's own work.
    plain_values: Option<Vec<PlainValues>>,
    /// The options that only say how the work is done.
    incidental: Option<PlacedNames>,
    /// The similar record from which it inherits options and properties.
    like: Option<RecordReference>,
    /// The sets of options that it has in addition to its own options.
    with: Vec<RecordReference>,
    /// The sets of options that each of its subcommands has in addition to its own options.
    each: Vec<RecordReference>,
    /// The subcommands of other records that it also has.
    shares: Vec<RecordReference>,
    options: Vec<WrittenOption>,
    /// Its effects on files.
    files: Option<FilesTable>,
    /// The machines to which it connects, and the data that it sends.
    network: Option<NetworkTable>,
    /// The commands and the code in its words that it runs.
    runs: Option<RunsTable>,
    /// The environment variables whose values it runs as code.
    variables: Option<VariablesTable>,
    /// How its calls need no name in a strict pattern, as the name of a Rust variant: `Filter`.
    incidental_call: Option<&'static str>,
    /// Whether it may read its standard input.
    reads_input: Option<bool>,
    /// The language of the code that it runs, as the name of a Rust variant: `Python`.
    language: Option<&'static str>,
    /// The dialects in which it reads scripts, as the name of a Rust constant: `BASH`.
    dialect: Option<&'static str>,
    /// The files in the user's home that it runs when it starts.
    startup: StartupTable,
    /// What is known of its output.
    prints: Option<PrintsTable>,
    /// How it uses the project in its working directory.
    project: Option<ProjectTable>,
    /// Its named sets of options, to which `with` and `each` refer.
    sets: Vec<(String, Vec<WrittenOption>)>,
    /// The records of its subcommands.
    commands: Vec<Record>,
}

impl Record {
    /// Converts a compiled record back into an unresolved one, so that other records can refer to it. Inherited options
    /// become sets.
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

/// A reference to another record or to a set of options: its name, and the position of the reference.
#[derive(Clone)]
struct RecordReference {
    place: SourcePlace,
    name: String,
}

/// Values with which an option does nothing beyond the program's own work.
#[derive(Clone)]
pub(crate) struct PlainValues {
    place: SourcePlace,
    pub(crate) option: String,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) values: Vec<String>,
}

/// A list of names, with its position in the file.
#[derive(Clone, Default)]
pub(crate) struct PlacedNames {
    place: SourcePlace,
    pub(crate) names: Vec<String>,
}

/// An option of a record, with its position in the file.
#[derive(Clone)]
struct WrittenOption {
    place: SourcePlace,
    option: OptionRecord,
}

/// An option of a record, with the same fields as [`ProgramOption`](crate::programs::ProgramOption).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OptionRecord {
    /// Its spellings. The first is the canonical one.
    pub names: Vec<String>,
    /// Whether it takes a value.
    pub arity: Arity,
    /// The effect that matters to rules.
    pub does: OptionEffect,
    /// The canonical spelling of the option that it cancels.
    pub undoes: Option<String>,
    /// The options for which it is short, one spelling of each.
    pub means: Vec<String>,
    /// The option and its value (`--method=POST`) that take effect with it, unless the command has that option.
    pub implies: Option<String>,
}

/// The record of a program or a subcommand with everything that it inherits. It has the same fields as
/// [`Program`](crate::programs::Program).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ProgramRecord {
    /// Its names: the base names of a program, or the words for a subcommand.
    pub names: Vec<String>,
    /// Its names that may have a version (`python3.12`).
    pub versioned: Vec<String>,
    /// Whether it is a shell or an interpreter.
    pub is_interpreter: bool,
    /// How its words are parsed.
    pub reading: WordSyntax,
    /// How its long options may be abbreviated.
    pub long_options: LongOptionSyntax,
    /// How a value may be attached to an option with one letter.
    pub short_options: ShortOptionSyntax,
    /// How its subcommands may be abbreviated.
    pub subcommands: SubcommandSyntax,
    /// Groups of names of its subcommands that mean the same.
    pub aliases: Vec<Vec<String>>,
    /// Words that may precede its subcommands without changing what they do.
    pub tracks: Vec<String>,
    /// What a subcommand without a record may be.
    pub unlisted: UnlistedSubcommand,
    /// What it does with its operands besides reading them.
    pub operands: OperandEffect,
    /// Its own options.
    pub options: Vec<OptionRecord>,
    /// The options that it inherits, in groups.
    pub shared: Vec<Vec<OptionRecord>>,
    /// Its subcommands.
    pub commands: Vec<ProgramRecord>,
}

/// A record with everything that it inherits, including the tables that only built-in records have.
pub(crate) struct ResolvedRecord {
    /// The record without its subcommands.
    pub(crate) record: ProgramRecord,
    /// Whether its words are parsed as if there were no record.
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
    pub(crate) looks: Vec<String>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) asks: Vec<String>,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) behind_dashes: Vec<String>,
    pub(crate) plain_values: Vec<PlainValues>,
    pub(crate) incidental: PlacedNames,
    #[allow(dead_code, reason = "the build script writes it")]
    pub(crate) incidental_call: Option<&'static str>,
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
    /// Returns the part of the record that defines how the words of the program and of its subcommands are parsed.
    pub(crate) fn into_record(self) -> ProgramRecord {
        ProgramRecord { commands: self.commands.into_iter().map(Self::into_record).collect(), ..self.record }
    }

    /// Returns its options: first its own, then the inherited ones.
    pub(crate) fn all_options(&self) -> impl Iterator<Item = &OptionRecord> {
        self.record.options.iter().chain(self.record.shared.iter().flatten())
    }
}

impl ProgramRecord {
    /// Whether the program or subcommand has this name.
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
            // Without a line, the position is not in one of the files that are read.
            0 => out.write_str("a built-in record"),
            line => write!(out, "{}:{line}", self.file),
        }
    }
}

/// Whether a group of names of a subcommand includes a name of several words: `container run`.
pub(crate) fn has_multi_word_name(names: &[String]) -> bool {
    names.iter().any(|name| name.contains(' '))
}

/// Adds a mistake, with advice on how to fix it, unless there are [`MAX_MISTAKES`] already.
fn report(mistakes: &mut Vec<RecordMistake>, place: &SourcePlace, message: impl Into<String>, help: impl Into<String>) {
    if mistakes.len() < MAX_MISTAKES {
        mistakes.push(RecordMistake { place: place.clone(), message: message.into(), help: help.into() });
    }
}
