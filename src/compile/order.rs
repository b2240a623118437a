//! **The** order (law 3): wildcard rules first, then the others, each group in stable source order.

use crate::ruleset::{Rule, RuleSet};

/// Links the rules of the layers, given in layer order and each in source order, into a rule set.
#[must_use]
pub fn link(layers: impl IntoIterator<Item = Vec<Rule>>) -> RuleSet {
    let mut rules: Vec<Rule> = layers.into_iter().flatten().collect();
    // The sort is stable, so that source order stands within each group.
    rules.sort_by_key(|rule| !rule.is_wildcard());
    RuleSet::new(rules)
}
