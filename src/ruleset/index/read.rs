//! Finds the rules that a call may match, in an index that is used in place.

use std::borrow::Cow;

use super::IndexedCall;
use super::atom::{AtomKind, GRAM, KINDS, gram_bits, gram_hash, key as key_of, normalize_text};
use super::build::{HEAD, SINGLE, first_slot};
use super::place::AtomSubject;
use crate::image::{ByteSource, DamagedImage, ImageSection, u16_at, u32_at};
use crate::ruleset::head::MAIN;
use hookrules_shell::path::fold;
use hookrules_shell::pattern::NameCoverage;

/// An opened index: the positions of its parts in an image, and the decoded places.
#[derive(Clone, Debug)]
pub struct Index {
    /// The section of the image that contains the index. All other positions are relative to it.
    section: ImageSection,
    /// The number of rules of the event.
    rules: u32,
    /// The rules that are judged on every call.
    always: NumberList,
    /// The table from the key of an atom to the rules with that atom.
    atoms: AtomTable,
    /// The Bloom filter of the grams.
    bits: BitArray,
    /// The table from a gram to the windows that contain it.
    grams: AtomTable,
    /// The places of a call that are examined.
    places: Vec<IndexQuestion>,
    /// The directories that are searched for symbolic links, as spelled in the policy.
    directories: Vec<String>,
}

/// A place of a call that is examined: the atoms that a call has there are looked up.
#[derive(Clone, Debug)]
struct IndexQuestion {
    place: AtomSubject,
    /// The kinds of atoms that rules have at the place, one bit each.
    kinds: u8,
    /// The subjects for which the place is examined; all if empty.
    subjects: Vec<String>,
}

/// The offset and length of a list of numbers, of four bytes each.
#[derive(Clone, Copy, Debug)]
struct NumberList {
    at: u32,
    len: u32,
}

/// The offset of a hash table, and the logarithm of the number of its entries.
#[derive(Clone, Copy, Debug)]
struct AtomTable {
    at: u32,
    log2: u32,
}

/// The offset of a bit array, and the number of its bits.
#[derive(Clone, Copy, Debug)]
struct BitArray {
    at: u32,
    count: u32,
}

/// The rules that a call may match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Candidates {
    /// Their positions in evaluation order, sorted, without duplicates.
    pub ids: Vec<u32>,
    /// Statistics of the lookup, for `rules explain` and tests.
    pub stats: LookupStats,
}

/// Statistics of a lookup in an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LookupStats {
    /// The number of rules of the event.
    pub rules: u32,
    /// The number of rules that the call may match.
    pub candidates: u32,
    /// The number of rules that are always judged.
    pub always: u32,
    /// The number of the call's atoms that were looked up.
    pub atoms: u32,
    /// The number of rules found by a whole name or text, by a part of a text, by a name on a path, by an extension,
    /// and by the presence of a value. A rule that was found twice counts twice.
    pub found: [u32; 5],
    /// The number of rules that were found because not all values at a place of the call are known.
    pub unknown: u32,
}

