//! Compiles tests of the clock: `time in "22:00".."06:00"`, `weekday in [sat, sun]`.

use super::ConditionCompiler;
use crate::compile::names::ScopedValue;
use crate::compile::values;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Literal, PolicyValue, ValueTest};
use crate::span::Span;
use crate::syntax::ast::{self, Operator, StringLiteral, ValueKind};
use crate::syntax::{meant_part_of_day, time_in_another_notation};
use crate::time::{TimeOfDay, TimeRange, Weekday};

impl<'a> ConditionCompiler<'_, 'a> {
    /// Compiles the right side of a test of `time`: a part of the day.
    pub(super) fn time_test(&mut self, compare: &'a ast::AstComparison, scoped: ScopedValue<'a>) -> Option<ValueTest> {
        let value = self.names.resolve_lets(scoped, self.diagnostics).value;
        let ValueKind::TimeRange(from, to) = &value.kind else {
            self.diagnostics.push(not_a_range(compare, value));
            return None;
        };
        if compare.operator != Operator::In {
            let right = if compare.is_negated() { "not in" } else { "in" };
            let found =
                Diagnostic::new(Code::TYPE_MISMATCH, format!("`{}` with a part of the day", compare.operator.as_str()))
                    .label(compare.operator_span, "a part of the day contains times")
                    .help(format!("write `time {right}`"))
                    .fix_that_changes(compare.operator_span, right);
            self.diagnostics.push(found);
            return None;
        }
        let Some(range) = time_range(&from.value, &to.value) else {
            self.diagnostics.push(no_time(value.span, from, to));
            return None;
        };
        if range.from == range.to.on_a_clock() {
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "a part of the day that is no part")
                    .label(value.span, "it begins when it ends")
                    .help("name a later end; a rule that always holds needs no test of the time"),
            );
            return None;
        }
        Some(ValueTest::InTime(range))
    }

    /// Reports a part of the day that is compared with anything but `time`. `None` if it did.
    pub(super) fn reject_time_range(&mut self, name: &str, scoped: ScopedValue<'a>) -> Option<()> {
        let value = self.names.resolve_lets(scoped, self.diagnostics).value;
        if !matches!(value.kind, ValueKind::TimeRange(..)) {
            return Some(());
        }
        self.diagnostics.push(
            Diagnostic::new(Code::TYPE_MISMATCH, format!("`{name}` is no time of day"))
                .label(value.span, "a part of the day contains times only")
                .help(match days_between(value) {
                    Some(days) if name == "weekday" => format!("name the days: `weekday in [{days}]`"),
                    _ => "write `time in` in place of the field and its operator".to_owned(),
                }),
        );
        None
    }

    /// Returns the day that a word without quotes names, as in `weekday == sat`. A word that names no day is reported,
    /// and returned as a text.
    pub(super) fn day(&mut self, scoped: ScopedValue<'a>) -> Option<PolicyValue> {
        let ValueKind::Name(name) = &scoped.value.kind else { return None };
        let text = name.text();
        if Weekday::from_name(&text).is_none() {
            self.diagnostics.push(values::impossible_value("weekday", Weekday::NAMES, &text, name.span));
        }
        Some(PolicyValue::Literal(Literal::Text(text)))
    }
}

/// Returns the days from the first to the second end of a range that has days in place of times.
fn days_between(value: &ast::AstValue) -> Option<String> {
    let ValueKind::TimeRange(from, to) = &value.kind else { return None };
    let day = |text: &str| Weekday::from_name(text.to_ascii_lowercase().get(..3)?);
    let (from, to) = (day(&from.value)?, day(&to.value)?);
    Some(from.through(to).map(Weekday::name).collect::<Vec<_>>().join(", "))
}

/// Parses a part of the day; `None` if one end is not a time, or if it begins at `24:00`.
fn time_range(from: &str, to: &str) -> Option<TimeRange> {
    let from = from.parse::<TimeOfDay>().ok().filter(|from| from.on_a_clock() == *from)?;
    Some(TimeRange { from, to: to.parse().ok()? })
}

/// Returns the finding about a part of the day with an end that is not a time.
fn no_time(span: Span, from: &StringLiteral, to: &StringLiteral) -> Diagnostic {
    let is_first = time_range(&from.value, "24:00").is_none();
    let wrong = if is_first { from } else { to };
    let found = Diagnostic::new(Code::BAD_VALUE, format!("`{}` is not a time of day", wrong.value))
        .label(wrong.span, "hours and minutes are expected: \"22:00\"");
    let meant = (time_in_another_notation(&from.value), time_in_another_notation(&to.value));
    match meant {
        (Some(from), Some(to)) => {
            let right = format!("\"{}\"..\"{to}\"", from.on_a_clock());
            found.help(format!("write `{right}`")).fix_that_changes(span, right)
        }
        _ => found.help("write it from \"00:00\" to \"23:59\"; \"24:00\" is the end of a day"),
    }
}

/// Returns the finding about a test of `time` whose right side is not a part of the day.
fn not_a_range(compare: &ast::AstComparison, value: &ast::AstValue) -> Diagnostic {
    let whole = compare.operand.span().joined_with(compare.value.span);
    let found = Diagnostic::new(Code::TYPE_MISMATCH, "`time` is compared with a part of the day")
        .label(value.span, format!("this is {}", values::kind_noun(&value.kind)));
    let not = if compare.is_negated() { "not " } else { "" };
    match meant_part_of_day(compare.operator, value) {
        Some((from, to)) => {
            let right = format!("time {not}in \"{from}\"..\"{to}\"");
            found.help(format!("write `{right}`")).fix_that_changes(whole, right)
        }
        None => found.help("write its beginning and its end: `time in \"22:00\"..\"06:00\"`"),
    }
}
