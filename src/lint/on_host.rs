//! What a policy does not get from a host: effects that the host does not support, events and fields that it never
//! sends.
//!
//! Because a policy is written for every host, none of this is a mistake, and it is reported only on request.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::conflicting_audiences::conflicting_audiences;
use super::findings::{LintFinding, each_rule};
use super::unfilled::check_unfilled_fields;
use crate::diagnostic::{Code, Diagnostic};
use crate::host::{Audience, EffectFate, Host};
use crate::ruleset::{Effect, Rule, RuleMode};
use crate::schema::{Capability, Event};
use crate::span::Span;
use crate::verdict::{Decision, OnFail, OutputKind};

/// Returns the findings about the use of rules on a host.
#[must_use]
pub(super) fn host_findings(rules: &[Arc<Rule>], host: Host) -> Vec<LintFinding<'_>> {
    each_rule(rules, |rule, findings| {
        if rule.traits.mode == RuleMode::Off {
            return;
        }
        findings.extend(unsent_event_finding(rule, host));
        check_unfilled_fields(rule, host, findings);
        for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
            for need in needed_capabilities(effect) {
                findings.extend(unsupported_answer_findings(rule, host, &need, *span));
            }
            findings.extend(unread_path_finding(rule, host, effect, *span));
        }
        findings.extend(conflicting_audiences(rule, rules.iter().map(Arc::as_ref), host));
    })
}

/// Returns the finding about events of a rule that the host never sends; `None` for `on *`, which only means events
/// that are sent.
fn unsent_event_finding(rule: &Rule, host: Host) -> Option<Diagnostic> {
    let (sent, never): (Vec<Event>, Vec<Event>) =
        rule.head.event_set().into_iter().partition(|event| host.capabilities(*event).is_some());
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

/// A capability of the host that an effect needs, and what in the source text needs it.
struct NeededCapability {
    capability: Capability,
    source: CapabilitySource,
}

/// What in the source text of an effect needs a capability.
#[derive(Clone, Copy)]
enum CapabilitySource {
    /// A keyword or an option: `deny`, `on_fail: deny`.
    Word(&'static str),
    /// The keyword `interrupt`, whose denial is reported separately.
    Interrupt,
    /// Nothing in the text: by convention, exit code 2 of a command denies.
    ExitCode,
}

impl CapabilitySource {
    /// Returns the phrase for the source in a message: ``this `deny` ``.
    fn phrase(self) -> String {
        match self {
            Self::Word(_) | Self::Interrupt => format!("this `{}`", self.keyword()),
            Self::ExitCode => "exit code 2 of this `run`".to_owned(),
        }
    }

    /// Returns the keyword of the capability.
    fn keyword(self) -> &'static str {
        match self {
            Self::Word(word) => word,
            Self::Interrupt => "interrupt",
            Self::ExitCode => Capability::Deny.keyword(),
        }
    }

    /// Returns the only event on which any host has the capability; `None` if there are several.
    fn only_event(self) -> Option<Event> {
        matches!(self, Self::Interrupt).then_some(Event::PermissionRequest)
    }

    /// Returns what happens on the host instead, as the verb of a message.
    fn substitute(self, fate: EffectFate) -> &'static str {
        match (self, fate) {
            (Self::Interrupt, EffectFate::Denied(_)) => "does not end the turn",
            (_, EffectFate::Carried) => "works as written",
            (_, EffectFate::Denied(_)) => "denies",
            (_, EffectFate::HostDecides) => "changes nothing",
            (_, EffectFate::AgentReads) => "only tells the agent",
            (_, EffectFate::UserReads) => "only tells the user",
            (_, EffectFate::NobodyReads) => "is not sent",
            (_, EffectFate::UserReadsLater) => "is told later",
        }
    }
}

/// Returns the capabilities that an effect needs.
fn needed_capabilities(effect: &Effect) -> Vec<NeededCapability> {
    let need = |answer: Capability, word| NeededCapability { capability: answer, source: CapabilitySource::Word(word) };
    let plain = |answer: Capability| need(answer, answer.keyword());
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
                .then_some(NeededCapability { capability: Capability::Halt, source: CapabilitySource::Interrupt });
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
                .then_some(NeededCapability { capability: Capability::Deny, source: CapabilitySource::ExitCode });
            by_failure.into_iter().chain(by_output).chain(by_code).collect()
        }
        Effect::Warn(_) => vec![plain(Capability::Warn)],
        Effect::Exit { .. } => vec![need(Capability::Warn, "exit")],
        Effect::Notify { .. } | Effect::Record(_) => Vec::new(),
    }
}

