//! Encodes a verdict on a call as the answer that another agent reads as that verdict.
//!
//! A denial has one form only, the one that the agent was seen to obey: Codex drops an answer with a member that it
//! does not know, and Gemini prefers any JSON to the exit code.

use serde_json::{Map, Value as Json, json};

use crate::excerpt::Excerpt;
use crate::host::texts::{lines, paragraphs, reason};
use crate::host::{HostOutput, claude_code, only_denied};
use crate::schema::Event;
use crate::types::{OtherAgent, PayloadOrigin};
use crate::verdict::{Decision, Verdict};

/// The note on an ask where nobody can be asked, which becomes a denial.
const CANNOT_ASK: &str = "Nobody can be asked here, so it is denied.";

/// Encodes the verdict on a call for the sender of the payload.
pub(in crate::host) fn encode(origin: &PayloadOrigin, verdict: &Verdict) -> HostOutput {
    let is_dialog = verdict.event == Event::PermissionRequest;
    let asks = is_dialog || matches!(origin.agent, Some(OtherAgent::Copilot | OtherAgent::Qwen));
    let mut verdict = only_denied::rewrite_to_denial(verdict, "The hook does not change the input of another agent");
    if !asks {
        verdict = only_denied::ask_to_denial(&verdict, CANNOT_ASK);
    }
    // A bare allow makes Codex drop the answer; a call needs no allow to run.
    verdict.votes.retain(|vote| vote.decision != Decision::Allow);
    let denies = verdict.decision() >= Decision::Deny;
    match origin.agent {
        Some(OtherAgent::Copilot) if is_dialog => copilot_dialog(&verdict, denies),
        Some(OtherAgent::Cline) => cline(&verdict, denies),
        // It gives the agent the reason in JSON only at exit 0, and takes any other code for a failure that denies.
        Some(OtherAgent::Copilot) => HostOutput { exit: 0, stderr: String::new(), ..claude_code::encode(&verdict) },
        _ if denies => HostOutput { stdout: String::new(), ..exit_2(&verdict) },
        Some(OtherAgent::Codex | OtherAgent::Qwen) => claude_code::encode(&verdict),
        Some(OtherAgent::Gemini | OtherAgent::OpenCode) | None => {
            HostOutput { deferred: lines(&undeliverable_texts(&verdict)), ..HostOutput::default() }
        }
    }
}

/// A denial by the exit code, with the reason on standard error: without a reason it would not deny.
fn exit_2(verdict: &Verdict) -> HostOutput {
    let reason = reason(verdict);
    let stderr = if reason.trim().is_empty() { "The policy denies it.".to_owned() } else { reason.into_string() };
    HostOutput { stderr, exit: 2, deferred: lines(&undeliverable_texts(verdict)), ..HostOutput::default() }
}

/// The standard output of a refusal by exit code 2 of a payload that cannot be read: Cline reads that only.
pub(in crate::host) fn refusal(sender: Option<OtherAgent>, reason: &str) -> String {
    match sender {
        Some(OtherAgent::Cline) => json!({ "cancel": true, "errorMessage": reason.trim() }).to_string(),
        _ => String::new(),
    }
}

/// The texts that the agent cannot deliver.
fn undeliverable_texts(verdict: &Verdict) -> Vec<Excerpt> {
    let notes = verdict.warnings.iter().chain(&verdict.contexts).map(|note| note.text.clone());
    notes.chain(verdict.exits.iter().map(|exit| exit.message.as_str().into())).collect()
}

/// The answer to Copilot's permission dialog; an empty one leaves the decision to the user.
fn copilot_dialog(verdict: &Verdict, denies: bool) -> HostOutput {
    let stdout = if denies {
        json!({ "behavior": "deny", "message": reason(verdict).as_str() }).to_string()
    } else {
        String::new()
    };
    HostOutput { stdout, deferred: lines(&undeliverable_texts(verdict)), ..HostOutput::default() }
}

/// The answer to Cline, which reads JSON at any exit code: only a cancelled call is stopped, and that ends the run.
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
