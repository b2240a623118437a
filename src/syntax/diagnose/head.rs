//! Events, selectors, examples and names of rules.

use super::Cursor;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::syntax::token::{Kind, Token};
use crate::syntax::words;

impl Cursor<'_> {
    /// Reads `EVENT[(SEL|…)], …`.
    pub(super) fn heads(&mut self) {
        loop {
            self.head();
            if self.done() {
                return;
            }
            let span = self.here();
            let word = self.text();
            match word {
                "," => self.at += 1,
                "|" | "or" | "and" | "||" | "/" | "&" => {
                    let from = self.after();
                    let gap = crate::span::Span { start: from.end, ..span };
                    let diagnostic = Diagnostic::new(Code::FOREIGN_OPERATOR, format!("`{word}` between events"))
                        .label(span, "events are separated by commas")
                        .help("write `,`")
                        .fix(gap, ",");
                    self.report(diagnostic);
                    self.at += 1;
                }
                _ if self.kind() == Some(Kind::Word) && !words::is_reserved(word) && !self.first_on_line() => {
                    let place = self.after();
                    let fix = Fix { span: place, replacement: ",".to_owned() };
                    self.syntax_fix(
                        place,
                        "a comma is missing between events",
                        "after this event",
                        "write `,` here",
                        fix,
                    );
                }
                _ => return,
            }
        }
    }

    fn head(&mut self) {
        let span = self.here();
        match self.kind() {
            Some(Kind::Word) if !words::is_reserved(self.text()) => self.at += 1,
            Some(Kind::Mark) if self.text() == "*" => self.at += 1,
            Some(Kind::Text) => {
                let name = self.text().trim_matches(['"', '\'']);
                let fix = Fix { span, replacement: name.to_owned() };
                self.syntax_fix(span, "an event in quotes", "events are plain names", format!("write `{name}`"), fix);
                self.at += 1;
            }
            Some(Kind::Open) if self.text() == "[" => {
                let help = "write the events behind each other: `on PreToolUse, Stop`";
                self.syntax(span, "a list of events in brackets", "events need no brackets", help);
                return self.stop();
            }
            _ => {
                let place = self.after();
                self.syntax(
                    place,
                    "an event is missing",
                    "expected here",
                    "write `on PreToolUse`, or `on *` for every event",
                );
                return self.stop();
            }
        }
        if self.text() == ":" && self.glued(0) {
            let span = self.here();
            let help = "write what follows in parentheses: `on PreToolUse(Bash)`";
            self.syntax(span, "`:` after an event", "a selector stands in parentheses", help);
            return self.stop();
        }
        if self.text() == "(" {
            self.parenthesised_selectors();
        }
    }

    fn parenthesised_selectors(&mut self) {
        let Some(opener) = self.advance() else { return };
        if self.host_permission(opener) {
            return;
        }
        if self.text() == ")" {
            let place = self.after();
            self.syntax(
                place,
                "parentheses without a selector",
                "a selector is missing here",
                "write a selector, or delete the parentheses",
            );
            self.at += 1;
            return;
        }
        self.selectors("(");
        if self.stopped || self.eat(")") {
            return;
        }
        let clause = self.first_on_line();
        if self.at >= self.tokens.len() || clause {
            self.unclosed(opener);
        } else {
            let span = self.here();
            let message = format!("{} inside of a selector", self.describe());
            self.syntax(
                span,
                message,
                "not a part of a glob",
                "put the selector in quotes if it holds more than letters, digits and `_-.:*?[]!`",
            );
        }
        self.stop();
    }

    /// Reports `PreToolUse(Bash(git push:*))`, the host's own form of a permission.
    fn host_permission(&mut self, opener: Token) -> bool {
        let is_tool = self.kind() == Some(Kind::Word) && self.text_at(1) == "(" && self.glued(1);
        let Some(tool) = self.peek().filter(|_| is_tool) else { return false };
        let rest = self.tokens.get(self.at + 2..).unwrap_or_default();
        let last = rest.iter().take_while(|token| token.text(self.source) != ")").last().copied();
        let inner = rest.first().zip(last).map_or("", |(first, last)| self.slice(*first, last));
        let pattern = inner.trim_end_matches(":*").trim_end_matches(" *").trim();
        let span = self.span_of(tool).to(last.map_or(self.span_of(opener), |last| self.span_of(last)));
        let name = tool.text(self.source);
        let help = if name == "Bash" {
            format!("write `on PreToolUse(Bash)` and `when runs \"{pattern}\"`")
        } else {
            format!("write `on PreToolUse({name})` and say the rest in a `when` clause")
        };
        self.syntax(span, "a permission pattern of the host", "a selector is the name of a tool", help);
        self.stop();
        true
    }

    /// Reads `SEL|SEL…`.
    pub(super) fn selectors(&mut self, after: &str) {
        loop {
            self.selector(after);
            if self.done() {
                return;
            }
            let span = self.here();
            let word = self.text();
            match word {
                "|" => self.at += 1,
                "," | "or" | "||" | "and" | "&&" | "&" => {
                    let from = self.after();
                    let next = self.nth(1).map_or(span.end as usize, |next| next.start);
                    let gap = crate::span::Span::new(span.file, from.end as usize, next);
                    let diagnostic = Diagnostic::new(Code::FOREIGN_OPERATOR, format!("`{word}` between selectors"))
                        .label(span, "selectors are separated by `|`")
                        .help("write `|`")
                        .fix(gap, "|");
                    self.report(diagnostic);
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    fn selector(&mut self, after: &str) {
        if self.kind() == Some(Kind::Word) && self.text() == "not" {
            let span = self.here();
            let next = self.nth(1).map_or(span.end as usize, |next| next.start);
            let diagnostic = Diagnostic::new(Code::FOREIGN_OPERATOR, "`not` in front of a selector")
                .label(span, "a selector is excluded by `!`")
                .help("write `!`")
                .fix(crate::span::Span::new(span.file, span.start as usize, next), "!");
            self.report(diagnostic);
            self.at += 1;
        }
        if self.text() == "!" {
            self.at += 1;
        }
        let span = self.here();
        match self.kind() {
            Some(Kind::Regex | Kind::OpenRegex) => {
                let inner = self.text().trim_matches('/');
                let help =
                    format!("a selector is a glob: write `{}`", inner.replace(".*", "*").replace(['^', '$'], ""));
                self.syntax(span, "a regex as a selector", "not a glob", help);
                self.at += 1;
            }
            Some(Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText) => self.literal(),
            Some(Kind::Word | Kind::Number) => self.bare_selector(),
            Some(Kind::Mark) if matches!(self.text(), "*" | "?" | "." | ":" | "-" | "!") => self.bare_selector(),
            Some(Kind::Open) if self.text() == "[" => self.bare_selector(),
            _ => {
                let place = self.after();
                let example = if after == "by" { "by reviewer" } else { "PreToolUse(Bash)" };
                self.syntax(place, "a selector is missing", "expected here", format!("write `{example}`"));
                self.stop();
            }
        }
    }

    fn bare_selector(&mut self) {
        let Some(first) = self.advance() else { return };
        let mut last = first;
        while self.glued(0) && !matches!(self.text(), "|" | "," | "(" | ")" | "||") {
            let Some(next) = self.advance() else { break };
            last = next;
        }
        let text = self.slice(first, last);
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.:*?[]!".contains(c);
        if !text.chars().all(plain) {
            let span = self.span_of(first).to(self.span_of(last));
            let right = format!("\"{text}\"");
            let fix = Fix { span, replacement: right.clone() };
            self.syntax_fix(
                span,
                "a selector that needs quotes",
                "more than letters, digits and `_-.:*?[]!`",
                format!("write `{right}`"),
                fix,
            );
        }
    }

    /// Reads `on EXAMPLE, …` after `fires`, `quiet` or `unknown`.
    pub(super) fn examples(&mut self, word: &str) {
        if !self.eat("on") {
            let place = self.after();
            let fix = Fix { span: place, replacement: " on".to_owned() };
            self.syntax_fix(
                place,
                format!("`{word}` without `on`"),
                "`on` is missing here",
                format!("write `{word} on \"…\"`"),
                fix,
            );
        }
        if self.text() == ":" {
            let span = self.here();
            self.foreign(span, format!("`:` after `{word} on`"), "a clause has none", "");
            self.at += 1;
        }
        loop {
            self.example(&format!("{word} on"));
            if self.done() {
                return;
            }
            if self.eat(",") {
                continue;
            }
            let starts = matches!(self.kind(), Some(Kind::Text | Kind::OpenText | Kind::SmartText))
                || self.kind() == Some(Kind::Word) && !words::is_reserved(self.text());
            if !starts {
                return;
            }
            let place = self.after();
            let fix = Fix { span: place, replacement: ",".to_owned() };
            let help = if self.first_on_line() { "write `,` at the end of the line" } else { "write `,` here" };
            self.syntax_fix(place, "a comma is missing between examples", "after this example", help, fix);
        }
    }

    /// Reads one example.
    pub(super) fn example(&mut self, after: &str) {
        let from = self.at;
        if self.kind() == Some(Kind::Word) && !words::is_reserved(self.text()) && self.text() != "with" {
            self.at += 1;
            if self.text() == "(" && self.glued(0) {
                let Some(opener) = self.advance() else { return };
                self.selector("(");
                if !self.stopped && !self.eat(")") {
                    if self.at >= self.tokens.len() || self.first_on_line() {
                        self.unclosed(opener);
                    } else {
                        let span = self.here();
                        let help = "an example names one subject: `SubagentStop(coder)`; quote it if it holds other characters";
                        let message = format!("{} in the subject of an example", self.describe());
                        self.syntax(span, message, "not expected here", help);
                    }
                    self.stop();
                }
            }
        }
        if matches!(self.kind(), Some(Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText)) {
            self.literal();
        }
        if !self.stopped && self.eat("by") {
            self.selector("by");
        }
        if !self.stopped && self.eat("with") {
            if self.text() == "{" {
                self.map();
            } else {
                let place = self.after();
                self.syntax(
                    place,
                    "`with` without braces",
                    "facts stand in braces",
                    "write `with { git.branch: \"main\" }`",
                );
                self.stop_at_comma();
            }
        }
        if !self.stopped && self.text() == "{" {
            self.map();
        }
        if !self.stopped && matches!(self.text(), "by" | "with") && self.at > from {
            let span = self.here();
            let help = "the order is: tool or event, text, `by`, `with { facts }`, `{ fields }`";
            self.syntax(span, format!("`{}` in the wrong place", self.text()), "comes earlier", help);
            return self.stop();
        }
        if self.at == from && !self.stopped {
            let place = self.after();
            let help = format!("write `{after} \"git push\"`, `{after} Read \".env\"`");
            let found = if self.done() {
                "expected here".to_owned()
            } else {
                format!("expected here, before {}", self.describe())
            };
            self.syntax(place, format!("`{after}` without an example"), found, help);
            self.stop();
        }
    }

    fn stop_at_comma(&mut self) {
        while self.peek().is_some() && self.text() != "," {
            self.at += 1;
        }
    }

    /// Reads `RULE, …`.
    pub(super) fn rule_names(&mut self) {
        loop {
            let span = self.here();
            match self.kind() {
                Some(Kind::Word | Kind::Number) => self.at += 1,
                Some(Kind::Text) => {
                    let name = self.text().trim_matches(['"', '\'']);
                    let fix = Fix { span, replacement: name.to_owned() };
                    self.syntax_fix(
                        span,
                        "the name of a rule in quotes",
                        "rules are plain names",
                        format!("write `{name}`"),
                        fix,
                    );
                    self.at += 1;
                }
                _ => {
                    let place = self.after();
                    self.syntax(
                        place,
                        "the name of a rule is missing",
                        "expected here",
                        "write the name as it stands behind `rule`",
                    );
                    return self.stop();
                }
            }
            if !self.eat(",") {
                return;
            }
        }
    }
}
