//! Claude Code, 2.1.197 to 2.1.330: what it writes to a hook, and what it takes from one.
//!
//! The schema is stated in this host's words, so decoding translates next to nothing.

mod encode;

use serde_json::{Map, Value as Json};

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
    if let (None, Some(agent_type)) = (text(&json, "agent_type"), text(&json, "subagent_type")) {
        let agent_type = Json::from(agent_type);
        json.insert("agent_type".to_owned(), agent_type);
    }
    if matches!(event, Event::SubagentStart | Event::SubagentStop) {
        fill(&mut json, "subagent_type", |json| text(json, "agent_type").map(str::to_owned));
        fill(&mut json, "agent_transcript_path", agent_transcript_path);
    }
    Decoded::Event { payload: Payload { event, json }, damage }
}

/// Gives a member that lacks, or is null or empty, a value, if there is one.
fn fill(json: &mut Map<String, Json>, name: &str, value: impl FnOnce(&Map<String, Json>) -> Option<String>) {
    let lacks = json.get(name).is_none_or(|value| value.is_null() || value == "");
    if let (true, Some(value)) = (lacks, value(json)) {
        json.insert(name.to_owned(), Json::String(value));
    }
}

/// Returns where the host keeps a subagent's conversation: beside the session's own, in a directory of its name
/// (seen on 2.1.197 and 2.1.330, which say so on SubagentStop only).
///
/// A transcript elsewhere, or an id that would lead elsewhere, gives no path: one that is wrong is worse than none.
fn agent_transcript_path(json: &Map<String, Json>) -> Option<String> {
    let session = text(json, "transcript_path")?.strip_suffix(".jsonl")?;
    let agent = text(json, "agent_id").filter(|id| is_plain(id))?;
    let (directory, name) = session.rsplit_once('/')?;
    let is_session = session.starts_with('/') && !matches!(name, "" | "." | "..");
    is_session.then(|| format!("{directory}/{name}/subagents/agent-{agent}.jsonl"))
}

/// Tells whether a text is one component of a path, and nothing in it needs a second look.
fn is_plain(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    !matches!(text, "." | "..") && text.chars().all(plain)
}

/// Returns a text that is there and not empty.
fn text<'j>(json: &'j Map<String, Json>, name: &str) -> Option<&'j str> {
    json.get(name).and_then(Json::as_str).filter(|text| !text.is_empty())
}