impl LookupStats {
    /// Returns the numbers of rules that were found, each with a description of how.
    #[must_use]
    pub fn counts_by_way(&self) -> [(u32, &'static str); 7] {
        let [whole, part, name, extension, any] = self.found;
        [
            (self.always, "always"),
            (whole, "by a name or a text"),
            (part, "by a part of a text"),
            (name, "by a name on a path"),
            (extension, "by an extension"),
            (any, "by there being a value"),
            (self.unknown, "because not everything they ask about is known"),
        ]
    }
}

/// The approximate encoded size of a place, in bytes, to allocate a list.
const PLACE: usize = 8;

/// The maximum number of bits of a Bloom filter that is read from a file as a whole.
const BITS: u32 = 1 << 17;

/// The number of window comparisons for each byte of the texts that are searched for parts, in total. When they are
/// used up, a text counts as having every part.
const WINDOWS: usize = 8;

/// The maximum number of atoms of a call that are looked up. After that, a place counts as having every atom.
const MOST_KEYS: usize = 1 << 17;

/// The number of window comparisons in addition to [`WINDOWS`], for short texts.
const FREE_WINDOWS: usize = 1_024;

impl Index {
    /// Opens the index in a section of an image.
    ///
    /// # Errors
    /// The section is not an index.
    pub fn open(bytes: &(impl ByteSource + ?Sized), section: ImageSection) -> Result<Self, DamagedImage> {
        let head = bytes.read(section.position, HEAD)?;
        let number = |at: usize| u32_at(head.as_ref(), u64::try_from(at * 4).unwrap_or(u64::MAX));
        let list = |at: usize| Ok(NumberList { at: number(at)?, len: number(at + 1)? });
        let table = |at: usize, most: u32| {
            let table = AtomTable { at: number(at)?, log2: number(at + 1)? };
            if table.log2 <= most { Ok(table) } else { Err(DamagedImage) }
        };
        let (rules, written, always) = (number(0)?, list(1)?, list(3)?);
        let (atoms, grams) = (table(5, 31)?, table(9, 31)?);
        let bits = BitArray { at: number(7)?, count: number(8)? };
        let written = bytes.read(section.position.saturating_add(u64::from(written.at)), length(written.len)?)?;
        let mut places = Vec::with_capacity(written.len() / PLACE);
        let mut rest = written.as_ref();
        while let Some((kinds, behind)) = rest.split_first() {
            let (place, behind) = AtomSubject::decode(behind)?;
            let (count, mut behind) = behind.split_first().ok_or(DamagedImage)?;
            let mut subjects = Vec::new();
            for _ in 0..*count {
                let (text, after) = decode_short_text(behind)?;
                subjects.push(text);
                behind = after;
            }
            places.push(IndexQuestion { place, kinds: *kinds, subjects });
            rest = behind;
        }
        let written = list(11)?;
        let written = bytes.read(section.position.saturating_add(u64::from(written.at)), length(written.len)?)?;
        let mut directories = Vec::new();
        let mut rest = written.as_ref();
        while !rest.is_empty() {
            let (name, behind) = decode_short_text(rest)?;
            directories.push(name);
            rest = behind;
        }
        Ok(Self { section, rules, always, atoms, bits, grams, places, directories })
    }

    /// Returns the rules that a call may match.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn candidates<B: ByteSource + ?Sized>(
        &self,
        bytes: &B,
        call: &dyn IndexedCall,
    ) -> Result<Candidates, DamagedImage> {
        let mut search = IndexLookup {
            index: self,
            bytes,
            keys: AtomKeys::default(),
            bits: None,
            links: None,
            windows: FREE_WINDOWS,
        };
        for (number, question) in (0_u16..).zip(&self.places) {
            if question.is_about_call(call) {
                search.look_up_place(number, question.kinds, &question.place, call)?;
            }
        }
        let keys = std::mem::take(&mut search.keys).into_sorted();
        let mut looked = LookupStats { rules: self.rules, always: self.always.len, ..LookupStats::default() };
        looked.atoms = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        let mut ids = Vec::new();
        search.list(self.always, &mut ids)?;
        for (key, kind) in &keys {
            let before = ids.len();
            search.add_rules_of_atom(*key, &mut ids)?;
            let found = u32::try_from(ids.len().saturating_sub(before)).unwrap_or(u32::MAX);
            let count = match kind {
                AtomKind::Every | AtomKind::Guess | AtomKind::LinkName => &mut looked.unknown,
                AtomKind::Whole => &mut looked.found[0],
                AtomKind::Part => &mut looked.found[1],
                AtomKind::Name => &mut looked.found[2],
                AtomKind::Extension => &mut looked.found[3],
                AtomKind::Any => &mut looked.found[4],
            };
            *count = count.saturating_add(found);
        }
        ids.sort_unstable();
        ids.dedup();
        looked.candidates = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        Ok(Candidates { ids, stats: looked })
    }
}

impl IndexQuestion {
    /// Whether the place is examined for the subject of the call.
    fn is_about_call(&self, call: &dyn IndexedCall) -> bool {
        let mut is_one = self.subjects.is_empty();
        if !is_one {
            call.visit_subject(&mut |subject| is_one |= self.subjects.iter().any(|one| one == subject));
        }
        is_one
    }
}

