//! Checks a proposed policy as `rules check` does, before it is shown.

use crate::diagnostic::{DiagnosticFormat, Levels, render_all};
use crate::host::Host;
use crate::policy::Policy;
use crate::project::load_text;
use crate::{examples, lint};

/// Returns the report of `rules check` on a policy that consists of this text: findings of every severity, and failed
/// examples. Empty if there are none.
#[must_use]
pub fn policy_problems(name: &str, text: &str) -> String {
    let loaded = load_text(name, text);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    let mut found = lint::check_policy(&policy, &[Host::CLAUDE_CODE], &Levels::default());
    found.extend(
        policy
            .layers
            .iter()
            .flat_map(|layer| examples::judge_own_examples(layer, examples::JudgedDirectories::All).failed),
    );
    render_all(&found, &policy.sources, DiagnosticFormat::Short)
}
