//! Statistics of the lines of a log.

use std::collections::BTreeMap;

use super::{AskOutcome, AskOutcomes, LogEntry};

/// The numbers of lines by decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DecisionCounts {
    /// The number of all counted lines. Lines that only report how a question ended are not counted, nor those of a
    /// registration that left the effects to another one.
    pub all: u64,
    /// The lines that denied the call or stopped the agent.
    pub denied: u64,
    /// The lines with a question to the user.
    pub asked: u64,
    /// The lines that allowed the call.
    pub allowed: u64,
    /// The lines without a decision: a rule added a text, ran a command or recorded something.
    pub passed: u64,
    /// The lines in which a rule that only observes would have decided.
    pub observed: u64,
    /// The lines in which a rule could not be judged.
    pub unknown: u64,
}

impl DecisionCounts {
    /// Counts a line with this decision.
    fn add(&mut self, decision: &str) {
        self.all += 1;
        match decision {
            "deny" | "halt" => self.denied += 1,
            "ask" => self.asked += 1,
            "allow" => self.allowed += 1,
            _ => self.passed += 1,
        }
    }
}

/// The kind of a line by its decision, for display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// The call was denied, or the agent was stopped.
    Denied,
    /// The user was asked.
    Asked,
    /// The call was allowed.
    Allowed,
    /// Nothing was decided, but a rule that only observes would have decided.
    Observed,
    /// Nothing was decided.
    Other,
}

impl DecisionKind {
    /// All kinds, the strictest first.
    pub const ALL: [Self; 5] = [Self::Denied, Self::Asked, Self::Allowed, Self::Observed, Self::Other];

    /// Returns the word for display.
    #[must_use]
    pub fn display_word(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Asked => "asked",
            Self::Allowed => "allowed",
            Self::Observed => "observed",
            Self::Other => "other",
        }
    }
}

impl DecisionCounts {
    /// Returns the number of lines of a kind.
    #[must_use]
    pub fn of_kind(&self, kind: DecisionKind) -> u64 {
        // A rule that only observes has no lines with decisions. Elsewhere, a line that was both observed and decided
        // is among the decided ones only.
        let observed = if self.all == 0 { self.observed } else { self.observed.min(self.passed) };
        match kind {
            DecisionKind::Denied => self.denied,
            DecisionKind::Asked => self.asked,
            DecisionKind::Allowed => self.allowed,
            DecisionKind::Observed => observed,
            DecisionKind::Other => self.passed.saturating_sub(observed),
        }
    }

    /// Returns the kinds that have lines, each with their number.
    pub fn parts(&self) -> impl Iterator<Item = (DecisionKind, u64)> {
        DecisionKind::ALL.into_iter().map(|kind| (kind, self.of_kind(kind))).filter(|(_, count)| *count > 0)
    }

    /// Returns the sum over all kinds.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.parts().map(|(_, count)| count).sum()
    }

    /// Returns the numbers as text: `2 denied, 1 asked`.
    #[must_use]
    pub fn words(&self) -> String {
        self.parts().map(|(kind, count)| format!("{count} {}", kind.display_word())).collect::<Vec<_>>().join(", ")
    }
}

/// The numbers of questions to the user, by outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AskCounts {
    /// All questions, also those whose outcome is not known.
    pub all: u64,
    /// The questions after which the call ran.
    pub ran: u64,
    /// The questions after which the call ran but failed.
    pub failed: u64,
    /// The questions after which the call was refused.
    pub refused: u64,
}

/// A line whose hook took long.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SlowLine {
    /// How long the hook took, in microseconds.
    pub microseconds: u64,
    /// The time of the event.
    pub time: String,
    /// The event, and the tool if there is one.
    pub what: String,
    /// The subject of the call, such as its command.
    pub call: String,
}

