//! Members that only values of Ruby have.

use std::rc::Rc;

use super::super::evaluate::Evaluator;
use super::super::library;
use super::super::value::Value;

impl Evaluator<'_> {
    pub(super) fn ruby_member(&mut self, object: &Value, name: &str) -> Option<Value> {
        let has_row = |name: &str| library::row(self.language, name).is_some();
        match object {
            Value::Function(_) | Value::Method(..) if is_callers(name) => Some(object.clone()),
            Value::Library(library) if is_callers(name) && has_row(library) => Some(object.clone()),
            Value::Function(_) | Value::Method(..) | Value::Library(_) if is_conversion(object, name) => {
                let name = if name == "bind_call" { "function.call" } else { "function.same" };
                Some(Value::Method(name.into(), Rc::new(object.clone())))
            }
            Value::Class(_) if name == "new" => Some(object.clone()),
            Value::Library(library) if &**library == "ENV" && !has_row(&format!("ENV.{name}")) => {
                Some(self.method(&Value::COMPUTED, name))
            }
            _ => None,
        }
    }
}

/// Whether this method of a function calls it.
fn is_callers(name: &str) -> bool {
    matches!(name, "call" | "()" | "yield" | "[]" | "===")
}

/// Whether this method returns the function itself in another form.
fn is_conversion(function: &Value, name: &str) -> bool {
    matches!(name, "to_proc" | "unbind" | "curry" | "bind" | "bind_call")
        && !matches!(function, Value::Method(_, receiver) if **receiver == Value::Object)
}
