//! Makes the index of an event.
//!
//! The same rules give the same bytes. All places in it are counted from its beginning:
//!
//! | at | what |
//! |---|---|
//! | 0 | how many rules the event has, `u32` |
//! | 4 | the places that atoms are about: where they are written, and how many bytes, `u32` each |
//! | 12 | the rules that stand under no atom: where their list is, and how long, `u32` each |
//! | 20 | the table of atoms: where it is, and the logarithm of its size, `u32` each |
//! | 28 | the bits of grams: where they are, and the logarithm of their number, `u32` each; 0 where no part is looked for |
//! | 36 | the table of grams: where it is, and the logarithm of its size, `u32` each |
//! | 44 | the directories in which links are looked for: where they are written, and how many bytes, `u32` each |
//!
//! A place is written as the kinds of atoms about it, a bit each, `u8`, as itself, and as the subjects of the event for
//! which it is looked at: how many, `u8`, and each as its length, `u8`, and its text; none where it is for every one.
//!
//! An entry of the table of atoms is a key and where its list of rules is, `u32` each: how many, `u32`, and each. A list
//! of one is its rule, with the highest bit set. An entry of the table of grams is a gram, and where its windows are
//! written, `u32` each: how many, `u16`, and for each how many bytes before the gram it begins and how long it is, `u8`
//! each. In both, an entry whose second half is zero is free, and what is not found where its hash says stands behind.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::BitOrAssign;
use std::sync::Arc;

use super::atom::{GRAM, Kind, PART, gram_bit, key, spread};
use super::guard::{Atom, Need, Places, need, subjects};
use crate::ruleset::{Mode, Rule};
use crate::schema::Event;

/// How long the part in front is.
pub(super) const HEAD: usize = 52;

/// How many places are looked at, at most: each costs every call of the event.
const PLACES: usize = 48;

/// How many directories are looked through for links, at most, and the longest name of one.
const DIRECTORIES: usize = 8;
const DIRECTORY: usize = 255;

/// The most subjects that a place names for which it is looked at, and the longest of them.
const SUBJECTS: usize = 16;
const SUBJECT: usize = 255;

/// The most atoms that one rule stands under.
const ATOMS: usize = 8_192;

/// What an atom of a kind costs, as how often a call has one that a rule asks for.
fn weight(kind: Kind) -> u64 {
    match kind {
        Kind::Part => 1,
        Kind::Whole | Kind::Name => 2,
        Kind::Extension => 8,
        // Most calls of some tool have one.
        Kind::Any => 256,
        Kind::Every | Kind::Guess | Kind::Through => 0,
    }
}

/// Makes the index of an event, given all rules in evaluation order; nothing where none names the event.
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
    let chosen = Chosen::new(&needs, places, |id| of_rule.get(&id).and_then(|rule| subjects(rule, event)));
    let count = u32::try_from(of_event.len()).unwrap_or(u32::MAX);
    // An index that is too big for its own numbers would be one of very many rules: then all of them count.
    let too_big = || Chosen { always: needs.iter().map(|(id, _)| *id).collect(), ..Chosen::default() };
    write(count, &chosen).or_else(|| write(count, &too_big())).unwrap_or_default()
}

/// The atoms under which rules stand, and the places that they are about, by new numbers.
#[derive(Default)]
struct Chosen {
    places: Vec<u8>,
    always: Vec<u32>,
    lists: BTreeMap<u32, Vec<u32>>,
    grams: BTreeMap<u32, BTreeSet<(u8, u8)>>,
    /// Where links are looked for, as the policy writes it.
    directories: BTreeSet<Vec<u8>>,
}

