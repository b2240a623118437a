//! The compiled alternatives of a list of globs on paths, in a few vectors, and their encoding as bytes.

use crate::bytes::{ByteReader, encode_count, encode_pair};
use crate::path::drives::begins_with_own_drive;
use crate::path::wild::{CompiledGlobs, GlobId};
use crate::path::{absolute_on_drive, strip_home};

use super::entry::{GlobAnchor, GlobEntry, GlobSegment};

/// The compiled alternatives of all globs of a list, in order.
#[derive(Clone, Default, Debug)]
pub(in crate::path) struct GlobTable {
    rows: Vec<AlternativeRow>,
    segments: Vec<GlobSegment>,
    wilds: CompiledGlobs,
}

/// An alternative. Its segments begin where those of the previous alternative end.
#[derive(Clone, Copy, Debug)]
struct AlternativeRow {
    excludes: bool,
    anchor: GlobAnchor,
    /// The end of its segments in the table's `segments`.
    end: usize,
}

/// The encoding of the segment `**`. The encoding of any other segment is the number of its parts plus one.
const DEEP: usize = 0;

/// The number of low bits of an encoded alternative that hold its anchor and whether it excludes. The other bits hold
/// the number of its segments.
const HEAD_BITS: u32 = 3;
/// The mask of the bits of the anchor, after the bit that is set if the alternative excludes.
const ANCHORS: usize = 3;
/// The encoding of [`GlobAnchor::Root`].
const ROOT: usize = 0;
/// The encoding of [`GlobAnchor::Home`].
const HOME: usize = 1;
/// The encoding of `Project { up: 0 }`.
const PROJECT: usize = 2;
/// The encoding of `Project { up }` with `up` above 0. The value of `up` is encoded after all alternatives.
const ABOVE: usize = 3;

/// Whether the paths that an entry matches are included or excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::path) enum EntryEffect {
    Includes,
    Excludes,
}

impl GlobTable {
    /// Compiles a glob without braces and adds it. The error is a message about the first problem in the glob.
    pub(in crate::path) fn add(&mut self, effect: EntryEffect, glob: &str) -> Result<(), String> {
        let start = self.segments.len();
        let anchor = self.add_segments(glob).inspect_err(|_| self.segments.truncate(start))?;
        self.end_row(effect, anchor);
        Ok(())
    }

    /// Adds a copy of an alternative of another table.
    pub(in crate::path) fn add_entry(&mut self, entry: &GlobEntry<'_>) {
        for segment in entry.segments {
            let segment = match segment {
                GlobSegment::Deep => GlobSegment::Deep,
                GlobSegment::One(wild) => GlobSegment::One(self.wilds.add_copy(entry.wilds.get(*wild))),
            };
            self.segments.push(segment);
        }
        self.end_row(if entry.excludes { EntryEffect::Excludes } else { EntryEffect::Includes }, entry.anchor);
    }

    /// Compiles the segments of a glob and appends them. Returns the anchor of the glob.
    fn add_segments(&mut self, glob: &str) -> Result<GlobAnchor, String> {
        let on_drive = absolute_on_drive(glob);
        let glob = on_drive.as_deref().unwrap_or(glob);
        let is_from_root = glob.starts_with('/') || begins_with_own_drive(glob);
        let (mut anchor, rest) = match strip_home(glob) {
            Some(rest) => (GlobAnchor::Home, rest),
            None if is_from_root => (GlobAnchor::Root, glob),
            None if !glob.contains('/') || glob.starts_with("**/") => (GlobAnchor::Root, glob),
            None => (GlobAnchor::Project { up: 0 }, glob),
        };
        let start = self.segments.len();
        if anchor == GlobAnchor::Root && !is_from_root {
            self.segments.push(GlobSegment::Deep);
        }
        for name in rest.split('/') {
            match (name, self.last_segment(start)) {
                ("" | ".", _) | ("**", Some(GlobSegment::Deep)) => {}
                ("**", _) => self.segments.push(GlobSegment::Deep),
                ("..", Some(GlobSegment::One(_))) => {
                    self.segments.pop();
                }
                ("..", None) => match &mut anchor {
                    GlobAnchor::Project { up } => *up += 1,
                    GlobAnchor::Root => {}
                    GlobAnchor::Home => {
                        return Err("`..` leaves the home directory; write the absolute path".to_owned());
                    }
                },
                ("..", Some(GlobSegment::Deep)) => return Err("`..` after `**` names nothing certain".to_owned()),
                (name, _) => self.segments.push(GlobSegment::One(self.wilds.add(name)?)),
            }
        }
        // The glob `D/**` does not match D itself, so the `**` becomes `*/**`, at least one name. `D/` is the same as
        // `D/**`.
        let names_directory = self.segments.len() > start + 1 || anchor != GlobAnchor::Root || is_from_root;
        let matches_below = match self.last_segment(start) {
            Some(GlobSegment::Deep) if names_directory => self.segments.pop().is_some(),
            Some(GlobSegment::One(_)) => glob.ends_with('/'),
            _ => false,
        };
        if matches_below {
            let any = self.wilds.add_any();
            self.segments.extend([GlobSegment::One(any), GlobSegment::Deep]);
        }
        Ok(anchor)
    }

