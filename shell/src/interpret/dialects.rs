//! Texts that shells read differently: each is walked once for every reading, and the results are joined.
//!
//! Rules see the commands of every reading. A command that some reading lacks is marked as doubtful: it can count
//! against a call, but is never the only reason to allow one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;

use super::flow::Flow;
use super::{Frame, excerpt};
use crate::analysis::SimpleCommand;
use crate::dialect::{Dialect, DialectFeature, DialectReading, DialectSet};
use crate::programs::is_shell;
use crate::stream::{ShellValue, StreamContent, WrittenFile, insert_ids};
use crate::word::{Cause, Unknown, Word};

impl Frame<'_> {
    /// Walks a text in the first of some dialects, and again in each dialect that reads it differently. Every `walk`
    /// starts from the current state of the shell, and the states after all walks are joined.
    pub(super) fn walk_each_dialect(
        &mut self,
        dialects: DialectSet,
        text: &str,
        mut walk: impl FnMut(&mut Frame<'_>) -> Flow,
    ) -> Flow {
        let outer = self.state.reading.clone();
        let mut left = dialects;
        let start = (left.difference(dialects.first().map_or(left, DialectSet::from)) != DialectSet::NONE)
            .then(|| (self.state.clone(), Rc::clone(&self.interpreter.written)));
        let mut readings: Vec<Range<usize>> = Vec::new();
        let mut all: Option<Flow> = None;
        while let Some(own) = left.first() {
            let reading = DialectReading::new(own, left.difference(own.into()));
            let from = self.interpreter.commands.len();
            let flow = match (&start, all.take()) {
                (Some((start, written)), Some(flow)) => {
                    let mark = self.interpreter.checkpoint();
                    let theirs = std::mem::replace(&mut self.interpreter.written, Rc::clone(written));
                    let mut state = start.clone();
                    state.reading = reading.clone();
                    let setting = self.context;
                    let mut again = walk(&mut self.with_state(&mut state, setting));
                    let own_files = std::mem::replace(&mut self.interpreter.written, theirs);
                    if self.is_repeated(readings.first().cloned(), from, mark.opaque) {
                        self.interpreter.roll_back(&mark);
                        again.out.clone_from(&flow.out);
                    }
                    self.may_be_written(&own_files);
                    state.reading = outer.clone();
                    self.state.join(&state);
                    flow.merge(again)
                }
                _ => {
                    self.state.reading = reading.clone();
                    let flow = walk(self);
                    self.state.reading = outer.clone();
                    flow
                }
            };
            all = Some(flow);
            let end = self.interpreter.commands.len();
            if end > from || readings.is_empty() {
                readings.push(from..end);
            }
            left = reading.diverging();
        }
        self.mark_differences(&readings, text);
        all.unwrap_or_else(Flow::unknown)
    }

    /// Walks a text in a subshell, to its end.
    pub(super) fn walk_subshell_text(&mut self, script: &str) -> Flow {
        self.walk_to_end(|frame| frame.walk_script(script))
    }

    /// Walks a subshell to its end, where its own traps run. It does not inherit the traps of the parent shell.
    pub(super) fn walk_to_end(&mut self, walk: impl FnOnce(&mut Frame<'_>) -> Flow) -> Flow {
        let outer = std::mem::take(&mut self.interpreter.traps);
        let mut flow = walk(self);
        if !self.interpreter.traps.is_empty() {
            self.traps();
            // A trap of the subshell writes after the rest, or, on a signal, earlier.
            flow.content = StreamContent::Unknown;
        }
        self.interpreter.traps = outer;
        flow
    }

    /// Whether the commands since `from` equal those in the range `first`, and no opaque code was added since there
    /// were `opaque` pieces.
    pub(super) fn is_repeated(&mut self, first: Option<Range<usize>>, from: usize, opaque: usize) -> bool {
        let commands = &self.interpreter.commands;
        let first = first.and_then(|range| commands.get(range)).unwrap_or_default();
        let again = commands.get(from..).unwrap_or_default();
        let is_same = self.interpreter.opaque.len() == opaque
            && first.len() == again.len()
            && first.iter().zip(again).all(|(one, other)| is_same_command(one, other));
        let cost = 8 * again.len();
        self.interpreter.spend(cost);
        is_same
    }

    /// Merges the files of another reading, or of another path to the same point: the content of a file that differs
    /// is unknown.
    pub(super) fn may_be_written(&mut self, others: &Rc<BTreeMap<PathBuf, WrittenFile>>) {
        if Rc::ptr_eq(&self.interpreter.written, others) {
            return;
        }
        self.interpreter.spend(8 * (others.len() + self.interpreter.written.len()));
        let written = Rc::make_mut(&mut self.interpreter.written);
        for (path, other) in others.iter() {
            let own = written.entry(path.clone()).or_insert_with(|| other.clone());
            insert_ids(&mut own.writers, &other.writers);
            if own.content != other.content {
                own.content = StreamContent::Unknown;
            }
        }
    }

    /// Marks the commands that only some readings have as doubtful.
    fn mark_differences(&mut self, readings: &[Range<usize>], text: &str) {
        if readings.len() < 2 {
            return;
        }
        let keys = |range: &Range<usize>| -> BTreeSet<String> {
            self.interpreter.commands.get(range.clone()).unwrap_or_default().iter().map(key).collect()
        };
        let all: Vec<BTreeSet<String>> = readings.iter().map(keys).collect();
        let mut cost = 0;
        for range in readings {
            for command in self.interpreter.commands.get_mut(range.clone()).unwrap_or_default() {
                let key = key(command);
                cost += 8 + key.len() / 4;
                if !all.iter().all(|keys| keys.contains(&key)) {
                    command.doubt.get_or_insert_with(|| Unknown::new(Cause::Dialect, excerpt(text)));
                }
            }
        }
        self.interpreter.spend(cost);
    }

    /// Returns the dialects in which a script may be read: `named`, or every Bourne shell if that is empty. Variables
    /// that change how bash and zsh behave are taken into account.
    pub(super) fn readers(&self, named: DialectSet) -> DialectSet {
        let readers = if named.is_empty() { DialectSet::BOURNE } else { named };
        // Zsh behaves as the shell that its `$0` names, and `ARGV0` sets `$0`.
        let is_named = readers.has(Dialect::Zsh) && self.state.variables.contains_key("ARGV0");
        let readers = if is_named { readers.union(DialectSet::BOURNE) } else { readers };
        let is_posix = readers.has(Dialect::Bash) && self.state.variables.contains_key("POSIXLY_CORRECT");
        if is_posix { readers.difference(DialectSet::BASH).union(DialectSet::POSIX) } else { readers }
    }

    /// Whether a name that is a builtin in bash is an external program in the current dialect.
    pub(super) fn is_program(&self, name: &str) -> bool {
        MORE_BUILTINS.contains(&name) && !self.state.reading.has(DialectFeature::MoreBuiltins)
    }

    /// Whether a name is a special builtin, in a dialect that treats special builtins differently.
    pub(super) fn is_special(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| SPECIAL_BUILTINS.contains(&name))
            && self.state.reading.has(DialectFeature::SpecialBuiltins)
    }

    /// Switches the dialect for `set -o posix` and `set +o posix`, if the current one has that option.
    pub(super) fn set_posix(&mut self, dialect: Dialect) {
        if self.state.reading.has(DialectFeature::PosixMode) {
            self.state.reading.switch_to(dialect);
        }
    }
}

