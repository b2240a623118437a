//! Records which files and directories were read for a policy, and checks whether they have changed.
//!
//! For nearly every file, its size and times show a change. If the times are as recent as the read itself, a later
//! change may leave them the same, so the content is recorded, too. The relevant entries of a directory are always
//! recorded.

mod directory;

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::facts::resolve;
use crate::files;
use crate::fingerprint::Fingerprint;
use crate::platform::{FileNumbers, file};
use crate::wire::{wire_enum, wire_struct};

use super::MAX_PINNED;
use super::load::MAX_FILE;
use directory::{DirectoryCheck, ListedDirectory};

pub(super) use directory::{DirectoryLevel, DirectoryLister};

/// The number of seconds within which two changes of a file may get the same time. The coarsest file systems have a
/// resolution of two seconds.
const GRAIN_SECONDS: i64 = 2;

/// The number of seconds after a change until the times of a file reliably show the next change. A program that has
/// the file mapped into memory can change it without a new time until the system has written back the previous
/// change, which Linux by default does within 35 seconds.
const GRAIN_MAPPED_SECONDS: i64 = 60;

/// The same as [`GRAIN_SECONDS`] if the read was timed by the clock of another file system, such as a network share
/// whose clock is behind.
const GRAIN_ELSEWHERE_SECONDS: i64 = 60;

/// A time by the clock of a file system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileTime {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Additional nanoseconds.
    pub nanos: i64,
}

/// A time by the clock of a certain file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileSystemMoment {
    /// The time on that clock.
    pub time: FileTime,
    /// The device number of the file system.
    pub device: u64,
}

/// Those metadata of a file or directory that change when its content changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileStamp {
    device: u64,
    inode: u64,
    size: u64,
    /// The time of the last change of the content, which a program can set to any value.
    modified: FileTime,
    /// The time of the last change of the content or the metadata, which no program can set.
    changed: FileTime,
}

/// A file, directory or link that was read for a policy, with its state at that time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadInput {
    path: PathBuf,
    state: InputState,
}

/// The state of an input when it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
enum InputState {
    /// A file that was read. With its content, if its times may not show the next change.
    File(FileStamp, Option<Vec<u8>>),
    /// A file that was read, with its content. Its file system is in memory and never writes back, so its times never
    /// show changes by a program that has the file mapped.
    InMemory(FileStamp, Vec<u8>),
    /// A directory that was listed, with the state of its relevant entries.
    Directory(ListedDirectory),
    /// Nothing was at the path.
    Absent,
    /// The path was not a directory, or it was a link to something else, whose own times do not show changes of the
    /// target.
    NotDirectory,
    /// The path led to this target, with all links resolved.
    LinkTarget(PathBuf),
    /// The same as [`InputState::File`], with a fingerprint instead of the content, because the file may be long.
    FileByFingerprint(FileStamp, Option<String>),
    /// The same as [`InputState::InMemory`], with a fingerprint instead of the content.
    InMemoryByFingerprint(FileStamp, String),
}

wire_struct!(FileTime { seconds, nanos });
wire_struct!(FileStamp { device, inode, size, modified, changed });
wire_struct!(LoadInput { path, state });
wire_enum!(InputState {
    0 = File(stamp, text),
    1 = Directory(listed),
    2 = Absent,
    3 = NotDirectory,
    4 = LinkTarget(path),
    5 = InMemory(stamp, text),
    6 = FileByFingerprint(stamp, fingerprint),
    7 = InMemoryByFingerprint(stamp, fingerprint),
});

/// The result of checking whether an input has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputCheck {
    /// The input is unchanged.
    Unchanged,
    /// The content is the same, but the times have changed. Has the new state.
    NewTimes(LoadInput),
    /// The content may have changed.
    MayDiffer,
}

impl FileTime {
    /// Whether a change at this time and a later one at `later` may get the same time.
    fn is_close_to(self, later: Self, grain: i64) -> bool {
        later.seconds.saturating_sub(self.seconds) <= grain
    }

