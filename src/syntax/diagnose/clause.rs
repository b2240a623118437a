//! Diagnoses a clause: determines its kind by its first word, and reads the rest.

use pest::Parser;

use super::ClauseCursor;
use super::condition::ConditionContext;
use super::{answers, displaced, yaml};
use crate::diagnostic::nearest_name;
use crate::phrases::{self, PhrasePlace};
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::mistakes::{CompletePart, OPTIONS, RequiredString, SyntaxMistake};
use crate::syntax::quantity::quantity_with_unit;
use crate::syntax::token::TokenKind;
use crate::syntax::words;

/// Diagnoses a clause of a rule.
pub(in crate::syntax) fn clause(cursor: &mut ClauseCursor<'_>) {
    let Some(first) = cursor.peek() else { return };
    let span = cursor.span_of(first);
    let word = first.text(cursor.source);
    if first.kind != TokenKind::Word {
        return not_a_word(cursor);
    }
    if words::CLAUSES.contains(&word) {
        if yaml::clause(cursor, word) || displaced::in_effect(cursor, word) {
            return;
        }
        colon(cursor, word);
        cursor.at += 1;
        return body(cursor, word);
    }
    if option(cursor, word)
        || displaced::as_clause(cursor, word)
        || variable(cursor, word)
        || answers::clause(cursor, word)
        || of_another_language(cursor, word)
    {
        return;
    }
    if let Some(item) = words::ITEMS.iter().find(|item| **item == word) {
        cursor.report(SyntaxMistake::ItemInRule { item }, span);
        return cursor.stop();
    }
    let Some(near) = nearest_name(word, words::CLAUSES.iter().copied()) else {
        cursor.report(SyntaxMistake::UnknownClause { word }, span);
        return cursor.stop();
    };
    cursor.report_with_fix(SyntaxMistake::UnknownClauseNear { word, near }, span, near);
    colon(cursor, near);
    cursor.at += 1;
    body(cursor, near);
}

/// Reports a word of the phrasebook in place of a clause's keyword, and reads the rest of the clause as the keyword
/// that was meant. Returns whether there was one.
fn of_another_language(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let span = cursor.here();
    let lower = word.to_ascii_lowercase();
    // In `for 5m`, `for` does not begin a loop: the number is a duration for which something has been the case.
    let is_duration = lower == "for" && cursor.nth(1).is_some_and(|next| next.kind == TokenKind::Number);
    let keyword = phrases::find_phrase(PhrasePlace::Keyword, if is_duration { "within" } else { &lower });
    // Phrases of up to three words: `does not fire`.
    let phrase_of = |length: usize| {
        let words: Vec<&str> = (0..length).map(|at| cursor.text_at(at)).collect();
        phrases::find_phrase(PhrasePlace::Clause, &words.join(" ")).map(|row| (row, length))
    };
    let phrase = keyword.map(|row| (row, 1)).or_else(|| (1..=3).rev().find_map(phrase_of));
    let Some((row, length)) = phrase else { return false };
    let span = cursor.nth(length - 1).map_or(span, |last| span.joined_with(cursor.span_of(last)));
    let word = cursor.written(span);
    let help = &answers::with_message(cursor, row.help);
    if statement(cursor, word, row.means) {
        return true;
    }
    let mistake = match keyword {
        Some(_) => SyntaxMistake::ForeignWord { word, help },
        None => SyntaxMistake::NotAClauseWord { word, help },
    };
    // A colon is replaced together with the word: `condition: a == 1`.
    let colon = cursor.nth(length).filter(|colon| colon.text(cursor.source) == ":");
    let place = colon.map_or(span, |colon| span.joined_with(cursor.span_of(colon)));
    // A word such as `end` can be removed only if it is alone; more text on the line must be kept.
    let is_alone = cursor.tokens.len() == 1 && ENDS.contains(&lower.as_str());
    match row.means {
        "" if is_alone => cursor.report_with_fix(mistake, span, ""),
        "" => cursor.report(mistake, span),
        keyword => cursor.report_with_fix_at(mistake, span, place, keyword),
    }
    cursor.at += length;
    cursor.at += usize::from(cursor.text() == ":");
    match row.means {
        "" => cursor.stop(),
        keyword => body(cursor, keyword),
    }
    true
}

