//! The accesses found so far.

use crate::access::{Certainty, Extent, FileAccess, Filter, Verb};
use crate::word::{Cause, Unknown, Word};

/// The most accesses of one command that are listed. Each further one may be to any file.
const LIMIT: usize = 4_096;

/// How many of the last accesses are compared with a new one, to list none twice.
const NEAR: usize = 8;

/// Gathers accesses.
#[derive(Default)]
pub(super) struct FileAccesses {
    pub(super) found: Vec<FileAccess>,
}

impl FileAccesses {
    pub(super) fn add(&mut self, access: FileAccess) {
        // `-` is the standard input or output of nearly everything, and the empty word names no file.
        let is_stream = matches!(access.path.known(), Some("-" | "")) && access.verb != Verb::Deletes;
        if is_stream || access.path.is_pipe() || self.found.iter().rev().take(NEAR).any(|known| *known == access) {
            return;
        }
        if self.found.len() < LIMIT {
            return self.found.push(access);
        }
        if !self.found.iter().skip(LIMIT).any(|known| known.verb == access.verb) {
            let path = Word::several(Unknown::new(Cause::Long, access.path.shown()));
            self.found.push(FileAccess { path, ..access });
        }
    }

    /// Adds an access to the path alone, which is certain.
    pub(super) fn at(&mut self, verb: Verb, path: &Word) {
        self.reaching(verb, path, Extent::Alone);
    }

    pub(super) fn reads(&mut self, path: &Word) {
        self.at(Verb::Reads, path);
    }

    pub(super) fn writes(&mut self, path: &Word) {
        self.at(Verb::Writes, path);
    }

    pub(super) fn deletes(&mut self, path: &Word) {
        self.at(Verb::Deletes, path);
    }

    pub(super) fn below(&mut self, verb: Verb, path: &Word, filter: &Filter) {
        self.reaching(verb, path, Extent::Below(filter.clone()));
    }

    pub(super) fn reaching(&mut self, verb: Verb, path: &Word, extent: Extent) {
        self.add(FileAccess { verb, path: path.clone(), extent, certainty: Certainty::Sure });
    }

    /// Downgrades the certain accesses after the first `known` ones to possible ones.
    pub(super) fn doubt(&mut self, known: usize, why: &Unknown) {
        for access in self.found.iter_mut().skip(known).filter(|access| access.certainty.is_sure_where_present()) {
            access.certainty = Certainty::Maybe(why.clone());
        }
    }

    /// Adds a possible access to the path alone.
    pub(super) fn maybe(&mut self, verb: Verb, path: &Word, why: Unknown) {
        self.add(FileAccess { verb, path: path.clone(), extent: Extent::Alone, certainty: Certainty::Maybe(why) });
    }
}
