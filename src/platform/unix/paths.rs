//! Paths as the system writes them.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Returns the name with these bytes, as `OsStr::as_encoded_bytes` returned them; `None` if no name can have them.
#[must_use]
pub fn name_of_bytes(bytes: &[u8]) -> Option<&OsStr> {
    Some(OsStr::from_bytes(bytes))
}

/// Returns the path of what is at a path, with all links resolved.
///
/// # Errors
/// Nothing is there, or the system refuses.
#[expect(clippy::disallowed_methods, reason = "the callers look at the machine")]
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// Whether a normalised path is this directory or below it, compared as bytes, which is faster than name by name.
#[must_use]
pub fn is_in_directory(directory: &Path, path: &Path) -> bool {
    let (directory, path) = (directory.as_os_str().as_encoded_bytes(), path.as_os_str().as_encoded_bytes());
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || directory.ends_with(b"/"))
}

/// Returns a path in the notation of policies, which is that of the system.
#[must_use]
pub fn portable(path: PathBuf) -> PathBuf {
    path
}

/// Returns a path as messages name it, in the notation of policies.
pub fn shown<P: AsRef<Path> + ?Sized>(path: &P) -> impl Display {
    path.as_ref().display()
}

/// Returns the root of an absolute path.
#[must_use]
pub fn root(_path: &Path) -> PathBuf {
    PathBuf::from("/")
}
