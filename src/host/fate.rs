//! What happens to an answer that a host cannot carry out: the nearest stricter answer takes its place.
//!
//! The encoders and `rules check --host` both use this table, so that the report agrees with what the hook does.

use crate::schema::{Capabilities, Capability};

/// What happens to an answer of the policy if a certain host calls the hook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EffectFate {
    /// The host carries out the answer.
    Carried,
    /// The action is denied instead, and this reader gets the reason.
    Denied(Audience),
    /// The host's own permissions decide, as if the policy had not answered.
    HostDecides,
    /// Nothing is blocked; the agent reads the text instead.
    AgentReads,
    /// Nothing is blocked; the user reads the text instead.
    UserReads,
    /// Nothing is blocked, and the text cannot reach its reader. The log has it.
    NobodyReads,
    /// Nothing is blocked; the user reads the text at the next event that can show one.
    UserReadsLater,
}

/// The reader of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Audience {
    /// The agent, which can react to the text.
    Agent,
    /// The user only.
    User,
}

/// Returns what happens to an answer on an event. `supported` are the answers that the host carries out on it, and
/// `reader` is who reads the reason of a denial.
#[must_use]
pub(super) const fn fate(supported: &Capabilities, reader: Audience, answer: Capability) -> EffectFate {
    if supported.has_capability(answer) {
        return EffectFate::Carried;
    }
    match answer {
        // An allow that the host cannot carry out leaves the decision to the host.
        Capability::Allow => EffectFate::HostDecides,
        // The action must not happen as it is, and the host cannot carry out what the policy wants instead, so it is
        // denied.
        Capability::Ask | Capability::Rewrite | Capability::Halt if supported.deny => EffectFate::Denied(reader),
        Capability::Halt if supported.context => EffectFate::AgentReads,
        // A context is written for the agent, so the user does not get it instead.
        Capability::Context => EffectFate::NobodyReads,
        _ => EffectFate::UserReads,
    }
}
