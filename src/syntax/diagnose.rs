//! Says what is wrong with a piece of text that the grammar refuses.
//!
//! A tolerant reader of one clause or item: it walks over the tokens as the author would, mends each mistake in its
//! mind, and goes on, so that one clause can have several findings and none follows from another. It builds no tree.

mod clause;
mod comparison;
mod condition;
mod effect;
mod head;
mod item;
mod value;

pub(super) use clause::{clause, expect, given};
pub(super) use item::{annotation, definition, header, import, outside};

use super::limits::MAX_DIAGNOSTICS;
use super::token::{Kind, Token};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::span::{FileId, Span};

/// The tokens of a piece without comments and line ends, and a place in them.
pub(super) struct Cursor<'a> {
    file: FileId,
    source: &'a str,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// Nothing further can be said about this piece.
    stopped: bool,
    /// Where a second clause begins on the line, as an index into the tokens.
    pub(super) split: Option<usize>,
    /// What was found.
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> Cursor<'a> {
    /// Makes a cursor over the significant tokens of a piece.
    pub(super) fn new(file: FileId, source: &'a str, tokens: &'a [Token]) -> Self {
        Self { file, source, tokens, at: 0, depth: 0, stopped: false, split: None, found: Vec::new() }
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
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let between = before.zip(self.peek()).and_then(|(before, token)| self.source.get(before.end..token.start));
        between.is_some_and(|between| between.contains('\n'))
    }

    /// The text from one token to the end of another.
    fn slice(&self, from: Token, to: Token) -> &'a str {
        self.source.get(from.start..to.end).unwrap_or_default()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
        self.stopped |= self.found.len() > MAX_DIAGNOSTICS;
    }

    /// Reports something of another language that has one right spelling, which is also the fix.
    fn foreign(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>, right: &str) {
        let help = if right.is_empty() { "leave it out".to_owned() } else { format!("write `{right}`") };
        self.report(Diagnostic::new(Code::FOREIGN_OPERATOR, message).label(span, label).help(help).fix(span, right));
    }

    fn syntax(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::new(Code::SYNTAX, message).label(span, label).help(help));
    }

    fn syntax_fix(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
        fix: Fix,
    ) {
        let mut diagnostic = Diagnostic::new(Code::SYNTAX, message).label(span, label).help(help);
        diagnostic.fix = Some(fix);
        self.report(diagnostic);
    }

    /// Reports an opening bracket that nothing closes.
    fn unclosed(&mut self, opener: Token) {
        let open = opener.text(self.source);
        let close = match open {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let diagnostic = Diagnostic::new(Code::UNTERMINATED, format!("`{open}` is not closed"))
            .opener(self.span_of(opener))
            .help(format!("write `{close}` where it ends"));
        self.report(diagnostic);
    }

    /// Reports and skips a token that is not closed or not ASCII. True if there was one; the text it stands for
    /// has then been read.
    fn open_token(&mut self) -> bool {
        let Some(token) = self.peek() else { return false };
        let text = token.text(self.source);
        let span = self.span_of(token);
        let opener = |length: usize| Span::new(span.file, token.start, token.start + length);
        let (what, place, help) = match token.kind {
            Kind::OpenText if text.starts_with('\'') => {
                ("a string is not closed", opener(1), "close it with `'` on the same line")
            }
            Kind::OpenText => ("a string is not closed", opener(1), "close it with `\"` on the same line"),
            Kind::OpenBlock => ("a block string is not closed", opener(3), "close it with `\"\"\"`"),
            Kind::OpenRegex => {
                ("a regex is not closed", opener(1), "close it with `/` on the same line; a path stands in quotes")
            }
            Kind::OpenJsonPath => ("a JSONPath is not closed", opener(1), "close it with a backtick on the same line"),
            Kind::SmartText => {
                self.at += 1;
                let inner = text.trim_matches(|c| {
                    "\u{201c}\u{201d}\u{201e}\u{201f}\u{2018}\u{2019}\u{201a}\u{ab}\u{bb}\"'".contains(c)
                });
                let right = format!("\"{}\"", inner.replace('\\', "\\\\").replace('"', "\\\""));
                self.foreign(span, "typographic quotes", "quotes of a word processor", &right);
                return true;
            }
            _ => return false,
        };
        self.at += 1;
        self.report(Diagnostic::new(Code::UNTERMINATED, what).label(place, "opened here").help(help));
        // What stands behind an open string is inside of it for the author.
        self.stop();
        true
    }

    /// Reports what is left after a piece that is complete.
    fn finish(&mut self, complete: &str) {
        if self.done() || self.open_token() {
            return;
        }
        let span = self.here();
        let word = self.text();
        match word {
            "}" => self.syntax(span, "a `}` too many", "closes nothing", "delete it, or write the `{` that it closes"),
            ")" | "]" => {
                let open = if word == ")" { "(" } else { "[" };
                let message = format!("a `{word}` too many");
                self.syntax(
                    span,
                    message,
                    "closes nothing",
                    format!("delete it, or write the `{open}` that it closes"),
                );
            }
            "--" => self.foreign(span, "`--` begins no comment", "a comment of another language", "#"),
            "," => self.syntax(span, format!("a comma after {complete}"), "nothing follows it", "delete it"),
            "\\" => self.foreign(span, "a backslash does not continue a line", "end of the line", ""),
            _ => {
                let message = format!("{} after {complete}", self.describe());
                self.syntax(span, message, "not expected here", "end the line before it, or delete it");
            }
        }
        self.stop();
    }

    /// The next token in words.
    fn describe(&self) -> String {
        let text = self.text();
        match self.kind() {
            None => "the end of the line".to_owned(),
            Some(Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText) => "a string".to_owned(),
            Some(Kind::Regex | Kind::OpenRegex) => "a regex".to_owned(),
            Some(Kind::JsonPath | Kind::OpenJsonPath) => "a JSONPath".to_owned(),
            Some(_) if text.chars().count() > 40 => "more text".to_owned(),
            Some(_) => format!("`{text}`"),
        }
    }
}
