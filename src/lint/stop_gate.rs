//! Finds rules that deny every end of a turn, whatever the agent does.

use super::comparison::SourceTexts;
use super::{FindingSink, Lint};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule, RuleMode};
use crate::schema::Event;
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::UNCONDITIONAL_STOP_GATE], check };

/// Reports a denial on Stop or SubagentStop without any condition.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let is_stop = |event: Event| matches!(event, Event::Stop | Event::SubagentStop);
    // A rule that is off denies nothing.
    if rule.when.is_some() || rule.unless.is_some() || rule.traits.mode == RuleMode::Off {
        return;
    }
    let Some(stop) = rule.head.events.iter().map(|selector| selector.event).find(|event| is_stop(*event)) else {
        return;
    };
    // `halt` ends the turn, and `ask` lets it end, so only a denial counts.
    let refuses = |effect: &Effect| match effect {
        Effect::Vote { decision, .. } => *decision == Decision::Deny,
        Effect::Exit { code, .. } => *code == 2,
        _ => false,
    };
    let denial = rule.effects.iter().zip(rule.effect_spans.iter()).find(|(effect, _)| refuses(effect));
    if let Some((_, span)) = denial {
        findings.push(
            Diagnostic::new(Code::UNCONDITIONAL_STOP_GATE, format!("`{}` refuses every {}", rule.name, stop.name()))
                .label(*span, "whatever the agent does; the host gives up after eight refusals")
                .help("add `unless stop_hook_active`, or let a check decide: `run \"…\" { on_fail: deny }`"),
        );
    }
}
