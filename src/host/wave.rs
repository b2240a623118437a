//! Wave Agent: decodes its payloads, and encodes its answers, which are an exit code and two streams.
//!
//! The tables are from its source as of August 2026.

mod encode;

use serde_json::{Map, Value as Json};

use super::decode::{self, copy_renamed_member, nonempty_text};
use super::{Audience, DecodedPayload};
use crate::schema::{Capabilities, Event};

pub(super) use encode::encode;

/// The answers on an event where exit code 2 blocks the action.
const DENY: Capabilities = Capabilities { deny: true, ..Capabilities::NOTES };

/// The answers on an event where a text reaches the model with its next request.
const CONTEXT: Capabilities = Capabilities { context: true, ..Capabilities::NOTES };

/// Returns the answers that Wave obeys on an event; `None` for an event that it never sends.
pub(super) const fn event_capabilities(event: Event) -> Option<Capabilities> {
    Some(match event {
        Event::PreToolUse | Event::SubagentStop => DENY,
        // The call has run, so exit code 2 blocks nothing, but the agent reads standard error.
        Event::PostToolUse => CONTEXT,
        // A blocked prompt starts nothing, and a halt could not achieve more.
        Event::UserPromptSubmit => Capabilities { halt: true, context: true, stdout_is_context: true, ..DENY },
        // A halt here lets the agent stop.
        Event::Stop => Capabilities { halt: true, ..DENY },
        // A question is left to the host, which shows its dialog.
        Event::PermissionRequest => Capabilities { ask: true, ..DENY },
        Event::SessionStart => Capabilities { stdout_is_context: true, ..CONTEXT },
        Event::SessionEnd
        | Event::PreCompact
        | Event::PostCompact
        | Event::CwdChanged
        | Event::WorktreeCreate
        | Event::WorktreeRemove => Capabilities::NOTES,
        _ => return None,
    })
}

/// The fields of the schema for which Wave sends a value, some of them under other names.
const FILLED: &[&str] = &[
    "hook_event_name",
    "session_id",
    "transcript_path",
    "cwd",
    "agent_id",
    "agent_type",
    "tool_name",
    "tool_input",
    "tool_response",
    "prompt",
    "source",
    "reason",
    "last_assistant_message",
    "background_tasks",
    "session_crons",
    "custom_instructions",
    "compact_summary",
    "name",
    "worktree_path",
    "old_cwd",
    "new_cwd",
];

/// Whether Wave ever sends a value for a field of an event.
pub(super) fn has_field_value(event: Event, field: &str) -> bool {
    // The host sends `source` when a session starts, but not for a prompt.
    FILLED.contains(&field) && !(event == Event::UserPromptSubmit && field == "source")
}

/// Returns who reads standard error when exit code 2 blocks.
pub(super) const fn reader(event: Event) -> Audience {
    match event {
        Event::UserPromptSubmit | Event::PermissionRequest => Audience::User,
        _ => Audience::Agent,
    }
}

/// Decodes a payload of Wave.
pub(super) fn decode(bytes: &[u8]) -> DecodedPayload {
    decode::decode(bytes, translate, |_| None)
}

/// Adds the members under the schema's names, and keeps those under Wave's names.
fn translate(event: Event, json: &mut Map<String, Json>) {
    // Only subagents have `subagent_type`. Rules identify the acting agent by `agent_id`, which Wave does not send,
    // so the type is used for both.
    copy_renamed_member(json, "agent_type", "subagent_type");
    copy_renamed_member(json, "agent_id", "subagent_type");
    match event {
        Event::UserPromptSubmit => copy_renamed_member(json, "prompt", "user_prompt"),
        Event::PreCompact => copy_renamed_member(json, "custom_instructions", "compact_instructions"),
        Event::SessionEnd => {
            let reason = nonempty_text(json, "reason").or_else(|| nonempty_text(json, "end_source").map(reason));
            if let Some(reason) = reason.map(Json::from) {
                json.insert("reason".to_owned(), reason);
            }
        }
        _ => {}
    }
}

/// Returns the schema's word for why a session ends (`end_source`).
fn reason(end_source: &str) -> &str {
    match end_source {
        "exit" => "prompt_input_exit",
        "stop" | "compact" => "other",
        same => same,
    }
}
