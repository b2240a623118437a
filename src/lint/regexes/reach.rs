//! Decides whether a regex can match any text at all, and whether it matches every text.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// The reason why a regex matches no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ImpossiblePart {
    /// A `^` after something that matches at least one character.
    Start,
    /// A `$` before something that matches at least one character.
    End,
    /// A class without any character: `[^\s\S]`.
    Class,
}

/// Returns the reason why a regex matches no text; `None` if it may match one.
pub(super) fn impossible_part(hir: &Hir) -> Option<ImpossiblePart> {
    failing_part(hir, 0, 0)
}

/// Returns the reason why a part of a regex never matches, given the minimum numbers of bytes that the regex matches
/// before and after it.
fn failing_part(hir: &Hir, before: usize, after: usize) -> Option<ImpossiblePart> {
    match hir.kind() {
        HirKind::Look(Look::Start) => (before > 0).then_some(ImpossiblePart::Start),
        HirKind::Look(Look::End) => (after > 0).then_some(ImpossiblePart::End),
        HirKind::Class(Class::Unicode(class)) => class.ranges().is_empty().then_some(ImpossiblePart::Class),
        HirKind::Class(Class::Bytes(class)) => class.ranges().is_empty().then_some(ImpossiblePart::Class),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) => None,
        HirKind::Repetition(repetition) if repetition.min == 0 => None,
        HirKind::Repetition(repetition) => failing_part(&repetition.sub, before, after),
        HirKind::Capture(capture) => failing_part(&capture.sub, before, after),
        HirKind::Alternation(parts) => {
            let each: Option<Vec<ImpossiblePart>> =
                parts.iter().map(|part| failing_part(part, before, after)).collect();
            each?.first().copied()
        }
        HirKind::Concat(parts) => {
            let lengths: Vec<usize> = parts.iter().map(minimum_length).collect();
            let total = lengths.iter().fold(0_usize, |total, length| total.saturating_add(*length));
            let mut passed = 0_usize;
            parts.iter().zip(lengths).find_map(|(part, length)| {
                let rest = total.saturating_sub(passed).saturating_sub(length);
                let failed = failing_part(part, before.saturating_add(passed), after.saturating_add(rest));
                passed = passed.saturating_add(length);
                failed
            })
        }
    }
}

fn minimum_length(hir: &Hir) -> usize {
    hir.properties().minimum_len().unwrap_or(0)
}

/// Whether a regex matches every text. A single anchor does not count: it is used to test whether there is a value.
pub(super) fn is_always_matching(hir: &Hir) -> bool {
    !matches!(hir.kind(), HirKind::Look(_)) && can_match_empty(hir)
}

/// Whether a part of a regex matches the empty text at the start of any text.
fn can_match_empty(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Look(look) => matches!(look, Look::Start | Look::StartLF | Look::StartCRLF),
        HirKind::Literal(_) | HirKind::Class(_) => false,
        HirKind::Repetition(repetition) => repetition.min == 0 || can_match_empty(&repetition.sub),
        HirKind::Capture(capture) => can_match_empty(&capture.sub),
        HirKind::Concat(parts) => parts.iter().all(can_match_empty),
        HirKind::Alternation(parts) => parts.iter().any(can_match_empty),
    }
}
