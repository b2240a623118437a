//! What beginners and migrants type, and what they are told: one snapshot for each file of cases.

use super::*;

/// Renders every case of a file, in `frame`, whose `{}` stands for the case.
fn told(cases: &str, frame: &str) -> String {
    let mut out = String::new();
    for case in cases.strip_prefix("=== ").unwrap().split("\n=== ") {
        let (name, text) = case.split_once('\n').unwrap();
        let body: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
        let source = if frame.is_empty() { text.to_owned() } else { frame.replace("{}", &body.join("\n")) };
        let (_, told) = parse_text(&source, Format::Plain);
        assert_ne!(told, "", "nothing is said about: {name}");
        out.push_str(&format!("=== {name}\n{told}\n"));
    }
    out
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
    snapshot!("conditions", "rule a {\n  on PreToolUse\n{}\n  deny \"No.\"\n}\n");
}

#[test]
fn mistakes_in_clauses_are_told() {
    snapshot!("clauses", "rule a {\n{}\n}\n\nlet kept = 1\n");
}

#[test]
fn mistakes_in_items_are_told() {
    snapshot!("items", "");
}

#[test]
fn mistakes_in_the_encoding_are_told() {
    snapshot!("encoding", "");
}
