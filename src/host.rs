//! Hosts: the coding agents that call hooks. Only this module knows the JSON in which a host sends payloads and reads
//! answers.

mod added;
mod apply_patch;
mod claude_code;
mod decode;
mod encode;
mod fate;
mod lenient;
mod only_denied;
mod record;
mod registered;
mod sent_answer;
mod sent_payload;
mod streams;
mod texts;
mod translation;

use std::time::Duration;

pub use added::{AddedHost, add_hosts};
#[cfg(feature = "internals")]
pub use claude_code::{Interrupt, PermissionDecision, PermissionRequestHookOutput, SubagentStartHookOutput};
pub use fate::{Audience, EffectFate};
#[cfg(feature = "internals")]
pub use lenient::MAX_DEPTH;
pub use lenient::{is_too_deep, parse_json};
pub use registered::settings_directories;
pub use sent_answer::SentAnswer;

use crate::schema::{Capabilities, Capability, Event};
use crate::types::{Payload, PayloadOrigin};
use crate::verdict::Verdict;
pub(crate) use record::{EntryHole, EntryValue, HostSettings, SettingsForm, SettingsPlace, TimeUnit};
use record::{HostEncoding, HostEvent, HostRecord, RECORDS};

/// A coding agent that can call the hook, described by its record: one in `hosts/`, or an added one.
#[derive(Clone, Copy)]
pub struct Host(&'static HostRecord);

impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Host {}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}

/// What the process sends to the host: two streams and an exit code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostOutput {
    /// Standard output: empty or one JSON object. On the events for which the host's record says so, it is a path or
    /// plain text.
    pub stdout: String,
    /// Standard error, which ends with a newline if it is not empty: the reason for blocking. For a host that reads no
    /// JSON, it is a text for the agent or the user, depending on the exit code.
    pub stderr: String,
    /// The exit code: 0, or 2 to block. For a host that reads no JSON, any other code shows standard error to the user.
    pub exit: u8,
    /// The text for the user that this event cannot show. The next event that can show texts delivers it.
    pub deferred: Option<String>,
}

/// A text of a verdict that the host cannot deliver to its reader together with the rest of the answer.
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
    /// The payload of an event in the schema. A damaged one is judged too, and the failure policy adds a vote or a
    /// warning.
    Event {
        /// The payload, as far as it could be read.
        payload: Payload,
        /// A description of what could not be read; `None` if the payload is complete.
        damage: Option<String>,
    },
    /// An event that is not in the schema and does not announce a call. It passes.
    UnknownEvent(String),
    /// A payload that does not even show its event.
    Unreadable {
        /// Why it cannot be read.
        reason: String,
        /// The host that seems to have sent the payload.
        sender: Host,
    },
}

impl Host {
    /// Claude Code, whose vocabulary the schema uses.
    pub const CLAUDE_CODE: Self = Self(&RECORDS[0]);

