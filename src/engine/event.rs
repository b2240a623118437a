//! Events for programs that embed the engine: decoded from the bytes of a host, or constructed by the program.

use std::error::Error;
use std::fmt;
use std::path::Path;

use serde_json::{Map, Value as Json};

use crate::host::{self, DecodedPayload, Host};
use crate::schema::Event;
use crate::types::{HookPayload, Payload};

/// An event to judge, with its payload: a tool is about to be called, a session starts.
///
/// ```
/// use hookrules::{Event, HookEvent};
/// use serde_json::json;
///
/// let received = HookEvent::from_json(br#"{"hook_event_name": "Stop", "stop_hook_active": false}"#)?;
/// assert_eq!(received.event(), Event::Stop);
///
/// let stated = HookEvent::tool_call("Bash", json!({ "command": "make" }))?.with_cwd("/work");
/// assert_eq!(stated.payload()["cwd"], "/work");
/// # Ok::<(), hookrules::EventError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct HookEvent {
    payload: Payload,
    host: Host,
    /// A description of the parts of the payload that could not be read, if any.
    damage: Option<String>,
}

/// The reason why something is not an event.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EventError {
    /// No event has this name.
    UnknownEvent(String),
    /// No host has this name.
    UnknownHost(String),
    /// The event cannot be read, or only a part of it; with a description of the problem.
    Unreadable(String),
}

impl HookEvent {
    /// Reads the JSON object that Claude Code passes to a hook.
    ///
    /// # Errors
    /// The bytes are not such an event, or a part of it cannot be read. A hook has to judge the rest of a damaged
    /// payload, but an embedding program can reject the call.
    pub fn from_json(json: &[u8]) -> Result<Self, EventError> {
        Self::decode(Host::CLAUDE_CODE, json)
    }

    /// Reads the JSON object that a host passes to a hook. `host` is the host's name in `rules hook HOST`.
    ///
    /// # Errors
    /// There is no such host; otherwise like [`from_json`](Self::from_json).
    pub fn from_host(host: &str, json: &[u8]) -> Result<Self, EventError> {
        let host = Host::from_name(host).ok_or_else(|| EventError::UnknownHost(host.to_owned()))?;
        Self::decode(host, json)
    }

    /// Creates an event from a JSON value in the format of [`from_json`](Self::from_json).
    ///
    /// # Errors
    /// Like [`from_json`](Self::from_json).
    pub fn from_value(event: &Json) -> Result<Self, EventError> {
        // Serialization recurses, so a deeply nested value would overflow the stack.
        if host::is_too_deep(event) {
            return Err(EventError::Unreadable("the payload is nested too deeply".to_owned()));
        }
        Self::from_json(event.to_string().as_bytes())
    }

    /// Creates the `PreToolUse` event: a tool is about to be called.
    ///
    /// # Errors
    /// The input is nested too deeply.
    pub fn tool_call(tool: &str, input: Json) -> Result<Self, EventError> {
        let members =
            [("hook_event_name", Event::PreToolUse.name().into()), ("tool_name", tool.into()), ("tool_input", input)];
        Self::from_value(&members.into_iter().map(|(member, value)| (member.to_owned(), value)).collect())
    }

    /// Sets the agent's working directory, to which paths in the call are relative. It should be absolute.
    #[must_use]
    pub fn with_cwd(self, directory: impl AsRef<Path>) -> Self {
        self.with_member("cwd", directory.as_ref().to_string_lossy().into_owned())
    }

    /// Sets the acting subagent. Without one, the main agent acts.
    #[must_use]
    pub fn with_agent(self, id: &str, agent_type: &str) -> Self {
        self.with_member("agent_id", id.to_owned()).with_member("agent_type", agent_type.to_owned())
    }

    /// Sets the permission mode of the session, such as `plan`.
    #[must_use]
    pub fn with_permission_mode(self, mode: &str) -> Self {
        self.with_member("permission_mode", mode.to_owned())
    }

    /// Sets a text member of the payload.
    fn with_member(mut self, member: &str, text: String) -> Self {
        self.payload.json.insert(member.to_owned(), text.into());
        self
    }

    /// Returns the kind of event.
    #[must_use]
    pub fn event(&self) -> Event {
        self.payload.event
    }

    /// Returns the members of the payload.
    #[must_use]
    pub fn payload(&self) -> &Map<String, Json> {
        &self.payload.json
    }

    /// Returns the payload as the type of its event.
    ///
    /// # Errors
    /// A member is missing or of another type. Judging tolerates both: a guard also judges incomplete payloads.
    pub fn typed(&self) -> Result<HookPayload, EventError> {
        let read = HookPayload::from_json(self.payload.event, &self.payload.json);
        read.map_err(|error| EventError::Unreadable(error.to_string()))
    }

    /// Decodes bytes in the format of a host. Unlike a hook, it rejects a payload that is only partly readable.
    fn decode(host: Host, json: &[u8]) -> Result<Self, EventError> {
        match host::decode(host, json) {
            DecodedPayload::Event { payload, damage: None } => Ok(Self::from_payload(payload, host, None)),
            DecodedPayload::Event { damage: Some(damage), .. } => Err(EventError::Unreadable(damage)),
            DecodedPayload::UnknownEvent(name) => Err(EventError::UnknownEvent(name)),
            DecodedPayload::Unreadable { reason, .. } => Err(EventError::Unreadable(reason)),
        }
    }

    /// Creates an event from a payload; `damage` describes the parts that could not be read, if any.
    pub(super) fn from_payload(payload: Payload, host: Host, damage: Option<String>) -> Self {
        Self { payload, host, damage }
    }

    /// Returns a description of the parts of the payload that could not be read, if any. Only
    /// [`Hook::decode`](crate::hook::Hook::decode) creates such an event.
    #[must_use]
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    pub(super) fn raw_payload(&self) -> &Payload {
        &self.payload
    }

    pub(super) fn host(&self) -> Host {
        self.host
    }
}

impl TryFrom<&HookPayload> for HookEvent {
    type Error = EventError;

    fn try_from(payload: &HookPayload) -> Result<Self, EventError> {
        let json = serde_json::to_value(payload).map_err(|error| EventError::Unreadable(error.to_string()))?;
        Self::from_value(&json)
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownEvent(name) => write!(f, "no event is named `{name}`"),
            Self::UnknownHost(name) => {
                write!(f, "no host is named `{name}`; hosts: {}", Host::names().collect::<Vec<_>>().join(", "))
            }
            Self::Unreadable(reason) => f.write_str(reason),
        }
    }
}

impl Error for EventError {}
