//! `rules explain --cost`: the work that a hook does for the event, and the rules that the index lets it skip.

use crate::cli::print::{Printer, Style, count};
use crate::context::Context;
use crate::eval::{Evaluation, JudgingCost, TraceDetail, decide};
use crate::facts::{CountedFacts, FactKind, Facts};
use crate::policy::Policy;
use crate::ruleset::index::LookupStats;
use crate::types::Payload;

/// Judges the event as a hook does: with the rules that the index finds. `counted` counts the facts that are read.
pub(super) fn evaluation(policy: &Policy, payload: &Payload, host: &str, counted: &CountedFacts<'_>) -> Evaluation {
    let facts: &dyn Facts = counted;
    let context = Context::new(payload, host, facts, &policy.settings.shell_tools);
    let Ok(evaluation) = decide(&policy.rules, &context, TraceDetail::Outcomes);
    evaluation
}

/// Prints the section `cost`: for each event the rules that the index found, the judged conditions, and the facts
/// that were read from the machine.
pub(super) fn print(cost: &JudgingCost, counted: &CountedFacts<'_>, printer: &mut Printer) {
    let title = printer.paint(Style::Bold, "cost");
    printer.out(&format!("\n{title}, as a hook does it\n"));
    for (event, lookup) in &cost.lookups {
        let ways = describe_lookup(lookup);
        let ways = if ways.is_empty() { String::new() } else { format!(": {}", ways.join(", ")) };
        let rules = count_with_noun(lookup.rules, "rule");
        printer.out(&printer.wrapped(
            "  ",
            "    ",
            &format!("of {rules} on {event:?}, the index finds {}{ways}", lookup.candidates),
        ));
    }
    let (rules, parts) = (cost.rules, count_with_noun(cost.steps, "part"));
    let text = format!("judged: {rules} of these, which `on` and `by` select, in {parts} of their conditions");
    printer.out(&printer.wrapped("  ", "    ", &text));
    let shell = if cost.shell { "the shell command" } else { "no shell command" };
    printer.out(&format!("  analysed: {shell}\n"));
    let asked: Vec<String> =
        FactKind::ALL.into_iter().filter_map(|kind| fact_phrase(kind, counted.count(kind))).collect();
    let asked = if asked.is_empty() { "nothing".to_owned() } else { asked.join(", ") };
    printer.out(&printer.wrapped("  ", "    ", &format!("asked of the machine: {asked}")));
}

/// Returns the numbers of rules that the index found, one phrase for each property by which it found them.
fn describe_lookup(lookup: &LookupStats) -> Vec<String> {
    lookup
        .counts_by_way()
        .into_iter()
        .filter(|(found, _)| *found > 0)
        .map(|(found, way)| format!("{found} {way}"))
        .collect()
}

/// Returns a phrase like `git (2 times)` about the queries for one kind of fact; `None` if there were none.
fn fact_phrase(kind: FactKind, times: u32) -> Option<String> {
    let what = match kind {
        FactKind::Git => "git",
        FactKind::Environment => "the environment",
        FactKind::Files => "files",
        FactKind::Links => "the targets of paths",
        FactKind::Transcript => "the transcript",
    };
    (times > 0).then(|| format!("{what} ({})", count_with_noun(times, "time")))
}

/// Returns a number with its noun, in the plural if needed: `3 rules`.
fn count_with_noun(number: u32, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}
