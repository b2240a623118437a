//! Code in other languages that a command runs, if it could not be evaluated. The files that it opens are usually
//! literals in it.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use crate::access::{AccessCertainty, AccessExtent, FileAccess, Verb};
use crate::analysis::{RedirectKind, SimpleCommand};
use crate::foreign::{literals, may_change};
use crate::nested::{CodeSource, Runnable, commands_nested_in};
use crate::programs::InterpreterLanguage;
use crate::word::{Cause, Unknown, Word, WordPart};

/// Adds possible accesses to the files that the code of a command may touch, which are the literals that can be paths.
pub(super) fn apply(call: &ParsedCommand<'_>, command: &SimpleCommand, accesses: &mut FileAccesses) {
    // Awk has a function of its own in `edits`.
    if language(call).is_none_or(|language| language == InterpreterLanguage::Awk) {
        return;
    }
    for nested in commands_nested_in(command) {
        match nested.runnable {
            Runnable::Foreign(CodeSource::Text(code)) => add_named_files(&code, accesses),
            Runnable::Foreign(CodeSource::Input) => {
                for redirect in command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text) {
                    add_named_files(&redirect.target, accesses);
                }
            }
            _ => {}
        }
    }
}

/// Returns the paths of the links that the code of a command creates: `os.link(a, b)` creates `b`.
#[must_use]
pub fn links_in_code(command: &SimpleCommand) -> Vec<&Word> {
    let equivalents = command.code.iter().flat_map(|code| &code.equivalent_commands);
    equivalents.filter(|words| is_linking(words)).filter_map(|words| words.last()).collect()
}

/// Whether the code of a command creates a link at this path, and uses the same path for something else as well.
#[must_use]
pub fn uses_link_in_code(command: &SimpleCommand, path: &Word) -> bool {
    let mut equivalents = command.code.iter().flat_map(|code| &code.equivalent_commands);
    links_in_code(command).contains(&path)
        && equivalents.any(|words| !is_linking(words) && words.iter().any(|word| word == path))
}

/// Whether these words are a command that creates a link.
fn is_linking(words: &[Word]) -> bool {
    words.first().and_then(Word::known_text) == Some("ln")
}

/// Whether a command is an interpreter of another language, so that a text that is passed to it is code.
#[must_use]
pub fn is_interpreter(command: &SimpleCommand) -> bool {
    language(&ParsedCommand::from_command(command, super::StdinKind::Inherited)).is_some()
}

/// Returns the language that the program of a command interprets; `None` if it is not an interpreter.
fn language(call: &ParsedCommand<'_>) -> Option<InterpreterLanguage> {
    call.argv.records.first().and_then(|table| table.language)
}

/// Adds possible accesses to the files that literals in code name: only reads if nothing in the code looks like a
/// change of files.
fn add_named_files(code: &Word, accesses: &mut FileAccesses) {
    let texts = code.parts.iter().filter_map(|part| match part {
        WordPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    for text in texts {
        let changes = may_change(text);
        for literal in literals(text) {
            let verbs: &[Verb] = if changes { &[Verb::Reads, Verb::Writes, Verb::Deletes] } else { &[Verb::Reads] };
            for verb in verbs {
                accesses.add(FileAccess {
                    verb: *verb,
                    path: Word::text(literal),
                    extent: AccessExtent::PathOnly,
                    certainty: AccessCertainty::Maybe(Unknown::new(Cause::Foreign, literal)),
                });
            }
        }
    }
}
