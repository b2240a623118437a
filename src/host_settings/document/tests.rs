//! Tests that edits of settings can be undone, and that errors have the right position.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const PATH: [&str; 2] = ["hooks", "PreToolUse"];

/// The most liberal dialect.
const LIBERAL: JsonDialect = JsonDialect { comments: true, trailing_commas: true };

fn parse(text: &str) -> JsonDocument {
    JsonDocument::parse(text.to_owned()).unwrap()
}

fn element() -> Json {
    json!({ "matcher": "*", "hooks": [{ "type": "command", "command": "x" }] })
}

/// Returns the path of the last element of the list at `PATH`.
fn way(document: &JsonDocument) -> NodePath {
    let position = |node: &JsonNode, name: &str| node.members().iter().rposition(|member| member.name == name).unwrap();
    let root = document.root().unwrap();
    let hooks = position(root, PATH[0]);
    let hooks_node = &root.members()[hooks].node;
    let list = position(hooks_node, PATH[1]);
    vec![hooks, list, hooks_node.members()[list].node.elements().len() - 1]
}

/// Checks that appending and removing an element leaves the text unchanged.
fn comes_back(text: &str) {
    comes_back_as(text, JsonDialect::STRICT);
    comes_back_as(text, LIBERAL);
}

fn comes_back_as(text: &str, dialect: JsonDialect) {
    let before = JsonDocument::parse_dialect(text.to_owned(), dialect).unwrap();
    let with = before.append(&PATH, &element()).unwrap();
    let after = with.remove(&way(&with)).unwrap().map(|document| document.text().to_owned());
    assert_eq!(after.as_deref(), Some(text), "by way of:\n{}", with.text());
    let twice = with.append(&["hooks", "Stop"], &json!({ "hooks": [] })).unwrap().append(&PATH, &element()).unwrap();
    let stop =
        twice.root().unwrap().member("hooks").unwrap().node.members().iter().position(|member| member.name == "Stop");
    let once = twice.remove(&way(&twice)).unwrap().unwrap();
    let hooks = way(&once)[0];
    let once = once.remove(&[hooks, stop.unwrap(), 0]).unwrap().unwrap();
    assert_eq!(once.text(), with.text());
}

#[test]
fn what_was_added_and_is_removed_leaves_every_byte() {
    for text in [
        "{}",
        "{ }",
        "{\n}\n",
        "{}\n\n",
        "\u{feff}{\"a\": 1}",
        "{\"a\":1}",
        "{\"a\":1,\"hooks\":{}}",
        "{ \"hooks\" : { \"PreToolUse\" : [ ] } , \"a\" : 1.50e+2 }",
        "{\n  \"hooks\": {\n  }\n}",
        "{\r\n\t\"b\": [1, 2,\r\n 3],\r\n\t\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": []}]}\r\n}\r\n",
        "{\n    \"z\": 1e400, \"y\": -0, \"x\": 0.10,\n    \"// not a comment\": \"/* nor this */ \\u0041 \\/ \\ud83d\\ude00\",\n    \
         \"hooks\": {\n        \"PreToolUse\": [\n            { \"hooks\": [] }\n        ],\n        \"PreToolUse2\": 1\n    },\n    \"a\": {}\n}\n",
        "{\"hooks\": {\"PreToolUse\": []}, \"hooks\": {\"Other\": []}}",
    ] {
        comes_back(text);
    }
}

