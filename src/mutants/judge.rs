//! Judges mutants: first by the examples of the rules that the change affects, then by the tests of the layer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::additions::{self, PolicyAddition};
use super::edit::MutantEdit;
use super::item::{MutatedItem, item_mutations};
use crate::compile::compile_with_limit;
use crate::examples::{ExampleSetting, PreparedExample, case_passes, marks_of, names_any_rule};
use crate::layer::{Layer, LoadedFile};
use crate::policy::{PolicyLayer, TestedRules};
use crate::ruleset::Rule;
use crate::span::{Sources, Span};
use crate::syntax::ast::{AstFile, Item, ItemKind, RuleItemKind, Use};

/// Judges the mutants of one layer.
pub(super) struct MutantJudge<'l> {
    /// The layer without a change, compiled.
    compiled: &'l PolicyLayer,
    setting: ExampleSetting,
    /// The parsed files of the layer, in copies of which one item is replaced.
    layer: &'l Layer,
    sources: &'l Sources,
}

/// A mutant that no example and no test notices, and an addition to the policy that would notice it, if one was
/// found.
pub(super) struct SurvivingMutant {
    pub(super) edit: MutantEdit,
    pub(super) addition: Option<PolicyAddition>,
}

/// The compiled rules of a layer with one change.
struct MutatedRules {
    /// The rules and marks that are written in the source, not generated, by the spans of their names in the unchanged
    /// source.
    written: BTreeMap<Span, Arc<Rule>>,
    /// The setting of the examples, with the marks of the mutant.
    setting: ExampleSetting,
}

/// A rule that a change affects, with its prepared examples.
struct RuleExamples<'l> {
    rule: &'l Arc<Rule>,
    /// The examples of the rule, as payloads.
    examples: Vec<PreparedExample>,
}

impl<'l> MutantJudge<'l> {
    pub(super) fn new(compiled: &'l PolicyLayer, layer: &'l Layer, sources: &'l Sources) -> Self {
        Self { compiled, layer, sources, setting: ExampleSetting::of_layer(compiled) }
    }

    /// Applies every mutation to an item, one at a time. Returns the number of mutants that load, and those that
    /// nothing notices.
    pub(super) fn judge_mutants_of(&self, file: usize, item: &Item) -> (usize, Vec<SurvivingMutant>) {
        let users = self.users_of(item);
        let examples_in = |setting: &ExampleSetting| {
            let mut affected_rules: Vec<RuleExamples<'_>> =
                self.own_rules().filter_map(|rule| prepare_examples(rule, &users, setting)).collect();
            if matches!(item.kind, ItemKind::Use(_)) {
                // The examples of a rule are about it as it is written, without what a `use` leaves out.
                affected_rules.iter_mut().for_each(|affected| affected.examples.clear());
            }
            affected_rules
        };
        let affected_rules = examples_in(&self.setting);
        // A changed mark changes what the session of an example remembers, so the examples must be prepared again.
        let changes_past = affected_rules.iter().any(|affected| affected.rule.mark().is_some());
        let reduced_layer = self.layer_of_users(&users);
        let (mut loaded_mutants, mut survivors) = (0, Vec::new());
        for mutation in item_mutations(item) {
            let mut pending = Some(mutation);
            // If the mutant does not load, tries the fallback of its mutation.
            while let Some(MutatedItem { item: changed, edit, fallback }) = pending {
                pending = None;
                match self.mutated_rules(&reduced_layer, (file, item.span), changed) {
                    Some(changed) => {
                        loaded_mutants += 1;
                        let noticed = match changes_past {
                            true => self.is_noticed(&examples_in(&changed.setting), &changed),
                            false => self.is_noticed(&affected_rules, &changed),
                        };
                        if !noticed {
                            let proposal = self.addition(&edit, &affected_rules, &changed);
                            survivors.push(SurvivingMutant { edit, addition: proposal });
                        }
                    }
                    None => pending = fallback.map(|mutation| *mutation),
                }
            }
        }
        (loaded_mutants, survivors)
    }

