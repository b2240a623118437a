//! Clauses in the notation of a host's answer, or in plain English, with the equivalent effect or example.

use super::ClauseCursor;
use crate::phrases;
use crate::span::Span;
use crate::syntax::language::draft;
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// The maximum length of a message in a help, in characters.
const SHOWN: usize = 50;

/// Reports a clause in another notation. Returns whether it is one; it has then been consumed.
pub(super) fn clause(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    word_before_effect(cursor, word)
        || negated_example(cursor)
        || match lower.as_str() {
            "permissiondecision" | "decision" | "action" | "effect" => decision(cursor, word),
            "continue" => stopped_agent(cursor, word),
            "updatedinput" | "updated_input" | "modifiedinput" => input(cursor, word),
            "replace" | "substitute" => replaced(cursor, word),
            "matcher" | "tool" | "tools" => matcher(cursor, word),
            _ => false,
        }
}

/// Returns the value of a clause, with or without a colon before it, without its quotes.
fn value<'a>(cursor: &ClauseCursor<'a>) -> Option<(&'a str, Token)> {
    let skip = 1 + usize::from(matches!(cursor.text_at(1), ":" | "=" | "=>"));
    let token = cursor.nth(skip)?;
    let is_last = cursor.nth(skip + 1).is_none_or(|next| next.text(cursor.source) == ",");
    let text = token.text(cursor.source).trim_matches(['"', '\'']);
    (is_last && matches!(token.kind, TokenKind::Word | TokenKind::Text)).then_some((text, token))
}

/// Reports `permissionDecision: deny` and `action: block`.
fn decision(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let Some((text, last)) = value(cursor) else { return false };
    let Some(effect) = draft::effect(text) else { return false };
    let span = cursor.here();
    match effect {
        "allow" => cursor.report_with_fix_at(
            SyntaxMistake::EffectElsewhere { word, right: effect },
            span,
            span.joined_with(cursor.span_of(last)),
            effect,
        ),
        effect => {
            let right = format!("{effect} \"…\"");
            cursor.report(SyntaxMistake::EffectElsewhere { word, right: &right }, span);
        }
    }
    cursor.stop();
    true
}

/// Reports `continue: false`.
fn stopped_agent(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let Some((text, last)) = value(cursor) else { return false };
    let span = cursor.here();
    match text {
        "false" | "False" => cursor.report(SyntaxMistake::EffectElsewhere { word, right: "halt \"…\"" }, span),
        "true" | "True" => cursor.report_with_fix_at(
            SyntaxMistake::SaysNothing { word },
            span,
            span.joined_with(cursor.span_of(last)),
            "",
        ),
        _ => return false,
    }
    cursor.stop();
    true
}

/// Reports `updatedInput { timeout: 5 }`.
fn input(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let skip = 1 + usize::from(matches!(cursor.text_at(1), ":" | "="));
    let (Some(key), Some(from), Some(close)) = (cursor.nth(skip + 1), cursor.nth(skip + 3), cursor.last()) else {
        return false;
    };
    let is_map = cursor.text_at(skip) == "{" && cursor.text_at(skip + 2) == ":" && close.text(cursor.source) == "}";
    let name = key.text(cursor.source).trim_matches(['"', '\'']);
    if !is_map || name.is_empty() {
        return false;
    }
    let value = cursor.source.get(from.start..close.start).unwrap_or_default().trim().trim_end_matches(',');
    let span = cursor.here();
    let is_one = !value.contains([',', '\n', '{', '[']);
    let first = value.split(',').next().unwrap_or_default();
    let right = forms::rewrite_of_member(name, first);
    let mistake = SyntaxMistake::EffectElsewhere { word, right: &right };
    match is_one {
        true => cursor.report_with_fix_at(mistake, span, span.joined_with(cursor.span_of(close)), &right),
        false => cursor.report(mistake, span),
    }
    cursor.stop();
    true
}

/// Reports `replace "npm" with "pnpm"`.
fn replaced(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let (Some(from), Some(to)) = (cursor.nth(1), cursor.nth(3)) else { return false };
    let joins = matches!(cursor.text_at(2), "with" | "by" | "to" | "into" | "->" | "=>");
    if !joins || from.kind != TokenKind::Text || to.kind != TokenKind::Text {
        return false;
    }
    let right = forms::rewrite_of_commands(from.text(cursor.source), to.text(cursor.source));
    let span = cursor.here();
    cursor.report_with_fix_at(
        SyntaxMistake::EffectElsewhere { word, right: &right },
        span,
        span.joined_with(cursor.span_of(to)),
        &right,
    );
    cursor.stop();
    true
}

/// Reports `matcher: "Bash|Edit"`.
fn matcher(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let Some((text, _)) = value(cursor) else { return false };
    let is_plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'|' | b'*'));
    if !is_plain || text.is_empty() {
        return false;
    }
    let right = forms::on_tools(text);
    cursor.report(SyntaxMistake::ToolAsClause { word, right: &right }, cursor.here());
    cursor.stop();
    true
}

/// Reports `then deny "No."` and `add context "…"`.
fn word_before_effect(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let is_effect = matches!(
        cursor.text_at(1),
        "deny" | "ask" | "allow" | "halt" | "context" | "warn" | "run" | "notify" | "record" | "rewrite"
    );
    if !is_effect || !phrases::says_nothing(&format!("{word} $effect")) || cursor.is_first_on_line_ahead(1) {
        return false;
    }
    let (span, effect) = (cursor.here(), cursor.text_at(1));
    let gap = cursor.nth(1).map_or(span, |next| Span { end: cursor.span_of(next).start, ..span });
    cursor.report_with_fix_at(SyntaxMistake::WordBeforeEffect { word, effect }, span, gap, "");
    cursor.at += 1;
    super::clause(cursor);
    true
}

