//! Events whose payload is checked against the schema first.
//!
//! A guard must judge damaged payloads too, and does so in [`super::answer`]. This is for callers who want to know that
//! something is missing.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value as Json};

use super::{Answer, Registration, judge};
use crate::action;
use crate::escape::quoted;
use crate::host::{self, Decoded, Host, HostOutput};
use crate::schema::Event;
use crate::types::{HookPayload, Payload};
use crate::verdict::Decision;

/// Characters of an event's name that are shown.
const LONGEST: usize = 200;

/// A payload of at most so many bytes cannot become much in memory.
const LONG: usize = 256 << 10;

/// What a handler comes to.
pub type Result<T> = std::result::Result<T, HookError>;

/// Why a payload was not worked on. Nothing has happened by then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HookError {
    /// It was not read whole, or does not say which event it is.
    Unreadable(String),
    /// It is no JSON object.
    Json(String),
    /// It is of another event than the handler's.
    OtherEvent {
        /// The handler's.
        expected: Event,
        /// The payload's, which may be none that there is.
        found: String,
    },
    /// A member lacks, or is of another type; says which.
    Members(String),
    /// A member is empty; says which.
    Invalid(String),
}

impl fmt::Display for HookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(reason) => write!(f, "JSON parsing failed: {reason}"),
            Self::OtherEvent { expected, found } => {
                let found = quoted(found, LONGEST);
                write!(f, "the payload is for another event: {found}, not `{}`", expected.name())
            }
            Self::Unreadable(reason) | Self::Members(reason) | Self::Invalid(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for HookError {}

/// What a handled event is answered with.
#[derive(Clone, Debug)]
pub struct HookResult {
    output: HostOutput,
    blocked: bool,
    log_line: Option<String>,
}

impl HookResult {
    #[cfg(feature = "internals")]
    /// Returns the answer of an event that nothing is said about: it goes ahead.
    #[must_use]
    pub fn success() -> Self {
        Self::from(HostOutput::default())
    }

    #[cfg(feature = "internals")]
    /// Tells whether the policy blocks what the event announces; on some events a host goes ahead all the same.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// Returns what the process is to say to the host.
    #[must_use]
    pub fn output(&self) -> &HostOutput {
        &self.output
    }

    /// Returns the line of the hook log about the event, without a newline.
    #[must_use]
    pub fn log_line(&self) -> Option<&str> {
        self.log_line.as_deref()
    }
}

impl From<HostOutput> for HookResult {
    fn from(output: HostOutput) -> Self {
        Self { blocked: output.exit == 2, output, log_line: None }
    }
}

// Two results are one if the host is told the same; when that was is in the line of the log alone.
impl PartialEq for HookResult {
    fn eq(&self, other: &Self) -> bool {
        (&self.output, self.blocked) == (&other.output, other.blocked)
    }
}

/// Handles one event: holds its payload to the schema, which is Claude Code's, and then does all that `rules hook` does, from the policy's
/// commands to records, notifications and the log.
///
/// # Errors
///
/// The payload is no JSON object, is of another event, or lacks what the event always says; the error names it.
/// Then nothing has been done: no command was run, nothing recorded and nobody notified.
pub fn handle(event: Event, bytes: &[u8], registration: &Registration) -> Result<HookResult> {
    let payload = read(event, bytes, registration.host)?;
    let line = action::processing(&payload);
    let mut answer = judge(payload, None, registration);
    let result =
        HookResult { blocked: is_blocked(&answer), output: answer.output.clone(), log_line: Some(line.clone()) };
    // The answer is fixed; a panic in what follows must not change it.
    let _ignored = catch_unwind(AssertUnwindSafe(|| {
        answer.log_hook(&line);
        answer.settle();
    }));
    Ok(result)
}

/// Reads the payload of an event, and checks that it is one.
fn read(event: Event, bytes: &[u8], host: Host) -> Result<Payload> {
    // The decoder knows bounds that the parser below does not.
    if let Decoded::Event { damage: Some(damage), .. } = host::decode(host, bytes)
        && bytes.len() > LONG
    {
        return Err(HookError::Unreadable(damage));
    }
    // The decoder mends what it can; whoever wants to know hears of it here.
    let sent: Map<String, Json> = serde_json::from_slice(bytes).map_err(|error| {
        HookError::Json(if error.is_data() { "not a JSON object".to_owned() } else { error.to_string() })
    })?;
    let payload = match host::decode(host, bytes) {
        Decoded::Event { payload, damage: None } if payload.event == event && payload.origin.event.is_none() => payload,
        Decoded::Event { damage: Some(reason), .. } | Decoded::Unreadable(reason) => {
            return Err(HookError::Unreadable(reason));
        }
        Decoded::Event { payload, .. } => {
            return Err(HookError::OtherEvent { expected: event, found: payload.event_name().to_owned() });
        }
        Decoded::UnknownEvent(found) => return Err(HookError::OtherEvent { expected: event, found }),
    };
    // What would be derived from an empty member lacks too, and is not what is wrong.
    HookPayload::refuse_empty(event, &sent).map_err(HookError::Invalid)?;
    if let Some(reason) = host::transcript_problem(host, &payload) {
        return Err(HookError::Members(format!("missing field `agent_transcript_path`, and {reason}")));
    }
    let typed = HookPayload::from_json(event, &payload.json).map_err(|error| HookError::Members(error.to_string()))?;
    typed.validate().map_err(HookError::Invalid)?;
    Ok(payload)
}

/// Tells whether an answer blocks: the exit code says so, except to a permission dialog, which reads none.
fn is_blocked(answer: &Answer) -> bool {
    let verdict = answer.follow_up.as_ref().map(|follow_up| &follow_up.verdict);
    let refuses = verdict
        .is_some_and(|verdict| verdict.event == Event::PermissionRequest && verdict.decision() >= Decision::Deny);
    refuses || answer.output.exit == 2
}

#[cfg(test)]
mod tests;
