//! Builds the index of an event.
//!
//! The same rules always give the same bytes. All offsets are relative to the beginning of the index:
//!
//! | offset | content |
//! |---|---|
//! | 0 | the number of rules of the event, `u32` |
//! | 4 | the facets that atoms are about: offset and number of bytes, `u32` each |
//! | 12 | the rules that are listed under no atom: offset and length of their list, `u32` each |
//! | 20 | the table of atoms: offset and logarithm of its size, `u32` each |
//! | 28 | the bits of grams: offset and number, `u32` each; 0 if no part is looked for |
//! | 36 | the table of grams: offset and logarithm of its size, `u32` each |
//! | 44 | the directories in which links are looked for: offset and number of bytes, `u32` each |
//!
//! A facet is encoded as the kinds of its atoms, one bit each, `u8`; the facet itself; and the subjects of the event
//! for which it is examined: their number, `u8`, then each as its length, `u8`, and its text. No subjects means that it
//! is examined for all.
//!
//! An entry of the table of atoms is a key and the offset of its list of rules, `u32` each. A list is its length and
//! its rules, `u32` each; a list of one is replaced by its rule, with the highest bit set. An entry of the table of
//! grams is a gram and the offset of its windows, `u32` each: their number, `u16`, and for each window how many bytes
//! before the gram it begins and its length, `u8` each. In both tables an entry whose second half is zero is free, and
//! collisions are resolved by linear probing.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::BitOrAssign;
use std::sync::Arc;

use super::atom::{AtomKind, GRAM, PART, gram_bits, gram_hash, key};
use super::frequency::{AtomFrequency, directory};
use super::guard::{Atom, CallFacets, RuleNeed, need_of_rule, subjects};
use crate::ruleset::{Rule, RuleMode};
use crate::schema::Event;

/// The length of the header in bytes.
pub(super) const HEAD: usize = 52;

/// The maximum number of subjects for which a facet is examined. With more, it is examined for all.
const MAX_SUBJECTS: usize = 16;

/// The maximum length of a subject in bytes. With a longer one, the facet is examined for all.
const MAX_SUBJECT_BYTES: usize = 255;

/// The maximum number of atoms that a rule is listed under. A rule with more is judged on every call.
const MAX_ATOMS: usize = 8_192;

/// The number of bits of the Bloom filter per gram. A gram sets three bits, so one in ninety grams of a text is a
/// false positive. Most calls read all bits, so there are no more than necessary.
const BITS_PER_GRAM: usize = 12;

/// The minimum number of bits of the Bloom filter.
const MIN_BITS: usize = 512;

/// Returns the cost of a kind of atom: an estimate of how often a call has an atom of the kind that a rule requires.
fn kind_cost(kind: AtomKind) -> u64 {
    match kind {
        AtomKind::Part => 1,
        AtomKind::Whole | AtomKind::Name => 2,
        AtomKind::Extension => 8,
        // Most calls of some tools have one.
        AtomKind::Any => 256,
        AtomKind::Every | AtomKind::Guess | AtomKind::LinkName => 0,
    }
}

/// Builds the index of an event, given all rules of the policy in evaluation order. Empty if no rule names the event.
#[must_use]
pub fn build(event: Event, rules: &[Arc<Rule>]) -> Vec<u8> {
    let names_event = |rule: &Rule| rule.head.events.iter().any(|selector| selector.event == event);
    let rules_of_event = (0_u32..).zip(rules).filter(|(_, rule)| names_event(rule));
    let rules_of_event: Vec<(u32, &Rule)> = rules_of_event.map(|(id, rule)| (id, rule.as_ref())).collect();
    if rules_of_event.is_empty() {
        return Vec::new();
    }
    let mut facets = CallFacets::default();
    let active = rules_of_event.iter().filter(|(_, rule)| rule.traits.mode != RuleMode::Off);
    let needs: Vec<(u32, RuleNeed)> = active.map(|(id, rule)| (*id, need_of_rule(rule, event, &mut facets))).collect();
    let rule_by_id: BTreeMap<u32, &Rule> = rules_of_event.iter().copied().collect();
    let chosen = ChosenAtoms::new(&needs, &facets, |id| rule_by_id.get(&id).and_then(|rule| subjects(rule, event)));
    let count = u32::try_from(rules_of_event.len()).unwrap_or(u32::MAX);
    let judge_all = || ChosenAtoms { always: needs.iter().map(|(id, _)| *id).collect(), ..ChosenAtoms::default() };
    // Only an index of very many rules is too big for its offsets. Then every rule is judged on every call.
    write(count, &chosen).or_else(|| write(count, &judge_all())).unwrap_or_default()
}

