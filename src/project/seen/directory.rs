//! Records the state of a directory with sources when it was listed: the entries that determine which sources there
//! are.
//!
//! Other files in such a directory, which the effect `record`, editors and people create, change the times of the
//! directory, but not the policy.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::fingerprint::Fingerprint;
use crate::platform::file::{HAS_CHANGE_TIMES, is_fifo};
use crate::platform::rights::rights_bytes;
use crate::project::find::MAX_ENTRIES;
use crate::project::is_source_name;
use crate::wire::{wire_enum, wire_struct};

use super::{FileStamp, FileSystemMoment, GRAIN_SECONDS, InputState, LoadInput};

/// The maximum number of irrelevant entries that a check skips. A directory with more counts as changed. It is then
/// loaded again, which reports its own limit.
const MAX_OTHERS: usize = 1_000;

/// The role of a directory, which determines the entries that are relevant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::project) enum DirectoryLevel {
    /// The directory of a layer. Its entries `local` and `log` are not relevant.
    Top,
    /// A subdirectory of a layer's directory.
    Below,
    /// Another directory. Every entry is relevant.
    Other,
}

/// Whether the times of a directory will show the next change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimeReliability {
    /// The times are as recent as the listing itself, so a later change may leave them as they are.
    TooRecent,
    /// The times will show the next change.
    Reliable,
}

/// The state of a directory when it was listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ListedDirectory {
    /// The stamp of the directory before it was listed.
    pub(super) stamp: FileStamp,
    /// The role of the directory, which determines its relevant entries.
    pub(super) level: DirectoryLevel,
    /// Whether the stamp will show the next change.
    pub(super) times: TimeReliability,
    /// The fingerprint of the directory's owner, its mode, and its relevant entries.
    pub(super) entries: String,
}

wire_enum!(DirectoryLevel { 0 = Top, 1 = Below, 2 = Other });
wire_enum!(TimeReliability { 0 = TooRecent, 1 = Reliable });
wire_struct!(ListedDirectory { stamp, level, times, entries });

/// The result of checking a directory again.
pub(super) enum DirectoryCheck {
    /// The directory is unchanged.
    Unchanged,
    /// The directory has other times, but the same relevant entries. Has the new state.
    NewTimes(ListedDirectory),
    /// The relevant entries may have changed.
    MayDiffer,
}

impl DirectoryLevel {
    /// Whether an entry is a source, or may lead to sources.
    pub(in crate::project) fn is_relevant(self, name: &OsStr, kind: FileType) -> bool {
        if self == Self::Other {
            return true;
        }
        let is_apart = self == Self::Top && (name == "local" || name == "log");
        let may_lead = kind.is_dir() || kind.is_symlink();
        !name.as_encoded_bytes().starts_with(b".") && !is_apart && (may_lead || is_source_name(name))
    }
}

impl ListedDirectory {
    /// Whether a change now might leave the times as they are.
    pub(super) fn is_unsettled(&self) -> bool {
        self.times == TimeReliability::TooRecent
    }

    /// Marks the times as reliable if they are. `before` is a moment before the directory was read.
    pub(super) fn trust_times(self, before: FileSystemMoment) -> Self {
        let is_reliable = HAS_CHANGE_TIMES && !self.stamp.is_racy(before, GRAIN_SECONDS);
        let times = if is_reliable { TimeReliability::Reliable } else { self.times };
        Self { times, ..self }
    }

    /// Checks whether the directory has changed.
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

/// Lists the files of a directory that is not the directory of a layer, links included.
pub(super) fn list_files(path: &Path) -> (Vec<PathBuf>, LoadInput) {
    list_entries(path, |kind| !kind.is_dir())
}

/// Lists the directories in a directory, and the links, which may lead to one.
pub(super) fn list_directories(path: &Path) -> (Vec<PathBuf>, LoadInput) {
    list_entries(path, |kind| kind.is_dir() || kind.is_symlink())
}

/// Lists the entries of a directory that are of a wanted kind.
fn list_entries(path: &Path, is_wanted: impl Fn(FileType) -> bool) -> (Vec<PathBuf>, LoadInput) {
    let mut entries = DirectoryLister::start(path, DirectoryLevel::Other);
    let mut found = Vec::new();
    let Ok(listed) = fs::read_dir(path) else { return (found, LoadInput::start_reading(path)) };
    for entry in listed.flatten().take(MAX_ENTRIES) {
        let Ok(kind) = entry.file_type() else { continue };
        entries.add(&entry.file_name(), kind);
        if is_wanted(kind) {
            found.push(entry.path());
        }
    }
    found.sort();
    (found, entries.into_input())
}

/// Records the state of a directory while it is listed.
pub(in crate::project) struct DirectoryLister {
    path: PathBuf,
    level: DirectoryLevel,
    /// The stamp before the listing; `None` if the metadata cannot be read.
    stamp: Option<FileStamp>,
    /// The owner and the mode.
    access: [[u8; 4]; 2],
    /// The relevant entries, each as its kind and name.
    relevant: Vec<Vec<u8>>,
}

impl DirectoryLister {
    /// Records the metadata of a directory before it is listed.
    pub(in crate::project) fn start(path: &Path, level: DirectoryLevel) -> Self {
        let metadata = fs::symlink_metadata(path).ok();
        let access = metadata.as_ref().map(rights_bytes).unwrap_or_default();
        let stamp = metadata.as_ref().map(FileStamp::from_metadata);
        Self { path: path.to_path_buf(), level, stamp, access, relevant: Vec::new() }
    }

    /// Adds an entry, and returns whether it is relevant.
    pub(in crate::project) fn add(&mut self, name: &OsStr, kind: FileType) -> bool {
        let is_relevant = self.level.is_relevant(name, kind);
        if is_relevant {
            self.relevant.push(entry_record(name, kind));
        }
        is_relevant
    }

    /// Returns the finished record.
    pub(in crate::project) fn into_input(self) -> LoadInput {
        let path = self.path.clone();
        LoadInput { path, state: self.finish().map_or(InputState::Absent, InputState::Directory) }
    }

    /// Lists the directory; `None` if it has too many entries.
    fn list(mut self) -> io::Result<Option<ListedDirectory>> {
        let mut others = 0;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            others += usize::from(!self.add(&entry.file_name(), entry.file_type()?));
            if others > MAX_OTHERS || self.relevant.len() > MAX_ENTRIES {
                return Ok(None);
            }
        }
        Ok(self.finish())
    }

    /// Returns the state of the directory; `None` if its metadata could not be read.
    fn finish(mut self) -> Option<ListedDirectory> {
        self.relevant.sort_unstable();
        let access = self.access.iter().map(<[u8; 4]>::as_slice);
        let pieces = access.chain(self.relevant.iter().map(Vec::as_slice));
        let entries = Fingerprint::digest_pieces(pieces).hex();
        Some(ListedDirectory { stamp: self.stamp?, level: self.level, times: TimeReliability::TooRecent, entries })
    }
}

/// Returns the bytes that represent a directory entry: its kind and its name.
fn entry_record(name: &OsStr, kind: FileType) -> Vec<u8> {
    let kind = match kind {
        kind if kind.is_dir() => b'd',
        kind if kind.is_symlink() => b'l',
        kind if kind.is_file() => b'f',
        kind if is_fifo(kind) => b'p',
        _ => b'o',
    };
    let mut record = vec![kind];
    record.extend_from_slice(name.as_encoded_bytes());
    record
}
