//! What a policy cannot do on a host: effects that the host does not support, events and fields that it never sends.
//!
//! A policy is written for every host, so none of this is a mistake as such; it is reported on request.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::conflicting_audiences::conflicting_audiences;
use super::findings::{Finding, each_rule};
use super::unfilled::unfilled;
use crate::diagnostic::{Code, Diagnostic};
use crate::host::{Audience, Fate, Host};
use crate::ruleset::{Effect, Mode, Rule};
use crate::schema::{Capability, Event};
use crate::span::Span;
use crate::verdict::{Decision, OnFail, OutputKind};

/// Returns the findings about rules on a host.
#[must_use]
pub(super) fn on_host(rules: &[Arc<Rule>], host: Host) -> Vec<Finding<'_>> {
    each_rule(rules, |rule, findings| {
        if rule.traits.mode == Mode::Off {
            return;
        }
        findings.extend(not_sent(rule, host));
        unfilled(rule, host, findings);
        for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
            for need in needs(effect) {
                findings.extend(not_carried(rule, host, &need, *span));
            }
            findings.extend(path_not_read(rule, host, effect, *span));
        }
        findings.extend(conflicting_audiences(rule, rules.iter().map(Arc::as_ref), host));
    })
}

/// Reports the events of a head that the host never sends; `on *` only means events that exist.
fn not_sent(rule: &Rule, host: Host) -> Option<Diagnostic> {
    let (sent, never): (Vec<Event>, Vec<Event>) =
        rule.head.event_set().into_iter().partition(|event| host.answers(*event).is_some());
    if rule.head.every_event || never.is_empty() {
        return None;
    }
    let (message, label) = match (sent.as_slice(), never.as_slice()) {
        ([], _) => (format!("under `{}` this rule never fires", host.name()), "the host sends none of its events"),
        (_, [only]) => (format!("`{}` never sends `{}`", host.name(), only.name()), "fires on its other events"),
        (_, several) => {
            (format!("`{}` never sends {} events of this rule", host.name(), several.len()), "fires on the others")
        }
    };
    let help = format!("the book's page about `{}` lists the events it sends", host.name());
    Some(Diagnostic::new(Code::NOT_SENT, message).label(rule.name_span, label).help(help))
}

/// A capability that an effect needs, as far as the policy states it.
struct NeededCapability {
    answer: Capability,
    written: CapabilitySource,
}

/// The part of the policy that needs a capability.
#[derive(Clone, Copy)]
enum CapabilitySource {
    /// This keyword.
    Word(&'static str),
    /// `interrupt`, with a denial that is reported separately.
    Interrupt,
    /// No keyword: by convention, exit code 2 of its command denies.
    ExitCode,
}

impl CapabilitySource {
    fn phrase(self) -> String {
        match self {
            Self::Word(_) | Self::Interrupt => format!("this `{}`", self.word()),
            Self::ExitCode => "exit code 2 of this `run`".to_owned(),
        }
    }

    /// Returns the keyword of the required capability.
    fn word(self) -> &'static str {
        match self {
            Self::Word(word) => word,
            Self::Interrupt => "interrupt",
            Self::ExitCode => Capability::Deny.word(),
        }
    }

    /// Returns the only event that supports the capability, if there is just one.
    fn only(self) -> Option<Event> {
        matches!(self, Self::Interrupt).then_some(Event::PermissionRequest)
    }

    /// Returns what the effect does instead.
    fn instead(self, fate: Fate) -> &'static str {
        match (self, fate) {
            (Self::Interrupt, Fate::Denied(_)) => "does not end the turn",
            (_, Fate::Carried) => "works as written",
            (_, Fate::Denied(_)) => "denies",
            (_, Fate::Left) => "changes nothing",
            (_, Fate::Told) => "only tells the agent",
            (_, Fate::Shown) => "only tells the user",
            (_, Fate::Unsent) => "is not sent",
            (_, Fate::ToldLater) => "is told later",
        }
    }
}

fn needs(effect: &Effect) -> Vec<NeededCapability> {
    let need = |answer: Capability, word| NeededCapability { answer, written: CapabilitySource::Word(word) };
    let plain = |answer: Capability| need(answer, answer.word());
    match effect {
        Effect::Vote { decision, interrupt, .. } => {
            let vote = match decision {
                Decision::Pass => None,
                Decision::Allow => Some(Capability::Allow),
                Decision::Ask => Some(Capability::Ask),
                Decision::Deny => Some(Capability::Deny),
                Decision::Halt => Some(Capability::Halt),
            };
            let interrupt = interrupt
                .then_some(NeededCapability { answer: Capability::Halt, written: CapabilitySource::Interrupt });
            vote.map(plain).into_iter().chain(interrupt).collect()
        }
        Effect::Exit { code: 2, .. } => vec![need(Capability::Deny, "exit 2")],
        Effect::Context(_) => vec![plain(Capability::Context)],
        Effect::Rewrite(_) => vec![plain(Capability::Rewrite)],
        Effect::Run(run) => {
            let by_failure = match run.options.on_fail {
                Some(OnFail::Deny) => Some(need(Capability::Deny, "on_fail: deny")),
                Some(OnFail::Context) => Some(need(Capability::Context, "on_fail: context")),
                Some(OnFail::Warn) => Some(need(Capability::Warn, "on_fail: warn")),
                Some(OnFail::Ignore) | None => None,
            };
            let by_output =
                (run.options.output == OutputKind::Context).then(|| need(Capability::Context, "output: context"));
            let denies_already = run.options.on_fail == Some(OnFail::Deny);
            let by_code = (run.can_block() && !denies_already)
                .then_some(NeededCapability { answer: Capability::Deny, written: CapabilitySource::ExitCode });
            by_failure.into_iter().chain(by_output).chain(by_code).collect()
        }
        Effect::Warn(_) => vec![plain(Capability::Warn)],
        Effect::Exit { .. } => vec![need(Capability::Warn, "exit")],
        Effect::Notify { .. } | Effect::Record(_) => Vec::new(),
    }
}

