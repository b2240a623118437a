//! Claude Code, 2.1.197 to 2.1.330: what it writes to a hook, and what it takes from one.
//!
//! The schema is stated in this host's words, so decoding translates next to nothing.

mod encode;

use serde_json::{Map, Value as Json};

use super::Decoded;
use super::decode::{self, fill};
use crate::schema::Event;

pub(super) use encode::encode;

/// Reads a payload.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    decode::decode(bytes, translate)
}

fn translate(_: Event, json: &mut Map<String, Json>) {
    // An older name that some hosts of the same family send; rules read `agent_type`.
    fill(json, "agent_type", "subagent_type");
}