/// Decodes a text with a length prefix of one byte from the beginning of the bytes. Also returns the rest.
fn decode_short_text(bytes: &[u8]) -> Result<(String, &[u8]), DamagedImage> {
    let (len, rest) = bytes.split_first().ok_or(DamagedImage)?;
    let (text, rest) = rest.split_at_checked(usize::from(*len)).ok_or(DamagedImage)?;
    Ok((std::str::from_utf8(text).map_err(|_| DamagedImage)?.to_owned(), rest))
}

/// The atoms of a call that are to be looked up, as keys with their kinds.
#[derive(Default)]
struct AtomKeys {
    all: Vec<(u32, AtomKind)>,
    /// The position of the first atom of the current place.
    place_start: usize,
    /// Whether the current place has too many atoms. Every rule with an atom at the place is then a candidate.
    is_full: bool,
}

impl AtomKeys {
    /// Begins the next place of the call.
    fn begin_place(&mut self) {
        self.place_start = self.all.len();
        self.is_full = false;
    }

    /// Adds an atom of the current place, unless that has too many; `number` is the number of the place.
    fn add(&mut self, number: u16, kind: AtomKind, text: &[u8]) {
        let key = (key_of(number, kind, text), kind);
        if self.is_full || self.all.last() == Some(&key) {
            return;
        }
        self.all.push(key);
        if self.all.len() < MOST_KEYS {
            return;
        }
        // At the limit, duplicates are removed before the place counts as too large.
        let mut own = self.all.split_off(self.place_start);
        own.sort_unstable();
        own.dedup();
        // Half of the limit, so that sorting is not repeated for every few atoms.
        if self.place_start + own.len() > MOST_KEYS / 2 {
            self.all.push((key_of(number, AtomKind::Every, b""), AtomKind::Every));
            self.is_full = true;
        } else {
            self.all.append(&mut own);
        }
    }

    /// Returns the atoms sorted, without duplicates.
    fn into_sorted(mut self) -> Vec<(u32, AtomKind)> {
        self.all.sort_unstable();
        self.all.dedup();
        self.all
    }
}

/// The state of one lookup.
struct IndexLookup<'i, B: ?Sized> {
    index: &'i Index,
    bytes: &'i B,
    keys: AtomKeys,
    /// The whole Bloom filter, once it has been read; `None` if its bytes are read one by one.
    bits: Option<Cow<'i, [u8]>>,
    /// The symbolic links of the project, once they have been listed.
    links: Option<FoldedLinks>,
    /// The number of windows that may still be compared.
    windows: usize,
}

/// Symbolic links, as case-folded paths relative to the project.
struct FoldedLinks {
    paths: Vec<String>,
    /// Whether these are all links.
    coverage: NameCoverage,
}

impl FoldedLinks {
    /// Lists the links in these directories of the project.
    fn links_below(directories: &[String], call: &dyn IndexedCall) -> Self {
        let mut links = Self { paths: Vec::new(), coverage: NameCoverage::Complete };
        for directory in directories {
            let above = fold(directory);
            let told = call.visit_links(directory, &mut |name: &str| {
                let name = fold(name);
                links.paths.push(if above.is_empty() { name.into_owned() } else { format!("{above}/{name}") });
            });
            if told == NameCoverage::Partial {
                links.coverage = told;
            }
        }
        links
    }
}

impl<'i, B: ByteSource + ?Sized> IndexLookup<'i, B> {
    /// Adds the atoms that the call has at a place.
    fn look_up_place(
        &mut self,
        number: u16,
        kinds: u8,
        place: &AtomSubject,
        call: &dyn IndexedCall,
    ) -> Result<(), DamagedImage> {
        self.keys.begin_place();
        let mut result = Ok(());
        let (mut is_there, mut is_any) = (false, false);
        let see = &mut |text: &str| {
            is_there = true;
            is_any |= !matches!(place, AtomSubject::Agent) || text != MAIN;
            if result.is_ok() && !self.keys.is_full {
                result = self.look_up_text(number, kinds, place, text);
            }
        };
        let told = match place {
            AtomSubject::Subject => {
                call.visit_subject(see);
                NameCoverage::Complete
            }
            AtomSubject::Agent => call.visit_agent(see),
            AtomSubject::Programs => call.visit_programs(see),
            AtomSubject::Words => call.visit_words(see),
            AtomSubject::Leading => call.visit_leading_program(see),
            AtomSubject::Touched(verb) => call.visit_touched_files(*verb, see),
            AtomSubject::Connected => call.visit_hosts(see),
            AtomSubject::Field(source) => call.visit_texts(source, see),
        };
        result?;
        if told == NameCoverage::Partial {
            self.keys.add(number, AtomKind::Every, b"");
        }
        if kinds & (1 << (AtomKind::Any as u8)) != 0 && is_any {
            self.keys.add(number, AtomKind::Any, b"");
        }
        if kinds & (1 << (AtomKind::LinkName as u8)) != 0 && is_there {
            self.add_links(number, call);
        }
        if kinds & (1 << (AtomKind::Guess as u8)) != 0 && call.is_guessed() {
            self.keys.add(number, AtomKind::Guess, b"");
        }
        Ok(())
    }