    /// Compiles a layer in which the item at a span is replaced, and returns its rules: none if the item is removed.
    /// `None` if the changed layer does not load.
    fn mutated_rules(
        &self,
        reduced_layer: &Layer,
        (file, span): (usize, Span),
        changed: Option<Item>,
    ) -> Option<MutatedRules> {
        let no_rules = || MutatedRules { written: BTreeMap::new(), setting: self.setting.clone() };
        let Some(changed) = changed else { return Some(no_rules()) };
        let mut changed = changed;
        if let ItemKind::Use(used) = &mut changed.kind {
            let rules = rule_names(reduced_layer.files.iter().flat_map(|file| &file.ast.items));
            used.except.retain(|exception| rules.contains(&*exception.rule.text));
        }
        let mut layer = reduced_layer.clone();
        let items = layer.files.get_mut(file).map(|file| &mut Arc::make_mut(&mut file.ast).items)?;
        *items.iter_mut().find(|item| item.span == span)? = changed;
        let compiled = compile_with_limit(&layer, u64::MAX, &self.compiled.above);
        compiled.loads().then(|| {
            let setting = ExampleSetting { marks: marks_of(&compiled.rules), ..self.setting.clone() };
            let written = compiled.rules.into_iter().filter(|rule| !rule.is_generated());
            MutatedRules { written: written.map(|rule| (rule.name_span, rule)).collect(), setting }
        })
    }

