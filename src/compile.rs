//! Compiles syntax trees to a rule set: resolves names, checks types and whether events allow the effects, compiles
//! patterns, and determines the evaluation order.
//!
//! All mistakes are reported at once, each with its span (law 9). There is no I/O here.

mod acceptances;
mod account;
mod annotated_files;
mod approved_texts;
mod captures;
mod commands;
mod condition;
mod effect;
mod field;
mod head;
mod json_path;
mod marks;
mod names;
mod number_regex;
mod options;
mod order;
mod programs;
mod record;
mod regex_advice;
mod rewrite;
mod rule;
mod run;
mod template;
mod tested_names;
mod value_cache;
mod values;
mod where_advice;

pub use order::{link_layers, sort_for_evaluation};

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::PolicyBase;
use crate::diagnostic::{Acceptance, Code, Diagnostic};
use crate::layer::Layer;
use crate::ruleset::Rule;
use crate::span::Span;
use crate::syntax::ast;
use hookrules_shell::Programs;

use names::LayerNames;

/// The result of compiling a layer: its rules, tests and findings.
#[derive(Clone, Debug)]
pub struct CompiledLayer {
    /// The rules in source order. They must not be used if a finding is an error.
    pub rules: Vec<Arc<Rule>>,
    /// The `test` blocks in its files.
    pub tests: Vec<ast::AstTest>,
    /// All findings about the layer, including the findings of the parser.
    pub diagnostics: Vec<Diagnostic>,
    /// The findings that the policy accepts with `@allow`, no matter whether the compiler or a lint reports them.
    pub accepted: Vec<Acceptance>,
    /// The number of parts of the layer: the measure of its size, which is limited.
    pub parts: u64,
    /// The program records with which its rules parse commands: the layer's own and the records of the layers above.
    pub programs: Programs,
}

