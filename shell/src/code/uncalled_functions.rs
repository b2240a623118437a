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
    /// Since it is unknown whether they run, what they do is recorded as not analysed instead of as effects.
    pub(super) fn call_uncalled_functions(&mut self) {
        let mut tree = 0;
        while let Some(own) = self.trees.get(tree).cloned() {
            for (function, name) in own.functions() {
                // A function whose name occurs nowhere else in the text is never called, unless the language calls
                // it.
                let is_hook = name.as_ref().is_none_or(|name| self.is_hook(name));
                let is_named = || name.as_ref().is_none_or(|name| own.count_name(name) > 1);
                let is_inherited = || own.function(function).is_some_and(|it| is_in_subclass(own.text_before(it.body)));
                let may_be_called = || is_hook || is_named() || is_inherited();
                if self.is_budget_spent || self.called.contains(&(tree, function)) || !may_be_called() {
                    continue;
                }
                let (done, fetched) = (self.effects.effects.len(), self.fetched.len());
                let closure = Closure { tree, function, variables: None, receiver: None, depth: 0 };
                // Nothing is known about the arguments of such a call.
                let given = CallArguments {
                    positional: vec![CodeValue::COMPUTED; 4],
                    is_open: true,
                    ..CallArguments::default()
                };
                let Some(root) = own.root else { continue };
                self.call_function(NodeRef { tree, id: root }, &closure, &given);
                let acts = self.effects.effects.split_off(done.min(self.effects.effects.len()));
                // A function without effects does not matter.
                if acts.is_empty() && self.fetched.len() == fetched {
                    continue;
                }
                self.fetched.truncate(fetched);
                // A hook's effect on what depends on its arguments may concern anything.
                let is_computed = |effect: &CodeEffect| match effect {
                    CodeEffect::LikeCommand(words) => words.iter().any(|word| word.unknown_reason().is_some()),
                    CodeEffect::Run(..) => true,
                    CodeEffect::Overwrite(path, _) | CodeEffect::Append(path, _) => path.unknown_reason().is_some(),
                };
                let source = own.function(function).map(|own_function| own.text_of(own_function.body).to_owned());
                let source = source.unwrap_or_default();
                // In any other case, the function can only affect what the text of the program names.
                match is_hook && acts.iter().any(is_computed) {
                    true => self.add_unanalysed(computed_reason(&source), None),
                    false => self.add_unanalysed(
                        Unknown::new(Cause::Library, excerpt(&source)),
                        Some(unseen_text(self.language, &own, root, "")),
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

/// Whether a function is a method of a class with a base class, which may call it; `before` is the code before the
/// body of the function.
fn is_in_subclass(before: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = before.lines().rev().filter(|line| !line.trim().is_empty());
    let Some(own) = lines.next() else { return false };
    let class = lines.find(|line| line.trim_start().starts_with("class ") && indent(line) < indent(own));
    class.is_some_and(|line| line.contains(" extends ") || line.contains('(') && !line.contains("()"))
}
