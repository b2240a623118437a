//! The startup files of shells in the user's home: the tables `[startup]` of the records, compiled by the build script.
//!
//! ```
//! use hookrules_shell::startup::startup_files;
//!
//! assert!(startup_files().any(|file| file == ".bashrc"));
//! ```

use crate::programs::main_name;

/// The condition for a shell to run a startup file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StartupCondition {
    Always,
    /// If the shell is interactive.
    Interactive,
    /// If it is a login shell; includes files that run when it ends.
    Login,
}

// `ROWS`
include!(concat!(env!("OUT_DIR"), "/startup.rs"));

/// Returns the startup files of the shell with this base name, and their conditions.
pub(super) fn startup(shell: &str) -> impl Iterator<Item = (StartupCondition, &'static [&'static str])> + Clone {
    let name = main_name(shell);
    ROWS.iter().filter(move |(names, ..)| names.contains(&name)).map(|(_, when, files)| (*when, *files))
}

/// Returns the names of all startup files.
pub fn startup_files() -> impl Iterator<Item = &'static str> {
    ROWS.iter().flat_map(|(.., files)| *files).copied()
}
