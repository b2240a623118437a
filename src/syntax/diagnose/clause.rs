//! The first word of a clause, and which reader the rest goes to.

use super::Cursor;
use super::condition::Place;
use crate::diagnostic::{Code, Diagnostic, Fix, nearest, suggest};
use crate::syntax::token::Kind;
use crate::syntax::words;

/// First words of other languages, with ours and a word of help.
const FOREIGN: &[(&str, &str, &str)] = &[
    ("if", "when", "write `when` and the condition"),
    ("elif", "", "write a second rule: every rule that matches counts"),
    ("elsif", "", "write a second rule: every rule that matches counts"),
    ("else", "", "write a second rule with `unless`: every rule that matches counts"),
    ("then", "", "leave it out: effects stand on lines of their own"),
    ("switch", "", "write a rule for each case: every rule that matches counts"),
    ("case", "", "write a rule for each case: every rule that matches counts"),
    ("for", "", "leave it out: a test is true when one of several values makes it true"),
    ("while", "", "leave it out: a rule is judged once for each event"),
    ("return", "", "leave it out: effects need no `return`"),
    ("matcher", "", "write the matcher behind the event: `on PreToolUse(Bash)`"),
    ("tool", "", "write the tool behind the event: `on PreToolUse(Bash)`"),
    ("tools", "", "write the tools behind the event: `on PreToolUse(Edit|Write)`"),
    ("event", "on", "write `on` and the event"),
    ("events", "on", "write `on` and the events"),
    ("hook", "on", "write `on` and the event"),
    ("message", "", "write the message behind the effect: `deny \"…\"`"),
    ("reason", "", "write the reason behind the effect: `deny \"…\"`"),
    ("action", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    ("decision", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    ("effect", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    ("description", "", "write it as `## …` on the line above the rule"),
    ("name", "", "the name stands behind `rule`"),
    ("severity", "", "write `@severity(high)` on the line above the rule"),
    ("tags", "", "write `@tags(git)` on the line above the rule"),
    ("enabled", "", "write `@off` on the line above the rule to turn it off"),
    ("command", "", "write `when runs \"git push\"`, or `run \"…\"` to start one"),
    ("exec", "run", "write `run \"…\"`"),
    ("shell", "run", "write `run \"…\"`"),
    ("block", "deny", "write `deny \"…\"`"),
    ("reject", "deny", "write `deny \"…\"`"),
    ("forbid", "deny", "write `deny \"…\"`"),
    ("permit", "allow", "write `allow`"),
    ("approve", "allow", "write `allow`"),
    ("confirm", "ask", "write `ask \"…\"`"),
    ("prompt", "ask", "write `ask \"…\"`"),
    ("stop", "halt", "write `halt \"…\"`"),
    ("log", "record", "write `record \".rules/log/x.jsonl\" { … }`"),
    ("print", "warn", "write `warn \"…\"`"),
    ("echo", "warn", "write `warn \"…\"`"),
    ("agent", "by", "write `by` and the agent"),
    ("except", "unless", "write `unless` and the condition"),
    ("where", "when", "write `when` and the condition"),
    ("given", "", "`given` stands in a `test` block; in a rule write `fires on` or `quiet on`"),
    ("expect", "", "`expect` stands in a `test` block; in a rule write `fires on` or `quiet on`"),
];

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
    let foreign = FOREIGN.iter().find(|(foreign, ..)| *foreign == lower);
    if let Some((_, ours, help)) = foreign {
        let code = if matches!(
            lower.as_str(),
            "if" | "elif" | "elsif" | "else" | "then" | "switch" | "case" | "for" | "while" | "return"
        ) {
            Code::FOREIGN_OPERATOR
        } else {
            Code::SYNTAX
        };
        let label = if code == Code::FOREIGN_OPERATOR { "a word of another language" } else { "begins no clause" };
        let mut diagnostic = Diagnostic::new(code, format!("`{word}` is no clause")).label(span, label).help(*help);
        if !ours.is_empty() {
            diagnostic = diagnostic.fix(span, *ours);
        }
        cursor.report(diagnostic);
        cursor.at += 1;
        cursor.at += usize::from(cursor.text() == ":");
        return if ours.is_empty() { cursor.stop() } else { body(cursor, ours) };
    }
    if let Some(item) = words::ITEMS.iter().find(|item| **item == word) {
        let help = format!("close the rule with `}}` first, and start `{item}` at the beginning of a line");
        cursor.syntax(span, format!("`{item}` inside of a rule"), "an item, not a clause", help);
        return cursor.stop();
    }
    let near = nearest(word, words::CLAUSES.iter().copied());
    let help = near.map_or_else(
        || "clauses: `on` `by` `when` `unless` `unknown` `fires on` `quiet on`, or an effect such as `deny`".to_owned(),
        |near| suggest("clause", word, [near]).unwrap_or_default(),
    );
    let mut diagnostic =
        Diagnostic::new(Code::SYNTAX, format!("unknown clause `{word}`")).label(span, "no clause begins so").help(help);
    if let Some(near) = near {
        diagnostic = diagnostic.fix(span, near);
    }
    cursor.report(diagnostic);
    let Some(near) = near else { return cursor.stop() };
    colon(cursor, near);
    cursor.at += 1;
    body(cursor, near);
}

/// Reports `when: …` and steps over the colon, which then stands behind the cursor's word.
fn colon(cursor: &mut Cursor<'_>, word: &str) {
    let Some(colon) = cursor.nth(1).filter(|next| matches!(next.text(cursor.source), ":" | "=" | "=>")) else { return };
    let mark = colon.text(cursor.source);
    let span = cursor.span_of(colon);
    let diagnostic = Diagnostic::new(Code::FOREIGN_OPERATOR, format!("`{mark}` after `{word}`"))
        .label(span, "a clause has none")
        .help(format!("write `{word} …`"))
        .fix(span, "");
    cursor.report(diagnostic);
    // The word is skipped by the caller, the mark here.
    cursor.at += 1;
}

fn no_word(cursor: &mut Cursor<'_>) {
    let span = cursor.here();
    match cursor.text() {
        "@" => {
            let help = "write it on the line above the `rule`";
            cursor.syntax(span, "an annotation inside of a rule", "stands above the rule, not in it", help);
        }
        "}" | ")" | "]" => return cursor.finish("the clauses"),
        "-" if cursor.nth(1).is_some_and(|next| next.kind == Kind::Word) => {
            cursor.foreign(span, "a dash in front of a clause", "a list of another language", "");
        }
        "{" => {
            let help = "clauses stand on lines of their own, without braces around them";
            cursor.syntax(span, "a block inside of a rule", "nothing takes a block here", help);
        }
        _ if cursor.open_token() => {}
        _ if cursor.kind() == Some(Kind::Text) => {
            let help = "write the effect in front of it: `deny \"…\"`";
            cursor.syntax(span, "a string without an effect", "says nothing by itself", help);
        }
        _ => {
            let message = format!("{} where a clause should begin", cursor.describe());
            cursor.syntax(span, message, "no clause begins so", "begin with `on`, `when`, an effect or `fires on`");
        }
    }
    cursor.stop();
}

/// Reads what follows the word of a clause.
fn body(cursor: &mut Cursor<'_>, word: &str) {
    let complete = match word {
        "on" => {
            cursor.heads();
            "the events"
        }
        "by" => {
            cursor.selectors("by");
            "the agents"
        }
        "when" | "unless" => {
            whole_condition(cursor);
            "the condition"
        }
        "unknown" if cursor.text() == "on" => {
            cursor.examples(word);
            "the examples"
        }
        "unknown" => {
            unknown_vote(cursor);
            "the vote"
        }
        "fires" | "quiet" => {
            cursor.examples(word);
            "the examples"
        }
        _ => {
            cursor.effect(word);
            "the effect"
        }
    };
    end(cursor, complete);
}

/// Reads a condition to the end of the piece.
pub(super) fn whole_condition(cursor: &mut Cursor<'_>) {
    cursor.condition(Place::Anywhere);
    let word = cursor.text();
    if !cursor.done() && matches!(word, "then" | "do") {
        let span = cursor.here();
        let diagnostic = Diagnostic::new(Code::FOREIGN_OPERATOR, format!("`{word}` after a condition"))
            .label(span, "not needed")
            .help("start a new line instead")
            .fix(span, "\n ");
        cursor.report(diagnostic);
        cursor.at += 1;
        cursor.split = Some(cursor.at).filter(|at| *at < cursor.tokens.len());
        cursor.stop();
    } else if !cursor.done() && matches!(word, ":" | "{" | "=>" | "->" | "?") {
        let span = cursor.here();
        let help = "end the line after the condition, and write the effect on the next one";
        let message = format!("`{word}` after a condition");
        cursor
            .report(Diagnostic::new(Code::FOREIGN_OPERATOR, message).label(span, "begins a body elsewhere").help(help));
        cursor.stop();
    }
}

fn unknown_vote(cursor: &mut Cursor<'_>) {
    if cursor.kind() == Some(Kind::Word) {
        cursor.at += 1;
        return;
    }
    let place = cursor.after();
    cursor.syntax(
        place,
        "`unknown` without a vote",
        "a vote is missing here",
        "write `unknown deny`, `unknown ask` or `unknown ignore`",
    );
    cursor.stop();
}

/// Reads the end of a clause: nothing, or a second clause on the line, which is split off.
fn end(cursor: &mut Cursor<'_>, complete: &str) {
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
            let fix = Fix { span: gap, replacement: "\n  ".to_owned() };
            let message = "two clauses on one line";
            let help = format!("start a new line before `{}`", cursor.text());
            cursor.syntax_fix(span, message, "the second one", help, fix);
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
    cursor.finish("the example");
}

/// Says what is wrong with an `expect`.
pub(in crate::syntax) fn expect(cursor: &mut Cursor<'_>) {
    cursor.at += 1;
    if cursor.kind() != Some(Kind::Word) {
        let place = cursor.after();
        let help = "write `expect pass`, `expect allow`, `expect ask`, `expect deny` or `expect halt`";
        cursor.syntax(place, "`expect` without a decision", "a decision is missing here", help);
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
                    let fix = Fix { span: place, replacement: " contains".to_owned() };
                    let help = format!("write `{word} contains \"…\"`");
                    cursor.syntax_fix(
                        place,
                        format!("`{word}` without `contains`"),
                        "`contains` is missing here",
                        help,
                        fix,
                    );
                }
                cursor.string("a text", &format!("{word} contains \"…\""));
            }
            "run" => {
                cursor.at += 1;
                cursor.string("a text", "run \"…\"");
            }
            "rewrites" => {
                cursor.at += 1;
                cursor.rewritten();
            }
            "and" | "," => {
                let span = cursor.here();
                cursor.foreign(span, format!("`{word}` between expectations"), "they simply follow each other", "");
                cursor.at += 1;
            }
            _ => {
                let near = nearest(word, ["by", "message", "context", "rewrites", "run"]);
                let help = "write `by RULE`, `message contains \"…\"`, `context contains \"…\"`, `rewrites FIELD to V` or `run \"…\"`";
                let help = near.map_or_else(|| help.to_owned(), |near| format!("an expectation named `{near}` exists"));
                let message = format!("{} in an expectation", cursor.describe());
                let span = cursor.here();
                if cursor.open_token() {
                    return;
                }
                cursor.syntax(span, message, "not expected here", help);
                return cursor.stop();
            }
        }
    }
}
