//! `rules stats`: prints statistics of the log.

mod chart;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::CommandOutcome;
use super::load::load_for;
use super::log::{PlaceArgs, SelectionArgs};
use super::print::{Printer, Style, count};
use crate::decision_log::{AskOutcomes, DecisionCounts, LogStats, without_directory};
use crate::policy::Policy;
use crate::ruleset::{Rule, RuleMode};

use chart::{Bar, chart};

/// The maximum number of rows in a chart.
const MAX_ROWS: usize = 15;

/// The maximum number of rules of one pack that are listed by name because they never fired. If there are more, only
/// their number is shown.
const MAX_NAMED_RULES: usize = 3;

/// The maximum number of hooks listed as the slowest.
const MAX_SLOWEST: usize = 5;

/// Count what was decided, by rule, day and agent
///
/// Also says which rules of the present policy never fired, and how long the hooks
/// took.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct StatsArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    place: PlaceArgs,
}

/// Runs the command.
pub(super) fn run(args: &StatsArgs, printer: &mut Printer) -> CommandOutcome {
    let read = if args.json { args.place.read(printer) } else { args.place.read_some(CommandOutcome::Clean, printer) };
    let (_, log) = match read {
        Ok(read) => read,
        Err(outcome) => return outcome,
    };
    let entries = args.selection.entries(&log);
    let mut stats =
        LogStats::from_entries(entries.iter(), &AskOutcomes::from_entries(log.records().map(|record| record.entry)));
    let policy = load_for(args.place.project_directory());
    without_marks(&mut stats, &policy);
    let unfired = unfired(&policy, &stats);
    if args.json {
        printer.out(&format!("{}\n", stats_as_json(&stats, &unfired)));
        return CommandOutcome::Clean;
    }
    if entries.is_empty() {
        printer.err("rules: no decision in the log matches\n");
        return CommandOutcome::Clean;
    }
    summary(&stats, printer);
    for (title, counts) in [
        ("by rule", sort_by_count(&stats.rules)),
        ("by day", latest_days(&stats.days)),
        ("by agent", sort_by_count(&stats.agents)),
    ] {
        let bars: Vec<Bar<'_>> = counts.iter().take(MAX_ROWS).map(|(name, count)| Bar { name, count }).collect();
        printer.out(&format!("\n{}\n{}", printer.paint(Style::Bold, title), chart(&bars, printer)));
        if counts.len() > MAX_ROWS {
            printer.out(&format!("  {} and {} more\n", printer.signs().more, counts.len() - MAX_ROWS));
        }
    }
    print_unfired(&policy, &unfired, printer);
    print_durations(&stats, printer);
    CommandOutcome::Clean
}

/// Returns the rules of a policy without its marks, which decide nothing.
pub(super) fn judging_rules(policy: &Policy) -> impl Iterator<Item = &Rule> {
    policy.rules.rules().iter().map(Arc::as_ref).filter(|rule| rule.mark().is_none())
}

/// Removes the marks of the present policy from the counts by rule: a log names them like rules.
pub(super) fn without_marks(stats: &mut LogStats, policy: &Policy) {
    let marks = policy.rules.rules().iter().filter(|rule| rule.mark().is_some());
    let marks: BTreeSet<&str> = marks.map(|rule| rule.display_name.as_str()).collect();
    stats.rules.retain(|name, _| !marks.contains(name.as_str()));
}

/// Returns the names of the policy's rules that never fired according to the log, not even under `@observe`. Rules that
/// are off are left out, because they cannot fire.
pub(super) fn unfired<'p>(policy: &'p Policy, stats: &LogStats) -> Vec<&'p str> {
    let rules = judging_rules(policy).filter(|rule| rule.traits.mode != RuleMode::Off);
    let fired = |name: &str| stats.rules.get(name).is_some_and(|count| count.all + count.observed > 0);
    rules.map(|rule| rule.display_name.as_str()).filter(|name| !fired(name)).collect()
}

