//! Reads the files of a log: a consistent snapshot of all files, or the lines that have been appended since.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::files::{self, ReadError};

use super::chain::{ChainHead, ChainVerification, LinePosition, verify_lines};
use super::{FILE, HEAD, LogEntry, NAMES, WAITING};

/// The maximum size of a file that is read, in bytes; a larger one is not a log.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The maximum length of a waiting line, in bytes.
const MAX_LINE_BYTES: u64 = 4 << 20;

/// The maximum number of attempts to read the files while they are rotated.
const MAX_ATTEMPTS: u8 = 8;

/// The contents of a log.
#[derive(Debug, Default)]
pub struct DecisionLog {
    /// The files, the oldest first.
    pub files: Vec<LogFile>,
    /// The recorded end of the chain; `None` if the file with it is absent or malformed.
    pub head: Option<ChainHead>,
    /// The lines that wait in files of their own; the next hook appends them.
    pub waiting: Vec<LogEntry>,
}

/// One file of a log.
#[derive(Debug)]
pub struct LogFile {
    /// The name of the file.
    pub name: String,
    /// The contents of the file.
    pub bytes: Vec<u8>,
}

/// A line of the log that could be parsed.
#[derive(Clone, Debug)]
pub struct LogRecord {
    /// The text of the line.
    pub text: String,
    /// The contents of the line.
    pub entry: LogEntry,
}

impl LogFile {
    /// Returns the lines with their positions.
    fn lines(&self) -> impl Iterator<Item = (LinePosition, &[u8])> {
        let bytes = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
        let lines = bytes.split(|byte| *byte == b'\n').enumerate();
        let place = |index: usize| LinePosition { file: self.name.clone(), line: index.saturating_add(1) };
        lines.filter(|(_, line)| !line.is_empty()).map(move |(index, line)| (place(index), line))
    }

    fn records(&self) -> impl DoubleEndedIterator<Item = LogRecord> {
        let records: Vec<LogRecord> = self.lines().filter_map(|(_, line)| record(line)).collect();
        records.into_iter()
    }
}

/// Parses a line; `None` if it is not one of the log.
fn record(line: &[u8]) -> Option<LogRecord> {
    let entry: LogEntry = serde_json::from_slice(line).ok()?;
    Some(LogRecord { text: String::from_utf8_lossy(line).into_owned(), entry })
}

impl DecisionLog {
    /// Reads the log in a directory; an absent log is empty. If the files are rotated meanwhile, reads them again.
    ///
    /// # Errors
    /// Fails if a file cannot be read; the error has the file's name.
    pub fn read(directory: &Path) -> Result<Self, (String, ReadError)> {
        let mut attempts_left = MAX_ATTEMPTS;
        loop {
            let head = read_head(directory)?;
            let mut files = Vec::new();
            for name in NAMES {
                if let Some(bytes) = optional_read(name, files::read(&directory.join(name), MAX_FILE_BYTES))? {
                    files.push(LogFile { name: name.to_owned(), bytes });
                }
            }
            attempts_left -= 1;
            // A rotation changes the numbers of the first lines in the files.
            let starts = |head: &Option<ChainHead>| head.as_ref().map(|head| head.starts);
            if attempts_left == 0 || starts(&head) == starts(&read_head(directory)?) {
                return Ok(Self { files, head, waiting: waiting_entries(directory) });
            }
        }
    }

    /// Whether there is no log.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.waiting.is_empty() && self.head.is_none()
    }

    /// Returns the parsed lines, the oldest first; waiting lines come last.
    pub fn records(&self) -> impl Iterator<Item = LogRecord> {
        self.files.iter().flat_map(LogFile::records).chain(self.waiting_records())
    }

    /// Returns the parsed lines, the newest first; files are parsed lazily.
    pub fn newest_first(&self) -> impl Iterator<Item = LogRecord> {
        self.waiting_records().rev().chain(self.files.iter().rev().flat_map(|file| file.records().rev()))
    }

    fn waiting_records(&self) -> impl DoubleEndedIterator<Item = LogRecord> {
        self.waiting
            .iter()
            .map(|entry| LogRecord { text: serde_json::to_string(entry).unwrap_or_default(), entry: entry.clone() })
    }

    /// Verifies the chain through all files.
    #[must_use]
    pub fn verify_chain(&self) -> ChainVerification {
        verify_lines(self.files.iter().flat_map(LogFile::lines), self.head.as_ref())
    }
}

