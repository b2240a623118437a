//! Reports comments, semicolons and spaces of other languages, and replaces them by spaces.

use super::super::limits::MAX_DIAGNOSTICS;
use super::super::mistakes::SyntaxMistake;
use super::super::token::{Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::span::{FileId, Span};

/// Reports foreign comments, semicolons and invalid spaces, and returns the text with spaces in their place, so that
/// the text around them can be parsed and no offset changes.
pub(super) fn blank_foreign_trivia(
    id: FileId,
    source: &str,
    tokens: &[Token],
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    let mut clean = source.to_owned();
    let semicolons: Vec<Token> = tokens
        .iter()
        .copied()
        .filter(|token| token.kind == TokenKind::ForeignComment && token.text(source) == ";")
        .collect();
    let are_several = semicolons.len() > 1;
    diagnostics.extend(Some(&semicolons).filter(|_| are_several).and_then(|all| semicolon_finding(id, source, all)));
    for token in tokens.iter().filter(|token| matches!(token.kind, TokenKind::ForeignComment | TokenKind::InvalidSpace))
    {
        let text = token.text(source);
        let span = Span::new(id, token.start, token.end);
        // The `//` of a URL without quotes in an annotation, as in `@see https://…`, is reported with the annotation.
        let line = source.get(..token.start).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        if line.starts_with('@') && line.ends_with(':') {
            continue;
        }
        if are_several && text == ";" {
            clean.replace_range(token.start..token.end, " ");
            continue;
        }
        let mut diagnostic = if token.kind == TokenKind::InvalidSpace {
            SyntaxMistake::OddSpace {}.at(span).fix(span, " ")
        } else if text == ";" {
            SyntaxMistake::Semicolon {}.at(span).fix(span, "")
        } else {
            let mark = text.get(..if text.starts_with(';') { 1 } else { 2 }).unwrap_or_default();
            let place = Span::new(id, token.start, token.start + mark.len());
            SyntaxMistake::ForeignComment { mark }.at(place)
        };
        if token.kind == TokenKind::ForeignComment && text != ";" && !text.contains('\n') {
            let inner = text.trim_start_matches(['/', '*', '-', ';']).trim_end_matches("*/").trim();
            diagnostic = diagnostic.fix(span, format!("# {inner}").trim_end().to_owned());
        }
        if diagnostics.len() <= MAX_DIAGNOSTICS {
            diagnostics.push(diagnostic);
        }
        let blank: String = text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        clean.replace_range(token.start..token.end, &blank);
    }
    clean
}

/// Returns one diagnostic for all semicolons at the ends of a file's lines, with a fix that deletes them all.
fn semicolon_finding(id: FileId, source: &str, semicolons: &[Token]) -> Option<Diagnostic> {
    let (first, last) = (semicolons.first()?, semicolons.last()?);
    let count = semicolons.len().to_string();
    let (mut right, mut copied_to) = (String::new(), first.start);
    for token in semicolons {
        right.push_str(source.get(copied_to..token.start)?);
        copied_to = token.end;
    }
    let place = Span::new(id, first.start, last.end);
    Some(SyntaxMistake::Semicolons { count: &count }.at(Span::new(id, first.start, first.end)).fix(place, right))
}