/// The words that end a block in other languages.
pub(in crate::syntax) const ENDS: [&str; 6] = ["end", "endif", "endrule", "fi", "done", "esac"];

/// Reports a `:`, `=` or `=>` after the keyword, as in `when: …`, and skips one token. `word` is the keyword.
fn colon(cursor: &mut ClauseCursor<'_>, word: &str) {
    let Some(colon) = cursor.nth(1).filter(|next| matches!(next.text(cursor.source), ":" | "=" | "=>")) else { return };
    let mark = colon.text(cursor.source);
    let span = cursor.span_of(colon);
    let rest = cursor.nth(2).zip(cursor.last()).map_or("", |(from, last)| cursor.slice(from, last));
    let whole = format!("{word} {rest}");
    let is_valid = whole.chars().count() <= 60 && Grammar::parse(Rule::lone_clause, &whole).is_ok();
    let right = if is_valid { whole } else { format!("{word} …") };
    cursor.report_with_fix(SyntaxMistake::ClauseMark { mark, word, right: &right }, span, "");
    // The caller skips the keyword; this skips the colon.
    cursor.at += 1;
}

/// Reports a statement with a block, `if a == 1 {`, and reads its condition. `word` is `if`, and `keyword` the clause
/// that it means. The `}` is in a later clause. Returns whether it is one.
fn statement(cursor: &mut ClauseCursor<'_>, word: &str, keyword: &str) -> bool {
    let (Some(first), Some(last)) = (cursor.peek(), cursor.last()) else { return false };
    let inner = cursor.tokens.get(cursor.at + 1..cursor.tokens.len().saturating_sub(1)).unwrap_or_default();
    let Some((from, to)) = inner.first().copied().zip(inner.last().copied()) else { return false };
    if last.text(cursor.source) != "{" || keyword != "when" || to.text(cursor.source) == "{" {
        return false;
    }
    let condition = cursor.slice(from, to);
    let bare = condition.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let bare = bare.filter(|text| !text.contains(['(', ')'])).unwrap_or(condition);
    let right = format!("{keyword} {bare}");
    let span = cursor.span_of(first);
    cursor.report(SyntaxMistake::BlockStatement { word, right: &right }, span);
    cursor.opens_block = true;
    cursor.at += 1;
    cursor.tokens = cursor.tokens.get(..cursor.tokens.len().saturating_sub(1)).unwrap_or_default();
    whole_condition(cursor);
    cursor.stop();
    true
}

/// Reports an option of an effect that is written as a clause: `timeout: 30`. Returns whether it is one.
fn option(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let Some((_, effect)) = OPTIONS.iter().find(|(option, _)| *option == word) else { return false };
    // `output "…"` is not the option: other systems call a message so.
    let text = cursor.nth(1 + usize::from(cursor.text_at(1) == ":"));
    if word == "output" && text.is_some_and(|text| text.kind == TokenKind::Text) {
        return false;
    }
    let Some((right, _)) = braced_option(cursor, 0) else { return false };
    let span = cursor.here();
    let right = format!("{effect} {right}");
    cursor.report(SyntaxMistake::OptionAsClause { word, right: &right }, span);
    cursor.stop();
    true
}

/// Returns an option, `from` tokens ahead, with its value in the form for braces (`{ timeout: 30s }`), and the
/// distance of the value's last token; `None` if there is no value.
fn braced_option(cursor: &ClauseCursor<'_>, from: usize) -> Option<(String, usize)> {
    let separator_count = usize::from(matches!(cursor.text_at(from + 1), ":" | "=" | "=>"));
    let value_ahead = from + 1 + separator_count;
    let value = cursor.nth(value_ahead)?;
    if !matches!(value.kind, TokenKind::Word | TokenKind::Number | TokenKind::Text) {
        return None;
    }
    let (name, value) = (cursor.text_at(from), value.text(cursor.source));
    // A value in words: `5 minutes`, `"5 minutes"`
    if let Some(right) = cursor.spaced_quantity(value_ahead) {
        return Some((format!("{{ {name}: {right} }}"), value_ahead + 1));
    }
    if let Some(right) = quantity_with_unit(value.trim_matches(['"', '\''])).filter(|_| name == "timeout") {
        return Some((format!("{{ {name}: {right} }}"), value_ahead));
    }
    // A number without a unit is a number of seconds in most other systems.
    let unit = if name == "timeout" && value.bytes().all(|b| b.is_ascii_digit()) { "s" } else { "" };
    Some((format!("{{ {name}: {value}{unit} }}"), value_ahead))
}

