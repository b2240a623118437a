//! Examples and tests: builds the payloads that a policy describes, and judges them with the same functions as in a
//! hook.
//!
//! This module reads nothing from the machine and executes nothing.

mod coverage;
mod example;
mod host;
mod input;
mod session;
mod stated;
mod test;

pub use coverage::{Coverage, CoverageGroup, CoverageShare, CoveredTest, ObservedResults};
pub use example::PreparedExample;
pub use input::{ExampleCircumstances, ExampleHost, ExampleSetting, example_contents, example_input, marks_of};
pub use session::past_of_example;
pub use test::{case_passes, names_any_rule};

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::eval::RuleJudgement;
use crate::parallel;
use crate::policy::{PolicyLayer, TestedRules};
use crate::ruleset::Rule;
use crate::span::Span;
use crate::syntax::ast;
use crate::verdict::Verdict;

/// The results of the examples and tests of a layer.
#[derive(Clone, Debug, Default)]
pub struct ExampleReport {
    /// The number of examples and cases that passed.
    pub passed: usize,
    /// A finding for each other example or case: it failed, or it does not describe a payload.
    pub failed: Vec<Diagnostic>,
}

impl ExampleReport {
    /// Adds the results of another report to this one.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
    }
}

/// The examples of one rule, or the cases of one `test` block: the unit in which results are reported.
#[derive(Clone, Debug)]
pub struct ExampleSuite<'p> {
    /// The displayed name of the rule, or the name of the test.
    pub name: &'p str,
    /// The examples or cases, with what they are judged by.
    pub kind: SuiteKind<'p>,
    /// The span of the name.
    pub span: Span,
    setting: Arc<ExampleSetting>,
}

/// The examples or cases of a suite, with what they are judged by.
#[derive(Clone, Debug)]
pub enum SuiteKind<'p> {
    /// The examples of a rule.
    Rule(&'p Arc<Rule>),
    /// The cases of a test, and the rules of the directory that contains it.
    Test(&'p ast::AstTest, Arc<TestedRules>),
}

impl ExampleSuite<'_> {
    /// Whether there is anything to judge; `false` only for a rule without examples.
    fn has_examples(&self) -> bool {
        match &self.kind {
            SuiteKind::Rule(rule) => !rule.examples.is_empty(),
            SuiteKind::Test(..) => true,
        }
    }
}

impl SuiteKind<'_> {
    /// Returns the word that the output uses for the suite: `rule`, `mark` or `test`.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Rule(rule) if rule.mark().is_some() => "mark",
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
    /// The examples or cases that failed.
    pub failures: Vec<ExampleFailure>,
    /// Whether each example or case passed, in source order.
    pub each_passed: Vec<bool>,
    /// Which rules matched, and the results of each part of their conditions; empty unless coverage is requested.
    pub results: ObservedResults,
}

/// An example or a case that failed.
#[derive(Clone, Debug)]
pub struct ExampleFailure {
    /// The finding, which says what is wrong.
    pub diagnostic: Diagnostic,
    /// The actual verdict of the policy; `None` for an example, which is judged with its rule alone.
    pub verdict: Option<Verdict>,
    /// The rules to show for the failure, with the trace of their conditions.
    pub judged: Vec<(Arc<Rule>, RuleJudgement)>,
}

impl From<Diagnostic> for ExampleFailure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, verdict: None, judged: Vec::new() }
    }
}

/// The examples and cases for which the result of each part of a condition is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptResults {
    /// Only for those that fail.
    Failures,
    /// For all, as coverage needs them.
    All,
}

/// Returns the suites of a layer: one for each rule with examples, and then, if the layer loads, one for each test.
///
/// The rules of packs are excluded: their examples hold for the pack as shipped, and the layer may have replaced a
/// `let` of the pack.
#[must_use]
pub fn suites(layer: &PolicyLayer) -> Vec<ExampleSuite<'_>> {
    suites_on(layer, ExampleHost::Default)
}

/// Like [`suites`], with the host of the examples that state none.
#[must_use]
pub fn suites_on(layer: &PolicyLayer, host: ExampleHost) -> Vec<ExampleSuite<'_>> {
    in_each_directory(layer).flat_map(|layer| innermost_suites(layer, host)).collect()
}

/// Returns the layer as it applies in each directory that has a policy, the outermost first: the examples and tests of
/// a directory are about a session that starts there.
fn in_each_directory(layer: &PolicyLayer) -> impl Iterator<Item = &PolicyLayer> {
    layer.in_directories_above().iter().chain([layer])
}

/// Returns the suites of the project directory alone, without those of the directories above.
fn innermost_suites(layer: &PolicyLayer, host: ExampleHost) -> Vec<ExampleSuite<'_>> {
    let mut suites: Vec<ExampleSuite<'_>> = rule_suites(layer, host).filter(|suite| suite.has_examples()).collect();
    if !layer.tests.is_empty() && layer.is_loaded() {
        let rules = Arc::new(layer.tested_rules());
        let setting = Arc::new(ExampleSetting { host, ..ExampleSetting::of_layer(layer) });
        for test in layer.tests.iter().filter(|test| layer.is_own_text(test.name.span.file)) {
            suites.push(ExampleSuite {
                name: &test.name.value,
                kind: SuiteKind::Test(test, Arc::clone(&rules)),
                span: test.name.span,
                setting: Arc::clone(&setting),
            });
        }
    }
    suites
}

