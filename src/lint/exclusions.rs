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
        if !globs.iter().any(|glob| glob.starts_with('!')) {
            return;
        }
        let entries: Vec<GlobEntry<'_>> = globs.iter().map(|glob| GlobEntry::new(glob, kind)).collect();
        for (index, entry) in entries.iter().enumerate() {
            if entry.is_exclusion
                && let Some(why) = dead_reason(&entries, index, entry, kind)
            {
                findings.push(finding(written, seen.test, &globs, index, &why));
            }
        }
    });
}

/// An entry of a list of globs.
struct GlobEntry<'g> {
    /// The glob, without the `!` of an exclusion.
    glob: &'g str,
    is_exclusion: bool,
    /// The parts of the glob; `None` if it is about texts, or cannot be analysed.
    parts: Option<PathGlob<'g>>,
}

impl<'g> GlobEntry<'g> {
    fn new(written: &'g str, kind: GlobKind) -> Self {
        let (glob, is_exclusion) = written.strip_prefix('!').map_or((written, false), |excluded| (excluded, true));
        Self { glob, is_exclusion, parts: (kind == GlobKind::Path).then(|| PathGlob::new(glob)).flatten() }
    }

    /// Whether the glob certainly matches everything that another one matches.
    fn covers(&self, other: &Self, kind: GlobKind) -> bool {
        let (by, glob) = (self.glob, other.glob);
        by == glob
            || match kind {
                GlobKind::Text => by == "*" || (is_plain(glob) && glob_matches(by, glob)),
                GlobKind::Path => self.parts.as_ref().zip(other.parts.as_ref()).is_some_and(|(by, it)| by.covers(it)),
            }
    }

    /// Whether two globs certainly match only files in different directories. A bare name such as `!*.lock` matches in
    /// any directory, so it may be meant for future entries of the list.
    fn is_in_other_directory(&self, other: &Self) -> bool {
        self.parts.as_ref().zip(other.parts.as_ref()).is_some_and(|(one, other)| one.has_disjoint_directory(other))
    }
}

/// Returns why the exclusion at an index has no effect; `None` if it may have one.
fn dead_reason<'g>(
    entries: &[GlobEntry<'g>],
    index: usize,
    excluded: &GlobEntry<'g>,
    kind: GlobKind,
) -> Option<DeadReason<'g>> {
    let is_included = |entry: &&GlobEntry<'g>| !entry.is_exclusion;
    let mut earlier = entries.get(..index)?.iter().filter(is_included).peekable();
    if earlier.peek().is_none() {
        return Some(DeadReason::NothingBefore);
    }
    let mut later = entries.get(index + 1..)?.iter().filter(is_included);
    if let Some(again) = later.find(|entry| entry.covers(excluded, kind)) {
        return Some(DeadReason::IncludedAgain(again.glob));
    }
    (kind == GlobKind::Path && earlier.all(|entry| entry.is_in_other_directory(excluded)))
        .then_some(DeadReason::OtherDirectory)
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