    /// Returns the rules whose examples are about a session in the project directory.
    fn own_rules(&self) -> impl Iterator<Item = &'l Arc<Rule>> {
        self.compiled.rules.iter().filter(|rule| self.compiled.is_own_rule(rule))
    }

    /// Whether an example or a test fails with the mutated rules.
    fn is_noticed(&self, affected_rules: &[RuleExamples<'_>], changed: &MutatedRules) -> bool {
        let by_examples = affected_rules.iter().any(|affected| {
            let rule = changed.written.get(&affected.rule.name_span);
            affected
                .examples
                .iter()
                .any(|stated| !rule.map_or(stated.passes_without_rule(), |rule| stated.passes_with(rule)))
        });
        by_examples || self.has_failing_test(affected_rules, changed)
    }

    /// Returns an addition to the policy that would notice the mutant, if one is found: a test if an effect has
    /// changed, else an example.
    fn addition(
        &self,
        edit: &MutantEdit,
        affected_rules: &[RuleExamples<'_>],
        changed: &MutatedRules,
    ) -> Option<PolicyAddition> {
        if edit.needs_test() {
            let (original, mutated) =
                (self.tested_rules(affected_rules, None), self.tested_rules(affected_rules, Some(changed)));
            return affected_rules.iter().find_map(|affected| {
                let rules = [(&original, &self.setting), (&mutated, &changed.setting)];
                additions::distinguishing_test(affected.rule, rules)
            });
        }
        let written = affected_rules.iter().map(|affected| affected.rule.as_ref()).filter(|rule| !rule.is_generated());
        let proposals = written.filter_map(|rule| {
            let changed_rule = changed.written.get(&rule.name_span).map(Arc::as_ref);
            additions::distinguishing_example((rule, &self.setting), (changed_rule, &changed.setting))
        });
        proposals.min_by_key(|proposal| proposal.text.len())
    }

    /// Returns the rules by which tests judge. With `changed`, each of the affected rules is replaced by its mutant, or
    /// left out if it has none.
    fn tested_rules(&self, affected_rules: &[RuleExamples<'_>], changed: Option<&MutatedRules>) -> TestedRules {
        let is_affected = |rule: &Rule| affected_rules.iter().any(|affected| affected.rule.name_span == rule.name_span);
        let rules = self.compiled.rules.iter().filter_map(|rule| match changed {
            Some(_) if is_affected(rule) && rule.is_generated() => None,
            Some(changed) if is_affected(rule) => changed.written.get(&rule.name_span).map(Arc::clone),
            _ => Some(Arc::clone(rule)),
        });
        TestedRules::new(rules, &self.layer.directories)
    }

    /// Whether a test of the layer fails with the mutated rules.
    fn has_failing_test(&self, affected_rules: &[RuleExamples<'_>], changed: &MutatedRules) -> bool {
        if self.compiled.tests.is_empty() {
            return false;
        }
        let rules = self.tested_rules(affected_rules, Some(changed));
        let names: Vec<&str> = affected_rules.iter().map(|affected| affected.rule.name.as_str()).collect();
        // Judges the cases that name the rules first: they are the most likely to fail.
        let own_tests = || self.compiled.tests.iter().filter(|test| self.compiled.is_own_text(test.name.span.file));
        let cases = || own_tests().flat_map(|test| &test.cases);
        let (naming_rules, others): (Vec<_>, Vec<_>) = cases().partition(|case| names_any_rule(case, &names));
        naming_rules.into_iter().chain(others).any(|case| !case_passes(case, &rules, &changed.setting))
    }

    /// Returns the spans of an item and of the items that may use it. An item may use another if its text contains the
    /// other's name, or the name of a definition that may use it.
    fn users_of(&self, item: &Item) -> BTreeSet<Span> {
        let mut users = BTreeSet::from([item.span]);
        let mut names: Vec<&str> = match &item.kind {
            ItemKind::Let(definition) => vec![&definition.name.text],
            ItemKind::Def(definition) => vec![&definition.name.text],
            ItemKind::Rule(rule) if rule.kind == RuleItemKind::Mark => vec![&rule.name.text],
            ItemKind::Use(used) => {
                users.extend(self.excepted_rules(item.span, used));
                Vec::new()
            }
            _ => Vec::new(),
        };
        let written_files = || self.layer.files.iter().filter(|file| file.pack.is_none());
        while let Some(name) = names.pop() {
            for other in written_files().flat_map(|file| &file.ast.items).filter(|other| other.span != item.span) {
                let text = self.sources.file(other.span).map_or("", |file| file.slice(other.span));
                if !has_word(text, name) || !users.insert(other.span) {
                    continue;
                }
                match &other.kind {
                    ItemKind::Let(definition) => names.push(&definition.name.text),
                    ItemKind::Def(definition) => names.push(&definition.name.text),
                    ItemKind::Rule(rule) if rule.kind == RuleItemKind::Mark => names.push(&rule.name.text),
                    _ => {}
                }
            }
        }
        users
    }

    /// Returns the spans of the rules that the `use` at a span leaves out in part.
    fn excepted_rules(&self, span: Span, used: &Use) -> Vec<Span> {
        let file = self.layer.files.iter().find(|file| file.ast.items.iter().any(|item| item.span == span));
        let used_file = file.and_then(|file| {
            let (_, used_file) = file.loaded_uses().find(|(other, _)| other.source.span == used.source.span)?;
            self.layer.files.get(used_file)
        });
        let is_excepted = |item: &&Item| match &item.kind {
            ItemKind::Rule(rule) => used
                .except
                .iter()
                .any(|exception| exception.narrowing.is_some() && exception.rule.text == rule.name.text),
            _ => false,
        };
        used_file.into_iter().flat_map(|file| &file.ast.items).filter(is_excepted).map(|item| item.span).collect()
    }

    /// Returns a reduced layer that compiles faster: all definitions and marks, but no tests, and only the rules at
    /// these spans.
    fn layer_of_users(&self, users: &BTreeSet<Span>) -> Layer {
        let is_kept = |item: &&Item| match &item.kind {
            ItemKind::Use(_) | ItemKind::Let(_) | ItemKind::Def(_) => true,
            ItemKind::Rule(rule) => rule.kind == RuleItemKind::Mark || users.contains(&item.span),
            ItemKind::Test(_) => false,
        };
        let rules = rule_names(self.layer.files.iter().flat_map(|file| &file.ast.items).filter(is_kept));
        let reduced = |file: &LoadedFile| {
            let mut items: Vec<Item> = file.ast.items.iter().filter(is_kept).cloned().collect();
            for item in &mut items {
                // The rules that the `use` excludes may not be in this reduced layer, which would be an error.
                if let ItemKind::Use(used) = &mut item.kind {
                    used.except
                        .retain(|exception| exception.narrowing.is_some() && rules.contains(&*exception.rule.text));
                }
            }
            let ast =
                Arc::new(AstFile { items, unparsed_names: file.ast.unparsed_names.clone(), parts: file.ast.parts });
            LoadedFile { ast, base: file.base.clone(), pack: file.pack.clone(), uses: file.uses.clone(), ..*file }
        };
        let files = self.layer.files.iter().map(reduced).collect();
        Layer {
            files,
            directories: self.layer.directories.clone(),
            texts: Vec::new(),
            settings: self.layer.settings.clone(),
            diagnostics: Vec::new(),
            ..Layer::new(self.layer.kind)
        }
    }
}

/// Returns the names of the rules among these items.
fn rule_names<'i>(items: impl Iterator<Item = &'i Item>) -> BTreeSet<&'i str> {
    let name = |item: &'i Item| match &item.kind {
        ItemKind::Rule(rule) => Some(rule.name.text.as_str()),
        _ => None,
    };
    items.filter_map(name).collect()
}

/// Prepares the examples of a rule; `None` if the rule is not at one of these spans.
fn prepare_examples<'l>(
    rule: &'l Arc<Rule>,
    users: &BTreeSet<Span>,
    setting: &ExampleSetting,
) -> Option<RuleExamples<'l>> {
    if !users.contains(&rule.span) {
        return None;
    }
    let examples = rule.examples.iter().flat_map(|(kind, examples)| examples.iter().map(|example| (*kind, example)));
    let prepared =
        examples.filter_map(|(kind, example)| PreparedExample::new(kind, example, &rule.head, setting)).collect();
    Some(RuleExamples { rule, examples: prepared })
}

/// Whether a text contains a name that is not a part of a longer name.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
