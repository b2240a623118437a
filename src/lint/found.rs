//! What is found about a policy, before it is known what of it is meant so.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Acceptance, Code, Diagnostic};
use crate::ruleset::Rule;
use crate::span::Span;

/// A finding.
pub struct Found<'r> {
    /// The rule that it is about, if it is about one. What is found about a rule may stand in a `def`, which another
    /// rule shares.
    pub rule: Option<&'r Rule>,
    /// What is found.
    pub finding: Diagnostic,
}

impl Found<'_> {
    /// Tells whether it is accepted where it stands or above its rule.
    #[must_use]
    pub(super) fn is_accepted_by(&self, acceptance: &Acceptance) -> bool {
        let is_above = |rule: &Rule| acceptance.name == self.finding.code.name && acceptance.over.contains(rule.span);
        acceptance.covers(&self.finding) || self.rule.is_some_and(is_above)
    }
}

/// Returns the findings that are not accepted. What is found about several rules at one place is told once.
#[must_use]
pub fn unaccepted(found: Vec<Found<'_>>, accepted: &[Acceptance]) -> Vec<Diagnostic> {
    let mut told = BTreeSet::new();
    let mut left = Vec::new();
    for found in found {
        let is_accepted = accepted.iter().any(|acceptance| found.is_accepted_by(acceptance));
        let Found { rule, finding } = found;
        let mut is_new = || told.insert((finding.code.id, finding.span(), finding.message.clone()));
        if !is_accepted && (rule.is_none() || is_new()) {
            left.push(finding);
        }
    }
    left
}

/// Leaves out that one value of several exempts the others where the same test has a mistake whose help says that too:
/// done one after the other, the two would lead away from each other.
pub(super) fn without_what_follows(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let causes: Vec<Span> = found
        .iter()
        .filter(|finding| [Code::ABSENT_UNDER_NEGATION, Code::GLOB_AS_TEXT].contains(&finding.code))
        .filter_map(Diagnostic::span)
        .collect();
    let follows = |finding: &Diagnostic| {
        let span = finding.span().filter(|_| finding.code == Code::ONE_EXEMPTS_ALL);
        span.is_some_and(|span| causes.iter().any(|cause| span.contains(*cause)))
    };
    found.into_iter().filter(|finding| !follows(finding)).collect()
}

/// Collects what a check finds about each rule.
pub(super) fn each_rule<'r>(
    rules: &'r [Arc<Rule>],
    mut check: impl FnMut(&'r Rule, &mut Vec<Diagnostic>),
) -> Vec<Found<'r>> {
    let mut all = Vec::new();
    let mut found = Vec::new();
    for rule in rules {
        check(rule, &mut found);
        all.extend(found.drain(..).map(|finding| Found { rule: Some(rule), finding }));
    }
    all
}
