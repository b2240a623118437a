//! Changes of the host's settings during a session: one that removes or weakens the hooks is rejected.
//!
//! A state that existed when the session began is not a change; `rules doctor` reports it.

use std::path::{Path, PathBuf};

use super::Guard;
use crate::action::{digest, first_time, was_said};
use crate::context::{Context, Form};
use crate::escape::line;
use crate::hooks::process;
use crate::host_settings::{Events, Finding, Problem, Review, Scope, Settings, SettingsPlaces, events_of};
use crate::policy::Policy;
use crate::project::{self, Places};
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Decision, Vote};

/// The number of findings that are reported.
const TOLD: usize = 3;

/// The sources of SessionStart before which the host has reread its settings.
const STARTS: &[&str] = &["startup", "resume"];

/// A defect that a settings file inflicts on the hooks.
struct Damage {
    /// The file, if a single one is responsible.
    file: Option<PathBuf>,
    line: Option<usize>,
    message: String,
    help: &'static str,
}

impl Damage {
    /// Returns the key under which a session remembers it.
    fn mark(&self) -> String {
        let file = self.file.as_deref().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
        format!("settings.{:016x}", digest([file.as_bytes(), self.message.as_bytes()]))
    }
}

/// Records the existing damage at the start of a session.
pub(in crate::hooks) fn remember(payload: &Payload, context: &Context<'_>, places: &Places, policy: Option<&Policy>) {
    if payload.event != Event::SessionStart || !payload.text("source").is_some_and(|source| STARTS.contains(&source)) {
        return;
    }
    for damage in found(context, policy) {
        let _was_there = first_time(places.state.as_deref(), payload.text("session_id"), &damage.mark());
    }
}

