//! Finds the registration of the hook in the host's settings around the current directory.
#![expect(clippy::disallowed_methods, reason = "a command is about this machine and the current directory")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{HostCommand, event, hook};
use crate::escape::line;
use crate::facts::account_home;
use crate::hooks::{absolute_path_in, settings_of_environment};
use crate::host::Host;
use crate::host_settings::{
    AgentDirectories, AgentPlace, EventRegistrations, Handler, RegisteredHook, RegistrationReview, SettingsFile,
    SettingsPlaces, SettingsScope, StartForm, other_agents,
};
use crate::platform::paths::{portable, shown};
use crate::platform::places::HOME_VARIABLE;
use crate::project::is_regular_file;
use crate::schema::{Event, HostVersion};

/// Returns the existing settings files of the host. `user` is the directory of the user's settings, if an option
/// gives it.
pub(super) fn settings(user: Option<&Path>) -> Vec<SettingsFile> {
    places(user).read()
}

/// Returns the paths of the host's settings files, for the current directory and the user.
pub(super) fn places(user: Option<&Path>) -> SettingsPlaces {
    SettingsPlaces::new(
        user.map(Path::to_path_buf).or_else(settings_of_environment),
        std::env::current_dir().map(portable).ok(),
    )
}

/// Returns where the settings of an agent in a scope are, for the current directory and the user.
pub(super) fn agent_place(host: Host, scope: SettingsScope) -> Option<AgentPlace> {
    AgentPlace::new(host, scope, &agent_directories(), absolute_path_in)
}

/// Returns the directories in which the settings of agents are searched: the user's home and the current directory.
pub(super) fn agent_directories() -> AgentDirectories {
    let home = absolute_path_in(HOME_VARIABLE).or_else(account_home);
    AgentDirectories { home, project: std::env::current_dir().map(portable).ok() }
}

/// Returns a note that an agent calls the hook twice, because it also runs the hooks in other settings here; `None` if
/// it does not.
pub(super) fn called_twice_note(host: Host) -> Option<String> {
    let is_run_as_well = |file: &&SettingsFile| host.reads_others(file.scope.name()) && !file.own_hooks().is_empty();
    let settings = settings(None);
    let file = settings.iter().find(is_run_as_well)?;
    Some(format!("{} also runs the hooks in {}, so it calls the hook twice", host.title(), display_path(&file.path)))
}

/// The registration of the hook that applies to calls in the current directory.
pub(super) struct NearestRegistration {
    /// The settings file.
    pub(super) file: PathBuf,
    /// The line of the entry in that file, counted from 1.
    pub(super) line: usize,
    /// The parsed options of the registered command line.
    pub(super) registered: hook::RegistrationArgs,
}

/// Returns the registration for PreToolUse in the local settings, else in the project's, else in the user's. `None` if
/// none of them has one with correct arguments.
pub(super) fn nearest_registration() -> Option<NearestRegistration> {
    let mut settings = settings(None);
    settings.sort_by_key(|settings| std::cmp::Reverse(settings.scope));
    settings.iter().find_map(|settings| {
        settings.own_hooks().into_iter().find_map(|(handler, registered)| {
            let words: Vec<OsString> = registered.words.iter().map(OsString::from).collect();
            let registered =
                hook::parse_registration_words(&words).filter(|_| handler.event == Event::PreToolUse.name())?;
            Some(NearestRegistration { file: settings.path.clone(), line: settings.line(&handler.range), registered })
        })
    })
}

/// Prepares a review of settings, as this version of the host reads them. The hook's own parser checks the arguments.
pub(super) fn review<'r>(
    settings: &'r [SettingsFile],
    events: &'r EventRegistrations,
    version: Option<HostVersion>,
) -> RegistrationReview<'r> {
    RegistrationReview { settings, events, arguments: &mistake_in, exists: &is_regular_file, version }
}

/// Returns a note about other agents that read the settings of a scope, and whether our entries work for them. `None`
/// if no other agent reads them.
pub(super) fn other_agents_note(scope: SettingsScope, hooks: &[(Handler, RegisteredHook)]) -> Option<OtherAgentsNote> {
    let names: Vec<&str> = other_agents(scope).collect();
    let (last, others) = names.split_last()?;
    let names = if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
    let verb = if others.is_empty() { "reads" } else { "read" };
    let has_args = hooks.iter().any(|(_, registered)| registered.form == StartForm::Exec);
    Some(if has_args {
        OtherAgentsNote {
            message: format!("{names} also {verb} this file, without `args`: there these entries judge nothing"),
            help: Some("`rules install claude-code --any-version` writes shell lines, which such an agent can run"),
        }
    } else {
        OtherAgentsNote { message: format!("{names} also {verb} this file"), help: None }
    })
}

/// A note about the other agents that read a settings file.
pub(super) struct OtherAgentsNote {
    pub(super) message: String,
    /// How to make the entries work for those agents, if they do not.
    pub(super) help: Option<&'static str>,
}

/// Returns the mistake in the words of a registered command line, from `hook` or the event on; `None` if they are
/// correct.
pub(super) fn mistake_in(words: &[String]) -> Option<String> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    match super::host_command_named(words.first()?)? {
        HostCommand::Hook => hook::mistake_in(&words),
        HostCommand::Event(event) => event::mistake_in(event, &words),
    }
}

/// Returns a path for display: relative to the current directory, or to the home directory (`~/…`), or absolute. The
/// two directories themselves are `.` and `~`.
pub(super) fn display_path(path: &Path) -> String {
    let here = std::env::current_dir().map(portable).ok();
    line(&path_from(path, here.as_deref(), account_home().as_deref()), usize::MAX)
}

/// Returns the text of a path: relative to `here` if it is in there, else relative to `home`, else absolute. The text
/// is never empty.
fn path_from(path: &Path, here: Option<&Path>, home: Option<&Path>) -> String {
    let named = |rest: &Path, lead: &str, if_empty: &str| match rest.as_os_str().is_empty() {
        true => if_empty.to_owned(),
        false => format!("{lead}{}", shown(&rest)),
    };
    let from_here = here.and_then(|here| path.strip_prefix(here).ok()).map(|rest| named(rest, "", "."));
    let from_home = || Some(named(path.strip_prefix(home?).ok()?, "~/", "~"));
    from_here.or_else(from_home).unwrap_or_else(|| shown(&path).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_a_name() {
        for (path, here, home, shown) in [
            ("/p", Some("/p"), None, "."),
            ("/p/", Some("/p"), None, "."),
            ("/p/a", Some("/p"), Some("/"), "a"),
            ("/h", Some("/p"), Some("/h"), "~"),
            ("/h/a", Some("/p"), Some("/h"), "~/a"),
            ("/h", Some("/h"), Some("/h"), "."),
            ("/", Some("/p"), Some("/h"), "/"),
            ("/x", None, None, "/x"),
        ] {
            assert_eq!(path_from(Path::new(path), here.map(Path::new), home.map(Path::new)), shown, "{path}");
        }
    }
}
