//! Calls the functions of a program that nothing in it visibly calls.

use super::CodeLanguage;
use super::arguments::CallArguments;
use super::call::unseen_text;
use super::evaluate::{Evaluator, NodeRef, computed_reason};
use super::value::{Closure, CodeValue};
use super::{CodeEffect, excerpt};
use crate::word::{Cause, Unknown};

impl Evaluator<'_> {
    /// Calls the functions that no evaluated code has called: the language itself may call them (`__del__`,
    /// `toString`), or a library that received them.
    ///
    /// Since it is unknown whether they run, their effects are recorded as code that is not analysed.
    pub(super) fn call_uncalled_functions(&mut self) {
        let mut tree = 0;
        while let Some(code) = self.trees.get(tree).cloned() {
            for (function, name) in code.functions() {
                // A function whose name occurs only once in the text is not called, except by the language itself.
                let is_hook = name.as_ref().is_none_or(|name| self.is_hook(name));
                let is_named = || name.as_ref().is_none_or(|name| code.count_name(name) > 1);
                let is_inherited =
                    || code.function(function).is_some_and(|it| is_in_subclass(code.text_before(it.body)));
                let may_be_called = || is_hook || is_named() || is_inherited();
                if self.is_budget_spent || self.called.contains(&(tree, function)) || !may_be_called() {
                    continue;
                }
                let (effect_count, fetched) = (self.effects.effects.len(), self.fetched.len());
                let closure = Closure { tree, function, variables: None, receiver: None, depth: 0 };
                // Nothing is known about the arguments of such a call.
                let given = CallArguments {
                    positional: vec![CodeValue::COMPUTED; 4],
                    may_have_more: true,
                    ..CallArguments::default()
                };
                let Some(root) = code.root else { continue };
                self.call_function(NodeRef { tree, id: root }, &closure, &given);
                let new_effects = self.effects.effects.split_off(effect_count.min(self.effects.effects.len()));
                // A function without effects does not matter.
                if new_effects.is_empty() && self.fetched.len() == fetched {
                    continue;
                }
                self.fetched.truncate(fetched);
                // The arguments of a hook are unknown, and an effect that depends on them may concern anything.
                let may_affect_anything = |effect: &CodeEffect| match effect {
                    CodeEffect::LikeCommand(words) => words.iter().any(|word| word.unknown_reason().is_some()),
                    CodeEffect::Run(..) => true,
                    CodeEffect::Overwrite(path, _) | CodeEffect::Append(path, _) => path.unknown_reason().is_some(),
                };
                let source = code.function(function).map(|definition| code.text_of(definition.body).to_owned());
                let source = source.unwrap_or_default();
                // In any other case, the function can only affect what the text of the program names.
                match is_hook && new_effects.iter().any(may_affect_anything) {
                    true => self.add_unanalysed(computed_reason(&source), None),
                    false => self.add_unanalysed(
                        Unknown::new(Cause::Library, excerpt(&source)),
                        Some(unseen_text(self.language, &code, root, "")),
                    ),
                }
            }
            tree += 1;
        }
    }

    /// Whether the language itself may call a function of this name.
    pub(super) fn is_hook(&self, name: &str) -> bool {
        const RUBY: &[&str] = &[
            "to_s",
            "to_str",
            "inspect",
            "method_missing",
            "each",
            "coerce",
            "call",
            "to_proc",
            "to_a",
            "to_ary",
            "hash",
            "respond_to_missing?",
            "inherited",
            "included",
            "extended",
            "method_added",
            "const_missing",
            "initialize",
        ];
        match self.language {
            CodeLanguage::Ruby => RUBY.contains(&name) || !name.starts_with(|c: char| c.is_alphabetic() || c == '_'),
            CodeLanguage::Perl => matches!(name, "DESTROY" | "AUTOLOAD" | "import" | "TIESCALAR" | "FETCH" | "STORE"),
            CodeLanguage::Python | CodeLanguage::JavaScript | CodeLanguage::Php => name.starts_with("__"),
        }
    }
}

/// Whether a function is a method of a class that has a base class, which may call it. `before` is the code before the
/// body of the function.
fn is_in_subclass(before: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = before.lines().rev().filter(|line| !line.trim().is_empty());
    let Some(definition) = lines.next() else { return false };
    let class = lines.find(|line| line.trim_start().starts_with("class ") && indent(line) < indent(definition));
    class.is_some_and(|line| line.contains(" extends ") || line.contains('(') && !line.contains("()"))
}
