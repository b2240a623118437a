//! The effect `record`: appends one JSON object to a file of objects to which other programs may write too.
//!
//! The file contains JSON Lines, or an array if its name ends with `.json`. If the file is locked, damaged or must not
//! be written, the hook neither blocks nor loses the record: it goes to a side file (see [`side`]), or an error with a
//! reason is reported.

mod array;
mod lines;
mod side;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::Value as Json;

use crate::files::reason;
use crate::platform::errors;
use crate::record_place::{GITIGNORE, IN_PROJECT, RecordBase, SideFileWriter, locate, side_of};
use crate::verdict::Record;

use super::once::is_first_in_session;
use super::place::{AccessMode, OpenDirectory};
use crate::time;

use side::RemainingSideFiles;

/// How long to wait for another writer.
const PATIENCE: Duration = Duration::from_millis(250);

/// The reason why a record goes to a side file although nothing is wrong with its own file.
const BUSY: &str = "is locked by another process";

/// How often the directory is searched again for side files that were written in the meantime.
const MAX_SEARCHES: u8 = 64;

/// The maximum nesting of lists and objects in a recorded value. Deeper values become null, so that no payload can make
/// a file unreadable: even inside the array and the object around it, a value stays below the limit of common JSON
/// readers (serde_json: 127).
const MAX_NESTING: usize = 100;

/// The result of appending a record to its file.
#[derive(Debug)]
enum AppendOutcome {
    /// The record is written; these side files remain.
    Written(RemainingSideFiles),
    /// The lock was not free in time.
    Busy,
    /// The file must not be changed, for this reason.
    Refused(String),
}

/// Where a record was written.
#[derive(Debug)]
struct RecordPlacement {
    /// The side file that contains the record; `None` if the record is in its own file.
    side_file: Option<SideFilePlacement>,
    /// Problems with other side files, a sentence each.
    problems: BTreeSet<String>,
}

/// The side file that contains a record, and the reason why.
#[derive(Debug)]
struct SideFilePlacement {
    /// The name of the side file.
    side: String,
    /// What is wrong with the record's own file, as a clause without subject: "is locked by another process".
    reason: String,
}

/// The directories in which records can be, and the session in which problems are reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordScope<'a> {
    /// The project root.
    pub(super) project: Option<&'a Path>,
    /// The user's state directory.
    pub(super) state_dir: Option<&'a Path>,
    /// The session, in which each problem is reported only once.
    pub(super) session: Option<&'a str>,
}

/// Appends one record to its file, and also the records in the file's side files.
///
/// Returns a sentence for each problem: the record was not written, or it or an earlier one is in a side file.
pub(super) fn append(record: &Record, scope: RecordScope<'_>) -> Vec<String> {
    let (rule, file) = (&record.rule, &record.file);
    match write(record, scope) {
        Ok(problems) => problems.into_iter().map(|problem| format!("{rule}: {problem}")).collect(),
        Err(error) => vec![format!("{rule}: the record `{file}` was not written: {}", reason(&error))],
    }
}

/// Writes one record, and returns the sentences for [`append`].
fn write(record: &Record, scope: RecordScope<'_>) -> io::Result<Vec<String>> {
    let (directory, name) = open(&record.file, scope.project, scope.state_dir)?;
    let placement =
        put_record(&directory, name, &line(record)?, SideFileWriter::Process(std::process::id()), PATIENCE)?;
    let side_file_sentence =
        |it: SideFilePlacement| format!("`{}` {}; the record is in `{}` beside it", record.file, it.reason, it.side);
    // A side file with a problem remains until somebody removes it, so without this every record would report the same
    // problem again.
    let is_new =
        |problem: &String| is_first_in_session(scope.state_dir, scope.session, &format!("{}: {problem}", record.file));
    Ok(placement
        .side_file
        .map(side_file_sentence)
        .into_iter()
        .chain(placement.problems.into_iter().filter(is_new))
        .collect())
}

/// Adds a line to a file, or to a side file if the file is locked or must not be changed.
fn put_record(
    directory: &OpenDirectory,
    name: &str,
    line: &[u8],
    writer: SideFileWriter,
    patience: Duration,
) -> io::Result<RecordPlacement> {
    let (mut remaining, side_file) = match add(directory, name, line, patience)? {
        AppendOutcome::Written(remaining) => (remaining, None),
        AppendOutcome::Busy => (
            RemainingSideFiles::default(),
            Some(SideFilePlacement { side: side_of(name, writer), reason: BUSY.to_owned() }),
        ),
        AppendOutcome::Refused(why) => (
            RemainingSideFiles::default(),
            Some(SideFilePlacement { side: side_of(name, SideFileWriter::Anyone), reason: why }),
        ),
    };
    if let Some(SideFilePlacement { side, reason: why }) = &side_file
        && !lines::append(directory, side, line, PATIENCE)?
    {
        return Err(io::Error::other(format!("it {why}, and `{side}` {BUSY}")));
    }
    // A writer that used a side file waits once more for the lock: the process that holds it may have searched for side
    // files before this one was written.
    let patience = if side_file.is_some() { PATIENCE } else { Duration::ZERO };
    add_new_side_files(directory, name, patience, &mut remaining);
    Ok(RecordPlacement {
        side_file: side_file.filter(|placement| side_file_exists(directory, &placement.side)),
        problems: remaining.problems,
    })
}

