//! Finds guards on `path` for every tool: a command has no `path`, but can access the same file.

use super::calls::{SelectedCall, SelectedCalls};
use super::comparison::{MatchEffect, RuleTest, visit_tests};
use super::one_exempts_all::collect_needed_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    Condition, ConditionExpr, DerivedField, EventSelector, FactName, PolicyValue, Rule, ValueReference, ValueTest,
};
use crate::schema::{Event, TOOLS};

pub(super) const LINT: Lint = Lint { codes: &[Code::PATH_WITHOUT_COMMANDS], check };

/// Reports a rule that blocks by `path` alone, and that selects both file tools and tools with commands.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_block {
        return;
    }
    let mut path_test: Option<RuleTest<'_>> = None;
    let mut file_fact_test: Option<RuleTest<'_>> = None;
    let mut has_other_test = false;
    // An author who tests whether there is a path has considered calls without one.
    let mut tests_presence = false;
    visit_tests(rule, &mut |seen| match &seen.test.kind {
        ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::Path), test, .. } => {
            let stops = finds_paths(test) && seen.match_effect(rule) == Some(MatchEffect::Stops);
            path_test = path_test.or(stops.then_some(seen));
        }
        ConditionExpr::Exists(ValueReference::Derived(DerivedField::Path)) => tests_presence = true,
        ConditionExpr::Compare { source, .. } | ConditionExpr::Truth(source) if is_fact_of_path(source) => {
            file_fact_test = file_fact_test.or((!seen.is_exception && !rule.can_allow).then_some(seen));
        }
        // Such a rule also tests commands, or is only about calls without a command.
        ConditionExpr::Command(_) | ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. } => {
            has_other_test = true
        }
        ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => {
            has_other_test |= is_tool_reference(source);
        }
        _ => {}
    });
    let path_test = path_test.filter(|_| !has_other_test);
    let file_fact_test = file_fact_test.filter(|_| !tests_presence);
    let path_next_to_files = rule.when.as_ref().filter(|_| !tests_presence).and_then(path_test_next_to_files);
    if path_test.is_none() && file_fact_test.is_none() && path_next_to_files.is_none()
        || !selects_files_and_commands(rule)
    {
        return;
    }
    if let Some(seen) = path_test {
        findings.push(finding(written, rule, seen));
    } else if let Some(test) = path_next_to_files {
        findings.push(path_next_to_files_finding(written, rule, test));
    } else if let Some(seen) = file_fact_test {
        findings.push(file_fact_finding(rule, seen));
    }
}

/// Returns the test of the call's path that must hold together with a test of the files of commands: `writes under "X"
/// and path like "*.rs"`. `None` if there is none.
fn path_test_next_to_files(when: &Condition) -> Option<&Condition> {
    let mut needed = Vec::new();
    collect_needed_tests(when, false, &mut needed);
    needed.retain(|part| !part.is_negated);
    if !needed.iter().any(|part| part.test.kind.file_verb().is_some()) {
        return None;
    }
    let is_of_path = |source: &ValueReference| match source {
        ValueReference::Derived(DerivedField::Path) => true,
        ValueReference::Raw { path, .. } => source.is_path() && path.first().is_some_and(|name| name == "tool_input"),
        _ => false,
    };
    let found = needed.iter().find(|part| match &part.test.kind {
        ConditionExpr::Compare { source, negated: false, test, .. } => is_of_path(source) && finds_paths(test),
        _ => false,
    })?;
    Some(found.test)
}

/// Returns the finding about a test of the call's path next to a test of files.
fn path_next_to_files_finding(written: &SourceTexts<'_>, rule: &Rule, test: &Condition) -> Diagnostic {
    let operand = written.comparison(test).map_or_else(|| "path".to_owned(), |comparison| comparison.operand);
    Diagnostic::new(Code::PATH_WITHOUT_COMMANDS, format!("`{}` does not see the files of commands", rule.name))
        .label(test.span, format!("a command has no `{operand}`, so this is false for each"))
        .help(
            "test the files once, as in `writes like \"src/**/*.rs\"`; or select the tools that name a file: `on \
             PreToolUse(Edit|Write)`",
        )
}

