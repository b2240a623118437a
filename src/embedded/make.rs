//! Converts recipes of make to the shell text that make passes to the shell.

use super::line;

/// Returns a shell line for each line of a recipe and for each variable. A text without either that does not look
/// like a Makefile may be a part of a recipe, so each of its lines counts.
pub(super) fn recipes(text: &str) -> Vec<String> {
    let logical = join_continued_lines(text);
    let found: Vec<String> = logical.iter().filter_map(|line| command(line)).collect();
    if !found.is_empty() || logical.iter().any(|line| is_makefile(line)) {
        return found;
    }
    logical
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
        .map(|text| line("sh", &expand_for_shell(text)))
        .collect()
}

/// Joins lines that end in a backslash with the next one.
fn join_continued_lines(text: &str) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut is_continued = false;
    for line in text.lines() {
        match joined.last_mut().filter(|_| is_continued) {
            Some(last) => {
                last.push('\n');
                last.push_str(line);
            }
            None => joined.push(line.to_owned()),
        }
        is_continued = line.ends_with('\\');
    }
    joined
}

/// Returns the shell line for a line of a Makefile that is a recipe or sets a variable; `None` for any other line.
fn command(text: &str) -> Option<String> {
    if let Some(recipe) = text.strip_prefix('\t') {
        let recipe = recipe.trim_start().trim_start_matches(['@', '-', '+']);
        return (!recipe.is_empty()).then(|| line("sh", &expand_for_shell(recipe)));
    }
    if let Some((name, value)) = variable(text) {
        let value = expand_for_shell(value).replace('\\', "\\\\").replace('"', "\\\"").replace('`', "\\`");
        return Some(format!("export {name}=\"{value}\""));
    }
    let (head, recipe) = text.split_once(';')?;
    let is_rule = !text.starts_with(['#', ' ']) && head.contains(':');
    (is_rule && !recipe.trim().is_empty()).then(|| line("sh", &expand_for_shell(recipe.trim())))
}

/// Returns the name and the value of the variable that a line sets; `None` if it sets none.
fn variable(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("export ").unwrap_or(text);
    let (name, value) = text.split_once('=')?;
    let name = name.trim_end_matches([':', '?']).trim();
    is_name(name).then(|| (name, value.trim()))
}

/// Whether a line must be from a Makefile, and cannot be from a recipe.
fn is_makefile(text: &str) -> bool {
    !text.contains(' ') && text.ends_with(':') || text.starts_with("include ") || text.starts_with(".PHONY")
}

/// Whether a text can be the name of a shell variable.
fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Returns the text that make passes to the shell. `$$` becomes `$`, a make variable becomes a shell variable,
/// `$(shell …)` becomes a command substitution, and any other value becomes a variable that is never set.
fn expand_for_shell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after_dollar)) = rest.split_once('$') {
        out.push_str(before);
        rest = match after_dollar.chars().next() {
            Some('$') => {
                out.push('$');
                after_dollar.get(1..).unwrap_or_default()
            }
            Some(open @ ('(' | '{')) => {
                let (inner, after) = split_at_bracket(after_dollar.get(1..).unwrap_or_default(), open);
                match inner.strip_prefix("shell ") {
                    Some(command) => out.push_str(&format!("$({})", expand_for_shell(command))),
                    None if is_name(inner) => out.push_str(&format!("${{{inner}}}")),
                    None => out.push_str("${MAKE_VALUE}"),
                }
                after
            }
            Some(other) => {
                out.push_str("${MAKE_VALUE}");
                after_dollar.get(other.len_utf8()..).unwrap_or_default()
            }
            None => after_dollar,
        };
    }
    out.push_str(rest);
    out
}

/// Splits a text that follows an opening bracket at the matching closing bracket.
fn split_at_bracket(text: &str, open: char) -> (&str, &str) {
    let close = if open == '(' { ')' } else { '}' };
    let mut depth = 1_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                let (inner, from_close) = text.split_at_checked(at).unwrap_or((text, ""));
                return (inner, from_close.get(1..).unwrap_or_default());
            }
        }
    }
    (text, "")
}
