//! Reads values, lists, maps and strings, and reports mistakes in them.

use super::ClauseCursor;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::limits::MAX_DEPTH;
use crate::syntax::mistakes::{RequiredString, STRING_ENDS, SyntaxMistake, path_after_variable};
use crate::syntax::quantity::quantity_with_unit;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

impl ClauseCursor<'_> {
    /// Whether the next token can begin a value that is not a name.
    pub(super) fn at_value(&self) -> bool {
        match self.kind() {
            Some(
                TokenKind::Text
                | TokenKind::UnclosedText
                | TokenKind::UnclosedBlock
                | TokenKind::TypographicText
                | TokenKind::Number
                | TokenKind::Regex
                | TokenKind::UnclosedRegex
                | TokenKind::JsonPath
                | TokenKind::UnclosedJsonPath,
            ) => true,
            Some(TokenKind::OpenBracket) => self.text() == "[",
            Some(TokenKind::Punctuation) => {
                self.text() == "-" && self.nth(1).is_some_and(|next| next.kind == TokenKind::Number)
            }
            _ => false,
        }
    }

    /// Reads a value of a condition, which cannot be a keyword. `after` is the word or sign before it.
    pub(super) fn value(&mut self, after: &str) {
        if self.is_done() {
            return self.missing_value(after);
        }
        if self.operand_as_value() {
            return;
        }
        let path = matches!(self.kind(), Some(TokenKind::Regex | TokenKind::UnclosedRegex))
            && matches!(after, "under" | "outside" | "like" | "in" | "[");
        if path {
            return self.bare_path(after);
        }
        if self.text() == "{" && self.set_in_braces() {
            return;
        }
        if self.at_value() || self.text() == "{" {
            return self.literal();
        }
        let word = self.text();
        if self.kind() == Some(TokenKind::Word)
            && (matches!(word, "true" | "false" | "null") || !words::is_reserved(word))
        {
            return self.name(after);
        }
        if self.yaml_anchor() {
            return;
        }
        if matches!(self.text(), "$" | "~" | "*" | "." | "**") || self.text() == "@" && self.glued(1) {
            return self.bare_text(after);
        }
        if self.text() == "!" && self.glued(1) {
            return self.negated_glob(after);
        }
        self.missing_value(after);
    }

    /// Reports a list in braces: `path like {"a", "b"}`. Returns whether there was one.
    fn set_in_braces(&mut self) -> bool {
        let Some(opener) = self.peek() else { return false };
        let rest = self.tokens.get(self.at + 1..).unwrap_or_default();
        let is_element = |token: &Token| token.kind == TokenKind::Text || token.text(self.source) == ",";
        let length = rest.iter().take_while(|token| is_element(token)).count();
        let Some(close) = rest.get(length).filter(|close| length > 0 && close.text(self.source) == "}").copied() else {
            return false;
        };
        let inner = self.source.get(opener.end..close.start).unwrap_or_default().trim();
        let right = format!("[{inner}]");
        let span = self.across(opener, close);
        self.report_with_fix(SyntaxMistake::SetInBraces { right: &right }, span, &right);
        self.at += length + 2;
        true
    }

    /// Reports that a value is missing after the word or sign `after`.
    fn missing_value(&mut self, after: &str) {
        let span = self.end_of_previous();
        let with_text = format!("{after} \"…\"");
        let mistake = match after {
            "[" => SyntaxMistake::MissingElement {},
            "in" => SyntaxMistake::MissingValue { after, example: "in [\"a\", \"b\"]" },
            "matches" => SyntaxMistake::MissingValue { after, example: "matches /…/" },
            ":" => SyntaxMistake::MissingValue { after, example: "\"…\"" },
            _ => SyntaxMistake::MissingValue { after, example: &with_text },
        };
        self.report(mistake, span);
        self.stop_unless_joined();
    }

    /// Moves to the next `and`, `or` or closing bracket outside of brackets; gives up on the rest if there is none on
    /// the line.
    pub(super) fn stop_unless_joined(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket if depth == 0 => return,
                TokenKind::CloseBracket => depth -= 1,
                TokenKind::Word if depth == 0 && matches!(self.text(), "and" | "or") => return,
                TokenKind::Word if depth == 0 && self.first_on_line() => return self.stop(),
                _ => {}
            }
            self.at += 1;
        }
        self.stop();
    }

    /// Reads a word as a value: the name of a `let` or field, or a text that lacks its quotes.
    fn name(&mut self, after: &str) {
        let Some(first) = self.advance() else { return };
        let continues_path = |text: &str| matches!(text, "*" | "/" | "." | ":" | "?" | "~" | "-" | "@" | "$");
        let is_colon_at_end = self.text() == ":" && self.nth(1).is_none();
        if first.text(self.source).contains('/') || (self.glued(0) && continues_path(self.text()) && !is_colon_at_end) {
            self.at -= 1;
            self.bare_text(after);
        }
    }

    /// Reports a path without quotes, which was tokenised as a regex: `/etc`, `/var/log/*`.
    fn bare_path(&mut self, after: &str) {
        let Some(first) = self.advance() else { return };
        let mut end = first.end;
        while let Some(next) = self.peek().filter(|_| self.glued(0) && !matches!(self.text(), "," | ")" | "]")) {
            end = next.end;
            self.at += 1;
        }
        let text = self.source.get(first.start..end).unwrap_or_default();
        let path = text.split([' ', '\t', ',', ')', ']']).next().unwrap_or_default();
        let span = Span::new(self.file, first.start, first.start + path.len());
        let right = format!("\"{path}\"");
        let mistake = match after {
            "[" => SyntaxMistake::BarePathInList { right: &right },
            _ => SyntaxMistake::BarePath { after, right: &right },
        };
        self.report_with_fix(mistake, span, &right);
        if path.len() < text.len() {
            // The rest was tokenised as part of the regex.
            self.stop();
        }
    }

    /// Reports a text without quotes; after `under`, a shell variable for a directory becomes the keyword for that
    /// directory, such as `home`.
    fn bare_text(&mut self, after: &str) {
        let Some(first) = self.advance() else { return };
        let last = self.end_of_bare_text(first);
        let text = self.slice(first, last);
        let span = self.across(first, last);
        // A shell variable such as `$HOME` may mean the same as a keyword for a directory.
        let place = phrases::meaning(PhrasePlace::Directory, text);
        let right = match place.filter(|_| matches!(after, "under" | "outside")) {
            Some(place) => place.to_owned(),
            None => format!("\"{}\"", path_after_variable(text).unwrap_or_else(|| text.to_owned())),
        };
        self.report_with_fix(SyntaxMistake::BareText { after, right: &right }, span, &right);
    }

    /// Moves past all tokens attached to the token `first`, including `{a,b}`, and returns the last of them.
    pub(super) fn end_of_bare_text(&mut self, first: Token) -> Token {
        let mut last = first;
        let mut braces = 0_usize;
        while self.glued(0) {
            match self.text() {
                "{" => braces += 1,
                "}" if braces > 0 => braces -= 1,
                "," if braces > 0 => {}
                "," | ")" | "]" | "}" => break,
                _ => {}
            }
            let Some(next) = self.advance() else { break };
            last = next;
        }
        last
    }

    /// Reports an excluded glob without quotes: `path like !docs/**`.
    fn negated_glob(&mut self, after: &str) {
        let Some(first) = self.advance() else { return };
        let last = self.end_of_bare_text(first);
        let span = self.across(first, last);
        let glob = self.slice(first, last).trim_start_matches('!');
        let glob = glob.trim_matches(['"', '\'']);
        let listed = format!("\"!{glob}\"");
        if after == "[" {
            return self.report_with_fix(SyntaxMistake::BareText { after, right: &listed }, span, &listed);
        }
        let right = format!("{after} [\"**\", {listed}]");
        let place = format!("[\"**\", {listed}]");
        self.report_with_fix(SyntaxMistake::NegatedGlob { right: &right }, span, place);
    }

    /// Reports a list in which every element lacks its quotes. Returns whether it is one; else the cursor does not
    /// move.
    fn bare_list(&mut self) -> bool {
        let from = self.at;
        let Some(opener) = self.advance() else { return false };
        let mut elements = Vec::new();
        let mut close = None;
        while let Some(first) = self.peek() {
            if first.text(self.source) == "]" {
                close = self.advance();
                break;
            }
            let is_glob = matches!(first.kind, TokenKind::Word | TokenKind::Number)
                || matches!(self.text(), "*" | "**" | "." | "~" | "!");
            if !is_glob || words::CLAUSES.contains(&self.text()) && self.first_on_line() {
                break;
            }
            self.at += 1;
            let last = self.end_of_bare_text(first);
            elements.push(format!("\"{}\"", self.slice(first, last)));
            let _separated = self.eat(",");
        }
        let has_path_signs = elements.iter().any(|element| element.contains(['*', '/', '?', '~', '.']));
        let Some(close) = close.filter(|_| has_path_signs && elements.len() > 1) else {
            self.at = from;
            return false;
        };
        let right = format!("[{}]", elements.join(", "));
        let span = self.across(opener, close);
        self.report_with_fix_at(SyntaxMistake::BareList { right: &right }, self.span_of(opener), span, &right);
        true
    }

    /// Reads a literal: a string, number, regex, JSONPath, list or map.
    pub(super) fn literal(&mut self) {
        if self.report_malformed_token() {
            return;
        }
        let Some(token) = self.peek() else { return };
        match token.kind {
            TokenKind::OpenBracket if self.text() == "[" => self.list(),
            TokenKind::OpenBracket if self.text() == "{" => self.map(),
            // The `-` of a negative number, and the number.
            TokenKind::Punctuation => self.at += 2,
            TokenKind::JsonPath => self.json_path(),
            TokenKind::Number if self.spaced_quantity(0).is_some() => self.quantity(token),
            TokenKind::Number if self.text().contains('_') => {
                let right = self.text().replace('_', "");
                self.report_with_fix(SyntaxMistake::DigitGroups { right: &right }, self.span_of(token), &right);
                self.at += 1;
            }
            _ => {
                self.at += 1;
                self.end_of_time_range(token);
                self.glued_text(token);
            }
        }
    }

    /// Returns `5m` for the tokens `5 minutes`, `at` tokens ahead; `None` if there is no quantity.
    pub(super) fn spaced_quantity(&self, at: usize) -> Option<String> {
        let number = self.nth(at).filter(|token| token.kind == TokenKind::Number)?;
        let word = self.nth(at + 1).filter(|token| token.kind == TokenKind::Word)?;
        quantity_with_unit(self.slice(number, word))
    }

    /// Reports a number and its unit in two words: `5 minutes`.
    fn quantity(&mut self, number: Token) {
        let (Some(right), Some(word)) = (self.spaced_quantity(0), self.nth(1)) else { return };
        let span = self.across(number, word);
        self.report_with_fix(SyntaxMistake::SpacedUnit { unit: word.text(self.source), right: &right }, span, &right);
        self.at += 2;
    }

    /// Reads a JSONPath in backticks, and reports one that does not begin with `$`.
    pub(super) fn json_path(&mut self) {
        let Some(token) = self.advance() else { return };
        let inner = token.text(self.source).trim_matches('`').trim();
        if !inner.starts_with('$') {
            let right = format!("`$.{}`", inner.trim_start_matches('.'));
            let span = self.span_of(token);
            self.report_with_fix(SyntaxMistake::JsonPathWithoutRoot { right: &right }, span, &right);
        }
    }

    /// Reports text directly after the closing quote of a string.
    pub(super) fn glued_text(&mut self, string: Token) {
        let quoted = matches!(string.kind, TokenKind::Text);
        if !quoted
            || !self.glued(0)
            || !matches!(
                self.kind(),
                Some(TokenKind::Word | TokenKind::Number | TokenKind::Text | TokenKind::UnclosedText)
            )
        {
            return;
        }
        let mistake = match string.text(self.source).starts_with('\'') {
            true => SyntaxMistake::TextAfterRaw {},
            false => SyntaxMistake::TextAfterQuote {},
        };
        let span = self.here();
        let end = self.span_of(string).end_position();
        let closing = Span { start: end.start.saturating_sub(1), ..end };
        self.add(mistake.at(span).label(closing, STRING_ENDS));
        self.stop();
    }

    /// Reads a string, or reports that it is missing. Returns whether there was one, even if invalid.
    pub(super) fn string(&mut self, slot: RequiredString<'_>) -> bool {
        let RequiredString { what, form } = slot;
        if self.report_malformed_token() || self.prefixed_string() || self.bare_string(what) {
            return true;
        }
        if self.kind() == Some(TokenKind::Text) {
            if let Some(token) = self.advance() {
                self.glued_text(token);
            }
            return true;
        }
        let found = &self.describe();
        let mistake = match found.contains("<") {
            true => SyntaxMistake::HereDocument { what },
            false => SyntaxMistake::MissingString { what, found, form },
        };
        self.report(mistake, self.here());
        self.stop();
        false
    }

    /// Reports a string with a prefix: `f"text"`. Returns whether there was one.
    fn prefixed_string(&mut self) -> bool {
        let word = self.text();
        let is_prefix = matches!(word, "f" | "F" | "r" | "R" | "b" | "B" | "rb" | "fr");
        if !is_prefix || !self.glued(1) || self.nth(1).is_none_or(|next| next.kind != TokenKind::Text) {
            return false;
        }
        self.report_with_fix(SyntaxMistake::PrefixedString { word }, self.here(), "");
        self.at += 2;
        true
    }

    /// Reports a text without quotes, or in backticks, in place of a string. Returns whether there was one.
    fn bare_string(&mut self, what: &str) -> bool {
        let is_bare = matches!(self.kind(), Some(TokenKind::Word | TokenKind::Number | TokenKind::JsonPath))
            || matches!(self.text(), "`" | "." | "~" | "*" | "$");
        let Some(from) = self.peek().filter(|_| is_bare) else { return false };
        let last = self.rest_of_line(from);
        let in_backticks = from.kind == TokenKind::JsonPath && from == last;
        let text = self.slice(from, last).trim_matches([' ', '\t', '`']);
        // The text may be a template literal of JavaScript, whose placeholder `${x}` is `{x}` here.
        let text = &if in_backticks { text.replace("${", "{") } else { text.to_owned() };
        let right = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let span = self.across(from, last);
        let right = right.as_str();
        let mistake = match right.chars().count() > 70 {
            _ if in_backticks => SyntaxMistake::TextInBackticks { what, right },
            true => SyntaxMistake::BareLongString { what },
            false => SyntaxMistake::BareString { what, right },
        };
        // A word may be meant as the name of a `let`, whose text would be lost.
        let is_name = from == last && from.kind == TokenKind::Word;
        self.add(match is_name {
            true => mistake.at(span).fix_that_changes(span, right),
            false => mistake.at(span).fix(span, right),
        });
        true
    }

    /// Moves from a token to the end of its line, or to the options of the effect, and returns the last token before
    /// it.
    fn rest_of_line(&mut self, from: Token) -> Token {
        self.at += 1;
        let mut last = from;
        while let Some(token) = self.peek() {
            if self.first_on_line()
                || matches!(self.text(), "{" | "}" | "," | "]" | ")")
                || token.kind == TokenKind::Text
            {
                break;
            }
            last = token;
            self.at += 1;
        }
        last
    }

    /// Reads `[a, ...b]`.
    pub(super) fn list(&mut self) {
        if self.bare_list() {
            return;
        }
        self.bracketed("]", |cursor| {
            if cursor.eat("...") {
                if cursor.kind() == Some(TokenKind::Word) {
                    cursor.at += 1;
                }
                return;
            }
            if cursor.comprehension() {
                return;
            }
            cursor.value("[");
        });
    }

    /// Reads `{ key: value, … }`.
    pub(super) fn map(&mut self) {
        self.bracketed("}", |cursor| {
            if cursor.key() && cursor.colon_after_key() {
                cursor.value_of_key();
            }
        });
    }

    /// Reads a key. Returns whether more text of the entry follows it.
    fn key(&mut self) -> bool {
        let takes_path =
            matches!(self.text(), "file_exists" | "file_size" | "git.branch" | "git.remote" | "git.worktree");
        match self.kind() {
            Some(TokenKind::Word) => self.at += 1,
            Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::TypographicText) => self.literal(),
            _ => {
                let found = self.describe();
                self.report(SyntaxMistake::NotAKey { found: &found }, self.here());
                self.stop();
            }
        }
        if takes_path && !self.stopped && self.kind() == Some(TokenKind::Text) {
            self.at += 1;
        }
        !self.stopped && !matches!(self.text(), "," | "}" | "")
    }

    /// Reads the colon after a key. Returns whether a value should follow.
    fn colon_after_key(&mut self) -> bool {
        if self.eat(":") {
            return true;
        }
        match self.text() {
            mark @ ("=" | "=>" | "->" | ":=" | "==") => {
                self.report_with_fix(SyntaxMistake::ForeignColon { mark }, self.here(), ":");
                self.at += 1;
            }
            _ if self.at_value() => {
                let place = self.end_of_previous();
                self.report_with_fix(SyntaxMistake::MissingColon {}, place, ":");
            }
            _ => return false,
        }
        true
    }

    /// Reads the value after a key and its colon.
    fn value_of_key(&mut self) {
        if matches!(self.text(), "," | "}" | "") {
            let place = self.end_of_previous();
            return self.report(SyntaxMistake::KeyWithoutValue {}, place);
        }
        if self.kind() != Some(TokenKind::Word) {
            return self.value(":");
        }
        let word = self.text();
        self.at += 1;
        if self.text() == "(" && self.glued(0) && self.text_at(1) == ")" {
            let place = self.nth(1).map_or(self.here(), |close| self.here().joined_with(self.span_of(close)));
            self.report_with_fix(SyntaxMistake::CallOfField { word }, place, "");
            self.at += 2;
        }
        if self.glued(0) && matches!(self.text(), "/" | "*" | ":" | "-" | "." | "@") {
            self.at -= 1;
            return self.bare_text(":");
        }
        if self.text() == "+" {
            self.sum_as_value(self.at - 1);
        }
    }

    /// Reports `files: files + ["x"]` in a map, up to the end of the entry. `from` is the index of the first list.
    fn sum_as_value(&mut self, from: usize) {
        let (plus, mut depth) = (self.here(), 0_usize);
        let rest = self.tokens.get(from..).unwrap_or_default();
        let is_end = |token: &Token| {
            match token.text(self.source) {
                "[" | "{" | "(" => depth += 1,
                "]" | "}" | ")" if depth == 0 => return true,
                "]" | "}" | ")" => depth -= 1,
                "," => return depth == 0,
                _ => {}
            }
            false
        };
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        let tokens = rest.get(..length).unwrap_or_default();
        super::item::sum_of_lists_in(self, plus, tokens);
    }

    /// Reads the elements between the bracket at the cursor and its closing bracket; `element` reads one of them.
    pub(super) fn bracketed(&mut self, close: &str, mut element: impl FnMut(&mut Self)) {
        let Some(opener) = self.advance() else { return };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.stop();
        }
        while !self.stopped && !self.eat(close) {
            if self.at >= self.tokens.len() {
                self.report_unclosed(opener);
                self.stop();
            } else if self.text() == "," {
                self.report_with_fix(SyntaxMistake::LeadingComma {}, self.here(), "");
                self.at += 1;
            } else {
                let before = self.at;
                element(self);
                if !self.stopped && !self.eat(",") && self.text() != close && self.at < self.tokens.len() {
                    self.separator(opener, before);
                }
            }
        }
        self.depth -= 1;
    }

    /// Reports the text between two elements in place of a comma; the first one began at the index `before`.
    fn separator(&mut self, opener: Token, before: usize) {
        // A closing bracket of another kind, or a clause on the next line, shows that this bracket was not closed.
        let begins_clause = self.first_on_line() && words::CLAUSES.contains(&self.text());
        if self.kind() == Some(TokenKind::CloseBracket) || begins_clause {
            self.report_unclosed(opener);
            self.stop();
        } else if matches!(self.text(), ";" | "|") {
            self.report_with_fix(SyntaxMistake::BetweenElements { mark: self.text() }, self.here(), ",");
            self.at += 1;
        } else if self.at == before {
            let found = self.describe();
            self.report(SyntaxMistake::NotAnElement { found: &found }, self.here());
            self.stop();
        } else {
            let place = self.end_of_previous();
            self.report_with_fix(SyntaxMistake::MissingComma {}, place, ",");
        }
    }
}
