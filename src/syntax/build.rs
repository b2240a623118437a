//! Converts pest's tree to the tree in `ast`. Mistakes that the grammar does not catch (escapes, units, a mix of
//! `and` and `or`, reserved names) are reported here; names are not resolved.
//!
//! A function returns `None` only if the tree is too deep, which is reported, or if pest's tree is not as the grammar
//! defines it, which is an internal error and reported as such.

mod clause;
mod condition;
mod item;
mod value;

pub(super) use item::{ItemPreamble, SessionLine};

use super::ast::{FieldName, Name};
use super::grammar::Pair;
use super::limits::MAX_DEPTH;
use super::mistakes::SyntaxMistake;
use super::text;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{FileId, Span};

/// Builds syntax trees from pest's pairs of a text.
pub(super) struct AstBuilder<'s> {
    file: FileId,
    /// The text of the file.
    source: &'s str,
    /// The offset of the parsed piece in the text: pest's offsets are relative to it.
    base: usize,
    /// The number of conditions and values around the current one.
    depth: usize,
    /// The diagnostics found so far.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'s> AstBuilder<'s> {
    /// Creates a builder for a piece that begins at `base`.
    pub(super) fn new(file: FileId, source: &'s str, base: usize) -> Self {
        Self { file, source, base, depth: 0, diagnostics: Vec::new() }
    }

    /// Calls `build` one level deeper. A tree that is too deep is reported, and `None` returned; the scan before
    /// parsing already rejects most of these texts.
    fn build_nested<T>(&mut self, span: Span, build: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.build_nested_by(1, span, build)
    }

    /// Calls `build` several levels deeper, like `build_nested`.
    fn build_nested_by<T>(
        &mut self,
        levels: usize,
        span: Span,
        build: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        // `MAX_DEPTH` brackets and as many `not`s, plus the outermost level.
        if self.depth + levels > 2 * MAX_DEPTH + 1 {
            self.diagnostics.push(SyntaxMistake::TooDeep {}.at(span));
            return None;
        }
        self.depth += levels;
        let built = build(self);
        self.depth -= levels;
        built
    }

    /// Reports that pest's tree is not as this module expects it, which is an internal error. Reports nothing if the
    /// reason is a tree that is too deep, which has been reported.
    pub(super) fn report_disagreement(&mut self, span: Span) {
        if self.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::TOO_DEEP) {
            return;
        }
        self.diagnostics.push(SyntaxMistake::Unparsed {}.at(span));
    }

    /// Returns the span of a part of the piece, given by pest's offsets.
    fn span_at(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.base + start, self.base + end)
    }

    /// Returns the span of a pair. No grammar rule includes white space or a comment after it.
    pub(super) fn span(&self, pair: &Pair<'_>) -> Span {
        let range = pair.as_span();
        self.span_at(range.start(), range.end())
    }

    fn name(&self, pair: &Pair<'_>) -> Name {
        Name { text: pair.as_str().to_owned(), span: self.span(pair) }
    }

    fn field(&self, pair: &Pair<'_>) -> FieldName {
        let span = self.span(pair);
        FieldName { segments: text::name_segments(pair.as_str(), span), span }
    }
}
