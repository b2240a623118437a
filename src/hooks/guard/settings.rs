//! Judges changes of the host's settings during a session: a change that removes or weakens our hooks is denied.
//!
//! A defect that existed when the session began is not a change; `rules doctor` reports it.

use std::path::{Path, PathBuf};

use super::Guard;
use crate::action::{digest, is_first_in_session, is_remembered};
use crate::context::{Context, PathForm};
use crate::escape::line;
use crate::hooks::process;
use crate::host_settings::{
    EventRegistrations, RegistrationFinding, RegistrationProblem, RegistrationReview, SettingsFile, SettingsPlaces,
    SettingsScope, policy_events,
};
use crate::policy::Policy;
use crate::project::{self, MachinePlaces};
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Decision, Vote};

/// The maximum number of defects in a denial.
const MAX_REPORTED: usize = 3;

/// The values of `source` in SessionStart after which the host has freshly read its settings.
const FRESH_SOURCES: &[&str] = &["startup", "resume"];

/// A defect in the host's settings that removes or weakens our hooks.
struct HookDamage {
    /// The settings file with the defect; `None` if no single file has it.
    file: Option<PathBuf>,
    /// The line of the defect in the file, if it is known.
    line: Option<usize>,
    /// The defect, as a sentence without its period.
    message: String,
    /// The remedy.
    help: &'static str,
}

impl HookDamage {
    /// Returns the key by which the state directory remembers the defect for a session.
    fn session_key(&self) -> String {
        let file = self.file.as_deref().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
        format!("settings.{:016x}", digest([file.as_bytes(), self.message.as_bytes()]))
    }
}

/// Records the defects that exist at the start of a session, so that no later change of the settings is denied because
/// of them.
pub(in crate::hooks) fn record_existing_damage(
    payload: &Payload,
    context: &Context<'_>,
    places: &MachinePlaces,
    policy: Option<&Policy>,
) {
    if payload.event != Event::SessionStart
        || !payload.nonempty_text("source").is_some_and(|source| FRESH_SOURCES.contains(&source))
    {
        return;
    }
    for damage in session_damage(context, policy) {
        let _was_there =
            is_first_in_session(places.state.as_deref(), payload.nonempty_text("session_id"), &damage.session_key());
    }
}

/// Returns a denial if a change of the host's settings removes or weakens our hooks.
pub(super) fn check(guard: &Guard<'_>) -> Option<Vote> {
    let Guard { payload, context, places, policy, .. } = guard;
    // Skills are not part of the settings.
    if payload.nonempty_text("source") == Some("skills") {
        return None;
    }
    let changed = payload.nonempty_text("file_path").map(|path| context.absolute(path, PathForm::Physical));
    let is_new = |damage: &HookDamage| {
        !is_remembered(places.state.as_deref(), payload.nonempty_text("session_id"), &damage.session_key())
    };
    let is_in_changed_file = |damage: &HookDamage| match (&damage.file, &changed) {
        (Some(file), Some(changed)) => context.absolute(&file.to_string_lossy(), PathForm::Physical) == *changed,
        _ => true,
    };
    let new_damage: Vec<HookDamage> = session_damage(context, *policy)
        .into_iter()
        .filter(|damage| is_in_changed_file(damage) && is_new(damage))
        .collect();
    let first = new_damage.first()?;
    let name = changed.as_deref().map_or_else(
        || "the settings".to_owned(),
        |path| format!("`{}`", line(&context.machine().display_path(&path.to_string_lossy()), 200)),
    );
    let descriptions: Vec<String> = new_damage
        .iter()
        .take(MAX_REPORTED)
        .map(|damage| match damage.line {
            Some(number) => format!("{} (line {number})", line(&damage.message, 200)),
            None => line(&damage.message, 200),
        })
        .collect();
    let message = format!(
        "With this change of {name} the hooks of this session would guard no more, or less: {}. It does not count in this \
         session, but it is still in the file, and the next session reads it: {}.",
        descriptions.join("; "),
        first.help,
    );
    Some(Vote::from_program(Decision::Deny, message))
}