    /// Whether changes at the two times, in either order, may get the same time.
    fn is_near(self, other: Self, grain: i64) -> bool {
        self.seconds.abs_diff(other.seconds) <= grain.unsigned_abs()
    }
}

impl FileStamp {
    /// Returns the stamp of a file with this metadata.
    #[must_use]
    pub fn from_metadata(metadata: &Metadata) -> Self {
        let FileNumbers { device, inode, size, modified, changed } = file::numbers(metadata);
        let time = |(seconds, nanos)| FileTime { seconds, nanos };
        Self { device, inode, size, modified: time(modified), changed: time(changed) }
    }

    /// Returns the moment at which the file was created, by the clock of its file system. Valid only for a file that
    /// was just created: it is the modification time.
    #[must_use]
    pub fn creation_moment(&self) -> FileSystemMoment {
        FileSystemMoment { time: self.modified, device: self.device }
    }

    /// Returns the number of seconds within which a change may leave the stamp as it is. `here` is that number if the
    /// clock is that of the file's own file system; `device` is the file system of the clock.
    fn grain(&self, device: u64, here: i64) -> i64 {
        if self.device == device { here } else { GRAIN_ELSEWHERE_SECONDS.max(here) }
    }

    /// Whether a change at or after this moment might leave the stamp as it is.
    fn is_racy(&self, at: FileSystemMoment, here: i64) -> bool {
        let grain = self.grain(at.device, here);
        // A program can set the modification time to any value. The change time comes from the clock, so only an
        // earlier one that is close matters.
        self.modified.is_near(at.time, grain) || self.changed.is_close_to(at.time, grain)
    }

    /// Reads the stamp of what is at a path. Links are not followed.
    fn read_from_path(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|metadata| Self::from_metadata(&metadata))
    }
}

