//! The data of an automaton. The build script generates it for the regexes of packs, and the program searches texts
//! with it.

use std::borrow::Cow;

/// A deterministic automaton that finds the earliest end of a regex's matches in a text.
///
/// It reads characters, which it groups into classes: each ASCII character has a class, and each [`CharKind`] of
/// other characters. A regex that distinguishes characters of a kind, such as one with `é`, has no class for the
/// kind; another engine must search a text that contains a character of the kind.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// The initial state of a search, by what precedes it: see [`PrecedingChar`].
    pub(crate) starts: [u16; 5],
    /// The class of each ASCII character.
    pub(crate) ascii: [u8; 128],
    /// The class of other characters, by kind; [`NO_CLASS`] if the regex distinguishes characters of the kind.
    pub(crate) kinds: [u8; KINDS],
    /// The number of classes. The last one is the end of the text.
    pub(crate) classes: u16,
    /// The transition table: the next state for each state and class, in rows of `classes` numbers.
    pub(crate) states: Cow<'static, [u16]>,
}

/// One of the alternatives that a regex was split into, or the whole regex.
#[derive(Debug)]
pub(crate) struct RegexPart {
    /// Texts such that every match begins with one of them; empty if none are known.
    pub(crate) beginnings: Cow<'static, [Cow<'static, str>]>,
    /// The automaton; `None` if it would be too big.
    pub(crate) automaton: Option<Automaton>,
}

/// The state after a match. The match ended before the character that led to this state.
pub(crate) const MATCHED: u16 = 0;

/// The state from which no match can be reached.
pub(crate) const DEAD: u16 = 1;

/// The class of a kind whose characters the regex distinguishes.
pub(crate) const NO_CLASS: u8 = u8::MAX;

/// The number of variants of [`CharKind`].
pub(crate) const KINDS: usize = 6;

/// The kinds of non-ASCII characters that a regex may distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CharKind {
    /// A word character other than a decimal digit.
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

/// The character before the position where a search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PrecedingChar {
    /// The search begins at the beginning of the text.
    Nothing,
    LineFeed,
    CarriageReturn,
    /// A word character.
    Word,
    /// Any other character.
    Other,
}

/// Whether an ASCII character is a word character.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
