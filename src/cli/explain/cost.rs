//! `rules explain --cost`: what the hook examined for the event, and what it skipped.

use crate::cli::print::{Printer, Style, count};
use crate::context::Context;
use crate::eval::{Evaluation, JudgingCost, TraceDetail, decide};
use crate::facts::{CountedFacts, FactKind, Facts};
use crate::policy::Policy;
use crate::ruleset::index::LookupStats;
use crate::types::Payload;

/// Judges the event as a hook does, and counts.
pub(super) fn evaluation(policy: &Policy, payload: &Payload, host: &str, counted: &CountedFacts<'_>) -> Evaluation {
    let facts: &dyn Facts = counted;
    let context = Context::new(payload, host, facts, &policy.settings.shell_tools);
    let Ok(evaluation) = decide(&policy.rules, &context, TraceDetail::Outcomes);
    evaluation
}

/// Prints the counts.
pub(super) fn print(cost: &JudgingCost, counted: &CountedFacts<'_>, printer: &mut Printer) {
    let title = printer.paint(Style::Bold, "cost");
    printer.out(&format!("\n{title}, as a hook does it\n"));
    for (event, looked) in &cost.lookups {
        let found = describe_lookup(looked);
        let found = if found.is_empty() { String::new() } else { format!(": {}", found.join(", ")) };
        let rules = count_with_noun(looked.rules, "rule");
        printer.out(&printer.wrapped(
            "  ",
            "    ",
            &format!("of {rules} on {event:?}, the index finds {}{found}", looked.candidates),
        ));
    }
    let (rules, parts) = (cost.rules, count_with_noun(cost.steps, "part"));
    let text = format!("judged: {rules} of these, which `on` and `by` select, in {parts} of their conditions");
    printer.out(&printer.wrapped("  ", "    ", &text));
    let shell = if cost.shell { "the shell command" } else { "no shell command" };
    printer.out(&format!("  analysed: {shell}\n"));
    let asked: Vec<String> = FactKind::ALL.into_iter().filter_map(|kind| phrase(kind, counted.count(kind))).collect();
    let asked = if asked.is_empty() { "nothing".to_owned() } else { asked.join(", ") };
    printer.out(&printer.wrapped("  ", "    ", &format!("asked of the machine: {asked}")));
}

/// Describes how the index found the rules of an event.
fn describe_lookup(looked: &LookupStats) -> Vec<String> {
    looked
        .counts_by_way()
        .into_iter()
        .filter(|(found, _)| *found > 0)
        .map(|(found, way)| format!("{found} {way}"))
        .collect()
}

/// Describes the queries of a kind; `None` if there were none.
fn phrase(kind: FactKind, times: u32) -> Option<String> {
    let what = match kind {
        FactKind::Git => "git",
        FactKind::Environment => "the environment",
        FactKind::Files => "files",
        FactKind::Links => "the targets of paths",
        FactKind::Transcript => "the transcript",
    };
    (times > 0).then(|| format!("{what} ({})", count_with_noun(times, "time")))
}

fn count_with_noun(number: u32, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}
