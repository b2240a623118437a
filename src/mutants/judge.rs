//! Judges mutants: first by the examples of the rules that the change affects, then by the tests of the layer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::additions::{self, PolicyAddition};
use super::edit::MutantEdit;
use super::item::{MutatedItem, item_mutations};
use crate::compile::compile_with_limit;
use crate::examples::{ExampleSetting, PreparedExample, case_holds, case_names, marks_of};
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

/// The rules of a mutant.
struct MutatedRules {
    /// The rules and marks that are written, by the spans of their names in the original source.
    written: BTreeMap<Span, Arc<Rule>>,
    /// The setting of the examples, with the marks of the mutant.
    setting: ExampleSetting,
}

/// A rule that the change affects, with its prepared examples.
struct RuleExamples<'l> {
    rule: &'l Arc<Rule>,
    /// The examples of the rule, as payloads.
    examples: Vec<PreparedExample>,
}

impl<'l> MutantJudge<'l> {
    pub(super) fn new(compiled: &'l PolicyLayer, layer: &'l Layer, sources: &'l Sources) -> Self {
        Self { compiled, layer, sources, setting: ExampleSetting::of_layer(compiled) }
    }

    /// Applies every mutation to an item. Returns the number of mutants that load, and those that nothing notices.
    pub(super) fn judge_mutants_of(&self, file: usize, item: &Item) -> (usize, Vec<SurvivingMutant>) {
        let users = self.users_of(item);
        let claims_in = |setting: &ExampleSetting| {
            let mut claims: Vec<RuleExamples<'_>> =
                self.own_rules().filter_map(|rule| prepare_examples(rule, &users, setting)).collect();
            if matches!(item.kind, ItemKind::Use(_)) {
                // The examples of a rule are about it as it is written, without what a `use` leaves out.
                claims.iter_mut().for_each(|claims| claims.examples.clear());
            }
            claims
        };
        let claims = claims_in(&self.setting);
        let changes_past = claims.iter().any(|claims| claims.rule.mark().is_some());
        let part = self.layer_of_users(&users);
        let (mut made, mut survivors) = (0, Vec::new());
        for variant in item_mutations(item) {
            let mut next = Some(variant);
            // If the mutant does not load, tries the fallback of its mutation.
            while let Some(MutatedItem { item: changed, edit, fallback: otherwise }) = next {
                next = None;
                match self.mutated_rules(&part, (file, item.span), changed) {
                    Some(changed) => {
                        made += 1;
                        let noticed = match changes_past {
                            true => self.is_noticed(&claims_in(&changed.setting), &changed),
                            false => self.is_noticed(&claims, &changed),
                        };
                        if !noticed {
                            let proposal = self.addition(&edit, &claims, &changed);
                            survivors.push(SurvivingMutant { edit, addition: proposal });
                        }
                    }
                    None => next = otherwise.map(|variant| *variant),
                }
            }
        }
        (made, survivors)
    }

