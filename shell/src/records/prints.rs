//! The known output of programs.

use super::{RecordMistake, ResolvedRecord, SourcePlace, report};

/// The table `[prints]` of a record.
#[derive(Clone, Default)]
pub(crate) struct PrintsTable {
    pub(crate) place: SourcePlace,
    /// Commands, without the program, grouped by the Rust name of their output.
    pub(crate) commands: Vec<(&'static str, Vec<String>)>,
    /// A function of `src/prints.rs`.
    pub(crate) by: Option<String>,
    /// It prints names, numbers, dates: nothing that could be a script.
    pub(crate) is_data: bool,
    /// The beginnings of commands whose output a shell is meant to evaluate, grouped by the Rust name of its effect.
    pub(crate) generates: Vec<(&'static str, Vec<String>)>,
}

/// The kinds of output: the TOML word, and the Rust name.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("name", "Name"),
    ("plain", "Plain"),
    ("temporary-file", "TemporaryFile"),
    ("temporary-directory", "TemporaryDirectory"),
];

/// The effects of evaluated output on the shell: the TOML word, and the Rust name.
pub(super) const GENERATES: &[(&str, &str)] = &[("settings", "Settings"), ("environment", "Environment")];

/// Checks that each command is written in full, with the program.
pub(super) fn check(program: &ResolvedRecord, mistakes: &mut Vec<RecordMistake>) {
    let Some(prints) = &program.prints else { return };
    let name = program.record.names.first().map_or("", String::as_str);
    for command in prints.commands.iter().chain(&prints.generates).flat_map(|(_, commands)| commands) {
        if command.split(' ').next() != Some(name) {
            let message = format!("`prints`: `{command}` does not begin with `{name}`");
            report(mistakes, &prints.place, message, "write the whole command");
        }
    }
}
