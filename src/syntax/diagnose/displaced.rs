//! Misplaced conditions: after an effect, or in place of a clause.

use super::Cursor;
use crate::syntax::mistakes::{Mistake, WHEN_ONLY_RUNS};
use crate::syntax::token::{Kind, Token};
use crate::syntax::words;

/// The maximum length of a condition in a help, in characters.
const SHOWN: usize = 50;

/// Whether a test begins `ahead` tokens ahead: a verb with its operand.
fn begins_test(cursor: &Cursor<'_>, ahead: usize) -> bool {
    let is_value = |at: usize| {
        cursor.nth(at).is_some_and(|token| token.kind == Kind::Text) || matches!(cursor.text_at(at), "[" | "(")
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

/// Reports `allow ["ls", "pwd"]`.
fn list_of_commands(cursor: &mut Cursor<'_>, skip: usize) -> bool {
    let (Some(first), Some(opener), Some(last)) = (cursor.peek(), cursor.nth(skip), cursor.tokens.last().copied())
    else {
        return false;
    };
    let list = cursor.slice(opener, last);
    let is_text = skip > 1 && opener.kind == Kind::Text && opener.end == last.end;
    // A permission of the host is handled separately.
    if !(list.ends_with(']') || is_text) || list.contains(['\n', '(']) || list.chars().count() > SHOWN {
        return false;
    }
    let right = format!("{WHEN_ONLY_RUNS} {list}");
    let whole = cursor.span_of(first).to(cursor.span_of(last));
    let lines = format!("{right}\n  allow");
    let word = cursor.text_at(1);
    let mistake = Mistake::ConditionAndMessage { word, right: &right, effect: "allow" };
    cursor.mend_at(mistake, cursor.span_of(opener), whole, lines);
    cursor.stop();
    true
}

/// Reports `git.branch == "main"` and `runs "rm"` in place of a clause.
pub(super) fn as_clause(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let is_named = word.contains('.') || word.contains('_') || matches!(word, "path" | "content" | "url" | "domain");
    let is_compared = cursor.at_operator(1) && (is_named || words::OPERATORS.contains(&cursor.text_at(1)));
    if !begins_test(cursor, 0) && !is_compared {
        return false;
    }
    let (Some(first), Some(last)) = (cursor.peek(), cursor.tokens.last().copied()) else { return false };
    let condition = cursor.slice(first, last);
    let is_short = condition.chars().count() <= SHOWN && !condition.contains(['\n', '?']);
    let right = if is_short { format!("when {condition}") } else { format!("when {word} …") };
    cursor.report(Mistake::TestAsClause { right: &right }, cursor.span_of(first));
    cursor.stop();
    true
}

/// Reports `deny if a == 1`, and `deny when a == 1 with "No."`, moving the message along.
pub(super) fn in_effect(cursor: &mut Cursor<'_>, verb: &str) -> bool {
    let word = cursor.text_at(1);
    // `deny runs "rm"` has no keyword before its condition.
    let (ours, from) = match word {
        "if" | "where" | "when" => ("when", 2),
        "unless" | "except" => ("unless", 2),
        _ if begins_test(cursor, 1) => ("when", 1),
        "[" if verb == "allow" => return list_of_commands(cursor, 1),
        "only" | "just" | "commands" if verb == "allow" => return list_of_commands(cursor, 2),
        _ => return false,
    };
    let is_effect = matches!(verb, "deny" | "ask" | "halt" | "warn" | "context" | "allow");
    let on_one_line = |tokens: &[Token]| {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return false };
        !cursor.slice(*first, *last).contains('\n')
    };
    let (Some(first), Some(from), true, true) =
        (cursor.peek(), cursor.nth(from), is_effect, on_one_line(cursor.tokens))
    else {
        return false;
    };
    let behind = match cursor.tokens {
        [.., before, word, message]
            if message.kind == Kind::Text
                && before.end > from.start
                && matches!(word.text(cursor.source), "with" | "because" | "message" | "reason" | "saying" | ":") =>
        {
            Some((*before, *message))
        }
        // `deny runs "rm" "No."`
        [.., before, message]
            if message.kind == Kind::Text
                && before.end > from.start
                && (before.kind == Kind::Text || before.text(cursor.source) == "]") =>
        {
            Some((*before, *message))
        }
        _ => None,
    };
    let Some(last) = behind.map(|(before, _)| before).or(cursor.tokens.last().copied()) else { return false };
    let condition = cursor.slice(from, last);
    // The condition of an `allow` must hold for every command.
    let is_part = verb == "allow" && ours == "when" && condition.starts_with("runs ");
    let condition = &if is_part { format!("only {condition}") } else { condition.to_owned() };
    let shown = if condition.chars().count() > SHOWN { "…" } else { condition };
    let right = format!("{ours} {shown}");
    let span = cursor.nth(1).map_or(cursor.here(), |token| cursor.span_of(token));
    match behind {
        Some((_, message)) => {
            let message_text = message.text(cursor.source);
            let whole = cursor.span_of(first).to(cursor.span_of(message));
            let effect = if message_text.chars().count() > SHOWN {
                format!("{verb} \"…\"")
            } else {
                format!("{verb} {message_text}")
            };
            let lines = format!("{ours} {condition}\n  {verb} {message_text}");
            cursor.mend_at(Mistake::ConditionAndMessage { word, right: &right, effect: &effect }, span, whole, lines);
        }
        None if verb == "allow" => {
            let whole = cursor.span_of(first).to(cursor.span_of(last));
            let lines = format!("{ours} {condition}\n  {verb}");
            cursor.mend_at(Mistake::ConditionAndMessage { word, right: &right, effect: verb }, span, whole, lines);
        }
        None => cursor.report(Mistake::ConditionInEffect { word, verb, right: &right }, span),
    }
    cursor.stop();
    true
}
