//! A list that stores a few elements inline, so that most lists of a command's words need no allocation.

use std::ops::{Deref, DerefMut};

/// The number of elements that fit inline.
const INSIDE: usize = 4;

/// A list that usually has few elements.
#[derive(Clone, Debug, Default)]
pub enum ShortList<T> {
    /// No elements.
    #[default]
    Empty,
    /// The inline elements and their number. The rest of the array has copies of the first element.
    Inline([T; INSIDE], usize),
    /// More elements, on the heap.
    Heap(Vec<T>),
}

impl<T: Copy> ShortList<T> {
    /// Makes an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self::Empty
    }

    /// Appends an element.
    pub fn push(&mut self, one: T) {
        match self {
            Self::Empty => *self = Self::Inline([one; INSIDE], 1),
            Self::Inline(all, count) => match all.get_mut(*count) {
                Some(free) => {
                    *free = one;
                    *count += 1;
                }
                None => {
                    let mut many = Vec::with_capacity(2 * INSIDE);
                    many.extend_from_slice(all);
                    many.push(one);
                    *self = Self::Heap(many);
                }
            },
            Self::Heap(all) => all.push(one),
        }
    }
}

impl<T> Deref for ShortList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Empty => &[],
            Self::Inline(all, count) => all.get(..*count).unwrap_or_default(),
            Self::Heap(all) => all,
        }
    }
}

impl<T> DerefMut for ShortList<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Empty => &mut [],
            Self::Inline(all, count) => all.get_mut(..*count).unwrap_or_default(),
            Self::Heap(all) => all,
        }
    }
}

impl<T: Copy> Extend<T> for ShortList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        more.into_iter().for_each(|one| self.push(one));
    }
}

impl<T: Copy> FromIterator<T> for ShortList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut few = Self::new();
        few.extend(all);
        few
    }
}

impl<'f, T> IntoIterator for &'f ShortList<T> {
    type Item = &'f T;
    type IntoIter = std::slice::Iter<'f, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_what_was_put_in_however_much_that_is() {
        for count in 0..20 {
            let all: Vec<usize> = (0..count).collect();
            let mut few: ShortList<usize> = all.iter().copied().collect();
            assert_eq!(*few, *all);
            few.iter_mut().for_each(|one| *one += 1);
            assert!(few.iter().copied().eq(1..=count));
        }
    }
}