    /// Returns every host: the built-in ones, then those that [`add_hosts`] has added.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::built_in().chain(added::added_records().iter().copied().map(Self))
    }

    /// Returns the hosts whose records are in `hosts/`. Only they are recognised by their payloads.
    pub fn built_in() -> impl Iterator<Item = Self> {
        RECORDS.iter().map(Self)
    }

    /// Returns the names of all hosts, in the order of [`Host::all`].
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::all().map(Self::name)
    }

    /// Returns the host with this name (`claude-code`); `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|host| host.name() == name)
    }

    /// Returns the host's name, which is the fact `host`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the host's name in sentences: `Claude Code`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// Returns what the host's record is based on: the versions that were measured or, if there are none, the
    /// documentation.
    #[must_use]
    pub fn source(self) -> String {
        if self.0.measured.is_empty() { self.0.documented.to_owned() } else { self.0.measured.join(", ") }
    }

    const fn record(self) -> &'static HostRecord {
        self.0
    }

    /// Returns the row of an event in the host's record; `None` for an event that the host never sends.
    fn event(self, event: Event) -> Option<&'static HostEvent> {
        self.0.event(event)
    }

    /// Returns a sentence with the reason why the host never calls its hooks; `None` if it does call them.
    #[must_use]
    pub const fn not_called(self) -> Option<&'static str> {
        self.0.not_called
    }

    /// Returns the environment variable in which the host passes the project directory; `None` if it has no such
    /// variable.
    #[must_use]
    pub const fn project_variable(self) -> Option<&'static str> {
        self.0.project_variable
    }

    /// Whether the host starts its hooks in the project directory, which no variable names. The payload's `cwd` may be
    /// another one, which the model has chosen for one call.
    #[must_use]
    pub const fn starts_in_project(self) -> bool {
        self.0.starts_in_project
    }

    /// Returns the answers that the host obeys on an event; `None` for an event that the host never sends.
    #[must_use]
    pub fn capabilities(self, event: Event) -> Option<Capabilities> {
        self.event(event).map(HostEvent::capabilities)
    }

    /// Returns what happens to an answer that the schema allows on this event: the host carries it out, or the nearest
    /// stricter answer replaces it. `None` for an event that the host never sends.
    #[must_use]
    pub fn fate(self, event: Event, answer: Capability) -> Option<EffectFate> {
        let row = self.event(event)?;
        // On Stop, a denial would make the agent go on, which is the opposite of a halt.
        let is_passed_halt = event == Event::Stop && answer == Capability::Halt && row.halt.is_none();
        Some(match fate::fate(&row.capabilities(), row.reason_reader(), answer) {
            EffectFate::UserReads => self.fate_of_text(row),
            _ if is_passed_halt => self.fate_of_text(row),
            fate => fate,
        })
    }

    /// Returns what happens to a text for the user on an event.
    fn fate_of_text(self, row: &HostEvent) -> EffectFate {
        if row.warn.is_some() {
            EffectFate::UserReads
        } else if self.0.events.iter().any(|row| row.warn.is_some()) {
            EffectFate::UserReadsLater
        } else {
            EffectFate::NobodyReads
        }
    }

    /// Whether an answer to an event can carry texts for only one reader, either the agent or the user.
    #[must_use]
    pub fn has_single_reader(self, event: Event) -> bool {
        self.0.encoding == HostEncoding::Streams && self.event(event).is_some()
    }

    /// Whether the user sees the texts of an event at once; otherwise they go to [`HostOutput::deferred`].
    #[must_use]
    pub fn is_shown_at_once(self, event: Event) -> bool {
        self.event(event).is_some_and(|row| row.warn.is_some())
    }

    /// Returns who reads the reason of a denial; `None` for an event that the host never sends.
    #[must_use]
    pub fn reads_denial(self, event: Event) -> Option<Audience> {
        self.event(event).map(HostEvent::reason_reader)
    }

    /// Whether the user sees the texts in the answer to this payload at once, considering which host sent it and
    /// whether a subagent acts.
    #[must_use]
    pub fn is_shown_to_origin(self, payload: &Payload) -> bool {
        let sender = self.sender(&payload.origin);
        !payload.origin.is_event_unknown
            && sender.is_shown_at_once(payload.event)
            && (sender.0.is_shown_in_subagents || !payload.is_by_subagent())
    }

    /// Returns the host that sent a payload to a hook registered for this one. It differs if another agent calls this
    /// host's hooks.
    #[must_use]
    pub fn sender(self, origin: &PayloadOrigin) -> Self {
        origin.agent.and_then(Self::from_name).unwrap_or(self)
    }

    /// Whether the event is a UserPromptSubmit whose prompt a person typed, rather than the host.
    ///
    /// Hosts name the author in `source`, but not in every version, and not for every prompt that they generate.
    #[must_use]
    pub fn is_prompt_of_user(self, payload: &Payload) -> bool {
        if payload.event != Event::UserPromptSubmit {
            return false;
        }
        let Some(row) = self.event(payload.event) else { return true };
        match payload.nonempty_text("source").filter(|_| !row.typed_sources.is_empty()) {
            Some(source) => row.typed_sources.contains(&source),
            None => !row.generated_prompt.is_some_and(|beginning| {
                payload.nonempty_text("prompt").is_some_and(|prompt| prompt.trim_start().starts_with(beginning))
            }),
        }
    }

    /// Whether the host ever sends a value for a field of an event.
    #[must_use]
    pub fn has_field_value(self, event: Event, field: &str) -> bool {
        let fields = self.0.fields;
        (fields.is_empty() || fields.contains(&field))
            && !self.0.unsent.contains(&field)
            && self.event(event).is_none_or(|row| !row.unsent.contains(&field))
    }

    /// Whether a call that failed looks like one that succeeded.
    #[must_use]
    pub fn hides_failures(self) -> bool {
        !self.0.tells_failures
    }

    /// Whether a call of a subagent looks like one of the main agent.
    #[must_use]
    pub fn hides_subagents(self) -> bool {
        let has = |field| self.has_field_value(Event::PreToolUse, field);
        !has("agent_id") && !has("agent_type") && !self.0.fields.contains(&"subagent_type")
    }

    /// Whether a command has to create the worktree on WorktreeCreate, whose path the host then reads. Otherwise the
    /// host creates it.
    #[must_use]
    pub fn is_worktree_path_read(self) -> bool {
        self.event(Event::WorktreeCreate).is_some_and(|row| row.is_path_read)
    }

    /// Returns how long the commands of rules may take on an event, so that the answer is still within the host's
    /// default timeout. A timeout that the host's settings state is not considered, because the host does not pass it
    /// to the hook.
    #[must_use]
    pub fn command_time_limit(self, event: Event) -> Duration {
        let of_event = self.event(event).and_then(|row| row.wait);
        Duration::from_millis(of_event.unwrap_or(self.0.wait).into())
    }
}

