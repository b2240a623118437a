//! A bit set that approximates a set of words: it can rule out that a word is in the set.

/// The bits of some words. Two words may share a bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WordBits(u128);

impl WordBits {
    /// The bits of every word.
    pub const ANY: Self = Self(u128::MAX);

    /// Whether the two sets may have a word in common. [`WordBits::ANY`] even matches a command without words.
    #[must_use]
    pub fn may_share(self, other: Self) -> bool {
        self.0 & other.0 != 0 || self == Self::ANY || other == Self::ANY
    }

    /// Returns the bits as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// Makes the bits from such bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// Adds a word.
    pub(crate) fn add(&mut self, word: &str) {
        let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        self.0 |= 1 << (hash.wrapping_mul(0x9e37_79b1) >> 25);
    }
}
