//! Limits a directory with a file for each session: sessions that were killed leave theirs behind.

use std::time::SystemTime;

use super::place::{Access, Directory};

/// The most files that stay.
pub(super) const MOST: usize = 64;

/// Removes the oldest half where there are more than [`MOST`], all but one of a name. What cannot be removed stays.
pub(super) fn sweep(directory: &Directory, but: &str) {
    let Ok(mut names) = directory.names() else { return };
    names.retain(|name| !matches!(name.as_str(), "." | "..") && name != but);
    if names.len() < MOST {
        return;
    }
    let age = |name: &String| {
        let file = directory.file(name, Access::Read).and_then(|file| file.metadata());
        file.and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let mut aged: Vec<(SystemTime, String)> = names.into_iter().map(|name| (age(&name), name)).collect();
    aged.sort_unstable();
    for (_, name) in aged.iter().take(aged.len() - MOST / 2) {
        let _stays = directory.remove(name);
    }
}
