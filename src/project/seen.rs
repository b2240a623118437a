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
use directory::{Again, Listed};

pub(super) use directory::{Entries, Level};

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
pub struct Time {
    /// Since 1970.
    pub seconds: i64,
    /// Additional nanoseconds.
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

/// Metadata that distinguishes one state of a file or directory from another without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: Time,
    changed: Time,
}

/// Something that loading read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    path: PathBuf,
    what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    /// A file that was read; with its text if the times are not reliable.
    File(Stamp, Option<Vec<u8>>),
    /// A file that was read, with its text: its file system never writes back, so the times never show the changes of a
    /// program that has it mapped into memory.
    InMemory(Stamp, Vec<u8>),
    /// A directory that was listed.
    Directory(Listed),
    /// It was absent.
    Absent,
    /// It was not a directory; or a link, whose time says nothing about its target.
    NoDirectory,
    /// Its final target, with all links resolved.
    LedTo(PathBuf),
    /// Like [`What::File`], by fingerprint: the file may be long.
    Pinned(Stamp, Option<String>),
    /// Like [`What::InMemory`], by fingerprint.
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

/// The result of looking at something again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Look {
    /// It is unchanged.
    Same,
    /// The contents are the same, but the times changed: this is the new state.
    Touched(Seen),
    /// The contents may have changed.
    Other,
}

impl Time {
    /// Whether changes at these two times may have the same timestamp.
    fn is_close_to(self, later: Self, grain: i64) -> bool {
        later.seconds.saturating_sub(self.seconds) <= grain
    }

    /// Like [`Time::is_close_to`], in either order.
    fn is_near(self, other: Self, grain: i64) -> bool {
        self.seconds.abs_diff(other.seconds) <= grain.unsigned_abs()
    }
}

impl Stamp {
    /// Returns the stamp for some metadata.
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

    /// Returns the moment at which a file was created, by the clock of its file system.
    #[must_use]
    pub fn moment(&self) -> Moment {
        Moment { time: self.modified, device: self.device }
    }

    /// Returns the number of seconds during which a change may leave the stamp the same, given that number for the same
    /// clock.
    fn grain(&self, device: u64, here: i64) -> i64 {
        if self.device == device { here } else { GRAIN_ELSEWHERE.max(here) }
    }

    /// Whether a change at some time or later might leave the stamp the same.
    fn is_racy(&self, at: Moment, here: i64) -> bool {
        let grain = self.grain(at.device, here);
        // The modification time can be set to any value; the change time comes from the clock, and a change now would
        // have it.
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

    /// Prepares the read of a file.
    pub(crate) fn before_reading(path: &Path) -> Self {
        let what = Stamp::at(path).map_or(What::Absent, |stamp| What::File(stamp, None));
        Self { path: path.to_path_buf(), what }
    }

    /// Keeps the text that was read.
    pub(super) fn with_text(mut self, text: &[u8]) -> Self {
        if let What::File(_, kept) = &mut self.what {
            *kept = Some(text.to_vec());
        }
        self
    }

    /// Keeps the fingerprint of what was read, for a file that may be long.
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

    /// Lists the files of a directory that is no layer's.
    pub(crate) fn files_of(path: &Path) -> (Vec<PathBuf>, Self) {
        directory::files_of(path)
    }

    pub(crate) fn led_to(path: &Path, physical: &Path) -> Self {
        Self { path: path.to_path_buf(), what: What::LedTo(physical.to_path_buf()) }
    }

    /// Drops contents for which the times are reliable, given a moment before anything was read.
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

    /// Whether content is kept because the times are not reliable.
    #[cfg(test)]
    fn is_unsettled(&self) -> bool {
        match &self.what {
            What::Directory(listed) => listed.is_unsettled(),
            what => matches!(what, What::File(_, Some(_)) | What::Pinned(_, Some(_))),
        }
    }

    /// Returns when unreliable times become reliable, in seconds since 1970, given the device of the clock.
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

    /// Whether the contents are unchanged.
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
