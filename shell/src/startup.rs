//! The files in the user's home that shells run by themselves: the tables `[startup]` of the records, compiled by the build
//! script.

use crate::programs::main_name;

/// When a shell runs a file by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    Always,
    /// Where it is an interactive one.
    Interactive,
    /// Where it is a login shell, be it when that ends.
    Login,
}

// `ROWS`
include!(concat!(env!("OUT_DIR"), "/startup.rs"));

/// Returns the files that a shell runs by itself, by its base name, and when.
pub(super) fn startup(shell: &str) -> impl Iterator<Item = (When, &'static [&'static str])> + Clone {
    let name = main_name(shell);
    ROWS.iter().filter(move |(names, ..)| names.contains(&name)).map(|(_, when, files)| (*when, *files))
}

/// Returns the names of all such files.
pub fn startup_files() -> impl Iterator<Item = &'static str> {
    ROWS.iter().flat_map(|(.., files)| *files).copied()
}
