//! What a project's policy may do before the user trusts it, and which states of the policy the user trusts.
//!
//! A hook that is registered for the user runs in every repository that the user opens, no matter who wrote its
//! policy. Until the user trusts that policy, only its denials and questions count. The user trusts the exact bytes
//! of a policy: any change makes another state, which is not trusted yet. This module reads the files that a policy's
//! commands name, and stores the trusted states; it does not judge rules.

mod confine;
mod imports;
mod listings;
mod loaded;
mod named;
mod state;
mod store;
mod tasks;

use crate::config::PolicyTrust;
use crate::policy::Policy;
use crate::project::{self, Discovery, LoadInput, LoadedSources, MachinePlaces, Nesting, TrustRequirement};

pub use confine::{confined, only_restricting};
pub use state::{PinReason, PinnedFile, PolicyState};
pub use store::{TrustStore, TrustedState};

/// Loads and compiles the discovered layers, and returns the policy with a list of everything that was read. A
/// project's policy that needs trust but is not trusted is restricted to its denials and questions.
#[must_use]
pub fn load(discovery: &Discovery, places: &MachinePlaces) -> (Policy, Vec<LoadInput>) {
    compile_loaded(discovery.load(), discovery, places)
}

/// Does what [`load`] does, for a caller that only judges calls: packs are loaded without their examples.
#[must_use]
pub fn load_to_judge(discovery: &Discovery, places: &MachinePlaces) -> (Policy, Vec<LoadInput>) {
    compile_loaded(discovery.load_to_judge(), discovery, places)
}

/// Compiles loaded layers, and restricts a project's policy that needs trust but is not trusted, or that is in a
/// directory in which the session is not.
fn compile_loaded(loaded: LoadedSources, discovery: &Discovery, places: &MachinePlaces) -> (Policy, Vec<LoadInput>) {
    let LoadedSources { sources, layers, inputs: mut seen } = loaded;
    let mut policy = Policy::new(sources, &layers);
    // The syntax trees take more memory than the rules, and the next steps need memory, too.
    drop(layers);
    if discovery.nesting() == Nesting::Foreign {
        policy.restrict(confined);
    } else if needs_trust(&policy, places.trust)
        && let Some(state) = PolicyState::capture(&policy, discovery, &mut seen)
        && !store::is_trusted(places.state.as_deref(), &state, &mut seen)
    {
        policy.restrict(confined);
        policy.settings.trust = PolicyTrust::Untrusted;
    } else if discovery.nesting() == Nesting::Own {
        policy.restrict(only_restricting);
    }
    (policy, seen)
}

/// Whether the project's policy counts in full only if the user trusts it.
#[must_use]
pub fn needs_trust(policy: &Policy, requirement: TrustRequirement) -> bool {
    let names_files = || policy.layers.iter().any(|layer| !layer.settings.trusted_files.is_empty());
    match requirement {
        TrustRequirement::NotRequired => false,
        TrustRequirement::ForNamedFiles => names_files(),
        TrustRequirement::Required => true,
    }
}

/// Loads and compiles the policy without any restriction. Also returns the state that the user would trust, or `None`
/// if the project has no policy.
#[must_use]
pub fn inspect(places: &MachinePlaces) -> (Policy, Option<PolicyState>) {
    let discovery = project::discover(places);
    let LoadedSources { sources, layers, inputs: mut seen } = discovery.load();
    let policy = Policy::new(sources, &layers);
    let state = PolicyState::capture(&policy, &discovery, &mut seen);
    (policy, state)
}
