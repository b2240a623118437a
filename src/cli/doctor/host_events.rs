//! Host events that this version does not know, or that the installed host does not have.

use std::collections::BTreeSet;

use super::Checked;
use crate::decision_log::{Log, find};
use crate::diagnostic::Severity;
use crate::host::Host;
use crate::project::Places;
use crate::schema::{Event, HostVersion, NEWEST_KNOWN};

/// Compares the events of the installed host, as far as its version determines them, with those of the schema.
pub(super) fn of_version(version: Option<HostVersion>) -> Option<Checked> {
    let version = version?;
    if version > NEWEST_KNOWN {
        let message = format!(
            "it is newer than {}, the newest version whose events this `rules` knows: a call that it announces by \
             another event is judged like PreToolUse, if the hook is registered for it",
            NEWEST_KNOWN
        );
        return Some(Checked { severity: Some(Severity::Info), ..Checked::well("events", message) });
    }
    let since = HostVersion::first_with(Event::PreSkillShellCommand).filter(|since| version < *since)?;
    let message =
        format!("it asks no hook about the shell commands in skills and slash commands; {} and newer do", since);
    Some(Checked { severity: Some(Severity::Info), ..Checked::well("events", message) })
}

/// Searches the project's log for calls that the host announced by an event outside the schema.
pub(super) fn seen(places: &Places) -> Option<Checked> {
    let directory = find(places.state.as_deref()?, places.project.as_deref());
    // Problems with the log are reported by the check of the log.
    let log = Log::read(&directory).ok()?;
    let is_of_host = |host: &str| host == Host::ClaudeCode.name();
    let names: BTreeSet<String> = log
        .records()
        .map(|record| record.entry)
        .filter(|entry| is_of_host(&entry.host) && Event::from_name(&entry.event).is_none())
        .map(|entry| crate::escape::line(&entry.event, super::WIDTH))
        .collect();
    if names.is_empty() {
        return None;
    }
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    let message = format!("calls were announced by events that this version does not know: {names}");
    Some(Checked::found("events", Severity::Warning, message, "install a newer `rules`, if there is one"))
}
