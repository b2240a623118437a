//! The payload that the engine works on: an event and the complete JSON that came with it.
//!
//! Rules may test every member, known to the schema or not, and a guard must judge a payload with missing members too;
//! so nothing is checked here. The typed payloads are for callers that want exactly the schema's members.

use serde_json::{Map, Value as Json};

use crate::schema::{Event, OUTPUT, current_tool_name};

/// The member that names the invoker of a skill's command.
const INVOKED_BY: &str = "invoked_by";

/// The most members whose names are compared one by one.
const FEW: usize = 16;

/// An agent whose payloads may reach the registered host's hook, because it reads the same settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherAgent {
    /// Cline CLI.
    Cline,
    /// Codex CLI.
    Codex,
    /// Copilot CLI.
    Copilot,
    /// Gemini CLI.
    Gemini,
    /// OpenCode, through a bridge.
    OpenCode,
    /// Qwen Code.
    Qwen,
}

/// The origin of a payload, which determines the form of its answer.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PayloadOrigin {
    /// The agent that sent it, unless it is the registered host.
    pub agent: Option<OtherAgent>,
    /// The name that the payload gave its event, unless the schema has it.
    pub event: Option<String>,
}

/// A host's message about an event, in the schema's vocabulary.
///
/// It holds everything that came, damaged or not. [`super::HookPayload`] is the strict reading of the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Payload {
    /// The event.
    pub event: Event,
    /// Every member, under Claude Code's names.
    pub json: Map<String, Json>,
    /// The origin.
    pub origin: PayloadOrigin,
    /// Other names under which a head selects the call's tool.
    pub other_names: Vec<String>,
    /// Whether it was made from an example, which states only the members that matter.
    pub is_example: bool,
}

impl Payload {
    /// Creates the payload of an event that the registered host sent.
    #[must_use]
    pub fn new(event: Event, json: Map<String, Json>) -> Self {
        Self { event, json, origin: PayloadOrigin::default(), other_names: Vec::new(), is_example: false }
    }

    /// Returns a payload of the same origin with another event and other members.
    fn with_same_origin(&self, event: Event, json: Map<String, Json>) -> Self {
        let (origin, other_names) = (self.origin.clone(), self.other_names.clone());
        Self { event, json, origin, other_names, is_example: self.is_example }
    }

    /// Returns the event's name as the host wrote it.
    #[must_use]
    pub fn event_name(&self) -> &str {
        self.origin.event.as_deref().unwrap_or(self.event.name())
    }

    /// Returns the payload as the rules of PreToolUse see it, if the event asks about a call as PreToolUse does.
    #[must_use]
    pub fn as_first_asked(&self) -> Option<Self> {
        if !matches!(self.event, Event::PermissionRequest | Event::PreSkillShellCommand) {
            return None;
        }
        let mut json = self.json.clone();
        json.insert("hook_event_name".to_owned(), Event::PreToolUse.name().into());
        if self.is_actor_unclear() {
            json.insert(INVOKED_BY.to_owned(), "other".into());
        }
        Some(self.with_same_origin(Event::PreToolUse, json))
    }

    /// Returns the PreToolUse payload of a call that ran; `None` for any event other than PostToolUse.
    #[must_use]
    pub fn as_before_run(&self) -> Option<Self> {
        if self.event != Event::PostToolUse {
            return None;
        }
        // The output may be long.
        let before = self.json.iter().filter(|(name, _)| *name != OUTPUT);
        let mut json: serde_json::Map<String, Json> =
            before.map(|(name, value)| (name.clone(), value.clone())).collect();
        json.insert("hook_event_name".to_owned(), Event::PreToolUse.name().into());
        Some(self.with_same_origin(Event::PreToolUse, json))
    }

    /// Returns a top-level member.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Json> {
        // Comparing the few names that a host sends is faster than hashing one.
        if self.json.len() > FEW {
            return self.json.get(name);
        }
        self.json.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Returns a top-level string that is present and not empty.
    #[must_use]
    pub fn nonempty_text(&self, name: &str) -> Option<&str> {
        self.member(name).and_then(Json::as_str).filter(|text| !text.is_empty())
    }

    /// Returns the tool's name; of a renamed tool, the current one.
    #[must_use]
    pub fn tool_name(&self) -> Option<&str> {
        self.nonempty_text("tool_name").map(current_tool_name)
    }

    /// Returns the tool's input.
    #[must_use]
    pub fn tool_input(&self) -> Option<&Json> {
        self.member("tool_input")
    }

    /// Returns the acting agent's id, if it is a string; absent on the main thread.
    #[must_use]
    pub fn agent_id(&self) -> Option<&str> {
        self.nonempty_text("agent_id")
    }

    /// Whether the acting agent is unclear: neither the user nor the agent invoked the skill whose command is about to
    /// run.
    #[must_use]
    pub fn is_actor_unclear(&self) -> bool {
        if !matches!(self.event, Event::PreToolUse | Event::PreSkillShellCommand) || self.is_by_subagent() {
            return false;
        }
        match self.member(INVOKED_BY) {
            Some(Json::String(by)) => !matches!(by.as_str(), "user" | "claude"),
            Some(_) => true,
            None => self.event == Event::PreSkillShellCommand,
        }
    }

    /// Whether a subagent acts: its id is present, of any type.
    #[must_use]
    pub fn is_by_subagent(&self) -> bool {
        self.member("agent_id").is_some_and(|id| !id.is_null() && id != "")
    }

    /// Returns the agent type, under either of its names.
    #[must_use]
    pub fn agent_type(&self) -> Option<&str> {
        self.nonempty_text("agent_type").or_else(|| self.nonempty_text("subagent_type"))
    }

    /// Returns the type of the subagent that acts, starts or stops; `None` on the main thread, even if the session was
    /// started as an agent type.
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
            let payload = Payload::new(Event::Stop, json);
            for at in 0..count {
                assert_eq!(payload.member(&format!("m{at}")), Some(&Json::from(at)), "{at} of {count}");
            }
            assert_eq!(payload.member(&format!("m{count}")), None);
            assert_eq!(payload.member("m"), None);
        }
    }
}