proptest! {
    #[test]
    fn any_settings_come_back_to_the_byte(
        before in "[ \t\n]{0,3}", inside in "[ \t\n]{0,4}", middle in "[ \t\n]{0,4}",
        members in proptest::collection::vec(("[a-z/*]{1,3}", "-?[1-9][0-9]{0,3}(\\.[0-9]{1,3}([eE][+-]?[0-9])?)?"), 0..3),
        events in proptest::option::of(proptest::collection::vec(prop_oneof![Just("PreToolUse"), Just("Other")], 0..2)),
    ) {
        let mut all: Vec<String> = members.iter().map(|(name, number)| format!("\"{name}\":{middle}{number}")).collect();
        if let Some(events) = events {
            let lists: Vec<String> = events.iter().map(|event| format!("\"{event}\"{middle}:[{inside}]")).collect();
            all.insert(all.len() / 2, format!("\"hooks\": {{{inside}{}{middle}}}", lists.join(",")));
        }
        comes_back(&format!("{before}{{{inside}{}{middle}}}{before}", all.join(&format!("{middle},{inside}"))));
    }
}

proptest! {
    #[test]
    fn any_settings_with_comments_come_back_to_the_byte(
        gaps in proptest::collection::vec("(([ \t\n]|\r\n){0,3}|/\\*[ a\",{\\[\n\\\\]{0,3}\\*/|//[ a\",}/*\\\\]{0,4}\n){0,3}", 8),
        has_events in any::<bool>(), has_commas in any::<[bool; 3]>(), elements in 0..3_usize,
    ) {
        let gap = |at: usize| gaps[at % gaps.len()].as_str();
        let comma = |at: usize| if has_commas[at] { format!("{},", gap(at)) } else { String::new() };
        let elements: Vec<String> = (0..elements).map(|at| format!("{}{{\"//\":\"/*\"}}{}", gap(at), gap(at + 2))).collect();
        let list = if elements.is_empty() { gap(3).to_owned() } else { elements.join(",") + &comma(0) + gap(4) };
        let events = format!("{}\"PreToolUse\"{}:{}[{list}]{}{}", gap(5), gap(6), gap(7), comma(1), gap(0));
        let hooks = if has_events { format!("\"hooks\":{{{events}}}") } else { "\"a\":1".to_owned() };
        comes_back_as(&format!("{}{{{}{hooks}{}{}}}{}", gap(1), gap(2), comma(2), gap(3), gap(4)), LIBERAL);
    }

    #[test]
    fn comments_are_blanked_and_nothing_else(text in "([/*\"\\\\\n é{]|//|/\\*|\\*/){0,12}") {
        let blanked = without_comments(&text);
        prop_assert_eq!(blanked.len(), text.len());
        prop_assert!(text.bytes().zip(blanked.bytes()).all(|(was, is)| was == is || is == b' '));
        prop_assert_eq!(text.matches('\n').count(), blanked.matches('\n').count());
    }
}

#[test]
fn comments_do_not_hide_depth() {
    let deep = format!("// \"\n/* \" */{}", "[".repeat(MAX_DEPTH + 1));
    let found = JsonDocument::parse_dialect(deep, LIBERAL).unwrap_err();
    assert_eq!((found.line, found.message.contains("deeper than 64")), (2, true), "{found:?}");
    for (text, message) in [("{ /* a }", "unterminated comment"), ("{\"a\": 1 // x }", "unterminated object")] {
        let found = JsonDocument::parse_dialect(text.to_owned(), LIBERAL).unwrap_err();
        assert!(found.message.contains(message), "{text}: {found:?}");
    }
}

#[test]
fn what_is_added_is_put_after_a_remark() {
    let parse = |text: &str| JsonDocument::parse_dialect(text.to_owned(), LIBERAL).unwrap();
    for (text, expected) in [
        ("[1 // one\n]", "[1, // one\n2\n]"),
        ("[\n  1, // one\n  // two\n]", "[\n  1, // one\n  2,\n  // two\n]"),
        ("[1 /* one */ ]", "[1, /* one */ 2 ]"),
        ("[1, /* one */]", "[1, /* one */ 2,]"),
    ] {
        let document = parse(text).append(&[], &json!(2)).unwrap();
        assert_eq!(document.text(), expected);
    }
    for (text, at, expected) in [
        ("[ // zero\n 1, // one\n 2 /* two */ ]", 0, "[ // zero\n // one\n 2 /* two */ ]"),
        ("[1, // one\n 2]", 1, "[1 // one\n]"),
        ("[1 /* a */, /* b */ 2 /* c */, /* d */ 3]", 1, "[1 /* a */, /* b */  /* c *//* d */ 3]"),
        ("[ // zero\n 1]", 0, "[ // zero\n]"),
    ] {
        let document = parse(text).remove(&[at]).unwrap().unwrap();
        assert_eq!(document.text(), expected);
    }
}

