//! The arguments of a call.

use std::rc::Rc;

use super::evaluate::NodeRef;
use super::library::ArgumentRef;
use super::value::CodeValue;

/// The arguments of a call.
#[derive(Clone, Default, Debug)]
pub(super) struct CallArguments {
    pub positional: Vec<CodeValue>,
    pub named: Vec<(Rc<str>, CodeValue)>,
    /// Whether there may be further arguments, which are unknown.
    pub may_have_more: bool,
}

impl CallArguments {
    pub(super) fn from_values(positional: Vec<CodeValue>) -> Self {
        Self { positional, ..Self::default() }
    }

    /// Returns the value of the last argument that is passed by this name.
    pub(super) fn named_value(&self, name: &str) -> Option<&CodeValue> {
        self.named.iter().rev().find(|(argument_name, _)| **argument_name == *name).map(|(_, value)| value)
    }

    /// Returns each combination of the alternatives of the positional arguments. An argument that would lead to more
    /// than 16 combinations keeps its alternatives in one value.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        const MAX_COMBINATIONS: usize = 16;
        let mut combinations = vec![self.clone()];
        for index in 0..self.positional.len() {
            let values = self.positional.get(index).map(CodeValue::alternatives).unwrap_or_default();
            if values.len() < 2 || combinations.len() * values.len() > MAX_COMBINATIONS {
                continue;
            }
            let with_value = |arguments: &Self, value: &CodeValue| {
                let mut arguments = arguments.clone();
                if let Some(old) = arguments.positional.get_mut(index) {
                    *old = value.clone();
                }
                arguments
            };
            combinations = combinations
                .iter()
                .flat_map(|arguments| values.iter().map(move |value| with_value(arguments, value)))
                .collect();
        }
        combinations
    }
}

/// A call of a library function: its node, its receiver if it is a method, and its arguments.
#[derive(Clone, Copy)]
pub(super) struct LibraryCall<'c> {
    pub at: NodeRef,
    pub this: Option<&'c CodeValue>,
    pub given: &'c CallArguments,
}

impl LibraryCall<'_> {
    /// Returns an argument, or the receiver; `None` if the call does not have it. If the call ends in an unknown number
    /// of values, those are returned for an argument that is missing.
    pub(super) fn argument(self, argument: ArgumentRef) -> Option<CodeValue> {
        let given = self.given;
        match argument {
            ArgumentRef::Receiver => self.this.cloned(),
            ArgumentRef::Argument(index, name) => {
                given.positional.get(index).or_else(|| given.named_value(name)).cloned().or_else(|| {
                    let may_be_in_last = given.may_have_more
                        && given.positional.last().is_some_and(|last| matches!(last, CodeValue::Several(_)));
                    may_be_in_last.then(|| given.positional.last().cloned()).flatten()
                })
            }
        }
    }

    /// Returns the text of an argument or of the receiver; `None` if a part of it is unknown.
    pub(super) fn known(self, argument: ArgumentRef) -> Option<String> {
        self.argument(argument).as_ref().and_then(CodeValue::known_text).map(str::to_owned)
    }
}