/// A rule, with the atoms that it is listed under.
struct ListedRule<'n> {
    /// The position of the rule in evaluation order.
    id: u32,
    atoms: Vec<&'n Atom>,
}

impl<'n> ListedRule<'n> {
    /// Returns the atoms, grouped by their facets.
    fn by_facet(&self) -> impl Iterator<Item = (u16, &[&'n Atom])> {
        let facets = self.atoms.chunk_by(|one, other| one.facet == other.facet);
        facets.filter_map(|atoms| Some((atoms.first()?.facet, atoms)))
    }
}

/// Chooses the atoms that each rule is listed under: the ones that calls have least often. Also returns the rules
/// that must be judged on every call.
fn choose_cheapest_atoms<'n>(needs: &'n [(u32, RuleNeed)], facets: &CallFacets) -> (Vec<ListedRule<'n>>, Vec<u32>) {
    let frequency = AtomFrequency::new(needs, facets);
    let weights: Vec<u64> = facets.all.iter().map(super::facet::CallFacet::frequency_weight).collect();
    let cost = |atom: &Atom| {
        let rule_count = frequency.rule_count(atom)?;
        let weight = weights.get(usize::from(atom.facet))?;
        Some(rule_count.saturating_mul(*weight).saturating_mul(kind_cost(atom.kind)))
    };
    let (mut listed, mut always) = (Vec::new(), Vec::new());
    for (id, need) in needs {
        let mut atoms = Vec::new();
        match need.choose(&cost, &mut atoms) {
            Some(_) if atoms.len() <= MAX_ATOMS => listed.push(ListedRule { id: *id, atoms }),
            _ => always.push(*id),
        }
    }
    (listed, always)
}

/// A facet of the call that the index examines, because some rule is listed under an atom of it.
struct ExaminedFacet<'s> {
    /// The number of the facet in the index.
    position: u16,
    /// The kinds of its atoms, one bit each.
    kinds: u8,
    /// The subjects for which the facet is examined; `None` for all.
    subjects: Option<BTreeSet<&'s str>>,
}

/// The facets that are examined, by their numbers in [`CallFacets`]. Facets without a chosen atom are omitted, and
/// the remaining ones are renumbered.
struct ExaminedFacets<'s>(BTreeMap<u16, ExaminedFacet<'s>>);

