//! The first word of a clause, and which reader the rest goes to.

use super::Cursor;
use super::condition::ConditionContext;
use crate::diagnostic::nearest;
use crate::syntax::mistakes::{CLAUSE_WORDS, KEYWORDS, Mistake, Part, Slot};
use crate::syntax::token::Kind;
use crate::syntax::words;

/// Says what is wrong with a clause of a rule.
pub(in crate::syntax) fn clause(cursor: &mut Cursor<'_>) {
    let Some(first) = cursor.peek() else { return };
    let span = cursor.span_of(first);
    let word = first.text(cursor.source);
    if first.kind != Kind::Word {
        return no_word(cursor);
    }
    if words::CLAUSES.contains(&word) {
        colon(cursor, word);
        cursor.at += 1;
        return body(cursor, word);
    }
    let lower = word.to_ascii_lowercase();
    let keyword = KEYWORDS.iter().find(|foreign| foreign.word == lower);
    if let Some(foreign) = keyword.or_else(|| CLAUSE_WORDS.iter().find(|foreign| foreign.word == lower)) {
        let help = foreign.help;
        let mistake = match keyword {
            Some(_) => Mistake::ForeignWord { word, help },
            None => Mistake::NotAClauseWord { word, help },
        };
        match foreign.ours {
            "" => cursor.report(mistake, span),
            ours => cursor.mend(mistake, span, ours),
        }
        cursor.at += 1;
        cursor.at += usize::from(cursor.text() == ":");
        return if foreign.ours.is_empty() { cursor.stop() } else { body(cursor, foreign.ours) };
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

/// Reports `when: …` and steps over the colon, which then stands behind the cursor's word.
fn colon(cursor: &mut Cursor<'_>, word: &str) {
    let Some(colon) = cursor.nth(1).filter(|next| matches!(next.text(cursor.source), ":" | "=" | "=>")) else { return };
    let mark = colon.text(cursor.source);
    let span = cursor.span_of(colon);
    cursor.mend(Mistake::ClauseMark { mark, word }, span, "");
    // The word is skipped by the caller, the mark here.
    cursor.at += 1;
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
        _ if cursor.kind() == Some(Kind::Text) => cursor.report(Mistake::StringInRule {}, span),
        _ => {
            let found = cursor.describe();
            cursor.report(Mistake::NotAClause { found: &found }, span);
        }
    }
    cursor.stop();
}

/// Reads what follows the word of a clause.
fn body(cursor: &mut Cursor<'_>, word: &str) {
    let complete = match word {
        "on" => {
            cursor.heads();
            Part::Events
        }
        "by" => {
            cursor.selectors("by");
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

/// Reads a condition to the end of the piece.
pub(super) fn whole_condition(cursor: &mut Cursor<'_>) {
    cursor.condition(ConditionContext::Anywhere);
    let word = cursor.text();
    if !cursor.done() && matches!(word, "then" | "do") {
        let span = cursor.here();
        cursor.mend(Mistake::WordAfterCondition { word }, span, "\n ");
        cursor.at += 1;
        cursor.split = Some(cursor.at).filter(|at| *at < cursor.tokens.len());
        cursor.stop();
    } else if !cursor.done() && matches!(word, ":" | "{" | "=>" | "->" | "?") {
        cursor.report(Mistake::BodyAfterCondition { word }, cursor.here());
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

/// Reads the end of a clause: nothing, or a second clause on the line, which is split off.
fn end(cursor: &mut Cursor<'_>, complete: Part) {
    if cursor.done() {
        return;
    }
    let place = cursor.after();
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

/// Says what is wrong with a `given`.
pub(in crate::syntax) fn given(cursor: &mut Cursor<'_>) {
    cursor.at += 1;
    cursor.example("given");
    cursor.finish(Part::Example);
}

/// Says what is wrong with an `expect`.
pub(in crate::syntax) fn expect(cursor: &mut Cursor<'_>) {
    cursor.at += 1;
    if cursor.kind() != Some(Kind::Word) {
        let place = cursor.after();
        cursor.report(Mistake::MissingDecision {}, place);
        return cursor.stop();
    }
    cursor.at += 1;
    while !cursor.done() {
        let word = cursor.text();
        match word {
            "by" => {
                cursor.at += 1;
                cursor.rule_names();
            }
            "message" | "context" => {
                cursor.at += 1;
                if !cursor.eat("contains") {
                    let place = cursor.after();
                    cursor.mend(Mistake::MissingContains { word }, place, " contains");
                }
                cursor.string(Slot::expected(&format!("{word} contains \"…\"")));
            }
            "run" => {
                cursor.at += 1;
                cursor.string(Slot::EXPECTED_RUN);
            }
            "rewrites" => {
                cursor.at += 1;
                cursor.rewritten();
            }
            "and" | "," => {
                let span = cursor.here();
                cursor.mend(Mistake::BetweenExpectations { word }, span, "");
                cursor.at += 1;
            }
            _ => {
                let span = cursor.here();
                if cursor.open_token() {
                    return;
                }
                let found = &cursor.unexpected();
                let near = nearest(word, ["by", "message", "context", "rewrites", "run"]);
                let mistake =
                    near.map_or(Mistake::InExpectation { found }, |near| Mistake::InExpectationNear { found, near });
                cursor.report(mistake, span);
                return cursor.stop();
            }
        }
    }
}
