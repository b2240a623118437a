//! The answer to a permission dialog: the content of `hookSpecificOutput` on PermissionRequest.
//!
//! Deserializing is strict. It rejects null, because the host discards an answer that contains it, and unknown members,
//! because the host silently ignores them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::deserialize_present;

/// A hook's answer when the host is about to ask the user for permission.
///
/// In JSON it is the value of `hookSpecificOutput`. Invalid answers cannot be constructed: a denial has no input, an
/// allow has no message, and no member is null.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "Map<String, Json>", rename_all = "camelCase", deny_unknown_fields)]
pub struct PermissionRequestHookOutput {
    hook_event_name: EventName,
    decision: PermissionDecision,
}

/// The decision on the call for which the host would ask.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "behavior", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum PermissionDecision {
    /// The call runs, and the user is not asked.
    Allow {
        /// The new input, which replaces the whole one; `None` if the call runs unchanged.
        #[serde(default, deserialize_with = "deserialize_present")]
        updated_input: Option<Map<String, Json>>,
    },
    /// The call does not run, as if the user had refused it.
    Deny {
        /// The reason, which the model reads.
        message: String,
        /// Whether the agent's turn ends too. In JSON it is `true` or absent.
        #[serde(default)]
        interrupt: Interrupt,
    },
}

/// Whether a denial also ends the turn of the agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(from = "bool")]
pub enum Interrupt {
    /// The agent reads the message and goes on.
    #[default]
    No,
    /// The agent's turn ends with the call.
    Turn,
}

/// The value of `hookEventName`, for which the host accepts only one name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
enum EventName {
    PermissionRequest,
}

impl PermissionRequestHookOutput {
    /// Creates the answer that lets the call run unchanged.
    #[must_use]
    pub fn allow() -> Self {
        Self::from_decision(PermissionDecision::Allow { updated_input: None })
    }

    /// Creates the answer that lets the call run with another input, which replaces the whole original one.
    #[must_use]
    pub fn allow_with(updated_input: Map<String, Json>) -> Self {
        Self::from_decision(PermissionDecision::Allow { updated_input: Some(updated_input) })
    }

    /// Creates the answer that refuses the call, with a reason.
    #[must_use]
    pub fn deny(message: impl Into<String>, interrupt: Interrupt) -> Self {
        Self::from_decision(PermissionDecision::Deny { message: message.into(), interrupt })
    }

    /// Returns the decision on the call.
    #[must_use]
    pub fn decision(&self) -> &PermissionDecision {
        &self.decision
    }

    fn from_decision(decision: PermissionDecision) -> Self {
        Self { hook_event_name: EventName::PermissionRequest, decision }
    }
}

impl EventName {
    /// Returns the value of `hookEventName` in JSON.
    fn name(self) -> &'static str {
        match self {
            Self::PermissionRequest => "PermissionRequest",
        }
    }
}

impl From<bool> for Interrupt {
    fn from(interrupts: bool) -> Self {
        if interrupts { Self::Turn } else { Self::No }
    }
}

impl From<PermissionRequestHookOutput> for Map<String, Json> {
    fn from(output: PermissionRequestHookOutput) -> Self {
        let mut members = Self::new();
        members.insert("hookEventName".to_owned(), output.hook_event_name.name().into());
        members.insert("decision".to_owned(), Json::Object(output.decision.into()));
        members
    }
}

impl From<PermissionDecision> for Map<String, Json> {
    fn from(decision: PermissionDecision) -> Self {
        let mut members = Self::new();
        match decision {
            PermissionDecision::Allow { updated_input } => {
                members.insert("behavior".to_owned(), "allow".into());
                members.extend(updated_input.map(|input| ("updatedInput".to_owned(), Json::Object(input))));
            }
            PermissionDecision::Deny { message, interrupt } => {
                members.insert("behavior".to_owned(), "deny".into());
                members.insert("message".to_owned(), message.into());
                if interrupt == Interrupt::Turn {
                    members.insert("interrupt".to_owned(), true.into());
                }
            }
        }
        members
    }
}