impl<'s> ExaminedFacets<'s> {
    /// Collects the facets of the listed rules. An expensive facet is examined only for the subjects that its rules
    /// select; `selected` returns these for a rule, or `None` for all.
    fn new(listed: &[ListedRule<'_>], facets: &CallFacets, selected: impl Fn(u32) -> Option<Vec<&'s str>>) -> Self {
        let mut all: BTreeMap<u16, ExaminedFacet<'s>> = BTreeMap::new();
        for rule in listed {
            let subjects = LazyCell::new(|| {
                let subjects = selected(rule.id)?;
                subjects.iter().all(|text| text.len() <= MAX_SUBJECT_BYTES).then_some(subjects)
            });
            for (facet, atoms) in rule.by_facet() {
                let position = u16::try_from(all.len()).unwrap_or(u16::MAX);
                let is_costly = facets.is_costly(facet);
                let examined = all.entry(facet).or_insert_with(|| {
                    let subjects = is_costly.then(BTreeSet::new);
                    ExaminedFacet { position, kinds: 0, subjects }
                });
                atoms.iter().for_each(|atom| examined.kinds |= 1 << (atom.kind as u8));
                if let Some(all_subjects) = &mut examined.subjects {
                    match &*subjects {
                        Some(more) => all_subjects.extend(more),
                        None => examined.subjects = None,
                    }
                }
            }
        }
        Self(all)
    }

    /// Returns the number that a facet has in the index; `u16::MAX` if it is not examined.
    fn position(&self, facet: u16) -> u16 {
        self.0.get(&facet).map_or(u16::MAX, |examined| examined.position)
    }

    /// Encodes the facets in the order of their numbers.
    fn encoded(&self, facets: &CallFacets) -> Vec<u8> {
        let mut order: Vec<_> = self.0.iter().collect();
        order.sort_by_key(|(_, examined)| examined.position);
        let mut out = Vec::new();
        for (facet, examined) in order {
            out.push(examined.kinds);
            facets.all.get(usize::from(*facet)).into_iter().for_each(|facet| facet.encode(&mut out));
            let subjects = examined.subjects.as_ref().filter(|all| all.len() <= MAX_SUBJECTS);
            out.push(subjects.and_then(|all| u8::try_from(all.len()).ok()).unwrap_or(0));
            for text in subjects.into_iter().flatten() {
                out.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
                out.extend_from_slice(text.as_bytes());
            }
        }
        out
    }
}

/// The contents of an index: the examined facets, and the rules that are listed under each atom.
#[derive(Default)]
struct ChosenAtoms {
    /// The encoded facets.
    facets: Vec<u8>,
    /// The rules that are judged on every call.
    always: Vec<u32>,
    /// The keys of atoms, each with a rule that is listed under it; sorted, without duplicates.
    lists: Vec<(u32, u32)>,
    /// The grams that lead to a part, each with its distance from the beginning of the window that is compared, and the
    /// window's length; sorted, without duplicates.
    grams: Vec<(u32, (u8, u8))>,
    /// The directories that are searched for symbolic links, as spelled in the policy.
    directories: BTreeSet<Vec<u8>>,
}

impl ChosenAtoms {
    /// Chooses the atoms for the needs of rules. `selected` returns the subjects that a rule selects, or `None` if
    /// they cannot be listed.
    fn new<'r>(needs: &[(u32, RuleNeed)], facets: &CallFacets, selected: impl Fn(u32) -> Option<Vec<&'r str>>) -> Self {
        let (listed, always) = choose_cheapest_atoms(needs, facets);
        let examined = ExaminedFacets::new(&listed, facets, selected);
        let mut chosen = Self { facets: examined.encoded(facets), always, ..Self::default() };
        let parts = listed.iter().flat_map(|rule| &rule.atoms).filter(|atom| atom.kind == AtomKind::Part);
        let parts = GramCounts::new(parts.map(|atom| facets.atom_text(atom)));
        for rule in &listed {
            for (facet, atoms) in rule.by_facet() {
                let position = examined.position(facet);
                // If not all values of the facet are known, every rule with an atom of it is found by this one.
                chosen.lists.push((key(position, AtomKind::Every, b""), rule.id));
                for atom in atoms {
                    let key = chosen.key(position, atom.kind, facets.atom_text(atom), &parts);
                    chosen.lists.push((key, rule.id));
                }
            }
        }
        chosen.lists.sort_unstable_by_key(|(key, id)| u64::from(*key) << 32 | u64::from(*id));
        chosen.lists.dedup();
        let order = |(gram, (before, length)): &(u32, (u8, u8))| {
            u64::from(*gram) << 16 | u64::from(*before) << 8 | u64::from(*length)
        };
        chosen.grams.sort_unstable_by_key(order);
        chosen.grams.dedup();
        chosen
    }

    /// Returns the key of an atom of a facet, and records the gram or the directory that a lookup needs to find it.
    fn key(&mut self, position: u16, kind: AtomKind, text: &[u8], parts: &GramCounts) -> u32 {
        match kind {
            AtomKind::Part => key(position, kind, self.window(parts, text)),
            AtomKind::LinkName => {
                self.directories.insert(directory(text).to_vec());
                key(position, kind, &text.to_ascii_lowercase())
            }
            _ => key(position, kind, text),
        }
    }

