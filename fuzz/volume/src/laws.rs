//! The laws of the tests, over more policies and calls than a test can try.

#[path = "../../../tests/it/laws/generate.rs"]
mod generate;
#[path = "../../../tests/it/laws/hold.rs"]
mod hold;

use hookrules::config::LayerKind;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::kit::Given;
use crate::random::Random;
use generate::{COMMAND_MEMBERS, Placed, SHELL_TOOLS, Setting};

/// The separator of rules in an input.
const BETWEEN: char = '\0';

/// The strategies for policies and calls.
pub struct Laws {
    index: BoxedStrategy<(Vec<String>, Vec<Given>)>,
    layers: BoxedStrategy<(Vec<Placed>, Vec<Given>)>,
}

impl Laws {
    pub fn new() -> Self {
        Self { index: prop_oneof![generate::near(), generate::anything()].boxed(), layers: generate::layered().boxed() }
    }

    /// Returns the rules of a case for the index law.
    pub fn rules(&self, random: &mut Random) -> String {
        drawn(&self.index, random).0.join(&BETWEEN.to_string())
    }

    /// Returns the rules and settings of a case for the layers law.
    pub fn layers(&self, random: &mut Random) -> String {
        let shown: Vec<String> = drawn(&self.layers, random).0.iter().map(shown).collect();
        shown.join(&BETWEEN.to_string())
    }

    /// Checks the index law for rules and the calls of a case.
    pub fn hold_index(&self, text: &str, random: &mut Random) -> Result<(), String> {
        let rules: Vec<String> = text.split(BETWEEN).map(str::to_owned).collect();
        let policy = hold::policy_of(&rules);
        let calls = drawn(&self.index, random).1;
        calls.iter().try_for_each(|given| hold::alike(&policy, given).map_err(|error| told(&error, given)))
    }

    /// Checks the layers law for layers and the calls of a case.
    pub fn hold_layers(&self, text: &str, random: &mut Random) -> Result<(), String> {
        let placed = text.split(BETWEEN).filter_map(placed).filter(|(_, rule, _)| hold::loads_alone(rule));
        let placed: Vec<Placed> = placed.collect();
        let calls = drawn(&self.layers, random).1;
        calls.iter().try_for_each(|given| hold::never_weakens(&placed, given).map_err(|error| told(&error, given)))
    }
}

fn told(error: &TestCaseError, given: &Given) -> String {
    format!("{error}\n{}", serde_json::Value::Object(given.payload.json.clone()))
}

/// Draws one value; the same for the same random numbers.
fn drawn<T: std::fmt::Debug>(from: &BoxedStrategy<T>, random: &mut Random) -> T {
    let seed: Vec<u8> = (0..4).flat_map(|_| random.next().to_le_bytes()).collect();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    from.new_tree(&mut runner).expect("few values are turned down").current()
}

/// Serialises a rule with its layer and setting, as in an input.
fn shown((layer, rule, setting): &Placed) -> String {
    let stated = match setting {
        Setting::Nothing => String::new(),
        Setting::ShellTool(tool, member) => format!("{tool} {member}"),
    };
    format!("{} {stated}\n{rule}", layer.name())
}

fn placed(text: &str) -> Option<Placed> {
    let known = |all: &'static [&'static str], word: &str| all.iter().copied().find(|known| *known == word);
    let (head, rule) = text.split_once('\n')?;
    let (layer, stated) = head.split_once(' ')?;
    let layer = LayerKind::ALL.into_iter().find(|kind| kind.name() == layer)?;
    let stated = stated.split_once(' ').and_then(|(tool, member)| {
        Some(Setting::ShellTool(known(SHELL_TOOLS, tool)?, known(COMMAND_MEMBERS, member)?))
    });
    Some((layer, rule.to_owned(), stated.unwrap_or(Setting::Nothing)))
}
