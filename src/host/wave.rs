//! Wave Agent: its input to a hook, and the answer that it reads from one, which is an exit code and two streams.
//!
//! The facts are from its source as of August 2026.

mod encode;

use serde_json::{Map, Value as Json};

use super::decode::{self, copy_renamed_member, nonempty_text};
use super::{Audience, DecodedPayload};
use crate::schema::{Capabilities, Event};

pub(super) use encode::encode;

/// Exit 2 blocks.
const DENY: Capabilities = Capabilities { deny: true, ..Capabilities::NOTES };

/// Text reaches the model's next request.
const CONTEXT: Capabilities = Capabilities { context: true, ..Capabilities::NOTES };

/// Returns the answers that the host accepts on an event; `None` for an event that it never sends.
pub(super) const fn event_capabilities(event: Event) -> Option<Capabilities> {
    Some(match event {
        Event::PreToolUse | Event::SubagentStop => DENY,
        // Exit 2 comes too late to block; the agent reads its standard error.
        Event::PostToolUse => CONTEXT,
        // Without the prompt nothing runs, which is all that a halt could achieve.
        Event::UserPromptSubmit => Capabilities { halt: true, context: true, stdout_is_context: true, ..DENY },
        // A halt here lets the agent stop.
        Event::Stop => Capabilities { halt: true, ..DENY },
        // An ask leaves the decision to the host's own dialog.
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

/// The schema's fields that the host fills, some of them from names of its own.
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

/// Whether a field of an event ever has a value.
pub(super) fn has_field_value(event: Event, field: &str) -> bool {
    // The host sends `source` when a session starts, but not for a prompt.
    FILLED.contains(&field) && !(event == Event::UserPromptSubmit && field == "source")
}

/// Returns the reader of standard error when exit 2 blocks.
pub(super) const fn reader(event: Event) -> Audience {
    match event {
        Event::UserPromptSubmit | Event::PermissionRequest => Audience::User,
        _ => Audience::Agent,
    }
}

/// Decodes a payload.
pub(super) fn decode(bytes: &[u8]) -> DecodedPayload {
    decode::decode(bytes, translate, |_| None)
}

/// Adds the schema's names to the host's own, which remain.
fn translate(event: Event, json: &mut Map<String, Json>) {
    // Only subagents have this member. The acting agent is identified by `agent_id`, which the host does not send: the
    // type takes its place.
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

/// Returns the schema's word for the reason why a session ends.
fn reason(end_source: &str) -> &str {
    match end_source {
        "exit" => "prompt_input_exit",
        "stop" | "compact" => "other",
        same => same,
    }
}
