//! Writes the compiled records as Rust constants that `src/programs.rs` and other files include, so that a process
//! neither reads nor builds anything when it starts. Only the build script uses this module.

use std::collections::BTreeMap;
use std::fmt::Write as _;

#[path = "write/files.rs"]
mod files;
#[path = "write/network.rs"]
mod network;
#[path = "write/prints.rs"]
mod prints;
#[path = "write/project.rs"]
mod project;
#[path = "write/runs.rs"]
mod runs;
#[path = "write/variables.rs"]
mod variables;

use super::records::project::ProjectTable;
use super::records::{OptionRecord, ResolvedRecord, has_multi_word_name};

/// The generated Rust code: one text for each source file that includes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GeneratedTables {
    /// The code that `src/programs.rs` includes.
    pub(super) programs: String,
    /// The code that `src/files/rows.rs` includes.
    pub(super) files: String,
    /// The code that `src/files/contents.rs` includes.
    pub(super) contents: String,
    /// The code that `src/network/rows.rs` includes.
    pub(super) network: String,
    /// The code that `src/nested/runner.rs` includes.
    pub(super) runs: String,
    /// The code that `src/nested/run_variables.rs` includes.
    pub(super) variables: String,
    /// The code that `src/startup.rs` includes.
    pub(super) startup: String,
    /// The code that `src/prints.rs` includes.
    pub(super) prints: String,
    /// The code that `src/project.rs` includes.
    pub(super) project: String,
}

/// Writes the code of all tables for these programs.
pub(super) fn write(programs: &[ResolvedRecord]) -> GeneratedTables {
    GeneratedTables {
        programs: table(programs),
        files: files::write(programs),
        contents: files::contents(programs),
        network: network::write(programs),
        runs: runs::write(programs),
        variables: variables::write(programs),
        startup: variables::startup(programs),
        prints: prints::write(programs),
        project: project::write(programs),
    }
}

/// Returns the code of a constant with one list of rows for each program that has rows. `start` is the declaration of
/// the constant (`const GROUPS: &[&[FileRow]]`); `rows` appends the rows of one program to a text.
fn write_groups(
    start: &str,
    programs: &[ResolvedRecord],
    mut rows: impl FnMut(&ResolvedRecord, &mut String),
) -> String {
    let mut out = format!("{HEAD}{start} = &[\n");
    for program in programs {
        let mut program_rows = String::new();
        rows(program, &mut program_rows);
        if !program_rows.is_empty() {
            let _infallible = writeln!(out, "&[\n{program_rows}],");
        }
    }
    out.push_str("];\n");
    out
}

/// The comment at the top of every generated file.
const HEAD: &str = "// Written by build.rs from the records in programs/.\n\n";

/// Returns the code of the table of programs. A list of options that several records share is written once, as a
/// constant of its own.
fn table(programs: &[ResolvedRecord]) -> String {
    let (as_written, programs): (Vec<&ResolvedRecord>, Vec<&ResolvedRecord>) =
        programs.iter().partition(|program| program.is_as_written);
    let mut lists = OptionLists::default();
    // Each program is in its own list: if all programs were in one list, the compiler would copy the list for each
    // reference to one of its rows.
    let rows: Vec<String> = programs.iter().map(|program| format!("&[{}],\n", lists.program(program))).collect();
    let mut versioned: Vec<&str> =
        programs.iter().flat_map(|program| &program.record.versioned).map(String::as_str).collect();
    versioned.sort_unstable();
    let mut out = String::from(HEAD);
    for (number, code) in lists.texts.iter().enumerate() {
        let _infallible = writeln!(out, "const OPTIONS_{number}: &[ProgramOption] = &[\n{code}];\n");
    }
    let _infallible = writeln!(out, "const PROGRAMS: &[&[Program]] = &[\n{}];\n", rows.concat());
    let _infallible = writeln!(out, "const VERSIONED: &[&str] = &{versioned:?};\n");
    let shells = programs.iter().filter(|program| program.dialect.is_some());
    let shells: Vec<&str> = shells.flat_map(|program| &program.record.names).map(String::as_str).collect();
    let _infallible = writeln!(out, "const SHELLS: &[&str] = &{shells:?};\n");
    let looking = as_written.iter().filter(|program| !program.looks.is_empty() || !program.asks.is_empty());
    let row = |program: &&ResolvedRecord| {
        format!("&[AsWrittenLooks {{ names: &{:?}, looks: {} }}],\n", program.record.names, looks(program))
    };
    let rows: String = looking.map(row).collect();
    let _infallible = writeln!(out, "const AS_WRITTEN_LOOKS: &[&[AsWrittenLooks]] = &[\n{rows}];");
    out
}

