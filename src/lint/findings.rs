//! The findings of all lints, and those of them that are reported: neither accepted, nor off, nor superseded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diagnostic::{Acceptance, Diagnostic};
use crate::ruleset::Rule;

/// A finding about a policy.
pub struct LintFinding<'r> {
    /// The rule that it is about, if any. A finding about a rule may be in a `def` that another rule shares.
    pub rule: Option<&'r Rule>,
    /// The diagnostic.
    pub diagnostic: Diagnostic,
}

/// A list that a lint adds its findings to and cannot read: what one lint finds never depends on another.
pub(super) struct FindingSink<T = Diagnostic>(Vec<T>);

impl<T> FindingSink<T> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn push(&mut self, finding: T) {
        self.0.push(finding);
    }

    pub(super) fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> Extend<T> for FindingSink<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, findings: I) {
        self.0.extend(findings);
    }
}

impl<'r> LintFinding<'r> {
    /// Makes a finding about a rule.
    pub(super) const fn for_rule(rule: &'r Rule, diagnostic: Diagnostic) -> Self {
        Self { rule: Some(rule), diagnostic }
    }

    /// Makes a finding about no rule.
    pub(super) const fn without_rule(diagnostic: Diagnostic) -> Self {
        Self { rule: None, diagnostic }
    }

    /// Whether it is accepted at its own location or above its rule.
    #[must_use]
    pub(super) fn is_accepted_by(&self, acceptance: &Acceptance) -> bool {
        let is_above =
            |rule: &Rule| acceptance.name == self.diagnostic.code.name && acceptance.over.contains(rule.span);
        acceptance.is_accepting(&self.diagnostic) || self.rule.is_some_and(is_above)
    }

    fn is_accepted(&self, accepted: &[Acceptance]) -> bool {
        accepted.iter().any(|acceptance| self.is_accepted_by(acceptance))
    }
}

/// Returns the findings that are not accepted. Equal findings about several rules at the same place are returned once.
#[must_use]
pub fn unaccepted_diagnostics(findings: Vec<LintFinding<'_>>, accepted: &[Acceptance]) -> Vec<Diagnostic> {
    distinct_diagnostics(findings.into_iter().filter(|finding| !finding.is_accepted(accepted)))
}

/// Returns the findings to report: those that are not accepted, have a level, and are not superseded by another one.
pub(super) fn reportable_diagnostics(
    findings: Vec<LintFinding<'_>>,
    accepted: &[Acceptance],
    weigh: impl Fn(Diagnostic) -> Option<Diagnostic>,
) -> Vec<Diagnostic> {
    let unaccepted = findings.into_iter().filter(|finding| !finding.is_accepted(accepted));
    let weighed = unaccepted
        .filter_map(|LintFinding { rule, diagnostic }| Some(LintFinding { rule, diagnostic: weigh(diagnostic)? }));
    distinct_diagnostics(without_superseded(weighed.collect()))
}

/// Drops the findings about a rule that another finding about it supersedes, which must not be superseded itself.
fn without_superseded(findings: Vec<LintFinding<'_>>) -> Vec<LintFinding<'_>> {
    let mut superseding: BTreeMap<*const Rule, Vec<&Diagnostic>> = BTreeMap::new();
    for LintFinding { rule, diagnostic } in &findings {
        if let Some(rule) = rule.filter(|_| !diagnostic.code.supersedes.is_empty()) {
            superseding.entry(rule).or_default().push(diagnostic);
        }
    }
    let of_rule = |rule: Option<&Rule>| rule.and_then(|rule| superseding.get(&std::ptr::from_ref(rule)));
    let is_kept: Vec<bool> = findings
        .iter()
        .map(|it| of_rule(it.rule).is_none_or(|others| !is_superseded(&it.diagnostic, others)))
        .collect();
    findings.into_iter().zip(is_kept).filter_map(|(finding, is_kept)| is_kept.then_some(finding)).collect()
}

/// Whether one of the other findings about a rule supersedes a finding. Superseding has no cycles, so this ends.
fn is_superseded(finding: &Diagnostic, others: &[&Diagnostic]) -> bool {
    others.iter().any(|other| other.is_superseding(finding) && !is_superseded(other, others))
}

/// Returns diagnostics, and equal ones about several rules at the same place once.
fn distinct_diagnostics<'r>(findings: impl IntoIterator<Item = LintFinding<'r>>) -> Vec<Diagnostic> {
    let mut known = BTreeSet::new();
    let mut left = Vec::new();
    for LintFinding { rule, diagnostic } in findings {
        let mut is_new = || known.insert((diagnostic.code.id, diagnostic.span(), diagnostic.message.clone()));
        if rule.is_none() || is_new() {
            left.push(diagnostic);
        }
    }
    left
}

/// Collects the findings of a check about each rule.
pub(super) fn each_rule<'r>(
    rules: &'r [Arc<Rule>],
    mut check: impl FnMut(&'r Rule, &mut FindingSink),
) -> Vec<LintFinding<'r>> {
    let mut all = Vec::new();
    for rule in rules {
        let mut findings = FindingSink::new();
        check(rule, &mut findings);
        all.extend(findings.into_vec().into_iter().map(|diagnostic| LintFinding::for_rule(rule, diagnostic)));
    }
    all
}
