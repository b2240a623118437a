//! The common parts of translations from other languages to bash: their result, and their limits.
//!
//! A translator reads a text in loops, and one that does not advance would never end. So it looks at a text only
//! through [`LookBudget`]: after more looks than any text needs the text appears to end, and so does every loop.

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
pub(super) enum TranslationError {
    /// Not valid in its language, as far as that is supported.
    Syntax,
    /// Nested too deeply, or too long to read or to translate.
    LimitExceeded,
}

pub(super) type TranslationResult<T> = Result<T, TranslationError>;

/// The remaining limits of a translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct TranslationLimits {
    depth: usize,
    /// In bytes.
    left: usize,
}

impl TranslationLimits {
    /// Returns the limits for a text.
    pub(super) fn new(text: &str) -> Self {
        Self { depth: 0, left: max_length(text) }
    }

    /// Returns the limits for a text nested in another.
    pub(super) fn nested(self, text: &str) -> Self {
        Self { left: self.left.min(max_length(text)), ..self }
    }
}

/// Returns the maximum length of the translation of a text, in bytes.
pub(super) fn max_length(text: &str) -> usize {
    LEAST + GROWTH * text.len()
}

/// A translator with limits.
pub(super) trait LimitedTranslator: Sized {
    fn limits(&mut self) -> &mut TranslationLimits;

    /// Reads something one level deeper.
    fn read_deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> TranslationResult<T>) -> TranslationResult<T> {
        if self.limits().depth >= DEPTH {
            return Err(TranslationError::LimitExceeded);
        }
        self.limits().depth += 1;
        let result = read(self);
        self.limits().depth -= 1;
        result
    }

    /// Charges written text.
    fn charge(&mut self, text: &str) -> TranslationResult<()> {
        let bounds = self.limits();
        bounds.left = bounds.left.checked_sub(text.len()).ok_or(TranslationError::LimitExceeded)?;
        Ok(())
    }

    /// Charges written text, and returns it.
    fn charged(&mut self, text: String) -> TranslationResult<String> {
        self.charge(&text)?;
        Ok(text)
    }
}

/// The remaining number of looks at a text.
#[derive(Clone, Debug)]
pub(super) struct LookBudget(Cell<usize>);

impl LookBudget {
    /// Returns the budget for a text of this many bytes or characters.
    pub(super) fn new(length: usize) -> Self {
        Self(Cell::new(LEAST_LOOKS + LOOKS * length))
    }

    /// Charges one look; `false` if none was left.
    pub(super) fn charge(&self) -> bool {
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
        let looks = LookBudget::new(2);
        assert_eq!((0..).take_while(|_| looks.charge()).count(), LEAST_LOOKS + 2 * LOOKS);
        assert!(looks.are_spent() && !LookBudget::new(0).are_spent());
    }
}
