//! Delivers texts to the user as the host allows: at once, at the next event of the session that shows texts, or in a
//! notification.

use std::path::Path;

use crate::action::{hold, take_held};
use crate::host::{self, Host, HostOutput};
use crate::schema::Event;
use crate::types::{Origin, Payload};
use crate::verdict::{Note, Notification, Speaker, Verdict};

/// Encodes a verdict. Texts that wait for the user are added to it; its own texts that this event cannot show are
/// deferred.
pub(super) fn encode(host: Host, payload: &Payload, state: Option<&Path>, verdict: &mut Verdict) -> HostOutput {
    let event = payload.event;
    let session = payload.text("session_id");
    let mut waiting = Vec::new();
    if is_seen(host, payload) {
        // The denials of other agents have no place for them.
        let texts = if payload.origin == Origin::default() { take_held(state, session) } else { Vec::new() };
        verdict.warnings.extend(texts.into_iter().map(Note::of_program));
    } else if host.shows(event) {
        waiting.extend(unseen(verdict));
    }
    let mut output = host::encode_for(host, &payload.origin, verdict);
    waiting.extend(output.held.take());
    let mut texts: Vec<String> = waiting.into_iter().map(|text| format!("{}: {text}", payload.event_name())).collect();
    if event == Event::SessionEnd {
        // No later event can show them.
        texts.splice(0..0, take_held(state, session));
    } else {
        texts.retain(|text| !hold(state, session, text));
    }
    verdict.notifications.extend(texts.into_iter().map(notification));
    output
}

/// Encodes a verdict as [`encode`] does, without the waiting texts and without effects.
pub(super) fn preview(host: Host, payload: &Payload, verdict: &Verdict) -> HostOutput {
    let mut verdict = verdict.clone();
    if host.shows(payload.event) && !is_seen(host, payload) {
        let _held = unseen(&mut verdict);
    }
    host::encode_for(host, &payload.origin, &verdict)
}

/// Whether the user sees this event's texts at once.
fn is_seen(host: Host, payload: &Payload) -> bool {
    host.shows_to(payload)
}

/// Takes the texts for the user out of a verdict. An exit with code 2 remains: it is for the agent.
fn unseen(verdict: &mut Verdict) -> Vec<String> {
    let mut texts: Vec<String> = verdict.warnings.drain(..).map(|note| note.text.into_string()).collect();
    let (agents, users) = verdict.exits.drain(..).partition(|exit| exit.code == 2);
    verdict.exits = agents;
    let users: Vec<_> = users;
    texts.extend(users.into_iter().map(|exit| exit.message));
    texts.retain(|text| !text.is_empty());
    texts
}

fn notification(body: String) -> Notification {
    Notification { by: Speaker::Program, title: "rules".to_owned(), body }
}
