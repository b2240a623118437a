//! Finds rewrites on PermissionRequest that no rule allows: the host accepts a new input only with an `allow`.

use std::sync::Arc;

use super::conflicting_audiences::can_select_same_call;
use super::findings::{FindingSink, LintFinding};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule, RuleMode};
use crate::schema::Event;
use crate::verdict::Decision;

/// Reports each rule that rewrites on PermissionRequest and not on PreToolUse, if no rule can allow the same call.
pub(super) fn check<'r>(rules: &'r [Arc<Rule>], findings: &mut FindingSink<LintFinding<'r>>) {
    let dialog = Event::PermissionRequest;
    let can_allow = |rule: &&Arc<Rule>| {
        let is_allow = |effect: &Effect| matches!(effect, Effect::Vote { decision: Decision::Allow, .. });
        rule.traits.mode == RuleMode::Active && rule.effects.iter().any(is_allow)
    };
    let allowing: Vec<&Arc<Rule>> = rules.iter().filter(can_allow).collect();
    for rule in rules {
        let events = rule.head.event_set();
        let is_only_at_dialog = events.contains(&dialog) && !events.contains(&Event::PreToolUse);
        let effects = rule.effects.iter().zip(rule.effect_spans.iter());
        let rewrite = effects.filter(|(effect, _)| matches!(effect, Effect::Rewrite(_))).map(|(_, span)| *span).next();
        let Some(span) = rewrite.filter(|_| is_only_at_dialog && rule.traits.mode != RuleMode::Off) else { continue };
        if allowing.iter().any(|other| can_select_same_call(&rule.head, &other.head, dialog)) {
            continue;
        }
        let finding =
            Diagnostic::new(Code::REWRITE_WITHOUT_ALLOW, "this `rewrite` needs an `allow`, and no rule has one")
                .label(span, "a permission request takes a new input only with an allow")
                .help("add `allow`, or rewrite on `PreToolUse`, where the dialog shows the new input");
        findings.push(LintFinding::for_rule(rule, finding));
    }
}
