//! What an automaton is. The build script makes those of packs, and the program reads texts with them.

use std::borrow::Cow;

/// A deterministic automaton that tells where the first match ends, of those that a regex has in a text.
///
/// It reads characters, and tells apart what its regex does: ASCII characters each, others by their [`Kind`]. A regex
/// that tells more apart, such as one with `é` in it, has no class for the kind that is in, and another engine reads the
/// text that has one.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// The state that a search begins in, by what stands before it: see [`Before`].
    pub(crate) starts: [u16; 5],
    /// The class of each ASCII character.
    pub(crate) ascii: [u8; 128],
    /// The class of other characters, by their kind; [`NO_CLASS`] where not all of a kind are alike to the regex.
    pub(crate) kinds: [u8; KINDS],
    /// How many classes there are. The end of the text is the last.
    pub(crate) classes: u16,
    /// The states, by number; each is its next state for every class.
    pub(crate) states: Cow<'static, [u16]>,
}

/// One of the alternatives that a regex was split into, or all of it.
#[derive(Debug)]
pub(crate) struct Part {
    /// Every match begins with one of these; empty where that says nothing.
    pub(crate) beginnings: Cow<'static, [Cow<'static, str>]>,
    /// The automaton, unless it would be too big.
    pub(crate) automaton: Option<Automaton>,
}

/// The state in which a match has ended before the character that led there.
pub(crate) const MATCHED: u16 = 0;

/// The state that no match is reached from.
pub(crate) const DEAD: u16 = 1;

/// The class of a kind of characters that are not all alike.
pub(crate) const NO_CLASS: u8 = u8::MAX;

/// How many kinds there are.
pub(crate) const KINDS: usize = 6;

/// What a character that is not ASCII can be to a regex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A word character that is no digit.
    Letter,
    /// A decimal digit.
    Digit,
    /// White space.
    Space,
    /// None of these.
    Other,
    /// The Kelvin sign, a `k` to a regex that ignores case.
    Kelvin,
    /// The long s, likewise.
    LongS,
}

/// What stands before the place where a search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Before {
    Nothing,
    LineFeed,
    CarriageReturn,
    Word,
    Other,
}

/// Tells whether an ASCII character is a word character.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
