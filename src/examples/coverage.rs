//! Coverage: which rules matched, and which tests in conditions were true or false at least once.
//!
//! Coverage is derived from the traces of evaluations, so a hook does no counting.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::eval::{ConditionTrace, RuleJudgement, RuleOutcome, Truth};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Rule};
use crate::span::Span;

/// Which rules matched in examples and tests, and which results the parts of their conditions had.
#[derive(Clone, Debug, Default)]
pub struct ObservedResults {
    /// The spans of the names of the rules that matched.
    matched: BTreeSet<Span>,
    /// For each part of a condition, by its span, whether it was true and whether it was false.
    parts: BTreeMap<Span, BranchResults>,
}

/// Whether a part of a condition was true at least once, and false at least once.
#[derive(Clone, Copy, Debug, Default)]
struct BranchResults {
    was_true: bool,
    was_false: bool,
}

impl ObservedResults {
    /// Adds the results of further examples and tests.
    pub fn add(&mut self, other: Self) {
        self.matched.extend(other.matched);
        for (span, results) in other.parts {
            let known = self.parts.entry(span).or_default();
            known.was_true |= results.was_true;
            known.was_false |= results.was_false;
        }
    }

    /// Adds the result of a rule in one example or case.
    pub(super) fn add_judged(&mut self, rule: &Rule, judged: &RuleJudgement) {
        if judged.outcome == RuleOutcome::Match {
            self.matched.insert(rule.name_span);
        }
        judged.parts.iter().for_each(|part| self.add_node(part));
    }

    /// Adds the result of a part of a condition, and those of the parts in it.
    fn add_node(&mut self, node: &ConditionTrace) {
        let known = self.parts.entry(node.span).or_default();
        known.was_true |= node.truth == Truth::True;
        known.was_false |= node.truth == Truth::False;
        node.parts.iter().for_each(|part| self.add_node(part));
    }
}

/// Which rules of a policy, and which branches of their conditions, its examples and tests cover.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Every rule, each followed by the definitions that it uses and that no earlier rule used.
    pub groups: Vec<CoverageGroup>,
}

/// The coverage of a rule or of a definition. A definition is covered by the results in all rules that use it.
#[derive(Clone, Debug)]
pub struct CoverageGroup {
    /// The rule; `None` for a definition.
    pub rule: Option<Arc<Rule>>,
    /// The span of the rule's name, or of the whole condition of a definition.
    pub span: Span,
    /// Whether an example or a test made the rule match; `false` for a definition.
    pub matched: bool,
    /// The tests in the conditions, in source order.
    pub parts: Vec<CoveredTest>,
}

/// A test in a condition, with two branches: true and false.
#[derive(Clone, Copy, Debug)]
pub struct CoveredTest {
    /// The position of the test in the source.
    pub span: Span,
    /// Whether an example or a test made it true.
    pub was_true: bool,
    /// Whether an example or a test made it false.
    pub was_false: bool,
}

/// A number of covered rules or branches, out of a total.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CoverageShare {
    /// How many are covered.
    pub covered: usize,
    /// How many there are.
    pub total: usize,
}

impl CoverageShare {
    /// Whether at least this percentage is covered.
    #[must_use]
    pub fn is_at_least(self, percent: u8) -> bool {
        self.covered.saturating_mul(100) >= self.total.saturating_mul(usize::from(percent))
    }

    /// Returns the percentage, rounded down, so that only full coverage gives 100; also 100 if there is nothing to
    /// cover.
    #[must_use]
    pub fn percent(self) -> usize {
        self.covered.saturating_mul(100).checked_div(self.total).unwrap_or(100)
    }
}

impl CoveredTest {
    /// Returns how many of the two branches are covered.
    #[must_use]
    pub fn covered_branches(self) -> usize {
        usize::from(self.was_true) + usize::from(self.was_false)
    }
}

