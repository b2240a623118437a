//! The type of an agent, and the subject that selectors look at.

use serde_json::Value as Json;

use super::{Context, Form, Reason, Unread};
use crate::schema::{Event, Subject};

/// What a stopped subagent is called whose name nothing tells.
const NAMELESS: &str = "unknown";

impl Context<'_> {
    /// Returns what the selectors of a head look at; on SubagentStop always something.
    #[must_use]
    pub fn head_subject(&self) -> Option<&str> {
        let payload = self.payload;
        match payload.event.spec().subject {
            Subject::None => None,
            Subject::Tool => payload.tool_name(),
            Subject::Field("agent_type") => match payload.event {
                Event::SubagentStop => Some(self.agent_type().ok().flatten().unwrap_or(NAMELESS)),
                _ => payload.agent_type(),
            },
            Subject::Field(name) => payload.text(name),
            Subject::BaseName(name) => payload.text(name).map(|path| path.rsplit('/').next().unwrap_or(path)),
        }
    }

    /// Returns the type of the agent that acts or, on SubagentStop, has stopped: as the payload says it, else as it
    /// was called for in the transcript.
    ///
    /// # Errors
    /// The transcript cannot be read, or not as far as that call; [`Reason::transcript`] makes a reason of it.
    pub fn agent_type(&self) -> Result<Option<&str>, &Unread> {
        let payload = self.payload;
        if let Some(named) = payload.agent_type() {
            return Ok(Some(named));
        }
        // An empty type is the host's own word for a subagent that nobody called, such as the one that compacts the
        // conversation: whom the transcript calls last is another.
        let is_said = |name| payload.json.get(name).is_some_and(|value: &Json| !value.is_null());
        if payload.event != Event::SubagentStop || is_said("agent_type") || is_said("subagent_type") {
            return Ok(None);
        }
        let look = || {
            let Some(transcript) = payload.text("transcript_path") else { return Ok(None) };
            self.agent_called_in(&self.absolute(transcript, Form::Lexical))
        };
        self.called_agent.get_or_init(look).as_ref().map(Option::as_deref)
    }

    /// Tells whether the transcript may have to be read to tell who acts or has stopped, and was not so far.
    pub(super) fn would_read_transcript(&self) -> bool {
        let payload = self.payload;
        payload.event == Event::SubagentStop && payload.agent_type().is_none() && self.called_agent.get().is_none()
    }

    /// Returns why the transcript did not tell who has stopped, if it was asked and could not be read.
    #[must_use]
    pub fn transcript_problem(&self) -> Option<String> {
        self.called_agent.get()?.as_ref().err().map(Unread::to_string)
    }

    /// Returns the agent that acts or has stopped, as a field of conditions.
    pub(super) fn agent(&self) -> Result<&str, Reason> {
        let payload = self.payload;
        if payload.event == Event::SubagentStop {
            return self.agent_type().map_err(Reason::transcript)?.ok_or_else(Reason::nameless_stop);
        }
        if payload.leaves_open_who_acts() {
            return Err(Reason::open_agent());
        }
        match (payload.is_by_subagent(), payload.agent_type()) {
            (false, _) => Ok("main"),
            (true, Some(agent)) => Ok(agent),
            (true, None) => Err(Reason::nameless_agent()),
        }
    }
}
