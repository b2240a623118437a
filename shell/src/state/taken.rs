//! What commands have left of the streams that they read from.
//!
//! Several descriptors, and several shells, may have one stream between them: what one of them takes is gone for all.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::stream::{Content, Input};
use crate::word::StreamId;

/// The streams that something was taken from, and what is left of each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Taken(Rc<BTreeMap<StreamId, Content>>);

impl Taken {
    /// Returns what comes next on an input.
    pub(crate) fn rest_of(&self, input: &Rc<Input>) -> Rc<Input> {
        match input.stream.and_then(|stream| self.0.get(&stream)) {
            Some(rest) => Rc::new(Input { content: rest.clone(), ..(**input).clone() }),
            None => Rc::clone(input),
        }
    }

    /// Tells whether something was taken from a stream.
    pub(crate) fn has(&self, stream: StreamId) -> bool {
        self.0.contains_key(&stream)
    }

    /// Notes what a reader leaves of a stream.
    pub(crate) fn leave(&mut self, stream: StreamId, rest: Content) {
        Rc::make_mut(&mut self.0).insert(stream, rest);
    }

    /// Notes that a stream begins: a loop opens the same one each time.
    pub(crate) fn begin(&mut self, stream: StreamId) {
        if self.has(stream) {
            Rc::make_mut(&mut self.0).remove(&stream);
        }
    }

    /// Keeps what both of two ways leave.
    pub(crate) fn join(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.0, &other.0) || self == other {
            return;
        }
        let own = Rc::make_mut(&mut self.0);
        for stream in other.0.keys() {
            own.entry(*stream).or_insert(Content::Unknown);
        }
        for (stream, rest) in own.iter_mut() {
            if other.0.get(stream) != Some(rest) {
                *rest = Content::Unknown;
            }
        }
    }
}
