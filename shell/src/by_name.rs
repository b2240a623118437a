//! Lookup of data rows by name, through a hash table that is built at compile time: there are too many rows to scan for
//! each command, and a hook has no time to sort them.

use smallvec::SmallVec;

/// The number of slots of a table: several times the names of the largest table, so that collisions are rare.
pub(super) const SLOTS: usize = 8192;

/// A hash table of rows by name.
pub(super) struct NameTable<R: 'static> {
    /// The rows, in order.
    pub(super) rows: &'static [&'static R],
    /// For each name, the index of its row plus 1, in the slot that the name hashes to or in the next free one; 0 in
    /// free slots.
    pub(super) slots: &'static [u16; SLOTS],
}

impl<R> NameTable<R> {
    /// Returns the rows that may have a name, with their indices: those that have it, and others whose names are in
    /// neighbouring slots. The caller compares the names.
    pub(super) fn candidates(&'static self, name: &str) -> impl Iterator<Item = (u16, &'static R)> + use<R> {
        let (before, from) = self.slots.split_at_checked(hash_slot(name)).unwrap_or_default();
        let numbers = from.iter().chain(before).map_while(|number| number.checked_sub(1));
        numbers.filter_map(|number| Some((number, *self.rows.get(usize::from(number))?)))
    }

    /// Returns the first row that has a name, given a function that returns the names of a row.
    pub(super) fn find(
        &'static self,
        name: &str,
        names: impl Fn(&'static R) -> &'static [&'static str],
    ) -> Option<&'static R> {
        self.candidates(name).map(|(_, row)| row).find(|row| names(row).contains(&name))
    }

    /// Returns the rows that may have one of several names, in the order of the table, each once.
    pub(super) fn candidates_of_any<'n>(
        &'static self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> impl Iterator<Item = &'static R> {
        let mut found: SmallVec<[(u16, &'static R); 8]> = SmallVec::new();
        for name in names {
            found.extend(self.candidates(name));
        }
        found.sort_unstable_by_key(|(number, _)| *number);
        found.dedup_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, row)| row)
    }
}

/// Returns the slot of a name: its hash (FNV-1a) modulo the number of slots.
pub(super) const fn hash_slot(name: &str) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut bytes = name.as_bytes();
    while let [byte, rest @ ..] = bytes {
        hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
        bytes = rest;
    }
    (hash ^ (hash >> 15)) as usize % SLOTS
}

/// Builds the table for lists of rows whose type has a field `names`. The argument must not use the names of the
/// macro's own constants.
macro_rules! by_name {
    ($row:ty, $groups:expr) => {{
        use $crate::by_name::{NameTable, SLOTS, hash_slot};
        const BY_NAME_GROUPS: &[&[$row]] = $groups;
        const BY_NAME_COUNT: usize = {
            let mut count = 0;
            let mut groups = BY_NAME_GROUPS;
            while let [group, others @ ..] = groups {
                count += group.len();
                groups = others;
            }
            count
        };
        #[expect(clippy::indexing_slicing, reason = "what is wrong here does not compile")]
        static BY_NAME_ROWS: [&$row; BY_NAME_COUNT] = {
            let mut rows = [&BY_NAME_GROUPS[0][0]; BY_NAME_COUNT];
            let mut count = 0;
            let mut groups = BY_NAME_GROUPS;
            while let [group, other_groups @ ..] = groups {
                let mut of_group: &'static [$row] = group;
                while let [row, others @ ..] = of_group {
                    rows[count] = row;
                    count += 1;
                    of_group = others;
                }
                groups = other_groups;
            }
            rows
        };
        #[expect(clippy::indexing_slicing, reason = "what is wrong here does not compile")]
        static BY_NAME_SLOTS: [u16; SLOTS] = {
            assert!(BY_NAME_COUNT < u16::MAX as usize);
            let mut slots = [0; SLOTS];
            let mut number = 0;
            while number < BY_NAME_COUNT {
                let mut names = BY_NAME_ROWS[number].names;
                while let [name, others @ ..] = names {
                    let mut at = hash_slot(name);
                    while slots[at] != 0 {
                        at = (at + 1) % SLOTS;
                    }
                    slots[at] = number as u16 + 1;
                    names = others;
                }
                number += 1;
            }
            slots
        };
        NameTable { rows: &BY_NAME_ROWS, slots: &BY_NAME_SLOTS }
    }};
}

pub(super) use by_name;

/// Checks that lookups find the same rows as a linear search.
#[cfg(test)]
pub(super) fn check_lookups<R>(table: &'static NameTable<R>, names: impl Fn(&R) -> &'static [&'static str]) {
    let all = table.rows.iter().flat_map(|row| names(row));
    let mut count = 0;
    for name in all {
        count += 1;
        let is_named = |row: &&R| names(row).contains(name);
        let near = table.candidates_of_any([*name]);
        let found: Vec<*const R> = near.filter(is_named).map(std::ptr::from_ref).collect();
        let there = table.rows.iter().copied().filter(is_named).map(std::ptr::from_ref);
        assert_eq!(found, there.collect::<Vec<_>>(), "{name}");
    }
    assert_eq!(table.slots.iter().filter(|slot| **slot > 0).count(), count);
    assert!(count < SLOTS / 3, "{count} names stand too close");
    for name in ["", "no-such-program", "gitt", "GIT"] {
        assert!(!table.candidates(name).any(|(_, row)| names(row).contains(&name)), "{name}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_several_names_come_in_their_order_and_once() {
        static ROWS: [&&str; 3] = [&"c", &"a", &"b"];
        static NUMBERS: [u16; SLOTS] = {
            let mut slots = [0; SLOTS];
            let (mut number, names) = (0, ["c", "a", "b"]);
            while number < names.len() {
                slots[hash_slot(names[number])] = number as u16 + 1;
                number += 1;
            }
            slots
        };
        static TABLE: NameTable<&str> = NameTable { rows: &ROWS, slots: &NUMBERS };
        let is_asked = |row: &&&str| ["a", "c", "d"].contains(*row);
        let found: Vec<&str> = TABLE.candidates_of_any(["a", "d", "c", "a"]).filter(is_asked).copied().collect();
        assert_eq!(found, ["c", "a"]);
    }
}
