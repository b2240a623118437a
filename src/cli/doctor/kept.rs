//! Checks of the data stored on this machine: trusted policies, compiled policies, state, and the log.

use super::DoctorCheck;
use crate::action;
use crate::cache;
use crate::cli::load::current_directory;
use crate::cli::print::count;
use crate::cli::registration::display_path;
use crate::decision_log::{DecisionLog, find};
use crate::diagnostic::Severity;
use crate::host_settings::{Handler, RegisteredHook, SettingsFile, SettingsScope};
use crate::project::MachinePlaces;
use crate::trust::{PolicyState, TrustStore};

/// Checks whether the user trusts the project's policy. `None` if neither a registered hook nor the policy requires
/// trust, or there is no policy.
pub(super) fn check_trust(
    settings: &[SettingsFile],
    places: &MachinePlaces,
    state: Option<&PolicyState>,
) -> Option<DoctorCheck> {
    // Only a hook in the user's settings requires trust, which is also the default of `--scope`.
    let requires_trust = |(_, registered): (Handler, RegisteredHook)| {
        registered.option("--scope").is_none_or(|scope| scope == SettingsScope::User.name())
    };
    let needs_trust = || settings.iter().flat_map(SettingsFile::own_hooks).any(requires_trust);
    let state = state.filter(|state| state.has_named_files() || needs_trust())?;
    let root = match current_directory() {
        Some(here) if here == state.root => "this project".to_owned(),
        _ => display_path(&state.root),
    };
    if places.state.as_deref().is_some_and(|directory| TrustStore::open(directory).is_trusted(state)) {
        return Some(DoctorCheck::success("trust", format!("the policy of {root} is trusted as it is")));
    }
    let message = format!("the policy of {root} is not trusted: of it only denials and questions count");
    Some(DoctorCheck::problem("trust", Severity::Warning, message, "run `rules trust`"))
}

/// Checks that the log of the project can be read and was not changed; `None` if it is unknown where state is kept.
pub(super) fn check_log(places: &MachinePlaces) -> Option<DoctorCheck> {
    let directory = find(places.state.as_deref()?, places.project.as_deref());
    let checked = match DecisionLog::read(&directory) {
        Ok(log) if log.is_empty() => DoctorCheck::success("log", "no decision is logged for this project yet"),
        Ok(log) => {
            let verified = log.verify_chain();
            let lines = count(usize::try_from(verified.lines).unwrap_or(usize::MAX), "line");
            match verified.finding {
                None => DoctorCheck::success("log", format!("{lines}, none changed")),
                Some(finding) => {
                    let help = "ask who did that; `rules log verify` says the same";
                    DoctorCheck::problem("log", Severity::Warning, finding.to_string(), help).at_place(&directory, None)
                }
            }
        }
        Err((name, error)) => {
            let message = format!("`{name}` {error}");
            DoctorCheck::problem("log", Severity::Warning, message, "move it away").at_place(&directory, None)
        }
    };
    Some(checked)
}

/// Checks that the directories of compiled policies and of state can be used.
pub(super) fn directories(places: &MachinePlaces) -> Vec<DoctorCheck> {
    let mut checks = Vec::new();
    let problems = [
        ("cache", places.cache.as_deref(), places.cache.as_deref().and_then(cache::problem)),
        ("state", places.state.as_deref(), places.state.as_deref().and_then(action::state_problem)),
    ];
    for (subject, path, problem) in problems {
        let Some(path) = path else { continue };
        checks.push(match problem {
            Some(problem) => {
                let message = format!("not used: {problem}");
                let help = format!("give it to your account alone: chmod -R go-w {}", display_path(path));
                DoctorCheck::problem(subject, Severity::Warning, message, help).at_place(path, None)
            }
            None => DoctorCheck::success(subject, display_path(path)),
        });
    }
    checks
}
