//! Builds the index of an event.
//!
//! The same rules always give the same bytes. All offsets are relative to the beginning of the index:
//!
//! | offset | content |
//! |---|---|
//! | 0 | the number of rules of the event, `u32` |
//! | 4 | the places that atoms are about: offset and number of bytes, `u32` each |
//! | 12 | the rules that are listed under no atom: offset and length of their list, `u32` each |
//! | 20 | the table of atoms: offset and logarithm of its size, `u32` each |
//! | 28 | the bits of grams: offset and number, `u32` each; 0 if no part is looked for |
//! | 36 | the table of grams: offset and logarithm of its size, `u32` each |
//! | 44 | the directories in which links are looked for: offset and number of bytes, `u32` each |
//!
//! A place is encoded as the kinds of its atoms, one bit each, `u8`; the place itself; and the subjects of the event
//! for which it is examined: their number, `u8`, then each as its length, `u8`, and its text. No subjects means that it
//! is examined for all.
//!
//! An entry of the table of atoms is a key and the offset of its list of rules, `u32` each. A list is its length and
//! its rules, `u32` each; a list of one is replaced by its rule, with the highest bit set. An entry of the table of
//! grams is a gram and the offset of its windows, `u32` each: their number, `u16`, and for each window how many bytes
//! before the gram it begins and its length, `u8` each. In both tables an entry whose second half is zero is free, and
//! collisions are resolved by linear probing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::BitOrAssign;
use std::sync::Arc;

use super::atom::{GRAM, Kind, PART, gram_bits, key, spread};
use super::frequency::{Frequency, directory};
use super::guard::{Atom, Need, Places, need, subjects};
use crate::ruleset::{Mode, Rule};
use crate::schema::Event;

/// The length of the header.
pub(super) const HEAD: usize = 52;

/// The maximum number of subjects that a place lists, and the maximum length of one.
const SUBJECTS: usize = 16;
const SUBJECT: usize = 255;

/// The maximum number of atoms that a rule is listed under.
const ATOMS: usize = 8_192;

/// The number of filter bits per gram, which sets three of them: one in ninety grams of a text is a false positive. All
/// bits are read for most calls, so there are no more than necessary.
const BITS_A_GRAM: usize = 12;

/// The minimum number of bits.
const FEWEST_BITS: usize = 512;

/// The cost of a kind of atom: how often a call has one that a rule asks for.
fn weight(kind: Kind) -> u64 {
    match kind {
        Kind::Part => 1,
        Kind::Whole | Kind::Name => 2,
        Kind::Extension => 8,
        // Most calls of some tools have one.
        Kind::Any => 256,
        Kind::Every | Kind::Guess | Kind::Through => 0,
    }
}

/// Builds the index of an event, given all rules in evaluation order; empty if no rule names the event.
#[must_use]
pub fn build(event: Event, rules: &[Arc<Rule>]) -> Vec<u8> {
    let names_it = |rule: &Rule| rule.head.events.iter().any(|selector| selector.event == event);
    let of_event = (0_u32..).zip(rules).filter(|(_, rule)| names_it(rule));
    let of_event: Vec<(u32, &Rule)> = of_event.map(|(id, rule)| (id, rule.as_ref())).collect();
    if of_event.is_empty() {
        return Vec::new();
    }
    let mut places = Places::default();
    let active = of_event.iter().filter(|(_, rule)| rule.traits.mode != Mode::Off);
    let needs: Vec<(u32, Need)> = active.map(|(id, rule)| (*id, need(rule, event, &mut places))).collect();
    let of_rule: BTreeMap<u32, &Rule> = of_event.iter().copied().collect();
    let chosen = Chosen::new(&needs, &places, |id| of_rule.get(&id).and_then(|rule| subjects(rule, event)));
    let count = u32::try_from(of_event.len()).unwrap_or(u32::MAX);
    // An index that is too big for its offsets would be one of very many rules: then every rule is always judged.
    let too_big = || Chosen { always: needs.iter().map(|(id, _)| *id).collect(), ..Chosen::default() };
    write(count, &chosen).or_else(|| write(count, &too_big())).unwrap_or_default()
}

