//! Effects of a command on the state after it, and the code that it runs.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::simple::Made;
use super::streams::{Ends, Flow};
use super::{Frame, output};
use crate::state::{Attribute, End, Variable};
use crate::stream::{Content, Value};
use crate::word::{Part, Word};

impl Frame<'_> {
    /// Walks what a command calls and runs, applies its effects to the state, and returns its output.
    pub(super) fn effects(&mut self, made: &Made<'_>) -> Flow {
        let mut flow = Flow { out: vec![made.id], content: Content::Unknown, ends: Ends::Nothing };
        if let Some(program) = made.values.first().filter(|value| value.word.known().is_none()) {
            // The output of a command is the name of the program.
            self.code_from(made.id, &program.from);
        }
        let without_alias =
            made.name().is_some_and(|name| self.state.aliases.contains_key(name)).then(|| self.state.clone());
        if let Some(script) = self.expand_alias(made) {
            flow = flow.then(script);
            if let Some(other) = without_alias {
                // Not every shell expands aliases.
                self.state.join(&other);
            }
        }
        let is_function = made.name().is_some_and(|name| self.state.functions.contains_key(name));
        let is_maybe = made.name().is_some_and(|name| self.state.maybe_defined.contains(name));
        let before = is_maybe.then(|| self.state.clone());
        if is_function
            && !self.is_special(made.name())
            && let Some(body) = self.call(made)
        {
            let Some(before) = before else {
                // The call itself writes nothing; the body does.
                return Flow { ends: body.ends, content: body.content.clone(), ..flow.then(body) };
            };
            // If it is not defined, the name refers to a builtin or a program.
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
                self.interpreter.doubts.past += 1;
            }
            // Its standard error is part of its output.
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
        let before = (made.name() == Some("trap")).then(|| self.state.clone());
        let inner = self.nested_commands(made);
        if let Some(before) = before {
            self.behind_trap(made, before);
        }
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
                // A trap writes its output later.
                let is_later = made.name() == Some("trap");
                let content = if is_later { Content::Unknown } else { inner.content.clone() };
                flow = flow.then(inner);
                content
            }
            (None, None) => Content::Unknown,
        };
        self.take_input(made);
        flow
    }

    /// Marks the variables that a trap or a callback sets: they may change at any time.
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

    /// Returns a value as source text; `None` if nothing of it is known.
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
                    let word = Word::of(Part::Unknown(unknown.clone()));
                    text.push(self.interpreter.stand_ins.draw(Value { word, from: value.from.clone() })?);
                }
            }
        }
        (is_known || value.word.parts.is_empty()).then_some(text)
    }
}