/// Reports `cmd := tool_input.command`: a rule has no variables. Returns whether there was one.
fn variable(cursor: &mut ClauseCursor<'_>, word: &str) -> bool {
    let assigned = match cursor.text_at(1) {
        ":=" => true,
        "=" => !words::CLAUSES.contains(&word),
        _ => false,
    };
    let (Some(first), Some(last)) = (cursor.nth(2), cursor.last()) else { return false };
    if !assigned || first.kind != TokenKind::Word {
        return false;
    }
    let right = cursor.slice(first, last);
    if right.contains('\n') || right.len() > 40 {
        return false;
    }
    cursor.report(SyntaxMistake::VariableInRule { word, right }, cursor.here());
    cursor.names.extend(cursor.peek().map(|token| (word.to_owned(), cursor.span_of(token))));
    cursor.stop();
    true
}

/// Reports a token that is no word where the keyword of a clause is expected.
fn not_a_word(cursor: &mut ClauseCursor<'_>) {
    let span = cursor.here();
    match cursor.text() {
        "@" => cursor.report(SyntaxMistake::AnnotationInRule {}, span),
        "}" | ")" | "]" => return cursor.report_rest(CompletePart::Clauses),
        "-" if cursor.nth(1).is_some_and(|next| next.kind == TokenKind::Word) => {
            cursor.report_with_fix(SyntaxMistake::DashBeforeClause {}, span, "");
        }
        "{" => cursor.report(SyntaxMistake::BlockInRule {}, span),
        _ if cursor.report_malformed_token() => {}
        _ if cursor.kind() == Some(TokenKind::Text) && is_at_head(cursor) => {
            cursor.report(SyntaxMistake::Docstring {}, span)
        }
        _ if cursor.kind() == Some(TokenKind::Text) => cursor.report(SyntaxMistake::StringInRule {}, span),
        _ => {
            let found = cursor.describe();
            cursor.report(SyntaxMistake::NotAClause { found: &found }, span);
        }
    }
    cursor.stop();
}

/// Whether the next token is the first one after the `{` of a rule, and not the only one.
fn is_at_head(cursor: &ClauseCursor<'_>) -> bool {
    let Some(token) = cursor.peek() else { return false };
    let before = cursor.source.get(..token.start).unwrap_or_default().trim_end();
    let after = cursor.source.get(token.end..).unwrap_or_default().trim_start();
    before.ends_with('{') && !after.starts_with('}')
}

/// Reads the rest of a clause after its keyword.
fn body(cursor: &mut ClauseCursor<'_>, word: &str) {
    let complete = match word {
        "on" => {
            cursor.heads();
            CompletePart::Events
        }
        "by" => {
            compared_agent(cursor);
            if !cursor.stopped {
                cursor.selectors("by");
            }
            CompletePart::Agents
        }
        "when" | "unless" => {
            whole_condition(cursor);
            CompletePart::Condition
        }
        "unknown" if cursor.text() == "on" => {
            cursor.examples(word);
            CompletePart::Examples
        }
        "unknown" => {
            unknown_vote(cursor);
            CompletePart::Vote
        }
        "fires" | "quiet" => {
            cursor.examples(word);
            CompletePart::Examples
        }
        _ => {
            cursor.effect(word);
            CompletePart::Effect
        }
    };
    end(cursor, complete);
}

