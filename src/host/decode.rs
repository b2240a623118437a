//! The part of decoding that hosts of Claude Code's family share: one object whose `hook_event_name` names the event.
//!
//! Members that are unknown, absent, null or of another type are for the rules to judge; the event's name alone
//! has to be there.

use serde_json::{Map, Value as Json};

use super::{Decoded, lenient};
use crate::schema::Event;
use crate::types::Payload;

/// Reads a payload; `translate` puts a host's own words into the schema's.
pub(super) fn decode(bytes: &[u8], translate: fn(Event, &mut Map<String, Json>)) -> Decoded {
    let (mut json, damage) = match lenient::parse_json(bytes) {
        Ok(lenient) => (lenient.members, lenient.damage),
        Err(error) => return Decoded::Unreadable(format!("the payload cannot be read: {error}")),
    };
    let unreadable = |what: &str| {
        let because = damage.as_ref().map(|damage| format!(" ({damage})")).unwrap_or_default();
        Decoded::Unreadable(format!("the payload does not name its event: `hook_event_name` {what}{because}"))
    };
    let event = match json.get("hook_event_name") {
        None | Some(Json::Null) => return unreadable("is missing"),
        Some(Json::String(name)) if name.is_empty() => return unreadable("is empty"),
        Some(Json::String(name)) => match Event::from_name(name) {
            Some(event) => event,
            None => return Decoded::UnknownEvent(name.clone()),
        },
        Some(_) => return unreadable("is not a string"),
    };
    translate(event, &mut json);
    Decoded::Event { payload: Payload { event, json }, damage }
}

/// Gives a member the text of another that the host writes in its place; one that has a text keeps it.
pub(super) fn fill(json: &mut Map<String, Json>, member: &str, from: &str) {
    if text(json, member).is_none()
        && let Some(text) = text(json, from)
    {
        let text = Json::from(text);
        json.insert(member.to_owned(), text);
    }
}

/// Returns a member that is a text and not empty.
pub(super) fn text<'j>(json: &'j Map<String, Json>, member: &str) -> Option<&'j str> {
    json.get(member).and_then(Json::as_str).filter(|text| !text.is_empty())
}
