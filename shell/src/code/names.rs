//! The variables of a program at its start, and the values of bare names.

use std::rc::Rc;

use super::CodeLanguage;
use super::arguments::CallArguments;
use super::evaluate::{Evaluator, NodeRef};
use super::library;
use super::scopes::source_name;
use super::value::{CodeValue, DataOrigin};
use crate::word::{Word, WordPart};

impl Evaluator<'_> {
    /// Sets the variable with the program's arguments, before the program starts: `ARGV`, `$argv` or `@ARGV`.
    ///
    /// In Python and JavaScript, a library item has the arguments.
    pub(super) fn begin(&mut self) {
        let (name, skipped) = match self.language {
            CodeLanguage::Ruby => ("ARGV", 1),
            CodeLanguage::Php => ("=$argv", 0),
            CodeLanguage::Perl => ("@ARGV", 1),
            CodeLanguage::Python | CodeLanguage::JavaScript => return,
        };
        let words = self.environment.arguments().into_iter().skip(skipped);
        let is_several =
            |word: &Word| word.parts.iter().any(|part| matches!(part, WordPart::Unknown(it) if it.may_split));
        let values = words.map(|word| match is_several(&word) {
            true => CodeValue::several(CodeValue::Text(word, DataOrigin::Computed)),
            false => CodeValue::Text(word, DataOrigin::Computed),
        });
        let values = values.collect();
        let list = self.new_list(values);
        self.state.set_global(&name.into(), list);
    }

    /// Returns the value of a bare name. In Ruby, a name that is not a variable is a call of a method without
    /// arguments.
    pub(super) fn name(&mut self, at: NodeRef, name: &Rc<str>) -> CodeValue {
        // Local variables of Ruby begin with `=`. Without a value, the name is that of a method.
        if self.language == CodeLanguage::Ruby && name.starts_with('=') && self.state.find(name).is_none() {
            let callee = self.value_named(source_name(name));
            return self.call(at, &callee, &CallArguments::default());
        }
        if self.language == CodeLanguage::Perl && !name.starts_with(['$', '@', '%', '*']) {
            return self.bareword(name);
        }
        self.value_named(name)
    }

    /// Returns the value of a Perl name without a sigil: a function or a handle of the program, a library function,
    /// or else the name as a text.
    fn bareword(&mut self, name: &Rc<str>) -> CodeValue {
        if let Some(value) = self.state.find(name).or_else(|| self.state.find(&format!("*{name}"))).cloned() {
            return value;
        }
        match library::find_row(self.language, name).is_some() || library::is_without_effect(self.language, name) {
            true => self.library(name),
            false => CodeValue::text(&**name),
        }
    }
}
