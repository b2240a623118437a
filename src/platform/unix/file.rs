//! Opening files, their identity and times, and reads and writes at an offset.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::OFlag;

use crate::platform::{FileNumbers, LinkPolicy, OpenFailure};

/// Whether the times of a file show every change: there is a change time, which no program can set.
pub const HAS_CHANGE_TIMES: bool = true;

/// Opens a regular file for reading, without waiting for a pipe.
///
/// # Errors
/// See [`OpenFailure`].
pub fn open_regular(path: &Path, links: LinkPolicy) -> Result<(File, Metadata), OpenFailure> {
    let follow = match links {
        LinkPolicy::Follow => OFlag::empty(),
        LinkPolicy::Refuse => OFlag::O_NOFOLLOW,
    };
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC | follow;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path);
    let file = opened.map_err(|error| match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::ENOENT | Errno::ENOTDIR) => OpenFailure::NotFound,
        Some(Errno::ELOOP) if links == LinkPolicy::Refuse => OpenFailure::Link,
        // This is the error when a socket is opened.
        Some(Errno::ENXIO) => OpenFailure::NotRegular,
        _ => OpenFailure::Io(error),
    })?;
    let metadata = file.metadata().map_err(OpenFailure::Io)?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(OpenFailure::NotRegular) }
}

/// Opens a file that only this account can read, for writing at its end, and creates it if it is missing. A link is
/// refused, and a pipe is not waited for.
///
/// # Errors
/// Fails if the system refuses.
pub fn append_private(path: &Path) -> io::Result<File> {
    let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
    File::options().append(true).create(true).mode(0o600).custom_flags(flags).open(path)
}

/// Reads a whole buffer from an offset of a file.
///
/// # Errors
/// The file ends before, or cannot be read.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Reads from an offset of a file, and returns how many bytes.
///
/// # Errors
/// Fails if the system refuses.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Writes bytes at an offset of a file.
///
/// # Errors
/// Fails if the system refuses.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// Whether an open file has several names (hard links).
///
/// # Errors
/// Never; on other systems, if the system refuses.
pub fn has_other_names(_file: &File, metadata: &Metadata) -> io::Result<bool> {
    Ok(metadata.nlink() > 1)
}

/// Returns a text that identifies a file independently of its name. If an inode number is reused, the modification time
/// differs.
///
/// # Errors
/// Never; on other systems, if the system refuses.
pub fn identity(_file: &File, metadata: &Metadata) -> io::Result<String> {
    Ok(format!("{}-{}-{}", metadata.ino(), metadata.mtime(), metadata.mtime_nsec()))
}

/// Returns the numbers that change when the content of the file does.
#[must_use]
pub fn numbers(metadata: &Metadata) -> FileNumbers {
    FileNumbers {
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.size(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    }
}

/// Whether a type of files is that of named pipes.
#[must_use]
pub fn is_fifo(kind: FileType) -> bool {
    kind.is_fifo()
}

/// Whether the file system of a file writes back changes of mapped memory, and then updates the file's times. True if
/// that is unknown.
#[cfg(target_os = "linux")]
#[must_use]
pub fn writes_back(path: &Path) -> bool {
    use nix::sys::statfs::{TMPFS_MAGIC, statfs};
    statfs(path).map_or(true, |found| found.filesystem_type() != TMPFS_MAGIC)
}

/// Whether the file system of a file writes back changes of mapped memory, and then updates the file's times. True if
/// that is unknown.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn writes_back(_path: &Path) -> bool {
    true
}
