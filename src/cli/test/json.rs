//! The results of tests, for programs: one JSON object a line.

use serde_json::{Value as Json, json};

use super::Results;
use crate::cli::print::Printer;
use crate::diagnostic::Diagnostic;
use crate::examples::{Coverage, Group, Share};
use crate::policy::Policy;
use crate::span::{Sources, Span};

/// Prints a line for each suite and each group of parts with its coverage, and a summary.
pub(super) fn print(results: &Results<'_>, is_quiet: bool, printer: &mut Printer) {
    let sources = &results.policy.sources;
    for (suite, report) in &results.suites {
        if is_quiet && report.failures.is_empty() {
            continue;
        }
        let (file, line) = results.place(suite);
        let failures = report.failures.iter().map(|failure| finding(&failure.diagnostic, sources));
        line_of(
            &json!({
                "kind": suite.kind.word(), "name": suite.name, "file": file, "line": line, "passed": report.passed,
                "failed": report.failures.len(), "failures": failures.collect::<Vec<_>>(),
            }),
            printer,
        );
    }
    if let Some(coverage) = &results.coverage {
        coverage.groups.iter().for_each(|one| line_of(&group(one, results.policy), printer));
    }
    let (passed, failed) = (results.passed(), results.failed());
    let mut summary = json!({ "kind": "summary", "passed": passed, "failed": failed });
    if let (Some(coverage), Some(object)) = (&results.coverage, summary.as_object_mut()) {
        object.insert("coverage".into(), shares(coverage));
    }
    line_of(&summary, printer);
}

fn line_of(value: &Json, printer: &mut Printer) {
    printer.out(&format!("{value}\n"));
}

fn place(span: Span, sources: &Sources) -> (String, usize, usize) {
    sources.file(span).map_or_else(Default::default, |file| {
        let (line, column) = file.line_column(span.start);
        (file.name.clone(), line, column)
    })
}

fn finding(diagnostic: &Diagnostic, sources: &Sources) -> Json {
    let labels = diagnostic.labels.iter().map(|label| {
        let (file, line, column) = place(label.span, sources);
        json!({ "file": file, "line": line, "column": column, "text": label.text })
    });
    json!({
        "code": diagnostic.code.id, "message": diagnostic.message, "labels": labels.collect::<Vec<_>>(),
        "help": diagnostic.help,
    })
}

fn group(group: &Group, policy: &Policy) -> Json {
    let sources = &policy.sources;
    let (file, line, _) = place(group.span, sources);
    let missing = group.parts.iter().filter(|part| part.covered() < 2).map(|part| {
        let (file, line, column) = place(part.span, sources);
        let text = sources.file(part.span).map_or("", |source| source.slice(part.span));
        json!({
            "file": file, "line": line, "column": column, "text": text, "true": part.was_true, "false": part.was_false,
        })
    });
    json!({
        "kind": "coverage", "rule": group.rule.as_ref().map(|rule| rule.shown.as_str()),
        "def": group.rule.is_none().then(|| super::definition(group, policy)), "file": file, "line": line,
        "matches": group.rule.as_ref().map(|_| group.matched), "branches": share(group.branches()),
        "missing": missing.collect::<Vec<_>>(),
    })
}

fn shares(coverage: &Coverage) -> Json {
    json!({ "rules": share(coverage.rules()), "branches": share(coverage.branches()) })
}

fn share(share: Share) -> Json {
    json!({ "covered": share.covered, "total": share.total })
}