/// Reports a comparison after `by`: `by != main`, `by agent == "reviewer"`.
fn compared_agent(cursor: &mut ClauseCursor<'_>) {
    if bracketed_agents(cursor) {
        return;
    }
    let skip = usize::from(cursor.kind() == Some(TokenKind::Word));
    let operator = cursor.text_at(skip);
    // `Agent::"reviewer"`
    let typed = if cursor.text_at(skip + 2) == "::" { 2 } else { 0 };
    let (Some(first), Some(value)) = (cursor.peek(), cursor.nth(skip + 1 + typed)) else { return };
    if !matches!(operator, "==" | "!=" | "=" | "is") || !matches!(value.kind, TokenKind::Word | TokenKind::Text) {
        return;
    }
    let not = if operator == "!=" { "!" } else { "" };
    let name = format!("{not}{}", value.text(cursor.source).trim_matches(['"', '\'']));
    let right = format!("by {name}");
    let place = cursor.across(first, value);
    cursor.report_with_fix(SyntaxMistake::ComparedAgent { right: &right }, place, name);
    cursor.at += skip + 1 + typed;
}

/// Reports a list after `by`: `by [coder, tester]`. Returns whether there was one.
fn bracketed_agents(cursor: &mut ClauseCursor<'_>) -> bool {
    let Some(opener) = cursor.peek().filter(|opener| opener.text(cursor.source) == "[") else { return false };
    let Some(inside) = cursor.inside(cursor.at) else { return false };
    let names: Vec<&str> = inside.parts.into_iter().filter(|name| !name.is_empty()).collect();
    if names.is_empty() || inside.close.text(cursor.source) != "]" {
        return false;
    }
    let agents = names.join("|");
    let right = format!("by {agents}");
    let place = cursor.across(opener, inside.close);
    cursor.report_with_fix(SyntaxMistake::BracketedAgents { right: &right }, place, agents);
    cursor.at += inside.length;
    cursor.stop();
    true
}

/// Reads a condition that extends to the end of the piece, and reports words and marks after it (`then`, `{`, `:`).
pub(super) fn whole_condition(cursor: &mut ClauseCursor<'_>) {
    cursor.condition(ConditionContext::Anywhere);
    let word = cursor.text();
    if !cursor.is_done() && matches!(word, "then" | "do") {
        let span = cursor.here();
        cursor.report_with_fix(SyntaxMistake::WordAfterCondition { word }, span, "\n ");
        cursor.at += 1;
        cursor.split = Some(cursor.at).filter(|at| *at < cursor.tokens.len());
        cursor.stop();
    } else if !cursor.is_done() && word == ";" && matches!(cursor.text_at(1), "then" | "do") {
        // A shell statement: `if a == 1; then`
        let word = cursor.text_at(1);
        let whole = cursor.nth(1).map_or(cursor.here(), |then| cursor.here().joined_with(cursor.span_of(then)));
        let right = if cursor.nth(2).is_some() { "\n " } else { "" };
        cursor.report_with_fix(SyntaxMistake::WordAfterCondition { word }, whole, right);
        cursor.at += 2;
        cursor.split = Some(cursor.at).filter(|at| *at < cursor.tokens.len());
        cursor.stop();
    } else if !cursor.is_done() && word == "{" {
        cursor.report(SyntaxMistake::BlockAfterCondition {}, cursor.here());
        cursor.opens_block = true;
        cursor.stop();
    } else if !cursor.is_done() && matches!(word, ":" | "=>" | "->" | "?") {
        match cursor.nth(1) {
            None if word == ":" => cursor.report_with_fix(SyntaxMistake::ColonAfterCondition {}, cursor.here(), ""),
            None => cursor.report_with_fix(SyntaxMistake::BodyAfterCondition { word }, cursor.here(), ""),
            Some(_) if word == "?" => cursor.report(SyntaxMistake::TernaryTest {}, cursor.here()),
            Some(_) => cursor.report(SyntaxMistake::BodyAfterCondition { word }, cursor.here()),
        }
        cursor.stop();
    }
}

/// Reads the vote after `unknown`, or reports that it is missing.
fn unknown_vote(cursor: &mut ClauseCursor<'_>) {
    if cursor.kind() == Some(TokenKind::Word) {
        cursor.at += 1;
        return;
    }
    let place = cursor.end_of_previous();
    cursor.report(SyntaxMistake::UnknownWithoutVote {}, place);
    cursor.stop();
}