impl CoverageGroup {
    /// Returns how many branches of the group's tests are covered.
    #[must_use]
    pub fn branches(&self) -> CoverageShare {
        let covered = self.parts.iter().map(|part| part.covered_branches()).sum();
        CoverageShare { covered, total: self.parts.len().saturating_mul(2) }
    }

    /// Whether every branch is covered and, for a rule, the rule matched at least once.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let branches = self.branches();
        (self.rule.is_none() || self.matched) && branches.covered == branches.total
    }
}

impl Coverage {
    /// Returns the coverage of rules, according to the observed results.
    #[must_use]
    pub fn from_rules<'r>(rules: impl IntoIterator<Item = &'r Arc<Rule>>, observed: &ObservedResults) -> Self {
        let mut coverage = Self::default();
        let mut definitions = BTreeSet::new();
        for rule in rules.into_iter().filter(|rule| !rule.is_generated()) {
            let mut used = Vec::new();
            let mut spans = Vec::new();
            for condition in [&rule.when, &rule.unless].into_iter().flatten() {
                collect_tests(condition, &mut spans, &mut used);
            }
            coverage.groups.push(CoverageGroup {
                rule: Some(Arc::clone(rule)),
                span: rule.name_span,
                matched: observed.matched.contains(&rule.name_span),
                parts: covered_tests(&spans, observed),
            });
            // Definitions can use other definitions, which `collect_tests` appends to `used`.
            while let Some(definition) = used.pop() {
                if !definitions.insert(definition.span) {
                    continue;
                }
                let mut spans = Vec::new();
                collect_tests(definition, &mut spans, &mut used);
                let parts = covered_tests(&spans, observed);
                coverage.groups.push(CoverageGroup { rule: None, span: definition.span, matched: false, parts });
            }
        }
        coverage
    }

    /// Returns how many of the rules matched.
    #[must_use]
    pub fn rules(&self) -> CoverageShare {
        let rules = self.groups.iter().filter(|group| group.rule.is_some());
        CoverageShare { covered: rules.clone().filter(|group| group.matched).count(), total: rules.count() }
    }

    /// Returns how many of all branches are covered.
    #[must_use]
    pub fn branches(&self) -> CoverageShare {
        self.groups.iter().map(CoverageGroup::branches).fold(CoverageShare::default(), |sum, one| CoverageShare {
            covered: sum.covered + one.covered,
            total: sum.total + one.total,
        })
    }
}

/// Returns the tests at these spans, each with its observed results.
fn covered_tests(spans: &[Span], observed: &ObservedResults) -> Vec<CoveredTest> {
    let part = |span: &Span| {
        let results = observed.parts.get(span).copied().unwrap_or_default();
        CoveredTest { span: *span, was_true: results.was_true, was_false: results.was_false }
    };
    spans.iter().map(part).collect()
}

/// Collects the spans of the tests in a condition, and the definitions that it uses. `and`, `or` and `not` are no tests
/// of their own, so coverage does not count them as branches.
fn collect_tests<'c>(condition: &'c Condition, spans: &mut Vec<Span>, definitions: &mut Vec<&'c Condition>) {
    match &condition.kind {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => {
            parts.iter().for_each(|part| collect_tests(part, spans, definitions))
        }
        ConditionExpr::Not(inner) | ConditionExpr::Certain(inner) => collect_tests(inner, spans, definitions),
        // A constant can have only one result.
        ConditionExpr::Constant(_) => {}
        ConditionExpr::Def(inner) => {
            spans.push(condition.span);
            definitions.push(inner);
        }
        ConditionExpr::Command(CommandTest::Runs { filter: Some(filter), .. }) => {
            spans.push(condition.span);
            collect_tests(filter, spans, definitions);
        }
        ConditionExpr::Command(_)
        | ConditionExpr::Compare { .. }
        | ConditionExpr::Exists(_)
        | ConditionExpr::Truth(_)
        | ConditionExpr::Touches { .. }
        | ConditionExpr::TouchesFilled { .. }
        | ConditionExpr::Connects(_)
        | ConditionExpr::Happened(_) => {
            spans.push(condition.span);
        }
    }
}
