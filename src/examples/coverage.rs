//! Coverage: the rules that matched, and the parts of conditions that were true and that were false.
//!
//! It is derived from the trace of an evaluation, so that hooks do no counting.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::eval::{ConditionTrace, RuleJudgement, RuleOutcome, Truth};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Rule};
use crate::span::Span;

/// The results of rules in examples and tests.
#[derive(Clone, Debug, Default)]
pub struct ObservedResults {
    /// The name spans of the rules that matched.
    matched: BTreeSet<Span>,
    parts: BTreeMap<Span, BranchResults>,
}

#[derive(Clone, Copy, Debug, Default)]
struct BranchResults {
    was_true: bool,
    was_false: bool,
}

impl ObservedResults {
    /// Adds other results.
    pub fn add(&mut self, other: Self) {
        self.matched.extend(other.matched);
        for (span, both) in other.parts {
            let known = self.parts.entry(span).or_default();
            known.was_true |= both.was_true;
            known.was_false |= both.was_false;
        }
    }

    /// Adds the result of a rule.
    pub(super) fn add_judged(&mut self, rule: &Rule, judged: &RuleJudgement) {
        if judged.outcome == RuleOutcome::Match {
            self.matched.insert(rule.name_span);
        }
        judged.parts.iter().for_each(|part| self.add_node(part));
    }

    fn add_node(&mut self, node: &ConditionTrace) {
        let known = self.parts.entry(node.span).or_default();
        known.was_true |= node.truth == Truth::True;
        known.was_false |= node.truth == Truth::False;
        node.parts.iter().for_each(|part| self.add_node(part));
    }
}

/// The coverage of a policy.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Every rule, and every definition used by one of them, in order of occurrence.
    pub groups: Vec<CoverageGroup>,
}

/// The coverage of a rule, or of a definition, which all of its uses share.
#[derive(Clone, Debug)]
pub struct CoverageGroup {
    /// The rule; `None` for a definition.
    pub rule: Option<Arc<Rule>>,
    /// The span of the rule's name, or of the whole condition of a definition.
    pub span: Span,
    /// Whether an example or a test made the rule match.
    pub matched: bool,
    /// The tests of its conditions, in source order.
    pub parts: Vec<CoveredTest>,
}

/// A test in a condition. Each of its two results is a branch.
#[derive(Clone, Copy, Debug)]
pub struct CoveredTest {
    /// Its place.
    pub span: Span,
    /// Whether it was true.
    pub was_true: bool,
    /// Whether it was false.
    pub was_false: bool,
}

/// The covered part of a total.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CoverageShare {
    /// The number that is covered.
    pub covered: usize,
    /// The total number.
    pub total: usize,
}

impl CoverageShare {
    /// Whether at least this percentage is covered.
    #[must_use]
    pub fn is_at_least(self, percent: u8) -> bool {
        self.covered.saturating_mul(100) >= self.total.saturating_mul(usize::from(percent))
    }

    /// Returns the percentage, rounded down: only complete coverage is 100.
    #[must_use]
    pub fn percent(self) -> usize {
        self.covered.saturating_mul(100).checked_div(self.total).unwrap_or(100)
    }
}

impl CoveredTest {
    /// Returns how many of its two branches are covered.
    #[must_use]
    pub fn covered_branches(self) -> usize {
        usize::from(self.was_true) + usize::from(self.was_false)
    }
}

impl CoverageGroup {
    /// Returns how many of its branches are covered.
    #[must_use]
    pub fn branches(&self) -> CoverageShare {
        let covered = self.parts.iter().map(|part| part.covered_branches()).sum();
        CoverageShare { covered, total: self.parts.len().saturating_mul(2) }
    }

    /// Whether its coverage is complete.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let branches = self.branches();
        (self.rule.is_none() || self.matched) && branches.covered == branches.total
    }
}

impl Coverage {
    /// Computes the coverage of some rules.
    #[must_use]
    pub fn from_rules<'r>(rules: impl IntoIterator<Item = &'r Arc<Rule>>, seen: &ObservedResults) -> Self {
        let mut coverage = Self::default();
        let mut definitions = BTreeSet::new();
        for rule in rules {
            let mut used = Vec::new();
            let mut spans = Vec::new();
            for condition in [&rule.when, &rule.unless].into_iter().flatten() {
                collect_tests(condition, &mut spans, &mut used);
            }
            coverage.groups.push(CoverageGroup {
                rule: Some(Arc::clone(rule)),
                span: rule.name_span,
                matched: seen.matched.contains(&rule.name_span),
                parts: covered_tests(&spans, seen),
            });
            // A definition may use other definitions.
            while let Some(definition) = used.pop() {
                if !definitions.insert(definition.span) {
                    continue;
                }
                let mut spans = Vec::new();
                collect_tests(definition, &mut spans, &mut used);
                let parts = covered_tests(&spans, seen);
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

fn covered_tests(spans: &[Span], seen: &ObservedResults) -> Vec<CoveredTest> {
    let part = |span: &Span| {
        let both = seen.parts.get(span).copied().unwrap_or_default();
        CoveredTest { span: *span, was_true: both.was_true, was_false: both.was_false }
    };
    spans.iter().map(part).collect()
}

/// Collects the individual tests of a condition. An `and`, `or` or `not` has both results if its tests do.
fn collect_tests<'c>(condition: &'c Condition, spans: &mut Vec<Span>, definitions: &mut Vec<&'c Condition>) {
    match &condition.kind {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => {
            parts.iter().for_each(|part| collect_tests(part, spans, definitions))
        }
        ConditionExpr::Not(inner) => collect_tests(inner, spans, definitions),
        // A `let` is a constant.
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
        | ConditionExpr::Connects(_) => {
            spans.push(condition.span);
        }
    }
}
