//! Handles events whose payload is first checked against the schema.
//!
//! A guard has to judge damaged payloads too, which [`super::answer_event`] does. This module is for callers that want
//! to know what is wrong with a payload.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value as Json};

use super::{Answer, Registration, judge};
use crate::action;
use crate::escape::quote_word;
use crate::host::{self, DecodedPayload, Host, HostOutput};
use crate::schema::Event;
use crate::types::{HookPayload, Payload};
use crate::verdict::Decision;

/// The maximum number of characters of an event's name in a message.
const MAX_NAME_CHARS: usize = 200;

/// The length in bytes above which a damaged payload is rejected without being parsed strictly, because that could take
/// much memory.
const MAX_DAMAGED_BYTES: usize = 256 << 10;

/// The result of a handler.
pub type HandlerResult<T> = std::result::Result<T, HookError>;

/// Why a payload was rejected. In that case nothing has been done with the event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HookError {
    /// The payload was not read completely, is damaged, or does not name its event.
    Unreadable(String),
    /// The payload is not a JSON object.
    Json(String),
    /// The payload is for another event than the handler's.
    OtherEvent {
        /// The event of the handler.
        expected: Event,
        /// The name of the event in the payload, which may be unknown.
        found: String,
    },
    /// A member is missing or has a wrong type; the text names it.
    Members(String),
    /// A member is empty; the text names it.
    Invalid(String),
}

impl fmt::Display for HookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(reason) => write!(f, "JSON parsing failed: {reason}"),
            Self::OtherEvent { expected, found } => {
                let found = quote_word(found, MAX_NAME_CHARS);
                write!(f, "the payload is for another event: {found}, not `{}`", expected.name())
            }
            Self::Unreadable(reason) | Self::Members(reason) | Self::Invalid(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for HookError {}

/// The answer to an event that [`handle`] has handled.
#[derive(Clone, Debug)]
pub struct HookResult {
    output: HostOutput,
    /// Whether the answer blocks the event.
    blocked: bool,
    log_line: Option<String>,
}

impl HookResult {
    #[cfg(feature = "internals")]
    /// Returns the empty answer, which lets the event proceed.
    #[must_use]
    pub fn silent() -> Self {
        Self::from(HostOutput::default())
    }

    #[cfg(feature = "internals")]
    /// Whether the answer blocks the event. On some events, the host proceeds even so.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// Returns the output for the host.
    #[must_use]
    pub fn output(&self) -> &HostOutput {
        &self.output
    }

    /// Returns the line for the hook log, without a newline.
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

// Two results are equal if the host gets the same. The log line is not compared: it contains the time.
impl PartialEq for HookResult {
    fn eq(&self, other: &Self) -> bool {
        (&self.output, self.blocked) == (&other.output, other.blocked)
    }
}

/// Handles one event: checks its payload against the schema of Claude Code, and then does everything that `rules hook`
/// does, from the policy's commands to records, notifications and the log.
///
/// # Errors
///
/// Fails if the payload is not a JSON object, is for another event, or has a member that is missing, empty or of the
/// wrong type; the error names it. In that case no command was run, nothing was recorded and nobody was notified.
pub fn handle(event: Event, bytes: &[u8], registration: &Registration) -> HandlerResult<HookResult> {
    let payload = read(event, bytes, registration.host)?;
    let line = action::processing(&payload);
    let mut answer = judge(payload, None, registration);
    let result =
        HookResult { blocked: is_blocked(&answer), output: answer.output.clone(), log_line: Some(line.clone()) };
    // The answer is fixed; a panic in the work after it must not change it.
    let _ignored = catch_unwind(AssertUnwindSafe(|| {
        answer.log_hook(&line);
        answer.settle();
    }));
    Ok(result)
}

/// Parses a payload and checks that it is a complete and valid payload of the event.
fn read(event: Event, bytes: &[u8], host: Host) -> HandlerResult<Payload> {
    // The decoder has limits that the parser below lacks.
    if let DecodedPayload::Event { damage: Some(damage), .. } = host::decode(host, bytes)
        && bytes.len() > MAX_DAMAGED_BYTES
    {
        return Err(HookError::Unreadable(damage));
    }
    // The decoder repairs what it can. Here, each defect is an error, so the bytes are also parsed strictly.
    let sent: Map<String, Json> = serde_json::from_slice(bytes).map_err(|error| {
        HookError::Json(if error.is_data() { "not a JSON object".to_owned() } else { error.to_string() })
    })?;
    let payload = match host::decode(host, bytes) {
        DecodedPayload::Event { payload, damage: None } if payload.event == event && payload.origin.event.is_none() => {
            payload
        }
        DecodedPayload::Event { damage: Some(reason), .. } | DecodedPayload::Unreadable { reason, .. } => {
            return Err(HookError::Unreadable(reason));
        }
        DecodedPayload::Event { payload, .. } => {
            return Err(HookError::OtherEvent { expected: event, found: payload.event_name().to_owned() });
        }
        DecodedPayload::UnknownEvent(found) => return Err(HookError::OtherEvent { expected: event, found }),
    };
    // Empty members are reported first. The decoder derives other members from them, so otherwise those would be
    // reported as missing.
    HookPayload::refuse_empty(event, &sent).map_err(HookError::Invalid)?;
    if let Some(reason) = host::transcript_problem(host, &payload) {
        return Err(HookError::Members(format!("missing field `agent_transcript_path`, and {reason}")));
    }
    let typed = HookPayload::from_json(event, &payload.json).map_err(|error| HookError::Members(error.to_string()))?;
    typed.validate().map_err(HookError::Invalid)?;
    Ok(payload)
}

/// Whether an answer blocks the event: by exit code 2, or, in a permission dialog, where the host ignores the exit
/// code, by a denial.
fn is_blocked(answer: &Answer) -> bool {
    let refuses = answer
        .verdict()
        .is_some_and(|verdict| verdict.event == Event::PermissionRequest && verdict.decision() >= Decision::Deny);
    refuses || answer.output.exit == 2
}

#[cfg(test)]
mod tests;
