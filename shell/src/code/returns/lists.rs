//! Computes returned lists and elements of lists, and applies the changes that a call makes to a list.

use super::super::CodeLanguage;
use super::super::arguments::{CallArguments, LibraryCall};
use super::super::call::either_of;
use super::super::evaluate::{Evaluator, IterationElements, NodeRef};
use super::super::library::returned::ReturnedList;
use super::super::value::{CodeValue, HeapCell};

/// The maximum length of a range whose numbers are known, and of a list whose elements are passed to a function one by
/// one.
const MAX_ELEMENTS: usize = 64;

/// The end of a list at which an element is taken.
#[derive(Clone, Copy)]
enum ListEnd {
    First,
    Last,
}

impl Evaluator<'_> {
    /// Returns a list, or elements of one. If the call changes a list, the change is applied.
    pub(super) fn returned_list(&mut self, call: LibraryCall<'_>, list: ReturnedList) -> CodeValue {
        match list {
            ReturnedList::Listed(argument) => match call.argument(argument).map(|value| self.elements(&value)) {
                Some(IterationElements::Known(values)) => self.new_list(values),
                Some(IterationElements::Several(value)) => CodeValue::several(value),
                None => self.new_list(Vec::new()),
            },
            ReturnedList::One(list) => match call.argument(list).map(|list| self.elements(&list)) {
                Some(IterationElements::Known(values)) if !values.is_empty() => either_of(values),
                Some(IterationElements::Several(value)) => value,
                _ => CodeValue::COMPUTED,
            },
            ReturnedList::Shifted(list) => self.take_element(ListEnd::First, call.argument(list).as_ref()),
            ReturnedList::Popped(list) => self.take_element(ListEnd::Last, call.argument(list).as_ref()),
            ReturnedList::Spliced => self.splice_list(call),
            ReturnedList::ChangedReceiver => self.update_collection(call.this, call.given),
            ReturnedList::Range => self.range(&call.given.positional),
            ReturnedList::Mapped(function, over) => {
                self.map_values(call.at, call.argument(function), call.argument(over))
            }
            ReturnedList::Filtered(function, over) => {
                let (function, over) = (call.argument(function), call.argument(over).unwrap_or(CodeValue::COMPUTED));
                self.map_values(call.at, function.clone(), Some(over.clone()));
                function.map_or(over.clone(), |function| self.filter_by_suffix(&function, over))
            }
            ReturnedList::EachValue(list) => match call.argument(list) {
                Some(keys @ CodeValue::Dictionary(_)) => self.values_of(&keys),
                Some(list) => self.merge_lists(&list, call.given),
                None => CodeValue::several(CodeValue::COMPUTED),
            },
            ReturnedList::EachItem(list) => match call.argument(list) {
                Some(keys @ CodeValue::Dictionary(_)) => self.items_of(&keys),
                Some(list) => self.indexed_pairs(&list),
                None => CodeValue::several(CodeValue::COMPUTED),
            },
        }
    }

    /// Removes the first or the last value of a list, and returns it. If the number of values is unknown, the result
    /// may be any of them.
    fn take_element(&mut self, end: ListEnd, list: Option<&CodeValue>) -> CodeValue {
        let Some(CodeValue::List(address)) = list else {
            return list.map_or(CodeValue::COMPUTED, |list| self.any_element(list));
        };
        match self.state.cell_mut(*address) {
            Some(HeapCell::List(values)) if values.iter().all(|value| !matches!(value, CodeValue::Several(_))) => {
                match end {
                    _ if values.is_empty() => CodeValue::Nothing,
                    ListEnd::First => values.remove(0),
                    ListEnd::Last => values.pop().unwrap_or(CodeValue::Nothing),
                }
            }
            Some(HeapCell::List(values)) => {
                let any = either_of(values.clone());
                self.state.forget_cell(*address, &CodeValue::Nothing);
                any
            }
            Some(HeapCell::SomeElement(any)) => any.clone(),
            _ => CodeValue::COMPUTED,
        }
    }

    /// Evaluates Perl's `splice`: returns an unknown number of the list's values, and forgets the contents of the list.
    fn splice_list(&mut self, call: LibraryCall<'_>) -> CodeValue {
        let any = either_of(call.this.map(|list| self.list_values(list)).unwrap_or_default());
        let more = either_of(call.given.positional.iter().skip(2).cloned().collect());
        if let Some(CodeValue::List(address)) = call.this {
            self.state.forget_cell(*address, &more);
        }
        CodeValue::several(any)
    }

    /// Returns the numbers of `range(first, end, step)`; unknown numbers if a limit is unknown, if the step is negative,
    /// or if there are too many.
    fn range(&mut self, limits: &[CodeValue]) -> CodeValue {
        let bounds = match limits {
            [CodeValue::Number(end)] => Some((0, *end, 1)),
            [CodeValue::Number(first), CodeValue::Number(end)] => Some((*first, *end, 1)),
            [CodeValue::Number(first), CodeValue::Number(end), CodeValue::Number(step)] => Some((*first, *end, *step)),
            _ => None,
        };
        let numbers = bounds.and_then(|(first, end, step)| {
            let step = usize::try_from(step).ok().filter(|step| *step > 0)?;
            let numbers: Vec<i64> = (first..end).step_by(step).take(MAX_ELEMENTS + 1).collect();
            (numbers.len() <= MAX_ELEMENTS).then_some(numbers)
        });
        match numbers {
            Some(numbers) => self.new_list(numbers.into_iter().map(CodeValue::Number).collect()),
            None => CodeValue::several(CodeValue::any_integer()),
        }
    }

    /// Calls a function with each of several values, and returns an unknown number of its results.
    fn map_values(&mut self, at: NodeRef, function: Option<CodeValue>, over: Option<CodeValue>) -> CodeValue {
        let Some(function) = function else { return CodeValue::several(CodeValue::COMPUTED) };
        let over = over.unwrap_or(CodeValue::COMPUTED);
        let over = match (&over, self.language) {
            (CodeValue::Dictionary(_), CodeLanguage::Ruby) => self.items_of(&over),
            _ => over,
        };
        let may_have_more = self.language == CodeLanguage::Ruby;
        // If the list is too long or unknown, the function is called for one value that is like any element.
        let values = match self.elements(&over) {
            IterationElements::Known(values) if values.len() <= MAX_ELEMENTS => values,
            IterationElements::Known(values) => vec![either_of(values)],
            IterationElements::Several(value) => vec![value],
        };
        let mut result = CodeValue::Nothing;
        for value in values.into_iter().flat_map(|value| value.alternatives()) {
            let value = if let CodeValue::Several(inner) = value { (*inner).clone() } else { value };
            let returned =
                self.call(at, &function, &CallArguments { may_have_more, ..CallArguments::from_values(vec![value]) });
            result = result.either(returned);
        }
        CodeValue::several(result)
    }

    /// Returns the values of a list and of the lists among the arguments after it: `array_merge($a, $b)`.
    fn merge_lists(&mut self, list: &CodeValue, given: &CallArguments) -> CodeValue {
        match self.elements(list) {
            IterationElements::Known(mut values) => {
                for more in given.positional.iter().skip(1).filter(|more| more.is_collection()) {
                    values.extend(self.list_values(more));
                }
                self.new_list(values)
            }
            IterationElements::Several(value) => CodeValue::several(value),
        }
    }

    /// Returns pairs of the indices and values of a list.
    fn indexed_pairs(&mut self, list: &CodeValue) -> CodeValue {
        match self.elements(list) {
            IterationElements::Known(values) => {
                let numbered = (0_i64..).zip(values);
                let pairs = numbered.map(|(at, value)| self.new_list(vec![CodeValue::Number(at), value])).collect();
                self.new_list(pairs)
            }
            IterationElements::Several(value) => CodeValue::several(self.new_list(vec![CodeValue::COMPUTED, value])),
        }
    }

    /// Applies a method that changes a list or a dictionary, such as `append` or `update`. Returns a value that may be
    /// any of the arguments.
    ///
    /// After a call without arguments, or with several for a list, the contents are unknown.
    pub(in super::super) fn update_collection(&mut self, this: Option<&CodeValue>, given: &CallArguments) -> CodeValue {
        let (Some(CodeValue::List(address) | CodeValue::Dictionary(address)), Some(more)) =
            (this, given.positional.first())
        else {
            if let Some(CodeValue::List(address) | CodeValue::Dictionary(address)) = this {
                self.state.forget_cell(*address, &CodeValue::Nothing);
            }
            return CodeValue::COMPUTED;
        };
        let address = *address;
        let is_list = matches!(this, Some(CodeValue::List(_)));
        match (is_list, more, given.positional.len()) {
            (true, CodeValue::List(_) | CodeValue::Several(_), 1) => self.extend_list(address, &more.clone()),
            (true, more, 1) => {
                if let Some(HeapCell::List(values)) = self.state.cell_mut(address) {
                    values.push(more.clone());
                }
            }
            (true, ..) => {
                let any_argument =
                    given.positional.iter().cloned().reduce(CodeValue::either).unwrap_or(CodeValue::Nothing);
                self.state.forget_cell(address, &any_argument);
            }
            (false, CodeValue::Dictionary(other), _) => {
                if let Some(HeapCell::Dictionary(more)) = self.state.cell(*other).cloned()
                    && let Some(HeapCell::Dictionary(keys)) = self.state.cell_mut(address)
                {
                    keys.extend(more);
                } else {
                    self.state.forget_cell(address, &CodeValue::Dynamic);
                }
            }
            (false, more, _) => self.state.forget_cell(address, &more.clone()),
        }
        either_of(given.positional.clone())
    }
}
