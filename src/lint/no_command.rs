//! A rule that tests a command of tools that run none: it never matches, but looks as if it guarded something.

use super::{Lint, Written, each};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, EventSelector, Kind, Rule};
use crate::schema::{Subject, tool};
use crate::span::Span;

pub(super) const LINT: Lint = Lint { codes: &[Code::UNREACHABLE], check };

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    if !selects_none(rule) {
        return;
    }
    let fails = |when: &&Condition| without_commands(when) == Some(false);
    let holds = |unless: &&Condition| without_commands(unless) == Some(true);
    let never = rule.when.as_ref().filter(fails).or_else(|| rule.unless.as_ref().filter(holds));
    if let Some(span) = never.and_then(command) {
        found.push(
            Diagnostic::new(Code::UNREACHABLE, format!("`{}` never matches", rule.name))
                .label(span, "none of the selected tools runs a command")
                .help("write `on PreToolUse`, or test the file: `reads like \"…\"`, `path like \"…\"`"),
        );
    }
}

/// Tells whether a rule selects nothing but tools that run no command.
pub(super) fn selects_none(rule: &Rule) -> bool {
    let events = &rule.head.events;
    !events.is_empty() && events.iter().all(runs_none)
}

/// Tells whether a selector names built-in tools alone, none of which takes a command.
fn runs_none(selector: &EventSelector) -> bool {
    let is_tool = matches!(selector.event.spec().subject, Subject::Tool);
    let names = selector.subjects.as_ref().map(|list| list.includes.as_slice()).unwrap_or_default();
    let takes_none = |name: &String| tool(name).is_some_and(|tool| tool.command.is_none());
    is_tool && !names.is_empty() && names.iter().all(takes_none)
}

/// Returns what a condition comes to for a call without a command, where that decides.
fn without_commands(condition: &Condition) -> Option<bool> {
    let all = |parts: &[Condition], deciding: bool| {
        let mut known = parts.iter().map(without_commands);
        let some = known.clone().any(|part| part == Some(deciding));
        if some { Some(deciding) } else { known.all(|part| part == Some(!deciding)).then_some(!deciding) }
    };
    match &condition.kind {
        Kind::And(parts) => all(parts, false),
        Kind::Or(parts) => all(parts, true),
        Kind::Not(inner) => without_commands(inner).map(|truth| !truth),
        Kind::Def(inner) => without_commands(inner),
        Kind::Constant(truth) => Some(*truth),
        Kind::Command(_) => Some(false),
        _ => None,
    }
}

/// Returns the place of the first test of commands; none where the condition has none.
fn command(condition: &Condition) -> Option<Span> {
    let mut first = None;
    each(condition, false, &mut |test, _| {
        if let Kind::Command(_) = test.kind {
            first = first.or(Some(test.span));
        }
    });
    first
}