impl Chosen {
    /// `selected` returns the subjects that a rule selects, where it says them all.
    fn new<'r>(needs: &[(u32, Need)], places: Places, selected: impl Fn(u32) -> Option<Vec<&'r str>>) -> Self {
        let frequency = Frequency::new(needs, places.all.len());
        let weights: Vec<u64> = places.all.iter().map(super::place::AtomSubject::weight).collect();
        let cost = |atom: &Atom| {
            let often = frequency.of(atom)?;
            let place = weights.get(usize::from(atom.place))?;
            Some(often.saturating_mul(*place).saturating_mul(weight(atom.kind)))
        };
        let mut always = Vec::new();
        let mut under: Vec<(u32, Vec<&Atom>)> = Vec::new();
        for (id, need) in needs {
            match need.choose(&cost) {
                Some((_, atoms)) if atoms.len() <= ATOMS => under.push((*id, atoms)),
                _ => always.push(*id),
            }
        }
        // What nobody asks about in the end is not looked at.
        let mut numbers: BTreeMap<u16, (u16, u8)> = BTreeMap::new();
        for atom in under.iter().flat_map(|(_, atoms)| atoms) {
            let next = u16::try_from(numbers.len()).unwrap_or(u16::MAX);
            let (_, kinds) = numbers.entry(atom.place).or_insert((next, 0));
            *kinds |= 1 << (atom.kind as u8);
        }
        // What costs much to tell is told for the subjects that its rules select, and for no other.
        let mut for_subjects: BTreeMap<u16, Option<BTreeSet<&str>>> = BTreeMap::new();
        for (id, atoms) in &under {
            let costly: BTreeSet<u16> =
                atoms.iter().map(|atom| atom.place).filter(|place| places.is_costly(*place)).collect();
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
        let mut order: Vec<(u16, &u16, u8)> = numbers.iter().map(|(old, (new, kinds))| (*new, old, *kinds)).collect();
        order.sort_unstable();
        let mut written = Vec::new();
        for (_, old, kinds) in order {
            written.push(kinds);
            written
                .extend(places.all.get(usize::from(*old)).map(super::place::AtomSubject::encode).unwrap_or_default());
            let subjects = for_subjects.get(old).and_then(Option::as_ref).filter(|all| all.len() <= SUBJECTS);
            written.push(subjects.and_then(|all| u8::try_from(all.len()).ok()).unwrap_or(0));
            for text in subjects.into_iter().flatten() {
                written.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
                written.extend(text.as_bytes());
            }
        }
        let mut chosen = Self { places: written, always, ..Self::default() };
        let parts = Parts::new(under.iter().flat_map(|(_, atoms)| atoms).filter(|atom| atom.kind == Kind::Part));
        for (id, atoms) in &under {
            for atom in atoms {
                let place = numbers.get(&atom.place).map_or(u16::MAX, |(new, _)| *new);
                let text = match atom.kind {
                    Kind::Part => Cow::Borrowed(chosen.window(&parts, &atom.text)),
                    Kind::Through => {
                        chosen.directories.insert(directory(&atom.text).to_vec());
                        Cow::Owned(atom.text.to_ascii_lowercase())
                    }
                    _ => Cow::Borrowed(atom.text.as_slice()),
                };
                for key in [key(place, atom.kind, &text), key(place, Kind::Every, b"")] {
                    let list = chosen.lists.entry(key).or_default();
                    if list.last() != Some(id) {
                        list.push(*id);
                    }
                }
            }
        }
        chosen
    }

    /// Returns the stretch of a part that is compared, and notes the gram that leads to it.
    fn window<'t>(&mut self, parts: &Parts, text: &'t [u8]) -> &'t [u8] {
        let at = parts.rarest(text);
        let length = text.len().min(PART);
        let start = at.saturating_sub((PART - GRAM) / 2).min(text.len() - length);
        let gram = text.get(at..at + GRAM).and_then(|gram| gram.try_into().ok()).map_or(0, u32::from_le_bytes);
        let shape = (u8::try_from(at - start).unwrap_or(u8::MAX), u8::try_from(length).unwrap_or(u8::MAX));
        self.grams.entry(gram).or_default().insert(shape);
        text.get(start..start + length).unwrap_or_default()
    }
}

/// Returns the directory that a path stands in, from the project.
fn directory(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    path.get(..end).unwrap_or_default()
}

/// How many rules have an atom, of those whose place or directory is among the most asked about.
struct Frequency<'n> {
    atoms: BTreeMap<&'n Atom, u64>,
    is_kept: Vec<bool>,
    directories: BTreeSet<&'n [u8]>,
}

impl<'n> Frequency<'n> {
    fn new(needs: &'n [(u32, Need)], places: usize) -> Self {
        let mut atoms: BTreeMap<&Atom, u64> = BTreeMap::new();
        let mut of_place = vec![0_u64; places];
        for (_, need) in needs {
            let mut own = Vec::new();
            need.atoms(&mut own);
            own.sort_unstable();
            own.dedup();
            own.iter().for_each(|atom| *atoms.entry(atom).or_default() += 1);
            own.dedup_by_key(|atom| atom.place);
            for atom in own {
                of_place.get_mut(usize::from(atom.place)).into_iter().for_each(|count| *count += 1);
            }
        }
        let mut order: Vec<usize> = (0..places).collect();
        order.sort_by_key(|place| std::cmp::Reverse(of_place.get(*place).copied()));
        let mut is_kept = vec![false; places];
        for place in order.into_iter().take(PLACES) {
            is_kept.get_mut(place).into_iter().for_each(|kept| *kept = true);
        }
        let mut of_directory: BTreeMap<&[u8], u64> = BTreeMap::new();
        for (atom, count) in atoms.iter().filter(|(atom, _)| atom.kind == Kind::Through) {
            *of_directory.entry(directory(&atom.text)).or_default() += count;
        }
        let mut directories: Vec<(&[u8], u64)> = of_directory.into_iter().collect();
        directories.retain(|(directory, _)| directory.len() <= DIRECTORY);
        directories.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let directories = directories.into_iter().take(DIRECTORIES).map(|(directory, _)| directory).collect();
        Self { atoms, is_kept, directories }
    }

