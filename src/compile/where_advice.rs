//! Reports a test of files after a `where`, which applies to the whole call, unlike the test in the `where`.

use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::ast::{AstCondition, ConditionKind, TouchesCondition};

/// Reports `runs P where reads X and deletes Y`: the `where` ends before the `and`. With parentheses around either
/// test, the condition is accepted as intended.
pub(super) fn report_short_where(parts: &[AstCondition], diagnostics: &mut Vec<Diagnostic>) {
    // A definition is compiled once for each head that uses it.
    let finding = short_where_finding(parts).filter(|finding| !diagnostics.contains(finding));
    diagnostics.extend(finding);
}

/// Returns the span of the only test in a `where`; `None` for a `where` with several tests, and for any other
/// condition.
pub(super) fn single_where_test(condition: &AstCondition) -> Option<Span> {
    let ConditionKind::Runs(runs) = &condition.kind else { return None };
    let filter = runs.filter.as_ref()?;
    let is_chain = matches!(filter.kind, ConditionKind::And(_) | ConditionKind::Or(_) | ConditionKind::Mixed(..));
    (!is_chain).then_some(filter.span)
}

/// Returns the finding about the first `runs P where reads X` that is followed by a test of files, without parentheses
/// around either.
fn short_where_finding(parts: &[AstCondition]) -> Option<Diagnostic> {
    parts.windows(2).find_map(|two| {
        let [first, second] = two else { return None };
        let ConditionKind::Runs(runs) = &first.kind else { return None };
        let filter = runs.filter.as_ref()?;
        (bare_files_test(filter).is_some() && bare_files_test(second).is_some()).then(|| {
            Diagnostic::new(Code::BESIDE_WHERE, "a test of the whole call after a `where`")
                .label(filter.span, "tests the command that matches")
                .label(second.span, "tests every command of the call")
                .help("write `where (… and …)`, or put the test of the whole call first")
        })
    })
}

/// Returns the test of files that a condition consists of, perhaps after `not`. `None` for any other condition, and for
/// one in parentheses.
fn bare_files_test(condition: &AstCondition) -> Option<&TouchesCondition> {
    match &condition.kind {
        ConditionKind::Not(inner) if inner.span.end == condition.span.end => bare_files_test(inner),
        ConditionKind::Touches(touches) => Some(touches).filter(|touches| touches.value.span.end == condition.span.end),
        _ => None,
    }
}
