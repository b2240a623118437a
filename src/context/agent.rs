//! The type of the agent that an event is about, and the subject that the head of a rule matches.

use serde_json::Value as Json;

use super::{Context, PathForm, Reason, UnreadCause};
use crate::schema::{Event, Subject};

/// The name by which a selector matches a stopped subagent whose type is unknown: `on SubagentStop(unknown)`.
const UNKNOWN_AGENT: &str = "unknown";

impl Context<'_> {
    /// Returns the subject that the selectors in the head of a rule match, such as the tool's name; always `Some` on
    /// SubagentStop.
    #[must_use]
    pub fn head_subject(&self) -> Option<&str> {
        let payload = self.call.payload;
        match payload.event.spec().subject {
            Subject::None => None,
            Subject::Tool => payload.tool_name(),
            Subject::Field("agent_type") => match payload.event {
                Event::SubagentStop => Some(self.agent_type().ok().flatten().unwrap_or(UNKNOWN_AGENT)),
                _ => payload.agent_type(),
            },
            Subject::Field(name) => payload.nonempty_text(name),
            Subject::BaseName(name) => payload.nonempty_text(name).map(|path| path.rsplit('/').next().unwrap_or(path)),
        }
    }

    /// Returns the type of the agent that acts or, on SubagentStop, has stopped: from the payload, else from the call
    /// in the transcript that started the agent. `None` if neither names it.
    ///
    /// # Errors
    /// The transcript, or its part after that call, cannot be read. [`Reason::transcript`] converts the error.
    pub fn agent_type(&self) -> Result<Option<&str>, &UnreadCause> {
        let payload = self.call.payload;
        if let Some(named) = payload.agent_type() {
            return Ok(Some(named));
        }
        // A host sends an empty type for a subagent that no call started, such as the one that compacts the
        // conversation. The last call in the transcript then started another subagent.
        let is_present = |name| payload.json.get(name).is_some_and(|value: &Json| !value.is_null());
        if payload.event != Event::SubagentStop || is_present("agent_type") || is_present("subagent_type") {
            return Ok(None);
        }
        let look = || {
            let Some(transcript) = payload.nonempty_text("transcript_path") else { return Ok(None) };
            self.machine.agent_called_in(&self.absolute(transcript, PathForm::Lexical))
        };
        self.called_agent.get_or_init(look).as_ref().map(Option::as_deref)
    }

    /// Whether only the transcript could name the stopped agent, and it has not been read yet.
    pub(super) fn is_transcript_needed(&self) -> bool {
        let payload = self.call.payload;
        payload.event == Event::SubagentStop && payload.agent_type().is_none() && self.called_agent.get().is_none()
    }

    /// Returns why the transcript could not be read, if it was needed to name the stopped agent.
    #[must_use]
    pub fn transcript_problem(&self) -> Option<String> {
        self.called_agent.get()?.as_ref().err().map(UnreadCause::to_string)
    }

    /// Returns the value of the field `agent`: `main`, or the type of the subagent that acts or has stopped.
    pub(super) fn agent(&self) -> Result<&str, Reason> {
        let payload = self.call.payload;
        if payload.event == Event::SubagentStop {
            return self.agent_type().map_err(Reason::transcript)?.ok_or_else(Reason::nameless_stop);
        }
        if payload.is_actor_unclear() {
            return Err(Reason::open_agent());
        }
        match (payload.is_by_subagent(), payload.agent_type()) {
            (false, _) => Ok("main"),
            (true, Some(agent)) => Ok(agent),
            (true, None) => Err(Reason::nameless_agent()),
        }
    }
}
