//! Stand-in characters for unknown parts of a text that is parsed as a script.
//!
//! A nested text is assembled from words with unknown parts (`eval "echo $X"`), and each unknown part is replaced by
//! one character, so that the text can be parsed like any other. These characters are allocated from two planes that
//! Unicode reserves for private use; if the text itself contains one of them, that is replaced by a stand-in for it. So
//! in a parsed script each of these characters is a stand-in, never one that somebody wrote.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::stream::ShellValue;

/// The first of them; the following characters are the others.
const FIRST: char = '\u{F0000}';

/// The meaning of a stand-in.
#[derive(Clone, Debug)]
pub(super) enum StandInMeaning {
    /// A character of the text.
    Char(char),
    /// An unknown value, with the commands whose output it contains.
    Value(ShellValue),
}

/// The stand-ins allocated for the texts of an analysis.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    meanings: Vec<StandInMeaning>,
    chars: BTreeMap<char, char>,
}

impl StandIns {
    /// Allocates a stand-in for an unknown value; `None` if all are taken.
    pub(super) fn draw(&mut self, value: ShellValue) -> Option<char> {
        self.allocate(StandInMeaning::Value(value))
    }

    /// Returns a text in the form to parse, of the same length in bytes: characters that would be taken for stand-ins
    /// are replaced by stand-ins for themselves. `None` if all are taken.
    pub(super) fn source<'t>(&mut self, text: &'t str) -> Option<Cow<'t, str>> {
        if !text.contains(is_stand_in) {
            return Some(Cow::Borrowed(text));
        }
        text.chars()
            .map(|c| if is_stand_in(c) { self.stand_in_for(c) } else { Some(c) })
            .collect::<Option<String>>()
            .map(Cow::Owned)
    }

    /// Returns the meaning of a stand-in, if it is one.
    pub(super) fn meaning(&self, c: char) -> Option<&StandInMeaning> {
        let index = u32::from(c).checked_sub(u32::from(FIRST))?;
        self.meanings.get(usize::try_from(index).ok()?)
    }

    fn stand_in_for(&mut self, c: char) -> Option<char> {
        if let Some(drawn) = self.chars.get(&c) {
            return Some(*drawn);
        }
        let drawn = self.allocate(StandInMeaning::Char(c))?;
        self.chars.insert(c, drawn);
        Some(drawn)
    }

    fn allocate(&mut self, meant: StandInMeaning) -> Option<char> {
        let index = u32::try_from(self.meanings.len()).ok()?;
        let drawn = char::from_u32(u32::from(FIRST).checked_add(index)?)?;
        self.meanings.push(meant);
        Some(drawn)
    }
}

/// A piece of a text that was parsed as a script.
pub(super) enum ScriptPiece {
    /// A known text.
    Known(String),
    /// An unknown value.
    Unknown(ShellValue),
}

/// Splits a piece of a script at its stand-ins. The first and the last piece are known texts, possibly empty.
pub(super) fn pieces(text: &str, meant: impl Fn(char) -> Option<StandInMeaning>) -> Vec<ScriptPiece> {
    let mut pieces = Vec::new();
    let mut known = String::new();
    for c in text.chars() {
        match if is_stand_in(c) { meant(c) } else { None } {
            Some(StandInMeaning::Char(c)) => known.push(c),
            Some(StandInMeaning::Value(value)) => {
                pieces.push(ScriptPiece::Known(std::mem::take(&mut known)));
                pieces.push(ScriptPiece::Unknown(value));
            }
            None => known.push(c),
        }
    }
    pieces.push(ScriptPiece::Known(known));
    pieces
}

/// Whether a character is in the range of stand-ins.
pub(super) fn is_stand_in(c: char) -> bool {
    c >= FIRST
}