/// Returns the denial of a change of settings that damages the hooks.
pub(super) fn check(guard: &Guard<'_>) -> Option<Vote> {
    let Guard { payload, context, places, policy, .. } = guard;
    // Skills are not part of the settings.
    if payload.text("source") == Some("skills") {
        return None;
    }
    let changed = payload.text("file_path").map(|path| context.absolute(path, Form::Physical));
    let is_new = |damage: &Damage| !was_said(places.state.as_deref(), payload.text("session_id"), &damage.mark());
    let is_here = |damage: &Damage| match (&damage.file, &changed) {
        (Some(file), Some(changed)) => context.absolute(&file.to_string_lossy(), Form::Physical) == *changed,
        _ => true,
    };
    let found: Vec<Damage> =
        found(context, *policy).into_iter().filter(|damage| is_here(damage) && is_new(damage)).collect();
    let first = found.first()?;
    let name = changed.as_deref().map_or_else(
        || "the settings".to_owned(),
        |path| format!("`{}`", line(&context.machine().shown(&path.to_string_lossy()), 200)),
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
    Some(Vote::of_program(Decision::Deny, message))
}

/// Returns the damage that the settings of a session do to the hooks.
fn found(context: &Context<'_>, policy: Option<&Policy>) -> Vec<Damage> {
    let roots = context.machine().roots();
    let user = roots.home.as_ref().map(|home| home.join(".claude"));
    // A project could set the variable, so the directory that it names counts in addition to the user's own, not
    // instead of it.
    let named = process::directory_of_host().filter(|named| Some(named) != user.as_ref());
    let mut settings = SettingsPlaces::new(user, roots.project.clone()).read();
    settings.extend(named.and_then(|named| Settings::read(Scope::User, named.join("settings.json"))));
    damages(&settings, &policy.map(events_of).unwrap_or_default(), &project::is_there)
}

fn damages(settings: &[Settings], events: &Events, exists: &dyn Fn(&Path) -> bool) -> Vec<Damage> {
    // Only the command line can check the arguments; they are not checked here.
    let review = Review { settings, events, arguments: &|_| None, exists, version: None };
    let has_guard = settings.iter().any(|settings| settings.has_own(Event::PreToolUse));
    let is_own = |file: Option<&PathBuf>| {
        settings.iter().any(|settings| Some(&settings.path) == file && (!settings.own().is_empty() || !has_guard))
    };
    let counts = |finding: &Finding| match effect_on_hook(&finding.problem) {
        HookEffect::Weakens => true,
        // The host ignores the whole file, with the hooks that are or were in it.
        HookEffect::IgnoresFile => is_own(finding.file.as_ref()),
        HookEffect::None => false,
    };
    let found = review.findings().into_iter().filter(counts);
    let mut damages: Vec<Damage> = found
        .map(|Finding { problem, file, place }| {
            let of = |file: &PathBuf| settings.iter().find(|settings| settings.path == *file);
            let line = place.zip(file.as_ref().and_then(of)).map(|(place, settings)| settings.line(&place));
            Damage { file, line, message: problem.message(), help: problem.help() }
        })
        .collect();
    if !has_guard {
        damages.push(Damage {
            file: None,
            line: None,
            message: "no settings register `rules` for PreToolUse any more".to_owned(),
            help: "put the entry back, or run `rules install`",
        });
    }
    damages
}

/// What a problem in settings means for the registration of the hook.
enum HookEffect {
    Weakens,
    /// The file with the problem has no effect.
    IgnoresFile,
    None,
}

fn effect_on_hook(problem: &Problem) -> HookEffect {
    match problem {
        Problem::Disabled
        | Problem::Async
        | Problem::Narrow(_)
        | Problem::Relative(_)
        | Problem::Gone(_)
        | Problem::Arguments(_)
        | Problem::OtherScope(_)
        | Problem::Replaced(_)
        | Problem::Twice(_)
        | Problem::FailsOpen
        | Problem::OpenGate(_)
        | Problem::OnFailureUnknown(_)
        | Problem::Variable(_) => HookEffect::Weakens,
        Problem::Unreadable(_) | Problem::Invalid(..) | Problem::InvalidEntry(_) => HookEffect::IgnoresFile,
        Problem::ManagedOnly
        | Problem::Missing(_)
        | Problem::InvalidOther(..)
        | Problem::Bare(_)
        | Problem::ClosedRecorder
        | Problem::ShortTimeout { .. }
        | Problem::UntoldTimeout(_)
        | Problem::Worktrees
        | Problem::NoId
        | Problem::OtherHook(_)
        | Problem::HostDenies(_) => HookEffect::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = r#""type": "command", "command": "/b/rules", "args": ["hook", "claude-code", "--id", "1"], "timeout": 60, "onFailure": "block""#;

    fn settings(scope: Scope, handlers: &[&str], rest: &str) -> Settings {
        let groups: Vec<String> =
            handlers.iter().map(|handler| format!(r#"{{"matcher": "*", "hooks": [{{{handler}}}]}}"#)).collect();
        let text = format!(r#"{{{rest} "hooks": {{"PreToolUse": [{}]}}}}"#, groups.join(", "));
        Settings::of_text(scope, PathBuf::from(format!("/{}.json", scope.word())), text)
    }

    fn messages(all: &[Settings]) -> Vec<String> {
        damages(all, &Events::new(), &|path| path == Path::new("/b/rules"))
            .into_iter()
            .map(|damage| damage.message)
            .collect()
    }

    #[test]
    fn a_registration_that_stands_is_no_damage() {
        assert_eq!(messages(&[settings(Scope::User, &[OWN], "")]), Vec::<String>::new());
        let others = settings(Scope::Project, &[r#""type": "command", "command": "x.sh""#], "");
        assert_eq!(messages(&[settings(Scope::User, &[OWN], ""), others]), Vec::<String>::new());
    }

    #[test]
    fn what_takes_a_hook_away_or_a_part_of_it_is_damage() {
        let user = || settings(Scope::User, &[OWN], "");
        for (name, all, expected) in [
            (
                "disabled",
                vec![user(), settings(Scope::Local, &[], r#""disableAllHooks": true,"#)],
                "switches every hook off",
            ),
            ("removed", vec![settings(Scope::User, &[], "")], "no settings register"),
            ("emptied", vec![], "no settings register"),
            ("async", vec![settings(Scope::User, &[&format!("{OWN}, \"async\": true")], "")], "does not wait"),
            ("narrowed", vec![settings(Scope::User, &[&format!("{OWN}, \"if\": \"Bash(x)\"")], "")], "only"),
            ("doubled", vec![settings(Scope::User, &[OWN, OWN], "")], "second entry"),
            ("shadowed", vec![user(), settings(Scope::Project, &[OWN], "")], "which it replaces"),
            ("misled", vec![user(), settings(Scope::Project, &[], r#""env": {"LD_PRELOAD": "x"},"#)], "LD_PRELOAD"),
            ("dropped", vec![settings(Scope::User, &[&OWN.replace("60", "0")], "")], "ignores the whole file"),
            (
                "sunk",
                vec![settings(Scope::User, &[OWN], r#""permissions": {"allow": "x"},"#)],
                "ignores the whole file",
            ),
            ("elsewhere", vec![settings(Scope::User, &[&OWN.replace("/b/", "/c/")], "")], "is not there"),
            ("fails open", vec![settings(Scope::User, &[&OWN.replace("block", "continue")], "")], "lets the call pass"),
        ] {
            let found = messages(&all);
            assert!(found.iter().any(|message| message.contains(expected)), "{name}: {found:?}");
        }
        let broken = Settings::of_text(Scope::User, PathBuf::from("/u"), "{ // no\n}".to_owned());
        assert!(messages(&[broken]).iter().any(|message| message.contains("comment")));
    }

    #[test]
    fn another_file_that_cannot_be_read_takes_nothing_away() {
        let broken = Settings::of_text(Scope::Local, PathBuf::from("/l"), "{".to_owned());
        assert_eq!(messages(&[settings(Scope::User, &[OWN], ""), broken]), Vec::<String>::new());
    }
}
