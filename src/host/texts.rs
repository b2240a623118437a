//! What an answer says, whatever the host: the deciding reason, and texts within bounds.

use crate::verdict::{Decision, Verdict, join_messages};

/// A message is cut to this many characters.
const MAX_MESSAGE: usize = 2_000;
/// All messages of an answer together are cut to this many, the deciding ones first. Contexts are not cut: the
/// host puts what is too long for it in a file.
const MAX_MESSAGES: usize = 9_000;

/// Returns the deciding rules' message; a denial without one names the rule, since an empty reason makes the host
/// invent one.
pub(super) fn reason(verdict: &Verdict) -> String {
    let texts: Vec<(&str, String)> = verdict.winners().map(|vote| (vote.rule.as_str(), cut(&vote.message))).collect();
    let reason = join_messages(texts.iter().map(|(rule, text)| (*rule, text.as_str())));
    match verdict.winners().next() {
        Some(vote) if reason.is_empty() && vote.decision > Decision::Allow => {
            format!("The rule {} says {}.", vote.rule, vote.decision.word())
        }
        _ => reason,
    }
}

/// Cuts a text to [`MAX_MESSAGE`] characters, out of its middle: the end of what a command wrote says how it went.
pub(super) fn cut(text: &str) -> String {
    if text.chars().nth(MAX_MESSAGE).is_none() {
        return text.to_owned();
    }
    let tail = MAX_MESSAGE / 2;
    let skipped = text.chars().count().saturating_sub(tail);
    text.chars().take(MAX_MESSAGE - tail - 1).chain(['…']).chain(text.chars().skip(skipped)).collect()
}

/// Joins the messages to the user, each once, as far as the reason leaves room; the rest is counted.
pub(super) fn within_budget(reason: &str, messages: &[String]) -> Option<String> {
    let mut left = MAX_MESSAGES.saturating_sub(reason.chars().count());
    let mut kept: Vec<&str> = Vec::new();
    let mut dropped = 0_usize;
    for message in messages.iter().map(String::as_str) {
        if message.is_empty() || kept.contains(&message) {
            continue;
        }
        let length = message.chars().count() + 1;
        if dropped == 0 && length <= left {
            left -= length;
            kept.push(message);
        } else {
            dropped += 1;
        }
    }
    let mut joined = kept.join("\n");
    if dropped > 0 {
        joined.push_str(&format!("\n(and {dropped} more)"));
    }
    (!joined.is_empty()).then(|| joined.trim_start_matches('\n').to_owned())
}
