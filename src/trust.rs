//! What a project's policy may do before the user trusts it, and which states of it he does.
//!
//! A hook that is registered for the user runs in every repository that he opens, whoever has written its policy. Until
//! he has looked at that policy its denials and questions count, and nothing else of it. What he trusts are bytes: if
//! one of them changes, it is another state. This module reads the files that a policy's commands name, and keeps the
//! trusted states; how a rule is judged is not known here.

mod confine;
mod imports;
mod loaded;
mod named;
mod state;
mod store;

use crate::policy::Policy;
use crate::project::{self, Discovery, Loaded, Places, Seen, Trust};

pub use confine::confined;
pub use state::{Pin, State};
pub use store::{Store, TrustedState};

/// Loads and compiles what was found. What the user has to trust and does not is cut down to its denials and questions.
#[must_use]
pub fn load(discovery: &Discovery, places: &Places) -> (Policy, Vec<Seen>) {
    compiled(discovery.load(), discovery, places)
}

/// Does what [`load`] does, for whoever only judges by it: packs have no examples.
#[must_use]
pub fn load_to_judge(discovery: &Discovery, places: &Places) -> (Policy, Vec<Seen>) {
    compiled(discovery.load_to_judge(), discovery, places)
}

fn compiled(loaded: Loaded, discovery: &Discovery, places: &Places) -> (Policy, Vec<Seen>) {
    let Loaded { sources, layers, mut seen } = loaded;
    let mut policy = Policy::new(sources, &layers);
    // The trees take more than the rules that were made of them, and what follows needs room of its own.
    drop(layers);
    if places.trust == Trust::Required
        && let Some(state) = State::of(&policy, discovery, &mut seen)
        && !store::is_trusted(places.state.as_deref(), &state, &mut seen)
    {
        policy.restrict(confined);
    }
    (policy, seen)
}

/// Loads and compiles what is at some places as it stands, and returns what the user would trust with it; nothing where
/// there is no policy of a project.
#[must_use]
pub fn look(places: &Places) -> (Policy, Option<State>) {
    let discovery = project::discover(places);
    let Loaded { sources, layers, mut seen } = discovery.load();
    let policy = Policy::new(sources, &layers);
    let state = State::of(&policy, &discovery, &mut seen);
    (policy, state)
}
