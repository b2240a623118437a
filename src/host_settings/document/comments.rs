//! Comments in a JSON text, which some hosts read.

use std::borrow::Cow;

/// What a JSON text may contain beyond the standard.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct JsonDialect {
    /// Whether there may be comments: `// …` up to the end of the line, and `/* … */`.
    pub comments: bool,
    /// Whether a comma may follow the last member or element.
    pub trailing_commas: bool,
}

impl JsonDialect {
    /// The standard.
    pub const STRICT: Self = Self { comments: false, trailing_commas: false };
}

/// Returns the text with spaces instead of comments. Line ends in comments remain, and every other byte stays where it
/// is. A comment without an end is left, as a mistake for the parser.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    let mut blanked = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = if rest.starts_with('"') {
            string_length(rest)
        } else if let Some(length) = comment_length(rest) {
            let comment = rest.get(..length).unwrap_or_default();
            let spaces = comment.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' });
            blanked.to_mut().replace_range(at..at + length, &spaces.collect::<String>());
            length
        } else {
            rest.find(['"', '/']).filter(|next| *next > 0).unwrap_or(if rest.starts_with('/') { 1 } else { rest.len() })
        };
        at += length;
    }
    blanked
}

/// Returns the length of the comment with which a text begins, without the end of its line; `None` if the text does not
/// begin with a complete comment.
pub(super) fn comment_length(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix("/*") {
        return rest.find("*/").map(|end| end + 4);
    }
    let line = text.strip_prefix("//")?.split('\n').next().unwrap_or_default();
    Some(2 + line.strip_suffix('\r').unwrap_or(line).len())
}

/// Returns the end of the last comma or comment in a text between two values; 0 if it is only white space.
pub(super) fn end_of_content(text: &str) -> usize {
    let (mut at, mut end) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let comment = comment_length(rest);
        at += comment.unwrap_or(1);
        if comment.is_some() || !rest.starts_with([' ', '\t', '\r', '\n']) {
            end = at;
        }
    }
    end
}

/// Whether a text that is inserted at the end of this one would be part of a comment.
pub(super) fn ends_in_line_comment(text: &str) -> bool {
    without_comments(&format!("{text}x")).ends_with(' ')
}

/// Returns the length of the string with which a text begins, including the quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = true;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
