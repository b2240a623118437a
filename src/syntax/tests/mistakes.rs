//! Tests the diagnostics for typical mistakes of beginners and of authors who know other languages: one snapshot for
//! each file of cases.

use std::collections::BTreeSet;

use super::*;
use crate::syntax::mistakes::{NAMES, REACHED};

const CONDITION: &str = "rule a {\n  on PreToolUse\n{}\n  deny \"No.\"\n}\n";
const CLAUSE: &str = "rule a {\n{}\n}\n\nlet kept = 1\n";

/// The files of cases, with the frame of each.
const CASES: [(&str, &str); 4] = [
    (include_str!("../../../tests/fixtures/syntax/conditions.cases"), CONDITION),
    (include_str!("../../../tests/fixtures/syntax/clauses.cases"), CLAUSE),
    (include_str!("../../../tests/fixtures/syntax/items.cases"), ""),
    (include_str!("../../../tests/fixtures/syntax/encoding.cases"), ""),
];

/// Returns the names and texts of the cases in a file, each inserted into the frame.
fn framed<'a>(cases: &'a str, frame: &str) -> Vec<(&'a str, String)> {
    let cases = cases.strip_prefix("=== ").unwrap().split("\n=== ");
    let put = |case: &'a str| {
        let (name, text) = case.split_once('\n').unwrap();
        let body: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
        (name, if frame.is_empty() { text.to_owned() } else { frame.replace("{}", &body.join("\n")) })
    };
    cases.map(put).collect()
}

/// Renders every case of a file, inserted into `frame` for `{}`.
fn told(cases: &str, frame: &str) -> String {
    let mut out = String::new();
    for (name, source) in framed(cases, frame) {
        let (_, told) = parse_text(&source, DiagnosticFormat::PLAIN);
        hold_to_style(&source);
        assert_ne!(told, "", "nothing is said about: {name}");
        out.push_str(&format!("=== {name}\n{told}\n"));
    }
    out
}

/// Checks that every finding has a span with a label, a help, and a message that is a single line and understood on its
/// own.
#[track_caller]
fn hold_to_style(source: &str) {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, source);
    for found in parse(sources.file_by_id(id).unwrap()).1 {
        let message = &found.message;
        assert!(message.chars().count() <= 72, "too long: {message}");
        assert!(!message.ends_with('.') && !message.starts_with(char::is_uppercase), "no fragment: {message}");
        assert!(found.labels.iter().all(|label| !label.text.is_empty()) && !found.labels.is_empty(), "{message}");
        assert!(found.help.is_some(), "no help: {message}");
    }
}

macro_rules! snapshot {
    ($name:literal, $frame:expr) => {
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/syntax"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            let cases = include_str!(concat!("../../../tests/fixtures/syntax/", $name, ".cases"));
            insta::assert_snapshot!($name, told(cases, $frame));
        });
    };
}

#[test]
fn mistakes_in_conditions_are_told() {
    snapshot!("conditions", CONDITION);
}

#[test]
fn mistakes_in_clauses_are_told() {
    snapshot!("clauses", CLAUSE);
}

#[test]
fn mistakes_in_items_are_told() {
    snapshot!("items", "");
}

#[test]
fn mistakes_in_the_encoding_are_told() {
    snapshot!("encoding", "");
}

/// Texts that no file of cases can contain: too long, too deep, or not accepted by the grammar alone.
fn generated() -> Vec<String> {
    let many = "1, ".repeat(65_537);
    vec![
        "#".repeat(1_048_577),
        format!("let a = [{many}]"),
        CONDITION.replace("{}", &format!("  when {}a == 1{}", "(".repeat(65), ")".repeat(65))),
        CONDITION.replace("{}", &format!("  when {}a == 1", "not ".repeat(65))),
        format!("def a = b matches/\"/ and {}c{}\n", "(".repeat(500), ")".repeat(500)),
    ]
}

/// Rows that no known text reaches: fallbacks for disagreements between the scan, the grammar, its parts and the tree.
const UNREACHED: &[&str] = &["BrokenItem", "TooDeep", "TooDeepForGrammar", "Unformatted", "Unparsed"];

#[test]
fn every_row_of_the_table_is_reached_by_a_fixture() {
    REACHED.with_borrow_mut(BTreeSet::clear);
    let foreign = include_str!("../../../tests/fixtures/check/foreign.cases");
    let foreign =
        framed(foreign, "").into_iter().map(|(_, text)| text.split("\n--- instead\n").next().unwrap().to_owned());
    let framed = CASES.iter().flat_map(|(cases, frame)| framed(cases, frame)).map(|(_, source)| source);
    for source in framed.chain(foreign).chain(generated()) {
        parse_text(&source, DiagnosticFormat::PLAIN);
    }
    let reached = REACHED.with_borrow(Clone::clone);
    let missing: Vec<_> = NAMES.iter().filter(|name| !reached.contains(*name) && !UNREACHED.contains(name)).collect();
    assert!(missing.is_empty(), "no fixture reaches {missing:?}");
    assert!(UNREACHED.iter().all(|name| NAMES.contains(name) && !reached.contains(name)), "{UNREACHED:?}");
}

/// Returns a text after every fix has been applied, if every finding has one.
fn fixed(source: &str) -> Option<String> {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, source);
    let (_, diagnostics) = parse(sources.file_by_id(id).unwrap());
    let mut fixes = diagnostics.iter().map(|found| found.fix.clone()).collect::<Option<Vec<_>>>()?;
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span));
    let mut fixed = source.to_owned();
    for fix in fixes {
        fixed.replace_range(fix.span.range(), &fix.replacement);
    }
    Some(fixed)
}

#[test]
fn fixes_mend() {
    let mut mended = 0;
    for (cases, frame) in CASES {
        for (name, source) in framed(cases, frame) {
            let Some(once) = fixed(&source) else { continue };
            // `&&` and `||` become a mix of `and` and `or`, which is fixed by parentheses.
            let twice = fixed(&once).unwrap_or(once);
            let (_, told) = parse_text(&twice, DiagnosticFormat::PLAIN);
            assert_eq!(told, "", "the fixes of `{name}` do not mend it:\n{twice}\n{told}");
            mended += 1;
        }
    }
    assert!(mended > 50, "{mended}");
}

#[test]
fn an_escape_of_another_language_is_rewritten_in_ours() {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, "let a = \"caf\\u00e9 \\u2014\"\n");
    let (_, found) = parse(sources.file_by_id(id).unwrap());
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(found.help.as_deref(), Some("write `\\u{e9}`"));
    assert_eq!(found.fix.as_ref().unwrap().replacement, "\"caf\\u{e9} \\u{2014}\"");
}
