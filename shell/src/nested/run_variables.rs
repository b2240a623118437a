//! Environment variables whose values a program runs: `GIT_SEQUENCE_EDITOR`, `PAGER`, `BASH_ENV`.

use super::call::OuterCommand;
use super::words::{begins_with_unknown, inserted_word, join, quoted, replace, split};
use super::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::analysis::Assignment;
use crate::programs::WordSyntax;
use crate::startup::startup;
use crate::word::{Cause, Unknown, Word, WordPart};

/// How a program runs the value of a variable.
#[derive(Clone, Copy)]
enum VariableUse {
    /// As a text for a shell.
    Script,
    /// As a shell file that it reads first.
    File,
    /// As a text for a shell, perhaps with a `|` before it: `LESSOPEN`.
    Piped,
    /// As the directory of the files that a shell runs when it starts.
    Home,
    /// As options before those among its words.
    Options,
    /// As a file in its own language that it runs first.
    Code,
    /// As directories, in which it searches for code that it runs first.
    Modules,
    /// As code in its own language, or after an `@` as a file with it: `LUA_INIT`.
    CodeText,
    /// As a command that gets the operands of the program: `BROWSER`.
    Opener,
    /// As the names of shared libraries, whose code runs first: `LD_PRELOAD`.
    Libraries,
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
        let applies = |(programs, names, variable_use): &&(&[&str], &[&str], VariableUse)| {
            let is_loader = matches!(variable_use, VariableUse::Libraries);
            (is_loader || call.has_name_at(0, programs)) && matches_any(names, name)
        };
        let variable_use = ROWS.iter().find(applies);
        if variable_use.is_none() {
            found.extend(started_interpreter(name, value));
        }
        match variable_use.map(|(_, _, variable_use)| *variable_use) {
            Some(VariableUse::Options) => found.extend(prepend_options(words, name, value)),
            Some(VariableUse::Opener) => found.extend(opened(&call, value)),
            Some(VariableUse::Libraries) => found.extend(libraries(value)),
            Some(VariableUse::Piped) => found.push(NestedCommand::new(preprocessor(value, &call), &setting)),
            Some(VariableUse::Script) if name == "GIT_EXTERNAL_DIFF" => {
                found.push(NestedCommand::new(Runnable::script(super::git::with_files(value)), &setting));
            }
            Some(VariableUse::Home) => {
                found.extend(home_files(value, &call).map(|what| NestedCommand::new(what, &setting)))
            }
            Some(VariableUse::Modules) => found.extend(modules(value).map(|what| NestedCommand::new(what, &setting))),
            variable_use => found.extend(
                variable_use
                    .and_then(|variable_use| variable_target(variable_use, value))
                    .map(|what| NestedCommand::new(what, &setting)),
            ),
        }
    }
    found
}

/// Whether a variable may contain settings of git, or its pager.
fn may_configure(assignment: &Assignment, words: &[Word]) -> bool {
    assignment.name.starts_with("GIT_CONFIG_")
        || assignment.name.ends_with("PAGER")
        || words.iter().any(|word| word.prefix().starts_with("--config-env"))
}

/// Whether a program runs the value of a variable of this name.
#[must_use]
pub fn is_run_variable(name: &str) -> bool {
    ROWS.iter().any(|(_, names, _)| matches_any(names, name))
}

/// Whether a variable has one of these names, in which a `*` matches any text.
pub(crate) fn matches_any(names: &[&str], name: &str) -> bool {
    names.iter().any(|pattern| match pattern.split_once('*') {
        Some((start, end)) => name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => *pattern == name,
    })
}

/// Returns the command with the options of a variable before its own, and with the variable removed, so that it is
/// not applied again. If its first word is letters without a dash (`tar cf x`), which only count there, the options are
/// after its words.
fn prepend_options(words: &[Word], name: &str, value: &Word) -> Option<NestedCommand> {
    let (_, rest) = words.split_first()?;
    let is_bundled = OuterCommand::new(words).argv.table().is_some_and(|table| table.reading == WordSyntax::Bundled);
    let at = match rest.first() {
        Some(first) if is_bundled && !first.prefix().starts_with('-') => {
            words.iter().position(|word| word.known_text() == Some("--")).unwrap_or(words.len())
        }
        _ => 1,
    };
    let (before, after) = words.split_at_checked(at)?;
    let with_options = before.iter().cloned().chain(split(value)).chain(after.iter().cloned()).collect();
    let environment = vec![Assignment { name: name.to_owned(), value: None }];
    Some(NestedCommand::new(Runnable::Argv(with_options), &NestedSetting { environment, ..NestedSetting::default() }))
}

