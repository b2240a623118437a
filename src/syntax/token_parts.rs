//! Counts the parts of a text by its tokens. The build script uses this too, to count the parts of the packs.

use super::token::{Token, TokenKind};
use crate::limits::parts_of_bytes;

/// A token counts for one more part for each this many bytes.
const BYTES_PER_PART: usize = 128;

/// Returns the number of parts for which a token counts: one, and more if it is long or contains placeholders,
/// escapes or dots. A line end counts for none.
pub(crate) fn token_parts(token: Token, text: &str) -> u64 {
    let long = token.end - token.start;
    let inside = |signs: &[u8]| token.text(text).bytes().filter(|byte| signs.contains(byte)).count();
    let more = match token.kind {
        TokenKind::Newline | TokenKind::InvalidSpace => return 0,
        TokenKind::Mark | TokenKind::OpenBracket | TokenKind::CloseBracket => 0,
        // Placeholders and escapes.
        TokenKind::Text | TokenKind::UnclosedText | TokenKind::UnclosedBlock | TokenKind::TypographicText => {
            inside(b"{\\")
        }
        TokenKind::Word => inside(b"."),
        TokenKind::Regex | TokenKind::UnclosedRegex => long / 16,
        TokenKind::JsonPath | TokenKind::UnclosedJsonPath => long / 4,
        TokenKind::Number | TokenKind::Comment | TokenKind::ForeignComment => 0,
    };
    1 + parts_of_bytes(long, BYTES_PER_PART) + u64::try_from(more).unwrap_or(u64::MAX)
}
