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
use crate::state::ShellState;
use crate::stream::{ShellValue, StreamContent, WrittenFile, insert_ids};
use crate::word::{Cause, Unknown, Word};

impl Frame<'_> {
    /// Walks a text in the first of the dialects, and again in each dialect that reads it differently. Every `walk`
    /// starts from the current state of the shell; the resulting states are joined, and the flows merged.
    pub(super) fn walk_each_dialect(
        &mut self,
        dialects: DialectSet,
        text: &str,
        mut walk: impl FnMut(&mut Frame<'_>) -> Flow,
    ) -> Flow {
        let outer = self.state.reading.clone();
        let mut remaining = dialects;
        let may_diverge =
            remaining.difference(dialects.first().map_or(remaining, DialectSet::from)) != DialectSet::NONE;
        // The second and later walks start from here.
        let start = may_diverge.then(|| (self.state.clone(), Rc::clone(&self.interpreter.written)));
        let mut readings: Vec<Range<usize>> = Vec::new();
        let mut merged: Option<Flow> = None;
        while let Some(dialect) = remaining.first() {
            let reading = DialectReading::new(dialect, remaining.difference(dialect.into()));
            let first_command = self.interpreter.commands.len();
            let flow = match (&start, merged.take()) {
                (Some(start), Some(flow)) => {
                    let again = self.walk_again(start, &reading, &outer, readings.first().cloned(), &flow, &mut walk);
                    flow.merge(again)
                }
                // The first walk.
                _ => {
                    self.state.reading = reading.clone();
                    let flow = walk(self);
                    self.state.reading = outer.clone();
                    flow
                }
            };
            merged = Some(flow);
            let end = self.interpreter.commands.len();
            if end > first_command || readings.is_empty() {
                readings.push(first_command..end);
            }
            // Only the dialects that this walk found to read the text differently are left.
            remaining = reading.diverging();
        }
        self.mark_differences(&readings, text);
        merged.unwrap_or_else(Flow::unknown)
    }

    /// Walks a text once more, from the state and the written files in `start`, and joins the results into the current
    /// ones. Returns the flow of this walk.
    ///
    /// `first` is the range of the commands that the first walk recorded, `flow` the flow of the earlier walks, and
    /// `outer` the reading that is in effect afterwards.
    fn walk_again(
        &mut self,
        start: &(ShellState, Rc<BTreeMap<PathBuf, WrittenFile>>),
        reading: &DialectReading,
        outer: &DialectReading,
        first: Option<Range<usize>>,
        flow: &Flow,
        walk: &mut impl FnMut(&mut Frame<'_>) -> Flow,
    ) -> Flow {
        let (start, written_at_start) = start;
        let first_command = self.interpreter.commands.len();
        let checkpoint = self.interpreter.checkpoint();
        let written_before = std::mem::replace(&mut self.interpreter.written, Rc::clone(written_at_start));
        let mut state = start.clone();
        state.reading = reading.clone();
        let context = self.context;
        let mut again = walk(&mut self.with_state(&mut state, context));
        let written_again = std::mem::replace(&mut self.interpreter.written, written_before);
        // A walk that records the same commands as the first one adds nothing.
        if self.is_repeated(first, first_command, checkpoint.opaque) {
            self.interpreter.roll_back(&checkpoint);
            // The output of this walk refers to the commands that were dropped.
            again.out.clone_from(&flow.out);
        }
        self.merge_written_files(&written_again);
        state.reading = outer.clone();
        self.state.join(&state);
        again
    }

    /// Walks a text in a subshell to its end, where the subshell's own traps run.
    pub(super) fn walk_subshell_text(&mut self, script: &str) -> Flow {
        self.walk_to_end(|frame| frame.walk_script(script))
    }

    /// Walks a subshell to its end, where its own traps run. A subshell does not inherit the traps of the parent shell.
    pub(super) fn walk_to_end(&mut self, walk: impl FnOnce(&mut Frame<'_>) -> Flow) -> Flow {
        let outer = std::mem::take(&mut self.interpreter.traps);
        let mut flow = walk(self);
        if !self.interpreter.traps.is_empty() {
            self.walk_traps();
            // A trap of the subshell writes after the rest, or, on a signal, earlier.
            flow.content = StreamContent::Unknown;
        }
        self.interpreter.traps = outer;
        flow
    }

    /// Whether the commands from index `from` on are the same as those in the range `earlier`, and there are still only
    /// `opaque_count` pieces of opaque code.
    pub(super) fn is_repeated(&mut self, earlier: Option<Range<usize>>, from: usize, opaque_count: usize) -> bool {
        let commands = &self.interpreter.commands;
        let earlier = earlier.and_then(|range| commands.get(range)).unwrap_or_default();
        let later = commands.get(from..).unwrap_or_default();
        let is_same = self.interpreter.opaque.len() == opaque_count
            && earlier.len() == later.len()
            && earlier.iter().zip(later).all(|(one, other)| is_same_command(one, other));
        let cost = 8 * later.len();
        self.interpreter.spend(cost);
        is_same
    }

    /// Merges the files that were written in another reading, or on another path to the same point. If a file differs,
    /// its content is unknown.
    pub(super) fn merge_written_files(&mut self, others: &Rc<BTreeMap<PathBuf, WrittenFile>>) {
        if Rc::ptr_eq(&self.interpreter.written, others) {
            return;
        }
        self.interpreter.spend(8 * (others.len() + self.interpreter.written.len()));
        let written = Rc::make_mut(&mut self.interpreter.written);
        for (path, other) in others.iter() {
            let merged = written.entry(path.clone()).or_insert_with(|| other.clone());
            insert_ids(&mut merged.writers, &other.writers);
            if merged.content != other.content {
                merged.content = StreamContent::Unknown;
            }
        }
    }

    /// Marks as doubtful the commands that only some of the readings have.
    fn mark_differences(&mut self, readings: &[Range<usize>], text: &str) {
        if readings.len() < 2 {
            return;
        }
        let keys_of = |range: &Range<usize>| -> BTreeSet<String> {
            self.interpreter.commands.get(range.clone()).unwrap_or_default().iter().map(key).collect()
        };
        let keys_of_readings: Vec<BTreeSet<String>> = readings.iter().map(keys_of).collect();
        let mut cost = 0;
        for range in readings {
            for command in self.interpreter.commands.get_mut(range.clone()).unwrap_or_default() {
                let key = key(command);
                cost += 8 + key.len() / 4;
                if !keys_of_readings.iter().all(|keys| keys.contains(&key)) {
                    command.doubt.get_or_insert_with(|| Unknown::new(Cause::Dialect, excerpt(text)));
                }
            }
        }
        self.interpreter.spend(cost);
    }

    /// Returns the dialects in which a script may be read: `named`, or those of all Bourne shells if it is empty. Takes
    /// into account the variables that change how bash and zsh read: `POSIXLY_CORRECT`, `ARGV0`.
    pub(super) fn possible_dialects(&self, named: DialectSet) -> DialectSet {
        let readers = if named.is_empty() { DialectSet::BOURNE } else { named };
        // Zsh behaves as the shell that its `$0` names, and `ARGV0` sets `$0`.
        let is_named = readers.has(Dialect::Zsh) && self.state.variables.contains_key("ARGV0");
        let readers = if is_named { readers.union(DialectSet::BOURNE) } else { readers };
        let is_posix = readers.has(Dialect::Bash) && self.state.variables.contains_key("POSIXLY_CORRECT");
        if is_posix { readers.difference(DialectSet::BASH).union(DialectSet::POSIX) } else { readers }
    }

    /// Whether a name is a builtin of bash that the current dialect lacks, so that it is an external program.
    pub(super) fn is_missing_builtin(&self, name: &str) -> bool {
        MORE_BUILTINS.contains(&name) && !self.state.reading.has(DialectFeature::MoreBuiltins)
    }

    /// Whether a name is a special builtin, such as `export`, in a dialect that treats those differently from others.
    pub(super) fn is_special(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| SPECIAL_BUILTINS.contains(&name))
            && self.state.reading.has(DialectFeature::SpecialBuiltins)
    }

    /// Switches to a dialect for `set -o posix` and `set +o posix`, if the current one has that option.
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

/// Whether two recorded commands have the same effects and the same input.
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
