//! The fate of an effect on a host that cannot carry it: the nearest stricter effect that it can.
//!
//! Encoders and `rules check --host` both ask here, so that the report matches what happens.

use crate::schema::{Capabilities, Capability};

/// The fate of an effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EffectFate {
    /// The host does as the policy says.
    Carried,
    /// The announced action is denied, and the reason tells its reader what could not be done.
    Denied(Audience),
    /// The host's own permissions decide, as if the policy had not answered.
    HostDecides,
    /// Nothing is blocked; the agent reads the text.
    AgentReads,
    /// Nothing is blocked; the user reads the text.
    UserReads,
    /// Nothing is blocked and nobody reads the text: it cannot reach its reader. It is logged.
    NobodyReads,
    /// Nothing is blocked; the user reads the text at the next event of the session that shows texts.
    UserReadsLater,
}

/// The reader of a denial's reason.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Audience {
    /// The agent, which can react to it.
    Agent,
    /// Only the user.
    User,
}

/// Returns the fate of an answer that the event accepts by the schema, on a host that takes these answers and shows
/// denials to this reader.
#[must_use]
pub(super) const fn fate(takes: &Capabilities, reader: Audience, answer: Capability) -> EffectFate {
    if takes.has_capability(answer) {
        return EffectFate::Carried;
    }
    match answer {
        // Nothing is allowed that the host does not allow on its own.
        Capability::Allow => EffectFate::HostDecides,
        // An action that must not happen unchanged, and that can be neither asked about nor changed, does not happen.
        Capability::Ask | Capability::Rewrite | Capability::Halt if takes.deny => EffectFate::Denied(reader),
        Capability::Halt if takes.context => EffectFate::AgentReads,
        // A text for the agent is not meant for the user.
        Capability::Context => EffectFate::NobodyReads,
        _ => EffectFate::UserReads,
    }
}