/// Returns the Rust expression for the words with which a program only looks.
fn looks(program: &ResolvedRecord) -> String {
    format!("LookEnds {{ reading: &{:?}, asking: &{:?} }}", program.looks, program.asks)
}

/// Returns the Rust expressions for the values with which options do nothing beyond the program's own work.
fn plain_values(program: &ResolvedRecord) -> String {
    program.plain_values.iter().map(|plain| format!("({:?}, &{:?}), ", plain.option, plain.values)).collect()
}

/// Whether a record is that of `run`, whose first operand names a script of the project.
fn runs_script_by_name(command: &ResolvedRecord) -> bool {
    let is_run = command.record.names.iter().any(|name| name == "run");
    is_run && command.project.as_ref().is_some_and(ProjectTable::names_task_first)
}

/// The distinct lists of options seen so far, each of which becomes one constant `OPTIONS_<number>`.
#[derive(Default)]
struct OptionLists {
    /// The Rust code of each list; the index is its number.
    texts: Vec<String>,
    /// The number of each list, by its Rust code.
    numbers: BTreeMap<String, usize>,
}

impl OptionLists {
    /// Returns the Rust expression for a program or a subcommand, and adds its lists of options.
    fn program(&mut self, resolved: &ResolvedRecord) -> String {
        let program = &resolved.record;
        let options = self.list(&program.options);
        let group = |names: &Vec<String>| format!("&{names:?}, ");
        let aliases: String = program.aliases.iter().map(group).collect();
        let far_aliases: String =
            program.aliases.iter().filter(|names| has_multi_word_name(names)).map(group).collect();
        let shared: Vec<String> = program.shared.iter().map(|options| self.list(options)).collect();
        let commands = resolved.commands.iter().filter(|command| !command.is_as_written);
        let commands: Vec<String> = commands.map(|command| self.program(command)).collect();
        format!(
            "Program {{ names: &{:?}, reading: WordSyntax::{:?}, long_options: LongOptionSyntax::{:?}, short_options: \
             ShortOptionSyntax::{:?}, subcommands: SubcommandSyntax::{:?}, aliases: &[{aliases}], far_aliases: &[{far_aliases}], tracks: &{:?}, \
             options: {options}, shared: &[{}], commands: &[\n{}], unlisted: UnlistedSubcommand::{:?}, operands: OperandEffect::{:?}, is_interpreter: {}, \
             is_runner: {}, looks: {}, behind_dashes: &{:?}, plain_values: &[{}], incidental: &{:?}, incidental_call: {}, runs_scripts: {}, reads_input: {}, language: {}, dialects: DialectSet::{} }},\n",
            program.names,
            program.reading,
            program.long_options,
            program.short_options,
            program.subcommands,
            program.tracks,
            shared.join(", "),
            commands.concat(),
            program.unlisted,
            program.operands,
            program.is_interpreter,
            resolved.runs.as_ref().is_some_and(|runs| !runs.is_empty()),
            looks(resolved),
            resolved.behind_dashes,
            plain_values(resolved),
            resolved.incidental.names,
            variant("IncidentalCall", resolved.incidental_call),
            resolved.commands.iter().any(runs_script_by_name),
            resolved.reads_input,
            variant("InterpreterLanguage", resolved.language),
            resolved.dialect.unwrap_or("NONE"),
        )
    }

    /// Returns the name of the constant for a list of options, and adds the list if it is new.
    fn list(&mut self, options: &[OptionRecord]) -> String {
        if options.is_empty() {
            return "&[]".to_owned();
        }
        let code: String = options.iter().map(option).collect();
        let next_number = self.texts.len();
        let number = *self.numbers.entry(code.clone()).or_insert(next_number);
        if number == next_number {
            self.texts.push(code);
        }
        format!("OPTIONS_{number}")
    }
}

/// Returns the Rust expression for a variant of an enum, or for none.
fn variant(of: &str, name: Option<&str>) -> String {
    name.map_or_else(|| "None".to_owned(), |name| format!("Some({of}::{name})"))
}

/// Returns the Rust expression for an option.
fn option(option: &OptionRecord) -> String {
    let OptionRecord { names, arity, does, undoes, means, implies } = option;
    format!(
        "ProgramOption {{ names: &{names:?}, arity: Arity::{arity:?}, does: OptionEffect::{does:?}, undoes: {undoes:?}, means: &{means:?}, implies: {implies:?} }},\n"
    )
}