/// Returns the bytes of a file, `None` if it does not exist, or the error with the file's name.
fn optional_read(name: &str, read: Result<Vec<u8>, ReadError>) -> Result<Option<Vec<u8>>, (String, ReadError)> {
    match read {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::NotFound) => Ok(None),
        Err(error) => Err((name.to_owned(), error)),
    }
}

/// Reads the recorded end of the chain; `None` if it is absent or malformed.
fn read_head(directory: &Path) -> Result<Option<ChainHead>, (String, ReadError)> {
    let bytes = optional_read(HEAD, files::read(&directory.join(HEAD), MAX_LINE_BYTES))?;
    Ok(bytes.as_deref().and_then(ChainHead::read))
}

/// Reads the waiting lines, the oldest first.
#[expect(clippy::disallowed_methods, reason = "the log is read")]
fn waiting_entries(directory: &Path) -> Vec<LogEntry> {
    let Ok(names) = std::fs::read_dir(directory.join(WAITING)) else { return Vec::new() };
    let lines = names.filter_map(|entry| {
        let entry = entry.ok()?;
        let is_unfinished = entry.file_name().to_string_lossy().starts_with('.');
        let bytes = files::read(&entry.path(), MAX_LINE_BYTES).ok().filter(|_| !is_unfinished)?;
        serde_json::from_slice::<LogEntry>(&bytes).ok()
    });
    let mut entries: Vec<LogEntry> = lines.collect();
    entries.sort_by(|one, other| one.time.cmp(&other.time));
    entries
}

/// Reads the lines that are appended to a log after it was read.
#[derive(Debug)]
pub struct LogFollower {
    directory: PathBuf,
    /// The number of the last line that was returned.
    number: u64,
    /// The offset in the current file up to which lines were read.
    offset: u64,
}

impl LogFollower {
    /// Creates a follower that starts after the contents of a log that was read.
    #[must_use]
    pub fn start_at_end(log: &DecisionLog, directory: &Path) -> Self {
        let newest = log.newest_first().find_map(|record| record.entry.number);
        let current = log.files.iter().find(|file| file.name == FILE);
        let offset = current.map_or(0, |file| {
            let last_newline = file.bytes.iter().rposition(|byte| *byte == b'\n');
            let complete = last_newline.map_or(0, |index| index.saturating_add(1));
            u64::try_from(complete).unwrap_or(u64::MAX)
        });
        Self { directory: directory.to_path_buf(), number: newest.unwrap_or(0), offset }
    }

    /// Returns the complete lines that were added since the last call. If the file was rotated meanwhile, its unread
    /// lines come first.
    pub fn read_new_records(&mut self) -> Vec<LogRecord> {
        let mut records = Vec::new();
        if self.length() < self.offset {
            let [_, rotated, _] = NAMES;
            records.extend(self.read_from(rotated));
            self.offset = 0;
        }
        records.extend(self.read_from(FILE));
        let number = self.number;
        records.retain(|record| record.entry.number.is_some_and(|record_number| record_number > number));
        self.number = records.iter().filter_map(|record| record.entry.number).max().unwrap_or(number);
        records
    }

    /// Returns the length of the current file; 0 if there is none.
    fn length(&self) -> u64 {
        let file = files::open(&self.directory.join(FILE)).ok();
        file.and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len())
    }

    /// Reads the complete lines of a file after the offset, and advances the offset.
    fn read_from(&mut self, name: &str) -> Vec<LogRecord> {
        let mut bytes = Vec::new();
        let read = files::open(&self.directory.join(name)).ok().and_then(|mut file| {
            file.seek(SeekFrom::Start(self.offset)).ok()?;
            file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()
        });
        if read.is_none() {
            return Vec::new();
        }
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index.saturating_add(1)));
        self.offset = self.offset.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        LogFile { name: name.to_owned(), bytes }.records().collect()
    }
}
