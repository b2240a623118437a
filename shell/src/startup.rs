//! The startup files of shells in the home directory (`.bashrc`): the tables `[startup]` of the records, compiled by
//! the build script.
//!
//! ```
//! use hookrules_shell::startup::startup_files;
//!
//! assert!(startup_files().any(|file| file == ".bashrc"));
//! ```

use crate::programs::main_name;

/// When a shell runs a startup file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StartupCondition {
    Always,
    /// The shell runs it only if it is interactive.
    Interactive,
    /// The shell runs it only if it is a login shell, at its start or at its end.
    Login,
}

// Defines `ROWS`, the table of the records.
include!(concat!(env!("OUT_DIR"), "/startup.rs"));

/// Returns the startup files of the shell with this base name, grouped by when they are run.
pub(super) fn startup(shell: &str) -> impl Iterator<Item = (StartupCondition, &'static [&'static str])> + Clone {
    let name = main_name(shell);
    ROWS.iter().filter(move |(names, ..)| names.contains(&name)).map(|(_, when, files)| (*when, *files))
}

/// Returns the names of the startup files of all shells.
pub fn startup_files() -> impl Iterator<Item = &'static str> {
    ROWS.iter().flat_map(|(.., files)| *files).copied()
}
