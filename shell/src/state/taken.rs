//! The contents that remain in streams from which commands have read.
//!
//! Several descriptors, and several shells, may share a stream: what one of them reads is gone for all.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::stream::{InputStream, StreamContent};
use crate::word::StreamId;

/// The streams from which something was read, with the content that remains.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ConsumedStreams(Rc<BTreeMap<StreamId, StreamContent>>);

impl ConsumedStreams {
    /// Returns an input with the content that remains in its stream.
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

    /// Records the content that remains after a command has read from a stream.
    pub(crate) fn record_rest(&mut self, stream: StreamId, rest: StreamContent) {
        Rc::make_mut(&mut self.0).insert(stream, rest);
    }

    /// Records that a stream is unread again: a loop opens the same stream in every pass.
    pub(crate) fn begin(&mut self, stream: StreamId) {
        if self.has(stream) {
            Rc::make_mut(&mut self.0).remove(&stream);
        }
    }

    /// Joins the records of two paths to the same point of the text. A remaining content that differs becomes unknown.
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
