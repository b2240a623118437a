//! Finds regexes for digits that are applied to every value of an input: they do not match numbers, because numbers are
//! not texts. `` `$.tool_input..*` matches /\d{16}/ `` misses a card number that is a JSON number.

use super::super::SourceTexts;
use super::super::comparison::{MatchEffect, RuleTest, visit_tests};
use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, LazyRegex, Rule, ValueReference, ValueTest};

/// The maximum number of digits in the samples that a regex is tried on.
const MAX_NUMBER_LENGTH: usize = 20;

/// Returns the finding about a regex for digits in a guard on all values at a JSONPath, unless the rule also compares
/// them as numbers.
pub(super) fn unmatched_number_finding(
    written: &SourceTexts<'_>,
    rule: &Rule,
    seen: RuleTest<'_>,
    regex: &LazyRegex,
) -> Option<Diagnostic> {
    let ConditionExpr::Compare { source: ValueReference::JsonPath(path), .. } = &seen.test.kind else { return None };
    let is_any = path.text.ends_with(".*") || path.text.ends_with("[*]");
    if !is_any || seen.match_effect(rule) != Some(MatchEffect::Stops) || !can_match_number(regex) {
        return None;
    }
    let mut compares_numbers = false;
    visit_tests(rule, &mut |other| {
        let ConditionExpr::Compare { source: ValueReference::JsonPath(other), test, .. } = &other.test.kind else {
            return;
        };
        compares_numbers |= other.text == path.text && matches!(test, ValueTest::Order(..));
    });
    (!compares_numbers).then(|| {
        Diagnostic::new(Code::REGEX_ON_NUMBERS, "a regex of digits does not match a number")
            .label(super::regex_span(written, seen), "true of \"4111\", and false of 4111")
            .help(format!("test the numbers as well: ``… or `{}` > 999``", path.text))
    })
}

/// Whether a regex for digits matches a text of digits alone, tried on samples.
fn can_match_number(regex: &LazyRegex) -> bool {
    let has_digits = regex.pattern().contains("\\d") || regex.pattern().contains("[0-9");
    // Compiling a regex takes long, and most of those with digits begin with other characters.
    let is_number = |beginning: &String| beginning.bytes().all(|byte| byte.is_ascii_digit());
    if !regex.beginnings().is_empty() && !regex.beginnings().iter().any(is_number) {
        return false;
    }
    // The automaton of a pack's regex is built into the program.
    let budget = Budget::default();
    let matches = |text: String| regex.is_match(&text, &budget).unwrap_or_default();
    has_digits
        && (1..=MAX_NUMBER_LENGTH)
            .any(|length| ["1", "3", "4", "5", "6", "9"].iter().any(|digit| matches(digit.repeat(length))))
}
