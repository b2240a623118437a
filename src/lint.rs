//! Findings about rules that load but are probably a mistake.
//!
//! A file for each lint, with its code beside its check. The hook does not come here; `rules check` does.

mod allow_on_part;
mod command_text;
mod dialog_only;
mod no_command;
mod on_host;
mod selectors;
mod sources;
mod text_too_long;
mod two_readers;
mod unfilled;

use std::sync::Arc;

use crate::diagnostic::{Acceptance, Code, Diagnostic};
use crate::host::Host;
use crate::ruleset::{Condition, Kind, Rule};

pub use on_host::on_host;

/// One check and the codes of what it finds.
struct Lint {
    codes: &'static [&'static Code],
    check: fn(&Rule, &mut Vec<Diagnostic>),
}

const LINTS: &[Lint] = &[
    selectors::LINT,
    command_text::LINT,
    allow_on_part::LINT,
    dialog_only::LINT,
    no_command::LINT,
    text_too_long::LINT,
];

/// Returns what is found about a policy and its rules on a host, without what is accepted.
#[must_use]
pub fn all<'d>(
    written: impl Iterator<Item = &'d Diagnostic>,
    rules: &[Arc<Rule>],
    host: Host,
    accepted: &[Acceptance],
) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = written.filter(|finding| !accepts(accepted, finding)).cloned().collect();
    findings.extend(lint(rules, accepted));
    findings.extend(on_host(rules, host, accepted));
    findings
}

/// Returns what is found about rules, without what is accepted.
#[must_use]
pub fn lint(rules: &[Arc<Rule>], accepted: &[Acceptance]) -> Vec<Diagnostic> {
    let check = |rule: &Rule, found: &mut Vec<Diagnostic>| {
        for lint in LINTS {
            let before = found.len();
            (lint.check)(rule, found);
            debug_assert!(found.iter().skip(before).all(|finding: &Diagnostic| lint.codes.contains(&finding.code)));
        }
    };
    each_rule(rules, accepted, check)
}

/// Tells whether a finding is meant so.
#[must_use]
pub fn accepts(accepted: &[Acceptance], finding: &Diagnostic) -> bool {
    accepted.iter().any(|acceptance| acceptance.covers(finding))
}

/// Collects what a check finds about each rule, without what is accepted where it stands or above the rule: what is
/// found about a rule may stand in a `def`, which another rule shares. What several find there is told once.
fn each_rule(
    rules: &[Arc<Rule>],
    accepted: &[Acceptance],
    mut check: impl FnMut(&Rule, &mut Vec<Diagnostic>),
) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for rule in rules {
        let mut found = Vec::new();
        check(rule, &mut found);
        let of_rule: Vec<&str> =
            accepted.iter().filter(|it| it.over.contains(rule.span)).map(|it| it.name.as_str()).collect();
        found.retain(|finding| {
            !of_rule.contains(&finding.code.name) && !accepts(accepted, finding) && !all.contains(finding)
        });
        all.extend(found);
    }
    all
}

/// Calls `see` with every test of a condition, and whether it stands under an odd number of `not`.
fn each<'c>(condition: &'c Condition, negated: bool, see: &mut dyn FnMut(&'c Condition, bool)) {
    match &condition.kind {
        Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(|part| each(part, negated, see)),
        Kind::Not(inner) => each(inner, !negated, see),
        Kind::Def(inner) => each(inner, negated, see),
        _ => see(condition, negated),
    }
}
