//! Records as JSON Lines. They are appended in one write while the lock of the file is held.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use crate::action::place::{AccessMode, OpenDirectory, is_torn};

use super::side::SideFiles;
use super::{AppendOutcome, name_file_in_error};

/// Appends the records in the side files of a file, and then lines, which may be empty.
pub(super) fn add(
    directory: &OpenDirectory,
    name: &str,
    lines: &[u8],
    patience: Duration,
) -> io::Result<AppendOutcome> {
    let opened =
        directory.locked(name, AccessMode::Append, patience).map_err(|error| name_file_in_error(name, &error))?;
    let Some(mut file) = opened else { return Ok(AppendOutcome::Busy) };
    let mut sides = SideFiles::lock_side_files(directory, name, |mark, records| has_arrived(&file, mark, records))?;
    let torn = is_torn(&mut file);
    let start = file.metadata()?.len() + u64::from(torn);
    // The mark in the name of a claimed side file is the offset at which its records are written.
    while !sides.claim_all(directory, |before| (start + before).to_string()) {}
    let mut text = sides.records();
    text.extend_from_slice(lines);
    if !text.is_empty() {
        // An unfinished line of another writer must not swallow the next one.
        if torn {
            text.insert(0, b'\n');
        }
        file.write_all(&text)?;
    }
    Ok(AppendOutcome::Written(sides.clear(directory)))
}

/// Appends to a file of lines and ignores its side files; `false` if its lock was not free in time.
pub(super) fn append(directory: &OpenDirectory, name: &str, bytes: &[u8], patience: Duration) -> io::Result<bool> {
    let opened =
        directory.locked(name, AccessMode::Append, patience).map_err(|error| name_file_in_error(name, &error))?;
    let Some(mut file) = opened else { return Ok(false) };
    let text = if is_torn(&mut file) { [b"\n", bytes].concat() } else { bytes.to_vec() };
    file.write_all(&text)?;
    Ok(true)
}

/// Whether the records of a claimed side file are in the file at the offset that its mark gives.
fn has_arrived(file: &File, mark: &str, records: &[u8]) -> bool {
    let mut there = vec![0; records.len()];
    mark.parse().is_ok_and(|start| file.read_exact_at(&mut there, start).is_ok()) && there == records
}
