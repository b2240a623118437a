//! Claude Code, 2.1.197 to 2.1.330: what it writes to a hook, and what it takes from one.
//!
//! The schema is stated in this host's words, so decoding translates next to nothing.

mod encode;
mod permission_request;
mod subagent_start;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json};

use super::Decoded;
use super::decode::{self, fill, text};
use crate::schema::Event;

pub(super) use encode::encode;
pub use permission_request::{Interrupt, PermissionDecision, PermissionRequestHookOutput};
pub use subagent_start::SubagentStartHookOutput;

/// Reads a payload.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    decode::decode(bytes, translate)
}

fn translate(event: Event, json: &mut Map<String, Json>) {
    // An older name that some hosts of the same family send; rules read `agent_type`.
    fill(json, "agent_type", "subagent_type");
    if matches!(event, Event::SubagentStart | Event::SubagentStop) {
        // What the host does say is not mended, be it empty: who wants whole payloads is to hear of it.
        let lacks = |json: &Map<String, Json>, member| json.get(member).is_none_or(Json::is_null);
        if lacks(json, "subagent_type") {
            fill(json, "subagent_type", "agent_type");
        }
        if lacks(json, "agent_transcript_path")
            && let Some(path) = agent_transcript_path(json)
        {
            json.insert("agent_transcript_path".to_owned(), Json::String(path));
        }
    }
}

/// Returns where the host keeps a subagent's conversation: beside the session's own, in a directory of its name
/// (seen on 2.1.197 and 2.1.330, which say so on SubagentStop only).
///
/// A transcript elsewhere, or an id that would lead elsewhere, gives no path: one that is wrong is worse than none.
fn agent_transcript_path(json: &Map<String, Json>) -> Option<String> {
    let session = text(json, "transcript_path")?.strip_suffix(".jsonl")?;
    let agent = text(json, "agent_id").filter(|id| is_component(id))?;
    let (directory, name) = session.rsplit_once('/')?;
    let is_session = session.starts_with('/') && !matches!(name, "" | "." | "..");
    is_session.then(|| format!("{directory}/{name}/subagents/agent-{agent}.jsonl"))
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
