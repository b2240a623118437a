//! Reports what a policy does not get from a host: effects that the host does not support, events and fields that it
//! never sends.
//!
//! Because a policy is written for every host, none of this is a mistake, and it is reported only on request.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::conflicting_audiences::conflicting_audiences;
use super::findings::{FindingSink, LintFinding, each_rule};
use super::marks::untold_success_findings;
use super::unfilled::check_unfilled_fields;
use crate::diagnostic::{Code, Diagnostic};
use crate::host::{Audience, EffectFate, Host};
use crate::policy::Policy;
use crate::ruleset::{Effect, Rule, RuleMode};
use crate::schema::{Capability, Event};
use crate::span::{FileId, Span};
use crate::verdict::{Decision, OnFail, OutputKind};

/// Returns the findings about the use of rules on hosts. What is the same on several hosts becomes one finding.
#[must_use]
pub(super) fn host_findings<'r>(policy: &'r Policy, hosts: &[Host]) -> Vec<LintFinding<'r>> {
    let rules = policy.rules.rules();
    let silent_packs = silent_packs(policy, hosts);
    let pack_findings = silent_packs.iter().map(|pack| LintFinding::without_rule(pack.finding()));
    let rule_findings_on_hosts = each_rule(rules, |rule, findings| {
        if rule.traits.mode == RuleMode::Off {
            return;
        }
        let mut grouped: Vec<(Vec<Host>, Diagnostic)> = Vec::new();
        for host in hosts {
            if silent_packs.iter().any(|pack| pack.file == rule.span.file && pack.hosts.contains(host)) {
                continue;
            }
            for found in findings_about_rule(rule, rules, *host) {
                let is_equal = |other: &Diagnostic| {
                    other.code == found.code && other.message == found.message && other.labels == found.labels
                };
                match grouped.iter_mut().find(|(_, other)| is_equal(other)) {
                    Some((same_hosts, _)) => same_hosts.push(*host),
                    None => grouped.push((vec![*host], found)),
                }
            }
        }
        findings.extend(grouped.into_iter().map(|(hosts, found)| on_hosts(&hosts, found)));
    });
    pack_findings.chain(rule_findings_on_hosts).collect()
}

/// A pack none of whose rules ever fires on some of the hosts.
struct SilentPack<'p> {
    name: &'p str,
    /// The file of the pack, which contains its rules.
    file: FileId,
    /// The span of the pack's name in the `use`.
    used_at: Span,
    hosts: Vec<Host>,
}

impl SilentPack<'_> {
    fn finding(&self) -> Diagnostic {
        let found = Diagnostic::new(Code::NOT_SENT, format!("no rule of `{}` ever fires", self.name))
            .label(self.used_at, "none of the events of its rules is sent")
            .help("keep it for other agents, or leave it out: nothing guards this here");
        let hosts = on_hosts(&self.hosts, found.clone());
        Diagnostic { help: found.help, ..hosts }
    }
}

/// Returns the packs whose active rules are all on events that some of the hosts never send.
fn silent_packs<'p>(policy: &'p Policy, hosts: &[Host]) -> Vec<SilentPack<'p>> {
    let mut silent = Vec::new();
    for layer in &policy.layers {
        for file in layer.files.iter().filter(|file| file.pack.is_none()) {
            for (used, target) in file.loaded_uses() {
                let Some(pack) = layer.files.get(target) else { continue };
                let Some(name) = &pack.pack else { continue };
                let is_active = |rule: &&Arc<Rule>| rule.span.file == pack.id && rule.traits.mode != RuleMode::Off;
                let active: Vec<&Arc<Rule>> = policy.rules.rules().iter().filter(is_active).collect();
                let is_silent = |host: &&Host| {
                    let is_sent = |rule: &&Arc<Rule>| {
                        rule.head.event_set().iter().any(|event| host.capabilities(*event).is_some())
                    };
                    !active.is_empty() && !active.iter().any(is_sent)
                };
                let hosts: Vec<Host> = hosts.iter().filter(is_silent).copied().collect();
                if !hosts.is_empty() {
                    silent.push(SilentPack { name, file: pack.id, used_at: used.source.span, hosts });
                }
            }
        }
    }
    silent
}

