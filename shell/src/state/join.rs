//! Joins the states of two paths to the same point of a text, such as the branches of an `if`.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{ExportMode, PositionalParameters, ShellState, ShellVariable, VariableValue};
use crate::parse::{CommandKind, CommandNode};
use crate::stream::ShellValue;
use crate::word::{Cause, Directory, Unknown, ValueSource, Word};

/// The bodies of functions, by name.
type FunctionBodies = BTreeMap<String, Rc<CommandNode>>;

impl ShellState {
    /// Keeps what is the same in both states; other values become unknown. Functions, aliases and options of both
    /// states are kept, because they may be in effect.
    pub(crate) fn join(&mut self, other: &Self) {
        if !Rc::ptr_eq(&self.variables, &other.variables) {
            self.charge(2 * (self.variables.len() + other.variables.len()));
        }
        if !Rc::ptr_eq(&self.functions, &other.functions) || !Rc::ptr_eq(&self.aliases, &other.aliases) {
            self.charge(4 * (self.functions.len() + other.functions.len() + self.aliases.len() + other.aliases.len()));
        }
        self.join_variables(other);
        if self.arguments != other.arguments {
            self.arguments = Rc::new(PositionalParameters::Unknown);
        }
        self.join_directories(other);
        self.join_functions(other);
        if !Rc::ptr_eq(&self.attributes, &other.attributes) {
            for (name, attribute) in other.attributes.iter() {
                self.set_attribute(name, *attribute);
            }
        }
        self.may_refer |= other.may_refer;
        if !Rc::ptr_eq(&self.lists, &other.lists) {
            self.charge(self.lists.len() + other.lists.len());
            Rc::make_mut(&mut self.lists).extend(other.lists.iter().cloned());
        }
        self.join_aliases(other);
        if !Rc::ptr_eq(&self.exported, &other.exported) {
            self.exported = self.join_bodies(&self.exported, &other.exported);
        }
        self.has_integers |= other.has_integers;
        self.options = self.options.merge(other.options);
        self.mixed = self.mixed.union(other.mixed);
        if self.reading.dialect() != other.reading.dialect() {
            self.mixed = self.mixed.union(self.reading.dialect().into()).union(other.reading.dialect().into());
        }
        self.hidden = self.hidden.take().or_else(|| other.hidden.clone());
        self.descriptors.join(&other.descriptors);
        self.consumed.join(&other.consumed);
        self.lookup = self.lookup.max(other.lookup);
        if other.exports == ExportMode::All {
            self.exports = ExportMode::All;
        }
    }

    /// Joins the directories. One that differs becomes unknown, and the directory stack keeps the entries at its bottom
    /// that both have.
    fn join_directories(&mut self, other: &Self) {
        if self.cwd != other.cwd {
            self.cwd = Directory::Unknown(Unknown::new(Cause::Directory, "cd"));
        }
        if self.previous != other.previous {
            self.previous = None;
        }
        let same = self.stack.iter().zip(&*other.stack).take_while(|(own, other)| own == other).count();
        if same < self.stack.len() {
            Rc::make_mut(&mut self.stack).truncate(same);
        }
    }

