//! Traps: their code is walked with the functions and variables at the times it may run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::simple::ExpandedCommand;
use super::{Frame, SpanTracking, WalkContext};
use crate::open_files::OpenFiles;
use crate::parse::CommandNode;
use crate::state::{PositionalParameters, ShellState, ShellVariable};
use crate::stream::ShellValue;
use crate::word::{Cause, Directory, Unknown};

/// The maximum number of traps that are tracked.
const MOST: usize = 8;

/// How often the code of one trap is walked because variables have changed.
const RUNS: usize = 16;

/// The code of a `trap`, and the parts of the state with which its effect was last examined.
pub(super) struct Trap {
    text: ShellValue,
    functions: Rc<BTreeMap<String, Rc<CommandNode>>>,
    variables: Rc<BTreeMap<String, ShellVariable>>,
    arguments: Rc<PositionalParameters>,
    cwd: Directory,
    files: OpenFiles,
    /// The state since which the code has had the same effect; it may run in that state. `None` until the effect
    /// changes for the first time.
    last: Option<ShellState>,
    /// How often the code was walked because its effect changed.
    runs: usize,
    /// The range of the commands that its last such walk recorded.
    commands: Option<Range<usize>>,
}

impl Frame<'_> {
    /// Records the code of a `trap`, which may call functions that are defined later. Ignored if too many are
    /// recorded.
    pub(super) fn record_trap(&mut self, made: &ExpandedCommand<'_>) {
        let text = made.values.iter().skip(1).find(|value| !value.word.prefix().starts_with('-'));
        if let Some(text) = text.filter(|_| self.interpreter.traps.len() < MOST) {
            self.interpreter.traps.push(Trap {
                text: text.clone(),
                functions: Rc::clone(&self.state.functions),
                variables: Rc::clone(&self.state.variables),
                arguments: Rc::clone(&self.state.arguments),
                cwd: self.state.cwd.clone(),
                files: self.state.descriptors.files.clone(),
                last: None,
                runs: 0,
                commands: None,
            });
        }
    }

    /// Undoes most effects of a trap's code, which was walked at the `trap` command but runs later. For `EXIT`, only
    /// variables, functions, aliases and the environment keep the effects; for a signal, which may occur at once, the
    /// states are joined.
    pub(super) fn restore_after_trap(&mut self, made: &ExpandedCommand<'_>, before: ShellState) {
        let after = std::mem::replace(self.state, before);
        let mut signals = made.values.iter().skip(2).map(|value| value.word.known_text());
        if !signals.all(|signal| matches!(signal, Some("EXIT" | "0"))) {
            return self.state.join(&after);
        }
        let ShellState { variables, functions, aliases, exported, lookup, hidden, .. } = after;
        (self.state.variables, self.state.functions, self.state.aliases) = (variables, functions, aliases);
        (self.state.exported, self.state.lookup, self.state.hidden) = (exported, lookup, hidden);
    }

    /// Walks the code of traps in the states up to now in which its effect would have differed: a signal or an `exit`
    /// may have occurred there.
    pub(super) fn traps_so_far(&mut self) {
        let is_old = |trap: &Trap| {
            !Rc::ptr_eq(&trap.variables, &self.state.variables)
                || !Rc::ptr_eq(&trap.arguments, &self.state.arguments)
                || trap.cwd != self.state.cwd
                || trap.files != self.state.descriptors.files
        };
        if !self.interpreter.traps.iter().any(is_old) {
            return;
        }
        let mut traps = std::mem::take(&mut self.interpreter.traps);
        for trap in &mut traps {
            let has_changed = self.has_new_effect(trap);
            trap.variables = Rc::clone(&self.state.variables);
            if !has_changed {
                continue;
            }
            trap.functions = Rc::clone(&self.state.functions);
            trap.arguments = Rc::clone(&self.state.arguments);
            trap.cwd.clone_from(&self.state.cwd);
            trap.files.clone_from(&self.state.descriptors.files);
            let last = trap.last.replace(self.state.clone());
            if let Some(mut state) = last.filter(|_| trap.runs <= RUNS) {
                trap.runs += 1;
                if trap.runs > RUNS {
                    // From here on, the variables may have any value.
                    state.forget_variables();
                }
                self.trap_may_run(trap, &mut state);
            }
        }
        traps.append(&mut self.interpreter.traps);
        self.interpreter.traps = traps;
    }

    /// Walks the code of a trap in a state in which it may run. Commands that repeat those of its last walk are
    /// dropped.
    fn trap_may_run(&mut self, trap: &mut Trap, state: &mut ShellState) {
        let Some(script) = self.nested(&trap.text) else { return };
        let doubt = Some(Unknown::new(Cause::EarlierCommand, "trap"));
        let setting = WalkContext { doubt, span_tracking: SpanTracking::Dropped, ..self.context.clone() };
        let (from, mark) = (self.interpreter.commands.len(), self.interpreter.checkpoint());
        let (written, doubts) = (Rc::clone(&self.interpreter.written), self.interpreter.doubts);
        self.with_state(state, &setting).walk_script(&script);
        self.interpreter.doubts = doubts;
        self.may_be_written(&written);
        match self.is_repeated(trap.commands.clone(), from, mark.opaque) {
            true => self.interpreter.roll_back(&mark),
            false => trap.commands = Some(from..self.interpreter.commands.len()),
        }
    }

    /// Whether the code of a trap would have a different effect now than when it was last examined.
    fn has_new_effect(&mut self, trap: &Trap) -> bool {
        let literal = trap.text.word.literal();
        let now = Rc::clone(&self.state.variables);
        self.interpreter.spend(8 * now.len() + literal.len());
        let names: Vec<&str> = literal.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        // If the code calls a function, any changed variable counts: which ones the function uses is not examined.
        let calls = names.iter().any(|name| self.state.functions.contains_key(*name));
        // The code may open a file by the name of a descriptor.
        let opens = ["/fd", "/std"].iter().any(|name| literal.contains(name));
        let is_other =
            |name: &String| (calls || names.contains(&name.as_str())) && trap.variables.get(name) != now.get(name);
        // Which of the arguments the code uses is not examined.
        let has_arguments = literal.contains('$') && trap.arguments != self.state.arguments;
        has_arguments
            || trap.cwd != self.state.cwd
            || (calls || opens) && trap.files != self.state.descriptors.files
            || !Rc::ptr_eq(&trap.functions, &self.state.functions) && trap.functions != self.state.functions
            || now.keys().chain(trap.variables.keys()).any(is_other)
    }

    /// Walks the code of the traps when a shell ends. A trap whose effect is still the one at its `trap` command is
    /// skipped: its code was walked there.
    pub(super) fn traps(&mut self) {
        for trap in std::mem::take(&mut self.interpreter.traps) {
            if trap.last.is_none() && !self.has_new_effect(&trap) {
                continue;
            }
            if let Some(script) = self.nested(&trap.text) {
                let setting = WalkContext { span_tracking: SpanTracking::Dropped, ..self.context.clone() };
                self.with_context(&setting).walk_script(&script);
            }
        }
    }
}
