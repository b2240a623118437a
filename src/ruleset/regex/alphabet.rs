//! What automata are written with: numbers of states, and what characters are to a regex.

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
