//! What a command does to what is known behind it, and what it runs in its turn.

use smallvec::smallvec;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::simple::Made;
use super::streams::{Ends, Flow};
use super::{Frame, Places, Setting, output};
use crate::state::{Attribute, End, Variable};
use crate::stream::{Content, Value};
use crate::word::{Part, Word};

impl Frame<'_> {
    /// Goes into what a command calls and runs, changes the state as it does, and returns what it writes.
    pub(super) fn effects(&mut self, made: &Made<'_>) -> Flow {
        let mut flow = Flow { out: vec![made.id], content: Content::Unknown, ends: Ends::Nothing };
        if let Some(program) = made.values.first().filter(|value| value.word.known().is_none()) {
            // The output of a command names the program.
            self.code_from(made.id, &program.from);
        }
        if let Some(script) = self.expand_alias(made) {
            flow = flow.then(script);
        }
        let is_function = made.name().is_some_and(|name| self.state.functions.contains_key(name));
        let is_maybe = made.name().is_some_and(|name| self.state.maybe_defined.contains(name));
        let before = is_maybe.then(|| self.state.clone());
        if is_function
            && !self.is_special(made.name())
            && let Some(body) = self.call(made)
        {
            let Some(before) = before else {
                // The name itself writes nothing; its body does.
                return Flow { ends: body.ends, content: body.content.clone(), ..flow.then(body) };
            };
            // Where it is none, the name is a builtin's or a program's.
            let called = std::mem::replace(self.state, before);
            let other = self.effects_of_program(made, flow);
            self.state.join(&called);
            return Flow { content: Content::Unknown, ..other.or(body) };
        }
        self.effects_of_program(made, flow)
    }

    fn effects_of_program(&mut self, made: &Made<'_>, flow: Flow) -> Flow {
        let mut flow = self.effects_by_name(made, flow);
        let errors = made.redirected.descriptors.end(2);
        if errors != End::Unread && !output::is_quiet(self, made) {
            if errors == End::Unclear {
                self.interpreter.past += 1;
            }
            // What it says on standard error is among its output.
            if let Content::Known(_) = flow.content {
                flow.content = Content::Unknown;
            }
        }
        flow
    }

    fn effects_by_name(&mut self, made: &Made<'_>, mut flow: Flow) -> Flow {
        if made.name().is_some_and(|name| self.is_program(name)) {
            return flow;
        }
        if let Some(other) = self.zsh_command(made) {
            flow = flow.then(other);
        }
        flow.ends = self.builtin(made);
        if let Some(other) = self.zsh_builtin(made) {
            flow = Flow { ends: flow.ends, ..flow.then(other) };
        }
        let known = Rc::clone(&self.state.variables);
        self.saves(made);
        let inner = self.nested_commands(made);
        if matches!(made.name(), Some("trap" | "mapfile" | "readarray")) {
            self.may_be_set_any_time(&known);
        }
        flow.content = match (output::known(self, made), inner) {
            (Some(content), inner) => {
                self.interpreter.spend(content.cost());
                flow = flow.then(inner.unwrap_or_else(Flow::nothing));
                content
            }
            (None, Some(inner)) => {
                let content = inner.content.clone();
                flow = flow.then(inner);
                content
            }
            (None, None) => Content::Unknown,
        };
        flow
    }

    /// Notes that whatever a trap or a callback sets it may set at any time.
    fn may_be_set_any_time(&mut self, before: &Rc<BTreeMap<String, Variable>>) {
        if Rc::ptr_eq(before, &self.state.variables) {
            return;
        }
        self.state.charge(4 * self.state.variables.len());
        let after = Rc::clone(&self.state.variables);
        for (name, _) in after.iter().filter(|(name, variable)| before.get(*name) != Some(*variable)) {
            self.state.mark(name, Attribute::Changes);
            self.state.forget(name);
        }
    }

    /// Notes the text of a `trap`: functions that it calls may be defined behind it.
    pub(super) fn trapped(&mut self, made: &Made<'_>) {
        const MOST: usize = 8;
        let text = made.values.iter().skip(1).find(|value| !value.word.prefix().starts_with('-'));
        if let Some(text) = text.filter(|_| self.interpreter.traps.len() < MOST) {
            let (functions, variables) = (Rc::clone(&self.state.functions), Rc::clone(&self.state.variables));
            self.interpreter.traps.push((text.clone(), functions, variables));
        }
    }

    /// Runs what is run when a shell ends, of the traps from one on, where functions or variables that it names are others
    /// by then.
    pub(super) fn traps(&mut self, from: usize) {
        let from = from.min(self.interpreter.traps.len());
        for (text, functions, variables) in self.interpreter.traps.split_off(from) {
            let literal = text.word.literal();
            let now = Rc::clone(&self.state.variables);
            self.interpreter.spend(8 * now.len() + literal.len());
            let is_other = |(name, variable): (&String, &Variable)| {
                literal.contains(name.as_str()) && variables.get(name) != Some(variable)
            };
            if self.state.functions == functions && !now.iter().any(is_other) {
                continue;
            }
            if let Some(script) = self.nested(&text) {
                let setting = Setting { places: Places::Dropped, ..self.setting.clone() };
                self.within(&setting).script(&script);
            }
        }
    }

    /// Returns a value as it is read as a script; `None` if nothing is known of it.
    pub(super) fn nested(&mut self, value: &Value) -> Option<String> {
        let mut text = String::new();
        let mut is_known = false;
        for part in &value.word.as_globs().parts {
            match part {
                Part::Text(known) | Part::Glob(known) => {
                    is_known |= !known.trim().is_empty();
                    text.push_str(&self.interpreter.stand_ins.source(known)?);
                }
                Part::Unknown(unknown) => {
                    let word = Word { parts: smallvec![Part::Unknown(unknown.clone())], span: None };
                    text.push(self.interpreter.stand_ins.draw(Value { word, from: value.from.clone() })?);
                }
            }
        }
        (is_known || value.word.parts.is_empty()).then_some(text)
    }
}
