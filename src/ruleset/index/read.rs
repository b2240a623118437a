//! Finds the rules that a call may match, in an index that is used in place.

use std::borrow::Cow;

use super::IndexedCall;
use super::atom::{AtomKind, GRAM, KINDS, gram_bits, gram_hash, key as key_of, normalize_text};
use super::build::{HEAD, SINGLE, first_slot};
use super::facet::CallFacet;
use crate::image::{ByteSource, DamagedImage, ImageSection, u16_at, u32_at};
use crate::ruleset::head::MAIN;
use hookrules_shell::path::fold;
use hookrules_shell::pattern::NameCoverage;

/// An opened index: the positions of its parts in an image, and the decoded facets.
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
    /// The facets of a call that are examined.
    facets: Vec<IndexedFacet>,
    /// The directories that are searched for symbolic links, as spelled in the policy.
    directories: Vec<String>,
}

/// A facet of a call that is examined: the atoms that a call has there are looked up.
#[derive(Clone, Debug)]
struct IndexedFacet {
    facet: CallFacet,
    /// The kinds of atoms that rules have of the facet, one bit each.
    kinds: u8,
    /// The subjects for which the facet is examined; all if empty.
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
    /// The number of rules that were found because not all values of a facet of the call are known.
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

/// The approximate encoded size of a facet, in bytes, to allocate a list.
const TYPICAL_FACET_BYTES: usize = 8;

/// The maximum number of bits of a Bloom filter that is read from a file as a whole.
const MAX_BITS_READ_AT_ONCE: u32 = 1 << 17;

/// The number of window comparisons that each byte of the searched texts allows. When they are used up, a facet counts
/// as having every atom.
const WINDOWS_PER_BYTE: usize = 8;

/// The maximum number of atoms of a call that are looked up. After that, a facet counts as having every atom.
const MAX_KEYS: usize = 1 << 17;

/// The number of window comparisons in addition to [`WINDOWS_PER_BYTE`], for short texts.
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
        let table = |at: usize, max_log2: u32| {
            let table = AtomTable { at: number(at)?, log2: number(at + 1)? };
            if table.log2 <= max_log2 { Ok(table) } else { Err(DamagedImage) }
        };
        let (rules, encoded_facets, always) = (number(0)?, list(1)?, list(3)?);
        let (atoms, grams) = (table(5, 31)?, table(9, 31)?);
        let bits = BitArray { at: number(7)?, count: number(8)? };
        let encoded_facets =
            bytes.read(section.position.saturating_add(u64::from(encoded_facets.at)), length(encoded_facets.len)?)?;
        let mut facets = Vec::with_capacity(encoded_facets.len() / TYPICAL_FACET_BYTES);
        let mut rest = encoded_facets.as_ref();
        while let Some((kinds, remaining)) = rest.split_first() {
            let (facet, remaining) = CallFacet::decode(remaining)?;
            let (count, mut remaining) = remaining.split_first().ok_or(DamagedImage)?;
            let mut subjects = Vec::new();
            for _ in 0..*count {
                let (text, after) = decode_short_text(remaining)?;
                subjects.push(text);
                remaining = after;
            }
            facets.push(IndexedFacet { facet, kinds: *kinds, subjects });
            rest = remaining;
        }
        let encoded_directories = list(11)?;
        let encoded_directories = bytes.read(
            section.position.saturating_add(u64::from(encoded_directories.at)),
            length(encoded_directories.len)?,
        )?;
        let mut directories = Vec::new();
        let mut rest = encoded_directories.as_ref();
        while !rest.is_empty() {
            let (name, remaining) = decode_short_text(rest)?;
            directories.push(name);
            rest = remaining;
        }
        Ok(Self { section, rules, always, atoms, bits, grams, facets, directories })
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
        for (number, question) in (0_u16..).zip(&self.facets) {
            if question.is_about_call(call) {
                search.look_up_facet(number, question.kinds, &question.facet, call)?;
            }
        }
        let keys = std::mem::take(&mut search.keys).into_sorted();
        let mut stats = LookupStats { rules: self.rules, always: self.always.len, ..LookupStats::default() };
        stats.atoms = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        let mut ids = Vec::new();
        search.list(self.always, &mut ids)?;
        for (key, kind) in &keys {
            let before = ids.len();
            search.add_rules_of_atom(*key, &mut ids)?;
            let found = u32::try_from(ids.len().saturating_sub(before)).unwrap_or(u32::MAX);
            let count = match kind {
                AtomKind::Every | AtomKind::Guess | AtomKind::LinkName => &mut stats.unknown,
                AtomKind::Whole => &mut stats.found[0],
                AtomKind::Part => &mut stats.found[1],
                AtomKind::Name => &mut stats.found[2],
                AtomKind::Extension => &mut stats.found[3],
                AtomKind::Any => &mut stats.found[4],
            };
            *count = count.saturating_add(found);
        }
        ids.sort_unstable();
        ids.dedup();
        stats.candidates = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        Ok(Candidates { ids, stats })
    }
}

