//! Makes text of unknown origin safe to read: escapes characters that are invisible, or that change the order of the
//! text.
//!
//! This module does not know where a text comes from or where it is shown.

use std::borrow::Cow;

/// Makes a text of several lines safe to read: control, bidi and invisible characters become `\u{…}`, and the text is
/// cut to `limit` characters. Newlines and tabs stay, so use [`line`] if the line ends come from someone else.
#[must_use]
pub fn multiline_text(text: &str, limit: usize) -> String {
    escape_text(text, limit, |c| matches!(c, '\n' | '\t'))
}

/// Makes a text safe within one line: like [`multiline_text`], but line ends are escaped too. Otherwise a file name
/// could begin a new line that seems to come from this program.
#[must_use]
pub fn line(text: &str, limit: usize) -> String {
    escape_text(text, limit, |c| c == '\t')
}

/// Escapes misleading characters, except those that `keep` accepts, and truncates the text after `limit` of its own
/// characters: escapes do not count as several.
fn escape_text(text: &str, limit: usize, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == limit {
            out.push('…');
            break;
        }
        match c {
            c if keep(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            c if is_misleading(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Replaces misleading characters by harmless ones of the same number of bytes, so that offsets stay valid. Tabs and
/// newlines, with or without a preceding carriage return, stay.
#[must_use]
pub fn same_length(text: &str) -> Cow<'_, str> {
    let misleading = |at: usize, c: char| {
        is_misleading(c)
            && !matches!(c, '\n' | '\t')
            && !(c == '\r' && text.get(at..).is_some_and(|rest| rest.starts_with("\r\n")))
    };
    if !text.char_indices().any(|(at, c)| misleading(at, c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c.len_utf8() {
            _ if !misleading(at, c) => out.push(c),
            1 => out.push('?'),
            2 => out.push('\u{bf}'),
            3 => out.push('\u{fffd}'),
            _ => out.push_str("\u{fffd}?"),
        }
    }
    Cow::Owned(out)
}

/// Quotes a text as one word of a line that programs also parse: quotes and backslashes get a backslash, and line
/// ends and misleading characters become `\u{…}`. The text is cut to `limit` characters.
#[must_use]
pub fn quote_word(text: &str, limit: usize) -> String {
    let mut out = String::from('"');
    for (count, c) in text.chars().enumerate() {
        if count == limit {
            out.push('…');
            break;
        }
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if is_misleading(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Writes a text as one word of a shell command, in quotes if necessary.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-./:=@,+%".contains(c);
    if !word.is_empty() && word.chars().all(is_bare) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Whether a character changes the direction of the text around it, so that `abc` can be displayed as `cba`.
#[must_use]
pub fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

/// Whether a text shows nothing: it is empty, or has only white space and invisible characters.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_misleading(c))
}

/// Whether a character is not displayed where it is, or ends a line: control characters, invisible and bidi ones, and
/// all line ends of Unicode.
pub fn is_misleading(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || is_bidi(c) || is_invisible(c)
}

/// Whether a character has no glyph, so that two different texts may look the same.
///
/// The characters are Unicode's `Default_Ignorable_Code_Point`, without the bidi characters, and without the
/// variation selectors U+FE00–FE0F, which belong to the emoji before them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_or_reorders_is_shown_and_lines_stay() {
        assert_eq!(multiline_text("a\u{202e}b\u{1b}[1m\n\tc", 99), "a\\u{202e}b\\u{1b}[1m\n\tc");
        assert_eq!(multiline_text("abc", 2), "ab…");
    }

    #[test]
    fn no_part_of_a_line_begins_another() {
        for (end, shown) in [
            ("\n", "\\n"),
            ("\r\n", "\\u{d}\\n"),
            ("\u{b}", "\\u{b}"),
            ("\u{c}", "\\u{c}"),
            ("\u{85}", "\\u{85}"),
            ("\u{2028}", "\\u{2028}"),
            ("\u{2029}", "\\u{2029}"),
        ] {
            assert_eq!(line(&format!("a{end}b\tc"), 99), format!("a{shown}b\tc"));
            let kept = if end == "\n" { end } else { &shown.replace("\\n", "\n") };
            assert_eq!(multiline_text(&format!("a{end}b"), 99), format!("a{kept}b"));
        }
        assert_eq!(
            (line("a\nb", 2), line("a\u{1b}[1m\u{202e}", 99)),
            ("a\\n…".to_owned(), "a\\u{1b}[1m\\u{202e}".to_owned())
        );
    }

    #[test]
    fn what_misleads_is_replaced_in_its_place() {
        let text = "a\u{1b}[1m\r\n\tb\rc\u{85}\u{202e}\u{2028}\u{e0041}é";
        let plain = same_length(text);
        assert_eq!(plain, "a?[1m\r\n\tb?c¿\u{fffd}\u{fffd}\u{fffd}?é");
        assert_eq!(plain.len(), text.len());
        assert!(matches!(same_length("é\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_leaves_no_mark_is_shown() {
        for c in ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}', '\u{e0041}'] {
            let shown = format!("a{}b", c.escape_unicode());
            assert_eq!(multiline_text(&format!("a{c}b"), 99), shown);
            assert_eq!(quote_word(&format!("a{c}b"), 99), format!("\"{shown}\""));
            assert!(is_blank(&format!(" {c}\t")) && !is_blank(&format!("{c}a")), "{shown}");
        }
        for seen in ["é", "❤\u{fe0f}", "漢"] {
            assert!(multiline_text(seen, 99) == seen && !is_blank(seen), "{seen}");
        }
        assert!(is_blank("") && is_blank("\u{3000}\u{202e}\u{1b}"));
    }

    #[test]
    fn a_quoted_text_ends_where_its_quotes_do() {
        assert_eq!(quote_word("a b=\"c\" \\", 99), r#""a b=\"c\" \\""#);
        assert_eq!(quote_word("a\nb\t\u{2028}\u{202e}\u{1b}", 99), r#""a\u{a}b\u{9}\u{2028}\u{202e}\u{1b}""#);
        assert_eq!((quote_word("", 9), quote_word("abc", 2)), ("\"\"".to_owned(), "\"ab…\"".to_owned()));
    }
}
