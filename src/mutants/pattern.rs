//! The mutations of a command pattern: `git (commit|push) !--dry-run`.

use super::edit::{EditKind, MutantEdit};
use crate::span::Span;
use crate::syntax::ast::StringLiteral;

/// Returns copies of a pattern, each without one alternative of a group or one forbidden word: `git (commit|push) !-n`
/// becomes `git push !-n`, `git commit !-n` and `git (commit|push)`.
pub(super) fn part_removals(text: &StringLiteral) -> Vec<(StringLiteral, MutantEdit)> {
    let value = text.value.as_str();
    let mut out = Vec::new();
    let mut add = |changed: String, range: std::ops::Range<usize>| {
        let changed = StringLiteral { value: changed, placeholders: Vec::new(), ..text.clone() };
        out.push((changed, MutantEdit::new(part_span(text, range), EditKind::TextRemoval)));
    };
    for (start, word) in words_with_positions(value) {
        if word.starts_with('!') {
            let before = value.get(..start).unwrap_or_default().trim_end();
            let after = value.get(start + word.len()..).unwrap_or_default();
            add(format!("{before}{after}"), start..start + word.len());
        }
    }
    for (open, alternatives) in innermost_groups(value) {
        let close = alternatives.last().map_or(open, |(start, one)| start + one.len());
        for (at, (start, one)) in alternatives.iter().enumerate() {
            let others = alternatives.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, (_, one))| *one);
            let others: Vec<&str> = others.collect();
            let inner = match others.as_slice() {
                [only] => (*only).to_owned(),
                several => format!("({})", several.join("|")),
            };
            let before = value.get(..open).unwrap_or_default();
            let after = value.get(close + 1..).unwrap_or_default();
            add(format!("{before}{inner}{after}"), *start..start + one.len());
        }
    }
    out
}

/// Returns the source span of a byte range of a string's value. If the literal contains escapes, so that offsets in the
/// value and in the source differ, returns the span of the whole literal.
fn part_span(text: &StringLiteral, range: std::ops::Range<usize>) -> Span {
    let span = text.span;
    if span.range().len() != text.value.len() + 2 {
        return span;
    }
    let first = span.start as usize + 1;
    Span::new(span.file, first + range.start, first + range.end)
}

/// Returns the words of a pattern with their byte offsets.
fn words_with_positions(value: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    value.split(' ').filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}

/// Returns each group that contains no other group: the offset of its `(`, and its alternatives with their offsets.
fn innermost_groups(value: &str) -> Vec<(usize, Vec<(usize, &str)>)> {
    let mut groups = Vec::new();
    let mut open = None;
    for (at, c) in value.char_indices() {
        match (c, open) {
            ('(', _) => open = Some(at),
            (')', Some(from)) => {
                let mut start = from + 1;
                let inner = value.get(start..at).unwrap_or_default();
                let mut alternatives = Vec::new();
                for one in inner.split('|') {
                    alternatives.push((start, one));
                    start += one.len() + 1;
                }
                if alternatives.len() > 1 {
                    groups.push((from, alternatives));
                }
                open = None;
            }
            _ => {}
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::FileId;
    use crate::syntax::ast::QuoteStyle;

    fn changed(value: &str) -> Vec<String> {
        let span = Span::new(FileId(0), 0, value.len() + 2);
        let text = StringLiteral { value: value.to_owned(), placeholders: Vec::new(), quote: QuoteStyle::Double, span };
        let quoted = format!("\"{value}\"");
        let show = |(text, edit): (StringLiteral, MutantEdit)| {
            format!("{} - {}", text.value, quoted.get(edit.span.range()).unwrap())
        };
        part_removals(&text).into_iter().map(show).collect()
    }

    #[test]
    fn a_pattern_loses_each_alternative_and_each_exclusion() {
        for (pattern, expected) in [
            ("git push", &[][..]),
            ("git push !--dry-run", &["git push - !--dry-run"]),
            ("git push !-n main", &["git push main - !-n"]),
            ("git (commit|push) -f", &["git push -f - commit", "git commit -f - push"]),
            ("(a|b|c)", &["(b|c) - a", "(a|c) - b", "(a|b) - c"]),
            ("x !(-a|-b)", &["x - !(-a|-b)", "x !-b - -a", "x !-a - -b"]),
        ] {
            assert_eq!(changed(pattern), expected, "{pattern}");
        }
    }
}
