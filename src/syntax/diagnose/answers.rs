//! Reports clauses in the notation of a host's answer (`permissionDecision: deny`) or in plain English, with the
//! equivalent effect or example.

use super::ClauseCursor;
use super::translate::foreign_clause;
use crate::phrases;
use crate::span::Span;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::TokenKind;
use crate::syntax::words;

/// The maximum length of a message that a help quotes, in characters.
const MAX_SHOWN_CHARS: usize = 50;

/// Reports a clause in another notation. Returns whether it is one.
pub(super) fn clause(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    word_before_effect(cursor, word) || clause_of_phrasebook(cursor, word)
}

/// Reports a whole clause of another language that is in the phrasebook. Returns whether it is one.
fn clause_of_phrasebook(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let (at, span) = (cursor.at, cursor.here());
    let Some(found) = foreign_clause(cursor) else {
        cursor.at = at;
        return false;
    };
    let mistake = SyntaxMistake::ClauseElsewhere { word, label: found.label, help: &found.help };
    let last = cursor.back(1).map_or(span, |last| cursor.span_of(last));
    match found.right.filter(|right| !right.contains('…')) {
        Some(right) => cursor.report_with_fix_at(mistake, span, span.joined_with(last), right),
        None => cursor.report(mistake, span),
    }
    cursor.stop();
    true
}

/// Reports a superfluous word before an effect, as in `then deny "No."` and `add context "…"`, and reads the effect.
/// Returns whether there was one.
fn word_before_effect(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let next = cursor.text_at(1);
    let is_effect = words::MESSAGE_EFFECTS.contains(&next) || matches!(next, "run" | "notify" | "record" | "rewrite");
    if !is_effect || !phrases::says_nothing(&format!("{word} $effect")) || cursor.first_on_line_ahead(1) {
        return false;
    }
    let (span, effect) = (cursor.here(), cursor.text_at(1));
    let gap = cursor.nth(1).map_or(span, |next| Span { end: cursor.span_of(next).start, ..span });
    cursor.report_with_fix_at(SyntaxMistake::WordBeforeEffect { word, effect }, span, gap, "");
    cursor.at += 1;
    super::clause(cursor);
    true
}

impl ClauseCursor<'_> {
    /// Reports `fires when runs "a"`: an example needs a call. `claim` is the first keyword. Returns true.
    pub(super) fn firing_condition(&mut self, claim: &str) -> bool {
        let word = self.text();
        let skip = 1 + usize::from(self.text_at(1) == "runs");
        let call = self.nth(skip).filter(|call| call.kind == TokenKind::Text);
        let right = match call {
            Some(call) => format!("{claim} on {}", call.text(self.source)),
            None => format!("{claim} on \"…\""),
        };
        let span = self.here();
        match call.filter(|_| self.nth(skip + 1).is_none()) {
            Some(call) => {
                let edit = format!("on {}", call.text(self.source));
                let place = span.joined_with(self.span_of(call));
                self.report_with_fix_at(SyntaxMistake::FiringCondition { word, right: &right }, span, place, edit);
            }
            None => self.report(SyntaxMistake::FiringCondition { word, right: &right }, span),
        }
        self.stop();
        true
    }
}

/// Returns `help` with its `"…"` replaced by the message after the next token, as in `reason: "No."`. Returns it
/// unchanged if there is no message, or a long one.
pub(super) fn with_message(cursor: &ClauseCursor<'_>, help: &str) -> String {
    let skip = 1 + usize::from(matches!(cursor.text_at(1), ":" | "=" | "=>"));
    let message = cursor.nth(skip).filter(|token| token.kind == TokenKind::Text).map(|token| token.text(cursor.source));
    match message.filter(|message| message.chars().count() <= MAX_SHOWN_CHARS && !message.contains('\n')) {
        Some(message) => help.replacen("\"…\"", message, 1),
        None => help.to_owned(),
    }
}