/// Reads the end of a clause. A second clause on the same line is reported, and is left to the caller as `split`.
fn end(cursor: &mut ClauseCursor<'_>, complete: CompletePart) {
    if cursor.is_done() {
        return;
    }
    let place = cursor.end_of_previous();
    if cursor.text() == "," && (cursor.nth(1).is_none() || words::CLAUSES.contains(&cursor.text_at(1))) {
        let span = cursor.here();
        cursor.report_with_fix(SyntaxMistake::TrailingComma { after: complete.name() }, span, "");
        cursor.at += 1;
        if cursor.is_done() {
            return;
        }
    }
    if condition_after_effect(cursor, complete) || option_after_effect(cursor, complete) {
        return;
    }
    if matches!(complete, CompletePart::Effect) && answers::joined_effect(cursor) {
        return;
    }
    let semicolon = cursor.text() == ";" && words::CLAUSES.contains(&cursor.text_at(1));
    cursor.at += usize::from(semicolon);
    if cursor.kind() == Some(TokenKind::Word) && words::CLAUSES.contains(&cursor.text()) || cursor.at_key() {
        if !cursor.first_on_line() {
            let span = cursor.here();
            let gap = crate::span::Span { end: span.start, ..place };
            cursor.report_with_fix_at(SyntaxMistake::TwoClauses { word: cursor.text() }, span, gap, "\n  ");
        }
        cursor.split = Some(cursor.at);
        return cursor.stop();
    }
    cursor.report_rest(complete);
}

/// Reports a condition after an effect, `deny "No." if a == 1`, and reads the condition. Returns whether there was
/// one.
fn condition_after_effect(cursor: &mut ClauseCursor<'_>, complete: CompletePart) -> bool {
    let word = cursor.text();
    let keyword = match word {
        "if" | "where" => "when",
        "except" => "unless",
        _ => return false,
    };
    if !matches!(complete, CompletePart::Effect) || cursor.first_on_line() {
        return false;
    }
    let (span, place) = (cursor.here(), cursor.end_of_previous());
    cursor.at += 1;
    let rest = cursor.peek().zip(cursor.last()).map_or("", |(from, last)| cursor.slice(from, last));
    let rest = if rest.is_empty() || rest.len() > 50 || rest.contains('\n') { "…" } else { rest };
    let right = format!("{keyword} {rest}");
    cursor.report_with_fix_at(
        SyntaxMistake::ConditionBehind { word, right: &right },
        span,
        place.joined_with(span),
        format!("\n  {keyword}"),
    );
    body(cursor, keyword);
    true
}

/// Reports an option outside the braces of an effect: `run "a" timeout 5s`, `run "a" { timeout: 5s } stdin: none`.
/// Returns whether there was one.
fn option_after_effect(cursor: &mut ClauseCursor<'_>, complete: CompletePart) -> bool {
    let skip = usize::from(matches!(cursor.text(), "," | "with"));
    let word = cursor.text_at(skip);
    let is_option = OPTIONS.iter().any(|(option, _)| *option == word);
    let is_word = cursor.nth(skip).is_some_and(|token| token.kind == TokenKind::Word);
    let looks_like_option = is_word && matches!(cursor.text_at(skip + 1), "=" | ":");
    if !matches!(complete, CompletePart::Effect) || !(is_option || looks_like_option) || cursor.first_on_line() {
        return false;
    }
    let span = cursor.here();
    if !is_option {
        let near = phrases::meaning(PhrasePlace::EffectOption, word)
            .or_else(|| nearest_name(word, OPTIONS.iter().map(|(option, _)| *option)));
        let mistake =
            near.map_or(SyntaxMistake::NotAnOption { word }, |near| SyntaxMistake::NoSuchOption { word, near });
        cursor.report(mistake, span);
        cursor.stop();
        return true;
    }
    let Some((right, last_ahead)) = braced_option(cursor, skip) else { return false };
    let last = cursor.nth(last_ahead);
    let span = last.map_or(span, |last| span.joined_with(cursor.span_of(last)));
    let previous = cursor.back(1);
    let close = previous.filter(|before| before.text(cursor.source) == "}");
    if let Some(close) = close {
        let right = right.trim_start_matches("{ ").trim_end_matches(" }");
        let mistake = SyntaxMistake::OptionBehindBraces { word, right };
        let place = cursor.span_of(close).joined_with(span);
        let has_empty_braces =
            cursor.tokens.get(cursor.at.saturating_sub(2)).is_some_and(|open| open.text(cursor.source) == "{");
        let comma = if has_empty_braces { "" } else { "," };
        match cursor.nth(last_ahead + 1) {
            None => {
                // The space before the brace is replaced too.
                let before = cursor.source.get(..close.start).map_or(close.start, |text| text.trim_end().len());
                let place = crate::span::Span { start: u32::try_from(before).unwrap_or(place.start), ..place };
                cursor.report_with_fix_at(mistake, span, place, format!("{comma} {right} }}"));
            }
            Some(_) => cursor.report(mistake, span),
        }
        cursor.stop();
        return true;
    }
    match cursor.nth(last_ahead + 1) {
        None => cursor.report_with_fix(SyntaxMistake::OptionWithoutBraces { word, right: &right }, span, &right),
        Some(_) => cursor.report(SyntaxMistake::OptionWithoutBraces { word, right: &right }, span),
    }
    cursor.stop();
    true
}

