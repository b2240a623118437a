//! A whole policy: all layers, each compiled separately, and the rules of those that load, in evaluation order.

mod tested;

pub use tested::{TestedRules, example_directory};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::compile::{CompiledLayer, compile_with_limit, link_layers};
use crate::config::{EffectiveSettings, LayerKind, LayerSettings, PolicyBase};
use crate::diagnostic::{Acceptance, Diagnostic, Levels};
use crate::layer::{Layer, LoadedFile, PolicyDirectory};
use crate::limits::POLICY_PARTS;
use crate::ruleset::{Rule, RuleNames, RuleSet};
use crate::span::{FileId, Sources};
use crate::syntax::ast;
use hookrules_shell::Programs;

/// A policy with all of its layers.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The texts that spans point into.
    pub sources: Sources,
    /// The layers, in the order of [`LayerKind`].
    pub layers: Vec<PolicyLayer>,
    /// The rules of every layer that loads, in evaluation order.
    pub rules: RuleSet,
    /// The merged settings of the layers.
    pub settings: EffectiveSettings,
}

/// A layer of a policy: what was read, and what its compilation resulted in.
#[derive(Clone, Debug)]
pub struct PolicyLayer {
    /// The kind of the layer.
    pub kind: LayerKind,
    /// Whether any file of the layer was found.
    pub exists: bool,
    /// The files of the layer, in load order.
    pub files: Vec<LoadedFile>,
    /// The directories that the files are from, the outermost first.
    pub directories: Vec<PolicyDirectory>,
    /// The `test` blocks of the layer.
    pub tests: Vec<ast::AstTest>,
    /// All findings about the layer.
    pub diagnostics: Vec<Diagnostic>,
    /// The findings that are accepted by `@allow`, including those of lints.
    pub accepted: Vec<Acceptance>,
    /// The number of parts that the layer counts for, see `limits`.
    #[cfg_attr(not(feature = "internals"), expect(dead_code, reason = "tests hold a policy to its bounds by it"))]
    pub parts: u64,
    /// The texts that were read for the layer, in reading order.
    pub texts: Vec<FileId>,
    /// The settings of the layer.
    pub settings: LayerSettings,
    /// The rules of the layer, unrestricted, in evaluation order; empty if it does not load.
    pub rules: Vec<Arc<Rule>>,
    /// The records of programs of the layers above this one, which also apply to its rules.
    pub above: Programs,
    /// For each directory above the project directory that has a policy, this layer as a session that starts there
    /// compiles it. Computed on first use.
    in_directories_above: OnceLock<Vec<PolicyLayer>>,
}

impl PolicyLayer {
    fn new(layer: &Layer, compiled: CompiledLayer, above: Programs) -> Self {
        Self {
            kind: layer.kind,
            exists: layer.exists,
            files: layer.files.clone(),
            directories: layer.directories.clone(),
            rules: if compiled.loads() { compiled.rules } else { Vec::new() },
            tests: compiled.tests,
            diagnostics: compiled.diagnostics,
            accepted: compiled.accepted,
            parts: compiled.parts,
            texts: layer.texts.clone(),
            settings: layer.settings.clone(),
            above,
            in_directories_above: OnceLock::new(),
        }
    }

    /// Returns, for each directory above the project directory that has a policy, the layer as a session that starts
    /// there compiles it, the outermost first. The examples and tests of a directory are about such a session.
    #[must_use]
    pub fn in_directories_above(&self) -> &[Self] {
        self.in_directories_above.get_or_init(|| {
            let above = self.directories.iter().enumerate();
            above.filter_map(|(index, directory)| self.in_directory_above(index, &directory.base)).collect()
        })
    }

