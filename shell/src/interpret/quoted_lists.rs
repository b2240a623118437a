//! Lists in the values of `declare` and similar builtins: bash reads `declare -a a='(x y)'` as `declare -a a=(x y)`,
//! and runs the substitutions in it.

use std::rc::Rc;

use super::builtins::Declaration;
use super::simple::Assigned;
use super::{Frame, Places, Setting};
use crate::dialect::Feature;
use crate::state::{Binding, Kept, kept};
use crate::stream::Value;
use crate::word::{Cause, Part, Unknown, Word};

/// Whether a value in parentheses is a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reads {
    Text,
    /// A list if the variable is one.
    Either,
    List,
}

impl Frame<'_> {
    /// Records that a variable is declared as a list.
    pub(super) fn note_list(&mut self, name: &str) {
        if !self.state.lists.contains(name) {
            self.state.charge(self.state.lists.len());
            Rc::make_mut(&mut self.state.lists).insert(name.to_owned());
        }
    }

    /// Returns the assignment with its value read as a list; `None` if it is not one. The substitutions in the list
    /// run.
    pub(super) fn with_list(&mut self, how: &Declaration<'_>, one: &Assigned) -> Option<Assigned> {
        let Binding::One(value) = &one.binding else { return None };
        let reads = match may_be_list(&value.word) {
            true => self.reads(how, one),
            false => Reads::Text,
        };
        if reads == Reads::Text || !self.state.reading.has(Feature::QuotedLists) {
            return None;
        }
        let list = self.list_of_value(&one.name, value, reads);
        let binding = match reads {
            Reads::List => list,
            Reads::Either | Reads::Text => {
                let mut either = Value::variable(&one.name);
                either.joins(&value.from);
                either.joins(list.from());
                Binding::One(either)
            }
        };
        Some(Assigned { subscript: None, binding, is_quoted: false, ..one.clone() })
    }

    /// Runs the substitutions in the list that is assigned to an element: `declare -a 'a[0]=(…)'`.
    pub(super) fn list_of_element(&mut self, how: &Declaration<'_>, name: &str, value: &Value) {
        if let Some((_, word)) = value.word.pair() {
            let binding = Binding::One(Value { word, from: value.from.clone() });
            let (name, subscript) = (name.to_owned(), Some(String::new()));
            self.with_list(how, &Assigned { name, subscript, appends: false, binding, at: 0, is_quoted: true });
        }
    }

    fn reads(&self, how: &Declaration<'_>, one: &Assigned) -> Reads {
        let name = one.name.as_str();
        let may_be_list = || {
            let has_list = |binding: &Binding| match binding {
                Binding::One(value) => value.word.known().is_none(),
                Binding::List(_) => true,
                Binding::Unset => false,
            };
            kept(name) == Kept::Shell
                || self.state.lists.contains(name)
                || self.state.is_changed(name)
                || self.state.variables.get(name).is_some_and(|variable| has_list(&variable.binding))
        };
        match how.builtin {
            _ if how.prints => Reads::Text,
            _ if how.lists => Reads::List,
            "export" | "readonly" => Reads::Text,
            _ if one.subscript.is_none() && may_be_list() => Reads::Either,
            _ => Reads::Text,
        }
    }

    /// Expands a value as a list.
    fn list_of_value(&mut self, name: &str, value: &Value, reads: Reads) -> Binding {
        let Some(text) = self.nested(value) else { return Binding::One(value.clone()) };
        let list = text.strip_prefix('(').unwrap_or(&text);
        let list = list.strip_suffix(')').unwrap_or(list);
        let doubt = (reads == Reads::Either).then(|| Unknown::new(Cause::Variable, format!("${name}")));
        let setting =
            Setting { doubt: self.setting.doubt.clone().or(doubt), places: Places::Dropped, ..self.setting.clone() };
        let mut binding = self.within(&setting).list_of(name, list);
        match &mut binding {
            Binding::One(one) => one.joins(&value.from),
            Binding::List(values) => values.iter_mut().for_each(|one| one.joins(&value.from)),
            Binding::Unset => {}
        }
        binding
    }
}

/// Whether a value may be in parentheses.
fn may_be_list(word: &Word) -> bool {
    let is_unknown = |part: Option<&Part>| matches!(part, Some(Part::Unknown(_)));
    let (first, last) = (word.parts.first(), word.parts.last());
    let begins = word.prefix().starts_with('(') || is_unknown(first);
    // A wholly unknown value cannot be parsed as a list.
    begins && (is_unknown(last) || word.last_char() == Some(')')) && !(word.parts.len() == 1 && is_unknown(first))
}
