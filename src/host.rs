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
pub use fate::{Audience, Fate};
#[cfg(feature = "internals")]
pub use lenient::MAX_DEPTH;
pub use lenient::{is_too_deep, parse_json};

use crate::schema::{Capabilities, Capability, Event};
use crate::types::{Origin, OtherAgent, Payload};
use crate::verdict::Verdict;

/// A coding agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// Claude Code 2.x.
    ClaudeCode,
    /// Wave Agent, which knows exit codes and streams only.
    Wave,
}

/// What the process says to the host.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostOutput {
    /// Nothing, or exactly one JSON object (on WorktreeCreate a path). For Wave: nothing, or context for the agent.
    pub stdout: String,
    /// The reason of a block, else nothing (on WorktreeCreate also what standard output has no room for). For Wave:
    /// whatever the agent or the user is told. Its last line is ended.
    pub stderr: String,
    /// 0 or 2. For Wave any code: 2 blocks, and another than 0 and 2 shows standard error to the user.
    pub exit: u8,
    /// What the user is to be told and this event cannot show: for the next event that can.
    pub held: Option<String>,
}

/// A text of a verdict that the host has no way to its reader for, beside what it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsent {
    /// Who was to read it.
    pub reader: Audience,
    /// The text.
    pub text: String,
}

/// How long a host waits for a hook whose registration names no time, on most events.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(600);

/// What came of a payload's bytes.
#[derive(Clone, PartialEq, Debug)]
pub enum Decoded {
    /// An event of the schema. `damage` says what could not be read as it should, if anything: such a
    /// payload is judged, and its answer is at least that of a layer that does not load.
    Event {
        /// The payload, as far as it could be read.
        payload: Payload,
        /// What was lost.
        damage: Option<String>,
    },
    /// An event that this binary does not know and that announces no call: pass.
    UnknownEvent(String),
    /// Not even the event can be read, and why.
    Unreadable(String),
}

impl Host {
    /// Every host.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Wave];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 2] = [Self::ClaudeCode.name(), Self::Wave.name()];

    /// Returns the host of a name (`claude-code`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns its name, which is the fact `host`.
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

    /// Returns what the host takes for an answer to an event; `None` for one that it never sends.
    #[must_use]
    pub const fn answers(self, event: Event) -> Option<Capabilities> {
        match self {
            Self::ClaudeCode => Some(event.spec().answers),
            Self::Wave => wave::answers(event),
        }
    }

    /// Returns what becomes of an answer that the event can be given; `None` for an event that the host never sends.
    #[must_use]
    pub fn fate(self, event: Event, answer: Capability) -> Option<Fate> {
        match self {
            Self::ClaudeCode if matches!(answer, Capability::Warn) && !claude_code::shows(event) => {
                Some(Fate::ToldLater)
            }
            Self::ClaudeCode
                if event == Event::PreSkillShellCommand && matches!(answer, Capability::Ask | Capability::Rewrite) =>
            {
                Some(Fate::Denied(Audience::Agent))
            }
            // The schema states what else this host does.
            Self::ClaudeCode => Some(Fate::Carried),
            Self::Wave => wave::answers(event).map(|takes| fate::fate(&takes, wave::reader(event), answer)),
        }
    }

    /// Tells whether an answer to an event has room for a text to one reader only: the agent or the user.
    #[must_use]
    pub const fn speaks_once(self, event: Event) -> bool {
        match self {
            // Its JSON has a member for each.
            Self::ClaudeCode => false,
            Self::Wave => wave::answers(event).is_some(),
        }
    }

    /// Tells whether the user reads at once what an event has for them. What it has otherwise is
    /// [`HostOutput::held`].
    #[must_use]
    pub const fn shows(self, event: Event) -> bool {
        match self {
            Self::ClaudeCode => claude_code::shows(event),
            Self::Wave => wave::answers(event).is_some(),
        }
    }

