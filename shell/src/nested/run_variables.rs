//! Environment variables whose values a program runs: `GIT_SEQUENCE_EDITOR`, `PAGER`, `BASH_ENV`.

use super::call::OuterCommand;
use super::words::{inserted_word, is_open, split};
use super::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::analysis::Assignment;
use crate::word::{Cause, Word};

/// How a program runs the value of a variable.
#[derive(Clone, Copy)]
enum VariableUse {
    /// As a text for a shell.
    Script,
    /// As a shell file that it reads first.
    File,
    /// As a text for a shell, perhaps with a `|` before it: `LESSOPEN`.
    Piped,
    /// As options before those among its words.
    Options,
    /// As a file in its own language that it runs first.
    Code,
    /// As directories, in which it searches for code that it runs first.
    Modules,
}

// `ROWS`: the names of programs, the names of their variables, and how they run the values.
include!(concat!(env!("OUT_DIR"), "/variables.rs"));

/// Returns what a command runs because of the variables that are set for it.
#[must_use]
pub fn environment_commands(words: &[Word], environment: &[Assignment]) -> Vec<NestedCommand> {
    if environment.is_empty() || words.is_empty() {
        return Vec::new();
    }
    let call = OuterCommand::new(words);
    // git runs such programs at the top of its working tree, or in yet another directory.
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

/// Whether a variable may contain settings of git.
fn may_configure(assignment: &Assignment, words: &[Word]) -> bool {
    assignment.name.starts_with("GIT_CONFIG_") || words.iter().any(|word| word.prefix().starts_with("--config-env"))
}

/// Whether a program runs the value of a variable of this name.
#[must_use]
pub fn is_run_variable(name: &str) -> bool {
    ROWS.iter().any(|(_, names, _)| matches_any(names, name))
}

/// Whether a variable has one of these names, in which a `*` matches any text.
fn matches_any(names: &[&str], name: &str) -> bool {
    names.iter().any(|own| match own.split_once('*') {
        Some((start, end)) => name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => *own == name,
    })
}

/// Returns the command with the options of a variable before its own, and with the variable removed, so that it is
/// not applied again.
fn prepend_options(words: &[Word], name: &str, value: &Word) -> Option<NestedCommand> {
    let (program, rest) = words.split_first()?;
    let options = split(value);
    let all = std::iter::once(program.clone()).chain(options).chain(rest.iter().cloned()).collect();
    let environment = vec![Assignment { name: name.to_owned(), value: None }];
    Some(NestedCommand::new(Runnable::Argv(all), &NestedSetting { environment, ..NestedSetting::default() }))
}

/// Returns the files that Python imports at startup from the directories of `PYTHONPATH`.
fn modules(value: &Word) -> impl Iterator<Item = Runnable> {
    let directories: Vec<String> = value.known_text().unwrap_or_default().split(':').map(str::to_owned).collect();
    directories.into_iter().filter(|directory| !directory.is_empty()).flat_map(|directory| {
        ["sitecustomize.py", "usercustomize.py"].map(|name| {
            Runnable::Foreign(CodeSource::File(Word::text(format!("{}/{name}", directory.trim_end_matches('/')))))
        })
    })
}

/// Returns what is run for the value of a variable; `None` for options and modules, which the caller handles.
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
