//! What loading looked at in the file system, and whether it is unchanged.
//!
//! Sizes and times say that for nearly every file; where a file's times are as recent as the look itself, a second
//! change might have the same times, so its content is kept for comparison. What of a directory's entries counts is
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
use directory::{Again, Listed};

pub(super) use directory::{Entries, Level};

/// Within how many seconds two changes of a file may bear the same time. The coarsest clocks of file systems go by two.
const GRAIN: i64 = 2;

/// How many seconds after its last change the times of a file tell of the next one. A program that has it mapped into
/// its memory changes it without setting a time as long as the system has not written back what it changed before,
/// which Linux does after 35 seconds unless it is told otherwise.
const GRAIN_MAPPED: i64 = 60;

/// As [`GRAIN`] where the look was timed by the clock of another file system, such as a share whose machine is behind.
const GRAIN_ELSEWHERE: i64 = 60;

/// A time of a file, by the clock of its file system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Time {
    /// Since 1970.
    pub seconds: i64,
    /// And so many nanoseconds.
    pub nanos: i64,
}

/// A time by the clock of a file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The time.
    pub time: Time,
    /// The device of the file system.
    pub device: u64,
}

/// What tells one state of a file or directory from another without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: Time,
    changed: Time,
}

/// Something that loading looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    path: PathBuf,
    what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    /// A file that was read; its text, where times do not tell.
    File(Stamp, Option<Vec<u8>>),
    /// A file that was read, and its text: it lies in a file system that writes nothing back, so that times never tell
    /// what a program does that has it mapped into its memory.
    InMemory(Stamp, Vec<u8>),
    /// A directory that was listed.
    Directory(Listed),
    /// There was nothing.
    Absent,
    /// It was no directory; a link, of which the time says nothing about what it leads to.
    NoDirectory,
    /// It led here, all links followed.
    LedTo(PathBuf),
    /// As [`What::File`], by its fingerprint: a file that may be long.
    Pinned(Stamp, Option<String>),
    /// As [`What::InMemory`], by its fingerprint.
    PinnedInMemory(Stamp, String),
}

wire_struct!(Time { seconds, nanos });
wire_struct!(Stamp { device, inode, size, modified, changed });
wire_struct!(Seen { path, what });
wire_enum!(What {
    0 = File(stamp, text),
    1 = Directory(listed),
    2 = Absent,
    3 = NoDirectory,
    4 = LedTo(path),
    5 = InMemory(stamp, text),
    6 = Pinned(stamp, fingerprint),
    7 = PinnedInMemory(stamp, fingerprint),
});

/// What something comes to when it is looked at again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Look {
    /// It is as it was.
    Same,
    /// It says the same, but its times are others: it is to be known by these.
    Touched(Seen),
    /// It may say something else.
    Other,
}

impl Time {
    /// Tells whether changes at these two times may bear the same one.
    fn is_close_to(self, later: Self, grain: i64) -> bool {
        later.seconds.saturating_sub(self.seconds) <= grain
    }

    /// As [`Time::is_close_to`], where this one may be the later.
    fn is_near(self, other: Self, grain: i64) -> bool {
        self.seconds.abs_diff(other.seconds) <= grain.unsigned_abs()
    }
}

impl Stamp {
    /// Returns the stamp of what metadata is of.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: Time { seconds: metadata.mtime(), nanos: metadata.mtime_nsec() },
            changed: Time { seconds: metadata.ctime(), nanos: metadata.ctime_nsec() },
        }
    }

    /// Returns the moment that a file's making tells, by the clock of its file system.
    #[must_use]
    pub fn moment(&self) -> Moment {
        Moment { time: self.modified, device: self.device }
    }

    /// Returns how many seconds a change may leave the stamp as it is, given how many where the clock is the same.
    fn grain(&self, device: u64, here: i64) -> i64 {
        if self.device == device { here } else { GRAIN_ELSEWHERE.max(here) }
    }

    /// Tells whether a change at some time or later might leave the stamp as it is.
    fn is_racy(&self, at: Moment, here: i64) -> bool {
        let grain = self.grain(at.device, here);
        // The time of the content can be set to any; the other one is the clock's own, and a change now bears it.
        self.modified.is_near(at.time, grain) || self.changed.is_close_to(at.time, grain)
    }

    fn at(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|metadata| Self::of(&metadata))
    }
}

