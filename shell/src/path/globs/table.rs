//! The compiled alternatives of a list of path globs, in a few contiguous vectors; their encoding as bytes.

use crate::bytes::{Input, put_count, put_pair};
use crate::path::after_home;
use crate::path::wild::{WildId, Wilds};

use super::entry::{Anchor, Entry, Segment};

/// The alternatives of all globs of a list, in order.
#[derive(Clone, Default, Debug)]
pub(in crate::path) struct Table {
    rows: Vec<Row>,
    segments: Vec<Segment>,
    wilds: Wilds,
}

/// An alternative. Its segments begin where those of the previous one end.
#[derive(Clone, Copy, Debug)]
struct Row {
    excludes: bool,
    anchor: Anchor,
    end: usize,
}

/// The encoding of `**`; another segment is encoded as its number of parts plus one.
const DEEP: usize = 0;

/// The encoding of an alternative: its number of segments, and in the low bits its anchor and whether it excludes.
const HEAD_BITS: u32 = 3;
const ANCHORS: usize = 3;
const ROOT: usize = 0;
const HOME: usize = 1;
const PROJECT: usize = 2;
/// The levels of `Project { up }` are encoded after all alternatives.
const ABOVE: usize = 3;

/// What an entry does with its matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::path) enum Effect {
    Includes,
    Excludes,
}

impl Table {
    /// Compiles a glob without alternatives and adds it; the error describes the problem.
    pub(in crate::path) fn add(&mut self, effect: Effect, glob: &str) -> Result<(), String> {
        let start = self.segments.len();
        let anchor = self.add_segments(glob).inspect_err(|_| self.segments.truncate(start))?;
        self.end_row(effect, anchor);
        Ok(())
    }

    /// Adds an alternative of another table.
    pub(in crate::path) fn add_entry(&mut self, entry: &Entry<'_>) {
        for segment in entry.segments {
            let segment = match segment {
                Segment::Deep => Segment::Deep,
                Segment::One(wild) => Segment::One(self.wilds.add_copy(entry.wilds.get(*wild))),
            };
            self.segments.push(segment);
        }
        self.end_row(if entry.excludes { Effect::Excludes } else { Effect::Includes }, entry.anchor);
    }

    fn add_segments(&mut self, glob: &str) -> Result<Anchor, String> {
        let (mut anchor, rest) = match after_home(glob) {
            Some(rest) => (Anchor::Home, rest),
            None if glob.starts_with('/') => (Anchor::Root, glob),
            None if !glob.contains('/') || glob.starts_with("**/") => (Anchor::Root, glob),
            None => (Anchor::Project { up: 0 }, glob),
        };
        let start = self.segments.len();
        if anchor == Anchor::Root && !glob.starts_with('/') {
            self.segments.push(Segment::Deep);
        }
        for name in rest.split('/') {
            match (name, self.last_from(start)) {
                ("" | ".", _) | ("**", Some(Segment::Deep)) => {}
                ("**", _) => self.segments.push(Segment::Deep),
                ("..", Some(Segment::One(_))) => {
                    self.segments.pop();
                }
                ("..", None) => match &mut anchor {
                    Anchor::Project { up } => *up += 1,
                    Anchor::Root => {}
                    Anchor::Home => return Err("`..` leaves the home directory; write the absolute path".to_owned()),
                },
                ("..", Some(Segment::Deep)) => return Err("`..` after `**` names nothing certain".to_owned()),
                (name, _) => self.segments.push(Segment::One(self.wilds.add(name)?)),
            }
        }
        // What is below a directory excludes the directory itself: a trailing `**` is at least one component. `D/` is
        // read as `D/**`.
        let named = self.segments.len() > start + 1 || anchor != Anchor::Root || glob.starts_with('/');
        let is_below = match self.last_from(start) {
            Some(Segment::Deep) if named => self.segments.pop().is_some(),
            Some(Segment::One(_)) => glob.ends_with('/'),
            _ => false,
        };
        if is_below {
            let any = self.wilds.add_any();
            self.segments.extend([Segment::One(any), Segment::Deep]);
        }
        Ok(anchor)
    }

