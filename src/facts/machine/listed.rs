//! The names in a directory that are links.
#![expect(clippy::disallowed_methods, reason = "it looks at the machine")]

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::facts::Fact;

/// How many entries are looked at.
const ENTRIES: usize = 4_096;

/// Returns the names in a directory that are symbolic links; `None` where there is no such directory.
///
/// # Errors
/// There are more than [`ENTRIES`] entries, or they cannot be listed.
pub(super) fn links(directory: &Path) -> Fact<Vec<String>> {
    let failed = |error: std::io::Error| format!("{} cannot be listed: {error}", directory.display());
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for (number, entry) in entries.enumerate() {
        if number == ENTRIES {
            return Err(format!("more than {ENTRIES} files lie in {}", directory.display()));
        }
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_symlink() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(Some(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
