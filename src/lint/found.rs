//! The findings about a policy, before accepted ones are removed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Acceptance, Code, Diagnostic};
use crate::ruleset::Rule;
use crate::span::Span;

/// A finding.
pub struct Found<'r> {
    /// The rule that it is about, if any. A finding about a rule may be in a `def` that another rule shares.
    pub rule: Option<&'r Rule>,
    /// The diagnostic.
    pub finding: Diagnostic,
}

impl Found<'_> {
    /// Whether it is accepted at its own location or above its rule.
    #[must_use]
    pub(super) fn is_accepted_by(&self, acceptance: &Acceptance) -> bool {
        let is_above = |rule: &Rule| acceptance.name == self.finding.code.name && acceptance.over.contains(rule.span);
        acceptance.covers(&self.finding) || self.rule.is_some_and(is_above)
    }
}

/// Returns the findings that are not accepted. Equal findings about several rules at the same place are returned once.
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

/// Drops the findings about one value that exempts the others, if the same test has another mistake whose help covers
/// both: fixing them one after the other would lead in different directions.
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

/// Collects the findings of a check about each rule.
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
