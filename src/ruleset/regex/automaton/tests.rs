//! Automata give the same answers as the regexes that they were made from.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::string::string_regex;
use regex::Regex;

use super::super::made::facts_of_pattern;
use super::super::made::tests::patterns;
use super::super::{determinize, pattern};
use super::*;
use crate::ruleset::{CommandTest, Condition, ConditionExpr as Of, LazyRegex, ValueTest};

/// Characters of every kind, and those that regexes often distinguish.
const TEXT: &str = "[a-zA-Z0-9_ \\-./:;|$\\n\\r\\tkKsS\u{212a}\u{17f}éßЖ中٣५²Ⅷ\u{a0}\u{2028}→😀\"'(){}=@*]{0,12}";

/// The patterns of packs, with their parts and compiled regexes.
static PACKS: LazyLock<Vec<(&str, &[RegexPart], Regex)>> = LazyLock::new(|| {
    let with_parts = patterns().filter_map(|pattern| Some((pattern, facts_of_pattern(pattern)?.parts?)));
    with_parts.map(|(pattern, parts)| (pattern, parts, Regex::new(pattern).unwrap())).collect()
});

/// Makes the parts of a pattern.
fn made(text: &str) -> Option<Vec<RegexPart>> {
    determinize::parts(&pattern::parse(text).ok()?)
}

/// Compares an answer with that of the regex engine, which may report a later end.
fn is_right(found: Option<usize>, regex: &Regex, text: &str, from: usize) -> bool {
    match (found, regex.shortest_match_at(text, from)) {
        (Some(found), Some(expected)) => from <= found && found <= expected && text.is_char_boundary(found),
        (found, expected) => found == expected,
    }
}

/// Adds the regexes of a condition.
fn regexes<'c>(condition: &'c Condition, all: &mut Vec<&'c LazyRegex>) {
    match &condition.kind {
        Of::And(parts) | Of::Or(parts) => parts.iter().for_each(|part| regexes(part, all)),
        Of::Not(inner) | Of::Certain(inner) => regexes(inner, all),
        Of::Def(inner) => regexes(inner, all),
        Of::Compare { test: ValueTest::Matches(regex), .. } => all.push(regex),
        Of::Command(CommandTest::Runs { filter: Some(filter), .. }) => regexes(filter, all),
        _ => {}
    }
}

#[test]
fn what_a_text_holds_is_never_ruled_out() {
    let texts = ["", "a", "sk-live_1", "é\u{212a}", "a\u{7f}", &"x".repeat(SHORT + 1)];
    for text in texts {
        for part in text.char_indices().filter_map(|(at, _)| text.get(at..)) {
            assert!(AsciiSet::from_text(text).has_all_of(part), "{part:?} in {text:?}");
        }
    }
    assert!(!AsciiSet::from_text("select 1").has_all_of("sk-") && AsciiSet::from_text("a-k s").has_all_of("sk-"));
}

#[test]
fn every_regex_of_a_pack_has_automata() {
    let mut count = 0;
    for (name, _) in crate::packs::PACKS {
        for rule in crate::packs::tests::using(name, "").1.rules {
            let mut all = Vec::new();
            [&rule.when, &rule.unless].into_iter().flatten().for_each(|condition| regexes(condition, &mut all));
            count += all.len();
            for regex in all {
                let parts = facts_of_pattern(regex.pattern()).and_then(|made| made.parts);
                assert!(parts.is_some(), "{name}, {}: {}", rule.name, regex.pattern());
            }
        }
    }
    assert!(count > PACKS.len(), "{count}");
}

#[test]
fn a_kind_that_is_not_all_alike_is_left_to_another_engine() {
    let parts = made("[éx]+y").unwrap();
    assert_eq!(first_match_end(&parts, "axy", 0), Ok(Some(3)));
    assert_eq!(first_match_end(&parts, "aéy", 0), Err(UnreadableText));
    assert_eq!(first_match_end(&parts, "a→xy", 0), Ok(Some(6)));
    // There is no table that distinguishes digits from other numbers.
    let parts = made(r"a\dé?").unwrap();
    assert_eq!(first_match_end(&parts, "a٣", 0), Err(UnreadableText));
}

