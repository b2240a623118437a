//! What loading read in the file system, and whether it is unchanged.
//!
//! For nearly every file, size and times show that; if the times of a file are as recent as the read itself, a second
//! change might have the same times, so its content is kept for comparison. The relevant entries of a directory are
//! always kept.

mod directory;

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::facts::resolve;
use crate::files;
use crate::fingerprint::Fingerprint;
use crate::wire::{wire_enum, wire_struct};

use super::MAX_PINNED;
use super::load::MAX_FILE;
use directory::{DirectoryCheck, ListedDirectory};

pub(super) use directory::{DirectoryLevel, DirectoryLister};

/// How far apart, in seconds, two changes of a file may be and still have the same time. The coarsest clocks of file
/// systems have a resolution of two.
const GRAIN: i64 = 2;

/// How many seconds after its last change the times of a file reliably show the next one. A program that has the file
/// mapped into memory changes it without a new time until the system writes back the previous change, which Linux by
/// default does after 35 seconds.
const GRAIN_MAPPED: i64 = 60;

/// Like [`GRAIN`], if the read was timed by the clock of another file system, such as a share whose machine is behind.
const GRAIN_ELSEWHERE: i64 = 60;

/// A time of a file, by the clock of its file system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileTime {
    /// Since 1970.
    pub seconds: i64,
    /// Additional nanoseconds.
    pub nanos: i64,
}

/// A time by the clock of a file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileSystemMoment {
    /// The time.
    pub time: FileTime,
    /// The device of the file system.
    pub device: u64,
}

/// Metadata that distinguishes one state of a file or directory from another without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileStamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: FileTime,
    changed: FileTime,
}

/// An input of a policy: a file or directory that loading read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadInput {
    path: PathBuf,
    what: InputState,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum InputState {
    /// A file that was read; with its text if the times are not reliable.
    File(FileStamp, Option<Vec<u8>>),
    /// A file that was read, with its text: its file system never writes back, so the times never show the changes of a
    /// program that has it mapped into memory.
    InMemory(FileStamp, Vec<u8>),
    /// A directory that was listed.
    Directory(ListedDirectory),
    /// It was absent.
    Absent,
    /// It was not a directory; or a link, whose time says nothing about its target.
    NotDirectory,
    /// Its final target, with all links resolved.
    LinkTarget(PathBuf),
    /// Like [`InputState::File`], by fingerprint: the file may be long.
    FileByFingerprint(FileStamp, Option<String>),
    /// Like [`InputState::InMemory`], by fingerprint.
    InMemoryByFingerprint(FileStamp, String),
}

wire_struct!(FileTime { seconds, nanos });
wire_struct!(FileStamp { device, inode, size, modified, changed });
wire_struct!(LoadInput { path, what });
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

/// The result of checking an input again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputCheck {
    /// It is unchanged.
    Unchanged,
    /// The contents are the same, but the times changed: this is the new state.
    NewTimes(LoadInput),
    /// The contents may have changed.
    MayDiffer,
}

impl FileTime {
    /// Whether changes at these two times may have the same timestamp.
    fn is_close_to(self, later: Self, grain: i64) -> bool {
        later.seconds.saturating_sub(self.seconds) <= grain
    }

    /// Like [`FileTime::is_close_to`], in either order.
    fn is_near(self, other: Self, grain: i64) -> bool {
        self.seconds.abs_diff(other.seconds) <= grain.unsigned_abs()
    }
}

impl FileStamp {
    /// Returns the stamp for some metadata.
    #[must_use]
    pub fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: FileTime { seconds: metadata.mtime(), nanos: metadata.mtime_nsec() },
            changed: FileTime { seconds: metadata.ctime(), nanos: metadata.ctime_nsec() },
        }
    }

    /// Returns the moment at which a file was created, by the clock of its file system.
    #[must_use]
    pub fn creation_moment(&self) -> FileSystemMoment {
        FileSystemMoment { time: self.modified, device: self.device }
    }

    /// Returns the number of seconds during which a change may leave the stamp the same, given that number for the same
    /// clock.
    fn grain(&self, device: u64, here: i64) -> i64 {
        if self.device == device { here } else { GRAIN_ELSEWHERE.max(here) }
    }

    /// Whether a change at some time or later might leave the stamp the same.
    fn is_racy(&self, at: FileSystemMoment, here: i64) -> bool {
        let grain = self.grain(at.device, here);
        // The modification time can be set to any value; the change time comes from the clock, and a change now would
        // have it.
        self.modified.is_near(at.time, grain) || self.changed.is_close_to(at.time, grain)
    }

    fn read_from_path(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|metadata| Self::from_metadata(&metadata))
    }
}

