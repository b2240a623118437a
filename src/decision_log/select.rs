//! Selects lines of the log, and determines how the questions in them ended.

use std::collections::BTreeMap;

use super::{AskOutcome, LogEntry};

/// Criteria for lines of the log. A line has to meet all of them; `None` is met by every line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineSelection {
    /// The name of a rule that voted, only observed, or could not be judged, or its last part: `force-push` for
    /// `git/force-push`.
    pub rule: Option<String>,
    /// The decision. A line that passed also meets it if a rule under `@observe` would have decided so.
    pub decision: Option<String>,
    /// The beginning of the session id.
    pub session: Option<String>,
    /// The agent's id or type, or `main`.
    pub agent: Option<String>,
    /// The name of the host.
    pub host: Option<String>,
    /// A text that the line contains, ignoring case.
    pub text: Option<String>,
    /// The earliest time, in the format of the log.
    pub since: Option<String>,
}

impl LineSelection {
    /// Whether a line meets all criteria. `line` is its text.
    #[must_use]
    pub fn is_match(&self, entry: &LogEntry, line: &str) -> bool {
        let meets = |criterion: &Option<String>, test: &dyn Fn(&str) -> bool| criterion.as_deref().is_none_or(test);
        meets(&self.since, &|since| entry.time.as_str() >= since)
            && meets(&self.decision, &|word| {
                let observed = || entry.observed.iter().any(|vote| vote.decision == word);
                entry.decision == word || (entry.decision == "pass" && observed())
            })
            && meets(&self.session, &|start| entry.session_id.as_deref().is_some_and(|id| id.starts_with(start)))
            && meets(&self.agent, &|name| entry.agent() == name || entry.agent_id.as_deref() == Some(name))
            && meets(&self.host, &|name| entry.host == name)
            && meets(&self.rule, &|name| entry.has_rule(name))
            && meets(&self.text, &|text| line.to_lowercase().contains(&text.to_lowercase()))
    }
}

impl LogEntry {
    /// Returns the names of all rules that the line mentions.
    pub fn rule_names(&self) -> impl Iterator<Item = &str> {
        let votes = self.rules.iter().chain(&self.observed).map(|vote| vote.rule.as_str());
        votes.chain(self.unknown.iter().flat_map(|unknown| unknown.rules.iter().map(String::as_str)))
    }

    /// Whether the line mentions a rule, by its name or the last part of it, with or without its directory.
    fn has_rule(&self, wanted: &str) -> bool {
        self.rule_names().any(|name| {
            let plain = without_directory(name);
            let is_last_part = |name: &str| name.strip_suffix(wanted).is_some_and(|before| before.ends_with('/'));
            name == wanted || plain == wanted || is_last_part(plain)
        })
    }
}

/// The outcomes of the questions in a log, by the id of the call.
#[derive(Clone, Debug, Default)]
pub struct AskOutcomes(BTreeMap<String, AskOutcome>);

impl AskOutcomes {
    /// Collects the outcomes from all lines of a log. The line that reports an outcome names no rule, so a selection
    /// of lines would not contain it.
    pub fn from_entries(entries: impl Iterator<Item = LogEntry>) -> Self {
        let mut endings = Self::default();
        entries.for_each(|entry| endings.note(&entry));
        endings
    }

    /// Adds the outcome of a question, if the line reports one.
    pub fn note(&mut self, entry: &LogEntry) {
        if let (Some(ask), Some(id)) = (entry.ask, &entry.tool_use_id) {
            self.0.entry(id.clone()).or_insert(ask);
        }
    }

    /// Returns the outcome of the question in a line; `None` if the line has no question, or the outcome is not
    /// known.
    #[must_use]
    pub fn outcome(&self, entry: &LogEntry) -> Option<AskOutcome> {
        let id = entry.tool_use_id.as_ref().filter(|_| entry.decision == "ask" && entry.ask.is_none())?;
        self.0.get(id).copied()
    }
}

/// Parses the value of `--since`: a date, or a date and a time in UTC, or an age (`30s`, `90m`, `24h`, `7d`, `2w`).
/// Returns it as a text that is comparable with the times in the log. `now` is the current time in seconds since 1970,
/// and `format_time` formats such a time.
///
/// # Errors
/// The text has none of these formats.
pub fn parse_earliest_time(text: &str, now: u64, format_time: impl Fn(u64) -> String) -> Result<String, String> {
    let units = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800)];
    let age = units.iter().find_map(|(unit, seconds)| {
        let count: u64 = text.strip_suffix(unit)?.parse().ok()?;
        count.checked_mul(*seconds)
    });
    if let Some(age) = age {
        return Ok(format_time(now.saturating_sub(age)));
    }
    let has_shape = |text: &str, pattern: &str| {
        text.len() == pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(byte, expected)| match expected {
                b'0' => byte.is_ascii_digit(),
                b'T' => matches!(byte, b'T' | b' '),
                expected => byte == expected,
            })
    };
    let patterns = ["0000-00-00", "0000-00-00T00:00", "0000-00-00T00:00:00"];
    let without_zone = text.strip_suffix('Z').unwrap_or(text);
    if patterns.iter().any(|pattern| has_shape(without_zone, pattern)) {
        return Ok(without_zone.replace(' ', "T"));
    }
    Err("expected a date such as 2026-11-21 or 2026-11-21T08:00 in UTC, or how long ago: 90m, 24h, 7d".to_owned())
}

