//! Agents besides Claude Code that read its settings files and run the hooks in them.

use super::SettingsScope;

/// An agent, and the scopes whose settings it reads. All of them ignore `args`, so that a hook with `args` is started
/// without its arguments.
struct OtherAgent {
    name: &'static str,
    reads: &'static [SettingsScope],
}

/// Measured: Copilot CLI 1.0.102, in a project that its user trusts. Continue CLI 1.5.47 reads the hooks but does not
/// run any yet.
const OTHER_AGENTS: &[OtherAgent] = &[
    OtherAgent { name: "Copilot CLI", reads: &[SettingsScope::Project, SettingsScope::Local] },
    OtherAgent { name: "Continue CLI", reads: &[SettingsScope::User, SettingsScope::Project, SettingsScope::Local] },
];

/// Returns the other agents that read the settings of a scope.
pub fn other_agents(scope: SettingsScope) -> impl Iterator<Item = &'static str> {
    OTHER_AGENTS.iter().filter(move |agent| agent.reads.contains(&scope)).map(|agent| agent.name)
}
