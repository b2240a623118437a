//! Rules about calls of tools: a selector, a condition and a decision, with examples of what they match.

use super::commands::ImportedDecision;
use super::draft::{DraftExample, DraftRule, ExampleClaim, PolicyDraft};
use super::names::TakenNames;
use super::verify::holds;
use crate::span::Span;

/// A rule about calls of tools, as the parts of its source text, before its examples are checked.
#[derive(Clone, Debug)]
pub(super) struct CallRule {
    pub(super) source: Span,
    pub(super) decision: ImportedDecision,
    pub(super) name: String,
    /// The selectors of tools; empty for every tool.
    pub(super) tools: String,
    pub(super) by: Option<String>,
    pub(super) when: Option<String>,
    pub(super) unless: Option<String>,
    /// The message, as a string literal in source text.
    pub(super) message: String,
    /// Calls that the rule probably matches; those that it does not match are dropped.
    pub(super) fires: Vec<String>,
    /// Calls that the rule probably does not match; those that it matches are dropped.
    pub(super) quiet: Vec<String>,
}

impl CallRule {
    /// Returns the draft of the rule, with the examples that pass.
    pub(super) fn draft(self, names: &mut TakenNames) -> DraftRule {
        let on = if self.tools.is_empty() { "PreToolUse".to_owned() } else { format!("PreToolUse({})", self.tools) };
        let draft = DraftRule {
            source: self.source,
            name: names.reserve(&self.name),
            on,
            by: self.by,
            when: self.when,
            unless: self.unless,
            effects: vec![self.decision.effect(&self.message)],
            ..DraftRule::default()
        };
        with_examples(draft, &self.fires, &self.quiet)
    }

    /// Adds the rule to a draft.
    pub(super) fn write(self, names: &mut TakenNames, draft: &mut PolicyDraft) {
        let rule = self.draft(names);
        draft.rules.push(rule);
    }
}

/// Adds examples to a rule: those calls of `fires` that it matches, and those of `quiet` that it does not match.
pub(super) fn with_examples(mut draft: DraftRule, fires: &[String], quiet: &[String]) -> DraftRule {
    let fires = fires.iter().map(|call| (ExampleClaim::Fires, call));
    for (claim, call) in fires.chain(quiet.iter().map(|call| (ExampleClaim::Quiet, call))) {
        let example = DraftExample { claim, call: call.clone() };
        if !draft.examples.contains(&example) && holds(&draft, example.clone()) {
            draft.examples.push(example);
        }
    }
    draft
}