/// The chosen atoms of the rules, and the places that they are about, renumbered.
#[derive(Default)]
struct Chosen {
    places: Vec<u8>,
    always: Vec<u32>,
    /// The keys of atoms, each with a rule that is listed under it; sorted, without duplicates.
    lists: Vec<(u32, u32)>,
    /// The grams that lead to parts, each with the start of a part in bytes before it and the part's length; likewise.
    grams: Vec<(u32, (u8, u8))>,
    /// The directories in which links are looked for, as spelled in the policy.
    directories: BTreeSet<Vec<u8>>,
}

impl Chosen {
    /// `selected` returns the subjects that a rule selects, if it lists them all.
    fn new<'r>(needs: &[(u32, Need)], places: &Places, selected: impl Fn(u32) -> Option<Vec<&'r str>>) -> Self {
        let frequency = Frequency::new(needs, places);
        let weights: Vec<u64> = places.all.iter().map(super::place::AtomSubject::weight).collect();
        let cost = |atom: &Atom| {
            let often = frequency.of(atom)?;
            let place = weights.get(usize::from(atom.place))?;
            Some(often.saturating_mul(*place).saturating_mul(weight(atom.kind)))
        };
        let mut always = Vec::new();
        let mut under: Vec<(u32, Vec<&Atom>)> = Vec::new();
        for (id, need) in needs {
            let mut atoms = Vec::new();
            match need.choose(&cost, &mut atoms) {
                Some(_) if atoms.len() <= ATOMS => under.push((*id, atoms)),
                _ => always.push(*id),
            }
        }
        // Places that no chosen atom is about are dropped.
        let mut numbers: Vec<Option<(u16, u8)>> = vec![None; places.all.len()];
        let mut order: Vec<u16> = Vec::new();
        // An expensive place is examined only for the subjects that its rules select.
        let mut for_subjects: BTreeMap<u16, Option<BTreeSet<&str>>> = BTreeMap::new();
        for (id, atoms) in &under {
            let mut costly = BTreeSet::new();
            for about in atoms.chunk_by(|one, other| one.place == other.place) {
                let Some(place) = about.first().map(|atom| atom.place) else { continue };
                let Some(number) = numbers.get_mut(usize::from(place)) else { continue };
                let (_, kinds) = number.get_or_insert_with(|| {
                    order.push(place);
                    (u16::try_from(order.len().saturating_sub(1)).unwrap_or(u16::MAX), 0)
                });
                about.iter().for_each(|atom| *kinds |= 1 << (atom.kind as u8));
                if places.is_costly(place) {
                    costly.insert(place);
                }
            }
            if costly.is_empty() {
                continue;
            }
            let more = selected(*id).filter(|more| more.iter().all(|text| text.len() <= SUBJECT));
            for place in costly {
                match (for_subjects.entry(place).or_insert_with(|| Some(BTreeSet::new())), &more) {
                    (Some(all), Some(more)) => all.extend(more),
                    (all, _) => *all = None,
                }
            }
        }
        let number = |place: u16| numbers.get(usize::from(place)).copied().flatten();
        let mut written = Vec::new();
        for old in order {
            written.push(number(old).map_or(0, |(_, kinds)| kinds));
            places.all.get(usize::from(old)).into_iter().for_each(|place| place.encode(&mut written));
            let subjects = for_subjects.get(&old).and_then(Option::as_ref).filter(|all| all.len() <= SUBJECTS);
            written.push(subjects.and_then(|all| u8::try_from(all.len()).ok()).unwrap_or(0));
            for text in subjects.into_iter().flatten() {
                written.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
                written.extend_from_slice(text.as_bytes());
            }
        }
        let mut chosen = Self { places: written, always, ..Self::default() };
        let parts = under.iter().flat_map(|(_, atoms)| atoms).filter(|atom| atom.kind == Kind::Part);
        let parts = Parts::new(parts.map(|atom| places.text(atom)));
        for (id, atoms) in &under {
            for about in atoms.chunk_by(|one, other| one.place == other.place) {
                let place = about.first().and_then(|atom| number(atom.place)).map_or(u16::MAX, |(new, _)| new);
                chosen.lists.push((key(place, Kind::Every, b""), *id));
                for atom in about {
                    let text = places.text(atom);
                    let text = match atom.kind {
                        Kind::Part => Cow::Borrowed(chosen.window(&parts, text)),
                        Kind::Through => {
                            chosen.directories.insert(directory(text).to_vec());
                            Cow::Owned(text.to_ascii_lowercase())
                        }
                        _ => Cow::Borrowed(text),
                    };
                    chosen.lists.push((key(place, atom.kind, &text), *id));
                }
            }
        }
        chosen.lists.sort_unstable_by_key(|(key, id)| u64::from(*key) << 32 | u64::from(*id));
        chosen.lists.dedup();
        let number = |(gram, (before, length)): &(u32, (u8, u8))| {
            u64::from(*gram) << 16 | u64::from(*before) << 8 | u64::from(*length)
        };
        chosen.grams.sort_unstable_by_key(number);
        chosen.grams.dedup();
        chosen
    }

    /// Returns the window of a part that is compared, and records the gram that leads to it.
    fn window<'t>(&mut self, parts: &Parts, text: &'t [u8]) -> &'t [u8] {
        let at = parts.rarest(text);
        let length = text.len().min(PART);
        let start = at.saturating_sub((PART - GRAM) / 2).min(text.len() - length);
        let gram = text.get(at..at + GRAM).and_then(|gram| gram.try_into().ok()).map_or(0, u32::from_le_bytes);
        let shape = (u8::try_from(at - start).unwrap_or(u8::MAX), u8::try_from(length).unwrap_or(u8::MAX));
        self.grams.push((gram, shape));
        text.get(start..start + length).unwrap_or_default()
    }
}

