//! Looks up the rules that a call can concern. The index is used in place.

use std::borrow::Cow;

use super::Call;
use super::atom::{GRAM, KINDS, Kind, gram_bits, key as key_of, plain, spread};
use super::build::{HEAD, SINGLE, first};
use super::place::AtomSubject;
use crate::image::{Bytes, Damaged, Section, u16_at, u32_at};
use crate::ruleset::head::MAIN;
use hookrules_shell::path::fold;
use hookrules_shell::pattern::Coverage;

/// An opened index.
#[derive(Clone, Debug)]
pub struct Index {
    section: Section,
    rules: u32,
    always: List,
    atoms: Hashed,
    bits: Bits,
    grams: Hashed,
    /// The questions about a call.
    places: Vec<Question>,
    /// The directories in which links are looked for, as spelled in the policy.
    directories: Vec<String>,
}

/// A question about a call.
#[derive(Clone, Debug)]
struct Question {
    place: AtomSubject,
    /// One bit per kind of atom.
    kinds: u8,
    /// The subjects for which it is asked; all if empty.
    subjects: Vec<String>,
}

/// A list of numbers.
#[derive(Clone, Copy, Debug)]
struct List {
    at: u32,
    len: u32,
}

/// A hash table.
#[derive(Clone, Copy, Debug)]
struct Hashed {
    at: u32,
    log2: u32,
}

/// A bit array.
#[derive(Clone, Copy, Debug)]
struct Bits {
    at: u32,
    count: u32,
}

/// The rules that a call can concern.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Candidates {
    /// Their positions in evaluation order, sorted, without duplicates.
    pub ids: Vec<u32>,
    /// How they were found.
    pub looked: Looked,
}

/// Statistics of a lookup in an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Looked {
    /// The number of rules of the event.
    pub rules: u32,
    /// The number of rules that the call can concern.
    pub candidates: u32,
    /// The number of rules that are always judged.
    pub always: u32,
    /// The number of the call's atoms that were looked up.
    pub atoms: u32,
    /// The number of rules found by a whole name or text, by a part of a text, by a name on a path, by an extension,
    /// and by the presence of a value. A rule that was found twice counts twice.
    pub found: [u32; 5],
    /// The number of rules found because their values are not all known.
    pub unknown: u32,
}

