//! Coverage: the rules that matched, and the parts of conditions that were true and that were false.
//!
//! It is derived from the trace of an evaluation, so that hooks do no counting.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::eval::{Judged, Node, Outcome, Truth};
use crate::ruleset::{CommandTest, Condition, Kind, Rule};
use crate::span::Span;

/// The results of rules in examples and tests.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The name spans of the rules that matched.
    matched: BTreeSet<Span>,
    parts: BTreeMap<Span, Both>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Both {
    was_true: bool,
    was_false: bool,
}

impl Seen {
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
    pub(super) fn judged(&mut self, rule: &Rule, judged: &Judged) {
        if judged.outcome == Outcome::Match {
            self.matched.insert(rule.name_span);
        }
        judged.parts.iter().for_each(|part| self.node(part));
    }

    fn node(&mut self, node: &Node) {
        let known = self.parts.entry(node.span).or_default();
        known.was_true |= node.truth == Truth::True;
        known.was_false |= node.truth == Truth::False;
        node.parts.iter().for_each(|part| self.node(part));
    }
}

/// The coverage of a policy.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Every rule, and every definition used by one of them, in order of occurrence.
    pub groups: Vec<Group>,
}

/// The parts of a rule, or of a definition, which all of its uses share.
#[derive(Clone, Debug)]
pub struct Group {
    /// The rule; `None` for a definition.
    pub rule: Option<Arc<Rule>>,
    /// The span of the rule's name, or of the whole condition of a definition.
    pub span: Span,
    /// Whether an example or a test made the rule match.
    pub matched: bool,
    /// The tests of its conditions, in source order.
    pub parts: Vec<Part>,
}

/// A test in a condition. Each of its two results is a branch.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its place.
    pub span: Span,
    /// Whether it was true.
    pub was_true: bool,
    /// Whether it was false.
    pub was_false: bool,
}

/// A part of a total.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// The number that is covered.
    pub covered: usize,
    /// The total number.
    pub total: usize,
}

impl Share {
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

impl Part {
    /// Returns how many of its two branches are covered.
    #[must_use]
    pub fn covered(self) -> usize {
        usize::from(self.was_true) + usize::from(self.was_false)
    }
}

impl Group {
    /// Returns how many of its branches are covered.
    #[must_use]
    pub fn branches(&self) -> Share {
        let covered = self.parts.iter().map(|part| part.covered()).sum();
        Share { covered, total: self.parts.len().saturating_mul(2) }
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
    pub fn of<'r>(rules: impl IntoIterator<Item = &'r Arc<Rule>>, seen: &Seen) -> Self {
        let mut coverage = Self::default();
        let mut definitions = BTreeSet::new();
        for rule in rules {
            let mut used = Vec::new();
            let mut spans = Vec::new();
            for condition in [&rule.when, &rule.unless].into_iter().flatten() {
                tests(condition, &mut spans, &mut used);
            }
            coverage.groups.push(Group {
                rule: Some(Arc::clone(rule)),
                span: rule.name_span,
                matched: seen.matched.contains(&rule.name_span),
                parts: parts(&spans, seen),
            });
            // A definition may use other definitions.
            while let Some(definition) = used.pop() {
                if !definitions.insert(definition.span) {
                    continue;
                }
                let mut spans = Vec::new();
                tests(definition, &mut spans, &mut used);
                let parts = parts(&spans, seen);
                coverage.groups.push(Group { rule: None, span: definition.span, matched: false, parts });
            }
        }
        coverage
    }

    /// Returns how many of the rules matched.
    #[must_use]
    pub fn rules(&self) -> Share {
        let rules = self.groups.iter().filter(|group| group.rule.is_some());
        Share { covered: rules.clone().filter(|group| group.matched).count(), total: rules.count() }
    }

    /// Returns how many of all branches are covered.
    #[must_use]
    pub fn branches(&self) -> Share {
        self.groups.iter().map(Group::branches).fold(Share::default(), |sum, one| Share {
            covered: sum.covered + one.covered,
            total: sum.total + one.total,
        })
    }
}

fn parts(spans: &[Span], seen: &Seen) -> Vec<Part> {
    let part = |span: &Span| {
        let both = seen.parts.get(span).copied().unwrap_or_default();
        Part { span: *span, was_true: both.was_true, was_false: both.was_false }
    };
    spans.iter().map(part).collect()
}

/// Collects the individual tests of a condition. An `and`, `or` or `not` has both results if its tests do.
fn tests<'c>(condition: &'c Condition, spans: &mut Vec<Span>, definitions: &mut Vec<&'c Condition>) {
    match &condition.kind {
        Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(|part| tests(part, spans, definitions)),
        Kind::Not(inner) => tests(inner, spans, definitions),
        // A `let` is a constant.
        Kind::Constant(_) => {}
        Kind::Def(inner) => {
            spans.push(condition.span);
            definitions.push(inner);
        }
        Kind::Command(CommandTest::Runs { filter: Some(filter), .. }) => {
            spans.push(condition.span);
            tests(filter, spans, definitions);
        }
        Kind::Command(_)
        | Kind::Compare { .. }
        | Kind::Exists(_)
        | Kind::Truth(_)
        | Kind::Touches { .. }
        | Kind::Connects(_) => {
            spans.push(condition.span);
        }
    }
}
