//! Encodes the verdict on a call as an answer that another agent understands.
//!
//! A denial is sent in one form only, the one that the agent was observed to obey: Codex discards an answer with an
//! unknown member, and Gemini ignores the exit code if there is any JSON.

use serde_json::{Map, Value as Json, json};

use crate::excerpt::Excerpt;
use crate::host::texts::{lines, paragraphs, reason};
use crate::host::{HostOutput, claude_code, only_denied};
use crate::schema::Event;
use crate::types::{OtherAgent, PayloadOrigin};
use crate::verdict::{Decision, Verdict};

/// The sentence after the reason if a question becomes a denial.
const CANNOT_ASK: &str = "Nobody can be asked here, so it is denied.";

/// Encodes the verdict on a call for the sender of the payload. Rewrites become denials, and so do questions where
/// the agent cannot ask.
pub(in crate::host) fn encode(origin: &PayloadOrigin, verdict: &Verdict) -> HostOutput {
    let is_dialog = verdict.event == Event::PermissionRequest;
    let asks = is_dialog || matches!(origin.agent, Some(OtherAgent::Copilot | OtherAgent::Qwen));
    let mut verdict = only_denied::rewrite_to_denial(verdict, "The hook does not change the input of another agent");
    if !asks {
        verdict = only_denied::ask_to_denial(&verdict, CANNOT_ASK);
    }
    // Codex discards an answer that only allows, and no agent needs one.
    verdict.votes.retain(|vote| vote.decision != Decision::Allow);
    let denies = verdict.decision() >= Decision::Deny;
    match origin.agent {
        Some(OtherAgent::Copilot) if is_dialog => copilot_dialog(&verdict, denies),
        Some(OtherAgent::Cline) => cline(&verdict, denies),
        // Copilot passes the reason in the JSON to its agent only at exit code 0, and treats any other code as a
        // failure that denies.
        Some(OtherAgent::Copilot) => HostOutput { exit: 0, stderr: String::new(), ..claude_code::encode(&verdict) },
        _ if denies => HostOutput { stdout: String::new(), ..exit_2(&verdict) },
        Some(OtherAgent::Codex | OtherAgent::Qwen) => claude_code::encode(&verdict),
        Some(OtherAgent::Gemini | OtherAgent::OpenCode) | None => {
            HostOutput { deferred: lines(&undeliverable_texts(&verdict)), ..HostOutput::default() }
        }
    }
}

/// Returns a denial by exit code 2, with the reason on standard error: without a reason the agents would not obey it.
fn exit_2(verdict: &Verdict) -> HostOutput {
    let reason = reason(verdict);
    let stderr = if reason.trim().is_empty() { "The policy denies it.".to_owned() } else { reason.into_string() };
    HostOutput { stderr, exit: 2, deferred: lines(&undeliverable_texts(verdict)), ..HostOutput::default() }
}

/// Returns the standard output for a payload that cannot be read and is refused with exit code 2: JSON for Cline,
/// which ignores the exit code, otherwise nothing.
pub(in crate::host) fn refusal(sender: Option<OtherAgent>, reason: &str) -> String {
    match sender {
        Some(OtherAgent::Cline) => json!({ "cancel": true, "errorMessage": reason.trim() }).to_string(),
        _ => String::new(),
    }
}

/// Returns the texts of a verdict that the agent cannot show: warnings, contexts, and messages of `exit`.
fn undeliverable_texts(verdict: &Verdict) -> Vec<Excerpt> {
    let notes = verdict.warnings.iter().chain(&verdict.contexts).map(|note| note.text.clone());
    notes.chain(verdict.exits.iter().map(|exit| exit.message.as_str().into())).collect()
}

/// Returns the answer to Copilot's permission dialog: a denial, or nothing, which leaves the decision to the user.
fn copilot_dialog(verdict: &Verdict, denies: bool) -> HostOutput {
    let stdout = if denies {
        json!({ "behavior": "deny", "message": reason(verdict).as_str() }).to_string()
    } else {
        String::new()
    };
    HostOutput { stdout, deferred: lines(&undeliverable_texts(verdict)), ..HostOutput::default() }
}

/// Returns the answer to Cline, which reads JSON and ignores the exit code. A denial is `cancel`, which also ends
/// Cline's run.
fn cline(verdict: &Verdict, denies: bool) -> HostOutput {
    let mut answer = Map::new();
    if denies {
        answer.insert("cancel".to_owned(), Json::Bool(true));
        answer.insert("errorMessage".to_owned(), reason(verdict).as_str().into());
    }
    let context = paragraphs(verdict.contexts.iter().map(|note| &note.text));
    if !context.is_empty() {
        answer.insert("context".to_owned(), context.as_str().into());
    }
    let stdout = if answer.is_empty() { String::new() } else { Json::Object(answer).to_string() };
    let stderr = if denies { reason(verdict).into_string() } else { String::new() };
    let held = lines(&verdict.warnings.iter().map(|note| note.text.clone()).collect::<Vec<_>>());
    HostOutput { stdout, stderr, deferred: held, ..HostOutput::default() }
}
