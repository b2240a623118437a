//! Assignment targets: names, parts of lists, members.

use std::rc::Rc;

use super::Language;
use super::evaluate::{At, Elements, Evaluator};
use super::tree::{Id, Target};
use super::value::{Held, Value};

impl Evaluator<'_> {
    /// Assigns a value to a target.
    pub(super) fn bind(&mut self, tree: usize, target: &Target, value: Value) {
        match target {
            Target::Name(name) => self.bind_name(name, value),
            Target::List(targets) => self.bind_list(tree, targets, &value),
            Target::Keys(keys) => {
                for (name, target) in keys {
                    let value = match self.language {
                        Language::Php => self.index(&value, &Value::text(&**name)),
                        _ => self.member(&value, name),
                    };
                    self.bind(tree, target, value);
                }
            }
            Target::Member(object, name) => {
                let object = self.value(At { tree, id: *object });
                self.set_member(&object, name, value);
            }
            Target::Index(object, key) => {
                let object = self.value(At { tree, id: *object });
                let key = self.value(At { tree, id: *key });
                self.set_index(&object, &key, value, At { tree, id: Id::default() });
            }
            Target::Default(target, other) => {
                let value = match value {
                    Value::Nothing => self.value(At { tree, id: *other }),
                    value => value,
                };
                self.bind(tree, target, value);
            }
            Target::Rest(target) => {
                let value = match value {
                    value @ (Value::List(_) | Value::Each(_)) => value,
                    value => Value::each(value),
                };
                self.bind(tree, target, value);
            }
            Target::Nothing => {}
        }
    }

    fn bind_name(&mut self, name: &Rc<str>, value: Value) {
        match self.language {
            Language::Python => self.state.set(name, value),
            Language::JavaScript | Language::Ruby => self.state.set_around(name, value),
            Language::Perl => {
                // A Perl array is always a list.
                let value = match name.starts_with('@') && !value.is_several() {
                    true => self.new_list(vec![value]),
                    false => value,
                };
                self.state.set_around(name, value);
            }
            Language::Php => {
                let value = self.copied(value);
                self.state.set_around(name, value);
            }
        }
    }

    /// Returns a copy of a list: PHP assigns by value.
    pub(super) fn copied(&mut self, value: Value) -> Value {
        match &value {
            Value::List(place) | Value::Keys(place) => match self.state.held(*place).cloned() {
                Some(held) => {
                    let size = match &held {
                        Held::List(values) => values.len(),
                        Held::Keys(keys) => keys.len(),
                        Held::Any(_) => 1,
                    };
                    self.spend(size);
                    let place = self.state.hold(held);
                    if let Value::List(_) = value { Value::List(place) } else { Value::Keys(place) }
                }
                None => value,
            },
            _ => value,
        }
    }

    fn bind_list(&mut self, tree: usize, targets: &[Target], value: &Value) {
        match self.elements(value) {
            Elements::Known(values) => {
                let mut values = values.into_iter();
                for target in targets {
                    let value = match target {
                        Target::Rest(_) => self.new_list(values.by_ref().collect()),
                        _ => values.next().unwrap_or(Value::COMPUTED),
                    };
                    self.bind(tree, target, value);
                }
            }
            Elements::Some(value) => targets.iter().for_each(|target| self.bind(tree, target, value.clone())),
        }
    }
}
