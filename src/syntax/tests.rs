//! Tests the parser as a whole: the trees of correct files, and the diagnostics for files with mistakes.

mod format;
mod grammar;
mod languages;
mod limits;
mod mistakes;
mod phrases;
mod properties;

use super::*;
use crate::diagnostic::{DiagnosticFormat, render_all};
use crate::span::Sources;

/// Parses a text, and renders its diagnostics.
fn parse_text(text: &str, format: DiagnosticFormat) -> (ast::AstFile, String) {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    let (file, diagnostics) = parse(sources.file_by_id(id).unwrap());
    (file, render_all(&diagnostics, &sources, format))
}

#[test]
fn the_overview_parses_clean() {
    let (file, diagnostics) =
        parse_text(include_str!("../../tests/fixtures/language/overview.rules"), DiagnosticFormat::PLAIN);
    assert_eq!(diagnostics, "");
    assert_eq!(file.items.len(), 20);
    assert_eq!(file.items[5].docs, ["Rewriting shared history loses other people's work."]);
    assert_eq!(file.items[5].annotations.len(), 2);
}

/// Returns the rules, `let`s and `def`s that are kept of a file.
fn kept(text: &str) -> Vec<String> {
    let (file, _) = parse_text(text, DiagnosticFormat::Short);
    let name = |item: &ast::Item| match &item.kind {
        ast::ItemKind::Rule(rule) => {
            format!("{}{}", rule.name.text, if rule.has_unparsed_clause { " (broken)" } else { "" })
        }
        ast::ItemKind::Let(constant) => constant.name.text.clone(),
        ast::ItemKind::Def(definition) => definition.name.text.clone(),
        ast::ItemKind::Use(import) => import.source.value.clone(),
        ast::ItemKind::Test(test) => test.name.value.clone(),
    };
    file.items.iter().map(name).collect()
}

#[test]
fn good_items_are_kept_beside_bad_ones() {
    let text =
        "rule a {\n  on Stop\n  denny \"x\"\n}\nlet b = 1\nlet c = \ntest \"d\" {\n  given \"x\"\n  expect pass\n}\n";
    assert_eq!(kept(text), ["a (broken)", "b", "d"]);
}

#[test]
fn an_unclosed_rule_leaves_the_next_one_its_docs_and_annotations() {
    let text = "rule a {\n  on Stop\n  warn \"x\"\n\n## Why.\n@off\nrule b {\n  on Stop\n  warn \"x\"\n}\n";
    let (file, told) = parse_text(text, DiagnosticFormat::Short);
    assert_eq!(told.lines().count(), 1, "{told}");
    let b = &file.items[1];
    assert_eq!((b.docs.as_slice(), b.annotations.len()), (["Why.".to_owned()].as_slice(), 1));
}

#[test]
fn the_names_of_unread_items_are_known() {
    let (file, _) = parse_text("let a = [1\ndef b = \nuse std/git\n", DiagnosticFormat::Short);
    let names: Vec<&str> = file.unparsed_names.iter().map(|name| name.text.as_str()).collect();
    assert_eq!(names, ["a", "b", "*"]);
}

#[test]
fn three_mistakes_are_three_findings() {
    let text =
        "rule a {\n  on Stop, \n  when x = 1\n  warn \"x\"\n}\nlett b = 1\nrule c {\n  on Stop\n  denny \"x\"\n}\n";
    let (_, told) = parse_text(text, DiagnosticFormat::Short);
    let places: Vec<&str> = told.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(places, ["a.rules:2:10:", "a.rules:3:10:", "a.rules:6:1:", "a.rules:9:3:"]);
}

#[test]
fn lines_continue_where_the_language_says_and_nowhere_else() {
    let rule = |body: &str| kept(&format!("rule a {{\n  on Stop\n  warn \"x\"\n  {body}\n}}\n"));
    for good in [
        "when a\n  and b",
        "when a and\n  b",
        "when not\n  a",
        "when (\n a\n )",
        "when a in [\n 1,\n 2,\n ]",
        "when runs \"x\"\n  where in_loop",
        "on A,\n  B(x|\n y\n | z)",
        "run \"x\" {\n  timeout: 5s,\n }",
        "rewrite command =\n  \"x\"",
        "fires on \"a\",\n  \"b\"",
        "when a and # why\n  b # what",
    ] {
        assert_eq!(rule(good), ["a"], "{good}");
    }
    for bad in
        ["when\n  a", "when a\n  == 1", "when a ==\n  1", "deny\n  \"x\"", "on\n  A", "run \"x\"\n  { timeout: 5s }"]
    {
        assert_eq!(rule(bad), ["a (broken)"], "{bad}");
    }
}

#[test]
fn blocks_lose_their_common_indentation() {
    let value = |source: &str| text::decode_literal(source, Span::default(), &mut Vec::new()).value;
    assert_eq!(value("\"\"\"\n    one\n      two\n\n    three\n  \"\"\""), "one\n  two\n\nthree");
    assert_eq!(value("\"\"\"\r\n  one\r\n  two\r\n\"\"\""), "one\ntwo");
    assert_eq!(value("\"\"\"one\n  two\"\"\""), "one\ntwo");
    assert_eq!(value("\"\"\"\"\"\""), "");
    // White space other than indentation is text.
    for text in ["\u{2028}", " \u{2028}", "\u{a0}\n b", "a\n\u{3000}"] {
        let source = string_literal(text, "");
        assert_eq!(value(&source), text, "{source}");
        let block = format!("\"\"\"\n  {}\n  \"\"\"", text.trim_start_matches(' ').replace('\n', "\n  "));
        assert_eq!(value(&block), text.trim_start_matches(' '), "{block}");
    }
}

#[test]
fn placeholders_are_found_and_braces_are_themselves() {
    let names = |source: &str| {
        let text = text::decode_literal(source, Span::default(), &mut Vec::new());
        let slice = |p: &ast::Placeholder| format!("{}={}", text.value.get(p.range.clone()).unwrap(), p.name.text());
        text.placeholders.iter().map(slice).collect::<Vec<_>>()
    };
    assert_eq!(
        names(r#""a {path} {tool_input.on-x} é{b}""#),
        ["{path}=path", "{tool_input.on-x}=tool_input.on-x", "{b}=b"]
    );
    assert_eq!(names(r#""\{path} ${HOME} {a,b} {} { a } {1}""#), [""; 0]);
    assert_eq!(names("'{path}'"), [""; 0]);
}
