//! The other agents that read the settings of Claude Code and call the hooks in them.

use super::SettingsScope;
use crate::host::Host;

/// Returns the names of the other agents that read Claude Code's settings of this scope. Those that really call the
/// hooks come first.
pub fn other_agents(scope: SettingsScope) -> impl Iterator<Item = &'static str> {
    let readers = move || Host::all().filter(move |host| host.reads_others(scope.name()));
    let of_kind = move |is_called: bool| readers().filter(move |host| host.not_called().is_none() == is_called);
    of_kind(true).chain(of_kind(false)).map(Host::title)
}
