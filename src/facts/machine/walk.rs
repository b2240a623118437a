//! The files below a directory, by a bounded walk that follows no link.
#![expect(clippy::disallowed_methods, reason = "it looks at the machine")]

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use crate::facts::Fact;

/// How many entries a walk looks at before it gives up.
const ENTRY_LIMIT: usize = 20_000;

/// Returns the files below a directory, nearest first; `None` where there is no such directory.
///
/// # Errors
/// There are more than [`ENTRY_LIMIT`] entries, or a directory cannot be listed.
pub(super) fn files_below(directory: &Path) -> Fact<Vec<PathBuf>> {
    match fs::symlink_metadata(directory) {
        Ok(meta) if meta.is_dir() => {}
        _ => return Ok(None),
    }
    let (mut files, mut seen) = (Vec::new(), 0);
    let mut queue = VecDeque::from([directory.to_owned()]);
    while let Some(current) = queue.pop_front() {
        let entries = fs::read_dir(&current).map_err(|error| format!("{}: {error}", current.display()))?;
        for entry in entries {
            seen += 1;
            if seen > ENTRY_LIMIT {
                return Err(format!("more than {ENTRY_LIMIT} files lie below {}", directory.display()));
            }
            let entry = entry.map_err(|error| format!("{}: {error}", current.display()))?;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => queue.push_back(entry.path()),
                Ok(_) => files.push(entry.path()),
                Err(error) => return Err(format!("{}: {error}", entry.path().display())),
            }
        }
    }
    Ok(Some(files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_finds_hidden_files_and_follows_no_link() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/.b")).unwrap();
        fs::write(dir.path().join("a/.b/.env"), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("a/loop")).unwrap();
        let mut files = files_below(dir.path()).unwrap().unwrap();
        files.sort();
        assert_eq!(files, [dir.path().join("a/.b/.env"), dir.path().join("a/loop")]);
    }

    #[test]
    fn a_file_has_nothing_below() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(files_below(file.path()), Ok(None));
    }
}
