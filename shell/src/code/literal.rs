//! Backslash escapes in the literals of other languages, and stand-in characters for unknown parts.

use super::tree::TextPiece;

/// The first stand-in character for an unknown part of a text. The characters are at the end of the last plane, which
/// Unicode reserves for private use.
const FIRST_STAND_IN: u32 = 0x10_F000;
/// The maximum number of stand-in characters, and so of unknown parts of a text.
pub(super) const MAX_STAND_INS: usize = 0xFF0;

/// Returns the stand-in character for the unknown part with this index; `None` if there are too many parts.
pub(super) fn stand_in_char(index: usize) -> Option<char> {
    let index = u32::try_from(index).ok().filter(|_| index < MAX_STAND_INS)?;
    char::from_u32(FIRST_STAND_IN + index)
}

/// Returns the index of the unknown part that a stand-in character represents; `None` for any other character.
pub(super) fn stand_in_index(c: char) -> Option<usize> {
    usize::try_from(u32::from(c).checked_sub(FIRST_STAND_IN)?).ok().filter(|index| *index < MAX_STAND_INS)
}

/// Appends a text to the pieces without decoding escapes. Each stand-in character becomes a `TextPiece::Hole`.
pub(super) fn push_raw(text: &str, pieces: &mut Vec<TextPiece>) {
    let mut known = String::new();
    for c in text.chars() {
        match stand_in_index(c) {
            Some(at) => {
                push(std::mem::take(&mut known), pieces);
                pieces.push(TextPiece::Hole(at));
            }
            None => known.push(c),
        }
    }
    push(known, pieces);
}

/// Whether backslash escapes in a text are decoded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EscapeHandling {
    Decoded,
    /// They are kept, as in single quotes, except for an escaped backslash or quote.
    Kept,
}

/// How an escape without a special meaning, such as `\q`, is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UnknownEscape {
    /// As the backslash and the character: Python, PHP.
    Kept,
    /// As the character alone: JavaScript, Ruby, Perl.
    Dropped,
}

/// Appends a text to the pieces with its escapes decoded. `unknown_escape` is how an escape without a meaning is read.
///
/// The languages only differ in escapes that hardly occur in a path, so that one decoder serves all.
pub(super) fn push_decoded(text: &str, unknown_escape: UnknownEscape, pieces: &mut Vec<TextPiece>) {
    if !text.contains('\\') {
        return push_raw(text, pieces);
    }
    let mut known = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            known.push(c);
            continue;
        }
        let Some(kind) = rest.next() else { break };
        match kind {
            '\n' => {}
            'n' => known.push('\n'),
            't' => known.push('\t'),
            'r' => known.push('\r'),
            'a' => known.push('\u{7}'),
            'b' => known.push('\u{8}'),
            'f' => known.push('\u{c}'),
            'v' => known.push('\u{b}'),
            'x' => known.extend(number(&mut rest, 16, 2)),
            'u' if rest.peek() == Some(&'{') => {
                rest.next();
                known.extend(number(&mut rest, 16, 6));
                rest.next_if_eq(&'}');
            }
            'u' => known.extend(number(&mut rest, 16, 4)),
            'U' => known.extend(number(&mut rest, 16, 8)),
            '0'..='7' => {
                let mut digits = String::from(kind);
                while digits.len() < 3
                    && let Some(digit) = rest.next_if(|c| c.is_digit(8))
                {
                    digits.push(digit);
                }
                known.extend(u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32));
            }
            '\\' | '\'' | '"' | '`' => known.push(kind),
            's' if unknown_escape == UnknownEscape::Dropped => known.push(' '),
            other => {
                known.extend((unknown_escape == UnknownEscape::Kept).then_some('\\'));
                known.push(other);
            }
        }
    }
    push_raw(&known, pieces);
}

/// Reads the number of a character, of at most `max_digits` digits; `None` if there are no digits or no such character.
fn number(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, max_digits: usize) -> Option<char> {
    let mut digits = String::new();
    while digits.len() < max_digits
        && let Some(digit) = rest.next_if(|c| c.is_digit(radix))
    {
        digits.push(digit);
    }
    u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32)
}

/// Appends a known text to the pieces; if the last piece is a known text, it is extended.
fn push(text: String, pieces: &mut Vec<TextPiece>) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(TextPiece::Text(before)) => before.push_str(&text),
        _ => pieces.push(TextPiece::Text(text)),
    }
}
