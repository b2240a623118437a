//! Delivers texts to the user as the host allows: at once, at the next event of the session that shows texts, or in a
//! notification.

use std::path::Path;

use crate::action::{defer_text, take_deferred_texts};
use crate::escape::multiline_text;
use crate::host::{self, Audience, Host, HostOutput, UnsentText};
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Author, NOTIFICATION_BODY, Note, Notification, Verdict};

/// An encoded verdict, and what the work after the answer needs.
pub(super) struct EncodedVerdict {
    /// The output of the process.
    pub(super) output: HostOutput,
    /// The verdict, extended by a notification for each text to the user that cannot be shown otherwise.
    pub(super) verdict: Verdict,
    /// A sentence for the log about each text that the host cannot deliver to its reader.
    pub(super) problems: Vec<String>,
}

/// Encodes a verdict for the host.
///
/// If the user sees the texts of this event, those that earlier events deferred are added. Otherwise its own texts are
/// deferred to a later event; if that fails, or the session ends, they become notifications.
pub(super) fn encode(host: Host, payload: &Payload, state: Option<&Path>, mut verdict: Verdict) -> EncodedVerdict {
    let event = payload.event;
    let session = payload.nonempty_text("session_id");
    let mut deferred = Vec::new();
    if is_seen(host, payload) {
        let texts = take_deferred_texts(state, session);
        verdict.warnings.extend(texts.into_iter().map(Note::from_program));
    } else if host.is_shown_at_once(event) {
        let (without_texts, texts) = split_user_texts(verdict);
        verdict = without_texts;
        deferred.extend(texts);
    }
    let mut output = host::encode_for(host, &payload.origin, &verdict);
    deferred.extend(output.deferred.take());
    let mut texts: Vec<String> = deferred.into_iter().map(|text| format!("{}: {text}", payload.event_name())).collect();
    if event == Event::SessionEnd {
        // No later event can show them.
        texts.splice(0..0, take_deferred_texts(state, session));
    } else {
        texts.retain(|text| !defer_text(state, session, text));
    }
    verdict.notifications.extend(texts.into_iter().map(notification));
    let unsent = host::unsent_texts(host, &payload.origin, &verdict);
    let problems = unsent.iter().map(|unsent| problem(host, unsent)).collect();
    let to_user = unsent.into_iter().filter(|unsent| unsent.reader == Audience::User);
    verdict.notifications.extend(to_user.map(|UnsentText { text, .. }| Notification {
        author: Author::Program,
        title: format!("rules: {}", event.name()),
        body: multiline_text(&text, NOTIFICATION_BODY),
    }));
    EncodedVerdict { output, verdict, problems }
}

/// Encodes a verdict as [`encode`] does, but without deferred texts and without side effects.
pub(super) fn preview(host: Host, payload: &Payload, verdict: &Verdict) -> HostOutput {
    if host.is_shown_at_once(payload.event) && !is_seen(host, payload) {
        let (rest, _held) = split_user_texts(verdict.clone());
        return host::encode_for(host, &payload.origin, &rest);
    }
    host::encode_for(host, &payload.origin, verdict)
}

/// Returns the log's sentence about a text that the host cannot deliver.
fn problem(host: Host, UnsentText { reader, text }: &UnsentText) -> String {
    let whom = match reader {
        Audience::Agent => "the agent",
        Audience::User => "the user",
    };
    format!("`{}` could not send this to {whom} beside its answer: {text}", host.name())
}

/// Whether the user sees the texts of this event's answer at once.
fn is_seen(host: Host, payload: &Payload) -> bool {
    host.is_shown_to_origin(payload)
}

/// Takes the texts for the user out of a verdict, and returns the rest and the texts. The message of an exit with code
/// 2 stays in the verdict, because the agent reads it.
fn split_user_texts(verdict: Verdict) -> (Verdict, Vec<String>) {
    let Verdict { warnings, exits, .. } = verdict;
    let mut texts: Vec<String> = warnings.into_iter().map(|note| note.text.into_string()).collect();
    let (agents, users): (Vec<_>, Vec<_>) = exits.into_iter().partition(|exit| exit.code == 2);
    texts.extend(users.into_iter().map(|exit| exit.message));
    texts.retain(|text| !text.is_empty());
    (Verdict { warnings: Vec::new(), exits: agents, ..verdict }, texts)
}

fn notification(body: String) -> Notification {
    Notification { author: Author::Program, title: "rules".to_owned(), body }
}