/// Reports what a host does instead with an answer on the sent events of a rule that support it; events with the same
/// result share a finding.
fn not_carried(rule: &Rule, host: Host, need: &NeededCapability, span: Span) -> Vec<Diagnostic> {
    let NeededCapability { answer, written } = *need;
    // `on *` does not mean any event in particular, so a later delivery on some is no surprise.
    if rule.head.every_event && answer == Capability::Warn {
        return Vec::new();
    }
    let mut all: BTreeMap<&str, BTreeMap<Fate, Vec<Event>>> = BTreeMap::new();
    for event in rule.head.event_set().into_iter().filter(|event| event.spec().answers.takes(answer)) {
        let Some(fate) = host.fate(event, answer).filter(|fate| *fate != Fate::Carried) else { continue };
        all.entry(written.instead(fate)).or_default().entry(fate).or_default().push(event);
    }
    let finding = |(instead, fates): (&str, BTreeMap<Fate, Vec<Event>>)| {
        let message = format!("under `{}` {} {instead}", host.name(), written.phrase());
        let on = fates.iter().map(|(fate, events)| format!("on {}{}", names(events), detail(need, *fate)));
        let label = on.collect::<Vec<_>>().join("; ");
        Diagnostic::new(Code::NOT_CARRIED, message).label(span, label).help(where_carried(rule, host, need))
    };
    all.into_iter().map(finding).collect()
}

/// Reports a command that makes a worktree, if the host makes it itself.
fn path_not_read(rule: &Rule, host: Host, effect: &Effect, span: Span) -> Option<Diagnostic> {
    let makes = matches!(effect, Effect::Run(run) if !run.options.background);
    let asked = rule.head.event_set().contains(&Event::WorktreeCreate);
    let sent = host.answers(Event::WorktreeCreate).is_some();
    (makes && asked && sent && !host.reads_worktree_path()).then(|| {
        let message = format!("under `{}` the path that this `run` prints is ignored", host.name());
        Diagnostic::new(Code::NOT_CARRIED, message)
            .label(span, "on `WorktreeCreate`: the host makes the worktree itself")
            .help("`@allow(not-carried-by-host, \"…\")` accepts it")
    })
}

/// Returns further details about the result.
fn detail(need: &NeededCapability, fate: Fate) -> &'static str {
    match (need.answer, fate) {
        (_, Fate::Denied(_)) if matches!(need.written, CapabilitySource::Interrupt) => {
            ": the call is denied, and the agent goes on"
        }
        (Capability::Ask, Fate::Denied(_)) => ", with a note that there is nobody to ask",
        (Capability::Rewrite, Fate::Denied(Audience::Agent)) => ", and the agent is told which input to use",
        (Capability::Rewrite, Fate::Denied(Audience::User)) => ", and the user is told which input is allowed",
        (Capability::Rewrite, Fate::Shown) => ": the agent reads the output unchanged",
        (Capability::Halt, Fate::Denied(Audience::Agent)) => ", and the agent is told to end its turn",
        (Capability::Halt, Fate::Denied(Audience::User)) => ", and the agent goes on",
        (_, Fate::ToldLater) => ": the user reads it at the next event that shows a text",
        (Capability::Allow, Fate::Left) => ": the host's own permissions decide",
        _ => "",
    }
}

/// Returns the events on which the host supports an answer.
fn where_carried(rule: &Rule, host: Host, need: &NeededCapability) -> String {
    // Only PostToolUse rewrites an output, and it cannot rewrite an input.
    let is_of_output = rule.head.event_set().contains(&Event::PostToolUse);
    let has_target =
        |event: &Event| need.answer != Capability::Rewrite || (*event == Event::PostToolUse) == is_of_output;
    let possible = |event: &Event| need.written.only().is_none_or(|only| only == *event) && has_target(event);
    let takes = |event: &Event| event.spec().answers.takes(need.answer) && possible(event);
    let carries = |event: &Event| takes(event) && host.fate(*event, need.answer) == Some(Fate::Carried);
    let events: Vec<Event> = Event::ALL.iter().copied().filter(carries).collect();
    let (host, word) = (host.name(), need.written.word());
    match events.as_slice() {
        [] => format!("`{host}` has no `{word}`; `@allow(not-carried-by-host, \"…\")` accepts it"),
        events => format!("`{host}` has `{word}` on {}", names(events)),
    }
}

pub(super) fn names(events: &[Event]) -> String {
    events.iter().map(|event| format!("`{}`", event.name())).collect::<Vec<_>>().join(", ")
}
