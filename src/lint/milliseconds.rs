//! Finds comparisons of milliseconds with a number that is meant as seconds: `tool_input.timeout > 30`.

use super::calls::selected_tools;
use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Literal, PolicyValue, Rule, ValueReference, ValueTest};
use crate::schema::is_milliseconds;

pub(super) const LINT: Lint = Lint { codes: &[Code::MILLISECONDS], check };

/// One second in milliseconds. Nobody sets a shorter timeout for a command; a comparison with 1 means any timeout.
const SECOND: f64 = 1_000.0;

/// Reports comparisons of a duration with a number between 1 and 1000, both excluded.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source: ValueReference::Raw { path, .. }, test, .. } = &seen.test.kind else {
            return;
        };
        let [input, member] = path.as_slice() else { return };
        // The timeout of a server's tool may be in seconds, so only rules that can select built-in tools are checked.
        let is_built_in_timeout = input == "tool_input" && is_milliseconds(member) && can_select_own_tools(rule);
        let (ValueTest::Equal(value) | ValueTest::Order(_, value)) = test else { return };
        let PolicyValue::Literal(Literal::Number(number)) = value else { return };
        if !is_built_in_timeout || *number <= 1.0 || *number >= SECOND {
            return;
        }
        let right = format!("{}", number * SECOND);
        let value_span = written.comparison(seen.test).map(|it| it.value);
        let finding = Diagnostic::new(Code::MILLISECONDS, format!("`tool_input.{member}` counts milliseconds"))
            .label(value_span.unwrap_or(seen.test.span), format!("{} seconds", number / SECOND))
            .help(format!("write `{right}` for {number} seconds"));
        findings.push(match value_span.filter(|_| !seen.is_shared) {
            Some(value_span) => finding.fix_that_changes(value_span, right),
            None => finding,
        });
    });
}

/// Whether a rule can select built-in tools: it selects every tool, or names only tools of the table.
fn can_select_own_tools(rule: &Rule) -> bool {
    let selects_all = rule.head.events.iter().any(|selector| selector.subjects.as_ref().is_none_or(|it| it.is_star()));
    selects_all || selected_tools(rule).is_some()
}