/// Returns the names with their counts, the highest total first, and equal totals by name.
pub(super) fn sort_by_count(counts: &BTreeMap<String, DecisionCounts>) -> Vec<(&str, DecisionCounts)> {
    let mut all: Vec<(&str, DecisionCounts)> = counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    all.sort_by(|(name, count), (other, other_count)| other_count.total().cmp(&count.total()).then(name.cmp(other)));
    all
}

/// Returns the last [`MAX_ROWS`] days with their counts, in order.
fn latest_days(counts: &BTreeMap<String, DecisionCounts>) -> Vec<(&str, DecisionCounts)> {
    let skipped = counts.len().saturating_sub(MAX_ROWS);
    counts.iter().skip(skipped).map(|(name, count)| (name.as_str(), *count)).collect()
}

/// Prints the number of decisions of each kind, and how the questions (`ask`) ended.
fn summary(stats: &LogStats, printer: &mut Printer) {
    let span = stats.span.as_ref().map(|(first, last)| {
        let day = |time: &String| printer.fit(time.get(..10).unwrap_or(time), 10);
        match (day(first), day(last)) {
            (first, last) if first == last => format!(" on {first}"),
            (first, last) => format!(", {first} to {last}"),
        }
    });
    let sessions = count(usize::try_from(stats.sessions).unwrap_or(usize::MAX), "session");
    let title = format!("{} in {sessions}{}", count_with_noun(stats.all.all, "decision"), span.unwrap_or_default());
    printer.out(&format!("{}\n", printer.paint(Style::Bold, &title)));
    let all = &stats.all;
    let asks = &stats.asks;
    let ends = [(asks.ran, "ran"), (asks.failed, "failed"), (asks.refused, "refused")];
    let known: u64 = ends.iter().map(|(count, _)| count).sum();
    let mut ends: Vec<String> =
        ends.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if asks.all > known {
        ends.push(format!("{} whose outcome is unknown", asks.all - known));
    }
    let ends = if ends.is_empty() { String::new() } else { format!(": {}", ends.join(", ")) };
    for (count, style, text) in [
        (all.denied, Style::Red, "denied".to_owned()),
        (all.asked, Style::Yellow, format!("asked{ends}")),
        (all.allowed, Style::Green, "allowed".to_owned()),
        (all.observed, Style::Cyan, "in which a rule was only observed".to_owned()),
        (all.passed, Style::Dim, "passed: no rule voted".to_owned()),
        (all.unknown, Style::Dim, "in which a rule could not be judged".to_owned()),
    ] {
        if count > 0 {
            printer.out(&format!(
                "  {} {}\n",
                printer.paint(style, &format!("{count:>6}")),
                printer.fit(&text, printer.width() - 9)
            ));
        }
    }
}

/// Returns a number with its noun, in the plural if needed: `3 decisions`.
fn count_with_noun(number: u64, word: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), word)
}

/// Prints the rules that never fired: by name, or only their number for a pack with many of them.
fn print_unfired(policy: &Policy, unfired: &[&str], printer: &mut Printer) {
    let all = policy.rules.count_without_marks();
    if policy.broken_layers().next().is_some() {
        printer.err("\nrules: the present policy does not load as a whole, so rules of it may be missing here\n");
    }
    if unfired.is_empty() {
        return;
    }
    let title = format!("never fired: {} of the policy's {}", unfired.len(), count(all, "rule"));
    printer.out(&format!("\n{}\n", printer.paint(Style::Bold, &title)));
    let mut by_pack: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in unfired {
        by_pack.entry(pack_of(name).unwrap_or_default()).or_default().push(name);
    }
    // Rules without a pack are under an empty name, and are always listed.
    let is_long = |pack: &str, names: &[&str]| !pack.is_empty() && names.len() > MAX_NAMED_RULES;
    let listed = by_pack.iter().filter(|(pack, names)| !is_long(pack, names)).flat_map(|(_, names)| names);
    let words: Vec<String> = listed.map(|name| printer.fit(name, printer.width() - 4)).collect();
    if !words.is_empty() {
        printer.out(&printer.wrapped("  ", "  ", &words.join(" ")));
    }
    for (pack, names) in by_pack.iter().filter(|(pack, names)| is_long(pack, names)) {
        let of_pack = judging_rules(policy).filter(|rule| pack_of(&rule.display_name) == Some(*pack)).count();
        let line = format!("{pack}: {} of its {}", names.len(), count(of_pack, "rule"));
        printer.out(&printer.wrapped("  ", "    ", &line));
    }
}

