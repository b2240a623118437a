//! Appends lines to the decision log: chained, rotated, and without losses among concurrent writers.
//!
//! The lock is that of the noted end of the chain. A writer that cannot get it in time leaves its line next to the log,
//! and the next holder of the lock takes it in; so nobody waits long, nothing is lost, and the chain has no gap.
//!
//! A writer can be stopped at any point. The noted end is then behind the file: the next writer reads the rest, and
//! continues from the last whole line.

mod waiting;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use crate::decision_log::{ChainHead, FILE, HEAD, LARGEST, NAMES, is_whole};

use super::place::{AccessMode, OpenDirectory};
use waiting::WaitingLines;

/// How long to wait for another writer, each of two times.
const PATIENCE: Duration = Duration::from_millis(250);

/// How much of the end of a file is searched first for its last whole line.
const TAIL: u64 = 64 << 10;

/// The most bytes of a noted end.
const NOTE: usize = 1_024;

/// Appends a line: an object without its newline and without the members that chain it.
pub(super) fn append(directory: &OpenDirectory, body: &[u8]) -> io::Result<()> {
    append_within(directory, body, PATIENCE, LARGEST)
}

fn append_within(directory: &OpenDirectory, body: &[u8], patience: Duration, largest: u64) -> io::Result<()> {
    if write(directory, Some(body), patience, largest)? {
        return Ok(());
    }
    waiting::append_waiting_line(directory, body)?;
    // The present holder of the lock may have looked before.
    write(directory, None, patience, largest).map(drop)
}

/// Appends the waiting lines, and a line; returns whether the lock was free in time.
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
        // Noted first: a writer stopped between the two leaves a file that is longer than noted, and no gap.
        head.rotate();
        set(&note, &head)?;
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
    set(&note, &head)?;
    waiting.remove(directory);
    Ok(true)
}

fn set(note: &File, head: &ChainHead) -> io::Result<()> {
    note.write_all_at(head.to_text().as_bytes(), 0)
}

/// Rotates the files; of three, the oldest is dropped.
fn rotate(directory: &OpenDirectory) -> io::Result<()> {
    let [oldest, aside, current] = NAMES;
    let _none_yet = directory.rename(aside, oldest);
    directory.rename(current, aside)
}

/// The end of the chain.
struct ChainEnd {
    head: ChainHead,
    /// Whether the last line of the current file is unfinished.
    is_torn: bool,
    /// The part of the file after the noted end.
    rest: Vec<u8>,
}

impl ChainEnd {
    fn read_chain_end(directory: &OpenDirectory, note: &File, file: &File, length: u64) -> io::Result<Self> {
        let mut text = [0; NOTE];
        let read = note.read_at(&mut text, 0)?;
        match ChainHead::read(text.get(..read).unwrap_or_default()) {
            // The note counts even if the file was cut or removed: the gap then shows in the numbers.
            Some(head) if head.length >= length => {
                let is_torn = head.length > length && length > 0 && last_byte(file, length)? != b'\n';
                Ok(Self { head, is_torn, rest: Vec::new() })
            }
            Some(mut head) => {
                let behind = read_from(file, head.length)?;
                if let Some(line) = last_complete_line(&behind) {
                    head.add_line(line);
                }
                Ok(Self { head, is_torn: behind.last() != Some(&b'\n'), rest: behind })
            }
            None => {
                let mut head = ChainHead::default();
                let is_torn = length > 0 && last_byte(file, length)? != b'\n';
                let [_, aside, _] = NAMES;
                let before = || directory.file(aside, AccessMode::Read).ok();
                if !follow_last(&mut head, file, length)?
                    && let Some(before) = before()
                {
                    let length = before.metadata()?.len();
                    follow_last(&mut head, &before, length)?;
                }
                // The first line of each file is not known any more; older files may exist.
                head.starts = [0, 0, head.number.saturating_add(1)];
                Ok(Self { head, is_torn, rest: Vec::new() })
            }
        }
    }
}

/// Continues from the last whole line of a file; returns whether there is one.
fn follow_last(head: &mut ChainHead, file: &File, length: u64) -> io::Result<bool> {
    let mut window = TAIL;
    loop {
        let start = length.saturating_sub(window);
        let tail = read_from(file, start)?;
        // The first line of the window may be only the end of a line.
        let whole = if start == 0 { Some(0) } else { tail.iter().position(|byte| *byte == b'\n') };
        let lines = whole.and_then(|at| tail.get(at..)).unwrap_or_default();
        if let Some(line) = last_complete_line(lines) {
            head.add_line(line);
            return Ok(true);
        }
        if start == 0 {
            return Ok(false);
        }
        window = window.saturating_mul(8);
    }
}

fn last_complete_line(text: &[u8]) -> Option<&[u8]> {
    text.rsplit(|byte| *byte == b'\n').find(|line| is_whole(line))
}

fn last_byte(file: &File, length: u64) -> io::Result<u8> {
    let mut last = [0];
    file.read_exact_at(&mut last, length.saturating_sub(1))?;
    let [last] = last;
    Ok(last)
}

fn read_from(mut file: &File, start: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
