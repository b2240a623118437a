//! Checks a text as `rules check` does, before anybody sees it.

use crate::diagnostic::{Format, Levels, render_all};
use crate::host::Host;
use crate::policy::Policy;
use crate::project::load_text;
use crate::{examples, lint};

/// Returns what `rules check` would find about a policy of this one text, as text: findings of every severity, and
/// examples that come out otherwise. Empty where there is nothing.
#[must_use]
pub fn problems(name: &str, text: &str) -> String {
    let loaded = load_text(name, text);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    let mut found = lint::all(&policy, Some(Host::ClaudeCode), &Levels::default());
    found.extend(policy.layers.iter().flat_map(|layer| examples::own_examples(layer).failed));
    render_all(&found, &policy.sources, Format::Short)
}