impl LoadInput {
    /// Returns the file, if it is one that was read.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        matches!(self.what, InputState::File(..) | InputState::InMemory(..)).then_some(self.path.as_path())
    }

    /// Prepares the read of a file.
    pub(crate) fn start_reading(path: &Path) -> Self {
        let what = FileStamp::read_from_path(path).map_or(InputState::Absent, |stamp| InputState::File(stamp, None));
        Self { path: path.to_path_buf(), what }
    }

    /// Keeps the text that was read.
    pub(super) fn with_text(mut self, text: &[u8]) -> Self {
        if let InputState::File(_, kept) = &mut self.what {
            *kept = Some(text.to_vec());
        }
        self
    }

    /// Keeps the fingerprint of what was read, for a file that may be long.
    pub(crate) fn with_fingerprint(self, fingerprint: Fingerprint) -> Self {
        let what = match self.what {
            InputState::File(stamp, _) => InputState::FileByFingerprint(stamp, Some(fingerprint.hex())),
            what => what,
        };
        Self { what, ..self }
    }

    pub(super) fn no_directory(path: &Path) -> Self {
        Self { path: path.to_path_buf(), what: InputState::NotDirectory }
    }

    /// Lists the files of a directory that is no layer's.
    pub(crate) fn list_files(path: &Path) -> (Vec<PathBuf>, Self) {
        directory::list_files(path)
    }

    pub(crate) fn from_link(path: &Path, physical: &Path) -> Self {
        Self { path: path.to_path_buf(), what: InputState::LinkTarget(physical.to_path_buf()) }
    }

    /// Drops contents for which the times are reliable, given a moment before anything was read.
    #[must_use]
    pub fn drop_redundant_contents(self, before: FileSystemMoment) -> Self {
        let what = match self.what {
            InputState::File(stamp, Some(text)) if !stamp.is_racy(before, GRAIN_MAPPED) => {
                match writes_back(&self.path) {
                    true => InputState::File(stamp, None),
                    false => InputState::InMemory(stamp, text),
                }
            }
            InputState::FileByFingerprint(stamp, Some(fingerprint)) if !stamp.is_racy(before, GRAIN_MAPPED) => {
                match writes_back(&self.path) {
                    true => InputState::FileByFingerprint(stamp, None),
                    false => InputState::InMemoryByFingerprint(stamp, fingerprint),
                }
            }
            InputState::Directory(listed) => InputState::Directory(listed.trust_times(before)),
            what => what,
        };
        Self { what, ..self }
    }

    /// Whether content is kept because the times are not reliable.
    #[cfg(test)]
    fn is_unsettled(&self) -> bool {
        match &self.what {
            InputState::Directory(listed) => listed.is_unsettled(),
            what => matches!(what, InputState::File(_, Some(_)) | InputState::FileByFingerprint(_, Some(_))),
        }
    }

    /// Returns when unreliable times become reliable, in seconds since 1970, given the device of the clock.
    #[must_use]
    pub fn reliable_from(&self, device: u64) -> Option<i64> {
        let (stamp, here) = match &self.what {
            InputState::File(stamp, Some(_)) | InputState::FileByFingerprint(stamp, Some(_)) => (stamp, GRAIN_MAPPED),
            InputState::Directory(listed) if listed.is_unsettled() => (&listed.stamp, GRAIN),
            _ => return None,
        };
        let grain = stamp.grain(device, here);
        let at = |time: FileTime| time.seconds.saturating_add(grain.saturating_add(1));
        let changed = FileTime { seconds: at(stamp.changed), nanos: 0 };
        Some(if stamp.modified.is_near(changed, grain) { at(stamp.modified) } else { changed.seconds })
    }

    /// Whether the contents are unchanged.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.check() != InputCheck::MayDiffer
    }

    /// Looks at it again.
    #[must_use]
    pub fn check(&self) -> InputCheck {
        let path = self.path.as_path();
        let is_same = match &self.what {
            InputState::Directory(listed) => match listed.check(path) {
                DirectoryCheck::Unchanged => true,
                DirectoryCheck::NewTimes(now) => {
                    return InputCheck::NewTimes(Self { path: self.path.clone(), what: InputState::Directory(now) });
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

/// Whether the file system of a file writes back changes of mapped memory; assumed if unknown.
#[cfg(target_os = "linux")]
fn writes_back(path: &Path) -> bool {
    use nix::sys::statfs::{TMPFS_MAGIC, statfs};
    statfs(path).map_or(true, |found| found.filesystem_type() != TMPFS_MAGIC)
}

#[cfg(not(target_os = "linux"))]
fn writes_back(_path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests;
