//! Prints the results of tests for people.

use super::{SuiteResults, TestDetail, coverage};
use crate::cli::explain;
use crate::cli::print::{Printer, Style, count};
use crate::diagnostic::render;
use crate::eval::RuleJudgement;
use crate::examples::{ExampleFailure, ExampleSuite, SuiteKind};
use crate::policy::Policy;
use crate::schema::Event;
use crate::syntax::ast::{Example, ExampleKind};
use crate::verdict::Verdict;
use crate::wrap::columns;

/// The maximum width of a suite's name, in columns.
const MAX_NAME_WIDTH: usize = 60;

/// The columns of the status (`FAILED`) and the gap after it.
const STATUS: usize = 8;

/// The indentation of an example or a case below its suite.
const INDENT: &str = "        ";

/// Prints a line for each suite (unless quiet), the failures with their traces, the coverage, and the summary.
pub(super) fn print(results: &SuiteResults<'_>, detail: TestDetail, printer: &mut Printer) {
    let is_quiet = detail == TestDetail::Failures;
    if !is_quiet {
        print_suites(results, detail, printer);
    }
    for failure in results.suites.iter().flat_map(|(_, report)| &report.failures) {
        printer.out("\n");
        printer.out(&render(&failure.diagnostic, &results.policy.sources, printer.format()));
        print_failure_trace(results.policy, failure, printer);
    }
    if !is_quiet || results.failed_count() > 0 {
        printer.out("\n");
    }
    if let Some(coverage) = &results.coverage {
        coverage::print(coverage, results.policy, is_quiet, printer);
    }
    let (passed, failed) = (results.passed_count(), results.failed_count());
    let style = if failed > 0 { Style::Red } else { Style::Green };
    printer.out(&format!("{}\n", printer.paint(style, &format!("{passed} passed, {failed} failed"))));
    if passed == 0 && failed == 0 {
        printer
            .out("the policy has no tests or examples of its own; those of the packs apply to the packs as shipped\n");
    }
}

/// Prints a line for each suite and, with `--verbose`, one for each of its examples or cases.
fn print_suites(results: &SuiteResults<'_>, detail: TestDetail, printer: &mut Printer) {
    let names: Vec<String> = results.suites.iter().map(|(suite, _)| printer.fit(suite.name, MAX_NAME_WIDTH)).collect();
    let width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    for ((suite, report), name) in results.suites.iter().zip(names) {
        let padding = " ".repeat(width.saturating_sub(columns(&name)));
        let word = match suite.kind {
            SuiteKind::Rule(_) => "example",
            SuiteKind::Test(..) => "case",
        };
        let failed = report.failures.len();
        let all = count(report.passed.saturating_add(failed), word);
        let what = if failed == 0 { all } else { format!("{failed} of {all}") };
        let status = status(failed == 0, printer);
        printer.out(&format!("{status}  {name}{padding}  {}\n", printer.paint(Style::Dim, &what)));
        if detail == TestDetail::Each {
            for (expectation, is_met) in expectations(suite, results.policy).iter().zip(&report.each_passed) {
                let lead = format!("{INDENT}{}  ", self::status(*is_met, printer));
                let room = printer.width().saturating_sub(INDENT.len()).saturating_sub(STATUS);
                printer.out(&format!("{lead}{}\n", printer.fit(expectation, room)));
            }
        }
    }
}

/// Returns the status in colour: `ok` or `FAILED`.
fn status(is_met: bool, printer: &Printer) -> String {
    if is_met { printer.paint(Style::Green, "ok    ") } else { printer.paint(Style::Red, "FAILED") }
}

/// Returns what each example or case of a suite expects, as text, in the order of the source.
fn expectations(suite: &ExampleSuite<'_>, policy: &Policy) -> Vec<String> {
    let text = |span| policy.sources.file(span).map(|file| file.slice(span)).unwrap_or_default();
    match &suite.kind {
        SuiteKind::Rule(rule) => {
            let of_kind = |(kind, examples): &(ExampleKind, std::sync::Arc<[Example]>)| {
                let lines = examples.iter().map(|example| format!("{} on {}", kind.keyword(), text(example.span)));
                lines.collect::<Vec<String>>()
            };
            rule.examples.iter().flat_map(of_kind).collect()
        }
        SuiteKind::Test(test, _) => {
            let cases = test.cases.iter();
            cases.map(|case| format!("expect {} given {}", case.expect.decision.text, text(case.given.span))).collect()
        }
    }
}

/// Prints how the rules were judged in a failed example or case, as `rules explain` does.
fn print_failure_trace(policy: &Policy, failure: &ExampleFailure, printer: &mut Printer) {
    let rules = policy.rules.rules();
    // A suite is judged by the rules of its layer, so the indexes of its judgements are not those of the policy.
    let with_policy_index = |(rule, judged): &(std::sync::Arc<_>, RuleJudgement)| {
        let index = rules.iter().position(|known| std::sync::Arc::ptr_eq(known, rule))?;
        Some(RuleJudgement { index, ..judged.clone() })
    };
    let judged: Vec<RuleJudgement> = failure.judged.iter().filter_map(with_policy_index).collect();
    let pass = Verdict::pass(Event::PreToolUse);
    explain::show(policy, failure.verdict.as_ref().unwrap_or(&pass), &judged, printer);
}
