//! Checks a text before pest parses it: encoding, size, nesting. Takes linear time, and does not recurse.

use std::borrow::Cow;

use super::limits::{MAX_BYTES, MAX_DEPTH, MAX_NOTS};
use super::mistakes::SyntaxMistake;
use super::token::{Token, TokenKind, tokenise};
use super::token_parts::token_parts;
use crate::diagnostic::Diagnostic;
use crate::span::{FileId, Span};

/// Reports mistakes in a file's bytes, and returns the text to parse. Harmful characters (a byte order mark, NUL, a
/// lone carriage return) are replaced by white space of the same length, so that no offset changes. Returns `None` if
/// the file is too large to be parsed.
pub(super) fn checked_text<'a>(file: FileId, text: &'a str, diagnostics: &mut Vec<Diagnostic>) -> Option<Cow<'a, str>> {
    if text.len() > MAX_BYTES {
        diagnostics.push(SyntaxMistake::TooLarge { bytes: &text.len().to_string() }.at(Span::new(file, 0, 0)));
        return None;
    }
    let bytes = text.as_bytes();
    let lone_return = |at: usize| bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) != Some(&b'\n');
    // The fold has no branch per byte, so the compiler can check a whole chunk in a few instructions.
    let has_rare_byte = |chunk: &[u8]| chunk.iter().fold(false, |seen, b| seen | matches!(b, b'\r' | 0 | 0xEF));
    let suspicious = bytes.chunks(256).any(has_rare_byte)
        && bytes.iter().enumerate().any(|(at, byte)| match byte {
            b'\r' => lone_return(at),
            0 => true,
            0xEF => text.get(at..).is_some_and(|rest| rest.starts_with(['\u{feff}', '\u{fffd}'])),
            _ => false,
        });
    if !suspicious {
        return Some(Cow::Borrowed(text));
    }
    let mut clean = String::with_capacity(text.len());
    let mut reported = [false; 4];
    for (at, c) in text.char_indices() {
        let (kind, mistake, replacement) = match c {
            '\u{feff}' if at == 0 => (0, SyntaxMistake::ByteOrderMark {}, "\n\n\n"),
            '\0' => (1, SyntaxMistake::Nul {}, " "),
            '\r' if lone_return(at) => (2, SyntaxMistake::LoneReturn {}, "\n"),
            '\u{fffd}' => (3, SyntaxMistake::NotUtf8 {}, "\u{fffd}"),
            _ => {
                clean.push(c);
                continue;
            }
        };
        clean.push_str(replacement);
        // A file in another encoding has thousands of such characters; only the first of each kind is reported.
        if !std::mem::replace(reported.get_mut(kind).unwrap_or(&mut false), true) {
            let span = Span::new(file, at, at + c.len_utf8());
            let diagnostic = mistake.at(span);
            diagnostics.push(match kind {
                0 | 1 => diagnostic.fix(span, ""),
                2 => diagnostic.fix(span, "\n"),
                _ => diagnostic,
            });
        }
    }
    Some(Cow::Owned(clean))
}

/// The kinds of nesting that have a limit.
pub(super) enum NestingKind {
    /// Nested brackets.
    Brackets,
    /// Consecutive `not`s.
    Nots,
}

/// The number of parts of a text, and whether it is nested too deeply.
pub(super) struct TokenScan {
    /// The number of parts in the text, as [`token_parts`] counts them.
    pub(super) parts: u64,
    /// The first bracket that is nested too deeply, or the first of too many consecutive `not`s. Brackets in strings,
    /// comments and regexes do not count.
    pub(super) too_deep: Option<(NestingKind, Token)>,
}

/// Counts the parts of a text, and finds the first token that is nested too deeply.
pub(super) fn scan_tokens(text: &str) -> TokenScan {
    let (mut depth, mut nots) = (0_usize, 0_usize);
    let mut scan = TokenScan { parts: 0, too_deep: None };
    for token in tokenise(text) {
        scan.parts += token_parts(token, text);
        match token.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        match token.kind {
            TokenKind::Word if token.text(text) == "not" => nots += 1,
            _ if token.is_trivia() => {}
            _ => nots = 0,
        }
        let exceeded = match () {
            () if depth > MAX_DEPTH => Some(NestingKind::Brackets),
            () if nots > MAX_NOTS => Some(NestingKind::Nots),
            () => None,
        };
        if scan.too_deep.is_none() {
            scan.too_deep = exceeded.map(|what| (what, token));
        }
    }
    scan
}
