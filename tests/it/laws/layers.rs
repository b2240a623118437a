//! Between layers: a lower one adds and makes stricter, and never weakens.

use proptest::prelude::*;

use super::generate::layered;
use super::hold::{loads_alone, never_weakens};

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_lower_layer_never_weakens_a_higher_one((mut rules, calls) in layered()) {
        rules.retain(|(_, rule, _)| loads_alone(rule));
        for given in &calls {
            never_weakens(&rules, given)?;
        }
    }
}
