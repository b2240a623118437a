//! Tests files that are entirely in another language. `tests/it/mistakes.rs` verifies that no policy is mistaken for
//! such a file.

use super::*;
use crate::diagnostic::Code;
use crate::syntax::mistakes::languages::{LANGUAGES, LanguageRemedy};

const FILES: &str = include_str!("../../../tests/fixtures/syntax/languages.cases");

fn files() -> Vec<(&'static str, &'static str)> {
    FILES.strip_prefix("=== ").unwrap().split("\n=== ").map(|case| case.split_once('\n').unwrap()).collect()
}

fn found(text: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    parse(sources.file_by_id(id).unwrap()).1
}

fn is_told_as_a_whole(found: &[Diagnostic]) -> bool {
    matches!(found, [only] if *only.code == *Code::FOREIGN_OPERATOR && only.message.starts_with("the whole file is "))
}

#[test]
fn a_file_in_another_language_is_one_finding() {
    let mut reached = Vec::new();
    for (name, text) in files() {
        let found = found(text);
        assert!(is_told_as_a_whole(&found), "{name}: {found:#?}");
        assert!(found[0].message.chars().count() <= 72, "{name}");
        reached.push(found[0].message.clone());
    }
    for language in LANGUAGES {
        let message = format!("the whole file is {}", language.name);
        assert!(reached.contains(&message), "no fixture: {message}");
    }
}

/// The proposal for each file: its own rules as far as they can be translated, and what is missing.
#[test]
fn a_file_in_another_language_is_shown_as_rules() {
    let mut out = String::new();
    for (name, text) in files() {
        out.push_str(&format!("=== {name}\n{}\n", found(text)[0].help.as_deref().unwrap_or_default()));
    }
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/syntax"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("languages", out);
    });
}

#[test]
fn the_rule_that_is_shown_instead_is_a_policy() {
    for language in LANGUAGES {
        if let LanguageRemedy::Rewrite { rule, .. } = language.remedy {
            assert_eq!(found(rule), [], "{}", language.name);
        }
    }
}

#[test]
fn a_file_with_one_item_of_ours_is_not_in_another_language() {
    for (name, text) in files() {
        let both = format!("{text}\n\nrule own {{\n  on Stop\n  deny \"No.\"\n}}\n");
        assert!(!is_told_as_a_whole(&found(&both)), "{name}");
    }
}
