//! Functions and aliases: names that the text itself gives to commands.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::parse::Node;
use super::super::state::{Alias, Arguments, Lookup, Value};
use super::super::{Cause, Part};
use super::simple::Made;
use super::streams::{Ends, Flow};
use super::{Body, Places, Scene, Setting};

/// How often a function may be within itself with other arguments.
const CALLS: usize = 4;

impl Scene<'_> {
    /// Defines a function; its body counts when it is called.
    pub(super) fn define(&mut self, name: &str, body: &Rc<Node>) {
        if name == "command_not_found_handle" {
            self.state.lookup = Lookup::Changed;
        }
        self.walker.spend(self.state.functions.len());
        if self.setting.places == Places::Kept {
            self.walker.own_bodies.insert(Rc::as_ptr(body), Rc::clone(body));
        }
        Rc::make_mut(&mut self.state.functions).insert(name.to_owned(), Rc::clone(body));
    }

    /// Walks the body of the function that a command calls, if it calls one.
    pub(super) fn call(&mut self, made: &Made<'_>) -> Option<Flow> {
        let name = made.name()?;
        let body = Rc::clone(self.state.functions.get(name)?);
        let shown: Vec<String> = made.values.iter().skip(1).map(|value| value.word.shown()).collect();
        let calls = &self.setting.calls;
        let within = || calls.iter().filter(|(other, _)| other == name);
        if self.is_called_like(&body, &shown) {
            // It would do the same again.
            return Some(Flow::unknown());
        }
        if within().count() >= CALLS {
            let text = format!("{name} {}", shown.join(" "));
            self.opaque(Cause::Deep, name, Some(text));
            return Some(Flow::unknown());
        }
        let mut setting = self.setting.clone();
        setting.calls.push((name.to_owned(), shown.clone()));
        let variables = Rc::clone(&self.state.variables);
        setting.bodies.push(Body { node: Rc::clone(&body), arguments: shown, variables });
        let is_own = self.walker.own_bodies.contains_key(&Rc::as_ptr(&body));
        setting.places = if is_own { Places::Kept } else { Places::Dropped };
        setting.input = Rc::clone(&made.input);
        setting.redirects.splice(0..0, made.redirected.placed(&self.state.cwd));
        let zero = match &*self.state.arguments {
            Arguments::Known(zero, _) => zero.clone(),
            Arguments::Unknown => Value::hole(Cause::Argument, "$0"),
        };
        let arguments = Arguments::Known(zero, made.values.get(1..).unwrap_or_default().to_vec());
        let outer = std::mem::replace(&mut self.state.arguments, Rc::new(arguments));
        let locals = self.state.locals.replace(Rc::new(BTreeMap::new()));
        let flow = self.within(&setting).node(&body);
        self.state.arguments = outer;
        self.state.leave_function(locals);
        Some(flow.contained(Ends::Function))
    }

    /// Tells whether a function is being called already with the same arguments, where all variables are the same.
    fn is_called_like(&self, body: &Rc<Node>, arguments: &[String]) -> bool {
        let variables = &self.state.variables;
        let is_same = |other: &Body| {
            Rc::ptr_eq(&other.node, body)
                && other.arguments == arguments
                && (Rc::ptr_eq(&other.variables, variables) || other.variables == *variables)
        };
        self.setting.bodies.iter().any(is_same)
    }

    /// Notes `alias name=text`.
    pub(super) fn alias(&mut self, definition: &Value) {
        let Some((name, _)) = definition.word.prefix().split_once('=') else { return };
        let Some(word) = definition.word.after(&format!("{name}=")) else { return };
        let text = Value { word, from: definition.from.clone() };
        let alias = Alias { text, line: self.walker.line };
        Rc::make_mut(&mut self.state.aliases).insert(name.to_owned(), alias);
    }

    /// Walks what an alias that was defined on an earlier line stands for: an interactive shell expands it, and so does
    /// one that is told to.
    pub(super) fn expand_alias(&mut self, made: &Made<'_>) -> Option<Flow> {
        let name = made.name()?;
        let alias = self.state.aliases.get(name).filter(|alias| alias.line < self.walker.line)?.clone();
        if self.setting.calls.iter().any(|(other, _)| other == name) {
            return None;
        }
        let mut text = alias.text;
        for value in made.values.iter().skip(1) {
            text.word.push(Part::Text(" ".to_owned()));
            text.append(&quoted(value));
        }
        let script = self.marked(&text)?;
        let mut setting = Setting { places: Places::Dropped, texts: self.setting.texts + 1, ..self.setting.clone() };
        setting.calls.push((name.to_owned(), Vec::new()));
        setting.input = Rc::clone(&made.input);
        setting.redirects.splice(0..0, made.redirected.placed(&self.state.cwd));
        Some(self.within(&setting).script(&script))
    }
}

/// Quotes what is known of a word, so that a shell reads it as it is.
fn quoted(value: &Value) -> Value {
    let mut quoted = Value { from: value.from.clone(), ..Value::default() };
    for part in &value.word.parts {
        quoted.word.push(match part {
            Part::Text(text) => Part::Text(format!("'{}'", text.replace('\'', "'\\''"))),
            other => other.clone(),
        });
    }
    if quoted.word.parts.is_empty() {
        quoted.word.push(Part::Text("''".to_owned()));
    }
    quoted
}
