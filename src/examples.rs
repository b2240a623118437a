//! Examples and tests: payloads written in a policy, judged by the same functions as in a hook.
//!
//! Nothing is read from the machine and nothing is executed.

mod coverage;
mod example;
mod input;
mod test;

pub use coverage::{Coverage, CoverageGroup, CoverageShare, CoveredTest, ObservedResults};
pub use example::PreparedExample;
pub use input::{ExampleCircumstances, PermittedFields, example_contents, example_input};
pub use test::{case_passes as case_holds, names_any_rule as case_names};

use std::sync::Arc;

use crate::context::ShellTools;
use crate::diagnostic::Diagnostic;
use crate::eval::RuleJudgement;
use crate::parallel;
use crate::policy::PolicyLayer;
use crate::ruleset::{Rule, RuleSet};
use crate::span::Span;
use crate::syntax::ast;
use crate::verdict::Verdict;

/// The host that examples are written for.
const HOST: &str = "claude-code";

/// The results of the examples and tests of a layer.
#[derive(Clone, Debug, Default)]
pub struct ExampleReport {
    /// The number that passed.
    pub passed: usize,
    /// Those that failed, or are not payloads.
    pub failed: Vec<Diagnostic>,
}

impl ExampleReport {
    /// Adds another report.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
    }
}

/// A unit of the report: the examples of a rule, or a `test` block.
#[derive(Clone, Debug)]
pub struct ExampleSuite<'p> {
    /// The name of the rule, as displayed, or of the test.
    pub name: &'p str,
    /// The kind of suite.
    pub kind: SuiteKind<'p>,
    /// The place of the name.
    pub span: Span,
    /// The shell tools in the layer's settings.
    tools: Arc<ShellTools>,
}

/// The contents of a suite.
#[derive(Clone, Debug)]
pub enum SuiteKind<'p> {
    /// The examples of a rule.
    Rule(&'p Arc<Rule>),
    /// The cases of a test, and the rules under test.
    Test(&'p ast::AstTest, Arc<RuleSet>),
}

impl SuiteKind<'_> {
    /// Returns its name in the output.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::Test(..) => "test",
        }
    }
}

/// The results of a suite.
#[derive(Clone, Debug, Default)]
pub struct SuiteReport {
    /// The number of examples or cases that passed.
    pub passed: usize,
    /// Those that failed.
    pub failures: Vec<ExampleFailure>,
    /// Whether each passed, in source order.
    pub each_passed: Vec<bool>,
    /// The coverage of rules and their parts, if requested.
    pub results: ObservedResults,
}

/// An example or a case that failed.
#[derive(Clone, Debug)]
pub struct ExampleFailure {
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// The actual verdict of the policy; `None` for an example, which concerns a single rule.
    pub verdict: Option<Verdict>,
    /// The rules that it concerns, with the parts of their conditions.
    pub judged: Vec<(Arc<Rule>, RuleJudgement)>,
}

impl From<Diagnostic> for ExampleFailure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, verdict: None, judged: Vec::new() }
    }
}

/// The examples and cases of which the results of condition parts are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptResults {
    /// Only for failures.
    Failures,
    /// For all.
    All,
}

/// Returns the suites of a layer: one for each rule with examples, in evaluation order, and then its tests.
///
/// The rules of packs are excluded: their examples hold for the pack as shipped, and the layer may have replaced its
/// `let`s.
#[must_use]
pub fn suites(layer: &PolicyLayer) -> Vec<ExampleSuite<'_>> {
    let tools = Arc::new(layer.settings.tools_of(layer.kind));
    let own = own_rules(layer).filter(|rule| !rule.examples.is_empty());
    let mut suites: Vec<ExampleSuite<'_>> = own.map(|rule| rule_suite(rule, &tools)).collect();
    if !layer.tests.is_empty() && layer.is_loaded() {
        let rules = Arc::new(RuleSet::new(crate::compile::sort_for_evaluation(layer.rules.clone())));
        suites.extend(layer.tests.iter().map(|test| ExampleSuite {
            name: &test.name.value,
            kind: SuiteKind::Test(test, Arc::clone(&rules)),
            span: test.name.span,
            tools: Arc::clone(&tools),
        }));
    }
    suites
}

fn rule_suite<'r>(rule: &'r Arc<Rule>, tools: &Arc<ShellTools>) -> ExampleSuite<'r> {
    ExampleSuite {
        name: &rule.display_name,
        kind: SuiteKind::Rule(rule),
        span: rule.name_span,
        tools: Arc::clone(tools),
    }
}

/// Returns the rules that are written in the layer itself.
pub fn own_rules(layer: &PolicyLayer) -> impl Iterator<Item = &Arc<Rule>> {
    // INVARIANT: only the rules of packs have a `/` in their names.
    layer.rules.iter().filter(|rule| !rule.name.contains('/'))
}

/// Judges suites, in parallel on all cores; the reports are in the same order.
#[must_use]
pub fn judge_suites(suites: &[ExampleSuite<'_>], keep: KeptResults) -> Vec<SuiteReport> {
    parallel::map(suites, |suite| match &suite.kind {
        SuiteKind::Rule(rule) => {
            let mut report = SuiteReport::default();
            for (kind, examples) in &rule.examples {
                examples
                    .iter()
                    .for_each(|one| report.count(example::judge_example_of_rule(rule, *kind, one, &suite.tools, keep)));
            }
            report
        }
        SuiteKind::Test(test, rules) => {
            let mut report = SuiteReport::default();
            test.cases.iter().for_each(|case| report.count(test::judge_case(case, rules, &suite.tools, keep)));
            report
        }
    })
}

impl SuiteReport {
    fn count(&mut self, (result, seen): (Result<(), ExampleFailure>, ObservedResults)) {
        self.results.add(seen);
        self.each_passed.push(result.is_ok());
        match result {
            Ok(()) => self.passed += 1,
            Err(failure) => self.failures.push(failure),
        }
    }
}

/// Judges every example and test of a layer that loads, like [`judge_own_examples`].
#[must_use]
pub fn judge_layer(layer: &PolicyLayer) -> ExampleReport {
    total_report(&suites(layer))
}

/// Judges every test of a layer that loads.
#[must_use]
pub fn judge_tests(layer: &PolicyLayer) -> ExampleReport {
    let tests = suites(layer).into_iter().filter(|suite| matches!(suite.kind, SuiteKind::Test(..)));
    total_report(&tests.collect::<Vec<_>>())
}

/// Judges every example that is written in a layer itself.
#[must_use]
pub fn judge_own_examples(layer: &PolicyLayer) -> ExampleReport {
    let tools = Arc::new(layer.settings.tools_of(layer.kind));
    total_report(&own_rules(layer).map(|rule| rule_suite(rule, &tools)).collect::<Vec<_>>())
}

/// Judges every example of some rules.
#[cfg(test)]
pub(crate) fn judge_examples(rules: &[Arc<Rule>]) -> ExampleReport {
    let tools = Arc::default();
    total_report(&rules.iter().map(|rule| rule_suite(rule, &tools)).collect::<Vec<_>>())
}

fn total_report(suites: &[ExampleSuite<'_>]) -> ExampleReport {
    let mut all = ExampleReport::default();
    for report in judge_suites(suites, KeptResults::Failures) {
        all.passed += report.passed;
        all.failed.extend(report.failures.into_iter().map(|failure| failure.diagnostic));
    }
    all
}
