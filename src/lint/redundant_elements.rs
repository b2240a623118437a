//! Finds elements of a list that change nothing, because another element covers them.

use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, PolicyValue, Rule, TouchTest, ValueTest};
use crate::span::Span;
use hookrules_shell::path::glob_matches;

pub(super) const LINT: Lint = Lint { codes: &[Code::REDUNDANT_ALTERNATIVE], check };

/// The maximum number of elements of a list: longer lists are not checked.
const MAX_ELEMENTS: usize = 200;

/// The kind of elements in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementKind {
    Values,
    TextGlobs,
    PathGlobs,
}

/// Reports the first redundant element of each list.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let (texts, kind): (Vec<&str>, ElementKind) = match &seen.test.kind {
            ConditionExpr::Compare { test: ValueTest::In(values), .. } => {
                (values.iter().filter_map(PolicyValue::as_text).collect(), ElementKind::Values)
            }
            ConditionExpr::Compare { test: ValueTest::LikeText(globs), .. } => {
                (globs.patterns().collect(), ElementKind::TextGlobs)
            }
            ConditionExpr::Compare { test: ValueTest::LikePath(globs), .. }
            | ConditionExpr::Touches { test: TouchTest::Like(globs), .. } => {
                (globs.patterns().collect(), ElementKind::PathGlobs)
            }
            _ => return,
        };
        // In a list with exclusions the order matters, so such a list is not checked.
        if texts.len() < 2
            || texts.len() > MAX_ELEMENTS
            || (kind != ElementKind::Values && texts.iter().any(|it| it.starts_with('!')))
        {
            return;
        }
        findings.extend(first_redundant_element(written, seen.test, &texts, kind));
    });
}

/// Returns the finding about the first element that another element covers; `None` if there is none.
fn first_redundant_element(
    written: &SourceTexts<'_>,
    test: &Condition,
    texts: &[&str],
    kind: ElementKind,
) -> Option<Diagnostic> {
    let mut pairs = texts.iter().enumerate().filter_map(|(index, text)| {
        let others = texts.iter().enumerate().filter(|(other, _)| *other != index);
        // Of two equivalent elements, the later one is redundant.
        let is_covered_by = |(other, by): &(usize, &&str)| match by == &text {
            true => *other < index,
            false => covers(by, text, kind) && (*other < index || !covers(text, by, kind)),
        };
        others.into_iter().find(is_covered_by).map(|(_, by)| (index, *text, *by))
    });
    let (index, text, by) = pairs.next()?;
    let elements = written.comparison(test).and_then(|it| it.texts).filter(|all| all.len() == texts.len());
    let literal_span = elements.as_ref().and_then(|all| all.get(index)).map(|element| element.span);
    let message = match text == by {
        true => shortened("`", text, "` stands twice in the list"),
        false => shortened("`", text, "` is covered by another element of the list"),
    };
    let finding = Diagnostic::new(Code::REDUNDANT_ALTERNATIVE, message)
        .label(literal_span.unwrap_or(test.span), shortened("`", by, "` covers it"))
        .help("remove it");
    let Some((literal_span, elements)) = literal_span.zip(elements) else { return Some(finding) };
    // Removes from the end of the previous element, or to the beginning of the next one, so that one comma goes too.
    let previous = index.checked_sub(1).and_then(|previous| elements.get(previous)).map(|element| element.span);
    let next = elements.get(index + 1).map(|element| element.span);
    let removed = match (previous, next) {
        (Some(previous), _) => Span { start: previous.end, ..literal_span },
        (None, Some(next)) => Span { end: next.start, ..literal_span },
        (None, None) => return Some(finding),
    };
    // No fix if a comment would be removed.
    let is_plain =
        written.text(removed).replace(written.text(literal_span), "").chars().all(|c| c == ',' || c.is_whitespace());
    Some(if is_plain { finding.fix(removed, "") } else { finding })
}

/// Whether the element `by` certainly matches everything that `text` matches.
fn covers(by: &str, text: &str, kind: ElementKind) -> bool {
    let is_plain = |glob: &str| !glob.contains(['[', ']', '{', '}', '\\', '?', '!']);
    if kind == ElementKind::Values {
        return by == text;
    }
    if !is_plain(by) || !is_plain(text) {
        return by == text;
    }
    match kind {
        ElementKind::TextGlobs => !text.contains('*') && glob_matches(by, text),
        ElementKind::PathGlobs => {
            let (by, text) = (any_depth_name(by), any_depth_name(text));
            match (by, text) {
                (Some(by), Some(text)) => by == text || (!text.contains('*') && glob_matches(by, text)),
                _ => false,
            }
        }
        ElementKind::Values => false,
    }
}

/// Returns the last name of a glob that matches in any directory: `*.rs` for `**/*.rs`; `None` for any other glob.
fn any_depth_name(glob: &str) -> Option<&str> {
    let name = glob.strip_prefix("**/").unwrap_or(glob);
    (!name.contains('/') && !name.contains("**")).then_some(name)
}
