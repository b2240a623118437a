//! The past of an example: the events that a session had before.

use serde_json::{Map, Value as Json};

use super::ExampleSetting;
use super::input::{ExampleInput, input_in_session};
use crate::context::{Context, event_digest};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{TraceDetail, evaluate, marks_of_event};
use crate::facts::{SessionPast, StatedClock};
use crate::history::{CallDigest, History};
use crate::policy::TestedRules;
use crate::schema::{Event, OUTPUT};
use crate::syntax::ast::{AstValue, Example, Name, SessionStep, TestCase, ValueKind};
use crate::types::Payload;
use crate::verdict::Decision;

/// When the sessions of examples begin: 2026-01-01 at noon, in milliseconds since 1970.
const BEGINNING: u64 = 1_767_268_800_000;

/// The most calls that one step of a session makes.
const MOST_CALLS: u32 = 1_000;

/// The time from an event to the next one.
const PACE: u64 = 1_000;

/// A session of an example.
#[derive(Clone, Debug)]
pub(super) struct ExampleSession {
    history: History,
    /// The time of the next event.
    now: u64,
    /// What the last event that states it says of the clock, and when that was.
    clock: Option<(StatedClock, u64)>,
    /// The number of events so far.
    events: u64,
}

impl ExampleSession {
    /// Begins a session in which all marks are known from its beginning.
    fn new(setting: &ExampleSetting) -> Self {
        let ids = setting.marks.iter().filter_map(|rule| rule.mark()).map(|mark| mark.id);
        Self { history: History::known_from_start(ids), now: BEGINNING, clock: None, events: 0 }
    }

    /// Returns the session after some steps.
    ///
    /// # Errors
    /// A step is not an event of its host, or not possible.
    pub(super) fn after<'s>(
        steps: impl Iterator<Item = &'s SessionStep>,
        setting: &ExampleSetting,
    ) -> Result<Self, Diagnostic> {
        let mut session = Self::new(setting);
        for step in steps {
            session.take(step, setting, None)?;
        }
        Ok(session)
    }

    /// Returns the session before the judged event of a case.
    ///
    /// # Errors
    /// A step is not an event of its host, or the policy does not let it happen.
    pub(super) fn of_case(case: &TestCase, rules: &TestedRules, setting: &ExampleSetting) -> Result<Self, Diagnostic> {
        let mut session = Self::new(setting);
        for step in case.steps().chain(case.given.after.iter().flatten()) {
            session.take(step, setting, Some(rules))?;
        }
        Ok(session)
    }

    /// Returns what is known of the session now.
    pub(super) fn past(&self) -> SessionPast {
        SessionPast::new(History { now: Some(self.now), ..self.history.clone() })
    }

    /// Returns what clocks show now, as far as an event stated it.
    pub(super) fn clock(&self) -> StatedClock {
        let Some((stated, at)) = self.clock else { return StatedClock::default() };
        stated.later_by(i64::try_from((self.now - at) / 60_000).unwrap_or(i64::MAX))
    }

    /// Takes a step.
    fn take(
        &mut self,
        step: &SessionStep,
        setting: &ExampleSetting,
        rules: Option<&TestedRules>,
    ) -> Result<(), Diagnostic> {
        match step {
            SessionStep::Wait(time) => {
                self.now = self.now.saturating_add(milliseconds(time)?);
                Ok(())
            }
            SessionStep::Call(call) => {
                let (times, span) = call.times.unwrap_or((1, call.call.span));
                if times > MOST_CALLS {
                    let message = format!("more than {MOST_CALLS} calls");
                    let found = Diagnostic::new(Code::BAD_EXAMPLE, message).label(span, "too many for an example");
                    return Err(found.help("test the limit with a smaller one, as a `let`"));
                }
                let given = input_in_session(&call.call, None, setting, self)?;
                self.clock = Some((given.facts.clock(), self.now));
                (0..times).try_for_each(|_| self.call(&given, call.end.as_ref(), setting, rules))
            }
        }
    }

    /// Takes an event, and what follows if it is a call with its end.
    fn call(
        &mut self,
        given: &ExampleInput,
        end: Option<&Name>,
        setting: &ExampleSetting,
        rules: Option<&TestedRules>,
    ) -> Result<(), Diagnostic> {
        let Some(end) = end else {
            self.observe(given, setting);
            return Ok(());
        };
        if given.payload.event != Event::PreToolUse {
            return Err(Diagnostic::new(Code::BAD_EXAMPLE, format!("`{}` of an event that is no call", end.text))
                .label(end.span, "only a call of a tool ends")
                .help("leave it out"));
        }
        if let Some(rules) = rules {
            self.check_possible(given, end, rules, setting)?;
        }
        let id = format!("call-{}", self.events);
        let begun = with_members(given, Event::PreToolUse, &id, &[]);
        self.observe(&begun, setting);
        for (event, members) in events_of_end(&end.text) {
            self.observe(&with_members(given, *event, &id, members), setting);
        }
        Ok(())
    }

    /// Reports a call that ended although the policy denies it.
    fn check_possible(
        &self,
        given: &ExampleInput,
        end: &Name,
        rules: &TestedRules,
        setting: &ExampleSetting,
    ) -> Result<(), Diagnostic> {
        let facts = given.facts.clone().with_past(self.past());
        let context = Context::new(&given.payload, given.host.name(), &facts, &setting.tools);
        let verdict = evaluate(rules.set(), &context, TraceDetail::Outcomes).verdict;
        if verdict.decision() < Decision::Deny {
            return Ok(());
        }
        let by: Vec<String> = verdict.winning_votes().map(|vote| format!("`{}`", vote.author.name())).collect();
        Err(Diagnostic::new(Code::BAD_EXAMPLE, format!("a denied call is `{}`", end.text))
            .label(end.span, format!("denied by {}", by.join(", ")))
            .help("leave it out: a denied call is only an attempt"))
    }

    /// Lets the marks remember an event. They do not ask about the past.
    fn observe(&mut self, given: &ExampleInput, setting: &ExampleSetting) {
        let context = Context::new(&given.payload, given.host.name(), &given.facts, &setting.tools);
        self.events += 1;
        let call = given.payload.nonempty_text("tool_use_id").map(CallDigest::of);
        let event = event_digest(&given.payload);
        for mark in marks_of_event(&setting.marks, &context) {
            self.history.add(&mark, (given.payload.event, event), call, (self.events, self.now));
        }
        self.now = self.now.saturating_add(PACE);
    }
}

