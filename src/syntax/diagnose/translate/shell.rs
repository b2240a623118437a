//! Tests in the notation of shells and templates: in brackets, with `grep`, in `${{ … }}`.

use super::reader::{self, TestReader};
use super::{Translation, calls, compared, form};
use crate::syntax::language::draft;
use crate::syntax::token::TokenKind;

/// `[ -f package.json ]`, `[[ $a == b ]]`
pub(super) fn shell_test(reader: &mut TestReader<'_>) -> Option<Translation> {
    let mut brackets = 0;
    while brackets < 2 && reader.eat("[") {
        brackets += 1;
    }
    let asks_for_value = reader.text(0) == "-" && matches!(reader.text(1), "n" | "z") && reader.glued(1);
    if asks_for_value {
        let not = if reader.text(1) == "z" { "not " } else { "" };
        reader.skip_tokens(2);
        let field = reader.field()?;
        (0..brackets).all(|_| reader.eat("]")).then_some(())?;
        return form(format!("{not}exists {field}"));
    }
    let tests_file = reader.text(0) == "-" && matches!(reader.text(1), "f" | "e" | "d" | "s" | "r") && reader.glued(1);
    if !tests_file && (brackets == 0 || !reader.rest().contains(" ]")) {
        return None;
    }
    let right = if tests_file {
        reader.skip_tokens(2);
        let value = reader.bare_value()?;
        // A name that is equal to a field's means the field, and gets no quotes.
        let field = Some(value.trim_matches('"')).filter(|name| matches!(*name, "path" | "cwd"));
        format!("file_exists {}", field.unwrap_or(&value))
    } else if let Some(right) = shell_pattern(reader.rest()) {
        while !reader.is_done() {
            reader.skip_tokens(1);
        }
        return form(right);
    } else {
        reader.bare_words_are_text = true;
        compared(reader)?.right
    };
    (0..brackets).all(|_| reader.eat("]")).then_some(())?;
    form(right)
}

/// `"$path" == *.env ]]`, `$path =~ \.env$ ]]`: the right operand is unquoted, and is a glob or a regex.
fn shell_pattern(rest: &str) -> Option<String> {
    let test = rest.trim_end().trim_end_matches(']').trim_end();
    let (front, operator, pattern) = ["=~", "!=", "==", "="].iter().find_map(|operator| {
        let (front, behind) = test.split_once(&format!(" {operator} "))?;
        Some((front, *operator, behind.trim()))
    })?;
    let field = calls::field_of(front)?;
    if pattern.is_empty() || pattern.contains([' ', '"', '\'', '$']) && operator != "=~" {
        return None;
    }
    match operator {
        "=~" if !pattern.contains(['"', '\'']) => {
            Some(format!("{field} matches /{}/", reader::slashes_escaped(pattern)))
        }
        "=~" => None,
        _ if !pattern.contains(['*', '?']) => None,
        "!=" => Some(format!("{field} not like \"{pattern}\"")),
        _ => Some(format!("{field} like \"{pattern}\"")),
    }
}

/// `echo "$command" | grep -q "rm -rf"`, `grep -q "rm -rf" <<< "$command"`
pub(super) fn searched(reader: &mut TestReader<'_>) -> Option<Translation> {
    matches!(reader.text(0), "echo" | "printf" | "grep" | "egrep" | "rg").then_some(())?;
    let mut field = None;
    let mut pattern: Option<String> = None;
    let (mut is_search, mut ignores_case, mut negated) = (false, false, false);
    while !reader.is_done() {
        let text = reader.text(0);
        match reader.kind()? {
            TokenKind::Word if matches!(text, "grep" | "egrep" | "rg") => is_search = true,
            TokenKind::Word if is_search && reader.glued(0) => {
                // The letters after a dash.
                ignores_case |= text.contains('i');
                negated |= text.contains('v');
            }
            TokenKind::Text if text.starts_with("\"$") => {
                field = Some(reader.field()?);
                continue;
            }
            TokenKind::Mark if text == "$" => {
                field = Some(reader.field()?);
                continue;
            }
            TokenKind::Text | TokenKind::Word if is_search && pattern.is_none() => {
                pattern = Some(text.trim_matches(['"', '\'']).to_owned());
            }
            _ => {}
        }
        reader.skip_tokens(1);
    }
    let pattern = pattern.filter(|pattern| !pattern.is_empty())?;
    let field = match field?.as_str() {
        "env.COMMAND" | "env.CMD" | "cmd" | "input" => "command".to_owned(),
        other => other.to_owned(),
    };
    let test = draft::test_for_regex(&field, &pattern);
    let case = if ignores_case && test.ends_with('/') { "i" } else { "" };
    form(format!("{}{test}{case}", if negated { "not " } else { "" }))
}

/// `${{ github.ref == 'x' }}`, `{{ tool_name == "Bash" }}`: an expression in a template's braces.
pub(super) fn expression(reader: &mut TestReader<'_>) -> Option<Translation> {
    let _dollar = reader.eat("$");
    (reader.eat("{") && reader.eat("{")).then_some(())?;
    let inner = reader.rest().trim_end().strip_suffix("}}")?.trim();
    while !reader.is_done() {
        reader.skip_tokens(1);
    }
    (!inner.is_empty() && !inner.contains(['{', '}']))
        .then(|| form(reader::in_our_language(&inner.replace('\'', "\""))))?
}
