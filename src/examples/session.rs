//! The past that an example assumes: the earlier events of its session, and what marks remember of them.

use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::input::{ExampleInput, event_and_tool, input_in_session, key_path};
use super::{ExampleSetting, ObservedResults};
use crate::context::{CALL_ID, Context, event_of_call, input_digest};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{TraceDetail, evaluate, observed_marks_of_event};
use crate::facts::{SessionPast, StatedClock, known_past};
use crate::history::{CallDigest, History, InputDigest, PlannedMark};
use crate::policy::TestedRules;
use crate::schema::{Event, OUTPUT};
use crate::syntax::ast::{AstValue, Example, ExampleHead, MapKey, Name, SessionStep, TestCase, ValueKind};
use crate::types::Payload;
use crate::verdict::Decision;

/// When the sessions of examples begin: 2026-01-01 at noon, in milliseconds since 1970.
const BEGINNING: u64 = 1_767_268_800_000;

/// The maximum number of times that one step of a session can repeat its call.
const MOST_CALLS: u32 = 1_000;

/// The time from one event to the next, in milliseconds.
const MILLISECONDS_PER_EVENT: u64 = 1_000;

/// The simulated session of an example up to some moment: what its marks remember, and the time.
#[derive(Clone, Debug)]
pub(super) struct ExampleSession {
    /// The past at the time of the next event, shared with what is judged by it.
    history: Arc<History>,
    /// The time of the next event, in milliseconds since 1970.
    now: u64,
    /// The time of day and the weekday that the last call stated, and when that call was, in milliseconds since 1970.
    clock: Option<(StatedClock, u64)>,
    /// The number of events so far.
    events: u64,
    /// The results of the marks at each event, if coverage is asked for.
    results: Option<ObservedResults>,
}

impl ExampleSession {
    /// Begins a session that every mark has watched from its start.
    fn new(setting: &ExampleSetting) -> Self {
        let ids = setting.marks.iter().filter_map(|rule| rule.mark()).map(|mark| mark.id);
        let history = History { now: Some(BEGINNING), ..History::known_from_start(ids) };
        Self { history: Arc::new(history), now: BEGINNING, clock: None, events: 0, results: None }
    }

