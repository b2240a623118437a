//! Files below a directory that others may have prepared: no link is followed, no pipe is waited for.
//!
//! Every component is opened from the one above it, so that nothing can be put in between. It knows
//! nothing of what is written.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, openat, renameat};
use nix::sys::stat::{Mode, mkdirat};
use nix::unistd::{UnlinkatFlags, unlinkat};

/// An open directory.
#[derive(Debug)]
pub(super) struct Directory(OwnedFd);

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// Created where it lacks; every write goes to its end.
    Append,
    /// Must be there.
    Read,
    /// Must not be there.
    New,
}

impl Directory {
    /// Opens a directory by its path, links allowed: who names it is trusted.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        Ok(Self(openat(AT_FDCWD, path, flags, Mode::empty())?))
    }

    /// Opens the user's state directory; where it lacks it is made, for the user alone.
    pub(super) fn of_state(path: &Path) -> io::Result<Self> {
        match Self::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(0o700).create(path)?;
                Self::open(path)
            }
            opened => opened,
        }
    }

    /// Opens a directory in this one and makes it where it lacks. A link is refused.
    pub(super) fn enter(&self, name: &str) -> io::Result<Self> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        match openat(&self.0, name, flags, Mode::empty()) {
            Err(Errno::ENOENT) => match mkdirat(&self.0, name, Mode::S_IRWXU) {
                Ok(()) | Err(Errno::EEXIST) => Ok(Self(openat(&self.0, name, flags, Mode::empty())?)),
                Err(error) => Err(error.into()),
            },
            opened => Ok(Self(opened?)),
        }
    }

    /// Opens a regular file in this directory that has no other name. A link, a pipe or a device is refused.
    pub(super) fn file(&self, name: &str, access: Access) -> io::Result<File> {
        let own = match access {
            // To append, the end is looked at too.
            Access::Append => OFlag::O_RDWR | OFlag::O_APPEND | OFlag::O_CREAT,
            Access::Read => OFlag::O_RDONLY,
            Access::New => OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL,
        };
        let flags = own | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let file = File::from(openat(&self.0, name, flags, Mode::S_IRUSR | Mode::S_IWUSR)?);
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        // A second name would let a line of ours end up in any file of the user's.
        if metadata.nlink() > 1 {
            return Err(io::Error::other("it has another name (a hard link)"));
        }
        Ok(file)
    }

    /// Puts one file of this directory in the place of another.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// Removes a file of this directory.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, UnlinkatFlags::NoRemoveDir)?)
    }
}

/// Takes the lock of a file, or gives up after `patience`; it is let go when the file is closed.
#[expect(clippy::disallowed_methods, reason = "a lock is waited for by the clock")]
pub(super) fn lock(file: &File, patience: Duration) -> bool {
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
