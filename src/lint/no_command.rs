//! Finds rules that look like guards but never match: no selected call has what their tests are about, or has all of it
//! together.

use super::calls::{MissingValueReading, SelectedCall, SelectedCalls, join_names};
use super::comparison::visit_tests;
use super::one_exempts_all::{NeededTest, collect_needed_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, DerivedField, Measure, Rule, ValueReference};
use crate::schema::{Event, TOOLS, ToolSpec};
use crate::syntax::ast::FileVerb;

pub(super) const LINT: Lint = Lint { codes: &[Code::UNREACHABLE], check };

/// Reports a rule that matches none of the calls that it selects, or the event of a rule on which it never matches.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let calls = SelectedCalls::from_rule(rule);
    // For a tool that is not in the table, any test may be true.
    if calls.known.is_empty() || calls.has_unknown_tool || has_unlisted_tool(rule) {
        return;
    }
    let never_matches = |call: &SelectedCall| call.evaluate_rule(rule, MissingValueReading::AsHook) == Some(false);
    if calls.known.iter().all(never_matches) {
        findings.extend(finding(rule, &calls));
        return;
    }
    // `on *` also selects events that are not about tools, so it is no mistake that the rule does not match on them.
    let event_without_tools =
        calls.known.iter().find(|call| !rule.head.every_event && call.tool.is_none() && never_matches(call));
    if let Some(call) = event_without_tools
        && let Some(test) = failing_test(rule, &[*call])
        && is_test_of_actions(&test.kind)
    {
        let name = call.event.name();
        findings.push(
            Diagnostic::new(Code::UNREACHABLE, format!("`{}` never matches on `{name}`", rule.name))
                .label(test.span, format!("no tool is called on `{name}`"))
                .help(format!("remove `{name}`, or give it a rule of its own")),
        );
    }
}

/// Whether a rule certainly selects no call that runs a command.
pub(super) fn has_no_commands(rule: &Rule) -> bool {
    let calls = SelectedCalls::from_rule(rule);
    let selects_others = calls.has_any_tool || calls.has_unknown_tool;
    !calls.known.is_empty() && !selects_others && !calls.known.iter().any(SelectedCall::can_run_commands)
}

/// Whether a rule compares the name of the tool with a name that no tool in the table has.
fn has_unlisted_tool(rule: &Rule) -> bool {
    let mut is_unlisted = false;
    visit_tests(rule, &mut |seen| {
        if let ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::ToolName), .. } = &seen.test.kind
        {
            let is_known = |tool: &'static ToolSpec| {
                let call = SelectedCall { event: Event::PreToolUse, tool: Some(tool) };
                let negated = matches!(seen.test.kind, ConditionExpr::Compare { negated: true, .. });
                call.evaluate(seen.test, MissingValueReading::AsHook) == Some(!negated)
            };
            is_unlisted |= !TOOLS.iter().any(is_known);
        }
    });
    is_unlisted
}

