//! The payload on which the engine works: an event, and the complete JSON of its payload.
//!
//! Nothing is checked here, because rules may test members that the schema does not have, and a guard must also judge
//! a payload in which members are missing. The typed payloads are for programs that rely on the members of the
//! schema.

use serde_json::{Map, Value as Json};

use crate::schema::{Event, OUTPUT, current_tool_name};

/// The member with the caller of the skill whose shell command is about to run.
const INVOKED_BY: &str = "invoked_by";

/// The maximum number of members up to which names are compared one by one.
const FEW: usize = 16;

/// The origin of a payload, which determines the form of its answer.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PayloadOrigin {
    /// The name of the host that sent the payload; `None` if the registered host did.
    pub agent: Option<&'static str>,
    /// The event's name in the payload; `None` if it is the name in the schema.
    pub event: Option<String>,
    /// Whether the schema does not have the event. Its payload announces a call, so it is judged as PreToolUse.
    pub is_event_unknown: bool,
    /// How the input of the call was translated to the schema's terms, the last change last.
    pub input_changes: Vec<InputChange>,
    /// The input member with a list of commands into which a denial is written, as a command that prints the reason and
    /// fails: the agent then goes on, which the host's own denial would prevent. `None` for other hosts and tools.
    pub refusal_member: Option<&'static str>,
    /// Whether the translation of the input cannot be undone.
    pub is_input_final: bool,
    /// Whether the host never says which agent acts.
    pub hides_agents: bool,
    /// Whether the host may report a failed call in the same way as a successful one.
    pub hides_failures: bool,
}

/// A change to the input of a call that put it into the schema's terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputChange {
    /// A member got the schema's name.
    Renamed {
        /// The host's name.
        from: String,
        /// The schema's name.
        to: String,
    },
    /// The commands of a list became one shell text.
    Joined {
        /// The member with the text.
        member: String,
        /// The number of the commands.
        count: usize,
    },
}

/// A host's message about an event, in the vocabulary of the schema.
///
/// It contains all members that the host sent, also damaged ones. [`super::HookPayload`] is the strict form.
#[derive(Clone, PartialEq, Debug)]
pub struct Payload {
    /// The event that the payload is about, in the vocabulary of the schema.
    pub event: Event,
    /// Every member, under the name that Claude Code uses for it.
    pub json: Map<String, Json>,
    /// The agent that sent the payload, and its name for the event.
    pub origin: PayloadOrigin,
    /// Further names by which a selector can match the call's tool.
    pub other_names: Vec<String>,
    /// Whether the payload was made from an example, which gives only some of the members.
    pub is_example: bool,
}

impl PayloadOrigin {
    /// Returns the number of the commands whose list became the shell text of an input member; `None` if the host sent
    /// a text or only one command.
    #[must_use]
    pub fn joined_commands(&self, name: &str) -> Option<usize> {
        self.input_changes.iter().find_map(|change| match change {
            InputChange::Joined { member, count } if member == name && *count > 1 => Some(*count),
            _ => None,
        })
    }
}

impl Payload {
    /// Creates the payload of an event that the registered host sent.
    #[must_use]
    pub fn new(event: Event, json: Map<String, Json>) -> Self {
        Self { event, json, origin: PayloadOrigin::default(), other_names: Vec::new(), is_example: false }
    }

    /// Returns a payload with another event and other members, and everything else unchanged.
    fn with_same_origin(&self, event: Event, json: Map<String, Json>) -> Self {
        let (origin, other_names) = (self.origin.clone(), self.other_names.clone());
        Self { event, json, origin, other_names, is_example: self.is_example }
    }

    /// Returns the event's name as the host sent it.
    #[must_use]
    pub fn event_name(&self) -> &str {
        self.origin.event.as_deref().unwrap_or(self.event.name())
    }

    /// Returns the payload as a PreToolUse, if the event asks about a call as PreToolUse does (PermissionRequest,
    /// PreSkillShellCommand); else `None`.
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

    /// Returns the payload of PreToolUse for a call that ran; `None` for any event other than PostToolUse.
    #[must_use]
    pub fn as_before_run(&self) -> Option<Self> {
        if self.event != Event::PostToolUse {
            return None;
        }
        // The output is filtered before cloning, since it may be long.
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

    /// Whether the event begins a session that has no past.
    #[must_use]
    pub fn begins_session(&self) -> bool {
        self.event == Event::SessionStart && matches!(self.nonempty_text("source"), Some("startup" | "clear"))
    }

    /// Returns the current name of the tool: `Agent` for `Task`. `None` if the name is missing or empty.
    #[must_use]
    pub fn tool_name(&self) -> Option<&str> {
        self.nonempty_text("tool_name").map(current_tool_name)
    }

    /// Returns the tool's input.
    #[must_use]
    pub fn tool_input(&self) -> Option<&Json> {
        self.member("tool_input")
    }

    /// Returns the acting agent's id; `None` on the main thread, or if the id is not a string.
    #[must_use]
    pub fn agent_id(&self) -> Option<&str> {
        self.nonempty_text("agent_id")
    }

    /// Whether the acting agent cannot be known: a skill's command is about to run, and neither the user nor the
    /// agent on the main thread invoked the skill.
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

    /// Whether a subagent acts: the payload has an `agent_id`, which need not be a string.
    #[must_use]
    pub fn is_by_subagent(&self) -> bool {
        self.member("agent_id").is_some_and(|id| !id.is_null() && id != "")
    }

    /// Returns the agent's type, which is in `agent_type` or `subagent_type`.
    #[must_use]
    pub fn agent_type(&self) -> Option<&str> {
        self.nonempty_text("agent_type").or_else(|| self.nonempty_text("subagent_type"))
    }

    /// Returns the type of the subagent that acts, starts or stops. `None` on the main thread, even if the session
    /// itself was started as an agent type.
    #[must_use]
    pub fn subagent_type(&self) -> Option<&str> {
        self.agent_type().filter(|_| self.event.is_about_subagent() || self.is_by_subagent())
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
