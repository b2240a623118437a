//! The layout of a policy as a person would write it: lists and comments within a line's width, and broken if they are
//! longer.

use super::quote::string_literal;

/// The width of a line, where possible.
pub const WIDTH: usize = 100;

/// Formats a list of strings, on several lines if a single one would be too long.
#[must_use]
pub fn format_list(texts: &[String], indent: &str) -> String {
    let literals: Vec<String> = texts.iter().map(|text| string_literal(text, indent)).collect();
    let line = format!("[{}]", literals.join(", "));
    if line.chars().count() + 24 <= WIDTH {
        return line;
    }
    let elements = literals.iter().map(|element| format!("{indent}  {element},\n"));
    format!("[\n{}{indent}]", elements.collect::<String>())
}

/// Formats one glob, or a list of globs.
#[must_use]
pub fn format_one_or_list(texts: &[String]) -> String {
    match texts {
        [only] => string_literal(only, "  "),
        several => format_list(several, "  "),
    }
}

/// Wraps a text into lines with a prefix: `first` on the first line, `further` on the others.
#[must_use]
pub fn wrap_text(text: &str, first: &str, further: &str) -> Vec<String> {
    wrap_text_within(WIDTH, text, first, further)
}

/// Wraps a text like [`wrap_text`], into lines of the given width.
#[must_use]
pub fn wrap_text_within(width: usize, text: &str, first: &str, further: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mark = if lines.is_empty() { first } else { further };
        if !line.is_empty() && mark.len() + line.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("{mark}{line}"));
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    let mark = if lines.is_empty() { first } else { further };
    lines.push(format!("{mark}{line}").trim_end().to_owned());
    lines
}
