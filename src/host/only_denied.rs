//! Verdicts for hosts that can only run a call unchanged or not at all: an ask or a rewrite becomes a denial whose
//! reason says what can be done instead.

use serde_json::Value as Json;

use super::texts::{MAX_INPUT, reason};
use crate::excerpt::{Excerpt, utf16_len};
use crate::verdict::{Decision, Verdict, Vote};

/// Replaces an ask with a denial that has a note after the reason.
pub(super) fn ask_to_denial(verdict: &Verdict, note: &str) -> Verdict {
    if verdict.decision() != Decision::Ask {
        return verdict.clone();
    }
    let mut text = reason(verdict);
    text.push_str(&format!("\n{note}"));
    denied(verdict, text)
}

/// Replaces a rewrite with a denial that names the input that the policy wants. `cannot` is the beginning of a sentence
/// that says why the call itself is not changed.
pub(super) fn rewrite_to_denial(verdict: &Verdict, cannot: &str) -> Verdict {
    let Some(input) = &verdict.updated_input else { return verdict.clone() };
    if verdict.decision() >= Decision::Deny {
        return Verdict { updated_input: None, ..verdict.clone() };
    }
    let command = input.get("command").and_then(Json::as_str).filter(|_| input.as_object().is_some_and(is_one));
    let told = command.map_or_else(|| input.to_string(), str::to_owned);
    let mut text = if verdict.decision() == Decision::Ask { reason(verdict) } else { Excerpt::default() };
    if !text.is_empty() {
        text.push_str("\n");
    }
    text.push_str(&if utf16_len(&told) > MAX_INPUT {
        format!("{cannot}, so it does not run; what the policy changes it to is too long to be shown.")
    } else {
        format!("{cannot}, so it does not run. The policy changes it to:\n{told}")
    });
    denied(verdict, text)
}

fn is_one(members: &serde_json::Map<String, Json>) -> bool {
    members.len() == 1
}

/// Replaces the votes of a verdict with one denial.
fn denied(verdict: &Verdict, text: Excerpt) -> Verdict {
    let votes = vec![Vote::from_program(Decision::Deny, text)];
    Verdict { votes, updated_input: None, ..verdict.clone() }
}
