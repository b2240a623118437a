//! The effects of a command on the state after it, and the code that it runs.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::flow::{Flow, Jump};
use super::simple::ExpandedCommand;
use super::{Frame, output};
use crate::state::{OutputTarget, ShellVariable, VariableAttribute};
use crate::stream::{ShellValue, StreamContent};
use crate::word::{Word, WordPart};

impl Frame<'_> {
    /// Walks the alias, function or code that a command runs, applies its effects to the state, and returns its
    /// output.
    pub(super) fn effects(&mut self, made: &ExpandedCommand<'_>) -> Flow {
        let mut flow = Flow { out: vec![made.id], content: StreamContent::Unknown, jump: Jump::Nothing };
        if let Some(program) = made.values.first().filter(|value| value.word.known_text().is_none()) {
            // The name of the program is the output of a command, so that output is executed.
            self.add_code_writers(made.id, &program.writers);
        }
        let without_alias =
            made.name().is_some_and(|name| self.state.aliases.contains_key(name)).then(|| self.state.clone());
        if let Some(script) = self.expand_alias(made) {
            flow = flow.concat(script);
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
                // The call itself writes nothing; the body does, so its content counts.
                return Flow { jump: body.jump, content: body.content.clone(), ..flow.concat(body) };
            };
            // If the function is not defined on the path taken, the name refers to a builtin or a program.
            let called = std::mem::replace(self.state, before);
            let other = self.effects_of_program(made, flow);
            self.state.join(&called);
            return Flow { content: StreamContent::Unknown, ..other.merge(body) };
        }
        self.effects_of_program(made, flow)
    }

    /// Applies the effects of a builtin or a program. Its output is unknown if its standard error may be part of it.
    fn effects_of_program(&mut self, made: &ExpandedCommand<'_>, flow: Flow) -> Flow {
        let mut flow = self.effects_by_name(made, flow);
        let errors = made.redirected.descriptors.output_target(2);
        if errors != OutputTarget::Unread && !output::is_quiet(self, made) {
            if errors == OutputTarget::Unclear {
                self.interpreter.doubts.misdirected_outputs += 1;
            }
            // Its standard error is part of its output.
            if let StreamContent::Known(_) = flow.content {
                flow.content = StreamContent::Unknown;
            }
        }
        flow
    }

    /// Applies the effects of a builtin or a program by its name, walks the commands that it runs, and returns its
    /// output.
    fn effects_by_name(&mut self, made: &ExpandedCommand<'_>, mut flow: Flow) -> Flow {
        if made.name().is_some_and(|name| self.is_program(name)) {
            return flow;
        }
        if let Some(other) = self.zsh_command(made) {
            flow = flow.concat(other);
        }
        flow.jump = self.builtin(made);
        if let Some(other) = self.zsh_builtin(made) {
            flow = Flow { jump: flow.jump, ..flow.concat(other) };
        }
        let known = Rc::clone(&self.state.variables);
        self.record_writes(made);
        let before = (made.name() == Some("trap")).then(|| self.state.clone());
        let inner = self.nested_commands(made);
        if let Some(before) = before {
            self.restore_after_trap(made, before);
        }
        if matches!(made.name(), Some("trap" | "mapfile" | "readarray")) {
            self.may_be_set_any_time(&known);
        }
        flow.content = match (output::known_output(self, made), inner) {
            (Some(content), inner) => {
                self.interpreter.spend(content.cost());
                flow = flow.concat(inner.unwrap_or_else(Flow::empty));
                content
            }
            (None, Some(inner)) => {
                // The code of a trap writes its output later.
                let is_later = made.name() == Some("trap");
                let content = if is_later { StreamContent::Unknown } else { inner.content.clone() };
                flow = flow.concat(inner);
                content
            }
            (None, None) => StreamContent::Unknown,
        };
        self.take_input(made);
        flow
    }

    /// Makes the variables unreliable that a trap or a callback has changed since `before`: its code may run at any
    /// time.
    fn may_be_set_any_time(&mut self, before: &Rc<BTreeMap<String, ShellVariable>>) {
        if Rc::ptr_eq(before, &self.state.variables) {
            return;
        }
        self.state.charge(4 * self.state.variables.len());
        let after = Rc::clone(&self.state.variables);
        for (name, _) in after.iter().filter(|(name, variable)| before.get(*name) != Some(*variable)) {
            self.state.set_attribute(name, VariableAttribute::Unreliable);
            self.state.forget(name);
        }
    }

    /// Returns a value as the source of a script, with a stand-in for each unknown part; `None` if none of it is
    /// known except blanks, or the stand-ins are used up.
    pub(super) fn nested(&mut self, value: &ShellValue) -> Option<String> {
        let mut text = String::new();
        let mut is_known = false;
        for part in &value.word.as_globs().parts {
            match part {
                WordPart::Text(known) | WordPart::Glob(known) => {
                    is_known |= !known.trim().is_empty();
                    text.push_str(&self.interpreter.stand_ins.source(known)?);
                }
                WordPart::Unknown(unknown) => {
                    let word = Word::of(WordPart::Unknown(unknown.clone()));
                    text.push(self.interpreter.stand_ins.draw(ShellValue { word, writers: value.writers.clone() })?);
                }
            }
        }
        (is_known || value.word.parts.is_empty()).then_some(text)
    }
}
