//! Tests the limits of size, nesting and number: which files are rejected, and that all others take little time.

use super::*;
use crate::diagnostic::Code;

fn codes(text: &str) -> Vec<&'static str> {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    parse(sources.file_by_id(id).unwrap()).1.iter().map(|diagnostic| diagnostic.code.id).collect()
}

/// A rule with its condition nested to a depth, counting the body of the rule.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    let times = depth - 1;
    format!("rule a {{\n  on Stop\n  when {}{inner}{}\n  warn \"x\"\n}}\n", open.repeat(times), close.repeat(times))
}

#[test]
fn brackets_nest_to_64() {
    assert_eq!(codes(&nested("(", "a", ")", 64)), [""; 0]);
    assert_eq!(codes(&nested("(not b and (", "a", "))", 32)), [""; 0]);
    assert_eq!(codes(&nested("runs \"x\" where (", "a", ")", 64)), [""; 0]);
    assert_eq!(codes(&format!("let a = {}1{}\n", "[".repeat(64), "]".repeat(64))), [""; 0]);
    assert_eq!(codes(&format!("let a = [{}1{}]\n", "{ a: ".repeat(63), "}".repeat(63))), [""; 0]);
}

#[test]
fn deeper_nesting_is_refused_at_the_bracket() {
    assert_eq!(codes(&nested("(", "a", ")", 65)), ["R0004"]);
    assert_eq!(codes(&nested("(", "a", ")", 4_096)), ["R0004"]);
    assert_eq!(codes(&nested("runs \"x\" where (", "a", "", 4_096)), ["R0004"]);
    assert_eq!(codes(&format!("let a = {}", "[".repeat(4_096))), ["R0004"]);
    assert_eq!(codes(&format!("rule a {{\n  run \"x\" {}", "{ a: ".repeat(4_096))), ["R0004"]);
}

#[test]
fn brackets_in_strings_comments_and_regexes_do_not_nest() {
    let many = "(".repeat(4_096);
    let text = format!(
        "# {many}\nlet a = \"{many}\"\nlet b = '{many}'\nlet c = /\\({many}/\nlet d = \"\"\"\n{many}\n\"\"\"\n"
    );
    assert_eq!(codes(&text), [""; 0]);
}

#[test]
fn nesting_that_the_scan_cannot_see_is_refused_by_the_tree() {
    // A quote inside a regex without a space before it hides the rest of the line from the scan.
    let text = format!("def a = b matches/\"/ and {}c{}\n", "(".repeat(500), ")".repeat(500));
    assert!(codes(&text).contains(&"R0004"), "{:?}", codes(&text));
}

#[test]
fn long_chains_and_many_items_are_fine() {
    assert_eq!(codes(&format!("def a = {}b\n", "b and ".repeat(4_096))), [""; 0]);
    assert_eq!(codes(&format!("def a = {}b\n", "not ".repeat(64))), [""; 0]);
    assert_eq!(codes(&format!("def a = b{}and c\n", "\n".repeat(4_096))), [""; 0]);
    assert_eq!(codes(&format!("{}rule a {{\n  on Stop\n  warn \"x\"\n}}\n", "@off\n".repeat(4_096))), [""; 0]);
    assert_eq!(codes(&format!("{}let a = 1\n", "## why\n".repeat(4_096))), [""; 0]);
}

#[test]
fn four_thousand_of_any_mark_are_told_quickly() {
    for mark in [
        "\"",
        "'",
        "`",
        "/",
        "@",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "!",
        "&&",
        "$",
        "\\",
        "rule ",
        "rule a {\n",
        "deny \"\n",
        "@(\n",
        "a|",
        "a, ",
    ] {
        let text = mark.repeat(4_096);
        assert_ne!(codes(&text), [""; 0], "{mark}");
        assert_ne!(codes(&format!("rule a {{\n  on Stop\n  when {text}\n}}\n")), [""; 0], "{mark} in a condition");
    }
}

#[test]
fn ten_thousand_rules_parse() {
    let rule = |n: usize| format!("rule r{n} {{\n  on Stop\n  when a == \"b\"\n  warn \"x\"\n}}\n");
    let text: String = (0..10_000).map(rule).collect();
    let (file, told) = parse_text(&text, DiagnosticFormat::Short);
    assert_eq!(told, "");
    assert_eq!(file.items.len(), 10_000);
}

#[test]
fn at_most_fifty_mistakes_are_listed() {
    let text = "denny \"x\"\n".repeat(4_096);
    let (_, told) = parse_text(&text, DiagnosticFormat::Short);
    assert_eq!(told.lines().count(), 50);
    assert!(told.ends_with("more are not shown)\n"), "{}", told.lines().last().unwrap());
}

#[test]
fn a_file_over_a_mebibyte_is_refused() {
    assert_eq!(codes(&"#".repeat(1 << 20)), [""; 0]);
    assert_eq!(codes(&"#".repeat((1 << 20) + 1)), [Code::TOO_DEEP.id]);
}

#[test]
fn a_list_over_the_limit_is_refused() {
    let list = |n: usize| format!("let a = [{}]\n", "1,".repeat(n));
    assert_eq!(codes(&list(65_536)), [""; 0]);
    assert_eq!(codes(&list(65_537)), [Code::TOO_DEEP.id]);
}

#[test]
fn what_is_looked_for_in_vain_is_looked_for_once() {
    // Without the memory of a failed search, each opener would be searched to the end of the file.
    for piece in ["/*\n", "\\\"\"\"\n"] {
        assert_ne!(codes(&piece.repeat(100_000)), [""; 0], "{piece}");
    }
    assert_eq!(codes(&format!("let a = \"{}\"\n", "{".repeat(500_000))), [""; 0]);
}

#[test]
fn more_than_64_times_not_is_refused() {
    for count in [65, 100_000] {
        let nots = "not ".repeat(count);
        assert_eq!(codes(&format!("def a = {nots}b\n")), ["R0004"]);
        assert_eq!(
            codes(&format!("rule a {{\n  on Stop\n  when runs \"x\" where {nots}c\n  warn \"x\"\n}}\n")),
            ["R0004"]
        );
        assert_eq!(codes(&format!("def a = {}b\n", "not # x\n".repeat(count))), ["R0004"]);
        // The scan takes the text after the quote for a string.
        let hidden = codes(&format!("def a = b matches/\"/ and {nots}c\n"));
        assert!(hidden.contains(&"R0004"), "{hidden:?}");
    }
}

#[test]
fn nots_and_brackets_together_are_bounded() {
    let deep =
        |levels| format!("def a = {}b{}\n", format!("{}(", "not ".repeat(64)).repeat(levels), ")".repeat(levels));
    assert_eq!(codes(&deep(1)), [""; 0]);
    assert_eq!(codes(&deep(60)), ["R0004"]);
}

#[test]
fn a_hundred_thousand_of_what_has_no_brackets_is_flat() {
    for joint in ["and", "or"] {
        assert_eq!(codes(&format!("def a = {}b\n", format!("b {joint} ").repeat(100_000))), [""; 0]);
        assert_ne!(codes(&format!("def a = {}\n", format!("b {joint} ").repeat(100_000))), [""; 0]);
    }
    assert_eq!(codes(&format!("def a = b{} == 1\n", ".b".repeat(100_000))), [""; 0]);
    assert_eq!(codes(&format!("rule a {{\n  on Stop({}b)\n  warn \"x\"\n}}\n", "b|".repeat(100_000))), [""; 0]);
}
