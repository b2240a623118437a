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
    /// Up to four elements inline, and their number. The unused places of the array have copies of the first element.
    Inline([T; INSIDE], usize),
    /// More elements, on the heap.
    Heap(Vec<T>),
}

impl<T: Copy> ShortList<T> {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self::Empty
    }

    /// Appends an element.
    pub fn push(&mut self, element: T) {
        match self {
            Self::Empty => *self = Self::Inline([element; INSIDE], 1),
            Self::Inline(array, count) => match array.get_mut(*count) {
                Some(free) => {
                    *free = element;
                    *count += 1;
                }
                None => {
                    let mut elements = Vec::with_capacity(2 * INSIDE);
                    elements.extend_from_slice(array);
                    elements.push(element);
                    *self = Self::Heap(elements);
                }
            },
            Self::Heap(elements) => elements.push(element),
        }
    }
}

impl<T> Deref for ShortList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Empty => &[],
            Self::Inline(array, count) => array.get(..*count).unwrap_or_default(),
            Self::Heap(elements) => elements,
        }
    }
}

impl<T> DerefMut for ShortList<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Empty => &mut [],
            Self::Inline(array, count) => array.get_mut(..*count).unwrap_or_default(),
            Self::Heap(elements) => elements,
        }
    }
}

impl<T: Copy> Extend<T> for ShortList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        more.into_iter().for_each(|element| self.push(element));
    }
}

impl<T: Copy> FromIterator<T> for ShortList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut list = Self::new();
        list.extend(elements);
        list
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
