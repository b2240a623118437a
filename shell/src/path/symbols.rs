//! Names with unknown parts, as sequences of symbols: whether some name matches two sequences, and whether one sequence
//! matches every name that the other matches.

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
    /// Whether some name matches both sequences. Two classes are assumed to have a character in common. Adds the number
    /// of comparisons to `steps`.
    pub(super) fn has_common_name(a: &[Self], b: &[Self], steps: &mut usize) -> bool {
        let in_bytes = |shell: &[Self], other: &[Self], steps: &mut usize| {
            shell.contains(&Self::Byte)
                && other.iter().any(Self::may_be_several_bytes)
                && Self::has_common_symbols(&Self::byte_symbols(shell), &Self::byte_symbols(other), steps)
        };
        Self::has_common_symbols(a, b, steps) || in_bytes(a, b, steps) || in_bytes(b, a, steps)
    }

    /// Whether a symbol in the glob of a policy can match a character of several bytes.
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

    /// Like [`Self::has_common_name`], but without sequences of bytes: each symbol is compared as it is.
    fn has_common_symbols(a: &[Self], b: &[Self], steps: &mut usize) -> bool {
        // In most cases the first or last symbols already differ.
        let share_char =
            |a: &Self, b: &Self, _: &mut usize| a.as_single_char().zip(b.as_single_char()).map(|_| a.shares_char(b));
        let Some((a, b)) = strip_common_ends(a, b, share_char, steps) else { return false };
        match (a, b) {
            ([], rest) => return rest.iter().all(|symbol| symbol.as_single_char().is_none()),
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
            if let Some(first) = reached.iter().position(|is_reached| *is_reached) {
                symbol.mark_reachable(a, first, &reached, &mut next);
            }
            spread(a, &mut next);
            std::mem::swap(&mut reached, &mut next);
        }
        reached.last().copied().unwrap_or(false)
    }

    /// Marks in `next` the positions in a name that this symbol can lead to from those in `reached`, of which `first`
    /// is the first.
    fn mark_reachable(&self, name: &[Self], first: usize, reached: &[bool], next: &mut [bool]) {
        let mark =
            |next: &mut [bool], at: usize| next.get_mut(at).into_iter().for_each(|is_reached| *is_reached = true);
        if self.as_single_char().is_none() {
            // A symbol of any length can match any number of the next symbols of the name.
            let mut continues = false;
            for (at, is_reached) in reached.iter().enumerate().skip(first) {
                continues |= *is_reached;
                if continues {
                    mark(next, at);
                }
                continues &= name.get(at).is_some_and(|other| self.may_contain(other));
            }
            return;
        }
        for (at, _) in reached.iter().enumerate().skip(first).filter(|(_, is_reached)| **is_reached) {
            match name.get(at) {
                Some(Self::Many) => mark(next, at),
                Some(other) if other.shares_char(self) => mark(next, at + 1),
                _ => {}
            }
        }
    }

    /// Whether the first sequence matches every name that the second matches. `true` is certain, `false` is not. Adds
    /// the number of comparisons to `steps`.
    pub(super) fn is_superset(a: &[Self], b: &[Self], steps: &mut usize) -> bool {
        has_full_match(a, b, |own| *own == Self::Many, Self::is_symbol_superset, steps)
    }

    /// Returns the symbol if it is a single character; `None` if it is a text of any length.
    fn as_single_char(&self) -> Option<&Self> {
        Some(self).filter(|symbol| !matches!(symbol, Self::Many | Self::Plain | Self::Hash))
    }

    /// Whether this symbol, which matches texts of any length, can match a text that contains the other symbol.
    fn may_contain(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Hash, Self::Char(c)) => c.is_ascii_hexdigit(),
            (Self::Plain, Self::Char(c)) => *c != '.',
            _ => true,
        }
    }

    /// Whether some character matches both symbols; `false` if one of them matches texts of any length.
    fn shares_char(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Char(own), Self::Char(other)) => own == other,
            (Self::Char(c), Self::Class(class)) | (Self::Class(class), Self::Char(c)) => class.holds(*c),
            (Self::Many | Self::Plain | Self::Hash, _) | (_, Self::Many | Self::Plain | Self::Hash) => false,
            _ => true,
        }
    }

    /// Whether this symbol matches every character that the other matches; `false` if one of them matches texts of any
    /// length.
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

/// Strips elements from the starts and the ends of two sequences, as long as they can only match each other. `compare`
/// returns whether two elements can match, or `None` if one of them is of any length, which ends the stripping. Returns
/// `None` if two elements that must match cannot.
pub(super) fn strip_common_ends<'r, T>(
    mut a: &'r [T],
    mut b: &'r [T],
    mut compare: impl FnMut(&T, &T, &mut usize) -> Option<bool>,
    steps: &mut usize,
) -> Option<(&'r [T], &'r [T])> {
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        *steps += 1;
        match compare(first, other, steps) {
            Some(true) => (a, b) = (rest, others),
            Some(false) => return None,
            None => break,
        }
    }
    while let ([rest @ .., last], [others @ .., other]) = (a, b) {
        *steps += 1;
        match compare(last, other, steps) {
            Some(true) => (a, b) = (rest, others),
            Some(false) => return None,
            None => break,
        }
    }
    Some((a, b))
}

/// Whether the sequence `row` matches the whole sequence `other`: an element matches one element if `takes` holds for
/// them, and a `many` element any number of elements. Adds the number of comparisons to `steps`.
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
