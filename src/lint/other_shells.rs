//! Finds guards on commands that name some of the tools that run commands, but not the others.

use super::calls::{is_tool_selected, join_names};
use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, EventSelector, Rule};
use crate::schema::{Event, TOOLS};

pub(super) const LINT: Lint = Lint { codes: &[Code::OTHER_SHELLS], check };

/// Reports a denial on PreToolUse that tests what commands do, and that selects only some of the built-in tools with
/// commands.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let [EventSelector { event: Event::PreToolUse, subjects: Some(list), .. }] = rule.head.events.as_slice() else {
        return;
    };
    if !rule.can_deny || list.includes.is_empty() {
        return;
    }
    let mut tests_commands = false;
    visit_tests(rule, &mut |seen| {
        let is_command_test = matches!(
            seen.test.kind,
            ConditionExpr::Command(_)
                | ConditionExpr::Touches { .. }
                | ConditionExpr::TouchesFilled { .. }
                | ConditionExpr::Connects(_)
        );
        tests_commands |= is_command_test && !seen.is_exception && seen.filtered_patterns.is_none();
    });
    let shells = || TOOLS.iter().filter(|tool| tool.command.is_some());
    let left_out: Vec<&str> = shells().filter(|tool| !is_tool_selected(list, tool)).map(|tool| tool.name).collect();
    let [(_, span), ..] = list.written.as_slice() else { return };
    if !tests_commands || left_out.is_empty() || left_out.len() == shells().count() {
        return;
    }
    findings.push(
        Diagnostic::new(Code::OTHER_SHELLS, format!("`{}` does not see the commands of other tools", rule.name))
            .label(*span, format!("{} and tools of servers run commands too", join_names(&left_out)))
            .help("write `on PreToolUse`: the test looks at whatever runs a command"),
    );
}