/// Returns the finding about a rule that never matches. `None` if the reason is not that the selected calls lack
/// something, or if another lint reports it.
fn finding(rule: &Rule, calls: &SelectedCalls) -> Option<Diagnostic> {
    let without_tool = calls.known.iter().find(|call| call.tool.is_none());
    let test = failing_test(rule, &calls.known);
    if let Some(test) = test.filter(|test| is_test_of_actions(&test.kind)) {
        let (label, help) = match without_tool {
            Some(call) => event_label_and_help(call.event),
            None if calls.known.iter().any(|call| has_single_value(call, &test.kind)) => (
                "a call of the selected tools has one at most".to_owned(),
                "to count calls, write a mark, `mark NAME { on … }`, and `count NAME within 10m > 3`",
            ),
            None => tools_label_and_help(test),
        };
        let message = format!("`{}` never matches", rule.name);
        return Some(Diagnostic::new(Code::UNREACHABLE, message).label(test.span, label).help(help));
    }
    // A test of a single field that no selected tool has is reported by `no_value`.
    if test.is_some() || without_tool.is_some() {
        return None;
    }
    let mut needed = Vec::new();
    rule.when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    rule.unless.iter().for_each(|unless| collect_needed_tests(unless, true, &mut needed));
    let fails = |part: &NeededTest<'_>, call: &SelectedCall| {
        call.evaluate(part.test, MissingValueReading::AsHook) == Some(part.is_negated)
    };
    // Finds the test that excludes the last remaining call.
    let mut remaining: Vec<SelectedCall> = calls.known.clone();
    let decisive = needed.iter().find(|part| {
        remaining.retain(|call| !fails(part, call));
        remaining.is_empty()
    })?;
    let tools_meeting = |part: &NeededTest<'_>| calls.tool_names(|call| !fails(part, call));
    let decisive_tools = tools_meeting(decisive);
    // Looks for another test that only some tools can meet, none of which meets the last test.
    let is_incompatible = |part: &&NeededTest<'_>| {
        let tools = tools_meeting(part);
        tools.len() < calls.tool_names(|_| true).len() && !tools.iter().any(|name| decisive_tools.contains(name))
    };
    let built_in = if calls.has_any_tool { " a call of a built-in tool" } else { "" };
    let finding = Diagnostic::new(Code::UNREACHABLE, format!("`{}` never matches{built_in}", rule.name))
        .label(decisive.test.span, format!("only {} can have this", join_names(&decisive_tools)));
    let first = needed.iter().find(is_incompatible);
    Some(match first {
        Some(first) => finding
            .label(first.test.span, format!("only {} can have this", join_names(&tools_meeting(first))))
            .help(combination_help(&first.test.kind, &decisive.test.kind)),
        None => finding.help("test what one tool has, or write a rule for each"),
    })
}

/// Returns the help for two tests that no call meets together: how to test both for one call.
fn combination_help(one: &ConditionExpr, other: &ConditionExpr) -> &'static str {
    let is_command = |kind: &ConditionExpr| {
        matches!(kind, ConditionExpr::Command(_)) || is_test_of_field(kind, DerivedField::Command)
    };
    let either = |has_property: &dyn Fn(&ConditionExpr) -> bool| has_property(one) || has_property(other);
    let has_command = either(&is_command);
    if has_command && either(&|kind| is_test_of_field(kind, DerivedField::Path)) {
        "a command has no `path`: test its files with `runs \"…\" where reads like \"…\"`, or `writes`, `deletes`"
    } else if has_command
        && either(&|kind| is_test_of_field(kind, DerivedField::Url) || is_test_of_field(kind, DerivedField::Domain))
    {
        "a command has no `url`: test its words with `runs \"…\" where operands like \"*example.com*\"`, and write a \
         rule `on PreToolUse(WebFetch)` for pages"
    } else if either(&|kind| is_test_of_field(kind, DerivedField::ToolName)) {
        "leave `tool_name` out: other tests select the tools that have what they look at"
    } else if has_command && either(&|kind| is_test_of_field(kind, DerivedField::Content)) {
        "`content` is what Edit and Write write: give them a rule of their own; what a command is given is `runs \"…\" \
         where input contains \"…\"`"
    } else {
        "write `or` if one of them is enough, or a rule for each"
    }
}

/// Whether a condition contains a test of a derived field.
fn is_test_of_field(kind: &ConditionExpr, field: DerivedField) -> bool {
    match kind {
        ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => {
            matches!(source, ValueReference::Derived(derived) if *derived == field)
        }
        ConditionExpr::Or(parts) | ConditionExpr::And(parts) => {
            parts.iter().any(|part| is_test_of_field(&part.kind, field))
        }
        ConditionExpr::Not(inner) => is_test_of_field(&inner.kind, field),
        ConditionExpr::Def(inner) => is_test_of_field(&inner.kind, field),
        _ => false,
    }
}

