//! Loops and branches: a body for each element, repeated bodies, alternative bodies.

use std::rc::Rc;

use super::super::library;
use super::super::tree::{Id, Node, Target};
use super::super::value::{Held, Origin, Value};
use super::{At, Elements, Evaluator};

/// The maximum length of a list whose elements are evaluated one by one.
const EACH: usize = 64;

impl Evaluator<'_> {
    /// Evaluates a body for each element.
    pub(super) fn each(&mut self, at: At, target: &Target, over: Id, body: Id) -> Value {
        let over = self.inner(at, over);
        let body = At { id: body, ..at };
        match self.elements(&over) {
            Elements::Known(values) if values.len() <= EACH => {
                let mut results = Vec::new();
                for value in values {
                    let is_one = !matches!(value, Value::Each(_));
                    let value = if let Value::Each(inner) = value { (*inner).clone() } else { value };
                    self.bind(at.tree, target, value);
                    let result = self.value(body);
                    results.push(if is_one { result } else { Value::each(result) });
                }
                self.new_list(results)
            }
            elements => {
                let element = match elements {
                    Elements::Known(values) => values.into_iter().reduce(Value::or).unwrap_or(Value::Nothing),
                    Elements::Some(value) => value,
                };
                self.forget_changes(body);
                let mut results = Value::Nothing;
                for (count, one) in element.alternatives().into_iter().enumerate() {
                    self.bind(at.tree, target, one);
                    let result = self.value(body);
                    results = if count == 0 { result } else { results.or(result) };
                }
                // What a condition in the body implies about an element does not hold for the last one.
                self.bind(at.tree, target, element);
                Value::each(results)
            }
        }
    }

    /// Returns the elements that iterating over a value yields.
    pub(in super::super) fn elements(&mut self, value: &Value) -> Elements {
        match value {
            Value::List(place) | Value::Keys(place) => match self.state.held(*place).cloned() {
                Some(Held::List(values)) => {
                    self.spend(values.len());
                    Elements::Known(values)
                }
                Some(Held::Keys(keys)) => Elements::Known(keys.into_keys().map(|key| Value::text(&*key)).collect()),
                Some(Held::Any(value)) => Elements::Some(value),
                None => Elements::Some(Value::COMPUTED),
            },
            Value::Each(inner) => Elements::Some((**inner).clone()),
            Value::Either(values) => {
                let mut known = Vec::new();
                for value in values.iter() {
                    match value {
                        Value::List(place) => match self.state.held(*place) {
                            Some(Held::List(more)) => known.extend(more.clone()),
                            _ => return Elements::Some(value.forgotten()),
                        },
                        Value::Each(inner) => known.push(Value::Each(Rc::clone(inner))),
                        Value::Nothing => {}
                        other => known.push(other.forgotten()),
                    }
                }
                Elements::Known(known)
            }
            Value::Library(name) if &**name == "sys.argv" || &**name == "process.argv" => {
                Elements::Known(self.arguments())
            }
            Value::Library(name) if matches!(&**name, "sys.stdin" | "STDIN") => {
                Elements::Some(Value::Data(Origin::Input))
            }
            Value::File(_) => Elements::Some(Value::Data(Origin::File)),
            Value::Nothing => Elements::Known(Vec::new()),
            Value::Object => Elements::Some(Value::Object),
            Value::Dynamic => Elements::Some(Value::Dynamic),
            other => Elements::Some(Value::Data(other.origin())),
        }
    }

    pub(super) fn branches(&mut self, at: At, bodies: &[Id]) -> Value {
        let before = self.state.clone();
        let mut value = Value::Nothing;
        for body in bodies {
            self.spend(self.state.size() / 4);
            let after = std::mem::replace(&mut self.state, before.clone());
            value = value.or(self.inner(at, *body));
            let language = self.language;
            self.state.join(&after, |name| library::row(language, name).is_some());
        }
        value
    }

    /// Forgets the variables that a repeated body changes.
    pub(super) fn forget_changes(&mut self, body: At) {
        let Some(tree) = self.trees.get(body.tree).cloned() else { return };
        for node in tree.within(body.id) {
            self.spend(1);
            match node {
                Node::Assign(target, _) | Node::Append(target, _) => self.forget_target(target),
                Node::Call { callee, .. } => {
                    if let Node::Member(object, name) = tree.node(*callee)
                        && let Node::Name(object) = tree.node(*object)
                        && library::row(self.language, &format!("list.{name}")).is_some()
                        && let Some(Value::List(place) | Value::Keys(place)) = self.state.find(object)
                    {
                        let place = *place;
                        self.state.forget_held(place, &Value::Nothing);
                    }
                }
                _ => {}
            }
        }
    }

    fn forget_target(&mut self, target: &Target) {
        match target {
            Target::Name(name) => {
                if let Some(value) = self.state.find(name) {
                    let value = match value {
                        // A function or a module that is defined again is the same.
                        Value::Function(_) | Value::Class(_) | Value::Library(_) | Value::File(_) => return,
                        Value::List(place) | Value::Keys(place) => {
                            let place = *place;
                            self.state.forget_held(place, &Value::Nothing);
                            return;
                        }
                        value => value.forgotten(),
                    };
                    self.state.set_around(name, value);
                }
            }
            // Nested targets are not more than two levels deep.
            Target::List(targets) => {
                for target in targets {
                    if let Target::Name(_) = target {
                        self.forget_target(target);
                    }
                }
            }
            _ => {}
        }
    }
}
