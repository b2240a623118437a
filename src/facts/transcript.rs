//! Searches a transcript for the call that started a subagent, from the end.
//!
//! A transcript is in JSON Lines, may have tens of megabytes, and may be written while it is read. Only the members
//! of a line that identify a call are examined; the conversation is not parsed.

mod line;

use std::io::{self, Read, Seek, SeekFrom};

use super::Fact;
use crate::files::reason;

/// How much of a transcript is read, from its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct TranscriptReach {
    /// The number of bytes that are read first. Each further read doubles the number of bytes that are read in total.
    pub(super) first: u64,
    /// The maximum number of bytes that are read.
    pub(super) most: u64,
}

impl Default for TranscriptReach {
    fn default() -> Self {
        Self { first: 64 << 10, most: 8 << 20 }
    }
}

/// Returns the type of subagent that the last call of `Task` or `Agent` requests; `None` if there is no such call.
///
/// # Errors
/// Fails if a line after that call is not JSON, since it may be a later call, or if the call is further from the end
/// than `reach`. A last line without a newline is still being written, and is an error only if no earlier call is
/// found.
pub(super) fn last_called_agent(transcript: &mut (impl Read + Seek), reach: TranscriptReach) -> Fact<String> {
    let end = transcript.seek(SeekFrom::End(0)).map_err(unreadable)?;
    let mut start = end;
    // The end of a line that begins before `start`.
    let mut end_of_line = Vec::new();
    let mut unfinished = Ok(None);
    while start > 0 {
        let bytes_read = end - start;
        let step = bytes_read.max(reach.first).min(reach.most.saturating_sub(bytes_read)).min(start);
        if step == 0 {
            return Err(format!("there is no call in the last {} of the transcript", byte_count_text(reach.most)));
        }
        start -= step;
        let mut text = read_at(transcript, start, step)?;
        text.append(&mut end_of_line);
        let first_line = match text.iter().position(|byte| *byte == b'\n') {
            _ if start == 0 => 0,
            Some(newline) => newline + 1,
            None => text.len(),
        };
        let lines = text.split_off(first_line);
        end_of_line = text;
        if let Some(name) = last_call_in_lines(&lines, &mut unfinished)? {
            return Ok(Some(name));
        }
    }
    unfinished
}

/// Reads `length` bytes at an offset.
fn read_at(transcript: &mut (impl Read + Seek), start: u64, length: u64) -> Result<Vec<u8>, String> {
    let mut text = vec![0; usize::try_from(length).map_err(|error| unreadable(io::Error::other(error)))?];
    transcript.seek(SeekFrom::Start(start)).map_err(unreadable)?;
    transcript.read_exact(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// Searches the complete lines in `lines` for a call, the last line first. An error in a last line without a newline
/// is stored in `unfinished`.
fn last_call_in_lines(lines: &[u8], unfinished: &mut Fact<String>) -> Fact<String> {
    let mut from_end = lines.rsplit(|byte| *byte == b'\n');
    match from_end.next().map(line::last_call_in_line) {
        Some(Ok(Some(name))) => return Ok(Some(name)),
        Some(Err(error)) => *unfinished = Err(format!("the last line of the transcript {error}")),
        Some(Ok(None)) | None => {}
    }
    for line in from_end {
        let called = line::last_call_in_line(line).map_err(|error| format!("a line of the transcript {error}"))?;
        if called.is_some() {
            return Ok(called);
        }
    }
    Ok(None)
}

/// Returns a number of bytes as messages and the book show it: `8 MiB`.
fn byte_count_text(bytes: u64) -> String {
    match bytes >> 20 {
        mebibytes if mebibytes << 20 == bytes && bytes > 0 => format!("{mebibytes} MiB"),
        _ => format!("{bytes} bytes"),
    }
}

/// Returns the message that the transcript cannot be read.
fn unreadable(error: io::Error) -> String {
    format!("the transcript cannot be read: {}", reason(&error))
}

#[cfg(test)]
mod tests;