    /// Adds the symbolic links of the project, because a path of the policy may lead through one.
    fn add_links(&mut self, number: u16, call: &dyn IndexedCall) {
        let links = self.links.take().unwrap_or_else(|| FoldedLinks::links_below(&self.index.directories, call));
        for path in &links.paths {
            self.keys.add(number, AtomKind::LinkName, path.as_bytes());
        }
        if links.coverage == NameCoverage::Partial {
            self.keys.add(number, AtomKind::Every, b"");
        }
        self.links = Some(links);
    }

    /// Adds the atoms of one text at a place.
    fn look_up_text(&mut self, number: u16, kinds: u8, place: &AtomSubject, text: &str) -> Result<(), DamagedImage> {
        let asks = |kind: AtomKind| kinds & (1 << (kind as u8)) != 0;
        if asks(AtomKind::Whole) {
            self.keys.add(number, AtomKind::Whole, text.as_bytes());
        }
        if asks(AtomKind::Part) {
            self.add_parts(number, normalize_text(text).as_bytes())?;
        }
        if !place.is_path() {
            return Ok(());
        }
        let folded = fold(text);
        // A guard may require a name in its folded form only.
        if asks(AtomKind::Part) && !text.is_ascii() {
            self.add_parts(number, normalize_text(&folded).as_bytes())?;
        }
        for name in folded.split('/').filter(|name| !name.is_empty()) {
            if asks(AtomKind::Name) {
                self.keys.add(number, AtomKind::Name, name.as_bytes());
            }
            if let Some((_, extension)) = name.rsplit_once('.').filter(|_| asks(AtomKind::Extension)) {
                self.keys.add(number, AtomKind::Extension, extension.as_bytes());
            }
        }
        Ok(())
    }

    /// Adds the atoms of the parts that the text has and some rule requires. Only the surroundings of a gram that the
    /// Bloom filter contains are compared.
    fn add_parts(&mut self, number: u16, text: &[u8]) -> Result<(), DamagedImage> {
        let count = self.index.bits.count;
        if count == 0 {
            return Ok(());
        }
        self.windows = self.windows.saturating_add(text.len().saturating_mul(WINDOWS));
        let whole = self.whole_bits()?;
        let bits = whole.as_deref();
        for (at, gram) in text.array_windows::<GRAM>().enumerate() {
            let mut is_known = true;
            // The gram is unknown if one of its bits is missing.
            for bit in gram_bits(*gram, count) {
                let byte = match bits {
                    Some(bits) => {
                        usize::try_from(bit / 8).ok().and_then(|at| bits.get(at)).copied().ok_or(DamagedImage)?
                    }
                    None => self.byte_at(self.index.bits.at, bit / 8)?,
                };
                is_known = byte & (1 << (bit % 8)) != 0;
                if !is_known {
                    break;
                }
            }
            if !is_known {
                continue;
            }
            if !self.look_up_gram(number, text, at, *gram)? {
                self.keys.add(number, AtomKind::Every, b"");
                break;
            }
            if self.keys.is_full {
                break;
            }
        }
        self.bits = whole;
        Ok(())
    }

