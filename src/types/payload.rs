//! The payload that the engine works on: an event and the JSON that came with it, whole.
//!
//! Rules may look at every member, known to the schema or not, and a guard must judge what lacks a member too;
//! so nothing is checked here. The typed payloads are for those who want exactly what the schema says.

use serde_json::{Map, Value as Json};

use crate::schema::{Event, OUTPUT, current_tool_name};

/// Of how many members the names are compared one by one.
const FEW: usize = 16;

/// What a host told about one event, in the schema's vocabulary.
///
/// It holds whatever came, damaged or not. [`super::HookPayload`] is the strict reading of the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Payload {
    /// The event.
    pub event: Event,
    /// Every member, under Claude Code's names.
    pub json: Map<String, Json>,
}

impl Payload {
    /// Returns the payload of the call that a permission request asks about again, as PreToolUse had it.
    #[must_use]
    pub fn first_asked(&self) -> Option<Self> {
        if self.event != Event::PermissionRequest {
            return None;
        }
        let mut json = self.json.clone();
        json.insert("hook_event_name".to_owned(), Event::PreToolUse.name().into());
        Some(Self { event: Event::PreToolUse, json })
    }

    /// Returns the payload of a call that ran as PreToolUse would have it; nothing for any other event.
    #[must_use]
    pub fn before_it_ran(&self) -> Option<Self> {
        if self.event != Event::PostToolUse {
            return None;
        }
        // What it put out may be long.
        let before = self.json.iter().filter(|(name, _)| *name != OUTPUT);
        let mut json: serde_json::Map<String, Json> =
            before.map(|(name, value)| (name.clone(), value.clone())).collect();
        json.insert("hook_event_name".to_owned(), Event::PreToolUse.name().into());
        Some(Self { event: Event::PreToolUse, json })
    }

    /// Returns a top-level member.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Json> {
        // To compare the names of the few that a host sends takes less than to hash one.
        if self.json.len() > FEW {
            return self.json.get(name);
        }
        self.json.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Returns a top-level string that is present and not empty.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.member(name).and_then(Json::as_str).filter(|text| !text.is_empty())
    }

    /// Returns the tool's name, the present one of a tool that was renamed.
    #[must_use]
    pub fn tool_name(&self) -> Option<&str> {
        self.text("tool_name").map(current_tool_name)
    }

    /// Returns the tool's input.
    #[must_use]
    pub fn tool_input(&self) -> Option<&Json> {
        self.member("tool_input")
    }

    /// Returns the acting agent's id, where it is a text; absent on the main thread.
    #[must_use]
    pub fn agent_id(&self) -> Option<&str> {
        self.text("agent_id")
    }

    /// Tells whether a subagent acts: it has an id, of whatever kind.
    #[must_use]
    pub fn is_by_subagent(&self) -> bool {
        self.member("agent_id").is_some_and(|id| !id.is_null() && id != "")
    }

    /// Returns the agent type, under either of its names.
    #[must_use]
    pub fn agent_type(&self) -> Option<&str> {
        self.text("agent_type").or_else(|| self.text("subagent_type"))
    }

    /// Returns the type of the subagent that acts, starts or stops. The main thread has none, whatever the session
    /// was started as.
    #[must_use]
    pub fn subagent_type(&self) -> Option<&str> {
        let is_subject = matches!(self.event, Event::SubagentStart | Event::SubagentStop);
        self.agent_type().filter(|_| is_subject || self.is_by_subagent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_however_many_there_are() {
        for count in [0, 1, FEW - 1, FEW, FEW + 1, 10 * FEW] {
            let json: Map<String, Json> = (0..count).map(|at| (format!("m{at}"), Json::from(at))).collect();
            let payload = Payload { event: Event::Stop, json };
            for at in 0..count {
                assert_eq!(payload.member(&format!("m{at}")), Some(&Json::from(at)), "{at} of {count}");
            }
            assert_eq!(payload.member(&format!("m{count}")), None);
            assert_eq!(payload.member("m"), None);
        }
    }
}
