//! Opens files in a directory with which other processes may have tampered: links are not followed, and pipes are not
//! waited for.
//!
//! Each component of a path is opened relative to the directory that contains it, so that nothing can be exchanged in
//! between. This module does not know what the files contain.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::platform::paths::shown;
use crate::platform::rights::{Owner, create_directories, is_private, is_world_writable};
use crate::platform::{DirectoryHandle, LinkPolicy, file};

pub use crate::platform::AccessMode;

/// The maximum number of attempts to open a file that is renamed or removed while its lock is waited for.
const MAX_OPENINGS: u8 = 16;

/// An open directory; all access to its files goes through it.
#[derive(Debug)]
pub struct OpenDirectory(DirectoryHandle);

impl OpenDirectory {
    /// Opens a directory by its path, and follows links, since the path comes from a trusted source.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn open(path: &Path) -> io::Result<Self> {
        DirectoryHandle::open(path, LinkPolicy::Follow).map(Self)
    }

    /// Opens the user's state directory, if it exists. It is refused if another account owns it, or if it is
    /// world-writable.
    ///
    /// # Errors
    /// Fails if the directory cannot be opened, or is refused.
    pub fn open_existing_state(path: &Path) -> io::Result<Self> {
        Self::open(path)?.check_private(path)
    }

    /// Returns the directory, or its [`Self::problem`] as an error.
    fn check_private(self, path: &Path) -> io::Result<Self> {
        match self.problem(path)? {
            None => Ok(self),
            Some(problem) => Err(io::Error::other(problem)),
        }
    }

    /// Opens the user's state directory, or creates it for the user alone. It is refused if another account owns it,
    /// or if it is world-writable.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn open_or_create_state(path: &Path) -> io::Result<Self> {
        let opened = match Self::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_directories(path, 0o700)?;
                Self::open(path)
            }
            opened => opened,
        }?;
        opened.check_private(path)
    }

    /// Returns a sentence with a problem and its remedy, if another account than this one and root owns the
    /// directory, or if it is world-writable.
    fn problem(&self, path: &Path) -> io::Result<Option<String>> {
        let metadata = self.0.metadata()?;
        if Owner::of(&metadata).is_foreign() {
            return Ok(Some("it is owned by another user; choose another one with `--state-dir`".to_owned()));
        }
        Ok(is_world_writable(&metadata).then(|| format!("it is world-writable; run `chmod o-w {}`", shown(&path))))
    }

    /// Opens a subdirectory, and creates it if it is missing. A link is refused.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn open_or_create(&self, name: &str) -> io::Result<Self> {
        match self.0.open_inner(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match self.0.create_inner(name, 0o700) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => self.open_inner(name),
            },
            opened => opened.map(Self),
        }
    }

    /// Opens an existing subdirectory. A link is refused.
    ///
    /// # Errors
    /// Fails if the directory cannot be opened.
    pub fn open_inner(&self, name: &str) -> io::Result<Self> {
        self.0.open_inner(name).map(Self)
    }

    /// Opens a subdirectory that only this account and root can write to. Any other is refused.
    ///
    /// # Errors
    /// Fails if it does not exist, or if other accounts can write to it.
    pub fn private(&self, name: &str) -> io::Result<Self> {
        let inner = self.open_inner(name)?;
        refuse_unless_private(&inner.0.metadata()?)?;
        Ok(inner)
    }

    /// Opens a file for reading, as [`Self::file`] does. It is refused if accounts other than this one and root can
    /// write to it.
    ///
    /// # Errors
    /// Fails if it does not exist, or if other accounts can write to it.
    pub fn private_file(&self, name: &str) -> io::Result<File> {
        let file = self.file(name, AccessMode::Read)?;
        refuse_unless_private(&file.metadata()?)?;
        Ok(file)
    }

    /// Opens a regular file in this directory. A link, a pipe, a device or a file with several names (hard links) is
    /// refused.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn file(&self, name: &str, access: AccessMode) -> io::Result<File> {
        let file = self.0.open_file(name, access, 0o600)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        // With a second name, the file could be any file of the user, and would be overwritten.
        if file::has_other_names(&file, &metadata)? {
            return Err(io::Error::other("it has another name (a hard link)"));
        }
        Ok(file)
    }

    /// Opens a file as [`Self::file`] does, and takes its lock. `None` if the lock was not free within `patience`, or
    /// if the file was replaced again and again.
    ///
    /// When this returns, the name still refers to the file. A file that was removed or renamed meanwhile is opened
    /// again, because nobody would read what is written to it.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn locked(&self, name: &str, access: AccessMode, patience: Duration) -> io::Result<Option<File>> {
        self.lock_file_with(name, access, |file| lock_within(file, patience))
    }

    /// Does what [`Self::locked`] does. `take` tries to take the lock of a file, and returns whether it succeeded.
    fn lock_file_with(
        &self,
        name: &str,
        access: AccessMode,
        mut take: impl FnMut(&File) -> bool,
    ) -> io::Result<Option<File>> {
        for _ in 0..MAX_OPENINGS {
            let file = self.file(name, access)?;
            if !take(&file) {
                return Ok(None);
            }
            if self.0.names_file(name, &file)? {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// Returns the names of all entries of this directory but `.` and `..`, sorted. Names that are not UTF-8 are
    /// skipped.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = self.0.names()?;
        names.sort_unstable();
        Ok(names)
    }

    /// Renames a file of this directory. An existing file with the new name is replaced.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(from, to)
    }

    /// Replaces a file of this directory by one with these contents. Only the process that has locked the file may do
    /// so.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn replace(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        let next = format!("{name}.next");
        // Only the process with the lock uses this name, so an existing file was left by a process that was killed.
        let _absent = self.remove(&next);
        self.file(&next, AccessMode::New)?.write_all(contents)?;
        self.rename(&next, name)
    }

    /// Opens a subdirectory; `None` if it does not exist. A link is refused.
    pub fn open_if_exists(&self, name: &str) -> io::Result<Option<Self>> {
        match self.0.open_inner(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Self).map(Some),
        }
    }

    /// Removes an empty subdirectory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn remove_directory(&self, name: &str) -> io::Result<()> {
        self.0.remove_directory(name)
    }

    /// Removes a file of this directory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove_file(name)
    }
}

