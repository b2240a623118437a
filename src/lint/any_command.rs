//! Finds an `allow` for a tool that runs commands, although the condition does not test the command, or only excludes
//! some commands.

use super::calls::{MissingValueReading, SelectedCall, SelectedCalls, has_member};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, DerivedField, Effect, Rule, RuleMode, ValueReference, ValueTest};
use crate::schema::Event;
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::ANY_COMMAND], check };

/// The commands for which a condition can be true, from the most to the fewest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum AdmittedCommands {
    /// Every command, because nothing restricts the call.
    All,
    /// Every command, because the condition tests something other than the command.
    AllByOtherTest,
    /// Every command except those that the condition excludes.
    AllExceptNamed,
}

/// Reports an active `allow` that a selected call can get with any command, or with any command except some.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    // A rewritten command may be harmless, so an `allow` with a rewrite is not reported.
    let rewrites = rule.effects.iter().any(|effect| matches!(effect, Effect::Rewrite(_)));
    if !rule.can_allow || rewrites || rule.traits.mode != RuleMode::Active {
        return;
    }
    let calls = SelectedCalls::from_rule(rule);
    let can_be_allowed = |call: &&SelectedCall| {
        call.can_run_commands() && matches!(call.event, Event::PreToolUse | Event::PermissionRequest)
    };
    let admitted_for_call = |call: &SelectedCall| {
        let when =
            rule.when.as_ref().map_or(Some(AdmittedCommands::All), |when| admitted_commands(when, false, call))?;
        let unless =
            rule.unless.as_ref().map_or(Some(AdmittedCommands::All), |unless| admitted_commands(unless, true, call))?;
        Some(when.max(unless))
    };
    let Some(admitted) = calls.known.iter().filter(can_be_allowed).filter_map(admitted_for_call).min() else { return };
    let allows = |effect: &Effect| matches!(effect, Effect::Vote { decision: Decision::Allow, .. });
    let allow = rule.effects.iter().zip(rule.effect_spans.iter()).find(|(effect, _)| allows(effect));
    findings.extend(allow.map(|(_, span)| {
        let (message, label) = match admitted {
            AdmittedCommands::All => ("an `allow` of any command", "for every command of the tool, `rm -rf ~` too"),
            AdmittedCommands::AllByOtherTest => {
                ("an `allow` that does not look at the command", "for every command then, `rm -rf ~` too")
            }
            AdmittedCommands::AllExceptNamed => {
                ("an `allow` of any command but some", "for whatever else removes, sends or runs something")
            }
        };
        Diagnostic::new(Code::ANY_COMMAND, message)
            .label(*span, label)
            .help("say which: `when only runs [\"ls *\", \"git (status|log) *\"]`")
    }));
}

/// Returns the commands for which a condition (or, with `is_negated`, its negation) can be true. `None` if it is never
/// true for the call, or if it tests at least a part of the command, which other lints report.
fn admitted_commands(condition: &Condition, is_negated: bool, call: &SelectedCall) -> Option<AdmittedCommands> {
    match call.evaluate(condition, MissingValueReading::AsHook) {
        Some(truth) if truth == is_negated => return None,
        Some(_) => return Some(AdmittedCommands::All),
        None => {}
    }
    // If all parts must be true, the one that admits the fewest commands decides; otherwise, the one that admits the
    // most.
    let admitted_by_parts = |parts: &[Condition], all_must_hold: bool| {
        let mut admitted = parts.iter().map(|part| admitted_commands(part, is_negated, call));
        if all_must_hold {
            admitted.try_fold(AdmittedCommands::All, |all, part| Some(all.max(part?)))
        } else {
            admitted.flatten().min()
        }
    };
    match &condition.kind {
        ConditionExpr::And(parts) => admitted_by_parts(parts, !is_negated),
        ConditionExpr::Or(parts) => admitted_by_parts(parts, is_negated),
        ConditionExpr::Not(inner) => admitted_commands(inner, !is_negated, call),
        ConditionExpr::Def(inner) => admitted_commands(inner, is_negated, call),
        ConditionExpr::Certain(inner) => admitted_commands(inner, is_negated, call),
        ConditionExpr::Command(_) => is_negated.then_some(AdmittedCommands::AllExceptNamed),
        ConditionExpr::Touches { .. }
        | ConditionExpr::TouchesFilled { .. }
        | ConditionExpr::Connects(_)
        | ConditionExpr::Happened(_) => None,
        // Every call of such a tool has a command, so `exists` restricts nothing.
        ConditionExpr::Exists(source) if is_command(source) => Some(AdmittedCommands::All),
        ConditionExpr::Compare { source, negated, test, .. } if is_command(source) => match test {
            ValueTest::Equal(_) | ValueTest::In(_) if *negated != is_negated => Some(AdmittedCommands::AllExceptNamed),
            _ => None,
        },
        ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => {
            is_other_reference(source, call).then_some(AdmittedCommands::AllByOtherTest)
        }
        ConditionExpr::Constant(_) => Some(AdmittedCommands::All),
    }
}

/// Whether a source is the text of the command.
fn is_command(source: &ValueReference) -> bool {
    match source {
        ValueReference::Derived(DerivedField::Command) => true,
        ValueReference::Raw { path, .. } => path.iter().map(String::as_str).eq(["tool_input", "command"]),
        _ => false,
    }
}

/// Whether a call can have a value from this source other than its command.
fn is_other_reference(source: &ValueReference, call: &SelectedCall) -> bool {
    match source {
        // A test of a member that the tool lacks is about another tool.
        ValueReference::Raw { path, .. } => match path.as_slice() {
            [first, member, ..] if first == "tool_input" => call.tool.is_some_and(|tool| has_member(tool, member)),
            _ => true,
        },
        // A JSONPath may select the command.
        ValueReference::JsonPath(_) => false,
        source => !call.lacks(source),
    }
}
