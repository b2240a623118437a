//! Side files: a record that cannot be added to `FILE` goes to `FILE.side-PID.jsonl` in the same directory. The next
//! process that holds the lock of `FILE` adds it to `FILE`.
//!
//! That process may be killed at any point, and each record must still be added exactly once. So the process first
//! renames the side file to `.FILE.side-PID.jsonl.MARK`, which is called a claim. From the mark, a later process can
//! see where in `FILE` the records would be, and so whether they have been added.
//!
//! INVARIANT: except for [`has_side_files`], all functions are called while `FILE` is locked.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value as Json};

use crate::action::place::{AccessMode, OpenDirectory};
use crate::platform::rights::Owner;
use crate::record_place::{parse_claim_name, side_target};

use super::lines;

/// The maximum size of a side file, in bytes; a larger one was not written by this program.
const MAX_FILE_BYTES: u64 = 8 * 1_000_000;

/// The maximum number of side files that are added at once, because each is kept open.
const MAX_SIDE_FILES: usize = 256;

/// The side files of one file whose records can be added. All of them are locked.
#[derive(Debug, Default)]
pub(super) struct SideFiles {
    /// The files, each with its lock.
    locked: Vec<SideFile>,
    /// The side files that are not added this time.
    remaining: RemainingSideFiles,
}

/// The side files that still exist afterwards.
#[derive(Debug, Default)]
pub(super) struct RemainingSideFiles {
    /// The names of the files.
    names: BTreeSet<String>,
    /// The problems with these files, a sentence each.
    pub(super) problems: BTreeSet<String>,
}

/// One locked side file, with its contents.
#[derive(Debug)]
struct SideFile {
    /// The open file, which holds the lock.
    _file: File,
    /// The time of the last change, by which side files are ordered.
    changed: SystemTime,
    /// The current name: that of a side file, or of a claim.
    name: String,
    /// The name that the side file had before it became a claim.
    origin: String,
    /// Complete records, one per line.
    records: Vec<u8>,
    /// The lines that are not complete records, such as an unfinished last line.
    rest: Vec<u8>,
}

/// Whether a file has side files other than those in `known`.
pub(super) fn has_side_files(directory: &OpenDirectory, file: &str, known: &RemainingSideFiles) -> io::Result<bool> {
    let is_side_file =
        |name: &str| side_target(parse_claim_name(name).map_or(name, |(origin, _)| origin)) == Some(file);
    Ok(directory.names()?.iter().any(|name| is_side_file(name) && !known.names.contains(name)))
}

impl RemainingSideFiles {
    /// Adds the names and problems of another search.
    pub(super) fn merge(&mut self, other: Self) {
        self.names.extend(other.names);
        self.problems.extend(other.problems);
    }

    /// Notes that a side file remains because it has a line that is not a record.
    fn add_unreadable(&mut self, origin: &str) {
        self.names.insert(origin.to_owned());
        self.problems.insert(format!("`{origin}` contains a line that is not a complete record; it was left there"));
    }
}

impl SideFiles {
    /// Locks and reads the side files of a file, and sorts them from the oldest to the newest. Claims whose records
    /// have already been added are removed.
    ///
    /// Links, pipes, other users' files and locked files are left alone. The process that has locked a side file adds
    /// it.
    pub(super) fn lock_side_files(
        directory: &OpenDirectory,
        file: &str,
        has_arrived: impl Fn(&str, &[u8]) -> bool,
    ) -> io::Result<Self> {
        Self::lock_side_files_of_user(directory, file, has_arrived, Owner::this_account())
    }

    /// Does the work of [`Self::lock_side_files`] for the files that belong to a user.
    fn lock_side_files_of_user(
        directory: &OpenDirectory,
        file: &str,
        has_arrived: impl Fn(&str, &[u8]) -> bool,
        user: Owner,
    ) -> io::Result<Self> {
        let mut sides = Self::default();
        for name in directory.names()? {
            let (origin, mark) = parse_claim_name(&name).map_or((&*name, None), |(origin, mark)| (origin, Some(mark)));
            if side_target(origin) != Some(file) || sides.locked.len() == MAX_SIDE_FILES {
                continue;
            }
            let side = match SideFile::open(directory, &name, origin, user) {
                Ok(Some(side)) => side,
                Ok(None) => continue,
                Err(_) => {
                    sides.remaining.names.insert(name);
                    continue;
                }
            };
            if side.records.is_empty() && !side.rest.is_empty() {
                sides.remaining.add_unreadable(origin);
                sides.remaining.names.insert(name);
            } else if side.records.is_empty() || mark.is_some_and(|mark| has_arrived(mark, &side.records)) {
                sides.remaining.merge(side.remove(directory));
            } else if !sides.locked.iter().any(|taken| taken.origin == origin) {
                // Two claims of one side file could get the same name, so the second one is left for later.
                sides.locked.push(side);
            }
        }
        sides.locked.sort_by(|one, other| (one.changed, &one.name).cmp(&(other.changed, &other.name)));
        Ok(sides)
    }

