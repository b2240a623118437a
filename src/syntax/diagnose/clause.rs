//! Dispatches on the first word of a clause.

use pest::Parser;

use super::Cursor;
use super::condition::ConditionContext;
use super::{answers, displaced, paths, yaml};
use crate::diagnostic::nearest;
use crate::phrases::{self, Place};
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::language::draft;
use crate::syntax::mistakes::{Mistake, OPTIONS, Part, RETURNED, Slot, forms};
use crate::syntax::quantity::with_unit;
use crate::syntax::token::Kind;
use crate::syntax::words;

/// Diagnoses a clause of a rule.
pub(in crate::syntax) fn clause(cursor: &mut Cursor<'_>) {
    let Some(first) = cursor.peek() else { return };
    let span = cursor.span_of(first);
    let word = first.text(cursor.source);
    if first.kind != Kind::Word {
        return no_word(cursor);
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
        || returned(cursor, word)
        || paths::by_permissions(cursor, word)
        || example_as_test(cursor, word)
        || of_another_language(cursor, word)
    {
        return;
    }
    if let Some(item) = words::ITEMS.iter().find(|item| **item == word) {
        cursor.report(Mistake::ItemInRule { item }, span);
        return cursor.stop();
    }
    let Some(near) = nearest(word, words::CLAUSES.iter().copied()) else {
        cursor.report(Mistake::UnknownClause { word }, span);
        return cursor.stop();
    };
    cursor.mend(Mistake::UnknownClauseNear { word, near }, span, near);
    colon(cursor, near);
    cursor.at += 1;
    body(cursor, near);
}

/// Reports `return 403` and `return false`.
fn returned(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let Some(value) = cursor.nth(1).filter(|_| word.eq_ignore_ascii_case("return")) else { return false };
    if value.kind != Kind::Number && !matches!(value.text(cursor.source), "false" | "False") {
        return false;
    }
    cursor.report(Mistake::ForeignWord { word, help: RETURNED }, cursor.here());
    cursor.stop();
    true
}

/// Reports a word of another language that begins a clause, as the phrasebook has it.
fn of_another_language(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let span = cursor.here();
    let lower = word.to_ascii_lowercase();
    // `for 5m`: a duration for which something has been the case.
    let is_duration = lower == "for" && cursor.nth(1).is_some_and(|next| next.kind == Kind::Number);
    let keyword = phrases::find(Place::Keyword, if is_duration { "within" } else { &lower });
    let Some(row) = keyword.or_else(|| phrases::find(Place::Clause, &lower)) else { return false };
    let help = &answers::with_message(cursor, row.help);
    if statement(cursor, word, row.means) || elsewhere(cursor, word, row.means) {
        return true;
    }
    let mistake = match keyword {
        Some(_) => Mistake::ForeignWord { word, help },
        None => Mistake::NotAClauseWord { word, help },
    };
    // `condition: a == 1`
    let colon = cursor.nth(1).filter(|colon| colon.text(cursor.source) == ":");
    let place = colon.map_or(span, |colon| span.to(cursor.span_of(colon)));
    // `end` alone on its line can be removed; if more follows, that must be kept.
    let is_alone = cursor.tokens.len() == 1 && ENDS.contains(&lower.as_str());
    match row.means {
        "" if is_alone => cursor.mend(mistake, span, ""),
        "" => cursor.report(mistake, span),
        ours => cursor.mend_at(mistake, span, place, ours),
    }
    cursor.at += 1;
    cursor.at += usize::from(cursor.text() == ":");
    match row.means {
        "" => cursor.stop(),
        ours => body(cursor, ours),
    }
    true
}

/// Reports `event: bash` and `pattern: rm\s+-rf`, the notation of a hookify rule, with the equivalent clause.
fn elsewhere(cursor: &mut Cursor<'_>, word: &str, ours: &str) -> bool {
    let skip = 1 + usize::from(matches!(cursor.text_at(1), ":" | "="));
    let (Some(first), Some(value), Some(last)) = (cursor.peek(), cursor.nth(skip), cursor.last()) else {
        return false;
    };
    let written = cursor.slice(value, last).trim_matches(['"', '\'']);
    let span = cursor.span_of(first);
    let place = span.to(cursor.span_of(last));
    if ours == "on" {
        // An event of the host is an event here, too.
        let known = draft::event(written).filter(|_| !written.contains(|c: char| c.is_ascii_uppercase()));
        let Some(event) = known else { return false };
        let right = format!("on {event}");
        cursor.mend_at(Mistake::EventAsClause { word, right: &right }, span, place, &right);
    } else if word.eq_ignore_ascii_case("pattern") && !written.contains('\n') && written.chars().count() <= 60 {
        let right = format!("when {}", draft::of_regex("command", written));
        cursor.report(Mistake::PatternAsClause { word, right: &right }, span);
    } else {
        return false;
    }
    cursor.stop();
    true
}

/// Words that end a block in other languages.
pub(in crate::syntax) const ENDS: [&str; 6] = ["end", "endif", "endrule", "fi", "done", "esac"];

/// Reports `test "git push -f" => deny` inside a rule: it is an example.
fn example_as_test(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let (Some(first), Some(text), Some(last)) = (cursor.peek(), cursor.nth(1), cursor.nth(3)) else { return false };
    let is_arrow = matches!(cursor.text_at(2), "=>" | "->" | ":" | "=" | "==" | "is");
    if word != "test" || text.kind != Kind::Text || !is_arrow || last.kind != Kind::Word {
        return false;
    }
    let is_quiet = matches!(cursor.text_at(3), "allow" | "pass" | "passes" | "ok" | "quiet" | "none");
    let right = forms::example(is_quiet, text.text(cursor.source));
    let place = cursor.across(first, last);
    cursor.mend_at(Mistake::EventAsClause { word, right: &right }, cursor.span_of(first), place, &right);
    cursor.stop();
    true
}

/// Reports `when: …` and skips the colon.
fn colon(cursor: &mut Cursor<'_>, word: &str) {
    let Some(colon) = cursor.nth(1).filter(|next| matches!(next.text(cursor.source), ":" | "=" | "=>")) else { return };
    let mark = colon.text(cursor.source);
    let span = cursor.span_of(colon);
    let behind = cursor.nth(2).zip(cursor.last()).map_or("", |(from, last)| cursor.slice(from, last));
    let whole = format!("{word} {behind}");
    let is_good = whole.chars().count() <= 60 && Grammar::parse(Rule::lone_clause, &whole).is_ok();
    let right = if is_good { whole } else { format!("{word} …") };
    cursor.mend(Mistake::ClauseMark { mark, word, right: &right }, span, "");
    // The caller skips the word; the mark is skipped here.
    cursor.at += 1;
}

/// Reports `if a == 1 {`. A later clause closes the block.
fn statement(cursor: &mut Cursor<'_>, word: &str, ours: &str) -> bool {
    let (Some(first), Some(last)) = (cursor.peek(), cursor.last()) else { return false };
    let inner = cursor.tokens.get(cursor.at + 1..cursor.tokens.len().saturating_sub(1)).unwrap_or_default();
    let Some((from, to)) = inner.first().copied().zip(inner.last().copied()) else { return false };
    if last.text(cursor.source) != "{" || ours != "when" || to.text(cursor.source) == "{" {
        return false;
    }
    let condition = cursor.slice(from, to);
    let bare = condition.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let bare = bare.filter(|text| !text.contains(['(', ')'])).unwrap_or(condition);
    let right = format!("{ours} {bare}");
    let span = cursor.span_of(first);
    cursor.report(Mistake::BlockStatement { word, right: &right }, span);
    cursor.opens_block = true;
    cursor.at += 1;
    cursor.tokens = cursor.tokens.get(..cursor.tokens.len().saturating_sub(1)).unwrap_or_default();
    whole_condition(cursor);
    cursor.stop();
    true
}

/// Reports an option of an effect that is written as a clause: `timeout: 30`.
fn option(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let Some((_, effect)) = OPTIONS.iter().find(|(option, _)| *option == word) else { return false };
    // `output "…"` is another system's message.
    let text = cursor.nth(1 + usize::from(cursor.text_at(1) == ":")).filter(|text| text.kind == Kind::Text);
    if let Some(text) = text.filter(|_| word == "output") {
        let right = forms::denied(text.text(cursor.source));
        cursor.report(Mistake::EffectElsewhere { word, right: &right }, cursor.here());
        cursor.stop();
        return true;
    }
    let Some((right, _)) = braced_option(cursor, 0) else { return false };
    let span = cursor.here();
    let right = format!("{effect} {right}");
    cursor.report(Mistake::OptionAsClause { word, right: &right }, span);
    cursor.stop();
    true
}

/// Returns an option with its value in the form for braces, and the end of the value.
fn braced_option(cursor: &Cursor<'_>, from: usize) -> Option<(String, usize)> {
    let mark = usize::from(matches!(cursor.text_at(from + 1), ":" | "=" | "=>"));
    let at = from + 1 + mark;
    let value = cursor.nth(at)?;
    if !matches!(value.kind, Kind::Word | Kind::Number | Kind::Text) {
        return None;
    }
    let (name, value) = (cursor.text_at(from), value.text(cursor.source));
    // `5 minutes`, `"5 minutes"`
    if let Some(right) = cursor.spaced_quantity(at) {
        return Some((format!("{{ {name}: {right} }}"), at + 1));
    }
    if let Some(right) = with_unit(value.trim_matches(['"', '\''])).filter(|_| name == "timeout") {
        return Some((format!("{{ {name}: {right} }}"), at));
    }
    // A number of seconds, as in most other systems.
    let unit = if name == "timeout" && value.bytes().all(|b| b.is_ascii_digit()) { "s" } else { "" };
    Some((format!("{{ {name}: {value}{unit} }}"), at))
}

/// Reports `cmd := tool_input.command`.
fn variable(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let assigned = match cursor.text_at(1) {
        ":=" => true,
        "=" => !words::CLAUSES.contains(&word),
        _ => false,
    };
    let (Some(first), Some(last)) = (cursor.nth(2), cursor.last()) else { return false };
    if !assigned || first.kind != Kind::Word {
        return false;
    }
    let right = cursor.slice(first, last);
    if right.contains('\n') || right.len() > 40 {
        return false;
    }
    cursor.report(Mistake::VariableInRule { word, right }, cursor.here());
    cursor.names.extend(cursor.peek().map(|token| (word.to_owned(), cursor.span_of(token))));
    cursor.stop();
    true
}

fn no_word(cursor: &mut Cursor<'_>) {
    let span = cursor.here();
    match cursor.text() {
        "@" => cursor.report(Mistake::AnnotationInRule {}, span),
        "}" | ")" | "]" => return cursor.finish(Part::Clauses),
        "-" if cursor.nth(1).is_some_and(|next| next.kind == Kind::Word) => {
            cursor.mend(Mistake::DashBeforeClause {}, span, "");
        }
        "{" => cursor.report(Mistake::BlockInRule {}, span),
        _ if cursor.open_token() => {}
        _ if cursor.kind() == Some(Kind::Text) && is_at_head(cursor) => cursor.report(Mistake::Docstring {}, span),
        _ if cursor.kind() == Some(Kind::Text) => cursor.report(Mistake::StringInRule {}, span),
        _ => {
            let found = cursor.describe();
            cursor.report(Mistake::NotAClause { found: &found }, span);
        }
    }
    cursor.stop();
}

/// Whether the next token is the first of a rule, and more follows on other lines.
fn is_at_head(cursor: &Cursor<'_>) -> bool {
    let Some(token) = cursor.peek() else { return false };
    let before = cursor.source.get(..token.start).unwrap_or_default().trim_end();
    let behind = cursor.source.get(token.end..).unwrap_or_default().trim_start();
    before.ends_with('{') && !behind.starts_with('}')
}

/// Reads what follows the keyword of a clause.
fn body(cursor: &mut Cursor<'_>, word: &str) {
    let complete = match word {
        "on" => {
            cursor.heads();
            Part::Events
        }
        "by" => {
            compared_agent(cursor);
            if !cursor.stopped {
                cursor.selectors("by");
            }
            Part::Agents
        }
        "when" | "unless" => {
            whole_condition(cursor);
            Part::Condition
        }
        "unknown" if cursor.text() == "on" => {
            cursor.examples(word);
            Part::Examples
        }
        "unknown" => {
            unknown_vote(cursor);
            Part::Vote
        }
        "fires" | "quiet" => {
            cursor.examples(word);
            Part::Examples
        }
        _ => {
            cursor.effect(word);
            Part::Effect
        }
    };
    end(cursor, complete);
}

/// Reports `by != main` and `by agent == "reviewer"`.
fn compared_agent(cursor: &mut Cursor<'_>) {
    if bracketed_agents(cursor) {
        return;
    }
    let skip = usize::from(cursor.kind() == Some(Kind::Word));
    let mark = cursor.text_at(skip);
    // `Agent::"reviewer"`
    let typed = if cursor.text_at(skip + 2) == "::" { 2 } else { 0 };
    let (Some(first), Some(value)) = (cursor.peek(), cursor.nth(skip + 1 + typed)) else { return };
    if !matches!(mark, "==" | "!=" | "=" | "is") || !matches!(value.kind, Kind::Word | Kind::Text) {
        return;
    }
    let not = if mark == "!=" { "!" } else { "" };
    let name = format!("{not}{}", value.text(cursor.source).trim_matches(['"', '\'']));
    let right = format!("by {name}");
    let place = cursor.across(first, value);
    cursor.mend(Mistake::ComparedAgent { right: &right }, place, name);
    cursor.at += skip + 1 + typed;
}

/// Reports `by [coder, tester]`.
fn bracketed_agents(cursor: &mut Cursor<'_>) -> bool {
    let Some(opener) = cursor.peek().filter(|opener| opener.text(cursor.source) == "[") else { return false };
    let rest = cursor.tokens.get(cursor.at + 1..).unwrap_or_default();
    let Some(length) = rest.iter().position(|token| token.text(cursor.source) == "]") else { return false };
    let inner = rest.get(..length).unwrap_or_default();
    let names: Vec<&str> = inner
        .split(|token| token.text(cursor.source) == ",")
        .filter_map(|part| part.first().zip(part.last()).map(|(first, last)| cursor.slice(*first, *last)))
        .collect();
    let Some(close) = rest.get(length).copied().filter(|_| !names.is_empty()) else { return false };
    let agents = names.join("|");
    let right = format!("by {agents}");
    let place = cursor.across(opener, close);
    cursor.mend(Mistake::BracketedAgents { right: &right }, place, agents);
    cursor.at += length + 2;
    cursor.stop();
    true
}

/// Reads a condition up to the end of the piece.
pub(super) fn whole_condition(cursor: &mut Cursor<'_>) {
    cursor.condition(ConditionContext::Anywhere);
    let word = cursor.text();
    if !cursor.done() && matches!(word, "then" | "do") {
        let span = cursor.here();
        cursor.mend(Mistake::WordAfterCondition { word }, span, "\n ");
        cursor.at += 1;
        cursor.split = Some(cursor.at).filter(|at| *at < cursor.tokens.len());
        cursor.stop();
    } else if !cursor.done() && word == ";" && matches!(cursor.text_at(1), "then" | "do") {
        // `if a == 1; then`
        let word = cursor.text_at(1);
        let whole = cursor.nth(1).map_or(cursor.here(), |then| cursor.here().to(cursor.span_of(then)));
        let right = if cursor.nth(2).is_some() { "\n " } else { "" };
        cursor.mend(Mistake::WordAfterCondition { word }, whole, right);
        cursor.at += 2;
        cursor.split = Some(cursor.at).filter(|at| *at < cursor.tokens.len());
        cursor.stop();
    } else if !cursor.done() && word == "{" {
        cursor.report(Mistake::BlockAfterCondition {}, cursor.here());
        cursor.opens_block = true;
        cursor.stop();
    } else if !cursor.done() && matches!(word, ":" | "=>" | "->" | "?") {
        match cursor.nth(1) {
            None if word == ":" => cursor.mend(Mistake::ColonAfterCondition {}, cursor.here(), ""),
            None => cursor.mend(Mistake::BodyAfterCondition { word }, cursor.here(), ""),
            Some(_) if word == "?" => cursor.report(Mistake::TernaryTest {}, cursor.here()),
            Some(_) => cursor.report(Mistake::BodyAfterCondition { word }, cursor.here()),
        }
        cursor.stop();
    }
}

fn unknown_vote(cursor: &mut Cursor<'_>) {
    if cursor.kind() == Some(Kind::Word) {
        cursor.at += 1;
        return;
    }
    let place = cursor.after();
    cursor.report(Mistake::UnknownWithoutVote {}, place);
    cursor.stop();
}

/// Reads the end of a clause; a second clause on the line is split off.
fn end(cursor: &mut Cursor<'_>, complete: Part) {
    if cursor.done() {
        return;
    }
    let place = cursor.after();
    if cursor.text() == "," && (cursor.nth(1).is_none() || words::CLAUSES.contains(&cursor.text_at(1))) {
        let span = cursor.here();
        cursor.mend(Mistake::TrailingComma { after: complete.name() }, span, "");
        cursor.at += 1;
        if cursor.done() {
            return;
        }
    }
    if condition_behind(cursor, complete) || option_behind(cursor, complete) {
        return;
    }
    if matches!(complete, Part::Effect) && answers::joined_effect(cursor) {
        return;
    }
    let semicolon = cursor.text() == ";" && words::CLAUSES.contains(&cursor.text_at(1));
    cursor.at += usize::from(semicolon);
    if cursor.kind() == Some(Kind::Word) && words::CLAUSES.contains(&cursor.text()) {
        if !cursor.first_on_line() {
            let span = cursor.here();
            let gap = crate::span::Span { end: span.start, ..place };
            cursor.mend_at(Mistake::TwoClauses { word: cursor.text() }, span, gap, "\n  ");
        }
        cursor.split = Some(cursor.at);
        return cursor.stop();
    }
    cursor.finish(complete);
}

/// Reports `deny "No." if a == 1`.
fn condition_behind(cursor: &mut Cursor<'_>, complete: Part) -> bool {
    let word = cursor.text();
    let ours = match word {
        "if" | "where" => "when",
        "except" => "unless",
        _ => return false,
    };
    if !matches!(complete, Part::Effect) || cursor.first_on_line() {
        return false;
    }
    let (span, place) = (cursor.here(), cursor.after());
    cursor.at += 1;
    let rest = cursor.peek().zip(cursor.last()).map_or("", |(from, last)| cursor.slice(from, last));
    let rest = if rest.is_empty() || rest.len() > 50 || rest.contains('\n') { "…" } else { rest };
    let right = format!("{ours} {rest}");
    cursor.mend_at(Mistake::ConditionBehind { word, right: &right }, span, place.to(span), format!("\n  {ours}"));
    body(cursor, ours);
    true
}

/// Reports `run "a" timeout 5s` and `run "a" { timeout: 5s } stdin: none`.
fn option_behind(cursor: &mut Cursor<'_>, complete: Part) -> bool {
    let skip = usize::from(matches!(cursor.text(), "," | "with"));
    let word = cursor.text_at(skip);
    let is_option = OPTIONS.iter().any(|(option, _)| *option == word);
    let is_word = cursor.nth(skip).is_some_and(|token| token.kind == Kind::Word);
    let is_given = is_word && matches!(cursor.text_at(skip + 1), "=" | ":");
    if !matches!(complete, Part::Effect) || !(is_option || is_given) || cursor.first_on_line() {
        return false;
    }
    let span = cursor.here();
    if !is_option {
        let near = phrases::meaning(Place::EffectOption, word)
            .or_else(|| nearest(word, OPTIONS.iter().map(|(option, _)| *option)));
        let mistake = near.map_or(Mistake::NotAnOption { word }, |near| Mistake::NoSuchOption { word, near });
        cursor.report(mistake, span);
        cursor.stop();
        return true;
    }
    let Some((right, value)) = braced_option(cursor, skip) else { return false };
    let last = cursor.nth(value);
    let span = last.map_or(span, |last| span.to(cursor.span_of(last)));
    let is_behind = cursor.back(1);
    let close = is_behind.filter(|before| before.text(cursor.source) == "}");
    if let Some(close) = close {
        let right = right.trim_start_matches("{ ").trim_end_matches(" }");
        let mistake = Mistake::OptionBehindBraces { word, right };
        let place = cursor.span_of(close).to(span);
        let is_empty =
            cursor.tokens.get(cursor.at.saturating_sub(2)).is_some_and(|open| open.text(cursor.source) == "{");
        let comma = if is_empty { "" } else { "," };
        match cursor.nth(value + 1) {
            None => {
                // The space before the brace is replaced too.
                let before = cursor.source.get(..close.start).map_or(close.start, |text| text.trim_end().len());
                let place = crate::span::Span { start: u32::try_from(before).unwrap_or(place.start), ..place };
                cursor.mend_at(mistake, span, place, format!("{comma} {right} }}"));
            }
            Some(_) => cursor.report(mistake, span),
        }
        cursor.stop();
        return true;
    }
    match cursor.nth(value + 1) {
        None => cursor.mend(Mistake::OptionWithoutBraces { word, right: &right }, span, &right),
        Some(_) => cursor.report(Mistake::OptionWithoutBraces { word, right: &right }, span),
    }
    cursor.stop();
    true
}

/// Diagnoses a single example.
pub(in crate::syntax) fn example(cursor: &mut Cursor<'_>) {
    cursor.example("on");
    cursor.finish(Part::Example);
}

/// Diagnoses a `given`.
pub(in crate::syntax) fn given(cursor: &mut Cursor<'_>) {
    cursor.at += 1;
    cursor.example("given");
    cursor.finish(Part::Example);
}

/// Diagnoses an `expect`.
pub(in crate::syntax) fn expect(cursor: &mut Cursor<'_>) {
    cursor.at += 1;
    if cursor.kind() != Some(Kind::Word) {
        let place = cursor.after();
        cursor.report(Mistake::MissingDecision {}, place);
        return cursor.stop();
    }
    cursor.at += 1;
    while !cursor.done() {
        let (word, span) = (cursor.text(), cursor.here());
        if !matches!(word, "by" | "message" | "context" | "run" | "rewrites" | "and" | ",") {
            return not_expected(cursor, word);
        }
        cursor.at += 1;
        match word {
            "by" => cursor.rule_names(),
            "message" | "context" => {
                if !cursor.eat("contains") {
                    let place = cursor.after();
                    cursor.mend(Mistake::MissingContains { word }, place, " contains");
                }
                cursor.string(Slot::expected(&format!("{word} contains \"…\"")));
            }
            "run" => {
                cursor.string(Slot::EXPECTED_RUN);
            }
            "rewrites" => cursor.rewritten(),
            _ => cursor.mend(Mistake::BetweenExpectations { word }, span, ""),
        }
    }
}

/// Reports what is no part of an `expect`.
fn not_expected(cursor: &mut Cursor<'_>, word: &str) {
    let span = cursor.here();
    if cursor.open_token() {
        return;
    }
    let found = &cursor.unexpected();
    let near = nearest(word, ["by", "message", "context", "rewrites", "run"]);
    let mistake = near.map_or(Mistake::InExpectation { found }, |near| Mistake::InExpectationNear { found, near });
    cursor.report(mistake, span);
    cursor.stop();
}
