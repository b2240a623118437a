//! Finds placeholders that have no value in some calls that the rule matches: `{path}` in a command.

use super::calls::{MissingValueReading, SelectedCall, SelectedCalls, derived_name, join_names};
use super::comparison::{SourceTexts, visit_tests};
use super::sources::effect_references;
use super::{FindingSink, Lint};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, DerivedField, Effect, Rule, ValueReference};

pub(super) const LINT: Lint = Lint { codes: &[Code::PLACEHOLDER_WITHOUT_VALUE], check };

/// Reports placeholders without a value in the effects of a rule.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut calls: Option<SelectedCalls> = None;
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        // A record has `null` in this case, which shows that there was no value.
        if matches!(effect, Effect::Record(_)) {
            continue;
        }
        for source in effect_references(effect) {
            let name = match source {
                ValueReference::Derived(derived) => derived_name(*derived).map(str::to_owned),
                ValueReference::Raw { path, .. } if path.len() > 1 => Some(path.join(".")),
                _ => None,
            };
            let Some(name) = name else { continue };
            let calls = calls.get_or_insert_with(|| SelectedCalls::from_rule(rule));
            findings.extend(
                reference_finding(rule, calls, effect, source, &name).map(|it| it.label(*span, MISSING_VALUE_NOTE)),
            );
        }
    }
}

/// The label of the finding.
const MISSING_VALUE_NOTE: &str = "the text lacks it there, and the rule matches all the same";

/// Returns the finding about a placeholder; `None` if every call that the rule matches may have the value.
fn reference_finding(
    rule: &Rule,
    calls: &SelectedCalls,
    effect: &Effect,
    source: &ValueReference,
    name: &str,
) -> Option<Diagnostic> {
    let matches = |call: &SelectedCall| call.evaluate_rule(rule, MissingValueReading::AsHook) != Some(false);
    let tools_without_value = calls.tool_names(|call| matches(call) && call.lacks(source));
    let is_always_missing = !calls.known.iter().any(|call| matches(call) && !call.lacks(source));
    let tests_files = has_files(rule);
    let is_path = matches!(source, ValueReference::Derived(DerivedField::Path));
    // A text about calls of several tools may well name a field that only some of the tools have.
    if tools_without_value.is_empty() || !(is_path && tests_files || is_always_missing && !calls.has_unknown_tool) {
        return None;
    }
    let help = match source {
        ValueReference::Derived(DerivedField::Path) if tests_files && matches!(effect, Effect::Run(_)) => {
            "write `{match}`, the file that the test found; as a word of its own it follows `\"--\"`".to_owned()
        }
        // A record has the names of fields, not placeholders.
        ValueReference::Derived(DerivedField::Path) if tests_files && matches!(effect, Effect::Record(_)) => {
            "write `match`, the file that the test found; with `path` beside it, `@allow` this".to_owned()
        }
        ValueReference::Derived(DerivedField::Path) if tests_files => {
            "write `{match}`, the file that the test found".to_owned()
        }
        _ => format!("select tools that have `{name}`, or leave it out"),
    };
    Some(
        Diagnostic::new(
            Code::PLACEHOLDER_WITHOUT_VALUE,
            format!("`{{{name}}}` has no value on {}", join_names(&tools_without_value)),
        )
        .help(help),
    )
}

/// Whether a rule tests accesses to files, which both tools and commands make.
fn has_files(rule: &Rule) -> bool {
    let mut tests_files = false;
    visit_tests(rule, &mut |seen| {
        tests_files |= matches!(seen.test.kind, ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. })
            && !seen.is_exception
            && seen.filtered_patterns.is_none();
    });
    tests_files
}
