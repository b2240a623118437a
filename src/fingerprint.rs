//! Fingerprints of bytes. Two are equal only if the bytes are, even if an attacker chose them.
//!
//! They are used where forgery matters, as for trusted states of a policy and the chain of the log. Other comparisons
//! use cheaper hashes.

use blake2::{Blake2b256, Digest};

/// The BLAKE2b-256 digest of bytes, as `b2sum -l 256` prints it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Returns the fingerprint of bytes.
    #[must_use]
    pub fn digest(bytes: &[u8]) -> Self {
        Self(Blake2b256::digest(bytes).into())
    }

    /// Returns the fingerprint of several pieces, which includes their lengths: `a`, `bc` differs from `ab`, `c`.
    #[must_use]
    pub fn digest_pieces<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hasher = Blake2b256::new();
        for piece in pieces {
            hasher.update(u64::try_from(piece.len()).unwrap_or(u64::MAX).to_le_bytes());
            hasher.update(piece);
        }
        Self(hasher.finalize().into())
    }

    /// Returns the first 64 bits, for uses in which an attacker gains nothing by a forgery.
    #[must_use]
    pub fn first_bits(self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    /// Returns the fingerprint as 64 hexadecimal digits.
    #[must_use]
    pub fn hex(self) -> String {
        let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' - 10 + value });
        let mut hex = String::with_capacity(64);
        for byte in self.0 {
            hex.push(digit(byte >> 4));
            hex.push(digit(byte & 15));
        }
        hex
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_b2sum_prints() {
        let of_abc = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319";
        assert_eq!(Fingerprint::digest(b"abc").hex(), of_abc);
    }

    #[test]
    fn pieces_that_are_cut_elsewhere_have_another() {
        let of = |pieces: &[&str]| Fingerprint::digest_pieces(pieces.iter().map(|piece| piece.as_bytes()));
        assert_eq!(of(&["a", "bc"]), of(&["a", "bc"]));
        assert_ne!(of(&["a", "bc"]), of(&["ab", "c"]));
        assert_ne!(of(&["abc"]), of(&["abc", ""]));
    }
}
