//! Rules about the calls of tools: a selector, a condition and a decision, with the examples that hold.

use super::commands::ImportedDecision;
use super::draft::{DraftExample, DraftRule, ExampleClaim, PolicyDraft};
use super::names::TakenNames;
use super::verify::holds;
use crate::span::Span;

/// A rule about calls, as parts of its source text.
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
    /// The message as a literal.
    pub(super) message: String,
    /// Calls that the rule probably matches, and some that it does not; those that do not hold are left out.
    pub(super) fires: Vec<String>,
    pub(super) quiet: Vec<String>,
}

impl CallRule {
    /// Returns the draft of the rule, with the examples that hold.
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

/// Adds those of some calls to a rule that it matches, and those of others that it does not match.
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
