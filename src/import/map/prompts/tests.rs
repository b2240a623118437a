//! Tests of regex literals, and of references to files in a text.

use super::*;

#[test]
fn a_regex_reads_back_to_itself() {
    for (pattern, expected) in [
        ("auth|login", "auth|login"),
        ("a/b", "a\\/b"),
        ("a\\/b", "a\\/b"),
        ("a\\\\/b", "a\\\\\\/b"),
        ("a\nb\t", "a\\nb\\x{9}"),
        ("[/]", "[\\/]"),
        ("\\\n", "\\x{a}"),
    ] {
        let written = regex_literal(pattern).unwrap();
        assert_eq!(written, expected, "{pattern:?}");
        let read = written.replace("\\/", "/");
        assert_eq!(regex_syntax::parse(&read).unwrap(), regex_syntax::parse(pattern).unwrap(), "{pattern:?}");
    }
    assert_eq!(regex_literal("(?x)a\n b"), None);
}

#[test]
fn words_of_a_regex_are_its_letters() {
    assert_eq!(names::slug(&regex_words("(?i)database|sql\\b[a-z]+"), "x"), "database-sql");
    assert_eq!(names::slug(&regex_words("(?:a)\\d"), "x"), "a");
    assert_eq!(names::slug(&regex_words("\\w+"), "x"), "x");
}

#[test]
fn references_are_files_and_addresses_are_none() {
    assert_eq!(file_references("Read @.claude/a.md, then @b/c.md. Not @b/c.md again."), [".claude/a.md", "b/c.md"]);
    assert_eq!(file_references("(@a.md)"), ["a.md"]);
    assert!(file_references("me@example.com, @team, @@a.md, x/@y.z").is_empty());
}
