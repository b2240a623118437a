//! Reports superfluous text between the name of a rule and its brace: a priority, a severity, punctuation.

use super::ClauseCursor;
use crate::phrases::{self, PhrasePlace};
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::TokenKind;

/// Reports and skips `priority 10` after the name of a rule. Returns whether there was one.
pub(super) fn priority(cursor: &mut ClauseCursor<'_>) -> bool {
    let (at, word, gap) = (cursor.at, cursor.text(), cursor.end_of_previous());
    if at < 2 || !matches!(word, "priority" | "order" | "weight" | "salience") {
        return false;
    }
    let separator_count = usize::from(matches!(cursor.text_at(1), "=" | ":"));
    let Some(number) = cursor.nth(1 + separator_count).filter(|value| value.kind == TokenKind::Number) else {
        return false;
    };
    let span = cursor.here().joined_with(cursor.span_of(number));
    cursor.report_with_fix_at(SyntaxMistake::PriorityBehindName { word }, span, gap.joined_with(span), "");
    cursor.at += 2 + separator_count;
    true
}

/// Reports and skips `"error"` and `["warn", { … }]` after the name of a rule. Returns whether there was one.
pub(super) fn severity(cursor: &mut ClauseCursor<'_>) -> bool {
    let is_list = cursor.text() == "[";
    let level_ahead = usize::from(is_list);
    let level = cursor.nth(level_ahead).filter(|level| level.kind == TokenKind::Text);
    let (Some(first), Some(level), true) = (cursor.peek(), level, cursor.at >= 2) else { return false };
    let name = level.text(cursor.source).trim_matches(['"', '\'']);
    let Some(right) = phrases::meaning(PhrasePlace::Level, name) else { return false };
    let rest = cursor.tokens.get(cursor.at..).unwrap_or_default();
    // The options of a list extend to the end of the line.
    let length = if is_list { rest.len() } else { 1 };
    let last = rest.get(length - 1).copied().unwrap_or(level);
    let (gap, span) = (cursor.end_of_previous(), cursor.across(first, last));
    let written = cursor.slice(first, last);
    let written = if written.chars().count() > 30 { level.text(cursor.source) } else { written };
    cursor.report_with_fix_at(SyntaxMistake::SeverityBehindName { written, right }, span, gap.joined_with(span), "");
    cursor.at += length;
    true
}

/// Reports and skips `=` and `()` between the name of a rule and its brace. Returns whether there was one.
pub(super) fn punctuation(cursor: &mut ClauseCursor<'_>) -> bool {
    let length = match (cursor.text(), cursor.text_at(1)) {
        ("=" | "=>" | "->" | "-", "{") => 1,
        ("(", ")") if cursor.text_at(2) == "{" => 2,
        _ => return false,
    };
    let (gap, span) = (cursor.end_of_previous(), cursor.here());
    let last = cursor.nth(length - 1).map_or(span, |last| cursor.span_of(last));
    let mark = cursor.written(span.joined_with(last));
    let is_glued = cursor.nth(length).is_some_and(|brace| brace.start == last.end as usize);
    let right = if is_glued { " " } else { "" };
    cursor.report_with_fix_at(
        SyntaxMistake::MarkBehindName { mark },
        span.joined_with(last),
        gap.joined_with(last),
        right,
    );
    cursor.at += length;
    true
}
