//! Lines of at most a width, and windows into longer ones.

/// How many characters a line of what is explained has at most, as far as its words let it.
pub(in crate::cli) const WIDTH: usize = 110;

/// Breaks a text into lines at its blanks: the first begins with `lead`, the others with `rest`.
pub(super) fn wrapped(lead: &str, rest: &str, text: &str) -> String {
    wrapped_to(WIDTH, lead, rest, text)
}

/// Breaks a text as [`wrapped`] does, into lines of fewer characters than a width.
pub(in crate::cli) fn wrapped_to(limit: usize, lead: &str, rest: &str, text: &str) -> String {
    let mut out = lead.to_owned();
    let mut column = lead.chars().count();
    let mut is_fresh = true;
    for word in text.split(' ') {
        let width = word.chars().count();
        if !is_fresh && column.saturating_add(width) >= limit {
            out.push('\n');
            out.push_str(rest);
            column = rest.chars().count();
            is_fresh = true;
        }
        if !is_fresh {
            out.push(' ');
            column = column.saturating_add(1);
        }
        out.push_str(word);
        column = column.saturating_add(width);
        is_fresh = false;
    }
    out.push('\n');
    out
}

/// Returns so many characters of a line from one on, with a mark where more stands behind them.
pub(super) fn window(line: &str, from: usize, width: usize) -> String {
    let mut chars = line.chars().skip(from);
    let mut out: String = chars.by_ref().take(width).collect();
    if from > 0 && out.chars().next().is_some_and(|first| !first.is_whitespace()) {
        out = std::iter::once('…').chain(out.chars().skip(1)).collect();
    }
    if chars.next().is_some() {
        out.pop();
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_broken_at_its_blanks() {
        let text = wrapped("- ", "  ", &"abcde ".repeat(40));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().count() == 3 && text.lines().skip(1).all(|line| line.starts_with("  abc")), "{text}");
        assert_eq!(wrapped("  ", "    ", "a b"), "  a b\n");
        let long = "x".repeat(300);
        assert_eq!(wrapped("", "> ", &format!("a {long} b")), format!("a\n> {long}\n> b\n"));
    }

    #[test]
    fn a_window_says_where_a_line_goes_on() {
        assert_eq!(window("abcdef", 0, 6), "abcdef");
        assert_eq!(window("abcdef", 0, 4), "abc…");
        assert_eq!(window("abcdef", 2, 9), "…def");
        assert_eq!(window("abcdef", 1, 4), "…cd…");
    }
}
