//! Claude Code, 2.1.197 to 2.1.330: what it writes to a hook, and what it takes from one.
//!
//! The schema is stated in this host's words, so decoding translates next to nothing.

mod encode;

use serde_json::Value as Json;

use super::{Decoded, lenient};
use crate::schema::Event;
use crate::types::Payload;

pub(super) use encode::encode;

/// Reads a payload. Members that are unknown, absent, null or of another type are for the rules to judge; the
/// event's name alone has to be there.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    let (mut json, damage) = match lenient::parse_json(bytes) {
        Ok(lenient) => (lenient.members, lenient.damage),
        Err(error) => return Decoded::Unreadable(format!("the payload cannot be read: {error}")),
    };
    let unreadable = |what: &str| {
        let because = damage.as_ref().map(|damage| format!(" ({damage})")).unwrap_or_default();
        Decoded::Unreadable(format!("the payload does not say which event it is: `hook_event_name` {what}{because}"))
    };
    let event = match json.get("hook_event_name") {
        None | Some(Json::Null) => return unreadable("is missing"),
        Some(Json::String(name)) if name.is_empty() => return unreadable("is empty"),
        Some(Json::String(name)) => match Event::from_name(name) {
            Some(event) => event,
            None => return Decoded::UnknownEvent(name.clone()),
        },
        Some(_) => return unreadable("is not a text"),
    };
    // An older name that some hosts of the same family send; rules read `agent_type`.
    let named = |name: &str| json.get(name).and_then(Json::as_str).filter(|text| !text.is_empty());
    if let (None, Some(agent_type)) = (named("agent_type"), named("subagent_type")) {
        let agent_type = Json::from(agent_type);
        json.insert("agent_type".to_owned(), agent_type);
    }
    Decoded::Event { payload: Payload { event, json }, damage }
}
