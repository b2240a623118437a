//! Lists in the quoted values of `declare` and similar builtins: bash reads `declare -a a='(x y)'` as
//! `declare -a a=(x y)`, and runs the substitutions in it.

use std::rc::Rc;

use super::builtins::Declaration;
use super::simple::ExpandedAssignment;
use super::{Frame, SpanTracking, WalkContext};
use crate::dialect::DialectFeature;
use crate::state::{VariableOwner, VariableValue, variable_owner};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, Word, WordPart};

/// How a builtin reads a quoted value in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ListReading {
    /// The value is a plain text.
    Text,
    /// The value is a list if the variable is an array, and it is not known whether it is one.
    Either,
    /// The value is a list.
    List,
}

impl Frame<'_> {
    /// Records that a variable is declared as an array.
    pub(super) fn note_list(&mut self, name: &str) {
        if !self.state.lists.contains(name) {
            self.state.charge(self.state.lists.len());
            Rc::make_mut(&mut self.state.lists).insert(name.to_owned());
        }
    }

    /// Returns the assignment with its quoted value read as a list; `None` if the value is read as a text. The
    /// substitutions in the list run.
    pub(super) fn as_list(
        &mut self,
        declaration: &Declaration<'_>,
        assignment: &ExpandedAssignment,
    ) -> Option<ExpandedAssignment> {
        let VariableValue::One(value) = &assignment.binding else { return None };
        let reading = match may_be_list(&value.word) {
            true => self.list_reading(declaration, assignment),
            false => ListReading::Text,
        };
        if reading == ListReading::Text || !self.state.reading.has(DialectFeature::QuotedLists) {
            return None;
        }
        let list = self.expand_value_list(&assignment.name, value, reading);
        let binding = match reading {
            ListReading::List => list,
            ListReading::Either | ListReading::Text => {
                let mut unknown = ShellValue::variable(&assignment.name);
                unknown.add_writers(&value.writers);
                unknown.add_writers(list.writers());
                VariableValue::One(unknown)
            }
        };
        Some(ExpandedAssignment { subscript: None, binding, is_quoted: false, ..assignment.clone() })
    }

    /// Runs the substitutions in a list that is assigned to an element: `declare -a 'a[0]=(…)'`.
    pub(super) fn walk_element_list(&mut self, declaration: &Declaration<'_>, name: &str, value: &ShellValue) {
        if let Some((_, word)) = value.word.split_at_equals() {
            let binding = VariableValue::One(ShellValue { word, writers: value.writers.clone() });
            let (name, subscript) = (name.to_owned(), Some(String::new()));
            self.as_list(
                declaration,
                &ExpandedAssignment { name, subscript, appends: false, binding, word_index: 0, is_quoted: true },
            );
        }
    }

    /// Returns how a builtin reads a value in parentheses, by its options and by the variable.
    fn list_reading(&self, declaration: &Declaration<'_>, assignment: &ExpandedAssignment) -> ListReading {
        let name = assignment.name.as_str();
        let may_be_list = || {
            let has_list = |binding: &VariableValue| match binding {
                VariableValue::One(value) => value.word.known_text().is_none(),
                VariableValue::List(_) => true,
                VariableValue::Unset => false,
            };
            variable_owner(name) == VariableOwner::Shell
                || self.state.lists.contains(name)
                || self.state.is_changed(name)
                || self.state.variables.get(name).is_some_and(|variable| has_list(&variable.binding))
        };
        match declaration.builtin {
            _ if declaration.prints => ListReading::Text,
            _ if declaration.lists => ListReading::List,
            "export" | "readonly" => ListReading::Text,
            _ if assignment.subscript.is_none() && may_be_list() => ListReading::Either,
            _ => ListReading::Text,
        }
    }

    /// Expands the text of a value as a list. If it may also be a plain text, the commands in it are doubtful.
    fn expand_value_list(&mut self, name: &str, value: &ShellValue, reading: ListReading) -> VariableValue {
        let Some(text) = self.script_source(value) else { return VariableValue::One(value.clone()) };
        let list = text.strip_prefix('(').unwrap_or(&text);
        let list = list.strip_suffix(')').unwrap_or(list);
        let doubt = (reading == ListReading::Either).then(|| Unknown::new(Cause::Variable, format!("${name}")));
        let context = WalkContext {
            doubt: self.context.doubt.clone().or(doubt),
            span_tracking: SpanTracking::Dropped,
            ..self.context.clone()
        };
        let mut binding = self.with_context(&context).expand_list(name, list);
        match &mut binding {
            VariableValue::One(one) => one.add_writers(&value.writers),
            VariableValue::List(values) => values.iter_mut().for_each(|one| one.add_writers(&value.writers)),
            VariableValue::Unset => {}
        }
        binding
    }
}

/// Whether a value may begin with `(` and end with `)`. False for a wholly unknown value, which cannot be parsed.
fn may_be_list(word: &Word) -> bool {
    let is_unknown = |part: Option<&WordPart>| matches!(part, Some(WordPart::Unknown(_)));
    let (first, last) = (word.parts.first(), word.parts.last());
    let may_begin = word.prefix().starts_with('(') || is_unknown(first);
    may_begin && (is_unknown(last) || word.last_char() == Some(')')) && !(word.parts.len() == 1 && is_unknown(first))
}
