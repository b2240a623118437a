//! The payloads of events.
//!
//! The same bytes are read in two forms. [`Payload`] keeps the raw JSON and accepts anything: policies judge it,
//! because a guard that cannot read a damaged payload would let the call through. [`HookPayload`] is typed and
//! strict: its members are those of the schema, and `validate` rejects an empty required member.

mod events;
mod members;
mod payload;

use serde::{Deserialize, Serialize};

use crate::escape::is_blank;

pub use events::{
    BackgroundTask, ConfigChangePayload, CwdChangedPayload, DirectoryAddedPayload, ElicitationPayload,
    ElicitationResultPayload, FileChangedPayload, HookPayload, InstructionsLoadedPayload, McpServer,
    MessageDisplayPayload, NotificationPayload, PermissionDeniedPayload, PermissionRequestPayload, PermissionRule,
    PermissionSuggestion, PostCompactPayload, PostModelSwitchPayload, PostToolBatchPayload, PostToolUseFailurePayload,
    PostToolUsePayload, PreCompactPayload, PreModelSwitchPayload, PreSkillShellCommandPayload, PreToolUsePayload,
    SessionCron, SessionEndPayload, SessionStartPayload, SetupPayload, StopFailurePayload, StopPayload,
    SubagentStartPayload, SubagentStopPayload, TaskCompletedPayload, TaskCreatedPayload, TeammateIdlePayload, ToolCall,
    UserPromptExpansionPayload, UserPromptSubmitPayload, WorktreeCreatePayload, WorktreeRemovePayload,
};
pub use payload::{InputChange, Payload, PayloadOrigin};

/// The members of the payload of every event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct BasePayload {
    /// The session's id.
    pub session_id: String,
    /// The path of the file with the main conversation.
    pub transcript_path: String,
    /// The event's name: `PreToolUse`.
    pub hook_event_name: String,
    /// The session's current directory.
    pub cwd: String,
    /// The session's permission mode, such as `plan`; `None` if the event does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<String>,
}

/// Checks that a payload has a session, a transcript, an event and a directory.
///
/// # Errors
///
/// The message names the first of `session_id`, `transcript_path`, `hook_event_name` and `cwd` that is empty or white
/// space.
pub fn validate_base_payload(base: &BasePayload) -> Result<(), String> {
    not_empty("session_id", &base.session_id)?;
    not_empty("transcript_path", &base.transcript_path)?;
    not_empty("hook_event_name", &base.hook_event_name)?;
    not_empty("cwd", &base.cwd)
}

/// Checks that no required member of the start of a subagent is empty.
///
/// # Errors
///
/// The message is that of [`validate_base_payload`], or names the first of `agent_id`, `subagent_type` and
/// `agent_transcript_path` that is empty or white space.
pub fn validate_subagent_start_payload(payload: &SubagentStartPayload) -> Result<(), String> {
    payload.validate()
}

/// Rejects a text without a visible character, with the member's name in the message. White space around other text
/// is accepted.
fn not_empty(name: &str, text: &str) -> Result<(), String> {
    if is_blank(text) { Err(format!("{name} cannot be empty")) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
