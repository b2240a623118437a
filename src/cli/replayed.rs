//! What was known when an event in the decision log was judged: its time, and the past of its session.

use std::path::Path;
use std::time::Duration;

use crate::decision_log::LogEntry;
use crate::facts::{Facts, PartlyStatedFacts, SessionPast};
use crate::journal::{self, SessionPlace};
use crate::time::whole_milliseconds;

/// The reason why the past is unknown for a line of the log without the end of a journal.
const NO_END: &str = "the line of the log does not say where the session's journal ended";

/// Returns the facts of an event in the log: its time, and what the journal of its session held then. All others are
/// those of `base`.
pub(super) fn facts_of_logged_event<'b>(
    entry: &LogEntry,
    state: Option<&Path>,
    base: &'b dyn Facts,
) -> PartlyStatedFacts<'b> {
    let time = entry.event_time();
    let facts = PartlyStatedFacts::of_base(base).with_past_or_reason(past_of(entry, time, state));
    match time {
        Some(time) => facts.with_moment(time.as_secs()),
        None => facts,
    }
}

/// Returns what the journal of the session held when an event of the log was judged.
fn past_of(entry: &LogEntry, time: Option<Duration>, state: Option<&Path>) -> Result<SessionPast, String> {
    let session = entry.session_id.as_deref().ok_or("the host names no session")?;
    let state = state.ok_or("there is no state directory")?;
    let end = entry.journal.ok_or(NO_END)?;
    let journal = journal::read_until(SessionPlace { state, session }, end)?;
    Ok(SessionPast::of_journal(journal, time.map(whole_milliseconds)))
}
