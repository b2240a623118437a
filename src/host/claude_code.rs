//! The parts of Claude Code's protocol that its record cannot express: the paths of its subagents' transcripts, and the
//! types of two of its answers.

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

/// The member with the path of a subagent's transcript. If the host does not send it, it is derived from other members.
const TRANSCRIPT: &str = "agent_transcript_path";

/// The maximum number of characters of a member in a message.
const MAX_MEMBER_CHARS: usize = 200;

/// Adds members that the schema has and the payload may lack: `agent_type`, `subagent_type` and the path of a
/// subagent's transcript.
pub(super) fn add_subagent_members(event: Event, json: &mut Map<String, Json>) {
    // Some hosts of the same family send the older name `subagent_type`; rules read `agent_type`.
    copy_renamed_member(json, "agent_type", "subagent_type");
    if is_of_subagent(event) {
        // Only a member that is absent or null is added. An empty or invalid one is kept, so that `rules EVENT` can
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

/// Whether the schema of an event has the path of a subagent's transcript.
fn is_of_subagent(event: Event) -> bool {
    matches!(event, Event::SubagentStart | Event::SubagentStop)
}

/// Derives the path of a subagent's transcript from that of the session's: `/p/s1.jsonl` →
/// `/p/s1/subagents/agent-ID.jsonl`. The versions 2.1.197 and 2.1.330 were seen to use this layout; they send the path
/// on SubagentStop only.
///
/// Returns `None` if the session's transcript has a path of another form, or if the id is not a plain file name,
/// because no path is better than a wrong one.
fn agent_transcript_path(json: &Map<String, Json>) -> Option<String> {
    let session = session_directory(nonempty_text(json, "transcript_path")?)?;
    let agent = nonempty_text(json, "agent_id").filter(|id| is_component(id))?;
    Some(format!("{session}/subagents/agent-{agent}.jsonl"))
}

/// Returns why [`agent_transcript_path`] cannot derive a path, if the reason is an invalid member.
pub(super) fn transcript_problem(payload: &Payload) -> Option<String> {
    if !is_of_subagent(payload.event) || payload.json.contains_key(TRANSCRIPT) {
        return None;
    }
    let about = |name: &str, text: &str, what: &str| format!("`{name}` {} {what}", quote_word(text, MAX_MEMBER_CHARS));
    let agent = payload.agent_id().filter(|id| !is_component(id));
    let session = payload.nonempty_text("transcript_path").filter(|path| session_directory(path).is_none());
    let of_agent = agent.map(|id| about("agent_id", id, "names no transcript"));
    of_agent.or_else(|| session.map(|path| about("transcript_path", path, "is no session's transcript")))
}

/// Returns the directory of a session, which is the path of its transcript without `.jsonl`. `None` if the path does
/// not have that form.
fn session_directory(transcript: &str) -> Option<&str> {
    let session = transcript.strip_suffix(".jsonl").filter(|session| session.starts_with('/'))?;
    let (_, name) = session.rsplit_once('/')?;
    (!matches!(name, "" | "." | "..")).then_some(session)
}

/// Whether a text is usable as a file name: a single path component without control characters, which could mislead
/// readers of the path.
fn is_component(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(|c: char| c == '/' || c.is_control())
}

#[cfg(feature = "internals")]
/// Deserializes a member that may be absent but not null: for a null, the host would discard the whole answer.
fn deserialize_present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
