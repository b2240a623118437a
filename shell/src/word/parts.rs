//! The list of the parts of a word. A list of one part needs no allocation.

use std::fmt;
use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use super::WordPart;

/// The parts of a word, in order. Most words have one part, which is stored without an allocation.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct WordParts(pub(crate) SmallVec<[WordPart; 1]>);

/// An iterator over the parts of a word, by value.
#[derive(Debug)]
pub struct WordPartsIter(smallvec::IntoIter<[WordPart; 1]>);

impl WordParts {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the parts as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[WordPart] {
        &self.0
    }

    /// Appends a part, without joining two adjacent texts.
    pub(crate) fn push(&mut self, part: WordPart) {
        self.0.push(part);
    }

    pub(crate) fn pop(&mut self) -> Option<WordPart> {
        self.0.pop()
    }

    pub(crate) fn remove(&mut self, index: usize) -> WordPart {
        self.0.remove(index)
    }
}

impl From<WordPart> for WordParts {
    fn from(part: WordPart) -> Self {
        Self(SmallVec::from_buf([part]))
    }
}

impl From<&[WordPart]> for WordParts {
    fn from(parts: &[WordPart]) -> Self {
        Self(parts.into())
    }
}

impl Deref for WordParts {
    type Target = [WordPart];

    fn deref(&self) -> &[WordPart] {
        &self.0
    }
}

impl DerefMut for WordParts {
    fn deref_mut(&mut self) -> &mut [WordPart] {
        &mut self.0
    }
}

impl fmt::Debug for WordParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Extend<WordPart> for WordParts {
    fn extend<I: IntoIterator<Item = WordPart>>(&mut self, more: I) {
        self.0.extend(more);
    }
}

impl FromIterator<WordPart> for WordParts {
    fn from_iter<I: IntoIterator<Item = WordPart>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

impl IntoIterator for WordParts {
    type Item = WordPart;
    type IntoIter = WordPartsIter;

    fn into_iter(self) -> WordPartsIter {
        WordPartsIter(self.0.into_iter())
    }
}

impl<'p> IntoIterator for &'p WordParts {
    type Item = &'p WordPart;
    type IntoIter = std::slice::Iter<'p, WordPart>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl Iterator for WordPartsIter {
    type Item = WordPart;

    fn next(&mut self) -> Option<WordPart> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}
