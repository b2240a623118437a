//! Warnings at the start of a session about its registration: rules that cannot fire, and settings that let calls
//! through.

use crate::diagnostic::Severity;
use crate::host::Host;
use crate::host_settings::{
    RegistrationFinding, RegistrationProblem, RegistrationReview, SettingsPlaces, policy_events,
};
use crate::policy::Policy;
use crate::project::{MachinePlaces, is_regular_file};
use crate::schema::{Event, HostVersion};
use crate::verdict::Note;

use super::process::{host_version_of_environment, settings_of_environment};

/// The most problems that are listed; of the rest, only the number is.
const TOLD: usize = 3;

/// Returns a warning about problems of the registration in Claude Code's settings. `None` if there are no problems,
/// for another host, or if these settings do not register the program: a registration on the host's command line
/// cannot be seen here.
pub(super) fn check(host: Host, policy: &Policy, places: &MachinePlaces) -> Option<Note> {
    if host != Host::CLAUDE_CODE {
        return None;
    }
    // A host of unknown version may be too old to send this event.
    let version = host_version_of_environment();
    let settings = SettingsPlaces::new(settings_of_environment(), places.project.clone()).of_version(version).read();
    let mut events = policy_events(policy);
    events.retain(|event, _| {
        *event != Event::PreSkillShellCommand || HostVersion::has_event(version, *event) == Some(true)
    });
    // The arguments need no check: this process has parsed its own already.
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
    // If these settings do not register SessionStart, another registration started this process, and it may cover the
    // other events too.
    let is_all = !missing.contains(&Event::SessionStart);
    let missing: Vec<&str> = missing.into_iter().filter(|_| is_all).map(Event::name).collect();
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

/// Returns a sentence for each problem that lets calls through, for at most [`TOLD`] of them, and then one with the
/// number of the rest.
fn grave_problems(findings: &[RegistrationFinding]) -> Vec<String> {
    let is_grave = |problem: &RegistrationProblem| {
        problem.severity() >= Severity::Deny && !matches!(problem, RegistrationProblem::Missing(_))
    };
    let mut sentences: Vec<String> = findings
        .iter()
        .filter(|finding| is_grave(&finding.problem))
        .map(|finding| {
            let file = finding.file.as_ref().map(|file| format!("{}: ", file.display())).unwrap_or_default();
            format!("{file}{}.", finding.problem.message())
        })
        .collect();
    sentences.dedup();
    if sentences.len() > TOLD {
        let more = sentences.len() - TOLD;
        sentences.truncate(TOLD);
        sentences.push(format!("{more} more: run `rules doctor`."));
    }
    sentences
}
