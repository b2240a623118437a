//! The words of a command, and those that a pattern requires, as a few bits: of many patterns of one program the most
//! speak of another subcommand, and that shows before any of them is read.

use crate::analysis::Simple;

use super::{Called, Pattern};

/// The bits of some words. Two words may have one bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WordBits(u128);

impl WordBits {
    /// Those of every word.
    pub const ANY: Self = Self(u128::MAX);

    /// Tells whether both may have a word in common. What may be any word is met by a command without one.
    #[must_use]
    pub fn may_share(self, other: Self) -> bool {
        self.0 & other.0 != 0 || self == Self::ANY || other == Self::ANY
    }

    /// Returns them as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// Makes them of such bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// Adds a word, as [`Analysis::words_named`](crate::Analysis::words_named) tells it.
    pub(super) fn add(&mut self, word: &str) {
        let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        self.0 |= 1 << (hash.wrapping_mul(0x9e37_79b1) >> 25);
    }
}

impl Pattern {
    /// Returns the bits of the words of which a command has one where [`Pattern::runs_in`] does not say no.
    #[must_use]
    pub fn word_bits(&self) -> WordBits {
        let Some(words) = self.words_required() else { return WordBits::ANY };
        let mut bits = WordBits::default();
        words.iter().for_each(|word| bits.add(word));
        bits
    }
}

impl Simple {
    /// Returns the bits of its words.
    #[must_use]
    pub fn word_bits(&self) -> WordBits {
        match self.called() {
            Called::Nothing => WordBits::default(),
            Called::Anything => WordBits::ANY,
            Called::Name(name, outer) => self.memo.word_bits(|| {
                let mut bits = WordBits::default();
                let names = [Some(name), outer].into_iter().flatten();
                names.for_each(|name| self.tell_words(name, &mut |word| bits.add(word)));
                bits
            }),
        }
    }

    /// Tells its words, as those of programs of these names, and remembers their bits.
    pub(super) fn tell_all_words(&self, names: [Option<&str>; 2], see: &mut dyn FnMut(&str)) {
        let mut bits = WordBits::default();
        let mut tell = |word: &str| {
            bits.add(word);
            see(word);
        };
        names.into_iter().flatten().for_each(|name| self.tell_words(name, &mut tell));
        self.memo.word_bits(|| bits);
    }
}
