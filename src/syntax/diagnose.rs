//! Diagnoses a piece of text that the grammar rejects.
//!
//! This is a tolerant parser of one clause or item: it reads the tokens, assumes a fix for each mistake and
//! continues, so that a clause can have several independent findings. It builds no tree. A function that *reads*
//! something moves the cursor past it and reports the mistakes in it; one that *reports* a mistake also moves past
//! it.

mod answers;
mod behind;
mod blocks;
mod clause;
mod clock;
mod commands;
mod comparison;
mod computed;
mod condition;
mod displaced;
mod effect;
mod examples;
mod exceptions;
mod files;
mod foreign;
mod head;
mod item;
mod measures;
mod names;
mod one_line;
mod options;
mod past;
mod paths;
mod pattern_suffix;
mod quantified;
mod reader;
mod regex_selector;
mod slashes;
mod spoken;
mod touches;
mod translate;
mod value;
mod yaml;

pub(super) use blocks::holds_definitions;
pub(super) use clause::{ENDS, clause, example, expect, given};
pub(super) use item::{annotation, definition, header, import, outside};
pub(in crate::syntax) use reader::ForeignReader;
pub(in crate::syntax) use translate::{ForeignConstruct, foreign_clause, test_for_permission, translate};

use std::ops::{Deref, DerefMut};

use super::limits::MAX_DIAGNOSTICS;
use super::mistakes::{self, CompletePart, SyntaxMistake};
use super::token::{Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::span::{FileId, Span};

/// A position in the tokens of a piece, with the mistakes that were found before it.
pub(super) struct ClauseCursor<'a> {
    reader: ForeignReader<'a>,
    file: FileId,
    /// The number of conditions and brackets around the position.
    depth: usize,
    /// The number of `where`s around the position.
    filters: usize,
    /// Whether a comma ends a condition, as between the exceptions of a `use`.
    commas_end_conditions: bool,
    /// Whether the rest of the piece is given up, so that no further mistake is reported in it.
    stopped: bool,
    /// The index of the token at which a second clause begins on the same line.
    pub(super) split: Option<usize>,
    /// Whether a `{` that does not belong in a clause was reported, as in `if a == 1 {`. The `}` that closes it in a
    /// later clause is then skipped.
    pub(super) opens_block: bool,
    /// Names that the piece defines in an invalid form (`cmd := …`), so that references to them are not reported.
    pub(super) names: Vec<(String, Span)>,
    /// The diagnostics so far.
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> Deref for ClauseCursor<'a> {
    type Target = ForeignReader<'a>;

    fn deref(&self) -> &ForeignReader<'a> {
        &self.reader
    }
}

impl<'a> DerefMut for ClauseCursor<'a> {
    fn deref_mut(&mut self) -> &mut ForeignReader<'a> {
        &mut self.reader
    }
}

