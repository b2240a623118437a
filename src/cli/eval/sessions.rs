//! The sessions of judged payloads: each line of a session is in the past of the next ones.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::context::{Context, event_digest, input_digest};
use crate::eval::marks_of_event;
use crate::examples::marks_of;
use crate::facts::{Facts, PartlyStatedFacts, SessionPast, known_past};
use crate::history::{CallDigest, EventDigest, History, MarkId, Moment, PlannedMark};
use crate::host::Host;
use crate::policy::Policy;
use crate::types::Payload;

/// The sessions so far, by their ids.
#[derive(Default)]
pub(super) struct Sessions(Mutex<BTreeMap<String, EvaluatedSession>>);

/// The session of a line, as earlier lines or the `history` in its facts describe it.
pub(super) struct LineSession<'s> {
    /// Where the session is kept for its next line; `None` if the policy remembers nothing.
    all: Option<&'s Sessions>,
    /// The session before the line; `None` if nothing is known of it.
    session: Option<EvaluatedSession>,
    /// The time of the line, in milliseconds since 1970, if it is stated.
    time: Option<u64>,
}

/// What the marks of a policy remember of a session after some of its events.
struct EvaluatedSession {
    past: SessionPast,
    /// The number of entries that its journal would have by now.
    entries: Moment,
}

/// An earlier event of the session, as the `history` of a line states it.
pub(super) struct StatedEvent {
    /// The payload.
    pub(super) payload: Payload,
    /// Its time, in milliseconds since 1970, if that is stated.
    pub(super) time: Option<u64>,
}

impl<'s> LineSession<'s> {
    /// Returns the session before a payload: after the events of a stated history, else after the earlier lines.
    pub(super) fn new(
        all: Option<&'s Sessions>,
        payload: &Payload,
        (history, time): (Option<Vec<StatedEvent>>, Option<u64>),
        (policy, host, facts): (&Policy, Host, &dyn Facts),
    ) -> Self {
        let session = all.and_then(|all| match history {
            Some(events) => Some(EvaluatedSession::after(&events, policy, host, facts)),
            None => all.take(payload),
        });
        Self { all, session, time }
    }

    /// Returns the facts with the past of the session; `None` if nothing is known of it.
    pub(super) fn facts<'f>(&self, facts: &'f dyn Facts) -> Option<PartlyStatedFacts<'f>> {
        let session = self.session.as_ref()?;
        Some(PartlyStatedFacts::of_base(facts).with_past(session.past_at(self.time)))
    }

    /// Adds what marks remember of the payload, for the next lines of the session.
    pub(super) fn add(self, payload: &Payload, marks: &[PlannedMark], policy: &Policy) {
        let Some(all) = self.all else { return };
        let mut session = self.session.unwrap_or_else(|| EvaluatedSession::begin(payload, self.time, policy));
        session.observe(payload, marks, self.time);
        all.put(payload, session);
    }
}

impl Sessions {
    /// Returns the sessions of a policy, before the first line; `None` if it remembers nothing.
    pub(super) fn of_policy(policy: &Policy) -> Option<Self> {
        (!policy.rules.marks().is_empty()).then(Self::default)
    }

    /// Takes out the session of a payload, if a line before belongs to it.
    fn take(&self, payload: &Payload) -> Option<EvaluatedSession> {
        let id = payload.nonempty_text("session_id")?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }

    /// Puts the session of a payload back.
    fn put(&self, payload: &Payload, session: EvaluatedSession) {
        if let Some(id) = payload.nonempty_text("session_id") {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), session);
        }
    }
}

impl EvaluatedSession {
    /// Begins a session with its first payload. What happened before is known only if that payload starts the session.
    fn begin(payload: &Payload, time: Option<u64>, policy: &Policy) -> Self {
        let is_start = payload.begins_session();
        let started = time.filter(|_| is_start);
        let known_from = if is_start { 0 } else { 1 };
        let marks = policy.rules.marks().into_iter().map(|mark| (mark, known_from)).collect();
        Self::new(History { known_from: marks, started, ..History::default() })
    }

    /// Returns the session after these events, which are all that happened in it.
    fn after(events: &[StatedEvent], policy: &Policy, host: Host, facts: &dyn Facts) -> Self {
        let mut session = Self::new(History::known_from_start(policy.rules.marks()));
        let marks = marks_of(policy.rules.rules());
        for StatedEvent { payload, time } in events {
            // The past says in which directory an ended call began.
            let with_past = PartlyStatedFacts::of_base(facts).with_past(session.past.clone());
            let with_past = match time {
                Some(milliseconds) => with_past.with_moment(milliseconds / 1_000),
                None => with_past,
            };
            let context = Context::new(payload, host.name(), &with_past, &policy.settings.shell_tools);
            let marks = marks_of_event(&marks, &context);
            session.observe(payload, &marks, *time);
        }
        session
    }

    fn new(history: History) -> Self {
        Self { past: known_past(history), entries: 1 }
    }

    /// Returns what is known of the session at a time.
    fn past_at(&self, time: Option<u64>) -> SessionPast {
        self.past.update(|history| history.now = time);
        self.past.clone()
    }

    /// Adds what marks remember of an event.
    fn observe(&mut self, payload: &Payload, marks: &[PlannedMark], time: Option<u64>) {
        let call = payload.nonempty_text("tool_use_id").map(CallDigest::of);
        let digest = event_digest(payload);
        // An event at an unknown time is later than each known one: no time has passed since.
        let time = time.unwrap_or(u64::MAX);
        self.past.update(|history| {
            for mark in marks {
                if has_event(history, mark.id, digest) {
                    continue;
                }
                self.entries += 1;
                history.known_from.entry(mark.id).or_insert(self.entries);
                history.add(mark, (payload.event, digest), (call, input_digest(payload)), (self.entries, time));
            }
        });
    }
}

/// Whether a mark already remembers an event, because several lines may be about one event.
fn has_event(history: &History, mark: MarkId, event: Option<EventDigest>) -> bool {
    event.is_some_and(|event| history.events.iter().any(|known| known.mark == mark && known.event == event))
}
