//! The payloads of events.
//!
//! There are two readings of the same bytes. [`Payload`] keeps the raw JSON and accepts anything: policies judge it,
//! because a guard that does not read a damaged payload lets it through. [`HookPayload`] is typed and strict: it has
//! exactly the members of the schema, and `validate` names an empty one.

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
pub use payload::{OtherAgent, Payload, PayloadOrigin};

/// The members that every event carries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct BasePayload {
    /// The session's id.
    pub session_id: String,
    /// The file with the main conversation.
    pub transcript_path: String,
    /// The event's name.
    pub hook_event_name: String,
    /// The session's current directory.
    pub cwd: String,
    /// The session's permission mode, such as `plan`; some events lack it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<String>,
}

/// Checks that a payload identifies its session, transcript, event and directory.
///
/// # Errors
///
/// Names the first of `session_id`, `transcript_path`, `hook_event_name` and `cwd` that is empty or white space.
pub fn validate_base_payload(base: &BasePayload) -> Result<(), String> {
    not_empty("session_id", &base.session_id)?;
    not_empty("transcript_path", &base.transcript_path)?;
    not_empty("hook_event_name", &base.hook_event_name)?;
    not_empty("cwd", &base.cwd)
}

/// Checks that the start of a subagent has all required members.
///
/// # Errors
///
/// Fails as [`validate_base_payload`] does, else names the first of `agent_id`, `subagent_type` and
/// `agent_transcript_path` that is empty or white space.
pub fn validate_subagent_start_payload(payload: &SubagentStartPayload) -> Result<(), String> {
    payload.validate()
}

/// Rejects a text without a visible character. Surrounding white space is the host's own business.
fn not_empty(name: &str, text: &str) -> Result<(), String> {
    if is_blank(text) { Err(format!("{name} cannot be empty")) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
