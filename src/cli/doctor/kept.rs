//! The stored data of a project and its user: trust, compiled policies, state and the log.

use super::Checked;
use crate::action;
use crate::cache;
use crate::cli::print::count;
use crate::cli::registration::shown;
use crate::decision_log::{Log, find};
use crate::diagnostic::Severity;
use crate::host_settings::{Handler, Registered, Scope, Settings};
use crate::project::Places;
use crate::trust::{State, Store};

/// Checks whether the user trusts the project's policy, if a registered hook requires that.
pub(super) fn trusted(settings: &[Settings], places: &Places, state: Option<&State>) -> Option<Checked> {
    let asks = |(_, registered): (Handler, Registered)| {
        registered.option("--scope").is_none_or(|scope| scope == Scope::User.word())
    };
    let state = state.filter(|_| settings.iter().flat_map(Settings::own).any(asks))?;
    let root = match shown(&state.root) {
        here if here.is_empty() => "this project".to_owned(),
        root => root,
    };
    if places.state.as_deref().is_some_and(|directory| Store::of(directory).trusts(state)) {
        return Some(Checked::well("trust", format!("the policy of {root} is trusted as it is")));
    }
    let message = format!("the policy of {root} is not trusted: of it only denials and questions count");
    Some(Checked::found("trust", Severity::Warning, message, "run `rules trust`"))
}

/// Checks the log of the project.
pub(super) fn logged(places: &Places) -> Option<Checked> {
    let directory = find(places.state.as_deref()?, places.project.as_deref());
    let checked = match Log::read(&directory) {
        Ok(log) if log.is_empty() => Checked::well("log", "no decision is logged for this project yet"),
        Ok(log) => {
            let verified = log.verify();
            let lines = count(usize::try_from(verified.lines).unwrap_or(usize::MAX), "line");
            match verified.finding {
                None => Checked::well("log", format!("{lines}, none changed")),
                Some(finding) => {
                    let help = "ask who did that; `rules log verify` says the same";
                    Checked::found("log", Severity::Warning, finding.to_string(), help).at(&directory, None)
                }
            }
        }
        Err((name, error)) => {
            let message = format!("`{name}` {error}");
            Checked::found("log", Severity::Warning, message, "move it away").at(&directory, None)
        }
    };
    Some(checked)
}

/// Checks the directories of compiled policies and state.
pub(super) fn directories(places: &Places) -> Vec<Checked> {
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
                let help = format!("give it to your account alone: chmod -R go-w {}", shown(path));
                Checked::found(subject, Severity::Warning, message, help).at(path, None)
            }
            None => Checked::well(subject, shown(path)),
        });
    }
    checks
}
