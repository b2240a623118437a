//! The data of an automaton. The build script makes those of packs, and the program searches texts with them.

use std::borrow::Cow;

/// A deterministic automaton that finds the earliest end of a regex's matches in a text.
///
/// It reads characters and distinguishes only what its regex distinguishes: each ASCII character, and other characters
/// by their [`CharKind`]. A regex that distinguishes more, such as one with `é`, has no class for that character's
/// kind; a text with such a character is searched by another engine.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// The initial state of a search, by what precedes it: see [`PrecedingChar`].
    pub(crate) starts: [u16; 5],
    /// The class of each ASCII character.
    pub(crate) ascii: [u8; 128],
    /// The class of other characters, by kind; [`NO_CLASS`] if the regex does not treat all of a kind alike.
    pub(crate) kinds: [u8; KINDS],
    /// The number of classes. The end of the text is the last.
    pub(crate) classes: u16,
    /// The transition table: for each state, the next state for every class.
    pub(crate) states: Cow<'static, [u16]>,
}

/// An alternative that a regex was split into, or all of it.
#[derive(Debug)]
pub(crate) struct RegexPart {
    /// Every match begins with one of these; empty if that is not known.
    pub(crate) beginnings: Cow<'static, [Cow<'static, str>]>,
    /// The automaton, unless it would be too big.
    pub(crate) automaton: Option<Automaton>,
}

/// The state in which a match has ended before the character that led to it.
pub(crate) const MATCHED: u16 = 0;

/// The state from which no match can be reached.
pub(crate) const DEAD: u16 = 1;

/// The class of a kind whose characters the regex does not treat alike.
pub(crate) const NO_CLASS: u8 = u8::MAX;

/// The number of kinds.
pub(crate) const KINDS: usize = 6;

/// The kinds of non-ASCII characters that a regex may distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CharKind {
    /// A word character other than a digit.
    Letter,
    /// A decimal digit.
    Digit,
    /// White space.
    Space,
    /// Any other character.
    Other,
    /// The Kelvin sign, a `k` to a case-insensitive regex.
    Kelvin,
    /// The long s, an `s` to a case-insensitive regex.
    LongS,
}

/// What precedes the position where a search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PrecedingChar {
    Nothing,
    LineFeed,
    CarriageReturn,
    Word,
    Other,
}

/// Whether an ASCII character is a word character.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
