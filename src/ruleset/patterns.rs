//! Lists of command patterns. A pattern is made ready when a command may be one that it speaks of.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::image::{Damaged, Slots};
use crate::wire::{Cursor, Piece, Reader, Wire, Writer};
use hookrules_shell::{Called, Pattern, ProgramRecord, Programs, words_in};

/// A list of patterns.
#[derive(Clone)]
pub struct Patterns {
    count: usize,
    /// The bits of all their programs' names; every bit where one is no plain name.
    names: u64,
    /// The records beside the built-in table that they read commands by.
    programs: Programs,
    /// Groups of neighbours that name the same programs, these names in front: those that speak of other programs are
    /// passed over as they lie there.
    groups: Piece,
    made: OnceLock<Arc<Slots<Box<Pattern>>>>,
}

/// Neighbours that name the same programs.
struct Group<'p> {
    /// The bits of the names; every bit where a program is no plain name.
    bits: u64,
    /// The place of the first in the list.
    first: usize,
    count: usize,
    /// The names, and the patterns.
    body: &'p [u8],
}

impl Patterns {
    /// Makes a list.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>) -> Self {
        let mut programs = Programs::new();
        patterns.iter().for_each(|pattern| programs.extend(pattern.programs()));
        let count = patterns.len();
        let named: Vec<_> = patterns.iter().map(|pattern| (pattern.program_names(), pattern)).collect();
        let names = named.iter().fold(0, |all, (names, _)| all | bits(names.as_deref()));
        let groups = Piece::new(groups(&named, &programs));
        let made = Slots::new(count);
        for (place, pattern) in patterns.into_iter().enumerate() {
            let Ok(_) = made.get_or_make(place, || Ok::<_, std::convert::Infallible>(Box::new(pattern)));
        }
        Self { count, names, programs, groups, made: OnceLock::from(Arc::new(made)) }
    }

    /// Returns how many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the records beside the built-in table that they read commands by.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Returns every one.
    pub fn iter(&self) -> impl Iterator<Item = &Pattern> {
        self.groups().flat_map(|group| self.patterns(&group))
    }

    /// Returns those that may speak of a program that is called so, in order: the others say no to it.
    pub fn of<'p>(&'p self, called: Called<'p>) -> impl Iterator<Item = &'p Pattern> {
        let bits = match called {
            Called::Nothing => 0,
            Called::Name(name, outer) => bit(name) | outer.map_or(0, bit),
            Called::Anything => u64::MAX,
        };
        let all = (self.names & bits != 0).then(|| self.naming(bits, move |name| called.may_be(name)));
        all.into_iter().flatten()
    }

    /// Tells whether one of them can be meant in a text in another language, or in none.
    #[must_use]
    pub fn are_named_in(&self, text: &str) -> bool {
        let words: BTreeSet<&[u8]> = words_in(text).map(str::as_bytes).collect();
        self.naming(u64::MAX, |name| words.contains(name)).any(|pattern| pattern.is_named_in(text))
    }

    /// Returns those of which a program is meant, and those of which one is no plain name. The bits are of all names that
    /// may be meant.
    fn naming<'p>(&'p self, bits: u64, is_meant: impl Fn(&[u8]) -> bool + 'p) -> impl Iterator<Item = &'p Pattern> {
        let meant = move |group: &Group<'_>| {
            group.bits & bits != 0
                && self
                    .reported(group.open())
                    .is_some_and(|(names, _)| names.is_none_or(|names| self.names(names).any(&is_meant)))
        };
        self.groups().filter(meant).flat_map(|group| self.patterns(&group))
    }

    /// Returns the names in front of a group.
    fn names<'p>(&'p self, names: &'p [u8]) -> impl Iterator<Item = &'p [u8]> {
        let mut input = Cursor::new(names);
        std::iter::from_fn(move || (!input.is_empty()).then(|| self.reported(input.run())).flatten())
    }

    fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let mut input = Cursor::new(self.groups.bytes());
        let mut first = 0;
        std::iter::from_fn(move || {
            let is_over = input.is_empty();
            let group = (!is_over).then(|| self.reported(Group::take(&mut input, first))).flatten();
            first += group.as_ref().map_or(0, |group| group.count);
            if is_over && first != self.count {
                self.groups.damage().report();
            }
            group
        })
    }

    fn patterns<'p>(&'p self, group: &Group<'p>) -> impl Iterator<Item = &'p Pattern> + use<'p> {
        let Group { first, count, .. } = *group;
        let mut patterns = self.reported(group.open()).map_or(Cursor::new(&[]), |(_, patterns)| patterns);
        let made = self.made.get_or_init(|| Arc::new(Slots::new(self.count)));
        (first..first + count).map_while(move |place| {
            let pattern = Stored::take(&mut patterns).and_then(|stored| {
                let made = made.get_or_make(place, || stored.pattern(&self.programs).map(Box::new))?;
                made.map(AsRef::as_ref).ok_or(Damaged)
            });
            self.reported(pattern)
        })
    }

    /// Returns what was read, and reports it where that is damaged.
    fn reported<T>(&self, read: Result<T, Damaged>) -> Option<T> {
        read.map_err(|Damaged| self.groups.damage().report()).ok()
    }
}

