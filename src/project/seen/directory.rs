//! A directory of sources that was listed: what of its entries decides which sources there are.
//!
//! Records, editors and people write other files beside the sources. They change the times of the directory, but not
//! what a policy is made of.

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

use super::{GRAIN, Moment, Seen, Stamp, What};

/// How many entries that do not count are passed over: a directory with more of them is loaded anew, and loading says
/// where it ends.
const MOST_OTHERS: usize = 1_000;

/// Whether a directory is a layer's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::project) enum Level {
    /// It is: its `local` and `log` are not looked into.
    Top,
    /// It lies below.
    Below,
}

/// Whether the times of a directory tell of the next change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Times {
    /// They are as recent as the look itself.
    TooRecent,
    /// They do.
    Tell,
}

/// A directory as it was listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Listed {
    pub(super) stamp: Stamp,
    pub(super) level: Level,
    pub(super) times: Times,
    /// The fingerprint of who owns it and may write it, and of the entries that count.
    pub(super) entries: String,
}

wire_enum!(Level { 0 = Top, 1 = Below });
wire_enum!(Times { 0 = TooRecent, 1 = Tell });
wire_struct!(Listed { stamp, level, times, entries });

/// What a directory comes to when it is looked at again.
pub(super) enum Again {
    /// It is as it was.
    Same,
    /// It has other times, and the same sources.
    Touched(Listed),
    /// Its sources may be others.
    Other,
}

impl Level {
    /// Tells whether an entry is a source, or may lead to some.
    pub(in crate::project) fn counts(self, name: &OsStr, kind: FileType) -> bool {
        let is_apart = self == Self::Top && (name == "local" || name == "log");
        let may_lead = kind.is_dir() || kind.is_symlink();
        !name.as_bytes().starts_with(b".") && !is_apart && (may_lead || is_source_name(name))
    }
}

impl Listed {
    /// Tells whether a change now might leave the times as they are.
    pub(super) fn is_unsettled(&self) -> bool {
        self.times == Times::TooRecent
    }

    /// Takes the times for telling where they do, given a moment before which the directory was not looked at.
    pub(super) fn settled(self, before: Moment) -> Self {
        let times = if self.stamp.is_racy(before, GRAIN) { self.times } else { Times::Tell };
        Self { times, ..self }
    }

    /// Looks at the directory again.
    pub(super) fn again(&self, path: &Path) -> Again {
        if self.times == Times::Tell && Stamp::at(path).is_ok_and(|now| now == self.stamp) {
            return Again::Same;
        }
        match Entries::before_listing(path, self.level).listed().ok().flatten() {
            Some(now) if now.entries != self.entries => Again::Other,
            Some(now) if now.stamp == self.stamp => Again::Same,
            Some(now) => Again::Touched(now),
            None => Again::Other,
        }
    }
}

/// A directory that is being listed.
pub(in crate::project) struct Entries {
    path: PathBuf,
    level: Level,
    /// Nothing where it cannot be looked at.
    stamp: Option<Stamp>,
    /// Who owns it, and who may write it.
    access: (u32, u32),
    counted: Vec<Vec<u8>>,
}

impl Entries {
    /// Looks at a directory that is about to be listed.
    pub(in crate::project) fn before_listing(path: &Path, level: Level) -> Self {
        let metadata = fs::symlink_metadata(path).ok();
        let access = metadata.as_ref().map(|found| (found.uid(), found.mode())).unwrap_or_default();
        let stamp = metadata.as_ref().map(Stamp::of);
        Self { path: path.to_path_buf(), level, stamp, access, counted: Vec::new() }
    }

    /// Adds an entry; tells whether it counts.
    pub(in crate::project) fn add(&mut self, name: &OsStr, kind: FileType) -> bool {
        let counts = self.level.counts(name, kind);
        if counts {
            self.counted.push(as_kept(name, kind));
        }
        counts
    }

    /// Returns what was seen.
    pub(in crate::project) fn seen(self) -> Seen {
        let path = self.path.clone();
        Seen { path, what: self.closed().map_or(What::Absent, What::Directory) }
    }

    /// Lists the directory; nothing where it is too large.
    fn listed(mut self) -> io::Result<Option<Listed>> {
        let mut others = 0;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            others += usize::from(!self.add(&entry.file_name(), entry.file_type()?));
            if others > MOST_OTHERS || self.counted.len() > MAX_ENTRIES {
                return Ok(None);
            }
        }
        Ok(self.closed())
    }

    fn closed(mut self) -> Option<Listed> {
        self.counted.sort_unstable();
        let (owner, mode) = (self.access.0.to_le_bytes(), self.access.1.to_le_bytes());
        let pieces = [owner.as_slice(), &mode].into_iter().chain(self.counted.iter().map(Vec::as_slice));
        let entries = Fingerprint::of_pieces(pieces).hex();
        Some(Listed { stamp: self.stamp?, level: self.level, times: Times::TooRecent, entries })
    }
}

/// Returns an entry of a directory as it is kept: its name and its kind.
fn as_kept(name: &OsStr, kind: FileType) -> Vec<u8> {
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
