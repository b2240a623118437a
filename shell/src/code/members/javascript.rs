//! Members that only values of JavaScript have.

use std::rc::Rc;

use super::super::evaluate::Evaluator;
use super::super::value::{Held, Value};

impl Evaluator<'_> {
    pub(super) fn javascript_member(&mut self, object: &Value, name: &str) -> Option<Value> {
        let method = |method: String| Value::Method(method.into(), Rc::new(object.clone()));
        Some(match (object, name) {
            // A promise is represented by the value that it resolves to.
            (_, "then") => method("promise.then".to_owned()),
            (Value::Library(library), name) if &**library == "Reflect" => self.library(&format!("Reflect.{name}")),
            (Value::Library(_) | Value::Function(_) | Value::Method(..), "call" | "apply" | "bind") => {
                method(format!("function.{name}"))
            }
            // `constructor.constructor` of any value is `Function`.
            (_, "constructor") => Value::Library("Function".into()),
            (Value::Keys(place), name) => match self.state.held(*place) {
                Some(Held::Keys(keys)) => keys.get(name).cloned().unwrap_or(Value::Nothing),
                Some(Held::Any(any)) => any.clone(),
                _ => Value::Dynamic,
            },
            _ => return None,
        })
    }
}
