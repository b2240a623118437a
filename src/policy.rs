//! A policy as a whole: every layer, compiled apart; the rules of those that load, in one order.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::compile::{compile_within, link};
use crate::config::{Effective, LayerKind, Settings, Standing};
use crate::diagnostic::{Acceptance, Diagnostic, Levels};
use crate::layer::{Layer, LoadedFile};
use crate::limits::POLICY_PARTS;
use crate::ruleset::{Rule, RuleSet};
use crate::span::{FileId, Sources};
use crate::syntax::ast;
use hookrules_shell::Programs;

/// Everything that was found.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The texts that spans point into.
    pub sources: Sources,
    /// The layers, in order.
    pub layers: Vec<PolicyLayer>,
    /// The rules of every layer that loads, in evaluation order.
    pub rules: RuleSet,
    /// What the layers' settings come to.
    pub settings: Effective,
}

/// One layer.
#[derive(Clone, Debug)]
pub struct PolicyLayer {
    /// Which one.
    pub kind: LayerKind,
    /// Whether there is such a layer.
    pub found: bool,
    /// Its files, in load order.
    pub files: Vec<LoadedFile>,
    /// Its `test` blocks.
    pub tests: Vec<ast::Test>,
    /// Everything that is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// What of that, and of what lints find, is meant so.
    pub accepted: Vec<Acceptance>,
    /// How many parts it came to.
    #[cfg_attr(not(feature = "internals"), expect(dead_code, reason = "tests hold a policy to its bounds by it"))]
    pub parts: u64,
    /// Every text that was read of it, in the order in which they were read.
    pub texts: Vec<FileId>,
    /// What it sets beside its rules.
    pub settings: Settings,
    /// Its rules by themselves, as they stand, in evaluation order; empty where it does not load.
    pub rules: Vec<Arc<Rule>>,
    /// The records of programs of the layers above, by which its rules go too.
    pub above: Programs,
}

impl PolicyLayer {
    /// Tells whether the layer loads.
    #[must_use]
    pub fn loads(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

impl Policy {
    /// Compiles every layer. One that does not load is out as a whole, and never stops another (law 9).
    #[must_use]
    pub fn new(sources: Sources, layers: &[Layer]) -> Self {
        let mut left = POLICY_PARTS;
        // The records of programs by which the rules of each kind of layer go.
        let mut programs: Vec<(LayerKind, Programs)> = Vec::new();
        let none = Programs::new();
        let layers: Vec<PolicyLayer> = layers
            .iter()
            .map(|layer| {
                let above = programs.iter().rev().find(|(kind, _)| *kind < layer.kind);
                let above = above.map_or(&none, |(_, programs)| programs).clone();
                let compiled = compile_within(layer, left, &above);
                left = left.saturating_sub(compiled.parts);
                let loads = compiled.loads();
                if loads {
                    programs.push((layer.kind, compiled.programs));
                }
                PolicyLayer {
                    kind: layer.kind,
                    found: layer.found,
                    files: layer.files.clone(),
                    tests: compiled.tests,
                    diagnostics: compiled.diagnostics,
                    accepted: compiled.accepted,
                    parts: compiled.parts,
                    texts: layer.texts.clone(),
                    settings: layer.settings.clone(),
                    rules: if loads { compiled.rules } else { Vec::new() },
                    above,
                }
            })
            .collect();
        let rules = link(layers.iter().map(|layer| layer.rules.clone()));
        let found = layers.iter().filter(|layer| layer.found);
        let settings = Settings::merge(found.map(|layer| (layer.kind, &layer.settings)));
        Self { sources, layers, rules, settings }
    }

    /// Cuts down the layers of the project: their settings no longer count, and of each rule only what is left of it.
    /// The layers themselves stay as they stand, for whoever shows them.
    pub fn restrict(&mut self, left: impl Fn(&Rule) -> Option<Rule>) {
        let rules = |layer: &PolicyLayer| match layer.kind.is_of_project() {
            true => layer.rules.iter().filter_map(|rule| left(rule)).map(Arc::new).collect(),
            false => layer.rules.clone(),
        };
        self.rules = link(self.layers.iter().map(rules));
        let found = self.layers.iter().filter(|layer| layer.found && !layer.kind.is_of_project());
        let settings = Settings::merge(found.map(|layer| (layer.kind, &layer.settings)));
        self.settings = Effective { standing: Standing::Untrusted, ..settings };
    }

    /// Returns the files that it was made of.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.sources.iter().filter_map(|source| source.path.clone()).collect()
    }

    /// Tells whether any layer was found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.layers.iter().any(|layer| layer.found)
    }

    /// Tells whether there is nothing that could guard: no rule of a layer that loads, and no layer that does not.
    #[must_use]
    pub fn guards_nothing(&self) -> bool {
        self.broken().next().is_none() && self.layers.iter().all(|layer| layer.rules.is_empty())
    }

    /// Returns the layers that do not load.
    pub fn broken(&self) -> impl Iterator<Item = &PolicyLayer> {
        self.layers.iter().filter(|layer| !layer.loads())
    }

    /// Returns what the policy accepts of what is found about it.
    #[must_use]
    pub fn accepted(&self) -> Vec<Acceptance> {
        self.layers.iter().flat_map(|layer| layer.accepted.iter().cloned()).collect()
    }

    /// Returns findings as they are reported: each as the settings of its layer weigh it, and then as is asked for.
    #[must_use]
    pub fn weigh(&self, findings: Vec<Diagnostic>, asked: &Levels) -> Vec<Diagnostic> {
        let levels: Vec<(&PolicyLayer, Levels)> =
            self.layers.iter().map(|layer| (layer, layer.settings.lints.and(asked))).collect();
        let of_file: BTreeMap<FileId, &Levels> =
            levels.iter().flat_map(|(layer, levels)| layer.texts.iter().map(move |id| (*id, levels))).collect();
        let weigh = |finding: Diagnostic| {
            let of_layer = finding.span().and_then(|span| of_file.get(&span.file).copied());
            of_layer.unwrap_or(asked).weigh(finding)
        };
        findings.into_iter().filter_map(weigh).collect()
    }

    /// Returns the findings of all layers.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.layers.iter().flat_map(|layer| &layer.diagnostics)
    }

    /// Returns those of them that keep a layer from loading.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().filter(|diagnostic| diagnostic.is_error())
    }
}