impl Looked {
    /// Returns the number of rules found in each way, with a description of the way.
    #[must_use]
    pub fn ways(&self) -> [(u32, &'static str); 7] {
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

/// The approximate encoded size of a place, in bytes.
const PLACE: usize = 8;

/// The maximum number of bits that are read from a file at once.
const BITS: u32 = 1 << 17;

/// The maximum number of window comparisons per byte of text, in total. Beyond it, a text counts as having every part.
const WINDOWS: usize = 8;

/// The maximum number of a call's atoms that are looked up. Beyond it, a place counts as having every atom.
const MOST_KEYS: usize = 1 << 17;

/// The number of windows that may be compared even if the texts are short.
const FREE_WINDOWS: usize = 1_024;

impl Index {
    /// Opens the index in a section of an image.
    ///
    /// # Errors
    /// The section is not an index.
    pub fn open(bytes: &(impl Bytes + ?Sized), section: Section) -> Result<Self, Damaged> {
        let head = bytes.read(section.at, HEAD)?;
        let number = |at: usize| u32_at(head.as_ref(), u64::try_from(at * 4).unwrap_or(u64::MAX));
        let list = |at: usize| Ok(List { at: number(at)?, len: number(at + 1)? });
        let table = |at: usize, most: u32| {
            let table = Hashed { at: number(at)?, log2: number(at + 1)? };
            if table.log2 <= most { Ok(table) } else { Err(Damaged) }
        };
        let (rules, written, always) = (number(0)?, list(1)?, list(3)?);
        let (atoms, grams) = (table(5, 31)?, table(9, 31)?);
        let bits = Bits { at: number(7)?, count: number(8)? };
        let written = bytes.read(section.at.saturating_add(u64::from(written.at)), length(written.len)?)?;
        let mut places = Vec::with_capacity(written.len() / PLACE);
        let mut rest = written.as_ref();
        while let Some((kinds, behind)) = rest.split_first() {
            let (place, behind) = AtomSubject::decode(behind)?;
            let (count, mut behind) = behind.split_first().ok_or(Damaged)?;
            let mut subjects = Vec::new();
            for _ in 0..*count {
                let (text, after) = short(behind)?;
                subjects.push(text);
                behind = after;
            }
            places.push(Question { place, kinds: *kinds, subjects });
            rest = behind;
        }
        let written = list(11)?;
        let written = bytes.read(section.at.saturating_add(u64::from(written.at)), length(written.len)?)?;
        let mut directories = Vec::new();
        let mut rest = written.as_ref();
        while !rest.is_empty() {
            let (name, behind) = short(rest)?;
            directories.push(name);
            rest = behind;
        }
        Ok(Self { section, rules, always, atoms, bits, grams, places, directories })
    }

    /// Returns the rules that a call can concern.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn candidates<B: Bytes + ?Sized>(&self, bytes: &B, call: &dyn Call) -> Result<Candidates, Damaged> {
        let mut search =
            Search { index: self, bytes, keys: Keys::default(), bits: None, links: None, windows: FREE_WINDOWS };
        for (number, question) in (0_u16..).zip(&self.places) {
            if question.concerns(call) {
                search.place(number, question.kinds, &question.place, call)?;
            }
        }
        let keys = std::mem::take(&mut search.keys).sorted();
        let mut looked = Looked { rules: self.rules, always: self.always.len, ..Looked::default() };
        looked.atoms = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        let mut ids = Vec::new();
        search.list(self.always, &mut ids)?;
        for (key, kind) in &keys {
            let before = ids.len();
            search.rules(*key, &mut ids)?;
            let found = u32::try_from(ids.len().saturating_sub(before)).unwrap_or(u32::MAX);
            let count = match kind {
                Kind::Every | Kind::Guess | Kind::Through => &mut looked.unknown,
                Kind::Whole => &mut looked.found[0],
                Kind::Part => &mut looked.found[1],
                Kind::Name => &mut looked.found[2],
                Kind::Extension => &mut looked.found[3],
                Kind::Any => &mut looked.found[4],
            };
            *count = count.saturating_add(found);
        }
        ids.sort_unstable();
        ids.dedup();
        looked.candidates = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        Ok(Candidates { ids, looked })
    }
}

impl Question {
    fn concerns(&self, call: &dyn Call) -> bool {
        let mut is_one = self.subjects.is_empty();
        if !is_one {
            call.subject(&mut |subject| is_one |= self.subjects.iter().any(|one| one == subject));
        }
        is_one
    }
}

/// Decodes a length-prefixed text from the beginning of the bytes, and returns the rest.
fn short(bytes: &[u8]) -> Result<(String, &[u8]), Damaged> {
    let (len, rest) = bytes.split_first().ok_or(Damaged)?;
    let (text, rest) = rest.split_at_checked(usize::from(*len)).ok_or(Damaged)?;
    Ok((std::str::from_utf8(text).map_err(|_| Damaged)?.to_owned(), rest))
}

/// The atoms of a call, as keys with their kinds.
#[derive(Default)]
struct Keys {
    all: Vec<(u32, Kind)>,
    /// The start of the current place's atoms.
    own: usize,
    /// Whether the current place has too many atoms: every rule about it is then a candidate.
    is_full: bool,
}

impl Keys {
    /// Begins with the next place.
    fn begin(&mut self) {
        self.own = self.all.len();
        self.is_full = false;
    }

    fn add(&mut self, number: u16, kind: Kind, text: &[u8]) {
        let key = (key_of(number, kind, text), kind);
        if self.is_full || self.all.last() == Some(&key) {
            return;
        }
        self.all.push(key);
        if self.all.len() < MOST_KEYS {
            return;
        }
        let mut own = self.all.split_off(self.own);
        own.sort_unstable();
        own.dedup();
        // Half of the limit, so that sorting is not repeated for every few atoms.
        if self.own + own.len() > MOST_KEYS / 2 {
            self.all.push((key_of(number, Kind::Every, b""), Kind::Every));
            self.is_full = true;
        } else {
            self.all.append(&mut own);
        }
    }

    /// Returns the atoms sorted, without duplicates.
    fn sorted(mut self) -> Vec<(u32, Kind)> {
        self.all.sort_unstable();
        self.all.dedup();
        self.all
    }
}

/// A lookup in progress.
struct Search<'i, B: ?Sized> {
    index: &'i Index,
    bytes: &'i B,
    keys: Keys,
    /// The bits of grams, if they are read as a whole.
    bits: Option<Cow<'i, [u8]>>,
    /// The links of the project, once requested.
    links: Option<Links>,
    /// The number of windows that may still be compared.
    windows: usize,
}

/// Links, as their folded paths relative to the project.
struct Links {
    paths: Vec<String>,
    told: Coverage,
}

impl Links {
    fn below(directories: &[String], call: &dyn Call) -> Self {
        let mut links = Self { paths: Vec::new(), told: Coverage::All };
        for directory in directories {
            let above = fold(directory);
            let told = call.links(directory, &mut |name: &str| {
                let name = fold(name);
                links.paths.push(if above.is_empty() { name.into_owned() } else { format!("{above}/{name}") });
            });
            if told == Coverage::NotAll {
                links.told = told;
            }
        }
        links
    }
}

impl<'i, B: Bytes + ?Sized> Search<'i, B> {
    fn place(&mut self, number: u16, kinds: u8, place: &AtomSubject, call: &dyn Call) -> Result<(), Damaged> {
        self.keys.begin();
        let mut result = Ok(());
        let (mut is_there, mut is_any) = (false, false);
        let see = &mut |text: &str| {
            is_there = true;
            is_any |= !matches!(place, AtomSubject::Agent) || text != MAIN;
            if result.is_ok() && !self.keys.is_full {
                result = self.text(number, kinds, place, text);
            }
        };
        let told = match place {
            AtomSubject::Subject => {
                call.subject(see);
                Coverage::All
            }
            AtomSubject::Agent => call.agent(see),
            AtomSubject::Programs => call.programs(see),
            AtomSubject::Words => call.words(see),
            AtomSubject::Leading => call.leading_program(see),
            AtomSubject::Touched(verb) => call.touched(*verb, see),
            AtomSubject::Connected => call.connected(see),
            AtomSubject::Field(source) => call.texts(source, see),
        };
        result?;
        if told == Coverage::NotAll {
            self.keys.add(number, Kind::Every, b"");
        }
        if kinds & (1 << (Kind::Any as u8)) != 0 && is_any {
            self.keys.add(number, Kind::Any, b"");
        }
        if kinds & (1 << (Kind::Through as u8)) != 0 && is_there {
            self.links(number, call);
        }
        if kinds & (1 << (Kind::Guess as u8)) != 0 && call.is_guessed() {
            self.keys.add(number, Kind::Guess, b"");
        }
        Ok(())
    }

