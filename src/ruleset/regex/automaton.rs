//! Searches texts with the automata that the build script generated (see `made`).

use super::alphabet::{Automaton, CharKind, DEAD, MATCHED, NO_CLASS, PrecedingChar, RegexPart, is_word_byte};

/// The error that an automaton has no class for a character of a text, so that another engine has to search the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UnreadableText;

/// Returns the earliest end of a match of any part. The match begins at or after `from`, which must be at a character
/// boundary.
pub(super) fn first_match_end(parts: &[RegexPart], text: &str, from: usize) -> Result<Option<usize>, UnreadableText> {
    let mut first = None;
    let rest = text.get(from..).unwrap_or_default();
    let characters = AsciiSet::from_text(rest);
    let is_in_text = |beginning: &str| characters.has_all_of(beginning) && rest.contains(beginning);
    for RegexPart { beginnings, automaton } in parts {
        if beginnings.is_empty() || beginnings.iter().any(|beginning| is_in_text(beginning)) {
            let end = automaton.as_ref().ok_or(UnreadableText)?.match_end(text, from)?;
            first = [first, end].into_iter().flatten().min();
        }
    }
    Ok(first)
}

/// The set of the ASCII characters of a text. A regex may have dozens of beginnings, and a short text lacks a
/// character of most of them.
#[derive(Clone, Copy)]
struct AsciiSet(u128);

/// The maximum length of a text whose characters are collected. A longer text contains most characters, and searching
/// it for a beginning takes less time than collecting them.
const SHORT: usize = 256;

impl AsciiSet {
    /// Returns the characters of a text; all characters for a long text.
    fn from_text(text: &str) -> Self {
        if text.len() > SHORT {
            return Self(u128::MAX);
        }
        Self(text.bytes().fold(0, |set, byte| set | bit(byte)))
    }

    /// Whether the set has all ASCII characters of a text.
    fn has_all_of(self, other: &str) -> bool {
        other.bytes().all(|byte| !byte.is_ascii() || self.0 & bit(byte) != 0)
    }
}

/// Returns the bit of an ASCII character.
fn bit(byte: u8) -> u128 {
    1_u128 << (byte & 0x7f)
}

impl Automaton {
    /// Returns the earliest end of a match that begins at or after `from`.
    fn match_end(&self, text: &str, from: usize) -> Result<Option<usize>, UnreadableText> {
        let before = text.get(..from).unwrap_or_default().chars().next_back();
        let mut state = self.starts.get(preceding_char(before) as usize).copied().unwrap_or(DEAD);
        let (states, bytes) = (&*self.states, text.as_bytes());
        let mut at = from;
        while let Some(byte) = bytes.get(at) {
            let (class, length) = match self.ascii.get(usize::from(*byte)) {
                Some(class) => (*class, 1),
                None => self.class_and_length(text, at)?,
            };
            state = self.next_state(states, state, u16::from(class));
            match state {
                MATCHED => return Ok(Some(at)),
                DEAD => return self.no_match(text, at + length),
                _ => at += length,
            }
        }
        let is_end = self.next_state(states, state, self.classes.saturating_sub(1)) == MATCHED;
        Ok(is_end.then_some(text.len()))
    }

    /// Returns `Ok(None)` for no match, or an error if the automaton has no class for a character in the rest of the
    /// text.
    fn no_match(&self, text: &str, at: usize) -> Result<Option<usize>, UnreadableText> {
        let rest = text.get(at..).unwrap_or_default();
        if !self.kinds.contains(&NO_CLASS) || rest.is_ascii() {
            return Ok(None);
        }
        let mut wide = rest.char_indices().filter(|(_, c)| !c.is_ascii());
        wide.try_for_each(|(within, _)| self.class_and_length(text, at + within).map(|_| ())).map(|()| None)
    }

    /// Returns the state after a character of this class.
    fn next_state(&self, states: &[u16], state: u16, class: u16) -> u16 {
        let at = usize::from(state) * usize::from(self.classes) + usize::from(class);
        states.get(at).copied().unwrap_or(DEAD)
    }

    /// Returns the class and the length of the non-ASCII character at a position.
    #[cold]
    fn class_and_length(&self, text: &str, at: usize) -> Result<(u8, usize), UnreadableText> {
        let c = text.get(at..).and_then(|rest| rest.chars().next()).ok_or(UnreadableText)?;
        let class_of = |kind: CharKind| self.kinds.get(kind as usize).copied().unwrap_or(NO_CLASS);
        let class = match char_kind(c) {
            Some(kind) => class_of(kind),
            // A table to distinguish digits from letters is not available here. It is needed only if the two have
            // different classes.
            None if class_of(CharKind::Letter) == class_of(CharKind::Digit) => class_of(CharKind::Letter),
            None => NO_CLASS,
        };
        if class == NO_CLASS { Err(UnreadableText) } else { Ok((class, c.len_utf8())) }
    }
}

/// Returns the kind of a non-ASCII character; `None` if it is numeric, and so may be a digit or, like `Ⅷ`, count as a
/// letter.
fn char_kind(c: char) -> Option<CharKind> {
    match c {
        '\u{212a}' => Some(CharKind::Kelvin),
        '\u{17f}' => Some(CharKind::LongS),
        c if c.is_whitespace() => Some(CharKind::Space),
        c if !is_word(c) => Some(CharKind::Other),
        c if c.is_numeric() => None,
        _ => Some(CharKind::Letter),
    }
}

/// Classifies the character before the position where a search begins.
fn preceding_char(before: Option<char>) -> PrecedingChar {
    match before {
        None => PrecedingChar::Nothing,
        Some('\n') => PrecedingChar::LineFeed,
        Some('\r') => PrecedingChar::CarriageReturn,
        Some(c) if is_word(c) => PrecedingChar::Word,
        Some(_) => PrecedingChar::Other,
    }
}

/// Whether `\w` matches a character.
fn is_word(c: char) -> bool {
    match c {
        c if c.is_ascii() => u8::try_from(c).is_ok_and(is_word_byte),
        // This cannot fail: the feature with the table is enabled in `Cargo.toml`.
        c => regex_syntax::try_is_word_character(c).unwrap_or(true),
    }
}

#[cfg(test)]
mod tests;
