//! Applies the effects of a command: on the state of the shell, and by the code that it runs.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::flow::{Flow, Jump};
use super::simple::ExpandedCommand;
use super::{Frame, output};
use crate::state::{OutputTarget, ShellVariable, VariableAttribute};
use crate::stream::{ShellValue, StreamContent};
use crate::word::{Word, WordPart};

impl Frame<'_> {
    /// Walks the alias, function or code that a command runs, applies the command's effects to the state, and returns
    /// its output.
    pub(super) fn apply_effects(&mut self, command: &ExpandedCommand<'_>) -> Flow {
        let mut flow = Flow { out: vec![command.id], content: StreamContent::Unknown, jump: Jump::Nothing };
        if let Some(program) = command.values.first().filter(|value| value.word.known_text().is_none()) {
            // The name of the program is the output of a command, so that output is executed.
            self.add_code_writers(command.id, &program.writers);
        }
        let without_alias =
            command.name().is_some_and(|name| self.state.aliases.contains_key(name)).then(|| self.state.clone());
        if let Some(script) = self.expand_alias(command) {
            flow = flow.concat(script);
            if let Some(without_alias) = without_alias {
                // Not every shell expands aliases.
                self.state.join(&without_alias);
            }
        }
        let is_function = command.name().is_some_and(|name| self.state.functions.contains_key(name));
        let may_be_undefined = command.name().is_some_and(|name| self.state.maybe_defined.contains(name));
        let before = may_be_undefined.then(|| self.state.clone());
        if is_function
            && !self.is_special(command.name())
            && let Some(body) = self.call(command)
        {
            let Some(before) = before else {
                // The output of a function is that of its body.
                return Flow { jump: body.jump, content: body.content.clone(), ..flow.concat(body) };
            };
            // The function may not be defined here. The name then refers to a builtin or a program.
            let called = std::mem::replace(self.state, before);
            let program_flow = self.effects_of_program(command, flow);
            self.state.join(&called);
            return Flow { content: StreamContent::Unknown, ..program_flow.merge(body) };
        }
        self.effects_of_program(command, flow)
    }

    /// Applies the effects of a builtin or a program. Its output is unknown if it may contain standard error.
    fn effects_of_program(&mut self, command: &ExpandedCommand<'_>, flow: Flow) -> Flow {
        let mut flow = self.effects_by_name(command, flow);
        let errors = command.redirected.descriptors.output_target(2);
        if errors != OutputTarget::Unread && !output::is_quiet(self, command) {
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
    fn effects_by_name(&mut self, command: &ExpandedCommand<'_>, mut flow: Flow) -> Flow {
        if command.name().is_some_and(|name| self.is_missing_builtin(name)) {
            return flow;
        }
        if let Some(zsh_flow) = self.zsh_command(command) {
            flow = flow.concat(zsh_flow);
        }
        flow.jump = self.builtin(command);
        if let Some(zsh_flow) = self.zsh_builtin(command) {
            flow = Flow { jump: flow.jump, ..flow.concat(zsh_flow) };
        }
        let variables = Rc::clone(&self.state.variables);
        self.record_writes(command);
        let before_trap = (command.name() == Some("trap")).then(|| self.state.clone());
        let is_delayed = before_trap.is_some() && self.delay_trap(command);
        let nested_flow = if is_delayed { None } else { self.nested_commands(command) };
        if let Some(before_trap) = before_trap {
            self.restore_after_trap(command, before_trap);
        }
        if matches!(command.name(), Some("trap" | "mapfile" | "readarray")) {
            self.mark_changed_unreliable(&variables);
        }
        flow.content = match (output::known_output(self, command), nested_flow) {
            (Some(content), nested_flow) => {
                self.interpreter.spend(content.cost());
                flow = flow.concat(nested_flow.unwrap_or_else(Flow::empty));
                content
            }
            (None, Some(nested_flow)) => {
                // The code of a trap writes its output later.
                let runs_later = command.name() == Some("trap");
                let content = if runs_later { StreamContent::Unknown } else { nested_flow.content.clone() };
                flow = flow.concat(nested_flow);
                content
            }
            (None, None) => StreamContent::Unknown,
        };
        self.take_input(command);
        flow
    }

    /// Makes unreliable the variables that differ from `before`: the code of a trap or a callback has changed them, and
    /// may run at any time.
    fn mark_changed_unreliable(&mut self, before: &Rc<BTreeMap<String, ShellVariable>>) {
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

    /// Returns a value as the source of a script, with a stand-in for each unknown part. `None` if nothing but blanks
    /// is known, or if there are too many unknown parts.
    pub(super) fn script_source(&mut self, value: &ShellValue) -> Option<String> {
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
