//! Decodes payloads, which are JSON objects that name an event, as the record of the host that sent them states.
//!
//! Only the event is required here. Rules judge the other members, even if they are absent, null or of a wrong type.

use serde_json::{Map, Value as Json};

use super::record::{HostEvent, HostRecord, PayloadSign, SIGN_MEMBERS, SIGN_PATHS};
use super::translation::{adopt_call, adopt_members, member_at, translate_tool};
use super::{DecodedPayload, Host, apply_patch, claude_code, lenient};
use crate::schema::{Event, Subject};
use crate::types::{Payload, PayloadOrigin};

/// The members that a payload has only once its call has ended. So a payload with one of them does not announce a call.
const RESULT_MEMBERS: &[&str] = &[
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

/// How a payload identifies its event.
enum EventIdentification {
    /// The event, its row in the host's record if it has one, and its name in the payload if that has one.
    Known(Event, Option<&'static HostEvent>, Option<String>),
    /// The name of an event that is in neither the record nor the schema.
    Unknown(String),
    /// The event cannot be identified. The text continues a sentence that begins with the member for the name: "is
    /// missing".
    Nothing(&'static str),
}

/// Decodes a payload that was sent to the hook of a host.
pub(super) fn decode(host: Host, bytes: &[u8]) -> DecodedPayload {
    let (mut json, damage) = match lenient::parse_json(bytes) {
        Ok(lenient) => (lenient.members, lenient.damage),
        Err(error) => {
            let reason = format!("the payload cannot be read: {error}");
            return DecodedPayload::Unreadable { reason, sender: sender_of_bytes(host, bytes) };
        }
    };
    let sender = sender(host, &json);
    let record = sender.record();
    let unreadable = |what: &str| {
        let because = damage.as_ref().map(|damage| format!(" ({damage})")).unwrap_or_default();
        let member = record.event_members.first().copied().unwrap_or("hook_event_name");
        let reason = format!("the payload does not name its event: `{member}` {what}{because}");
        let sender = if damage.is_some() && sender == host { sender_of_bytes(host, bytes) } else { sender };
        DecodedPayload::Unreadable { reason, sender }
    };
    let (event, row, name, is_unknown) = match identify_event(record, &json) {
        EventIdentification::Known(event, row, name) => (event, row, name, false),
        // A newer host may announce a call by an event that is not in the schema. It is judged like PreToolUse.
        EventIdentification::Unknown(name) if is_call(&json) => (Event::PreToolUse, None, Some(name), true),
        // The part of the payload that was lost may have shown that it announces a call.
        EventIdentification::Unknown(_) if damage.is_some() && sender != host => return unreadable("is missing"),
        EventIdentification::Unknown(name) => return DecodedPayload::UnknownEvent(name),
        // An event without a name, whose members are not those of an event in the record.
        EventIdentification::Nothing(_)
            if damage.is_none() && record.signs.iter().any(|sign| has_sign(sign, record, &json)) =>
        {
            return DecodedPayload::UnknownEvent(format!("an event of {}", record.title));
        }
        EventIdentification::Nothing(what) => return unreadable(what),
    };
    if let Some(needed) = row.and_then(|row| row.needs)
        && member_at(&json, needed).is_none()
    {
        return DecodedPayload::UnknownEvent(name.unwrap_or_else(|| event.name().to_owned()));
    }
    let mut origin = PayloadOrigin {
        agent: (sender != host).then_some(record.name),
        event: name.filter(|name| name != event.name()),
        is_event_unknown: is_unknown,
        ..record.silences()
    };
    let other_names = translate(record, row, event, &mut json, &mut origin);
    DecodedPayload::Event { payload: Payload { origin, other_names, ..Payload::new(event, json) }, damage }
}

/// Translates a payload into the schema's names, and notes the host's names in `origin`. Returns further names of the
/// call's tool, which selectors can match too.
fn translate(
    record: &HostRecord,
    row: Option<&HostEvent>,
    event: Event,
    json: &mut Map<String, Json>,
    origin: &mut PayloadOrigin,
) -> Vec<String> {
    adopt_members(row.map_or(&[], |row| row.members), json);
    adopt_members(record.members, json);
    if record.subagent_member.is_some_and(|member| json.get(member).is_none_or(Json::is_null)) {
        json.remove("agent_id");
    }
    let mut other_names = row.map(|row| adopt_call(row, json)).unwrap_or_default();
    if event.spec().subject == Subject::Tool {
        other_names.extend(translate_tool(record, json, origin));
        if let Some(name) = apply_patch::translate(json) {
            other_names.push(name.to_owned());
            origin.is_input_final = true;
        }
    }
    if origin.event.is_some() || !json.contains_key("hook_event_name") {
        json.insert("hook_event_name".to_owned(), event.name().into());
    }
    if record.has_agent_transcripts {
        claude_code::add_subagent_members(event, json);
    }
    other_names
}

/// Identifies the event of a payload by its name or, if it has none, by its members.
fn identify_event(record: &HostRecord, json: &Map<String, Json>) -> EventIdentification {
    let member = record.event_members.iter().find_map(|member| json.get(*member).filter(|value| !value.is_null()));
    if let Some(Json::String(name)) = member.filter(|name| *name != "") {
        let row = record.named_event(name);
        return match row.and_then(|row| Event::from_name(row.event)).or_else(|| Event::from_name(name)) {
            Some(event) => EventIdentification::Known(event, row, Some(name.clone())),
            None => EventIdentification::Unknown(name.clone()),
        };
    }
    let row = record.events.iter().find(|row| row.sign.is_some_and(|sign| has_sign(&sign, record, json)));
    if let Some((row, event)) = row.and_then(|row| Some((row, Event::from_name(row.event)?))) {
        // The last name in the row belongs to the version of the protocol whose payloads do not name the event.
        return EventIdentification::Known(event, Some(row), row.names.last().map(|name| (*name).to_owned()));
    }
    EventIdentification::Nothing(match member {
        None => "is missing",
        Some(Json::String(_)) => "is empty",
        Some(_) => "is not a string",
    })
}

/// Returns the host that sent a payload to the hook of `host`. It is another host only if that one calls the hooks in
/// the settings of `host` and the payload has one of its signs. An added host is never recognised by a sign: which
/// records a process has added must not change the answer to a built-in host.
fn sender(host: Host, json: &Map<String, Json>) -> Host {
    if !host.record().is_read_by_others {
        return host;
    }
    // Nearly every payload is sent by `host` itself, and checking every sign would take long.
    let is_known = nonempty_text(json, "hook_event_name").is_some_and(|name| Event::from_name(name).is_some());
    let has_sign_member = || json.keys().any(|member| SIGN_MEMBERS.binary_search(&member.as_str()).is_ok());
    if is_known && !has_sign_member() && !SIGN_PATHS.iter().any(|path| member_at(json, path).is_some()) {
        return host;
    }
    let is_of = |other: &Host| {
        let record = other.record();
        record.signs.iter().any(|sign| has_sign(sign, record, json))
    };
    Host::built_in().filter(|other| *other != host).find(is_of).unwrap_or(host)
}

/// Guesses which host sent bytes that cannot be parsed. It matters only for hosts that ignore an exit code, so it is
/// one of these if the bytes contain all member names of one of its signs, and otherwise `host`.
fn sender_of_bytes(host: Host, bytes: &[u8]) -> Host {
    let is_named = |name: &&'static str| {
        let quoted = format!("\"{name}\"");
        bytes.windows(quoted.len()).any(|window| window == quoted.as_bytes())
    };
    let is_of = |other: &Host| {
        let record = other.record();
        let named = |sign: &PayloadSign| !sign.has.is_empty() && sign.has.iter().all(is_named);
        record.is_deaf_to_exit_codes && record.signs.iter().any(named)
    };
    if !host.record().is_read_by_others {
        return host;
    }
    Host::built_in().find(is_of).unwrap_or(host)
}

/// Whether a payload fulfils the conditions of a sign.
pub(super) fn has_sign(sign: &PayloadSign, record: &HostRecord, json: &Map<String, Json>) -> bool {
    let names_event = || {
        let name = record.event_members.iter().find_map(|member| json.get(*member)?.as_str());
        name.is_some_and(|name| sign.events.contains(&name))
    };
    sign.has.iter().all(|path| member_at(json, path).is_some())
        && !sign.lacks.iter().any(|path| member_at(json, path).is_some())
        && (sign.events.is_empty() || names_event())
}

/// Whether the payload of an unknown event announces a call: it has a tool and an input, but no result.
fn is_call(json: &Map<String, Json>) -> bool {
    let has = |member: &str| json.contains_key(member);
    let has_result = |member: &str| json.get(member).is_some_and(|result| !result.is_null() && result != "");
    has("tool_name") && has("tool_input") && !RESULT_MEMBERS.iter().any(|result| has_result(result))
}

/// Copies the text of the member `from` to `member`, unless `member` already has a nonempty text.
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