    /// Excludes the side files whose records do not fit into `room` bytes. They remain.
    pub(super) fn exclude_larger_than(&mut self, mut room: u64) {
        let remaining = &mut self.remaining;
        self.locked.retain(|side| {
            let fits = room.checked_sub(u64::try_from(side.records.len()).unwrap_or(u64::MAX));
            room = fits.unwrap_or(0);
            if fits.is_none() {
                remaining.names.insert(side.name.clone());
            }
            fits.is_some()
        });
    }

    /// Renames all side files to claims. `mark` computes the mark of each from the number of bytes of records before
    /// it.
    ///
    /// Returns `false` if a side file could not be renamed. It is then excluded, which changes the records to write and
    /// their marks, so the caller has to try again.
    pub(super) fn claim_all(&mut self, directory: &OpenDirectory, mark: impl Fn(u64) -> String) -> bool {
        let mut before = 0;
        for at in 0..self.locked.len() {
            let Some(side) = self.locked.get_mut(at) else { break };
            let claim = format!(".{}.{}", side.origin, mark(before));
            if claim != side.name && directory.rename(&side.name, &claim).is_err() {
                let side = self.locked.remove(at);
                self.remaining.names.insert(side.name);
                return false;
            }
            side.name = claim;
            before += u64::try_from(side.records.len()).unwrap_or(u64::MAX);
        }
        true
    }

    /// Returns the number of side files.
    pub(super) fn count(&self) -> usize {
        self.locked.len()
    }

    /// Returns all records, one per line.
    pub(super) fn records(&self) -> Vec<u8> {
        self.locked.iter().flat_map(|side| side.records.iter().copied()).collect()
    }

    /// Removes the claims, whose records have been added, and returns the side files that remain.
    pub(super) fn clear(self, directory: &OpenDirectory) -> RemainingSideFiles {
        let mut remaining = self.remaining;
        for side in self.locked {
            remaining.merge(side.remove(directory));
        }
        remaining
    }
}

impl SideFile {
    /// Opens, locks and reads a side file. `None` if it no longer exists or another process has locked it.
    fn open(directory: &OpenDirectory, name: &str, origin: &str, user: Owner) -> io::Result<Option<Self>> {
        let mut file = match directory.locked(name, AccessMode::Read, Duration::ZERO) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => match opened? {
                None => return Ok(None),
                Some(file) => file,
            },
        };
        let metadata = file.metadata()?;
        if Owner::of(&metadata) != user || metadata.len() > MAX_FILE_BYTES {
            return Err(io::Error::other("it was not made by rules"));
        }
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
        let (mut records, mut rest) = (Vec::new(), Vec::new());
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = line.trim_ascii();
            if is_record(text) {
                records.extend_from_slice(text);
                records.push(b'\n');
            } else if !text.is_empty() {
                rest.extend_from_slice(line);
            }
        }
        let (name, origin) = (name.to_owned(), origin.to_owned());
        Ok(Some(Self { changed: metadata.modified()?, _file: file, name, origin, records, rest }))
    }

    /// Removes the file, and puts its lines that are not records back into a side file with the original name.
    fn remove(self, directory: &OpenDirectory) -> RemainingSideFiles {
        let mut remaining = RemainingSideFiles::default();
        let is_rest_saved = self.rest.is_empty() || {
            remaining.add_unreadable(&self.origin);
            lines::append(directory, &self.origin, &self.rest, Duration::ZERO).unwrap_or(false)
        };
        // If those lines cannot be put back, the claim remains; its mark shows that its records have been added.
        if !is_rest_saved || directory.remove(&self.name).is_err() {
            remaining.names.insert(self.name);
        }
        remaining
    }
}

/// Whether a line is one complete JSON object in UTF-8, and not nested too deeply for readers of the file.
fn is_record(line: &[u8]) -> bool {
    // The line is parsed as it will be in an array: alone between its commas.
    serde_json::from_slice::<[Map<String, Json>; 1]>(&[b"[", line, b"]"].concat()).is_ok()
}

#[cfg(test)]
mod tests;
