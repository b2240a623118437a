//! What the translators of other languages (PowerShell, cmd, fish) to bash have in common: their result and their
//! limits.
//!
//! A translator reads a text in loops, and a loop that does not advance would never end. So every look at the text is
//! charged to a [`LookBudget`]: when it is spent, the text appears to end, and so does every loop.

use std::cell::Cell;

/// The maximum nesting depth.
const DEPTH: usize = 24;

/// The maximum length of a translation in bytes: this many times the length of its text, plus the second constant.
const GROWTH: usize = 24;
const LEAST: usize = 4096;

/// The maximum number of looks at a text: this many for each of its bytes, plus the second constant.
const LOOKS: usize = 512;
const LEAST_LOOKS: usize = 1 << 16;

/// A bash text that runs what a text in another language would run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Translation {
    /// The translation.
    pub(super) script: String,
    /// The parts of the text that could not be translated, as in the source.
    pub(super) unread: Vec<String>,
}

/// The reason why reading stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TranslationError {
    /// The text is not valid in its language, or uses a construct that is not supported.
    Syntax,
    /// The text is nested too deeply, or takes too long to read, or its translation is too long.
    LimitExceeded,
}

pub(super) type TranslationResult<T> = Result<T, TranslationError>;

/// The remaining limits of a translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct TranslationLimits {
    /// The current nesting depth.
    depth: usize,
    /// The number of bytes that the translation may still grow.
    bytes_left: usize,
}

impl TranslationLimits {
    /// Returns the limits for translating a text.
    pub(super) fn new(text: &str) -> Self {
        Self { depth: 0, bytes_left: max_length(text) }
    }

    /// Returns the limits for a text nested in the one with these limits, which they do not exceed.
    pub(super) fn nested(self, text: &str) -> Self {
        Self { bytes_left: self.bytes_left.min(max_length(text)), ..self }
    }
}

/// Returns the maximum length of the translation of a text, in bytes.
pub(super) fn max_length(text: &str) -> usize {
    LEAST + GROWTH * text.len()
}

/// A translator with limits.
pub(super) trait LimitedTranslator: Sized {
    fn limits(&mut self) -> &mut TranslationLimits;

    /// Runs a function of the translator one level deeper; fails beyond [`DEPTH`].
    fn read_deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> TranslationResult<T>) -> TranslationResult<T> {
        if self.limits().depth >= DEPTH {
            return Err(TranslationError::LimitExceeded);
        }
        self.limits().depth += 1;
        let result = read(self);
        self.limits().depth -= 1;
        result
    }

    /// Charges for a piece of the translation; fails if the translation is too long.
    fn charge(&mut self, text: &str) -> TranslationResult<()> {
        let limits = self.limits();
        limits.bytes_left = limits.bytes_left.checked_sub(text.len()).ok_or(TranslationError::LimitExceeded)?;
        Ok(())
    }

    /// Charges for a piece of the translation, and returns it.
    fn charged(&mut self, text: String) -> TranslationResult<String> {
        self.charge(&text)?;
        Ok(text)
    }
}

/// How many more times a translator may look at its text.
#[derive(Clone, Debug)]
pub(super) struct LookBudget(Cell<usize>);

impl LookBudget {
    /// Returns the budget for a text of this many bytes or characters.
    pub(super) fn new(length: usize) -> Self {
        Self(Cell::new(LEAST_LOOKS + LOOKS * length))
    }

    /// Charges for one look at the text; returns `false` if the budget is spent.
    pub(super) fn charge(&self) -> bool {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                true
            }
            None => false,
        }
    }

    /// Whether the budget is spent; then the text may not have been read completely.
    pub(super) fn is_spent(&self) -> bool {
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
        assert!(looks.is_spent() && !LookBudget::new(0).is_spent());
    }
}
