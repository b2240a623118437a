//! Lays out parts of a policy as a person would write them: lists and comments that are broken if they are longer
//! than a line.

use super::quote::string_literal;

/// The maximum width of a line, in columns. A line that cannot be broken may be longer.
pub const WIDTH: usize = 100;

/// Formats a list of strings, with one string per line if a single line would be too long. `indent` is the
/// indentation of the line on which the list begins.
#[must_use]
pub fn format_list(texts: &[String], indent: &str) -> String {
    let literals: Vec<String> = texts.iter().map(|text| string_literal(text, indent)).collect();
    let line = format!("[{}]", literals.join(", "));
    // Leaves room for the text before the list, such as `  when writes like `.
    if line.chars().count() + 24 <= WIDTH {
        return line;
    }
    let elements = literals.iter().map(|element| format!("{indent}  {element},\n"));
    format!("[\n{}{indent}]", elements.collect::<String>())
}

/// Formats a single string as a literal, and several as a list.
#[must_use]
pub fn format_one_or_list(texts: &[String]) -> String {
    match texts {
        [only] => string_literal(only, "  "),
        several => format_list(several, "  "),
    }
}

/// Wraps a text into lines of at most [`WIDTH`] columns, each with a prefix: `first` on the first line, `further` on
/// the others. A longer word is not broken.
#[must_use]
pub fn wrap_text(text: &str, first: &str, further: &str) -> Vec<String> {
    wrap_text_within(WIDTH, text, first, further)
}

/// Wraps a text like [`wrap_text`], into lines of at most `width` columns.
#[must_use]
pub fn wrap_text_within(width: usize, text: &str, first: &str, further: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let prefix = if lines.is_empty() { first } else { further };
        if !line.is_empty() && prefix.len() + line.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("{prefix}{line}"));
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    let prefix = if lines.is_empty() { first } else { further };
    lines.push(format!("{prefix}{line}").trim_end().to_owned());
    lines
}