/// Returns the displayed name of a rule without its directory: `no-push` for `no-push (api)`.
#[must_use]
pub fn without_directory(displayed: &str) -> &str {
    displayed.split_once(" (").map_or(displayed, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_log::{LoggedUnknown, RuleVote};

    fn entry() -> LogEntry {
        let vote = |rule: &str, decision: &str| RuleVote::new(rule, decision);
        LogEntry {
            time: "2026-11-21T08:05:09.042Z".to_owned(),
            session_id: Some("s-123".to_owned()),
            subagent_type: Some("coder".to_owned()),
            agent_id: Some("a7".to_owned()),
            host: "codex".to_owned(),
            decision: "deny".to_owned(),
            rules: vec![vote("git/force-push", "deny")],
            observed: vec![vote("soon", "ask")],
            unknown: vec![LoggedUnknown { rules: vec!["user/maybe".to_owned()], reason: "why".to_owned() }],
            ..LogEntry::default()
        }
    }

    #[test]
    fn every_wish_is_held_against_the_line() {
        let line = r#"{"message":"No Push"}"#;
        let some = |text: &str| Some(text.to_owned());
        let all = LineSelection::default();
        let wishes = [
            (LineSelection { rule: some("force-push"), ..all.clone() }, true),
            (LineSelection { rule: some("git/force-push"), ..all.clone() }, true),
            (LineSelection { rule: some("push"), ..all.clone() }, false),
            (LineSelection { rule: some("soon"), ..all.clone() }, true),
            (LineSelection { rule: some("maybe"), ..all.clone() }, true),
            (LineSelection { decision: some("deny"), ..all.clone() }, true),
            (LineSelection { decision: some("ask"), ..all.clone() }, false),
            (LineSelection { session: some("s-1"), ..all.clone() }, true),
            (LineSelection { session: some("123"), ..all.clone() }, false),
            (LineSelection { agent: some("coder"), ..all.clone() }, true),
            (LineSelection { agent: some("a7"), ..all.clone() }, true),
            (LineSelection { agent: some("main"), ..all.clone() }, false),
            (LineSelection { host: some("codex"), ..all.clone() }, true),
            (LineSelection { host: some("cod"), ..all.clone() }, false),
            (LineSelection { text: some("no push"), ..all.clone() }, true),
            (LineSelection { text: some("pull"), ..all.clone() }, false),
            (LineSelection { since: some("2026-11-21"), ..all.clone() }, true),
            (LineSelection { since: some("2026-11-21T08:05:10"), ..all.clone() }, false),
            (all, true),
        ];
        for (wish, expected) in wishes {
            assert_eq!(wish.is_match(&entry(), line), expected, "{wish:?}");
        }
    }

    #[test]
    fn an_ask_ends_with_the_next_word_about_its_call() {
        let mut endings = AskOutcomes::default();
        let id = Some("toolu_1".to_owned());
        let asked = LogEntry { decision: "ask".to_owned(), tool_use_id: id.clone(), ..LogEntry::default() };
        assert_eq!(endings.outcome(&asked), None);
        endings.note(&LogEntry { ask: Some(AskOutcome::Ran), tool_use_id: id.clone(), ..LogEntry::default() });
        assert_eq!(endings.outcome(&asked), Some(AskOutcome::Ran));
        assert_eq!(
            endings.outcome(&LogEntry { decision: "deny".to_owned(), tool_use_id: id, ..LogEntry::default() }),
            None
        );
    }

    #[test]
    fn a_time_is_a_date_or_how_long_ago() {
        let read = |text: &str| parse_earliest_time(text, 1_000_000, |seconds| seconds.to_string());
        assert_eq!(read("2h"), Ok("992800".to_owned()));
        assert_eq!(read("1d"), Ok("913600".to_owned()));
        assert_eq!(read("2026-11-21 08:00"), Ok("2026-11-21T08:00".to_owned()));
        assert_eq!(read("2026-11-21T08:00:01Z"), Ok("2026-11-21T08:00:01".to_owned()));
        for wrong in ["", "yesterday", "2026", "h", "-1h", "2026-11-2x"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