/// Returns the command of the interpreter that takes its options from the variable `name`, if one of them loads code.
/// The program that gets the variable is another one, but may start the interpreter: `NODE_OPTIONS='-r ./x' npm test`.
fn started_interpreter(name: &str, value: &Word) -> Option<NestedCommand> {
    const LOADING: &[&str] = &["-r", "--require", "--import", "--loader", "--experimental-loader", "-M", "-m", "-I"];
    let row = ROWS
        .iter()
        .find(|(_, names, variable_use)| matches!(variable_use, VariableUse::Options) && names.contains(&name));
    let program = row.and_then(|(programs, ..)| programs.first())?;
    let is_interpreter = crate::programs::program(program).is_some_and(crate::programs::Program::is_interpreter);
    let options = split(value);
    let loads = |word: &Word| LOADING.iter().any(|option| word.prefix().starts_with(option));
    if !is_interpreter || !options.iter().any(loads) {
        return None;
    }
    // An empty program: only what the options load matters.
    let words = std::iter::once(Word::text(*program)).chain(options).chain([Word::text("-e"), Word::text("")]);
    let doubt = Some(Unknown::new(Cause::Option, format!("{name}={}", value.display_text())));
    let environment = vec![Assignment { name: name.to_owned(), value: None }];
    let setting = NestedSetting { environment, ..NestedSetting::default() };
    Some(NestedCommand { doubt, ..NestedCommand::new(Runnable::Argv(words.collect()), &setting) })
}

/// Returns the command that opens the operands of a program, which replace a `%s`: `BROWSER='firefox %s'`.
fn opened(call: &OuterCommand<'_>, value: &Word) -> Option<NestedCommand> {
    let operand = call.operand(0)?;
    let mut words: Vec<Word> = split(value).iter().map(|word| replace(word, "%s", operand).0).collect();
    if !value.has_known_text("%s") {
        words.push(operand.clone());
    }
    Some(NestedCommand::from(Runnable::Argv(words)))
}

/// Returns the shared libraries in a list that colons and spaces separate.
fn libraries(value: &Word) -> Vec<NestedCommand> {
    let files: Vec<Word> = match value.known_text() {
        Some(text) => text.split([':', ' ']).filter(|library| library.contains('/')).map(Word::text).collect(),
        None => vec![value.clone()],
    };
    files.into_iter().map(|file| NestedCommand::from(Runnable::Foreign(CodeSource::File(file)))).collect()
}

/// Returns the files that a shell runs when it starts, in a directory.
fn home_files(directory: &Word, call: &OuterCommand<'_>) -> impl Iterator<Item = Runnable> {
    let names = startup(call.program().unwrap_or_default()).flat_map(|(_, names)| names);
    names.map(|name| {
        let mut file = directory.clone();
        file.push(WordPart::Text(format!("/{name}")));
        Runnable::File(file)
    })
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

/// Returns what is run for the value of a variable; `None` for the uses that the caller handles.
fn variable_target(variable_use: VariableUse, value: &Word) -> Option<Runnable> {
    match variable_use {
        VariableUse::Script => Some(Runnable::script(value.clone())),
        VariableUse::File => Some(Runnable::File(value.clone())),
        VariableUse::Code => Some(Runnable::Foreign(CodeSource::File(value.clone()))),
        VariableUse::CodeText => Some(Runnable::Foreign(match value.strip_prefix("@") {
            Some(file) => CodeSource::File(file),
            None => CodeSource::Text(value.clone()),
        })),
        VariableUse::Options
        | VariableUse::Modules
        | VariableUse::Piped
        | VariableUse::Home
        | VariableUse::Opener
        | VariableUse::Libraries => None,
    }
}

/// Returns the text of a preprocessor with the operands in place of each `%s`: `LESSOPEN='|convert %s'`.
fn preprocessor(value: &Word, call: &OuterCommand<'_>) -> Runnable {
    if begins_with_unknown(value) {
        return Runnable::script(value.clone());
    }
    let text = value.strip_prefix("||").or_else(|| value.strip_prefix("|")).unwrap_or_else(|| value.clone());
    let text = text.strip_prefix("-").unwrap_or(text);
    Runnable::script(replace(&text, "%s", &operands(call)).0)
}

/// Returns the operands of a command as a part of a text for a shell.
fn operands(call: &OuterCommand<'_>) -> Word {
    join(&call.argv.operands.iter().map(|word| quoted(word)).collect::<Vec<Word>>())
}
