//! Adds records to a JSON array. The whole file is replaced, so that a reader sees either the old array or the new one.
//!
//! The bytes of existing elements do not change.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::time::Duration;

use serde::de::IgnoredAny;

use crate::action::place::{AccessMode, OpenDirectory};
use crate::platform::file::identity;
use crate::record_place::{lock_of_array, new_of_array};

use super::side::SideFiles;
use super::{AppendOutcome, name_file_in_error};

/// The size in bytes above which no record is added to an array, because adding one rewrites the whole file.
const MAX_FILE_BYTES: u64 = 8 * 1_000_000;

/// Adds to an array the records in its side files, and then a line, which may be empty.
pub(super) fn add(directory: &OpenDirectory, name: &str, line: &[u8], patience: Duration) -> io::Result<AppendOutcome> {
    // The file of the array is replaced, so the lock must be on another file.
    let lock = lock_of_array(name);
    let opened =
        directory.locked(&lock, AccessMode::Append, patience).map_err(|error| name_file_in_error(&lock, &error))?;
    let Some(_lock) = opened else { return Ok(AppendOutcome::Busy) };
    let old = match directory.file(name, AccessMode::Read) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        old => Some(old.map_err(|error| name_file_in_error(name, &error))?),
    };
    let old_metadata = old.as_ref().map(File::metadata).transpose()?;
    let mark_of_old =
        old.as_ref().zip(old_metadata.as_ref()).map(|(file, metadata)| identity(file, metadata)).transpose()?;
    let mut side_files = SideFiles::lock_side_files(directory, name, |mark, _| mark_of_old.as_deref() == Some(mark))?;
    let length = old_metadata.as_ref().map_or(0, Metadata::len);
    side_files.exclude_larger_than(MAX_FILE_BYTES.saturating_sub(length));
    let text = match old.filter(|_| side_files.count() > 0 || !line.is_empty()).map(read).transpose()? {
        Some(Err(why)) => return Ok(AppendOutcome::Refused(why)),
        Some(Ok(text)) => text,
        None => String::new(),
    };
    let temporary = new_of_array(name);
    loop {
        let mut lines = side_files.records();
        lines.extend_from_slice(line);
        if lines.is_empty() {
            break;
        }
        // Only the process with the lock uses this name, so an existing file was left by a process that was killed.
        let _ = directory.remove(&temporary);
        let mut file = directory.file(&temporary, AccessMode::New)?;
        file.write_all(append_elements(&text, &lines).as_bytes())?;
        let mark = identity(&file, &file.metadata()?)?;
        if side_files.claim_all(directory, |_| mark.clone()) {
            directory.rename(&temporary, name)?;
            break;
        }
    }
    Ok(AppendOutcome::Written(side_files.clear(directory)))
}

/// Reads the text of an array. The inner `Err` is the reason why the file must not be changed.
fn read(mut file: File) -> io::Result<Result<String, String>> {
    if file.metadata()?.len() > MAX_FILE_BYTES {
        return Ok(Err("is too large to rewrite".to_owned()));
    }
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Err("is not text".to_owned()));
    };
    let is_array = text.trim().is_empty() || serde_json::from_str::<Vec<IgnoredAny>>(&text).is_ok();
    Ok(if is_array { Ok(text) } else { Err("does not hold a JSON array".to_owned()) })
}

/// Appends elements, one per line, to the text of an array. An empty text counts as an empty array.
fn append_elements(old: &str, lines: &[u8]) -> String {
    let mut text = old.trim_end().strip_suffix(']').unwrap_or("[").trim_end().to_owned();
    for element in String::from_utf8_lossy(lines).lines() {
        let comma = if text.trim_start() == "[" { "" } else { "," };
        text.push_str(&format!("{comma}\n  {element}"));
    }
    text.push_str("\n]\n");
    text
}
