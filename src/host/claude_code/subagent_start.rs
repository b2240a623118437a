//! The answer to the start of a subagent: the content of `hookSpecificOutput` on SubagentStart.
//!
//! It can only add context for the subagent; a hook cannot prevent the start.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value as Json};

use super::deserialize_present;

/// A hook's answer when a subagent starts.
///
/// In JSON it is the value of `hookSpecificOutput`. An answer without a context has no effect and is not sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "Map<String, Json>", rename_all = "camelCase", deny_unknown_fields)]
pub struct SubagentStartHookOutput {
    hook_event_name: EventName,
    #[serde(default, deserialize_with = "not_empty")]
    additional_context: Option<String>,
}

/// The value of `hookEventName`, for which the host accepts only one name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
enum EventName {
    SubagentStart,
}

impl SubagentStartHookOutput {
    /// Creates the answer that changes nothing about the subagent.
    #[must_use]
    #[cfg_attr(
        feature = "internals",
        expect(clippy::new_without_default, reason = "which of two answers it makes should stand in its name")
    )]
    pub fn new() -> Self {
        Self { hook_event_name: EventName::SubagentStart, additional_context: None }
    }

    /// Creates the answer that adds a text to the subagent's first request. An empty text counts as absent.
    #[must_use]
    pub fn with_context(text: impl Into<String>) -> Self {
        Self { additional_context: Some(text.into()).filter(|text| !text.is_empty()), ..Self::new() }
    }

    /// Returns the text for the subagent; `None` if the answer has none.
    #[must_use]
    pub fn additional_context(&self) -> Option<&str> {
        self.additional_context.as_deref()
    }
}

impl EventName {
    /// Returns the value in JSON.
    fn name(self) -> &'static str {
        match self {
            Self::SubagentStart => "SubagentStart",
        }
    }
}

impl From<SubagentStartHookOutput> for Map<String, Json> {
    fn from(output: SubagentStartHookOutput) -> Self {
        let mut members = Self::new();
        members.insert("hookEventName".to_owned(), output.hook_event_name.name().into());
        members.extend(output.additional_context.map(|text| ("additionalContext".to_owned(), text.into())));
        members
    }
}

/// Deserializes a text; an empty one becomes `None`, and null is an error.
fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserialize_present(deserializer).map(|text| text.filter(|text: &String| !text.is_empty()))
}
