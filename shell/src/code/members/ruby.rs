//! Members of values that only Ruby has.

use std::rc::Rc;

use super::super::evaluate::Evaluator;
use super::super::library;
use super::super::value::CodeValue;

impl Evaluator<'_> {
    /// Returns a member by the rules of Ruby: a method that calls or converts a function (`f.call`, `f.to_proc`),
    /// `new` of a class, or a method of `ENV`. Returns `None` if the common rules apply.
    pub(super) fn ruby_member(&mut self, object: &CodeValue, name: &str) -> Option<CodeValue> {
        let has_row = |name: &str| library::find_row(self.language, name).is_some();
        match object {
            CodeValue::Function(_) | CodeValue::Method(..) if is_call_method(name) => Some(object.clone()),
            CodeValue::Library(library) if is_call_method(name) && has_row(library) => Some(object.clone()),
            CodeValue::Function(_) | CodeValue::Method(..) | CodeValue::Library(_) if is_conversion(object, name) => {
                let name = if name == "bind_call" { "function.call" } else { "function.same" };
                Some(CodeValue::Method(name.into(), Rc::new(object.clone())))
            }
            CodeValue::Class(_) if name == "new" => Some(object.clone()),
            CodeValue::Library(library) if &**library == "ENV" && !has_row(&format!("ENV.{name}")) => {
                Some(self.method(&CodeValue::COMPUTED, name))
            }
            _ => None,
        }
    }
}

/// Whether a method of a function object calls the function: `f.call(x)`, `f.(x)`, `f[x]`.
fn is_call_method(name: &str) -> bool {
    matches!(name, "call" | "()" | "yield" | "[]" | "===")
}

/// Whether a method of a function object returns it in another form (`f.to_proc`), or calls it (`f.bind_call(x)`).
/// Always false for a method of an object that no table lists.
fn is_conversion(function: &CodeValue, name: &str) -> bool {
    matches!(name, "to_proc" | "unbind" | "curry" | "bind" | "bind_call")
        && !matches!(function, CodeValue::Method(_, receiver) if **receiver == CodeValue::Object)
}