    /// Adds the links that paths of the policy may lead through.
    fn links(&mut self, number: u16, call: &dyn Call) {
        let links = self.links.take().unwrap_or_else(|| Links::below(&self.index.directories, call));
        for path in &links.paths {
            self.keys.add(number, Kind::Through, path.as_bytes());
        }
        if links.told == Coverage::NotAll {
            self.keys.add(number, Kind::Every, b"");
        }
        self.links = Some(links);
    }

    /// Adds the atoms of one text.
    fn text(&mut self, number: u16, kinds: u8, place: &AtomSubject, text: &str) -> Result<(), Damaged> {
        let asks = |kind: Kind| kinds & (1 << (kind as u8)) != 0;
        if asks(Kind::Whole) {
            self.keys.add(number, Kind::Whole, text.as_bytes());
        }
        if asks(Kind::Part) {
            self.parts(number, plain(text).as_bytes())?;
        }
        if !place.is_path() {
            return Ok(());
        }
        let folded = fold(text);
        // A guard may require a name in its folded form only.
        if asks(Kind::Part) && !text.is_ascii() {
            self.parts(number, plain(&folded).as_bytes())?;
        }
        for name in folded.split('/').filter(|name| !name.is_empty()) {
            if asks(Kind::Name) {
                self.keys.add(number, Kind::Name, name.as_bytes());
            }
            if let Some((_, extension)) = name.rsplit_once('.').filter(|_| asks(Kind::Extension)) {
                self.keys.add(number, Kind::Extension, extension.as_bytes());
            }
        }
        Ok(())
    }

