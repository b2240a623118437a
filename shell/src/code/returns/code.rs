//! Returned modules and functions, and the values of code that a call runs.

use std::rc::Rc;

use super::super::Language;
use super::super::arguments::{Given, LibraryCall};
use super::super::evaluate::{At, Evaluator};
use super::super::javascript;
use super::super::library::returned::ReturnedCode;
use super::super::value::Value;

impl Evaluator<'_> {
    pub(super) fn returned_code(&mut self, call: LibraryCall<'_>, code: ReturnedCode) -> Value {
        match code {
            ReturnedCode::Loader => Value::Library("require".into()),
            ReturnedCode::Module(name) => call.known(name).map_or(Value::Dynamic, |name| self.module(call.at, &name)),
            ReturnedCode::MemberOf(object, name) => match (call.argument(object), call.known(name)) {
                (Some(object), Some(name)) => self.member(&object, &name),
                (Some(object), None) if !object.may_act() => Value::COMPUTED,
                _ => Value::Dynamic,
            },
            ReturnedCode::Anything => self.evaluated.take().unwrap_or(Value::Dynamic),
            ReturnedCode::Made => {
                let value = self.evaluated.take().unwrap_or(Value::Dynamic);
                Value::Method("function.of".into(), Rc::new(value))
            }
            ReturnedCode::Then(function) => match (call.argument(function), call.this) {
                (Some(function), Some(this)) => self.call(call.at, &function, &Given::of(vec![this.clone()])),
                _ => Value::COMPUTED,
            },
            ReturnedCode::Partial => self.partial(call),
            ReturnedCode::Receiver => self.named("self"),
        }
    }

    /// Returns a module by its name.
    fn module(&mut self, at: At, name: &str) -> Value {
        match self.language {
            // For `import a.b` it is `a`, except for `import_module`, which returns the whole name.
            Language::Ruby | Language::Python => self.library(name),
            _ if name.starts_with("data:") => {
                self.load_data(at, name);
                Value::Object
            }
            _ if name.starts_with(['.', '/']) => {
                self.load(&["", ".js", ".cjs", ".mjs", ".json", "/index.js"].map(|end| format!("{name}{end}")));
                Value::Object
            }
            _ => self.library(&javascript::library(name)),
        }
    }

    /// Calls a function with the arguments bound so far; later ones follow them.
    fn partial(&mut self, call: LibraryCall<'_>) -> Value {
        if let [function, bound @ ..] = call.given.plain.as_slice() {
            let given = Given { plain: bound.to_vec(), is_open: true, ..call.given.clone() };
            self.call(call.at, function, &given);
        }
        Value::COMPUTED
    }
}