    /// Encodes the directories, each as its length (one byte) and its text; `None` if one is too long.
    fn directory_list(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for directory in &self.directories {
            out.push(u8::try_from(directory.len()).ok()?);
            out.extend_from_slice(directory);
        }
        Some(out)
    }

    /// Returns the window of a part that is compared, at most `PART` bytes around its rarest gram, and records that
    /// gram.
    fn window<'t>(&mut self, parts: &GramCounts, text: &'t [u8]) -> &'t [u8] {
        let at = parts.rarest_gram_offset(text);
        let length = text.len().min(PART);
        let start = at.saturating_sub((PART - GRAM) / 2).min(text.len() - length);
        let gram = text.get(at..at + GRAM).and_then(|gram| gram.try_into().ok()).map_or(0, u32::from_le_bytes);
        let shape = (u8::try_from(at - start).unwrap_or(u8::MAX), u8::try_from(length).unwrap_or(u8::MAX));
        self.grams.push((gram, shape));
        text.get(start..start + length).unwrap_or_default()
    }
}

/// For each gram, the number of parts that contain it; sorted by gram.
struct GramCounts(Vec<(u32, usize)>);

impl GramCounts {
    /// Counts the grams of these parts; equal parts count once.
    fn new<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Self {
        // Sorting by hash instead of by text is faster, and puts equal texts next to each other as well.
        let mut texts: Vec<(u32, &[u8])> = texts.map(|text| (key(0, AtomKind::Part, text), text)).collect();
        texts.sort_unstable_by_key(|(number, _)| *number);
        texts.dedup();
        let (mut grams, mut grams_of_text): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (_, text) in texts {
            grams_of_text.clear();
            grams_of_text.extend(text.windows(GRAM).map(gram_number));
            grams_of_text.sort_unstable();
            grams_of_text.dedup();
            grams.extend_from_slice(&grams_of_text);
        }
        grams.sort_unstable();
        let with_count = |same: &[u32]| same.first().map(|gram| (*gram, same.len()));
        Self(grams.chunk_by(|one, other| one == other).filter_map(with_count).collect())
    }

    /// Returns the number of parts that contain a gram.
    fn part_count(&self, gram: u32) -> usize {
        let at = self.0.binary_search_by_key(&gram, |(gram, _)| *gram).ok();
        at.and_then(|at| self.0.get(at)).map_or(0, |(_, count)| *count)
    }

    /// Returns the offset of the rarest gram of a part: the one that the fewest parts contain. Among equal ones, the
    /// gram with the rarest characters is preferred.
    fn rarest_gram_offset(&self, text: &[u8]) -> usize {
        let common = |gram: &[u8]| -> u32 {
            let commonness = |byte: &u8| match byte {
                b' ' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 3,
                b'a'..=b'z' | b'/' | b'.' | b'-' => 2,
                _ => 1,
            };
            gram.iter().map(commonness).sum()
        };
        let grams = text.windows(GRAM).enumerate();
        let rarest = grams.min_by_key(|(_, gram)| (self.part_count(gram_number(gram)), common(gram)));
        rarest.map_or(0, |(at, _)| at)
    }
}

/// Returns a gram as a number.
fn gram_number(gram: &[u8]) -> u32 {
    gram.try_into().map_or(0, u32::from_le_bytes)
}

/// Encodes an index; `None` if it is too big.
fn write(count: u32, chosen: &ChosenAtoms) -> Option<Vec<u8>> {
    let mut out = vec![0_u8; HEAD];
    let facets = write_bytes(&mut out, &chosen.facets)?;
    // The data that every call reads is kept together, so that it is in few blocks of the file.
    let directories = write_bytes(&mut out, &chosen.directory_list()?)?;
    let always = [next_offset(&out)?, u32::try_from(chosen.always.len()).ok()?];
    chosen.always.iter().for_each(|id| out.extend(id.to_le_bytes()));
    let atoms = write_atoms(&mut out, &chosen.lists)?;
    let grams = if chosen.grams.is_empty() { [0; 4] } else { write_grams(&mut out, &chosen.grams)? };
    let head = [&[count][..], &facets, &always, &atoms, &grams, &directories].concat();
    let head: Vec<u8> = head.iter().flat_map(|number| number.to_le_bytes()).collect();
    out.get_mut(..HEAD)?.copy_from_slice(head.get(..HEAD)?);
    Some(out)
}