/// Returns the bit of a name, which it has in common with others: most lists have none of them, which shows at once.
fn bit(name: &str) -> u64 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    1 << (hash >> 26)
}

/// Returns the bits of names; every bit where a program is no plain name.
fn bits(names: Option<&[&str]>) -> u64 {
    names.map_or(u64::MAX, |names| names.iter().fold(0, |bits, name| bits | bit(name)))
}

/// Returns patterns, each with the names of its programs, in their groups.
fn groups(named: &[(Option<Vec<&str>>, &Pattern)], programs: &Programs) -> Vec<u8> {
    let records: Vec<&Arc<ProgramRecord>> = programs.records().collect();
    let (mut out, mut bytes) = (Writer::default(), Vec::new());
    for group in named.chunk_by(|(names, _), (others, _)| names == others) {
        let names = group.first().and_then(|(names, _)| names.as_ref());
        out.raw(&bits(names.map(Vec::as_slice)).to_le_bytes());
        out.count(group.len());
        let mut inner = Writer::default();
        names.is_some().put(&mut inner);
        if let Some(names) = names {
            let mut written = Writer::default();
            names.iter().for_each(|name| run(&mut written, name.as_bytes()));
            run(&mut inner, &written.into_bytes());
        }
        for (_, pattern) in group {
            bytes.clear();
            pattern.put(&mut bytes);
            run(&mut inner, &bytes);
            // Of the records of the list each pattern has some.
            let place = |own: &Arc<ProgramRecord>| records.iter().position(|other| Arc::ptr_eq(own, other));
            pattern.programs().records().filter_map(place).collect::<Vec<usize>>().put(&mut inner);
        }
        run(&mut out, &inner.into_bytes());
    }
    out.into_bytes()
}

/// Appends bytes with their length in front.
fn run(out: &mut Writer, bytes: &[u8]) {
    out.count(bytes.len());
    out.raw(bytes);
}

impl<'p> Group<'p> {
    fn take(input: &mut Cursor<'p>, first: usize) -> Result<Self, Damaged> {
        let bits = u64::from_le_bytes(input.raw(8)?.try_into().map_err(|_| Damaged)?);
        Ok(Self { bits, first, count: input.count()?, body: input.run()? })
    }

    /// Returns the names, none where a program is no plain name, and what the patterns are read from.
    fn open(&self) -> Result<(Option<&'p [u8]>, Cursor<'p>), Damaged> {
        let mut body = Cursor::new(self.body);
        let names = match body.byte()? {
            0 => None,
            1 => Some(body.run()?),
            _ => return Err(Damaged),
        };
        Ok((names, body))
    }
}

/// A pattern as it lies in its group.
struct Stored<'p> {
    bytes: &'p [u8],
    records: Vec<usize>,
}

impl<'p> Stored<'p> {
    fn take(input: &mut Cursor<'p>) -> Result<Self, Damaged> {
        let (bytes, count) = (input.run()?, input.count()?);
        let number = |_| usize::try_from(input.number()?).map_err(|_| Damaged);
        Ok(Self { bytes, records: (0..count).map(number).collect::<Result<_, _>>()? })
    }

    fn pattern(&self, programs: &Programs) -> Result<Pattern, Damaged> {
        let added = match self.records.as_slice() {
            [] => Programs::new(),
            places => {
                let records: Vec<&Arc<ProgramRecord>> = programs.records().collect();
                let own = places.iter().map(|place| records.get(*place).map(|record| Arc::clone(record)));
                Programs::of(own.collect::<Option<Vec<_>>>().ok_or(Damaged)?)
            }
        };
        Pattern::take(self.bytes, added).ok_or(Damaged)
    }
}

impl Wire for Patterns {
    fn put(&self, out: &mut Writer) {
        let Self { count, names, programs, groups, made: _ } = self;
        count.put(out);
        out.raw(&names.to_le_bytes());
        programs.put(out);
        groups.put(out);
    }

    fn take(input: &mut Reader<'_>) -> Result<Self, Damaged> {
        let (count, names) = (usize::take(input)?, input.raw(8)?.try_into().map_err(|_| Damaged)?);
        let (programs, groups) = (Programs::take(input)?, Piece::take(input)?);
        // Each takes more than a byte.
        let is_sound = count <= groups.bytes().len();
        let names = u64::from_le_bytes(names);
        is_sound.then(|| Self { count, names, programs, groups, made: OnceLock::new() }).ok_or(Damaged)
    }
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests;
