//! Reports blocks of other languages that contain definitions: `locals { … }`, `variable "x" { … }`, `function x() {
//! … }`.

use pest::Parser;

use super::ClauseCursor;
use super::item::foreign_item;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};

/// Whether a block that begins with a word contains definitions, such as `locals`, and is not a rule.
pub(in crate::syntax) fn holds_definitions(word: &str) -> bool {
    phrases::find_phrase(PhrasePlace::Block, word).is_some() || matches!(foreign_item(word), Some("let" | "def"))
}

/// Reports a block of definitions, and proposes a `let` or `def` for each. Returns whether it is one that can be
/// translated.
pub(super) fn of_definitions(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let tokens = cursor.tokens;
    let Some(open) = tokens.iter().position(|token| token.text(cursor.source) == "{") else { return false };
    let (Some(first), Some(last)) = (tokens.first().copied(), tokens.last().copied()) else { return false };
    let head = tokens.get(1..open).unwrap_or_default();
    let inner = tokens.get(open + 1..tokens.len().saturating_sub(1)).unwrap_or_default();
    if last.text(cursor.source) != "}" || inner.is_empty() {
        return false;
    }
    let meaning = phrases::meaning(PhrasePlace::Block, word);
    let lines = match head {
        [] if meaning == Some("let") => lets_of_block(cursor, inner),
        [name] if meaning == Some("let $name") => {
            value_of(cursor, inner).map(|value| vec![format!("let {} = {value}", snake(name.text(cursor.source)))])
        }
        [name, ..] if name.kind == TokenKind::Word && foreign_item(word) == Some("def") => {
            returned_condition(cursor, inner)
                .map(|body| vec![format!("def {} = {body}", snake(name.text(cursor.source)))])
        }
        _ => None,
    };
    let lines = lines.unwrap_or_default();
    let whole = lines.join("\n");
    if lines.is_empty() || Grammar::parse(Rule::file, &format!("{whole}\n")).is_err() {
        return false;
    }
    for name in lines.iter().filter_map(|line| line.split_whitespace().nth(1)) {
        cursor.names.push((name.to_owned(), cursor.span_of(first)));
    }
    let span = cursor.span_of(first);
    let place = span.joined_with(cursor.span_of(last));
    let shown = forms::backticked_forms(&lines);
    let shown = match lines.first() {
        Some(line) if lines.len() > 3 || shown.chars().count() > 100 => forms::first_line_of_several(line),
        _ => shown,
    };
    let has_comment = cursor.source.get(place.range()).is_some_and(|text| text.contains('#'));
    let mistake = SyntaxMistake::DefinitionsInBlock { word, right: &shown };
    match has_comment {
        true => cursor.report(mistake, span),
        false => cursor.report_with_fix_at(mistake, span, place, whole),
    }
    true
}

/// Returns a `let` for each entry of a block (`name = value`); `None` if anything else is in it.
fn lets_of_block(cursor: &ClauseCursor<'_>, tokens: &[Token]) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut rest = tokens;
    while let [name, separator, after_separator @ ..] = rest {
        let is_named = matches!(name.kind, TokenKind::Word | TokenKind::Text)
            && matches!(separator.text(cursor.source), "=" | ":");
        let mut depth = 0_usize;
        let mut length = 0;
        for (at, token) in after_separator.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| after_separator.get(at)).unwrap_or(separator);
            let is_on_next_line =
                cursor.source.get(before.end..token.start).is_some_and(|between| between.contains('\n'));
            if at > 0 && depth == 0 && (is_on_next_line || token.text(cursor.source) == ",") {
                break;
            }
            match token.kind {
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            length = at + 1;
        }
        let (from, to) = (after_separator.first()?, after_separator.get(length.checked_sub(1)?)?);
        is_named.then_some(())?;
        lines.push(format!("let {} = {}", snake(name.text(cursor.source)), cursor.slice(*from, *to)));
        rest = after_separator.get(length..)?;
        if let [comma, others @ ..] = rest
            && comma.text(cursor.source) == ","
        {
            rest = others;
        }
    }
    rest.is_empty().then_some(lines)
}

