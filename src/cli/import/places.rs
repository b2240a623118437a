//! The usual places of configurations, and the directory for the policy that is made from them.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::path::{Path, PathBuf};

use crate::files::reason;
use crate::import::ImportFormat;
use crate::platform::paths::{canonicalize, portable};
use crate::project::DIRECTORY;
use hookrules_shell::path::glob_matches;

/// The number of directories that are searched, starting with the current one and going upwards, as conclaude does.
const LEVELS: usize = 12;

/// Returns the files at the usual places of a format in the current directory, or in the nearest one above that has
/// any, relative to the current directory where possible. conclaude reads only the first.
///
/// # Errors
/// A text that names the places, if there is no file.
pub(super) fn usual_files(format: &ImportFormat) -> Result<Vec<PathBuf>, String> {
    let here = std::env::current_dir()
        .map(portable)
        .map_err(|error| format!("the current directory is unknown: {}", reason(&error)))?;
    for directory in here.ancestors().take(LEVELS) {
        let mut found: Vec<PathBuf> =
            format.places.iter().flat_map(|place| files_at(directory, Path::new(place))).collect();
        found.truncate(format.max_files);
        if !found.is_empty() {
            // Relative to the current directory, as a user would type them.
            let relative = |path: PathBuf| path.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(path);
            return Ok(found.into_iter().map(relative).collect());
        }
    }
    let places: Vec<String> = format.places.iter().map(|place| format!("`{place}`")).collect();
    Err(format!("no {} here or in a directory above; name the file", places.join(" or ")))
}

/// Returns the files at a place below a directory, in the order of their names.
fn files_at(directory: &Path, place: &Path) -> Vec<PathBuf> {
    let directory = place.parent().map_or(directory.to_path_buf(), |inner| directory.join(inner));
    let pattern = place.file_name().unwrap_or_default().to_string_lossy();
    if !pattern.contains('*') {
        return Some(directory.join(&*pattern)).filter(|path| path.is_file()).into_iter().collect();
    }
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let has_matching_name = |entry: &std::fs::DirEntry| glob_matches(&pattern, &entry.file_name().to_string_lossy());
    let mut found: Vec<PathBuf> =
        entries.filter(has_matching_name).map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    found.sort();
    found
}

/// Returns the `.rules` directory for the new policy: the one that contains the first file, or one next to the file or,
/// if the file is in a directory of its program such as `.claude`, next to that directory.
pub(super) fn policy_directory(format: &ImportFormat, files: &[PathBuf]) -> PathBuf {
    let parent = files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
    if let Some(policy) = parent.ancestors().map(or_current).find(|directory| is_policy_directory(directory)) {
        return policy.to_path_buf();
    }
    let directories = format.places.iter().filter_map(|place| Path::new(place).parent());
    let is_in = |inner: &&Path| !inner.as_os_str().is_empty() && parent.ends_with(inner);
    let depth = directories.filter(is_in).map(|inner| inner.iter().count()).max().unwrap_or(0);
    parent.ancestors().nth(depth).unwrap_or(Path::new("")).join(DIRECTORY)
}

/// Whether a directory is the `.rules` of a project: the current directory may be in it, so its name is that of the
/// canonical path.
fn is_policy_directory(directory: &Path) -> bool {
    canonicalize(directory).is_ok_and(|path| path.file_name().is_some_and(|name| name == DIRECTORY))
}

/// Returns a path for the new policy that is not that of a file it is made from: `codex.rules`, or `codex-imported.rules`.
pub(super) fn policy_path(format: &ImportFormat, files: &[PathBuf], directory: &Path) -> PathBuf {
    let usual = directory.join(format!("{}.rules", format.stem));
    let is_source = files.iter().any(|file| is_same_file(file, &usual));
    if is_source { directory.join(format!("{}-imported.rules", format.stem)) } else { usual }
}

/// Returns the files that are in the directory of a policy, which must be moved away once they are converted.
pub(super) fn files_in(files: &[PathBuf], directory: &Path) -> Vec<PathBuf> {
    let Ok(directory) = canonicalize(directory) else { return Vec::new() };
    let is_inside = |file: &&PathBuf| canonicalize(file).is_ok_and(|file| file.starts_with(&directory));
    files.iter().filter(is_inside).cloned().collect()
}

/// Returns a path, and `.` for the empty one.
fn or_current(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((canonicalize(one), canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
