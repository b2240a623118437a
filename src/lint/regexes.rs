//! Regexes that match nothing, everything, or something else than they appear to.

mod equality;
mod escapes;
mod numbers;
mod reach;
mod slow;

use regex_syntax::hir::{Hir, HirKind};

use super::comparison::{RuleTest, visit_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Rule, ValueTest};
use crate::span::Span;
use reach::ImpossiblePart;

pub(super) const LINT: Lint = Lint {
    codes: &[
        Code::REGEX_NEVER,
        Code::REGEX_EVERYTHING,
        Code::REGEX_UNANCHORED,
        Code::REGEX_LITERAL,
        Code::REGEX_DOT,
        Code::REGEX_LINES,
        Code::REGEX_ON_NUMBERS,
        Code::SLOW_REGEX,
    ],
    check,
};

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test: ValueTest::Matches(regex), .. } = &seen.test.kind else { return };
        let Some(hir) = written.regex(regex.pattern()) else { return };
        if let Some(why) = reach::impossible_part(&hir) {
            findings.push(impossible_regex_finding(written, seen, why));
        } else if reach::is_always_matching(&hir) || is_mark_with_flags(regex.pattern(), &hir) {
            let span = regex_span(written, seen);
            findings.push(
                Diagnostic::new(Code::REGEX_EVERYTHING, "a regex that matches every text")
                    .label(span, "matches where nothing is, and so everywhere")
                    .help(
                        "remove the empty alternative, or the `*` or `?` behind all of it; `exists` asks for a value",
                    ),
            );
        } else {
            // A regex with a wrong meaning is reported before one that could be simplified.
            let other = equality::unanchored_regex_finding(written, seen, source, &hir, seen.match_effect(rule))
                .or_else(|| escapes::unescaped_dot_finding(written, seen, regex.pattern()))
                .or_else(|| escapes::line_anchor_finding(written, seen, source, &hir, seen.match_effect(rule)))
                .or_else(|| equality::plain_text_finding(written, seen, source, &hir))
                .or_else(|| numbers::unmatched_number_finding(written, rule, seen, regex))
                .or_else(|| slow::slow_regex_finding(written, seen, regex));
            findings.extend(other);
        }
    });
}

/// Whether a regex is only an anchor with flags, which affect letters: something has been left out. The anchor alone
/// tests for a value.
fn is_mark_with_flags(pattern: &str, hir: &Hir) -> bool {
    matches!(hir.kind(), HirKind::Look(_)) && pattern.starts_with("(?")
}

/// Returns the span of a regex literal in the test, or else that of the test.
fn regex_span(written: &SourceTexts<'_>, seen: RuleTest<'_>) -> Span {
    let comparison = written.comparison(seen.test);
    comparison.filter(|it| it.regex.is_some()).map_or(seen.test.span, |it| it.value)
}

fn impossible_regex_finding(written: &SourceTexts<'_>, seen: RuleTest<'_>, why: ImpossiblePart) -> Diagnostic {
    let (label, help) = match why {
        ImpossiblePart::End => {
            ("`$` is the end of the text here, and something follows it", "write `\\$` for the character")
        }
        ImpossiblePart::Start => {
            ("`^` is the start of the text here, and something stands before it", "write `\\^` for the character")
        }
        ImpossiblePart::Class => ("a class in it has no character", "name the characters that the class stands for"),
    };
    Diagnostic::new(Code::REGEX_NEVER, "a regex that matches no text")
        .label(regex_span(written, seen), label)
        .help(help)
}