impl Seen {
    /// Returns the file, if it is one that was read.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        matches!(self.what, What::File(..) | What::InMemory(..)).then_some(self.path.as_path())
    }

    /// Looks at a file that is about to be read.
    pub(crate) fn before_reading(path: &Path) -> Self {
        let what = Stamp::at(path).map_or(What::Absent, |stamp| What::File(stamp, None));
        Self { path: path.to_path_buf(), what }
    }

    /// Keeps what was read of the file.
    pub(super) fn with_text(mut self, text: &[u8]) -> Self {
        if let What::File(_, kept) = &mut self.what {
            *kept = Some(text.to_vec());
        }
        self
    }

    /// Keeps the fingerprint of what was read of the file, which may be long.
    pub(crate) fn with_fingerprint(self, fingerprint: Fingerprint) -> Self {
        let what = match self.what {
            What::File(stamp, _) => What::Pinned(stamp, Some(fingerprint.hex())),
            what => what,
        };
        Self { what, ..self }
    }

    pub(super) fn no_directory(path: &Path) -> Self {
        Self { path: path.to_path_buf(), what: What::NoDirectory }
    }

    pub(crate) fn led_to(path: &Path, physical: &Path) -> Self {
        Self { path: path.to_path_buf(), what: What::LedTo(physical.to_path_buf()) }
    }

    /// Forgets contents that the times tell of, given a moment before which nothing of all this was looked at.
    #[must_use]
    pub fn settled(self, before: Moment) -> Self {
        let what = match self.what {
            What::File(stamp, Some(text)) if !stamp.is_racy(before, GRAIN_MAPPED) => match writes_back(&self.path) {
                true => What::File(stamp, None),
                false => What::InMemory(stamp, text),
            },
            What::Pinned(stamp, Some(fingerprint)) if !stamp.is_racy(before, GRAIN_MAPPED) => {
                match writes_back(&self.path) {
                    true => What::Pinned(stamp, None),
                    false => What::PinnedInMemory(stamp, fingerprint),
                }
            }
            What::Directory(listed) => What::Directory(listed.settled(before)),
            what => what,
        };
        Self { what, ..self }
    }

    /// Tells whether content is kept because the times do not tell.
    #[cfg(test)]
    fn is_unsettled(&self) -> bool {
        match &self.what {
            What::Directory(listed) => listed.is_unsettled(),
            what => matches!(what, What::File(_, Some(_)) | What::Pinned(_, Some(_))),
        }
    }

    /// Returns when the times of what is unsettled will tell, in seconds since 1970, given the device of the clock.
    #[must_use]
    pub fn settles_at(&self, device: u64) -> Option<i64> {
        let (stamp, here) = match &self.what {
            What::File(stamp, Some(_)) | What::Pinned(stamp, Some(_)) => (stamp, GRAIN_MAPPED),
            What::Directory(listed) if listed.is_unsettled() => (&listed.stamp, GRAIN),
            _ => return None,
        };
        let grain = stamp.grain(device, here);
        let at = |time: Time| time.seconds.saturating_add(grain.saturating_add(1));
        let changed = Time { seconds: at(stamp.changed), nanos: 0 };
        Some(if stamp.modified.is_near(changed, grain) { at(stamp.modified) } else { changed.seconds })
    }

    /// Tells whether it says what it said.
    #[must_use]
    pub fn still_holds(&self) -> bool {
        self.look() != Look::Other
    }

    /// Looks at it again.
    #[must_use]
    pub fn look(&self) -> Look {
        let path = self.path.as_path();
        let is_same = match &self.what {
            What::Directory(listed) => match listed.again(path) {
                Again::Same => true,
                Again::Touched(now) => {
                    return Look::Touched(Self { path: self.path.clone(), what: What::Directory(now) });
                }
                Again::Other => false,
            },
            What::File(stamp, None) | What::Pinned(stamp, None) => Stamp::at(path).is_ok_and(|now| now == *stamp),
            What::File(stamp, Some(text)) | What::InMemory(stamp, text) => {
                Stamp::at(path).is_ok_and(|now| now == *stamp)
                    && files::read(path, MAX_FILE).is_ok_and(|now| now == *text)
            }
            What::Pinned(stamp, Some(fingerprint)) | What::PinnedInMemory(stamp, fingerprint) => {
                Stamp::at(path).is_ok_and(|now| now == *stamp)
                    && files::read(path, MAX_PINNED).is_ok_and(|now| Fingerprint::of(&now).hex() == *fingerprint)
            }
            What::Absent => fs::symlink_metadata(path).is_err_and(|error| super::find::is_absent(&error)),
            What::NoDirectory => !path.is_dir(),
            What::LedTo(physical) => resolve(path) == *physical,
        };
        if is_same { Look::Same } else { Look::Other }
    }
}

/// Tells whether the file system of a file writes back what programs change in their memory; where that cannot be told,
/// that is taken for granted.
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
