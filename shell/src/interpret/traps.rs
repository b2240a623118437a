//! Traps: what they run, with the functions and the values that there are when they do.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::simple::Made;
use super::{Frame, Places, Setting};
use crate::parse::Node;
use crate::state::{Arguments, State, Variable};
use crate::stream::Value;
use crate::word::{Cause, Directory, Unknown};

/// How many traps are followed.
const MOST: usize = 8;

/// How often what one of them runs is walked because variables have changed.
const RUNS: usize = 16;

/// What a `trap` runs, and what was known when it was set.
pub(super) struct Trap {
    text: Value,
    functions: Rc<BTreeMap<String, Rc<Node>>>,
    variables: Rc<BTreeMap<String, Variable>>,
    arguments: Rc<Arguments>,
    cwd: Directory,
    /// Where what it runs would come to something else since: it may run there.
    last: Option<State>,
    runs: usize,
    /// The commands of the last time that it was walked.
    commands: Option<Range<usize>>,
}

impl Frame<'_> {
    /// Notes the text of a `trap`: functions that it calls may be defined behind it.
    pub(super) fn trapped(&mut self, made: &Made<'_>) {
        let text = made.values.iter().skip(1).find(|value| !value.word.prefix().starts_with('-'));
        if let Some(text) = text.filter(|_| self.interpreter.traps.len() < MOST) {
            self.interpreter.traps.push(Trap {
                text: text.clone(),
                functions: Rc::clone(&self.state.functions),
                variables: Rc::clone(&self.state.variables),
                arguments: Rc::clone(&self.state.arguments),
                cwd: self.state.cwd.clone(),
                last: None,
                runs: 0,
                commands: None,
            });
        }
    }

    /// Goes on behind a `trap`, whose text was walked: where that leads the shell it goes when the trap runs.
    pub(super) fn behind_trap(&mut self, made: &Made<'_>, before: State) {
        let after = std::mem::replace(self.state, before);
        let mut signals = made.values.iter().skip(2).map(|value| value.word.known());
        if !signals.all(|signal| matches!(signal, Some("EXIT" | "0"))) {
            return self.state.join(&after);
        }
        let State { variables, functions, aliases, exported, lookup, hidden, .. } = after;
        (self.state.variables, self.state.functions, self.state.aliases) = (variables, functions, aliases);
        (self.state.exported, self.state.lookup, self.state.hidden) = (exported, lookup, hidden);
    }

    /// Walks what traps run with the values that their variables had until now: a signal or an `exit` may have come.
    pub(super) fn traps_so_far(&mut self) {
        let is_old = |trap: &Trap| {
            !Rc::ptr_eq(&trap.variables, &self.state.variables)
                || !Rc::ptr_eq(&trap.arguments, &self.state.arguments)
                || trap.cwd != self.state.cwd
        };
        if !self.interpreter.traps.iter().any(is_old) {
            return;
        }
        let mut traps = std::mem::take(&mut self.interpreter.traps);
        for trap in &mut traps {
            let has_changed = self.comes_to_more(trap);
            trap.variables = Rc::clone(&self.state.variables);
            if !has_changed {
                continue;
            }
            trap.functions = Rc::clone(&self.state.functions);
            trap.arguments = Rc::clone(&self.state.arguments);
            trap.cwd.clone_from(&self.state.cwd);
            let last = trap.last.replace(self.state.clone());
            if let Some(mut state) = last.filter(|_| trap.runs <= RUNS) {
                trap.runs += 1;
                if trap.runs > RUNS {
                    // Any value that is set from here on.
                    state.forget_variables();
                }
                self.trap_may_run(trap, &mut state);
            }
        }
        traps.append(&mut self.interpreter.traps);
        self.interpreter.traps = traps;
    }

    fn trap_may_run(&mut self, trap: &mut Trap, state: &mut State) {
        let Some(script) = self.nested(&trap.text) else { return };
        let doubt = Some(Unknown::new(Cause::Earlier, "trap"));
        let setting = Setting { doubt, places: Places::Dropped, ..self.setting.clone() };
        let (from, mark) = (self.interpreter.commands.len(), self.interpreter.checkpoint());
        let (written, doubts) = (Rc::clone(&self.interpreter.written), self.interpreter.doubts);
        self.apart(state, &setting).script(&script);
        self.interpreter.doubts = doubts;
        self.may_be_written(&written);
        match self.is_repeated(trap.commands.clone(), from, mark.opaque) {
            true => self.interpreter.back_to(&mark),
            false => trap.commands = Some(from..self.interpreter.commands.len()),
        }
    }

    /// Tells whether what a trap runs comes to something else than when it was walked last.
    fn comes_to_more(&mut self, trap: &Trap) -> bool {
        let literal = trap.text.word.literal();
        let now = Rc::clone(&self.state.variables);
        self.interpreter.spend(8 * now.len() + literal.len());
        let names: Vec<&str> = literal.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        // What a function looks at is not seen here.
        let calls = names.iter().any(|name| self.state.functions.contains_key(*name));
        let is_other =
            |name: &String| (calls || names.contains(&name.as_str())) && trap.variables.get(name) != now.get(name);
        // Which of the arguments it takes is not looked at.
        let has_arguments = literal.contains('$') && trap.arguments != self.state.arguments;
        has_arguments
            || trap.cwd != self.state.cwd
            || !Rc::ptr_eq(&trap.functions, &self.state.functions) && trap.functions != self.state.functions
            || now.keys().chain(trap.variables.keys()).any(is_other)
    }

    /// Runs what is run when a shell ends, where that comes to something else by then.
    pub(super) fn traps(&mut self) {
        for trap in std::mem::take(&mut self.interpreter.traps) {
            if trap.last.is_none() && !self.comes_to_more(&trap) {
                continue;
            }
            if let Some(script) = self.nested(&trap.text) {
                let setting = Setting { places: Places::Dropped, ..self.setting.clone() };
                self.within(&setting).script(&script);
            }
        }
    }
}
