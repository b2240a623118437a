//! What nested policies remember of a call, and since when they have watched the session.

use std::path::Path;

use crate::action::{JournalAdditions, has_journal};
use crate::cache::ReadyPolicy;
use crate::context::Context;
use crate::eval::Evaluation;
use crate::history::{NestedMarks, PlannedMark, PolicyAge};
use crate::journal::SessionPlace;
use crate::project::{MachinePlaces, NestedDirectory, last_change};

/// What nested policies add to the journal of the session.
#[derive(Clone, Debug, Default)]
pub(super) struct NestedMemory {
    policies: Vec<NestedMarks>,
    marks: Vec<PlannedMark>,
    has_gap: bool,
}

impl NestedMemory {
    /// Notes which marks a policy has before it judges a call, unless the journal has the same ones for it.
    pub(super) fn note_policy(
        &mut self,
        context: &Context<'_>,
        places: &MachinePlaces,
        directory: &NestedDirectory,
        policy: &ReadyPolicy,
    ) {
        let marks = policy.marks();
        // A policy that has no marks now may have had some earlier in the session.
        if marks.is_empty() && !remembers(context, places) {
            return;
        }
        let Ok(past) = context.machine().session_past() else { return };
        let history = past.history();
        let name = directory.path.to_string_lossy().into_owned();
        let key = history.key(&name);
        let journal_marks = history.nested.get(&key);
        if journal_marks == Some(&marks) || journal_marks.is_none() && marks.is_empty() {
            return;
        }
        let is_older = |started: u64| {
            let changed = last_change(&directory.path, places.project.as_deref(), &policy.files());
            changed.is_some_and(|changed| changed < started)
        };
        let age = match history.may_know_nested(key) && history.started.is_some_and(is_older) {
            true => PolicyAge::WholeSession,
            false => PolicyAge::Unclear,
        };
        let noted = NestedMarks { directory: name, marks, age };
        past.note_nested(&noted);
        self.policies.push(noted);
    }

    /// Adds the marks that a policy sets for a call.
    pub(super) fn add_marks(&mut self, evaluation: &Evaluation) {
        for mark in &evaluation.verdict.marks {
            // The call and its rewritten form are the same call, so a mark of both counts once.
            if !self.marks.iter().any(|known| (known.id, &known.name) == (mark.id, &mark.name)) {
                self.marks.push(mark.clone());
            }
        }
    }

    /// Notes that a nested policy may have missed a call, if the session has a journal.
    pub(super) fn note_gap(&mut self, context: &Context<'_>, places: &MachinePlaces) {
        self.has_gap = remembers(context, places);
    }

    /// Adds everything remembered to the lines that the event adds to the journal.
    pub(super) fn add_to(&self, added: &mut JournalAdditions) {
        added.nested.extend(self.policies.iter().cloned());
        added.has_nested_gap |= self.has_gap;
        added.marks.extend(self.marks.iter().cloned());
    }
}

/// Whether the session has a journal.
pub(super) fn remembers(context: &Context<'_>, places: &MachinePlaces) -> bool {
    let session = context.payload().nonempty_text("session_id");
    let place = |(state, session): (&'_ Path, _)| has_journal(SessionPlace { state, session });
    places.state.as_deref().zip(session).is_some_and(place)
}
