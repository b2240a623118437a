//! The list to which the accesses of a command are added.

use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, Verb};
use crate::word::{Cause, Unknown, Word};

/// The maximum number of accesses that are listed for one command. Beyond it, one access of each kind to an unknown
/// path is added.
const LIMIT: usize = 4_096;

/// How many of the last accesses are compared with a new one. That keeps duplicates rare at little cost.
const COMPARED: usize = 8;

/// The accesses of a command that were found so far.
#[derive(Default)]
pub(super) struct FileAccesses {
    pub(super) found: Vec<FileAccess>,
    /// Accesses of a program of this machine to files on another one, or in a container.
    pub(super) elsewhere: Vec<(Verb, Word)>,
}

impl FileAccesses {
    /// Adds an access, unless it is to a standard stream, to a pipe, or the same as a recent one.
    pub(super) fn add(&mut self, access: FileAccess) {
        // Nearly every program takes `-` for its standard input or output. An empty word does not name a file.
        let is_stream = matches!(access.path.known_text(), Some("-" | "")) && access.verb != Verb::Deletes;
        if is_stream || access.path.is_pipe() || self.found.iter().rev().take(COMPARED).any(|known| *known == access) {
            return;
        }
        if self.found.len() < LIMIT {
            return self.found.push(access);
        }
        if !self.found.iter().skip(LIMIT).any(|known| known.verb == access.verb) {
            let path = Word::unknown_words(Unknown::new(Cause::TooLong, access.path.display_text()));
            self.found.push(FileAccess { path, ..access });
        }
    }

    /// Adds a certain access to the path alone.
    pub(super) fn add_certain(&mut self, verb: Verb, path: &Word) {
        self.add_with_extent(verb, path, AccessExtent::PathOnly);
    }

    /// Adds an access to a file that is not on this machine.
    pub(super) fn add_elsewhere(&mut self, verb: Verb, path: Word) {
        if self.elsewhere.len() < LIMIT {
            self.elsewhere.push((verb, path));
        }
    }

    pub(super) fn add_read(&mut self, path: &Word) {
        self.add_certain(Verb::Reads, path);
    }

    pub(super) fn add_write(&mut self, path: &Word) {
        self.add_certain(Verb::Writes, path);
    }

    pub(super) fn add_delete(&mut self, path: &Word) {
        self.add_certain(Verb::Deletes, path);
    }

    /// Adds a certain access to the existing files below a path that pass a filter.
    pub(super) fn add_below(&mut self, verb: Verb, path: &Word, filter: &FileFilter) {
        self.add_with_extent(verb, path, AccessExtent::Below(filter.clone()));
    }

    /// Adds a certain access with this extent.
    pub(super) fn add_with_extent(&mut self, verb: Verb, path: &Word, extent: AccessExtent) {
        self.add(FileAccess { verb, path: path.clone(), extent, certainty: AccessCertainty::Certain });
    }

    /// Makes all certain accesses uncertain, except the first `kept`.
    pub(super) fn make_uncertain(&mut self, kept: usize, why: &Unknown) {
        for access in self.found.iter_mut().skip(kept).filter(|access| access.certainty.is_certain_if_present()) {
            access.certainty = AccessCertainty::Maybe(why.clone());
        }
    }

    /// Adds a possible access to the path alone.
    pub(super) fn add_possible(&mut self, verb: Verb, path: &Word, why: Unknown) {
        self.add(FileAccess {
            verb,
            path: path.clone(),
            extent: AccessExtent::PathOnly,
            certainty: AccessCertainty::Maybe(why),
        });
    }
}