/// Returns findings about what a host does in place of an answer that it does not support, on the events of a rule
/// that can have the answer. Events with the same result share a finding.
fn unsupported_answer_findings(rule: &Rule, host: Host, need: &NeededCapability, span: Span) -> Vec<Diagnostic> {
    let NeededCapability { capability: answer, source: written } = *need;
    // `on *` means no event in particular, so it does not matter if a warning is shown later on some.
    if rule.head.every_event && answer == Capability::Warn {
        return Vec::new();
    }
    let mut all: BTreeMap<&str, BTreeMap<EffectFate, Vec<Event>>> = BTreeMap::new();
    for event in rule.head.event_set().into_iter().filter(|event| event.spec().answers.has_capability(answer)) {
        let Some(fate) = host.fate(event, answer).filter(|fate| *fate != EffectFate::Carried) else { continue };
        all.entry(written.substitute(fate)).or_default().entry(fate).or_default().push(event);
    }
    let finding = |(instead, fates): (&str, BTreeMap<EffectFate, Vec<Event>>)| {
        let message = format!("under `{}` {} {instead}", host.name(), written.phrase());
        let on = fates.iter().map(|(fate, events)| format!("on {}{}", event_names(events), fate_detail(need, *fate)));
        let label = on.collect::<Vec<_>>().join("; ");
        Diagnostic::new(Code::NOT_CARRIED, message).label(span, label).help(supporting_events(rule, host, need))
    };
    all.into_iter().map(finding).collect()
}

/// Returns the finding about a command on WorktreeCreate whose output the host ignores, because it creates the
/// worktree itself.
fn unread_path_finding(rule: &Rule, host: Host, effect: &Effect, span: Span) -> Option<Diagnostic> {
    let makes = matches!(effect, Effect::Run(run) if !run.options.background);
    let asked = rule.head.event_set().contains(&Event::WorktreeCreate);
    let sent = host.capabilities(Event::WorktreeCreate).is_some();
    (makes && asked && sent && !host.is_worktree_path_read()).then(|| {
        let message = format!("under `{}` the path that this `run` prints is ignored", host.name());
        Diagnostic::new(Code::NOT_CARRIED, message)
            .label(span, "on `WorktreeCreate`: the host makes the worktree itself")
            .help("`@allow(not-carried-by-host, \"…\")` accepts it")
    })
}

/// Returns a detail about the result, to follow the names of the events; often empty.
fn fate_detail(need: &NeededCapability, fate: EffectFate) -> &'static str {
    match (need.capability, fate) {
        (_, EffectFate::Denied(_)) if matches!(need.source, CapabilitySource::Interrupt) => {
            ": the call is denied, and the agent goes on"
        }
        (Capability::Ask, EffectFate::Denied(_)) => ", with a note that there is nobody to ask",
        (Capability::Rewrite, EffectFate::Denied(Audience::Agent)) => ", and the agent is told which input to use",
        (Capability::Rewrite, EffectFate::Denied(Audience::User)) => ", and the user is told which input is allowed",
        (Capability::Rewrite, EffectFate::UserReads) => ": the agent reads the output unchanged",
        (Capability::Halt, EffectFate::Denied(Audience::Agent)) => ", and the agent is told to end its turn",
        (Capability::Halt, EffectFate::Denied(Audience::User)) => ", and the agent goes on",
        (_, EffectFate::UserReadsLater) => ": the user reads it at the next event that shows a text",
        (Capability::Allow, EffectFate::HostDecides) => ": the host's own permissions decide",
        _ => "",
    }
}

/// Returns the help: the events on which the host supports an answer.
fn supporting_events(rule: &Rule, host: Host, need: &NeededCapability) -> String {
    // On PostToolUse a rewrite changes the output; on other events it changes the input.
    let is_of_output = rule.head.event_set().contains(&Event::PostToolUse);
    let has_target =
        |event: &Event| need.capability != Capability::Rewrite || (*event == Event::PostToolUse) == is_of_output;
    let possible = |event: &Event| need.source.only_event().is_none_or(|only| only == *event) && has_target(event);
    let takes = |event: &Event| event.spec().answers.has_capability(need.capability) && possible(event);
    let carries = |event: &Event| takes(event) && host.fate(*event, need.capability) == Some(EffectFate::Carried);
    let events: Vec<Event> = Event::ALL.iter().copied().filter(carries).collect();
    let (host, word) = (host.name(), need.source.keyword());
    match events.as_slice() {
        [] => format!("`{host}` has no `{word}`; `@allow(not-carried-by-host, \"…\")` accepts it"),
        events => format!("`{host}` has `{word}` on {}", event_names(events)),
    }
}

pub(super) fn event_names(events: &[Event]) -> String {
    events.iter().map(|event| format!("`{}`", event.name())).collect::<Vec<_>>().join(", ")
}