/// Returns the defects in the settings of this session that remove or weaken our hooks.
fn session_damage(context: &Context<'_>, policy: Option<&Policy>) -> Vec<HookDamage> {
    let roots = context.machine().roots();
    let user = roots.home.as_ref().map(|home| home.join(".claude"));
    // A project could set the variable, so the directory that it names counts in addition to the user's own, not
    // instead of it.
    let named = process::host_settings_directory().filter(|named| Some(named) != user.as_ref());
    let version = process::host_version_of_environment();
    let mut settings = SettingsPlaces::new(user, roots.project.clone()).of_version(version).read();
    settings.extend(named.and_then(|named| SettingsFile::read(SettingsScope::User, named.join("settings.json"))));
    settings_damage(&settings, &policy.map(policy_events).unwrap_or_default(), &project::is_regular_file)
}

/// Returns the defects in these settings that remove or weaken our hooks. `exists` reports whether a program exists.
fn settings_damage(
    settings: &[SettingsFile],
    events: &EventRegistrations,
    exists: &dyn Fn(&Path) -> bool,
) -> Vec<HookDamage> {
    // The arguments of the registration are not checked here, because only the command line can parse them.
    let review = RegistrationReview { settings, events, arguments: &|_| None, exists, version: None };
    let has_own_hook = settings.iter().any(|settings| settings.has_own(Event::PreToolUse));
    let has_or_had_own_hooks = |file: Option<&PathBuf>| {
        settings
            .iter()
            .any(|settings| Some(&settings.path) == file && (!settings.own_hooks().is_empty() || !has_own_hook))
    };
    let is_damage = |finding: &RegistrationFinding| match impact_on_hooks(&finding.problem) {
        HookImpact::Weakens => true,
        // This matters if our hooks are in the file, or may have been before the change.
        HookImpact::IgnoresFile => has_or_had_own_hooks(finding.file.as_ref()),
        HookImpact::None => false,
    };
    let findings = review.findings().into_iter().filter(is_damage);
    let mut damages: Vec<HookDamage> = findings
        .map(|RegistrationFinding { problem, file, place }| {
            let of = |file: &PathBuf| settings.iter().find(|settings| settings.path == *file);
            let line = place.zip(file.as_ref().and_then(of)).map(|(place, settings)| settings.line(&place));
            HookDamage { file, line, message: problem.message(), help: problem.help() }
        })
        .collect();
    if !has_own_hook {
        damages.push(HookDamage {
            file: None,
            line: None,
            message: "no settings register `rules` for PreToolUse any more".to_owned(),
            help: "put the entry back, or run `rules install`",
        });
    }
    damages
}

/// What a problem in the settings does to our hooks.
enum HookImpact {
    /// Our hooks are removed, or guard less.
    Weakens,
    /// The host ignores the whole file with the problem.
    IgnoresFile,
    /// The problem does not affect our hooks.
    None,
}

