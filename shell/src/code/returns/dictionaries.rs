//! Returned dictionaries, and their keys and values.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::arguments::{Given, LibraryCall};
use super::super::call::any_of;
use super::super::evaluate::{Elements, Evaluator};
use super::super::library::returned::ReturnedDictionary;
use super::super::value::{Held, Value};

impl Evaluator<'_> {
    pub(super) fn returned_dictionary(&mut self, call: LibraryCall<'_>, dictionary: ReturnedDictionary) -> Value {
        match dictionary {
            ReturnedDictionary::Got => self.got(call),
            ReturnedDictionary::Values => call.this.map_or(Value::each(Value::COMPUTED), |this| self.values_of(this)),
            ReturnedDictionary::Items => call.this.map_or(Value::each(Value::COMPUTED), |this| self.items_of(this)),
            ReturnedDictionary::Flattened(keys) => self.flattened(call.argument(keys)),
            ReturnedDictionary::KeysOf(list) => {
                let values = call.argument(list).map(|list| self.listed(&list)).unwrap_or_default();
                Value::Keys(self.state.hold(self.dictionary_of(values)))
            }
            ReturnedDictionary::Assigned => self.assigned(call.given),
        }
    }

    fn got(&mut self, call: LibraryCall<'_>) -> Value {
        let key = call.given.plain.first().cloned().unwrap_or(Value::Nothing);
        let value = call.this.map_or(Value::COMPUTED, |this| self.index(this, &key));
        call.given.plain.get(1).map_or(value.clone(), |default| value.or(default.clone()))
    }

    /// Returns the contents of a dictionary.
    fn held_keys(&self, value: &Value) -> Option<Held> {
        match value {
            Value::Keys(place) => self.state.held(*place).cloned(),
            _ => None,
        }
    }

    /// Returns the values of a dictionary.
    pub(super) fn values_of(&mut self, dictionary: &Value) -> Value {
        match self.held_keys(dictionary) {
            Some(Held::Keys(keys)) => self.new_list(keys.into_values().collect()),
            Some(Held::Any(any)) => Value::each(any),
            _ => Value::each(Value::COMPUTED),
        }
    }

    /// Returns the keys of a dictionary with their values.
    pub(super) fn items_of(&mut self, dictionary: &Value) -> Value {
        match self.held_keys(dictionary) {
            Some(Held::Keys(keys)) => {
                let pairs = keys.into_iter().map(|(key, value)| self.new_list(vec![Value::text(&*key), value]));
                let pairs = pairs.collect();
                self.new_list(pairs)
            }
            Some(Held::Any(any)) => Value::each(any),
            _ => Value::each(Value::COMPUTED),
        }
    }

    fn flattened(&mut self, dictionary: Option<Value>) -> Value {
        let items = dictionary.map(|dictionary| match dictionary {
            Value::Keys(_) => self.items_of(&dictionary),
            other => other,
        });
        match items.map(|items| self.elements(&items)) {
            Some(Elements::Known(pairs)) => {
                let values = pairs.iter().flat_map(|pair| self.listed(pair)).collect();
                self.new_list(values)
            }
            Some(Elements::Some(value)) => Value::each(value),
            None => self.new_list(Vec::new()),
        }
    }

    /// Returns the contents of a dictionary made of alternating keys and values.
    fn dictionary_of(&self, values: Vec<Value>) -> Held {
        let is_known = values.len().is_multiple_of(2) && !values.iter().any(|value| matches!(value, Value::Each(_)));
        let pairs = values.chunks(2).filter_map(|pair| match pair {
            [key, value] => Some((self.key(key)?, value.clone())),
            _ => None,
        });
        let keys: BTreeMap<Rc<str>, Value> = pairs.collect();
        match is_known && keys.len() * 2 == values.len() {
            true => Held::Keys(keys),
            false => Held::Any(any_of(values)),
        }
    }

    /// `Object.assign(target, …)`
    fn assigned(&mut self, given: &Given) -> Value {
        let target = given.plain.first().cloned().unwrap_or(Value::Nothing);
        for more in given.plain.iter().skip(1) {
            if let (Value::Library(_), Value::Keys(_)) = (&target, more) {
                if let Some(Held::Keys(keys)) = self.held_keys(more) {
                    keys.into_iter().for_each(|(name, value)| self.set_member(&target, &name, value));
                }
            } else {
                self.pushed(Some(&target), &Given::of(vec![more.clone()]));
            }
        }
        target
    }
}
