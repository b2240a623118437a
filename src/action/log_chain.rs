//! Appends lines to the decision log. The lines are chained, files are rotated, and concurrent writers lose nothing.
//!
//! The lock is on the file [`HEAD`], which notes the end of the chain: its number, its digest and the length of the
//! log. A process that cannot get the lock in time leaves its line in a file (see [`waiting`]), and the next process
//! that holds the lock appends it. So no process waits long, no line is lost, and the chain has no gap.
//!
//! A process can be stopped at any point. If the note is then older than the log, the next process reads the lines
//! after the noted length, and continues from the last complete one.

mod waiting;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use crate::decision_log::{ChainHead, FILE, HEAD, LARGEST, NAMES, is_whole};

use super::place::{AccessMode, OpenDirectory};
use waiting::WaitingLines;

/// The time to wait for another writer; a process waits twice at most.
const PATIENCE: Duration = Duration::from_millis(250);

/// The length of a file's end that is searched first for its last complete line, in bytes.
const TAIL: u64 = 64 << 10;

/// The most bytes of the note about the end of the chain.
const NOTE: usize = 1_024;

/// Appends a line to the decision log. `body` is a JSON object, without a newline and without the members that chain
/// a line.
pub(super) fn append(directory: &OpenDirectory, body: &[u8]) -> io::Result<()> {
    append_within(directory, body, PATIENCE, LARGEST)
}

/// Appends a line, or leaves it waiting if the lock is not free in time.
fn append_within(directory: &OpenDirectory, body: &[u8], patience: Duration, largest: u64) -> io::Result<()> {
    if write(directory, Some(body), patience, largest)? {
        return Ok(());
    }
    waiting::append_waiting_line(directory, body)?;
    // The process that holds the lock may have read the waiting lines before this one was left.
    write(directory, None, patience, largest).map(drop)
}

/// Appends the waiting lines and then the line in `body`, if any; `false` if the lock was not free in time.
fn write(directory: &OpenDirectory, body: Option<&[u8]>, patience: Duration, largest: u64) -> io::Result<bool> {
    let Some(note) = directory.locked(HEAD, AccessMode::Update, patience)? else { return Ok(false) };
    let mut file = directory.file(FILE, AccessMode::Append)?;
    let length = file.metadata()?.len();
    let ChainEnd { mut head, is_torn, rest: behind } = ChainEnd::read_chain_end(directory, &note, &file, length)?;
    let waiting = WaitingLines::read_waiting(directory, &behind)?;
    if body.is_none() && waiting.is_empty() {
        return Ok(true);
    }
    let mut text = Vec::new();
    if length > largest {
        // The note is written first. If the process is stopped before the rotation, the file is longer than noted,
        // which is no gap.
        head.rotate();
        write_note(&note, &head)?;
        rotate(directory)?;
        file = directory.file(FILE, AccessMode::Append)?;
    } else if is_torn {
        // An unfinished line of another writer must not swallow this one.
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
    note.write_all_at(head.to_text().as_bytes(), 0)
}

/// Renames each of the three files to the next older name; the oldest is lost.
fn rotate(directory: &OpenDirectory) -> io::Result<()> {
    let [oldest, aside, current] = NAMES;
    let _none_yet = directory.rename(aside, oldest);
    directory.rename(current, aside)
}

/// The end of the chain, from the note and the lines after it.
struct ChainEnd {
    head: ChainHead,
    /// Whether the last line of the current file is unfinished.
    is_torn: bool,
    /// The part of the file after the noted length.
    rest: Vec<u8>,
}

impl ChainEnd {
    /// Determines the end of the chain. Without a readable note, it continues from the last complete line of the
    /// files.
    fn read_chain_end(directory: &OpenDirectory, note: &File, file: &File, length: u64) -> io::Result<Self> {
        let mut text = [0; NOTE];
        let read = note.read_at(&mut text, 0)?;
        match ChainHead::read(text.get(..read).unwrap_or_default()) {
            // The note counts even if the file was shortened or removed: the numbers of the lines then show the gap.
            Some(head) if head.length >= length => {
                let is_torn = head.length > length && length > 0 && last_byte(file, length)? != b'\n';
                Ok(Self { head, is_torn, rest: Vec::new() })
            }
            Some(mut head) => {
                let behind = read_from(file, head.length)?;
                if let Some(line) = last_complete_line(&behind) {
                    head.continue_from_line(line);
                }
                Ok(Self { head, is_torn: behind.last() != Some(&b'\n'), rest: behind })
            }
            None => {
                let mut head = ChainHead::default();
                let is_torn = length > 0 && last_byte(file, length)? != b'\n';
                let [_, aside, _] = NAMES;
                let before = || directory.file(aside, AccessMode::Read).ok();
                if !continue_from_last_line(&mut head, file, length)?
                    && let Some(before) = before()
                {
                    let length = before.metadata()?.len();
                    continue_from_last_line(&mut head, &before, length)?;
                }
                // The numbers of the first lines of the files are lost with the note; older files may exist.
                head.starts = [0, 0, head.number.saturating_add(1)];
                Ok(Self { head, is_torn, rest: Vec::new() })
            }
        }
    }
}

/// Continues the chain from the last complete line of a file; returns whether there is one.
fn continue_from_last_line(head: &mut ChainHead, file: &File, length: u64) -> io::Result<bool> {
    let mut window = TAIL;
    loop {
        let start = length.saturating_sub(window);
        let tail = read_from(file, start)?;
        // The first line of the window may be cut off at its beginning.
        let whole = if start == 0 { Some(0) } else { tail.iter().position(|byte| *byte == b'\n') };
        let lines = whole.and_then(|at| tail.get(at..)).unwrap_or_default();
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

/// Returns the last complete line of the log in a text.
fn last_complete_line(text: &[u8]) -> Option<&[u8]> {
    text.rsplit(|byte| *byte == b'\n').find(|line| is_whole(line))
}

/// Returns the last byte of a file of this length.
fn last_byte(file: &File, length: u64) -> io::Result<u8> {
    let mut last = [0];
    file.read_exact_at(&mut last, length.saturating_sub(1))?;
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
