//! Characters that stand for something else in a text while it is read as a script.
//!
//! A nested text is put together from words of which not all is known (`eval "echo $X"`), and what is not known stands in
//! it as one character, so that it is parsed as any other. These characters are drawn from two planes that Unicode leaves
//! to private use; one of these that a text has by itself is drawn again, as a character that stands for it. So in what
//! is read as a script each of them stands for something, and none is what somebody wrote.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::stream::Value;

/// The first of them; the rest are the characters behind it.
const FIRST: char = '\u{F0000}';

/// What a character stands for.
#[derive(Clone, Debug)]
pub(super) enum Meant {
    /// A character that the text has.
    Char(char),
    /// What is not known, and whose output it is.
    Value(Value),
}

/// The characters that were drawn for the texts of an analysis.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    meant: Vec<Meant>,
    chars: BTreeMap<char, char>,
}

impl StandIns {
    /// Draws a character for what is not known; nothing where all are taken.
    pub(super) fn draw(&mut self, value: Value) -> Option<char> {
        self.next(Meant::Value(value))
    }

    /// Returns a text as it is read as a script, of the same length in bytes: the characters that would stand for
    /// something are drawn for themselves. Nothing where all are taken.
    pub(super) fn source<'t>(&mut self, text: &'t str) -> Option<Cow<'t, str>> {
        if !text.contains(is_drawn) {
            return Some(Cow::Borrowed(text));
        }
        text.chars()
            .map(|c| if is_drawn(c) { self.own(c) } else { Some(c) })
            .collect::<Option<String>>()
            .map(Cow::Owned)
    }

    /// Returns what a character stands for, if it does.
    pub(super) fn meant(&self, c: char) -> Option<&Meant> {
        let index = u32::from(c).checked_sub(u32::from(FIRST))?;
        self.meant.get(usize::try_from(index).ok()?)
    }

    fn own(&mut self, c: char) -> Option<char> {
        if let Some(drawn) = self.chars.get(&c) {
            return Some(*drawn);
        }
        let drawn = self.next(Meant::Char(c))?;
        self.chars.insert(c, drawn);
        Some(drawn)
    }

    fn next(&mut self, meant: Meant) -> Option<char> {
        let index = u32::try_from(self.meant.len()).ok()?;
        let drawn = char::from_u32(u32::from(FIRST).checked_add(index)?)?;
        self.meant.push(meant);
        Some(drawn)
    }
}

/// A piece of a text that is read as a script.
pub(super) enum Piece {
    /// What the text has.
    Known(String),
    /// What is not known of it.
    Unknown(Value),
}

/// Takes a piece of a script apart, given what its characters stand for. There is known text at both ends, maybe empty.
pub(super) fn pieces(text: &str, meant: impl Fn(char) -> Option<Meant>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut known = String::new();
    for c in text.chars() {
        match if is_drawn(c) { meant(c) } else { None } {
            Some(Meant::Char(c)) => known.push(c),
            Some(Meant::Value(value)) => {
                pieces.push(Piece::Known(std::mem::take(&mut known)));
                pieces.push(Piece::Unknown(value));
            }
            None => known.push(c),
        }
    }
    pieces.push(Piece::Known(known));
    pieces
}

/// Tells whether a character is one of those that are drawn, or would be.
pub(super) fn is_drawn(c: char) -> bool {
    c >= FIRST
}
