//! The list that `rules check -v` prints: the files of each layer with their contents, and the rules without an
//! example.

use crate::cli::print::{Printer, Style, count};
use crate::lint;
use crate::policy::{Policy, PolicyLayer};
use crate::syntax::ast::{AstFile, ClauseKind, ItemKind};
use crate::wrap::columns;

/// Prints the files of each layer that exists, and a blank line.
pub(super) fn print(policy: &Policy, printer: &mut Printer) {
    for layer in policy.layers.iter().filter(|layer| layer.exists) {
        let state = if layer.is_loaded() { "" } else { ", which does not load" };
        printer.out(&format!("{}{state}\n", printer.paint(Style::Bold, layer.kind.name())));
        let files: Vec<(&str, String)> = files(policy, layer);
        let width = files.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
        for (name, content) in files {
            let lead = format!("  {name}{}  ", " ".repeat(width.saturating_sub(columns(name))));
            printer.out(&printer.wrapped(&lead, &" ".repeat(columns(&lead)), &content));
        }
        let (quiet, bare): (Vec<_>, Vec<_>) =
            lint::untested_rules(layer).partition(|rule| lint::has_only_quiet_examples(rule));
        for (rules, what) in [(bare, "without an example"), (quiet, "without an example that it fires on")] {
            let names: Vec<&str> = rules.iter().map(|rule| rule.display_name.as_str()).collect();
            if !names.is_empty() {
                printer.out(&printer.wrapped("  ", "    ", &format!("{what}: {}", names.join(", "))));
            }
        }
    }
    printer.out("\n");
}

/// Returns the name and content of each file of a layer, in the order of loading.
fn files<'p>(policy: &'p Policy, layer: &'p PolicyLayer) -> Vec<(&'p str, String)> {
    let named = layer.files.iter().filter_map(|file| Some((policy.sources.file_by_id(file.id)?, file)));
    named
        .map(|(source, file)| {
            let content = if file.pack.is_some() { pack(&file.ast) } else { content(&file.ast) };
            (source.name.as_str(), content)
        })
        .collect()
}

/// Describes a pack by the number of its rules. Its examples are not counted: they are not run here.
fn pack(file: &AstFile) -> String {
    let rules = file.items.iter().filter(|item| matches!(item.kind, ItemKind::Rule(_))).count();
    format!("{} of a pack", count(rules, "rule"))
}

/// Describes a file by the numbers of its rules, examples and tests.
fn content(file: &AstFile) -> String {
    let (mut rules, mut examples, mut tests) = (0_usize, 0_usize, 0_usize);
    for item in &file.items {
        match &item.kind {
            ItemKind::Rule(rule) => {
                rules = rules.saturating_add(1);
                for clause in &rule.clauses {
                    if let ClauseKind::Examples(_, all) = &clause.kind {
                        examples = examples.saturating_add(all.len());
                    }
                }
            }
            ItemKind::Test(_) => tests = tests.saturating_add(1),
            ItemKind::Use(_) | ItemKind::Let(_) | ItemKind::Def(_) => {}
        }
    }
    let parts = [(rules, "rule"), (examples, "example"), (tests, "test")];
    let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| count(*n, word)).collect();
    if parts.is_empty() { "no rules".to_owned() } else { parts.join(", ") }
}
