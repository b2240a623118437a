//! `rules import`: what is made of a configuration, that it checks clean, and that it decides as the original does.
//!
//! The configurations are `tests/fixtures/import`, and what is made of them stands beside them.

mod behaviour;
mod process;
mod strings;

use hookrules::diagnostic::{Diagnostic, Format, render_all};
use hookrules::import::{Imported, from_conclaude};
use hookrules::policy::Policy;
use hookrules::span::Sources;

use crate::kit;
use crate::source::read;

/// Imports a text.
fn import(text: &str) -> Result<Imported, (Vec<Diagnostic>, String)> {
    let mut sources = Sources::default();
    let id = sources.add(".conclaude.yaml", None, text);
    from_conclaude(sources.get(id).unwrap()).map_err(|found| {
        let printed = render_all(&found, &sources, Format::Plain);
        (found, printed)
    })
}

/// Imports a text that has no mistake.
#[track_caller]
fn imported(text: &str) -> Imported {
    import(text).unwrap_or_else(|(_, printed)| panic!("{printed}\n{text}"))
}

/// Imports a text and loads what is made of it.
#[track_caller]
fn policy_of(text: &str) -> Policy {
    kit::policy(&imported(text).policy)
}

fn fixture(name: &str) -> String {
    read(format!("tests/fixtures/import/{name}.yaml"))
}

macro_rules! snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/import"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// Shows both files that are written.
#[track_caller]
fn both(name: &str) -> String {
    let Imported { policy, settings, .. } = imported(&fixture(name));
    format!("{policy}\n=== rules.toml\n{settings}")
}

#[test]
fn a_small_configuration_reads_as_written_by_hand() {
    snapshot!("small", both("small"));
}

#[test]
fn an_empty_configuration_has_the_defaults() {
    snapshot!("empty", both("empty"));
}

#[test]
fn every_key_is_carried_over_or_noted() {
    snapshot!("everything", both("everything"));
}

#[test]
fn commands_of_subagents_stand_in_the_order_in_which_they_run() {
    snapshot!("subagents", both("subagents"));
}

#[test]
fn keys_of_older_versions_are_known_and_others_noted() {
    snapshot!("older", both("older"));
}

#[test]
fn mistakes_are_told_at_their_place_in_the_yaml() {
    let cases = read("tests/fixtures/import/mistakes.cases");
    let mut told = String::new();
    for case in cases.strip_prefix("=== ").unwrap().split("\n=== ") {
        let (name, text) = case.split_once('\n').unwrap();
        let (found, printed) = import(text).expect_err(name);
        for found in found {
            assert!(found.message.chars().count() <= 72 && !found.labels.is_empty(), "{name}: {}", found.message);
            assert!(found.help.is_some() || found.labels.len() > 1, "{name}: {}", found.message);
        }
        told.push_str(&format!("=== {name}\n{printed}\n"));
    }
    snapshot!("mistakes", told);
}

#[test]
fn notes_stand_at_the_top_with_their_lines() {
    let Imported { policy, notes, .. } = imported("stop:\n  infinte: true\nlogging: {}\n");
    let header: Vec<&str> = policy.lines().take_while(|line| line.starts_with('#')).collect();
    assert_eq!(
        header,
        [
            "# Made from .conclaude.yaml by `rules import conclaude`.",
            "#",
            "# Not carried over, or not as it stands there:",
            "# - line 2: `stop.infinte`: no key of conclaude (conclaude has `infinite`), left out",
            "# - line 3: `logging`: no key of conclaude, left out",
        ]
    );
    assert_eq!(notes.len(), 2);
}

#[test]
fn the_book_shows_what_is_really_made() {
    let page = read("book/src/migrating.md");
    let fence = |info: &str| {
        let (_, behind) = page.split_once(&format!("```{info}\n")).unwrap();
        behind.split_once("```\n").unwrap().0
    };
    assert_eq!(imported(fence("yaml")).policy, fence("rules"));
}
