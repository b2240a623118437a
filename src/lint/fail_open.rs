//! Finds `on_error = "allow"` in a layer with guards: if the layer does not load, every call proceeds.

use super::findings::{FindingSink, LintFinding};
use crate::config::OnError;
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::PolicyLayer;
use crate::ruleset::{Rule, RuleMode};
use crate::schema::Event;

/// Reports `on_error = "allow"` in a layer that has an active guard on an event to which `on_error` applies.
pub(super) fn check<'r>(layer: &'r PolicyLayer, findings: &mut FindingSink<LintFinding<'r>>) {
    let Some(span) = layer.settings.fails_open.filter(|_| layer.settings.on_error == Some(OnError::Allow)) else {
        return;
    };
    let is_guarded_event =
        |event: &Event| matches!(event, Event::PreToolUse | Event::PreSkillShellCommand | Event::PreModelSwitch);
    let guards = |rule: &&Rule| {
        rule.can_block && rule.traits.mode == RuleMode::Active && rule.head.event_set().iter().any(is_guarded_event)
    };
    let mut guards = layer.rules.iter().map(|rule| &**rule).filter(guards);
    let Some(first) = guards.next() else { return };
    let others = guards.count();
    let whose = match others {
        0 => format!("`{}`", first.name),
        1 => format!("`{}` and another rule", first.name),
        _ => format!("`{}` and {others} other rules", first.name),
    };
    let finding = Diagnostic::new(Code::FAIL_OPEN_GUARD, "a mistake in the policy would let every call go ahead")
        .label(span, "one word that does not parse, and nothing is denied")
        .help(format!("write `on_error = \"ask\"` or `\"deny\"`: {whose} would guard nothing meanwhile"))
        .fix_that_changes(span, "\"ask\"");
    findings.push(LintFinding::without_rule(finding));
}
