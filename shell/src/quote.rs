//! Quoting of texts for a shell.
//!
//! ```
//! use hookrules_shell::quote::{quote, quote_unless};
//!
//! assert_eq!(quote("it's"), r"'it'\''s'");
//! assert_eq!(quote_unless("plain", char::is_alphanumeric), "plain");
//! ```

/// Returns a text in single quotes, so that a shell reads it literally.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Quotes a word, unless it is not empty and all of its characters are plain in its context.
#[must_use]
pub fn quote_unless(word: &str, is_plain: impl Fn(char) -> bool) -> String {
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { quote(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_it_is_not_plain() {
        let quoted = |word| quote_unless(word, |c| c.is_alphanumeric());
        assert_eq!(["a1", "", "a b", "it's"].map(quoted), ["a1", "''", "'a b'", r"'it'\''s'"]);
    }
}
