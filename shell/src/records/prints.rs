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
}

/// What a command prints: as it is written, and in Rust.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("name", "Name"),
    ("plain", "Plain"),
    ("temporary-file", "TemporaryFile"),
    ("temporary-directory", "TemporaryDirectory"),
];

/// Holds the commands to the program: each is written out.
pub(super) fn check(program: &Resolved, mistakes: &mut Vec<Mistake>) {
    let Some(prints) = &program.prints else { return };
    let name = program.record.names.first().map_or("", String::as_str);
    for command in prints.commands.iter().flat_map(|(_, commands)| commands) {
        if command.split(' ').next() != Some(name) {
            let message = format!("`prints`: `{command}` does not begin with `{name}`");
            report(mistakes, &prints.place, message, "write the whole command");
        }
    }
}
