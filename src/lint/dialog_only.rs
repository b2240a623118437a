//! Finds a guard on PermissionRequest alone: calls that the host allows without a dialog bypass it.

use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule};
use crate::schema::Event;
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::DIALOG_ONLY], check };

/// Reports a rule on PermissionRequest alone that denies or asks.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let events = &rule.head.events;
    if events.is_empty() || events.iter().any(|selector| selector.event != Event::PermissionRequest) {
        return;
    }
    // PreToolUse cannot interrupt the turn, so a denial that does so must be on PermissionRequest.
    let guards = |effect: &Effect| match effect {
        Effect::Vote { decision, interrupt, .. } => *decision > Decision::Allow && !interrupt,
        Effect::Exit { code, .. } => *code == 2,
        _ => false,
    };
    if rule.effects.iter().any(guards) {
        findings.push(
            Diagnostic::new(Code::DIALOG_ONLY, format!("`{}` guards only dialogs", rule.name))
                .label(rule.name_span, "calls that are allowed without a dialog bypass it")
                .help("add PreToolUse: `on PreToolUse(…), PermissionRequest(…)`"),
        );
    }
}