    /// Returns the rules of a layer in which the item at a span is replaced; empty if the item is removed, and `None`
    /// if the changed layer does not load.
    fn mutated_rules(&self, part: &Layer, (file, span): (usize, Span), changed: Option<Item>) -> Option<MutatedRules> {
        let without = || MutatedRules { written: BTreeMap::new(), setting: self.setting.clone() };
        let Some(changed) = changed else { return Some(without()) };
        let mut changed = changed;
        if let ItemKind::Use(used) = &mut changed.kind {
            let rules = rule_names(part.files.iter().flat_map(|file| &file.ast.items));
            used.except.retain(|exception| rules.contains(&*exception.rule.text));
        }
        let mut layer = part.clone();
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
    fn is_noticed(&self, claims: &[RuleExamples<'_>], changed: &MutatedRules) -> bool {
        let by_examples = claims.iter().any(|claims| {
            let rule = changed.written.get(&claims.rule.name_span);
            claims
                .examples
                .iter()
                .any(|stated| !rule.map_or(stated.passes_without_rule(), |rule| stated.passes_with(rule)))
        });
        by_examples || self.has_failing_test(claims, changed)
    }

    /// Returns an addition to the policy that would notice mutated rules, if one is found: a test if an effect has
    /// changed, else an example.
    fn addition(
        &self,
        edit: &MutantEdit,
        claims: &[RuleExamples<'_>],
        changed: &MutatedRules,
    ) -> Option<PolicyAddition> {
        if edit.needs_test() {
            let (own, others) = (self.rules(claims, None), self.rules(claims, Some(changed)));
            return claims
                .iter()
                .find_map(|claims| additions::distinguishing_test(claims.rule, &own, &others, &self.setting));
        }
        let pairs = claims.iter().map(|claims| (claims.rule.as_ref(), changed.written.get(&claims.rule.name_span)));
        let proposals = pairs.filter_map(|(rule, changed)| {
            additions::distinguishing_example(rule, changed.map(Arc::as_ref), &self.setting)
        });
        proposals.min_by_key(|proposal| proposal.text.len())
    }

    /// Returns the rules for the tests; with `changed`, each rule of `claims` is replaced by its mutant, or left
    /// out if it has none.
    fn rules(&self, claims: &[RuleExamples<'_>], changed: Option<&MutatedRules>) -> TestedRules {
        let is_about = |rule: &Rule| claims.iter().any(|claims| claims.rule.name_span == rule.name_span);
        let rules = self.compiled.rules.iter().filter_map(|rule| match changed {
            Some(_) if is_about(rule) && rule.is_generated() => None,
            Some(changed) if is_about(rule) => changed.written.get(&rule.name_span).map(Arc::clone),
            _ => Some(Arc::clone(rule)),
        });
        TestedRules::new(rules, &self.layer.directories)
    }

    /// Whether a test of the layer fails with the mutated rules.
    fn has_failing_test(&self, claims: &[RuleExamples<'_>], changed: &MutatedRules) -> bool {
        if self.compiled.tests.is_empty() {
            return false;
        }
        let rules = self.rules(claims, Some(changed));
        let names: Vec<&str> = claims.iter().map(|claims| claims.rule.name.as_str()).collect();
        // Judges the cases that name the rules first: they are the most likely to fail.
        let own = || self.compiled.tests.iter().filter(|test| self.compiled.is_own_text(test.name.span.file));
        let cases = || own().flat_map(|test| &test.cases);
        let (first, then): (Vec<_>, Vec<_>) = cases().partition(|case| case_names(case, &names));
        first.into_iter().chain(then).any(|case| !case_holds(case, &rules, &changed.setting))
    }

    /// Returns the spans of an item and of the items that may use it. An item may use another if its text contains
    /// the name of it, or the name of a definition that may use it.
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
        let own = || self.layer.files.iter().filter(|file| file.pack.is_none());
        while let Some(name) = names.pop() {
            for other in own().flat_map(|file| &file.ast.items).filter(|other| other.span != item.span) {
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

    /// Returns the spans of the rules of which the `use` at a span leaves out a part.
    fn excepted_rules(&self, span: Span, used: &Use) -> Vec<Span> {
        let file = self.layer.files.iter().find(|file| file.ast.items.iter().any(|item| item.span == span));
        let target = file.and_then(|file| {
            let (_, target) = file.loaded_uses().find(|(other, _)| other.source.span == used.source.span)?;
            self.layer.files.get(target)
        });
        let is_excepted = |item: &&Item| match &item.kind {
            ItemKind::Rule(rule) => used
                .except
                .iter()
                .any(|exception| exception.narrowing.is_some() && exception.rule.text == rule.name.text),
            _ => false,
        };
        target.into_iter().flat_map(|file| &file.ast.items).filter(is_excepted).map(|item| item.span).collect()
    }

    /// Returns the layer with all definitions and marks, but without tests and without the rules that are not at one of these
    /// spans.
    fn layer_of_users(&self, users: &BTreeSet<Span>) -> Layer {
        let is_kept = |item: &&Item| match &item.kind {
            ItemKind::Use(_) | ItemKind::Let(_) | ItemKind::Def(_) => true,
            ItemKind::Rule(rule) => rule.kind == RuleItemKind::Mark || users.contains(&item.span),
            ItemKind::Test(_) => false,
        };
        let rules = rule_names(self.layer.files.iter().flat_map(|file| &file.ast.items).filter(is_kept));
        let of_file = |file: &LoadedFile| {
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
        let files = self.layer.files.iter().map(of_file).collect();
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

/// Returns the names of the rules among some items.
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
    let all = rule.examples.iter().flat_map(|(kind, examples)| examples.iter().map(|one| (*kind, one)));
    let stated = all.filter_map(|(kind, example)| PreparedExample::new(kind, example, &rule.head, setting)).collect();
    Some(RuleExamples { rule, examples: stated })
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
