//! The rules by which the tests of a layer are judged.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::compile::sort_for_evaluation;
use crate::config::PolicyBase;
use crate::layer::PolicyDirectory;
use crate::ruleset::{Rule, RuleNames, RuleSet};
use crate::syntax::ast::RuleReference;
use hookrules_shell::path::join;

/// The rules by which a test judges its cases, and the names by which it refers to them.
#[derive(Clone, Debug)]
pub struct TestedRules {
    set: RuleSet,
    names: RuleNames,
}

impl TestedRules {
    /// Collects the rules of a layer, given its directories.
    #[must_use]
    pub fn new(rules: impl IntoIterator<Item = Arc<Rule>>, directories: &[PolicyDirectory]) -> Self {
        let project = directories.iter().find(|it| it.base == PolicyBase::Project).and_then(|it| it.path.clone());
        let named = directories.iter().filter_map(|it| Some((it.base.clone(), it.path.clone()?)));
        Self {
            set: RuleSet::new(sort_for_evaluation(rules.into_iter().collect())),
            names: RuleNames::new(named.collect(), project),
        }
    }

    /// Returns the rules that a test refers to by a name.
    #[must_use]
    pub fn named(&self, reference: &RuleReference) -> Vec<&Arc<Rule>> {
        self.names.find(self.rules(), reference.text()).into_iter().map(|(_, rule)| rule).collect()
    }

    /// Returns a name in a test that refers to this rule and no other.
    #[must_use]
    pub fn unique_name(&self, rule: &Rule) -> String {
        self.names.name_in_test(rule)
    }

    /// Returns the rules for judging.
    #[must_use]
    pub fn set(&self) -> &RuleSet {
        &self.set
    }

    /// Returns the rules, in evaluation order.
    #[must_use]
    pub fn rules(&self) -> &[Arc<Rule>] {
        self.set.rules()
    }

    /// Returns the displayed name of the rule that a test refers to; `None` if there is none, or several have the name.
    #[must_use]
    pub fn display_name(&self, reference: &RuleReference) -> Option<&str> {
        match self.named(reference).as_slice() {
            [one] => Some(one.display_name.as_str()),
            _ => None,
        }
    }

    /// Returns the full name of the rule with this displayed name, as a test writes it. A displayed name that no rule
    /// has is returned unchanged.
    #[must_use]
    pub fn full_reference(&self, displayed: &str) -> String {
        let rule = self.rules().iter().find(|rule| rule.display_name == displayed);
        rule.map_or_else(|| displayed.to_owned(), |rule| self.names.name_in_test(rule))
    }

    /// Returns the short name of the rule with this displayed name, as a test writes it: without its layer and pack,
    /// unless the displayed name says which directory the rule is from.
    #[must_use]
    pub fn reference(&self, displayed: &str) -> String {
        let rule = self.rules().iter().find(|rule| rule.display_name == displayed);
        let short = || displayed.rsplit('/').next().unwrap_or(displayed).to_owned();
        rule.filter(|rule| !displayed.ends_with(&rule.name)).map_or_else(short, |rule| self.names.name_in_test(rule))
    }
}

/// The project directory of the examples in the outermost directory with a policy.
const EXAMPLE_PROJECT: &str = "/project";

/// Returns the working directory of the examples and tests of a layer, given the directories of the layer.
#[must_use]
pub fn example_directory(directories: &[PolicyDirectory]) -> PathBuf {
    let project = directories.iter().find(|it| it.base == PolicyBase::Project).and_then(|it| it.path.as_ref());
    let outermost = directories.iter().find(|it| it.is_example_root).and_then(|it| it.path.as_ref());
    let inner = project.zip(outermost).and_then(|(project, outermost)| project.strip_prefix(outermost).ok());
    // Joining an empty path would end the result with a slash.
    let inner = inner.filter(|inner| !inner.as_os_str().is_empty());
    inner.map_or_else(|| PathBuf::from(EXAMPLE_PROJECT), |inner| join(Path::new(EXAMPLE_PROJECT), inner))
}
