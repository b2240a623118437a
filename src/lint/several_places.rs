//! Finds exceptions on a text that one match in it meets, so that the guard misses the other matches: `prompt matches
//! /\S+@\S+/ and not prompt matches /@example\.com/`.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::comparison::visit_tests;
use super::one_exempts_all::{NeededTest, collect_needed_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, DerivedField, LazyRegex, PolicyValue, Rule, ValueReference, ValueTest};
use crate::schema::WRITTEN_TEXTS;

pub(super) const LINT: Lint = Lint { codes: &[Code::ONE_EXEMPTS_ALL], check };

/// Reports, in a rule that blocks, exceptions on a text that one of several matches in it can meet.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_block || rule.can_allow {
        return;
    }
    let mut has_text_search = false;
    visit_tests(rule, &mut |seen| has_text_search |= is_text_search(seen.test));
    if !has_text_search {
        return;
    }
    let mut needed = Vec::new();
    rule.when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    rule.unless.iter().for_each(|unless| collect_needed_tests(unless, true, &mut needed));
    let is_required = |part: &NeededTest<'_>| match &part.test.kind {
        ConditionExpr::Compare { negated, .. } => part.is_negated == *negated,
        _ => false,
    };
    let texts: Vec<&NeededTest<'_>> = needed.iter().filter(|part| is_text_search(part.test)).collect();
    for guard in texts.iter().filter(|part| is_required(part)) {
        for exception in texts.iter().filter(|part| !is_required(part)) {
            if can_exempt(written, guard.test, exception.test) {
                findings.push(
                    Diagnostic::new(Code::ONE_EXEMPTS_ALL, "one of several places in a text exempts the others")
                        .label(exception.test.span, "decided by any place of the text")
                        .label(guard.test.span, "and so is this, by another one maybe")
                        .help("say in one regex what may not follow, or let a command look at each place: `run \"…\"`"),
                );
            }
        }
    }
}

/// Whether a test searches a text in which there may be several matches.
fn is_text_search(test: &Condition) -> bool {
    let ConditionExpr::Compare { source, test, .. } = &test.kind else { return false };
    let is_text = match source {
        ValueReference::Derived(DerivedField::Content) => true,
        ValueReference::Raw { path, .. } => {
            path.last().is_some_and(|name| name == "prompt" || WRITTEN_TEXTS.contains(&name.as_str()))
        }
        _ => false,
    };
    // A regex such as `.{80,}` tests the length, a property of the whole text.
    let is_length = |regex: &LazyRegex| {
        let inner = regex.pattern().strip_prefix("(?s).{").and_then(|rest| rest.strip_suffix('}'));
        inner.is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit() || byte == b','))
    };
    is_text
        && match test {
            ValueTest::Matches(regex) => !is_length(regex),
            test => matches!(test, ValueTest::Contains(_)),
        }
}

/// Whether two tests search the same text, and the exception matches a part of what the guard matches.
fn can_exempt(written: &SourceTexts<'_>, guard: &Condition, exception: &Condition) -> bool {
    let (
        ConditionExpr::Compare { source: guarded, test: ValueTest::Matches(regex), .. },
        ConditionExpr::Compare { source: exempted, test, .. },
    ) = (&guard.kind, &exception.kind)
    else {
        return false;
    };
    let is_same_text = match (guarded, exempted) {
        (ValueReference::Raw { path: one, .. }, ValueReference::Raw { path: other, .. }) => one == other,
        (ValueReference::Derived(DerivedField::Content), ValueReference::Derived(DerivedField::Content)) => true,
        _ => false,
    };
    is_same_text && is_partial_match(written, regex, test)
}

/// Whether an exception matches a part of what a guard's regex matches, tried on a sample.
fn is_partial_match(written: &SourceTexts<'_>, regex: &LazyRegex, test: &ValueTest) -> bool {
    let sample = match test {
        ValueTest::Matches(exception) => {
            let Some(hir) = written.regex(exception.pattern()) else { return false };
            // A text has only one beginning, so no other match can meet the exception.
            if is_start_anchored(&hir) {
                return false;
            }
            sample_text(&hir)
        }
        ValueTest::Contains(PolicyValue::Literal(crate::ruleset::Literal::Text(text))) => Some(text.clone()),
        _ => None,
    };
    let Some(sample) = sample.filter(|sample| !sample.is_empty()) else { return false };
    if written.regex(regex.pattern()).is_none_or(|hir| is_start_anchored(&hir)) {
        return false;
    }
    let Ok(regex) = regex.compiled() else { return false };
    let surroundings = ["", "x", " x"];
    let match_range = |text: &str| regex.find(text).map(|found| found.range());
    // The guard's match must overlap the sample, and the text without the sample must not match.
    surroundings.into_iter().any(|before| {
        surroundings.into_iter().any(|after| {
            let text = format!("{}{sample}{after}", before.trim());
            let start = before.trim().len();
            let overlaps =
                match_range(&text).is_some_and(|place| place.start < start + sample.len() && place.end > start);
            overlaps && match_range(&format!("{} {after}", before.trim())).is_none()
        })
    })
}

/// Whether a regex can only match at the start of a text.
fn is_start_anchored(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Look(Look::Start) => true,
        HirKind::Concat(parts) => parts.first().is_some_and(is_start_anchored),
        HirKind::Capture(capture) => is_start_anchored(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().all(is_start_anchored),
        _ => false,
    }
}

/// Returns a short text that a regex matches; `None` if none is found.
fn sample_text(hir: &Hir) -> Option<String> {
    Some(match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(text) => std::str::from_utf8(&text.0).ok()?.to_owned(),
        HirKind::Class(Class::Unicode(class)) => {
            let preferred = ['a', 'x', '1', ' ']
                .into_iter()
                .find(|letter| class.iter().any(|range| range.start() <= *letter && *letter <= range.end()));
            preferred.or_else(|| class.iter().next().map(|range| range.start()))?.to_string()
        }
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Repetition(repetition) => {
            sample_text(&repetition.sub)?.repeat(usize::try_from(repetition.min.min(64)).ok()?)
        }
        HirKind::Capture(capture) => sample_text(&capture.sub)?,
        HirKind::Concat(parts) => parts.iter().map(sample_text).collect::<Option<String>>()?,
        HirKind::Alternation(parts) => sample_text(parts.first()?)?,
    })
}