    /// Returns the session of an example after its earlier steps. They are not judged: a call may end even if a policy
    /// would deny it.
    ///
    /// # Errors
    /// A step is not an event of its host, or is malformed.
    pub(super) fn after<'s>(
        steps: impl Iterator<Item = &'s SessionStep>,
        setting: &ExampleSetting,
    ) -> Result<Self, Diagnostic> {
        let mut session = Self::new(setting);
        for step in steps {
            session.take_step(step, setting, None)?;
        }
        Ok(session)
    }

    /// Returns the session of a case up to the event that is judged. A call must not end if `rules` deny it.
    ///
    /// # Errors
    /// A step is not an event of its host, or the policy does not let it happen.
    pub(super) fn of_case(case: &TestCase, rules: &TestedRules, setting: &ExampleSetting) -> Result<Self, Diagnostic> {
        let mut session = Self::new(setting);
        for step in case.steps().chain(case.given.after.iter().flatten()) {
            session.take_step(step, setting, Some(rules))?;
        }
        Ok(session)
    }

    /// Returns what marks know of the session so far.
    pub(super) fn past(&self) -> SessionPast {
        known_past(Arc::clone(&self.history))
    }

    /// Lets time pass.
    fn pass(&mut self, milliseconds: u64) {
        self.now = self.now.saturating_add(milliseconds);
        Arc::make_mut(&mut self.history).now = Some(self.now);
    }

    /// Returns what clocks show at the present moment, as far as an earlier call stated a time.
    pub(super) fn clock(&self) -> StatedClock {
        let Some((stated, stated_at)) = self.clock else { return StatedClock::default() };
        stated.later_by(i64::try_from((self.now - stated_at) / 60_000).unwrap_or(i64::MAX))
    }

    /// Applies one step: a pause, or a call, possibly repeated. With `rules`, reports a call that ends although they
    /// deny it.
    fn take_step(
        &mut self,
        step: &SessionStep,
        setting: &ExampleSetting,
        rules: Option<&TestedRules>,
    ) -> Result<(), Diagnostic> {
        match step {
            SessionStep::Wait(time) => {
                self.pass(milliseconds(time)?);
                Ok(())
            }
            SessionStep::Call(call) => {
                let (times, span) = call.times.unwrap_or((1, call.call.span));
                if times > MOST_CALLS {
                    let message = format!("more than {MOST_CALLS} calls");
                    let found = Diagnostic::new(Code::BAD_EXAMPLE, message).label(span, "too many for an example");
                    return Err(found.help("test the limit with a smaller one, as a `let`"));
                }
                let begun = call.end.as_ref().map(|end| beginning(&call.call, &end.text));
                let given = input_in_session(begun.as_ref().unwrap_or(&call.call), None, setting, self)?;
                self.clock = Some((given.facts.clock(), self.now));
                let Some(end) = &call.end else {
                    let observed = self.observed(&given, setting);
                    let id = given.payload.nonempty_text(CALL_ID);
                    (0..times).for_each(|_| self.remember(&observed, id));
                    return Ok(());
                };
                if given.payload.event != Event::PreToolUse {
                    return Err(Diagnostic::new(
                        Code::BAD_EXAMPLE,
                        format!("`{}` of an event that is no call", end.text),
                    )
                    .label(end.span, "only a call of a tool ends")
                    .help("leave it out"));
                }
                let events = events_of_end(&end.text).iter().map(|(event, members)| {
                    let input = input_in_session(&at_end(&call.call, *event, &end.text)?, None, setting, self)?;
                    Ok((*event, input, *members))
                });
                let events = events.collect::<Result<Vec<_>, Diagnostic>>()?;
                self.observe_calls(times, &given, (end, &events), setting, rules)
            }
        }
    }

    /// Lets the marks observe some equal calls, each with the events that follow from its end.
    fn observe_calls(
        &mut self,
        times: u32,
        given: &ExampleInput,
        (end, events): (&Name, &[EventOfEnd]),
        setting: &ExampleSetting,
        rules: Option<&TestedRules>,
    ) -> Result<(), Diagnostic> {
        // Repeated calls differ in their ids alone, so that a mark that reads no id has the same result for each.
        let reads_ids = setting.marks.iter().any(|rule| rule.may_read_member(CALL_ID));
        let mut known: Vec<ObservedEvent> = Vec::new();
        for _ in 0..times {
            if let Some(rules) = rules {
                self.check_possible(given, end, rules, setting)?;
            }
            if reads_ids {
                known.clear();
            }
            let id = format!("call-{}", self.events);
            let parts = events.iter().map(|(event, input, members)| (*event, input, *members));
            let parts = std::iter::once((Event::PreToolUse, given, NO_MEMBERS)).chain(parts);
            for (index, (event, input, members)) in parts.enumerate() {
                if known.len() == index {
                    known.push(self.observed(&with_members(input, event, &id, members), setting));
                }
                known.get(index).into_iter().for_each(|observed| self.remember(observed, Some(&id)));
            }
        }
        Ok(())
    }

    /// Reports a call that is said to have ended although the policy denies it.
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

    /// Returns what the marks are going to remember of an event. Only at the end of a call does the context have a
    /// past, which says in which directory the call began; a mark does not ask about the past.
    fn observed(&mut self, given: &ExampleInput, setting: &ExampleSetting) -> ObservedEvent {
        let with_past = given.payload.event.ends_call().then(|| given.facts.clone().with_past(self.past()));
        let facts = with_past.as_ref().unwrap_or(&given.facts);
        let context = Context::new(&given.payload, given.host.name(), facts, &setting.tools);
        let detail = if self.results.is_some() { TraceDetail::Conditions } else { TraceDetail::Outcomes };
        let results = &mut self.results;
        let planned = observed_marks_of_event(&setting.marks, &context, detail, &mut |rule, judged| {
            // The rule that the compiler adds for the beginning of calls is no rule of the author.
            if let Some(results) = results.as_mut().filter(|_| !rule.is_generated()) {
                results.add_judged(rule, judged);
            }
        });
        ObservedEvent { event: given.payload.event, planned, input: input_digest(&given.payload) }
    }

    /// Lets the marks remember an event, whose call has this id, and lets time pass.
    fn remember(&mut self, observed: &ObservedEvent, id: Option<&str>) {
        self.events += 1;
        let (call, event) = (id.map(CallDigest::of), id.map(|id| event_of_call(observed.event, id)));
        let history = Arc::make_mut(&mut self.history);
        for mark in &observed.planned {
            history.add(mark, (observed.event, event), (call, observed.input), (self.events, self.now));
        }
        self.pass(MILLISECONDS_PER_EVENT);
    }
}

/// An event of a session, and what the marks remember of it however often it happens.
struct ObservedEvent {
    event: Event,
    planned: Vec<PlannedMark>,
    /// The tool and the input of a call that was about to run.
    input: Option<InputDigest>,
}

