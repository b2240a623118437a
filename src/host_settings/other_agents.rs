//! Agents other than Claude Code that read its settings files and run the hooks in them.

use super::SettingsScope;

/// An agent, and the scopes whose settings it reads. All agents of the table ignore `args`, and start the program of
/// such a hook without arguments.
struct OtherAgent {
    name: &'static str,
    /// The scopes whose settings the agent reads.
    reads: &'static [SettingsScope],
}

/// The agents that were observed: Copilot CLI 1.0.102, in a project that its user trusts, and Continue CLI 1.5.47,
/// which reads the hooks but does not run them yet.
const OTHER_AGENTS: &[OtherAgent] = &[
    OtherAgent { name: "Copilot CLI", reads: &[SettingsScope::Project, SettingsScope::Local] },
    OtherAgent { name: "Continue CLI", reads: &[SettingsScope::User, SettingsScope::Project, SettingsScope::Local] },
];

/// Returns the names of the other agents that read the settings of a scope.
pub fn other_agents(scope: SettingsScope) -> impl Iterator<Item = &'static str> {
    OTHER_AGENTS.iter().filter(move |agent| agent.reads.contains(&scope)).map(|agent| agent.name)
}
