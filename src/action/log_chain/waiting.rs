//! Lines of the decision log whose writer did not get the lock. Each waits in a file of its own until the next process
//! that holds the lock appends it to the log.
//!
//! The name of the file is also a member of the line. So if a process is killed after it has appended a line and before
//! it has removed the file, the next process finds the name in the log and does not append the line again. The
//! directory of the files exists only while lines wait, so that checking for it costs an ordinary hook next to nothing.
#![expect(clippy::disallowed_methods, reason = "the names of waiting lines are made of the time")]

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::action::place::{AccessMode, OpenDirectory};
use crate::decision_log::{WAITING, is_unchained};
use crate::platform::errors::is_busy;

/// How often the directory is created again if other processes remove it in the meantime.
const MAX_ATTEMPTS: u8 = 64;

/// The maximum number of waiting lines that are appended to the log at once.
const MAX_LINES: usize = 1_024;

/// The maximum length of a line in bytes; a longer one was not written by a hook.
const MAX_LINE_BYTES: u64 = 4 << 20;

/// The age at which an unfinished file is considered abandoned.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

/// The member of a waiting line that has the name of its file.
const MEMBER: &str = "waited";

/// The number of lines that this process has written to files. It makes their names unique, because two threads can
/// read the same time.
static WRITTEN_COUNT: AtomicU32 = AtomicU32::new(0);

/// Writes a line to a file of its own. The next process that holds the lock of the log appends it to the log.
pub(super) fn append_waiting_line(directory: &OpenDirectory, body: &[u8]) -> io::Result<()> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let count = WRITTEN_COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{}-{count}", since.as_nanos(), std::process::id());
    let mut line = format!("{{\"{MEMBER}\":\"{name}\",").into_bytes();
    line.extend_from_slice(body.strip_prefix(b"{").unwrap_or_default());
    let temporary_name = format!(".{name}");
    for _ in 0..MAX_ATTEMPTS {
        let result = directory.open_or_create(WAITING).and_then(|waiting| {
            waiting.file(&temporary_name, AccessMode::New)?.write_all(&line)?;
            waiting.rename(&temporary_name, &name)
        });
        match result {
            Err(error) if error.kind() == io::ErrorKind::NotFound || is_busy(&error) => std::thread::yield_now(),
            result => return result,
        }
    }
    Err(io::Error::other("the directory of waiting lines is removed again and again"))
}

/// The waiting lines, and their files.
#[derive(Default)]
pub(super) struct WaitingLines {
    lines: Vec<Vec<u8>>,
    /// The names of their files, and of files whose line is already in the log.
    names: Vec<String>,
    /// The directory of the files; `None` if no line waits.
    directory: Option<OpenDirectory>,
}

impl WaitingLines {
    /// Reads the waiting lines, the oldest first, except those that are already in `end`, the end of the log.
    pub(super) fn read_waiting(directory: &OpenDirectory, end: &[u8]) -> io::Result<Self> {
        let Some(place) = directory.open_if_exists(WAITING)? else { return Ok(Self::default()) };
        let mut waiting = Self::default();
        for name in place.names()? {
            if name.starts_with('.') {
                remove_stale(&place, &name);
                continue;
            }
            if waiting.names.len() == MAX_LINES {
                break;
            }
            let mut line = Vec::new();
            let read =
                place.file(&name, AccessMode::Read).and_then(|file| file.take(MAX_LINE_BYTES).read_to_end(&mut line));
            // A file with other contents was not written by a hook.
            if read.is_err() || !is_line(&line, &name) {
                continue;
            }
            if !contains(end, format!("\"{MEMBER}\":\"{name}\"").as_bytes()) {
                waiting.lines.push(line);
            }
            waiting.names.push(name);
        }
        waiting.directory = Some(place);
        Ok(waiting)
    }

    /// Whether no directory of waiting lines exists.
    pub(super) fn is_empty(&self) -> bool {
        self.directory.is_none()
    }

    /// Returns the lines that are not in the log yet.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.lines.iter().map(Vec::as_slice)
    }

    /// Removes the files of the lines. Called once all the lines are in the log.
    pub(super) fn remove(self, directory: &OpenDirectory) {
        let Some(place) = self.directory else { return };
        for name in &self.names {
            let _stays = place.remove(name);
        }
        // Windows removes no directory that is open.
        drop(place);
        // If another line has been written in the meantime, the directory is not empty and remains.
        let _stays = directory.remove_directory(WAITING);
    }
}

/// Whether a text is a waiting line that has this file's name.
fn is_line(line: &[u8], name: &str) -> bool {
    line.starts_with(format!("{{\"{MEMBER}\":\"{name}\"").as_bytes()) && is_unchained(line)
}

/// Removes an unfinished file that is older than [`ABANDONED_AFTER`].
fn remove_stale(place: &OpenDirectory, name: &str) {
    let age = place.file(name, AccessMode::Read).and_then(|file| file.metadata()?.modified());
    if age.is_ok_and(|age| age.elapsed().is_ok_and(|age| age > ABANDONED_AFTER)) {
        let _stays = place.remove(name);
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
