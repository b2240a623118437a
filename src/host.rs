//! Hosts: the only place that knows a host's JSON, both ways.

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

/// A coding agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// Claude Code 2.x.
    ClaudeCode,
    /// Wave Agent, which knows exit codes and streams only.
    Wave,
}

/// The output of the process for the host.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostOutput {
    /// Empty, or exactly one JSON object (on WorktreeCreate a path). For Wave: empty, or context for the agent.
    pub stdout: String,
    /// The reason of a block, else empty (on WorktreeCreate also the texts that standard output cannot carry). For
    /// Wave: any text for the agent or the user. Its last line ends with a newline.
    pub stderr: String,
    /// 0 or 2. For Wave any code: 2 blocks, and any other nonzero code shows standard error to the user.
    pub exit: u8,
    /// Text for the user that this event cannot show: for the next event that can.
    pub deferred: Option<String>,
}

/// A text of a verdict that the host cannot deliver to its reader in addition to its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsentText {
    /// The intended reader.
    pub reader: Audience,
    /// The text.
    pub text: String,
}

/// The time that a host waits, on most events, for a hook whose registration sets no timeout.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(600);

/// The result of decoding a payload.
#[derive(Clone, PartialEq, Debug)]
pub enum DecodedPayload {
    /// An event of the schema. `damage` describes what could not be read properly, if anything: such a payload is
    /// judged, and its answer is at least as strict as for a layer that does not load.
    Event {
        /// The payload, as far as it could be read.
        payload: Payload,
        /// The lost parts.
        damage: Option<String>,
    },
    /// An event that this binary does not know and that does not announce a call: pass.
    UnknownEvent(String),
    /// Not even the event can be read.
    Unreadable {
        /// The reason.
        reason: String,
        /// The other agent that seems to have sent it, if any.
        sender: Option<OtherAgent>,
    },
}

impl Host {
    /// Every host.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Wave];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 2] = [Self::ClaudeCode.name(), Self::Wave.name()];

    /// Returns the host with a name (`claude-code`).
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

