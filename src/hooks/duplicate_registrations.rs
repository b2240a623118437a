//! Coordinates several registrations for one event: one process performs the effects, the others only decide.

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

/// Returns whether this process performs the effects of an event, or only decides because another one performs them.
/// Processes without effects, or without a session, are not coordinated.
pub(super) fn process_role(
    payload: &Payload,
    registration: &Registration,
    (places, standing): (&MachinePlaces, PolicyTrust),
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
    let event = event_digest(payload, registration, places, standing);
    let seen = RegisteredEvent { session, event, registration: caller_digest(), deadline, decides };
    action::claim_event(places.state.as_deref(), &seen)
}

/// Whether a verdict has anything besides the decision.
fn has_effects(verdict: &Verdict) -> bool {
    !(verdict.runs.is_empty()
        && verdict.records.is_empty()
        && verdict.marks.is_empty()
        && verdict.notifications.is_empty()
        && verdict.contexts.is_empty()
        && verdict.warnings.is_empty()
        && verdict.exits.is_empty())
}

/// Returns a digest that is equal for all registrations that judge the event by the same policy. If the policies
/// differ, so may their effects, and each is performed.
fn event_digest(payload: &Payload, registration: &Registration, places: &MachinePlaces, standing: PolicyTrust) -> u64 {
    let call = payload.nonempty_text("tool_use_id").map(str::to_owned);
    let whole = call.unwrap_or_else(|| Json::Object(payload.json.clone()).to_string());
    let agent = payload.agent_id().unwrap_or_default();
    let standing = match standing {
        PolicyTrust::Trusted => "",
        PolicyTrust::Untrusted => "untrusted",
    };
    let texts = [registration.host.name(), payload.event.name(), agent, &whole, standing];
    let directories = [Some(places.managed.as_path()), places.user.as_deref(), places.project.as_deref()];
    let directories = directories.map(|path| path.map_or(&[][..], |path: &Path| path.as_os_str().as_encoded_bytes()));
    action::digest(texts.map(str::as_bytes).into_iter().chain(directories))
}
