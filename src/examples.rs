//! Examples and tests: payloads written in a policy, judged by the same functions as the hook's.
//!
//! Nothing is read from the machine and nothing is executed.

mod coverage;
mod example;
mod given;
mod test;

pub use coverage::{Coverage, Group, Part, Seen, Share};
pub use example::Stated;
pub use given::{Around, Fields, given, given_around};
pub use test::{holds as case_holds, names as case_names};

use std::sync::Arc;

use crate::context::ShellTools;
use crate::diagnostic::Diagnostic;
use crate::eval::Judged;
use crate::parallel;
use crate::policy::PolicyLayer;
use crate::ruleset::{Rule, RuleSet};
use crate::span::Span;
use crate::syntax::ast;
use crate::verdict::Verdict;

/// The host that examples are written for.
const HOST: &str = "claude-code";

/// What came of the examples and tests of a layer.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many came out as written.
    pub passed: usize,
    /// Those that came out otherwise, or are no payloads.
    pub failed: Vec<Diagnostic>,
}

impl Report {
    /// Adds another report.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
    }
}

/// What is told in one line: the examples of a rule, or a `test` block.
#[derive(Clone, Debug)]
pub struct Suite<'p> {
    /// The name of the rule, as it is shown, or of the test.
    pub name: &'p str,
    /// Which of both it is.
    pub kind: SuiteKind<'p>,
    /// The place of the name.
    pub span: Span,
    /// The tools that the layer states.
    tools: Arc<ShellTools>,
}

/// What a suite consists of.
#[derive(Clone, Debug)]
pub enum SuiteKind<'p> {
    /// The examples of a rule.
    Rule(&'p Arc<Rule>),
    /// The cases of a test, and the rules that they are about.
    Test(&'p ast::Test, Arc<RuleSet>),
}

impl SuiteKind<'_> {
    /// Returns the word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::Test(..) => "test",
        }
    }
}

/// What came of a suite.
#[derive(Clone, Debug, Default)]
pub struct SuiteReport {
    /// How many examples or cases came out as written.
    pub passed: usize,
    /// Those that did not.
    pub failures: Vec<Failure>,
    /// Whether each came out as written, in source order.
    pub each: Vec<bool>,
    /// What rules and their parts came to, where it was asked for.
    pub seen: Seen,
}

/// An example or a case that came out otherwise.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// What the policy says instead; an example is about a rule alone.
    pub verdict: Option<Verdict>,
    /// The rules that it is about, with the parts of their conditions.
    pub judged: Vec<(Arc<Rule>, Judged)>,
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, verdict: None, judged: Vec::new() }
    }
}

/// Whether it is kept what each part of a condition comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// What fails is enough.
    Failures,
    /// All of it.
    Parts,
}

/// Returns the suites of a layer: one for each rule with examples, in evaluation order, and then its tests.
///
/// The rules of a pack are not among them: their examples hold for the pack as it is shipped, and the layer may have
/// replaced its `let`s.
#[must_use]
pub fn suites(layer: &PolicyLayer) -> Vec<Suite<'_>> {
    let tools = Arc::new(layer.settings.tools_of(layer.kind));
    let own = own_rules(layer).filter(|rule| !rule.examples.is_empty());
    let mut suites: Vec<Suite<'_>> = own.map(|rule| of_rule(rule, &tools)).collect();
    if !layer.tests.is_empty() && layer.loads() {
        let rules = Arc::new(RuleSet::new(crate::compile::in_order(layer.rules.clone())));
        suites.extend(layer.tests.iter().map(|test| Suite {
            name: &test.name.value,
            kind: SuiteKind::Test(test, Arc::clone(&rules)),
            span: test.name.span,
            tools: Arc::clone(&tools),
        }));
    }
    suites
}

fn of_rule<'r>(rule: &'r Arc<Rule>, tools: &Arc<ShellTools>) -> Suite<'r> {
    Suite { name: &rule.shown, kind: SuiteKind::Rule(rule), span: rule.name_span, tools: Arc::clone(tools) }
}

/// Returns the rules that the layer itself has written.
pub fn own_rules(layer: &PolicyLayer) -> impl Iterator<Item = &Arc<Rule>> {
    // INVARIANT: the rules of a pack alone have a `/` in their names.
    layer.rules.iter().filter(|rule| !rule.name.contains('/'))
}

/// Judges suites, on as many cores as there are; the reports stand in their order.
#[must_use]
pub fn judge(suites: &[Suite<'_>], keep: Keep) -> Vec<SuiteReport> {
    parallel::map(suites, |suite| match &suite.kind {
        SuiteKind::Rule(rule) => {
            let mut report = SuiteReport::default();
            for (kind, examples) in &rule.examples {
                examples.iter().for_each(|one| report.count(example::judge(rule, *kind, one, &suite.tools, keep)));
            }
            report
        }
        SuiteKind::Test(test, rules) => {
            let mut report = SuiteReport::default();
            test.cases.iter().for_each(|case| report.count(test::judge(case, rules, &suite.tools, keep)));
            report
        }
    })
}

impl SuiteReport {
    fn count(&mut self, (result, seen): (Result<(), Failure>, Seen)) {
        self.seen.add(seen);
        self.each.push(result.is_ok());
        match result {
            Ok(()) => self.passed += 1,
            Err(failure) => self.failures.push(failure),
        }
    }
}

/// Judges every example and test of a layer that loads, as [`own_examples`] does.
#[must_use]
pub fn run(layer: &PolicyLayer) -> Report {
    report(&suites(layer))
}

/// Judges every test of a layer that loads.
#[must_use]
pub fn tests(layer: &PolicyLayer) -> Report {
    let tests = suites(layer).into_iter().filter(|suite| matches!(suite.kind, SuiteKind::Test(..)));
    report(&tests.collect::<Vec<_>>())
}

/// Judges every example that a layer itself has written.
#[must_use]
pub fn own_examples(layer: &PolicyLayer) -> Report {
    let tools = Arc::new(layer.settings.tools_of(layer.kind));
    report(&own_rules(layer).map(|rule| of_rule(rule, &tools)).collect::<Vec<_>>())
}

/// Judges every example of some rules.
#[cfg(test)]
pub(crate) fn examples(rules: &[Arc<Rule>]) -> Report {
    let tools = Arc::default();
    report(&rules.iter().map(|rule| of_rule(rule, &tools)).collect::<Vec<_>>())
}

fn report(suites: &[Suite<'_>]) -> Report {
    let mut all = Report::default();
    for report in judge(suites, Keep::Failures) {
        all.passed += report.passed;
        all.failed.extend(report.failures.into_iter().map(|failure| failure.diagnostic));
    }
    all
}
