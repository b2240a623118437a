//! How programs use the project in their working directory, from their records to the rows of `src/project.rs`.

use super::files::report_unknown_options;
use super::runs::OptionCondition;
use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace};

/// Which words name tasks of the project: the TOML word, and the Rust name.
pub(crate) const TASKS: &[(&str, &str)] = &[("operands", "Operands"), ("first", "First"), ("subcommand", "Subcommand")];

/// The table `[project]` of a record.
#[derive(Clone, Default)]
pub(crate) struct ProjectTable {
    pub(crate) place: SourcePlace,
    /// When it runs checks, and fails if they do.
    pub(crate) checks: OptionCondition,
    /// The words that name tasks, as a Rust name.
    pub(crate) tasks: Option<&'static str>,
    /// It runs code from its working directory.
    pub(crate) runs_code: bool,
    /// Its exit code on failure.
    pub(crate) fails_with: Option<i64>,
    /// The files that may define its tasks; it uses the first that exists.
    pub(crate) files: Vec<String>,
}

/// Checks the table of a program or a subcommand against its options.
pub(super) fn check(program: &ResolvedRecord, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<RecordMistake>) {
    let Some(project) = &program.project else { return };
    report_unknown_options("project", &project.place, project.checks.options(), options, mistakes);
}
