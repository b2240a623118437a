//! Helpers for measuring programs that use the library.

use std::error::Error;

use hookrules::policy::Policy;
use hookrules::project::load_paths;
use hookrules_benches::files;
use hookrules_benches::plain::{self, Rule};

/// Loads rules as a policy from files, like any policy.
///
/// # Errors
/// The files cannot be written, or the policy does not load.
pub fn policy_of(rules: &[Rule]) -> Result<Policy, Box<dyn Error>> {
    let directory = std::env::temp_dir().join(format!("rules-inside-{}", std::process::id()));
    files::write(&directory, &plain::policy(rules))?;
    let loaded = load_paths(std::slice::from_ref(&directory));
    std::fs::remove_dir_all(&directory)?;
    let policy = Policy::new(loaded.sources, &loaded.layers);
    if let Some(wrong) = policy.diagnostics().find(|diagnostic| diagnostic.is_error()) {
        return Err(format!("the policy does not load: {wrong:?}").into());
    }
    Ok(policy)
}
