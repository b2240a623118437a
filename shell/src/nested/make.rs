//! What `make` runs because of its words: files of `-f`, `$(shell …)` in variables, variables whose value is a
//! command.
//!
//! A makefile that the words do not name is not read. A variable has an effect only if a makefile uses it, which is
//! not known.

use super::call::OuterCommand;
use super::words::{begins_with_unknown, join, split};
use super::{CodeSource, NestedCommand, NestedSetting, Runnable, script};
use crate::analysis::Assignment;
use crate::programs::program;
use crate::word::{Cause, Unknown, Word};

/// Returns what `make` runs because of its words.
pub(super) fn make(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let files = call.values("-f").map(|file| Runnable::Foreign(CodeSource::File(file.clone())));
    let mut found: Vec<NestedCommand> = files.map(|what| NestedCommand::new(what, setting)).collect();
    let arguments = call.words.get(1..).unwrap_or_default();
    let is_set = |word: &&Word| word.prefix().split_once('=').is_some_and(|(name, _)| is_variable(name));
    let other_words: Vec<Word> = arguments.iter().filter(|word| !is_set(word)).cloned().collect();
    found.extend(shell_functions(&join(&other_words)).into_iter().map(|text| script(text, setting)));
    let flags = arguments.iter().rev().find_map(|word| word.strip_prefix(".SHELLFLAGS="));
    for word in arguments {
        let Some((name, value)) = word.split_at_equals().filter(|(name, _)| is_variable(name)) else { continue };
        let doubt = Some(Unknown::new(Cause::Option, word.display_text()));
        let used = shell_functions(&value).into_iter().map(Runnable::script);
        let what = match name.trim_end_matches([':', '?', '+']) {
            "SHELL" => shell(&value, flags.as_ref()),
            // `NAME != command` runs the command.
            name if name.ends_with('!') || may_be_command(&value) => Some(Runnable::script(value.clone())),
            _ => None,
        };
        let may_run =
            used.chain(what).map(|what| NestedCommand { doubt: doubt.clone(), ..NestedCommand::new(what, setting) });
        found.extend(may_run);
    }
    found
}

/// Returns what `make` may run because of its environment: the makefiles of `MAKEFILES`, and commands in variables,
/// which a makefile can use like its own.
pub(super) fn environment_commands(environment: &[Assignment], setting: &NestedSetting) -> Vec<NestedCommand> {
    let makefiles = environment.iter().filter(|one| one.name == "MAKEFILES").filter_map(|one| one.value.as_ref());
    let makefiles = makefiles.flat_map(split).map(|file| Runnable::Foreign(CodeSource::File(file)));
    let commands = environment.iter().filter_map(|one| {
        let value = one.value.as_ref().filter(|value| may_be_command(value))?;
        let doubt = Some(Unknown::new(Cause::Option, format!("{}={}", one.name, value.display_text())));
        Some(NestedCommand { doubt, ..script(value.clone(), setting) })
    });
    makefiles.map(|what| NestedCommand::new(what, setting)).chain(commands).collect()
}

/// Whether the text before a `=` is the name of a variable, perhaps with the sign of an operator: `CC`,
/// `.SHELLFLAGS`, `X:`, `X!`.
fn is_variable(name: &str) -> bool {
    let name = name.trim_end_matches([':', '?', '+', '!']);
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
        && !name.starts_with('-')
}

/// Returns the program that runs the recipes, with the flags of `.SHELLFLAGS`; `None` if it is a shell or another
/// interpreter without further words.
fn shell(value: &Word, flags: Option<&Word>) -> Option<Runnable> {
    let mut words = split(value);
    let name = words.first()?.known_text()?;
    let is_shell = program(crate::argv::base_name(name)).is_some_and(crate::programs::Program::is_interpreter);
    words.extend(flags.map_or_else(|| vec![Word::text("-c")], split));
    if is_shell && words.len() < 3 { None } else { Runnable::argv(&words) }
}

/// Whether the value of a variable may be a command: it has several words, the first of them a known program, or it
/// contains shell operators.
fn may_be_command(value: &Word) -> bool {
    let is_known = |word: &Word| word.known_text().is_some_and(|name| program(crate::argv::base_name(name)).is_some());
    let words = split(value);
    let is_command_line = words.len() > 1 && words.first().is_some_and(is_known);
    is_command_line
        || !begins_with_unknown(value) && [";", "`", "&&", "||", "| "].iter().any(|sign| value.has_known_text(sign))
}

/// Returns the texts of `$(shell …)` and `${shell …}`, which a shell runs when the variable is used.
fn shell_functions(word: &Word) -> Vec<Word> {
    let mut found = Vec::new();
    let text = word.literal();
    for (start, close) in [("$(shell ", ')'), ("${shell ", '}')] {
        for (at, _) in text.match_indices(start) {
            let rest = text.get(at + start.len()..).unwrap_or_default();
            let open = start.chars().nth(1).unwrap_or(close);
            found.push(Word::text(until_closing(rest, open, close)));
        }
    }
    found
}

/// Returns a text up to the bracket that closes it, or the whole text if no bracket does.
fn until_closing(text: &str, open: char, close: char) -> &str {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        depth = if c == open {
            depth + 1
        } else if c == close {
            depth - 1
        } else {
            depth
        };
        if depth == 0 {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}
