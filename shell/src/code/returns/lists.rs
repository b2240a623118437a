//! Returned lists, and elements of lists.

use super::super::Language;
use super::super::arguments::{Given, LibraryCall};
use super::super::call::any_of;
use super::super::evaluate::{At, Elements, Evaluator};
use super::super::library::returned::ReturnedList;
use super::super::value::{Held, Value};

/// The maximum length of a list whose elements are passed to a function one by one, and of a range.
const MOST_ELEMENTS: usize = 64;

/// The end of a list at which an element is taken.
#[derive(Clone, Copy)]
enum ListEnd {
    First,
    Last,
}

impl Evaluator<'_> {
    pub(super) fn returned_list(&mut self, call: LibraryCall<'_>, list: ReturnedList) -> Value {
        match list {
            ReturnedList::Listed(place) => match call.argument(place).map(|value| self.elements(&value)) {
                Some(Elements::Known(values)) => self.new_list(values),
                Some(Elements::Some(value)) => Value::each(value),
                None => self.new_list(Vec::new()),
            },
            ReturnedList::One(list) => match call.argument(list).map(|list| self.elements(&list)) {
                Some(Elements::Known(values)) if !values.is_empty() => any_of(values),
                Some(Elements::Some(value)) => value,
                _ => Value::COMPUTED,
            },
            ReturnedList::Shifted(list) => self.taken(ListEnd::First, call.argument(list).as_ref()),
            ReturnedList::Popped(list) => self.taken(ListEnd::Last, call.argument(list).as_ref()),
            ReturnedList::Spliced => self.spliced(call),
            ReturnedList::Pushed => self.pushed(call.this, call.given),
            ReturnedList::Range => self.range(&call.given.plain),
            ReturnedList::Mapped(function, over) => self.mapped(call.at, call.argument(function), call.argument(over)),
            ReturnedList::Filtered(function, over) => {
                let (function, over) = (call.argument(function), call.argument(over).unwrap_or(Value::COMPUTED));
                self.mapped(call.at, function.clone(), Some(over.clone()));
                function.map_or(over.clone(), |function| self.chosen(&function, over))
            }
            ReturnedList::EachValue(list) => match call.argument(list) {
                Some(keys @ Value::Keys(_)) => self.values_of(&keys),
                Some(list) => self.merged(&list, call.given),
                None => Value::each(Value::COMPUTED),
            },
            ReturnedList::EachItem(list) => match call.argument(list) {
                Some(keys @ Value::Keys(_)) => self.items_of(&keys),
                Some(list) => self.numbered(&list),
                None => Value::each(Value::COMPUTED),
            },
        }
    }

    /// Removes the first or the last value of a list.
    fn taken(&mut self, end: ListEnd, list: Option<&Value>) -> Value {
        let Some(Value::List(place)) = list else {
            return list.map_or(Value::COMPUTED, |list| self.any_element(list));
        };
        match self.state.held_mut(*place) {
            Some(Held::List(values)) if values.iter().all(|value| !matches!(value, Value::Each(_))) => match end {
                _ if values.is_empty() => Value::Nothing,
                ListEnd::First => values.remove(0),
                ListEnd::Last => values.pop().unwrap_or(Value::Nothing),
            },
            Some(Held::List(values)) => {
                let any = any_of(values.clone());
                self.state.forget_held(*place, &Value::Nothing);
                any
            }
            Some(Held::Any(any)) => any.clone(),
            _ => Value::COMPUTED,
        }
    }

    fn spliced(&mut self, call: LibraryCall<'_>) -> Value {
        let any = any_of(call.this.map(|list| self.listed(list)).unwrap_or_default());
        let more = any_of(call.given.plain.iter().skip(2).cloned().collect());
        if let Some(Value::List(place)) = call.this {
            self.state.forget_held(*place, &more);
        }
        Value::each(any)
    }

    /// Returns the numbers up to a limit.
    fn range(&mut self, limits: &[Value]) -> Value {
        match limits {
            [Value::Number(count)] if usize::try_from(*count).is_ok_and(|count| count <= MOST_ELEMENTS) => {
                self.new_list((0..*count).map(Value::Number).collect())
            }
            _ => Value::each(Value::COMPUTED),
        }
    }

    /// Calls a function with each of several values.
    fn mapped(&mut self, at: At, function: Option<Value>, over: Option<Value>) -> Value {
        let Some(function) = function else { return Value::each(Value::COMPUTED) };
        let over = over.unwrap_or(Value::COMPUTED);
        let over = match (&over, self.language) {
            (Value::Keys(_), Language::Ruby) => self.items_of(&over),
            _ => over,
        };
        let is_open = self.language == Language::Ruby;
        // In `map lc, @list` the function is not a function value.
        let values = match self.elements(&over) {
            Elements::Known(values) if values.len() <= MOST_ELEMENTS => values,
            Elements::Known(values) => vec![any_of(values)],
            Elements::Some(value) => vec![value],
        };
        let mut result = Value::Nothing;
        for value in values.into_iter().flat_map(|value| value.alternatives()) {
            let value = if let Value::Each(inner) = value { (*inner).clone() } else { value };
            let one = self.call(at, &function, &Given { is_open, ..Given::of(vec![value]) });
            result = result.or(one);
        }
        Value::each(result)
    }

    /// Returns the values of a list, and those of the lists after it: `array_merge($a, $b)`.
    fn merged(&mut self, list: &Value, given: &Given) -> Value {
        match self.elements(list) {
            Elements::Known(mut values) => {
                for more in given.plain.iter().skip(1).filter(|more| more.is_several()) {
                    values.extend(self.listed(more));
                }
                self.new_list(values)
            }
            Elements::Some(value) => Value::each(value),
        }
    }

    /// Returns the values of a list with their indices.
    fn numbered(&mut self, list: &Value) -> Value {
        match self.elements(list) {
            Elements::Known(values) => {
                let numbered = (0_i64..).zip(values);
                let pairs = numbered.map(|(at, value)| self.new_list(vec![Value::Number(at), value])).collect();
                self.new_list(pairs)
            }
            Elements::Some(value) => Value::each(self.new_list(vec![Value::COMPUTED, value])),
        }
    }

    /// Changes a list or a dictionary by one of its methods.
    pub(in super::super) fn pushed(&mut self, this: Option<&Value>, given: &Given) -> Value {
        let (Some(Value::List(place) | Value::Keys(place)), Some(more)) = (this, given.plain.first()) else {
            if let Some(Value::List(place) | Value::Keys(place)) = this {
                self.state.forget_held(*place, &Value::Nothing);
            }
            return Value::COMPUTED;
        };
        let place = *place;
        let is_list = matches!(this, Some(Value::List(_)));
        match (is_list, more, given.plain.len()) {
            (true, Value::List(_) | Value::Each(_), 1) => self.push(place, &more.clone()),
            (true, more, 1) => {
                if let Some(Held::List(values)) = self.state.held_mut(place) {
                    values.push(more.clone());
                }
            }
            (true, ..) => {
                let all = given.plain.iter().cloned().reduce(Value::or).unwrap_or(Value::Nothing);
                self.state.forget_held(place, &all);
            }
            (false, Value::Keys(other), _) => {
                if let Some(Held::Keys(more)) = self.state.held(*other).cloned()
                    && let Some(Held::Keys(keys)) = self.state.held_mut(place)
                {
                    keys.extend(more);
                } else {
                    self.state.forget_held(place, &Value::Dynamic);
                }
            }
            (false, more, _) => self.state.forget_held(place, &more.clone()),
        }
        any_of(given.plain.clone())
    }
}
