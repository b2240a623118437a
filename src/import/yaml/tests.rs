//! Tests of the kinds of values, their spans, and the limits.

use super::*;
use crate::span::Sources;

/// Formats a tree on one line, with quoted texts.
fn shown(node: &ConfigNode) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match &node.kind {
        ConfigValue::Null => "null".to_owned(),
        ConfigValue::Boolean(value) => value.to_string(),
        ConfigValue::Number(digits) => digits.clone(),
        ConfigValue::Text(text) => format!("{text:?}"),
        ConfigValue::List(elements) => format!("[{}]", join(elements.iter().map(shown).collect())),
        ConfigValue::Map(entries) => {
            let entry = |(key, value): &(ConfigNode, ConfigNode)| format!("{}: {}", shown(key), shown(value));
            format!("{{{}}}", join(entries.iter().map(entry).collect()))
        }
    }
}

/// Parses a text; returns the formatted tree, or the message and the source text at its place.
fn read(text: &str) -> Result<String, String> {
    let mut sources = Sources::default();
    let id = sources.add("a.yaml", None, text);
    let source = sources.file_by_id(id).unwrap();
    parse(source).map(|node| shown(&node)).map_err(|found| {
        let span = found.span().unwrap();
        let (line, column) = source.line_column(span.start);
        format!("{line}:{column} {}", found.message)
    })
}

#[test]
fn kinds_are_those_of_yaml_1_2() {
    let table = [
        (
            "a: true\nb: 'true'\nc: yes\nd: ~\ne:\nf: 1_0\ng: 10\nh: -1.5\ni: 0x10",
            concat!(
                r#"{"a": true, "b": "true", "c": "yes", "d": null, "e": null, "f": "1_0", "#,
                r#""g": 10, "h": -1.5, "i": "0x10"}"#
            ),
        ),
        ("- |\n  a\n  b\n- >\n  a\n  b\n- \"\\ta\"\n- '*'", r#"["a\nb\n", "a b\n", "\ta", "*"]"#),
        ("{a: [b, {c: d}]}", r#"{"a": ["b", {"c": "d"}]}"#),
        ("", "null"),
        ("# only a comment\n", "null"),
        ("a: &x [1, 2]\nb: *x", r#"{"a": [1, 2], "b": [1, 2]}"#),
        ("a: !!str 5", r#"{"a": "5"}"#),
        ("\u{feff}a: 1", r#"{"a": 1}"#),
    ];
    for (text, expected) in table {
        assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_not_read_is_told_at_its_place() {
    let table = [
        ("a: [1, 2", "not YAML: "),
        ("a:\n\t- b", "not YAML: "),
        ("a: b: c", "not YAML: "),
        ("*x", "not YAML: "),
        ("a: 1\na: 2", "2:1 a key appears twice"),
        ("a: 1\n---\nb: 2", "a second document"),
        ("a: !x 5", "1:7 a tag"),
        ("a: &x [*x]", "1:8 an alias within"),
    ];
    for (text, expected) in table {
        let found = read(text).unwrap_err();
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn spans_are_byte_ranges_of_the_text() {
    let text = "ä: [\"ö\", [x]]\nb: |\n  long\n";
    let mut sources = Sources::default();
    let id = sources.add("a.yaml", None, text);
    let source = sources.file_by_id(id).unwrap();
    let ConfigValue::Map(entries) = parse(source).unwrap().kind else { panic!("a mapping") };
    assert_eq!(source.slice(entries[0].0.span), "ä");
    assert_eq!(source.slice(entries[0].1.span), "[\"ö\", [x]]");
    let ConfigValue::List(elements) = &entries[0].1.kind else { panic!("a list") };
    assert_eq!(source.slice(elements[0].span), "\"ö\"");
}

#[test]
fn texts_that_grow_without_end_are_refused() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let names = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{names}]\n"));
    }
    assert!(read(&bomb).unwrap_err().contains("more than 10000 values"));
    let text = "x".repeat(100_000);
    let long = format!("a: &a \"{text}\"\nb: [{}]", vec!["*a"; 9_000].join(", "));
    assert!(read(&long).unwrap_err().contains("more than 10000 values"));
    let deep = format!("a: {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(read(&deep).is_err());
    let chain: String = (1..100).map(|level| format!("a{level}: &a{level} [*a{}]\n", level - 1)).collect();
    assert!(read(&format!("a0: &a0 [x]\n{chain}")).unwrap_err().contains("nested too deep"));
}
