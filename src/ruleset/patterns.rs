//! Lists of command patterns (`runs ["git push", "gh pr merge"]`). A pattern is decoded when a command that it may
//! match is first compared with it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::image::{DamagedImage, Slots};
use crate::wire::{ByteCursor, EncodedPiece, Reader, Wire, Writer};
use hookrules_shell::argv::WordBits;
use hookrules_shell::glob::Fit;
use hookrules_shell::pattern::{PossibleProgram, possible_program_names};
use hookrules_shell::programs::ProgramRecord;
use hookrules_shell::{Pattern, Programs, UnseenText};

/// A list of command patterns, compared with a command by [`Patterns::fit`].
///
/// The patterns are encoded in groups. A group whose programs do not include the command's is skipped.
#[derive(Clone)]
pub struct Patterns {
    /// The number of patterns.
    count: usize,
    /// The bits of the names of all programs in the list, one bit for each name; all bits if some pattern's program
    /// is not a plain name (`git*`).
    names: u64,
    /// The records of programs with which the patterns parse commands, besides the built-in ones.
    programs: Programs,
    /// The encoded groups, as a [`PatternTable`].
    groups: EncodedPiece,
    /// The patterns that have been decoded so far, by their positions in the list.
    decoded: OnceLock<Arc<Slots<Box<Pattern>>>>,
}

/// The encoded groups of a list. The name bits of all groups come first, so that finding the few relevant groups
/// takes one short loop.
#[derive(Clone, Copy, Default)]
struct PatternTable<'p> {
    /// The name bits of each group; all bits if a program is not a plain name.
    bits: &'p [[u8; 8]],
    /// The end of each group: the position of its last pattern in the list plus one, and the offset of its end in
    /// `bodies`, of four bytes each.
    ends: &'p [[u8; 8]],
    /// The encoded groups, one after another.
    bodies: &'p [u8],
}

/// A group of adjacent patterns that name the same programs.
struct PatternGroup<'p> {
    /// The position of its first pattern in the list.
    first: usize,
    /// The number of its patterns.
    count: usize,
    /// The encoded names, followed by the encoded patterns.
    body: &'p [u8],
}

