//! The work after the answer: notifications about events, records, the log.

use std::path::PathBuf;
use std::time::Duration;

use crate::action::{self, EffectEnvironment, PayloadDetail};
use crate::config::{EffectiveNotifications, EffectiveSettings, LogLevel};
use crate::decision_log::{LogEntry, LoggedUnknown, RuleVote};
use crate::eval::{RuleJudgement, RuleOutcome, RuleRole};
use crate::host::Host;
use crate::journal::JournalEnd;
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Author, Decision, Note, Notification, Verdict, Vote};
use hookrules_shell::path::glob_matches;

use super::is_system_event_hook;

/// Everything that the work after an answer needs, except the payload.
#[derive(Debug)]
pub(super) struct FollowUp {
    pub(super) agent_name: Option<String>,
    pub(super) verdict: Verdict,
    /// The commands that failed, one sentence each.
    pub(super) failures: Vec<Note>,
    /// How the rules judged the event.
    pub(super) logged: LoggedJudgements,
    /// The time until the answer.
    pub(super) took: Option<Duration>,
    pub(super) host: Host,
    pub(super) settings: EffectiveSettings,
    /// The problems of the hook, for the log.
    pub(super) problems: Vec<String>,
    /// Whether another registration performs the effects.
    pub(super) only_decides: bool,
    pub(super) project: Option<PathBuf>,
    /// The directory below which records are written.
    pub(super) root: Option<PathBuf>,
    pub(super) state: Option<PathBuf>,
    /// The policy's identity in the log.
    pub(super) mark: String,
}

/// What the log says of the rules' judgement of an event, apart from their verdict.
#[derive(Debug)]
pub(super) struct LoggedJudgements {
    /// The votes of rules that only observe.
    pub(super) observed: Vec<Vote>,
    /// The names of the rules that only observe and would have had effects.
    pub(super) observed_effects: Vec<String>,
    /// How each rule was judged.
    pub(super) judged: Vec<RuleJudgement>,
    /// The end of the session's journal before the event; `None` if no rule asked about the past.
    pub(super) journal_end: Option<JournalEnd>,
}

impl FollowUp {
    /// Writes a line to the hook log, unless the settings switch the log off.
    pub(super) fn log_hook(&self, line: &str) {
        let Some(state) = self.state.as_deref().filter(|_| self.settings.log > LogLevel::Off) else { return };
        // The log is for people; a hook that cannot write it works all the same.
        let _unwritten = action::log_hook(line, self.project.as_deref(), state);
    }

    /// Writes records, notifications and the log.
    pub(super) fn settle(&mut self, payload: &Payload) {
        self.verdict.notifications.extend(self.event_notification(payload));
        let world = EffectEnvironment {
            payload,
            stdin: &[],
            answers: payload.event.spec().answers,
            project: self.root.as_deref(),
            state_dir: self.state.as_deref(),
            agent_name: self.agent_name.as_deref(),
            is_prompt_of_user: false,
            deadline: None,
            announces_failures: false,
            announces_successes: false,
            channel: &self.settings.notifications.channel,
        };
        let failed = self.failures.iter().map(|failure| format!("{}: {}", failure.author, failure.text));
        self.problems.extend(failed);
        self.problems.extend(action::settle(&self.verdict, &world));
        self.log(payload);
    }

    /// Returns the notification about this event that `[notifications]` in the settings asks for; `None` if it asks for
    /// none, or if another registration performs the effects.
    fn event_notification(&self, payload: &Payload) -> Option<Notification> {
        let notifications = &self.settings.notifications;
        let name = payload.event.name();
        if self.only_decides
            || !is_listed(notifications, payload.event)
            || (is_system_event_hook(name) && !notifications.show_system_events)
        {
            return None;
        }
        let decision = Some(self.verdict.decision()).filter(|decision| *decision != Decision::Pass);
        let parts = [decision.map(|decision| decision.keyword().to_owned()), event_subject(payload)];
        let body = parts.into_iter().flatten().collect::<Vec<_>>().join(": ");
        Some(Notification { author: Author::Settings, title: format!("rules: {name}"), body })
    }

