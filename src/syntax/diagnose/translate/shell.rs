//! Translates tests in the notation of shells and templates: in brackets, with `grep`, in `${{ … }}`.

use super::super::reader::ForeignReader;
use super::values;
use super::{Translation, calls, comparison_test, form};
use crate::syntax::language::draft;
use crate::syntax::token::TokenKind;

/// Translates a test in brackets: `[[ $a == b ]]`
pub(super) fn shell_test(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let mut brackets = 0;
    while brackets < 2 && reader.eat("[") {
        brackets += 1;
    }
    if brackets == 0 || !reader.rest().contains(" ]") {
        return None;
    }
    if let Some(right) = shell_pattern(reader.rest()) {
        reader.skip_rest();
        return form(right);
    }
    reader.bare_words_are_text = true;
    let right = comparison_test(reader)?.right;
    (0..brackets).all(|_| reader.eat("]")).then_some(())?;
    form(right)
}

/// Translates a comparison whose right operand has no quotes and is a glob or a regex: `"$path" == *.env ]]`, `$path
/// =~ \.env$ ]]`. `None` for any other text.
fn shell_pattern(rest: &str) -> Option<String> {
    let test = rest.trim_end().trim_end_matches(']').trim_end();
    let (front, operator, pattern) = ["=~", "!=", "==", "="].iter().find_map(|operator| {
        let (front, after) = test.split_once(&format!(" {operator} "))?;
        Some((front, *operator, after.trim()))
    })?;
    let field = calls::field_of(front)?;
    if pattern.is_empty() || pattern.contains([' ', '"', '\'', '$']) && operator != "=~" {
        return None;
    }
    match operator {
        "=~" if !pattern.contains(['"', '\'']) => {
            Some(format!("{field} matches /{}/", values::slashes_escaped(pattern)))
        }
        "=~" => None,
        _ if !pattern.contains(['*', '?']) => None,
        "!=" => Some(format!("{field} not like \"{pattern}\"")),
        _ => Some(format!("{field} like \"{pattern}\"")),
    }
}

/// Translates a search by `grep`: `echo "$command" | grep -q "rm -rf"`, `grep -q "rm -rf" <<< "$command"`
pub(super) fn grep_test(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    matches!(reader.text(), "echo" | "printf" | "grep" | "egrep" | "rg").then_some(())?;
    let mut field = None;
    let mut pattern: Option<String> = None;
    let (mut is_search, mut ignores_case, mut negated) = (false, false, false);
    while !reader.is_done() {
        let text = reader.text();
        match reader.kind()? {
            TokenKind::Word if matches!(text, "grep" | "egrep" | "rg") => is_search = true,
            TokenKind::Word if is_search && reader.glued(0) => {
                // The text is the letters after a dash: `-qi`.
                ignores_case |= text.contains('i');
                negated |= text.contains('v');
            }
            TokenKind::Text if text.starts_with("\"$") => {
                field = Some(reader.field()?.0);
                continue;
            }
            TokenKind::Punctuation if text == "$" => {
                field = Some(reader.field()?.0);
                continue;
            }
            TokenKind::Text | TokenKind::Word if is_search && pattern.is_none() => {
                pattern = Some(text.trim_matches(['"', '\'']).to_owned());
            }
            _ => {}
        }
        reader.at += 1;
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

/// Translates an expression in the braces of a template: `${{ github.ref == 'x' }}`, `{{ tool_name == "Bash" }}`
pub(super) fn template_expression(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let _dollar = reader.eat("$");
    (reader.eat("{") && reader.eat("{")).then_some(())?;
    let inner = reader.rest().trim_end().strip_suffix("}}")?.trim();
    reader.skip_rest();
    (!inner.is_empty() && !inner.contains(['{', '}']))
        .then(|| form(values::in_policy_syntax(&inner.replace('\'', "\""))))?
}
