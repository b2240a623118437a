//! The findings of all lints, and which of them are reported: those that are neither accepted, nor switched off, nor
//! superseded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diagnostic::{Acceptance, Diagnostic};
use crate::ruleset::Rule;

/// A finding about a policy, and the rule that it is about.
pub struct LintFinding<'r> {
    /// The rule that the finding is about, if there is one. The finding may point at a `def` that other rules use too.
    pub rule: Option<&'r Rule>,
    /// The finding itself.
    pub diagnostic: Diagnostic,
}

/// A list that a lint can add findings to but not read, so that no lint depends on what another finds.
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
    /// Returns a finding that is about a rule.
    pub(super) const fn for_rule(rule: &'r Rule, diagnostic: Diagnostic) -> Self {
        Self { rule: Some(rule), diagnostic }
    }

    /// Returns a finding that is not about a rule.
    pub(super) const fn without_rule(diagnostic: Diagnostic) -> Self {
        Self { rule: None, diagnostic }
    }

    /// Whether an `@allow` accepts the finding. It can be at the finding itself, or above the rule that the finding is
    /// about.
    #[must_use]
    pub(super) fn is_accepted_by(&self, acceptance: &Acceptance) -> bool {
        let is_above =
            |rule: &Rule| acceptance.name == self.diagnostic.code.name && acceptance.over.contains(rule.span);
        acceptance.is_accepting(&self.diagnostic) || self.rule.is_some_and(is_above)
    }

    /// Whether any of these `@allow`s accepts the finding.
    fn is_accepted(&self, accepted: &[Acceptance]) -> bool {
        accepted.iter().any(|acceptance| self.is_accepted_by(acceptance))
    }
}

/// Returns the findings that no `@allow` accepts. Equal findings about several rules at the same position become one.
#[must_use]
pub fn unaccepted_diagnostics(findings: Vec<LintFinding<'_>>, accepted: &[Acceptance]) -> Vec<Diagnostic> {
    distinct_diagnostics(findings.into_iter().filter(|finding| !finding.is_accepted(accepted)))
}

/// Returns the findings to report: those that no `@allow` accepts, that have a level, and that no other finding
/// supersedes.
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

/// Returns the findings that are not superseded by another finding about the same rule.
fn without_superseded(findings: Vec<LintFinding<'_>>) -> Vec<LintFinding<'_>> {
    // Rules are distinguished by their addresses, because two rules can be equal.
    let mut superseding: BTreeMap<*const Rule, Vec<&Diagnostic>> = BTreeMap::new();
    for LintFinding { rule, diagnostic } in &findings {
        if let Some(rule) = rule.filter(|_| !diagnostic.code.supersedes.is_empty()) {
            superseding.entry(rule).or_default().push(diagnostic);
        }
    }
    let superseding_in_rule = |rule: Option<&Rule>| rule.and_then(|rule| superseding.get(&std::ptr::from_ref(rule)));
    let is_kept: Vec<bool> = findings
        .iter()
        .map(|it| superseding_in_rule(it.rule).is_none_or(|others| !is_superseded(&it.diagnostic, others)))
        .collect();
    findings.into_iter().zip(is_kept).filter_map(|(finding, is_kept)| is_kept.then_some(finding)).collect()
}

/// Whether one of the other findings about a rule supersedes a finding, and is not superseded itself. The recursion
/// ends because no code supersedes itself, directly or indirectly.
fn is_superseded(finding: &Diagnostic, others: &[&Diagnostic]) -> bool {
    others.iter().any(|other| other.is_superseding(finding) && !is_superseded(other, others))
}

/// Returns the diagnostics of findings. Equal ones about several rules at the same position become one.
fn distinct_diagnostics<'r>(findings: impl IntoIterator<Item = LintFinding<'r>>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut distinct = Vec::new();
    for LintFinding { rule, diagnostic } in findings {
        let mut is_new = || seen.insert((diagnostic.code.id, diagnostic.span(), diagnostic.message.clone()));
        if rule.is_none() || is_new() {
            distinct.push(diagnostic);
        }
    }
    distinct
}

/// Collects the findings of a check about each rule, in the order of the rules.
pub(super) fn each_rule<'r>(
    rules: &'r [Arc<Rule>],
    mut check: impl FnMut(&'r Rule, &mut FindingSink),
) -> Vec<LintFinding<'r>> {
    let mut collected = Vec::new();
    // Rules that are generated from marks have no author to report to.
    for rule in rules.iter().filter(|rule| !rule.is_generated()) {
        let mut findings = FindingSink::new();
        check(rule, &mut findings);
        collected.extend(findings.into_vec().into_iter().map(|diagnostic| LintFinding::for_rule(rule, diagnostic)));
    }
    collected
}
