//! Limits a directory with a file for each session: sessions that are killed never remove theirs.

use std::time::SystemTime;

use super::place::{AccessMode, OpenDirectory};

/// The most files that are kept.
pub(super) const MOST: usize = 64;

/// Removes the oldest files, keeping half of [`MOST`], if there are at least [`MOST`] besides one with this name. A
/// file that cannot be removed is kept.
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
