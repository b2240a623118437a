//! Events, selectors, examples and names of rules.

use super::Cursor;
use crate::syntax::mistakes::{Mistake, Part};
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
                "," => {
                    self.at += 1;
                    if self.kind().is_none() || self.kind() == Some(Kind::Word) && words::is_reserved(self.text()) {
                        return self.report(Mistake::TrailingComma { after: Part::Event.name() }, span);
                    }
                }
                "|" | "or" | "and" | "||" | "/" | "&" => {
                    let from = self.after();
                    let gap = crate::span::Span { start: from.end, ..span };
                    self.mend_at(Mistake::BetweenEvents { word }, span, gap, ",");
                    self.at += 1;
                }
                _ if self.kind() == Some(Kind::Word) && !words::is_reserved(word) && !self.first_on_line() => {
                    let place = self.after();
                    self.mend(Mistake::MissingEventComma {}, place, ",");
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
                self.mend(Mistake::QuotedEvent { name }, span, name);
                self.at += 1;
            }
            Some(Kind::Open) if self.text() == "[" => {
                self.report(Mistake::BracketedEvents {}, span);
                return self.stop();
            }
            _ => {
                let place = self.after();
                self.report(Mistake::MissingEvent {}, place);
                return self.stop();
            }
        }
        if self.text() == ":" && self.glued(0) {
            self.report(Mistake::EventColon {}, self.here());
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
            self.report(Mistake::EmptyParentheses {}, place);
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
            let found = self.unexpected();
            self.report(Mistake::InSelector { found: &found }, self.here());
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
        let mistake = match tool.text(self.source) {
            "Bash" => Mistake::BashPermission { pattern },
            tool => Mistake::Permission { tool },
        };
        self.report(mistake, span);
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
                    self.mend_at(Mistake::BetweenSelectors { word }, span, gap, "|");
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
            let gap = crate::span::Span::new(span.file, span.start as usize, next);
            self.mend_at(Mistake::NotSelector {}, span, gap, "!");
            self.at += 1;
        }
        if self.text() == "!" {
            self.at += 1;
        }
        let span = self.here();
        match self.kind() {
            Some(Kind::Regex | Kind::OpenRegex) => {
                let inner = self.text().trim_matches('/');
                let right = inner.replace(".*", "*").replace(['^', '$'], "");
                self.report(Mistake::RegexSelector { right: &right }, span);
                self.at += 1;
            }
            Some(Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText) => self.literal(),
            Some(Kind::Word | Kind::Number) => self.bare_selector(),
            Some(Kind::Mark) if matches!(self.text(), "*" | "?" | "." | ":" | "-" | "!") => self.bare_selector(),
            Some(Kind::Open) if self.text() == "[" => self.bare_selector(),
            _ => {
                let place = self.after();
                let mistake = if after == "by" { Mistake::MissingAgent {} } else { Mistake::MissingSelector {} };
                self.report(mistake, place);
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
            self.mend(Mistake::BareSelector { right: &right }, span, &right);
        }
    }

    /// Reads `on EXAMPLE, …` after `fires`, `quiet` or `unknown`.
    pub(super) fn examples(&mut self, word: &str) {
        if !self.eat("on") {
            let place = self.after();
            self.mend(Mistake::MissingOn { word }, place, " on");
        }
        if self.text() == ":" {
            let span = self.here();
            self.mend(Mistake::OnColon { word }, span, "");
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
            let mistake = match self.first_on_line() {
                true => Mistake::MissingCommaAtEnd {},
                false => Mistake::MissingExampleComma {},
            };
            self.mend(mistake, place, ",");
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
                        let found = self.unexpected();
                        self.report(Mistake::InSubject { found: &found }, self.here());
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
                self.report(Mistake::FactsWithoutBraces {}, place);
                self.stop_at_comma();
            }
        }
        if !self.stopped && self.text() == "{" {
            self.map();
        }
        if !self.stopped && matches!(self.text(), "by" | "with") && self.at > from {
            self.report(Mistake::ExampleOrder { word: self.text() }, self.here());
            return self.stop();
        }
        if self.at == from && !self.stopped {
            let place = self.after();
            let found = &self.describe();
            self.report(Mistake::MissingExample { after, found }, place);
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
                    self.mend(Mistake::QuotedRuleName { name }, span, name);
                    self.at += 1;
                }
                _ => {
                    let place = self.after();
                    self.report(Mistake::MissingRuleName {}, place);
                    return self.stop();
                }
            }
            if !self.eat(",") {
                return;
            }
        }
    }
}
