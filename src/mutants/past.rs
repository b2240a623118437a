//! Sessions on which the answer of a question about the past may depend.

use std::time::Duration;

use crate::ruleset::{MarkedEvents, PastTest};
use crate::span::Span;
use crate::syntax::ast::{AstValue, Example, ExampleHead, PastActor, PastCall, PastEvents, SessionStep, ValueKind};

use super::additions::{blank_example, quoted_text, spanned_name};
use super::edit::{EditKind, MutantEdit};

/// Returns the mutations of the past events that a condition asks about: each limit removed, the other agent, and the two
/// marks around `since` swapped.
pub(super) fn past_mutations(events: &PastEvents) -> Vec<(PastEvents, MutantEdit)> {
    let mut out = Vec::new();
    let mut add = |changed: PastEvents, span: Span, kind: EditKind| out.push((changed, MutantEdit::new(span, kind)));
    if let Some(of) = &events.of {
        add(PastEvents { of: None, ..events.clone() }, of.span(), EditKind::ClauseRemoval("of"));
    }
    if let Some(by) = events.by {
        add(PastEvents { by: None, ..events.clone() }, events.span, EditKind::ClauseRemoval("by"));
        let (word, other, with) = match by {
            PastActor::Same => ("by same agent", PastActor::Another, "by another agent"),
            PastActor::Another => ("by another agent", PastActor::Same, "by same agent"),
        };
        let kind = EditKind::WordReplacement { word, by: with };
        add(PastEvents { by: Some(other), ..events.clone() }, events.span, kind);
    }
    if let Some(since) = &events.since {
        add(PastEvents { since: None, ..events.clone() }, since.span, EditKind::ClauseRemoval("since"));
        let swapped = PastEvents { mark: since.clone(), since: Some(events.mark.clone()), ..events.clone() };
        add(swapped, events.mark.span.joined_with(since.span), EditKind::Swap);
    }
    if let Some(within) = &events.within {
        add(PastEvents { within: None, ..events.clone() }, within.span, EditKind::ClauseRemoval("within"));
    }
    out
}

/// Returns sessions before a call on which a question about the past may depend: variants of those that examples have,
/// and sessions of commands that the marks remember.
pub(super) fn sessions(test: &PastTest, written: &[&[SessionStep]]) -> Vec<Vec<SessionStep>> {
    let mut out: Vec<Vec<SessionStep>> = vec![Vec::new()];
    let marked: Vec<SessionStep> = call_of(&test.mark).into_iter().collect();
    let ended: Vec<SessionStep> = test.since.iter().filter_map(call_of).collect();
    for steps in written.iter().copied().chain([marked.as_slice()]) {
        out.push(steps.to_vec());
        if !ended.is_empty() {
            out.push([steps, &ended].concat());
            out.push([&ended, steps].concat());
        }
        out.push(steps.iter().rev().cloned().collect());
        out.extend((0..steps.len()).map(|left_out| without(steps, left_out)));
    }
    let whole = out.clone();
    if let Some(within) = test.within {
        let wait = SessionStep::Wait(minutes(within / MILLISECONDS_PER_MINUTE + 1));
        out.extend(whole.iter().map(|steps| steps.iter().chain([&wait]).cloned().collect()));
    }
    if test.by.is_some() {
        out.extend(whole.iter().map(|steps| steps.iter().map(by_another_agent).collect::<Vec<_>>()));
    }
    out.retain(|steps: &Vec<SessionStep>| !matches!(steps.first(), Some(SessionStep::Wait(_))));
    out
}

const MILLISECONDS_PER_MINUTE: u64 = 60_000;

/// Returns a successful call of a command that a mark remembers; `None` if no such command is known.
fn call_of(mark: &MarkedEvents) -> Option<SessionStep> {
    let span = Span::default();
    let head = ExampleHead { name: spanned_name("Bash", span), subject: None };
    let text = quoted_text(mark.commands.iter().flatten().next()?);
    let call = Example { head: Some(head), text: Some(text), ..blank_example(span) };
    Some(SessionStep::Call(PastCall { times: None, call, end: Some(spanned_name("done", span)) }))
}

/// Returns the steps without one of them.
fn without(steps: &[SessionStep], left_out: usize) -> Vec<SessionStep> {
    steps.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, step)| step.clone()).collect()
}

/// Returns a step whose call is made by an agent, or by none if it has one.
fn by_another_agent(step: &SessionStep) -> SessionStep {
    let SessionStep::Call(past) = step else { return step.clone() };
    let mut past = past.clone();
    past.call.by = match &past.call.by {
        Some(_) => None,
        None => Some(spanned_name("worker", Span::default())),
    };
    SessionStep::Call(past)
}

/// Returns a duration as a value of the source: `11m`.
fn minutes(number: u64) -> AstValue {
    let duration = Duration::from_secs(number.saturating_mul(60));
    AstValue { kind: ValueKind::Duration(duration, format!("{number}m")), span: Span::default() }
}
