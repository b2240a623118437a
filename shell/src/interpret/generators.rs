//! Programs whose output is made to be evaluated: `eval "$(ssh-agent -s)"`, `source <(kubectl completion bash)`.
//!
//! What they write sets variables and defines functions, and runs nothing that the program itself would not run. That
//! is known of the program of this name that the user or the system has installed: not of one that lies elsewhere, not
//! where the text gives the name to something else, and not where one of its words is not known.

use super::Frame;
use crate::analysis::Simple;
use crate::prints::{self, Generates};
use crate::state::Lookup;
use crate::stream::{CommandId, Value, Writer};
use crate::word::{Cause, Word};

/// What the first word of a program is called that prints settings for a shell, whichever program it is.
const CONVENTIONS: &[&str] =
    &["activate", "completion", "completions", "env", "hook", "init", "shell-init", "shellenv"];

/// Where the system and its packages lie: nobody else puts programs there.
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
    /// Tells whether what is executed is all that such a program wrote, and does what that does to the shell.
    pub(super) fn is_generated(&mut self, from: &[Writer]) -> bool {
        let count = self.interpreter.commands.len();
        let writers = || from.iter().filter_map(|writer| writer.command()).filter(|id| id.0 < count);
        if writers().next().is_none() {
            return false;
        }
        let mut sets = Generates::Settings;
        let mut found = Vec::new();
        for command in writers().filter_map(|id| self.interpreter.commands.get(id.0)) {
            match generator(command, &self.setting.via) {
                Some(_) if self.is_defined(command) => return false,
                Some(Generates::Settings) => {}
                Some(Generates::Environment) => sets = Generates::Environment,
                None => return false,
            }
            // One that is found where the text has just said is as much known as a script that lies there.
            if command.is_shadowed && self.state.lookup == Lookup::Changed {
                found.push(command.words.iter().map(Word::shown).collect::<Vec<_>>().join(" "));
            }
        }
        for text in found {
            self.opaque(Cause::ScriptFile, text.clone(), Some(text));
        }
        if sets == Generates::Environment {
            self.state.lookup = self.state.lookup.max(Lookup::SetUp);
        }
        true
    }

    /// Tells whether the text gives the name of a program to something else.
    fn is_defined(&self, command: &Simple) -> bool {
        let name = command.words.first().and_then(Word::known).unwrap_or_default();
        self.state.functions.contains_key(name) || self.state.aliases.contains_key(name)
    }
}

/// Tells whether a text is nothing but the output of commands.
pub(super) fn is_output(value: &Value) -> bool {
    matches!(value.word.parts.as_slice(), [crate::word::Part::Unknown(unknown)] if unknown.why.cause == Cause::Output)
}

fn generator(command: &Simple, via: &[CommandId]) -> Option<Generates> {
    let words: Vec<&str> = command.words.iter().map(Word::known).collect::<Option<_>>()?;
    let (program, arguments) = words.split_first()?;
    let program = &SYSTEM.iter().find_map(|start| program.strip_prefix(start)).unwrap_or(program);
    let is_plain = command.assignments.is_empty() && command.doubt.is_none();
    // What runs it runs the shell too.
    let is_direct = command.via.iter().all(|outer| via.contains(outer));
    if !is_plain || !is_direct {
        return None;
    }
    let listed = prints::generates(program, arguments);
    listed.or_else(|| is_conventional(program, arguments).then_some(Generates::Environment))
}

/// Tells whether a program of which nothing is known is asked for such settings. One that is known prints what it is
/// given, or does something else by that word; and where anybody could have put one, it is a script like any other.
fn is_conventional(program: &str, arguments: &[&str]) -> bool {
    !program.contains('/')
        && crate::programs::program(program).is_none()
        && arguments.first().is_some_and(|first| CONVENTIONS.contains(first))
        && arguments.iter().all(|word| !word.contains([' ', ';', '|', '&', '$', '`', '\n']))
}
