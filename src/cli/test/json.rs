//! Prints the results of tests for programs, as JSON Lines.

use serde_json::{Value as Json, json};

use super::SuiteResults;
use super::problem::LoadProblem;
use crate::cli::print::Printer;
use crate::diagnostic::Diagnostic;
use crate::examples::{Coverage, CoverageGroup, CoverageShare};
use crate::policy::Policy;
use crate::span::{Sources, Span};

/// Prints an object for each suite (only for failed ones if quiet), one for each group of the coverage, and the
/// summary.
pub(super) fn print(results: &SuiteResults<'_>, is_quiet: bool, printer: &mut Printer) {
    let sources = &results.policy.sources;
    for (suite, report) in &results.suites {
        if is_quiet && report.failures.is_empty() {
            continue;
        }
        let (file, line) = results.suite_location(suite);
        let failures = report.failures.iter().map(|failure| finding(&failure.diagnostic, sources));
        print_json_line(
            &json!({
                "kind": suite.kind.noun(), "name": suite.name, "file": file, "line": line, "passed": report.passed,
                "failed": report.failures.len(), "failures": failures.collect::<Vec<_>>(),
            }),
            printer,
        );
    }
    if let Some(coverage) = &results.coverage {
        coverage.groups.iter().for_each(|one| print_json_line(&group(one, results.policy), printer));
    }
    let (passed, failed) = (results.passed_count(), results.failed_count());
    let mut summary = json!({ "kind": "summary", "passed": passed, "failed": failed });
    if let (Some(coverage), Some(object)) = (&results.coverage, summary.as_object_mut()) {
        object.insert("coverage".into(), coverage_json(coverage));
    }
    print_json_line(&summary, printer);
}

/// Prints an object for each problem of a policy that cannot be tested, and the summary.
pub(super) fn print_problems(problems: &[LoadProblem], printer: &mut Printer) {
    for LoadProblem { file, line, message, code, text } in problems {
        let file = Some(file).filter(|file| !file.is_empty());
        print_json_line(
            &json!({ "kind": "error", "file": file, "line": line, "code": code, "message": message, "text": text }),
            printer,
        );
    }
    print_json_line(&json!({ "kind": "summary", "passed": 0, "failed": 0, "errors": problems.len() }), printer);
}

/// Prints a value on a line.
fn print_json_line(value: &Json, printer: &mut Printer) {
    printer.out(&format!("{value}\n"));
}

/// Returns the file name, line and column of a span; empty and 0 if its source is unknown.
fn span_location(span: Span, sources: &Sources) -> (String, usize, usize) {
    sources.file(span).map_or_else(Default::default, |file| {
        let (line, column) = file.line_column(span.start);
        (file.name.clone(), line, column)
    })
}

/// Returns a failure as a JSON object.
fn finding(diagnostic: &Diagnostic, sources: &Sources) -> Json {
    let labels = diagnostic.labels.iter().map(|label| {
        let (file, line, column) = span_location(label.span, sources);
        json!({ "file": file, "line": line, "column": column, "text": label.text })
    });
    json!({
        "code": diagnostic.code.id, "message": diagnostic.message, "labels": labels.collect::<Vec<_>>(),
        "help": diagnostic.help,
    })
}

/// Returns the coverage of a rule or definition as a JSON object, with the parts that are not covered.
fn group(group: &CoverageGroup, policy: &Policy) -> Json {
    let sources = &policy.sources;
    let (file, line, _) = span_location(group.span, sources);
    let missing = group.parts.iter().filter(|part| part.covered_branches() < 2).map(|part| {
        let (file, line, column) = span_location(part.span, sources);
        let text = sources.file(part.span).map_or("", |source| source.slice(part.span));
        json!({
            "file": file, "line": line, "column": column, "text": text, "true": part.was_true, "false": part.was_false,
        })
    });
    json!({
        "kind": "coverage", "rule": group.rule.as_ref().map(|rule| rule.display_name.as_str()),
        "def": group.rule.is_none().then(|| super::definition(group, policy)), "file": file, "line": line,
        "matches": group.rule.as_ref().map(|_| group.matched), "branches": share_json(group.branches()),
        "missing": missing.collect::<Vec<_>>(),
    })
}

/// Returns the whole coverage as a JSON object.
fn coverage_json(coverage: &Coverage) -> Json {
    json!({ "rules": share_json(coverage.rules()), "branches": share_json(coverage.branches()) })
}

/// Returns a share as a JSON object with two numbers.
fn share_json(share: CoverageShare) -> Json {
    json!({ "covered": share.covered, "total": share.total })
}