/// What a rule does on a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleOnHost {
    /// What the policy says.
    AsWritten,
    /// Something else on some events, which is at least as strict.
    Otherwise,
    /// Nothing: the host sends none of its events.
    Never,
}

/// Returns what each active rule of a policy does on a host.
#[must_use]
pub fn rules_on_host(policy: &Policy, host: Host) -> Vec<(&Rule, RuleOnHost)> {
    let rules = policy.rules.rules();
    let active = rules.iter().filter(|rule| rule.traits.mode != RuleMode::Off);
    let on_host = |rule: &Rule| {
        let events = rule.head.event_set();
        if !events.iter().any(|event| host.capabilities(*event).is_some()) {
            return RuleOnHost::Never;
        }
        match findings_about_rule(rule, rules, host).is_empty() {
            true => RuleOnHost::AsWritten,
            false => RuleOnHost::Otherwise,
        }
    };
    active.map(|rule| (&**rule, on_host(rule))).collect()
}

/// Returns the findings about the use of a rule on a host. Their messages are predicates, whose subject is the host:
/// [`on_hosts`] puts its name before them.
fn findings_about_rule(rule: &Rule, rules: &[Arc<Rule>], host: Host) -> Vec<Diagnostic> {
    let mut findings = FindingSink::new();
    findings.extend(unsent_event_finding(rule, host));
    check_unfilled_fields(rule, host, &mut findings);
    findings.extend(untold_success_findings(rule, host));
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        for need in needed_capabilities(effect) {
            findings.extend(unsupported_answer_findings(rule, host, &need, *span));
        }
        findings.extend(unread_path_finding(rule, host, effect, *span));
    }
    findings.extend(conflicting_audiences(rule, rules.iter().map(Arc::as_ref), host));
    findings.into_vec()
}

/// Returns a finding with the names of the hosts before its message: ``under `codex` and `wave` this `ask` denies``.
fn on_hosts(hosts: &[Host], found: Diagnostic) -> Diagnostic {
    let names: Vec<String> = hosts.iter().map(|host| format!("`{}`", host.name())).collect();
    let names = match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    // What one host supports instead does not help on the others.
    let help_for_several = || format!("`@allow({}, \"…\")` accepts it", found.code.name);
    let help = if hosts.len() > 1 { Some(help_for_several()) } else { found.help.clone() };
    Diagnostic { message: format!("under {names} {}", found.message), help, ..found }
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
        ([], _) => ("this rule never fires".to_owned(), "none of its events is sent"),
        (_, [only]) => (format!("`{}` is never sent", only.name()), "fires on its other events"),
        (_, several) => (format!("{} events of this rule are never sent", several.len()), "fires on the others"),
    };
    let sent_events: Vec<Event> =
        Event::ALL.iter().copied().filter(|event| host.capabilities(*event).is_some()).collect();
    let help = format!("`{}` sends {}", host.name(), event_names(&sent_events));
    Some(Diagnostic::new(Code::NOT_SENT, message).label(rule.name_span, label).help(help))
}

/// A capability of the host that an effect needs, and what in the effect's source needs it.
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

    /// Returns what happens on the host instead, as the predicate of a message.
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
    let by_word =
        |answer: Capability, word| NeededCapability { capability: answer, source: CapabilitySource::Word(word) };
    let by_keyword = |answer: Capability| by_word(answer, answer.keyword());
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
            vote.map(by_keyword).into_iter().chain(interrupt).collect()
        }
        Effect::Exit { code: 2, .. } => vec![by_word(Capability::Deny, "exit 2")],
        Effect::Context(_) => vec![by_keyword(Capability::Context)],
        Effect::Rewrite(_) => vec![by_keyword(Capability::Rewrite)],
        Effect::Run(run) => {
            let by_failure = match run.options.on_fail {
                Some(OnFail::Deny) => Some(by_word(Capability::Deny, "on_fail: deny")),
                Some(OnFail::Ask) => Some(by_word(Capability::Ask, "on_fail: ask")),
                Some(OnFail::Context) => Some(by_word(Capability::Context, "on_fail: context")),
                Some(OnFail::Warn) => Some(by_word(Capability::Warn, "on_fail: warn")),
                Some(OnFail::Ignore) | None => None,
            };
            let by_output =
                (run.options.output == OutputKind::Context).then(|| by_word(Capability::Context, "output: context"));
            // With either, an exit code means what the option demands.
            let is_decided = matches!(run.options.on_fail, Some(OnFail::Deny | OnFail::Ask));
            let by_code = (run.can_block() && !is_decided)
                .then_some(NeededCapability { capability: Capability::Deny, source: CapabilitySource::ExitCode });
            by_failure.into_iter().chain(by_output).chain(by_code).collect()
        }
        Effect::Warn(_) => vec![by_keyword(Capability::Warn)],
        Effect::Exit { .. } => vec![by_word(Capability::Warn, "exit")],
        Effect::Notify { .. } | Effect::Record(_) | Effect::Mark(_) => Vec::new(),
    }
}

