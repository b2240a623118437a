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
    pub is_open: bool,
}

impl CallArguments {
    pub(super) fn from_values(plain: Vec<CodeValue>) -> Self {
        Self { positional: plain, ..Self::default() }
    }

    /// Returns the last argument with a name.
    pub(super) fn named_value(&self, name: &str) -> Option<&CodeValue> {
        self.named.iter().rev().find(|(own, _)| **own == *name).map(|(_, value)| value)
    }

    /// Returns the combinations of the alternatives of the positional arguments. An argument that would lead to more
    /// than 16 combinations keeps its alternatives in one value.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        const MOST: usize = 16;
        let mut all = vec![self.clone()];
        for place in 0..self.positional.len() {
            let values = self.positional.get(place).map(CodeValue::alternatives).unwrap_or_default();
            if values.len() < 2 || all.len() * values.len() > MOST {
                continue;
            }
            let with = |one: &Self, value: &CodeValue| {
                let mut one = one.clone();
                if let Some(old) = one.positional.get_mut(place) {
                    *old = value.clone();
                }
                one
            };
            all = all.iter().flat_map(|one| values.iter().map(move |value| with(one, value))).collect();
        }
        all
    }
}

/// A call of a library function: its node, its receiver and its arguments.
#[derive(Clone, Copy)]
pub(super) struct LibraryCall<'c> {
    pub at: NodeRef,
    pub this: Option<&'c CodeValue>,
    pub given: &'c CallArguments,
}

impl LibraryCall<'_> {
    /// Returns an argument, or the receiver; `None` if the call does not have it. If the last argument is an unknown
    /// number of values, the argument may be one of them.
    pub(super) fn argument(self, place: ArgumentRef) -> Option<CodeValue> {
        let given = self.given;
        match place {
            ArgumentRef::Receiver => self.this.cloned(),
            ArgumentRef::Argument(at, name) => {
                given.positional.get(at).or_else(|| given.named_value(name)).cloned().or_else(|| {
                    let is_open = given.is_open
                        && given.positional.last().is_some_and(|last| matches!(last, CodeValue::Several(_)));
                    is_open.then(|| given.positional.last().cloned()).flatten()
                })
            }
        }
    }

    /// Returns the text of an argument or of the receiver, if all of it is known.
    pub(super) fn known(self, place: ArgumentRef) -> Option<String> {
        self.argument(place).as_ref().and_then(CodeValue::known_text).map(str::to_owned)
    }
}
