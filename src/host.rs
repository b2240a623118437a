//! Hosts, the coding agents that call hooks: the only module that knows the JSON of a host, of payloads and of
//! answers.

mod claude_code;
mod decode;
mod fate;
mod lenient;
mod only_denied;
mod other_agents;
mod texts;
mod wave;

use std::time::Duration;

#[cfg(feature = "internals")]
pub use claude_code::{Interrupt, PermissionDecision, PermissionRequestHookOutput, SubagentStartHookOutput};
pub use fate::{Audience, EffectFate};
#[cfg(feature = "internals")]
pub use lenient::MAX_DEPTH;
pub use lenient::{is_too_deep, parse_json};

use crate::schema::{Capabilities, Capability, Event};
use crate::types::{OtherAgent, Payload, PayloadOrigin};
use crate::verdict::Verdict;

/// A coding agent that can call the hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// Claude Code 2.x.
    ClaudeCode,
    /// Wave Agent. It reads exit codes and streams, and no JSON.
    Wave,
}

/// What the process sends to the host: two streams and an exit code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostOutput {
    /// Standard output. For Claude Code: empty, or one JSON object, or on WorktreeCreate a path and on PreCompact
    /// plain text. For Wave: empty, or context for the agent.
    pub stdout: String,
    /// Standard error, which ends with a newline if it is not empty. For Claude Code: the reason for blocking, and on
    /// WorktreeCreate also other texts. For Wave: a text for the agent or the user, depending on the exit code.
    pub stderr: String,
    /// The exit code. For Claude Code: 0 or 2, which blocks. For Wave also any other code, which shows standard error
    /// to the user.
    pub exit: u8,
    /// Text for the user that this event cannot show. The next event that can show texts carries it.
    pub deferred: Option<String>,
}

/// A text of a verdict that cannot be sent to its reader together with the rest of the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsentText {
    /// The intended reader.
    pub reader: Audience,
    /// The text.
    pub text: String,
}

/// How long a host waits for a hook on most events, if the registration sets no timeout.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(600);

/// The result of decoding a payload.
#[derive(Clone, PartialEq, Debug)]
pub enum DecodedPayload {
    /// The payload of an event of the schema. If it is damaged, it is judged nevertheless, at least as strictly as by
    /// the failure policy for a layer that does not load.
    Event {
        /// The payload, as far as it could be read.
        payload: Payload,
        /// What could not be read; `None` if the payload is whole.
        damage: Option<String>,
    },
    /// An event that is not in the schema and is not the announcement of a call. It passes.
    UnknownEvent(String),
    /// A payload of which not even the event is known.
    Unreadable {
        /// Why it cannot be read.
        reason: String,
        /// The agent other than the host that seems to have sent the payload, if any.
        sender: Option<OtherAgent>,
    },
}

impl Host {
    /// Every host.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Wave];

