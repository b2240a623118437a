//! The hash keys of atoms, and the normal form of texts in which parts are searched.

use std::borrow::Cow;

/// The kind of an atom: how its text is compared with a facet of the call (see [`super::facet`]), such as its
/// programs or the texts of a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum AtomKind {
    /// Not all values of the facet are known, so every rule with an atom of the facet is a candidate.
    Every = 0,
    /// A whole text or name of the facet is equal to the atom's text.
    Whole = 1,
    /// A text of the facet contains the atom's text, ignoring case.
    Part = 2,
    /// A component of a path in the facet is equal to the atom's text, which is in lower case.
    Name = 3,
    /// A component of a path in the facet ends with a dot and the atom's text, which is in lower case.
    Extension = 4,
    /// A text of the call may not be a command. A rule that allows must then be judged, too.
    Guess = 5,
    /// A path of the policy, relative to the project, leads through a symbolic link with this name, in lower case.
    LinkName = 6,
    /// The call has any value of the facet; for agents, one other than the main agent.
    Any = 7,
}

/// The number of variants of [`AtomKind`].
pub(super) const KINDS: usize = 8;

/// The multiplier of the hash: 2^64 divided by the golden ratio, whose bits are evenly mixed.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The mask of the bits of a key that depend on the text alone. As the upper bits, they determine the approximate
/// position in a table, so that the entries for one text of several facets, such as a path, are near each other in
/// the file.
const BY_TEXT: u32 = 0xffc0_0000;

/// Returns the key of an atom of a facet. If two atoms have the same key, their rules share a list, and every rule
/// that is found is judged anyway.
pub(super) fn key(facet: u16, kind: AtomKind, text: &[u8]) -> u32 {
    let mix = |hash: u64, word: u64| (hash ^ word ^ (hash >> 32)).wrapping_mul(MULTIPLIER);
    let (chunks, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let words = chunks.iter().chain([&last]).map(|chunk| u64::from_le_bytes(*chunk));
    let text_hash = words.fold(MULTIPLIER, mix);
    let text_hash = mix(text_hash, u64::try_from(text.len()).unwrap_or(u64::MAX));
    let hash = mix(text_hash, (u64::from(facet) << 8 | u64::from(kind as u8)).wrapping_add(1));
    let upper = |hash: u64| u32::try_from((hash ^ (hash >> 29)) >> 32).unwrap_or_default();
    // Each facet may have an atom without a text. Keys with equal upper bits would put them all in one stretch of the
    // table.
    if text.is_empty() { upper(hash) } else { upper(text_hash) & BY_TEXT | upper(hash) & !BY_TEXT }
}

/// Normalises a text for the search for parts: lower-cases ASCII letters, and the characters that regexes fold to
/// ASCII.
///
/// Each character is replaced by one character, so that a part of a text remains a part of the normalised text.
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

/// The length of a gram, in bytes, and the minimum length of a part. A gram is a short piece of a text that is looked
/// up in a filter.
pub(super) const GRAM: usize = 4;

/// The maximum length of a part in bytes. Of a longer one, only a window is compared.
pub(super) const PART: usize = 32;

/// The number of bits that a gram sets in a Bloom filter.
const BITS_SET: usize = 3;

/// Returns the positions of a gram's bits in a Bloom filter of `count` bits. The first bit is missing for most grams
/// of a text, so the other bits are computed only when they are needed.
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
        for facet in 0..40 {
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
                    assert!(keys.insert(key(facet, kind, text.as_bytes())), "{facet} {kind:?} {text:?}");
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
