//! Tests the grammar files themselves.

use super::*;
use crate::syntax::words;

const LEXICAL: &str = include_str!("../../../grammar/lexical.pest");
const RULES: &str = include_str!("../../../grammar/rules.pest");

/// Returns the name, the modifier and the body of each rule of a grammar.
fn definitions(grammar: &str) -> Vec<(&str, char, String)> {
    let mut found: Vec<(&str, char, String)> = Vec::new();
    for line in grammar.lines().filter(|line| !line.starts_with("//")) {
        match line.split_once(" = ") {
            Some((name, body)) if !line.starts_with(' ') => {
                found.push((name, body.chars().next().unwrap(), body.to_owned()));
            }
            _ => found.last_mut().into_iter().for_each(|(.., body)| body.push_str(line)),
        }
    }
    found
}

/// Returns the body with its strings replaced.
fn bare(body: &str) -> String {
    regex::Regex::new(r#""(\\.|[^"\\])*""#).unwrap().replace_all(body, "S").into_owned()
}

#[test]
fn atoms_that_repeat_or_look_ahead_are_atomic() {
    let definitions = definitions(LEXICAL);
    assert!(definitions.len() > 50);
    for (name, modifier, body) in definitions {
        // pest itself makes `COMMENT` atomic, and the other two create no nodes.
        if matches!(name, "COMMENT" | "word_end" | "operand_end") {
            continue;
        }
        let body = bare(&body);
        let characters = body.contains(['*', '+', '~', '!', '&']);
        assert!(!characters || matches!(modifier, '@' | '$'), "`{name}` is read character by character: {body}");
    }
}

#[test]
fn nowhere_is_white_space_implicit() {
    // The rules that are called by `file` or a `lone_` rule inherit its `$`.
    for (name, modifier, _) in definitions(RULES) {
        let is_entry = name == "file" || name.starts_with("lone_");
        assert_eq!(modifier == '$', is_entry, "{name}");
        assert!(matches!(modifier, '$' | '_' | '{'), "{name}");
    }
}

#[test]
fn every_rule_has_a_line_with_an_example() {
    for grammar in [LEXICAL, RULES] {
        let mut before = "";
        for line in grammar.lines() {
            if line.contains(" = ") && !line.starts_with([' ', '/']) {
                assert!(before.starts_with("/// "), "{line}");
                let keyword = line.starts_with("kw_");
                assert!(before.contains('`') || matches!(line.get(..3), Some("nl ")), "{before}");
                assert!(keyword || before.contains(": ") || before.contains('`'), "{before}");
            }
            before = line;
        }
    }
}

#[test]
fn the_reserved_words_are_those_of_the_grammar() {
    let (.., body) = definitions(LEXICAL).into_iter().find(|(name, ..)| *name == "reserved").unwrap();
    // `"a" ~ ("sk" | "llow")` and `"by"`.
    let alternative = regex::Regex::new(r#""(\w+)"(?: ~ \(([^)]*)\))?"#).unwrap();
    let mut listed = Vec::new();
    for found in alternative.captures_iter(&body) {
        match found.get(2) {
            Some(rests) => {
                listed.extend(rests.as_str().split('"').skip(1).step_by(2).map(|rest| format!("{}{rest}", &found[1])));
            }
            None => listed.push(found[1].to_owned()),
        }
    }
    assert!(listed.len() > 40, "{listed:?}");
    for word in &listed {
        assert!(words::is_reserved(word), "{word}");
    }
    let missing = words::CLAUSES.iter().chain(words::OPERATORS).find(|word| !listed.iter().any(|other| other == *word));
    assert_eq!(missing, None);
    // pest tries the alternatives in order, so a longer word (`into`) must come before its beginning (`in`).
    for (at, word) in listed.iter().enumerate() {
        let hidden = listed.iter().skip(at + 1).find(|later| later.starts_with(word.as_str()));
        assert_eq!(hidden, None, "hidden behind `{word}`");
    }
    for word in &listed {
        let text = format!("def a = {word}\n");
        // `connects` is a complete test without an operand.
        let is_test = word == "connects";
        assert_eq!(Grammar::parse(Rule::file, &text).is_ok(), is_test, "`{word}` starts an operand");
        let text = format!("def a = {word} == \"x\"\n");
        assert!(Grammar::parse(Rule::file, &text).is_err(), "`{word}` starts an operand");
    }
}
