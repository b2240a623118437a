//! Directories that have the same purpose on every machine.

use std::path::{Path, PathBuf};

use known_folders::KnownFolder;

use super::account::known;
use super::paths::with_slashes;

/// The directories with zone files: there are none, so that a zone other than UTC is unknown here.
pub const ZONES: &[&str] = &[];

/// The directories below which the one that `TEMP` names may be: none, since the system tells the account's own.
pub const AROUND_OWN_TEMPORARY: &[&str] = &[];

/// The variable that names the account's own directory for temporary files.
pub const TEMPORARY_VARIABLE: &str = "TEMP";

/// The variable in which programs look for the home directory.
pub const HOME_VARIABLE: &str = "USERPROFILE";

/// Returns the directory of the administrator's policy. It is not in `ProgramData`, where every account can create
/// directories.
#[must_use]
pub fn managed() -> PathBuf {
    with_slashes(&programs().join("rules"))
}

/// Returns the directories of Claude Code's settings that an organisation manages, as its documentation names them.
#[must_use]
pub fn managed_claude_code() -> Vec<PathBuf> {
    vec![with_slashes(&programs().join("ClaudeCode"))]
}

/// Returns the directory of programs, which only administrators can change.
fn programs() -> PathBuf {
    known(KnownFolder::ProgramFiles).unwrap_or_else(|| PathBuf::from("C:/Program Files"))
}

/// Returns the directory of an account's data on this machine.
fn local_data(home: &Path) -> PathBuf {
    known(KnownFolder::LocalAppData).unwrap_or_else(|| home.join("AppData/Local"))
}

/// Returns the directory of an account's state.
#[must_use]
pub fn state(home: &Path) -> PathBuf {
    with_slashes(&local_data(home).join("rules/state"))
}

/// Returns the directory of an account's cache.
#[must_use]
pub fn cache(home: &Path) -> PathBuf {
    with_slashes(&local_data(home).join("rules/cache"))
}

/// Returns the account's directory for temporary files.
#[must_use]
pub fn temporary() -> Vec<PathBuf> {
    known(KnownFolder::LocalAppData).map(|data| with_slashes(&data.join("Temp"))).into_iter().collect()
}