impl LoadInput {
    /// Returns the path if the input is a file that was read in full.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        matches!(self.state, InputState::File(..) | InputState::InMemory(..)).then_some(self.path.as_path())
    }

    /// Records the stamp of a file before it is read.
    pub(crate) fn start_reading(path: &Path) -> Self {
        let state = FileStamp::read_from_path(path).map_or(InputState::Absent, |stamp| InputState::File(stamp, None));
        Self { path: path.to_path_buf(), state }
    }

    /// Records the content that was read.
    pub(super) fn with_text(mut self, text: &[u8]) -> Self {
        if let InputState::File(_, kept) = &mut self.state {
            *kept = Some(text.to_vec());
        }
        self
    }

    /// Records the fingerprint of the content that was read, for a file that may be long.
    pub(crate) fn with_fingerprint(self, fingerprint: Fingerprint) -> Self {
        let state = match self.state {
            InputState::File(stamp, _) => InputState::FileByFingerprint(stamp, Some(fingerprint.hex())),
            state => state,
        };
        Self { state, ..self }
    }

    /// Records that a path is not a directory.
    pub(super) fn no_directory(path: &Path) -> Self {
        Self { path: path.to_path_buf(), state: InputState::NotDirectory }
    }

    /// Lists the files of a directory that is not the directory of a layer.
    pub(crate) fn list_files(path: &Path) -> (Vec<PathBuf>, Self) {
        directory::list_files(path)
    }

    /// Lists the directories in a directory that is not the directory of a layer.
    pub(crate) fn list_directories(path: &Path) -> (Vec<PathBuf>, Self) {
        directory::list_directories(path)
    }

    /// Records the target of a path, with all links resolved.
    pub(crate) fn from_link(path: &Path, physical: &Path) -> Self {
        Self { path: path.to_path_buf(), state: InputState::LinkTarget(physical.to_path_buf()) }
    }

    /// Drops the recorded content if the times are reliable. `before` is a moment before anything was read.
    #[must_use]
    pub fn drop_redundant_contents(self, before: FileSystemMoment) -> Self {
        let state = match self.state {
            InputState::File(stamp, Some(text)) if !stamp.is_racy(before, GRAIN_MAPPED_SECONDS) => {
                match file::writes_back(&self.path) {
                    true => InputState::File(stamp, None),
                    false => InputState::InMemory(stamp, text),
                }
            }
            InputState::FileByFingerprint(stamp, Some(fingerprint)) if !stamp.is_racy(before, GRAIN_MAPPED_SECONDS) => {
                match file::writes_back(&self.path) {
                    true => InputState::FileByFingerprint(stamp, None),
                    false => InputState::InMemoryByFingerprint(stamp, fingerprint),
                }
            }
            InputState::Directory(listed) => InputState::Directory(listed.trust_times(before)),
            state => state,
        };
        Self { state, ..self }
    }

    /// Whether the content is recorded because the times are not reliable.
    #[cfg(test)]
    fn is_unsettled(&self) -> bool {
        match &self.state {
            InputState::Directory(listed) => listed.is_unsettled(),
            state => matches!(state, InputState::File(_, Some(_)) | InputState::FileByFingerprint(_, Some(_))),
        }
    }

    /// Returns when unreliable times become reliable, in seconds since 1970. `None` if they already are, or never
    /// will be. `device` is the file system of the clock.
    #[must_use]
    pub fn reliable_from(&self, device: u64) -> Option<i64> {
        let (stamp, here) = match &self.state {
            InputState::File(stamp, Some(_)) | InputState::FileByFingerprint(stamp, Some(_)) => {
                (stamp, GRAIN_MAPPED_SECONDS)
            }
            InputState::Directory(listed) if listed.is_unsettled() => (&listed.stamp, GRAIN_SECONDS),
            _ => return None,
        };
        let grain = stamp.grain(device, here);
        let at = |time: FileTime| time.seconds.saturating_add(grain.saturating_add(1));
        let changed = FileTime { seconds: at(stamp.changed), nanos: 0 };
        Some(if stamp.modified.is_near(changed, grain) { at(stamp.modified) } else { changed.seconds })
    }

    /// Whether the content of the input certainly is unchanged.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.check() != InputCheck::MayDiffer
    }

    /// Checks whether the input has changed.
    #[must_use]
    pub fn check(&self) -> InputCheck {
        let path = self.path.as_path();
        let is_same = match &self.state {
            InputState::Directory(listed) => match listed.check(path) {
                DirectoryCheck::Unchanged => true,
                DirectoryCheck::NewTimes(now) => {
                    return InputCheck::NewTimes(Self { path: self.path.clone(), state: InputState::Directory(now) });
                }
                DirectoryCheck::MayDiffer => false,
            },
            InputState::File(stamp, None) | InputState::FileByFingerprint(stamp, None) => {
                FileStamp::read_from_path(path).is_ok_and(|now| now == *stamp)
            }
            InputState::File(stamp, Some(text)) | InputState::InMemory(stamp, text) => {
                FileStamp::read_from_path(path).is_ok_and(|now| now == *stamp)
                    && files::read(path, MAX_FILE).is_ok_and(|now| now == *text)
            }
            InputState::FileByFingerprint(stamp, Some(fingerprint))
            | InputState::InMemoryByFingerprint(stamp, fingerprint) => {
                FileStamp::read_from_path(path).is_ok_and(|now| now == *stamp)
                    && files::read(path, MAX_PINNED).is_ok_and(|now| Fingerprint::digest(&now).hex() == *fingerprint)
            }
            InputState::Absent => fs::symlink_metadata(path).is_err_and(|error| super::find::is_absent(&error)),
            InputState::NotDirectory => !path.is_dir(),
            InputState::LinkTarget(physical) => resolve(path) == *physical,
        };
        if is_same { InputCheck::Unchanged } else { InputCheck::MayDiffer }
    }
}

#[cfg(test)]
mod tests;