    /// Returns the layer as a session that starts in a directory above the project directory compiles it. `None` if the
    /// directory is not above it, or the layer does not load.
    fn in_directory_above(&self, index: usize, base: &PolicyBase) -> Option<Self> {
        let PolicyBase::Above(levels) = *base else { return None };
        let rebase = |base: &mut PolicyBase| *base = base.seen_from_above(levels);
        let mut directories = self.directories.get(..=index)?.to_vec();
        directories.iter_mut().for_each(|directory| rebase(&mut directory.base));
        let mut files: Vec<LoadedFile> = self.files.iter().filter(|file| file.directory <= index).cloned().collect();
        files.iter_mut().for_each(|file| rebase(&mut file.base));
        let (settings, texts) = (self.settings.clone(), self.texts.clone());
        let layer = Layer { files, directories, settings, texts, exists: true, ..Layer::new(self.kind) };
        let compiled = compile_with_limit(&layer, u64::MAX, &self.above);
        compiled.loads().then(|| Self::new(&layer, compiled, self.above.clone()))
    }

    /// Whether the tests in a text are about a session in the project directory, because no directory above it uses the
    /// text.
    #[must_use]
    pub fn is_own_text(&self, file: FileId) -> bool {
        self.files.iter().find(|loaded| loaded.id == file).is_some_and(|loaded| self.is_own_file(loaded))
    }

    /// Whether the examples of a rule are about a session in the project directory, because the rule belongs to that
    /// directory or to none. A rule that two directories use differently is compiled to two rules.
    #[must_use]
    pub fn is_own_rule(&self, rule: &Rule) -> bool {
        let mut files = self.files.iter().filter(|loaded| loaded.id == rule.name_span.file);
        rule.base == PolicyBase::Project && files.any(|loaded| self.is_own_file(loaded))
    }

    fn is_own_file(&self, loaded: &LoadedFile) -> bool {
        loaded.base == PolicyBase::Project && !self.is_above(loaded.directory)
    }

    fn is_above(&self, directory: usize) -> bool {
        self.directories.get(directory).is_some_and(|directory| directory.base != PolicyBase::Project)
    }

    /// Returns the working directory of the examples and tests: `/project` for those of the outermost directory, and
    /// `/project/api` for those of `api` in it.
    #[must_use]
    pub fn example_directory(&self) -> PathBuf {
        example_directory(&self.directories)
    }

    /// Returns the rules by which the tests of the layer are judged.
    #[must_use]
    pub fn tested_rules(&self) -> TestedRules {
        TestedRules::new(self.rules.iter().cloned(), &self.directories)
    }

    /// Whether the layer loads.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

impl Policy {
    /// Compiles every layer. A layer that does not load is left out as a whole, and never prevents another layer from
    /// loading (law 9).
    #[must_use]
    pub fn new(sources: Sources, layers: &[Layer]) -> Self {
        let mut parts_left = POLICY_PARTS;
        // For each kind of layer, the records of programs that apply to its rules.
        let mut programs: Vec<(LayerKind, Programs)> = Vec::new();
        let no_programs = Programs::new();
        let layers: Vec<PolicyLayer> = layers
            .iter()
            .map(|layer| {
                let above = programs.iter().rev().find(|(kind, _)| *kind < layer.kind);
                let above = above.map_or(&no_programs, |(_, programs)| programs).clone();
                let compiled = compile_with_limit(layer, parts_left, &above);
                parts_left = parts_left.saturating_sub(compiled.parts);
                if compiled.loads() {
                    programs.push((layer.kind, compiled.programs.clone()));
                }
                PolicyLayer::new(layer, compiled, above)
            })
            .collect();
        let rules = link_layers(layers.iter().map(|layer| layer.rules.clone()));
        let existing_layers = layers.iter().filter(|layer| layer.exists);
        let settings = LayerSettings::merge(existing_layers.map(|layer| (layer.kind, &layer.settings)));
        Self { sources, layers, rules, settings }
    }

    /// Restricts the project's layers: their settings no longer count, and each of their rules is replaced by the
    /// result of `restrict_rule`, or dropped. The field `layers` keeps the whole rules, for display.
    pub fn restrict(&mut self, restrict_rule: impl Fn(&Rule) -> Option<Rule>) {
        let rules = |layer: &PolicyLayer| match layer.kind.is_of_project() {
            true => layer.rules.iter().filter_map(|rule| restrict_rule(rule)).map(Arc::new).collect(),
            false => layer.rules.clone(),
        };
        self.rules = link_layers(self.layers.iter().map(rules));
        let other_layers = self.layers.iter().filter(|layer| layer.exists && !layer.kind.is_of_project());
        self.settings = LayerSettings::merge(other_layers.map(|layer| (layer.kind, &layer.settings)));
    }

