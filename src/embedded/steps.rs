//! Finds commands in the YAML of pipelines and hooks, line by line. The text may be a fragment that lacks its
//! beginning or its end.

use super::line;
use super::lines::fill_placeholders;

/// The keys whose values are commands.
const KEYS: &[&str] = &[
    "run",
    "script",
    "before_script",
    "after_script",
    "before_install",
    "install",
    "command",
    "commands",
    "cmd",
    "cmds",
    "entry",
    "bash",
];

/// A line: its indentation, and its text without that.
type IndentedLine<'t> = (usize, &'t str);

/// Returns a shell line for each command. A text without any keys may be a part of a command, so each of its lines
/// counts.
pub(super) fn commands(text: &str) -> Vec<String> {
    let lines: Vec<IndentedLine<'_>> =
        text.lines().map(|line| (line.len() - line.trim_start().len(), line.trim())).collect();
    let mut found = Vec::new();
    let mut next = 0;
    let mut has_keys = false;
    while let Some(&(depth, text)) = lines.get(next) {
        next += 1;
        let (depth, text) = enter_list_items(depth, text);
        let Some((key, value)) = split_pair(text) else { continue };
        has_keys = true;
        if KEYS.contains(&key) {
            next = add_values(depth, value, &lines, next, &mut found);
        }
    }
    if !has_keys {
        let texts =
            lines.iter().map(|(_, text)| text.strip_prefix("- ").unwrap_or(text)).filter(|text| !text.is_empty());
        found.extend(texts.map(str::to_owned));
    }
    found.iter().map(|text| line("bash", &fill_placeholders(text, "${{", "}}", "PIPELINE_VALUE"))).collect()
}

/// Removes the `- ` of list items from the beginning of a line, and returns the column of the rest as its
/// indentation.
fn enter_list_items(mut depth: usize, mut text: &str) -> IndentedLine<'_> {
    while let Some(item) = text.strip_prefix("- ") {
        let trimmed = item.trim_start();
        depth += text.len() - trimmed.len();
        text = trimmed;
    }
    (depth, text)
}

/// Splits a line of the form `key: value`; `None` for any other line.
fn split_pair(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (is_key && (value.is_empty() || value.starts_with(' '))).then(|| (key, value.trim()))
}

/// Adds the commands in the value of a key that is indented by `depth`. The value may extend over further lines, from
/// the index `at` on. Returns the index of the next line.
fn add_values(depth: usize, value: &str, lines: &[IndentedLine<'_>], at: usize, found: &mut Vec<String>) -> usize {
    if value.starts_with(['|', '>']) {
        let (text, next) = read_block(depth, value, lines, at);
        found.push(text);
        return next;
    }
    if let Some(items) = value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        found.extend(items.split(", ").map(scalar).filter(|item| !item.is_empty()));
        return at;
    }
    if !strip_comment(value).is_empty() {
        found.push(scalar(value));
        return at;
    }
    let mut at = at;
    while let Some(&(item_depth, text)) = lines.get(at) {
        let Some(item) = text.strip_prefix('-').filter(|item| item_depth >= depth && item.starts_with(' ')) else {
            if text.is_empty() || text.starts_with('#') {
                at += 1;
                continue;
            }
            break;
        };
        at += 1;
        let item = item.trim();
        if item.starts_with(['|', '>']) {
            let (text, next) = read_block(item_depth, item, lines, at);
            found.push(text);
            at = next;
        } else if let Some((key, value)) = split_pair(item) {
            if KEYS.contains(&key) && !value.is_empty() {
                at = add_values(item_depth + 2, value, lines, at, found);
            }
        } else {
            found.push(scalar(item));
        }
    }
    at
}

/// Returns the text of a block scalar: the following lines that are indented more than the key, unchanged for `|`,
/// joined by spaces for `>`. Also returns the index of the next line.
fn read_block(depth: usize, style: &str, lines: &[IndentedLine<'_>], at: usize) -> (String, usize) {
    let mut next = at;
    let mut block_lines: Vec<IndentedLine<'_>> = Vec::new();
    while let Some(&(line_depth, text)) =
        lines.get(next).filter(|(line_depth, text)| text.is_empty() || *line_depth > depth)
    {
        block_lines.push((line_depth, text));
        next += 1;
    }
    let min_depth = block_lines
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(line_depth, _)| *line_depth)
        .min()
        .unwrap_or_default();
    let texts = block_lines
        .iter()
        .map(|(line_depth, text)| format!("{}{text}", " ".repeat(line_depth.saturating_sub(min_depth))));
    let texts: Vec<String> = texts.map(|text| text.trim_end().to_owned()).collect();
    let joined = if style.starts_with('>') { texts.join(" ") } else { texts.join("\n") };
    (joined.trim_end().to_owned(), next)
}

/// Returns the text of a scalar on one line, without its quotes or comment.
fn scalar(text: &str) -> String {
    if let Some(inner) = text.strip_prefix('"').and_then(|text| text.rsplit_once('"')).map(|(inner, _)| inner) {
        return inner.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\");
    }
    if let Some(inner) = text.strip_prefix('\'').and_then(|text| text.rsplit_once('\'')).map(|(inner, _)| inner) {
        return inner.replace("''", "'");
    }
    strip_comment(text).to_owned()
}

/// Removes a comment from the end of a value.
fn strip_comment(text: &str) -> &str {
    if text.starts_with('#') {
        return "";
    }
    text.split_once(" #").map_or(text, |(text, _)| text).trim_end()
}