/// Whether a name is a builtin, or a keyword that is recorded like one.
pub(super) fn is_builtin(name: &str) -> bool {
    MORE_BUILTINS.contains(&name) || SPECIAL_BUILTINS.contains(&name) || BUILTINS.contains(&name)
}

/// Builtins of every shell.
const BUILTINS: &[&str] = &[
    "[", "alias", "bg", "cd", "command", "echo", "false", "fc", "fg", "getopts", "hash", "jobs", "kill", "local",
    "printf", "pwd", "read", "test", "true", "type", "ulimit", "umask", "unalias", "wait",
];

/// Builtins of bash that dash lacks, so that dash would run a program.
const MORE_BUILTINS: &[&str] = &[
    "bind",
    "builtin",
    "caller",
    "compgen",
    "complete",
    "compopt",
    "declare",
    "dirs",
    "disown",
    "enable",
    "help",
    "history",
    "let",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "readarray",
    "shopt",
    "source",
    "suspend",
    "typeset",
];

/// The special builtins of POSIX.
const SPECIAL_BUILTINS: &[&str] = &[
    ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "times",
    "trap", "unset",
];

/// Returns the dialects that the shebang line of a script names; `None` if it names no shell.
pub(super) fn shebang_dialects(script: &ShellValue) -> Option<DialectSet> {
    let words: Vec<Word> = interpreter(script.word.prefix())?.iter().map(Word::text).collect();
    crate::nested::dialects_of(&words)
}

/// Whether the shebang line of a script names fish.
pub(super) fn is_fish_script(script: &ShellValue) -> bool {
    interpreter(script.word.prefix()).is_some_and(|words| words.first().is_some_and(|name| name == "fish"))
}

/// Whether the shebang line of a text names a shell of the Bourne family: `#!/bin/sh`, `#!/usr/bin/env bash`.
#[must_use]
pub fn is_shell_script(text: &str) -> bool {
    let words = interpreter(text).unwrap_or_default();
    words.first().is_some_and(|name| is_shell(name))
}

/// Returns the name of the interpreter in the shebang line of a script, and its arguments. An `env` before it is
/// removed.
fn interpreter(script: &str) -> Option<Vec<String>> {
    let line = script.strip_prefix("#!")?.lines().next()?;
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    if name(words.first()?) == "env" {
        words.remove(0);
        words.retain(|word| *word != "-S" && !word.contains('='));
    }
    let shell = name(words.first()?);
    Some(std::iter::once(shell).chain(words.iter().skip(1).map(|word| (*word).to_owned())).collect())
}

/// Returns a key for comparing the commands of two readings: the directory and the words.
fn key(command: &SimpleCommand) -> String {
    let mut key = super::simple::directory(&command.cwd).unwrap_or_default().to_owned();
    for word in &command.words {
        key.push('\0');
        key.push_str(&word.display_text());
    }
    key
}

/// Whether two commands have the same effects and the same input.
fn is_same_command(one: &SimpleCommand, other: &SimpleCommand) -> bool {
    one.words == other.words
        && one.cwd == other.cwd
        && one.scope == other.scope
        && one.redirects == other.redirects
        && one.environment == other.environment
        && one.doubt == other.doubt
        && one.may_be_task == other.may_be_task
        && one.piped_from.len() == other.piped_from.len()
        && one.input == other.input
        && one.in_background == other.in_background
}
