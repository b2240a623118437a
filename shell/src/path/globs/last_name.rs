//! The last names of the globs of a list, for quick rejection of files: a walk visits far more files than a list has
//! names.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use crate::path::wild::CompiledGlob;
use crate::path::{NameCase, Roots, fold};

use super::PathGlobs;
use super::entry::{GlobEntry, GlobSegment, PathNames};

/// The last names of the globs of a list, grouped by how they are compared with the name of a file.
pub struct LastNames<'g> {
    roots: &'g Roots,
    case: NameCase,
    /// Names without wildcards.
    literal: LiteralNames<'g>,
    /// Globs that end in literal text, each with its last byte.
    ends: Vec<(u8, CompiledGlob<'g>)>,
    /// For each byte, whether a glob in `ends` ends in it.
    last_bytes: [bool; 256],
    /// Globs that end in a wildcard or a class.
    other: Vec<CompiledGlob<'g>>,
    /// Entries that may match any name in a directory: `dir/**`, `dir/*`.
    any: Vec<GlobEntry<'g>>,
    /// The directory of the last query, and whether an entry in `any` may match there.
    last_query: RefCell<Option<(PathBuf, bool)>>,
}

/// A hash set of names. The hash uses only a few bytes of a name: most walks are so short that computing a good hash
/// takes longer than some additional comparisons.
struct LiteralNames<'g> {
    /// Each name, with the index of the previous name that has the same hash.
    names: Vec<(&'g str, Option<usize>)>,
    /// The index of the last name with each hash.
    last: [Option<usize>; 256],
}

impl<'g> LiteralNames<'g> {
    /// Returns the hash of a name.
    fn hash(name: &str) -> usize {
        let bytes = name.as_bytes();
        let [first, middle, last] =
            [0, bytes.len() / 2, bytes.len().saturating_sub(1)].map(|at| bytes.get(at).copied().map_or(0, usize::from));
        (first ^ (middle << 2) ^ (last << 4) ^ bytes.len()) % 256
    }

    fn insert(&mut self, name: &'g str) {
        if let Some(last) = self.last.get_mut(Self::hash(name)) {
            self.names.push((name, last.replace(self.names.len())));
        }
    }

    /// Whether the set contains a name.
    fn contains(&self, name: &str) -> bool {
        let mut at = self.last.get(Self::hash(name)).copied().flatten();
        while let Some((candidate, before)) = at.and_then(|at| self.names.get(at)) {
            if *candidate == name {
                return true;
            }
            at = *before;
        }
        false
    }
}

impl PathGlobs {
    /// Groups the last names of the globs of the list.
    #[must_use]
    pub fn last_names<'g>(&'g self, roots: &'g Roots, case: NameCase) -> LastNames<'g> {
        let mut names = LastNames {
            roots,
            case,
            literal: LiteralNames { names: Vec::new(), last: [None; 256] },
            ends: Vec::new(),
            last_bytes: [false; 256],
            other: Vec::new(),
            any: Vec::new(),
            last_query: RefCell::default(),
        };
        self.entries(case).filter(|entry| !entry.excludes).for_each(|entry| names.add(entry));
        names
    }
}

impl<'g> LastNames<'g> {
    /// Adds the last name of a glob to its group.
    fn add(&mut self, entry: GlobEntry<'g>) {
        let last = match entry.segments.last() {
            Some(GlobSegment::One(last)) => entry.wilds.get(*last),
            Some(GlobSegment::Deep) | None => return self.any.push(entry),
        };
        if last.is_any() {
            self.any.push(entry);
        } else if let Some(name) = last.literal() {
            self.literal.insert(name);
        } else if let Some(byte) = last.last_text().and_then(|text| text.bytes().last()) {
            self.ends.push((byte, last));
            self.last_bytes.iter_mut().skip(usize::from(byte)).take(1).for_each(|has| *has = true);
        } else {
            self.other.push(last);
        }
    }

    /// Whether the list could include the file of this name in a directory, whose path must be normalised; `false` is
    /// certain.
    #[must_use]
    pub fn may_match(&self, directory: &Path, name: &str) -> bool {
        let matches_name = match self.case {
            NameCase::Exact => self.matches_name(name),
            NameCase::Folded => self.matches_name(&fold(name)),
        };
        matches_name || self.matches_all_in(directory)
    }

    /// Whether the last segment of a glob matches this name, apart from globs that match any name.
    fn matches_name(&self, name: &str) -> bool {
        let last_byte = name.bytes().last().filter(|byte| self.last_bytes.get(usize::from(*byte)) == Some(&true));
        self.literal.contains(name)
            || last_byte.is_some_and(|byte| self.ends.iter().any(|(last, wild)| *last == byte && wild.matches(name)))
            || self.other.iter().any(|wild| wild.matches(name))
    }

    /// Whether an entry that matches any name may match in this directory.
    fn matches_all_in(&self, directory: &Path) -> bool {
        // Comparing the paths as text suffices; a comparison name by name would cost more than the cache saves.
        let cached = self
            .last_query
            .borrow()
            .as_ref()
            .filter(|(cached_directory, _)| cached_directory.as_os_str() == directory.as_os_str())
            .map(|(_, may_match)| *may_match);
        if let Some(cached) = cached {
            return cached;
        }
        let names = PathNames::new(directory, self.case);
        let query = names.query(self.roots);
        let found = self.any.iter().any(|entry| entry.may_reach(&query));
        *self.last_query.borrow_mut() = Some((directory.to_owned(), found));
        found
    }
}
