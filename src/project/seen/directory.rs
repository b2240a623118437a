//! A listed directory of sources: the entries that determine which sources there are.
//!
//! Records, editors and people write other files next to the sources. They change the times of the directory, but not
//! the contents of a policy.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::fingerprint::Fingerprint;
use crate::project::find::MAX_ENTRIES;
use crate::project::is_source_name;
use crate::wire::{wire_enum, wire_struct};

use super::{FileStamp, FileSystemMoment, GRAIN, InputState, LoadInput};

/// The maximum number of irrelevant entries that are skipped: a directory with more of them is loaded anew, and loading
/// reports its own limit.
const MOST_OTHERS: usize = 1_000;

/// Whether a directory is a layer's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::project) enum DirectoryLevel {
    /// It is: its `local` and `log` are ignored.
    Top,
    /// It is below.
    Below,
    /// It is no layer's: every entry is relevant.
    Other,
}

/// Whether the times of a directory will reveal the next change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimeReliability {
    /// Not yet: they are as recent as the listing itself.
    TooRecent,
    /// They will.
    Reliable,
}

/// The state of a directory when it was listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ListedDirectory {
    pub(super) stamp: FileStamp,
    pub(super) level: DirectoryLevel,
    pub(super) times: TimeReliability,
    /// The fingerprint of its owner, its mode, and the relevant entries.
    pub(super) entries: String,
}

wire_enum!(DirectoryLevel { 0 = Top, 1 = Below, 2 = Other });
wire_enum!(TimeReliability { 0 = TooRecent, 1 = Reliable });
wire_struct!(ListedDirectory { stamp, level, times, entries });

/// The result of checking a directory again.
pub(super) enum DirectoryCheck {
    /// It is unchanged.
    Unchanged,
    /// It has other times, but the same sources.
    NewTimes(ListedDirectory),
    /// Its sources may have changed.
    MayDiffer,
}

impl DirectoryLevel {
    /// Whether an entry is a source, or may lead to some.
    pub(in crate::project) fn is_relevant(self, name: &OsStr, kind: FileType) -> bool {
        if self == Self::Other {
            return true;
        }
        let is_apart = self == Self::Top && (name == "local" || name == "log");
        let may_lead = kind.is_dir() || kind.is_symlink();
        !name.as_bytes().starts_with(b".") && !is_apart && (may_lead || is_source_name(name))
    }
}

impl ListedDirectory {
    /// Whether a change now might not be visible in the times.
    pub(super) fn is_unsettled(&self) -> bool {
        self.times == TimeReliability::TooRecent
    }

    /// Trusts the times if possible, given a moment before the directory was first read.
    pub(super) fn trust_times(self, before: FileSystemMoment) -> Self {
        let times = if self.stamp.is_racy(before, GRAIN) { self.times } else { TimeReliability::Reliable };
        Self { times, ..self }
    }

    /// Looks at the directory again.
    pub(super) fn check(&self, path: &Path) -> DirectoryCheck {
        if self.times == TimeReliability::Reliable && FileStamp::read_from_path(path).is_ok_and(|now| now == self.stamp)
        {
            return DirectoryCheck::Unchanged;
        }
        match DirectoryLister::start(path, self.level).list().ok().flatten() {
            Some(now) if now.entries != self.entries => DirectoryCheck::MayDiffer,
            Some(now) if now.stamp == self.stamp => DirectoryCheck::Unchanged,
            Some(now) => DirectoryCheck::NewTimes(now),
            None => DirectoryCheck::MayDiffer,
        }
    }
}

/// Lists the files of a directory that is no layer's.
pub(super) fn list_files(path: &Path) -> (Vec<PathBuf>, LoadInput) {
    let mut entries = DirectoryLister::start(path, DirectoryLevel::Other);
    let mut files = Vec::new();
    let Ok(listed) = fs::read_dir(path) else { return (files, LoadInput::start_reading(path)) };
    for entry in listed.flatten().take(MAX_ENTRIES) {
        let Ok(kind) = entry.file_type() else { continue };
        entries.add(&entry.file_name(), kind);
        if !kind.is_dir() {
            files.push(entry.path());
        }
    }
    files.sort();
    (files, entries.into_input())
}

/// A directory while it is being listed.
pub(in crate::project) struct DirectoryLister {
    path: PathBuf,
    level: DirectoryLevel,
    /// `None` if its metadata cannot be read.
    stamp: Option<FileStamp>,
    /// Its owner and mode.
    access: (u32, u32),
    counted: Vec<Vec<u8>>,
}

impl DirectoryLister {
    /// Prepares the listing of a directory.
    pub(in crate::project) fn start(path: &Path, level: DirectoryLevel) -> Self {
        let metadata = fs::symlink_metadata(path).ok();
        let access = metadata.as_ref().map(|found| (found.uid(), found.mode())).unwrap_or_default();
        let stamp = metadata.as_ref().map(FileStamp::from_metadata);
        Self { path: path.to_path_buf(), level, stamp, access, counted: Vec::new() }
    }

    /// Adds an entry, and returns whether it is relevant.
    pub(in crate::project) fn add(&mut self, name: &OsStr, kind: FileType) -> bool {
        let counts = self.level.is_relevant(name, kind);
        if counts {
            self.counted.push(entry_record(name, kind));
        }
        counts
    }

    /// Returns the finished listing.
    pub(in crate::project) fn into_input(self) -> LoadInput {
        let path = self.path.clone();
        LoadInput { path, what: self.finish().map_or(InputState::Absent, InputState::Directory) }
    }

    /// Lists the directory; `None` if it is too large.
    fn list(mut self) -> io::Result<Option<ListedDirectory>> {
        let mut others = 0;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            others += usize::from(!self.add(&entry.file_name(), entry.file_type()?));
            if others > MOST_OTHERS || self.counted.len() > MAX_ENTRIES {
                return Ok(None);
            }
        }
        Ok(self.finish())
    }

    fn finish(mut self) -> Option<ListedDirectory> {
        self.counted.sort_unstable();
        let (owner, mode) = (self.access.0.to_le_bytes(), self.access.1.to_le_bytes());
        let pieces = [owner.as_slice(), &mode].into_iter().chain(self.counted.iter().map(Vec::as_slice));
        let entries = Fingerprint::digest_pieces(pieces).hex();
        Some(ListedDirectory { stamp: self.stamp?, level: self.level, times: TimeReliability::TooRecent, entries })
    }
}

/// Returns the record of a directory entry: its name and its kind.
fn entry_record(name: &OsStr, kind: FileType) -> Vec<u8> {
    let kind = match kind {
        kind if kind.is_dir() => b'd',
        kind if kind.is_symlink() => b'l',
        kind if kind.is_file() => b'f',
        kind if kind.is_fifo() => b'p',
        _ => b'o',
    };
    let mut kept = vec![kind];
    kept.extend_from_slice(name.as_bytes());
    kept
}
