//! Shows texts to the user where the host can: at once, at the next event of the session that shows a text, or in a
//! notification.

use std::path::Path;

use crate::action::{hold, take_held};
use crate::host::{self, Host, HostOutput};
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Note, Notification, Speaker, Verdict};

/// Encodes a verdict. What waits for the user goes with it, and what it has for the user and cannot show waits.
pub(super) fn encode(host: Host, payload: &Payload, state: Option<&Path>, verdict: &mut Verdict) -> HostOutput {
    let event = payload.event;
    let session = payload.text("session_id");
    let mut waiting = Vec::new();
    if is_seen(host, payload) {
        let texts = take_held(state, session);
        verdict.warnings.extend(texts.into_iter().map(Note::of_program));
    } else if host.shows(event) {
        waiting.extend(unseen(verdict));
    }
    let mut output = host::encode_for(host, &payload.origin, verdict);
    waiting.extend(output.held.take());
    let mut texts: Vec<String> = waiting.into_iter().map(|text| format!("{}: {text}", payload.event_name())).collect();
    if event == Event::SessionEnd {
        // Nothing is shown after it.
        texts.splice(0..0, take_held(state, session));
    } else {
        texts.retain(|text| !hold(state, session, text));
    }
    verdict.notifications.extend(texts.into_iter().map(notification));
    output
}

/// Encodes a verdict as [`encode`] does, with nothing that waited and without any effect.
pub(super) fn preview(host: Host, payload: &Payload, verdict: &Verdict) -> HostOutput {
    let mut verdict = verdict.clone();
    if host.shows(payload.event) && !is_seen(host, payload) {
        let _held = unseen(&mut verdict);
    }
    host::encode_for(host, &payload.origin, &verdict)
}

/// Tells whether the user reads at once what this event has for them.
fn is_seen(host: Host, payload: &Payload) -> bool {
    host.shows_to(payload)
}

/// Takes out of a verdict what is only for the user. A code 2 goes on to be one: it tells the agent.
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
