//! Claude Code, 2.1.197 to 2.1.332: what it writes to a hook, and what it reads from one.
//!
//! The schema uses this host's vocabulary, so that decoding translates almost nothing.

mod encode;
#[allow(unnameable_types, reason = "serde asks for a way from them to a map, which is public")]
mod permission_request;
#[allow(unnameable_types, reason = "serde asks for a way from them to a map, which is public")]
mod subagent_start;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json};

use super::decode::{self, fill, text};
use super::{Decoded, other_agents};
use crate::escape::quoted;
use crate::schema::Event;
use crate::types::Payload;

pub(super) use encode::encode;
#[cfg(feature = "internals")]
pub use permission_request::{Interrupt, PermissionDecision, PermissionRequestHookOutput};
#[cfg(feature = "internals")]
pub use subagent_start::SubagentStartHookOutput;

/// The member that is derived from others where the host does not send it.
const TRANSCRIPT: &str = "agent_transcript_path";

/// Characters of a member that are shown.
const LONGEST: usize = 200;

/// How the host begins a prompt that it sends by itself, where it does not say so in `source`: a background agent
/// has finished.
const OWN_PROMPT: &str = "<task-notification>";

/// Tells whether the user reads the `systemMessage` of an event: in the window, or in the stream of print mode.
///
/// On PreCompact, PostCompact and PreModelSwitch the model reads it, on the others that are not named nobody does, or
/// nobody has seen it shown.
pub(super) const fn shows(event: Event) -> bool {
    matches!(
        event,
        Event::PreToolUse
            | Event::PreSkillShellCommand
            | Event::PostToolUse
            | Event::PostToolUseFailure
            | Event::PostToolBatch
            | Event::UserPromptSubmit
            | Event::UserPromptExpansion
            | Event::SessionStart
            | Event::Stop
    )
}

/// Tells whether a person wrote a prompt: the host says who did in `source`, older versions never and newer ones not
/// for all of their own.
pub(super) fn is_prompt_of_user(payload: &Payload) -> bool {
    match payload.text("source") {
        Some(source) => matches!(source, "user" | "sdk"),
        None => !payload.text("prompt").is_some_and(|prompt| prompt.trim_start().starts_with(OWN_PROMPT)),
    }
}

/// Reads a payload.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    decode::decode(bytes, translate, other_agents::sender)
}

fn translate(event: Event, json: &mut Map<String, Json>) {
    // An older name that some hosts of the same family send; rules read `agent_type`.
    fill(json, "agent_type", "subagent_type");
    if is_of_subagent(event) {
        // What the host does say is not mended, be it empty: who wants whole payloads is to hear of it.
        let lacks = |json: &Map<String, Json>, member| json.get(member).is_none_or(Json::is_null);
        if lacks(json, "subagent_type") {
            fill(json, "subagent_type", "agent_type");
        }
        if lacks(json, TRANSCRIPT)
            && let Some(path) = agent_transcript_path(json)
        {
            json.insert(TRANSCRIPT.to_owned(), Json::String(path));
        }
    }
}

fn is_of_subagent(event: Event) -> bool {
    matches!(event, Event::SubagentStart | Event::SubagentStop)
}

/// Returns where the host keeps a subagent's conversation: beside the session's own, in a directory of its name
/// (seen on 2.1.197 and 2.1.330, which say so on SubagentStop only).
///
/// A transcript elsewhere, or an id that would lead elsewhere, gives no path: one that is wrong is worse than none.
fn agent_transcript_path(json: &Map<String, Json>) -> Option<String> {
    let session = session_directory(text(json, "transcript_path")?)?;
    let agent = text(json, "agent_id").filter(|id| is_component(id))?;
    Some(format!("{session}/subagents/agent-{agent}.jsonl"))
}

/// Returns why [`agent_transcript_path`] gives none, if a member that is there is the reason.
pub(super) fn transcript_problem(payload: &Payload) -> Option<String> {
    if !is_of_subagent(payload.event) || payload.json.contains_key(TRANSCRIPT) {
        return None;
    }
    let about = |name: &str, text: &str, what: &str| format!("`{name}` {} {what}", quoted(text, LONGEST));
    let agent = payload.agent_id().filter(|id| !is_component(id));
    let session = payload.text("transcript_path").filter(|path| session_directory(path).is_none());
    let of_agent = agent.map(|id| about("agent_id", id, "names no transcript"));
    of_agent.or_else(|| session.map(|path| about("transcript_path", path, "is no session's transcript")))
}

/// Returns the directory of a session, which has the name of its transcript.
fn session_directory(transcript: &str) -> Option<&str> {
    let session = transcript.strip_suffix(".jsonl").filter(|session| session.starts_with('/'))?;
    let (_, name) = session.rsplit_once('/')?;
    (!matches!(name, "" | "." | "..")).then_some(session)
}

/// Tells whether a text can be the name of a file: one component of a path, and nothing in it that a reader of the
/// path would stumble over.
fn is_component(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(|c: char| c == '/' || c.is_control())
}

/// Reads a member of an answer that may be absent. One that is there and null is an error: for it the host throws
/// the whole answer away.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
