//! The operating system: accounts, rights, files, streams, processes and directories, each with the same functions on
//! every system.
//!
//! `unix` and `windows` implement them; no other module names a system, which `tests/it/platform.rs` checks. It knows
//! nothing about policies.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

pub use system::account::account_home;
pub use system::directory::DirectoryHandle;
pub use system::{desktop, errors, file, paths, places, process, rights, shell, stream};

/// Whether a link at the end of a path is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkPolicy {
    /// The target of a link is opened.
    Follow,
    /// A link is an error.
    Refuse,
}

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessMode {
    /// The file is created if missing; every write goes to its end.
    Append,
    /// The file is created if missing; it is read and written at any position.
    Update,
    /// The file must exist, and is only read.
    Read,
    /// The file must not exist, and is created.
    New,
}

/// Why a file was not opened for reading.
#[derive(Debug)]
pub enum OpenFailure {
    /// There is no such file.
    NotFound,
    /// The last component is a link, and [`LinkPolicy::Refuse`] was asked for.
    Link,
    /// The path is a directory, a pipe, a socket or a device.
    NotRegular,
    /// The system returned another error.
    Io(io::Error),
}

/// Reads a regular file of at most `limit` bytes, without waiting for a pipe, and returns it with its metadata; `None` if
/// it is longer.
///
/// # Errors
/// See [`OpenFailure`].
pub fn read_regular(path: &Path, links: LinkPolicy, limit: u64) -> Result<Option<(Vec<u8>, Metadata)>, OpenFailure> {
    let (file, metadata) = file::open_regular(path, links)?;
    let length = metadata.len();
    if length > limit {
        return Ok(None);
    }
    // Without a length (files in `/proc`), as much as the limit allows. With one, no more is read: the end needs no
    // further read, and what is appended now is not read in part.
    let most = if length == 0 { limit.saturating_add(1) } else { length };
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes).map_err(OpenFailure::Io)?;
    Ok(u64::try_from(bytes.len()).is_ok_and(|length| length <= limit).then_some((bytes, metadata)))
}

/// Returns the bytes of a regular file; `None` if it is longer than `limit`, or cannot be read.
#[cfg(unix)]
fn read_bytes(path: &Path, links: LinkPolicy, limit: u64) -> Option<Vec<u8>> {
    read_regular(path, links, limit).ok()?.map(|(bytes, _)| bytes)
}

/// The numbers of a file that change when its content does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileNumbers {
    /// The number of the file system; zero if the system does not tell it.
    pub device: u64,
    /// A number that distinguishes the file from others that have had its name.
    pub inode: u64,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change of the content: seconds since 1970 and nanoseconds.
    pub modified: (i64, i64),
    /// The time of the last change of the content or the metadata. It is the modification time on a system without
    /// change times.
    pub changed: (i64, i64),
}

/// The size and the time of an entry of a directory, with links not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EntryNumbers {
    /// The time of the last change of the content: seconds since 1970 and nanoseconds.
    pub modified: (i64, i64),
    /// The size in bytes.
    pub size: i64,
}

/// The program that shows notifications on the desktop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(windows, allow(dead_code, reason = "the system has no such program"))]
pub enum DesktopNotifier {
    /// `notify-send`, on desktops of freedesktop.org.
    NotifySend,
    /// `osascript`.
    AppleScript,
}

/// An input that can be waited for.
pub trait WaitReadable {
    /// Waits until a read returns at once: with bytes, at the end of the input, or with an error. `false` after
    /// `timeout`.
    ///
    /// # Errors
    /// A signal interrupted the wait ([`io::ErrorKind::Interrupted`]), or the input cannot be waited for.
    fn wait_readable(&mut self, timeout: Duration) -> io::Result<bool>;
}
