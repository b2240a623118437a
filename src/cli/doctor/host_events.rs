//! Checks for events of the host that this program does not know, or that the installed host does not have.

use std::collections::BTreeSet;

use super::DoctorCheck;
use crate::decision_log::{DecisionLog, find};
use crate::diagnostic::Severity;
use crate::host::Host;
use crate::project::MachinePlaces;
use crate::schema::{Event, HostVersion, NEWEST_KNOWN};

/// Returns a note if the host is so new that it may have events that are not in the schema, or too old for one that
/// matters. `None` if neither, or if the version is unknown.
pub(super) fn compare_events_of_version(version: Option<HostVersion>) -> Option<DoctorCheck> {
    let version = version?;
    if version > NEWEST_KNOWN {
        let message = format!(
            "it is newer than {}, the newest version whose events this `rules` knows: a call that it announces by \
             another event is judged like PreToolUse, if the hook is registered for it",
            NEWEST_KNOWN
        );
        return Some(DoctorCheck { severity: Some(Severity::Info), ..DoctorCheck::success("events", message) });
    }
    let since = HostVersion::first_with_event(Event::PreSkillShellCommand).filter(|since| version < *since)?;
    let message =
        format!("it asks no hook about the shell commands in skills and slash commands; {} and newer do", since);
    Some(DoctorCheck { severity: Some(Severity::Info), ..DoctorCheck::success("events", message) })
}

/// Returns a warning if the project's log has events of Claude Code that are not in the schema.
pub(super) fn find_unknown_events(places: &MachinePlaces) -> Option<DoctorCheck> {
    let directory = find(places.state.as_deref()?, places.project.as_deref());
    // A log that cannot be read is reported by `check_log`.
    let log = DecisionLog::read(&directory).ok()?;
    let is_of_host = |host: &str| host == Host::CLAUDE_CODE.name();
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
    Some(DoctorCheck::problem("events", Severity::Warning, message, "install a newer `rules`, if there is one"))
}
