//! Fits text to a terminal: wraps texts at spaces, cuts lines that must not be wrapped, and provides signs that the
//! terminal can show.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width to assume if the terminal's is unknown.
pub(crate) const DEFAULT: usize = 80;

/// The minimum width. It applies even to a narrower terminal, where most lines would have a single word.
pub(crate) const LEAST: usize = 40;

/// The signs in output for people. There is one set for each kind of terminal.
#[derive(Debug)]
pub(crate) struct Signs {
    /// Points to a result.
    pub(crate) arrow: &'static str,
    /// Separates the number of a line from its text.
    pub(crate) bar: &'static str,
    /// Underlines a part of a condition that is true or false.
    pub(crate) known: &'static str,
    /// Underlines a part of a condition that is unknown.
    pub(crate) unknown: &'static str,
    /// Marks omitted text.
    pub(crate) more: &'static str,
    /// Begins a list item.
    pub(crate) bullet: &'static str,
    /// Draws a horizontal line.
    pub(crate) rule: &'static str,
}

/// The signs for a terminal that supports Unicode.
pub(crate) const UNICODE: Signs =
    Signs { arrow: "→", bar: "│", known: "━", unknown: "┅", more: "…", bullet: "•", rule: "─" };

/// The signs for a terminal that shows only ASCII.
pub(crate) const ASCII: Signs =
    Signs { arrow: "->", bar: "|", known: "^", unknown: "?", more: "...", bullet: "-", rule: "-" };

/// Returns a text of this program, with ASCII in place of other signs unless the terminal shows Unicode.
pub(crate) fn in_terminal_characters(text: &str, unicode: bool) -> Cow<'_, str> {
    if unicode || text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '…' => out.push_str("..."),
            '→' => out.push_str("->"),
            '–' | '—' | '−' => out.push('-'),
            '‘' | '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            '•' | '·' => out.push('-'),
            '×' => out.push('x'),
            '≤' => out.push_str("<="),
            '≥' => out.push_str(">="),
            '\u{a0}' | '\u{202f}' => out.push(' '),
            '─' | '━' => out.push('-'),
            '│' => out.push('|'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns the number of columns that a text occupies on one line.
pub(crate) fn columns(text: &str) -> usize {
    let is_narrow = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    if text.bytes().all(is_narrow) { text.len() } else { UnicodeWidthStr::width(text) }
}

/// Wraps a text at spaces to lines of at most `width` columns; the first line begins with `lead`, all others with
/// `rest`. Words are not broken, even if they are longer than a line. Text in backticks counts as one word unless it is
/// long.
pub(crate) fn wrapped(width: usize, lead: &str, rest: &str, text: &str) -> String {
    let mut out = lead.to_owned();
    let mut column = columns(lead);
    let mut is_fresh = true;
    for word in words(text, width / 2) {
        let word_width = columns(word);
        if !is_fresh && column.saturating_add(word_width) >= width {
            // Lines have no trailing spaces.
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(rest);
            column = columns(rest);
            is_fresh = true;
        }
        if !is_fresh {
            out.push(' ');
            column = column.saturating_add(1);
        }
        out.push_str(word);
        column = column.saturating_add(word_width);
        is_fresh = false;
    }
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
    out
}

/// Splits a text into words. Text in backticks is one word unless it is wider than `max_code_width` columns.
fn words(text: &str, max_code_width: usize) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    let pieces = text.split(move |c: char| {
        is_code ^= c == '`';
        c == ' ' && !is_code
    });
    pieces.flat_map(move |piece| {
        let is_word = columns(piece) <= max_code_width;
        piece.split(move |c: char| c == ' ' && !is_word)
    })
}

/// Returns `width` columns of a line from column `from` on, with the sign `more` at each side where text is omitted.
/// A wide character that begins before column `from` is left out.
pub(crate) fn window(line: &str, from: usize, width: usize, more: &str) -> String {
    if from == 0 {
        return truncate(line, width, more);
    }
    let (gap, rest) = text_after_columns(line, from);
    let rest = format!("{}{rest}", " ".repeat(gap));
    if rest.is_empty() || line.trim_start().is_empty() {
        return truncate(&rest, width, more);
    }
    let sign = columns(more);
    let (gap, rest) = text_after_columns(&rest, sign);
    truncate(&format!("{more}{}{rest}", " ".repeat(gap)), width, more)
}

