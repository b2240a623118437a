//! Traps: their code is walked with the functions and variables of each moment at which it may run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::simple::ExpandedCommand;
use super::{Frame, SpanTracking, WalkContext};
use crate::open_files::OpenFiles;
use crate::parse::{CommandKind, CommandNode};
use crate::state::{PositionalParameters, ShellState, ShellVariable};
use crate::stream::ShellValue;
use crate::word::{Cause, Directory, Unknown};

/// The maximum number of traps that are tracked.
const MAX_TRAPS: usize = 8;

/// How often the code of one trap is walked because its effect has changed. One last walk, with unknown variables,
/// covers all further changes.
const MAX_RUNS: usize = 16;

/// The code of a `trap`, and the parts of the state that its effect may depend on, as they were when it was last
/// examined.
pub(super) struct Trap {
    text: ShellValue,
    functions: Rc<BTreeMap<String, Rc<CommandNode>>>,
    variables: Rc<BTreeMap<String, ShellVariable>>,
    arguments: Rc<PositionalParameters>,
    cwd: Directory,
    files: OpenFiles,
    /// The state in which the current effect of the code began. The code is walked in it when the effect changes again.
    /// `None` until the effect changes for the first time.
    last: Option<ShellState>,
    /// Whether the code was not walked yet: it runs when the shell ends, and since the `trap` command only variables were
    /// set: `trap 'rm -r "$dir"' EXIT; dir=$(mktemp -d)`.
    is_delayed: bool,
    /// How often the code was walked because its effect changed.
    runs: usize,
    /// The range of the commands that the last of these walks recorded.
    commands: Option<Range<usize>>,
}

