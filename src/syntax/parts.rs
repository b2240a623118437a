//! Counts the parts of a text by its tokens. The build script counts those of the packs with it too.

use super::token::{Kind, Token};
use crate::limits::parts_of_bytes;

/// The number of bytes of a string, a comment or a name that count as one part, in addition to the token itself.
const BYTES_OF_A_PART: usize = 128;

/// Returns the number of parts that a token counts for: a long one counts for several.
pub(crate) fn parts(token: Token, text: &str) -> u64 {
    let long = token.end - token.start;
    let inside = |signs: &[u8]| token.text(text).bytes().filter(|byte| signs.contains(byte)).count();
    let more = match token.kind {
        Kind::Newline | Kind::OddSpace => return 0,
        Kind::Mark | Kind::Open | Kind::Close => 0,
        // Placeholders and escapes.
        Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText => inside(b"{\\"),
        Kind::Word => inside(b"."),
        Kind::Regex | Kind::OpenRegex => long / 16,
        Kind::JsonPath | Kind::OpenJsonPath => long / 4,
        Kind::Number | Kind::Comment | Kind::ForeignComment => 0,
    };
    1 + parts_of_bytes(long, BYTES_OF_A_PART) + u64::try_from(more).unwrap_or(u64::MAX)
}