/// Returns the layer and pack of a rule, from its displayed name; `None` if the rule is not in a pack.
fn pack_of(name: &str) -> Option<&str> {
    // INVARIANT: both names begin with the layer, and only rules of packs have a name of two or more parts after it.
    without_directory(name).rsplit_once('/').map(|(pack, _)| pack).filter(|pack| pack.contains('/'))
}

/// Prints how long hooks took, and the slowest ones. Prints nothing if no times are logged.
fn print_durations(stats: &LogStats, printer: &mut Printer) {
    let (Some(median), Some(p99), Some(longest)) =
        (stats.percentile(50), stats.percentile(99), stats.times.last().copied())
    else {
        return;
    };
    printer.out(&format!("\n{}\n", printer.paint(Style::Bold, "time of a hook")));
    printer.out(&format!("  half within {}, 99 % within {}, all within {}\n", time(median), time(p99), time(longest)));
    for slow in stats.slowest.iter().take(MAX_SLOWEST) {
        let line = format!("{:>9}  {}  {}", time(slow.microseconds), slow.what, slow.call);
        printer.out(&format!("  {}\n", printer.fit(&line, printer.width() - 2)));
    }
}

/// Returns a time with a unit and at least two digits: `0.6 ms`, `1.3 s`.
pub(super) fn time(microseconds: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = microseconds.saturating_add(unit / 20) / (unit / 10);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match microseconds {
        0..10_000 => format!("{} ms", tenths(1_000)),
        10_000..1_000_000 => format!("{} ms", microseconds / 1_000),
        _ => format!("{} s", tenths(1_000_000)),
    }
}

/// Returns the statistics as a JSON object.
fn stats_as_json(stats: &LogStats, unfired: &[&str]) -> Json {
    let one = |count: &DecisionCounts| {
        json!({
            "decisions": count.all, "denied": count.denied, "asked": count.asked, "allowed": count.allowed,
            "passed": count.passed, "observed": count.observed, "unknown": count.unknown,
        })
    };
    let all = |counts: &BTreeMap<String, DecisionCounts>| -> Json {
        counts.iter().map(|(name, count)| (name.clone(), one(count))).collect::<serde_json::Map<_, _>>().into()
    };
    let slowest: Vec<Json> = stats
        .slowest
        .iter()
        .map(|slow| json!({ "microseconds": slow.microseconds, "time": slow.time, "what": slow.what, "call": slow.call }))
        .collect();
    let unfired: BTreeSet<&&str> = unfired.iter().collect();
    let asks = &stats.asks;
    json!({
        "all": one(&stats.all), "sessions": stats.sessions,
        "first": stats.span.as_ref().map(|(first, _)| first), "last": stats.span.as_ref().map(|(_, last)| last),
        "rules": all(&stats.rules), "days": all(&stats.days), "agents": all(&stats.agents),
        "asks": { "all": asks.all, "ran": asks.ran, "failed": asks.failed, "refused": asks.refused },
        "never_fired": unfired,
        "microseconds": { "median": stats.percentile(50), "p99": stats.percentile(99), "most": stats.times.last() },
        "slowest": slowest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_with_two_digits_or_more() {
        for (microseconds, shown) in [
            (0, "0.0 ms"),
            (612, "0.6 ms"),
            (650, "0.7 ms"),
            (9_960, "10.0 ms"),
            (10_400, "10 ms"),
            (999_999, "999 ms"),
            (1_250_000, "1.3 s"),
        ] {
            assert_eq!(time(microseconds), shown);
        }
    }
}
