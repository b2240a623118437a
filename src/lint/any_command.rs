//! An `allow` without a condition of a tool that runs commands.

use super::one_exempts_all::{Part, parts};
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Derived, Effect, EventSelector, Kind, Mode, Rule, Source};
use crate::schema::{Event, tool};
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::ANY_COMMAND], check };

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    let mut tests = Vec::new();
    rule.when.iter().for_each(|when| parts(when, false, &mut tests));
    // Every command is one.
    tests.retain(|part| part.is_negated || !asks_for_command(&part.test.kind));
    // What names the commands that are not allowed leaves all others.
    let excludes =
        |part: &Part<'_>| part.is_negated && matches!(part.test.kind, Kind::Command(CommandTest::Runs { .. }));
    let is_bare = tests.is_empty() && rule.unless.is_none();
    let is_open = !tests.is_empty() && tests.iter().all(excludes);
    // What is rewritten may be harmless then.
    let rewrites = rule.effects.iter().any(|effect| matches!(effect, Effect::Rewrite(_)));
    if rewrites
        || !(is_bare || is_open)
        || rule.traits.mode != Mode::Active
        || !rule.head.events.iter().any(runs_commands)
    {
        return;
    }
    let allows = |effect: &Effect| matches!(effect, Effect::Vote { decision: Decision::Allow, .. });
    let at = rule.effects.iter().zip(rule.effect_spans.iter()).find(|(effect, _)| allows(effect));
    found.extend(at.map(|(_, span)| {
        let (message, label) = match is_bare {
            true => ("an `allow` of any command", "for every command of the tool, `rm -rf ~` too"),
            false => ("an `allow` of any command but some", "for whatever else removes, sends or runs something"),
        };
        Diagnostic::new(Code::ANY_COMMAND, message)
            .label(*span, label)
            .help("say which: `when only runs [\"ls *\", \"git (status|diff|log) *\"]`")
    }));
}

fn asks_for_command(test: &Kind) -> bool {
    match test {
        Kind::Exists(Source::Derived(Derived::Command)) => true,
        Kind::Exists(Source::Raw { path, .. }) => path.iter().map(String::as_str).eq(["tool_input", "command"]),
        _ => false,
    }
}

/// Tells whether a selector selects a tool that runs commands.
fn runs_commands(selector: &EventSelector) -> bool {
    let is_asked = matches!(selector.event, Event::PreToolUse | Event::PermissionRequest);
    let names = selector.subjects.as_ref().map(|list| list.includes.as_slice()).unwrap_or_default();
    let runs = |name: &String| name == "*" || tool(name).is_some_and(|tool| tool.command.is_some());
    let excludes_none = selector.subjects.as_ref().is_none_or(|list| list.excludes.is_empty());
    is_asked && (names.is_empty() && excludes_none || names.iter().any(runs))
}
