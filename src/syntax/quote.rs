//! Formats strings as literals of a policy that parse to the same value.

use super::text::{begins_placeholder, is_blank};

/// Returns a literal for a text without placeholders: a block if it has several lines, single quotes if that saves
/// escapes, else double quotes.
///
/// `indent` is the indentation of the literal's line.
#[must_use]
pub fn string_literal(value: &str, indent: &str) -> String {
    let several_lines = value.contains('\n');
    let escaped = escape_value(value, &[], !several_lines);
    // A brace that looks like a placeholder is only clearly literal with a backslash.
    let may_be_raw = !value.contains('\'') && !value.contains(has_mandatory_escape) && !escaped.contains("\\{");
    match several_lines {
        true => block_literal(value, &[], indent),
        false if escaped != value && may_be_raw => {
            format!("'{value}'")
        }
        false => format!("\"{escaped}\""),
    }
}

/// Returns the content of a double-quoted literal for a text without placeholders.
#[must_use]
pub fn escape_double_quoted(value: &str) -> String {
    escape_value(value, &[], true)
}

/// Returns the content of a double-quoted literal whose placeholders, at the given offsets, stay placeholders.
#[must_use]
pub fn filling_content(value: &str, placeholders: &[usize]) -> String {
    escape_value(value, placeholders, true)
}

/// Whether a character can be in a literal only as an escape, so that single quotes are not possible.
fn has_mandatory_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{feff}' | '\u{fffd}')
}

/// Returns the content of a literal for a value, escaped. `placeholders` are the offsets of the placeholders in the
/// value: any other `{` is escaped if it would be parsed as a placeholder. In a block string, `one_line` is false,
/// and quotes and line ends are not escaped.
pub(super) fn escape_value(value: &str, placeholders: &[usize], one_line: bool) -> String {
    let mut out = String::with_capacity(value.len() + 8);
    for (at, c) in value.char_indices() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' if one_line => out.push_str("\\\""),
            '\n' if one_line => out.push_str("\\n"),
            '\n' => out.push('\n'),
            '\t' => out.push_str("\\t"),
            '{' if !placeholders.contains(&at) && is_placeholder_at(value, at) => out.push_str("\\{"),
            // The scan before parsing rejects or replaces these characters in a file.
            '\0' | '\r' | '\u{feff}' | '\u{fffd}' => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Whether the `{` at an offset of a value would be parsed as the beginning of a placeholder.
fn is_placeholder_at(value: &str, at: usize) -> bool {
    let (before, rest) = value.split_at_checked(at).unwrap_or(("", ""));
    !before.ends_with('$') && begins_placeholder(rest)
}

/// Formats a block string; `indent` is the indentation of the line on which it begins, and of its lines.
/// `placeholders` are the offsets of the placeholders in the value.
pub(super) fn block_literal(value: &str, placeholders: &[usize], indent: &str) -> String {
    if value.is_empty() {
        return format!("\"\"\"\n{indent}\"\"\"");
    }
    let escaped = escape_value(value, placeholders, false).replace("\"\"\"", "\"\"\\\"");
    let visible = |line: &&str| !is_blank(line);
    let common = escaped.lines().filter(visible).map(|line| line.len() - line.trim_start_matches(' ').len()).min();
    // Parsing removes the common indentation of all lines, and the white space of a blank line. One space written as
    // `\u{20}` prevents both: in the first line that is not blank if all lines are indented, and in each blank line.
    let mut protects_indent = common.is_some_and(|common| common > 0);
    let mut out = "\"\"\"\n".to_owned();
    for line in escaped.split('\n') {
        let blank = is_blank(line);
        match line.strip_prefix(' ') {
            Some(rest) if blank || protects_indent => {
                protects_indent &= blank;
                out.push_str(&format!("{indent}\\u{{20}}{rest}\n"));
            }
            _ if line.is_empty() => out.push('\n'),
            _ => out.push_str(&format!("{indent}{line}\n")),
        }
    }
    out.push_str(indent);
    out.push_str("\"\"\"");
    out
}
