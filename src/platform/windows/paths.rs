//! Paths with slashes: `C:/work` for `C:\work`. The system takes both, and policies are written with slashes.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io;
use std::path::{Component, Path, PathBuf, Prefix};

/// Returns the name with these bytes, as `OsStr::as_encoded_bytes` returned them; `None` if they are not UTF-8. Such a
/// name exists only in theory: programs make names from texts.
#[must_use]
pub fn name_of_bytes(bytes: &[u8]) -> Option<&OsStr> {
    std::str::from_utf8(bytes).ok().map(OsStr::new)
}

/// Returns the path of what is at a path, with all links resolved, and with slashes.
///
/// # Errors
/// Nothing is there, or the system refuses.
#[expect(clippy::disallowed_methods, reason = "the callers look at the machine")]
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path).map(|path| with_slashes(&path))
}

/// Whether a normalised path is this directory or below it. Two separators have no single form in bytes.
#[must_use]
pub fn is_in_directory(directory: &Path, path: &Path) -> bool {
    path.starts_with(directory)
}

/// Returns a path in the notation of policies: with slashes.
#[must_use]
pub fn portable(path: PathBuf) -> PathBuf {
    with_slashes(&path)
}

/// Returns a path as messages name it, in the notation of policies.
pub fn shown<P: AsRef<Path> + ?Sized>(path: &P) -> impl Display {
    with_slashes(path.as_ref()).to_string_lossy().into_owned()
}

/// Returns the root of an absolute path, with its drive or server.
#[must_use]
pub fn root(path: &Path) -> PathBuf {
    let path = with_slashes(path);
    let is_root = |part: &Component<'_>| matches!(part, Component::Prefix(_) | Component::RootDir);
    with_slashes(&path.components().take_while(is_root).collect::<PathBuf>())
}

/// Returns a path with slashes, and without the beginning `\\?\` of a path on a drive or a server. Another path with
/// this beginning stays as it is: the system does not take slashes there.
#[must_use]
pub(super) fn with_slashes(path: &Path) -> PathBuf {
    let Some(text) = path.to_str() else { return path.to_path_buf() };
    let plain = match path.components().next() {
        Some(Component::Prefix(prefix)) => match prefix.kind() {
            Prefix::VerbatimDisk(_) => text.get(4..).unwrap_or(text).to_owned(),
            Prefix::VerbatimUNC(..) => format!(r"\\{}", text.get(8..).unwrap_or(text)),
            Prefix::Verbatim(_) | Prefix::DeviceNS(_) => return path.to_path_buf(),
            Prefix::UNC(..) | Prefix::Disk(_) => text.to_owned(),
        },
        _ => text.to_owned(),
    };
    PathBuf::from(plain.replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_slashes_and_no_verbatim_beginning() {
        for (path, expected) in [
            (r"\\?\C:\work\a", "C:/work/a"),
            (r"C:\work", "C:/work"),
            (r"\\?\UNC\server\share\a", "//server/share/a"),
            (r"\\server\share", "//server/share"),
            (r"\\?\Volume{1}\a", r"\\?\Volume{1}\a"),
            (r"a\b", "a/b"),
        ] {
            assert_eq!(with_slashes(Path::new(path)).to_str(), Some(expected), "{path}");
        }
    }

    #[test]
    fn a_root_has_its_drive() {
        for (path, expected) in [(r"C:\work\a", "C:/"), ("d:/", "d:/"), (r"\\server\share\a", "//server/share/")] {
            assert_eq!(root(Path::new(path)).to_str(), Some(expected), "{path}");
        }
    }
}
