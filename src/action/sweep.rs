//! Limits the number of files in a directory that has one for each session: a session that is killed does not remove
//! its file.

use std::time::SystemTime;

use super::place::{AccessMode, OpenDirectory};

/// The number of files at which old ones are removed.
pub(super) const MOST: usize = 64;

/// Removes the oldest files, down to half of [`MOST`], if there are at least [`MOST`] files besides the one named
/// `but`. A file that cannot be removed is left.
pub(super) fn sweep(directory: &OpenDirectory, but: &str) {
    let Ok(mut names) = directory.names() else { return };
    names.retain(|name| !matches!(name.as_str(), "." | "..") && name != but);
    if names.len() < MOST {
        return;
    }
    let age = |name: &String| {
        let file = directory.file(name, AccessMode::Read).and_then(|file| file.metadata());
        file.and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let mut aged: Vec<(SystemTime, String)> = names.into_iter().map(|name| (age(&name), name)).collect();
    aged.sort_unstable();
    for (_, name) in aged.iter().take(aged.len() - MOST / 2) {
        let _stays = directory.remove(name);
    }
}
