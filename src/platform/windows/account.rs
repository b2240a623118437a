//! The directories of the account, as the system knows them.
//!
//! `USERPROFILE` and `LOCALAPPDATA` are ignored, as `HOME` is on Unix: the settings of a project can change the
//! environment of a hook.

use std::path::PathBuf;
use std::sync::OnceLock;

use known_folders::{KnownFolder, get_known_folder_path};

use super::paths::with_slashes;

/// Returns the home directory of the account that this process acts for; `None` if the system knows none.
#[must_use]
pub fn account_home() -> Option<PathBuf> {
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    HOME.get_or_init(|| known(KnownFolder::Profile)).clone()
}

/// Returns a directory that the system knows, with slashes.
pub(super) fn known(folder: KnownFolder) -> Option<PathBuf> {
    get_known_folder_path(folder).filter(|path| path.is_absolute()).map(|path| with_slashes(&path))
}