/// Decodes a payload. Parts that cannot be read are described as damage.
#[must_use]
pub fn decode(host: Host, bytes: &[u8]) -> DecodedPayload {
    decode::decode(host, bytes)
}

/// Returns why the path of a subagent's transcript could not be derived, if `agent_id` or `transcript_path` is invalid.
#[must_use]
pub fn transcript_problem(host: Host, payload: &Payload) -> Option<String> {
    if host.0.has_agent_transcripts { claude_code::transcript_problem(payload) } else { None }
}

/// Returns the answer to a payload that cannot be read: the one by which this host certainly blocks the action.
#[must_use]
pub fn refusal(sender: Host, reason: &str) -> HostOutput {
    with_last_newline(encode::refusal(sender.record(), reason))
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
    let record = host.sender(origin).record();
    let row = answered_row(record, origin, verdict.event);
    with_last_newline(match record.encoding {
        HostEncoding::Forms => encode::encode(record, &row, origin, verdict).0,
        HostEncoding::Streams => streams::encode(&row, verdict).output,
    })
}

/// Returns what the output of [`encode_for`] makes the host do.
#[must_use]
pub fn sent_answer(host: Host, origin: &PayloadOrigin, verdict: &Verdict) -> SentAnswer {
    let record = host.sender(origin).record();
    let row = answered_row(record, origin, verdict.event);
    match record.encoding {
        HostEncoding::Forms => encode::encode(record, &row, origin, verdict).1,
        HostEncoding::Streams => streams::encode(&row, verdict).sent,
    }
}

/// Translates a payload from the schema's words into those of the host: the name of the event, and the members of the
/// input. `None` for an event that the host never sends.
///
/// Fields that the host never sends are not removed; [`Host::has_field_value`] tells which these are.
#[must_use]
pub fn sent_payload(host: Host, payload: Payload) -> Option<Payload> {
    sent_payload::sent_payload(host.record(), payload)
}

/// Returns the texts of a verdict that the output omits, because the host cannot deliver them to their reader.
#[must_use]
pub fn unsent_texts(host: Host, origin: &PayloadOrigin, verdict: &Verdict) -> Vec<UnsentText> {
    let record = host.sender(origin).record();
    match record.encoding {
        HostEncoding::Forms => encode::unsent_contexts(&answered_row(record, origin, verdict.event), verdict),
        HostEncoding::Streams => streams::encode(&answered_row(record, origin, verdict.event), verdict).unsent,
    }
}

/// Returns the row of the host's record by which an event is answered. For an event that the record does not have, it
/// is a row with only the form that the host always takes for a denial.
fn answered_row(record: &HostRecord, origin: &PayloadOrigin, event: Event) -> HostEvent {
    let named = record.event_by_name(event, origin.event.as_deref().unwrap_or(event.name()));
    match named.or_else(|| record.event(event)).filter(|_| !origin.is_event_unknown) {
        Some(row) => *row,
        None => HostEvent { deny: Some(record.closed), ..HostEvent::EMPTY },
    }
}

/// Ends the text on standard error with a newline, so that what another hook or a shell prints next begins on a new
/// line.
fn with_last_newline(mut output: HostOutput) -> HostOutput {
    if !output.stderr.is_empty() && !output.stderr.ends_with('\n') {
        output.stderr.push('\n');
    }
    output
}

#[cfg(test)]
mod tests;
