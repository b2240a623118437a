//! What happens to an effect on a host that cannot carry it: the nearest stricter effect that it can.
//!
//! Encoders and `rules check --host` both ask here, so that the report matches what happens.

use crate::schema::{Capabilities, Capability};

/// What becomes of an effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// The host does as the policy says.
    Carried,
    /// What the event announces is denied, and the reason tells its reader what could not be done.
    Denied(Audience),
    /// The host's own permissions decide, as if nothing had been said.
    Left,
    /// Nothing is held up; the agent reads the text.
    Told,
    /// Nothing is held up; the user reads the text.
    Shown,
    /// Nothing is held up and nobody reads the text: there is no way to its reader. The log has it.
    Unsent,
    /// Nothing is held up; the user reads the text at the next event of the session that shows one.
    ToldLater,
}

/// Who reads the reason of a denial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Audience {
    /// The agent, which can do something about it.
    Agent,
    /// The user alone.
    User,
}

/// Returns what becomes of an answer on an event that can be answered so, and whose denials have this reader.
#[must_use]
pub(super) const fn fate(takes: &Capabilities, reader: Audience, answer: Capability) -> Fate {
    if takes.takes(answer) {
        return Fate::Carried;
    }
    match answer {
        // Nothing is ever allowed that the host did not allow by itself.
        Capability::Allow => Fate::Left,
        // What must not happen as it is and cannot be asked about or mended does not happen.
        Capability::Ask | Capability::Rewrite | Capability::Halt if takes.deny => Fate::Denied(reader),
        Capability::Halt if takes.context => Fate::Told,
        // A text for the agent is none for the user.
        Capability::Context => Fate::Unsent,
        _ => Fate::Shown,
    }
}
