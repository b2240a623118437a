//! Names with unknown parts, as sequences of symbols: whether two sequences have a name in common, and whether one
//! contains the other.

use super::CharClass;
use super::wild::{CompiledGlob, GlobPart};
use crate::characters::bytes_of_char;

/// A symbol of a name: one character, or an unknown part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NameSymbol {
    /// Exactly this character.
    Char(char),
    /// Any one character.
    One,
    /// One character or one byte, depending on the locale: a `?` next to another one in a shell's glob. It does not
    /// occur in the globs of policies.
    Byte,
    /// Any text, perhaps empty.
    Many,
    /// Any text without a dot, perhaps empty. It does not occur in globs.
    Plain,
    /// Any hexadecimal digits, perhaps none. It does not occur in globs.
    Hash,
    /// One character of a class.
    Class(CharClass),
}

impl CompiledGlob<'_> {
    /// Returns the glob as a sequence of symbols.
    pub(super) fn symbols(self) -> Vec<NameSymbol> {
        let mut symbols = Vec::new();
        for piece in self.pieces() {
            match piece {
                GlobPart::Text(text) => symbols.extend(text.chars().map(NameSymbol::Char)),
                GlobPart::One => symbols.push(NameSymbol::One),
                GlobPart::Many => symbols.push(NameSymbol::Many),
                GlobPart::Class(class) => symbols.push(NameSymbol::Class(class.clone())),
            }
        }
        symbols
    }
}

impl NameSymbol {
    /// Whether a name matches both sequences. Two classes are assumed to have a character in common. Adds the steps
    /// to `steps`.
    pub(super) fn has_common_name(a: &[Self], b: &[Self], steps: &mut usize) -> bool {
        let in_bytes = |shell: &[Self], other: &[Self], steps: &mut usize| {
            shell.contains(&Self::Byte)
                && other.iter().any(Self::may_be_several_bytes)
                && Self::has_common_symbols(&Self::byte_symbols(shell), &Self::byte_symbols(other), steps)
        };
        Self::has_common_symbols(a, b, steps) || in_bytes(a, b, steps) || in_bytes(b, a, steps)
    }

    /// Whether a symbol in the glob of a policy can be a character of several bytes.
    fn may_be_several_bytes(&self) -> bool {
        match self {
            Self::Char(c) => !c.is_ascii(),
            Self::One | Self::Class(_) => true,
            Self::Byte | Self::Many | Self::Plain | Self::Hash => false,
        }
    }

    /// Returns a sequence with a symbol for each byte. A wildcard for one character may be any number of bytes.
    fn byte_symbols(name: &[Self]) -> Vec<Self> {
        let mut bytes = Vec::with_capacity(name.len());
        for symbol in name {
            match symbol {
                Self::Char(c) => bytes.extend(bytes_of_char(*c).map(Self::Char)),
                Self::One | Self::Class(_) => bytes.push(Self::Many),
                Self::Byte => bytes.push(Self::One),
                other => bytes.push(other.clone()),
            }
        }
        bytes
    }

    /// Whether a name matches both sequences, compared symbol by symbol. Adds the steps to `steps`.
    fn has_common_symbols(a: &[Self], b: &[Self], steps: &mut usize) -> bool {
        // In most cases the first or last symbols already differ.
        let one = |own: &Self, other: &Self, _: &mut usize| own.as_one().zip(other.as_one()).map(|_| own.shares(other));
        let Some((a, b)) = strip_common_ends(a, b, one, steps) else { return false };
        match (a, b) {
            ([], rest) => return rest.iter().all(|symbol| symbol.as_one().is_none()),
            (rest, []) => return rest.iter().all(|own| *own == Self::Many),
            ([Self::Many], _) | (_, [Self::Many]) => return true,
            _ => {}
        }
        *steps += a.len() * b.len();
        let mut reached = vec![false; a.len() + 1];
        let mut next = reached.clone();
        if let Some(start) = reached.first_mut() {
            *start = true;
        }
        spread(a, &mut reached);
        for symbol in b {
            next.fill(false);
            if let Some(first) = reached.iter().position(|live| *live) {
                symbol.mark_reachable(a, first, &reached, &mut next);
            }
            spread(a, &mut next);
            std::mem::swap(&mut reached, &mut next);
        }
        reached.last().copied().unwrap_or(false)
    }

