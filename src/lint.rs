//! What loads and is probably not meant: findings about rules that are compiled already.
//!
//! A file for each lint, with its code beside its check. The hook does not come here; `rules check` does.

mod allow_on_part;
mod command_text;
mod dialog_only;
mod on_host;
mod selectors;

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Kind, Rule};

pub use on_host::on_host;

/// One check and the codes of what it finds.
struct Lint {
    codes: &'static [&'static Code],
    check: fn(&Rule, &mut Vec<Diagnostic>),
}

const LINTS: &[Lint] = &[selectors::LINT, command_text::LINT, allow_on_part::LINT, dialog_only::LINT];

/// Returns what is found about rules, without what an `@allow` of theirs accepts.
#[must_use]
pub fn lint(rules: &[Arc<Rule>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for rule in rules {
        for lint in LINTS {
            let before = found.len();
            (lint.check)(rule, &mut found);
            debug_assert!(found.iter().skip(before).all(|finding: &Diagnostic| lint.codes.contains(&finding.code)));
        }
    }
    found.retain(|finding| !accepts(rules, finding));
    found
}

/// Tells whether the rule that a finding is about has an `@allow` for it. Errors cannot be accepted.
#[must_use]
pub fn accepts(rules: &[Arc<Rule>], finding: &Diagnostic) -> bool {
    let Some(span) = finding.span().filter(|_| !finding.is_error()) else { return false };
    let about = |rule: &Rule| {
        let whole = rule.span;
        whole.file == span.file && whole.start <= span.start && span.end <= whole.end
    };
    rules.iter().any(|rule| about(rule) && rule.traits.accepted.iter().any(|name| name == finding.code.name))
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
