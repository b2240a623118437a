//! Appends lines to the decision log. Each line has a number and a digest that includes the line before it (the chain),
//! files are rotated, and concurrent writers lose nothing.
//!
//! Writers lock the file [`HEAD`], a note about the last line of the chain: its number, its digest and the length of
//! the log. A process that does not get the lock in time puts its line into a separate file (see [`waiting`]), and the
//! next process that holds the lock appends that line. So no process waits long, no line is lost, and the chain has no
//! gap.
//!
//! A process can be killed at any point. If the note is then older than the log, the next process reads the lines after
//! the noted length, and continues from the last complete one.

mod waiting;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::time::Duration;

use crate::decision_log::{ChainHead, FILE, HEAD, LARGEST, NAMES, is_whole};

use crate::platform::file::{read_at, read_exact_at, write_all_at};

use super::place::{AccessMode, OpenDirectory};
use waiting::WaitingLines;

/// How long to wait for another writer. A process waits at most twice.
const PATIENCE: Duration = Duration::from_millis(250);

/// How many bytes at the end of a file are first searched for its last complete line.
const FIRST_WINDOW: u64 = 64 << 10;

/// The maximum number of bytes of the note in [`HEAD`].
const MAX_NOTE_BYTES: usize = 1_024;

/// Appends a line to the decision log. `body` is a JSON object without a newline, and without the members that chain it
/// to the line before.
pub(super) fn append(directory: &OpenDirectory, body: &[u8]) -> io::Result<()> {
    append_within(directory, body, PATIENCE, LARGEST)
}

/// Appends a line, or leaves it for the next process if the lock is not free in time.
fn append_within(directory: &OpenDirectory, body: &[u8], patience: Duration, largest: u64) -> io::Result<()> {
    if write(directory, Some(body), patience, largest)? {
        return Ok(());
    }
    waiting::append_waiting_line(directory, body)?;
    // The process that holds the lock may have read the waiting lines before this one was among them, so the lock is
    // tried once more.
    write(directory, None, patience, largest).map(drop)
}

/// Appends the waiting lines and then the line in `body`, if there is one. Returns `false` if the lock was not free in
/// time.
fn write(directory: &OpenDirectory, body: Option<&[u8]>, patience: Duration, largest: u64) -> io::Result<bool> {
    let Some(note) = directory.locked(HEAD, AccessMode::Update, patience)? else { return Ok(false) };
    let mut file = directory.file(FILE, AccessMode::Append)?;
    let length = file.metadata()?.len();
    let ChainEnd { mut head, is_torn, rest: lines_after_note } =
        ChainEnd::read_chain_end(directory, &note, &file, length)?;
    let waiting = WaitingLines::read_waiting(directory, &lines_after_note)?;
    if body.is_none() && waiting.is_empty() {
        return Ok(true);
    }
    let mut text = Vec::new();
    if length > largest {
        // The note is written first. If the process is killed before the rotation, the file is longer than noted, which
        // does not count as a gap.
        head.rotate();
        write_note(&note, &head)?;
        rotate(directory)?;
        file = directory.file(FILE, AccessMode::Append)?;
    } else if is_torn {
        // Without this, an unfinished line of another writer would become one line with this text.
        text.push(b'\n');
    }
    let start = file.metadata()?.len();
    for body in waiting.lines().chain(body) {
        text.extend(head.add(body));
    }
    file.write_all(&text)?;
    head.length = start.saturating_add(u64::try_from(text.len()).unwrap_or(u64::MAX));
    write_note(&note, &head)?;
    waiting.remove(directory);
    Ok(true)
}

/// Writes the note about the end of the chain.
fn write_note(note: &File, head: &ChainHead) -> io::Result<()> {
    write_all_at(note, head.to_text().as_bytes(), 0)
}

/// Renames each file of the log to the next older name. The oldest of the three files is lost.
fn rotate(directory: &OpenDirectory) -> io::Result<()> {
    let [oldest, aside, current] = NAMES;
    let _none_yet = directory.rename(aside, oldest);
    directory.rename(current, aside)
}

/// The end of the chain, determined from the note and the lines after it.
struct ChainEnd {
    head: ChainHead,
    /// Whether the last line of the current file is unfinished.
    is_torn: bool,
    /// The part of the file after the noted length.
    rest: Vec<u8>,
}

impl ChainEnd {
    /// Determines the end of the chain. If the note cannot be read, the chain continues from the last complete line of
    /// the log.
    fn read_chain_end(directory: &OpenDirectory, note: &File, file: &File, length: u64) -> io::Result<Self> {
        let mut text = [0; MAX_NOTE_BYTES];
        let read = read_at(note, &mut text, 0)?;
        match ChainHead::read(text.get(..read).unwrap_or_default()) {
            // The note is used even if the file was shortened or removed: the numbers of the lines then reveal the gap.
            Some(head) if head.length >= length => {
                let is_torn = head.length > length && length > 0 && last_byte(file, length)? != b'\n';
                Ok(Self { head, is_torn, rest: Vec::new() })
            }
            Some(mut head) => {
                let lines_after_note = read_from(file, head.length)?;
                if let Some(line) = last_complete_line(&lines_after_note) {
                    head.continue_from_line(line);
                }
                Ok(Self { head, is_torn: lines_after_note.last() != Some(&b'\n'), rest: lines_after_note })
            }
            None => {
                let mut head = ChainHead::default();
                let is_torn = length > 0 && last_byte(file, length)? != b'\n';
                let [_, aside, _] = NAMES;
                let previous_file = || directory.file(aside, AccessMode::Read).ok();
                if !continue_from_last_line(&mut head, file, length)?
                    && let Some(previous_file) = previous_file()
                {
                    let length = previous_file.metadata()?.len();
                    continue_from_last_line(&mut head, &previous_file, length)?;
                }
                // The numbers of the files' first lines were only in the note. Older files may exist.
                head.starts = [0, 0, head.number.saturating_add(1)];
                Ok(Self { head, is_torn, rest: Vec::new() })
            }
        }
    }
}

/// Continues the chain from the last complete line of a file. Returns whether there is such a line.
fn continue_from_last_line(head: &mut ChainHead, file: &File, length: u64) -> io::Result<bool> {
    let mut window = FIRST_WINDOW;
    loop {
        let start = length.saturating_sub(window);
        let tail = read_from(file, start)?;
        // The window may begin in the middle of a line.
        let first_whole_line = if start == 0 { Some(0) } else { tail.iter().position(|byte| *byte == b'\n') };
        let lines = first_whole_line.and_then(|at| tail.get(at..)).unwrap_or_default();
        if let Some(line) = last_complete_line(lines) {
            head.continue_from_line(line);
            return Ok(true);
        }
        if start == 0 {
            return Ok(false);
        }
        window = window.saturating_mul(8);
    }
}

/// Returns the last line in a part of the log that is complete.
fn last_complete_line(text: &[u8]) -> Option<&[u8]> {
    text.rsplit(|byte| *byte == b'\n').find(|line| is_whole(line))
}

/// Returns the last byte of a file that has this length.
fn last_byte(file: &File, length: u64) -> io::Result<u8> {
    let mut last = [0];
    read_exact_at(file, &mut last, length.saturating_sub(1))?;
    let [last] = last;
    Ok(last)
}

/// Reads a file from an offset to its end.
fn read_from(mut file: &File, start: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
