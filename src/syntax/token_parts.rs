//! Counts the parts of a text by its tokens. The build script uses this too, to count the parts of the packs.

use super::token::{Token, TokenKind};
use crate::limits::parts_of_bytes;

/// The number of bytes of a token for which it counts as one more part.
const BYTES_PER_PART: usize = 128;

/// Returns the number of parts that a token counts as: one, and more if it is long or contains placeholders, escapes or
/// dots. A line end counts as none. Parts are the unit of [`LayerLimits::parts`](crate::limits::LayerLimits).
pub(crate) fn token_parts(token: Token, text: &str) -> u64 {
    let length = token.end - token.start;
    let inside = |signs: &[u8]| token.text(text).bytes().filter(|byte| signs.contains(byte)).count();
    let extra = match token.kind {
        TokenKind::Newline | TokenKind::InvalidSpace => return 0,
        TokenKind::Punctuation | TokenKind::OpenBracket | TokenKind::CloseBracket => 0,
        // Placeholders and escapes.
        TokenKind::Text | TokenKind::UnclosedText | TokenKind::UnclosedBlock | TokenKind::TypographicText => {
            inside(b"{\\")
        }
        TokenKind::Word => inside(b"."),
        TokenKind::Regex | TokenKind::UnclosedRegex => length / 16,
        TokenKind::JsonPath | TokenKind::UnclosedJsonPath => length / 4,
        TokenKind::Number | TokenKind::Comment | TokenKind::ForeignComment => 0,
    };
    1 + parts_of_bytes(length, BYTES_PER_PART) + u64::try_from(extra).unwrap_or(u64::MAX)
}