/// Diagnoses an example that is the whole text.
pub(in crate::syntax) fn example(cursor: &mut ClauseCursor<'_>) {
    cursor.example("on");
    cursor.report_rest(CompletePart::Example);
}

/// Diagnoses a `given`, `then` or `wait` line of a test.
pub(in crate::syntax) fn given(cursor: &mut ClauseCursor<'_>) {
    let word = cursor.text();
    cursor.at += 1;
    if word == "wait" {
        cursor.value(word);
    } else {
        cursor.number_of_times();
        cursor.example(word);
        cursor.end_of_call();
    }
    cursor.report_rest(CompletePart::Example);
}

/// Diagnoses an `expect` line of a test.
pub(in crate::syntax) fn expect(cursor: &mut ClauseCursor<'_>) {
    cursor.at += 1;
    if cursor.kind() != Some(TokenKind::Word) {
        let place = cursor.end_of_previous();
        cursor.report(SyntaxMistake::MissingDecision {}, place);
        return cursor.stop();
    }
    cursor.at += 1;
    while !cursor.is_done() {
        let (word, span) = (cursor.text(), cursor.here());
        if !matches!(word, "by" | "sends" | "message" | "context" | "run" | "rewrites" | "and" | ",") {
            return not_expected(cursor, word);
        }
        cursor.at += 1;
        match word {
            "by" => cursor.rule_names(),
            "sends" if cursor.kind() == Some(TokenKind::Word) => cursor.at += 1,
            "sends" => {
                let place = cursor.end_of_previous();
                cursor.report(SyntaxMistake::MissingAnswer {}, place);
                return cursor.stop();
            }
            "message" | "context" => {
                if !cursor.eat("contains") {
                    let place = cursor.end_of_previous();
                    cursor.report_with_fix(SyntaxMistake::MissingContains { word }, place, " contains");
                }
                cursor.string(RequiredString::for_expected_text(&format!("{word} contains \"…\"")));
            }
            "run" => {
                cursor.string(RequiredString::EXPECTED_RUN);
            }
            "rewrites" => cursor.expected_rewrite(),
            _ => cursor.report_with_fix(SyntaxMistake::BetweenExpectations { word }, span, ""),
        }
    }
}

/// Reports a word that is not a part of an `expect`.
fn not_expected(cursor: &mut ClauseCursor<'_>, word: &str) {
    let span = cursor.here();
    if cursor.report_malformed_token() {
        return;
    }
    let found = &cursor.describe_unexpected();
    let near = nearest_name(word, ["by", "sends", "message", "context", "rewrites", "run"]);
    let mistake =
        near.map_or(SyntaxMistake::InExpectation { found }, |near| SyntaxMistake::InExpectationNear { found, near });
    cursor.report(mistake, span);
    cursor.stop();
}
