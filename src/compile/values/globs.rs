//! Compiles the globs of `like`.

use std::sync::Arc;

use super::{ListedText, empty_list, string_list};
use crate::compile::account::ChargeReason;
use crate::compile::names::{LayerNames, ScopedValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::Globs;
use crate::span::Span;
use hookrules_shell::path::{PathGlobs, PatternError, PatternProblem, TextGlobs, glob_parts};

/// The globs of a `like`.
#[derive(Clone)]
pub(in crate::compile) struct GlobList<T> {
    pub(in crate::compile) globs: T,
    /// Whether a glob has a placeholder, which a value of the event may replace.
    pub(in crate::compile) has_placeholders: bool,
}

/// Compiles the globs of a `like` on paths, or returns them from the cache.
pub(in crate::compile) fn compile_path_globs<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GlobList<Arc<Globs>>> {
    names.globs.get_or_compile(scoped, &names.account, diagnostics, |diagnostics| {
        compile_uncached_path_globs(names, scoped, diagnostics)
    })
}

/// Compiles the globs of a `like` on paths.
fn compile_uncached_path_globs<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GlobList<Arc<Globs>>> {
    let texts = string_list(names, scoped, "a glob", diagnostics)?;
    let has_placeholders = have_placeholders(&texts);
    let patterns: Vec<String> = texts.iter().map(|listed| listed.literal.value.clone()).collect();
    let directories: Vec<String> = texts.iter().map(|listed| names.base(listed.file).prefix()).collect();
    if patterns.is_empty() {
        return Some(GlobList { globs: Arc::new(PathGlobs::default().into()), has_placeholders });
    }
    charge_globs(names, &patterns, scoped.value.span)?;
    let globs = PathGlobs::in_directories(&patterns, &directories);
    let globs = globs.map_err(|error| diagnostics.push(bad_glob(&error, &texts, scoped.value.span))).ok()?;
    Some(GlobList { globs: Arc::new(Globs::from(globs)), has_placeholders })
}

/// Whether any of the texts has a placeholder.
fn have_placeholders(texts: &[ListedText<'_>]) -> bool {
    texts.iter().any(|listed| !listed.literal.placeholders.is_empty())
}

/// Returns the texts of a list that has been compiled without a finding.
pub(in crate::compile) fn listed_texts<'a>(names: &LayerNames<'a>, scoped: ScopedValue<'a>) -> Vec<ListedText<'a>> {
    string_list(names, scoped, "a glob", &mut Vec::new()).unwrap_or_default()
}

/// Compiles the globs of a `like` on other texts. `current_name` returns the current name of a tool for its former one,
/// and any other text unchanged.
pub(in crate::compile) fn compile_text_globs<'a>(
    names: &LayerNames<'a>,
    scoped: ScopedValue<'a>,
    current_name: fn(&str) -> &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GlobList<TextGlobs>> {
    let texts = string_list(names, scoped, "a glob", diagnostics)?;
    let with_current_name = |text: &str| match text.strip_prefix('!') {
        Some(excluded) => format!("!{}", current_name(excluded)),
        None => current_name(text).to_owned(),
    };
    let has_placeholders = have_placeholders(&texts);
    let patterns: Vec<String> = texts.iter().map(|listed| with_current_name(&listed.literal.value)).collect();
    if patterns.is_empty() {
        return Some(GlobList { globs: TextGlobs::default(), has_placeholders });
    }
    charge_globs(names, &patterns, scoped.value.span)?;
    let globs = TextGlobs::new(&patterns);
    let globs = globs.map_err(|error| diagnostics.push(bad_glob(&error, &texts, scoped.value.span))).ok()?;
    Some(GlobList { globs, has_placeholders })
}

/// Charges the alternatives of globs, before they are expanded.
pub(super) fn charge_globs(names: &LayerNames<'_>, patterns: &[String], span: Span) -> Option<()> {
    let parts = patterns.iter().map(|pattern| glob_parts(pattern)).fold(0, u64::saturating_add);
    names.account.charge(parts, ChargeReason::Globs, span)
}

/// Returns the finding about an invalid list of globs. `all` is the span of the list.
pub(super) fn bad_glob(error: &PatternError, texts: &[ListedText<'_>], all: Span) -> Diagnostic {
    let span = texts.get(error.index).map_or(all, |listed| listed.literal.span);
    match error.problem {
        PatternProblem::ExclusionsOnly => Diagnostic::new(Code::EXCLUSIONS_ONLY, "a list of globs that only excludes")
            .label(span, "nothing is included before it")
            .help("put a glob that includes before it, such as \"**\""),
        PatternProblem::Empty => empty_list(all),
        PatternProblem::Syntax => Diagnostic::new(Code::BAD_PATTERN, format!("invalid glob: {}", error.message))
            .label(span, "in this glob")
            .help("a glob is made of `*`, `**`, `?`, `[…]`, `{a,b}` and a leading `!`"),
    }
}
