//! A bit set that approximates a set of words. It can show that two sets have no word in common.

/// The bits of some words: each word sets one of 128 bits, and two words may set the same bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WordBits(u128);

impl WordBits {
    /// All bits, for a set that may contain any word.
    pub const ANY: Self = Self(u128::MAX);

    /// Whether the two sets may have a word in common. [`WordBits::ANY`] may share a word with every set, even an
    /// empty one.
    #[must_use]
    pub fn may_share(self, other: Self) -> bool {
        self.0 & other.0 != 0 || self == Self::ANY || other == Self::ANY
    }

    /// Returns the bits as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// Restores the bits from bytes that [`WordBits::to_bytes`] returned.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// Adds a word to the set.
    pub(crate) fn add(&mut self, word: &str) {
        // FNV-1a, and a multiplication that spreads the result over the upper bits, of which seven select the bit.
        let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        self.0 |= 1 << (hash.wrapping_mul(0x9e37_79b1) >> 25);
    }
}
