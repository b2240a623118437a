//! The contents of a line of the log.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::journal::JournalEnd;
use crate::time::parse_rfc3339;

/// A line of the log: the decision on one event. A member that is absent in the JSON is empty here.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LogEntry {
    /// The number of the line, counted from 1 over all files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The time at which the line was written, RFC 3339 UTC.
    pub time: String,
    /// The host that sent the event.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// The event's name.
    pub event: String,
    /// The id of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The id of the subagent that acts, starts or stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The type of that subagent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent_type: Option<String>,
    /// The tool's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The id of the call, which later events of the same call repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The keyword of the decision: `deny`.
    pub decision: String,
    /// The outcome of an earlier ask about the same call, if the event reveals it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<AskOutcome>,
    /// The message to the host.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The rules that matched, each with its vote: `pass` for a rule that had another effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleVote>,
    /// The votes of rules under `@observe`, which did not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<RuleVote>,
    /// The rules that could not be evaluated, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<LoggedUnknown>,
    /// The members of the payload that have no field here, shortened and redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Map<String, Json>>,
    /// The whole payload, redacted, at level `all`; `call` is absent then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Json>>,
    /// The members that are omitted, shortened or redacted in `call` or `payload`, by their dotted names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<String>,
    /// The working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The project directory, if it differs from the working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The permission mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<String>,
    /// How long the hook took to answer, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<u64>,
    /// The identity of the policy: equal for equal texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// The end of the session's journal when the event was judged, if its rules asked about the past.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<JournalEnd>,
    /// Whether another registration of the hook ran the commands, recorded and notified for this event.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_decided: bool,
    /// The problems that occurred, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// The vote of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RuleVote {
    /// The rule's full name.
    pub rule: String,
    /// The keyword of the decision: `deny`.
    pub decision: String,
    /// The root of the working tree whose facts of git were decisive, if it is not that of the session.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
}

impl RuleVote {
    /// Creates the vote of a rule for a decision, given by its keyword.
    #[must_use]
    pub fn new(rule: &str, decision: &str) -> Self {
        Self { rule: rule.to_owned(), decision: decision.to_owned(), tree: None }
    }
}

/// A reason why rules could not be judged, and these rules.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoggedUnknown {
    /// The reason, as a sentence.
    pub reason: String,
    /// The rules' full names.
    pub rules: Vec<String>,
}

/// The outcome of a question to the user, as far as an event of the same call reveals it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskOutcome {
    /// The call ran.
    Ran,
    /// The call failed, or the user stopped it while it ran.
    Failed,
    /// The host refused the call.
    Refused,
}

impl AskOutcome {
    /// Returns the word for display.
    #[must_use]
    pub fn display_word(self) -> &'static str {
        match self {
            Self::Ran => "ran",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

impl LogEntry {
    /// Returns when the hook of the event started, since 1970; `None` if the line has no time.
    #[must_use]
    pub fn event_time(&self) -> Option<Duration> {
        let written = parse_rfc3339(&self.time)?;
        Some(written.saturating_sub(Duration::from_micros(self.microseconds.unwrap_or_default())))
    }

    /// Returns the members that describe the call: those of its input, or of the payload if it has no input.
    pub fn call_texts(&self) -> impl Iterator<Item = (&str, &Json)> {
        let members = self.call.as_ref().or(self.payload.as_ref());
        let input = members.and_then(|members| members.get("tool_input")).and_then(Json::as_object);
        input.or(members).into_iter().flatten().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the subject of the call: its command, its file (relative to the project), its URL or the like, or else
    /// its first text.
    #[must_use]
    pub fn call_line(&self) -> String {
        const FILES: [&str; 3] = ["file_path", "notebook_path", "path"];
        const OTHERS: [&str; 4] = ["url", "pattern", "query", "description"];
        let text = |name: &&str| self.call_texts().find(|(member, _)| member == name)?.1.as_str();
        let file = || {
            let file = FILES.iter().find_map(text)?;
            let project = self.project.as_ref().or(self.cwd.as_ref())?;
            Some(file.strip_prefix(project.as_str()).and_then(|within| within.strip_prefix('/')).unwrap_or(file))
        };
        let first_text = || self.call_texts().find_map(|(_, value)| value.as_str());
        let command = text(&"command").or_else(file).or_else(|| FILES.iter().find_map(text));
        command.or_else(|| OTHERS.iter().find_map(text)).or_else(first_text).unwrap_or_default().to_owned()
    }

    /// Returns the acting agent: the type or else the id of the subagent, and `main` for the session's own agent.
    #[must_use]
    pub fn agent(&self) -> &str {
        self.subagent_type.as_deref().or(self.agent_id.as_deref()).unwrap_or("main")
    }
}
