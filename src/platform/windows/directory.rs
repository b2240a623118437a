//! Open directories, whose entries are reached by their paths.
//!
//! A handle that does not share deletion keeps its directory and those above it in place: Windows neither renames nor
//! removes a directory below which a file or directory is open that way. So the path of an open directory means the
//! same until it is closed, and nothing can be exchanged in between.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use winapi_util::file::{Information, information};

use super::errors::{link_refused, no_directory};
use super::file::unix_time;
use crate::platform::{AccessMode, EntryNumbers, LinkPolicy};

/// The flag that opens a directory (`FILE_FLAG_BACKUP_SEMANTICS`).
pub(super) const DIRECTORIES: u32 = 0x0200_0000;
/// The flag that opens a link instead of its target (`FILE_FLAG_OPEN_REPARSE_POINT`).
pub(super) const LINKS_THEMSELVES: u32 = 0x0020_0000;
/// Reading and writing are shared, deletion and renaming are not (`FILE_SHARE_READ | FILE_SHARE_WRITE`).
const SHARED: u32 = 1 | 2;

/// An open directory.
#[derive(Debug)]
pub struct DirectoryHandle {
    path: PathBuf,
    /// Keeps the directory in place.
    open: File,
}

impl DirectoryHandle {
    /// Opens a directory by its path.
    ///
    /// # Errors
    /// Fails if the system refuses, or for a link that is not to be followed.
    pub fn open(path: &Path, links: LinkPolicy) -> io::Result<Self> {
        let flags = match links {
            LinkPolicy::Follow => DIRECTORIES,
            LinkPolicy::Refuse => DIRECTORIES | LINKS_THEMSELVES,
        };
        let open = OpenOptions::new().read(true).custom_flags(flags).share_mode(SHARED).open(path)?;
        check_directory(open.metadata()?.file_type())?;
        Ok(Self { path: path.to_path_buf(), open })
    }

    /// Opens a subdirectory. A link is refused.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn open_inner(&self, name: &str) -> io::Result<Self> {
        Self::open(&self.path.join(name), LinkPolicy::Refuse)
    }

    /// Creates a subdirectory, which inherits its rights.
    ///
    /// # Errors
    /// Fails if the system refuses, also if the name is in use.
    pub fn create_inner(&self, name: &str, _mode: u32) -> io::Result<()> {
        fs::create_dir(self.path.join(name))
    }

    /// Opens a file of this directory. A link is refused.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn open_file(&self, name: &str, access: AccessMode, _mode: u32) -> io::Result<File> {
        let mut options = OpenOptions::new();
        match access {
            // Appending also reads the last byte, to find an unfinished line.
            AccessMode::Append => options.read(true).append(true).create(true),
            AccessMode::Update => options.read(true).write(true).create(true).truncate(false),
            AccessMode::Read => options.read(true),
            AccessMode::New => options.write(true).create_new(true),
        };
        let file = options.custom_flags(DIRECTORIES | LINKS_THEMSELVES).open(self.path.join(name))?;
        match file.metadata()?.file_type().is_symlink() {
            true => Err(link_refused()),
            false => Ok(file),
        }
    }

    /// Returns the metadata of the directory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.open.metadata()
    }

    /// Returns the size and the time of an entry.
    ///
    /// # Errors
    /// Fails if the system refuses.
    #[expect(clippy::disallowed_methods, reason = "the callers look at the machine")]
    pub fn entry(&self, name: &str) -> io::Result<EntryNumbers> {
        let metadata = fs::symlink_metadata(self.path.join(name))?;
        let size = i64::try_from(metadata.file_size()).unwrap_or(i64::MAX);
        Ok(EntryNumbers { modified: unix_time(metadata.last_write_time()), size })
    }

    /// Whether a name refers to an open file. A link to the file does not.
    ///
    /// # Errors
    /// Fails if the system refuses, and for a link.
    pub fn names_file(&self, name: &str, file: &File) -> io::Result<bool> {
        let named = match self.open_file(name, AccessMode::Read, 0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            named => named?,
        };
        let (named, open) = (information(named)?, information(file)?);
        let identity = |found: &Information| (found.volume_serial_number(), found.file_index());
        Ok(identity(&named) == identity(&open))
    }

    /// Returns the names of all entries, in no order. Names that are not UTF-8 are skipped.
    ///
    /// # Errors
    /// Fails if the system refuses.
    #[expect(clippy::disallowed_methods, reason = "the callers look at the machine")]
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    /// Renames a file of this directory. An existing file with the new name is replaced.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Removes a file of this directory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn remove_file(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    /// Removes an empty subdirectory.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn remove_directory(&self, name: &str) -> io::Result<()> {
        fs::remove_dir(self.path.join(name))
    }
}

/// Fails for anything but a directory. A junction counts as a link.
fn check_directory(kind: FileType) -> io::Result<()> {
    match kind {
        kind if kind.is_symlink() => Err(link_refused()),
        kind if kind.is_dir() => Ok(()),
        _ => Err(no_directory()),
    }
}
