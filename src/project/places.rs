//! The directories of policies, state and cache on a machine, which follow from the home directory of the account.

use std::path::PathBuf;

use crate::platform::paths::portable;
use crate::platform::{account_home, places};

/// The directories of policy and state on a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachinePlaces {
    /// The directory of the administrator's policy.
    pub managed: PathBuf,
    /// The directory of the account's policy; `None` for an account without a home directory.
    pub user: Option<PathBuf>,
    /// The directory of the account's state: the log, trust, counters.
    pub state: Option<PathBuf>,
    /// The directory of cached policies; `None` if nothing is cached.
    pub cache: Option<PathBuf>,
    /// The project directory, as the host names it.
    pub project: Option<PathBuf>,
    /// Other directories that may have been the project directory and no longer exist. The policies above them apply,
    /// too.
    pub missing_projects: Vec<PathBuf>,
    /// Whether the project's policy applies in full only if the user trusts it.
    pub trust: TrustRequirement,
}

/// Whether a project's policy, including its local one, needs the user's trust to apply in full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrustRequirement {
    /// No trust is needed: the policy is only inspected.
    NotRequired,
    /// The project itself has registered the hook: only a policy that names files under `trust.files` needs trust.
    ForNamedFiles,
    /// Trust is needed: the user's own hook runs in every repository, even in one that somebody else wrote.
    Required,
}

impl MachinePlaces {
    /// Returns the directories of this machine and account. `HOME` and `XDG_*` are ignored, because the settings of a
    /// project can set them.
    #[must_use]
    pub fn on_this_machine(project: Option<PathBuf>) -> Self {
        let home = account_home();
        Self {
            managed: places::managed(),
            user: home.as_ref().map(|home| portable(home.join(".config/rules"))),
            state: home.as_deref().map(places::state),
            cache: home.as_deref().map(places::cache),
            project,
            missing_projects: Vec::new(),
            trust: TrustRequirement::NotRequired,
        }
    }
}
