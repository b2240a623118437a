//! Limits the number of files in a directory with one file for each session. A session that is killed does not remove
//! its file, so files would accumulate.

use std::time::SystemTime;

use super::place::{AccessMode, OpenDirectory};

/// The number of files from which the oldest ones are removed.
pub(super) const MAX_FILES: usize = 64;

/// If there are at least [`MAX_FILES`] files, not counting the one named `kept`, removes the oldest ones until half of
/// [`MAX_FILES`] remain. A file that cannot be removed is skipped.
pub(super) fn sweep(directory: &OpenDirectory, kept: &str) {
    sweep_from(MAX_FILES, directory, kept);
}

/// Does what [`sweep`] does from `most` files on.
pub(super) fn sweep_from(most: usize, directory: &OpenDirectory, kept: &str) {
    let Ok(mut names) = directory.names() else { return };
    names.retain(|name| name != kept);
    if names.len() < most {
        return;
    }
    let age = |name: &String| {
        let file = directory.file(name, AccessMode::Read).and_then(|file| file.metadata());
        file.and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let mut aged: Vec<(SystemTime, String)> = names.into_iter().map(|name| (age(&name), name)).collect();
    aged.sort_unstable();
    for (_, name) in aged.iter().take(aged.len() - most / 2) {
        let _stays = directory.remove(name);
    }
}
