//! Says what is wrong with a piece of text that the grammar rejects.
//!
//! A tolerant reader of one clause or item: it walks over the tokens, assumes a fix for each mistake and goes on, so
//! that one clause can have several findings and none follows from another. It builds no tree.

mod answers;
mod behind;
mod blocks;
mod clause;
mod commands;
mod comparison;
mod computed;
mod condition;
mod displaced;
mod effect;
mod files;
mod foreign;
mod head;
mod item;
mod names;
mod one_line;
mod options;
mod paths;
mod quantified;
mod slashes;
mod spoken;
mod touches;
mod translate;
mod value;
mod yaml;

pub(super) use blocks::holds_definitions;
pub(super) use clause::{ENDS, clause, example, expect, given};
pub(super) use item::{annotation, definition, header, import, outside};
pub(in crate::syntax) use translate::{What, permitted, translate};

use super::limits::MAX_DIAGNOSTICS;
use super::mistakes::{self, Mistake, Part};
use super::token::{Kind, Token};
use crate::diagnostic::Diagnostic;
use crate::span::{FileId, Span};

/// The tokens of a piece without comments and line ends, and a place in them.
pub(super) struct Cursor<'a> {
    file: FileId,
    source: &'a str,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// How many `where`s it is in.
    filters: usize,
    /// Nothing further can be said about this piece.
    stopped: bool,
    /// Where a second clause begins on the line, as an index into the tokens.
    pub(super) split: Option<usize>,
    /// A block was opened that a clause further down closes.
    pub(super) opens_block: bool,
    /// Names that the text gives to something in a way that is not understood.
    pub(super) names: Vec<(String, Span)>,
    /// What was found.
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> Cursor<'a> {
    /// Makes a cursor over the significant tokens of a piece.
    pub(super) fn new(file: FileId, source: &'a str, tokens: &'a [Token]) -> Self {
        Self {
            file,
            source,
            tokens,
            at: 0,
            depth: 0,
            filters: 0,
            stopped: false,
            split: None,
            opens_block: false,
            names: Vec::new(),
            found: Vec::new(),
        }
    }

    fn nth(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn peek(&self) -> Option<Token> {
        self.nth(0)
    }

    fn kind(&self) -> Option<Kind> {
        self.peek().map(|token| token.kind)
    }

    /// The text of a token ahead, empty past the end.
    fn text_at(&self, ahead: usize) -> &'a str {
        self.nth(ahead).map_or("", |token| token.text(self.source))
    }

    fn text(&self) -> &'a str {
        self.text_at(0)
    }

    fn done(&self) -> bool {
        self.stopped || self.at >= self.tokens.len()
    }

    fn advance(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = !self.stopped && self.text() == text;
        self.at += usize::from(found);
        found
    }

    /// Gives up on the rest of the piece.
    fn stop(&mut self) {
        self.stopped = true;
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// The next token, or the place after the last one.
    fn here(&self) -> Span {
        self.peek().map_or_else(|| self.after(), |token| self.span_of(token))
    }

    /// The empty place after the previous token.
    fn after(&self) -> Span {
        let previous = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).or(self.tokens.last());
        previous.map_or_else(Span::default, |token| Span::new(self.file, token.end, token.end))
    }

    /// Whether a token ahead touches the one before it.
    fn glued(&self, ahead: usize) -> bool {
        let before = (self.at + ahead).checked_sub(1).and_then(|at| self.tokens.get(at));
        before.zip(self.nth(ahead)).is_some_and(|(before, token)| before.end == token.start)
    }

    /// Whether the next token begins a line of its own.
    fn first_on_line(&self) -> bool {
        self.first_on_line_ahead(0)
    }

    /// Whether a token ahead stands on another line than the one before it.
    fn first_on_line_ahead(&self, ahead: usize) -> bool {
        let before = (self.at + ahead).checked_sub(1).and_then(|at| self.tokens.get(at));
        let between = before.zip(self.nth(ahead)).and_then(|(one, other)| self.source.get(one.end..other.start));
        between.is_some_and(|between| between.contains('\n'))
    }

    /// The text from one token to the end of another.
    fn slice(&self, from: Token, to: Token) -> &'a str {
        self.source.get(from.start..to.end).unwrap_or_default()
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
        self.stopped |= self.found.len() > MAX_DIAGNOSTICS;
    }

    /// Reports a mistake that has no one mend.
    fn report(&mut self, mistake: Mistake<'_>, span: Span) {
        self.add(mistake.at(span));
    }

    /// Reports a mistake that another text in its place mends.
    fn mend(&mut self, mistake: Mistake<'_>, span: Span, right: impl Into<String>) {
        self.mend_at(mistake, span, span, right);
    }

    /// Reports a mistake that another text in some place mends.
    fn mend_at(&mut self, mistake: Mistake<'_>, span: Span, place: Span, right: impl Into<String>) {
        self.add(mistake.at(span).fix(place, right));
    }

    /// Reports an opening bracket that nothing closes.
    fn unclosed(&mut self, opener: Token) {
        let open = opener.text(self.source);
        let close = match open {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        self.add(Mistake::Unclosed { open, close }.at_opener(self.span_of(opener)));
    }

    /// Reports and skips a token that is not closed or not ASCII. True if there was one; the text it stands for
    /// has then been read.
    fn open_token(&mut self) -> bool {
        let Some(token) = self.peek() else { return false };
        let text = token.text(self.source);
        let span = self.span_of(token);
        let opener = |length: usize| Span::new(span.file, token.start, token.start + length);
        let (mistake, place) = match token.kind {
            Kind::OpenText if text.starts_with('\'') => (Mistake::OpenRaw {}, opener(1)),
            Kind::OpenText => (Mistake::OpenText {}, opener(1)),
            Kind::OpenBlock => (Mistake::OpenBlock {}, opener(3)),
            Kind::OpenRegex => (Mistake::OpenRegex {}, opener(1)),
            Kind::OpenJsonPath => (Mistake::OpenJsonPath {}, opener(1)),
            Kind::SmartText => {
                self.at += 1;
                let inner = text.trim_matches(|c| {
                    "\u{201c}\u{201d}\u{201e}\u{201f}\u{2018}\u{2019}\u{201a}\u{ab}\u{bb}\"'".contains(c)
                });
                let right = format!("\"{}\"", inner.replace('\\', "\\\\").replace('"', "\\\""));
                self.mend(Mistake::SmartQuotes { right: &right }, span, &right);
                return true;
            }
            _ => return false,
        };
        self.at += 1;
        self.report(mistake, place);
        // What follows an open string is inside of it for the author.
        self.stop();
        true
    }

    /// Reports what is left after a piece that is complete.
    fn finish(&mut self, part: Part) {
        if self.done() || self.open_token() {
            return;
        }
        let span = self.here();
        let word = self.text();
        let after = part.name();
        match word {
            "}" => self.report(Mistake::StrayClose { close: word, open: "{" }, span),
            ")" => self.report(Mistake::StrayClose { close: word, open: "(" }, span),
            "]" => self.report(Mistake::StrayClose { close: word, open: "[" }, span),
            "--" => self.mend(Mistake::ForeignComment { mark: word }, span, "#"),
            "," => self.mend(Mistake::TrailingComma { after }, span, ""),
            "\\" => self.mend(Mistake::Backslash {}, span, ""),
            _ => {
                let found = self.unexpected();
                self.report(Mistake::TrailingText { found: &found, after }, span);
            }
        }
        self.stop();
    }

    /// The next token in words, after "unexpected".
    fn unexpected(&self) -> String {
        mistakes::unexpected(self.kind(), self.text())
    }

    /// The next token in words.
    fn describe(&self) -> String {
        mistakes::describe(self.kind(), self.text())
    }
}
