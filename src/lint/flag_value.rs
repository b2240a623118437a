//! Finds comparisons of an option that takes no value: `docker run` with `option "--privileged" == "true"`.

use super::comparison::{RuleTest, visit_tests};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Measure, Patterns, Rule, ValueReference, ValueTest, WhereField};
use crate::syntax::string_literal;
use hookrules_shell::Pattern;
use hookrules_shell::programs::Arity;

pub(super) const LINT: Lint = Lint { codes: &[Code::NO_VALUE], check };

/// Reports each such comparison.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, all, negated, test } = &seen.test.kind else { return };
        let measured = match source {
            ValueReference::Measured(Measure::Length(measured)) => &**measured,
            source => source,
        };
        let ValueReference::Where(WhereField::Option(name)) = measured else { return };
        if seen.filtered_patterns.is_some_and(|patterns| is_flag(patterns, name)) {
            findings.push(finding(&seen, name, test, *negated && !all));
        }
    });
}

/// Whether the records of all programs of these patterns have an option, which takes no value.
fn is_flag(patterns: &Patterns, option: &str) -> bool {
    let mut all = patterns.iter().map(|pattern| arity(pattern, option));
    all.next() == Some(Some(Arity::None)) && all.all(|arity| arity == Some(Arity::None))
}

/// Returns whether an option of the command that a pattern spells out takes a value; `None` if no record has it.
fn arity(pattern: &Pattern, option: &str) -> Option<Arity> {
    let mut words = pattern.text().split_whitespace();
    let mut program = pattern.programs().program(words.next()?)?;
    let mut found = program.option(option);
    for word in words {
        if let Some(command) = program.command(word) {
            program = command;
            found = program.option(option).or(found);
        }
    }
    found.map(|option| option.arity)
}

/// Returns the finding about a comparison of a flag.
fn finding(seen: &RuleTest<'_>, name: &str, test: &ValueTest, is_always: bool) -> Diagnostic {
    let found = Diagnostic::new(Code::NO_VALUE, shortened("the option `", name, "` takes no value"))
        .label(seen.test.span, if is_always { "always true" } else { "never true of the option alone" });
    let right = format!("exists option {}", string_literal(name, ""));
    let is_no = match test {
        ValueTest::Equal(value) => value.as_text().is_some_and(|text| matches!(text, "false" | "no" | "0" | "")),
        _ => false,
    };
    let right = if is_no != is_always { format!("not {right}") } else { right };
    found.help(format!("write `{right}`")).fix_that_changes(seen.test.span, right)
}
