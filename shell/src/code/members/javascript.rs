//! Members of values that only JavaScript has.

use std::rc::Rc;

use super::super::evaluate::Evaluator;
use super::super::value::{CodeValue, HeapCell};

impl Evaluator<'_> {
    /// Returns a member by the rules of JavaScript: an entry of an object, a method of a function such as `call`, or
    /// a method of a promise. Returns `None` if the common rules apply.
    pub(super) fn javascript_member(&mut self, object: &CodeValue, name: &str) -> Option<CodeValue> {
        let method = |method: String| CodeValue::Method(method.into(), Rc::new(object.clone()));
        Some(match (object, name) {
            // A promise is represented by the value with which it is fulfilled, so that every value has this method.
            (_, "then") => method("promise.then".to_owned()),
            (CodeValue::Library(library), name) if &**library == "Reflect" => self.library(&format!("Reflect.{name}")),
            (CodeValue::Library(_) | CodeValue::Function(_) | CodeValue::Method(..), "call" | "apply" | "bind") => {
                method(format!("function.{name}"))
            }
            // `constructor.constructor` of any value is `Function`.
            (_, "constructor") => CodeValue::Library("Function".into()),
            (CodeValue::Dictionary(address), name) => match self.state.cell(*address) {
                Some(HeapCell::Dictionary(keys)) => keys.get(name).cloned().unwrap_or(CodeValue::Nothing),
                Some(HeapCell::SomeElement(any)) => any.clone(),
                _ => CodeValue::Dynamic,
            },
            _ => return None,
        })
    }
}
