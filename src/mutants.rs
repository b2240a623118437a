//! Mutation testing: finds the small changes of a policy that none of its examples and tests notices.
//!
//! A mutant is the policy with one change in its syntax tree, compiled and judged like any policy. This module
//! neither reads nor prints policies.

mod additions;
mod condition;
mod edit;
mod item;
mod judge;
mod past;
mod pattern;

use std::collections::BTreeSet;

use crate::config::PolicyBase;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::{Layer, LoadedFile};
use crate::parallel;
use crate::policy::Policy;
use crate::span::{FileId, Sources};
use crate::syntax::ast::{Item, ItemKind};

use additions::PolicyAddition;
use judge::{MutantJudge, SurvivingMutant};

/// The results of judging all mutants.
#[derive(Clone, Debug, Default)]
pub struct MutantSurvey {
    /// The number of mutants that load.
    pub mutants: usize,
    /// The number of mutants that make an example or a test fail.
    pub noticed: usize,
    /// A finding for each other mutant, in the order of the items in the source. Mutants with the same place and
    /// message are reported once.
    pub survivors: Vec<MutantFinding>,
}

/// A mutant that nothing notices.
#[derive(Clone, Debug)]
pub struct MutantFinding {
    /// The finding, whose help is the proposed example or test.
    pub finding: Diagnostic,
    /// The example or test that would notice the mutant, and where to insert it; `None` if none was found.
    pub addition: Option<PlacedAddition>,
}

/// An example or a test to insert into a file of the policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedAddition {
    /// The file to change.
    pub file: FileId,
    /// The byte offset in the file's text at which the lines are inserted: the brace that ends a rule, or the end of
    /// the file for a test.
    pub position: usize,
    /// Whether to insert a blank line first: the rule has no examples yet, or the addition is a test.
    pub is_parted: bool,
    /// The lines to insert, without the newline at the end.
    pub text: String,
}

/// A rule or definition to mutate, with the indices of its layer and of its file.
struct MutationTarget<'l> {
    /// The index of the layer in the policy.
    layer: usize,
    /// The index of the file in the layer.
    file: usize,
    item: &'l Item,
}

/// Returns the files whose items are mutated, each with its index. Excludes packs, and files whose examples are about a
/// session in a directory above.
pub fn mutated_files(layer: &Layer) -> impl Iterator<Item = (usize, &LoadedFile)> {
    layer.files.iter().enumerate().filter(|(_, file)| {
        let directory = layer.directories.get(file.directory);
        let is_own = directory.is_none_or(|directory| directory.base == PolicyBase::Project);
        file.pack.is_none() && is_own && file.base == PolicyBase::Project
    })
}

/// Mutates each selected rule, `let` and `def`, one change at a time, and judges each mutant by the examples and
/// tests. Items of packs are not mutated; `is_selected` selects items by their names.
///
/// The policy must load, and all of its examples and tests must pass.
#[must_use]
pub fn survey_mutants(policy: &Policy, layers: &[Layer], is_selected: &(impl Fn(&str) -> bool + Sync)) -> MutantSurvey {
    let judges: Vec<MutantJudge<'_>> = policy
        .layers
        .iter()
        .zip(layers)
        .map(|(compiled, layer)| MutantJudge::new(compiled, layer, &policy.sources))
        .collect();
    let mut targets = Vec::new();
    for (layer_index, layer) in layers.iter().enumerate() {
        for (file, loaded) in mutated_files(layer) {
            let items = loaded.ast.items.iter().filter(|item| item_name(item).is_some_and(is_selected));
            targets.extend(items.map(|item| MutationTarget { layer: layer_index, file, item }));
        }
    }
    let mut survey = MutantSurvey::default();
    for (loaded_mutants, survivors) in parallel::map(&targets, |target| match judges.get(target.layer) {
        Some(judge) => judge.judge_mutants_of(target.file, target.item),
        None => (0, Vec::new()),
    }) {
        survey.mutants += loaded_mutants;
        survey.noticed += loaded_mutants.saturating_sub(survivors.len());
        survey.survivors.extend(survivors.iter().map(|survivor| MutantFinding {
            finding: survivor_finding(survivor, &policy.sources),
            addition: placed_addition(survivor, &policy.sources),
        }));
    }
    // Two changes of an item can have the same span and message, which are then reported once.
    let mut reported = BTreeSet::new();
    survey.survivors.retain(|found| reported.insert((found.finding.span(), found.finding.message.clone())));
    survey
}

/// Returns the name by which an item is selected: that of a rule, `let` or `def`, or the source of a `use` with narrow
/// exceptions. `None` for an item that is not mutated.
pub fn item_name(item: &Item) -> Option<&str> {
    match &item.kind {
        ItemKind::Rule(rule) => Some(&rule.name.text),
        ItemKind::Let(definition) => Some(&definition.name.text),
        ItemKind::Def(definition) => Some(&definition.name.text),
        ItemKind::Use(used) => {
            let is_narrowed = used.except.iter().any(|exception| exception.narrowing.is_some());
            is_narrowed.then_some(used.source.value.as_str())
        }
        ItemKind::Test(_) => None,
    }
}

/// Returns the proposed addition with the position to insert it at: the end of its rule for an example, the end of the
/// changed file for a test. `None` if there is no proposal, or the source of the rule is unknown.
fn placed_addition(SurvivingMutant { edit, addition }: &SurvivingMutant, sources: &Sources) -> Option<PlacedAddition> {
    let PolicyAddition { rule, text } = addition.as_ref()?;
    let Some(rule) = rule else {
        let source = sources.file(edit.span)?;
        let (file, position) = (source.id, source.text.len());
        return Some(PlacedAddition { file, position, is_parted: true, text: text.clone() });
    };
    let source = sources.file(rule.span)?;
    let start = usize::try_from(rule.span.start).ok()?;
    let position = start.saturating_add(source.slice(rule.span).rfind('}')?);
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    Some(PlacedAddition { file: source.id, position, is_parted: !rule.has_examples, text: lines.join("\n") })
}

/// Returns the finding about a change that nothing notices, with the proposed example or test as its help.
fn survivor_finding(SurvivingMutant { edit, addition: proposal }: &SurvivingMutant, sources: &Sources) -> Diagnostic {
    let written = sources.file(edit.span).map_or("", |file| file.slice(edit.span));
    let help = match proposal {
        None => edit.help().to_owned(),
        Some(PolicyAddition { rule: Some(rule), text }) => {
            format!("this example of `{}` would:\n  {text}", rule.name)
        }
        Some(PolicyAddition { rule: None, text }) => {
            let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
            format!("this test would:\n{}", lines.join("\n"))
        }
    };
    Diagnostic::new(Code::SURVIVING_MUTANT, edit.message(written)).label(edit.span, edit.label()).help(help)
}
