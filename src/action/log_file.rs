//! Files in the log directory of a project, which is in the user's state directory: they are private, and rotated.
//!
//! Nothing here depends on the contents of the files.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::place::{AccessMode, OpenDirectory, is_torn, lock_within};
use crate::decision_log::{LARGEST, directory_name};
use crate::record_place::LOG;

/// Returns the path of a file in a project's log; the rotated files have `.1` and `.2` after the name.
#[cfg(test)]
pub(super) fn path(state_dir: &Path, project: Option<&Path>, name: &str) -> std::path::PathBuf {
    state_dir.join(LOG).join(directory_name(project)).join(name)
}

/// Opens the directory of a project's log.
pub(super) fn directory(state_dir: &Path, project: Option<&Path>) -> io::Result<OpenDirectory> {
    OpenDirectory::open_or_create_state(state_dir)?.open_or_create(LOG)?.open_or_create(&directory_name(project))
}

/// Appends a line, with its newline, to a file of a project's log. Does not wait for other processes.
pub(super) fn append(state_dir: &Path, project: Option<&Path>, name: &str, line: &[u8]) -> io::Result<()> {
    let directory = directory(state_dir, project)?;
    let mut file = directory.file(name, AccessMode::Append)?;
    if file.metadata()?.len() > LARGEST {
        rotate(&directory, name)?;
        file = directory.file(name, AccessMode::Append)?;
    }
    // Without the newline, an unfinished line of another writer and this one would become one line.
    if is_torn(&mut file) { file.write_all(&[b"\n", line].concat()) } else { file.write_all(line) }
}

/// Renames a file to `NAME.1`, and an existing `NAME.1` to `NAME.2`. Does nothing if another process is doing so.
fn rotate(directory: &OpenDirectory, name: &str) -> io::Result<()> {
    let guard = directory.file(".lock", AccessMode::Append)?;
    // The process that holds the lock is rotating the file.
    if !lock_within(&guard, Duration::ZERO) {
        return Ok(());
    }
    // Another process may have rotated the file after its size was checked.
    if directory.file(name, AccessMode::Append)?.metadata()?.len() <= LARGEST {
        return Ok(());
    }
    let _ = directory.rename(&format!("{name}.1"), &format!("{name}.2"));
    directory.rename(name, &format!("{name}.1"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests look at files")]

    #[cfg(unix)]
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::*;

    const PROJECT: &str = "/work/my app";

    fn append_to(state: &Path, name: &str, line: &str) -> io::Result<()> {
        append(state, Some(Path::new(PROJECT)), name, line.as_bytes())
    }

    fn path_in(state: &Path, name: &str) -> PathBuf {
        path(state, Some(Path::new(PROJECT)), name)
    }

    #[test]
    #[cfg(unix)]
    fn the_first_line_of_a_machine_makes_a_private_file() {
        let state = tempfile::tempdir().unwrap();
        let state = state.path().join("not/yet");
        append_to(&state, "a.log", "one\n").unwrap();
        append_to(&state, "a.log", "two\n").unwrap();
        let path = path_in(&state, "a.log");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_large_file_is_put_aside_and_the_oldest_goes() {
        let state = tempfile::tempdir().unwrap();
        let path = path_in(state.path(), "a.log");
        let aside = |number: u8| path.with_file_name(format!("a.log.{number}"));
        append_to(state.path(), "a.log", "first\n").unwrap();
        append_to(state.path(), "b.log", "stays\n").unwrap();
        for round in 0..3 {
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_len(LARGEST + 1 + round).unwrap();
            append_to(state.path(), "a.log", "next\n").unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "next\n");
        assert_eq!(std::fs::metadata(aside(1)).unwrap().len(), LARGEST + 3);
        assert_eq!(std::fs::metadata(aside(2)).unwrap().len(), LARGEST + 2);
        assert!(!aside(3).exists());
        assert_eq!(std::fs::read_to_string(path.with_file_name("b.log")).unwrap(), "stays\n");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_way_is_refused() {
        let state = tempfile::tempdir().unwrap();
        let path = path_in(state.path(), "a.log");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let target = state.path().join("bashrc");
        std::fs::write(&target, "kept").unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert!(append_to(state.path(), "a.log", "line\n").is_err());
        std::fs::remove_file(&path).unwrap();
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(append_to(state.path(), "a.log", "line\n").is_err());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
    }
}
