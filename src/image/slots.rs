//! A vector whose items are initialised on first use, for many items of which few are used.

use std::sync::OnceLock;

/// The number of slots that are allocated together, called a board. A hook uses few slots in scattered positions, so
/// larger groups would waste memory.
const BOARD: usize = 16;

/// The number of boards whose list is allocated together, called a shelf.
const SHELF: usize = 16;

/// A vector of slots, which are empty at first. Creating even a hundred thousand of them is cheap, because groups of
/// slots are allocated on first use.
#[derive(Debug)]
pub struct Slots<T> {
    /// The number of slots.
    len: usize,
    /// The shelves, each with boards, each with slots.
    shelves: UnfilledSlots<UnfilledSlots<UnfilledSlots<T>>>,
}

/// A list of slots, each of which can be filled once.
type UnfilledSlots<T> = Box<[OnceLock<T>]>;

impl<T> Slots<T> {
    /// Creates this many empty slots.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { len, shelves: empty(len.div_ceil(SHELF * BOARD)) }
    }

    /// Creates slots that are all filled.
    #[must_use]
    pub fn from_values(values: impl ExactSizeIterator<Item = T>) -> Self {
        let len = values.len();
        let mut values = values.map(OnceLock::from);
        let shelf = |boards: usize| -> UnfilledSlots<UnfilledSlots<T>> {
            (0..boards).map(|_| OnceLock::from(values.by_ref().take(BOARD).collect::<UnfilledSlots<T>>())).collect()
        };
        let boards = len.div_ceil(BOARD);
        let on_shelves = (0..boards).step_by(SHELF).map(|first| (boards - first).min(SHELF));
        let shelves = on_shelves.map(shelf).map(OnceLock::from).collect();
        Self { len, shelves }
    }

    /// Returns all values in order; `None` if a slot is empty.
    #[must_use]
    pub fn all_values(&self) -> Option<impl Iterator<Item = &T>> {
        let filled_slots = || {
            let boards = self.shelves.iter().flat_map(|shelf| shelf.get().into_iter().flatten());
            boards.flat_map(|board| board.get().into_iter().flatten()).filter_map(OnceLock::get)
        };
        (filled_slots().count() == self.len).then(filled_slots)
    }

    /// Returns the value of a slot, which is filled with `make` if it is empty; `None` if the index is out of range.
    ///
    /// # Errors
    /// `make` failed; the slot remains empty.
    pub fn get_or_insert_with<E>(&self, number: usize, make: impl FnOnce() -> Result<T, E>) -> Result<Option<&T>, E> {
        let (board, slot) = (number / BOARD, number % BOARD);
        let Some(shelf) = self.shelves.get(board / SHELF) else { return Ok(None) };
        // The last shelf and the last board have only as many entries as there are slots left.
        let boards = || self.len.div_ceil(BOARD).saturating_sub(board - board % SHELF).min(SHELF);
        let Some(board) = shelf.get_or_init(|| empty(boards())).get(board % SHELF) else { return Ok(None) };
        let slots = || self.len.saturating_sub(number - slot).min(BOARD);
        let Some(slot) = board.get_or_init(|| empty(slots())).get(slot) else { return Ok(None) };
        if let Some(value) = slot.get() {
            return Ok(Some(value));
        }
        let value = make()?;
        Ok(Some(slot.get_or_init(|| value)))
    }
}

/// Creates empty slots.
fn empty<T>(len: usize) -> UnfilledSlots<T> {
    std::iter::repeat_with(OnceLock::new).take(len).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_made_once_and_a_failure_leaves_its_place_empty() {
        let shelf = Slots::new(65);
        assert_eq!(shelf.get_or_insert_with(64, || Err("no")), Err("no"));
        assert_eq!(shelf.get_or_insert_with::<&str>(64, || Ok(7)), Ok(Some(&7)));
        assert_eq!(shelf.get_or_insert_with(64, || Err("never asked")), Ok(Some(&7)));
        assert_eq!(shelf.get_or_insert_with::<&str>(128, || Ok(7)), Ok(None));
    }

    #[test]
    fn there_are_as_many_places_as_were_asked_for() {
        for len in [0, 1, 15, 16, 17, 255, 256, 257, 1_000] {
            let shelf = Slots::new(len);
            for number in 0..len + 2 * SHELF * BOARD {
                let stands = (number < len).then_some(&number);
                assert_eq!(shelf.get_or_insert_with::<()>(number, || Ok(number)), Ok(stands), "{number} of {len}");
            }
            assert!(shelf.all_values().is_some_and(|all| all.copied().eq(0..len)), "{len}");
            let filled = Slots::from_values(0..len);
            assert!(filled.all_values().is_some_and(|all| all.copied().eq(0..len)), "{len}");
            assert!(len == 0 || Slots::<()>::new(len).all_values().is_none(), "{len}");
            for number in 0..len + 2 * SHELF * BOARD {
                let stands = (number < len).then_some(&number);
                assert_eq!(filled.get_or_insert_with(number, || Err("made")), Ok(stands), "{number} of {len}");
            }
        }
    }
}
