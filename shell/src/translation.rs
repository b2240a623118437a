//! The common parts of translations from other languages to bash: their result, and their limits.
//!
//! A translator reads a text in loops, and one that does not advance would never end. So it looks at a text only
//! through [`Looks`]: after more looks than any text needs the text appears to end, and so does every loop.

use std::cell::Cell;

/// The maximum nesting.
const DEPTH: usize = 24;

/// The maximum length of a translation: this many times its text, and at least the second constant, in bytes.
const GROWTH: usize = 24;
const LEAST: usize = 4096;

/// The maximum number of looks at a text: for each of its bytes, and in addition.
const LOOKS: usize = 512;
const LEAST_LOOKS: usize = 1 << 16;

/// A bash text that runs what a text in another language would run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Translation {
    /// The translation.
    pub(super) script: String,
    /// The parts that could not be read, as written.
    pub(super) unread: Vec<String>,
}

/// The reason why reading stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// Not valid in its language, as far as that is supported.
    Syntax,
    /// Nested too deeply, or too long to read or to translate.
    Deep,
}

pub(super) type Outcome<T> = Result<T, Fault>;

/// The remaining limits of a translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    depth: usize,
    /// In bytes.
    left: usize,
}

impl Bounds {
    /// Returns the limits for a text.
    pub(super) fn of(text: &str) -> Self {
        Self { depth: 0, left: most(text) }
    }

    /// Returns the limits for a text nested in another.
    pub(super) fn within(self, text: &str) -> Self {
        Self { left: self.left.min(most(text)), ..self }
    }
}

/// Returns the maximum length of the translation of a text, in bytes.
pub(super) fn most(text: &str) -> usize {
    LEAST + GROWTH * text.len()
}

/// A translator with limits.
pub(super) trait Bounded: Sized {
    fn bounds(&mut self) -> &mut Bounds;

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.bounds().depth >= DEPTH {
            return Err(Fault::Deep);
        }
        self.bounds().depth += 1;
        let result = read(self);
        self.bounds().depth -= 1;
        result
    }

    /// Charges written text.
    fn wrote(&mut self, text: &str) -> Outcome<()> {
        let bounds = self.bounds();
        bounds.left = bounds.left.checked_sub(text.len()).ok_or(Fault::Deep)?;
        Ok(())
    }

    /// Charges written text, and returns it.
    fn written(&mut self, text: String) -> Outcome<String> {
        self.wrote(&text)?;
        Ok(text)
    }
}

/// The remaining number of looks at a text.
#[derive(Clone, Debug)]
pub(super) struct Looks(Cell<usize>);

impl Looks {
    /// Returns the budget for a text of this many bytes or characters.
    pub(super) fn at(length: usize) -> Self {
        Self(Cell::new(LEAST_LOOKS + LOOKS * length))
    }

    /// Charges one look; `false` if none was left.
    pub(super) fn take(&self) -> bool {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                true
            }
            None => false,
        }
    }

    /// Whether the budget is spent, so that the text was not read completely.
    pub(super) fn are_spent(&self) -> bool {
        self.0.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_to_an_end() {
        let looks = Looks::at(2);
        assert_eq!((0..).take_while(|_| looks.take()).count(), LEAST_LOOKS + 2 * LOOKS);
        assert!(looks.are_spent() && !Looks::at(0).are_spent());
    }
}
