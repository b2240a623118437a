//! Finds commands that take too much time: a `timeout` that is longer than the host waits, or a command at every call.

use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::host::Host;
use crate::ruleset::{Effect, EventSelector, Rule, SelectorList};
use crate::schema::Event;
use std::time::Duration;

pub(super) const LINT: Lint = Lint { codes: &[Code::TIMEOUT_BEYOND_HOST, Code::RUN_AT_EVERY_CALL], check };

/// The maximum part of the host's time limit that a hook reserves for answering after the command.
const MAX_ANSWER_RESERVE: Duration = Duration::from_secs(5);

/// Reports a timeout that is longer than the host waits, and a command at every call.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    findings.extend(every_call_finding(rule));
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let Effect::Run(run) = effect else { continue };
        let Some(timeout) = run.timeout.filter(|_| !run.options.background) else { continue };
        let waits = |event| {
            let patience = Host::CLAUDE_CODE.command_time_limit(event);
            (event, patience, patience + MAX_ANSWER_RESERVE.min(patience / 4))
        };
        let shortest = rule.head.event_set().into_iter().map(waits).min_by_key(|(_, _, waited)| *waited);
        let Some((event, patience, _)) = shortest.filter(|(_, _, waited)| timeout > *waited) else { continue };
        findings.push(
            Diagnostic::new(Code::TIMEOUT_BEYOND_HOST, format!("the host does not wait so long on `{}`", event.name()))
                .label(*span, format!("ends after {} at the latest", format_duration(patience)))
                .help("write a shorter `timeout`, or `background: true` where nothing depends on the command"),
        );
    }
}

/// Returns the finding about a command that delays every call of every tool, or every text that the agent writes.
fn every_call_finding(rule: &Rule) -> Option<Diagnostic> {
    if rule.when.is_some() || rule.unless.is_some() || rule.head.agents.is_some() {
        return None;
    }
    let is_frequent = |event: &Event| matches!(event, Event::PreToolUse | Event::PostToolUse | Event::MessageDisplay);
    let is_unselected = |selector: &&EventSelector| {
        is_frequent(&selector.event) && selector.subjects.as_ref().is_none_or(SelectorList::is_star)
    };
    let event = rule.head.events.iter().find(is_unselected)?.event;
    let is_waited_for = |effect: &Effect| matches!(effect, Effect::Run(run) if !run.options.background);
    let (_, span) = rule.effects.iter().zip(rule.effect_spans.iter()).find(|(effect, _)| is_waited_for(effect))?;
    let (every, help) = match event {
        Event::MessageDisplay => ("every text that the agent writes", "add `when …`, or `{ background: true }`"),
        _ => (
            "every call of every tool",
            "name the tools, as in `PreToolUse(Edit|Write)`, add `when …`, or `{ background: true }` if nothing waits for it",
        ),
    };
    Some(
        Diagnostic::new(Code::RUN_AT_EVERY_CALL, format!("`{}` starts a command at {every}", rule.name))
            .label(*span, format!("`{}` waits until it has ended", event.name()))
            .help(help),
    )
}

fn format_duration(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{} seconds", time.as_secs()),
        _ => format!("{} milliseconds", time.as_millis()),
    }
}