/// Returns a suite for each rule of the project directory, even if the rule has no examples.
fn rule_suites(layer: &PolicyLayer, host: ExampleHost) -> impl Iterator<Item = ExampleSuite<'_>> {
    let setting = Arc::new(ExampleSetting { host, ..ExampleSetting::of_layer(layer) });
    let rules = written_rules(layer).filter(|rule| layer.is_own_rule(rule));
    rules.map(move |rule| rule_suite(rule, &setting))
}

/// Returns the suite with the examples of one rule.
fn rule_suite<'r>(rule: &'r Arc<Rule>, setting: &Arc<ExampleSetting>) -> ExampleSuite<'r> {
    ExampleSuite {
        name: &rule.display_name,
        kind: SuiteKind::Rule(rule),
        span: rule.name_span,
        setting: Arc::clone(setting),
    }
}

/// Returns the rules that are written in a layer itself, not in a pack. Each comes from the directory that it is
/// written in, whose session its examples are about.
pub fn own_rules(layer: &PolicyLayer) -> impl Iterator<Item = &Arc<Rule>> {
    in_each_directory(layer).flat_map(|layer| written_rules(layer).filter(|rule| layer.is_own_rule(rule)))
}

/// Returns the rules of a layer that do not come from a pack.
fn written_rules(layer: &PolicyLayer) -> impl Iterator<Item = &Arc<Rule>> {
    // INVARIANT: only the rules of packs have a `/` in their names.
    layer.rules.iter().filter(|rule| !rule.name.contains('/'))
}

/// Judges suites on all cores; the reports are in the order of the suites.
#[must_use]
pub fn judge_suites(suites: &[ExampleSuite<'_>], keep: KeptResults) -> Vec<SuiteReport> {
    parallel::map(suites, |suite| match &suite.kind {
        SuiteKind::Rule(rule) => {
            let mut report = SuiteReport::default();
            for (kind, examples) in &rule.examples {
                examples.iter().for_each(|example| {
                    report.record_outcome(example::judge_example_of_rule(rule, *kind, example, &suite.setting, keep))
                });
            }
            report
        }
        SuiteKind::Test(test, rules) => {
            let mut report = SuiteReport::default();
            test.cases
                .iter()
                .for_each(|case| report.record_outcome(test::judge_case(case, rules, &suite.setting, keep)));
            report
        }
    })
}

impl SuiteReport {
    /// Adds the outcome of one example or case to the totals.
    fn record_outcome(&mut self, (result, observed): (Result<(), ExampleFailure>, ObservedResults)) {
        self.results.add(observed);
        self.each_passed.push(result.is_ok());
        match result {
            Ok(()) => self.passed += 1,
            Err(failure) => self.failures.push(failure),
        }
    }
}

/// Judges the examples that are written in a layer itself and, if the layer loads, its tests.
#[must_use]
pub fn judge_layer(layer: &PolicyLayer) -> ExampleReport {
    total_report(&suites(layer))
}

/// The directories whose examples and tests are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgedDirectories {
    /// The project directory and those above it with a policy.
    All,
    /// Only the project directory.
    Innermost,
}

/// Judges the tests of a layer. The report is empty if the layer does not load.
#[must_use]
pub fn judge_tests(layer: &PolicyLayer, directories: JudgedDirectories) -> ExampleReport {
    let suites = match directories {
        JudgedDirectories::All => suites(layer),
        JudgedDirectories::Innermost => innermost_suites(layer, ExampleHost::Default),
    };
    let tests = suites.into_iter().filter(|suite| matches!(suite.kind, SuiteKind::Test(..)));
    total_report(&tests.collect::<Vec<_>>())
}

/// Judges the examples that are written in a layer itself, not those of packs.
#[must_use]
pub fn judge_own_examples(layer: &PolicyLayer, directories: JudgedDirectories) -> ExampleReport {
    let in_layer = |layer| rule_suites(layer, ExampleHost::Default);
    total_report(&match directories {
        JudgedDirectories::All => in_each_directory(layer).flat_map(in_layer).collect::<Vec<_>>(),
        JudgedDirectories::Innermost => in_layer(layer).collect(),
    })
}

/// Judges the examples of rules as those of the project `/project`, without the shell tools of a layer.
#[cfg(test)]
pub(crate) fn judge_examples(rules: &[Arc<Rule>]) -> ExampleReport {
    let directory = "/project".into();
    let setting = Arc::new(ExampleSetting {
        directory,
        tools: Arc::default(),
        host: ExampleHost::Default,
        marks: marks_of(rules),
    });
    total_report(&rules.iter().map(|rule| rule_suite(rule, &setting)).collect::<Vec<_>>())
}

/// Judges suites, and adds up their results.
fn total_report(suites: &[ExampleSuite<'_>]) -> ExampleReport {
    let mut total = ExampleReport::default();
    for report in judge_suites(suites, KeptResults::Failures) {
        total.passed += report.passed;
        total.failed.extend(report.failures.into_iter().map(|failure| failure.diagnostic));
    }
    total
}
