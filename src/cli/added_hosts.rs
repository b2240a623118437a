//! The hosts that the records of the user and the administrator add, for the commands that people run.

use std::cell::LazyCell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::error::{ContextKind, ContextValue};

use super::registration;
use crate::added_hosts::AddedHosts;
use crate::hooks::places;
use crate::host_settings::SettingsScope;
use crate::project::MachinePlaces;

/// The directories in which this process has looked for records.
static PLACES: OnceLock<MachinePlaces> = OnceLock::new();

/// Adds the hosts to those of this process. `args` are the arguments of the program, which are not parsed yet.
pub(super) fn add_to_process(args: &[OsString]) {
    AddedHosts::read(PLACES.get_or_init(|| record_places(args))).add_to_process();
}

/// Reads the records again, in the directories of [`add_to_process`].
pub(super) fn read() -> AddedHosts {
    PLACES.get().map(AddedHosts::read).unwrap_or_default()
}

/// Returns a sentence about the record of the host that the parser has rejected, if there is a record; `None` for any
/// other error.
pub(super) fn unusable_host_in(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidValue) else { return None };
    let why = read().problem_of(name)?;
    Some(format!("rules: the host `{name}` cannot be used: {why}\n"))
}

/// Returns the directories in which records of hosts are looked for: those that the arguments name, or `--pass`
/// passes to a hook, else those of the hook in the user's own settings, else the default ones. The settings of a
/// project do not decide, because they could name a directory of the project.
fn record_places(args: &[OsString]) -> MachinePlaces {
    let of_registration = || {
        let settings = registration::settings(None);
        settings
            .into_iter()
            .filter(|file| file.scope == SettingsScope::User)
            .flat_map(|file| file.own_hooks())
            .collect()
    };
    let registered: LazyCell<Vec<_>, _> = LazyCell::new(of_registration);
    let directory = |name: &str| {
        let of_hook = || registered.iter().find_map(|(_, hook)| hook.option(name).map(PathBuf::from));
        directory_option(args, name).or_else(of_hook)
    };
    let [managed, user] = ["--managed-dir", "--config-dir"].map(directory);
    places(managed.as_deref(), user.as_deref(), None, None)
}

/// Returns the value of an option in arguments that are not parsed yet: `--config-dir DIR`, `--config-dir=DIR` or
/// `--pass=--config-dir=DIR`.
fn directory_option(args: &[OsString], name: &str) -> Option<PathBuf> {
    args.iter().enumerate().find_map(|(at, arg)| {
        let text = arg.to_str()?;
        let text = text.strip_prefix("--pass=").unwrap_or(text);
        match text.strip_prefix(name)? {
            "" => args.get(at + 1).map(PathBuf::from),
            rest => rest.strip_prefix('=').filter(|value| !value.is_empty()).map(PathBuf::from),
        }
    })
}
