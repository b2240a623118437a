//! An `allow` for a tool that runs commands whose condition does not test the command, or only excludes some commands.

use super::calls::{Call, Calls, Lacking, has};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Derived, Effect, Kind, Mode, Rule, Source, Test};
use crate::schema::Event;
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::ANY_COMMAND], check };

/// The commands that a condition admits, from most to least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Open {
    /// Every command: no condition restricts the call.
    Whole,
    /// Every command: the condition tests something else.
    Beside,
    /// Every command except those that it names.
    But,
}

fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    // A rewritten command may be harmless.
    let rewrites = rule.effects.iter().any(|effect| matches!(effect, Effect::Rewrite(_)));
    if !rule.can_allow || rewrites || rule.traits.mode != Mode::Active {
        return;
    }
    let calls = Calls::of(rule);
    let asks = |call: &&Call| call.runs() && matches!(call.event, Event::PreToolUse | Event::PermissionRequest);
    let of_call = |call: &Call| {
        let when = rule.when.as_ref().map_or(Some(Open::Whole), |when| open(when, false, call))?;
        let unless = rule.unless.as_ref().map_or(Some(Open::Whole), |unless| open(unless, true, call))?;
        Some(when.max(unless))
    };
    let Some(open) = calls.known.iter().filter(asks).filter_map(of_call).min() else { return };
    let allows = |effect: &Effect| matches!(effect, Effect::Vote { decision: Decision::Allow, .. });
    let at = rule.effects.iter().zip(rule.effect_spans.iter()).find(|(effect, _)| allows(effect));
    findings.extend(at.map(|(_, span)| {
        let (message, label) = match open {
            Open::Whole => ("an `allow` of any command", "for every command of the tool, `rm -rf ~` too"),
            Open::Beside => ("an `allow` that does not look at the command", "for every command then, `rm -rf ~` too"),
            Open::But => ("an `allow` of any command but some", "for whatever else removes, sends or runs something"),
        };
        Diagnostic::new(Code::ANY_COMMAND, message)
            .label(*span, label)
            .help("say which: `when only runs [\"ls *\", \"git (status|diff|log) *\"]`")
    }));
}

/// Returns what a condition, or its negation, admits if it can hold for a call; `None` if it tests at least a part of
/// the command, which other lints report.
fn open(condition: &Condition, is_negated: bool, call: &Call) -> Option<Open> {
    match call.comes_to(condition, Lacking::Decides) {
        Some(truth) if truth == is_negated => return None,
        Some(_) => return Some(Open::Whole),
        None => {}
    }
    let of_parts = |parts: &[Condition], is_each: bool| {
        let mut each = parts.iter().map(|part| open(part, is_negated, call));
        if is_each { each.try_fold(Open::Whole, |all, part| Some(all.max(part?))) } else { each.flatten().min() }
    };
    match &condition.kind {
        Kind::And(parts) => of_parts(parts, !is_negated),
        Kind::Or(parts) => of_parts(parts, is_negated),
        Kind::Not(inner) => open(inner, !is_negated, call),
        Kind::Def(inner) => open(inner, is_negated, call),
        Kind::Command(_) => is_negated.then_some(Open::But),
        Kind::Touches { .. } | Kind::Connects(_) => None,
        // Every call has a command, and every command has text.
        Kind::Exists(source) if is_command(source) => Some(Open::Whole),
        Kind::Compare { source, negated, test, .. } if is_command(source) => match test {
            Test::Equal(_) | Test::In(_) if *negated != is_negated => Some(Open::But),
            _ => None,
        },
        Kind::Compare { source, .. } | Kind::Exists(source) | Kind::Truth(source) => {
            is_beside(source, call).then_some(Open::Beside)
        }
        Kind::Constant(_) => Some(Open::Whole),
    }
}

fn is_command(source: &Source) -> bool {
    match source {
        Source::Derived(Derived::Command) => true,
        Source::Raw { path, .. } => path.iter().map(String::as_str).eq(["tool_input", "command"]),
        _ => false,
    }
}

/// Whether a call can have a value of a source other than its command.
fn is_beside(source: &Source, call: &Call) -> bool {
    match source {
        // A test of a member that the tool lacks concerns another tool.
        Source::Raw { path, .. } => match path.as_slice() {
            [first, member, ..] if first == "tool_input" => call.tool.is_some_and(|tool| has(tool, member)),
            _ => true,
        },
        // The path may select the command.
        Source::JsonPath(_) => false,
        source => !call.lacks(source),
    }
}
