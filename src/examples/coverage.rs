//! Coverage: which rules matched, and which parts of conditions came out true and came out false.
//!
//! It is read off the trace that judging makes, so that nothing counts while a hook judges.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::eval::{Judged, Node, Outcome, Truth};
use crate::ruleset::{CommandTest, Condition, Kind, Rule};
use crate::span::Span;

/// What examples and tests made of rules.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The places of the names of rules that matched.
    matched: BTreeSet<Span>,
    parts: BTreeMap<Span, Both>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Both {
    was_true: bool,
    was_false: bool,
}

impl Seen {
    /// Adds what was seen elsewhere.
    pub fn add(&mut self, other: Self) {
        self.matched.extend(other.matched);
        for (span, both) in other.parts {
            let known = self.parts.entry(span).or_default();
            known.was_true |= both.was_true;
            known.was_false |= both.was_false;
        }
    }

    /// Adds what came of a rule.
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

/// What of a policy is covered.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Every rule, and every definition that one of them uses, in the order in which they are met.
    pub groups: Vec<Group>,
}

/// The parts of a rule, or of a definition, which all its uses share.
#[derive(Clone, Debug)]
pub struct Group {
    /// The rule; none where it is a definition.
    pub rule: Option<Arc<Rule>>,
    /// The place of the rule's name, or of the whole condition of a definition.
    pub span: Span,
    /// Some example or test made the rule match.
    pub matched: bool,
    /// The tests of its conditions, in source order.
    pub parts: Vec<Part>,
}

/// A test in a condition. Either way that it comes out is a branch.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Where it stands.
    pub span: Span,
    /// It came out true.
    pub was_true: bool,
    /// It came out false.
    pub was_false: bool,
}

/// How many of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Those that are covered.
    pub covered: usize,
    /// All of them.
    pub total: usize,
}

impl Share {
    /// Tells whether at least so many of a hundred are covered.
    #[must_use]
    pub fn is_at_least(self, percent: u8) -> bool {
        self.covered.saturating_mul(100) >= self.total.saturating_mul(usize::from(percent))
    }

    /// Returns the whole percent, rounded down: only what is complete is a hundred.
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

    /// Tells whether nothing is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let branches = self.branches();
        (self.rule.is_none() || self.matched) && branches.covered == branches.total
    }
}

impl Coverage {
    /// Finds out what of some rules was seen.
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
            // A definition may use others.
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

/// Collects the single tests of a condition. An `and`, `or` or `not` of them comes out both ways if they do.
fn tests<'c>(condition: &'c Condition, spans: &mut Vec<Span>, definitions: &mut Vec<&'c Condition>) {
    match &condition.kind {
        Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(|part| tests(part, spans, definitions)),
        Kind::Not(inner) => tests(inner, spans, definitions),
        // A `let` is what it is.
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
