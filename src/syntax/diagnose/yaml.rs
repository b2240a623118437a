//! Reports clauses in the notation of YAML: lists, block scalars.

use super::ClauseCursor;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// The maximum length of a clause that a help proposes, in characters.
const MAX_SHOWN_CHARS: usize = 100;

/// Reports a clause whose value is a YAML list or block scalar, and gives up on the rest. Returns whether it is one
/// that can be translated.
pub(super) fn clause(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let skip = 1 + usize::from(matches!(word, "fires" | "quiet" | "unknown") && cursor.text_at(1) == "on");
    let is_block = words::MESSAGE_EFFECTS.contains(&word)
        && word != "allow"
        && matches!(cursor.text_at(skip), "|" | ">")
        && cursor.nth(skip + 1).is_some();
    let is_list =
        matches!(word, "on" | "when" | "unless") && cursor.text_at(skip) == "-" && cursor.first_on_line_ahead(skip);
    // A list or block scalar is also recognised without the colon before it.
    let skip = match (cursor.text_at(skip), is_block || is_list) {
        (":", _) => skip,
        (_, true) => skip - 1,
        _ => return false,
    };
    let (Some(first), Some(last)) = (cursor.peek(), cursor.last()) else { return false };
    let span = cursor.across(first, last);
    let values = cursor.tokens.get(skip + 1..).unwrap_or_default();
    let next = cursor.text_at(skip + 1);
    let right = right_form(cursor, word, next, values);
    let Some(right) = right.filter(|right| right.chars().count() <= MAX_SHOWN_CHARS) else { return false };
    let first_line = cursor.span_of(first).joined_with(cursor.nth(skip).map_or(span, |colon| cursor.span_of(colon)));
    match word {
        "on" if next == "-" => {
            let right = format!("on {right}");
            cursor.report_with_fix_at(SyntaxMistake::EventsAsList { right: &right }, first_line, span, &right);
        }
        "on" => cursor.report_with_fix_at(
            SyntaxMistake::BracketedEvents { right: &right },
            first_line,
            span,
            format!("on {right}"),
        ),
        "when" | "unless" => {
            cursor.report_with_fix_at(SyntaxMistake::TestsAsList { right: &right }, first_line, span, &right)
        }
        "fires" | "quiet" => {
            cursor.report_with_fix_at(SyntaxMistake::ExamplesAsList { right: &right }, first_line, span, &right)
        }
        _ => cursor.report_with_fix_at(SyntaxMistake::MessageAsBlock { right: &right }, first_line, span, &right),
    }
    cursor.stop();
    true
}

/// Returns the clause in the syntax of policies, or only the events of an `on`. `next` is the first token of the
/// value. `None` if it cannot be translated.
fn right_form(cursor: &ClauseCursor<'_>, word: &str, next: &str, values: &[Token]) -> Option<String> {
    match word {
        "fires" | "quiet" if matches!(next, "-" | "[") => {
            let texts = plain_elements(cursor, values, TokenKind::Text);
            texts.map(|texts| format!("{word} on {texts}"))
        }
        "on" if matches!(next, "-" | "[") => plain_elements(cursor, values, TokenKind::Word),
        "when" | "unless" if next == "-" => joined_tests(cursor, word, values),
        "deny" | "ask" | "warn" | "context" | "halt" if matches!(next, "|" | ">") => {
            let text = values.get(1).zip(cursor.last()).map_or("", |(first, last)| cursor.slice(*first, last));
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(format!("{word} \"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
        }
        _ => None,
    }
}

/// Returns the elements of a list, separated by commas; `None` if one of them is not a token of the given kind.
fn plain_elements(cursor: &ClauseCursor<'_>, tokens: &[Token], kind: TokenKind) -> Option<String> {
    let mut elements = Vec::new();
    for token in tokens {
        match token.text(cursor.source) {
            "-" | "[" | "]" | "," => {}
            text if token.kind == kind => elements.push(text),
            _ => return None,
        }
    }
    (!elements.is_empty()).then(|| elements.join(", "))
}

/// Returns a clause with the tests of a list joined by `and`. Several tests of commands become one `runs` with a list
/// of patterns.
fn joined_tests(cursor: &ClauseCursor<'_>, word: &str, tokens: &[Token]) -> Option<String> {
    let mut tests: Vec<&str> = Vec::new();
    let mut from: Option<Token> = None;
    let mut last: Option<Token> = None;
    for token in tokens {
        let begins = token.text(cursor.source) == "-" && last.is_none_or(|last| !same_line(cursor, last, *token));
        if begins {
            tests.extend(from.zip(last).map(|(from, last)| cursor.slice(from, last)));
            from = None;
        } else if from.is_none() {
            from = Some(*token);
        }
        last = Some(*token);
    }
    tests.extend(from.zip(last).map(|(from, last)| cursor.slice(from, last)));
    let patterns: Option<Vec<&str>> =
        tests.iter().map(|test| test.strip_prefix("runs ").filter(|text| text.ends_with(['"', '\'']))).collect();
    match patterns.filter(|patterns| patterns.len() > 1) {
        Some(patterns) => Some(format!("{word} runs [{}]", patterns.join(", "))),
        None => (!tests.is_empty()).then(|| format!("{word} {}", tests.join(" and "))),
    }
}

/// Whether two tokens are on the same line.
fn same_line(cursor: &ClauseCursor<'_>, before: Token, token: Token) -> bool {
    !cursor.source.get(before.end..token.start).unwrap_or_default().contains('\n')
}
