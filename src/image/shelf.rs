//! A place for each of many things, of which few are ever made.

use std::sync::OnceLock;

/// How many places stand together, and how many such boards: a hook looks at a few here and there, and sets up the rest
/// of what it opens in vain.
const BOARD: usize = 16;
const SHELF: usize = 16;

/// Places by number, all empty at first. Setting it up takes little even for a hundred thousand of them.
#[derive(Debug)]
pub struct Slots<T> {
    len: usize,
    shelves: Empty<Empty<Empty<T>>>,
}

/// Places that are filled once.
type Empty<T> = Box<[OnceLock<T>]>;

impl<T> Slots<T> {
    /// Makes so many places.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { len, shelves: empty(len.div_ceil(SHELF * BOARD)) }
    }

    /// Returns what stands in a place, made now if nothing did; `None` where there is no such place.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn get_or_make<E>(&self, number: usize, make: impl FnOnce() -> Result<T, E>) -> Result<Option<&T>, E> {
        let (board, place) = (number / BOARD, number % BOARD);
        let Some(shelf) = self.shelves.get(board / SHELF) else { return Ok(None) };
        // What lies behind the last place is not set up.
        let boards = || self.len.div_ceil(BOARD).saturating_sub(board - board % SHELF).min(SHELF);
        let Some(board) = shelf.get_or_init(|| empty(boards())).get(board % SHELF) else { return Ok(None) };
        let places = || self.len.saturating_sub(number - place).min(BOARD);
        let Some(place) = board.get_or_init(|| empty(places())).get(place) else { return Ok(None) };
        if let Some(thing) = place.get() {
            return Ok(Some(thing));
        }
        let thing = make()?;
        Ok(Some(place.get_or_init(|| thing)))
    }
}

fn empty<T>(len: usize) -> Empty<T> {
    std::iter::repeat_with(OnceLock::new).take(len).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_made_once_and_a_failure_leaves_its_place_empty() {
        let shelf = Slots::new(65);
        assert_eq!(shelf.get_or_make(64, || Err("no")), Err("no"));
        assert_eq!(shelf.get_or_make::<&str>(64, || Ok(7)), Ok(Some(&7)));
        assert_eq!(shelf.get_or_make(64, || Err("never asked")), Ok(Some(&7)));
        assert_eq!(shelf.get_or_make::<&str>(128, || Ok(7)), Ok(None));
    }

    #[test]
    fn there_are_as_many_places_as_were_asked_for() {
        for len in [0, 1, 15, 16, 17, 255, 256, 257, 1_000] {
            let shelf = Slots::new(len);
            for number in 0..len + 2 * SHELF * BOARD {
                let stands = (number < len).then_some(&number);
                assert_eq!(shelf.get_or_make::<()>(number, || Ok(number)), Ok(stands), "{number} of {len}");
            }
        }
    }
}
