//! An exception on a text that one match in it meets, which lets the other matches through:
//! `prompt matches /\S+@\S+/ and not prompt matches /@example\.com/`.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::comparison::each_test;
use super::one_exempts_all::{NeededTest, parts};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Derived, Kind, LazyRegex, Rule, Source, Test, Value};
use crate::schema::WRITTEN_TEXTS;

pub(super) const LINT: Lint = Lint { codes: &[Code::ONE_EXEMPTS_ALL], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_block || rule.can_allow {
        return;
    }
    let mut of_texts = false;
    each_test(rule, &mut |seen| of_texts |= is_of_text(seen.test));
    if !of_texts {
        return;
    }
    let mut all = Vec::new();
    rule.when.iter().for_each(|when| parts(when, false, &mut all));
    rule.unless.iter().for_each(|unless| parts(unless, true, &mut all));
    let holds = |part: &NeededTest<'_>| match &part.test.kind {
        Kind::Compare { negated, .. } => part.is_negated == *negated,
        _ => false,
    };
    let texts: Vec<&NeededTest<'_>> = all.iter().filter(|part| is_of_text(part.test)).collect();
    for guard in texts.iter().filter(|part| holds(part)) {
        for exception in texts.iter().filter(|part| !holds(part)) {
            if is_same_place(written, guard.test, exception.test) {
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

/// Whether a test searches a text that may contain several matches.
fn is_of_text(test: &Condition) -> bool {
    let Kind::Compare { source, test, .. } = &test.kind else { return false };
    let is_text = match source {
        Source::Derived(Derived::Content) => true,
        Source::Raw { path, .. } => {
            path.last().is_some_and(|name| name == "prompt" || WRITTEN_TEXTS.contains(&name.as_str()))
        }
        _ => false,
    };
    // The length is a property of the whole text.
    let is_length = |regex: &LazyRegex| {
        let inner = regex.pattern().strip_prefix("(?s).{").and_then(|rest| rest.strip_suffix('}'));
        inner.is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit() || byte == b','))
    };
    is_text
        && match test {
            Test::Matches(regex) => !is_length(regex),
            test => matches!(test, Test::Contains(_)),
        }
}

/// Whether two tests search the same text, and the second matches a part of what the first does.
fn is_same_place(written: &SourceTexts<'_>, guard: &Condition, exception: &Condition) -> bool {
    let (
        Kind::Compare { source: Source::Raw { path: one, .. }, test: Test::Matches(regex), .. },
        Kind::Compare { source: Source::Raw { path: other, .. }, test, .. },
    ) = (&guard.kind, &exception.kind)
    else {
        return match (&guard.kind, &exception.kind) {
            (
                Kind::Compare { source: Source::Derived(Derived::Content), test: Test::Matches(regex), .. },
                Kind::Compare { source: Source::Derived(Derived::Content), test, .. },
            ) => is_part(written, regex, test),
            _ => false,
        };
    };
    one == other && is_part(written, regex, test)
}

fn is_part(written: &SourceTexts<'_>, regex: &LazyRegex, test: &Test) -> bool {
    let sample = match test {
        Test::Matches(exception) => {
            let Some(hir) = written.regex(exception.pattern()) else { return false };
            // A text has only one start.
            if starts(&hir) {
                return false;
            }
            sample(&hir)
        }
        Test::Contains(Value::Literal(crate::ruleset::Literal::Text(text))) => Some(text.clone()),
        _ => None,
    };
    let Some(sample) = sample.filter(|sample| !sample.is_empty()) else { return false };
    if written.regex(regex.pattern()).is_none_or(|hir| starts(&hir)) {
        return false;
    }
    let Ok(regex) = regex.get() else { return false };
    let around = ["", "x", " x"];
    let found = |text: &str| regex.find(text).map(|found| found.range());
    // Every match overlaps the sample: the text around it never matches on its own.
    around.into_iter().any(|before| {
        around.into_iter().any(|behind| {
            let text = format!("{}{sample}{behind}", before.trim());
            let start = before.trim().len();
            let overlaps = found(&text).is_some_and(|place| place.start < start + sample.len() && place.end > start);
            overlaps && found(&format!("{} {behind}", before.trim())).is_none()
        })
    })
}

fn starts(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Look(Look::Start) => true,
        HirKind::Concat(parts) => parts.first().is_some_and(starts),
        HirKind::Capture(capture) => starts(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().all(starts),
        _ => false,
    }
}

/// Returns a text that a regex matches, as short as its structure allows.
fn sample(hir: &Hir) -> Option<String> {
    Some(match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(text) => std::str::from_utf8(&text.0).ok()?.to_owned(),
        HirKind::Class(Class::Unicode(class)) => {
            let of_letters = ['a', 'x', '1', ' ']
                .into_iter()
                .find(|letter| class.iter().any(|range| range.start() <= *letter && *letter <= range.end()));
            of_letters.or_else(|| class.iter().next().map(|range| range.start()))?.to_string()
        }
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Repetition(repetition) => {
            sample(&repetition.sub)?.repeat(usize::try_from(repetition.min.min(64)).ok()?)
        }
        HirKind::Capture(capture) => sample(&capture.sub)?,
        HirKind::Concat(parts) => parts.iter().map(sample).collect::<Option<String>>()?,
        HirKind::Alternation(parts) => sample(parts.first()?)?,
    })
}
