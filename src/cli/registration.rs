//! The registration of the hook around the current directory, for the commands that need it.
#![expect(clippy::disallowed_methods, reason = "a command is about this machine and the current directory")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{HostCommand, event, hook};
use crate::escape::line;
use crate::facts::account_home;
use crate::hooks::settings_of_environment;
use crate::host_settings::{
    EventRegistrations, Handler, RegisteredHook, RegistrationReview, SettingsFile, SettingsPlaces, SettingsScope,
    StartForm, other_agents,
};
use crate::project::is_there;
use crate::schema::{Event, HostVersion};

/// Returns the existing settings files of the host.
pub(super) fn settings(user: Option<&Path>) -> Vec<SettingsFile> {
    places(user).read()
}

/// Returns the places of the host's settings, for the current directory and the user.
pub(super) fn places(user: Option<&Path>) -> SettingsPlaces {
    SettingsPlaces::new(user.map(Path::to_path_buf).or_else(settings_of_environment), std::env::current_dir().ok())
}

/// A registration of the hook that judges calls here.
pub(super) struct NearestRegistration {
    pub(super) file: PathBuf,
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) registered: hook::RegistrationArgs,
}

/// Returns the registration that is nearest to the project: the local one, the project's, the user's.
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

/// Returns a review of settings, as the hook itself would parse its arguments, and this version of the host the files.
pub(super) fn review<'r>(
    settings: &'r [SettingsFile],
    events: &'r EventRegistrations,
    version: Option<HostVersion>,
) -> RegistrationReview<'r> {
    RegistrationReview { settings, events, arguments: &mistake_in, exists: &is_there, version }
}

/// Returns a note on the other agents that read the settings of a scope, and on the effect of its entries for them.
pub(super) fn other_agents_note(scope: SettingsScope, own: &[(Handler, RegisteredHook)]) -> Option<OtherAgentsNote> {
    let names: Vec<&str> = other_agents(scope).collect();
    let (last, others) = names.split_last()?;
    let names = if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
    let verb = if others.is_empty() { "reads" } else { "read" };
    let has_args = own.iter().any(|(_, registered)| registered.form == StartForm::Exec);
    Some(if has_args {
        OtherAgentsNote {
            message: format!("{names} also {verb} this file, without `args`: there these entries judge nothing"),
            help: Some("`rules install claude-code --any-version` writes shell lines, which such an agent can run"),
        }
    } else {
        OtherAgentsNote { message: format!("{names} also {verb} this file"), help: None }
    })
}

/// A note on what other agents do with a settings file.
pub(super) struct OtherAgentsNote {
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

/// Returns the mistake in the words of a registration, as the commands that hosts call parse them.
fn mistake_in(words: &[String]) -> Option<String> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    match super::host_command_named(words.first()?)? {
        HostCommand::Hook => hook::mistake_in(&words),
        HostCommand::Event(event) => event::mistake_in(event, &words),
    }
}

/// Returns a path for display: relative to the current directory, else to the home directory.
pub(super) fn display_path(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let from_here = here.and_then(|here| path.strip_prefix(here).ok().map(|rest| rest.display().to_string()));
    let from_home = || {
        let home = account_home()?;
        path.strip_prefix(home).ok().map(|rest| format!("~/{}", rest.display()))
    };
    line(&from_here.or_else(from_home).unwrap_or_else(|| path.display().to_string()), usize::MAX)
}
