//! What came of tests, for people.

use super::{Results, coverage};
use crate::cli::explain;
use crate::cli::print::{Printer, Style, count};
use crate::diagnostic::render;
use crate::eval::Judged;
use crate::examples::{Failure, Suite, SuiteKind, SuiteReport};
use crate::policy::Policy;
use crate::schema::Event;
use crate::verdict::Verdict;
use crate::wrap::columns;

/// How many columns a name gets at most.
const NAME: usize = 60;

/// Prints everything, or what failed alone.
pub(super) fn print(results: &Results<'_>, is_quiet: bool, printer: &mut Printer) {
    if !is_quiet {
        lines(&results.suites, printer);
    }
    for failure in results.suites.iter().flat_map(|(_, report)| &report.failures) {
        printer.out("\n");
        printer.out(&render(&failure.diagnostic, &results.policy.sources, printer.format()));
        trace(results.policy, failure, printer);
    }
    if !is_quiet || results.failed() > 0 {
        printer.out("\n");
    }
    if let Some(coverage) = &results.coverage {
        coverage::print(coverage, &results.policy.sources, is_quiet, printer);
    }
    let (passed, failed) = (results.passed(), results.failed());
    let style = if failed > 0 { Style::Red } else { Style::Green };
    printer.out(&format!("{}\n", printer.paint(style, &format!("{passed} passed, {failed} failed"))));
    if passed == 0 && failed == 0 {
        printer
            .out("the policy has no tests or examples of its own; those of the packs apply to the packs as shipped\n");
    }
}

/// Prints a line for each suite.
fn lines(suites: &[(Suite<'_>, SuiteReport)], printer: &mut Printer) {
    let names: Vec<String> = suites.iter().map(|(suite, _)| printer.fit(suite.name, NAME)).collect();
    let width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    for ((suite, report), name) in suites.iter().zip(names) {
        let padding = " ".repeat(width.saturating_sub(columns(&name)));
        let word = match suite.kind {
            SuiteKind::Rule(_) => "example",
            SuiteKind::Test(..) => "case",
        };
        let failed = report.failures.len();
        let all = count(report.passed.saturating_add(failed), word);
        let (status, what) = match failed {
            0 => (printer.paint(Style::Green, "ok    "), all),
            failed => (printer.paint(Style::Red, "FAILED"), format!("{failed} of {all}")),
        };
        printer.out(&format!("{status}  {name}{padding}  {}\n", printer.paint(Style::Dim, &what)));
    }
}

/// Prints what the rules of a failure came to, as `rules explain` does.
fn trace(policy: &Policy, failure: &Failure, printer: &mut Printer) {
    let rules = policy.rules.rules();
    let here = |(rule, judged): &(std::sync::Arc<_>, Judged)| {
        let index = rules.iter().position(|known| std::sync::Arc::ptr_eq(known, rule))?;
        Some(Judged { index, ..judged.clone() })
    };
    let judged: Vec<Judged> = failure.judged.iter().filter_map(here).collect();
    let pass = Verdict::pass(Event::PreToolUse);
    explain::show(policy, failure.verdict.as_ref().unwrap_or(&pass), &judged, printer);
}
