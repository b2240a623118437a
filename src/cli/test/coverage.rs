//! Prints the coverage of rules by examples and tests, for people.

use crate::cli::print::{Printer, Style, count};
use crate::examples::{Coverage, CoverageGroup, CoverageShare, CoveredTest};
use crate::policy::Policy;

/// The maximum number of columns shown of a condition's part.
const MAX_PART_WIDTH: usize = 60;

/// Prints the coverage in percent and, unless quiet, each rule or definition that is not completely covered.
pub(super) fn print(coverage: &Coverage, policy: &Policy, is_quiet: bool, printer: &mut Printer) {
    for group in coverage.groups.iter().filter(|group| !is_quiet && !group.is_complete()) {
        print_group(group, policy, printer);
        printer.out("\n");
    }
    let share = |share: CoverageShare, what: &str| {
        let style = if share.covered == share.total { Style::Green } else { Style::Yellow };
        let text = format!("{} of {} {what} ({} %)", share.covered, share.total, share.percent());
        printer.paint(style, &text)
    };
    let line = format!("{}, {}", share(coverage.rules(), "rules match"), share(coverage.branches(), "branches"));
    printer.out(&format!("coverage: {line}\n"));
}

/// Prints a rule or definition with those parts of its condition that were never true or never false.
fn print_group(group: &CoverageGroup, policy: &Policy, printer: &mut Printer) {
    let sources = &policy.sources;
    let name = match &group.rule {
        Some(rule) => rule.display_name.clone(),
        None => super::definition(group, policy).map_or("a definition".to_owned(), |name| format!("def {name}")),
    };
    let place = printer.paint(Style::Dim, &sources.location(group.span));
    let branches = group.branches();
    let covered = format!("{} of {}", branches.covered, count(branches.total, "branch").replace("branchs", "branches"));
    printer.out(&format!("{}  {covered}  {place}\n", printer.paint(Style::Bold, &name)));
    if group.rule.is_some() && !group.matched {
        printer.out(&format!("    {}\n", printer.paint(Style::Yellow, "no example and no test makes it match")));
    }
    for part in group.parts.iter().filter(|part| part.covered_branches() < 2) {
        let Some(file) = sources.file(part.span) else { continue };
        let line = file.line_column(part.span.start).0;
        let text = printer.fit(&file.slice(part.span).split_whitespace().collect::<Vec<_>>().join(" "), MAX_PART_WIDTH);
        let bar = printer.signs().bar;
        let missing = printer.paint(Style::Yellow, missing(part));
        printer.out(&format!("  {line:>4} {bar} {text}\n       {bar} {missing}\n"));
    }
}

/// Returns in words which results of a part of a condition never occurred.
fn missing(part: &CoveredTest) -> &'static str {
    match (part.was_true, part.was_false) {
        (false, false) => "never true and never false",
        (false, true) => "never true",
        _ => "never false",
    }
}
