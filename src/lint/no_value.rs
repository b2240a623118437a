//! Finds tests of a field that none of the selected tools has: the result is the same for every call.

use super::calls::{derived_name, provides_field, selected_tools};
use super::comparison::visit_tests;
use super::one_exempts_all::{NeededTest, collect_needed_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, ConditionExpr, DerivedField, Measure, Rule, ValueReference};
use crate::schema::{Event, OUTPUT, TOOLS, ToolSpec};
use crate::span::Span;

pub(super) const LINT: Lint = Lint { codes: &[Code::NO_VALUE], check };

/// Reports tests of fields that none of the selected tools has, exceptions by fields that calls with commands lack, and
/// tests for a command's exit status in its output.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    check_command_exceptions(rule, findings);
    let Some(tools) = selected_tools(rule) else { return };
    visit_tests(rule, &mut |seen| {
        // A definition may be meant for rules on other tools too.
        if seen.is_shared {
            return;
        }
        let (source, negated) = match &seen.test.kind {
            ConditionExpr::Compare { source, negated, all, .. } => (source, *negated && !all),
            ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => (source, false),
            _ => return,
        };
        if let Some(finding) = exit_status_finding(rule, seen.test.span, source, &tools) {
            findings.push(finding);
        }
        // Without a text there is no length, but there are zero values.
        let source = if let ValueReference::Measured(Measure::Length(text)) = source { text } else { source };
        let ValueReference::Derived(derived) = source else { return };
        let Some(name) = derived_name(*derived) else { return };
        if tools.iter().any(|tool| provides_field(tool, *derived)) {
            return;
        }
        let names: Vec<String> = tools.iter().map(|tool| format!("`{}`", tool.name)).collect();
        let tool_names = if names.len() > 3 { "the selected tools".to_owned() } else { names.join(" and ") };
        let always = if negated { "true" } else { "false" };
        findings.push(
            Diagnostic::new(Code::NO_VALUE, format!("`{name}` has no value on {tool_names}"))
                .label(seen.test.span, format!("always {always}"))
                .help(match tools.iter().all(|tool| tool.input.iter().any(|member| member.name == name)) {
                    true => format!("write `tool_input.{name}` for the member of the input"),
                    false => replacement_advice(*derived, &tools).to_owned(),
                }),
        );
    });
}

/// Reports an exception by a field that calls with commands lack, which is never true: `unless path under "build"` next
/// to `when runs "rm"`.
fn check_command_exceptions(rule: &Rule, findings: &mut FindingSink) {
    let mut needed = Vec::new();
    rule.when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    rule.unless.iter().for_each(|unless| collect_needed_tests(unless, true, &mut needed));
    let is_runs = |part: &&NeededTest<'_>| matches!(part.test.kind, ConditionExpr::Command(CommandTest::Runs { .. }));
    let Some(guard) = needed.iter().filter(|part| !part.is_negated).find(is_runs) else { return };
    for part in needed.iter().filter(|part| part.is_negated) {
        let ConditionExpr::Compare { source: ValueReference::Derived(derived), negated: false, .. } = &part.test.kind
        else {
            continue;
        };
        let Some(name) = derived_name(*derived).filter(|_| *derived != DerivedField::Command) else { continue };
        let has_command_and_field = |tool: &ToolSpec| tool.command.is_some() && provides_field(tool, *derived);
        if TOOLS.iter().any(has_command_and_field) {
            continue;
        }
        let help = match derived {
            DerivedField::Path => "test the files of the command: `runs \"…\" where deletes outside \"build\"`",
            DerivedField::Content => "test what the command gets: `runs \"…\" where input …`",
            _ => "test the hosts: `connects outside \"example.org\"`",
        };
        findings.push(
            Diagnostic::new(Code::NO_VALUE, format!("`{name}` has no value on a call that runs commands"))
                .label(part.test.span, "never true: this exempts nothing")
                .label(guard.test.span, "a command")
                .help(help),
        );
    }
}

/// Names by which people look for the exit status of a command in its output.
const EXIT_STATUS_NAMES: &[&str] = &[
    "code",
    "error",
    "exit",
    "exitCode",
    "exit_code",
    "exit_status",
    "isError",
    "is_error",
    "returnCode",
    "return_code",
    "returncode",
    "status",
    "success",
];

/// Returns the finding about a test of a command's exit status on PostToolUse, where it never shows: a failing command
/// causes another event.
fn exit_status_finding(rule: &Rule, span: Span, source: &ValueReference, tools: &[&ToolSpec]) -> Option<Diagnostic> {
    let ValueReference::Raw { path, .. } = source else { return None };
    let [output, member, ..] = path.as_slice() else { return None };
    let is_after = rule.head.events.iter().all(|selector| selector.event == Event::PostToolUse);
    let is_shell = tools.iter().all(|tool| tool.command.is_some());
    if output != OUTPUT || !EXIT_STATUS_NAMES.contains(&member.as_str()) || !is_after || !is_shell {
        return None;
    }
    let name = tools.first().map_or("Bash", |tool| tool.name);
    Some(
        Diagnostic::new(Code::NO_VALUE, format!("`{output}.{member}` has no value on `{name}`"))
            .label(span, "the output of a command does not say how it ended")
            .help(format!(
                "a command that fails is another event: `on PostToolUseFailure({name})`, with `error contains \"Exit code 1\"`"
            )),
    )
}

/// Returns the help: what to test or to select instead of a field that the selected tools do not have.
fn replacement_advice(derived: DerivedField, tools: &[&ToolSpec]) -> &'static str {
    let run = tools.iter().any(|tool| tool.command.is_some());
    match derived {
        DerivedField::Path if run => "write `reads`, `writes` or `deletes`, which look at the files of commands too",
        DerivedField::Content if run => "write `runs \"…\" where input …`, or `on PreToolUse(Edit|Write)`",
        DerivedField::Url | DerivedField::Domain if run => {
            "select `PreToolUse(WebFetch)`, or write `runs \"curl|wget\" where operands like \"https://example.com/*\"`"
        }
        DerivedField::Path => "select tools that name a file: `on PreToolUse(Read|Edit|Write)`",
        DerivedField::Content => "select tools that write: `on PreToolUse(Edit|Write)`",
        DerivedField::Command => "select tools that run commands: `on PreToolUse`, with `runs \"…\"`",
        _ => "select a tool with a URL: `on PreToolUse(WebFetch)`",
    }
}