/// Whether a rule selects, before a call, both tools that name a file and tools that run commands.
fn selects_files_and_commands(rule: &Rule) -> bool {
    let events = &rule.head.events;
    let is_before_call =
        |selector: &EventSelector| matches!(selector.event, Event::PreToolUse | Event::PermissionRequest);
    if rule.head.every_event || !events.iter().all(is_before_call) {
        return false;
    }
    // An author who excludes a tool with commands has considered commands.
    let excludes_commands = |selector: &EventSelector| {
        let list = selector.subjects.as_ref();
        list.is_some_and(|list| TOOLS.iter().any(|tool| tool.command.is_some() && list.is_excluded(tool.name)))
    };
    if events.iter().any(excludes_commands) {
        return false;
    }
    let calls = SelectedCalls::from_rule(rule).known;
    let names_file =
        |call: &SelectedCall| !call.can_run_commands() && !call.lacks(&ValueReference::Derived(DerivedField::Path));
    calls.iter().any(names_file) && calls.iter().any(SelectedCall::can_run_commands)
}

/// Whether a test describes certain paths.
fn finds_paths(test: &ValueTest) -> bool {
    matches!(
        test,
        ValueTest::LikePath(_)
            | ValueTest::Under(_)
            | ValueTest::Outside(_)
            | ValueTest::Matches(_)
            | ValueTest::Contains(_)
            | ValueTest::StartsWith(_)
            | ValueTest::EndsWith(_)
            | ValueTest::Equal(_)
            | ValueTest::In(_)
    )
}

/// Whether a source is a property of the file that the call names: `file_exists path`.
fn is_fact_of_path(source: &ValueReference) -> bool {
    let ValueReference::Fact(FactName::File(_, name) | FactName::OwnFile(_, _, name)) = source else { return false };
    matches!(**name, PolicyValue::Source(ValueReference::Derived(DerivedField::Path)))
}

/// Returns the finding about a property of the file that the call names, in a rule that also selects commands.
fn file_fact_finding(rule: &Rule, seen: RuleTest<'_>) -> Diagnostic {
    Diagnostic::new(Code::PATH_WITHOUT_COMMANDS, format!("`{}` does not see the files of commands", rule.name))
        .label(seen.test.span, "a command has no `path`, so this is false for each")
        .help("select the tools that name a file: `on PreToolUse(Edit|Write)`; for commands, write a rule without this test")
}

/// Whether a source is the name of the tool, or a value that only calls of some tools have.
fn is_tool_reference(source: &ValueReference) -> bool {
    match source {
        ValueReference::Derived(derived) => {
            matches!(
                derived,
                DerivedField::ToolName
                    | DerivedField::Command
                    | DerivedField::Content
                    | DerivedField::Url
                    | DerivedField::Domain
            )
        }
        ValueReference::Raw { path, .. } => {
            path.first().is_some_and(|name| name == "tool_input" || name == "tool_name")
        }
        ValueReference::JsonPath(path) => path.text.starts_with("$.tool_"),
        _ => false,
    }
}

/// Returns the finding about a test of `path`, with tests of files to write instead.
fn finding(written: &SourceTexts<'_>, rule: &Rule, seen: RuleTest<'_>) -> Diagnostic {
    let finding =
        Diagnostic::new(Code::PATH_WITHOUT_COMMANDS, format!("`{}` does not see the files of commands", rule.name))
            .label(seen.test.span, "a command has no `path`: `cat .env` passes this");
    let fits_file_test = matches!(
        &seen.test.kind,
        ConditionExpr::Compare {
            all: false,
            negated: false,
            test: ValueTest::LikePath(_) | ValueTest::Under(_) | ValueTest::Outside(_),
            ..
        }
    );
    let test =
        written.comparison(seen.test).filter(|_| fits_file_test).map(|it| written.text(it.operator_and_value_span()));
    let help = match test.filter(|test| test.len() < 40 && !test.contains('\n')) {
        Some(test) => format!("write `reads {test}`, `writes {test}` or `deletes {test}`"),
        None => "write `reads`, `writes` or `deletes` with `like` or `under`".to_owned(),
    };
    finding.help(format!("{help}; or select tools: `on PreToolUse(Read)`"))
}
