//! The arguments of a call.

use std::rc::Rc;

use super::evaluate::At;
use super::library::At as Place;
use super::value::Value;

/// The arguments of a call.
#[derive(Clone, Default, Debug)]
pub(super) struct Given {
    pub plain: Vec<Value>,
    pub named: Vec<(Rc<str>, Value)>,
    /// There may be further arguments.
    pub is_open: bool,
}

impl Given {
    pub(super) fn of(plain: Vec<Value>) -> Self {
        Self { plain, ..Self::default() }
    }

    /// Returns an argument by its name.
    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.named.iter().rev().find(|(own, _)| **own == *name).map(|(_, value)| value)
    }

    /// Returns each combination of the alternatives of these arguments.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        const MOST: usize = 16;
        let mut all = vec![self.clone()];
        for place in 0..self.plain.len() {
            let values = self.plain.get(place).map(Value::alternatives).unwrap_or_default();
            if values.len() < 2 || all.len() * values.len() > MOST {
                continue;
            }
            let with = |one: &Self, value: &Value| {
                let mut one = one.clone();
                if let Some(old) = one.plain.get_mut(place) {
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
    pub at: At,
    pub this: Option<&'c Value>,
    pub given: &'c Given,
}

impl LibraryCall<'_> {
    /// Returns an argument, or the receiver.
    pub(super) fn argument(self, place: Place) -> Option<Value> {
        let given = self.given;
        match place {
            Place::This => self.this.cloned(),
            Place::Argument(at, name) => given.plain.get(at).or_else(|| given.named(name)).cloned().or_else(|| {
                let is_open = given.is_open && given.plain.last().is_some_and(|last| matches!(last, Value::Each(_)));
                is_open.then(|| given.plain.last().cloned()).flatten()
            }),
        }
    }

    /// Returns an argument, if it is a known text.
    pub(super) fn known(self, place: Place) -> Option<String> {
        self.argument(place).as_ref().and_then(Value::known).map(str::to_owned)
    }
}
