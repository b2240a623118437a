//! The remaining contents of the streams that commands read from.
//!
//! Several descriptors, and several shells, may share a stream: what one of them reads is gone for all.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::stream::{InputStream, StreamContent};
use crate::word::StreamId;

/// The streams that were read from, and the rest of each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ConsumedStreams(Rc<BTreeMap<StreamId, StreamContent>>);

impl ConsumedStreams {
    /// Returns what comes next on an input.
    pub(crate) fn remaining_input(&self, input: &Rc<InputStream>) -> Rc<InputStream> {
        match input.stream.and_then(|stream| self.0.get(&stream)) {
            Some(rest) => Rc::new(InputStream { content: rest.clone(), ..(**input).clone() }),
            None => Rc::clone(input),
        }
    }

    /// Whether something was read from a stream.
    pub(crate) fn has(&self, stream: StreamId) -> bool {
        self.0.contains_key(&stream)
    }

    /// Records the rest that a reader leaves of a stream.
    pub(crate) fn record_rest(&mut self, stream: StreamId, rest: StreamContent) {
        Rc::make_mut(&mut self.0).insert(stream, rest);
    }

    /// Records that a stream begins again: a loop opens the same one each time.
    pub(crate) fn begin(&mut self, stream: StreamId) {
        if self.has(stream) {
            Rc::make_mut(&mut self.0).remove(&stream);
        }
    }

    /// Merges two paths: a rest that differs becomes unknown.
    pub(crate) fn join(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.0, &other.0) || self == other {
            return;
        }
        let own = Rc::make_mut(&mut self.0);
        for stream in other.0.keys() {
            own.entry(*stream).or_insert(StreamContent::Unknown);
        }
        for (stream, rest) in own.iter_mut() {
            if other.0.get(stream) != Some(rest) {
                *rest = StreamContent::Unknown;
            }
        }
    }
}
