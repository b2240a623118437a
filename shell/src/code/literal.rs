//! Backslashes in the literals of other languages, and what stands in them for what is not known.

use super::tree::Piece;

/// The characters that stand for unknown parts of a text: as many as are drawn at most. They lie at the end of the last
/// plane, which Unicode leaves to private use.
const FIRST: u32 = 0x10_F000;
pub(super) const MOST: usize = 0xFF0;

/// Returns the character that stands for an unknown part.
pub(super) fn stand_in(at: usize) -> Option<char> {
    let at = u32::try_from(at).ok().filter(|_| at < MOST)?;
    char::from_u32(FIRST + at)
}

/// Returns which unknown part a character stands for.
pub(super) fn hole(c: char) -> Option<usize> {
    usize::try_from(u32::from(c).checked_sub(FIRST)?).ok().filter(|at| *at < MOST)
}

/// Adds a text as it is written, stand-ins apart.
pub(super) fn plain(text: &str, pieces: &mut Vec<Piece>) {
    let mut known = String::new();
    for c in text.chars() {
        match hole(c) {
            Some(at) => {
                push(std::mem::take(&mut known), pieces);
                pieces.push(Piece::Hole(at));
            }
            None => known.push(c),
        }
    }
    push(known, pieces);
}

/// Whether backslashes in a text mean something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    Decoded,
    /// They stay, but for a few in front of what ends the text: single quotes.
    Kept,
}

/// What a backslash means in front of a character that it has no meaning for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needless {
    /// Both characters: Python, PHP.
    Kept,
    /// The character alone: JavaScript, Ruby, Perl.
    Dropped,
}

/// Adds a text whose backslashes are decoded; languages agree on what they mean, but for what hardly stands in a path.
pub(super) fn decoded(text: &str, needless: Needless, pieces: &mut Vec<Piece>) {
    if !text.contains('\\') {
        return plain(text, pieces);
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
            's' if needless == Needless::Dropped => known.push(' '),
            other => {
                known.extend((needless == Needless::Kept).then_some('\\'));
                known.push(other);
            }
        }
    }
    plain(&known, pieces);
}

fn number(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize) -> Option<char> {
    let mut digits = String::new();
    while digits.len() < most
        && let Some(digit) = rest.next_if(|c| c.is_digit(radix))
    {
        digits.push(digit);
    }
    u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32)
}

fn push(text: String, pieces: &mut Vec<Piece>) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.push_str(&text),
        _ => pieces.push(Piece::Text(text)),
    }
}
