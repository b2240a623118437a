//! A place for each of many things, of which few are ever made.

use std::sync::OnceLock;

/// How many places stand together: a hook looks at a few here and there, and sets up the rest of a board in vain.
const BOARD: usize = 16;

/// Places by number, all empty at first. Setting it up takes little even for a hundred thousand of them.
#[derive(Debug)]
pub struct Slots<T> {
    boards: Box<[OnceLock<Board<T>>]>,
}

type Board<T> = Box<[OnceLock<T>]>;

impl<T> Slots<T> {
    /// Makes so many places, or a few more.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { boards: std::iter::repeat_with(OnceLock::new).take(len.div_ceil(BOARD)).collect() }
    }

    /// Returns what stands in a place, made now if nothing did; `None` where there is no such place.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn get_or_make<E>(&self, number: usize, make: impl FnOnce() -> Result<T, E>) -> Result<Option<&T>, E> {
        let Some(board) = self.boards.get(number / BOARD) else { return Ok(None) };
        let board = board.get_or_init(|| std::iter::repeat_with(OnceLock::new).take(BOARD).collect());
        let Some(place) = board.get(number % BOARD) else { return Ok(None) };
        if let Some(thing) = place.get() {
            return Ok(Some(thing));
        }
        let thing = make()?;
        Ok(Some(place.get_or_init(|| thing)))
    }
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
}