    /// Returns the alternatives, in order.
    pub(in crate::path) fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator + Clone {
        let start = |row: usize| row.checked_sub(1).and_then(|before| self.rows.get(before)).map_or(0, |row| row.end);
        self.rows.iter().enumerate().map(move |(number, row)| Entry {
            excludes: row.excludes,
            anchor: row.anchor,
            segments: self.segments.get(start(number)..row.end).unwrap_or_default(),
            wilds: &self.wilds,
        })
    }

    /// Returns the table for names folded with [`fold`](crate::path::fold).
    pub(super) fn folded(&self) -> Self {
        Self { rows: self.rows.clone(), segments: self.segments.clone(), wilds: self.wilds.folded() }
    }

    /// Appends the table as bytes: the globs of the segments, their numbers of parts, and the numbers of segments of
    /// the alternatives.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        // Segments that `..` removed are not written.
        let segments = || self.entries().flat_map(|entry| entry.segments);
        let wilds = segments().filter_map(|segment| match segment {
            Segment::Deep => None,
            Segment::One(wild) => Some(self.wilds.get(*wild)),
        });
        Wilds::put_each(wilds, out);
        put_count(self.entries().map(|entry| entry.segments.len()).sum(), out);
        for segment in segments() {
            let parts = match segment {
                Segment::Deep => DEEP,
                Segment::One(wild) => self.wilds.get(*wild).len() + 1,
            };
            put_pair(parts, out);
        }
        put_count(self.rows.len(), out);
        for entry in self.entries() {
            let anchor = match entry.anchor {
                Anchor::Root => ROOT,
                Anchor::Home => HOME,
                Anchor::Project { up: 0 } => PROJECT,
                Anchor::Project { .. } => ABOVE,
            };
            put_pair(entry.segments.len() << HEAD_BITS | anchor << 1 | usize::from(entry.excludes), out);
        }
        for row in &self.rows {
            if let Anchor::Project { up: up @ 1.. } = row.anchor {
                put_count(up, out);
            }
        }
    }

    /// Reads a table.
    pub(super) fn take(input: &mut Input<'_>) -> Option<Self> {
        let wilds = Wilds::take_each(input)?;
        let count = input.count()?;
        let mut parts = 0;
        let segment = |written: &[u8; 2]| match usize::from(u16::from_le_bytes(*written)) {
            DEEP => Segment::Deep,
            more => Segment::One(WildId::behind(&mut parts, more - 1)),
        };
        let segments: Vec<Segment> = input.pairs(count)?.iter().map(segment).collect();
        let count = input.count()?;
        let heads = input.pairs(count)?;
        let (mut rows, mut end) = (Vec::with_capacity(count), 0_usize);
        for head in heads {
            let head = usize::from(u16::from_le_bytes(*head));
            end = end.checked_add(head >> HEAD_BITS)?;
            let anchor = match head >> 1 & ANCHORS {
                ROOT => Anchor::Root,
                HOME => Anchor::Home,
                PROJECT => Anchor::Project { up: 0 },
                _ => Anchor::Project { up: input.size()? },
            };
            rows.push(Row { excludes: head & 1 == 1, anchor, end });
        }
        let is_whole = wilds.are_all(parts) && end == segments.len();
        is_whole.then_some(Self { rows, segments, wilds })
    }

    /// Returns the last segment, if there is one at or after an index.
    fn last_from(&self, start: usize) -> Option<Segment> {
        self.segments.get(start..).and_then(<[Segment]>::last).copied()
    }

    fn end_row(&mut self, effect: Effect, anchor: Anchor) {
        self.rows.push(Row { excludes: effect == Effect::Excludes, anchor, end: self.segments.len() });
    }
}