    /// Adds the parts of the text around a gram, in all shapes that rules require; returns false if there are too
    /// many to compare.
    fn look_up_gram(&mut self, number: u16, text: &[u8], at: usize, gram: [u8; GRAM]) -> Result<bool, DamagedImage> {
        let AtomTable { at: table, log2 } = self.index.grams;
        let mask = (1_u64 << log2) - 1;
        let start = u64::try_from(first_slot(gram_hash(gram), log2)).map_err(|_| DamagedImage)?;
        for step in 0..=mask {
            let entry = self.bytes.read(self.image_offset(table) + 8 * ((start + step) & mask), 8)?;
            let (found, windows) = (u32_at(&*entry, 0)?, u32_at(&*entry, 4)?);
            if windows == 0 {
                return Ok(true);
            }
            if found != u32::from_le_bytes(gram) {
                continue;
            }
            let windows = self.image_offset(windows);
            let count = u16_at(self.bytes, windows)?;
            let shapes = self.bytes.read(windows + 2, usize::from(count) * 2)?;
            let Some(left) = self.windows.checked_sub(usize::from(count)) else { return Ok(false) };
            self.windows = left;
            for shape in shapes.chunks_exact(2) {
                let [before, length] = *shape else { continue };
                let window =
                    at.checked_sub(usize::from(before)).and_then(|from| text.get(from..from + usize::from(length)));
                if let Some(window) = window {
                    self.keys.add(number, AtomKind::Part, window);
                }
            }
            return Ok(true);
        }
        Err(DamagedImage)
    }

    /// Returns the whole Bloom filter if it is in memory or small enough to read; else `None`.
    fn whole_bits(&mut self) -> Result<Option<Cow<'i, [u8]>>, DamagedImage> {
        if let Some(bits) = self.bits.take() {
            return Ok(Some(bits));
        }
        let BitArray { at, count } = self.index.bits;
        let (at, len) = (self.image_offset(at), length(count.div_ceil(8))?);
        if let Some(bits) = self.bytes.in_memory(at, len) {
            return Ok(Some(Cow::Borrowed(bits)));
        }
        if count > BITS { Ok(None) } else { self.bytes.read(at, len).map(Some) }
    }

    /// Reads one byte of the Bloom filter.
    fn byte_at(&self, at: u32, offset: u32) -> Result<u8, DamagedImage> {
        self.bytes.read(self.image_offset(at) + u64::from(offset), 1)?.first().copied().ok_or(DamagedImage)
    }

    /// Adds the rules that are listed under the key of an atom to `ids`.
    fn add_rules_of_atom(&self, key: u32, ids: &mut Vec<u32>) -> Result<(), DamagedImage> {
        let AtomTable { at: table, log2 } = self.index.atoms;
        let mask = (1_u64 << log2) - 1;
        let start = u64::try_from(first_slot(key, log2)).map_err(|_| DamagedImage)?;
        for step in 0..=mask {
            let entry = self.bytes.entry(self.image_offset(table) + 8 * ((start + step) & mask))?;
            let (found, at) = (u32_at(entry.as_slice(), 0)?, u32_at(entry.as_slice(), 4)?);
            if at == 0 {
                return Ok(());
            }
            if found != key {
                continue;
            }
            if at & SINGLE != 0 {
                ids.push(at & !SINGLE);
                return Ok(());
            }
            let len = u32_at(self.bytes, self.image_offset(at))?;
            return self.list(NumberList { at: at.checked_add(4).ok_or(DamagedImage)?, len }, ids);
        }
        Err(DamagedImage)
    }

    /// Adds the numbers of a list to `ids`.
    fn list(&self, list: NumberList, ids: &mut Vec<u32>) -> Result<(), DamagedImage> {
        let bytes =
            self.bytes.read(self.image_offset(list.at), length(list.len)?.checked_mul(4).ok_or(DamagedImage)?)?;
        ids.extend(bytes.chunks_exact(4).map(|id| id.try_into().map_or(u32::MAX, u32::from_le_bytes)));
        Ok(())
    }

    /// Converts an offset in the index to an offset in the image.
    fn image_offset(&self, at: u32) -> u64 {
        self.index.section.position.saturating_add(u64::from(at))
    }
}

/// Converts a length from the index, which is damaged if the length does not fit.
fn length(len: u32) -> Result<usize, DamagedImage> {
    usize::try_from(len).map_err(|_| DamagedImage)
}

const _: () = assert!(KINDS <= 8, "a place has a byte for the kinds");