/// Reports `does not fire on "a"` and `not fires on "a"`.
fn negated_example(cursor: &mut ClauseCursor<'_>) -> bool {
    let begins = |words: &[&str]| words.iter().enumerate().all(|(at, word)| cursor.text_at(at) == *word);
    const FORMS: [&[&str]; 9] = [
        &["does", "not", "fire"],
        &["does", "not", "match"],
        &["does", "not", "trigger"],
        &["should", "not", "fire"],
        &["must", "not", "fire"],
        &["not", "fires"],
        &["never", "fires"],
        &["no", "fire"],
        &["not", "fire"],
    ];
    let Some(form) = FORMS.iter().find(|form| begins(form)) else { return false };
    let span = cursor.here();
    let last = cursor.nth(form.len() - 1).map_or(span, |last| cursor.span_of(last));
    let written = cursor.written(span.joined_with(last));
    cursor.report_with_fix(SyntaxMistake::NegatedExample { written }, span.joined_with(last), "quiet");
    cursor.at += form.len();
    cursor.examples("quiet");
    true
}

impl ClauseCursor<'_> {
    /// Reports `fires when runs "a"`: an example needs a call.
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

/// Returns a help with the author's own message in place of `"…"`.
pub(super) fn with_message(cursor: &ClauseCursor<'_>, help: &str) -> String {
    let skip = 1 + usize::from(matches!(cursor.text_at(1), ":" | "=" | "=>"));
    let message = cursor.nth(skip).filter(|token| token.kind == TokenKind::Text).map(|token| token.text(cursor.source));
    match message.filter(|message| message.chars().count() <= SHOWN && !message.contains('\n')) {
        Some(message) => help.replacen("\"…\"", message, 1),
        None => help.to_owned(),
    }
}

/// Reports `run { command: "a", timeout: 5s }`: the command belongs before the braces.
pub(super) fn run_in_braces(cursor: &mut ClauseCursor<'_>) -> bool {
    let (Some(opener), Some(close)) = (cursor.peek(), cursor.last()) else { return false };
    if opener.text(cursor.source) != "{" || close.text(cursor.source) != "}" {
        return false;
    }
    let inner = cursor.tokens.get(cursor.at + 1..cursor.tokens.len().saturating_sub(1)).unwrap_or_default();
    let mut command = None;
    let mut rest: Vec<String> = Vec::new();
    for entry in inner.split(|token| token.text(cursor.source) == ",") {
        let (Some(key), Some(last)) = (entry.first().copied(), entry.last().copied()) else { continue };
        let is_command = matches!(
            key.text(cursor.source).trim_matches(['"', '\'']),
            "command" | "cmd" | "exec" | "script" | "run" | "program" | "shell"
        );
        match entry {
            [_, mark, text]
                if is_command && matches!(mark.text(cursor.source), ":" | "=") && text.kind == TokenKind::Text =>
            {
                command = Some(text.text(cursor.source));
            }
            [_, mark, number]
                if key.text(cursor.source) == "timeout"
                    && mark.text(cursor.source) == ":"
                    && number.text(cursor.source).bytes().all(|b| b.is_ascii_digit()) =>
            {
                rest.push(format!("timeout: {}s", number.text(cursor.source)));
            }
            _ => rest.push(cursor.slice(key, last).to_owned()),
        }
    }
    let Some(command) = command else { return false };
    let options = if rest.is_empty() { String::new() } else { format!(" {{ {} }}", rest.join(", ")) };
    let edit = format!("{command}{options}");
    let right = format!("run {edit}");
    let shown = if right.chars().count() > 2 * SHOWN { "run \"…\" { … }" } else { &right };
    let place = cursor.across(opener, close);
    cursor.report_with_fix_at(SyntaxMistake::RunInBraces { right: shown }, cursor.span_of(opener), place, edit);
    cursor.stop();
    true
}

/// Reports `context file "NOTES.md"` and `context read("NOTES.md")`: a command can print the file.
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

/// Reports `run "a" && "b"`: the commands belong in one text.
pub(super) fn several_runs(cursor: &mut ClauseCursor<'_>) {
    let before = cursor.back(1);
    let Some(first) = before.filter(|token| token.kind == TokenKind::Text && !cursor.stopped) else { return };
    let mut commands = vec![first.text(cursor.source).trim_matches(['"', '\''])];
    let (mut last, mut at) = (first, 0);
    while matches!(cursor.text_at(at), "&&" | "," | "and" | "then" | ";" | "+" | "&")
        && !cursor.is_first_on_line_ahead(at)
        && let Some(next) = cursor.nth(at + 1).filter(|next| next.kind == TokenKind::Text)
    {
        commands.push(next.text(cursor.source).trim_matches(['"', '\'']));
        last = next;
        at += 2;
    }
    if commands.len() < 2 || commands.iter().any(|command| command.contains(['"', '\''])) {
        return;
    }
    let edit = format!("\"{}\"", commands.join(" && "));
    let right = format!("run {edit}");
    let place = cursor.across(first, last);
    cursor.report_with_fix_at(SyntaxMistake::SeveralRuns { right: &right }, cursor.here(), place, edit);
    cursor.at += at;
}

/// Reports `warn "a" and deny "b"`: a second effect on the line, joined to the first.
pub(super) fn joined_effect(cursor: &mut ClauseCursor<'_>) -> bool {
    let is_joint = matches!(cursor.text(), "and" | "&&" | "then" | "+");
    let next = cursor.text_at(1);
    if !is_joint || !words::CLAUSES.contains(&next) || cursor.is_first_on_line_ahead(1) {
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
