//! Reads files whose names come from a payload, a policy or a project.
//!
//! Such a name can refer to a FIFO that blocks forever, a device, a link to a secret, or an endless file. These are
//! not read, and a link is followed only on request.

use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

pub use crate::platform::errors::reason;
use crate::platform::{LinkPolicy, OpenFailure, file, read_regular};

/// Why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    /// There is no such file.
    NotFound,
    /// The last component is a symbolic link.
    Link,
    /// The path is a directory, a FIFO, a socket or a device.
    NotRegular,
    /// The file has more bytes than this limit.
    TooBig(u64),
    /// The system returned another error.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => write!(f, "does not exist"),
            Self::Link => write!(f, "is a symbolic link"),
            Self::NotRegular => write!(f, "is not a regular file"),
            Self::TooBig(limit) => write!(f, "is larger than {limit} bytes"),
            Self::Io(error) => write!(f, "cannot be read: {}", reason(error)),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Reads a regular file of at most `limit` bytes, without blocking. A link in the last component is not followed.
///
/// # Errors
/// See [`ReadError`].
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_with_metadata(path, limit).map(|(bytes, _)| bytes)
}

/// Reads a file as [`read`] does, and also returns its metadata.
///
/// # Errors
/// Like [`read`].
pub fn read_with_metadata(path: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), ReadError> {
    open_and_read(path, limit, LinkPolicy::Refuse)
}

/// Opens a regular file to read parts of it, without blocking. A link in the last component is not followed.
///
/// # Errors
/// Like [`read`], except [`ReadError::TooBig`]: the caller must limit how much is read.
pub fn open(path: &Path) -> Result<File, ReadError> {
    Ok(file::open_regular(path, LinkPolicy::Refuse)?.0)
}

/// Reads a file as [`read`] does, but follows links: the user named the file on the command line.
///
/// # Errors
/// Like [`read`], except [`ReadError::Link`] (a loop of links is an [`ReadError::Io`]).
pub fn read_following(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    open_and_read(path, limit, LinkPolicy::Follow).map(|(bytes, _)| bytes)
}

/// Opens and reads a regular file of at most `limit` bytes, and returns it with its metadata.
fn open_and_read(path: &Path, limit: u64, links: LinkPolicy) -> Result<(Vec<u8>, Metadata), ReadError> {
    read_regular(path, links, limit)?.ok_or(ReadError::TooBig(limit))
}

impl From<OpenFailure> for ReadError {
    fn from(failure: OpenFailure) -> Self {
        match failure {
            OpenFailure::NotFound => Self::NotFound,
            OpenFailure::Link => Self::Link,
            OpenFailure::NotRegular => Self::NotRegular,
            OpenFailure::Io(error) => Self::Io(error),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the files that are read are written first")]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_regular_file_is_read_up_to_its_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert!(matches!(read(&path, 4), Err(ReadError::TooBig(4))));
        assert!(matches!(read(&dir.path().join("b"), 4), Err(ReadError::NotFound)));
        assert!(matches!(read(&path.join("b"), 4), Err(ReadError::NotFound)));
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_followed_only_on_request() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "1").unwrap();
        symlink("a", dir.path().join("link")).unwrap();
        assert!(matches!(read(&dir.path().join("link"), 9), Err(ReadError::Link)));
        assert!(matches!(open(&dir.path().join("link")), Err(ReadError::Link)));
        assert_eq!(read_following(&dir.path().join("link"), 9).unwrap(), b"1");
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_file_neither_blocks_nor_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let socket = dir.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for path in [fifo.as_path(), socket.as_path(), dir.path(), Path::new("/dev/zero")] {
            assert!(matches!(read(path, 9), Err(ReadError::NotRegular)), "{path:?}");
            assert!(matches!(open(path), Err(ReadError::NotRegular)), "{path:?}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_file_whose_size_is_a_lie_is_bounded() {
        if Path::new("/proc/self/maps").exists() {
            assert!(matches!(read(Path::new("/proc/self/maps"), 10), Err(ReadError::TooBig(10))));
            assert!(!read(Path::new("/proc/self/maps"), 1 << 20).unwrap().is_empty());
        }
    }
}