/// Returns findings about what a host does instead of an answer that it does not support, on the rule's events that can
/// have this answer. Events with the same result share a finding.
fn unsupported_answer_findings(rule: &Rule, host: Host, need: &NeededCapability, span: Span) -> Vec<Diagnostic> {
    let NeededCapability { capability: answer, source } = *need;
    // `on *` means no event in particular, so it does not matter if a warning is shown later on some.
    if rule.head.every_event && answer == Capability::Warn {
        return Vec::new();
    }
    let mut grouped: BTreeMap<&str, BTreeMap<EffectFate, Vec<Event>>> = BTreeMap::new();
    for event in rule.head.event_set().into_iter().filter(|event| event.spec().answers.has_capability(answer)) {
        let Some(fate) = host.fate(event, answer).filter(|fate| *fate != EffectFate::Carried) else { continue };
        grouped.entry(source.substitute(fate)).or_default().entry(fate).or_default().push(event);
    }
    let finding = |(instead, fates): (&str, BTreeMap<EffectFate, Vec<Event>>)| {
        let message = format!("{} {instead}", source.phrase());
        let on = fates.iter().map(|(fate, events)| format!("on {}{}", event_names(events), fate_detail(need, *fate)));
        let label = on.collect::<Vec<_>>().join("; ");
        Diagnostic::new(Code::NOT_CARRIED, message).label(span, label).help(supporting_events(rule, host, need))
    };
    grouped.into_iter().map(finding).collect()
}

/// Returns the finding about a command on WorktreeCreate whose output the host ignores, because it creates the
/// worktree itself.
fn unread_path_finding(rule: &Rule, host: Host, effect: &Effect, span: Span) -> Option<Diagnostic> {
    let prints_path = matches!(effect, Effect::Run(run) if !run.options.background);
    let is_selected = rule.head.event_set().contains(&Event::WorktreeCreate);
    let is_sent = host.capabilities(Event::WorktreeCreate).is_some();
    (prints_path && is_selected && is_sent && !host.is_worktree_path_read()).then(|| {
        let message = "the path that this `run` prints is ignored";
        Diagnostic::new(Code::NOT_CARRIED, message)
            .label(span, "on `WorktreeCreate`: the host makes the worktree itself")
            .help("`@allow(not-carried-by-host, \"…\")` accepts it")
    })
}

/// Returns what a label says after the names of the events: a detail of what the host does instead. Often empty.
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
    let can_be_needed = |event: &Event| need.source.only_event().is_none_or(|only| only == *event) && has_target(event);
    let can_have = |event: &Event| event.spec().answers.has_capability(need.capability) && can_be_needed(event);
    let is_supported =
        |event: &Event| can_have(event) && host.fate(*event, need.capability) == Some(EffectFate::Carried);
    let events: Vec<Event> = Event::ALL.iter().copied().filter(is_supported).collect();
    let (host, word) = (host.name(), need.source.keyword());
    match events.as_slice() {
        [] => format!("`{host}` has no `{word}`; `@allow(not-carried-by-host, \"…\")` accepts it"),
        events => format!("`{host}` has `{word}` on {}", event_names(events)),
    }
}

pub(super) fn event_names(events: &[Event]) -> String {
    events.iter().map(|event| format!("`{}`", event.name())).collect::<Vec<_>>().join(", ")
}
