//! Reads files whose names come from a payload, a policy or a project.
//!
//! Such a name can refer to a FIFO that blocks forever, a device, a link to a secret, or an endless file. These are
//! not read, and a link is followed only on request.

use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::OFlag;

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

/// Returns the text of a system error, in words that depend neither on the account nor on the C library or its
/// language.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.raw_os_error().map(Errno::from_raw) {
        None | Some(Errno::UnknownErrno) => error.to_string(),
        Some(Errno::ENOENT) => "does not exist".to_owned(),
        Some(known) => {
            let words = known.desc();
            let (first, rest) = words.split_at_checked(1).unwrap_or_default();
            // `I/O error` stays unchanged.
            let is_word = rest.starts_with(|next: char| next.is_ascii_lowercase());
            if is_word { first.to_ascii_lowercase() + rest } else { words.to_owned() }
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
    open_and_read(path, limit, OFlag::O_NOFOLLOW)
}

/// Opens a regular file to read parts of it, without blocking. A link in the last component is not followed.
///
/// # Errors
/// Like [`read`], except [`ReadError::TooBig`]: the caller must limit how much is read.
pub fn open(path: &Path) -> Result<File, ReadError> {
    open_regular(path, OFlag::O_NOFOLLOW).map(|(file, _)| file)
}

/// Reads a file as [`read`] does, but follows links: the user named the file on the command line.
///
/// # Errors
/// Like [`read`], except [`ReadError::Link`] (a loop of links is an [`ReadError::Io`]).
pub fn read_following(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    open_and_read(path, limit, OFlag::empty()).map(|(bytes, _)| bytes)
}

/// Opens a regular file without blocking, and returns it with its metadata. With `O_NOFOLLOW` as `follow`, a link in the last component is not
/// followed; otherwise `follow` is empty.
fn open_regular(path: &Path, follow: OFlag) -> Result<(File, Metadata), ReadError> {
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC | follow;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path);
    let file = opened.map_err(|error| match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::ENOENT | Errno::ENOTDIR) => ReadError::NotFound,
        Some(Errno::ELOOP) if follow == OFlag::O_NOFOLLOW => ReadError::Link,
        // This is the error when a socket is opened.
        Some(Errno::ENXIO) => ReadError::NotRegular,
        _ => ReadError::Io(error),
    })?;
    let metadata = file.metadata().map_err(ReadError::Io)?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(ReadError::NotRegular) }
}

/// Opens and reads a regular file of at most `limit` bytes, and returns it with its metadata.
fn open_and_read(path: &Path, limit: u64, follow: OFlag) -> Result<(Vec<u8>, Metadata), ReadError> {
    let (file, metadata) = open_regular(path, follow)?;
    let length = metadata.len();
    if length > limit {
        return Err(ReadError::TooBig(limit));
    }
    // Without a length (files in `/proc`), as much as the limit allows. With one, no more is read: the end needs no
    // further read, and what is appended now is not read in part.
    let most = if length == 0 { limit.saturating_add(1) } else { length };
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= limit => Ok((bytes, metadata)),
        _ => Err(ReadError::TooBig(limit)),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the files that are read are written first")]
mod tests {
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
    fn what_the_system_refuses_is_said_in_the_same_words_everywhere() {
        let said = |error: Errno| reason(&io::Error::from(error));
        assert_eq!(said(Errno::EACCES), "permission denied");
        assert_eq!(said(Errno::ENOENT), "does not exist");
        assert_eq!(said(Errno::ENOSPC), "no space left on device");
        assert_eq!(said(Errno::EIO), "I/O error");
        assert_eq!(reason(&io::Error::other("in our own words")), "in our own words");
        assert_eq!(ReadError::Io(Errno::EACCES.into()).to_string(), "cannot be read: permission denied");
    }

    #[test]
    fn a_link_is_followed_only_on_request() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "1").unwrap();
        symlink("a", dir.path().join("link")).unwrap();
        assert!(matches!(read(&dir.path().join("link"), 9), Err(ReadError::Link)));
        assert!(matches!(open(&dir.path().join("link")), Err(ReadError::Link)));
        assert_eq!(read_following(&dir.path().join("link"), 9).unwrap(), b"1");
    }

    #[test]
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
    fn a_file_whose_size_is_a_lie_is_bounded() {
        if Path::new("/proc/self/maps").exists() {
            assert!(matches!(read(Path::new("/proc/self/maps"), 10), Err(ReadError::TooBig(10))));
            assert!(!read(Path::new("/proc/self/maps"), 1 << 20).unwrap().is_empty());
        }
    }
}
