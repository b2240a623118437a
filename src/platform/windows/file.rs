//! Opening files, their identity and times, and reads and writes at an offset.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use super::directory::{DIRECTORIES, LINKS_THEMSELVES};
use super::errors::link_refused;
use crate::platform::{FileNumbers, LinkPolicy, OpenFailure};

/// Whether the times of a file show every change. std does not tell the change time, and a program can set all others.
pub const HAS_CHANGE_TIMES: bool = false;

/// The number of seconds from 1601, where the system's times begin, to 1970.
const EPOCH_SECONDS: i64 = 11_644_473_600;
/// The number of the system's units of time in a second.
const UNITS: u64 = 10_000_000;

/// The codes for names that cannot be those of a file: invalid characters, a path that is too long, a bad path.
const NO_SUCH_NAMES: [i32; 3] = [123, 206, 161];

/// Opens a regular file for reading.
///
/// # Errors
/// See [`OpenFailure`].
pub fn open_regular(path: &Path, links: LinkPolicy) -> Result<(File, Metadata), OpenFailure> {
    // With the first flag a directory can be opened, so that it is recognised.
    let flags = match links {
        LinkPolicy::Follow => DIRECTORIES,
        LinkPolicy::Refuse => DIRECTORIES | LINKS_THEMSELVES,
    };
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|error| {
        let is_no_name = error.raw_os_error().is_some_and(|code| NO_SUCH_NAMES.contains(&code));
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => OpenFailure::NotFound,
            _ if is_no_name => OpenFailure::NotFound,
            _ => OpenFailure::Io(error),
        }
    })?;
    // Consoles and devices have no metadata.
    let metadata = file.metadata().map_err(|_| OpenFailure::NotRegular)?;
    match metadata.file_type() {
        kind if kind.is_symlink() => Err(OpenFailure::Link),
        kind if kind.is_file() => Ok((file, metadata)),
        _ => Err(OpenFailure::NotRegular),
    }
}

/// Opens a file for writing at its end, and creates it if it is missing. A link is refused.
///
/// # Errors
/// Fails if the system refuses.
pub fn append_private(path: &Path) -> io::Result<File> {
    let file = File::options().append(true).create(true).custom_flags(LINKS_THEMSELVES).open(path)?;
    if file.metadata()?.file_type().is_symlink() { Err(link_refused()) } else { Ok(file) }
}

/// Reads a whole buffer from an offset of a file.
///
/// # Errors
/// The file ends before, or cannot be read.
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let count = read_at(file, buffer, offset)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = buffer.get_mut(count..).unwrap_or_default();
        offset = offset.saturating_add(count as u64);
    }
    Ok(())
}

/// Reads from an offset of a file, and returns how many bytes. The position of the file changes.
///
/// # Errors
/// Fails if the system refuses.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

/// Writes bytes at an offset of a file. The position of the file changes.
///
/// # Errors
/// Fails if the system refuses.
pub fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = file.seek_write(bytes, offset)?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = bytes.get(count..).unwrap_or_default();
        offset = offset.saturating_add(count as u64);
    }
    Ok(())
}

/// Whether an open file has several names (hard links).
///
/// # Errors
/// Fails if the system refuses.
pub fn has_other_names(file: &File, _metadata: &Metadata) -> io::Result<bool> {
    Ok(winapi_util::file::information(file)?.number_of_links() > 1)
}

/// Returns a text that identifies a file independently of its name. If an index is reused, the modification time
/// differs.
///
/// # Errors
/// Fails if the system refuses.
pub fn identity(file: &File, metadata: &Metadata) -> io::Result<String> {
    let index = winapi_util::file::information(file)?.file_index();
    Ok(format!("{index}-{}", metadata.last_write_time()))
}

/// Returns the numbers that change when the content of the file does. The time of creation distinguishes files that
/// have the same name one after the other.
#[must_use]
pub fn numbers(metadata: &Metadata) -> FileNumbers {
    let modified = unix_time(metadata.last_write_time());
    FileNumbers { device: 0, inode: metadata.creation_time(), size: metadata.file_size(), modified, changed: modified }
}

/// Converts a time of the system to seconds since 1970 and nanoseconds.
pub(super) fn unix_time(time: u64) -> (i64, i64) {
    let part = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    (part(time / UNITS).saturating_sub(EPOCH_SECONDS), part(time % UNITS * 100))
}

/// Whether a type of files is that of named pipes. They have no place in directories here.
#[must_use]
pub fn is_fifo(_kind: FileType) -> bool {
    false
}

/// Whether the times of a file show every change, once they are older than the clock's resolution. They do not
/// ([`HAS_CHANGE_TIMES`]), so that contents are compared, as on Unix for file systems in memory.
#[must_use]
pub fn writes_back(_path: &Path) -> bool {
    HAS_CHANGE_TIMES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_unix() {
        assert_eq!(unix_time(116_444_736_000_000_000), (0, 0));
        assert_eq!(unix_time(116_444_736_000_000_000 + 3 * UNITS + 7), (3, 700));
    }
}
