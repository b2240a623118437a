//! Computes returned dictionaries, and their keys and values.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::arguments::{CallArguments, LibraryCall};
use super::super::call::either_of;
use super::super::evaluate::{Evaluator, IterationElements};
use super::super::library::returned::ReturnedDictionary;
use super::super::value::{CodeValue, HeapCell};

impl Evaluator<'_> {
    /// Returns a dictionary, or the keys or values of one.
    pub(super) fn returned_dictionary(&mut self, call: LibraryCall<'_>, dictionary: ReturnedDictionary) -> CodeValue {
        match dictionary {
            ReturnedDictionary::ValueOfKey => self.value_of_key(call),
            ReturnedDictionary::Values => {
                call.this.map_or(CodeValue::several(CodeValue::COMPUTED), |this| self.values_of(this))
            }
            ReturnedDictionary::Items => {
                call.this.map_or(CodeValue::several(CodeValue::COMPUTED), |this| self.items_of(this))
            }
            ReturnedDictionary::Flattened(keys) => self.keys_and_values(call.argument(keys)),
            ReturnedDictionary::FromKeysAndValues(list) => {
                let values = call.argument(list).map(|list| self.list_values(&list)).unwrap_or_default();
                CodeValue::Dictionary(self.state.allocate(self.dictionary_of(values)))
            }
            ReturnedDictionary::UpdatedTarget => self.assign_entries(call.given),
        }
    }

    /// Returns the receiver's value for the key in the first argument; if there is a second argument, the value may
    /// also be that.
    fn value_of_key(&mut self, call: LibraryCall<'_>) -> CodeValue {
        let key = call.given.positional.first().cloned().unwrap_or(CodeValue::Nothing);
        let value = call.this.map_or(CodeValue::COMPUTED, |this| self.index(this, &key));
        call.given.positional.get(1).map_or(value.clone(), |default| value.either(default.clone()))
    }

    /// Returns the contents of a dictionary; `None` for any other value.
    fn dictionary_contents(&self, value: &CodeValue) -> Option<HeapCell> {
        match value {
            CodeValue::Dictionary(address) => self.state.cell(*address).cloned(),
            _ => None,
        }
    }

    /// Returns the values of a dictionary as a list; unknown values for any other value.
    pub(super) fn values_of(&mut self, dictionary: &CodeValue) -> CodeValue {
        match self.dictionary_contents(dictionary) {
            Some(HeapCell::Dictionary(keys)) => self.new_list(keys.into_values().collect()),
            Some(HeapCell::SomeElement(any)) => CodeValue::several(any),
            _ => CodeValue::several(CodeValue::COMPUTED),
        }
    }

    /// Returns the pairs of keys and values of a dictionary as a list; unknown values for any other value.
    pub(super) fn items_of(&mut self, dictionary: &CodeValue) -> CodeValue {
        match self.dictionary_contents(dictionary) {
            Some(HeapCell::Dictionary(keys)) => {
                let pairs = keys.into_iter().map(|(key, value)| self.new_list(vec![CodeValue::text(&*key), value]));
                let pairs = pairs.collect();
                self.new_list(pairs)
            }
            Some(HeapCell::SomeElement(any)) => CodeValue::several(any),
            _ => CodeValue::several(CodeValue::COMPUTED),
        }
    }

    /// Returns the keys and values of a dictionary as one list. A list is flattened by one level.
    fn keys_and_values(&mut self, dictionary: Option<CodeValue>) -> CodeValue {
        let items = dictionary.map(|dictionary| match dictionary {
            CodeValue::Dictionary(_) => self.items_of(&dictionary),
            other => other,
        });
        match items.map(|items| self.elements(&items)) {
            Some(IterationElements::Known(pairs)) => {
                let values = pairs.iter().flat_map(|pair| self.list_values(pair)).collect();
                self.new_list(values)
            }
            Some(IterationElements::Several(value)) => CodeValue::several(value),
            None => self.new_list(Vec::new()),
        }
    }

    /// Returns the contents of a dictionary made of alternating keys and values. If a key or the number of keys is
    /// unknown, or a key occurs twice, the contents are reduced to the elements that it may have.
    fn dictionary_of(&self, values: Vec<CodeValue>) -> HeapCell {
        let is_known =
            values.len().is_multiple_of(2) && !values.iter().any(|value| matches!(value, CodeValue::Several(_)));
        let pairs = values.chunks(2).filter_map(|pair| match pair {
            [key, value] => Some((self.key(key)?, value.clone())),
            _ => None,
        });
        let keys: BTreeMap<Rc<str>, CodeValue> = pairs.collect();
        match is_known && keys.len() * 2 == values.len() {
            true => HeapCell::Dictionary(keys),
            false => HeapCell::SomeElement(either_of(values)),
        }
    }

    /// Evaluates `Object.assign(target, …)`: adds the entries of the other arguments to the target, and returns it.
    fn assign_entries(&mut self, given: &CallArguments) -> CodeValue {
        let target = given.positional.first().cloned().unwrap_or(CodeValue::Nothing);
        for more in given.positional.iter().skip(1) {
            // `Object.assign(process.env, { HOME: "/" })` sets environment variables.
            if let (CodeValue::Library(_), CodeValue::Dictionary(_)) = (&target, more) {
                if let Some(HeapCell::Dictionary(keys)) = self.dictionary_contents(more) {
                    keys.into_iter().for_each(|(name, value)| self.set_member(&target, &name, value));
                }
            } else {
                self.update_collection(Some(&target), &CallArguments::from_values(vec![more.clone()]));
            }
        }
        target
    }
}
