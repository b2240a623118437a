//! The table `[prints]` of a record: what is known of a program's output.

use super::{RecordMistake, ResolvedRecord, SourcePlace, report};

/// The table `[prints]` of a record.
#[derive(Clone, Default)]
pub(crate) struct PrintsTable {
    pub(crate) place: SourcePlace,
    /// The commands whose kind of output is known (`hostname -s`), grouped by the variant of the Rust enum
    /// `PrintedValue` for it.
    pub(crate) commands: Vec<(&'static str, Vec<String>)>,
    /// The path, `module::function`, of a function of `src/prints.rs` that determines the kind of the output.
    pub(crate) by: Option<String>,
    /// Whether the program prints only names, numbers or dates, which cannot be a script.
    pub(crate) is_data: bool,
    /// The beginnings of commands whose output a shell is meant to evaluate (`ssh-agent -s`), grouped by the variant of
    /// the Rust enum `EvaluationEffect` for what that does.
    pub(crate) generates: Vec<(&'static str, Vec<String>)>,
}

/// What a command prints, as pairs of the word in TOML and the variant of `PrintedValue`.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("name", "Name"),
    ("number", "Number"),
    ("plain", "Plain"),
    ("temporary-file", "TemporaryFile"),
    ("temporary-directory", "TemporaryDirectory"),
];

/// What the output of a command does to a shell that evaluates it, as pairs of the word in TOML and the variant of
/// `EvaluationEffect`.
pub(super) const GENERATES: &[(&str, &str)] = &[("settings", "Settings"), ("environment", "Environment")];

/// Reports the commands in the table that do not begin with the name of the program.
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
