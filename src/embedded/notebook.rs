//! Finds commands in notebooks: in a whole file, or in the source of one cell.

use serde_json::Value as Json;

use super::line;

/// The magics that make a cell shell text (after `%%`), and those that make a line shell text (after `%`).
const SHELL_CELLS: &[&str] = &["bash", "sh", "script bash", "script sh", "system", "sx"];
const SHELL_LINES: &[&str] = &["system ", "sx "];

/// Returns a shell line for each command of the code cells, and one for the Python code of each cell. A text that is
/// not a whole notebook counts as the source of one cell.
pub(super) fn cells(text: &str) -> Vec<String> {
    let Some(cells) =
        serde_json::from_str::<Json>(text).ok().and_then(|whole| Some(whole.get("cells")?.as_array()?.clone()))
    else {
        return cell_commands(text);
    };
    let is_code = |cell: &&Json| cell.get("cell_type").and_then(Json::as_str) == Some("code");
    cells
        .iter()
        .filter(is_code)
        .filter_map(|cell| cell.get("source"))
        .flat_map(|source| cell_commands(&join_source(source)))
        .collect()
}

/// Returns a cell's source. In the file, it is one text, or a list of lines with their ends.
fn join_source(source: &Json) -> String {
    match source {
        Json::String(text) => text.clone(),
        Json::Array(lines) => lines.iter().filter_map(Json::as_str).collect(),
        _ => String::new(),
    }
}

/// Returns a shell line for each command of a cell, and one that runs its Python code, in which each line with a
/// command is replaced by `pass`.
pub(super) fn cell_commands(source: &str) -> Vec<String> {
    if let Some((magic, body)) =
        source.trim_start().strip_prefix("%%").map(|cell| cell.split_once('\n').unwrap_or((cell, "")))
    {
        let is_shell = SHELL_CELLS.iter().any(|name| magic.trim() == *name || magic.starts_with(&format!("{name} ")));
        return if is_shell { vec![line("bash", body.trim_end())] } else { Vec::new() };
    }
    let mut found = Vec::new();
    let mut python = Vec::new();
    for text in source.lines() {
        match command(text) {
            Some(command) => {
                found.push(line("bash", &filled_braces(command)));
                python.push(indent_like("pass", text));
            }
            None if text.trim_start().starts_with('%') => python.push(indent_like("pass", text)),
            None => python.push(text.to_owned()),
        }
    }
    if python.iter().any(|line| !matches!(line.trim(), "" | "pass")) {
        found.push(line("python3", &python.join("\n")));
    }
    found
}

/// Returns the command in a line that IPython passes to a shell: `!ls`, `files = !ls`, `%sx ls`. `None` for any other
/// line.
fn command(text: &str) -> Option<&str> {
    let text = text.trim();
    if let Some(command) = text.strip_prefix('!') {
        return Some(command.trim_start_matches('!').trim());
    }
    if let Some(magic) = text.strip_prefix('%') {
        return SHELL_LINES.iter().find_map(|name| magic.strip_prefix(name));
    }
    let (name, command) = text.split_once('=')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ',' | ' ' | '*');
    command
        .trim_start()
        .strip_prefix('!')
        .filter(|_| name.chars().all(is_name) && !command.trim_start().starts_with("!="))
}

/// Replaces Python expressions in braces, such as `{name}`, by shell variables.
fn filled_braces(command: &str) -> String {
    let mut rest = command;
    let mut out = String::new();
    while let Some((before, after_open)) = rest.split_once('{') {
        out.push_str(before);
        match after_open.split_once('}') {
            Some((name, after)) if !before.ends_with('$') && !name.contains([',', ' ']) && !name.contains("..") => {
                let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                out.push_str(&format!("${{{}}}", if is_name { name } else { "NOTEBOOK_VALUE" }));
                rest = after;
            }
            _ => {
                out.push('{');
                rest = after_open;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Indents a statement like a line.
fn indent_like(statement: &str, line: &str) -> String {
    let depth = line.len() - line.trim_start().len();
    format!("{}{statement}", line.get(..depth).unwrap_or_default())
}
