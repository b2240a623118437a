//! Tests that the equivalents in the phrasebook are keywords or valid tests of the language.

use crate::phrases::{Phrase, PhrasePlace, phrases_of_place};
use crate::span::Sources;
use crate::syntax::diagnose::translate;
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::{parse, words};
use pest::Parser;

/// Fills the holes of a row.
fn filled(row: &Phrase) -> String {
    const HOLES: [(&str, &str); 15] = [
        ("$field", "prompt"),
        ("$texts", "\"a\""),
        ("$text", "\"a\""),
        ("$all", "[\"a\", \"b\"]"),
        ("$regex", "/a/"),
        ("$list", "[\"a\", \"b\"]"),
        ("$value", "\"a\""),
        ("$name", "\"CI\""),
        ("$rest", "0"),
        ("$from", "\"a\""),
        ("$file", "go.mod"),
        ("$operator", "=="),
        ("$unequal", "!="),
        ("$other", "1"),
        ("$word", "url"),
    ];
    HOLES.iter().fold(row.written.to_owned(), |text, (hole, ours)| text.replace(hole, ours))
}

#[test]
fn every_test_and_call_becomes_a_valid_test() {
    let behind = [
        (PhrasePlace::Test, ""),
        (PhrasePlace::Value, " == \"x\""),
        (PhrasePlace::Length, " > 3"),
        (PhrasePlace::LowerCase, " == \"x\""),
    ];
    for (place, behind) in behind {
        for row in phrases_of_place(place) {
            let written = format!("{}{behind}", filled(row));
            let right = translate(&written).unwrap_or_else(|| panic!("{written} is not translated")).right;
            assert!(!right.contains(" $") && !right.contains("/$"), "{written}: a hole is left in {right}");
            assert!(Grammar::parse(Rule::lone_clause, &format!("when {right}")).is_ok(), "{written}: {right}");
            assert_eq!(translate(&right), None, "{written}: {right} is foreign itself");
        }
    }
}

/// A row is of use only if it is recognised within a rule: `start_with?` is two tokens there.
#[test]
fn every_test_and_operator_has_one_finding_in_a_rule() {
    let tests = phrases_of_place(PhrasePlace::Test).iter().map(filled);
    let operators = phrases_of_place(PhrasePlace::Operator).iter().map(|row| {
        let value = if row.written.contains('$') { "" } else { " \"a\"" };
        format!("prompt {}{value}", filled(row))
    });
    let mut wrong = Vec::new();
    for written in tests.chain(operators) {
        let mut sources = Sources::default();
        let id =
            sources.add("a.rules", None, format!("rule a {{\n  on PreToolUse\n  when {written}\n  deny \"No.\"\n}}\n"));
        let found = parse(sources.file_by_id(id).unwrap()).1;
        let is_certain = found.len() == 1 && found.iter().all(|found| found.help.is_some());
        let messages: Vec<&str> = found.iter().map(|found| &*found.message).collect();
        if !is_certain {
            wrong.push(format!("{written}: {messages:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_word_becomes_a_word_of_the_language() {
    const MARKS: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];
    for row in phrases_of_place(PhrasePlace::Operator) {
        let ours = row.means.strip_prefix("not ").unwrap_or(row.means);
        assert!(words::OPERATORS.contains(&ours) || MARKS.contains(&ours), "{}: {ours}", row.written);
        assert!(!words::OPERATORS.contains(&row.written), "{} is ours", row.written);
    }
    for (place, ours) in [
        (PhrasePlace::Keyword, words::CLAUSES),
        (PhrasePlace::Clause, words::CLAUSES),
        (PhrasePlace::Decision, words::CLAUSES),
        (PhrasePlace::Item, words::ITEMS),
        (PhrasePlace::Verb, &["reads", "writes", "deletes", "sends", "connects"]),
        (PhrasePlace::Joint, &["and", "or"]),
        (PhrasePlace::TestLine, &["given", "expect"]),
        (PhrasePlace::VerbOperator, &["like", "under"]),
        (PhrasePlace::Outcome, &["deny", "ignore", "warn", "context"]),
    ] {
        for row in phrases_of_place(place) {
            assert!(row.means.is_empty() || ours.contains(&row.means), "{}: {}", row.written, row.means);
        }
    }
}
