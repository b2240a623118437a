//! Finds entries of a list of globs that exclude nothing, because of their position or because of the other entries.

use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use super::globs::PathGlob;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, Rule, TouchTest, ValueTest};
use crate::syntax::format_one_or_list;
use hookrules_shell::path::glob_matches;

pub(super) const LINT: Lint = Lint { codes: &[Code::DEAD_EXCLUSION], check };

/// The maximum number of entries of a list: longer lists are not checked.
const MAX_ENTRIES: usize = 100;

/// The kind of the globs in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GlobKind {
    Text,
    Path,
}

/// The reason why an exclusion has no effect.
enum DeadReason<'g> {
    /// No entry before the exclusion includes anything.
    NothingBefore,
    /// No entry before the exclusion is about the same directory.
    OtherDirectory,
    /// A later entry includes everything again that the exclusion excludes.
    IncludedAgain(&'g str),
}

/// Reports each exclusion without effect in a list of globs.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let (globs, kind): (Vec<&str>, GlobKind) = match &seen.test.kind {
            ConditionExpr::Compare { test: ValueTest::LikeText(globs), .. } => {
                (globs.patterns().collect(), GlobKind::Text)
            }
            ConditionExpr::Compare { test: ValueTest::LikePath(globs), .. }
            | ConditionExpr::Touches { test: TouchTest::Like(globs), .. } => {
                (globs.patterns().collect(), GlobKind::Path)
            }
            _ => return,
        };
        if globs.len() > MAX_ENTRIES {
            return;
        }
        for (index, glob) in globs.iter().enumerate() {
            if let Some(excluded) = glob.strip_prefix('!')
                && let Some(why) = dead_reason(&globs, index, excluded, kind)
            {
                findings.push(finding(written, seen.test, &globs, index, &why));
            }
        }
    });
}

/// Returns why the exclusion at an index has no effect; `None` if it may have one.
fn dead_reason<'g>(globs: &[&'g str], index: usize, excluded: &str, kind: GlobKind) -> Option<DeadReason<'g>> {
    let included_globs =
        |globs: &[&'g str]| globs.iter().filter(|glob| !glob.starts_with('!')).copied().collect::<Vec<_>>();
    let earlier = included_globs(globs.get(..index)?);
    if earlier.is_empty() {
        return Some(DeadReason::NothingBefore);
    }
    let later = included_globs(globs.get(index + 1..)?);
    if let Some(later_glob) = later.into_iter().find(|later_glob| covers(later_glob, excluded, kind)) {
        return Some(DeadReason::IncludedAgain(later_glob));
    }
    (kind == GlobKind::Path && earlier.iter().all(|glob| are_in_different_directories(glob, excluded)))
        .then_some(DeadReason::OtherDirectory)
}

/// Whether the glob `by` certainly matches everything that `glob` matches.
fn covers(by: &str, glob: &str, kind: GlobKind) -> bool {
    match kind {
        GlobKind::Text => by == glob || by == "*" || (is_plain(glob) && glob_matches(by, glob)),
        GlobKind::Path => {
            by == glob || PathGlob::new(by).zip(PathGlob::new(glob)).is_some_and(|(by, glob)| by.covers(&glob))
        }
    }
}

/// Whether two globs certainly match only files in different directories. A bare name such as `!*.lock` matches in
/// any directory, so it may be meant for future entries of the list.
fn are_in_different_directories(one: &str, other: &str) -> bool {
    PathGlob::new(one).zip(PathGlob::new(other)).is_some_and(|(one, other)| one.has_disjoint_directory(&other))
}

fn is_plain(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '{', '\\'])
}

/// Returns the finding about an exclusion, with a reordered list as the fix if the order is the mistake.
fn finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    globs: &[&str],
    index: usize,
    why: &DeadReason<'_>,
) -> Diagnostic {
    let glob = globs.get(index).copied().unwrap_or_default();
    let comparison =
        written.comparison(test).filter(|it| it.texts.as_ref().is_some_and(|all| all.len() == globs.len()));
    let texts = comparison.as_ref().and_then(|it| it.texts.as_ref());
    let literal_span = texts.and_then(|all| all.get(index)).map(|text| text.span);
    // The author of a `with` can change only what the `with` has.
    let given_span = || written.comparison(test).and_then(|it| it.text_span(glob));
    let literal_span = literal_span.or_else(given_span);
    let label = match why {
        DeadReason::NothingBefore => "nothing is included before it".to_owned(),
        DeadReason::OtherDirectory => "no entry before it is about this directory".to_owned(),
        DeadReason::IncludedAgain(by) => shortened("`", by, "` behind it includes it again"),
    };
    let finding = Diagnostic::new(Code::DEAD_EXCLUSION, shortened("`", glob, "` excludes nothing"))
        .label(literal_span.unwrap_or(test.span), label);
    if matches!(why, DeadReason::OtherDirectory) {
        return finding.help("remove it, or write what is meant: `!**/node_modules/**` is one at any depth");
    }
    let finding = finding.help("the last entry that matches decides: write it at the end of the list");
    let Some(comparison) = comparison.filter(|it| !written.text(it.value).contains('#')) else { return finding };
    let mut moved: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
    let last = moved.remove(index);
    moved.push(last);
    finding.fix_that_changes(comparison.value, format_one_or_list(&moved))
}
