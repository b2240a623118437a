//! Regexes that match no text, or every text.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// The reason why a regex matches no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ImpossiblePart {
    /// Something precedes the start of the text.
    Start,
    /// Something follows the end of the text.
    End,
    /// An empty character class.
    Class,
}

/// Returns why a regex matches no text; `None` if it may match one.
pub(super) fn never(hir: &Hir) -> Option<ImpossiblePart> {
    fails(hir, 0, 0)
}

/// Returns why a part of a regex matches nothing, given the minimum number of bytes before and after it.
fn fails(hir: &Hir, before: usize, behind: usize) -> Option<ImpossiblePart> {
    match hir.kind() {
        HirKind::Look(Look::Start) => (before > 0).then_some(ImpossiblePart::Start),
        HirKind::Look(Look::End) => (behind > 0).then_some(ImpossiblePart::End),
        HirKind::Class(Class::Unicode(class)) => class.ranges().is_empty().then_some(ImpossiblePart::Class),
        HirKind::Class(Class::Bytes(class)) => class.ranges().is_empty().then_some(ImpossiblePart::Class),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) => None,
        HirKind::Repetition(repetition) if repetition.min == 0 => None,
        HirKind::Repetition(repetition) => fails(&repetition.sub, before, behind),
        HirKind::Capture(capture) => fails(&capture.sub, before, behind),
        HirKind::Alternation(parts) => {
            let each: Option<Vec<ImpossiblePart>> = parts.iter().map(|part| fails(part, before, behind)).collect();
            each?.first().copied()
        }
        HirKind::Concat(parts) => {
            let lengths: Vec<usize> = parts.iter().map(least).collect();
            let all = lengths.iter().fold(0_usize, |all, length| all.saturating_add(*length));
            let mut passed = 0_usize;
            parts.iter().zip(lengths).find_map(|(part, length)| {
                let rest = all.saturating_sub(passed).saturating_sub(length);
                let failed = fails(part, before.saturating_add(passed), behind.saturating_add(rest));
                passed = passed.saturating_add(length);
                failed
            })
        }
    }
}

fn least(hir: &Hir) -> usize {
    hir.properties().minimum_len().unwrap_or(0)
}

/// Whether a regex matches every text. A single anchor is excluded, because it tests for a value.
pub(super) fn always(hir: &Hir) -> bool {
    !matches!(hir.kind(), HirKind::Look(_)) && takes_nothing(hir)
}

/// Whether a regex matches at the start of every text, at least the empty text.
fn takes_nothing(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Look(look) => matches!(look, Look::Start | Look::StartLF | Look::StartCRLF),
        HirKind::Literal(_) | HirKind::Class(_) => false,
        HirKind::Repetition(repetition) => repetition.min == 0 || takes_nothing(&repetition.sub),
        HirKind::Capture(capture) => takes_nothing(&capture.sub),
        HirKind::Concat(parts) => parts.iter().all(takes_nothing),
        HirKind::Alternation(parts) => parts.iter().any(takes_nothing),
    }
}