    fn of(&self, atom: &Atom) -> Option<u64> {
        let is_kept = self.is_kept.get(usize::from(atom.place)).copied().unwrap_or_default();
        let is_looked_for = atom.kind != Kind::Through || self.directories.contains(directory(&atom.text));
        self.atoms.get(atom).copied().filter(|_| is_kept && is_looked_for)
    }
}

/// How often each gram stands in the parts.
struct Parts(BTreeMap<u32, u32>);

impl Parts {
    fn new<'a>(atoms: impl Iterator<Item = &'a &'a Atom>) -> Self {
        let texts: BTreeSet<&[u8]> = atoms.map(|atom| atom.text.as_slice()).collect();
        let mut grams = BTreeMap::new();
        for text in texts {
            let own: BTreeSet<u32> = text.windows(GRAM).map(number).collect();
            own.into_iter().for_each(|gram| *grams.entry(gram).or_default() += 1);
        }
        Self(grams)
    }

    /// Returns where the gram of a part stands that the fewest others have; of several, one that texts seldom have.
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
        let grams = grams.min_by_key(|(_, gram)| (self.0.get(&number(gram)).copied().unwrap_or(0), common(gram)));
        grams.map_or(0, |(at, _)| at)
    }
}

fn number(gram: &[u8]) -> u32 {
    gram.try_into().map_or(0, u32::from_le_bytes)
}

/// Puts an index together; nothing where it is too big.
fn write(count: u32, chosen: &Chosen) -> Option<Vec<u8>> {
    let mut out = vec![0_u8; HEAD];
    let mut head = vec![count];
    head.extend([place(&out)?, u32::try_from(chosen.places.len()).ok()?]);
    out.extend_from_slice(&chosen.places);
    head.extend([place(&out)?, u32::try_from(chosen.always.len()).ok()?]);
    chosen.always.iter().for_each(|id| out.extend(id.to_le_bytes()));
    let mut atoms = Table::new(chosen.lists.len());
    for (key, list) in &chosen.lists {
        let at = match list.as_slice() {
            [only] => *only | SINGLE,
            several => {
                let at = place(&out)?;
                out.extend(u32::try_from(several.len()).ok()?.to_le_bytes());
                several.iter().for_each(|id| out.extend(id.to_le_bytes()));
                at
            }
        };
        atoms.insert(*key, *key, at);
    }
    head.extend([place(&out)?, atoms.log2]);
    atoms.write(&mut out);
    if chosen.grams.is_empty() {
        head.extend([0; 4]);
    } else {
        let bits_log2 = (chosen.grams.len() * 32).next_power_of_two().max(512).ilog2().min(31);
        let mut bits = vec![0_u8; 1 << (bits_log2 - 3)];
        let mut grams = Table::new(chosen.grams.len());
        for (gram, shapes) in &chosen.grams {
            let bit = gram_bit(gram.to_le_bytes(), bits_log2);
            bits.get_mut(usize::try_from(bit / 8).ok()?)?.bitor_assign(1 << (bit % 8));
            let at = place(&out)?;
            out.extend(u16::try_from(shapes.len()).ok()?.to_le_bytes());
            shapes.iter().for_each(|(before, length)| out.extend([*before, *length]));
            grams.insert(spread(gram.to_le_bytes()), *gram, at);
        }
        head.extend([place(&out)?, bits_log2]);
        out.extend(bits);
        head.extend([place(&out)?, grams.log2]);
        grams.write(&mut out);
    }
    let start = place(&out)?;
    for directory in &chosen.directories {
        out.push(u8::try_from(directory.len()).ok()?);
        out.extend_from_slice(directory);
    }
    head.extend([start, place(&out)?.saturating_sub(start)]);
    let bytes: Vec<u8> = head.iter().flat_map(|number| number.to_le_bytes()).collect();
    out.get_mut(..HEAD)?.copy_from_slice(bytes.get(..HEAD)?);
    Some(out)
}

/// Returns where the next byte will stand.
fn place(out: &[u8]) -> Option<u32> {
    u32::try_from(out.len()).ok().filter(|at| *at < u32::MAX / 2)
}

/// What marks a rule that stands in the place of a list. No place is that far.
pub(super) const SINGLE: u32 = 1 << 31;

/// A table with open addressing, never more than half full.
struct Table {
    log2: u32,
    entries: Vec<(u32, u32)>,
}

impl Table {
    fn new(count: usize) -> Self {
        let log2 = (count.max(1) * 2).next_power_of_two().ilog2();
        Self { log2, entries: vec![(0, 0); 1 << log2] }
    }

    /// Adds a value, which is not zero.
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
            out.extend(key.to_le_bytes());
            out.extend(value.to_le_bytes());
        }
    }
}

/// Returns the entry at which a search begins.
pub(super) fn first(hash: u32, log2: u32) -> usize {
    let first = u64::from(hash) << log2 >> 32;
    usize::try_from(first).unwrap_or_default()
}
