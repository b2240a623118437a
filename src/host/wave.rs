//! Wave Agent: what it writes to a hook, and what it reads from one, which is an exit code and two streams.
//!
//! The facts are from its source as of August 2026.

mod encode;

use serde_json::{Map, Value as Json};

use super::decode::{self, fill, text};
use super::{Audience, Decoded};
use crate::schema::{Capabilities, Event};

pub(super) use encode::encode;

/// Exit 2 blocks.
const DENY: Capabilities = Capabilities { deny: true, ..Capabilities::NOTES };

/// Text reaches the model's next request.
const CONTEXT: Capabilities = Capabilities { context: true, ..Capabilities::NOTES };

/// Returns what can be answered to an event; `None` for one that the host never sends.
pub(super) const fn answers(event: Event) -> Option<Capabilities> {
    Some(match event {
        Event::PreToolUse | Event::SubagentStop => DENY,
        // Exit 2 comes too late to block; its standard error goes to the agent.
        Event::PostToolUse => CONTEXT,
        // Without the prompt nothing runs, which is all that a halt could do.
        Event::UserPromptSubmit => Capabilities { halt: true, context: true, stdout_is_context: true, ..DENY },
        // To halt here is to let the agent stop.
        Event::Stop => Capabilities { halt: true, ..DENY },
        // To ask is to leave the host's own dialog.
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

/// The schema's fields that the host fills, some of them from words of its own.
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

/// Tells whether a field of an event ever has a value.
pub(super) fn fills(event: Event, field: &str) -> bool {
    // Who sent a prompt is not said; why a session starts is.
    FILLED.contains(&field) && !(event == Event::UserPromptSubmit && field == "source")
}

/// Returns who reads standard error where exit 2 blocks.
pub(super) const fn reader(event: Event) -> Audience {
    match event {
        Event::UserPromptSubmit | Event::PermissionRequest => Audience::User,
        _ => Audience::Agent,
    }
}

/// Reads a payload.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    decode::decode(bytes, translate, |_| None)
}

/// Adds the schema's names to the host's own, which stay.
fn translate(event: Event, json: &mut Map<String, Json>) {
    // Only subagents have this member. Who acts is told by `agent_id`, of which the host sends none: the type stands
    // in for it.
    fill(json, "agent_type", "subagent_type");
    fill(json, "agent_id", "subagent_type");
    match event {
        Event::UserPromptSubmit => fill(json, "prompt", "user_prompt"),
        Event::PreCompact => fill(json, "custom_instructions", "compact_instructions"),
        Event::SessionEnd => {
            let reason = text(json, "reason").or_else(|| text(json, "end_source").map(reason));
            if let Some(reason) = reason.map(Json::from) {
                json.insert("reason".to_owned(), reason);
            }
        }
        _ => {}
    }
}

/// Returns the schema's word for why a session ends.
fn reason(end_source: &str) -> &str {
    match end_source {
        "exit" => "prompt_input_exit",
        "stop" | "compact" => "other",
        same => same,
    }
}
