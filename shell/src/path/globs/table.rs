//! The alternatives of a list of globs on paths, compiled, in a few runs that lie together; as bytes, and back.

use crate::bytes::{Input, put_count};
use crate::path::after_home;
use crate::path::wild::Wilds;

use super::entry::{Anchor, Entry, Segment};

/// The alternatives of all globs of a list, in order.
#[derive(Clone, Default, Debug)]
pub(in crate::path) struct Table {
    rows: Vec<Row>,
    segments: Vec<Segment>,
    wilds: Wilds,
}

/// An alternative. Its segments are those from where the one before it ends.
#[derive(Clone, Copy, Debug)]
struct Row {
    excludes: bool,
    anchor: Anchor,
    end: usize,
}

impl Table {
    /// Compiles a glob without alternatives and adds it; the error says what is wrong with it.
    pub(in crate::path) fn add(&mut self, excludes: bool, glob: &str) -> Result<(), String> {
        let start = self.segments.len();
        let anchor = self.add_segments(glob).inspect_err(|_| self.segments.truncate(start))?;
        self.end_row(excludes, anchor);
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
        self.end_row(entry.excludes, entry.anchor);
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
        // What stands below a directory is not the directory: a `**` at the end is one component at least.
        // `D/` is read as `D/**`.
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

    /// Returns the table for names that went through [`fold`](crate::path::fold).
    pub(super) fn folded(&self) -> Self {
        Self { rows: self.rows.clone(), segments: self.segments.clone(), wilds: self.wilds.folded() }
    }

    /// Appends the table as bytes.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_count(self.rows.len(), out);
        put_count(self.segments.len(), out);
        // What `..` took back is not written.
        let segments = || self.entries().flat_map(|entry| entry.segments);
        let wilds = segments().filter_map(|segment| match segment {
            Segment::Deep => None,
            Segment::One(wild) => Some(self.wilds.get(*wild)),
        });
        Wilds::put_texts(wilds, out);
        for entry in self.entries() {
            let (anchor, up) = match entry.anchor {
                Anchor::Root => (0, None),
                Anchor::Home => (1, None),
                Anchor::Project { up } => (2, Some(up)),
            };
            out.push(anchor << 1 | u8::from(entry.excludes));
            up.into_iter().for_each(|up| put_count(up, out));
            put_count(entry.segments.len(), out);
            for segment in entry.segments {
                match segment {
                    Segment::Deep => out.push(0),
                    Segment::One(wild) => {
                        let wild = self.wilds.get(*wild);
                        put_count(wild.len() + 1, out);
                        wild.put(out);
                    }
                }
            }
        }
    }

    /// Reads a table.
    pub(super) fn take(input: &mut Input<'_>) -> Option<Self> {
        let (rows, segments) = (input.count()?, input.count()?);
        let mut wilds = Wilds::take_texts(input)?;
        let mut table =
            Self { rows: Vec::with_capacity(rows), segments: Vec::with_capacity(segments), wilds: Wilds::default() };
        for _ in 0..rows {
            let head = input.byte()?;
            let anchor = match head >> 1 {
                0 => Anchor::Root,
                1 => Anchor::Home,
                2 => Anchor::Project { up: input.size()? },
                _ => return None,
            };
            for _ in 0..input.count()? {
                let segment = match input.size()?.checked_sub(1) {
                    None => Segment::Deep,
                    Some(parts) => Segment::One(wilds.take(parts, input)?),
                };
                table.segments.push(segment);
            }
            table.end_row(head & 1 == 1, anchor);
        }
        table.wilds = wilds.finish()?;
        Some(table)
    }

    /// Returns the last segment, where there is one from a place on.
    fn last_from(&self, start: usize) -> Option<Segment> {
        self.segments.get(start..).and_then(<[Segment]>::last).copied()
    }

    fn end_row(&mut self, excludes: bool, anchor: Anchor) {
        self.rows.push(Row { excludes, anchor, end: self.segments.len() });
    }
}
