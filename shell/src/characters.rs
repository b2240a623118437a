//! Characters and bytes. Whether an operation such as `${#x}` counts characters or bytes depends on the shell and its
//! locale: dash counts bytes, and so do bash, zsh and ksh under `LC_ALL=C`.
//!
//! A byte is represented by the character of the same number, so that code for characters also works for bytes.

use std::borrow::Cow;

/// Returns a text with a character for each byte of the original.
pub(crate) fn byte_characters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.bytes().map(char::from).collect()) }
}

/// Returns a character for each byte of a character.
pub(crate) fn bytes_of_char(c: char) -> impl Iterator<Item = char> {
    let mut bytes = [0; 4];
    let count = c.encode_utf8(&mut bytes).len();
    bytes.into_iter().take(count).map(char::from)
}

/// Whether a text may have been decoded from bytes that are not valid UTF-8, some of which are then lost.
pub(crate) fn has_lost_bytes(text: &str) -> bool {
    text.contains(char::REPLACEMENT_CHARACTER)
}

/// Returns the result of an operation on a text, given as one function for characters and one for bytes; `None` if the
/// results differ, or if either function returns `None`.
pub(crate) fn locale_independent(
    text: &str,
    of_characters: impl FnOnce(&str) -> Option<String>,
    of_bytes: impl FnOnce(&str) -> Option<String>,
) -> Option<String> {
    let result = of_characters(text)?;
    if text.is_ascii() {
        return Some(result);
    }
    let byte_result = of_bytes(&byte_characters(text)).filter(|_| !has_lost_bytes(text))?;
    (byte_characters(&result) == byte_result).then_some(result)
}

/// Returns the length of a text, the same in every locale; `None` if the text has more bytes than characters.
pub(crate) fn length(text: &str) -> Option<usize> {
    text.is_ascii().then_some(text.len())
}

/// Whether counting bytes and counting characters split a text at the same separators.
pub(crate) fn has_same_splits(text: &str, separators: &str) -> bool {
    text.is_ascii() || separators.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_certain_where_characters_and_bytes_agree() {
        let behind = |count: usize| move |text: &str| Some(text.chars().skip(count).collect::<String>());
        for (text, count, expected) in [
            ("git", 1, Some("it")),
            ("égit", 1, None),
            ("égit", 0, Some("égit")),
            ("gité", 3, Some("é")),
            ("é", 9, Some("")),
        ] {
            let made = locale_independent(text, behind(count), behind(count));
            assert_eq!(made.as_deref(), expected, "{text} {count}");
        }
    }

    #[test]
    fn what_was_no_text_is_not_counted() {
        let same = |text: &str| Some(text.to_owned());
        assert_eq!(locale_independent("\u{FFFD}git", same, same), None);
        assert_eq!(length("\u{FFFD}"), None);
    }
}
