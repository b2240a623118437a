//! Counts how many rules of an event have each atom. An atom of many rules selects little.

use std::collections::{BTreeMap, BTreeSet};

use super::atom::AtomKind;
use super::build::first_slot;
use super::guard::{Atom, CallFacets, RuleNeed};

/// The maximum number of facets, such as the programs of a call or a field, that an index examines. Each takes time on
/// every call of the event.
const MAX_FACETS: usize = 48;

/// The maximum number of directories that are searched for symbolic links.
const MAX_DIRECTORIES: usize = 8;

/// The maximum length in bytes of the path of a directory that is searched for symbolic links.
const MAX_DIRECTORY_BYTES: usize = 255;

/// The number of rules that have each atom. Atoms of the least used facets and directories are excluded.
pub(super) struct AtomFrequency<'p> {
    /// The number of rules for each atom.
    atoms: AtomCounts,
    /// For each facet, whether it is one of the most used ones, which are examined.
    is_kept: Vec<bool>,
    /// The directories that are searched for symbolic links.
    directories: BTreeSet<&'p [u8]>,
    facets: &'p CallFacets,
}

impl<'p> AtomFrequency<'p> {
    /// Counts the atoms in the needs of rules. Each need is given with the number of its rule.
    pub(super) fn new(needs: &[(u32, RuleNeed)], facets: &'p CallFacets) -> Self {
        let mut atoms = AtomCounts::new(facets.atom_count());
        let mut links: BTreeMap<u32, Atom> = BTreeMap::new();
        // For each facet, the number of rules with an atom of it, and the last rule that was counted.
        let mut rules_of_facet = vec![(0_u64, None); facets.all.len()];
        for (id, need) in needs {
            need.atoms(&mut |atom| {
                atoms.add(atom.key, *id);
                if atom.kind == AtomKind::LinkName {
                    links.insert(atom.key, *atom);
                }
                if let Some((count, last)) = rules_of_facet.get_mut(usize::from(atom.facet))
                    && last.replace(*id) != Some(*id)
                {
                    *count += 1;
                }
            });
        }
        let mut order: Vec<usize> = (0..facets.all.len()).collect();
        order.sort_by_key(|facet| std::cmp::Reverse(rules_of_facet.get(*facet).map(|(count, _)| *count)));
        let mut is_kept = vec![false; facets.all.len()];
        for facet in order.into_iter().take(MAX_FACETS) {
            is_kept.get_mut(facet).into_iter().for_each(|kept| *kept = true);
        }
        let mut rules_of_directory: BTreeMap<&[u8], u64> = BTreeMap::new();
        for (key, atom) in &links {
            *rules_of_directory.entry(directory(facets.atom_text(atom))).or_default() += atoms.rule_count(*key);
        }
        let mut directories: Vec<(&[u8], u64)> = rules_of_directory.into_iter().collect();
        directories.retain(|(directory, _)| directory.len() <= MAX_DIRECTORY_BYTES);
        directories.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let directories = directories.into_iter().take(MAX_DIRECTORIES).map(|(directory, _)| directory).collect();
        Self { atoms, is_kept, directories, facets }
    }

    /// Returns the number of rules that have an atom; `None` if atoms of its facet or directory are excluded.
    pub(super) fn rule_count(&self, atom: &Atom) -> Option<u64> {
        let is_kept = self.is_kept.get(usize::from(atom.facet)).copied().unwrap_or_default();
        let in_directory = || self.directories.contains(directory(self.facets.atom_text(atom)));
        let is_counted = is_kept && (atom.kind != AtomKind::LinkName || in_directory());
        is_counted.then(|| self.atoms.rule_count(atom.key))
    }
}

/// The number of rules for the key of each atom: a hash table with open addressing, at most half full.
struct AtomCounts {
    /// The logarithm of the number of entries.
    log2: u32,
    entries: Vec<AtomCount>,
}

/// An entry of the table: the number of rules for the key of an atom.
#[derive(Clone, Copy, Default)]
struct AtomCount {
    key: u32,
    /// The last counted rule.
    rule: u32,
    /// Zero if the entry is free.
    rules: u32,
}

impl AtomCounts {
    /// Creates a table for this number of atoms.
    fn new(atoms: usize) -> Self {
        let log2 = (atoms.max(1) * 2).next_power_of_two().ilog2();
        Self { log2, entries: vec![AtomCount::default(); 1 << log2] }
    }

    /// Counts a rule with an atom, once even if the rule has the atom several times. All atoms of one rule must be
    /// added before the atoms of the next rule.
    fn add(&mut self, key: u32, rule: u32) {
        let Some(entry) = self.slot_of_key(key).and_then(|at| self.entries.get_mut(at)) else { return };
        if entry.rules == 0 || entry.rule != rule {
            *entry = AtomCount { key, rule, rules: entry.rules.saturating_add(1) };
        }
    }

    /// Returns the number of rules that have the atom with this key.
    fn rule_count(&self, key: u32) -> u64 {
        self.slot_of_key(key).and_then(|at| self.entries.get(at)).map_or(0, |entry| u64::from(entry.rules))
    }

    /// Returns the position of the entry for a key, or of a free entry if it has none.
    fn slot_of_key(&self, key: u32) -> Option<usize> {
        let first = first_slot(key, self.log2);
        let is_slot = |at: &usize| self.entries.get(*at).is_some_and(|entry| entry.rules == 0 || entry.key == key);
        (first..self.entries.len()).chain(0..first).find(is_slot)
    }
}

/// Returns the directory that contains a path; empty for the project itself.
pub(super) fn directory(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    path.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_atom_is_counted_once_for_each_rule(rules in proptest::collection::vec(proptest::collection::vec(0..40_u32, 0..30), 0..8)) {
            let key = |number: u32| number.wrapping_mul(0x9e37_79b1) & 0xf000_000f;
            let mut counts = AtomCounts::new(rules.iter().map(Vec::len).sum());
            let mut expected: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
            for (rule, atoms) in rules.iter().enumerate() {
                for atom in atoms {
                    counts.add(key(*atom), u32::try_from(rule).unwrap());
                    expected.entry(key(*atom)).or_default().insert(rule);
                }
            }
            for atom in 0..40 {
                let rules = expected.get(&key(atom)).map_or(0, BTreeSet::len);
                prop_assert_eq!(counts.rule_count(key(atom)), u64::try_from(rules).unwrap());
            }
        }
    }
}