impl<'a> ClauseCursor<'a> {
    /// Creates a cursor over the tokens of a piece, which are given without comments and line ends.
    pub(super) fn new(file: FileId, source: &'a str, tokens: &'a [Token]) -> Self {
        Self {
            reader: ForeignReader::new(source, tokens),
            file,
            depth: 0,
            filters: 0,
            commas_end_conditions: false,
            stopped: false,
            split: None,
            opens_block: false,
            names: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Whether nothing is left to read, or the rest was given up.
    fn is_done(&self) -> bool {
        self.stopped || self.reader.is_done()
    }

    /// Moves past the next token if it is `text`, and returns whether it is. Always false after [`Self::stop`].
    fn eat(&mut self, text: &str) -> bool {
        !self.stopped && self.reader.eat(text)
    }

    /// Gives up on the rest of the piece: nothing more is read or reported.
    fn stop(&mut self) {
        self.stopped = true;
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// Returns the span from the start of one token to the end of another.
    fn across(&self, from: Token, to: Token) -> Span {
        self.span_of(from).joined_with(self.span_of(to))
    }

    /// Returns the source text of a span.
    fn written(&self, span: Span) -> &'a str {
        self.source.get(span.range()).unwrap_or_default()
    }

    /// Returns the span of the next token; after the last one, the empty span at the end of the piece.
    fn here(&self) -> Span {
        self.peek().map_or_else(|| self.end_of_previous(), |token| self.span_of(token))
    }

    /// Returns the empty span at the end of the previous token.
    fn end_of_previous(&self) -> Span {
        let previous = self.back(1).or(self.last());
        previous.map_or_else(Span::default, |token| Span::new(self.file, token.end, token.end))
    }

    /// Adds a diagnostic, and gives up on the piece if there are more than are shown.
    fn add(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
        self.stopped |= self.found.len() > MAX_DIAGNOSTICS;
    }

    /// Reports a mistake without a fix.
    fn report(&mut self, mistake: SyntaxMistake<'_>, span: Span) {
        self.add(mistake.at(span));
    }

    /// Reports a mistake whose fix replaces the text at its span by `right`.
    fn report_with_fix(&mut self, mistake: SyntaxMistake<'_>, span: Span, right: impl Into<String>) {
        self.report_with_fix_at(mistake, span, span, right);
    }

    /// Reports a mistake whose fix replaces the text at another span, `place`, by `right`.
    fn report_with_fix_at(&mut self, mistake: SyntaxMistake<'_>, span: Span, place: Span, right: impl Into<String>) {
        self.add(mistake.at(span).fix(place, right));
    }

    /// Reports a test in the notation of another language, with `right` as its fix. A long test is not quoted in the
    /// message.
    fn report_foreign_test(&mut self, span: Span, right: &str) {
        let written = self.written(span);
        let mistake = match written.contains('\n') || written.chars().count() > foreign::MAX_QUOTED_CHARS {
            true => SyntaxMistake::LongForeignTest { right },
            false => SyntaxMistake::ForeignTest { written, right },
        };
        self.report_with_fix(mistake, span, right);
    }

    /// Reports an unclosed opening bracket.
    fn report_unclosed(&mut self, opener: Token) {
        let open = opener.text(self.source);
        let close = match open {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        self.add(SyntaxMistake::Unclosed { open, close }.at_opener(self.span_of(opener)));
    }

    /// Reports and skips the next token if it is unclosed or in typographic quotes, and returns whether it is. Stops
    /// after an unclosed one, whose end is unknown.
    fn report_malformed_token(&mut self) -> bool {
        let Some(token) = self.peek() else { return false };
        let text = token.text(self.source);
        let span = self.span_of(token);
        let opener = |length: usize| Span::new(span.file, token.start, token.start + length);
        let (mistake, place) = match token.kind {
            TokenKind::UnclosedText if text.starts_with('\'') => (SyntaxMistake::OpenRaw {}, opener(1)),
            TokenKind::UnclosedText => (SyntaxMistake::OpenText {}, opener(1)),
            TokenKind::UnclosedBlock => (SyntaxMistake::OpenBlock {}, opener(3)),
            TokenKind::UnclosedRegex => (SyntaxMistake::OpenRegex {}, opener(1)),
            TokenKind::UnclosedJsonPath => (SyntaxMistake::OpenJsonPath {}, opener(1)),
            TokenKind::TypographicText => {
                self.at += 1;
                let inner = text.trim_matches(|c| {
                    "\u{201c}\u{201d}\u{201e}\u{201f}\u{2018}\u{2019}\u{201a}\u{ab}\u{bb}\"'".contains(c)
                });
                let right = format!("\"{}\"", inner.replace('\\', "\\\\").replace('"', "\\\""));
                self.report_with_fix(SyntaxMistake::SmartQuotes { right: &right }, span, &right);
                return true;
            }
            _ => return false,
        };
        self.at += 1;
        self.report(mistake, place);
        // The author regards the text after an unclosed string as a part of it.
        self.stop();
        true
    }

    /// Reports the first token after a complete part, if there is one, and gives up on the rest.
    fn report_rest(&mut self, part: CompletePart) {
        // A token that `report_malformed_token` reports needs no second report.
        if self.is_done() || self.report_malformed_token() {
            return;
        }
        let span = self.here();
        let word = self.text();
        let after = part.name();
        match word {
            "}" => self.report(SyntaxMistake::StrayClose { close: word, open: "{" }, span),
            ")" => self.report(SyntaxMistake::StrayClose { close: word, open: "(" }, span),
            "]" => self.report(SyntaxMistake::StrayClose { close: word, open: "[" }, span),
            "--" => self.report_with_fix(SyntaxMistake::ForeignComment { mark: word }, span, "#"),
            "," => self.report_with_fix(SyntaxMistake::TrailingComma { after }, span, ""),
            "\\" => self.report_with_fix(SyntaxMistake::Backslash {}, span, ""),
            _ => {
                let found = self.describe_unexpected();
                // Words behind a test may restrict it, so no help says to delete them.
                self.report(
                    match part {
                        CompletePart::Condition => SyntaxMistake::WordsBehindTest { found: &found },
                        _ => SyntaxMistake::TrailingText { found: &found, after },
                    },
                    span,
                );
            }
        }
        self.stop();
    }

    /// Describes the next token without an article, for a message that begins with "unexpected".
    fn describe_unexpected(&self) -> String {
        mistakes::describe_unexpected_token(self.kind(), self.text())
    }

    /// Describes the next token, with its article.
    fn describe(&self) -> String {
        mistakes::describe_token(self.kind(), self.text())
    }
}
