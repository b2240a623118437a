//! Functions and aliases: names that the text itself gives to commands.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::flow::{Flow, Jump};
use super::simple::ExpandedCommand;
use super::{ActiveFunction, Frame, SpanTracking, WalkContext};
use crate::expand::ExpansionContext;
use crate::parse::{CommandKind, CommandNode, is_reserved, parse};
use crate::quote::quote;
use crate::state::{Alias, ExportMode, PositionalParameters, ProgramLookup, ShellState, VariableValue};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, Word, WordPart};

/// The maximum number of nested calls of the same function with different arguments.
const MAX_NESTED_CALLS: usize = 4;

impl Frame<'_> {
    /// Defines a function. Its body is walked when the function is called; that of `command_not_found_handle` is walked
    /// at once as well.
    pub(super) fn define_function(&mut self, name: &str, body: &Rc<CommandNode>) {
        // In zsh these are keywords, which a function cannot replace.
        let is_keyword = super::builtins::is_declaring(name);
        if matches!(name, "command_not_found_handle" | "command_not_found_handler") {
            self.state.lookup = ProgramLookup::Changed;
            // The shell calls it for any name that is not a program.
            let doubt = Some(Unknown::new(Cause::Alias, name));
            let context = WalkContext { doubt, ..self.context.clone() };
            let mut state = self.state.clone();
            state.arguments = Rc::new(PositionalParameters::Unknown);
            self.with_state(&mut state, &context).walk_node(body);
        }
        self.walk_hook_function(name, body);
        if self.state.exports == ExportMode::All {
            Rc::make_mut(&mut self.state.exported).insert(name.to_owned(), Rc::clone(body));
        }
        self.interpreter.spend(self.state.functions.len());
        if self.context.span_tracking == SpanTracking::Kept {
            self.interpreter.own_bodies.insert(Rc::as_ptr(body), Rc::clone(body));
        }
        Rc::make_mut(&mut self.state.functions).insert(name.to_owned(), Rc::clone(body));
        if is_keyword {
            Rc::make_mut(&mut self.state.maybe_defined).insert(name.to_owned());
        } else if self.state.maybe_defined.contains(name) {
            Rc::make_mut(&mut self.state.maybe_defined).remove(name);
        }
    }

    /// Exports a function to child shells.
    pub(super) fn export_function(&mut self, name: &str) {
        if let Some(body) = self.state.functions.get(name).cloned() {
            Rc::make_mut(&mut self.state.exported).insert(name.to_owned(), body);
        }
    }

    /// Defines a function for child shells in `state`, if an environment variable has the form
    /// `BASH_FUNC_name%%=() { … }`; any other variable is ignored.
    pub(super) fn function_in_environment(&mut self, state: &mut ShellState, name: &str, value: Option<&Word>) {
        let Some(name) = name.strip_prefix("BASH_FUNC_").and_then(|name| name.strip_suffix("%%")) else { return };
        let Some(text) = value.and_then(Word::known_text) else {
            return self.add_opaque(Cause::Variable, name, None);
        };
        let Some(source) = self.source(&format!("{name} {text}")) else { return };
        let parsed = parse(&source, 0, &self.state.reading);
        match parsed.lines.as_slice() {
            [CommandNode { kind: CommandKind::Function(name, body), .. }] if parsed.failed.is_none() => {
                let functions = [&mut state.exported, &mut state.functions];
                functions.into_iter().for_each(|functions| {
                    Rc::make_mut(functions).insert(name.clone(), Rc::clone(body));
                });
            }
            _ => self.add_opaque(Cause::Syntax, name, Some(text.to_owned())),
        }
    }

    /// Walks the body of the function that a command calls; `None` if there is no function of that name.
    pub(super) fn call(&mut self, command: &ExpandedCommand<'_>) -> Option<Flow> {
        let name = command.name()?;
        let body = Rc::clone(self.state.functions.get(name)?);
        let arguments: Vec<crate::word::WordParts> =
            command.values.iter().skip(1).map(|value| value.word.parts.clone()).collect();
        let calls = &self.context.calls;
        let same_name = || calls.iter().filter(|other| *other == name);
        if self.is_recursive_call(&body, &arguments) {
            // The call is already in progress with the same arguments and variables: another walk would add nothing.
            return Some(Flow::unknown());
        }
        if same_name().count() >= MAX_NESTED_CALLS {
            let words: Vec<String> = command.values.iter().map(|value| value.word.literal()).collect();
            let text = words.join(" ");
            self.add_opaque(Cause::TooDeep, name, Some(text));
            return Some(Flow::unknown());
        }
        let mut context = self.context.clone();
        Rc::make_mut(&mut context.calls).push(name.to_owned());
        let variables = Rc::clone(&self.state.variables);
        Rc::make_mut(&mut context.bodies).push(ActiveFunction { node: Rc::clone(&body), arguments, variables });
        let is_in_text = |body: &Rc<CommandNode>| self.interpreter.own_bodies.contains_key(&Rc::as_ptr(body));
        let has_spans = match &body.kind {
            CommandKind::AnyOf(bodies) => bodies.iter().all(is_in_text),
            _ => is_in_text(&body),
        };
        context.span_tracking = if has_spans { SpanTracking::Kept } else { SpanTracking::Dropped };
        context.input = Rc::clone(&command.input);
        Rc::make_mut(&mut context.redirects).splice(0..0, command.redirected.with_directory(&self.state.cwd));
        let zero = match &*self.state.arguments {
            PositionalParameters::Known(zero, _) => zero.clone(),
            PositionalParameters::Unknown => ShellValue::unknown(Cause::Argument, "$0"),
        };
        let arguments = PositionalParameters::Known(zero, command.values.get(1..).unwrap_or_default().to_vec());
        let outer_arguments = std::mem::replace(&mut self.state.arguments, Rc::new(arguments));
        let locals = self.state.locals.replace(Rc::new(BTreeMap::new()));
        let jumps = std::mem::take(&mut self.interpreter.jumps);
        let own_options = self.state.own_options.take();
        let outer_descriptors = self.enter_body(command.redirected);
        let flow = self.with_context(&context).walk_node(&body);
        self.leave_body(&outer_descriptors, command.redirected);
        self.join_jumps(jumps, Jump::Function);
        self.state.arguments = outer_arguments;
        self.state.leave_function(locals);
        if let Some(before) = std::mem::replace(&mut self.state.own_options, own_options) {
            self.state.options = self.state.options.restore_set_options(before);
        }
        Some(flow.stop_jump(Jump::Function))
    }

    /// Whether a call of the function with the same arguments and the same variables is already in progress.
    fn is_recursive_call(&self, body: &Rc<CommandNode>, arguments: &[crate::word::WordParts]) -> bool {
        let variables = &self.state.variables;
        let is_same = |other: &ActiveFunction| {
            Rc::ptr_eq(&other.node, body)
                && other.arguments == arguments
                && (Rc::ptr_eq(&other.variables, variables) || {
                    self.state.charge(2 * variables.len());
                    other.variables == *variables
                })
        };
        self.context.bodies.iter().any(is_same)
    }

    /// Defines an alias from the word `name=text`. A word without `=`, which only prints the alias, changes nothing.
    pub(super) fn define_alias(&mut self, definition: &ShellValue) {
        self.state.charge(self.state.aliases.len());
        let Some((name, word)) = definition.word.split_at_equals() else { return };
        if is_reserved(name) {
            // An alias for a reserved word changes how the following lines are parsed.
            self.add_opaque(Cause::Alias, name, None);
        }
        let text = ShellValue { word, writers: definition.writers.clone() };
        let alias = Alias { text, line: self.interpreter.line };
        Rc::make_mut(&mut self.state.aliases).insert(name.to_owned(), alias);
    }

    /// Applies the effects of an assignment to `BASH_ALIASES` or `BASH_CMDS`, the arrays in which bash keeps aliases
    /// and the paths of programs. `name` is the subscript.
    pub(super) fn apply_name_array(&mut self, array: &str, name: Option<&str>, binding: &VariableValue) {
        if !matches!(array, "BASH_ALIASES" | "BASH_CMDS") {
            return;
        }
        self.state.lookup = ProgramLookup::Changed;
        match (name, binding) {
            (Some(name), VariableValue::One(value)) if array == "BASH_ALIASES" => {
                let alias = Alias { text: value.clone(), line: self.interpreter.line };
                Rc::make_mut(&mut self.state.aliases).insert(name.to_owned(), alias);
            }
            (Some(name), VariableValue::One(value)) => self.replace_program(name, value),
            _ => self.add_opaque(Cause::Alias, array, None),
        }
    }

    /// Makes a name refer to another program from here on. This is recorded as an alias that is valid at once, even on
    /// the same line.
    pub(super) fn replace_program(&mut self, name: &str, program: &ShellValue) {
        self.state.charge(self.state.aliases.len());
        let alias = Alias { text: quote_known_parts(program), line: 0 };
        Rc::make_mut(&mut self.state.aliases).insert(name.to_owned(), alias);
    }

    /// Walks the expansion of an alias that an earlier line defines; `None` if there is none, or if the alias is
    /// already being expanded.
    pub(super) fn expand_alias(&mut self, command: &ExpandedCommand<'_>) -> Option<Flow> {
        let name = command.name()?;
        let alias = self.state.aliases.get(name).filter(|alias| alias.line < self.interpreter.line)?.clone();
        if self.context.calls.iter().any(|other| other == name) {
            return None;
        }
        let mut text = alias.text;
        let mut rest = command.values.get(1..).unwrap_or_default();
        // A trailing blank makes the next word subject to alias expansion too.
        while matches!(text.word.parts.last(), Some(WordPart::Text(known)) if known.ends_with([' ', '\t']))
            && let Some((next, following)) = rest.split_first()
            && let Some(alias) = next.word.known_text().and_then(|name| self.state.aliases.get(name))
            && self.interpreter.spend(1 + alias.text.size())
        {
            text.append(&alias.text.clone());
            rest = following;
        }
        for value in rest {
            text.word.push(WordPart::Text(" ".to_owned()));
            text.append(&quote_known_parts(value));
        }
        let Some(script) = self.script_source(&text) else {
            self.add_code_writers(command.id, &text.writers);
            self.add_opaque(Cause::Alias, name, None);
            return Some(Flow::unknown());
        };
        let mut context = WalkContext { span_tracking: SpanTracking::Dropped, ..self.context.clone() };
        Rc::make_mut(&mut context.calls).push(name.to_owned());
        context.input = Rc::clone(&command.input);
        Rc::make_mut(&mut context.redirects).splice(0..0, command.redirected.with_directory(&self.state.cwd));
        let outer_descriptors = self.enter_body(command.redirected);
        let flow = self.with_context(&context).walk_script(&script);
        self.leave_body(&outer_descriptors, command.redirected);
        Some(flow)
    }
}

/// Quotes the known parts of a word, so that a shell reads them literally.
fn quote_known_parts(value: &ShellValue) -> ShellValue {
    let mut quoted = ShellValue { writers: value.writers.clone(), ..ShellValue::default() };
    for part in &value.word.parts {
        quoted.word.push(match part {
            WordPart::Text(text) => WordPart::Text(quote(text)),
            other => other.clone(),
        });
    }
    if quoted.word.parts.is_empty() {
        quoted.word.push(WordPart::Text("''".to_owned()));
    }
    quoted
}
