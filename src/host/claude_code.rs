//! What the record of Claude Code cannot state: where the transcripts of its subagents are, and the types of two of its
//! answers.

#[cfg(feature = "internals")]
#[allow(unnameable_types, reason = "serde asks for a way from them to a map, which is public")]
mod permission_request;
#[cfg(feature = "internals")]
#[allow(unnameable_types, reason = "serde asks for a way from them to a map, which is public")]
mod subagent_start;

#[cfg(feature = "internals")]
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json};

use super::decode::{copy_renamed_member, nonempty_text};
use crate::escape::quote_word;
use crate::schema::Event;
use crate::types::Payload;

#[cfg(feature = "internals")]
pub use permission_request::{Interrupt, PermissionDecision, PermissionRequestHookOutput};
#[cfg(feature = "internals")]
pub use subagent_start::SubagentStartHookOutput;

/// The path of a subagent's transcript, which is derived from other members if the host does not send it.
const TRANSCRIPT: &str = "agent_transcript_path";

/// The most characters shown of a member in a message.
const LONGEST: usize = 200;

/// Adds members that the schema has and the payload lacks: `agent_type`, `subagent_type` and the path of the
/// transcript.
pub(super) fn add_subagent_members(event: Event, json: &mut Map<String, Json>) {
    // Some hosts of the same family send the older name `subagent_type`; rules read `agent_type`.
    copy_renamed_member(json, "agent_type", "subagent_type");
    if is_of_subagent(event) {
        // Only a member that is absent or null is added. An empty or wrong one stays, so that `rules EVENT` can
        // report it.
        let lacks = |json: &Map<String, Json>, member| json.get(member).is_none_or(Json::is_null);
        if lacks(json, "subagent_type") {
            copy_renamed_member(json, "subagent_type", "agent_type");
        }
        if lacks(json, TRANSCRIPT)
            && let Some(path) = agent_transcript_path(json)
        {
            json.insert(TRANSCRIPT.to_owned(), Json::String(path));
        }
    }
}

/// Whether an event is about a subagent and has the path of its transcript.
fn is_of_subagent(event: Event) -> bool {
    matches!(event, Event::SubagentStart | Event::SubagentStop)
}

/// Returns the path of a subagent's transcript, in a directory named like the session's transcript: `/p/s1.jsonl` →
/// `/p/s1/subagents/agent-ID.jsonl`. This layout was observed on 2.1.197 and 2.1.330, which send the path on
/// SubagentStop only.
///
/// Returns `None` if the session's transcript has another form, or the id is not a plain file name: no path is better
/// than a wrong one.
fn agent_transcript_path(json: &Map<String, Json>) -> Option<String> {
    let session = session_directory(nonempty_text(json, "transcript_path")?)?;
    let agent = nonempty_text(json, "agent_id").filter(|id| is_component(id))?;
    Some(format!("{session}/subagents/agent-{agent}.jsonl"))
}

/// Returns which member keeps [`agent_transcript_path`] from deriving the path, and why; `None` if none does.
pub(super) fn transcript_problem(payload: &Payload) -> Option<String> {
    if !is_of_subagent(payload.event) || payload.json.contains_key(TRANSCRIPT) {
        return None;
    }
    let about = |name: &str, text: &str, what: &str| format!("`{name}` {} {what}", quote_word(text, LONGEST));
    let agent = payload.agent_id().filter(|id| !is_component(id));
    let session = payload.nonempty_text("transcript_path").filter(|path| session_directory(path).is_none());
    let of_agent = agent.map(|id| about("agent_id", id, "names no transcript"));
    of_agent.or_else(|| session.map(|path| about("transcript_path", path, "is no session's transcript")))
}

/// Returns the directory of a session, which is the path of its transcript without `.jsonl`; `None` for any other
/// path.
fn session_directory(transcript: &str) -> Option<&str> {
    let session = transcript.strip_suffix(".jsonl").filter(|session| session.starts_with('/'))?;
    let (_, name) = session.rsplit_once('/')?;
    (!matches!(name, "" | "." | "..")).then_some(session)
}

/// Whether a text is usable as a file name: a single path component without control characters, which would mislead a
/// reader of the path.
fn is_component(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(|c: char| c == '/' || c.is_control())
}

#[cfg(feature = "internals")]
/// Deserializes a member that may be absent but not null: for a null, the host would discard the whole answer.
fn deserialize_present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