    /// The names of all hosts, in the order of `ALL`.
    pub const NAMES: [&'static str; 2] = [Self::ClaudeCode.name(), Self::Wave.name()];

    /// Returns the host with this name (`claude-code`); `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns the host's name, which is the fact `host`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Wave => "wave",
        }
    }

    /// Returns the environment variable that contains the project directory of the host.
    #[must_use]
    pub const fn project_variable(self) -> &'static str {
        match self {
            Self::ClaudeCode => "CLAUDE_PROJECT_DIR",
            Self::Wave => "WAVE_PROJECT_DIR",
        }
    }

    /// Returns the answers that the host obeys on an event; `None` for an event that the host never sends.
    #[must_use]
    pub const fn capabilities(self, event: Event) -> Option<Capabilities> {
        match self {
            Self::ClaudeCode => Some(event.spec().answers),
            Self::Wave => wave::event_capabilities(event),
        }
    }

    /// Returns what becomes of an answer that the schema allows on this event: carried out, or replaced by the
    /// nearest stricter one. `None` for an event that the host never sends.
    #[must_use]
    pub fn fate(self, event: Event, answer: Capability) -> Option<EffectFate> {
        match self {
            Self::ClaudeCode if matches!(answer, Capability::Warn) && !claude_code::is_system_message_shown(event) => {
                Some(EffectFate::UserReadsLater)
            }
            Self::ClaudeCode
                if event == Event::PreSkillShellCommand && matches!(answer, Capability::Ask | Capability::Rewrite) =>
            {
                Some(EffectFate::Denied(Audience::Agent))
            }
            // The schema describes Claude Code, so every other answer that it allows is carried out.
            Self::ClaudeCode => Some(EffectFate::Carried),
            Self::Wave => wave::event_capabilities(event).map(|takes| fate::fate(&takes, wave::reader(event), answer)),
        }
    }

    /// Whether an answer to an event can carry texts for only one reader, either the agent or the user.
    #[must_use]
    pub const fn has_single_reader(self, event: Event) -> bool {
        match self {
            // Its JSON has a member for each reader.
            Self::ClaudeCode => false,
            Self::Wave => wave::event_capabilities(event).is_some(),
        }
    }

    /// Whether the user sees the texts of an event at once; otherwise they go to [`HostOutput::deferred`].
    #[must_use]
    pub const fn is_shown_at_once(self, event: Event) -> bool {
        match self {
            Self::ClaudeCode => claude_code::is_system_message_shown(event),
            Self::Wave => wave::event_capabilities(event).is_some(),
        }
    }

    /// Returns who reads the reason of a denial; `None` for an event that the host never sends.
    #[must_use]
    pub fn reads_denial(self, event: Event) -> Option<Audience> {
        match self {
            Self::ClaudeCode => Some(Audience::Agent),
            Self::Wave => wave::event_capabilities(event).map(|_| wave::reader(event)),
        }
    }

    /// Whether the user sees the texts in the answer to this payload at once, considering which agent sent it and
    /// whether a subagent acts.
    #[must_use]
    pub fn is_shown_to_origin(self, payload: &Payload) -> bool {
        let PayloadOrigin { agent, event } = &payload.origin;
        // Of the other agents, only Codex and Qwen Code show messages; so does the host itself, for an event that the
        // schema knows.
        let reads_messages =
            agent.map_or(event.is_none(), |agent| matches!(agent, OtherAgent::Codex | OtherAgent::Qwen));
        self.is_shown_at_once(payload.event)
            && reads_messages
            && (self.is_shown_in_subagents() || !payload.is_by_subagent())
    }

    /// Whether the user sees the texts of events inside a subagent at once.
    #[must_use]
    pub const fn is_shown_in_subagents(self) -> bool {
        match self {
            Self::ClaudeCode => false,
            Self::Wave => true,
        }
    }

    /// Whether a payload is of UserPromptSubmit and its prompt was typed by a person, not generated by the host.
    #[must_use]
    pub fn is_prompt_of_user(self, payload: &Payload) -> bool {
        payload.event == Event::UserPromptSubmit
            && match self {
                Self::ClaudeCode => claude_code::is_prompt_of_user(payload),
                Self::Wave => true,
            }
    }

    /// Whether the host ever sends a value for a field of an event.
    #[must_use]
    pub fn has_field_value(self, event: Event, field: &str) -> bool {
        match self {
            // The schema states the fields of this host.
            Self::ClaudeCode => true,
            Self::Wave => wave::has_field_value(event, field),
        }
    }

    /// Whether the host reads on WorktreeCreate the path of a worktree that a command has created; otherwise the host
    /// creates the worktree.
    #[must_use]
    pub const fn is_worktree_path_read(self) -> bool {
        match self {
            Self::ClaudeCode => true,
            Self::Wave => false,
        }
    }

    /// Returns how long the commands that rules run on an event may take, so that the answer is still in time for the
    /// host's default timeout. A timeout that the registration sets is not considered: the host does not tell the
    /// hook about it.
    #[must_use]
    pub const fn command_time_limit(self, event: Event) -> Duration {
        match (self, event) {
            (Self::ClaudeCode, Event::UserPromptSubmit | Event::PreModelSwitch | Event::PostModelSwitch) => {
                Duration::from_millis(29_000)
            }
            (Self::ClaudeCode, Event::MessageDisplay) => Duration::from_millis(9_000),
            (Self::ClaudeCode, Event::SessionEnd) => Duration::from_millis(1_200),
            _ => DEFAULT_WAIT.saturating_sub(Duration::from_secs(5)),
        }
    }
}

/// Decodes a payload; what cannot be read is reported as damage.
#[must_use]
pub fn decode(host: Host, bytes: &[u8]) -> DecodedPayload {
    match host {
        Host::ClaudeCode => claude_code::decode(bytes),
        Host::Wave => wave::decode(bytes),
    }
}

/// Returns why the path of a subagent's transcript could not be derived, if the reason is an invalid member
/// (`agent_id`, `transcript_path`); otherwise `None`.
#[must_use]
pub fn transcript_problem(host: Host, payload: &Payload) -> Option<String> {
    match host {
        Host::ClaudeCode => claude_code::transcript_problem(payload),
        // Decoding derives no path for this host.
        Host::Wave => None,
    }
}

/// Returns the standard output for a payload that cannot be read and is refused with exit code 2. It is empty, except
/// for an agent that ignores the exit code.
#[must_use]
pub fn refusal(sender: Option<OtherAgent>, reason: &str) -> String {
    other_agents::refusal(sender, reason)
}

/// Encodes a verdict into the output that the host accepts on its event.
#[cfg(feature = "internals")]
#[must_use]
pub fn encode(host: Host, verdict: &Verdict) -> HostOutput {
    encode_for(host, &PayloadOrigin::default(), verdict)
}

/// Encodes a verdict into the output that the sender of the payload accepts: the host, or another agent that called
/// the host's hook.
#[must_use]
pub fn encode_for(host: Host, origin: &PayloadOrigin, verdict: &Verdict) -> HostOutput {
    let mut output = match host {
        Host::ClaudeCode if *origin != PayloadOrigin::default() => other_agents::encode(origin, verdict),
        Host::ClaudeCode => claude_code::encode(verdict),
        Host::Wave => wave::encode(verdict).0,
    };
    // What another hook or a shell prints next should begin on a new line.
    if !output.stderr.is_empty() && !output.stderr.ends_with('\n') {
        output.stderr.push('\n');
    }
    output
}

/// Returns the texts of a verdict that the output omits, because they are for another reader than the rest.
#[must_use]
pub fn unsent_texts(host: Host, verdict: &Verdict) -> Vec<UnsentText> {
    match host {
        // Its JSON has a member for each reader.
        Host::ClaudeCode => Vec::new(),
        Host::Wave => wave::encode(verdict).1,
    }
}

#[cfg(test)]
mod tests;
