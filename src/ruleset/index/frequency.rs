//! How many rules of an event ask for something: what many ask for tells little.

use std::collections::{BTreeMap, BTreeSet};

use super::atom::Kind;
use super::guard::{Atom, Need};

/// How many places are looked at, at most: each costs every call of the event.
const PLACES: usize = 48;

/// How many directories are looked through for links, at most, and the longest name of one.
const DIRECTORIES: usize = 8;
const DIRECTORY: usize = 255;

/// How many rules have an atom, of those whose place or directory is among the most asked about.
pub(super) struct Frequency<'n> {
    /// In order.
    atoms: Vec<(&'n Atom, u64)>,
    is_kept: Vec<bool>,
    directories: BTreeSet<&'n [u8]>,
}

impl<'n> Frequency<'n> {
    /// Counts what rules need, by their numbers, of so many places.
    pub(super) fn new(needs: &'n [(u32, Need)], places: usize) -> Self {
        let mut all: Vec<(&Atom, u32)> = Vec::new();
        let mut of_place = vec![(0_u64, None); places];
        for (id, need) in needs {
            need.atoms(&mut |atom| {
                all.push((atom, *id));
                if let Some((count, last)) = of_place.get_mut(usize::from(atom.place))
                    && last.replace(*id) != Some(*id)
                {
                    *count += 1;
                }
            });
        }
        all.sort_unstable();
        all.dedup();
        let rules = |same: &[(&'n Atom, u32)]| same.first().map(|(atom, _)| (*atom, count(same.len())));
        let atoms: Vec<_> = all.chunk_by(|(one, _), (other, _)| one == other).filter_map(rules).collect();
        let mut order: Vec<usize> = (0..places).collect();
        order.sort_by_key(|place| std::cmp::Reverse(of_place.get(*place).map(|(count, _)| *count)));
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

    /// Returns how many rules have an atom; nothing where it is not looked for.
    pub(super) fn of(&self, atom: &Atom) -> Option<u64> {
        let is_kept = self.is_kept.get(usize::from(atom.place)).copied().unwrap_or_default();
        let is_looked_for = atom.kind != Kind::Through || self.directories.contains(directory(&atom.text));
        let at = self.atoms.binary_search_by(|(other, _)| (*other).cmp(atom)).ok()?;
        self.atoms.get(at).map(|(_, count)| *count).filter(|_| is_kept && is_looked_for)
    }
}

/// Returns the directory that a path stands in, from the project.
pub(super) fn directory(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    path.get(..end).unwrap_or_default()
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
