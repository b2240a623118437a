//! What translations of other languages into bash's have in common: what comes of one, and how far it may go.
//!
//! A translator reads a text by loops of its own, and one that does not move forward would go round for ever. So a text is
//! looked at through [`Looks`]: after more of them than any text needs it is at its end, and every loop ends there.

use std::cell::Cell;

/// How deep what is read may lie within each other.
const DEPTH: usize = 24;

/// How much longer than its text a translation may be, and what it may have in any case, in bytes.
const GROWTH: usize = 24;
const LEAST: usize = 4096;

/// How often a text may be looked at: for each of its bytes, and in any case.
const LOOKS: usize = 512;
const LEAST_LOOKS: usize = 1 << 16;

/// A text in bash's language that runs what a text of another language would run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Translation {
    /// The text.
    pub(super) script: String,
    /// What was not read, as it is written.
    pub(super) unread: Vec<String>,
}

/// Why a text is not read further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// It is nothing of its language that is known here.
    Syntax,
    /// It is nested too deeply, comes to too much, or takes too long.
    Deep,
}

pub(super) type Outcome<T> = Result<T, Fault>;

/// What a translation may still come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    depth: usize,
    /// In bytes.
    left: usize,
}

impl Bounds {
    /// Returns those of a text.
    pub(super) fn of(text: &str) -> Self {
        Self { depth: 0, left: most(text) }
    }

    /// Returns those of a text within the one that these are of.
    pub(super) fn within(self, text: &str) -> Self {
        Self { left: self.left.min(most(text)), ..self }
    }
}

/// Returns how long the translation of a text may be, in bytes.
pub(super) fn most(text: &str) -> usize {
    LEAST + GROWTH * text.len()
}

/// A translator that keeps to its bounds.
pub(super) trait Bounded: Sized {
    fn bounds(&mut self) -> &mut Bounds;

    /// Goes a level deeper for as long as something is read.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.bounds().depth >= DEPTH {
            return Err(Fault::Deep);
        }
        self.bounds().depth += 1;
        let result = read(self);
        self.bounds().depth -= 1;
        result
    }

    /// Counts what was written.
    fn wrote(&mut self, text: &str) -> Outcome<()> {
        let bounds = self.bounds();
        bounds.left = bounds.left.checked_sub(text.len()).ok_or(Fault::Deep)?;
        Ok(())
    }

    /// Counts what is written, and returns it.
    fn written(&mut self, text: String) -> Outcome<String> {
        self.wrote(&text)?;
        Ok(text)
    }
}

/// How often a text may still be looked at.
#[derive(Clone, Debug)]
pub(super) struct Looks(Cell<usize>);

impl Looks {
    /// Returns those at a text of so many bytes or characters.
    pub(super) fn at(length: usize) -> Self {
        Self(Cell::new(LEAST_LOOKS + LOOKS * length))
    }

    /// Counts one; `false` if there was none left.
    pub(super) fn take(&self) -> bool {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                true
            }
            None => false,
        }
    }

    /// Tells whether none is left: what was read is not all that there is.
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
