//! What is known of what programs print.

use super::{Mistake, Place, Resolved, report};

/// The table `[prints]` of a record.
#[derive(Clone, Default)]
pub(crate) struct Prints {
    pub(crate) place: Place,
    /// Commands, without the program, under what they print, in Rust.
    pub(crate) commands: Vec<(&'static str, Vec<String>)>,
    /// A function of `src/prints.rs`.
    pub(crate) by: Option<String>,
    /// It prints names, numbers, dates: nothing that would be a script.
    pub(crate) is_data: bool,
    /// The beginnings of commands that print what a shell is to evaluate, under what that does, in Rust.
    pub(crate) generates: Vec<(&'static str, Vec<String>)>,
}

/// What a command prints: as it is written, and in Rust.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("name", "Name"),
    ("plain", "Plain"),
    ("temporary-file", "TemporaryFile"),
    ("temporary-directory", "TemporaryDirectory"),
];

/// What a printed text does to the shell that evaluates it: as it is written, and in Rust.
pub(super) const GENERATES: &[(&str, &str)] = &[("settings", "Settings"), ("environment", "Environment")];

/// Holds the commands to the program: each is written out.
pub(super) fn check(program: &Resolved, mistakes: &mut Vec<Mistake>) {
    let Some(prints) = &program.prints else { return };
    let name = program.record.names.first().map_or("", String::as_str);
    for command in prints.commands.iter().chain(&prints.generates).flat_map(|(_, commands)| commands) {
        if command.split(' ').next() != Some(name) {
            let message = format!("`prints`: `{command}` does not begin with `{name}`");
            report(mistakes, &prints.place, message, "write the whole command");
        }
    }
}
