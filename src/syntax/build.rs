//! Converts pest's tree to ours. Mistakes that the grammar does not catch (escapes, units, a mix of `and` and `or`,
//! reserved names) are reported here; names are not resolved.
//!
//! Every function returns `None` only if grammar and tree disagree, which is an internal bug and reported as such.

mod clause;
mod condition;
mod item;
mod value;

pub(super) use item::ItemPreamble;

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
    /// The offset of the parsed piece in the text.
    base: usize,
    depth: usize,
    /// The diagnostics found so far.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'s> AstBuilder<'s> {
    /// Creates a builder for a piece that begins at `base`.
    pub(super) fn new(file: FileId, source: &'s str, base: usize) -> Self {
        Self { file, source, base, depth: 0, diagnostics: Vec::new() }
    }

    /// Builds one level deeper. The scan before parsing rejects deeply nested texts; this is a second safeguard.
    fn build_nested<T>(&mut self, span: Span, build: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.build_nested_by(1, span, build)
    }

    fn build_nested_by<T>(
        &mut self,
        levels: usize,
        span: Span,
        build: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth + levels > 2 * MAX_DEPTH + 1 {
            self.diagnostics.push(SyntaxMistake::TooDeep {}.at(span));
            return None;
        }
        self.depth += levels;
        let built = build(self);
        self.depth -= levels;
        built
    }

    /// Reports that the grammar and this module disagree.
    pub(super) fn report_disagreement(&mut self, span: Span) {
        if self.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::TOO_DEEP) {
            return;
        }
        self.diagnostics.push(SyntaxMistake::Unparsed {}.at(span));
    }

    fn span_at(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.base + start, self.base + end)
    }

    /// Returns the span of a pair. No grammar rule includes white space or a comment after it.
    pub(super) fn span(&self, pair: &Pair<'_>) -> Span {
        let own = pair.as_span();
        self.span_at(own.start(), own.end())
    }

    fn name(&self, pair: &Pair<'_>) -> Name {
        Name { text: pair.as_str().to_owned(), span: self.span(pair) }
    }

    fn field(&self, pair: &Pair<'_>) -> FieldName {
        let span = self.span(pair);
        FieldName { segments: text::name_segments(pair.as_str(), span), span }
    }
}