    /// Returns the alternatives, in order.
    pub(in crate::path) fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = GlobEntry<'_>> + ExactSizeIterator + Clone {
        let start = |row: usize| row.checked_sub(1).and_then(|before| self.rows.get(before)).map_or(0, |row| row.end);
        self.rows.iter().enumerate().map(move |(number, row)| GlobEntry {
            excludes: row.excludes,
            anchor: row.anchor,
            segments: self.segments.get(start(number)..row.end).unwrap_or_default(),
            wilds: &self.wilds,
        })
    }

    /// Returns the table for comparison with names folded by [`fold`](crate::path::fold).
    pub(super) fn fold_case(&self) -> Self {
        Self { rows: self.rows.clone(), segments: self.segments.clone(), wilds: self.wilds.fold_case() }
    }

    /// Appends the encoded table to `out`: the globs of all segments, then the number of parts of each segment, then
    /// for each alternative the number of its segments, its anchor, and whether it excludes.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        // Globs of segments that a `..` removed are still in `wilds`, and are not encoded.
        let segments = || self.entries().flat_map(|entry| entry.segments);
        let wilds = segments().filter_map(|segment| match segment {
            GlobSegment::Deep => None,
            GlobSegment::One(wild) => Some(self.wilds.get(*wild)),
        });
        CompiledGlobs::encode_globs(wilds, out);
        encode_count(self.entries().map(|entry| entry.segments.len()).sum(), out);
        for segment in segments() {
            let parts = match segment {
                GlobSegment::Deep => DEEP,
                GlobSegment::One(wild) => self.wilds.get(*wild).len() + 1,
            };
            encode_pair(parts, out);
        }
        encode_count(self.rows.len(), out);
        for entry in self.entries() {
            let anchor = match entry.anchor {
                GlobAnchor::Root => ROOT,
                GlobAnchor::Home => HOME,
                GlobAnchor::Project { up: 0 } => PROJECT,
                GlobAnchor::Project { .. } => ABOVE,
            };
            encode_pair(entry.segments.len() << HEAD_BITS | anchor << 1 | usize::from(entry.excludes), out);
        }
        for row in &self.rows {
            if let GlobAnchor::Project { up: up @ 1.. } = row.anchor {
                encode_count(up, out);
            }
        }
    }

    /// Decodes a table; `None` if the bytes are malformed.
    pub(super) fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        let wilds = CompiledGlobs::decode_globs(input)?;
        let count = input.count()?;
        let mut parts = 0;
        let segment = |encoded: &[u8; 2]| match usize::from(u16::from_le_bytes(*encoded)) {
            DEEP => GlobSegment::Deep,
            parts_plus_one => GlobSegment::One(GlobId::next_range(&mut parts, parts_plus_one - 1)),
        };
        let segments: Vec<GlobSegment> = input.pairs(count)?.iter().map(segment).collect();
        let count = input.count()?;
        let heads = input.pairs(count)?;
        let (mut rows, mut end) = (Vec::with_capacity(count), 0_usize);
        for head in heads {
            let head = usize::from(u16::from_le_bytes(*head));
            end = end.checked_add(head >> HEAD_BITS)?;
            let anchor = match head >> 1 & ANCHORS {
                ROOT => GlobAnchor::Root,
                HOME => GlobAnchor::Home,
                PROJECT => GlobAnchor::Project { up: 0 },
                _ => GlobAnchor::Project { up: input.size()? },
            };
            rows.push(AlternativeRow { excludes: head & 1 == 1, anchor, end });
        }
        let is_complete = wilds.has_part_count(parts) && end == segments.len();
        is_complete.then_some(Self { rows, segments, wilds })
    }

    /// Returns the last segment, if its index is at least `start`.
    fn last_segment(&self, start: usize) -> Option<GlobSegment> {
        self.segments.get(start..).and_then(<[GlobSegment]>::last).copied()
    }

    /// Adds the row of an alternative, whose segments are already appended.
    fn end_row(&mut self, effect: EntryEffect, anchor: GlobAnchor) {
        self.rows.push(AlternativeRow { excludes: effect == EntryEffect::Excludes, anchor, end: self.segments.len() });
    }
}
