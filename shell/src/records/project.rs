//! What programs do with the project that they are run in, from their records to the rows of `src/project.rs`.

use super::files::unlisted;
use super::runs::When;
use super::{Mistake, OptionRecord, Place, Resolved};

/// Which words name tasks of the project: as it is written, and in Rust.
pub(crate) const TASKS: &[(&str, &str)] = &[("operands", "Operands"), ("first", "First"), ("subcommand", "Subcommand")];

/// The table `[project]` of a record.
#[derive(Clone, Default)]
pub(crate) struct Project {
    pub(crate) place: Place,
    /// When it looks for something wrong, and fails where it finds some.
    pub(crate) checks: When,
    /// Which words name tasks, in Rust.
    pub(crate) tasks: Option<&'static str>,
    /// It runs code that lies in its directory.
    pub(crate) runs_code: bool,
    /// The code that it exits with where something fails.
    pub(crate) fails_with: Option<i64>,
    /// The files that define its tasks, of which it takes the first that is there.
    pub(crate) files: Vec<String>,
}

/// Holds the table of a program or a subcommand to its options.
pub(super) fn check(program: &Resolved, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<Mistake>) {
    let Some(project) = &program.project else { return };
    unlisted("project", &project.place, project.checks.options(), options, mistakes);
}