impl Patterns {
    /// Creates a list, and encodes its groups.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>) -> Self {
        let mut programs = Programs::new();
        patterns.iter().for_each(|pattern| programs.extend(pattern.programs()));
        let count = patterns.len();
        let (names, groups) = encode_groups(&patterns, &programs);
        let decoded = Slots::from_values(patterns.into_iter().map(Box::new));
        Self { count, names, programs, groups: EncodedPiece::new(groups), decoded: OnceLock::from(Arc::new(decoded)) }
    }

    /// Returns the number of patterns.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the records of programs with which the patterns parse commands, besides the built-in ones.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Returns every pattern, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Pattern> {
        // The patterns of a list that was just created are in memory, so that nothing is decoded.
        let in_memory = self.decoded.get().and_then(|decoded| decoded.all_values());
        let decoded_now =
            in_memory.is_none().then(|| self.groups().flat_map(|group| self.patterns(&group, WordBits::ANY)));
        in_memory.into_iter().flatten().map(AsRef::as_ref).chain(decoded_now.into_iter().flatten())
    }

    /// Calls `ask` with each pattern that may match a command, in order, until one answers yes, and combines the
    /// answers. A pattern that is skipped counts as a no.
    ///
    /// `called` has the possible names of the command's program, and `words` the bits of its words: a pattern is
    /// asked only if it has a name and a word in common with them.
    pub fn fit(&self, called: PossibleProgram<'_>, words: WordBits, mut ask: impl FnMut(&Pattern) -> Fit) -> Fit {
        let bits = match called {
            PossibleProgram::Nothing => 0,
            PossibleProgram::Name(name, outer) => bit(name) | outer.map_or(0, bit),
            PossibleProgram::Anything => u64::MAX,
        };
        let mut fit = Fit::No;
        if self.names & bits == 0 {
            return fit;
        }
        for pattern in self.patterns_naming(bits, words, |name| called.may_be_named(name)) {
            fit = fit.or(ask(pattern));
            if fit == Fit::Yes {
                break;
            }
        }
        fit
    }

    /// Calls `see` with each pattern that may match a command of this program.
    pub fn visit_candidates(&self, called: PossibleProgram<'_>, mut see: impl FnMut(&Pattern)) {
        self.fit(called, WordBits::ANY, |pattern| {
            see(pattern);
            Fit::No
        });
    }

    /// Whether some pattern's program may occur in a text that is not parsed as shell text, such as a script in
    /// another language.
    #[must_use]
    pub fn is_any_named_in(&self, text: &UnseenText) -> bool {
        let words: BTreeSet<&[u8]> = possible_program_names(text.as_str()).map(str::as_bytes).collect();
        self.patterns_naming(u64::MAX, WordBits::ANY, |name| words.contains(name))
            .any(|pattern| pattern.is_named_in(text))
    }

    /// Returns the patterns that may match a command: those with a program for which `is_named` is true, or with one
    /// that is not a plain name (`git*`), and that may share a word with `words`. `bits` has the bits of all names for
    /// which `is_named` may be true; groups without one of these bits are skipped.
    fn patterns_naming(
        &self,
        bits: u64,
        words: WordBits,
        is_named: impl Fn(&[u8]) -> bool,
    ) -> impl Iterator<Item = &Pattern> {
        let table = self.table();
        let group_if_named = move |(at, group_bits): (usize, &[u8; 8])| {
            if u64::from_le_bytes(*group_bits) & bits == 0 {
                return None;
            }
            let group = self.report_damage(table.group(at))?;
            let (names, _) = self.report_damage(group.open())?;
            names.is_none_or(|names| self.names(names).any(&is_named)).then_some(group)
        };
        table.bits.iter().enumerate().filter_map(group_if_named).flat_map(move |group| self.patterns(&group, words))
    }

    /// Decodes the names at the beginning of a group.
    fn names<'p>(&'p self, names: &'p [u8]) -> impl Iterator<Item = &'p [u8]> {
        let mut input = ByteCursor::new(names);
        std::iter::from_fn(move || (!input.is_empty()).then(|| self.report_damage(input.run())).flatten())
    }

    /// Returns all groups; reports damage and ends at the first one that cannot be read.
    fn groups(&self) -> impl Iterator<Item = PatternGroup<'_>> {
        let table = self.table();
        (0..table.bits.len()).map_while(move |at| self.report_damage(table.group(at)))
    }

    /// Returns the table of the groups; reports damage and returns an empty table if it cannot be read.
    fn table(&self) -> PatternTable<'_> {
        self.report_damage(PatternTable::parse(self.groups.bytes(), self.count)).unwrap_or_default()
    }

    /// Returns the patterns of a group that may share a word with `words`. A pattern that is used for the first time
    /// is decoded.
    fn patterns<'p>(
        &'p self,
        group: &PatternGroup<'p>,
        words: WordBits,
    ) -> impl Iterator<Item = &'p Pattern> + use<'p> {
        let decoded = self.decoded.get_or_init(|| Arc::new(Slots::new(self.count)));
        let mut rest = self.report_damage(group.open()).map(|(_, patterns)| patterns);
        let positions = group.first..group.first + group.count;
        let pattern = move |position| {
            let stored = self.report_damage(StoredPattern::decode(rest.as_mut()?))?;
            // The outer `None` ends the group, because of damage; this pattern is only skipped.
            if !stored.words.may_share(words) {
                return Some(None);
            }
            let make = || stored.pattern(&self.programs).map(Box::new);
            let pattern = decoded
                .get_or_insert_with(position, make)
                .and_then(|pattern| pattern.map(AsRef::as_ref).ok_or(DamagedImage));
            self.report_damage(pattern).map(Some)
        };
        positions.map_while(pattern).flatten()
    }

    /// Returns the value, or reports that the bytes are damaged and returns `None`.
    fn report_damage<T>(&self, read: Result<T, DamagedImage>) -> Option<T> {
        read.map_err(|DamagedImage| self.groups.damage().report()).ok()
    }
}

/// Returns one of 64 bits for a name, chosen by a hash. If names share a bit, that only costs time; in most lists, no
/// name shares one with the command's.
fn bit(name: &str) -> u64 {
    // FNV-1a; its upper six bits are the number of the bit.
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    1 << (hash >> 26)
}

/// Returns the bits of several names; all bits if `names` is `None`, for a program that is not a plain name.
fn bits(names: Option<&[&str]>) -> u64 {
    names.map_or(u64::MAX, |names| names.iter().fold(0, |bits, name| bits | bit(name)))
}

/// Encodes patterns as groups. Returns the name bits of all patterns, and the bytes of the table.
fn encode_groups(patterns: &[Pattern], programs: &Programs) -> (u64, Vec<u8>) {
    let records: Vec<&Arc<ProgramRecord>> = programs.records().collect();
    let (mut all_bits, mut ends, mut bodies) = (Vec::new(), Vec::new(), Writer::default());
    let (mut end, mut bytes, mut names_bits) = (0, Vec::new(), 0);
    for group in patterns.chunk_by(|one, other| one.names_as(other)) {
        let names = group.first().and_then(Pattern::program_names);
        let group_bits = bits(names.as_deref());
        names_bits |= group_bits;
        all_bits.extend_from_slice(&group_bits.to_le_bytes());
        end += group.len();
        names.is_some().encode(&mut bodies);
        if let Some(names) = names {
            let mut written = Writer::default();
            names.iter().for_each(|name| written.run(name.as_bytes()));
            bodies.run(&written.into_bytes());
        }
        for pattern in group {
            bytes.clear();
            pattern.encode(&mut bytes);
            bodies.write_bytes(&pattern.word_bits().to_bytes());
            bodies.run(&bytes);
            // A pattern refers to its records by their positions in the list's records.
            let index_of_record =
                |record: &Arc<ProgramRecord>| records.iter().position(|other| Arc::ptr_eq(record, other));
            pattern.programs().records().filter_map(index_of_record).collect::<Vec<usize>>().encode(&mut bodies);
        }
        ends.extend_from_slice(&encode_position(end));
        ends.extend_from_slice(&encode_position(bodies.length()));
    }
    let mut out = Writer::default();
    out.count(all_bits.len() / 8);
    out.write_bytes(&all_bits);
    out.write_bytes(&ends);
    out.write_bytes(&bodies.into_bytes());
    (names_bits, out.into_bytes())
}

