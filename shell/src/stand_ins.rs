//! Characters that replace unknown parts in a text that is parsed as a script.
//!
//! A nested text is assembled from words with unknown parts (`eval "echo $X"`). Each unknown part is replaced by one
//! character, its stand-in, so that the text can be parsed like any other. Stand-ins are allocated from two planes of
//! Unicode that are reserved for private use. If the text itself contains a character of these planes, it is also
//! replaced by a stand-in that represents the character. So in a parsed script, every such character is a stand-in.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::stream::ShellValue;

/// The first stand-in. All characters from here on may be stand-ins.
const FIRST: char = '\u{F0000}';

/// What a stand-in represents.
#[derive(Clone, Debug)]
pub(super) enum StandInMeaning {
    /// This character, which the text itself contains.
    Char(char),
    /// An unknown value, with the writers whose output is in it.
    Value(ShellValue),
}

/// The stand-ins allocated for all texts of an analysis.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    /// The meaning of each stand-in, in the order of allocation.
    meanings: Vec<StandInMeaning>,
    /// The stand-ins of characters that a text contained, by character.
    chars: BTreeMap<char, char>,
}

impl StandIns {
    /// Allocates a stand-in for an unknown value; `None` if no character is left.
    pub(super) fn draw(&mut self, value: ShellValue) -> Option<char> {
        self.allocate(StandInMeaning::Value(value))
    }

    /// Prepares a text for parsing: replaces characters that would be confused with stand-ins by stand-ins for them.
    /// The length in bytes stays the same. `None` if no character is left.
    pub(super) fn source<'t>(&mut self, text: &'t str) -> Option<Cow<'t, str>> {
        if !text.contains(is_stand_in) {
            return Some(Cow::Borrowed(text));
        }
        text.chars()
            .map(|c| if is_stand_in(c) { self.stand_in_for(c) } else { Some(c) })
            .collect::<Option<String>>()
            .map(Cow::Owned)
    }

    /// Returns what a stand-in represents; `None` for a character that is not allocated.
    pub(super) fn meaning(&self, c: char) -> Option<&StandInMeaning> {
        let index = u32::from(c).checked_sub(u32::from(FIRST))?;
        self.meanings.get(usize::try_from(index).ok()?)
    }

    /// Returns the stand-in for a character of a text; the same character always has the same stand-in.
    fn stand_in_for(&mut self, c: char) -> Option<char> {
        if let Some(stand_in) = self.chars.get(&c) {
            return Some(*stand_in);
        }
        let stand_in = self.allocate(StandInMeaning::Char(c))?;
        self.chars.insert(c, stand_in);
        Some(stand_in)
    }

    /// Allocates the next stand-in; `None` if no character is left.
    fn allocate(&mut self, meaning: StandInMeaning) -> Option<char> {
        let index = u32::try_from(self.meanings.len()).ok()?;
        let stand_in = char::from_u32(u32::from(FIRST).checked_add(index)?)?;
        self.meanings.push(meaning);
        Some(stand_in)
    }
}

/// A piece of a parsed script, between or at its stand-ins.
pub(super) enum ScriptPiece {
    /// A text without stand-ins.
    Known(String),
    /// The unknown value that a stand-in represents.
    Unknown(ShellValue),
}

/// Splits a text of a parsed script at the stand-ins for unknown values; `meaning` returns the meaning of a stand-in.
/// The first and the last piece are known texts, possibly empty.
pub(super) fn pieces(text: &str, meaning: impl Fn(char) -> Option<StandInMeaning>) -> Vec<ScriptPiece> {
    let mut pieces = Vec::new();
    let mut known = String::new();
    for c in text.chars() {
        match if is_stand_in(c) { meaning(c) } else { None } {
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

/// Whether a character is in the range from which stand-ins are allocated.
pub(super) fn is_stand_in(c: char) -> bool {
    c >= FIRST
}
