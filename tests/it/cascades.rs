//! One mistake is one finding, and a policy with a mistake is not mistaken for another language.

use std::ops::Range;

use hookrules::diagnostic::{Diagnostic, Levels};
use hookrules::lint;
use hookrules::policy::Policy;
use hookrules::project::{self, MachinePlaces};
use hookrules::span::Sources;
use hookrules::syntax::parse;

use crate::machine::Machine;
use crate::source::{files, read};

/// Splits a text into words, strings and marks, each with its place.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut out = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        let mut end = start + c.len_utf8();
        if c == '#' {
            while rest.next_if(|(_, c)| *c != '\n').is_some() {}
            continue;
        } else if c == '"' {
            end = rest.by_ref().find(|(_, c)| *c == '"').map_or(text.len(), |(at, _)| at + 1);
        } else if part(c) {
            while let Some((at, c)) = rest.next_if(|(_, c)| part(*c)) {
                end = at + c.len_utf8();
            }
        } else if c.is_whitespace() {
            continue;
        }
        out.push(start..end);
    }
    out
}

/// Returns a text without one of its tokens, and with it twice.
fn broken(text: &str, token: &Range<usize>) -> [String; 2] {
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    let (front, word, behind) = (part(0..token.start), part(token.clone()), part(token.end..text.len()));
    [format!("{front}{behind}"), format!("{front}{word} {word}{behind}")]
}

fn is_another_language(text: &str) -> bool {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    let found = parse(sources.file_by_id(id).unwrap()).1;
    found.iter().any(|found| found.message.starts_with("the whole file is "))
}

#[test]
fn no_policy_with_a_mistake_is_taken_for_another_language() {
    let policies: Vec<_> =
        ["rules", "examples", "tests/fixtures"].iter().flat_map(|top| files(top, &["rules"])).collect();
    assert!(policies.len() > 15, "{policies:?}");
    // What is imported is in another language, with the same ending.
    for path in policies.into_iter().filter(|path| !path.starts_with("tests/fixtures/import")) {
        let text = read(&path);
        assert!(!is_another_language(&text), "{}", path.display());
        // Some of its items on their own: without a correct item next to them, none is mistaken for another language.
        for item in text.split("\n\n").filter(|item| item.len() < 1_000).take(4) {
            for token in tokens(item).iter().take(25) {
                for wrong in broken(item, token) {
                    assert!(!is_another_language(&wrong), "{}:\n{wrong}", path.display());
                }
            }
        }
    }
}

fn found(machine: &Machine, text: &str) -> Vec<Diagnostic> {
    machine.write("project/.rules/project.rules", text);
    let nowhere = machine.path("nowhere");
    let project = Some(machine.path("project"));
    let loaded =
        project::load(&MachinePlaces { managed: nowhere, user: None, project, ..MachinePlaces::on_this_machine(None) });
    lint::check_policy(&Policy::new(loaded.sources, &loaded.layers), &[], &Levels::default())
}

/// The most mistakes below that have three findings or more.
const CASCADES: usize = 12;

#[test]
fn a_token_that_is_missing_or_stands_twice_has_few_findings() {
    let machine = Machine::new();
    machine.write("project/.rules/paths.rules", &read("tests/fixtures/language/paths.rules"));
    let text = read("tests/fixtures/language/overview.rules");
    assert_eq!(found(&machine, &text), []);
    let mut many = Vec::new();
    for token in tokens(&text) {
        for wrong in broken(&text, &token) {
            let messages: Vec<String> = found(&machine, &wrong).into_iter().map(|found| found.message).collect();
            if messages.len() > 2 {
                let line = text.get(..token.start).unwrap_or_default().lines().count();
                many.push(format!("{line}: {:?}: {messages:?}", text.get(token.clone())));
            }
        }
    }
    assert!(many.len() <= CASCADES, "{}: {many:#?}", many.len());
}