#[test]
fn a_regex_that_is_too_big_is_split() {
    let parts = made(r"\b(alpha-[a-z-]{60}|beta-[a-z-]{60}x|gamma)\b").unwrap();
    assert!(parts.len() > 1);
    let text = format!("gamma{}", "x".repeat(9));
    assert_eq!(first_match_end(&parts, &text, 0), Ok(None));
    assert_eq!(first_match_end(&parts, "see gamma", 0), Ok(Some(9)));
}

/// Pieces that regexes are composed of.
const PIECES: &[&str] = &[
    "^",
    "$",
    r"\b",
    r"\B",
    "(?m:^)",
    "(?m:$)",
    "a",
    "b",
    "k",
    "s",
    "é",
    ".",
    r"\w",
    r"\W",
    r"\d",
    r"\s",
    r"\S",
    r"\pL",
    "[a-cé]",
    "[^a]",
    "[a-zA-Z0-9_]",
    "[^k\\s]",
    "a*",
    "(?:ab)+",
    r"\w+",
    r"\d?",
    ".*",
    "(a|b)",
    r"(k|\w\d)",
    "[a-c]{2,3}",
    "|",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_automata_of_packs_answer_as_their_regexes(text in TEXT, from in 0_usize..3) {
        let from = text.char_indices().map(|(at, _)| at).nth(from).unwrap_or(0);
        for (pattern, parts, regex) in &*PACKS {
            if let Ok(end) = first_match_end(parts, &text, from) {
                prop_assert!(is_right(end, regex, &text, from), "{} in {:?} from {}", pattern, text, from);
            }
        }
    }

    #[test]
    fn what_a_regex_of_a_pack_matches_its_automata_do(
        (number, matching) in (0..PACKS.len()).prop_flat_map(|number| {
            // The generator does not support look-around.
            let plain = PACKS[number].0.replace("\\b", "").replace("(?m:^)", "").replace('^', "\u{0}").replace("[\u{0}", "[^");
            let plain = plain.replace("\\\u{0}", "\\^").replace('\u{0}', "").replace("\\$", "\u{1}").replace("$]", "\u{2}");
            let plain = plain.replace('$', "").replace('\u{2}', "$]").replace('\u{1}', "\\$");
            let strategy = string_regex(&plain).map_or_else(|_| ".{0,20}".boxed(), |strategy| strategy.boxed());
            (Just(number), strategy)
        }),
        before in TEXT,
        behind in TEXT,
    ) {
        let (pattern, parts, regex) = &PACKS[number];
        for text in [matching.clone(), format!("{before}{matching}"), format!("{matching}{behind}"), format!("{before}{matching}{behind}")] {
            if let Ok(end) = first_match_end(parts, &text, 0) {
                prop_assert!(is_right(end, regex, &text, 0), "{} in {:?}", pattern, text);
            }
        }
    }

    #[test]
    fn an_automaton_answers_as_its_regex(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..6),
        insensitive: bool,
        text in "[abcAkKsS\u{212a}\u{17f}é中٣Ⅷ²_0 \\n\\r\u{a0}→]{0,8}",
        from in 0_usize..3,
    ) {
        let pattern = format!("{}{}", if insensitive { "(?i)" } else { "" }, pieces.concat());
        let from = text.char_indices().map(|(at, _)| at).nth(from).unwrap_or(0);
        if let (Ok(regex), Some(parts)) = (Regex::new(&pattern), made(&pattern))
            && let Ok(end) = first_match_end(&parts, &text, from)
        {
            prop_assert!(is_right(end, &regex, &text, from), "{} in {:?} from {}", pattern, text, from);
        }
    }
}
