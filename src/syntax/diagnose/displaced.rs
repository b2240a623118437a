//! Reports misplaced conditions: after an effect, or in place of a clause.

use super::ClauseCursor;
use crate::syntax::mistakes::{SyntaxMistake, WHEN_ONLY_RUNS};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// The maximum length of a condition that a help quotes, in characters.
const MAX_SHOWN_CHARS: usize = 50;

/// Whether a verb with its operand begins `ahead` tokens ahead: `runs "…"`, `writes like`.
fn begins_test(cursor: &ClauseCursor<'_>, ahead: usize) -> bool {
    let is_value = |at: usize| {
        cursor.nth(at).is_some_and(|token| token.kind == TokenKind::Text) || matches!(cursor.text_at(at), "[" | "(")
    };
    match cursor.text_at(ahead) {
        "runs" | "pipes" => is_value(ahead + 1),
        "only" => cursor.text_at(ahead + 1) == "runs",
        "reads" | "writes" | "deletes" | "sends" | "connects" => {
            is_value(ahead + 1) || matches!(cursor.text_at(ahead + 1), "like" | "under" | "outside")
        }
        _ => false,
    }
}

/// Reports `allow ["ls", "pwd"]` and `allow only "ls"`, where the list or string is `skip` tokens ahead. Returns
/// whether there was one.
fn list_of_commands(cursor: &mut ClauseCursor<'_>, skip: usize) -> bool {
    let (Some(first), Some(opener), Some(last)) = (cursor.peek(), cursor.nth(skip), cursor.last()) else {
        return false;
    };
    let list = cursor.slice(opener, last);
    let is_text = skip > 1 && opener.kind == TokenKind::Text && opener.end == last.end;
    // A list with a parenthesis contains permissions of the host, `["Bash(ls:*)"]`, which `list_as_message` reports.
    if !(list.ends_with(']') || is_text) || list.contains(['\n', '(']) || list.chars().count() > MAX_SHOWN_CHARS {
        return false;
    }
    let right = format!("{WHEN_ONLY_RUNS} {list}");
    let whole = cursor.across(first, last);
    let lines = format!("{right}\n  allow");
    let word = cursor.text_at(1);
    let mistake = SyntaxMistake::ConditionAndMessage { word, right: &right, effect: "allow" };
    cursor.report_with_fix_at(mistake, cursor.span_of(opener), whole, lines);
    cursor.stop();
    true
}

/// Reports a test in place of a clause: `git.branch == "main"`, `runs "rm"`. Returns whether it is one.
pub(super) fn as_clause(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let is_named = word.contains('.') || word.contains('_') || matches!(word, "path" | "content" | "url" | "domain");
    let is_compared = cursor.at_operator(1) && (is_named || words::OPERATORS.contains(&cursor.text_at(1)));
    if !begins_test(cursor, 0) && !is_compared {
        return false;
    }
    let (Some(first), Some(last)) = (cursor.peek(), cursor.last()) else { return false };
    let condition = cursor.slice(first, last);
    let is_short = condition.chars().count() <= MAX_SHOWN_CHARS && !condition.contains(['\n', '?']);
    let right = if is_short { format!("when {condition}") } else { format!("when {word} …") };
    cursor.report(SyntaxMistake::TestAsClause { right: &right }, cursor.span_of(first));
    cursor.stop();
    true
}

/// Reports a condition after the keyword of an effect, `deny if a == 1`. A message after the condition, as in `deny
/// when a == 1 with "No."`, is moved to the effect. Returns whether there was one.
pub(super) fn in_effect(cursor: &mut ClauseCursor<'_>, verb: &str) -> bool {
    let word = cursor.text_at(1);
    // `deny runs "rm"` has no keyword before its condition.
    let (keyword, from) = match word {
        "if" | "where" | "when" => ("when", 2),
        "unless" | "except" => ("unless", 2),
        _ if begins_test(cursor, 1) => ("when", 1),
        "[" if verb == "allow" => return list_of_commands(cursor, 1),
        "only" | "just" | "commands" if verb == "allow" => return list_of_commands(cursor, 2),
        _ => return false,
    };
    let is_effect = words::MESSAGE_EFFECTS.contains(&verb);
    let (Some(first), Some(from), Some(end), true) = (cursor.peek(), cursor.nth(from), cursor.last(), is_effect) else {
        return false;
    };
    if cursor.slice(first, end).contains('\n') {
        return false;
    }
    let message = message_after_condition(cursor, from);
    let last = message.map_or(end, |(before, _)| before);
    let condition = cursor.slice(from, last);
    // The condition of an `allow` must hold for every command.
    let needs_only = verb == "allow" && keyword == "when" && condition.starts_with("runs ");
    let condition = &if needs_only { format!("only {condition}") } else { condition.to_owned() };
    let right = format!("{keyword} {}", if condition.chars().count() > MAX_SHOWN_CHARS { "…" } else { condition });
    let span = cursor.nth(1).map_or(cursor.here(), |token| cursor.span_of(token));
    let effect = match message {
        Some((_, message)) => format!("{verb} {}", message.text(cursor.source)),
        None if verb == "allow" => verb.to_owned(),
        None => {
            cursor.report(SyntaxMistake::ConditionInEffect { word, verb, right: &right }, span);
            cursor.stop();
            return true;
        }
    };
    let is_long = message.is_some_and(|(_, message)| message.text(cursor.source).chars().count() > MAX_SHOWN_CHARS);
    let shown = if is_long { &format!("{verb} \"…\"") } else { &effect };
    let whole = cursor.across(first, message.map_or(last, |(_, message)| message));
    let lines = format!("{keyword} {condition}\n  {effect}");
    cursor.report_with_fix_at(
        SyntaxMistake::ConditionAndMessage { word, right: &right, effect: shown },
        span,
        whole,
        lines,
    );
    cursor.stop();
    true
}

/// Returns the last token of the condition that begins at `from`, and the message after it; `None` if there is no
/// message.
fn message_after_condition(cursor: &ClauseCursor<'_>, from: Token) -> Option<(Token, Token)> {
    let (before, message, has_word_before) = match cursor.tokens {
        [.., before, word, message]
            if matches!(word.text(cursor.source), "with" | "because" | "message" | "reason" | "saying" | ":") =>
        {
            (before, message, true)
        }
        // A message without a word before it: `deny runs "rm" "No."`
        [.., before, message] => (before, message, false),
        _ => return None,
    };
    let is_whole = has_word_before || before.kind == TokenKind::Text || before.text(cursor.source) == "]";
    (message.kind == TokenKind::Text && before.end > from.start && is_whole).then_some((*before, *message))
}
