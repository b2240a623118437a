//! From pest's tree to ours. Mistakes that the grammar lets through (escapes, units, a mix of `and` and `or`,
//! reserved names) are reported here; what a name means is not known here.
//!
//! Every function gives `None` only if grammar and tree disagree, which is a bug of ours and reported as one.

mod clause;
mod condition;
mod item;
mod value;

pub(super) use item::Above;

use super::ast::{FieldName, Name};
use super::grammar::Pair;
use super::limits::MAX_DEPTH;
use super::mistakes::Mistake;
use super::text;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{FileId, Span};

/// Builds trees out of pest's pairs of one text.
pub(super) struct Builder<'s> {
    file: FileId,
    /// The text of the file.
    source: &'s str,
    /// Where the parsed piece begins in it.
    base: usize,
    depth: usize,
    /// What was found on the way.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'s> Builder<'s> {
    /// Makes a builder for a piece that begins at `base`.
    pub(super) fn new(file: FileId, source: &'s str, base: usize) -> Self {
        Self { file, source, base, depth: 0, diagnostics: Vec::new() }
    }

    /// Builds one level deeper. The scan before the grammar refuses deep texts; this holds even where it was misled.
    fn deeper<T>(&mut self, span: Span, build: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.deeper_by(1, span, build)
    }

    fn deeper_by<T>(&mut self, levels: usize, span: Span, build: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth + levels > 2 * MAX_DEPTH + 1 {
            self.diagnostics.push(Mistake::TooDeep {}.at(span));
            return None;
        }
        self.depth += levels;
        let built = build(self);
        self.depth -= levels;
        built
    }

    /// Reports that the grammar and this module disagree.
    pub(super) fn disagreement(&mut self, span: Span) {
        if self.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::TOO_DEEP) {
            return;
        }
        self.diagnostics.push(Mistake::Unparsed {}.at(span));
    }

    fn at(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.base + start, self.base + end)
    }

    /// The span of a pair. No rule takes white space or a comment that stands behind it.
    pub(super) fn span(&self, pair: &Pair<'_>) -> Span {
        let own = pair.as_span();
        self.at(own.start(), own.end())
    }

    fn name(&self, pair: &Pair<'_>) -> Name {
        Name { text: pair.as_str().to_owned(), span: self.span(pair) }
    }

    fn field(&self, pair: &Pair<'_>) -> FieldName {
        let span = self.span(pair);
        FieldName { segments: text::segments(pair.as_str(), span), span }
    }
}