/// Writes bytes, and returns their offset and number.
fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) -> Option<[u32; 2]> {
    let at = next_offset(out)?;
    out.extend_from_slice(bytes);
    Some([at, next_offset(out)?.saturating_sub(at)])
}

/// Writes the lists of rules and the table of atoms, and returns the table's offset and the logarithm of its size.
fn write_atoms(out: &mut Vec<u8>, lists: &[(u32, u32)]) -> Option<[u32; 2]> {
    let lists = || lists.chunk_by(|(one, _), (other, _)| one == other);
    let mut atoms = HashTable::new(lists().count());
    for list in lists() {
        let Some((key, first_rule)) = list.first() else { continue };
        let rules = if list.len() == 1 {
            *first_rule | SINGLE
        } else {
            let list_offset = next_offset(out)?;
            out.extend(u32::try_from(list.len()).ok()?.to_le_bytes());
            list.iter().for_each(|(_, id)| out.extend(id.to_le_bytes()));
            list_offset
        };
        atoms.insert(*key, *key, rules);
    }
    let at = next_offset(out)?;
    atoms.write(out);
    Some([at, atoms.log2])
}

/// Writes the windows, the bits and the table of grams; returns the offset and the number of the bits, then the
/// table's offset and the logarithm of its size.
fn write_grams(out: &mut Vec<u8>, grams: &[(u32, (u8, u8))]) -> Option<[u32; 4]> {
    let grams = || grams.chunk_by(|(one, _), (other, _)| one == other);
    let count = grams().count();
    let mut bits = vec![0_u8; (count * BITS_PER_GRAM).max(MIN_BITS).div_ceil(8)];
    let bit_count = u32::try_from(bits.len()).ok()?.checked_mul(8)?;
    let mut table = HashTable::new(count);
    for windows in grams() {
        let Some((gram, _)) = windows.first() else { continue };
        for bit in gram_bits(gram.to_le_bytes(), bit_count) {
            bits.get_mut(usize::try_from(bit / 8).ok()?)?.bitor_assign(1 << (bit % 8));
        }
        let at = next_offset(out)?;
        out.extend(u16::try_from(windows.len()).ok()?.to_le_bytes());
        windows.iter().for_each(|(_, (before, length))| out.extend([*before, *length]));
        table.insert(gram_hash(gram.to_le_bytes()), *gram, at);
    }
    let [bits_at, _] = write_bytes(out, &bits)?;
    let table_at = next_offset(out)?;
    table.write(out);
    Some([bits_at, bit_count, table_at, table.log2])
}

/// Returns the offset of the next byte; `None` if it is too large to be distinguished from [`SINGLE`].
fn next_offset(out: &[u8]) -> Option<u32> {
    u32::try_from(out.len()).ok().filter(|at| *at < u32::MAX / 2)
}

/// The bit that marks the second half of an entry as the number of a single rule, not the offset of a list. Offsets
/// never have this bit.
pub(super) const SINGLE: u32 = 1 << 31;

/// A hash table with open addressing, at most half full.
struct HashTable {
    /// The logarithm of the number of entries.
    log2: u32,
    /// The entries: a key and a value, which is zero in a free entry.
    entries: Vec<(u32, u32)>,
}

impl HashTable {
    /// Creates a table for this number of entries.
    fn new(count: usize) -> Self {
        let log2 = (count.max(1) * 2).next_power_of_two().ilog2();
        Self { log2, entries: vec![(0, 0); 1 << log2] }
    }

    /// Adds an entry. Its value must not be zero, which marks a free entry.
    fn insert(&mut self, hash: u32, key: u32, value: u32) {
        let size = self.entries.len();
        let first = first_slot(hash, self.log2);
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

/// Returns the position at which the search for a hash begins: its upper bits, so that near hashes are near each
/// other.
pub(super) fn first_slot(hash: u32, log2: u32) -> usize {
    let first = u64::from(hash) << log2 >> 32;
    usize::try_from(first).unwrap_or_default()
}
