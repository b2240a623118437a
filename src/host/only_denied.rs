//! Changes verdicts for hosts that can only run a call unchanged or deny it. A question or a rewrite becomes a denial
//! whose reason explains what the user or the agent can do instead.

use serde_json::Value as Json;

use super::texts::{MAX_INPUT, reason};
use crate::excerpt::{Excerpt, utf16_len};
use crate::verdict::{Decision, Verdict, Vote};

/// Replaces a decision to ask with a denial, whose reason ends with `note`. Returns any other verdict unchanged.
pub(super) fn ask_to_denial(verdict: &Verdict, note: &str) -> Verdict {
    if verdict.decision() != Decision::Ask {
        return verdict.clone();
    }
    let mut text = reason(verdict);
    text.push_str(&format!("\n{note}"));
    denied(verdict, text)
}

/// Replaces a rewrite with a denial that shows the new input. `cannot` is the beginning of the sentence about it: "A
/// command in a skill cannot be changed". If the verdict already denies, only the rewrite is dropped. A verdict without
/// a rewrite is returned unchanged.
pub(super) fn rewrite_to_denial(verdict: &Verdict, cannot: &str) -> Verdict {
    let Some(input) = &verdict.updated_input else { return verdict.clone() };
    if verdict.decision() >= Decision::Deny {
        return Verdict { updated_input: None, ..verdict.clone() };
    }
    // An input with nothing but a command is shown as that command, any other as JSON.
    let command = input.get("command").and_then(Json::as_str).filter(|_| input.as_object().is_some_and(is_one));
    let shown_input = command.map_or_else(|| input.to_string(), str::to_owned);
    let mut text = if verdict.decision() == Decision::Ask { reason(verdict) } else { Excerpt::default() };
    if !text.is_empty() {
        text.push_str("\n");
    }
    text.push_str(&if utf16_len(&shown_input) > MAX_INPUT {
        format!("{cannot}, so it does not run; what the policy changes it to is too long to be shown.")
    } else {
        format!("{cannot}, so it does not run. The policy changes it to:\n{shown_input}")
    });
    denied(verdict, text)
}

/// Whether an object has exactly one member.
fn is_one(members: &serde_json::Map<String, Json>) -> bool {
    members.len() == 1
}

/// Returns the verdict with a single denial in place of all votes and the rewrite.
fn denied(verdict: &Verdict, text: Excerpt) -> Verdict {
    let votes = vec![Vote::from_program(Decision::Deny, text)];
    Verdict { votes, updated_input: None, ..verdict.clone() }
}
