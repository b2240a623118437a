//! Atoms as keys, and texts in the form in which parts of them are looked for.

use std::borrow::Cow;

/// What an atom says of the place that it is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    /// Every rule that stands under an atom of the place: what is there is not all known.
    Every = 0,
    /// The whole text or name is this.
    Whole = 1,
    /// The text has this in it, upper and lower case alike.
    Part = 2,
    /// A name of a path is this, in lower case.
    Name = 3,
    /// A name of a path ends with a dot and this, in lower case.
    Extension = 4,
    /// Whether a text is a command at all is a guess, on which no allow hangs.
    Guess = 5,
    /// A path of the policy, from the project, leads through a link of this name, in lower case.
    Through = 6,
    /// There is one at all; of agents, one that is not the main one.
    Any = 7,
}

/// How many kinds there are.
pub(super) const KINDS: usize = 8;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The bits of a key that its text alone decides: they say about where in a table it stands, so that a text that is looked
/// up for several places, as a path is, is found in one stretch of the file.
const BY_TEXT: u32 = 0xffc0_0000;

/// Returns the key of an atom. Two atoms may have one key: their rules stand in one list, and what is found is judged
/// anyway.
pub(super) fn key(place: u16, kind: Kind, text: &[u8]) -> u32 {
    let mix = |hash: u64, word: u64| (hash ^ word ^ (hash >> 32)).wrapping_mul(MULTIPLIER);
    let (chunks, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let words = chunks.iter().chain([&last]).map(|chunk| u64::from_le_bytes(*chunk));
    let of_text = words.fold(MULTIPLIER, mix);
    let of_text = mix(of_text, u64::try_from(text.len()).unwrap_or(u64::MAX));
    let hash = mix(of_text, (u64::from(place) << 8 | u64::from(kind as u8)).wrapping_add(1));
    let upper = |hash: u64| u32::try_from((hash ^ (hash >> 29)) >> 32).unwrap_or_default();
    // There are as many atoms without a text as places, and they are spread as well.
    if text.is_empty() { upper(hash) } else { upper(of_text) & BY_TEXT | upper(hash) & !BY_TEXT }
}

/// Returns a text as parts are looked for in it: without upper case, as far as ASCII and what folds to it goes.
///
/// Character by character, so that a part of a text stays one of the text that comes out.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    Cow::Owned(text.chars().map(plain_char).collect())
}

/// As [`plain`], one character.
pub(super) fn plain_char(c: char) -> char {
    match c {
        // A regex that ignores case takes the Kelvin sign for a `k` and the long s for an `s`.
        '\u{212a}' => 'k',
        '\u{17f}' => 's',
        c => c.to_ascii_lowercase(),
    }
}

/// How many bytes a part has at least, and how many a gram has.
pub(super) const GRAM: usize = 4;

/// The longest part that is compared: of a longer one a stretch.
pub(super) const PART: usize = 32;

/// How many bits a gram sets.
const BITS_SET: usize = 3;

/// Returns where the bits of a gram stand among so many. Most grams of a text lack the first: the others are worked out
/// when they are asked for.
pub(super) fn gram_bits(gram: [u8; GRAM], count: u32) -> impl Iterator<Item = u32> {
    let next = |hash: &u32| Some(hash.rotate_left(15).wrapping_mul(0x85eb_ca6b));
    let hashes = std::iter::successors(Some(spread(gram)), next).take(BITS_SET);
    hashes.map(move |hash| u32::try_from((u64::from(hash) * u64::from(count)) >> 32).unwrap_or_default())
}

/// Returns the bits of a gram, spread.
pub(super) fn spread(gram: [u8; GRAM]) -> u32 {
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
                Kind::Every,
                Kind::Whole,
                Kind::Part,
                Kind::Name,
                Kind::Extension,
                Kind::Guess,
                Kind::Through,
                Kind::Any,
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
            let found = plain(text).contains(plain(part).as_ref());
            assert_eq!(found, part != "äbc", "{part} in {text}");
        }
    }
}
