//! Finds an `allow` for an agent by its name, which proves nothing: anybody who can define agents can choose the name.

use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::lint::agents::MAIN;
use crate::ruleset::{Rule, RuleMode};
use crate::schema::Event;

pub(super) const LINT: Lint = Lint { codes: &[Code::BY_ALLOWS], check };

/// Reports an `allow` for a subagent that is named after `by`.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let asks_permission = |event| matches!(event, Event::PreToolUse | Event::PermissionRequest);
    if !rule.can_allow
        || rule.traits.mode != RuleMode::Active
        || !rule.head.event_set().into_iter().any(asks_permission)
    {
        return;
    }
    let Some(agents) = &rule.head.agents else { return };
    let Some((name, span)) =
        agents.0.written.iter().find(|(name, _)| name != MAIN && agents.0.includes.iter().any(|it| it == name))
    else {
        return;
    };
    findings.push(
        Diagnostic::new(Code::BY_ALLOWS, "an `allow` for an agent by its name")
            .label(*span, format!("a file in `.claude/agents` gives any agent the name `{name}`"))
            .help("allow it for every agent, or for none: `by` can make a rule stricter, and proves nothing"),
    );
}