/// Returns the text after the first `from` columns, and the number of blank columns before it: one if the boundary cuts
/// a wide character in two, else none.
fn text_after_columns(line: &str, from: usize) -> (usize, &str) {
    let mut column = 0_usize;
    for (at, c) in line.char_indices() {
        if column >= from {
            return (column.saturating_sub(from), line.get(at..).unwrap_or_default());
        }
        column = column.saturating_add(c.width().unwrap_or(0));
    }
    (0, "")
}

/// Cuts a text to at most `width` columns, including the sign `more`, which is added if text is omitted.
pub(crate) fn truncate(text: &str, width: usize, more: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(columns(more));
    let mut out = String::new();
    let mut taken = 0_usize;
    for c in text.chars() {
        taken = taken.saturating_add(c.width().unwrap_or(0));
        if taken > room {
            break;
        }
        out.push(c);
    }
    out.push_str(more);
    out
}

/// Cuts a text to at most `width` columns like [`truncate`], but after a whole word if the part that fits has one.
pub(crate) fn truncate_at_blank(text: &str, width: usize, more: &str) -> String {
    let cut = truncate(text, width, more);
    let kept = cut.strip_suffix(more).filter(|_| columns(text) > width).unwrap_or(text);
    let is_word_cut = text.get(kept.len()..).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(' '));
    let whole = if is_word_cut { kept.rfind(' ').and_then(|blank| kept.get(..blank)) } else { Some(kept) };
    match whole.map(str::trim_end).filter(|whole| !whole.is_empty()) {
        Some(whole) if whole.len() < text.len() => format!("{whole}{more}"),
        _ => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_broken_at_its_blanks() {
        for width in [40, 60, 80, 160] {
            let text = wrapped(width, "- ", "  ", &"abcde ".repeat(60));
            assert!(text.lines().all(|line| columns(line) <= width && !line.ends_with(' ')), "{text}");
            assert!(text.lines().skip(1).all(|line| line.starts_with("  abcde")), "{text}");
            assert_eq!(text.matches("abcde").count(), 60);
        }
        assert_eq!(wrapped(80, "  ", "    ", "a b"), "  a b\n");
        assert_eq!(wrapped(10, "", "", "aaaa bbbbb"), "aaaa bbbbb\n", "a line may be full");
        assert_eq!(wrapped(9, "", "", "aaaa bbbbb"), "aaaa\nbbbbb\n");
    }

    #[test]
    fn what_stands_in_backticks_stays_together() {
        assert_eq!(wrapped(20, "", "", "write it as `a: b` here"), "write it as `a: b`\nhere\n");
        assert_eq!(wrapped(20, "", "", "write it so: `a == b`"), "write it so:\n`a == b`\n");
        let long = "`one two three four five`";
        assert_eq!(wrapped(20, "", "", &format!("a {long}")), "a `one two three\nfour five`\n");
    }

    #[test]
    fn a_word_longer_than_a_line_stays_whole() {
        let long = "x".repeat(300);
        assert_eq!(wrapped(80, "", "> ", &format!("a {long} b")), format!("a\n> {long}\n> b\n"));
    }

    #[test]
    fn wide_characters_count_for_their_columns() {
        assert_eq!(columns("日本"), 4);
        assert_eq!(wrapped(10, "", "", "日本語 日本語"), "日本語\n日本語\n");
        assert_eq!(truncate("日本語日本語", 7, "…"), "日本語…");
    }

    #[test]
    fn our_own_texts_have_ascii_for_what_a_terminal_lacks() {
        assert_eq!(in_terminal_characters("write `deny \"…\"` → go", false), "write `deny \"...\"` -> go");
        assert_eq!(in_terminal_characters("write `deny \"…\"`", true), "write `deny \"…\"`");
    }

    #[test]
    fn a_window_says_where_a_line_goes_on() {
        assert_eq!(window("abcdef", 0, 6, "…"), "abcdef");
        assert_eq!(window("abcdef", 0, 4, "…"), "abc…");
        assert_eq!(window("abcdef", 2, 9, "…"), "…def");
        assert_eq!(window("abcdef", 1, 4, "…"), "…cd…");
        assert_eq!(window("abcdefghij", 1, 8, "..."), "...ef...");
        assert_eq!(window("日本語x", 2, 9, "…"), "… 語x");
        assert_eq!(window("日本語x", 3, 9, "…"), "…語x");
    }
}