/// Returns the results of the marks at the events of a session, for coverage; none of the events after a step that is
/// malformed.
pub(super) fn results_of_steps<'s>(
    steps: impl Iterator<Item = &'s SessionStep>,
    setting: &ExampleSetting,
) -> ObservedResults {
    let mut session = ExampleSession { results: Some(ObservedResults::default()), ..ExampleSession::new(setting) };
    for step in steps {
        if session.take_step(step, setting, None).is_err() {
            break;
        }
    }
    session.results.unwrap_or_default()
}

/// Returns what marks know of the session at the moment of an example.
///
/// # Errors
/// An earlier step of the example is not an event of its host.
pub fn past_of_example(example: &Example, setting: &ExampleSetting) -> Result<SessionPast, Diagnostic> {
    ExampleSession::after(example.after.iter().flatten(), setting).map(|session| session.past())
}

/// An event that follows from the end of a call: its input, and the members that it has unless the example states them.
type EventOfEnd = (Event, ExampleInput, &'static [(&'static str, &'static str)]);

/// No members, for the beginning of a call.
const NO_MEMBERS: &[(&str, &str)] = &[];

/// Returns the events that follow PreToolUse if a call ended in this way, and the members that each event adds:
/// `approved` is a question, then PostToolUse.
fn events_of_end(end: &str) -> &'static [(Event, &'static [(&'static str, &'static str)])] {
    match end {
        "failed" => &[(Event::PostToolUseFailure, &[("error", "It failed.")])],
        "approved" => &[(Event::PermissionRequest, &[]), (Event::PostToolUse, &[])],
        "refused" => &[(Event::PermissionRequest, &[]), (Event::PermissionDenied, &[("reason", "It was refused.")])],
        _ => &[(Event::PostToolUse, &[])],
    }
}

/// Returns the beginning of a call: without the fields that only the events of its end have, such as `tool_response`.
fn beginning(call: &Example, end: &str) -> Example {
    with_fields(call, |key| !is_only_of_end(key, end))
}

/// Returns an event that follows from the end of a call, with those of its fields that the event has.
///
/// # Errors
/// The call names no tool that exists.
fn at_end(call: &Example, event: Event, end: &str) -> Result<Example, Diagnostic> {
    let (_, tool) = event_and_tool(call, None)?;
    let span = call.head.as_ref().map_or(call.span, |head| head.name.span);
    let named = |text: &str| Name { text: text.to_owned(), span };
    let head = ExampleHead { name: named(event.name()), subject: tool.as_deref().map(named) };
    let ended = with_fields(call, |key| !is_only_of_end(key, end) || has_field(event, key));
    Ok(Example { head: Some(head), ..ended })
}

/// Returns an example with those of its fields that `is_kept` accepts.
fn with_fields(call: &Example, is_kept: impl Fn(&MapKey) -> bool) -> Example {
    let mut kept = call.clone();
    if let Some(fields) = &mut kept.fields {
        fields.entries.retain(|entry| is_kept(&entry.key));
    }
    kept
}

/// Whether a field belongs to an event that follows from the end of a call, and not to its beginning.
fn is_only_of_end(key: &MapKey, end: &str) -> bool {
    !has_field(Event::PreToolUse, key) && events_of_end(end).iter().any(|(event, _)| has_field(*event, key))
}

/// Whether an event has a field.
fn has_field(event: Event, key: &MapKey) -> bool {
    let name = key_path(key).and_then(|path| path.into_iter().next());
    name.is_some_and(|name| event.fields().any(|field| field.name == name))
}

/// Returns the payload of `given` as that of a call `id`, with members that it has unless it states them.
fn with_members(given: &ExampleInput, event: Event, id: &str, members: &[(&str, &str)]) -> ExampleInput {
    let mut json = given.payload.json.clone();
    json.insert(CALL_ID.to_owned(), id.into());
    if event == Event::PostToolUse {
        json.entry(OUTPUT).or_insert_with(|| Json::Object(Map::new()));
    }
    for (name, value) in members {
        json.entry(*name).or_insert_with(|| Json::from(*value));
    }
    ExampleInput { payload: Payload { json, ..given.payload.clone() }, ..given.clone() }
}

/// Returns the duration of a `wait`, in milliseconds.
fn milliseconds(time: &AstValue) -> Result<u64, Diagnostic> {
    match &time.kind {
        ValueKind::Duration(duration, _) => Ok(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)),
        _ => Err(Diagnostic::new(Code::BAD_EXAMPLE, "`wait` takes a duration")
            .label(time.span, "not a duration")
            .help("write a number and a unit: `wait 30s`, `wait 11m`")),
    }
}
