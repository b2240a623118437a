//! Adds records to a file of JSON Lines. They are appended in one write while the file is locked.

use std::fs::File;
use std::io::{self, Write};
use std::time::Duration;

use crate::action::place::{AccessMode, OpenDirectory, is_torn};

use crate::platform::file::read_exact_at;

use super::side::SideFiles;
use super::{AppendOutcome, name_file_in_error};

/// Appends to a file the records in its side files, and then lines, which may be empty.
pub(super) fn add(
    directory: &OpenDirectory,
    name: &str,
    lines: &[u8],
    patience: Duration,
) -> io::Result<AppendOutcome> {
    let opened =
        directory.locked(name, AccessMode::Append, patience).map_err(|error| name_file_in_error(name, &error))?;
    let Some(mut file) = opened else { return Ok(AppendOutcome::Busy) };
    let mut side_files =
        SideFiles::lock_side_files(directory, name, |mark, records| has_arrived(&file, mark, records))?;
    let torn = is_torn(&mut file);
    let start = file.metadata()?.len() + u64::from(torn);
    // The mark of a claim is the offset at which its records are written. Renaming is tried again until it succeeds for
    // all that remain.
    while !side_files.claim_all(directory, |before| (start + before).to_string()) {}
    let mut text = side_files.records();
    text.extend_from_slice(lines);
    if !text.is_empty() {
        // Without the newline, an unfinished line of another writer and the next one would become one line.
        if torn {
            text.insert(0, b'\n');
        }
        file.write_all(&text)?;
    }
    Ok(AppendOutcome::Written(side_files.clear(directory)))
}

/// Appends to a file of lines, and ignores its side files. Returns `false` if its lock was not free in time.
pub(super) fn append(directory: &OpenDirectory, name: &str, bytes: &[u8], patience: Duration) -> io::Result<bool> {
    let opened =
        directory.locked(name, AccessMode::Append, patience).map_err(|error| name_file_in_error(name, &error))?;
    let Some(mut file) = opened else { return Ok(false) };
    let text = if is_torn(&mut file) { [b"\n", bytes].concat() } else { bytes.to_vec() };
    file.write_all(&text)?;
    Ok(true)
}

/// Whether the file has these records of a claimed side file at the offset that the mark of the claim gives.
fn has_arrived(file: &File, mark: &str, records: &[u8]) -> bool {
    let mut bytes_at_mark = vec![0; records.len()];
    mark.parse().is_ok_and(|start| read_exact_at(file, &mut bytes_at_mark, start).is_ok()) && bytes_at_mark == records
}