/// Reports `run { command: "a", timeout: 5s }`: the command belongs before the braces. Returns whether there was one.
pub(super) fn run_in_braces(cursor: &mut ClauseCursor<'_>) -> bool {
    let (Some(opener), Some(close)) = (cursor.peek(), cursor.last()) else { return false };
    if opener.text(cursor.source) != "{" || close.text(cursor.source) != "}" {
        return false;
    }
    let inner = cursor.tokens.get(cursor.at + 1..cursor.tokens.len().saturating_sub(1)).unwrap_or_default();
    let mut command = None;
    let mut other_entries: Vec<String> = Vec::new();
    for entry in inner.split(|token| token.text(cursor.source) == ",") {
        let (Some(key), Some(last)) = (entry.first().copied(), entry.last().copied()) else { continue };
        let is_command = matches!(
            key.text(cursor.source).trim_matches(['"', '\'']),
            "command" | "cmd" | "exec" | "script" | "run" | "program" | "shell"
        );
        match entry {
            [_, separator, text]
                if is_command && matches!(separator.text(cursor.source), ":" | "=") && text.kind == TokenKind::Text =>
            {
                command = Some(text.text(cursor.source));
            }
            [_, separator, number]
                if key.text(cursor.source) == "timeout"
                    && separator.text(cursor.source) == ":"
                    && number.text(cursor.source).bytes().all(|b| b.is_ascii_digit()) =>
            {
                other_entries.push(format!("timeout: {}s", number.text(cursor.source)));
            }
            _ => other_entries.push(cursor.slice(key, last).to_owned()),
        }
    }
    let Some(command) = command else { return false };
    let options = if other_entries.is_empty() { String::new() } else { format!(" {{ {} }}", other_entries.join(", ")) };
    let edit = format!("{command}{options}");
    let right = format!("run {edit}");
    let shown = if right.chars().count() > 2 * MAX_SHOWN_CHARS { "run \"…\" { … }" } else { &right };
    let place = cursor.across(opener, close);
    cursor.report_with_fix_at(SyntaxMistake::RunInBraces { right: shown }, cursor.span_of(opener), place, edit);
    cursor.stop();
    true
}

/// Reports `context file "NOTES.md"` and `context read("NOTES.md")`, and proposes a command that prints the file.
/// Returns whether there was one.
pub(super) fn file_as_message(cursor: &mut ClauseCursor<'_>, verb: &str) -> bool {
    let is_file = matches!(cursor.text(), "file" | "read" | "readFile" | "read_file" | "cat" | "include" | "load");
    let brackets = usize::from(cursor.text_at(1) == "(");
    let (Some(first), Some(file)) = (cursor.peek(), cursor.nth(1 + brackets)) else { return false };
    let inner = file.text(cursor.source).trim_matches(['"', '\'']);
    let is_whole = cursor.nth(2 + 2 * brackets).is_none();
    let is_plain = !inner.contains([' ', '"', '\'', '$', '{']) && !inner.is_empty();
    if !is_file || verb != "context" || file.kind != TokenKind::Text || !is_whole || !is_plain {
        return false;
    }
    let right = format!("run \"cat {inner}\" {{ output: context }}");
    let before = cursor.back(1).unwrap_or(first);
    let last = cursor.last().unwrap_or(file);
    let place = cursor.across(before, last);
    cursor.report_with_fix_at(SyntaxMistake::FileAsMessage { right: &right }, cursor.span_of(first), place, &right);
    cursor.stop();
    true
}

/// Reports `run "a" && "b"`: the commands belong in one string. The cursor is after the first string.
pub(super) fn several_runs(cursor: &mut ClauseCursor<'_>) {
    let before = cursor.back(1);
    let Some(first) = before.filter(|token| token.kind == TokenKind::Text && !cursor.stopped) else { return };
    let mut commands = vec![first.text(cursor.source).trim_matches(['"', '\''])];
    let (mut last, mut ahead) = (first, 0);
    while matches!(cursor.text_at(ahead), "&&" | "," | "and" | "then" | ";" | "+" | "&")
        && !cursor.first_on_line_ahead(ahead)
        && let Some(next) = cursor.nth(ahead + 1).filter(|next| next.kind == TokenKind::Text)
    {
        commands.push(next.text(cursor.source).trim_matches(['"', '\'']));
        last = next;
        ahead += 2;
    }
    if commands.len() < 2 || commands.iter().any(|command| command.contains(['"', '\''])) {
        return;
    }
    let edit = format!("\"{}\"", commands.join(" && "));
    let right = format!("run {edit}");
    let place = cursor.across(first, last);
    cursor.report_with_fix_at(SyntaxMistake::SeveralRuns { right: &right }, cursor.here(), place, edit);
    cursor.at += ahead;
}

/// Reports a second effect that is joined to the first on the same line: `warn "a" and deny "b"`. Returns whether
/// there was one.
pub(super) fn joined_effect(cursor: &mut ClauseCursor<'_>) -> bool {
    let is_joint = matches!(cursor.text(), "and" | "&&" | "then" | "+");
    let next = cursor.text_at(1);
    if !is_joint || !words::CLAUSES.contains(&next) || cursor.first_on_line_ahead(1) {
        return false;
    }
    let gap = cursor
        .nth(1)
        .map_or(cursor.here(), |next| Span { end: cursor.span_of(next).start, ..cursor.end_of_previous() });
    let span = cursor.nth(1).map_or(cursor.here(), |next| cursor.span_of(next));
    cursor.report_with_fix_at(SyntaxMistake::TwoClauses { word: next }, span, gap, "\n  ");
    cursor.split = Some(cursor.at + 1);
    cursor.stop();
    true
}