/// Encodes a position in four bytes. The size limit of a policy file keeps positions small; one that is too large is
/// encoded as a value that cannot be decoded.
fn encode_position(position: usize) -> [u8; 4] {
    u32::try_from(position).unwrap_or(u32::MAX).to_le_bytes()
}

impl<'p> PatternTable<'p> {
    /// Parses the table of a list of `count` patterns. Fails unless the groups have exactly this number of patterns and
    /// all bytes.
    fn parse(bytes: &'p [u8], count: usize) -> Result<Self, DamagedImage> {
        let mut input = ByteCursor::new(bytes);
        let groups = input.count()?;
        let length = groups.checked_mul(8).ok_or(DamagedImage)?;
        let ((bits, _), (ends, _)) = (input.read_bytes(length)?.as_chunks(), input.read_bytes(length)?.as_chunks());
        let bodies = input.read_bytes(input.len())?;
        let table = Self { bits, ends, bodies };
        let is_complete = table.group_end(groups) == Some((count, bodies.len()));
        is_complete.then_some(table).ok_or(DamagedImage)
    }

    /// Returns the end of the first `groups` groups: the number of their patterns, and their length in `bodies`.
    fn group_end(&self, groups: usize) -> Option<(usize, usize)> {
        let Some(last) = groups.checked_sub(1) else { return Some((0, 0)) };
        let [a, b, c, d, e, f, g, h] = *self.ends.get(last)?;
        let position = |bytes| usize::try_from(u32::from_le_bytes(bytes)).ok();
        Some((position([a, b, c, d])?, position([e, f, g, h])?))
    }

    /// Returns the group with this number.
    fn group(&self, at: usize) -> Result<PatternGroup<'p>, DamagedImage> {
        let (first, start) = self.group_end(at).ok_or(DamagedImage)?;
        let (next, end) = self.group_end(at + 1).ok_or(DamagedImage)?;
        let count = next.checked_sub(first).ok_or(DamagedImage)?;
        Ok(PatternGroup { first, count, body: self.bodies.get(start..end).ok_or(DamagedImage)? })
    }
}

impl<'p> PatternGroup<'p> {
    /// Returns the encoded names (`None` if a program is not a plain name) and a cursor at the first pattern.
    fn open(&self) -> Result<(Option<&'p [u8]>, ByteCursor<'p>), DamagedImage> {
        let mut body = ByteCursor::new(self.body);
        let names = match body.read_byte()? {
            0 => None,
            1 => Some(body.run()?),
            _ => return Err(DamagedImage),
        };
        Ok((names, body))
    }
}

/// A pattern as it is encoded in its group.
struct StoredPattern<'p> {
    /// The bits of the words that the pattern requires.
    words: WordBits,
    /// The encoded pattern, without its records.
    bytes: &'p [u8],
    /// The positions of its records in the records of the list.
    records: Vec<usize>,
}

impl<'p> StoredPattern<'p> {
    /// Takes one encoded pattern.
    fn decode(input: &mut ByteCursor<'p>) -> Result<Self, DamagedImage> {
        let words = WordBits::from_bytes(input.read_bytes(16)?.try_into().map_err(|_| DamagedImage)?);
        let (bytes, count) = (input.run()?, input.count()?);
        let number = |_| usize::try_from(input.read_number()?).map_err(|_| DamagedImage);
        Ok(Self { words, bytes, records: (0..count).map(number).collect::<Result<_, _>>()? })
    }

    /// Decodes the pattern. `programs` are the records of the list.
    fn pattern(&self, programs: &Programs) -> Result<Pattern, DamagedImage> {
        let added = match self.records.as_slice() {
            [] => Programs::new(),
            positions => {
                let records: Vec<&Arc<ProgramRecord>> = programs.records().collect();
                let of_pattern =
                    positions.iter().map(|position| records.get(*position).map(|record| Arc::clone(record)));
                Programs::from_records(of_pattern.collect::<Option<Vec<_>>>().ok_or(DamagedImage)?)
            }
        };
        Pattern::decode(self.bytes, added).ok_or(DamagedImage)
    }
}

impl Wire for Patterns {
    fn encode(&self, out: &mut Writer) {
        let Self { count, names, programs, groups, decoded: _ } = self;
        count.encode(out);
        out.write_bytes(&names.to_le_bytes());
        programs.encode(out);
        groups.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let (count, names) = (usize::decode(input)?, input.read_bytes(8)?.try_into().map_err(|_| DamagedImage)?);
        let (programs, groups) = (Programs::decode(input)?, EncodedPiece::decode(input)?);
        // Each pattern takes more than one byte.
        let is_sound = count <= groups.bytes().len();
        let names = u64::from_le_bytes(names);
        is_sound.then(|| Self { count, names, programs, groups, decoded: OnceLock::new() }).ok_or(DamagedImage)
    }
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests;
