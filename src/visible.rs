//! Foreign text that people read: what hides in it or reorders it is made visible.
//!
//! Pure; it knows nothing of where a text comes from or where it is shown.

/// Makes a foreign text safe to read: control, escape and bidi characters become `\u{…}`, and it is cut.
#[must_use]
pub fn present(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == limit {
            out.push('…');
            break;
        }
        match c {
            '\n' | '\t' => out.push(c),
            c if c.is_control() || is_bidi(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Makes a foreign text a word of a line that programs take apart too: in quotes, with every line's end, quote and
/// backslash of its own escaped, and what [`present`] makes visible.
#[must_use]
pub fn quoted(text: &str, limit: usize) -> String {
    let mut out = String::from('"');
    for (count, c) in text.chars().enumerate() {
        if count == limit {
            out.push('…');
            break;
        }
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() || is_bidi(c) || matches!(c, '\u{2028}' | '\u{2029}') => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Tells whether a character changes the direction of what stands around it, so that it reads as something else.
#[must_use]
pub fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_or_reorders_is_shown_and_lines_stay() {
        assert_eq!(present("a\u{202e}b\u{1b}[1m\n\tc", 99), "a\\u{202e}b\\u{1b}[1m\n\tc");
        assert_eq!(present("abc", 2), "ab…");
    }

    #[test]
    fn a_quoted_text_ends_where_its_quotes_do() {
        assert_eq!(quoted("a b=\"c\" \\", 99), r#""a b=\"c\" \\""#);
        assert_eq!(quoted("a\nb\t\u{2028}\u{202e}\u{1b}", 99), r#""a\u{a}b\u{9}\u{2028}\u{202e}\u{1b}""#);
        assert_eq!((quoted("", 9), quoted("abc", 2)), ("\"\"".to_owned(), "\"ab…\"".to_owned()));
    }
}
