//! The evaluation order (law 3): wildcard rules first, then all others, each group in source order.

use std::sync::Arc;

use crate::ruleset::{Rule, RuleSet};

/// Builds the rule set from the rules of all layers. The layers are given from first to last, and the rules of each in
/// source order.
#[must_use]
pub fn link_layers(layers: impl IntoIterator<Item = Vec<Arc<Rule>>>) -> RuleSet {
    RuleSet::new(sort_for_evaluation(layers.into_iter().flatten().collect()))
}

/// Sorts rules from source order into evaluation order.
#[must_use]
pub fn sort_for_evaluation(mut rules: Vec<Arc<Rule>>) -> Vec<Arc<Rule>> {
    // The sort is stable, which preserves the source order within each group.
    rules.sort_by_key(|rule| !rule.is_wildcard());
    rules
}
