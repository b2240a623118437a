//! Changes of the host's settings during a session: a change that removes or weakens the hooks is rejected.
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

/// The most defects that are reported.
const TOLD: usize = 3;

/// The values of `source` in SessionStart that mean that the host has just read its settings again.
const STARTS: &[&str] = &["startup", "resume"];

/// A defect in the settings that removes or weakens the hooks.
struct HookDamage {
    /// The file, if a single one is responsible.
    file: Option<PathBuf>,
    /// The line in the file.
    line: Option<usize>,
    /// The defect, as a sentence without its period.
    message: String,
    /// The remedy.
    help: &'static str,
}

impl HookDamage {
    /// Returns the key under which a session remembers the defect.
    fn session_key(&self) -> String {
        let file = self.file.as_deref().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
        format!("settings.{:016x}", digest([file.as_bytes(), self.message.as_bytes()]))
    }
}

/// Records the defects that exist at the start of a session, so that no later change of settings is rejected for
/// them.
pub(in crate::hooks) fn record_existing_damage(
    payload: &Payload,
    context: &Context<'_>,
    places: &MachinePlaces,
    policy: Option<&Policy>,
) {
    if payload.event != Event::SessionStart
        || !payload.nonempty_text("source").is_some_and(|source| STARTS.contains(&source))
    {
        return;
    }
    for damage in session_damage(context, policy) {
        let _was_there =
            is_first_in_session(places.state.as_deref(), payload.nonempty_text("session_id"), &damage.session_key());
    }
}

/// Returns the denial of a change of settings that removes or weakens the hooks; `None` if it does neither.
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
    let is_here = |damage: &HookDamage| match (&damage.file, &changed) {
        (Some(file), Some(changed)) => context.absolute(&file.to_string_lossy(), PathForm::Physical) == *changed,
        _ => true,
    };
    let found: Vec<HookDamage> =
        session_damage(context, *policy).into_iter().filter(|damage| is_here(damage) && is_new(damage)).collect();
    let first = found.first()?;
    let name = changed.as_deref().map_or_else(
        || "the settings".to_owned(),
        |path| format!("`{}`", line(&context.machine().display_path(&path.to_string_lossy()), 200)),
    );
    let what: Vec<String> = found
        .iter()
        .take(TOLD)
        .map(|damage| match damage.line {
            Some(number) => format!("{} (line {number})", line(&damage.message, 200)),
            None => line(&damage.message, 200),
        })
        .collect();
    let message = format!(
        "With this change of {name} the hooks of this session would guard no more, or less: {}. It does not count in this \
         session, but it is still in the file, and the next session reads it: {}.",
        what.join("; "),
        first.help,
    );
    Some(Vote::from_program(Decision::Deny, message))
}

/// Returns the defects in the settings of this session that remove or weaken the hooks.
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

/// Returns the defects in some settings that remove or weaken the hooks; `exists` tests whether a program is there.
fn settings_damage(
    settings: &[SettingsFile],
    events: &EventRegistrations,
    exists: &dyn Fn(&Path) -> bool,
) -> Vec<HookDamage> {
    // The arguments of the registration are not checked here, because only the command line can parse them.
    let review = RegistrationReview { settings, events, arguments: &|_| None, exists, version: None };
    let has_guard = settings.iter().any(|settings| settings.has_own(Event::PreToolUse));
    let is_own = |file: Option<&PathBuf>| {
        settings.iter().any(|settings| Some(&settings.path) == file && (!settings.own_hooks().is_empty() || !has_guard))
    };
    let counts = |finding: &RegistrationFinding| match effect_on_hook(&finding.problem) {
        HookEffect::Weakens => true,
        // The host ignores the whole file, with the hooks that are or were in it.
        HookEffect::IgnoresFile => is_own(finding.file.as_ref()),
        HookEffect::None => false,
    };
    let found = review.findings().into_iter().filter(counts);
    let mut damages: Vec<HookDamage> = found
        .map(|RegistrationFinding { problem, file, place }| {
            let of = |file: &PathBuf| settings.iter().find(|settings| settings.path == *file);
            let line = place.zip(file.as_ref().and_then(of)).map(|(place, settings)| settings.line(&place));
            HookDamage { file, line, message: problem.message(), help: problem.help() }
        })
        .collect();
    if !has_guard {
        damages.push(HookDamage {
            file: None,
            line: None,
            message: "no settings register `rules` for PreToolUse any more".to_owned(),
            help: "put the entry back, or run `rules install`",
        });
    }
    damages
}

/// The effect of a problem in the settings on the hooks of this program.
enum HookEffect {
    /// The hooks are removed, or guard less.
    Weakens,
    /// The host ignores the whole file with the problem.
    IgnoresFile,
    /// The hooks guard as before.
    None,
}

/// Returns the effect of a problem in the settings on the hooks.
fn effect_on_hook(problem: &RegistrationProblem) -> HookEffect {
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
        | RegistrationProblem::Variable(_) => HookEffect::Weakens,
        RegistrationProblem::Unreadable(_)
        | RegistrationProblem::Invalid(..)
        | RegistrationProblem::InvalidEntry(_) => HookEffect::IgnoresFile,
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
        | RegistrationProblem::HostDenies(_) => HookEffect::None,
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