impl Frame<'_> {
    /// Records the code of a `trap`, which may call functions that are defined later. If there are too many traps, it
    /// is ignored.
    pub(super) fn record_trap(&mut self, command: &ExpandedCommand<'_>) {
        let text = command.values.iter().skip(1).find(|value| !value.word.prefix().starts_with('-'));
        if let Some(text) = text.filter(|_| self.interpreter.traps.len() < MAX_TRAPS) {
            self.interpreter.traps.push(Trap {
                text: text.clone(),
                functions: Rc::clone(&self.state.functions),
                variables: Rc::clone(&self.state.variables),
                arguments: Rc::clone(&self.state.arguments),
                cwd: self.state.cwd.clone(),
                files: self.state.descriptors.files.clone(),
                last: None,
                is_delayed: false,
                runs: 0,
                commands: None,
            });
        }
    }

    /// Delays the code of the `trap` command that was just recorded if it runs at the end of the shell and uses a
    /// variable that is not set yet. Returns whether it is delayed.
    pub(super) fn delay_trap(&mut self, command: &ExpandedCommand<'_>) -> bool {
        let mut signals = command.values.iter().skip(2).map(|value| value.word.known_text());
        let runs_at_end = command.values.len() > 2 && signals.all(|signal| matches!(signal, Some("EXIT" | "0")));
        let variables = &self.state.variables;
        let names_unset = |trap: &&mut Trap| {
            let literal = trap.text.word.literal();
            let mut names = literal.split('$').skip(1).map(|rest| rest.trim_start_matches('{'));
            names.any(|rest| {
                let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
                name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !variables.contains_key(name)
            })
        };
        let trap = self.interpreter.traps.last_mut().filter(|_| runs_at_end).filter(names_unset);
        trap.map(|trap| trap.is_delayed = true).is_some()
    }

    /// Walks the code of the delayed traps before a command at which the shell may end.
    pub(super) fn walk_delayed_traps(&mut self, next: &CommandNode) {
        // The commands in a list, a loop and the like come here on their own.
        let cannot_end = match &next.kind {
            CommandKind::Simple { words, .. } => words.is_empty(),
            CommandKind::Empty
            | CommandKind::Chain(..)
            | CommandKind::List(_)
            | CommandKind::Group(_)
            | CommandKind::If(..)
            | CommandKind::While(..)
            | CommandKind::Until(..)
            | CommandKind::For { .. } => true,
            _ => false,
        };
        if cannot_end || !self.interpreter.traps.iter().any(|trap| trap.is_delayed) {
            return;
        }
        let mut traps = std::mem::take(&mut self.interpreter.traps);
        for trap in traps.iter_mut().filter(|trap| trap.is_delayed) {
            trap.is_delayed = false;
            trap.variables = Rc::clone(&self.state.variables);
            let mut state = self.state.clone();
            self.walk_trap(trap, &mut state, self.context.doubt.clone());
        }
        traps.append(&mut self.interpreter.traps);
        self.interpreter.traps = traps;
    }

    /// Undoes effects of a trap's code, which is walked at the `trap` command but runs later. For `EXIT`, only changes
    /// of variables, functions, aliases and the environment are kept; for a signal, which may occur at once, the states
    /// before and after the code are joined.
    pub(super) fn restore_after_trap(&mut self, command: &ExpandedCommand<'_>, before: ShellState) {
        let after = std::mem::replace(self.state, before);
        let mut signals = command.values.iter().skip(2).map(|value| value.word.known_text());
        if !signals.all(|signal| matches!(signal, Some("EXIT" | "0"))) {
            return self.state.join(&after);
        }
        let ShellState { variables, functions, aliases, exported, lookup, hidden, .. } = after;
        (self.state.variables, self.state.functions, self.state.aliases) = (variables, functions, aliases);
        (self.state.exported, self.state.lookup, self.state.hidden) = (exported, lookup, hidden);
    }

    /// Walks the code of each trap whose effect has changed, in the state in which the previous effect began: a signal
    /// or an `exit` may have occurred there.
    pub(super) fn walk_changed_traps(&mut self) {
        let may_have_changed = |trap: &Trap| {
            !Rc::ptr_eq(&trap.variables, &self.state.variables)
                || !Rc::ptr_eq(&trap.arguments, &self.state.arguments)
                || trap.cwd != self.state.cwd
                || trap.files != self.state.descriptors.files
        };
        if !self.interpreter.traps.iter().any(may_have_changed) {
            return;
        }
        let mut traps = std::mem::take(&mut self.interpreter.traps);
        for trap in traps.iter_mut().filter(|trap| !trap.is_delayed) {
            let has_changed = self.has_new_effect(trap);
            trap.variables = Rc::clone(&self.state.variables);
            if !has_changed {
                continue;
            }
            trap.functions = Rc::clone(&self.state.functions);
            trap.arguments = Rc::clone(&self.state.arguments);
            trap.cwd.clone_from(&self.state.cwd);
            trap.files.clone_from(&self.state.descriptors.files);
            let previous = trap.last.replace(self.state.clone());
            if let Some(mut state) = previous.filter(|_| trap.runs <= MAX_RUNS) {
                trap.runs += 1;
                if trap.runs > MAX_RUNS {
                    // From here on, the variables may have any value.
                    state.forget_variables();
                }
                self.walk_trap(trap, &mut state, Some(Unknown::new(Cause::EarlierCommand, "trap")));
            }
        }
        traps.append(&mut self.interpreter.traps);
        self.interpreter.traps = traps;
    }

    /// Walks the code of a trap in a state in which it runs; with a doubt, in which it may run. Commands that repeat
    /// those of its last walk are dropped.
    fn walk_trap(&mut self, trap: &mut Trap, state: &mut ShellState, doubt: Option<Unknown>) {
        let Some(script) = self.script_source(&trap.text) else { return };
        let context = WalkContext { doubt, span_tracking: SpanTracking::Dropped, ..self.context.clone() };
        let (first_command, checkpoint) = (self.interpreter.commands.len(), self.interpreter.checkpoint());
        let (written, doubts) = (Rc::clone(&self.interpreter.written), self.interpreter.doubts);
        self.with_state(state, &context).walk_script(&script);
        self.interpreter.doubts = doubts;
        self.merge_written_files(&written);
        match self.is_repeated(trap.commands.clone(), first_command, checkpoint.opaque) {
            true => self.interpreter.roll_back(&checkpoint),
            false => trap.commands = Some(first_command..self.interpreter.commands.len()),
        }
    }

    /// Whether the code of a trap would have a different effect now than when it was last examined.
    fn has_new_effect(&mut self, trap: &Trap) -> bool {
        let literal = trap.text.word.literal();
        let variables = Rc::clone(&self.state.variables);
        self.interpreter.spend(8 * variables.len() + literal.len());
        let names: Vec<&str> = literal.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        // If the code calls a function, any variable may matter, since the function is not examined.
        let calls_function = names.iter().any(|name| self.state.functions.contains_key(*name));
        // The code may open a file by the name of a descriptor.
        let may_open_descriptor = ["/fd", "/std"].iter().any(|name| literal.contains(name));
        let differs = |name: &String| {
            (calls_function || names.contains(&name.as_str())) && trap.variables.get(name) != variables.get(name)
        };
        // Which of the arguments the code uses is not examined.
        let has_arguments = literal.contains('$') && trap.arguments != self.state.arguments;
        has_arguments
            || trap.cwd != self.state.cwd
            || (calls_function || may_open_descriptor) && trap.files != self.state.descriptors.files
            || !Rc::ptr_eq(&trap.functions, &self.state.functions) && trap.functions != self.state.functions
            || variables.keys().chain(trap.variables.keys()).any(differs)
    }

    /// Walks the code of the traps at the end of a shell. If its effect has not changed since the `trap` command, it
    /// was walked there, and is skipped.
    pub(super) fn walk_traps(&mut self) {
        for trap in std::mem::take(&mut self.interpreter.traps) {
            if !trap.is_delayed && trap.last.is_none() && !self.has_new_effect(&trap) {
                continue;
            }
            if let Some(script) = self.script_source(&trap.text) {
                let context = WalkContext { span_tracking: SpanTracking::Dropped, ..self.context.clone() };
                self.with_context(&context).walk_script(&script);
            }
        }
    }
}
