//! Finds lengths in the notation of other languages, `tool_input.command.length > 500`, and counts of a single text,
//! `count command > 500`.

use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    ConditionExpr, DerivedField, Literal, Measure, OrderOperator, PolicyValue, Rule, ValueReference, ValueTest,
};
use crate::schema::FieldType;

pub(super) const LINT: Lint = Lint { codes: &[Code::MISSPELLED_MEMBER, Code::CONTRADICTORY_CONDITION], check };

/// The members that other languages have for the length of a text.
const LENGTHS: &[&str] = &["length", "len", "size"];

/// The number of texts of one call above which a count is probably a length.
const MANY: f64 = 100.0;

/// Reports each such test.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test, .. } = &seen.test.kind else { return };
        let number = match test {
            ValueTest::Order(OrderOperator::Greater | OrderOperator::GreaterEqual, value) | ValueTest::Equal(value) => {
                literal_number(value)
            }
            ValueTest::Order(_, value) => literal_number(value).map(|_| 0.0),
            _ => None,
        };
        let (Some(number), Some(comparison)) = (number, written.comparison(seen.test)) else { return };
        let rest = written.text(comparison.operator_and_value_span());
        let finding = match source {
            ValueReference::Raw { path, .. } => {
                let Some((last, text)) = path.split_last() else { return };
                // The type of a member of a server's tool is not known.
                if text.len() < 2 || !LENGTHS.contains(&last.as_str()) {
                    return;
                }
                let text = text.join(".");
                Diagnostic::new(Code::MISSPELLED_MEMBER, format!("no built-in tool has `{text}.{last}`"))
                    .label(seen.test.span, "a member of a text in other languages: it has no value here")
                    .help(format!("write `length {text} {rest}`"))
                    .fix_that_changes(seen.test.span, format!("length {text} {rest}"))
            }
            ValueReference::Measured(Measure::Count(counted)) if number > least_unlikely_count(counted) => {
                let field = comparison.operand.strip_prefix("count").unwrap_or(&comparison.operand).trim();
                Diagnostic::new(Code::CONTRADICTORY_CONDITION, "a count of one text")
                    .label(seen.test.span, "counts values, and not their characters: never true")
                    .help(format!("write `length {field} {rest}`"))
                    .fix_that_changes(seen.test.span, format!("length {field} {rest}"))
            }
            _ => return,
        };
        findings.push(finding);
    });
}

/// Returns the number that a test compares with.
fn literal_number(value: &PolicyValue) -> Option<f64> {
    match value {
        PolicyValue::Literal(Literal::Number(number)) => Some(*number),
        _ => None,
    }
}

/// Returns the count above which a test of the number of these values is meant as a length.
fn least_unlikely_count(counted: &ValueReference) -> f64 {
    match counted {
        ValueReference::Derived(DerivedField::Command) | ValueReference::Raw { ty: FieldType::String, .. } => 1.0,
        ValueReference::Derived(DerivedField::Content) => MANY,
        _ => f64::INFINITY,
    }
}