/// Returns what is known of a session before an example.
///
/// # Errors
/// A step before it is not an event of its host.
pub fn past_of_example(example: &Example, setting: &ExampleSetting) -> Result<SessionPast, Diagnostic> {
    ExampleSession::after(example.after.iter().flatten(), setting).map(|session| session.past())
}

/// Returns the events that follow the beginning of a call, with the members of each, by how the call ended.
fn events_of_end(end: &str) -> &'static [(Event, &'static [(&'static str, &'static str)])] {
    match end {
        "failed" => &[(Event::PostToolUseFailure, &[("error", "It failed.")])],
        "approved" => &[(Event::PermissionRequest, &[]), (Event::PostToolUse, &[])],
        "refused" => &[(Event::PermissionRequest, &[]), (Event::PermissionDenied, &[("reason", "It was refused.")])],
        _ => &[(Event::PostToolUse, &[])],
    }
}

/// Returns a later event about the same call.
fn with_members(given: &ExampleInput, event: Event, id: &str, members: &[(&str, &str)]) -> ExampleInput {
    let mut json = given.payload.json.clone();
    json.insert("hook_event_name".to_owned(), event.name().into());
    json.insert("tool_use_id".to_owned(), id.into());
    if event == Event::PostToolUse {
        json.entry(OUTPUT).or_insert_with(|| Json::Object(Map::new()));
    }
    json.extend(members.iter().map(|(name, value)| ((*name).to_owned(), Json::from(*value))));
    ExampleInput { payload: Payload { event, json, ..given.payload.clone() }, ..given.clone() }
}

/// Returns the milliseconds of a wait.
fn milliseconds(time: &AstValue) -> Result<u64, Diagnostic> {
    match &time.kind {
        ValueKind::Duration(duration, _) => Ok(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)),
        _ => Err(Diagnostic::new(Code::BAD_EXAMPLE, "`wait` takes a duration")
            .label(time.span, "not a duration")
            .help("write a number and a unit: `wait 30s`, `wait 11m`")),
    }
}