/// Statistics of the lines of a log.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LogStats {
    /// The counts of all lines.
    pub all: DecisionCounts,
    /// The counts for each rule, by its name.
    pub rules: BTreeMap<String, DecisionCounts>,
    /// The counts for each day, such as `2026-11-21`.
    pub days: BTreeMap<String, DecisionCounts>,
    /// The counts for each agent; `main` is the session's own agent.
    pub agents: BTreeMap<String, DecisionCounts>,
    /// The number of sessions.
    pub sessions: u64,
    /// The outcomes of the questions to the user.
    pub asks: AskCounts,
    /// The durations of all hooks in microseconds, in ascending order.
    pub times: Vec<u64>,
    /// The slowest hooks, the slowest first.
    pub slowest: Vec<SlowLine>,
    /// The times of the first and the last line.
    pub span: Option<(String, String)>,
}

/// The maximum number of lines in [`LogStats::slowest`].
const MAX_SLOWEST: usize = 10;

impl LogStats {
    /// Computes the statistics of lines; `endings` has the outcomes of the questions in them.
    pub fn from_entries<'e>(entries: impl Iterator<Item = &'e LogEntry>, endings: &AskOutcomes) -> Self {
        let mut stats = Self::default();
        let mut sessions = std::collections::BTreeSet::new();
        for entry in entries {
            stats.add(entry, endings);
            sessions.extend(entry.session_id.as_deref());
        }
        stats.sessions = u64::try_from(sessions.len()).unwrap_or(u64::MAX);
        stats.times.sort_unstable();
        stats.slowest.sort_by(|one, other| other.microseconds.cmp(&one.microseconds).then(one.time.cmp(&other.time)));
        stats.slowest.truncate(MAX_SLOWEST);
        stats
    }

    /// Adds a line to the statistics.
    fn add(&mut self, entry: &LogEntry, endings: &AskOutcomes) {
        let day = entry.time.get(..10).unwrap_or_default();
        if let Some(microseconds) = entry.microseconds {
            self.times.push(microseconds);
            self.note_slow(entry, microseconds);
        }
        let (first, last) = self.span.get_or_insert_with(|| (entry.time.clone(), entry.time.clone()));
        if entry.time < *first {
            first.clone_from(&entry.time);
        }
        if entry.time > *last {
            last.clone_from(&entry.time);
        }
        // The registration that acted on the event has a line with the same decision.
        if entry.only_decided {
            return;
        }
        // A line that only reports the end of a question has no decision.
        if entry.ask.is_some() && entry.rules.is_empty() && entry.observed.is_empty() {
            return;
        }
        let day = self.days.entry(day.to_owned()).or_default();
        let agent = self.agents.entry(entry.agent().to_owned()).or_default();
        for count in [&mut self.all, day, agent] {
            count.add(&entry.decision);
            count.observed += u64::from(!entry.observed.is_empty());
            count.unknown += u64::from(!entry.unknown.is_empty());
        }
        for vote in &entry.rules {
            self.rules.entry(vote.rule.clone()).or_default().add(&vote.decision);
        }
        for vote in &entry.observed {
            self.rules.entry(vote.rule.clone()).or_default().observed += 1;
        }
        for rule in entry.unknown.iter().flat_map(|unknown| &unknown.rules) {
            self.rules.entry(rule.clone()).or_default().unknown += 1;
        }
        if entry.decision == "ask" && entry.ask.is_none() {
            self.asks.all += 1;
            match endings.outcome(entry) {
                Some(AskOutcome::Ran) => self.asks.ran += 1,
                Some(AskOutcome::Failed) => self.asks.failed += 1,
                Some(AskOutcome::Refused) => self.asks.refused += 1,
                None => {}
            }
        }
    }

    /// Adds a line to the candidates for the slowest ones, and drops the fastest candidates when there are too many.
    fn note_slow(&mut self, entry: &LogEntry, microseconds: u64) {
        let tool = entry.tool.as_ref().map(|tool| format!(" {tool}")).unwrap_or_default();
        let what = format!("{}{tool}", entry.event);
        self.slowest.push(SlowLine { microseconds, time: entry.time.clone(), what, call: entry.call_line() });
        if self.slowest.len() >= MAX_SLOWEST * 8 {
            self.slowest.sort_by_key(|slow| std::cmp::Reverse(slow.microseconds));
            self.slowest.truncate(MAX_SLOWEST);
        }
    }

    /// Returns the duration in microseconds that this percentage of hooks does not exceed; `None` if no hook has a
    /// duration.
    #[must_use]
    pub fn percentile(&self, percent: usize) -> Option<u64> {
        let rank = self.times.len().saturating_mul(percent).div_ceil(100).max(1);
        self.times.get(rank - 1).copied()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stats() -> LogStats {
        let lines = [
            json!({ "time": "2026-11-21T08:00:00Z", "session_id": "s", "decision": "deny", "microseconds": 900,
                "rules": [{ "rule": "a", "decision": "deny" }, { "rule": "b", "decision": "ask" }] }),
            json!({ "time": "2026-11-21T09:00:00Z", "session_id": "s", "decision": "ask", "tool_use_id": "1",
                "microseconds": 500, "rules": [{ "rule": "b", "decision": "ask" }] }),
            json!({ "time": "2026-11-22T09:00:00Z", "session_id": "t", "decision": "pass", "tool_use_id": "1",
                "ask": "ran", "microseconds": 100 }),
            json!({ "time": "2026-11-22T10:00:00Z", "session_id": "t", "decision": "pass", "subagent_type": "coder",
                "observed": [{ "rule": "soon", "decision": "deny" }], "unknown": [{ "rules": ["soon"], "reason": "x" }] }),
        ];
        let entries: Vec<LogEntry> = lines.into_iter().map(|line| serde_json::from_value(line).unwrap()).collect();
        LogStats::from_entries(entries.iter(), &AskOutcomes::from_entries(entries.iter().cloned()))
    }

    #[test]
    fn an_ask_of_one_rule_ends_in_a_line_of_none() {
        let lines = [
            json!({ "time": "2026-11-21T09:00:00Z", "decision": "ask", "tool_use_id": "1",
                "rules": [{ "rule": "b", "decision": "ask" }] }),
            json!({ "time": "2026-11-22T09:00:00Z", "decision": "pass", "tool_use_id": "1", "ask": "ran" }),
        ];
        let entries: Vec<LogEntry> = lines.into_iter().map(|line| serde_json::from_value(line).unwrap()).collect();
        let endings = AskOutcomes::from_entries(entries.iter().cloned());
        let asks = LogStats::from_entries(entries.iter().take(1), &endings).asks;
        assert_eq!(asks, AskCounts { all: 1, ran: 1, ..AskCounts::default() });
    }

    #[test]
    fn lines_add_up_by_rule_day_and_agent() {
        let stats = stats();
        assert_eq!((stats.all.all, stats.all.denied, stats.all.asked, stats.all.observed), (3, 1, 1, 1));
        assert_eq!(stats.rules["b"], DecisionCounts { all: 2, asked: 2, ..DecisionCounts::default() });
        assert_eq!(stats.rules["soon"], DecisionCounts { observed: 1, unknown: 1, ..DecisionCounts::default() });
        assert_eq!(
            stats.days.iter().map(|(day, count)| (day.as_str(), count.all)).collect::<Vec<_>>(),
            [("2026-11-21", 2), ("2026-11-22", 1)]
        );
        assert_eq!(stats.agents["coder"].observed, 1);
        assert_eq!(stats.sessions, 2);
        assert_eq!(stats.asks, AskCounts { all: 1, ran: 1, ..AskCounts::default() });
    }

    #[test]
    fn times_are_sorted_and_the_slowest_come_first() {
        let stats = stats();
        assert_eq!((stats.percentile(50), stats.percentile(99)), (Some(500), Some(900)));
        assert_eq!(stats.slowest.iter().map(|slow| slow.microseconds).collect::<Vec<_>>(), [900, 500, 100]);
        assert_eq!(LogStats::default().percentile(50), None);
    }
}