    /// Joins the aliases. One that the states define differently may be either, so its text is unknown.
    fn join_aliases(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.aliases, &other.aliases) {
            return;
        }
        self.charge(other.aliases.values().map(|alias| alias.text.size()).sum());
        let aliases = Rc::make_mut(&mut self.aliases);
        for (name, alias) in other.aliases.iter() {
            let joined = aliases.entry(name.clone()).or_insert_with(|| alias.clone());
            joined.line = joined.line.min(alias.line);
            if joined.text != alias.text {
                joined.text.word = Word::unknown_words(Unknown::new(Cause::Alias, name.clone()));
                joined.text.add_writers(&alias.text.writers);
            }
        }
    }

    /// Joins the functions. If a name has a body in each state, either body may run; if only in one, it may be
    /// undefined.
    fn join_functions(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.functions, &other.functions) && Rc::ptr_eq(&self.maybe_defined, &other.maybe_defined) {
            return;
        }
        let mut possibly_defined = (*self.maybe_defined).clone();
        possibly_defined.extend(other.maybe_defined.iter().cloned());
        possibly_defined.extend(self.functions.keys().filter(|name| !other.functions.contains_key(*name)).cloned());
        possibly_defined.extend(other.functions.keys().filter(|name| !self.functions.contains_key(*name)).cloned());
        self.functions = self.join_bodies(&self.functions, &other.functions);
        self.maybe_defined = Rc::new(possibly_defined);
    }

    /// Returns the functions of two states. If a name has a body in each state, either body may run.
    fn join_bodies(&self, own: &FunctionBodies, other: &FunctionBodies) -> Rc<FunctionBodies> {
        let mut joined = own.clone();
        for (name, body) in other {
            match own.get(name) {
                None => {
                    joined.insert(name.clone(), Rc::clone(body));
                }
                Some(own) if Rc::ptr_eq(own, body) || own.has_body(body) => {}
                Some(own) => {
                    let either = CommandNode::either_body(own, body);
                    if let CommandKind::AnyOf(bodies) = &either.kind {
                        self.pending_steps
                            .set(self.pending_steps.get().saturating_add(2 * bodies.len() * bodies.len()));
                    }
                    joined.insert(name.clone(), Rc::new(either));
                }
            }
        }
        Rc::new(joined)
    }

    /// Keeps the variables that are the same in both states; the others become unknown, with the writers of both
    /// values.
    pub(crate) fn join_variables(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.variables, &other.variables) || self.variables == other.variables {
            return;
        }
        let own_variables = Rc::clone(&self.variables);
        let names =
            own_variables.keys().chain(other.variables.keys().filter(|name| !own_variables.contains_key(*name)));
        for name in names {
            let (own_variable, other_variable) = (own_variables.get(name), other.variables.get(name));
            if own_variable == other_variable {
                continue;
            }
            let is_exported = [own_variable, other_variable].into_iter().flatten().any(|variable| variable.is_exported);
            // A number that a loop counts stays a number.
            let are_numbers =
                [own_variable, other_variable].iter().all(|variable| variable.is_some_and(ShellVariable::is_number));
            let mut value = if are_numbers { ShellValue::number(name) } else { ShellValue::variable(name) };
            for variable in [own_variable, other_variable].into_iter().flatten() {
                value.add_writers(variable.binding.writers());
            }
            let variable = ShellVariable { binding: VariableValue::One(value), is_exported };
            self.charge_copy(&self.variables, self.variables.len());
            Rc::make_mut(&mut self.variables).insert(name.clone(), variable);
        }
    }

    /// Whether both states have the same functions and aliases. States with equal copies count as different.
    pub(crate) fn has_same_names(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.functions, &other.functions) && Rc::ptr_eq(&self.aliases, &other.aliases)
    }

    /// Whether a join with another state would change nothing. Used to detect that another pass over a loop adds
    /// nothing.
    pub(crate) fn can_absorb(&self, other: &Self) -> bool {
        if !Rc::ptr_eq(&self.variables, &other.variables) {
            self.charge(2 * (self.variables.len() + other.variables.len()));
        }
        // Another unknown value, such as a number or a name that a glob matches, is partly known: a pass with it has not
        // seen what the commands do with any value.
        let may_be_any = |name: &str, variable: &ShellVariable| match &variable.binding {
            VariableValue::One(value) => value.word == ShellValue::variable(name).word,
            _ => false,
        };
        let absorbs = |name: &str, own: &ShellVariable| match other.variables.get(name) {
            Some(other) if own == other => true,
            Some(other) if own.is_any_number() => other.is_any_number() && own.is_exported == other.is_exported,
            _ => may_be_any(name, own),
        };
        let variables = Rc::ptr_eq(&self.variables, &other.variables)
            || self.variables.iter().all(|(name, own)| absorbs(name, own))
                && other.variables.keys().all(|name| self.variables.contains_key(name));
        // A directory that `mktemp` makes is partly known too.
        let is_any_directory = matches!(&self.cwd, Directory::Unknown(why) if why.source == ValueSource::Any);
        let cwd = self.cwd == other.cwd || is_any_directory;
        let arguments = self.arguments == other.arguments || *self.arguments == PositionalParameters::Unknown;
        let descriptors = self.descriptors == other.descriptors && self.consumed == other.consumed;
        let is_hidden = self.hidden.is_some() || other.hidden.is_none();
        variables && cwd && arguments && descriptors && is_hidden && self.functions.len() == other.functions.len()
    }
}
