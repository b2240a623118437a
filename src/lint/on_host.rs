//! What a host makes of a policy: effects that it cannot carry, and events that it never sends.
//!
//! A policy is stated for every host, so nothing of this is wrong by itself; it is said where somebody asks about one.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::host::{Fate, Host, Reader};
use crate::ruleset::{Effect, Mode, Rule};
use crate::schema::{Answer, Event};
use crate::verdict::{Decision, OnFail, OutputKind};

/// Returns what a host makes of rules, without what an `@allow` of theirs accepts.
#[must_use]
pub fn on_host(rules: &[Arc<Rule>], host: Host) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for rule in rules.iter().filter(|rule| rule.traits.mode != Mode::Off) {
        found.extend(not_sent(rule, host));
        for (effect, span) in rule.effects.iter().zip(&rule.effect_spans) {
            for need in needs(effect) {
                for (fate, events) in fates(rule, host, need.answer) {
                    let message = format!("under `{}` this `{}` {}", host.name(), need.word, instead(fate));
                    found.push(
                        Diagnostic::new(Code::NOT_CARRIED, message)
                            .label(*span, format!("on {}{}", names(&events), detail(need.answer, fate)))
                            .help(where_carried(host, &need)),
                    );
                }
            }
        }
    }
    found.retain(|finding| !super::accepts(rules, finding));
    found
}

/// Reports the events of a head that the host never sends; `on *` means those that there are.
fn not_sent(rule: &Rule, host: Host) -> Option<Diagnostic> {
    let (sent, never): (Vec<Event>, Vec<Event>) =
        rule.head.event_set().into_iter().partition(|event| host.answers(*event).is_some());
    if rule.head.every_event || never.is_empty() {
        return None;
    }
    let (message, label) = match (sent.as_slice(), never.as_slice()) {
        ([], _) => (format!("under `{}` this rule never fires", host.name()), "none of its events is sent"),
        (_, [only]) => (format!("`{}` never sends `{}`", host.name(), only.name()), "fires on its other events"),
        (_, several) => {
            (format!("`{}` never sends {} events of this rule", host.name(), several.len()), "fires on the others")
        }
    };
    let help = format!("the book's page about `{}` lists the events that it sends", host.name());
    Some(Diagnostic::new(Code::NOT_SENT, message).label(rule.name_span, label).help(help))
}

/// An answer that an effect needs, as far as it is written in the policy.
struct Need {
    answer: Answer,
    /// How the policy says it.
    word: &'static str,
    /// The one event that can be answered so, if it is one.
    only: Option<Event>,
}

fn needs(effect: &Effect) -> Vec<Need> {
    let need = |answer: Answer, word| Need { answer, word, only: None };
    let plain = |answer: Answer| need(answer, answer.word());
    match effect {
        Effect::Vote { decision, interrupt, .. } => {
            let vote = match decision {
                Decision::Pass => None,
                Decision::Allow => Some(Answer::Allow),
                Decision::Ask => Some(Answer::Ask),
                Decision::Deny => Some(Answer::Deny),
                Decision::Halt => Some(Answer::Halt),
            };
            let only = Some(Event::PermissionRequest);
            let interrupt = interrupt.then_some(Need { answer: Answer::Halt, word: "interrupt", only });
            vote.map(plain).into_iter().chain(interrupt).collect()
        }
        Effect::Exit { code: 2, .. } => vec![need(Answer::Deny, "exit 2")],
        Effect::Context(_) => vec![plain(Answer::Context)],
        Effect::Rewrite(_) => vec![plain(Answer::Rewrite)],
        Effect::Run(run) => match (run.on_fail, run.output) {
            (Some(OnFail::Deny), _) => vec![need(Answer::Deny, "on_fail: deny")],
            (Some(OnFail::Context), _) => vec![need(Answer::Context, "on_fail: context")],
            (_, OutputKind::Context) => vec![need(Answer::Context, "output: context")],
            _ => Vec::new(),
        },
        Effect::Warn(_) | Effect::Exit { .. } | Effect::Notify { .. } | Effect::Record(_) => Vec::new(),
    }
}

/// Returns what becomes of an answer on the events of the rule that can be given it and are sent, where that is
/// something else; events with one fate together.
fn fates(rule: &Rule, host: Host, answer: Answer) -> Vec<(Fate, Vec<Event>)> {
    let mut all: Vec<(Fate, Vec<Event>)> = Vec::new();
    for event in rule.head.event_set().into_iter().filter(|event| event.spec().answers.takes(answer)) {
        match host.fate(event, answer) {
            None | Some(Fate::Carried) => {}
            Some(fate) => match all.iter_mut().find(|(known, _)| *known == fate) {
                Some((_, events)) => events.push(event),
                None => all.push((fate, vec![event])),
            },
        }
    }
    all
}

/// Says what an effect comes to in its place.
fn instead(fate: Fate) -> &'static str {
    match fate {
        Fate::Carried => "does what it says",
        Fate::Denied(_) => "denies",
        Fate::Left => "changes nothing",
        Fate::Told => "only tells the agent",
        Fate::Shown => "only tells the user",
    }
}

/// Says what else there is to know about it.
fn detail(answer: Answer, fate: Fate) -> &'static str {
    match (answer, fate) {
        (Answer::Ask, Fate::Denied(_)) => ", with a note that nobody can be asked",
        (Answer::Rewrite, Fate::Denied(Reader::Agent)) => ", and the agent is told which input to use",
        (Answer::Rewrite, Fate::Denied(Reader::User)) => ", and the user is told which input is allowed",
        (Answer::Halt, Fate::Denied(Reader::Agent)) => ", and the agent is told to end its turn",
        (Answer::Halt, Fate::Denied(Reader::User)) => ", and the agent goes on",
        (Answer::Allow, Fate::Left) => ": the host's own permissions decide",
        _ => "",
    }
}

/// Says on which events the host carries an answer.
fn where_carried(host: Host, need: &Need) -> String {
    let possible = |event: &Event| need.only.is_none_or(|only| only == *event);
    let carries = |event: &Event| possible(event) && host.fate(*event, need.answer) == Some(Fate::Carried);
    let events: Vec<Event> = Event::ALL.iter().copied().filter(carries).collect();
    let (host, word) = (host.name(), need.word);
    match events.as_slice() {
        [] => format!("`{host}` has no `{word}`; `@allow(not-carried-by-host, \"…\")` accepts it"),
        events => format!("`{host}` has `{word}` on {}", names(events)),
    }
}

fn names(events: &[Event]) -> String {
    events.iter().map(|event| format!("`{}`", event.name())).collect::<Vec<_>>().join(", ")
}