    /// Writes the event to the decision log. Does nothing for a trial of `rules doctor`, if the log is off, or if it is
    /// limited to decisions and no rule, question or problem is to be logged.
    fn log(&self, payload: &Payload) {
        if Host::is_sample(&payload.json) {
            return;
        }
        let level = self.settings.log;
        let Some(state) = self.state.as_deref().filter(|_| level > LogLevel::Off) else { return };
        let project = self.project.as_deref();
        let ended_ask = action::end_of_ask(payload, project, state);
        let rules = self.rules();
        let is_uneventful = rules.is_empty()
            && self.logged.observed.is_empty()
            && self.logged.observed_effects.is_empty()
            && self.problems.is_empty()
            && ended_ask.is_none();
        if level == LogLevel::Decisions && is_uneventful {
            return;
        }
        let decision = self.verdict.decision();
        if decision == Decision::Ask {
            // If the question cannot be remembered, only its outcome is missing in the log.
            let _forgotten = action::remember_ask(payload, project, state);
        }
        let mut observed = votes(&self.logged.observed);
        observed.extend(self.logged.observed_effects.iter().map(|rule| passing_rule_entry(rule)));
        let entry = LogEntry {
            host: self.host.name().to_owned(),
            event: payload.event_name().to_owned(),
            project: project.map(|project| project.to_string_lossy().into_owned()),
            decision: decision.keyword().to_owned(),
            ask: ended_ask,
            message: self.verdict.message(),
            rules,
            observed,
            unknown: self.unknown_reasons(),
            microseconds: self.took.map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX)),
            policy: Some(self.mark.clone()),
            journal: self.logged.journal_end,
            only_decided: self.only_decides,
            problems: self.problems.clone(),
            ..LogEntry::default()
        };
        let kept = if level == LogLevel::All { PayloadDetail::Payload } else { PayloadDetail::Call };
        // The log is for people; a hook that cannot write it has still answered.
        let _unwritten = action::log(entry, payload, kept, project, state);
    }

    /// Returns the reasons why rules were unknown, each with the rules that it concerns.
    fn unknown_reasons(&self) -> Vec<LoggedUnknown> {
        let mut unknowns: Vec<LoggedUnknown> = Vec::new();
        for judged in &self.logged.judged {
            let Some(reason) = judged.outcome.reason() else { continue };
            let reason = reason.sentence();
            match unknowns.iter_mut().find(|known| known.reason == reason) {
                Some(known) => known.rules.push(judged.display_name.clone()),
                None => unknowns.push(LoggedUnknown { reason, rules: vec![judged.display_name.clone()] }),
            }
        }
        unknowns
    }

    /// Returns the log entries of all votes, and of the rules that matched without voting.
    fn rules(&self) -> Vec<RuleVote> {
        let mut rules = votes(&self.verdict.votes);
        for judged in &self.logged.judged {
            let name = &judged.display_name;
            let acts = judged.outcome == RuleOutcome::Match && judged.role != RuleRole::VotesOfPreToolUse;
            let is_observed = || {
                self.logged.observed_effects.contains(name)
                    || self.logged.observed.iter().any(|vote| vote.author.is_rule(name))
            };
            // If another registration performs the effects, its log entry lists them.
            if acts && !self.only_decides && !rules.iter().any(|vote| vote.rule == *name) && !is_observed() {
                rules.push(passing_rule_entry(name));
            }
            if let Some(tree) = &judged.tree {
                let own = rules.iter_mut().filter(|vote| vote.rule == *name);
                own.for_each(|vote| vote.tree = Some(tree.to_string_lossy().into_owned()));
            }
        }
        rules
    }
}

/// Converts votes into log entries.
fn votes(votes: &[Vote]) -> Vec<RuleVote> {
    votes.iter().map(|vote| RuleVote::new(vote.author.name(), vote.decision.keyword())).collect()
}

/// Returns the log entry of a rule that matched without voting.
fn passing_rule_entry(rule: &str) -> RuleVote {
    RuleVote::new(rule, Decision::Pass.keyword())
}

/// Returns the subject of an event for a notification: the tool or the message, and the acting agent. `None` if it
/// has neither.
fn event_subject(payload: &Payload) -> Option<String> {
    // The id comes first: the type may be so long that the text after it is cut off.
    let agent = agent_id(payload).map(|id| match payload.subagent_type() {
        Some(kind) if kind != id => format!("{id} {kind}"),
        _ => id,
    });
    let subjects = [payload.tool_name(), payload.nonempty_text("message")];
    let subject = match payload.event {
        Event::Notification => subjects.into_iter().rev().flatten().next(),
        _ => subjects.into_iter().flatten().next(),
    };
    match (subject, agent) {
        (Some(subject), Some(agent)) => Some(format!("{subject} ({agent})")),
        (subject, agent) => subject.map(str::to_owned).or(agent),
    }
}

/// Returns the acting agent's id; an id that is not a string is shown as its JSON.
fn agent_id(payload: &Payload) -> Option<String> {
    let id = payload.json.get("agent_id").filter(|_| payload.is_by_subagent())?;
    Some(id.as_str().map_or_else(|| id.to_string(), str::to_owned))
}

/// Whether `[notifications]` covers an event.
pub(super) fn is_listed(wanted: &EffectiveNotifications, event: Event) -> bool {
    wanted.enabled && wanted.hooks.iter().any(|glob| glob_matches(glob, event.name()))
}