/// Whether a test is about what a tool does: run commands, access files.
fn is_test_of_actions(kind: &ConditionExpr) -> bool {
    matches!(kind, ConditionExpr::Command(_) | ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. })
        || counted(kind).is_some()
}

/// Returns what a test counts, if it is about files or about a value that a call may have once.
fn counted(kind: &ConditionExpr) -> Option<&Measure> {
    match kind {
        ConditionExpr::Compare { source: ValueReference::Measured(measure), .. }
            if matches!(measure, Measure::Files(_) | Measure::Count(_)) =>
        {
            Some(measure)
        }
        _ => None,
    }
}

/// Returns the first test that is false for all these calls, if the clause that contains it prevents every match.
fn failing_test<'r>(rule: &'r Rule, calls: &[SelectedCall]) -> Option<&'r Condition> {
    let is_always = |condition: &Condition, truth: bool| {
        calls.iter().all(|call| call.evaluate(condition, MissingValueReading::AsHook) == Some(truth))
    };
    let is_never_true = |when: &&Condition| is_always(when, false);
    let is_always_true = |unless: &&Condition| is_always(unless, true);
    let clause = rule.when.as_ref().filter(is_never_true).or_else(|| rule.unless.as_ref().filter(is_always_true))?;
    let mut failing = None;
    clause.visit_tests(&mut |test, _| {
        let is_dead = match &test.kind {
            ConditionExpr::Constant(_) => false,
            ConditionExpr::Compare { negated, all, .. } => is_always(test, *negated && !all),
            _ => is_always(test, false),
        };
        if is_dead {
            failing = failing.or(Some(test));
        }
    });
    failing
}

/// Whether a call can have what a test counts, but only once.
fn has_single_value(call: &SelectedCall, kind: &ConditionExpr) -> bool {
    counted(kind).and_then(|measure| call.most_values(measure)) == Some(1)
}

/// Returns the label and the help for a rule on an event that is not about tools.
fn event_label_and_help(event: Event) -> (String, &'static str) {
    let help = match event {
        Event::Stop | Event::SubagentStop => {
            "write `on PreToolUse` for calls, or let a check decide: `run \"…\" { on_fail: deny }`"
        }
        Event::UserPromptSubmit => "write `on PreToolUse` for calls, or test `prompt`",
        _ => "write `on PreToolUse`, or `on PostToolUse` for what has happened",
    };
    (format!("no tool is called on `{}`", event.name()), help)
}

/// Returns the label and the help for a test of what none of the selected tools does.
fn tools_label_and_help(test: &Condition) -> (String, &'static str) {
    let counted_verb = counted(&test.kind).and_then(|measure| match measure {
        Measure::Files(verb) => Some(*verb),
        _ => None,
    });
    let (label, help) = match (test.kind.file_verb().or(counted_verb), &test.kind) {
        (Some(FileVerb::Reads), _) => (
            "none of the selected tools reads a file",
            "write `on PreToolUse`, where every tool and command is looked at, or `writes …`",
        ),
        (Some(FileVerb::Writes), _) => (
            "none of the selected tools writes a file",
            "write `on PreToolUse`, where every tool and command is looked at, or `reads …`",
        ),
        (Some(FileVerb::Deletes), _) => (
            "none of the selected tools deletes a file",
            "write `on PreToolUse`: files are deleted by commands and by tools of servers",
        ),
        (Some(FileVerb::Sends), _) => (
            "none of the selected tools sends a file",
            "write `on PreToolUse`: files are sent by commands and by tools of servers",
        ),
        (None, ConditionExpr::Connects(_)) => (
            "none of the selected tools connects to a host",
            "write `on PreToolUse`, where every tool and command is looked at",
        ),
        _ => (
            "none of the selected tools runs a command",
            "write `on PreToolUse`, or test the file: `reads like \"…\"`, `path like \"…\"`",
        ),
    };
    (label.to_owned(), help)
}
