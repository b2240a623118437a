//! Finds regexes that match nothing, match everything, or match something other than they seem to.

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

/// Reports at most one problem for each regex in the conditions of a rule.
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
            // A wrong meaning is more important than a form that could be simpler.
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

/// Whether a regex is a single anchor with flags. Flags affect only letters, so something is missing. An anchor without
/// flags is used on purpose, to test whether there is a value.
fn is_mark_with_flags(pattern: &str, hir: &Hir) -> bool {
    matches!(hir.kind(), HirKind::Look(_)) && pattern.starts_with("(?")
}

/// Returns the span of the regex literal in a test, or the span of the whole test if the regex is from a `let`.
fn regex_span(written: &SourceTexts<'_>, seen: RuleTest<'_>) -> Span {
    let comparison = written.comparison(seen.test);
    comparison.filter(|it| it.regex.is_some()).map_or(seen.test.span, |it| it.value)
}

/// Returns the finding about a regex that matches no text, because of one of its parts.
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
