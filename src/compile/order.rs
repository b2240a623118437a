//! **The** order (law 3): wildcard rules first, then the others, each group in stable source order.

use std::sync::Arc;

use crate::ruleset::{Rule, RuleSet};

/// Links the rules of the layers, given in layer order and each in source order, into a rule set.
#[must_use]
pub fn link(layers: impl IntoIterator<Item = Vec<Arc<Rule>>>) -> RuleSet {
    RuleSet::new(in_order(layers.into_iter().flatten().collect()))
}

/// Sorts rules from source order into evaluation order.
#[must_use]
pub fn in_order(mut rules: Vec<Arc<Rule>>) -> Vec<Arc<Rule>> {
    // The sort is stable, which preserves the source order within each group.
    rules.sort_by_key(|rule| !rule.is_wildcard());
    rules
}
