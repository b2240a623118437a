//! Programs whose output is meant to be evaluated: `eval "$(ssh-agent -s)"`, `source <(kubectl completion bash)`.
//!
//! Their output sets variables and defines functions, and runs nothing that the program itself would not run. So it
//! is not recorded as opaque code. This only holds for a program that the user or the system has installed: not for
//! one at another path, nor if the text redefines the name or a word is unknown.

use super::Frame;
use crate::analysis::SimpleCommand;
use crate::prints::{self, EvaluationEffect};
use crate::state::ProgramLookup;
use crate::stream::{CommandId, ShellValue, Writer};
use crate::word::{Cause, Word};

/// First arguments by which unlisted programs are usually asked for shell settings: `starship init bash`.
const CONVENTIONS: &[&str] =
    &["activate", "completion", "completions", "env", "hook", "init", "shell-init", "shellenv"];

/// Directories of the system and of package managers, in which only these install programs.
const SYSTEM: &[&str] = &[
    "/usr/bin/",
    "/bin/",
    "/usr/local/bin/",
    "/usr/sbin/",
    "/opt/homebrew/bin/",
    "/home/linuxbrew/.linuxbrew/bin/",
    "/opt/local/bin/",
    "/snap/bin/",
];

impl Frame<'_> {
    /// Whether an executed text is entirely the output of such programs, which `from` lists. If so, the search path
    /// may have been extended: that is recorded.
    pub(super) fn is_generated(&mut self, from: &[Writer]) -> bool {
        let count = self.interpreter.commands.len();
        let writers = || from.iter().filter_map(|writer| writer.command()).filter(|id| id.0 < count);
        if writers().next().is_none() {
            return false;
        }
        let mut sets = EvaluationEffect::Settings;
        let mut found = Vec::new();
        for command in writers().filter_map(|id| self.interpreter.commands.get(id.0)) {
            match generator(command, &self.context.via) {
                Some(_) if self.is_defined(command) => return false,
                Some(EvaluationEffect::Settings) => {}
                Some(EvaluationEffect::Environment) => sets = EvaluationEffect::Environment,
                None => return false,
            }
            // If the text has changed where the name is found, the program is as unknown as a script.
            if command.is_shadowed && self.state.lookup == ProgramLookup::Changed {
                found.push(command.words.iter().map(Word::display_text).collect::<Vec<_>>().join(" "));
            }
        }
        for text in found {
            self.add_opaque(Cause::ScriptFile, text.clone(), Some(text));
        }
        if sets == EvaluationEffect::Environment {
            self.state.lookup = self.state.lookup.max(ProgramLookup::SetUp);
        }
        true
    }

    /// Whether the text defines the name of the program as a function or an alias.
    fn is_defined(&self, command: &SimpleCommand) -> bool {
        let name = command.words.first().and_then(Word::known_text).unwrap_or_default();
        self.state.functions.contains_key(name) || self.state.aliases.contains_key(name)
    }
}

/// Whether a value is a single unknown output of commands, without other text.
pub(super) fn is_output(value: &ShellValue) -> bool {
    matches!(value.word.parts.as_slice(), [crate::word::WordPart::Unknown(unknown)] if unknown.reason.cause == Cause::Output)
}

/// Returns the effect of evaluating the output of a command; `None` if the output may contain anything.
fn generator(command: &SimpleCommand, via: &[CommandId]) -> Option<EvaluationEffect> {
    let words: Vec<&str> = command.words.iter().map(Word::known_text).collect::<Option<_>>()?;
    let (program, arguments) = words.split_first()?;
    let program = &SYSTEM.iter().find_map(|start| program.strip_prefix(start)).unwrap_or(program);
    let is_plain = command.assignments.is_empty() && command.doubt.is_none();
    // Only the commands that run this shell may also run the program: `ssh host …` runs it elsewhere.
    let is_direct = command.outer_commands.iter().all(|outer| via.contains(outer));
    if !is_plain || !is_direct {
        return None;
    }
    let listed = prints::evaluation_effect(program, arguments);
    listed.or_else(|| is_conventional(program, arguments).then_some(EvaluationEffect::Environment))
}

/// Whether an unlisted program is asked for shell settings by its first argument. A listed one may give the word
/// another meaning, and a program with a path may have been written by anybody.
fn is_conventional(program: &str, arguments: &[&str]) -> bool {
    !program.contains('/')
        && crate::programs::program(program).is_none()
        && arguments.first().is_some_and(|first| CONVENTIONS.contains(first))
        && arguments.iter().all(|word| !word.contains([' ', ';', '|', '&', '$', '`', '\n']))
}