    /// Returns the policy with only those rules of the project's layers that belong to the project directory, not to
    /// one above it.
    #[must_use]
    pub fn of_project_directory(&self) -> Cow<'_, Self> {
        let is_own = |rule: &Rule| !rule.layer.is_of_project() || rule.base == PolicyBase::Project;
        if self.rules.rules().iter().all(|rule| is_own(rule)) {
            return Cow::Borrowed(self);
        }
        let mut restricted = self.clone();
        restricted.layers.iter_mut().for_each(|layer| layer.rules.retain(|rule| is_own(rule)));
        restricted.rules = link_layers(restricted.layers.iter().map(|layer| layer.rules.clone()));
        Cow::Owned(restricted)
    }

    /// Returns the directories above the project directory that have files of the policy.
    #[must_use]
    pub fn directories_above(&self) -> Vec<PathBuf> {
        let of_project = self.layers.iter().filter(|layer| layer.kind.is_of_project());
        let directories = of_project.flat_map(|layer| &layer.directories);
        let above = directories.filter(|directory| matches!(directory.base, PolicyBase::Above(_)));
        above.filter_map(|directory| directory.path.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the names of the rules as people write them in the directory `from`.
    #[must_use]
    pub fn rule_names(&self, from: Option<PathBuf>) -> RuleNames {
        let directories = self.layers.iter().flat_map(|layer| &layer.directories);
        RuleNames::new(directories.filter_map(|it| Some((it.base.clone(), it.path.clone()?))).collect(), from)
    }

    /// Returns the files that the policy was read from.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.sources.iter().filter_map(|source| source.path.clone()).collect()
    }

    /// Whether any layer was found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.layers.iter().any(|layer| layer.exists)
    }

    /// Whether the policy guards nothing: every layer loads, and none has rules.
    #[must_use]
    pub fn is_without_guard(&self) -> bool {
        self.broken_layers().next().is_none() && self.layers.iter().all(|layer| layer.rules.is_empty())
    }

    /// Returns the layers that do not load.
    pub fn broken_layers(&self) -> impl Iterator<Item = &PolicyLayer> {
        self.layers.iter().filter(|layer| !layer.is_loaded())
    }

    /// Returns the findings that are accepted anywhere in the policy.
    #[must_use]
    pub fn accepted(&self) -> Vec<Acceptance> {
        self.layers.iter().flat_map(|layer| layer.accepted.iter().cloned()).collect()
    }

    /// Returns the findings to report, at the levels that the settings of their layers give, which `overrides` may
    /// change.
    #[must_use]
    pub fn apply_levels(&self, findings: Vec<Diagnostic>, overrides: &Levels) -> Vec<Diagnostic> {
        findings.into_iter().filter_map(self.weighing(overrides)).collect()
    }

    /// Returns a function that sets the level of a finding, or drops the finding if its level is `off`.
    pub fn weighing<'l>(&self, overrides: &'l Levels) -> impl Fn(Diagnostic) -> Option<Diagnostic> + use<'l> {
        let levels: Vec<Levels> =
            self.layers.iter().map(|layer| layer.settings.lints.overridden_by(overrides)).collect();
        let files = self.layers.iter().enumerate();
        let layer_of_file: BTreeMap<FileId, usize> =
            files.flat_map(|(at, layer)| layer.texts.iter().map(move |id| (*id, at))).collect();
        move |finding| {
            let layer = finding.span().and_then(|span| layer_of_file.get(&span.file));
            layer.and_then(|at| levels.get(*at)).unwrap_or(overrides).apply(finding)
        }
    }

    /// Returns the findings of all layers.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.layers.iter().flat_map(|layer| &layer.diagnostics)
    }

    /// Returns the findings that keep a layer from loading.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().filter(|diagnostic| diagnostic.is_error())
    }
}
