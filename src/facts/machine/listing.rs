//! What a directory holds.
#![expect(clippy::disallowed_methods, reason = "it looks at the machine")]

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::facts::{Entry, Fact};

/// How many entries of one directory are listed.
const ENTRY_LIMIT: usize = 20_000;

/// Returns what a directory holds; `None` where there is none. A link to one is none.
///
/// # Errors
/// There are more than [`ENTRY_LIMIT`] entries, or it cannot be listed.
pub(super) fn entries(directory: &Path) -> Fact<Vec<Entry>> {
    match fs::symlink_metadata(directory) {
        Ok(meta) if meta.is_dir() => {}
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(refused(directory, &error)),
        _ => return Ok(None),
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory).map_err(|error| refused(directory, &error))? {
        if entries.len() == ENTRY_LIMIT {
            return Err(format!("{} holds more than {ENTRY_LIMIT} files", directory.display()));
        }
        let entry = entry.map_err(|error| refused(directory, &error))?;
        let kind = entry.file_type().map_err(|error| refused(&entry.path(), &error))?;
        entries.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), is_directory: kind.is_dir() });
    }
    Ok(Some(entries))
}

fn refused(path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be listed: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_holds_hidden_files_and_links_are_no_directories() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a")).unwrap();
        fs::write(dir.path().join(".env"), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).unwrap();
        let mut found = entries(dir.path()).unwrap().unwrap();
        found.sort();
        let of = |name: &str, is_directory| Entry { name: name.to_owned(), is_directory };
        assert_eq!(found, [of(".env", false), of("a", true), of("loop", false)]);
        assert_eq!(entries(&dir.path().join("loop")), Ok(None));
        assert_eq!(entries(&dir.path().join(".env")), Ok(None));
        assert_eq!(entries(&dir.path().join("nowhere")), Ok(None));
    }
}