/// The number of parts that contain each gram, sorted by gram.
struct Parts(Vec<(u32, usize)>);

impl Parts {
    fn new<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Self {
        // By hash, which puts equal texts next to each other just as well.
        let mut texts: Vec<(u32, &[u8])> = texts.map(|text| (key(0, Kind::Part, text), text)).collect();
        texts.sort_unstable_by_key(|(number, _)| *number);
        texts.dedup();
        let (mut grams, mut own): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (_, text) in texts {
            own.clear();
            own.extend(text.windows(GRAM).map(number));
            own.sort_unstable();
            own.dedup();
            grams.extend_from_slice(&own);
        }
        grams.sort_unstable();
        let often = |same: &[u32]| same.first().map(|gram| (*gram, same.len()));
        Self(grams.chunk_by(|one, other| one == other).filter_map(often).collect())
    }

    /// Returns the number of parts that contain a gram.
    fn often(&self, gram: u32) -> usize {
        let at = self.0.binary_search_by_key(&gram, |(gram, _)| *gram).ok();
        at.and_then(|at| self.0.get(at)).map_or(0, |(_, often)| *often)
    }

    /// Returns the offset of the part's gram that the fewest parts share; of several, one that is rare in texts.
    fn rarest(&self, text: &[u8]) -> usize {
        let common = |gram: &[u8]| -> u32 {
            let common = |byte: &u8| match byte {
                b' ' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 3,
                b'a'..=b'z' | b'/' | b'.' | b'-' => 2,
                _ => 1,
            };
            gram.iter().map(common).sum()
        };
        let grams = text.windows(GRAM).enumerate();
        let grams = grams.min_by_key(|(_, gram)| (self.often(number(gram)), common(gram)));
        grams.map_or(0, |(at, _)| at)
    }
}

fn number(gram: &[u8]) -> u32 {
    gram.try_into().map_or(0, u32::from_le_bytes)
}

