//! Reads the tokens of a text in another language.
//!
//! [`ClauseCursor`](super::ClauseCursor) is such a reader that also reports mistakes. A translation uses the reader
//! alone, and reports nothing.

use crate::syntax::token::{Token, TokenKind, tokenise};

/// A position in the tokens of a text; comments and line ends are left out.
pub(in crate::syntax) struct ForeignReader<'a> {
    pub(super) source: &'a str,
    pub(super) tokens: &'a [Token],
    /// The index of the next token.
    pub(super) at: usize,
    /// Whether words without quotes are strings, as in a shell.
    pub(super) bare_words_are_text: bool,
}

/// The content of a pair of brackets.
pub(super) struct BracketContent<'a> {
    /// The text between the brackets.
    pub(super) text: &'a str,
    /// The parts of the text between its commas; commas in nested brackets do not count.
    pub(super) parts: Vec<&'a str>,
    /// The closing bracket.
    pub(super) close: Token,
    /// The number of tokens, including both brackets.
    pub(super) length: usize,
}

/// Calls `read` with a reader at the start of a text, and returns the result.
pub(super) fn reading<T>(text: &str, read: impl FnOnce(&mut ForeignReader<'_>) -> T) -> T {
    let tokens: Vec<Token> = tokenise(text).filter(|token| !token.is_trivia()).collect();
    read(&mut ForeignReader::new(text, &tokens))
}

impl<'a> ForeignReader<'a> {
    /// Creates a reader of the significant tokens of a text.
    pub(in crate::syntax) fn new(source: &'a str, tokens: &'a [Token]) -> Self {
        Self { source, tokens, at: 0, bare_words_are_text: false }
    }

    /// Returns the token `ahead` tokens ahead; 0 is the next one.
    pub(super) fn nth(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    pub(super) fn peek(&self) -> Option<Token> {
        self.nth(0)
    }

    pub(super) fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|token| token.kind)
    }

    /// Returns the text of the token `ahead` tokens ahead; empty after the last token.
    pub(super) fn text_at(&self, ahead: usize) -> &'a str {
        self.nth(ahead).map_or("", |token| token.text(self.source))
    }

    pub(super) fn text(&self) -> &'a str {
        self.text_at(0)
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Moves past the next token and returns it.
    pub(super) fn advance(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Moves past the next token if it is `text`, and returns whether it is.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.text() == text;
        self.at += usize::from(found);
        found
    }

    /// Moves after the last token.
    pub(super) fn skip_rest(&mut self) {
        self.at = self.tokens.len();
    }

    /// Returns a token before the position: 1 is the previous one.
    pub(super) fn back(&self, by: usize) -> Option<Token> {
        self.at.checked_sub(by).and_then(|at| self.tokens.get(at)).copied()
    }

    /// Returns the last token of the text.
    pub(super) fn last(&self) -> Option<Token> {
        self.tokens.last().copied()
    }

    /// Returns the text from the next token on.
    pub(super) fn rest(&self) -> &'a str {
        self.peek().and_then(|token| self.source.get(token.start..)).unwrap_or_default()
    }

    /// Returns the text from the start of one token to the end of another.
    pub(super) fn slice(&self, from: Token, to: Token) -> &'a str {
        self.source.get(from.start..to.end).unwrap_or_default()
    }

    /// Returns the white space and comments between the token `ahead` tokens ahead and the token before it; `None` if
    /// one of them is missing.
    fn gap(&self, ahead: usize) -> Option<&'a str> {
        let before = (self.at + ahead).checked_sub(1).and_then(|at| self.tokens.get(at))?;
        self.source.get(before.end..self.nth(ahead)?.start)
    }

    /// Whether no white space is between the token `ahead` tokens ahead and the token before it.
    pub(super) fn glued(&self, ahead: usize) -> bool {
        self.gap(ahead).is_some_and(str::is_empty)
    }

    /// Whether the next token is on another line than the token before it.
    pub(super) fn first_on_line(&self) -> bool {
        self.first_on_line_ahead(0)
    }

    /// Whether the token `ahead` tokens ahead is on another line than the token before it.
    pub(super) fn first_on_line_ahead(&self, ahead: usize) -> bool {
        self.gap(ahead).is_some_and(|gap| gap.contains('\n'))
    }

    /// Returns the content of the bracket that opens at the token with the index `opener`; `None` if it is not closed.
    pub(super) fn inside(&self, opener: usize) -> Option<BracketContent<'a>> {
        let tokens = self.tokens.get(opener..)?;
        let begin = tokens.first()?.end;
        let (mut from, mut depth, mut parts) = (begin, 0_usize, Vec::new());
        for (at, token) in tokens.iter().enumerate() {
            let is_comma = depth == 1 && token.text(self.source) == ",";
            depth += usize::from(token.kind == TokenKind::OpenBracket);
            depth = depth.saturating_sub(usize::from(token.kind == TokenKind::CloseBracket));
            if is_comma || depth == 0 {
                parts.push(self.source.get(from..token.start)?.trim());
                from = token.end;
            }
            if depth == 0 {
                let text = self.source.get(begin..token.start)?;
                return Some(BracketContent { text, parts, close: *token, length: at + 1 });
            }
        }
        None
    }
}
