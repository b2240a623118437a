//! Computes returned modules and functions, and the values of code that a call runs.

use std::rc::Rc;

use super::super::CodeLanguage;
use super::super::arguments::{CallArguments, LibraryCall};
use super::super::evaluate::{Evaluator, NodeRef};
use super::super::javascript;
use super::super::library::returned::ReturnedCode;
use super::super::value::CodeValue;

impl Evaluator<'_> {
    /// Returns a module, a function, or the value of code that the call evaluated.
    pub(super) fn returned_code(&mut self, call: LibraryCall<'_>, code: ReturnedCode) -> CodeValue {
        match code {
            ReturnedCode::Loader => CodeValue::Library("require".into()),
            ReturnedCode::Module(name) => {
                call.known(name).map_or(CodeValue::Dynamic, |name| self.module(call.at, &name))
            }
            ReturnedCode::MemberOf(object, name) => match (call.argument(object), call.known(name)) {
                (Some(object), Some(name)) => self.member(&object, &name),
                (Some(object), None) if !object.may_have_effects() => CodeValue::COMPUTED,
                _ => CodeValue::Dynamic,
            },
            ReturnedCode::Anything => self.evaluated.take().unwrap_or(CodeValue::Dynamic),
            ReturnedCode::CompiledFunction => {
                let value = self.evaluated.take().unwrap_or(CodeValue::Dynamic);
                CodeValue::Method("function.of".into(), Rc::new(value))
            }
            ReturnedCode::Then(function) => match (call.argument(function), call.this) {
                (Some(function), Some(this)) => {
                    self.call(call.at, &function, &CallArguments::from_values(vec![this.clone()]))
                }
                _ => CodeValue::COMPUTED,
            },
            ReturnedCode::Partial => self.partial(call),
            ReturnedCode::Receiver => self.value_named("self"),
        }
    }

    /// Returns the module of this name. One from a file or a `data:` URL is loaded, and is an object without known
    /// methods.
    fn module(&mut self, at: NodeRef, name: &str) -> CodeValue {
        match self.language {
            // `import_module("a.b")` returns `a.b`. That `__import__("a.b")` returns `a` is not modelled.
            CodeLanguage::Ruby | CodeLanguage::Python => self.library(name),
            _ if name.starts_with("data:") => {
                self.load_data(at, name);
                CodeValue::Object
            }
            _ if name.starts_with(['.', '/']) => {
                self.load(&["", ".js", ".cjs", ".mjs", ".json", "/index.js"].map(|end| format!("{name}{end}")));
                CodeValue::Object
            }
            _ => self.library(&javascript::library(name)),
        }
    }

    /// Calls the function of `functools.partial(f, x)` at once, with the bound arguments and any further ones.
    /// Returns unknown data, so that a later call of the result has no effects.
    fn partial(&mut self, call: LibraryCall<'_>) -> CodeValue {
        if let [function, bound @ ..] = call.given.positional.as_slice() {
            let given = CallArguments { positional: bound.to_vec(), may_have_more: true, ..call.given.clone() };
            self.call(call.at, function, &given);
        }
        CodeValue::COMPUTED
    }
}
