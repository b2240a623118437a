//! `rules import`: the policy made from a configuration, which checks clean and decides as the original does.
//!
//! The configurations are in `tests/fixtures/import`, next to the resulting policies.

mod behaviour;
mod formats;
mod patterns;
mod process;
mod strings;

use hookrules::diagnostic::{Diagnostic, DiagnosticFormat, render_all};
use hookrules::import::{self, ImportFormat, ImportedPolicy};
use hookrules::policy::Policy;
use hookrules::span::Sources;

use crate::kit;
use crate::source::read;

/// Imports a text.
fn import(text: &str) -> Result<ImportedPolicy, (Vec<Diagnostic>, String)> {
    let mut sources = Sources::default();
    sources.add(".conclaude.yaml", None, text);
    convert("conclaude", &sources)
}

/// Converts all files of a configuration.
fn convert(format: &str, sources: &Sources) -> Result<ImportedPolicy, (Vec<Diagnostic>, String)> {
    import::import(ImportFormat::by_name(format).unwrap(), sources).map_err(|found| {
        let printed = render_all(&found, sources, DiagnosticFormat::PLAIN);
        (found, printed)
    })
}

/// Imports a text without mistakes.
#[track_caller]
fn imported(text: &str) -> ImportedPolicy {
    import(text).unwrap_or_else(|(_, printed)| panic!("{printed}\n{text}"))
}

/// Imports a text and loads the resulting policy.
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

/// Returns the text of both files that an import writes.
#[track_caller]
fn both(name: &str) -> String {
    let ImportedPolicy { policy, settings, .. } = imported(&fixture(name));
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

/// Every line of a configuration either makes a difference or is named as left out, except one that states a default
/// of conclaude.
#[test]
fn no_line_of_a_configuration_is_dropped_without_a_word() {
    let rules = |imported: &ImportedPolicy| {
        let lines = imported.policy.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        (lines, imported.settings.clone())
    };
    let mut tried = 0;
    for name in ["everything", "older", "small", "subagents"] {
        let text = fixture(name);
        let whole = imported(&text);
        for (at, line) in text.lines().enumerate() {
            let Some((_, value)) = line.split_once(": ").filter(|_| !line.trim_start().starts_with(['#', '-'])) else {
                continue;
            };
            let without: String = text
                .lines()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, line)| format!("{line}\n"))
                .collect();
            let Ok(without) = import(&without) else { continue };
            // A default, or a file pattern that older versions require in addition to a command pattern.
            let is_default = matches!(value.trim(), "true" | "false" | "full" | "\"*\"");
            // A note about a whole entry names its first line.
            let entry = text.lines().take(at + 1).collect::<Vec<_>>();
            let entry = entry.iter().rposition(|line| line.trim_start().starts_with("- ")).unwrap_or(at);
            let noted = |line: usize| whole.policy.contains(&format!("# - line {}: ", line + 1));
            let is_named = noted(at) || noted(entry);
            assert!(is_default || is_named || rules(&without) != rules(&whole), "{name}, line {}: {line}", at + 1);
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

#[test]
fn every_option_that_is_not_carried_over_is_named() {
    let notes = |options: &str| {
        let text = format!("stop:\n  commands:\n    - run: \"make\"\n      message: \"M.\"\n{options}");
        imported(&text).notes.into_iter().map(|note| note.text).collect::<Vec<_>>()
    };
    assert!(notes("").is_empty());
    for option in ["showCommand: false", "showStdout: false", "tool: \"B*\""] {
        let key = option.split(':').next().unwrap();
        let expected = format!("`stop.commands.{key}`: has no equivalent here; left out");
        assert_eq!(notes(&format!("      {option}\n")), [expected]);
    }
    assert!(notes("      maxOutputLines: 3\n      timeout: 9\n").is_empty());
    // An alias is a separate value at every place that uses it.
    let text = "subagentStop:\n  commands:\n    coder: &a\n      - run: \"make\"\n        showStdout: false\n\
                stop:\n  commands: *a\n";
    assert_eq!(imported(text).notes.len(), 1);
}

#[test]
fn notes_stand_at_the_top_with_their_lines() {
    let ImportedPolicy { policy, notes, .. } = imported("stop:\n  infinte: true\nlogging: {}\n");
    let header: Vec<&str> = policy.lines().take_while(|line| line.starts_with('#')).collect();
    assert_eq!(
        header,
        [
            "# Made from .conclaude.yaml by `rules import conclaude`.",
            "#",
            "# Not carried over, or not unchanged:",
            "# - line 2: `stop.infinte`: not a key of conclaude (conclaude has `infinite`); left out",
            "# - line 3: `logging`: not a key of conclaude; left out",
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