    /// Adds the parts of a text that some rule asks for: those whose gram occurs in it.
    fn parts(&mut self, number: u16, text: &[u8]) -> Result<(), Damaged> {
        let count = self.index.bits.count;
        if count == 0 {
            return Ok(());
        }
        self.windows = self.windows.saturating_add(text.len().saturating_mul(WINDOWS));
        let whole = self.whole_bits()?;
        let bits = whole.as_deref();
        for (at, gram) in text.array_windows::<GRAM>().enumerate() {
            let mut is_known = true;
            for bit in gram_bits(*gram, count) {
                let byte = match bits {
                    Some(bits) => usize::try_from(bit / 8).ok().and_then(|at| bits.get(at)).copied().ok_or(Damaged)?,
                    None => self.byte(self.index.bits.at, bit / 8)?,
                };
                is_known = byte & (1 << (bit % 8)) != 0;
                if !is_known {
                    break;
                }
            }
            if !is_known {
                continue;
            }
            if !self.gram(number, text, at, *gram)? {
                self.keys.add(number, Kind::Every, b"");
                break;
            }
            if self.keys.is_full {
                break;
            }
        }
        self.bits = whole;
        Ok(())
    }

    /// Adds the windows around a gram; returns false if there are too many to compare.
    fn gram(&mut self, number: u16, text: &[u8], at: usize, gram: [u8; GRAM]) -> Result<bool, Damaged> {
        let Hashed { at: table, log2 } = self.index.grams;
        let mask = (1_u64 << log2) - 1;
        let start = u64::try_from(first(spread(gram), log2)).map_err(|_| Damaged)?;
        for step in 0..=mask {
            let entry = self.bytes.read(self.start(table) + 8 * ((start + step) & mask), 8)?;
            let (found, windows) = (u32_at(&*entry, 0)?, u32_at(&*entry, 4)?);
            if windows == 0 {
                return Ok(true);
            }
            if found != u32::from_le_bytes(gram) {
                continue;
            }
            let windows = self.start(windows);
            let count = u16_at(self.bytes, windows)?;
            let shapes = self.bytes.read(windows + 2, usize::from(count) * 2)?;
            let Some(left) = self.windows.checked_sub(usize::from(count)) else { return Ok(false) };
            self.windows = left;
            for shape in shapes.chunks_exact(2) {
                let [before, length] = *shape else { continue };
                let window =
                    at.checked_sub(usize::from(before)).and_then(|from| text.get(from..from + usize::from(length)));
                if let Some(window) = window {
                    self.keys.add(number, Kind::Part, window);
                }
            }
            return Ok(true);
        }
        Err(Damaged)
    }

    /// Returns all bits, if they are in memory or few.
    fn whole_bits(&mut self) -> Result<Option<Cow<'i, [u8]>>, Damaged> {
        if let Some(bits) = self.bits.take() {
            return Ok(Some(bits));
        }
        let Bits { at, count } = self.index.bits;
        let (at, len) = (self.start(at), length(count.div_ceil(8))?);
        if let Some(bits) = self.bytes.at_hand(at, len) {
            return Ok(Some(Cow::Borrowed(bits)));
        }
        if count > BITS { Ok(None) } else { self.bytes.read(at, len).map(Some) }
    }

    fn byte(&self, at: u32, offset: u32) -> Result<u8, Damaged> {
        self.bytes.read(self.start(at) + u64::from(offset), 1)?.first().copied().ok_or(Damaged)
    }

    /// Adds the rules that are listed under an atom.
    fn rules(&self, key: u32, ids: &mut Vec<u32>) -> Result<(), Damaged> {
        let Hashed { at: table, log2 } = self.index.atoms;
        let mask = (1_u64 << log2) - 1;
        let start = u64::try_from(first(key, log2)).map_err(|_| Damaged)?;
        for step in 0..=mask {
            let entry = self.bytes.entry(self.start(table) + 8 * ((start + step) & mask))?;
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
            let len = u32_at(self.bytes, self.start(at))?;
            return self.list(List { at: at.checked_add(4).ok_or(Damaged)?, len }, ids);
        }
        Err(Damaged)
    }

    fn list(&self, list: List, ids: &mut Vec<u32>) -> Result<(), Damaged> {
        let bytes = self.bytes.read(self.start(list.at), length(list.len)?.checked_mul(4).ok_or(Damaged)?)?;
        ids.extend(bytes.chunks_exact(4).map(|id| id.try_into().map_or(u32::MAX, u32::from_le_bytes)));
        Ok(())
    }

    /// Converts an offset in the index to an offset in the image.
    fn start(&self, at: u32) -> u64 {
        self.index.section.at.saturating_add(u64::from(at))
    }
}

fn length(len: u32) -> Result<usize, Damaged> {
    usize::try_from(len).map_err(|_| Damaged)
}

const _: () = assert!(KINDS <= 8, "a place has a byte for the kinds");