/// Returns what a problem in the settings does to our hooks.
fn impact_on_hooks(problem: &RegistrationProblem) -> HookImpact {
    match problem {
        RegistrationProblem::Disabled
        | RegistrationProblem::Async
        | RegistrationProblem::PartialMatcher(_)
        | RegistrationProblem::RelativeProgram(_)
        | RegistrationProblem::MissingProgram(_)
        | RegistrationProblem::Arguments(_)
        | RegistrationProblem::OtherScope(_)
        | RegistrationProblem::ReplacedHook(_)
        | RegistrationProblem::Duplicate(_)
        | RegistrationProblem::FailsOpen
        | RegistrationProblem::OpenGate(_)
        | RegistrationProblem::OnFailureUnknown(_)
        | RegistrationProblem::Variable(_) => HookImpact::Weakens,
        RegistrationProblem::Unreadable(_)
        | RegistrationProblem::Invalid(..)
        | RegistrationProblem::InvalidEntry(_) => HookImpact::IgnoresFile,
        RegistrationProblem::ManagedOnly
        | RegistrationProblem::Missing(_)
        | RegistrationProblem::InvalidOther(..)
        | RegistrationProblem::NoArguments(_)
        | RegistrationProblem::ClosedRecorder
        | RegistrationProblem::ShortTimeout { .. }
        | RegistrationProblem::UnstatedTimeout(_)
        | RegistrationProblem::Worktrees
        | RegistrationProblem::NoId
        | RegistrationProblem::OtherHook(_)
        | RegistrationProblem::HostDenies(_) => HookImpact::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = r#""type": "command", "command": "/b/rules", "args": ["hook", "claude-code", "--id", "1"], "timeout": 60, "onFailure": "block""#;

    fn settings(scope: SettingsScope, handlers: &[&str], rest: &str) -> SettingsFile {
        let groups: Vec<String> =
            handlers.iter().map(|handler| format!(r#"{{"matcher": "*", "hooks": [{{{handler}}}]}}"#)).collect();
        let text = format!(r#"{{{rest} "hooks": {{"PreToolUse": [{}]}}}}"#, groups.join(", "));
        SettingsFile::from_text(scope, PathBuf::from(format!("/{}.json", scope.name())), text)
    }

    fn messages(all: &[SettingsFile]) -> Vec<String> {
        settings_damage(all, &EventRegistrations::new(), &|path| path == Path::new("/b/rules"))
            .into_iter()
            .map(|damage| damage.message)
            .collect()
    }

    #[test]
    fn a_registration_that_stands_is_no_damage() {
        assert_eq!(messages(&[settings(SettingsScope::User, &[OWN], "")]), Vec::<String>::new());
        let others = settings(SettingsScope::Project, &[r#""type": "command", "command": "x.sh""#], "");
        assert_eq!(messages(&[settings(SettingsScope::User, &[OWN], ""), others]), Vec::<String>::new());
    }

    #[test]
    fn what_takes_a_hook_away_or_a_part_of_it_is_damage() {
        let user = || settings(SettingsScope::User, &[OWN], "");
        for (name, all, expected) in [
            (
                "disabled",
                vec![user(), settings(SettingsScope::Local, &[], r#""disableAllHooks": true,"#)],
                "switches every hook off",
            ),
            ("removed", vec![settings(SettingsScope::User, &[], "")], "no settings register"),
            ("emptied", vec![], "no settings register"),
            ("async", vec![settings(SettingsScope::User, &[&format!("{OWN}, \"async\": true")], "")], "does not wait"),
            ("narrowed", vec![settings(SettingsScope::User, &[&format!("{OWN}, \"if\": \"Bash(x)\"")], "")], "only"),
            ("doubled", vec![settings(SettingsScope::User, &[OWN, OWN], "")], "second entry"),
            ("shadowed", vec![user(), settings(SettingsScope::Project, &[OWN], "")], "which it replaces"),
            (
                "misled",
                vec![user(), settings(SettingsScope::Project, &[], r#""env": {"LD_PRELOAD": "x"},"#)],
                "LD_PRELOAD",
            ),
            ("dropped", vec![settings(SettingsScope::User, &[&OWN.replace("60", "0")], "")], "ignores the whole file"),
            (
                "sunk",
                vec![settings(SettingsScope::User, &[OWN], r#""permissions": {"allow": "x"},"#)],
                "ignores the whole file",
            ),
            ("elsewhere", vec![settings(SettingsScope::User, &[&OWN.replace("/b/", "/c/")], "")], "is not there"),
            (
                "fails open",
                vec![settings(SettingsScope::User, &[&OWN.replace("block", "continue")], "")],
                "lets the call pass",
            ),
        ] {
            let found = messages(&all);
            assert!(found.iter().any(|message| message.contains(expected)), "{name}: {found:?}");
        }
        let broken = SettingsFile::from_text(SettingsScope::User, PathBuf::from("/u"), "{ // no\n}".to_owned());
        assert!(messages(&[broken]).iter().any(|message| message.contains("comment")));
    }

    #[test]
    fn another_file_that_cannot_be_read_takes_nothing_away() {
        let broken = SettingsFile::from_text(SettingsScope::Local, PathBuf::from("/l"), "{".to_owned());
        assert_eq!(messages(&[settings(SettingsScope::User, &[OWN], ""), broken]), Vec::<String>::new());
    }
}
