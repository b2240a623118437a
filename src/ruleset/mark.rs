//! Marks, and what conditions ask about them.

use crate::history::MarkId;
use crate::syntax::ast::PastActor;

use super::ValueReference;

/// What a mark remembers of an event.
#[derive(Clone, Debug)]
pub struct MarkSpec {
    /// The mark.
    pub id: MarkId,
    /// What tells its events apart; `None` if nothing does.
    pub key: Option<KeySource>,
    /// Which part of a call it remembers.
    pub phase: MarkPhase,
}

/// The part of a call that is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkPhase {
    /// The event itself.
    Happens,
    /// That a call begins whose end is an event of the mark.
    Begins,
}

/// Where the keys of an event come from.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// The values of a field: `key path`.
    Value(ValueReference),
    /// The files for which the tests of files hold: `key match`.
    Match,
    /// The call: its tool with its commands, or with its whole input.
    Call,
}

/// A test of the session's past: `happened edited of path since tested`.
#[derive(Clone, Debug)]
pub struct PastTest {
    /// The mark.
    pub mark: MarkedEvents,
    /// The keys that the events have one of; `None` for any.
    pub of: Option<KeySource>,
    /// Whose events; `None` for any.
    pub by: Option<PastActor>,
    /// The mark whose last event they come after.
    pub since: Option<MarkedEvents>,
    /// The milliseconds in which they happened.
    pub within: Option<u64>,
}

/// A mark as a condition names it.
#[derive(Clone, Debug)]
pub struct MarkedEvents {
    /// The mark.
    pub id: MarkId,
    /// Its name.
    pub name: String,
    /// The command of its condition, if it has just one: what an agent runs so that it certainly happens.
    pub command: Option<String>,
    /// Whether it is about calls that have ended, and about nothing else.
    pub is_of_ended_calls: bool,
    /// Whether its keys are calls.
    pub has_calls_as_keys: bool,
}
