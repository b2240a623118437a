//! The table `[project]` of a record: how a program uses the project in its working directory. The build script
//! writes it as the rows of `src/project.rs`.

use super::files::report_unknown_options;
use super::runs::OptionCondition;
use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace};

/// Which words name tasks of the project, as pairs of the word in TOML and the variant of the Rust enum `TaskWords`.
pub(crate) const TASKS: &[(&str, &str)] = &[("operands", "Operands"), ("first", "First"), ("subcommand", "Subcommand")];

/// The table `[project]` of a record.
#[derive(Clone, Default)]
pub(crate) struct ProjectTable {
    pub(crate) place: SourcePlace,
    /// The condition under which the program only checks the project, and fails if it finds a problem.
    pub(crate) checks: OptionCondition,
    /// Which words name tasks, as a variant of `TaskWords`.
    pub(crate) tasks: Option<&'static str>,
    /// Whether the program runs code from its working directory.
    pub(crate) runs_code: bool,
    /// The exit code of a failure; `None` if it is 1, or the exit code of a task.
    pub(crate) fails_with: Option<i64>,
    /// The names of the files that may define tasks. The first one that exists is used.
    pub(crate) files: Vec<String>,
    /// The options whose values select the packages of a workspace in which the program works. Only these spellings
    /// count.
    pub(crate) packages: Vec<String>,
    /// Whether the first operand selects such a package.
    pub(crate) has_package_operand: bool,
    /// The condition under which the program works in every package of a workspace. Only these spellings of options
    /// count.
    pub(crate) every_package: OptionCondition,
}

impl ProjectTable {
    /// Whether the first operand names a task.
    #[allow(dead_code, reason = "the build script asks")]
    pub(crate) fn names_task_first(&self) -> bool {
        self.tasks == Some("First")
    }
}

/// Reports the options in the table that the record does not have.
pub(super) fn check(program: &ResolvedRecord, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<RecordMistake>) {
    let Some(project) = &program.project else { return };
    report_unknown_options("project", &project.place, project.checks.options(), options, mistakes);
}
