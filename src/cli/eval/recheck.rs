//! `rules eval --recheck`: the logged decisions that the present policy would decide differently.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cli::print::{Printer, Style, count};
use crate::decision_log::LogEntry;
use crate::verdict::Verdict;

/// The maximum number of calls shown per group of changes.
const MAX_CALLS: usize = 5;

/// A logged call that the present policy would decide differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct DecisionChange {
    /// The number of the log line, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    /// The time at which the call was judged.
    time: String,
    /// The logged decision.
    then: String,
    /// The decision of the present policy.
    now: String,
    /// The rules that cause the change: if the decision is stricter now, those that decide now; otherwise those that
    /// decided then.
    rules: Vec<String>,
    /// The call on one line.
    call: String,
    /// The parts of the call that the log line lacks. If a rule tests one of them, its decision about the real call
    /// may not have changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete: Vec<String>,
}

/// Returns how strict a decision is, from 0 for `pass` to 4 for `halt`; 0 for an unknown keyword.
fn strictness(word: &str) -> usize {
    ["pass", "allow", "ask", "deny", "halt"].iter().position(|known| *known == word).unwrap_or(0)
}

impl DecisionChange {
    /// Compares a log line with the present verdict; `None` if the decision is the same.
    pub(super) fn compare(entry: &LogEntry, verdict: &Verdict) -> Option<Self> {
        let now = verdict.decision().keyword();
        if entry.decision == now {
            return None;
        }
        let mut rules: Vec<String> = match strictness(now) > strictness(&entry.decision) {
            true => verdict.winning_votes().map(|vote| vote.author.name().to_owned()).collect(),
            false => {
                let decided = entry.rules.iter().filter(|vote| vote.decision == entry.decision);
                decided.map(|vote| vote.rule.clone()).collect()
            }
        };
        rules.sort_unstable();
        rules.dedup();
        let what = entry.tool.as_ref().unwrap_or(&entry.event);
        Some(Self {
            number: entry.number,
            time: entry.time.clone(),
            then: entry.decision.clone(),
            now: now.to_owned(),
            rules,
            call: format!("{what} {}", entry.call_line()).trim_end().to_owned(),
            incomplete: entry.incomplete.clone(),
        })
    }
}

/// The changes of all log lines, collected from all chunks.
#[derive(Default)]
pub(super) struct Recheck {
    /// The number of log lines that were decided again.
    lines: usize,
    changes: Vec<DecisionChange>,
}

impl Recheck {
    /// Adds the results of a chunk.
    pub(super) fn add(&mut self, lines: usize, changes: Vec<DecisionChange>) {
        self.lines = self.lines.saturating_add(lines);
        self.changes.extend(changes);
    }

    /// Prints the changes: as JSON objects, or for people, grouped by the two decisions and the rules, with the
    /// largest group first.
    pub(super) fn print(&self, json: bool, printer: &mut Printer) {
        if json {
            for change in &self.changes {
                printer.out(&format!("{}\n", serde_json::to_string(change).unwrap_or_default()));
            }
            return;
        }
        let lines = count(self.lines, "decision");
        if self.changes.is_empty() {
            printer.out(&format!("none of {lines} would change\n"));
            return;
        }
        let title = format!("{} of {lines} would change", self.changes.len());
        printer.out(&format!("{}\n", printer.paint(Style::Bold, &title)));
        let mut groups: BTreeMap<(&str, &str, String), Vec<&DecisionChange>> = BTreeMap::new();
        for change in &self.changes {
            groups.entry((&change.then, &change.now, change.rules.join(", "))).or_default().push(change);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, changes)| std::cmp::Reverse(changes.len()));
        for ((then, now, rules), changes) in groups {
            let style = if strictness(now) > strictness(then) { Style::Red } else { Style::Green };
            let arrow = printer.paint(style, &format!("{} {} {now}", printer.fit(then, 10), printer.signs().arrow));
            let rules = printer.fit(if rules.is_empty() { "no rule" } else { &rules }, printer.width() - 30);
            printer.out(&format!("\n{arrow}  {rules}  {}\n", count(changes.len(), "call")));
            for change in changes.iter().take(MAX_CALLS) {
                let mark = if change.incomplete.is_empty() { " " } else { "*" };
                let time = printer.fit(change.time.get(..16).unwrap_or_default(), 16).replace('T', " ");
                printer.out(&format!(" {mark}{time}  {}\n", printer.fit(&change.call, printer.width() - 20)));
            }
            if changes.len() > MAX_CALLS {
                printer.out(&format!("  {} and {} more\n", printer.signs().more, changes.len() - MAX_CALLS));
            }
        }
        let partial = self.changes.iter().filter(|change| !change.incomplete.is_empty()).count();
        if partial > 0 {
            let lines = count(partial, "line");
            printer.out(&format!(
                "\n* {lines} of the log: a part of the call is missing there, shortened or\n  redacted; on the call \
                 itself the policy may decide otherwise\n"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::Event;
    use crate::verdict::{Decision, Vote};

    fn entry(decision: &str) -> LogEntry {
        serde_json::from_value(json!({
            "number": 7, "time": "2026-11-21T08:05:09.042Z", "event": "PreToolUse", "tool": "Bash", "decision": decision,
            "rules": [{ "rule": "old", "decision": "deny" }, { "rule": "other", "decision": "ask" }],
            "call": { "tool_input": { "command": "git push -f" } }, "incomplete": ["x"],
        }))
        .unwrap()
    }

    fn verdict(votes: &[(&str, Decision)]) -> Verdict {
        let mut verdict = Verdict::pass(Event::PreToolUse);
        verdict.votes = votes.iter().map(|(rule, decision)| Vote::from_rule(rule, *decision, "why")).collect();
        verdict
    }

    #[test]
    fn a_change_is_by_those_who_decide_now_or_no_longer_do() {
        assert_eq!(DecisionChange::compare(&entry("deny"), &verdict(&[("new", Decision::Deny)])), None);
        let looser = DecisionChange::compare(&entry("deny"), &verdict(&[("other", Decision::Ask)])).unwrap();
        assert_eq!((looser.then.as_str(), looser.now.as_str(), looser.rules), ("deny", "ask", vec!["old".to_owned()]));
        let stricter =
            DecisionChange::compare(&entry("pass"), &verdict(&[("new", Decision::Deny), ("x", Decision::Ask)]))
                .unwrap();
        assert_eq!((stricter.call.as_str(), stricter.rules), ("Bash git push -f", vec!["new".to_owned()]));
        assert_eq!((stricter.number, stricter.incomplete), (Some(7), vec!["x".to_owned()]));
    }
}
