//! Side files: records that wait next to their file for the next holder of its lock.
//!
//! A writer that cannot get the lock of `FILE` in time writes to `FILE.side-PID.jsonl`. Folding that in may be
//! interrupted at any point, and each record still arrives once: the side file first becomes a claim,
//! `.FILE.side-PID.jsonl.MARK`, and the mark shows to anyone who finds a claim whether its records have arrived.
//!
//! INVARIANT: all but [`waits`] is for the holder of FILE's lock.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

use nix::unistd::Uid;
use serde_json::{Map, Value as Json};

use crate::action::place::{AccessMode, OpenDirectory};
use crate::record_place::{parse_claim_name, side_target};

use super::lines;

/// The largest side file, in bytes; a larger one is not ours.
const LARGEST: u64 = 8 * 1_000_000;

/// The most side files that are folded in at once; each is held open.
const MOST: usize = 256;

/// The side files of one file that can be folded in, locked.
#[derive(Debug, Default)]
pub(super) struct SideFiles {
    locked: Vec<SideFile>,
    remaining: RemainingSideFiles,
}

/// Side files that remain where they are.
#[derive(Debug, Default)]
pub(super) struct RemainingSideFiles {
    names: BTreeSet<String>,
    /// Problems with them, a sentence each.
    pub(super) problems: BTreeSet<String>,
}

#[derive(Debug)]
struct SideFile {
    /// Holds the lock.
    _file: File,
    changed: SystemTime,
    /// Its current name: a side file's, or a claim's.
    name: String,
    /// The side file's name.
    origin: String,
    /// Complete records, one per line.
    records: Vec<u8>,
    /// Other lines, the last one possibly unfinished.
    rest: Vec<u8>,
}

/// Whether a file has side files that were not left on purpose.
pub(super) fn waits(directory: &OpenDirectory, file: &str, left: &RemainingSideFiles) -> io::Result<bool> {
    let is_beside = |name: &str| side_target(parse_claim_name(name).map_or(name, |(origin, _)| origin)) == Some(file);
    Ok(directory.names()?.iter().any(|name| is_beside(name) && !left.names.contains(name)))
}

impl RemainingSideFiles {
    /// Adds the result of another look.
    pub(super) fn merge(&mut self, other: Self) {
        self.names.extend(other.names);
        self.problems.extend(other.problems);
    }

    fn unreadable(&mut self, origin: &str) {
        self.names.insert(origin.to_owned());
        self.problems.insert(format!("`{origin}` contains a line that is not a complete record; it was left there"));
    }
}

impl SideFiles {
    /// Locks and reads the side files of a file, the oldest first. Claims whose records have arrived are removed.
    ///
    /// Links, pipes, other users' files and locked files are left alone: the holder of a lock takes care of its file.
    pub(super) fn lock_side_files(
        directory: &OpenDirectory,
        file: &str,
        has_arrived: impl Fn(&str, &[u8]) -> bool,
    ) -> io::Result<Self> {
        Self::lock_side_files_of_user(directory, file, has_arrived, Uid::effective())
    }

    fn lock_side_files_of_user(
        directory: &OpenDirectory,
        file: &str,
        has_arrived: impl Fn(&str, &[u8]) -> bool,
        user: Uid,
    ) -> io::Result<Self> {
        let mut sides = Self::default();
        for name in directory.names()? {
            let (origin, mark) = parse_claim_name(&name).map_or((&*name, None), |(origin, mark)| (origin, Some(mark)));
            if side_target(origin) != Some(file) || sides.locked.len() == MOST {
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
                sides.remaining.unreadable(origin);
                sides.remaining.names.insert(name);
            } else if side.records.is_empty() || mark.is_some_and(|mark| has_arrived(mark, &side.records)) {
                sides.remaining.merge(side.remove(directory));
            } else if !sides.locked.iter().any(|taken| taken.origin == origin) {
                // Two claims for one name could become one; the other one is folded in later.
                sides.locked.push(side);
            }
        }
        sides.locked.sort_by(|one, other| (one.changed, &one.name).cmp(&(other.changed, &other.name)));
        Ok(sides)
    }

    /// Leaves side files that exceed so many bytes.
    pub(super) fn keep(&mut self, mut room: u64) {
        let left = &mut self.remaining;
        self.locked.retain(|side| {
            let fits = room.checked_sub(u64::try_from(side.records.len()).unwrap_or(u64::MAX));
            room = fits.unwrap_or(0);
            if fits.is_none() {
                left.names.insert(side.name.clone());
            }
            fits.is_some()
        });
    }

    /// Turns all into claims. The mark is computed from the number of bytes of the preceding records.
    ///
    /// `false` if one could not be renamed: it is left, and the records to write and their marks have changed.
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

    /// Returns their number.
    pub(super) fn count(&self) -> usize {
        self.locked.len()
    }

    /// Returns all records, one per line.
    pub(super) fn records(&self) -> Vec<u8> {
        self.locked.iter().flat_map(|side| side.records.iter().copied()).collect()
    }

    /// Removes the claims, whose records have arrived, and returns what remains.
    pub(super) fn clear(self, directory: &OpenDirectory) -> RemainingSideFiles {
        let mut left = self.remaining;
        for side in self.locked {
            left.merge(side.remove(directory));
        }
        left
    }
}

impl SideFile {
    /// Opens, locks and reads a side file; `None` if it is gone or locked.
    fn open(directory: &OpenDirectory, name: &str, origin: &str, user: Uid) -> io::Result<Option<Self>> {
        let mut file = match directory.locked(name, AccessMode::Read, Duration::ZERO) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => match opened? {
                None => return Ok(None),
                Some(file) => file,
            },
        };
        let metadata = file.metadata()?;
        if metadata.uid() != user.as_raw() || metadata.len() > LARGEST {
            return Err(io::Error::other("it was not made by rules"));
        }
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(LARGEST).read_to_end(&mut bytes)?;
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

    /// Removes it; lines that are not records remain, under the side file's name.
    fn remove(self, directory: &OpenDirectory) -> RemainingSideFiles {
        let mut left = RemainingSideFiles::default();
        let kept = self.rest.is_empty() || {
            left.unreadable(&self.origin);
            lines::append(directory, &self.origin, &self.rest, Duration::ZERO).unwrap_or(false)
        };
        // If they cannot be kept, the claim remains: its mark shows that its records have arrived.
        if !kept || directory.remove(&self.name).is_err() {
            left.names.insert(self.name);
        }
        left
    }
}

/// Whether a line is one whole object, in UTF-8 and nested no deeper than readers of the array can follow.
fn is_record(line: &[u8]) -> bool {
    // Parsed as it will be in the file: in an array, alone between two commas.
    serde_json::from_slice::<[Map<String, Json>; 1]>(&[b"[", line, b"]"].concat()).is_ok()
}

#[cfg(test)]
mod tests;
