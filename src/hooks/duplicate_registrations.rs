//! Coordinates the processes of an event for which the hook is registered more than once: one of them performs the
//! effects, the others only decide.

use std::path::Path;
use std::time::Instant;

use serde_json::Value as Json;

use crate::action::{self, DecisionRight, ProcessRole, RegisteredEvent};
use crate::config::PolicyTrust;
use crate::project::MachinePlaces;
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::Verdict;

use super::Registration;
use super::process::caller_digest;

/// Returns the role of this process: it performs the effects of the event, or leaves them to another registration's
/// process and only decides.
///
/// A process without effects, or without a session in whose name it could claim them, always is [`ProcessRole::Actor`]:
/// there is nothing to coordinate. `is_listed` says whether the settings ask for a notification about the event, which
/// is an effect too.
pub(super) fn process_role(
    payload: &Payload,
    registration: &Registration,
    (places, trust): (&MachinePlaces, PolicyTrust),
    verdict: &Verdict,
    is_listed: bool,
    deadline: Option<Instant>,
) -> ProcessRole {
    // On WorktreeCreate each hook has to print a path.
    if payload.event == Event::WorktreeCreate || !(is_listed || has_effects(verdict)) {
        return ProcessRole::Actor(None);
    }
    let Some(session) = payload.nonempty_text("session_id") else { return ProcessRole::Actor(None) };
    let decides =
        if verdict.runs.iter().any(|run| !run.options.background) { DecisionRight::Yes } else { DecisionRight::No };
    let event = event_digest(payload, registration, places, trust);
    let registered = RegisteredEvent { session, event, registration: caller_digest(), deadline, decides };
    action::claim_event(places.state.as_deref(), &registered)
}

/// Whether a verdict has anything besides votes, such as commands, texts or notifications.
fn has_effects(verdict: &Verdict) -> bool {
    !(verdict.runs.is_empty()
        && verdict.records.is_empty()
        && verdict.marks.is_empty()
        && verdict.notifications.is_empty()
        && verdict.contexts.is_empty()
        && verdict.warnings.is_empty()
        && verdict.exits.is_empty())
}

/// Returns a digest of the event and the directories of its policy. It is equal for all registrations that judge the
/// event by the same policy. If the policies differ, so may their effects, so each performs its own.
fn event_digest(payload: &Payload, registration: &Registration, places: &MachinePlaces, trust: PolicyTrust) -> u64 {
    let call = payload.nonempty_text("tool_use_id").map(str::to_owned);
    let call_or_payload = call.unwrap_or_else(|| Json::Object(payload.json.clone()).to_string());
    let agent = payload.agent_id().unwrap_or_default();
    let trust = match trust {
        PolicyTrust::Trusted => "",
        PolicyTrust::Untrusted => "untrusted",
    };
    let host = registration.host.sender(&payload.origin);
    let texts = [host.name(), payload.event.name(), agent, &call_or_payload, trust];
    let directories = [Some(places.managed.as_path()), places.user.as_deref(), places.project.as_deref()];
    let directories = directories.map(|path| path.map_or(&[][..], |path: &Path| path.as_os_str().as_encoded_bytes()));
    action::digest(texts.map(str::as_bytes).into_iter().chain(directories))
}
