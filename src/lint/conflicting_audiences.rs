//! Finds texts for the user and for the agent on the same event, where the host shows only one of them.

use super::on_host::event_names;
use crate::diagnostic::{Code, Diagnostic};
use crate::host::{Audience, EffectFate, Host};
use crate::ruleset::{Effect, Head, Rule, RuleMode, RunSpec};
use crate::schema::{Capabilities, Capability, Event};
use crate::verdict::{Decision, OnFail, OutputKind};

/// Returns the finding about the first effect of a rule whose text the user may not see, because another effect on the
/// same event has a text for the agent. `None` if there is no such effect.
pub(super) fn conflicting_audiences<'r>(
    rule: &Rule,
    rules: impl Iterator<Item = &'r Rule> + Clone,
    host: Host,
) -> Option<Diagnostic> {
    let is_hidden = |event: &Event, index: usize| {
        let tells_the_agent = |other: &Rule| {
            let others = other.effects.iter().enumerate();
            let mut others = others.filter(|(other_index, _)| !std::ptr::eq(other, rule) || *other_index != index);
            others.any(|(_, effect)| effect_audiences(effect, *event, host).contains(&Audience::Agent))
        };
        let mut competing_rules = rules.clone().filter(|other| {
            other.traits.mode == RuleMode::Active
                && can_select_same_call(&rule.head, &other.head, *event)
                && tells_the_agent(other)
        });
        competing_rules.next().is_some()
    };
    for (index, (effect, span)) in rule.effects.iter().zip(rule.effect_spans.iter()).enumerate() {
        let is_for_user = |event: &Event| effect_audiences(effect, *event, host).contains(&Audience::User);
        let events = rule.head.event_set().into_iter().filter(is_for_user);
        let events: Vec<Event> =
            events.filter(|event| host.has_single_reader(*event) && is_hidden(event, index)).collect();
        if !events.is_empty() {
            let message = "the user may not see this";
            let label = format!("on {}, where the agent may get a text too", event_names(&events));
            let help = "there a hook reaches one reader, the agent first; `notify` still reaches the user";
            return Some(Diagnostic::new(Code::NOT_CARRIED, message).label(*span, label).help(help));
        }
    }
    None
}

/// Returns who may get the text of an effect on an event.
fn effect_audiences(effect: &Effect, event: Event, host: Host) -> Vec<Audience> {
    let Some(takes) = host.capabilities(event) else { return Vec::new() };
    let audiences_of = |answer: Capability| answer_audiences(answer, event, host);
    match effect {
        Effect::Vote { decision, .. } => match decision {
            Decision::Deny => audiences_of(Capability::Deny),
            Decision::Ask => audiences_of(Capability::Ask),
            Decision::Halt => audiences_of(Capability::Halt),
            Decision::Allow | Decision::Pass => Vec::new(),
        },
        Effect::Exit { code: 2, .. } => exit_2_audiences(&takes, event, host),
        Effect::Exit { .. } | Effect::Warn(_) => vec![Audience::User],
        Effect::Context(_) => audiences_of(Capability::Context),
        Effect::Rewrite(_) => audiences_of(Capability::Rewrite),
        Effect::Run(run) => run_audiences(run, &takes, event, host),
        Effect::Notify { .. } | Effect::Record(_) | Effect::Mark(_) => Vec::new(),
    }
}

/// Returns who may get the output or the message of a command.
fn run_audiences(run: &RunSpec, takes: &Capabilities, event: Event, host: Host) -> Vec<Audience> {
    let mut readers = match run.options.on_fail {
        _ if run.options.background => vec![Audience::User],
        None if event == Event::SubagentStop => vec![Audience::User],
        None => exit_2_audiences(takes, event, host).into_iter().chain([Audience::User]).collect(),
        Some(OnFail::Ignore) => Vec::new(),
        Some(OnFail::Warn) => vec![Audience::User],
        Some(OnFail::Context) => answer_audiences(Capability::Context, event, host),
        Some(OnFail::Ask) => answer_audiences(Capability::Ask, event, host),
        Some(OnFail::Deny) => answer_audiences(Capability::Deny, event, host),
    };
    if run.options.show_stdout || run.options.show_stderr {
        readers.push(Audience::User);
    }
    if run.options.output == OutputKind::Context || (run.options.output == OutputKind::Text && takes.stdout_is_context)
    {
        readers.extend(answer_audiences(Capability::Context, event, host));
    }
    readers
}

/// Returns who gets the standard error of a command that exits with code 2.
fn exit_2_audiences(takes: &Capabilities, event: Event, host: Host) -> Vec<Audience> {
    if takes.deny {
        answer_audiences(Capability::Deny, event, host)
    } else {
        answer_audiences(Capability::Context, event, host)
    }
}

/// Returns who reads the text of an answer, which depends on what the host does with the answer.
fn answer_audiences(answer: Capability, event: Event, host: Host) -> Vec<Audience> {
    match host.fate(event, answer) {
        Some(EffectFate::Carried) if answer == Capability::Context => vec![Audience::Agent],
        Some(EffectFate::Carried) if matches!(answer, Capability::Deny) => {
            host.reads_denial(event).into_iter().collect()
        }
        Some(EffectFate::Carried | EffectFate::UserReads | EffectFate::UserReadsLater) => vec![Audience::User],
        Some(EffectFate::Denied(reader)) => vec![reader],
        Some(EffectFate::AgentReads) => vec![Audience::Agent],
        Some(EffectFate::HostDecides | EffectFate::NobodyReads) | None => Vec::new(),
    }
}

/// Whether two heads may select the same call of an event. A glob is assumed to match any name.
pub(super) fn can_select_same_call(one: &Head, other: &Head, event: Event) -> bool {
    // The names that a head selects for the event: `None` for no call, `Some(None)` for any call.
    let selected_names = |head: &Head| -> Option<Option<Vec<String>>> {
        let mut lists = head.events.iter().filter(|selector| selector.event == event).peekable();
        lists.peek()?;
        let is_plain_name = |glob: &String| !glob.contains(['*', '?', '[', '\\']);
        let mut names = Vec::new();
        for selector in lists {
            match selector.subjects.as_ref().filter(|list| !list.includes.is_empty()) {
                Some(list) if list.includes.iter().all(is_plain_name) => names.extend(list.includes.iter().cloned()),
                _ => return Some(None),
            }
        }
        Some(Some(names))
    };
    match (selected_names(one), selected_names(other)) {
        (Some(Some(one)), Some(Some(other))) => one.iter().any(|name| other.contains(name)),
        (Some(_), Some(_)) => true,
        _ => false,
    }
}
