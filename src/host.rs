//! Hosts: the only place that knows a host's JSON, both ways.

mod claude_code;
mod lenient;

pub use lenient::{Lenient, MAX_DEPTH, Undecodable, parse_json};

use crate::types::Payload;
use crate::verdict::Verdict;

/// A coding agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// Claude Code 2.x.
    ClaudeCode,
}

/// What the process says to the host.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostOutput {
    /// Nothing, or exactly one JSON object (on WorktreeCreate a path).
    pub stdout: String,
    /// The reason of a block, else nothing (on WorktreeCreate also what standard output has no room for).
    pub stderr: String,
    /// 0 or 2.
    pub exit: u8,
}

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
    /// An event that this binary does not know: pass.
    UnknownEvent(String),
    /// Not even the event can be read, and why.
    Unreadable(String),
}

impl Host {
    /// Returns the host of a name (`claude-code`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        (name == "claude-code").then_some(Self::ClaudeCode)
    }

    /// Returns its name, which is the fact `host`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
        }
    }
}

/// Reads a payload, leniently.
#[must_use]
pub fn decode(host: Host, bytes: &[u8]) -> Decoded {
    match host {
        Host::ClaudeCode => claude_code::decode(bytes),
    }
}

/// Encodes a verdict into exactly what the event accepts.
#[must_use]
pub fn encode(host: Host, verdict: &Verdict) -> HostOutput {
    match host {
        Host::ClaudeCode => claude_code::encode(verdict),
    }
}

#[cfg(test)]
mod tests;
