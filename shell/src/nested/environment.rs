//! Variables whose values a program runs: `GIT_SEQUENCE_EDITOR`, `PAGER`, `BASH_ENV`.

use super::call::Call;
use super::words::{is_open, placed, split};
use super::{Code, Nested, Setting, What};
use crate::analysis::Assignment;
use crate::word::{Cause, Word};

/// The meaning of a variable's value.
#[derive(Clone, Copy)]
enum Held {
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
pub fn by_environment(words: &[Word], environment: &[Assignment]) -> Vec<Nested> {
    if environment.is_empty() || words.is_empty() {
        return Vec::new();
    }
    let call = Call::new(words);
    // git runs it at the top of its tree, or in yet another directory.
    let directory = call.is(0, &["git"]).then(|| placed(Cause::Directory, "git"));
    let setting = Setting { directory, ..Setting::default() };
    let mut found = Vec::new();
    if call.is(0, &["git"]) && environment.iter().any(|one| may_configure(one, words)) {
        found.extend(super::git::by_environment(words, environment, &setting));
    }
    if call.is(0, &["make"]) {
        found.extend(super::make::by_environment(environment, &setting));
    }
    for (at, Assignment { name, value }) in environment.iter().enumerate() {
        let is_last = environment.iter().skip(at + 1).all(|later| later.name != *name);
        let Some(value) = value.as_ref().filter(|value| is_last && !value.parts.is_empty()) else { continue };
        let held = ROWS.iter().find(|(programs, names, _)| call.is(0, programs) && has(names, name));
        match held.map(|(_, _, held)| *held) {
            Some(Held::Options) => found.extend(with_options(words, name, value)),
            Some(Held::Modules) => found.extend(modules(value).map(|what| Nested::with(what, &setting))),
            held => found.extend(held.and_then(|held| what(held, value)).map(|what| Nested::with(what, &setting))),
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
    ROWS.iter().any(|(_, names, _)| has(names, name))
}

/// Whether a variable is among these; a `*` in one of them matches anything.
fn has(names: &[&str], name: &str) -> bool {
    names.iter().any(|own| match own.split_once('*') {
        Some((start, end)) => name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => *own == name,
    })
}

/// Returns the program with the options of a variable before its own, and without the variable.
fn with_options(words: &[Word], name: &str, value: &Word) -> Option<Nested> {
    let (program, rest) = words.split_first()?;
    let options = split(value);
    let all = std::iter::once(program.clone()).chain(options).chain(rest.iter().cloned()).collect();
    let environment = vec![Assignment { name: name.to_owned(), value: None }];
    Some(Nested::with(What::Argv(all), &Setting { environment, ..Setting::default() }))
}

/// The files that Python imports at startup.
fn modules(value: &Word) -> impl Iterator<Item = What> {
    let directories: Vec<String> = value.known().unwrap_or_default().split(':').map(str::to_owned).collect();
    directories.into_iter().filter(|directory| !directory.is_empty()).flat_map(|directory| {
        ["sitecustomize.py", "usercustomize.py"]
            .map(|name| What::Foreign(Code::File(Word::text(format!("{}/{name}", directory.trim_end_matches('/'))))))
    })
}

fn what(held: Held, value: &Word) -> Option<What> {
    match held {
        Held::Script => Some(What::script(value.clone())),
        Held::File => Some(What::File(value.clone())),
        Held::Piped if is_open(value) => Some(What::script(value.clone())),
        Held::Code => Some(What::Foreign(Code::File(value.clone()))),
        Held::Options | Held::Modules => None,
        Held::Piped => {
            let text = value.after("||").or_else(|| value.after("|")).unwrap_or_else(|| value.clone());
            Some(What::script(text.after("-").unwrap_or(text)))
        }
    }
}
