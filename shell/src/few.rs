//! A list with inline storage: most lists of a command's words need no allocation.

use std::ops::{Deref, DerefMut};

/// The inline capacity.
const INSIDE: usize = 4;

/// A list that usually has few elements.
#[derive(Clone, Debug, Default)]
pub enum Few<T> {
    /// Empty.
    #[default]
    None,
    /// This many inline elements; the rest of the array is filled with copies of the first.
    Inside([T; INSIDE], usize),
    /// More elements, on the heap.
    Many(Vec<T>),
}

impl<T: Copy> Few<T> {
    /// Makes an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self::None
    }

    /// Appends an element.
    pub fn push(&mut self, one: T) {
        match self {
            Self::None => *self = Self::Inside([one; INSIDE], 1),
            Self::Inside(all, count) => match all.get_mut(*count) {
                Some(free) => {
                    *free = one;
                    *count += 1;
                }
                None => {
                    let mut many = Vec::with_capacity(2 * INSIDE);
                    many.extend_from_slice(all);
                    many.push(one);
                    *self = Self::Many(many);
                }
            },
            Self::Many(all) => all.push(one),
        }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::None => &[],
            Self::Inside(all, count) => all.get(..*count).unwrap_or_default(),
            Self::Many(all) => all,
        }
    }
}

impl<T> DerefMut for Few<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::None => &mut [],
            Self::Inside(all, count) => all.get_mut(..*count).unwrap_or_default(),
            Self::Many(all) => all,
        }
    }
}

impl<T: Copy> Extend<T> for Few<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        more.into_iter().for_each(|one| self.push(one));
    }
}

impl<T: Copy> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut few = Self::new();
        few.extend(all);
        few
    }
}

impl<'f, T> IntoIterator for &'f Few<T> {
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
            let mut few: Few<usize> = all.iter().copied().collect();
            assert_eq!(*few, *all);
            few.iter_mut().for_each(|one| *one += 1);
            assert!(few.iter().copied().eq(1..=count));
        }
    }
}
