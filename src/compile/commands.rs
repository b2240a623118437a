//! Command patterns: their shape is checked here, so that a mistake is told at load.

use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::ast::ValueKind;

use super::names::{Names, Scoped};
use super::values::{empty_list, kind_word};

/// Collects and checks patterns: a string, or a list of strings.
pub(super) fn patterns<'a>(
    names: &Names<'a>,
    scoped: Scoped<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<String>> {
    let elements = names.elements(scoped, diagnostics);
    if elements.is_empty() {
        diagnostics.push(empty_list(scoped.value.span));
        return None;
    }
    let mut patterns = Vec::new();
    let before = diagnostics.len();
    for element in elements {
        match &element.value.kind {
            ValueKind::Text(text) => {
                diagnostics.extend(check(&text.value, text.span));
                patterns.push(text.value.clone());
            }
            ValueKind::Name(name) => diagnostics.extend(name.single().map(|name| names.unknown(element.file, name))),
            kind => diagnostics.push(
                Diagnostic::new(Code::TYPE_MISMATCH, format!("a command pattern is a string, not {}", kind_word(kind)))
                    .label(element.value.span, format!("this is {}", kind_word(kind)))
                    .help("write the command's words in quotes: \"git push --force\""),
            ),
        }
    }
    (diagnostics.len() == before).then_some(patterns)
}

/// Checks one pattern.
pub(super) fn check(pattern: &str, span: Span) -> Option<Diagnostic> {
    let bad = |message: String, help: &str| {
        Some(Diagnostic::new(Code::BAD_PATTERN, message).label(span, "in this pattern").help(help))
    };
    let words = match words(pattern) {
        Ok(words) => words,
        Err(message) => return bad(message, "write alternatives of one word as (a|b), closed before the next word"),
    };
    let Some((program, rest)) = words.split_first() else {
        return bad("a command pattern without a word".to_owned(), "write the program first: \"git push\"");
    };
    if program.starts_with('-') || program.starts_with('!') {
        return bad(format!("a command pattern that begins with `{program}`"), "write the program first: \"git push --force\"");
    }
    if program.contains('/') {
        return bad(
            format!("a program with a path: `{program}`"),
            "a pattern names the program by its base name, wherever it lies",
        );
    }
    if pattern.contains(['&', ';', '>', '<']) || words.iter().any(|word| word == "|") {
        return bad(
            "shell syntax in a command pattern".to_owned(),
            "a pattern is one command; join tests with `and`, `or`, or use `pipes … into …`",
        );
    }
    for (index, word) in rest.iter().enumerate() {
        let alternatives = alternatives(word);
        let flags = alternatives.iter().filter(|word| word.trim_start_matches('!').starts_with('-')).count();
        if flags != 0 && flags != alternatives.len() {
            return bad(format!("`{word}` mixes flags and words"), "alternatives are all flags or none");
        }
        if alternatives.iter().any(|word| word.is_empty()) {
            return bad(format!("an empty alternative in `{word}`"), "write a word on each side of `|`");
        }
        let last = index + 1 == rest.len();
        if word.starts_with('!') && flags == 0 && !(word == "!*" && last) {
            return bad(
                format!("`{word}` is neither an absent flag nor a last `!*`"),
                "`!--flag` must be absent; `!*` at the end says that no further operand follows",
            );
        }
    }
    None
}

/// Cuts a pattern into words; a group in parentheses is part of its word.
fn words(pattern: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut open) = (Vec::new(), String::new(), false);
    for c in pattern.chars() {
        match c {
            '(' if open => return Err("a group inside of a group".to_owned()),
            '(' => open = true,
            ')' if !open => return Err("a `)` without its `(`".to_owned()),
            ')' => open = false,
            c if c.is_whitespace() && !open => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                continue;
            }
            _ => {}
        }
        word.push(c);
    }
    if open {
        return Err("a `(` that is not closed".to_owned());
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

fn alternatives(word: &str) -> Vec<&str> {
    let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')).unwrap_or(word);
    inner.split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_the_language_are_fine() {
        for pattern in [
            "git push (--force|--mirror)",
            "git push !--dry-run",
            "git push !*",
            "curl|wget",
            "rm -r -f",
            "git (status|diff|log|show) *",
            "rg *",
            "sh|bash|zsh|python*",
            "npm run test:* -- --watch",
            "chmod (777|0777|a+rwx)",
        ] {
            assert_eq!(check(pattern, Span::default()), None, "{pattern}");
        }
    }

    #[test]
    fn patterns_that_cannot_be_meant_are_refused() {
        for pattern in ["", "--force", "git (push", "git push)", "git (push|--force)", "/bin/rm x", "a && b", "a | b", "git !x y", "git (a||b)"]
        {
            assert!(check(pattern, Span::default()).is_some(), "{pattern}");
        }
    }
}
