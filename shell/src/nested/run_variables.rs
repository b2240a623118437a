//! Variables whose values a program runs: `GIT_SEQUENCE_EDITOR`, `PAGER`, `BASH_ENV`.

use super::call::OuterCommand;
use super::words::{inserted_word, is_open, split};
use super::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::analysis::Assignment;
use crate::word::{Cause, Word};

/// The meaning of a variable's value.
#[derive(Clone, Copy)]
enum VariableUse {
    /// A text for a shell.
    Script,
    /// A file that a shell reads first.
    File,
    /// A text for a shell, with or without a `|` before it.
    Piped,
    /// Options that precede its own.
    Options,
    /// A file in its own language that it runs first.
    Code,
    /// Directories in which it searches for code that it runs first.
    Modules,
}

// `ROWS`: programs, and the variables that they run.
include!(concat!(env!("OUT_DIR"), "/variables.rs"));

/// Returns what a command runs because of the variables set for it.
#[must_use]
pub fn environment_commands(words: &[Word], environment: &[Assignment]) -> Vec<NestedCommand> {
    if environment.is_empty() || words.is_empty() {
        return Vec::new();
    }
    let call = OuterCommand::new(words);
    // git runs it at the top of its tree, or in yet another directory.
    let directory = call.has_name_at(0, &["git"]).then(|| inserted_word(Cause::Directory, "git"));
    let setting = NestedSetting { directory, ..NestedSetting::default() };
    let mut found = Vec::new();
    if call.has_name_at(0, &["git"]) && environment.iter().any(|one| may_configure(one, words)) {
        found.extend(super::git::environment_commands(words, environment, &setting));
    }
    if call.has_name_at(0, &["make"]) {
        found.extend(super::make::environment_commands(environment, &setting));
    }
    for (at, Assignment { name, value }) in environment.iter().enumerate() {
        let is_last = environment.iter().skip(at + 1).all(|later| later.name != *name);
        let Some(value) = value.as_ref().filter(|value| is_last && !value.parts.is_empty()) else { continue };
        let held = ROWS.iter().find(|(programs, names, _)| call.has_name_at(0, programs) && matches_any(names, name));
        match held.map(|(_, _, held)| *held) {
            Some(VariableUse::Options) => found.extend(prepend_options(words, name, value)),
            Some(VariableUse::Modules) => found.extend(modules(value).map(|what| NestedCommand::new(what, &setting))),
            held => found.extend(
                held.and_then(|held| variable_target(held, value)).map(|what| NestedCommand::new(what, &setting)),
            ),
        }
    }
    found
}

/// Whether a variable may contain git settings.
fn may_configure(assignment: &Assignment, words: &[Word]) -> bool {
    assignment.name.starts_with("GIT_CONFIG_") || words.iter().any(|word| word.prefix().starts_with("--config-env"))
}

/// Whether some program runs the value of a variable of this name.
#[must_use]
pub fn is_run_variable(name: &str) -> bool {
    ROWS.iter().any(|(_, names, _)| matches_any(names, name))
}

/// Whether a variable is among these; a `*` in one of them matches anything.
fn matches_any(names: &[&str], name: &str) -> bool {
    names.iter().any(|own| match own.split_once('*') {
        Some((start, end)) => name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => *own == name,
    })
}

/// Returns the program with the options of a variable before its own, and without the variable.
fn prepend_options(words: &[Word], name: &str, value: &Word) -> Option<NestedCommand> {
    let (program, rest) = words.split_first()?;
    let options = split(value);
    let all = std::iter::once(program.clone()).chain(options).chain(rest.iter().cloned()).collect();
    let environment = vec![Assignment { name: name.to_owned(), value: None }];
    Some(NestedCommand::new(Runnable::Argv(all), &NestedSetting { environment, ..NestedSetting::default() }))
}

/// The files that Python imports at startup.
fn modules(value: &Word) -> impl Iterator<Item = Runnable> {
    let directories: Vec<String> = value.known_text().unwrap_or_default().split(':').map(str::to_owned).collect();
    directories.into_iter().filter(|directory| !directory.is_empty()).flat_map(|directory| {
        ["sitecustomize.py", "usercustomize.py"].map(|name| {
            Runnable::Foreign(CodeSource::File(Word::text(format!("{}/{name}", directory.trim_end_matches('/')))))
        })
    })
}

fn variable_target(held: VariableUse, value: &Word) -> Option<Runnable> {
    match held {
        VariableUse::Script => Some(Runnable::script(value.clone())),
        VariableUse::File => Some(Runnable::File(value.clone())),
        VariableUse::Piped if is_open(value) => Some(Runnable::script(value.clone())),
        VariableUse::Code => Some(Runnable::Foreign(CodeSource::File(value.clone()))),
        VariableUse::Options | VariableUse::Modules => None,
        VariableUse::Piped => {
            let text = value.strip_prefix("||").or_else(|| value.strip_prefix("|")).unwrap_or_else(|| value.clone());
            Some(Runnable::script(text.strip_prefix("-").unwrap_or(text)))
        }
    }
}
