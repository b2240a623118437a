//! The variables of a program at its start, and the values of bare names.

use std::rc::Rc;

use super::Language;
use super::arguments::Given;
use super::evaluate::{At, Evaluator};
use super::library;
use super::scopes::bare;
use super::value::{Origin, Value};
use crate::word::{Part, Word};

impl Evaluator<'_> {
    /// Sets the variables that exist at the start: the program's arguments.
    pub(super) fn begin(&mut self) {
        let (name, skipped) = match self.language {
            Language::Ruby => ("ARGV", 1),
            Language::Php => ("=$argv", 0),
            Language::Perl => ("@ARGV", 1),
            Language::Python | Language::JavaScript => return,
        };
        let words = self.outside.arguments().into_iter().skip(skipped);
        let is_several = |word: &Word| word.parts.iter().any(|part| matches!(part, Part::Unknown(it) if it.splits));
        let values = words.map(|word| match is_several(&word) {
            true => Value::each(Value::Text(word, Origin::Computed)),
            false => Value::Text(word, Origin::Computed),
        });
        let values = values.collect();
        let list = self.new_list(values);
        self.state.set_outermost(&name.into(), list);
    }

    pub(super) fn name(&mut self, at: At, name: &Rc<str>) -> Value {
        // A name that is not a variable is a method.
        if self.language == Language::Ruby && name.starts_with('=') && self.state.find(name).is_none() {
            let callee = self.named(bare(name));
            return self.call(at, &callee, &Given::default());
        }
        if self.language == Language::Perl && !name.starts_with(['$', '@', '%', '*']) {
            return self.bareword(at, name);
        }
        self.named(name)
    }

    /// A name without a sigil is a function, a handle or a text.
    pub(super) fn bareword(&mut self, at: At, name: &Rc<str>) -> Value {
        if let Some(value) = self.state.find(name).or_else(|| self.state.find(&format!("*{name}"))).cloned() {
            return value;
        }
        match library::row(self.language, name).is_some() || library::is_plain(self.language, name) {
            true => self.library(name),
            false => {
                let _ = at;
                Value::text(&**name)
            }
        }
    }
}
