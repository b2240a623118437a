//! Decodes payloads of Claude Code's family of hosts: JSON objects whose member `hook_event_name` is the name of the
//! event.
//!
//! Only that member is required here. Rules judge the other ones, even if they are absent, null or of a wrong type.

use serde_json::{Map, Value as Json};

use super::other_agents::{
    Announcement, is_before_call, named_members, translate_announcement, translate_apply_patch, translate_call,
};
use super::{DecodedPayload, lenient};
use crate::schema::Event;
use crate::types::{OtherAgent, Payload, PayloadOrigin};

/// The members that a payload has only after its call: a payload with one does not announce a call.
const RESULTS: &[&str] = &[
    "tool_response",
    "tool_output",
    "tool_result",
    "tool_error",
    "response",
    "result",
    "output",
    "error",
    "duration_ms",
];

/// Decodes a payload. `translate` adds the schema's names for members that the host calls otherwise. `sender` returns
/// the other agent that sent the payload, if any.
pub(super) fn decode(
    bytes: &[u8],
    translate: fn(Event, &mut Map<String, Json>),
    sender: fn(&Map<String, Json>) -> Option<OtherAgent>,
) -> DecodedPayload {
    let (mut json, damage) = match lenient::parse_json(bytes) {
        Ok(lenient) => (lenient.members, lenient.damage),
        Err(error) => {
            let reason = format!("the payload cannot be read: {error}");
            return DecodedPayload::Unreadable { reason, sender: sender(&named_members(bytes)) };
        }
    };
    let agent = sender(&json);
    let unreadable = |what: &str| {
        let because = damage.as_ref().map(|damage| format!(" ({damage})")).unwrap_or_default();
        let reason = format!("the payload does not name its event: `hook_event_name` {what}{because}");
        let sender = agent.or_else(|| damage.as_ref().and_then(|_| sender(&named_members(bytes))));
        DecodedPayload::Unreadable { reason, sender }
    };
    let (event, name) = match (json.get("hook_event_name"), agent) {
        (None | Some(Json::Null), Some(agent)) => match translate_announcement(agent, &mut json) {
            Announcement::Call(event, name) => (event, name),
            // The lost part may have been the announcement of a call.
            Announcement::Other(_) if damage.is_some() => return unreadable("is missing"),
            Announcement::Other(name) => return DecodedPayload::UnknownEvent(name),
        },
        (None | Some(Json::Null), None) => return unreadable("is missing"),
        (Some(Json::String(name)), _) if name.is_empty() => return unreadable("is empty"),
        (Some(Json::String(name)), _) => match Event::from_name(name) {
            Some(event) => (event, None),
            // An event that is not in the schema but announces a call, as a newer host may send it, is judged as
            // PreToolUse.
            None if is_call(&json) || agent.is_some() && is_before_call(name) => {
                (Event::PreToolUse, Some(name.clone()))
            }
            None => return DecodedPayload::UnknownEvent(name.clone()),
        },
        (Some(_), _) => return unreadable("is not a string"),
    };
    // Payloads of other agents differ from the host's only on events about calls.
    let agent = agent.filter(|_| matches!(event, Event::PreToolUse | Event::PermissionRequest));
    let mut other_names = agent.map(|agent| translate_call(agent, &mut json)).unwrap_or_default();
    other_names.extend(translate_apply_patch(&mut json).map(str::to_owned));
    if agent.is_some() || name.is_some() {
        json.insert("hook_event_name".to_owned(), event.name().into());
    }
    translate(event, &mut json);
    let origin = PayloadOrigin { agent, event: name };
    DecodedPayload::Event { payload: Payload { origin, other_names, ..Payload::new(event, json) }, damage }
}

/// Whether the payload of an unknown event announces a call: it has a tool and an input, and no result yet.
fn is_call(json: &Map<String, Json>) -> bool {
    let has = |member: &str| json.contains_key(member);
    let has_result = |member: &str| json.get(member).is_some_and(|result| !result.is_null() && result != "");
    has("tool_name") && has("tool_input") && !RESULTS.iter().any(|result| has_result(result))
}

/// Copies the text of the member `from` to `member`, unless that already has a nonempty text.
pub(super) fn copy_renamed_member(json: &mut Map<String, Json>, member: &str, from: &str) {
    if nonempty_text(json, member).is_none()
        && let Some(text) = nonempty_text(json, from)
    {
        let text = Json::from(text);
        json.insert(member.to_owned(), text);
    }
}

/// Returns the text of a member; `None` if it is absent, empty or not a text.
pub(super) fn nonempty_text<'j>(json: &'j Map<String, Json>, member: &str) -> Option<&'j str> {
    json.get(member).and_then(Json::as_str).filter(|text| !text.is_empty())
}
