//! Lines that fit a terminal: texts broken at their blanks, windows into what must stay on one line, and the signs that
//! a terminal can show.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How wide a line is where nothing says so.
pub(super) const DEFAULT: usize = 80;

/// No line is made narrower than this, whatever a terminal says of itself: words would stand alone.
pub(super) const LEAST: usize = 40;

/// The signs of what is printed for people.
#[derive(Debug)]
pub(super) struct Signs {
    /// Leads to what follows.
    pub(super) arrow: &'static str,
    /// Stands between the number of a line and its text.
    pub(super) bar: &'static str,
    /// Marks a part that is true or false.
    pub(super) known: &'static str,
    /// Marks a part that is unknown.
    pub(super) unknown: &'static str,
    /// Stands for what is left out.
    pub(super) more: &'static str,
    /// Stands in front of an entry of a list.
    pub(super) bullet: &'static str,
    /// Draws a line across.
    pub(super) rule: &'static str,
}

/// Where a terminal shows Unicode.
pub(super) const UNICODE: Signs =
    Signs { arrow: "→", bar: "│", known: "━", unknown: "┅", more: "…", bullet: "•", rule: "─" };

/// Where it shows ASCII alone.
pub(super) const ASCII: Signs =
    Signs { arrow: "->", bar: "|", known: "^", unknown: "?", more: "...", bullet: "-", rule: "-" };

/// Returns how many columns a text takes on one line.
pub(super) fn columns(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Breaks a text at its blanks into lines of at most so many columns: the first begins with `lead`, the others with
/// `rest`. No word is broken: one that is longer has a line of its own.
pub(super) fn wrapped(width: usize, lead: &str, rest: &str, text: &str) -> String {
    let mut out = lead.to_owned();
    let mut column = columns(lead);
    let mut is_fresh = true;
    for word in text.split(' ') {
        let own = columns(word);
        if !is_fresh && column.saturating_add(own) >= width {
            // A line does not end in blanks.
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
        column = column.saturating_add(own);
        is_fresh = false;
    }
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
    out
}

/// Returns so many columns of a line from a character on, with a sign where more stands in front or behind.
pub(super) fn window(line: &str, from: usize, width: usize, more: &str) -> String {
    let mut rest: String = line.chars().skip(from).collect();
    if from > 0 && rest.starts_with(|first: char| !first.is_whitespace()) {
        rest = format!("{more}{}", rest.chars().skip(more.chars().count()).collect::<String>());
    }
    cut(&rest, width, more)
}

/// Returns a text of at most so many columns, with a sign at its end where something is left out.
pub(super) fn cut(text: &str, width: usize, more: &str) -> String {
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
    fn a_word_longer_than_a_line_stays_whole() {
        let long = "x".repeat(300);
        assert_eq!(wrapped(80, "", "> ", &format!("a {long} b")), format!("a\n> {long}\n> b\n"));
    }

    #[test]
    fn wide_characters_count_for_their_columns() {
        assert_eq!(columns("日本"), 4);
        assert_eq!(wrapped(10, "", "", "日本語 日本語"), "日本語\n日本語\n");
        assert_eq!(cut("日本語日本語", 7, "…"), "日本語…");
    }

    #[test]
    fn a_window_says_where_a_line_goes_on() {
        assert_eq!(window("abcdef", 0, 6, "…"), "abcdef");
        assert_eq!(window("abcdef", 0, 4, "…"), "abc…");
        assert_eq!(window("abcdef", 2, 9, "…"), "…def");
        assert_eq!(window("abcdef", 1, 4, "…"), "…cd…");
        assert_eq!(window("abcdefghij", 1, 8, "..."), "...ef...");
    }
}
