//! Values, lists, maps and strings.

use super::Cursor;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::syntax::limits::MAX_DEPTH;
use crate::syntax::token::{Kind, Token};
use crate::syntax::words;

impl Cursor<'_> {
    /// Whether the next token can begin a value.
    pub(super) fn at_value(&self) -> bool {
        match self.kind() {
            Some(
                Kind::Text
                | Kind::OpenText
                | Kind::OpenBlock
                | Kind::SmartText
                | Kind::Number
                | Kind::Regex
                | Kind::OpenRegex
                | Kind::JsonPath
                | Kind::OpenJsonPath,
            ) => true,
            Some(Kind::Open) => self.text() == "[",
            Some(Kind::Mark) => self.text() == "-" && self.nth(1).is_some_and(|next| next.kind == Kind::Number),
            _ => false,
        }
    }

    /// Reads a value of a condition, where the words of the language are none.
    pub(super) fn value(&mut self, after: &str) {
        if self.done() {
            return self.missing_value(after);
        }
        let path = matches!(self.kind(), Some(Kind::Regex | Kind::OpenRegex))
            && matches!(after, "under" | "outside" | "like" | "in" | "[");
        if path {
            return self.bare_path(after);
        }
        if self.at_value() || self.text() == "{" {
            return self.literal();
        }
        let word = self.text();
        if self.kind() == Some(Kind::Word) && (matches!(word, "true" | "false" | "null") || !words::is_reserved(word)) {
            return self.name(after);
        }
        if self.text() == "$" || self.text() == "~" || self.text() == "*" || self.text() == "." {
            return self.bare_text(after);
        }
        self.missing_value(after);
    }

    fn missing_value(&mut self, after: &str) {
        let span = self.after();
        let example = match after {
            "in" => "in [\"a\", \"b\"]",
            "matches" => "matches /…/",
            "[" | ":" => "\"…\"",
            _ => "",
        };
        let example = if example.is_empty() { format!("{after} \"…\"") } else { example.to_owned() };
        let message =
            if after == "[" { "an element is missing".to_owned() } else { format!("`{after}` without a value") };
        self.syntax(span, message, "a value is missing here", format!("write `{example}`"));
        self.stop_unless_joined();
    }

    /// Goes on at the next `and` or `or`, if there is one.
    pub(super) fn stop_unless_joined(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => return,
                Kind::Close => depth -= 1,
                Kind::Word if depth == 0 && matches!(self.text(), "and" | "or") => return,
                Kind::Word if depth == 0 && self.first_on_line() => return self.stop(),
                _ => {}
            }
            self.at += 1;
        }
        self.stop();
    }

    /// A word as a value: a `let` or field, or text whose quotes were forgotten.
    fn name(&mut self, after: &str) {
        let Some(first) = self.advance() else { return };
        let glued_mark = |text: &str| matches!(text, "*" | "/" | "." | ":" | "?" | "~" | "-" | "@" | "$");
        if first.text(self.source).contains('/') || (self.glued(0) && glued_mark(self.text())) {
            self.at -= 1;
            self.bare_text(after);
        }
    }

    /// A path without quotes, which looks like a regex: `/etc`, `/var/log/*`.
    fn bare_path(&mut self, after: &str) {
        let Some(first) = self.advance() else { return };
        let mut end = first.end;
        while let Some(next) = self.peek().filter(|_| self.glued(0) && !matches!(self.text(), "," | ")" | "]")) {
            end = next.end;
            self.at += 1;
        }
        let text = self.source.get(first.start..end).unwrap_or_default();
        let path = text.split([' ', '\t', ',', ')', ']']).next().unwrap_or_default();
        let span = crate::span::Span::new(self.file, first.start, first.start + path.len());
        let right = format!("\"{path}\"");
        let fix = Fix { span, replacement: right.clone() };
        let message = format!("a path without quotes after `{after}`").replace("after `[`", "in a list");
        self.syntax_fix(span, message, "a path stands in quotes", format!("write `{right}`"), fix);
        if path.len() < text.len() {
            // The rest was read as part of the regex.
            self.stop();
        }
    }

    /// Text that should have quotes around it.
    fn bare_text(&mut self, after: &str) {
        let Some(first) = self.advance() else { return };
        let mut last = first;
        while self.glued(0) && !matches!(self.text(), "," | ")" | "]" | "}") {
            let Some(next) = self.advance() else { break };
            last = next;
        }
        let text = self.slice(first, last);
        let span = self.span_of(first).to(self.span_of(last));
        let right = format!("\"{text}\"");
        let fix = Fix { span, replacement: right.clone() };
        self.syntax_fix(
            span,
            format!("text without quotes after `{after}`"),
            "a string stands in quotes",
            format!("write `{right}`"),
            fix,
        );
    }

    /// Reads a literal.
    pub(super) fn literal(&mut self) {
        if self.open_token() {
            return;
        }
        let Some(token) = self.peek() else { return };
        match token.kind {
            Kind::Open if self.text() == "[" => self.list(),
            Kind::Open if self.text() == "{" => self.map(),
            Kind::Mark => self.at += 2,
            Kind::JsonPath => self.json_path(),
            _ => {
                self.at += 1;
                self.glued_text(token);
            }
        }
    }

    /// Reads a JSONPath.
    pub(super) fn json_path(&mut self) {
        let Some(token) = self.advance() else { return };
        let inner = token.text(self.source).trim_matches('`').trim();
        if !inner.starts_with('$') {
            let right = format!("`$.{}`", inner.trim_start_matches('.'));
            let span = self.span_of(token);
            let fix = Fix { span, replacement: right.clone() };
            self.syntax_fix(
                span,
                "a JSONPath begins with `$`",
                "backticks hold a JSONPath",
                format!("write {right}, or a string in quotes"),
                fix,
            );
        }
    }

    /// Reports text right behind a closing quote.
    pub(super) fn glued_text(&mut self, string: Token) {
        let quoted = matches!(string.kind, Kind::Text);
        if !quoted
            || !self.glued(0)
            || !matches!(self.kind(), Some(Kind::Word | Kind::Number | Kind::Text | Kind::OpenText))
        {
            return;
        }
        let quote = string.text(self.source).get(..1).unwrap_or("\"");
        let help = match quote {
            "'" => "write it between double quotes: a `'…'` string ends at the next `'`",
            _ => "write `\\\"` for a quote inside of the string, or close the string where it should end",
        };
        let span = self.here();
        let end = self.span_of(string).after();
        let diagnostic = Diagnostic::new(Code::UNTERMINATED, "text directly after a closing quote")
            .label(span, "still meant as part of the string?")
            .label(crate::span::Span { start: end.start.saturating_sub(1), ..end }, "the string ends here")
            .help(help);
        self.report(diagnostic);
        self.stop();
    }

    /// Reads a string, or says that one is missing. `example` shows how the clause looks.
    pub(super) fn string(&mut self, what: &str, example: &str) -> bool {
        if self.open_token() {
            return true;
        }
        if self.kind() == Some(Kind::Text) {
            if let Some(token) = self.advance() {
                self.glued_text(token);
            }
            return true;
        }
        if matches!(self.kind(), Some(Kind::Word | Kind::Number))
            || matches!(self.text(), "`" | "." | "~" | "*" | "$")
            || self.kind() == Some(Kind::JsonPath)
        {
            let from = self.peek();
            let quoted = self.rest_of_line();
            if let Some((from, last)) = from.zip(quoted) {
                let text = self.slice(from, last).trim_matches([' ', '\t', '`']);
                let right = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
                let span = self.span_of(from).to(self.span_of(last));
                let fix = Fix { span, replacement: right.clone() };
                let help = if right.chars().count() > 70 {
                    "put it in double quotes".to_owned()
                } else {
                    format!("write `{right}`")
                };
                self.syntax_fix(span, format!("{what} without quotes"), "text stands in quotes", help, fix);
            }
            return true;
        }
        let span = self.here();
        let found =
            if self.done() { "missing here".to_owned() } else { format!("expected here, not {}", self.describe()) };
        self.syntax(span, format!("{what} is missing"), found, format!("write `{example}`"));
        self.stop();
        false
    }

    /// Skips to the end of the line or the options, and gives the last token skipped.
    fn rest_of_line(&mut self) -> Option<Token> {
        let mut last = self.advance()?;
        while let Some(token) = self.peek() {
            if self.first_on_line() || matches!(self.text(), "{" | "}" | "," | "]" | ")") || token.kind == Kind::Text {
                break;
            }
            last = token;
            self.at += 1;
        }
        Some(last)
    }

    pub(super) fn list(&mut self) {
        self.bracketed("]", |cursor| {
            if cursor.eat("...") {
                if cursor.kind() == Some(Kind::Word) {
                    cursor.at += 1;
                }
                return;
            }
            cursor.value("[");
        });
    }

    /// Reads `{ key: value, … }`.
    pub(super) fn map(&mut self) {
        self.bracketed("}", |cursor| {
            let file_key = matches!(cursor.text(), "file_exists" | "file_size");
            match cursor.kind() {
                Some(Kind::Word) => cursor.at += 1,
                Some(Kind::Text | Kind::OpenText | Kind::SmartText) => cursor.literal(),
                _ => {
                    let span = cursor.here();
                    let message = format!("{} where a key should stand", cursor.describe());
                    cursor.syntax(span, message, "no key", "write `key: value`, with a comma between the entries");
                    return cursor.stop();
                }
            }
            if file_key && cursor.kind() == Some(Kind::Text) {
                cursor.at += 1;
            }
            if cursor.stopped || matches!(cursor.text(), "," | "}" | "") {
                return;
            }
            if !cursor.eat(":") {
                let span = cursor.here();
                match cursor.text() {
                    mark @ ("=" | "=>" | "->" | ":=" | "==") => {
                        cursor.foreign(span, format!("`{mark}` between a key and its value"), "a map has colons", ":");
                        cursor.at += 1;
                    }
                    _ if cursor.at_value() => {
                        let place = cursor.after();
                        let fix = Fix { span: place, replacement: ":".to_owned() };
                        cursor.syntax_fix(
                            place,
                            "a colon is missing in a map",
                            "after the key",
                            "write `key: value`",
                            fix,
                        );
                    }
                    _ => return,
                }
            }
            if matches!(cursor.text(), "," | "}" | "") {
                let place = cursor.after();
                cursor.syntax(place, "a key without a value", "the value is missing here", "write `key: value`");
                return;
            }
            match cursor.kind() {
                Some(Kind::Word) => {
                    cursor.at += 1;
                    if cursor.glued(0) && matches!(cursor.text(), "/" | "*" | ":" | "-" | "." | "@") {
                        cursor.at -= 1;
                        cursor.bare_text(":");
                    }
                }
                _ => cursor.value(":"),
            }
        });
    }

    /// Reads the elements between the bracket at the cursor and its closing one.
    pub(super) fn bracketed(&mut self, close: &str, mut element: impl FnMut(&mut Self)) {
        let Some(opener) = self.advance() else { return };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.stop();
        }
        loop {
            if self.stopped {
                break;
            }
            if self.eat(close) {
                break;
            }
            if self.at >= self.tokens.len() {
                self.unclosed(opener);
                self.stop();
                break;
            }
            if self.text() == "," {
                let span = self.here();
                let fix = Fix { span, replacement: String::new() };
                self.syntax_fix(span, "a comma with nothing before it", "nothing to separate", "delete it", fix);
                self.at += 1;
                continue;
            }
            let before = self.at;
            element(self);
            if self.stopped || self.eat(",") {
                continue;
            }
            if self.text() == close || self.at >= self.tokens.len() {
                continue;
            }
            // A bracket of another kind, or a clause on the next line: this one was never closed.
            let clause = self.first_on_line() && words::CLAUSES.contains(&self.text());
            if self.kind() == Some(Kind::Close) || clause {
                self.unclosed(opener);
                self.stop();
                break;
            }
            if self.text() == ";" || self.text() == "|" {
                let span = self.here();
                self.foreign(
                    span,
                    format!("`{}` between elements", self.text()),
                    "elements are separated by commas",
                    ",",
                );
                self.at += 1;
                continue;
            }
            if self.at == before {
                let span = self.here();
                let message = format!("{} is no element", self.describe());
                self.syntax(span, message, "not expected here", "separate the elements with commas");
                self.stop();
                break;
            }
            let place = self.after();
            let fix = Fix { span: place, replacement: ",".to_owned() };
            self.syntax_fix(place, "a comma is missing", "between this and the next element", "write `,` here", fix);
        }
        self.depth -= 1;
    }
}