impl CompiledLayer {
    /// Whether the layer can be used, because no finding is an error.
    #[must_use]
    pub fn loads(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// The number of errors in a layer after which its compilation stops: nobody would read more.
const MAX_ERRORS: usize = 200;

/// Compiles a layer without layers above it.
#[cfg(test)]
pub(crate) fn compile(layer: &Layer) -> CompiledLayer {
    compile_with_limit(layer, u64::MAX, &Programs::default())
}

/// Compiles a layer. `parts_left` is the number of parts that the layers above have left for it, and `above` has the
/// program records of those layers.
#[must_use]
pub fn compile_with_limit(layer: &Layer, parts_left: u64, above: &Programs) -> CompiledLayer {
    let mut diagnostics = layer.diagnostics.clone();
    let programs = programs::collect_programs(layer, above, &mut diagnostics);
    let names = LayerNames::new(layer, parts_left, &programs, &mut diagnostics);
    let (mut errors, mut counted) = (0, 0);
    let mut should_stop = |diagnostics: &[Diagnostic]| {
        errors += diagnostics.iter().skip(counted).filter(|diagnostic| diagnostic.is_error()).count();
        counted = diagnostics.len();
        errors > MAX_ERRORS || names.account.exceeded_limit().is_some()
    };
    let annotations = annotated_files::FileAnnotations::new(layer, &mut diagnostics);
    let mut compiled = CompiledItems::default();
    marks::compile_marks(&names, layer, &mut diagnostics).into_iter().for_each(|mark| compiled.add_rule(mark));
    let mut checked = condition::DefCache::default();
    for (file, loaded) in layer.files.iter().enumerate() {
        names.enter_file(file);
        names.check_items(file, &mut checked, &mut diagnostics);
        for item in &loaded.ast.items {
            if should_stop(&diagnostics) {
                break;
            }
            match &item.kind {
                ast::ItemKind::Rule(rule) if rule.kind == ast::RuleItemKind::Mark => {}
                ast::ItemKind::Rule(rule) if !names.is_excepted(file, &rule.name.text) => {
                    let findings_before = diagnostics.len();
                    let mut rule = rule::compile_rule(&names, file, layer, item, rule, &mut diagnostics);
                    annotations.apply(file, &mut rule);
                    compiled.add_rule(rule);
                    // Other findings about this rule may result from values that were no longer compiled.
                    if names.account.exceeded_limit().is_some() {
                        diagnostics.truncate(findings_before);
                    }
                }
                // A pack's tests only test the pack; they are run with the packs.
                ast::ItemKind::Test(test) if loaded.pack.is_none() => compiled.add_test(test),
                _ => {}
            }
        }
    }
    report_duplicates(&compiled.rules, &mut diagnostics);
    add_directories_to_names(&mut compiled.rules, layer);
    diagnostics.extend(names.account.exceeded_limit().cloned());
    names.drop_consequences(&mut diagnostics);
    remove_duplicates(&mut diagnostics);
    let parts = names.account.parts();
    CompiledLayer {
        rules: compiled.rules.into_iter().map(Arc::new).collect(),
        tests: compiled.tests,
        diagnostics,
        accepted: acceptances::acceptances(layer),
        parts,
        programs: programs.for_layer().clone(),
    }
}

/// The compiled rules and tests of a layer. A file that two directories use is compiled once for each of them; rules
/// that mean the same in both are kept once.
#[derive(Default)]
struct CompiledItems {
    rules: Vec<Rule>,
    /// The indices in `rules` of the rules with the same source.
    by_source: BTreeMap<Span, Vec<usize>>,
    tests: Vec<ast::AstTest>,
}

impl CompiledItems {
    fn add_rule(&mut self, rule: Rule) {
        let same_source = self.by_source.entry(rule.span).or_default();
        let duplicate =
            same_source.iter().copied().find(|at| self.rules.get(*at).is_some_and(|it| is_same_rule(it, &rule)));
        match duplicate.and_then(|at| self.rules.get_mut(at)) {
            Some(kept) => kept.also_of.push(rule.base),
            None => {
                same_source.push(self.rules.len());
                self.rules.push(rule);
            }
        }
    }

    fn add_test(&mut self, test: &ast::AstTest) {
        if !self.tests.iter().any(|known| known.name.span == test.name.span) {
            self.tests.push(test.clone());
        }
    }
}

/// Reports every rule with the same name as an earlier rule of the same directory.
fn report_duplicates(rules: &[Rule], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<(&PolicyBase, &str), Span> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| !rule.is_generated()) {
        for base in [&rule.base].into_iter().chain(&rule.also_of) {
            match seen.entry((base, &rule.name)) {
                Entry::Occupied(first) => diagnostics.push(
                    Diagnostic::new(Code::DUPLICATE_NAME, format!("two rules are named `{}`", rule.name))
                        .label(rule.name_span, "the second")
                        .label(*first.get(), "the first")
                        .help("give one of them another name"),
                ),
                Entry::Vacant(first) => {
                    first.insert(rule.name_span);
                }
            }
        }
    }
}

/// Whether two rules with the same source mean the same, apart from the directory that uses them. A `let` that a
/// directory replaces makes them differ, and so does a relative path in a pack.
fn is_same_rule(one: &Rule, other: &Rule) -> bool {
    Rule { base: one.base.clone(), ..other.clone() }.to_bytes() == one.to_bytes()
}

/// Adds the directory to the displayed name of each rule that shares its name with a rule of another directory, as in
/// `brief-the-session (api)`.
fn add_directories_to_names(rules: &mut [Rule], layer: &Layer) {
    if layer.directories.len() < 2 {
        return;
    }
    let mut holders: BTreeMap<String, BTreeSet<PolicyBase>> = BTreeMap::new();
    for rule in rules.iter() {
        holders.entry(rule.name.clone()).or_default().insert(rule.base.clone());
    }
    for rule in rules.iter_mut() {
        let directory = layer.directories.iter().find(|directory| directory.base == rule.base);
        if let Some(directory) = directory.filter(|_| holders.get(&rule.name).is_some_and(|all| all.len() > 1)) {
            rule.display_name.push_str(&format!(" ({})", layer.display_directory(directory)));
        }
    }
}

/// Removes repeated findings: a `def` is checked once for each rule that uses it. Also removes syntax findings inside a
/// value of the wrong type, such as an escape in a string that should be a regex.
fn remove_duplicates(diagnostics: &mut Vec<Diagnostic>) {
    let misfits: Vec<Span> = diagnostics
        .iter()
        .filter(|diagnostic| *diagnostic.code == *Code::TYPE_MISMATCH)
        .filter_map(Diagnostic::span)
        .collect();
    diagnostics.retain(|diagnostic| {
        let inside = |span: Span| {
            misfits.iter().any(|misfit| misfit.file == span.file && misfit.start < span.start && span.end < misfit.end)
        };
        *diagnostic.code != *Code::SYNTAX || !diagnostic.span().is_some_and(inside)
    });
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    let mut seen = std::collections::BTreeSet::new();
    for diagnostic in diagnostics.drain(..) {
        if seen.insert((diagnostic.code.id, diagnostic.span(), diagnostic.message.clone())) {
            kept.push(diagnostic);
        }
    }
    *diagnostics = kept;
}
