//! Open directories, whose entries are reached relative to them, so that nothing can be exchanged in between.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{Mode, fstat, fstatat, mkdirat};
use nix::unistd::{UnlinkatFlags, unlinkat};

use crate::platform::{AccessMode, EntryNumbers, LinkPolicy};

/// An open directory.
#[derive(Debug)]
pub struct DirectoryHandle(File);

/// The flags with which every directory is opened.
const DIRECTORY: OFlag = OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_CLOEXEC);

impl DirectoryHandle {
    /// Opens a directory by its path.
    ///
    /// # Errors
    /// Fails if the system refuses, or for a link that is not to be followed.
    pub fn open(path: &Path, links: LinkPolicy) -> io::Result<Self> {
        let flags = match links {
            LinkPolicy::Follow => DIRECTORY,
            LinkPolicy::Refuse => DIRECTORY | OFlag::O_NOFOLLOW,
        };
        Ok(Self(openat(AT_FDCWD, path, flags, Mode::empty())?.into()))
    }

    /// Opens a subdirectory. A link is refused.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn open_inner(&self, name: &str) -> io::Result<Self> {
        Ok(Self(openat(&self.0, name, DIRECTORY | OFlag::O_NOFOLLOW, Mode::empty())?.into()))
    }

    /// Creates a subdirectory with these permissions, less those that the umask removes.
    ///
    /// # Errors
    /// Fails if the system refuses, also if the name is in use.
    pub fn create_inner(&self, name: &str, mode: u32) -> io::Result<()> {
        Ok(mkdirat(&self.0, name, permissions(mode))?)
    }

    /// Opens a file of this directory, without waiting for a pipe. A link is refused. `mode` has the permissions of a
    /// file that is created.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn open_file(&self, name: &str, access: AccessMode, mode: u32) -> io::Result<File> {
        let access_flags = match access {
            // Appending also reads the last byte, to find an unfinished line.
            AccessMode::Append => OFlag::O_RDWR | OFlag::O_APPEND | OFlag::O_CREAT,
            AccessMode::Update => OFlag::O_RDWR | OFlag::O_CREAT,
            AccessMode::Read => OFlag::O_RDONLY,
            AccessMode::New => OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL,
        };
        let flags = access_flags | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        Ok(openat(&self.0, name, flags, permissions(mode))?.into())
    }

    /// Returns the metadata of the directory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.0.metadata()
    }

    /// Returns the size and the time of an entry.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn entry(&self, name: &str) -> io::Result<EntryNumbers> {
        let stat = fstatat(&self.0, name, AtFlags::AT_SYMLINK_NOFOLLOW)?;
        Ok(EntryNumbers { modified: (stat.st_mtime, stat.st_mtime_nsec), size: stat.st_size })
    }

    /// Whether a name refers to an open file. A link to the file does not.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn names_file(&self, name: &str, file: &File) -> io::Result<bool> {
        let named = match fstatat(&self.0, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Err(Errno::ENOENT) => return Ok(false),
            named => named?,
        };
        let open = fstat(file)?;
        Ok((named.st_dev, named.st_ino) == (open.st_dev, open.st_ino))
    }

    /// Returns the names of all entries but `.` and `..`, in no order. Names that are not UTF-8 are skipped.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::openat(&self.0, ".", DIRECTORY, Mode::empty())?.iter() {
            let entry = entry?;
            let name = entry.file_name().to_str().ok().filter(|name| !matches!(*name, "." | ".."));
            names.extend(name.map(str::to_owned));
        }
        Ok(names)
    }

    /// Renames a file of this directory. An existing file with the new name is replaced.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// Removes a file of this directory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn remove_file(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, UnlinkatFlags::NoRemoveDir)?)
    }

    /// Removes an empty subdirectory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn remove_directory(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, UnlinkatFlags::RemoveDir)?)
    }
}

/// Converts permissions; their type has another width on macOS.
fn permissions(mode: u32) -> Mode {
    Mode::from_bits_truncate(mode as nix::libc::mode_t)
}
