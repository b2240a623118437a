//! The keys of atoms, and the normal form of texts in which parts are looked for.

use std::borrow::Cow;

/// The kind of an atom: what it requires of its place (see [`super::place`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum AtomKind {
    /// Matches every rule that has an atom of the place, because the values there are not all known.
    Every = 0,
    /// The whole text or name is equal to this.
    Whole = 1,
    /// The text contains this, ignoring case.
    Part = 2,
    /// A component of a path is this, in lower case.
    Name = 3,
    /// A component of a path ends with a dot and this, in lower case.
    Extension = 4,
    /// It is only a guess that a text is a command; no allow may depend on that.
    Guess = 5,
    /// A path of the policy, relative to the project, leads through a link of this name, in lower case.
    LinkName = 6,
    /// There is a value at all; for agents, one other than the main agent.
    Any = 7,
}

/// The number of kinds.
pub(super) const KINDS: usize = 8;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The bits of a key that depend on its text alone. They roughly determine its position in a table, so that a text that
/// is looked up for several places, such as a path, is found in one stretch of the file.
const BY_TEXT: u32 = 0xffc0_0000;

/// Returns the key of an atom. Two atoms may have the same key: their rules then share a list, and each rule found is
/// judged anyway.
pub(super) fn key(place: u16, kind: AtomKind, text: &[u8]) -> u32 {
    let mix = |hash: u64, word: u64| (hash ^ word ^ (hash >> 32)).wrapping_mul(MULTIPLIER);
    let (chunks, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let words = chunks.iter().chain([&last]).map(|chunk| u64::from_le_bytes(*chunk));
    let of_text = words.fold(MULTIPLIER, mix);
    let of_text = mix(of_text, u64::try_from(text.len()).unwrap_or(u64::MAX));
    let hash = mix(of_text, (u64::from(place) << 8 | u64::from(kind as u8)).wrapping_add(1));
    let upper = |hash: u64| u32::try_from((hash ^ (hash >> 29)) >> 32).unwrap_or_default();
    // There are as many atoms without a text as places, and they are spread over the table as well.
    if text.is_empty() { upper(hash) } else { upper(of_text) & BY_TEXT | upper(hash) & !BY_TEXT }
}

/// Normalises a text for the search for parts: lower-cases ASCII and the characters that fold to ASCII.
///
/// It works character by character, so that a part of a text is still a part of the normalised text.
pub(super) fn normalize_text(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    Cow::Owned(text.chars().map(normalize_char).collect())
}

/// Normalises one character, like [`normalize_text`].
pub(super) fn normalize_char(c: char) -> char {
    match c {
        // A case-insensitive regex matches the Kelvin sign as `k` and the long s as `s`.
        '\u{212a}' => 'k',
        '\u{17f}' => 's',
        c => c.to_ascii_lowercase(),
    }
}

/// The minimum length of a part, and the length of a gram, in bytes.
pub(super) const GRAM: usize = 4;

/// The maximum length of a compared part: of a longer one, a window is compared.
pub(super) const PART: usize = 32;

/// The number of bits that a gram sets.
const BITS_SET: usize = 3;

/// Returns the positions of a gram's bits in a filter of `count` bits. Most grams of a text already lack the first bit,
/// so the others are computed lazily.
pub(super) fn gram_bits(gram: [u8; GRAM], count: u32) -> impl Iterator<Item = u32> {
    let next = |hash: &u32| Some(hash.rotate_left(15).wrapping_mul(0x85eb_ca6b));
    let hashes = std::iter::successors(Some(gram_hash(gram)), next).take(BITS_SET);
    hashes.map(move |hash| u32::try_from((u64::from(hash) * u64::from(count)) >> 32).unwrap_or_default())
}

/// Returns the hash of a gram.
pub(super) fn gram_hash(gram: [u8; GRAM]) -> u32 {
    let gram = u32::from_le_bytes(gram);
    (gram ^ (gram >> 15)).wrapping_mul(0x9e37_79b1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_by_place_kind_and_text() {
        let mut keys = std::collections::BTreeSet::new();
        for place in 0..40 {
            for kind in [
                AtomKind::Every,
                AtomKind::Whole,
                AtomKind::Part,
                AtomKind::Name,
                AtomKind::Extension,
                AtomKind::Guess,
                AtomKind::LinkName,
                AtomKind::Any,
            ] {
                for text in ["", "a", "b", "ab", "abcdefgh", "abcdefghi", "bcdefgha", "a\0"] {
                    assert!(keys.insert(key(place, kind, text.as_bytes())), "{place} {kind:?} {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_part_of_a_text_stays_a_part() {
        for (text, part) in [("xK\u{212a}ſy", "k\u{212a}S"), ("ÄBC", "äbc"), ("a.RS", ".rs")] {
            let found = normalize_text(text).contains(normalize_text(part).as_ref());
            assert_eq!(found, part != "äbc", "{part} in {text}");
        }
    }
}