    /// Returns the environment variable in which the host names its project directory.
    #[must_use]
    pub const fn project_variable(self) -> &'static str {
        match self {
            Self::ClaudeCode => "CLAUDE_PROJECT_DIR",
            Self::Wave => "WAVE_PROJECT_DIR",
        }
    }

    /// Returns the answers that the host accepts on an event; `None` for an event that it never sends.
    #[must_use]
    pub const fn capabilities(self, event: Event) -> Option<Capabilities> {
        match self {
            Self::ClaudeCode => Some(event.spec().answers),
            Self::Wave => wave::event_capabilities(event),
        }
    }

    /// Returns the fate of an answer that the event accepts by the schema; `None` for an event that the host never
    /// sends.
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
            // The schema states everything else that this host does.
            Self::ClaudeCode => Some(EffectFate::Carried),
            Self::Wave => wave::event_capabilities(event).map(|takes| fate::fate(&takes, wave::reader(event), answer)),
        }
    }

    /// Whether an answer to an event can carry a text for one reader only: the agent or the user.
    #[must_use]
    pub const fn has_single_reader(self, event: Event) -> bool {
        match self {
            // Its JSON has a member for each reader.
            Self::ClaudeCode => false,
            Self::Wave => wave::event_capabilities(event).is_some(),
        }
    }

    /// Whether the user sees an event's texts at once. Otherwise they are in [`HostOutput::deferred`].
    #[must_use]
    pub const fn is_shown_at_once(self, event: Event) -> bool {
        match self {
            Self::ClaudeCode => claude_code::is_system_message_shown(event),
            Self::Wave => wave::event_capabilities(event).is_some(),
        }
    }

    /// Returns the reader of a denial's reason; `None` for an event that the host never sends.
    #[must_use]
    pub fn reads_denial(self, event: Event) -> Option<Audience> {
        match self {
            Self::ClaudeCode => Some(Audience::Agent),
            Self::Wave => wave::event_capabilities(event).map(|_| wave::reader(event)),
        }
    }

    /// Whether the user sees at once the texts in the answer to a payload from its origin.
    #[must_use]
    pub fn is_shown_to_origin(self, payload: &Payload) -> bool {
        let PayloadOrigin { agent, event } = &payload.origin;
        let reads_messages =
            agent.map_or(event.is_none(), |agent| matches!(agent, OtherAgent::Codex | OtherAgent::Qwen));
        self.is_shown_at_once(payload.event)
            && reads_messages
            && (self.is_shown_in_subagents() || !payload.is_by_subagent())
    }

    /// Whether the user sees at once the texts of events inside a subagent.
    #[must_use]
    pub const fn is_shown_in_subagents(self) -> bool {
        match self {
            Self::ClaudeCode => false,
            Self::Wave => true,
        }
    }

    /// Whether a person wrote the prompt of UserPromptSubmit, rather than the host.
    #[must_use]
    pub fn is_prompt_of_user(self, payload: &Payload) -> bool {
        payload.event == Event::UserPromptSubmit
            && match self {
                Self::ClaudeCode => claude_code::is_prompt_of_user(payload),
                Self::Wave => true,
            }
    }

    /// Whether the host ever fills a field of an event that it sends.
    #[must_use]
    pub fn has_field_value(self, event: Event, field: &str) -> bool {
        match self {
            // The schema states the fields of this host.
            Self::ClaudeCode => true,
            Self::Wave => wave::has_field_value(event, field),
        }
    }

    /// Whether the host uses the worktree path that a command prints on WorktreeCreate, rather than creating the
    /// worktree itself.
    #[must_use]
    pub const fn is_worktree_path_read(self) -> bool {
        match self {
            Self::ClaudeCode => true,
            Self::Wave => false,
        }
    }

    /// Returns how long the commands of an event may take before the host abandons the hook, minus the time that the
    /// answer itself needs. The host does not tell a hook about a timeout in its registration.
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

/// Decodes a payload, leniently.
#[must_use]
pub fn decode(host: Host, bytes: &[u8]) -> DecodedPayload {
    match host {
        Host::ClaudeCode => claude_code::decode(bytes),
        Host::Wave => wave::decode(bytes),
    }
}

/// Returns why a payload has no path of its subagent's transcript, if an invalid member is the reason: one from which
/// the path would be derived.
#[must_use]
pub fn transcript_problem(host: Host, payload: &Payload) -> Option<String> {
    match host {
        Host::ClaudeCode => claude_code::transcript_problem(payload),
        // No member is derived there.
        Host::Wave => None,
    }
}

/// Returns the standard output of a refusal by exit code 2 of a payload that cannot be read, for its sender.
#[must_use]
pub fn refusal(sender: Option<OtherAgent>, reason: &str) -> String {
    other_agents::refusal(sender, reason)
}

/// Encodes a verdict into exactly what the event of the registered host accepts.
#[cfg(feature = "internals")]
#[must_use]
pub fn encode(host: Host, verdict: &Verdict) -> HostOutput {
    encode_for(host, &PayloadOrigin::default(), verdict)
}

/// Encodes a verdict into exactly what the sender of the payload accepts.
#[must_use]
pub fn encode_for(host: Host, origin: &PayloadOrigin, verdict: &Verdict) -> HostOutput {
    let mut output = match host {
        Host::ClaudeCode if *origin != PayloadOrigin::default() => other_agents::encode(origin, verdict),
        Host::ClaudeCode => claude_code::encode(verdict),
        Host::Wave => wave::encode(verdict).0,
    };
    // Text that follows, from another hook or on a terminal, begins on a new line.
    if !output.stderr.is_empty() && !output.stderr.ends_with('\n') {
        output.stderr.push('\n');
    }
    output
}

/// Returns the texts of a verdict that are not sent, because a process can reach only one reader.
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
