//! The parts of a word, stored without an allocation if there is only one.

use std::fmt;
use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use super::Part;

/// The parts of a word, in order: usually one.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct WordParts(pub(crate) SmallVec<[Part; 1]>);

/// An iterator over the parts of a word, by value.
#[derive(Debug)]
pub struct WordPartsIter(smallvec::IntoIter<[Part; 1]>);

impl WordParts {
    /// Makes an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the parts.
    #[must_use]
    pub fn as_slice(&self) -> &[Part] {
        &self.0
    }

    /// Appends a part, without joining it to a text before it.
    pub(crate) fn push(&mut self, part: Part) {
        self.0.push(part);
    }

    pub(crate) fn pop(&mut self) -> Option<Part> {
        self.0.pop()
    }

    pub(crate) fn remove(&mut self, at: usize) -> Part {
        self.0.remove(at)
    }
}

impl From<Part> for WordParts {
    fn from(part: Part) -> Self {
        Self(SmallVec::from_buf([part]))
    }
}

impl From<&[Part]> for WordParts {
    fn from(parts: &[Part]) -> Self {
        Self(parts.into())
    }
}

impl Deref for WordParts {
    type Target = [Part];

    fn deref(&self) -> &[Part] {
        &self.0
    }
}

impl DerefMut for WordParts {
    fn deref_mut(&mut self) -> &mut [Part] {
        &mut self.0
    }
}

impl fmt::Debug for WordParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Extend<Part> for WordParts {
    fn extend<I: IntoIterator<Item = Part>>(&mut self, more: I) {
        self.0.extend(more);
    }
}

impl FromIterator<Part> for WordParts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

impl IntoIterator for WordParts {
    type Item = Part;
    type IntoIter = WordPartsIter;

    fn into_iter(self) -> WordPartsIter {
        WordPartsIter(self.0.into_iter())
    }
}

impl<'p> IntoIterator for &'p WordParts {
    type Item = &'p Part;
    type IntoIter = std::slice::Iter<'p, Part>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl Iterator for WordPartsIter {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}