/// Adds to a file the records in its side files, and then a line, which may be empty.
fn add(directory: &OpenDirectory, name: &str, line: &[u8], patience: Duration) -> io::Result<AppendOutcome> {
    if name.ends_with(".json") {
        array::add(directory, name, line, patience)
    } else {
        lines::add(directory, name, line, patience)
    }
}

/// Adds the records in side files that other processes wrote while the file was locked.
///
/// Every writer does this after releasing the lock, so that no side file remains once the last writer is done. After an
/// error, the rest is left to the next writer.
fn add_new_side_files(directory: &OpenDirectory, name: &str, patience: Duration, remaining: &mut RemainingSideFiles) {
    for _ in 0..MAX_SEARCHES {
        if !side::has_side_files(directory, name, remaining).unwrap_or(false) {
            return;
        }
        match add(directory, name, b"", patience) {
            // The directory is searched again even if nothing was added: a process that had locked a side file may have
            // found the file itself locked, and left the side file.
            Ok(AppendOutcome::Written(more)) => remaining.merge(more),
            Ok(AppendOutcome::Busy | AppendOutcome::Refused(_)) | Err(_) => return,
        }
    }
}

/// Whether a side file still exists.
fn side_file_exists(directory: &OpenDirectory, side: &str) -> bool {
    !matches!(directory.file(side, AccessMode::Read), Err(error) if error.kind() == io::ErrorKind::NotFound)
}

/// Opens the directory of a record, and returns it with the name of the file.
fn open<'f>(file: &'f str, project: Option<&Path>, state_dir: Option<&Path>) -> io::Result<(OpenDirectory, &'f str)> {
    let refused = |why: String| io::Error::other(why);
    let place = locate(file).map_err(|misplaced| refused(format!("it would go to {misplaced}")))?;
    let mut directory = match (place.base, project, state_dir) {
        (RecordBase::Project, Some(project), _) => OpenDirectory::open(project)?,
        (RecordBase::State, _, Some(state)) => OpenDirectory::open_or_create_state(state)?,
        (RecordBase::Project, None, _) => return Err(refused("there is no project".to_owned())),
        (RecordBase::State, _, None) => return Err(refused("there is no state directory".to_owned())),
    };
    for (depth, parent) in place.directories.iter().enumerate() {
        directory = directory.open_or_create(parent).map_err(|error| name_directory_in_error(parent, &error))?;
        if place.base == RecordBase::Project && depth + 1 == IN_PROJECT.len() {
            keep_out_of_git(&directory);
        }
    }
    Ok((directory, place.name))
}

/// Adds the name of a directory to an error. Links are not followed, so the system reports a link as a loop, or as not
/// a directory.
fn name_directory_in_error(name: &str, error: &io::Error) -> io::Error {
    match errors::is_no_directory(error) {
        true => io::Error::other(format!("`{name}` is a link or not a directory")),
        false => io::Error::other(format!("`{name}`: {}", reason(error))),
    }
}

/// Adds the name of a file to an error. Links are not followed, so the system reports a link as a loop.
fn name_file_in_error(name: &str, error: &io::Error) -> io::Error {
    match errors::is_link(error) {
        true => io::Error::other(format!("`{name}` is a link")),
        false => io::Error::other(format!("`{name}`: {}", reason(error))),
    }
}

/// Creates a `.gitignore`, so that nobody commits and publishes the records by accident. An existing file is not
/// changed.
fn keep_out_of_git(directory: &OpenDirectory) {
    if let Ok(mut file) = directory.file(GITIGNORE, AccessMode::New) {
        let _ = file.write_all(b"*\n");
    }
}

/// Returns the object of a record as a line of JSON, with the current time in its time members.
fn line(record: &Record) -> io::Result<Vec<u8>> {
    let mut fields = record.fields.clone();
    fields.values_mut().for_each(|value| limit_nesting(value, MAX_NESTING));
    let now = time::rfc3339_now();
    for key in &record.times {
        fields.insert(key.clone(), Json::String(now.clone()));
    }
    let mut line = serde_json::to_vec(&fields)?;
    line.push(b'\n');
    Ok(line)
}

/// Replaces lists and objects that are nested deeper than `levels` by null.
fn limit_nesting(value: &mut Json, levels: usize) {
    match (value, levels.checked_sub(1)) {
        (value @ (Json::Array(_) | Json::Object(_)), None) => *value = Json::Null,
        (Json::Array(values), Some(below)) => values.iter_mut().for_each(|value| limit_nesting(value, below)),
        (Json::Object(members), Some(below)) => members.values_mut().for_each(|value| limit_nesting(value, below)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
