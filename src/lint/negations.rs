//! Finds double negations, which are easy to misread.

use super::FindingSink;
use super::visit_source::visit_conditions;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::span::{Sources, Span};
use crate::syntax::ast::{AstComparison, AstCondition, ConditionKind, Operator};

/// Reports each `not` before a condition that is itself a negation, in the files of a layer except packs.
pub(super) fn check(files: &[LoadedFile], sources: &Sources, findings: &mut FindingSink) {
    for file in files.iter().filter(|file| file.pack.is_none()) {
        for item in &file.ast.items {
            visit_conditions(&item.kind, &mut |condition| findings.extend(double_negation(condition, sources)));
        }
    }
}

/// Returns the finding about a `not` before a negation, with the condition without both; `None` for any other
/// condition.
fn double_negation(condition: &AstCondition, sources: &Sources) -> Option<Diagnostic> {
    let ConditionKind::Not(inner) = &condition.kind else { return None };
    let slice = |span: Span| sources.file(span).map(|file| file.slice(span));
    let (inner_negation, without_both) = match &inner.kind {
        ConditionKind::Not(positive) => {
            let text = slice(positive.span)?;
            let is_single = !matches!(positive.kind, ConditionKind::And(_) | ConditionKind::Or(_));
            (
                Span { end: inner.span.start + 3, ..inner.span },
                if is_single { text.to_owned() } else { format!("({text})") },
            )
        }
        ConditionKind::Compare(compare) if is_negated(compare) => {
            let operator = compare.operator_span;
            let positive = if compare.operator == Operator::NotEqual { "==" } else { compare.operator.as_str() };
            let before = slice(Span { end: operator.start, ..inner.span })?;
            let after = slice(Span { start: operator.end, ..inner.span })?;
            (operator, format!("{before}{positive}{after}"))
        }
        _ => return None,
    };
    let outer_negation = Span { end: condition.span.start + 3, ..condition.span };
    Some(
        Diagnostic::new(Code::DOUBLE_NEGATIVE, "a negation of a negation")
            .label(outer_negation, "negates")
            .label(inner_negation, "what is a negation already")
            .help("write the test without both")
            .fix(condition.span, without_both),
    )
}

/// Whether a comparison is negated and is the exact opposite of itself without the negation. With `all`, it is not.
fn is_negated(compare: &AstComparison) -> bool {
    !compare.all && (compare.negated || compare.operator == Operator::NotEqual) && compare.operator != Operator::Outside
}
