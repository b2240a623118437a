//! Lists the entries of directories.
#![expect(clippy::disallowed_methods, reason = "it looks at the machine")]

use std::fs::{self, FileType};
use std::io::ErrorKind;
use std::path::Path;

use crate::facts::{DirectoryEntry, Fact};
use crate::files::reason;
use crate::platform::paths::shown;

/// The maximum number of entries of a directory that is listed.
const ENTRY_LIMIT: usize = 20_000;

/// The maximum number of entries of a directory that is searched for links, which every call may require.
const LINK_LIMIT: usize = 4_096;

/// Returns the entries of a directory; `None` if there is no directory, or only a link to one.
///
/// # Errors
/// There are more than [`ENTRY_LIMIT`] entries, or the directory cannot be listed.
pub(super) fn entries(directory: &Path) -> Fact<Vec<DirectoryEntry>> {
    match fs::symlink_metadata(directory) {
        Ok(meta) if meta.is_dir() => {}
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(cannot_list(directory, &error)),
        _ => return Ok(None),
    }
    list(directory, ENTRY_LIMIT, |name, kind| Some(DirectoryEntry { name, is_directory: kind.is_dir() }))
}

/// Returns the names of the symbolic links in a directory; `None` if there is no directory.
///
/// # Errors
/// There are more than [`LINK_LIMIT`] entries, or the directory cannot be listed.
pub(super) fn links(directory: &Path) -> Fact<Vec<String>> {
    list(directory, LINK_LIMIT, |name, kind| kind.is_symlink().then_some(name))
}

/// Returns what `pick` returns for the entries of a directory; `None` if there is no directory.
fn list<T>(directory: &Path, limit: usize, pick: impl Fn(String, FileType) -> Option<T>) -> Fact<Vec<T>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(cannot_list(directory, &error)),
    };
    let mut picked = Vec::new();
    for (number, entry) in entries.enumerate() {
        if number == limit {
            return Err(format!("{} has more than {limit} files", shown(&directory)));
        }
        let entry = entry.map_err(|error| cannot_list(directory, &error))?;
        let kind = entry.file_type().map_err(|error| cannot_list(&entry.path(), &error))?;
        picked.extend(pick(entry.file_name().to_string_lossy().into_owned(), kind));
    }
    Ok(Some(picked))
}

/// Returns the message that a directory cannot be listed.
fn cannot_list(path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be listed: {}", shown(&path), reason(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_directory_holds_hidden_files_and_links_are_no_directories() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a")).unwrap();
        fs::write(dir.path().join(".env"), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).unwrap();
        let mut found = entries(dir.path()).unwrap().unwrap();
        found.sort();
        let of = |name: &str, is_directory| DirectoryEntry { name: name.to_owned(), is_directory };
        assert_eq!(found, [of(".env", false), of("a", true), of("loop", false)]);
        assert_eq!(entries(&dir.path().join("loop")), Ok(None));
        assert_eq!(entries(&dir.path().join(".env")), Ok(None));
        assert_eq!(entries(&dir.path().join("nowhere")), Ok(None));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_told_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("directory")).unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("dangling")).unwrap();
        let mut names = links(dir.path()).unwrap().unwrap();
        names.sort();
        assert_eq!(names, ["dangling", "link"]);
        assert_eq!(links(&dir.path().join("file")), Ok(None));
        assert_eq!(links(&dir.path().join("absent")), Ok(None));
    }
}
