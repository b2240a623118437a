//! Replaces and creates files atomically: readers see the old text or the new one, never a part.
#![expect(clippy::disallowed_methods, reason = "a command writes files that its user names")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::escape::line;
use crate::files::reason;
use crate::platform::paths::{canonicalize, shown};
use crate::platform::rights::{create_directories, mode, set_mode, with_mode};
use crate::project::{self, MachinePlaces};

/// Replaces a file with the text `before`, or creates it if that is `None`, together with its directory. If `follow`
/// is set and the path is a link, the target of the link is replaced.
///
/// # Errors
/// The file no longer has the text `before`, is read-only, or the file system refuses.
pub(in crate::cli) fn replace(path: &Path, before: Option<&str>, after: &str, follow: bool) -> io::Result<()> {
    replace_with_mode(path, before, after, follow, 0o644)
}

/// Replaces a file like [`replace`]. A new file gets this mode.
///
/// # Errors
/// As [`replace`].
pub(in crate::cli) fn replace_with_mode(
    path: &Path,
    before: Option<&str>,
    after: &str,
    follow: bool,
    new_mode: u32,
) -> io::Result<()> {
    let target = match before {
        Some(_) if follow => canonicalize(path)?,
        _ => path.to_path_buf(),
    };
    let directory = target.parent().ok_or(io::ErrorKind::NotFound)?;
    create_directories(directory, 0o755)?;
    let present = match fs::read(&target) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if present.as_deref() != before.map(str::as_bytes) {
        return Err(io::Error::other("it was changed meanwhile; try again"));
    }
    if present.is_some() && fs::metadata(&target)?.permissions().readonly() {
        return Err(io::Error::other("it is read-only, which somebody meant"));
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // The text is first written to this file, which is then renamed.
    let temporary = directory.join(format!(".{name}.{}", std::process::id()));
    let mode = fs::metadata(&target).map_or(new_mode, |metadata| mode(&metadata));
    let written = (|| {
        let mut file = with_mode(OpenOptions::new().write(true).create_new(true), mode).open(&temporary)?;
        file.write_all(after.as_bytes())?;
        // The umask may have removed some permissions.
        set_mode(&file, mode)?;
        file.sync_all()?;
        fs::rename(&temporary, &target)
    })();
    if written.is_err() {
        let _gone = fs::remove_file(&temporary);
    }
    written
}

/// The projects whose files a command may change. A link that leads out of them is not followed.
pub(super) struct Roots(Vec<PathBuf>);

impl Roots {
    /// Returns the projects that contain the paths, or the project of the current directory if there are no paths.
    pub(super) fn from_paths(paths: &[PathBuf]) -> Self {
        let directories = match paths {
            [] => vec![PathBuf::from(".")],
            paths => paths.iter().map(|path| containing_directory(path)).collect(),
        };
        Self(directories.iter().filter_map(|directory| root_of(directory)).collect())
    }

    /// Replaces a file atomically if it is in one of the projects.
    ///
    /// # Errors
    /// The path is a link that leads out of the projects, or the file cannot be replaced.
    pub(super) fn replace(&self, path: &Path, before: &str, after: &str) -> Result<(), String> {
        let physical = canonicalize(path).map_err(|error| reason(&error))?;
        if !self.0.iter().any(|root| physical.starts_with(root)) {
            let target = line(&shown(&physical).to_string(), 200);
            return Err(format!("a link leads out of the project, to `{target}`"));
        }
        replace(&physical, Some(before), after, false).map_err(|error| reason(&error))
    }
}

/// Returns the path itself if it is a directory and not a link, otherwise its parent.
fn containing_directory(path: &Path) -> PathBuf {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    match path.is_dir() && !is_link {
        true => path.to_path_buf(),
        false => path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf(),
    }
}

/// Returns the root of the project to which policy discovery assigns a directory.
fn root_of(directory: &Path) -> Option<PathBuf> {
    let project = canonicalize(directory).ok()?;
    let discovery = project::discover(&MachinePlaces::on_this_machine(Some(project)));
    discovery.root().map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_file_keeps_its_mode_and_a_link_its_target() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("real.json"), directory.path().join("link.json"));
        fs::write(&file, "a").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, Some("a"), "b", true).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "b");
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a/b.json");
        replace(&file, None, "x", false).unwrap();
        assert!(replace(&file, Some("y"), "z", false).is_err());
        assert!(replace(&file, None, "z", false).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "x");
    }
}
