//! Writes which commands programs run, and how: the rows of `src/nested/runner.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::super::records::runs::{OptionCondition, RunsTable};
use super::write_groups;

impl OptionCondition {
    /// Returns the condition with its options replaced by all their spellings, which `spellings` returns.
    pub(super) fn with_spellings(&self, spellings: impl Fn(&[String]) -> Vec<String>) -> Self {
        match self {
            Self::Never => Self::Never,
            Self::Always => Self::Always,
            Self::With(options) => Self::With(spellings(options)),
            Self::Without(options) => Self::Without(spellings(options)),
        }
    }

    /// Returns the condition as a Rust expression. The parameters are the names that the generated enum has for the
    /// four cases; the last two are variants that contain the options.
    pub(super) fn rust(&self, [never, always, with, without]: [&str; 4]) -> String {
        match self {
            Self::Never => never.to_owned(),
            Self::Always => always.to_owned(),
            Self::With(options) => format!("{with}(&{options:?})"),
            Self::Without(options) => format!("{without}(&{options:?})"),
        }
    }
}

impl RunsTable {
    /// Returns the table with its options replaced by all their spellings, which `spellings` returns. It is for a
    /// record whose options do not exist at run time.
    fn with_spellings(&self, spellings: impl Fn(&[String]) -> Vec<String>) -> Self {
        Self {
            values: self.values.iter().map(|(value, names)| (*value, spellings(names))).collect(),
            idle: spellings(&self.idle),
            sets: spellings(&self.sets),
            removes: spellings(&self.removes),
            enters: spellings(&self.enters),
            mounts: spellings(&self.mounts),
            roots: spellings(&self.roots),
            shares: self.shares.with_spellings(&spellings),
            elsewhere: self.elsewhere.with_spellings(&spellings),
            background: self.background.with_spellings(&spellings),
            ..self.clone()
        }
    }

    /// Whether the table says that the program runs no command. A record that is `like` another one has such a table to
    /// undo the table of the other.
    pub(super) fn is_empty(&self) -> bool {
        self.form.is_none() && self.values.is_empty() && !self.is_shell
    }

    /// Returns the Rust expression for the directory in which the program's command runs. A command on another machine
    /// never runs in the directory of the program.
    fn directory(&self) -> String {
        let elsewhere = if self.scope.is_some() { &OptionCondition::Always } else { &self.elsewhere };
        elsewhere.rust(["Same", "Elsewhere", "With", "Without"])
    }

    /// Returns the Rust expression for the files of this machine that the program's command also has.
    fn shared_files(&self) -> String {
        let Self { mounts, roots, has_root_operand, project, .. } = self;
        let unless = match &self.shares {
            OptionCondition::Always => "Some(&[])".to_owned(),
            OptionCondition::Without(options) => format!("Some(&{options:?})"),
            OptionCondition::Never | OptionCondition::With(_) => "None".to_owned(),
        };
        format!(
            "SharedFiles {{ mounts: &{mounts:?}, roots: &{roots:?}, has_root_operand: {has_root_operand}, \
             unless: {unless}, project: {project:?} }}"
        )
    }
}

/// Returns the code for `src/nested/runner.rs`: the rows of the tables `[runs]`, grouped by program.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    write_groups("pub(super) const ROWS: &[&[Runner]]", programs, |program, out| write_row(program, program, &[], out))
}

/// Writes the row of `command`, which is `program` itself or one of its subcommands, and the rows of the subcommands
/// below it. `path` has the names of each subcommand from the program to `command`, and is empty for the program.
fn write_row(program: &ResolvedRecord, command: &ResolvedRecord, path: &[&[String]], out: &mut String) {
    if let Some(runs) = command.runs.as_ref().filter(|runs| !runs.is_empty() || !runs.loads.is_empty()) {
        let runs = &if program.is_as_written {
            runs.with_spellings(|names| command.all_spellings(names))
        } else {
            runs.clone()
        };
        let RunsTable { place, program: given, skip, loads, idle, sets, removes, enters, .. } = runs;
        let names = runs.values.iter().flat_map(|(value, names)| names.iter().map(move |name| (name, value)));
        let values: String = names.map(|(name, value)| format!("({name:?}, OptionValueForm::{value}), ")).collect();
        let path: String = path.iter().map(|names| format!("&{names:?}, ")).collect();
        // If the function does not exist, the compiler's error shows this line, and with it the record.
        let _infallible = writeln!(
            out,
            "Runner {{ names: &{:?}, under: &[{path}],\nform: OperandForm::{}, // programs/{}:{}\nprogram: {given:?}, skip: {skip}, \
             values: &[{values}], loads: &{loads:?}, idle: &{idle:?}, sets: &{sets:?}, removes: &{removes:?}, enters: &{enters:?}, \
             bare: BareRun::{}, assigns: AssignmentPrefix::{}, scope: CommandScope::{}, place: WorkingDirectory::{}, times: RunRepetition::{}, \
             waits: WaitCondition::{}, process: ProcessSharing::{}, files: InheritedDescriptors::{}, identity: ProgramIdentity::{}, shared: {}, input: {} }},",
            program.record.names,
            runs.form.as_deref().unwrap_or("Nothing"),
            place.file,
            place.line,
            if runs.is_shell { "Shell" } else { "Nothing" },
            if runs.assigns { "Leading" } else { "No" },
            runs.scope.unwrap_or("Local"),
            runs.directory(),
            if runs.repeats { "Repeated" } else { "Once" },
            runs.background.rust(["Always", "Never", "NotWith", "With"]),
            if runs.in_this_shell { "This" } else { "Other" },
            if runs.closes_files { "Closed" } else { "Kept" },
            if runs.by_name { "ByName" } else { "Fixed" },
            runs.shared_files(),
            runs.input.as_ref().map_or_else(|| "None".to_owned(), |function| format!("Some({function})")),
        );
    }
    for subcommand in &command.commands {
        let path: Vec<&[String]> = path.iter().copied().chain([subcommand.record.names.as_slice()]).collect();
        write_row(program, subcommand, &path, out);
    }
}