impl IndexedFacet {
    /// Whether the facet is examined for the subject of the call.
    fn is_about_call(&self, call: &dyn IndexedCall) -> bool {
        let mut is_examined = self.subjects.is_empty();
        if !is_examined {
            call.visit_subject(&mut |subject| is_examined |= self.subjects.iter().any(|examined| examined == subject));
        }
        is_examined
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
    /// The position of the first atom of the current facet.
    facet_start: usize,
    /// Whether the current facet has too many atoms. Every rule with an atom of the facet is then a candidate.
    is_full: bool,
}

impl AtomKeys {
    /// Begins the next facet of the call.
    fn begin_facet(&mut self) {
        self.facet_start = self.all.len();
        self.is_full = false;
    }

    /// Adds an atom of the current facet, unless that has too many; `number` is the number of the facet.
    fn add(&mut self, number: u16, kind: AtomKind, text: &[u8]) {
        let key = (key_of(number, kind, text), kind);
        if self.is_full || self.all.last() == Some(&key) {
            return;
        }
        self.all.push(key);
        if self.all.len() < MAX_KEYS {
            return;
        }
        // At the limit, duplicates are removed before the facet counts as too large.
        let mut atoms_of_facet = self.all.split_off(self.facet_start);
        atoms_of_facet.sort_unstable();
        atoms_of_facet.dedup();
        // Half of the limit, so that sorting is not repeated for every few atoms.
        if self.facet_start + atoms_of_facet.len() > MAX_KEYS / 2 {
            self.all.push((key_of(number, AtomKind::Every, b""), AtomKind::Every));
            self.is_full = true;
        } else {
            self.all.append(&mut atoms_of_facet);
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
            let coverage = call.visit_links(directory, &mut |name: &str| {
                let name = fold(name);
                links.paths.push(if above.is_empty() { name.into_owned() } else { format!("{above}/{name}") });
            });
            if coverage == NameCoverage::Partial {
                links.coverage = coverage;
            }
        }
        links
    }
}

impl<'i, B: ByteSource + ?Sized> IndexLookup<'i, B> {
    /// Adds the atoms that the call has of a facet.
    fn look_up_facet(
        &mut self,
        number: u16,
        kinds: u8,
        facet: &CallFacet,
        call: &dyn IndexedCall,
    ) -> Result<(), DamagedImage> {
        self.keys.begin_facet();
        let mut result = Ok(());
        let (mut has_value, mut has_other_than_main) = (false, false);
        let see = &mut |text: &str| {
            has_value = true;
            has_other_than_main |= !matches!(facet, CallFacet::Agent) || text != MAIN;
            if result.is_ok() && !self.keys.is_full {
                result = self.look_up_text(number, kinds, facet, text);
            }
        };
        let coverage = match facet {
            CallFacet::Subject => {
                call.visit_subject(see);
                NameCoverage::Complete
            }
            CallFacet::Agent => call.visit_agent(see),
            CallFacet::Programs => call.visit_programs(see),
            CallFacet::Words => call.visit_words(see),
            CallFacet::Leading => call.visit_leading_program(see),
            CallFacet::Touched(verb) => call.visit_touched_files(*verb, see),
            CallFacet::Connected => call.visit_hosts(see),
            CallFacet::Field(source) => call.visit_texts(source, see),
        };
        result?;
        if coverage == NameCoverage::Partial {
            self.keys.add(number, AtomKind::Every, b"");
        }
        if kinds & (1 << (AtomKind::Any as u8)) != 0 && has_other_than_main {
            self.keys.add(number, AtomKind::Any, b"");
        }
        if kinds & (1 << (AtomKind::LinkName as u8)) != 0 && has_value {
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

    /// Adds the atoms of one text of a facet.
    fn look_up_text(&mut self, number: u16, kinds: u8, facet: &CallFacet, text: &str) -> Result<(), DamagedImage> {
        let is_wanted = |kind: AtomKind| kinds & (1 << (kind as u8)) != 0;
        if is_wanted(AtomKind::Whole) {
            self.keys.add(number, AtomKind::Whole, text.as_bytes());
        }
        if is_wanted(AtomKind::Part) {
            self.add_parts(number, normalize_text(text).as_bytes())?;
        }
        if !facet.is_path() {
            return Ok(());
        }
        let folded = fold(text);
        // A guard may require a name in its folded form only.
        if is_wanted(AtomKind::Part) && !text.is_ascii() {
            self.add_parts(number, normalize_text(&folded).as_bytes())?;
        }
        for name in folded.split('/').filter(|name| !name.is_empty()) {
            if is_wanted(AtomKind::Name) {
                self.keys.add(number, AtomKind::Name, name.as_bytes());
            }
            if let Some((_, extension)) = name.rsplit_once('.').filter(|_| is_wanted(AtomKind::Extension)) {
                self.keys.add(number, AtomKind::Extension, extension.as_bytes());
            }
        }
        Ok(())
    }

    /// Adds the parts of the text that some rule requires. Compares only the windows around grams that the Bloom filter
    /// contains.
    fn add_parts(&mut self, number: u16, text: &[u8]) -> Result<(), DamagedImage> {
        let count = self.index.bits.count;
        if count == 0 {
            return Ok(());
        }
        self.windows = self.windows.saturating_add(text.len().saturating_mul(WINDOWS_PER_BYTE));
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

    /// Adds the parts of the text around a gram that rules require, in each required window; returns false if there are
    /// too many windows to compare.
    fn look_up_gram(&mut self, number: u16, text: &[u8], at: usize, gram: [u8; GRAM]) -> Result<bool, DamagedImage> {
        let AtomTable { at: table, log2 } = self.index.grams;
        let mask = (1_u64 << log2) - 1;
        let start = u64::try_from(first_slot(gram_hash(gram), log2)).map_err(|_| DamagedImage)?;
        for step in 0..=mask {
            let entry = self.bytes.read(self.image_offset(table) + 8 * ((start + step) & mask), 8)?;
            let (entry_gram, windows) = (u32_at(&*entry, 0)?, u32_at(&*entry, 4)?);
            // The entry is free, so the Bloom filter was wrong: no rule requires the gram.
            if windows == 0 {
                return Ok(true);
            }
            if entry_gram != u32::from_le_bytes(gram) {
                continue;
            }
            let windows = self.image_offset(windows);
            let count = u16_at(self.bytes, windows)?;
            let shapes = self.bytes.read(windows + 2, usize::from(count) * 2)?;
            let Some(remaining) = self.windows.checked_sub(usize::from(count)) else { return Ok(false) };
            self.windows = remaining;
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
        if count > MAX_BITS_READ_AT_ONCE { Ok(None) } else { self.bytes.read(at, len).map(Some) }
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
            let (entry_key, at) = (u32_at(entry.as_slice(), 0)?, u32_at(entry.as_slice(), 4)?);
            if at == 0 {
                return Ok(());
            }
            if entry_key != key {
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

/// Converts a length from the index; fails if it does not fit, because the index is then damaged.
fn length(len: u32) -> Result<usize, DamagedImage> {
    usize::try_from(len).map_err(|_| DamagedImage)
}

const _: () = assert!(KINDS <= 8, "a facet has a byte for the kinds");
