//! Shows a decision on two or three lines of at most 80 columns.

use crate::cli::print::{Printer, Style};
use crate::decision_log::{AskOutcome, LogEntry};
use crate::host::Host;
use crate::wrap::{columns, truncate_at_blank};

/// The width of the time column, after which the decision begins.
const TIME_WIDTH: usize = 10;
/// The width of the column for the decision.
const DECISION_WIDTH: usize = 15;
/// The minimum width of the column for the tool.
const MIN_TOOL_WIDTH: usize = 7;

/// The maximum number of lines of a message that are shown.
const MAX_LINES: usize = 3;

/// Whether `rules log` shows an entry on its own. An entry without a problem is left out if it only records how a
/// question ended, which is shown with the question, or if another registration acted on the same call.
pub(in crate::cli) fn is_shown(entry: &LogEntry) -> bool {
    if entry.only_decided && entry.problems.is_empty() {
        return false;
    }
    entry.ask.is_none() || !entry.rules.is_empty() || !entry.observed.is_empty() || !entry.problems.is_empty()
}

/// Formats decisions one after another, with a heading whenever the day, the session or the host changes.
#[derive(Default)]
pub(super) struct DecisionPrinter {
    /// The last heading.
    heading: Option<String>,
}

impl DecisionPrinter {
    /// Returns the lines of a decision. `end` is how the question ended, if the decision is to ask and that is known.
    pub(super) fn show(&mut self, entry: &LogEntry, end: Option<AskOutcome>, printer: &Printer) -> String {
        let mut out = String::new();
        let day = printer.fit(entry.time.get(..10).unwrap_or(&entry.time), 10);
        let session = entry.session_id.as_ref().map(|id| format!("  session {}", printer.fit(id, 40)));
        let host = Host::from_name(&entry.host).map_or(entry.host.as_str(), |host| host.title());
        let host = (!host.is_empty()).then(|| format!("  {}", printer.fit(host, 20)));
        let heading = [Some(day), session, host].into_iter().flatten().collect::<String>();
        if self.heading.as_ref() != Some(&heading) {
            let gap = if self.heading.is_some() { "\n" } else { "" };
            out.push_str(&format!("{gap}{}\n", printer.paint(Style::Bold, &heading)));
            self.heading = Some(heading);
        }
        let time = printer.fit(entry.time.get(11..19).unwrap_or_default(), 8);
        let (word, style) = decision(entry, end, printer);
        let tool = printer.fit(entry.tool.as_ref().unwrap_or(&entry.event), 30);
        let padded = format!("{tool:<MIN_TOOL_WIDTH$}");
        let used_width = TIME_WIDTH + DECISION_WIDTH + padded.chars().count() + 1;
        let call = printer.fit(&entry.call_line(), printer.width().saturating_sub(used_width));
        let word = printer.paint(style, &format!("{word:<DECISION_WIDTH$}"));
        out.push_str(format!("{time:<TIME_WIDTH$}{word}{padded} {call}").trim_end());
        out.push('\n');
        for (text, style) in details(entry) {
            for text in wrap_text(&text, printer) {
                let text = style.map_or_else(|| text.clone(), |style| printer.paint(style, &text));
                out.push_str(&format!("{}{text}\n", " ".repeat(TIME_WIDTH)));
            }
        }
        out
    }
}

/// Wraps a text to the columns after the time, in at most [`MAX_LINES`]. If lines are cut off, the last one ends with
/// `…`.
fn wrap_text(text: &str, printer: &Printer) -> Vec<String> {
    let width = printer.width();
    let mut lines = vec![String::new()];
    for word in printer.fit(text, MAX_LINES * width).split(' ') {
        let word = printer.fit(word, width - TIME_WIDTH);
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(&word);
        } else if line.chars().count() + 1 + word.chars().count() <= width - TIME_WIDTH {
            line.push(' ');
            line.push_str(&word);
        } else {
            lines.push(word);
        }
    }
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        if let Some(last) = lines.last_mut() {
            *last = with_more(last, width - TIME_WIDTH, printer.signs().more);
        }
    }
    lines
}

/// Returns a line that ends with the sign `more` once, in at most `width` columns: after a whole word if there is one.
fn with_more(line: &str, width: usize, more: &str) -> String {
    let longer = format!("{line} {more}");
    match () {
        // A word that is longer than a line is cut already.
        () if line.ends_with(more) => line.to_owned(),
        () if columns(&longer) <= width => longer,
        () => truncate_at_blank(line, columns(line).saturating_sub(1), more),
    }
}

/// Returns the word for a decision and its colour: `deny`, `ask → ran`, or `would deny` for observed rules.
fn decision(entry: &LogEntry, end: Option<AskOutcome>, printer: &Printer) -> (String, Style) {
    let arrow = printer.signs().arrow;
    if let Some(ask) = entry.ask.filter(|_| entry.rules.is_empty()) {
        return (format!("ask {arrow} {}", ask.display_word()), Style::Yellow);
    }
    let word = printer.fit(&entry.decision, 10);
    match word.as_str() {
        "deny" | "halt" => (word, Style::Red),
        "ask" => (end.map_or_else(|| word.clone(), |end| format!("ask {arrow} {}", end.display_word())), Style::Yellow),
        "allow" => (word, Style::Green),
        "pass" if !entry.observed.is_empty() => {
            let strictest = ["halt", "deny", "ask", "allow", "pass"]
                .into_iter()
                .find(|word| entry.observed.iter().any(|vote| vote.decision == *word));
            (format!("would {}", strictest.unwrap_or("pass")), Style::Cyan)
        }
        _ => (word, Style::Dim),
    }
}