/// Returns why an existing state directory is not used; `None` if it is used, or cannot be opened.
#[must_use]
pub fn state_problem(path: &Path) -> Option<String> {
    OpenDirectory::open(path).ok().and_then(|directory| directory.problem(path).ok().flatten())
}

/// Refuses a file to which accounts other than this one and root can write.
///
/// # Errors
/// Fails if they can.
pub fn refuse_unless_private(metadata: &std::fs::Metadata) -> io::Result<()> {
    let refused = || io::Error::other("others than this account can write to it");
    is_private(metadata).then_some(()).ok_or_else(refused)
}

/// Takes the lock of a file, and returns whether it was free within `patience`. Closing the file releases the lock.
#[expect(clippy::disallowed_methods, reason = "a lock is waited for by the clock")]
pub fn lock_within(file: &File, patience: Duration) -> bool {
    let until = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return true,
            Err(std::fs::TryLockError::Error(error)) if error.kind() != io::ErrorKind::Interrupted => return false,
            Err(_) if Instant::now() >= until => return false,
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Whether the last line of a file has no newline, because its writer was stopped, or the disk was full.
pub fn is_torn(file: &mut File) -> bool {
    let mut last = [b'\n'];
    file.seek(SeekFrom::End(-1)).is_ok() && file.read_exact(&mut last).is_ok() && last != *b"\n"
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests look at files")]

    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_that_is_put_aside_while_its_lock_is_waited_for_is_opened_anew() {
        let place = tempfile::tempdir().unwrap();
        let directory = OpenDirectory::open(place.path()).unwrap();
        let asides: [fn(&OpenDirectory); 2] =
            [|directory| directory.remove("a").unwrap(), |directory| directory.rename("a", "b").unwrap()];
        for aside in asides {
            let mut waits = 0;
            let file = directory.lock_file_with("a", AccessMode::Append, |_| {
                waits += 1;
                if waits == 1 {
                    aside(&directory);
                }
                true
            });
            file.unwrap().unwrap().write_all(b"x").unwrap();
            assert_eq!((waits, std::fs::read(place.path().join("a")).unwrap()), (2, b"x".to_vec()));
            directory.remove("a").unwrap();
        }
        assert_eq!(std::fs::read(place.path().join("b")).unwrap(), b"");
    }

    #[test]
    fn a_file_that_is_put_aside_again_and_again_is_given_up() {
        let place = tempfile::tempdir().unwrap();
        let directory = OpenDirectory::open(place.path()).unwrap();
        let file = directory.lock_file_with("a", AccessMode::Append, |_| directory.remove("a").is_ok());
        assert!(file.unwrap().is_none());
    }

    #[test]
    fn names_are_sorted_and_without_what_every_directory_holds() {
        let place = tempfile::tempdir().unwrap();
        for name in ["b", ".c", "a"] {
            std::fs::write(place.path().join(name), "").unwrap();
        }
        let names = OpenDirectory::open(place.path()).unwrap().names().unwrap();
        assert_eq!(names, [".c", "a", "b"]);
    }
}