#[test]
fn what_is_added_is_indented_as_the_rest() {
    let document = parse("{\n    \"a\": 1\n}\n").append(&PATH, &json!({ "b": [] })).unwrap();
    let expected = "{\n    \"a\": 1,\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\n                \"b\": []\n            }\n        ]\n    }\n}\n";
    assert_eq!(document.text(), expected);
    let document = document.append(&PATH, &json!({ "c": 2 })).unwrap();
    assert!(
        document.text().contains("            },\n            {\n                \"c\": 2\n            }\n        ]"),
        "{}",
        document.text()
    );
}

#[test]
fn an_empty_text_gets_a_whole_object_and_then_has_nothing_left() {
    for text in ["", " \n"] {
        let with = parse(text).append(&PATH, &element()).unwrap();
        assert!(with.text().ends_with("}\n"));
        assert_eq!(with.remove(&way(&with)).unwrap(), None);
    }
}

#[test]
fn what_others_added_around_ours_stays() {
    let with = parse("{}").append(&PATH, &element()).unwrap();
    let more = with.append(&["hooks", "Stop"], &json!({ "hooks": ["theirs"] })).unwrap();
    let after = more.remove(&way(&more)).unwrap().unwrap();
    let json: Json = serde_json::from_str(after.text()).unwrap();
    assert_eq!(json, json!({ "hooks": { "Stop": [{ "hooks": ["theirs"] }] } }));
}

#[test]
fn another_value_takes_the_place_of_one() {
    let document = parse("{\n  \"a\": [\n    1,\n    2\n  ]\n}").replace(&[0, 1], &json!({ "b": 3 })).unwrap();
    assert_eq!(document.text(), "{\n  \"a\": [\n    1,\n    {\n      \"b\": 3\n    }\n  ]\n}");
}

#[test]
fn halves_of_characters_are_read_as_hosts_read_them() {
    for (text, expected) in [
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\ude00\ud83d\\ud83d \é""#, ""),
        (r#""\ude00a\ud83d\\ud83d""#, "\u{fffd}a\u{fffd}\\ud83d"),
    ] {
        let read = JsonDocument::parse(text.to_owned());
        let read = read.as_ref().ok().and_then(|document| document.root()?.as_text());
        assert_eq!(read.unwrap_or_default(), expected, "{text}");
    }
}

#[test]
fn a_mistake_names_its_place() {
    let deep = "[".repeat(MAX_DEPTH + 1);
    for (text, line, column, message) in [
        ("{\n  // why\n}", 2, 3, "comment"),
        ("{\"a\": 1,}", 1, 8, "comma"),
        ("{\"a\" 1}", 1, 6, "colon"),
        ("{\"a\": 1", 1, 1, "unterminated"),
        ("nonsense", 1, 1, ""),
        (deep.as_str(), 1, MAX_DEPTH + 1, "deeper than 64"),
    ] {
        let found = JsonDocument::parse(text.to_owned()).unwrap_err();
        assert_eq!((found.line, found.column), (line, column), "{text}: {found:?}");
        assert!(found.message.contains(message), "{text}: {found:?}");
    }
    let found = parse("{\"hooks\": []}").append(&PATH, &element()).unwrap_err();
    assert_eq!(found.message, "`hooks` must be an object");
    let found = parse("{\"hooks\": {\"PreToolUse\": {}}}").append(&PATH, &element()).unwrap_err();
    assert_eq!(found.message, "`hooks.PreToolUse` must be a list");
    assert!(parse("[]").append(&PATH, &element()).is_err());
}
