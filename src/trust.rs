//! What a project's policy may do before the user trusts it, and the states of it that the user trusts.
//!
//! A hook that is registered for the user runs in every repository that they open, no matter who wrote its policy.
//! Until the user trusts that policy, only its denials and questions count. The user trusts bytes: a change of one
//! makes it another state. This module reads the files that a policy's commands name, and stores the trusted states; it
//! does not judge rules.

mod confine;
mod imports;
mod listings;
mod loaded;
mod named;
mod state;
mod store;

use crate::policy::Policy;
use crate::project::{self, Discovery, LoadInput, LoadedSources, MachinePlaces, TrustRequirement};

pub use confine::confined;
pub use state::{PinnedFile, PolicyState};
pub use store::{TrustStore, TrustedState};

/// Loads and compiles the discovered layers. A project's policy that needs trust and lacks it is restricted to its
/// denials and questions.
#[must_use]
pub fn load(discovery: &Discovery, places: &MachinePlaces) -> (Policy, Vec<LoadInput>) {
    compile_loaded(discovery.load(), discovery, places)
}

/// As [`load`], for a caller that only judges calls: packs have no examples.
#[must_use]
pub fn load_to_judge(discovery: &Discovery, places: &MachinePlaces) -> (Policy, Vec<LoadInput>) {
    compile_loaded(discovery.load_to_judge(), discovery, places)
}

fn compile_loaded(loaded: LoadedSources, discovery: &Discovery, places: &MachinePlaces) -> (Policy, Vec<LoadInput>) {
    let LoadedSources { sources, layers, inputs: mut seen } = loaded;
    let mut policy = Policy::new(sources, &layers);
    // The syntax trees take more memory than the rules compiled from them, and the next steps need memory too.
    drop(layers);
    if places.trust == TrustRequirement::Required
        && let Some(state) = PolicyState::capture(&policy, discovery, &mut seen)
        && !store::is_trusted(places.state.as_deref(), &state, &mut seen)
    {
        policy.restrict(confined);
    }
    (policy, seen)
}

/// Loads and compiles the unrestricted policy at these places, and returns the state that the user would trust. That is
/// `None` without a project's policy.
#[must_use]
pub fn inspect(places: &MachinePlaces) -> (Policy, Option<PolicyState>) {
    let discovery = project::discover(places);
    let LoadedSources { sources, layers, inputs: mut seen } = discovery.load();
    let policy = Policy::new(sources, &layers);
    let state = PolicyState::capture(&policy, &discovery, &mut seen);
    (policy, state)
}
