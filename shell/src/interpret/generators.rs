//! Programs whose output is meant to be evaluated: `eval "$(ssh-agent -s)"`, `source <(kubectl completion bash)`.
//!
//! Their output sets variables and defines functions, and runs nothing that the program itself would not run. So it
//! is not recorded as opaque code. This only applies to programs that the user or the system has installed: not to a
//! program at another path, not if the text redefines its name, and not if one of its words is unknown.

use super::Frame;
use crate::analysis::SimpleCommand;
use crate::prints::{self, EvaluationEffect};
use crate::state::ProgramLookup;
use crate::stream::{CommandId, ShellValue, Writer};
use crate::word::{Cause, Word};

/// First arguments with which programs usually print shell settings: `starship init bash`.
const SETUP_ARGUMENTS: &[&str] =
    &["activate", "completion", "completions", "env", "hook", "init", "shell-init", "shellenv"];

/// Directories in which only the system and package managers install programs.
const SYSTEM_DIRECTORIES: &[&str] = &[
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
    /// Whether all writers of a text that is executed are programs that print shell settings. If so, records that the
    /// search path may have been extended.
    pub(super) fn is_generated(&mut self, writers: &[Writer]) -> bool {
        let count = self.interpreter.commands.len();
        let ids = || writers.iter().filter_map(|writer| writer.command()).filter(|id| id.0 < count);
        if ids().next().is_none() {
            return false;
        }
        let mut effect = EvaluationEffect::Settings;
        let mut shadowed_programs = Vec::new();
        for command in ids().filter_map(|id| self.interpreter.commands.get(id.0)) {
            match generator(command, &self.context.via) {
                Some(_) if self.is_defined(command) => return false,
                Some(EvaluationEffect::Settings) => {}
                Some(EvaluationEffect::Environment) => effect = EvaluationEffect::Environment,
                None => return false,
            }
            // If the text has changed where the name is found, the program is as unknown as a script.
            if command.is_shadowed && self.state.lookup == ProgramLookup::Changed {
                shadowed_programs.push(command.words.iter().map(Word::display_text).collect::<Vec<_>>().join(" "));
            }
        }
        for text in shadowed_programs {
            self.add_opaque(Cause::ScriptFile, text.clone(), Some(text));
        }
        if effect == EvaluationEffect::Environment {
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

/// Whether a value is nothing but the unknown output of a command.
pub(super) fn is_output(value: &ShellValue) -> bool {
    matches!(value.word.parts.as_slice(), [crate::word::WordPart::Unknown(unknown)] if unknown.reason.cause == Cause::Output)
}

/// Returns the effect of evaluating the output of a command; `None` if the output may be any code.
fn generator(command: &SimpleCommand, via: &[CommandId]) -> Option<EvaluationEffect> {
    let words: Vec<&str> = command.words.iter().map(Word::known_text).collect::<Option<_>>()?;
    let (program, arguments) = words.split_first()?;
    let program = &SYSTEM_DIRECTORIES.iter().find_map(|start| program.strip_prefix(start)).unwrap_or(program);
    let is_plain = command.assignments.is_empty() && command.doubt.is_none();
    // Only the commands that run this shell may also run the program: `ssh host …` runs it elsewhere.
    let is_direct = command.outer_commands.iter().all(|outer| via.contains(outer));
    if !is_plain || !is_direct {
        return None;
    }
    let listed = prints::evaluation_effect(program, arguments);
    listed.or_else(|| prints_settings_by_convention(program, arguments).then_some(EvaluationEffect::Environment))
}

/// Whether a program without a record prints shell settings, by its first argument. In a program that has a record, the
/// word may have another meaning, and anybody may have written a program at a path.
fn prints_settings_by_convention(program: &str, arguments: &[&str]) -> bool {
    !program.contains('/')
        && crate::programs::program(program).is_none()
        && arguments.first().is_some_and(|first| SETUP_ARGUMENTS.contains(first))
        && arguments.iter().all(|word| !word.contains([' ', ';', '|', '&', '$', '`', '\n']))
}
