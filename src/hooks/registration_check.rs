//! Warnings at the start of a session about its registration: events of rules for which no hook is registered, and
//! settings that let calls pass unjudged.

use crate::diagnostic::Severity;
use crate::host::Host;
use crate::host_settings::{
    RegistrationFinding, RegistrationProblem, RegistrationReview, SettingsPlaces, policy_events,
};
use crate::platform::paths::shown;
use crate::policy::Policy;
use crate::project::{MachinePlaces, is_regular_file};
use crate::schema::{Event, HostVersion};
use crate::verdict::Note;

use super::process::{host_version_of_environment, settings_of_environment};

/// The maximum number of problems that are listed; of the rest, only the number is.
const MAX_LISTED: usize = 3;

/// Returns a warning about problems of the registration in Claude Code's settings. `None` if there are no problems, for
/// another host, or if these settings do not register this program. In the last case, it was registered on the host's
/// command line, which is not visible here.
pub(super) fn check(host: Host, policy: &Policy, places: &MachinePlaces) -> Option<Note> {
    if host != Host::CLAUDE_CODE {
        return None;
    }
    // If the version of the host is unknown, it may be too old for PreSkillShellCommand.
    let version = host_version_of_environment();
    let settings = SettingsPlaces::new(settings_of_environment(), places.project.clone()).of_version(version).read();
    let mut events = policy_events(policy);
    events.retain(|event, _| {
        *event != Event::PreSkillShellCommand || HostVersion::has_event(version, *event) == Some(true)
    });
    // The arguments need no check: this process has already parsed its own.
    let review = RegistrationReview {
        settings: &settings,
        events: &events,
        arguments: &|_| None,
        exists: &is_regular_file,
        version: None,
    };
    if !review.is_registered() {
        return None;
    }
    let findings = review.findings();
    let missing = findings.iter().filter_map(|finding| match finding.problem {
        RegistrationProblem::Missing(event) => Some(event),
        _ => None,
    });
    let missing: Vec<Event> = missing.collect();
    // This event is a SessionStart. If these settings do not register it, another registration has started this
    // process, and may cover the other events as well.
    let is_only_registration = !missing.contains(&Event::SessionStart);
    let missing: Vec<&str> = missing.into_iter().filter(|_| is_only_registration).map(Event::name).collect();
    let mut sentences = Vec::new();
    if !missing.is_empty() {
        let events = missing.join(", ");
        sentences.push(format!(
            "No hook is registered for {events}, so no rule on it fires: run `rules install claude-code`."
        ));
    }
    sentences.extend(grave_problems(&findings));
    (!sentences.is_empty()).then(|| Note::from_program(sentences.join("\n")))
}

/// Returns a sentence for each problem that lets calls pass unjudged, except missing events: at most [`MAX_LISTED`] of
/// them, and then one with the number of the rest.
fn grave_problems(findings: &[RegistrationFinding]) -> Vec<String> {
    let is_grave = |problem: &RegistrationProblem| {
        problem.severity() >= Severity::Deny && !matches!(problem, RegistrationProblem::Missing(_))
    };
    let mut sentences: Vec<String> = findings
        .iter()
        .filter(|finding| is_grave(&finding.problem))
        .map(|finding| {
            let file = finding.file.as_ref().map(|file| format!("{}: ", shown(&file))).unwrap_or_default();
            format!("{file}{}.", finding.problem.message())
        })
        .collect();
    sentences.dedup();
    if sentences.len() > MAX_LISTED {
        let more = sentences.len() - MAX_LISTED;
        sentences.truncate(MAX_LISTED);
        sentences.push(format!("{more} more: run `rules doctor`."));
    }
    sentences
}