/// Returns the source text of the value after `default =` or `value =` in a block; `None` if there is neither.
fn value_of(cursor: &ClauseCursor<'_>, tokens: &[Token]) -> Option<String> {
    let at = tokens.windows(2).position(|pair| match pair {
        [name, separator] => {
            matches!(name.text(cursor.source), "default" | "value")
                && matches!(separator.text(cursor.source), "=" | ":")
        }
        _ => false,
    })?;
    let lines = lets_of_block(cursor, tokens.get(at..)?)?;
    lines.first()?.split_once(" = ").map(|(_, value)| value.to_owned())
}

/// Returns the condition that the body of a function returns; `None` if the condition takes several lines.
fn returned_condition(cursor: &ClauseCursor<'_>, tokens: &[Token]) -> Option<String> {
    let tokens = match tokens {
        [first, rest @ ..] if first.text(cursor.source) == "return" => rest,
        rest => rest,
    };
    let tokens = match tokens {
        [rest @ .., last] if last.text(cursor.source) == ";" => rest,
        rest => rest,
    };
    let body = cursor.slice(*tokens.first()?, *tokens.last()?);
    (!body.contains('\n')).then(|| body.to_owned())
}

/// Converts a name to one that a `let` or `def` may have: removes its quotes, and replaces `-`, `.` and `/` by `_`.
fn snake(name: &str) -> String {
    name.trim_matches(['"', '\'']).replace(['-', '.', '/'], "_")
}

/// Reports and skips the type in `let x: list = ["a"]`. The cursor is after the name.
pub(super) fn type_after_name(cursor: &mut ClauseCursor<'_>, keyword: &str) {
    let (Some(colon), Some(ty)) = (cursor.peek(), cursor.nth(1)) else { return };
    if colon.text(cursor.source) != ":" || ty.kind != TokenKind::Word || cursor.text_at(2) != "=" {
        return;
    }
    let written = cursor.slice(colon, ty);
    let span = cursor.across(colon, ty);
    let end = cursor.nth(2).map_or(span, |equals| cursor.span_of(equals));
    let gap = Span { start: span.start, end: end.start, ..span };
    cursor.report_with_fix_at(SyntaxMistake::TypedDefinition { keyword, written }, span, gap, " ");
    cursor.at += 2;
}

/// Reports `let x = "a", "b"`: the values belong in a list. The cursor is after the first value, which is at the
/// index `from`.
pub(super) fn several_values(cursor: &mut ClauseCursor<'_>, from: usize) {
    let is_text = |token: &Token| token.kind == TokenKind::Text;
    let tokens = cursor.tokens.get(from..).unwrap_or_default();
    let is_list = tokens.iter().enumerate().all(|(at, token)| match at % 2 {
        0 => is_text(token),
        _ => token.text(cursor.source) == ",",
    });
    let (Some(first), Some(last), true) = (tokens.first(), tokens.last(), is_list && tokens.len() > 2) else { return };
    let right = format!("[{}]", cursor.slice(*first, *last).trim_end_matches(','));
    let place = cursor.across(*first, *last);
    cursor.report_with_fix(SyntaxMistake::SetInBraces { right: &right }, place, &right);
    cursor.stop();
}

/// Reports `use "a", "b"` and `use ["a", "b"]`: each source needs its own `use`. The cursor is after the keyword.
/// Returns whether there was one.
pub(super) fn several_sources(cursor: &mut ClauseCursor<'_>) -> bool {
    let tokens = cursor.tokens.get(cursor.at..).unwrap_or_default();
    let is_plain =
        |token: &Token| token.kind == TokenKind::Text || matches!(token.text(cursor.source), "," | "[" | "]");
    let texts: Vec<&str> =
        tokens.iter().filter(|token| token.kind == TokenKind::Text).map(|token| token.text(cursor.source)).collect();
    if !tokens.iter().all(is_plain) || texts.len() < 2 && cursor.text() != "[" || texts.is_empty() {
        return false;
    }
    let (Some(keyword), Some(last)) = (cursor.tokens.first().copied(), tokens.last().copied()) else { return false };
    let lines: Vec<String> = texts.iter().map(|text| format!("use {text}")).collect();
    let shown = forms::backticked_forms(&lines);
    let place = cursor.across(keyword, last);
    cursor.report_with_fix_at(SyntaxMistake::SeveralSources { right: &shown }, cursor.here(), place, lines.join("\n"));
    cursor.stop();
    true
}