/// Assembles an index; `None` if it is too big.
fn write(count: u32, chosen: &Chosen) -> Option<Vec<u8>> {
    let mut out = vec![0_u8; HEAD];
    let mut head = vec![count];
    head.extend([place(&out)?, u32::try_from(chosen.places.len()).ok()?]);
    out.extend_from_slice(&chosen.places);
    // The data that every call reads is kept together.
    let directories = place(&out)?;
    for directory in &chosen.directories {
        out.push(u8::try_from(directory.len()).ok()?);
        out.extend_from_slice(directory);
    }
    let directories = [directories, place(&out)?.saturating_sub(directories)];
    head.extend([place(&out)?, u32::try_from(chosen.always.len()).ok()?]);
    chosen.always.iter().for_each(|id| out.extend(id.to_le_bytes()));
    let lists = || chosen.lists.chunk_by(|(one, _), (other, _)| one == other);
    let mut atoms = Table::new(lists().count());
    for list in lists() {
        let Some((key, first)) = list.first() else { continue };
        let at = if list.len() == 1 {
            *first | SINGLE
        } else {
            let at = place(&out)?;
            out.extend(u32::try_from(list.len()).ok()?.to_le_bytes());
            list.iter().for_each(|(_, id)| out.extend(id.to_le_bytes()));
            at
        };
        atoms.insert(*key, *key, at);
    }
    head.extend([place(&out)?, atoms.log2]);
    atoms.write(&mut out);
    if chosen.grams.is_empty() {
        head.extend([0; 4]);
    } else {
        let grams_of = || chosen.grams.chunk_by(|(one, _), (other, _)| one == other);
        let count = grams_of().count();
        let mut bits = vec![0_u8; (count * BITS_A_GRAM).max(FEWEST_BITS).div_ceil(8)];
        let bit_count = u32::try_from(bits.len()).ok()?.checked_mul(8)?;
        let mut grams = Table::new(count);
        for shapes in grams_of() {
            let Some((gram, _)) = shapes.first() else { continue };
            for bit in gram_bits(gram.to_le_bytes(), bit_count) {
                bits.get_mut(usize::try_from(bit / 8).ok()?)?.bitor_assign(1 << (bit % 8));
            }
            let at = place(&out)?;
            out.extend(u16::try_from(shapes.len()).ok()?.to_le_bytes());
            shapes.iter().for_each(|(_, (before, length))| out.extend([*before, *length]));
            grams.insert(spread(gram.to_le_bytes()), *gram, at);
        }
        head.extend([place(&out)?, bit_count]);
        out.extend(bits);
        head.extend([place(&out)?, grams.log2]);
        grams.write(&mut out);
    }
    head.extend(directories);
    let bytes: Vec<u8> = head.iter().flat_map(|number| number.to_le_bytes()).collect();
    out.get_mut(..HEAD)?.copy_from_slice(bytes.get(..HEAD)?);
    Some(out)
}

/// Returns the offset of the next byte.
fn place(out: &[u8]) -> Option<u32> {
    u32::try_from(out.len()).ok().filter(|at| *at < u32::MAX / 2)
}

/// Marks a rule that takes the place of a list. Offsets never have this bit.
pub(super) const SINGLE: u32 = 1 << 31;

/// A hash table with open addressing, at most half full.
struct Table {
    log2: u32,
    entries: Vec<(u32, u32)>,
}

impl Table {
    fn new(count: usize) -> Self {
        let log2 = (count.max(1) * 2).next_power_of_two().ilog2();
        Self { log2, entries: vec![(0, 0); 1 << log2] }
    }

    /// Adds a value, which must not be zero.
    fn insert(&mut self, hash: u32, key: u32, value: u32) {
        let size = self.entries.len();
        let first = first(hash, self.log2);
        let free = (0..size).map(|step| (first + step) % size);
        let free = free.into_iter().find(|at| self.entries.get(*at).is_some_and(|(_, value)| *value == 0));
        if let Some(entry) = free.and_then(|at| self.entries.get_mut(at)) {
            *entry = (key, value);
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        for (key, value) in &self.entries {
            out.extend_from_slice(&(u64::from(*value) << 32 | u64::from(*key)).to_le_bytes());
        }
    }
}

/// Returns the position of the entry at which a search begins.
pub(super) fn first(hash: u32, log2: u32) -> usize {
    let first = u64::from(hash) << log2 >> 32;
    usize::try_from(first).unwrap_or_default()
}