    /// Returns who reads the reason of a denial; `None` for an event that the host never sends.
    #[must_use]
    pub fn reads_denial(self, event: Event) -> Option<Audience> {
        match self {
            Self::ClaudeCode => Some(Audience::Agent),
            Self::Wave => wave::answers(event).map(|_| wave::reader(event)),
        }
    }

    /// Whether the user reads at once what an answer to a payload from there has for them.
    #[must_use]
    pub fn shows_to(self, payload: &Payload) -> bool {
        let Origin { agent, event } = &payload.origin;
        let reads_messages =
            agent.map_or(event.is_none(), |agent| matches!(agent, OtherAgent::Codex | OtherAgent::Qwen));
        self.shows(payload.event) && reads_messages && (self.shows_in_subagents() || !payload.is_by_subagent())
    }

    /// Tells whether the user reads at once what the events inside a subagent have for them.
    #[must_use]
    pub const fn shows_in_subagents(self) -> bool {
        match self {
            Self::ClaudeCode => false,
            Self::Wave => true,
        }
    }

    /// Tells whether a person wrote the prompt of UserPromptSubmit, and not the host by itself.
    #[must_use]
    pub fn is_prompt_of_user(self, payload: &Payload) -> bool {
        payload.event == Event::UserPromptSubmit
            && match self {
                Self::ClaudeCode => claude_code::is_prompt_of_user(payload),
                Self::Wave => true,
            }
    }

    /// Tells whether the host ever fills a field of an event that it sends.
    #[must_use]
    pub fn fills(self, event: Event, field: &str) -> bool {
        match self {
            // The schema states what this host says.
            Self::ClaudeCode => true,
            Self::Wave => wave::fills(event, field),
        }
    }

    /// Tells whether a worktree is made where a command on WorktreeCreate says, and not by the host itself.
    #[must_use]
    pub const fn reads_worktree_path(self) -> bool {
        match self {
            Self::ClaudeCode => true,
            Self::Wave => false,
        }
    }

    /// Returns how long the commands of an event may take before the host gives the hook up, less what the answer
    /// itself needs. What a registration sets otherwise is not told to the hook.
    #[must_use]
    pub const fn patience(self, event: Event) -> Duration {
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

/// Reads a payload, leniently.
#[must_use]
pub fn decode(host: Host, bytes: &[u8]) -> Decoded {
    match host {
        Host::ClaudeCode => claude_code::decode(bytes),
        Host::Wave => wave::decode(bytes),
    }
}

/// Returns why a payload does not say where its subagent's transcript lies, if a member that it would be derived from
/// is the reason.
#[must_use]
pub fn transcript_problem(host: Host, payload: &Payload) -> Option<String> {
    match host {
        Host::ClaudeCode => claude_code::transcript_problem(payload),
        // Nothing is derived there.
        Host::Wave => None,
    }
}

/// Encodes a verdict into exactly what the event of the registered host accepts.
#[cfg(feature = "internals")]
#[must_use]
pub fn encode(host: Host, verdict: &Verdict) -> HostOutput {
    encode_for(host, &Origin::default(), verdict)
}

/// Encodes a verdict into exactly what whoever sent the payload accepts.
#[must_use]
pub fn encode_for(host: Host, origin: &Origin, verdict: &Verdict) -> HostOutput {
    let mut output = match host {
        Host::ClaudeCode if *origin != Origin::default() => other_agents::encode(origin, verdict),
        Host::ClaudeCode => claude_code::encode(verdict),
        Host::Wave => wave::encode(verdict).0,
    };
    // What is written behind it, by another hook or to a terminal, begins on a line of its own.
    if !output.stderr.is_empty() && !output.stderr.ends_with('\n') {
        output.stderr.push('\n');
    }
    output
}

/// Returns what of a verdict is not sent to anybody, because a process can speak to one reader only.
#[must_use]
pub fn unsent(host: Host, verdict: &Verdict) -> Vec<Unsent> {
    match host {
        // Its JSON has a member for each reader.
        Host::ClaudeCode => Vec::new(),
        Host::Wave => wave::encode(verdict).1,
    }
}

#[cfg(test)]
mod tests;