    /// Marks in `next` the positions in a name that can be reached from those in `reached` with this symbol.
    fn mark_reachable(&self, name: &[Self], first: usize, reached: &[bool], next: &mut [bool]) {
        let set = |next: &mut [bool], at: usize| next.get_mut(at).into_iter().for_each(|live| *live = true);
        if self.as_one().is_none() {
            // A symbol of any length can match any number of the next symbols of the name.
            let mut goes_on = false;
            for (at, live) in reached.iter().enumerate().skip(first) {
                goes_on |= *live;
                if goes_on {
                    set(next, at);
                }
                goes_on &= name.get(at).is_some_and(|own| self.may_hold(own));
            }
            return;
        }
        for (at, _) in reached.iter().enumerate().skip(first).filter(|(_, live)| **live) {
            match name.get(at) {
                Some(Self::Many) => set(next, at),
                Some(own) if own.shares(self) => set(next, at + 1),
                _ => {}
            }
        }
    }

    /// Whether the first sequence matches every name that the second matches; `true` is certain. Adds the steps to
    /// `steps`.
    pub(super) fn is_superset(a: &[Self], b: &[Self], steps: &mut usize) -> bool {
        has_full_match(a, b, |own| *own == Self::Many, Self::is_symbol_superset, steps)
    }

    /// Returns the symbol if it is a single character; `None` if it is a text of any length.
    fn as_one(&self) -> Option<&Self> {
        Some(self).filter(|symbol| !matches!(symbol, Self::Many | Self::Plain | Self::Hash))
    }

    /// Whether a text of this symbol, which has any length, can contain the other symbol.
    fn may_hold(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Hash, Self::Char(c)) => c.is_ascii_hexdigit(),
            (Self::Plain, Self::Char(c)) => *c != '.',
            _ => true,
        }
    }

    /// Whether a character matches both symbols; `false` if one of them has any length.
    fn shares(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Char(own), Self::Char(other)) => own == other,
            (Self::Char(c), Self::Class(class)) | (Self::Class(class), Self::Char(c)) => class.holds(*c),
            (Self::Many | Self::Plain | Self::Hash, _) | (_, Self::Many | Self::Plain | Self::Hash) => false,
            _ => true,
        }
    }

    /// Whether this symbol matches every character that the other matches; `false` if one of them has any length.
    fn is_symbol_superset(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::Many | Self::Plain | Self::Hash) | (Self::Many | Self::Plain | Self::Hash, _) => false,
            // What is one byte in one locale may be a part of a character in another.
            (_, Self::Byte) => false,
            (Self::One, _) => true,
            (Self::Char(own), Self::Char(other)) => own == other,
            (Self::Class(class), Self::Char(c)) => class.holds(*c),
            (own, other) => own == other,
        }
    }
}

/// Strips symbols from the starts and the ends of two sequences, as long as they can only match each other. `meet`
/// returns whether two symbols can match; `None` for a symbol of any length, at which this stops. Returns `None` if
/// two symbols that must match do not.
pub(super) fn strip_common_ends<'r, T>(
    mut a: &'r [T],
    mut b: &'r [T],
    mut meet: impl FnMut(&T, &T, &mut usize) -> Option<bool>,
    steps: &mut usize,
) -> Option<(&'r [T], &'r [T])> {
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        *steps += 1;
        match meet(first, other, steps) {
            Some(true) => (a, b) = (rest, others),
            Some(false) => return None,
            None => break,
        }
    }
    while let ([rest @ .., last], [others @ .., other]) = (a, b) {
        *steps += 1;
        match meet(last, other, steps) {
            Some(true) => (a, b) = (rest, others),
            Some(false) => return None,
            None => break,
        }
    }
    Some((a, b))
}

/// Whether a sequence matches all of another one: each element matches one element, and a `many` element any number.
/// Adds the steps to `steps`.
///
/// If a comparison fails, only the match of the last `many` is extended: extending that of an earlier one never
/// helps.
pub(super) fn has_full_match<T, U>(
    mut row: &[T],
    mut other: &[U],
    is_many: impl Fn(&T) -> bool,
    takes: impl Fn(&T, &U) -> bool,
    steps: &mut usize,
) -> bool {
    let mut last_many: Option<(&[T], &[U])> = None;
    loop {
        *steps += 1;
        match (row, other) {
            ([], []) => return true,
            ([many, after @ ..], _) if is_many(many) => {
                if after.is_empty() {
                    return true;
                }
                last_many = Some((after, other));
                row = after;
                continue;
            }
            ([one, after @ ..], [taken, rest @ ..]) if takes(one, taken) => {
                (row, other) = (after, rest);
                continue;
            }
            _ => {}
        }
        let Some((after, [_, rest @ ..])) = last_many else { return false };
        last_many = Some((after, rest));
        (row, other) = (after, rest);
    }
}

/// Marks the positions that are reached if a [`NameSymbol::Many`] matches the empty text.
fn spread(name: &[NameSymbol], reached: &mut [bool]) {
    for (at, _) in name.iter().enumerate().filter(|(_, symbol)| **symbol == NameSymbol::Many) {
        if reached.get(at) == Some(&true)
            && let Some(next) = reached.get_mut(at + 1)
        {
            *next = true;
        }
    }
}