/// Returns the lines below the first, each with its style: rules, agent and time, the message, unknown rules,
/// problems.
fn details(entry: &LogEntry) -> Vec<(String, Option<Style>)> {
    let mut lines = Vec::new();
    let names = |votes: &[crate::decision_log::RuleVote]| {
        let mut names: Vec<&str> = votes.iter().map(|vote| vote.rule.as_str()).collect();
        names.dedup();
        names.join(", ")
    };
    let mut about = Vec::new();
    if !entry.rules.is_empty() {
        about.push(names(&entry.rules));
    }
    if !entry.observed.is_empty() {
        about.push(format!("observed: {}", names(&entry.observed)));
    }
    if entry.agent() != "main" {
        about.push(format!("by {}", entry.agent()));
    }
    if let Some(microseconds) = entry.microseconds {
        about.push(crate::cli::stats::time(microseconds));
    }
    if !about.is_empty() {
        lines.push((about.join(" · "), Some(Style::Dim)));
    }
    lines.extend(
        entry
            .message
            .lines()
            .filter(|line| !line.trim().is_empty())
            .take(MAX_LINES)
            .map(|line| (line.to_owned(), None)),
    );
    // If an unknown rule votes, its message already gives the reason.
    let has_vote = |rule: &String| entry.rules.iter().chain(&entry.observed).any(|vote| vote.rule == *rule);
    for unknown in entry.unknown.iter().take(MAX_LINES) {
        let voteless: Vec<&str> = unknown.rules.iter().filter(|rule| !has_vote(rule)).map(String::as_str).collect();
        if !voteless.is_empty() {
            lines.push((format!("unknown: {}: {}", voteless.join(", "), unknown.reason), Some(Style::Dim)));
        }
    }
    // A problem that made the decision is its message.
    let problems = entry.problems.iter().filter(|problem| !entry.message.contains(problem.as_str()));
    lines.extend(problems.take(MAX_LINES).map(|problem| (problem.clone(), Some(Style::Yellow))));
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cli::Color;

    #[track_caller]
    fn shown(entry: serde_json::Value, end: Option<AskOutcome>) -> String {
        let entry: LogEntry = serde_json::from_value(entry).unwrap();
        DecisionPrinter::default().show(&entry, end, &Printer::new(Color::Never).with_width(80))
    }

    #[test]
    fn a_cut_line_ends_with_one_sign() {
        for (line, width, expected) in
            [("abc def", 20, "abc def …"), ("abc def", 7, "abc…"), ("abcdef…", 7, "abcdef…"), ("abcdefg", 7, "abcde…")]
        {
            assert_eq!(with_more(line, width, "…"), expected);
        }
    }

    #[test]
    fn a_decision_says_when_what_why_and_by_whom() {
        let text = shown(
            json!({
                "time": "2026-11-21T08:05:09.042Z", "session_id": "s1", "event": "PreToolUse", "tool": "Bash",
                "decision": "deny", "message": "Push without --force.", "subagent_type": "coder", "microseconds": 612,
                "rules": [{ "rule": "no-force-push", "decision": "deny" }],
                "call": { "tool_input": { "command": "git push --force" } },
            }),
            None,
        );
        let expected = "\
2026-11-21  session s1
08:05:09  deny           Bash    git push --force
          no-force-push · by coder · 0.6 ms
          Push without --force.
";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_ask_says_how_it_ended_and_an_observed_rule_what_it_would_have_done() {
        let ask =
            json!({ "time": "2026-11-21T08:05:09.042Z", "decision": "ask", "event": "PreToolUse", "tool": "Write" });
        assert!(shown(ask.clone(), Some(AskOutcome::Ran)).contains("ask → ran      Write"));
        assert!(shown(ask, None).contains("ask            Write"));
        let observed = json!({ "decision": "pass", "event": "Stop", "observed": [
            { "rule": "a", "decision": "ask" }, { "rule": "b", "decision": "deny" }] });
        let text = shown(observed, None);
        assert!(text.contains("would deny     Stop") && text.contains("observed: a, b"), "{text}");
    }

    #[test]
    fn a_problem_that_decides_is_shown_once() {
        let entry = |problem: &str| {
            json!({ "decision": "ask", "event": "PreToolUse", "message": "The policy does not load.",
                "problems": [problem] })
        };
        let text = shown(entry("The policy does not load."), None);
        assert_eq!(text.matches("does not load").count(), 1, "{text}");
        let text = shown(entry("No hook is registered for Stop."), None);
        assert!(text.contains("does not load") && text.contains("No hook is registered"), "{text}");
    }

    #[test]
    fn no_line_is_wider_than_80_columns_or_obeyed_by_a_terminal() {
        let long = "x".repeat(500);
        let text = shown(
            json!({
                "time": long, "session_id": format!("{long}\u{1b}[31m"), "event": long, "tool": "mcp__\u{202e}\n",
                "decision": format!("deny\u{1b}"), "message": format!("{long}\nb\u{1b}[2J\n\n\nc\nd\ne"),
                "rules": [{ "rule": long, "decision": "deny" }], "problems": [long, "\u{9b}1m"],
                "unknown": [{ "rules": [long], "reason": "\r" }], "call": { "tool_input": { "command": "a\nb\t\u{7}" } },
            }),
            None,
        );
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(!text.chars().any(|c| c != '\n' && crate::escape::is_misleading(c)), "{text:?}");
    }
}
