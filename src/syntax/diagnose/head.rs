//! Reads events, selectors and lists of rule names, and reports mistakes in them.

use super::ClauseCursor;
use super::translate::test_for_permission;
use crate::schema::{Event, is_tool_name};
use crate::span::Span;
use crate::syntax::RegexSelector;
use crate::syntax::mistakes::{CompletePart, EVENTS_FORM, SyntaxMistake};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

impl<'a> ClauseCursor<'a> {
    /// Reads the events of an `on` clause: `EVENT[(SEL|…)], …`.
    pub(super) fn heads(&mut self) {
        loop {
            self.head();
            if self.is_done() {
                return;
            }
            let span = self.here();
            let word = self.text();
            match word {
                "," => {
                    self.at += 1;
                    if self.kind().is_none() || self.kind() == Some(TokenKind::Word) && words::is_reserved(self.text())
                    {
                        return self.report_with_fix(
                            SyntaxMistake::TrailingComma { after: CompletePart::Event.name() },
                            span,
                            "",
                        );
                    }
                }
                "|" | "or" | "and" | "||" | "/" | "&" => {
                    let from = self.end_of_previous();
                    let gap = Span { start: from.end, ..span };
                    self.report_with_fix_at(SyntaxMistake::BetweenEvents { word }, span, gap, ",");
                    self.at += 1;
                }
                _ if self.tools_after_event() => return,
                "if" | "where" if self.nth(1).is_some() && !self.first_on_line() => {
                    let gap = self.end_of_previous().joined_with(span);
                    self.report_with_fix_at(SyntaxMistake::ConditionBehindEvents { word }, span, gap, "\n  when");
                    return self.stop();
                }
                _ if self.at_key() => return,
                _ if self.kind() == Some(TokenKind::Word) && !words::is_reserved(word) && !self.first_on_line() => {
                    let place = self.end_of_previous();
                    self.report_with_fix(SyntaxMistake::MissingEventComma {}, place, ",");
                }
                _ => return,
            }
        }
    }

    /// Reads one event with its selectors.
    fn head(&mut self) {
        let span = self.here();
        match self.kind() {
            Some(TokenKind::Word) if self.text().contains('.') => {
                let right = self.text().replacen('.', "(", 1) + ")";
                self.report_with_fix(SyntaxMistake::SelectorMark { mark: ".", right: &right }, span, &right);
                self.at += 1;
            }
            Some(TokenKind::Word) if !words::is_reserved(self.text()) => self.at += 1,
            Some(TokenKind::Punctuation) if self.text() == "*" => self.at += 1,
            Some(TokenKind::Text)
                if !self.text().trim_matches(['"', '\'']).bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') =>
            {
                self.report(SyntaxMistake::ExamplesWithoutWord {}, span);
                return self.stop();
            }
            Some(TokenKind::Text) => {
                let name = self.text().trim_matches(['"', '\'']);
                self.report_with_fix(SyntaxMistake::QuotedEvent { name }, span, name);
                self.at += 1;
            }
            Some(TokenKind::OpenBracket) if self.text() == "[" => {
                return self.bracketed_events();
            }
            _ => {
                let place = self.end_of_previous();
                self.report(SyntaxMistake::MissingEvent {}, place);
                return self.stop();
            }
        }
        if matches!(self.text(), ":" | "::" | "[") && self.glued(0) {
            return self.selector_mark();
        }
        if self.text() == "(" {
            self.parenthesised_selectors();
        }
    }

    /// Reports tools after an event without parentheses: `PreToolUse Bash`, `PreToolUse Edit, Write`. Returns whether
    /// there were any.
    fn tools_after_event(&mut self) -> bool {
        let is_tool = |token: &Token| is_tool_name(token.text(self.source));
        let back = self.back(1);
        let (Some(event), Some(first)) = (back.filter(|event| event.kind == TokenKind::Word), self.peek()) else {
            return false;
        };
        if !is_tool(&first) || self.first_on_line() {
            return false;
        }
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let joins = |token: &Token| matches!(token.text(self.source), "," | "|" | "or");
        let length = rest.iter().take_while(|token| is_tool(token) || joins(token)).count();
        let tools: Vec<&str> =
            rest.iter().take(length).filter(|token| is_tool(token)).map(|token| token.text(self.source)).collect();
        let last = rest.iter().take(length).rfind(|token| is_tool(token)).copied().unwrap_or(first);
        let right = format!("{}({})", event.text(self.source), tools.join("|"));
        let whole = self.across(event, last);
        let place = self.across(first, last);
        self.report_with_fix_at(SyntaxMistake::ToolBehindEvent { right: &right }, place, whole, &right);
        self.at += length;
        true
    }

    /// Reports other punctuation in place of the parentheses: `PreToolUse: Bash`, `PreToolUse[Bash]`.
    fn selector_mark(&mut self) {
        let (Some(event), Some(mark)) = (self.back(1), self.peek()) else {
            return;
        };
        let word = mark.text(self.source);
        self.at += 1;
        let from = self.peek();
        let mut last = None;
        while matches!(self.kind(), Some(TokenKind::Word)) || matches!(self.text(), "|" | "*") {
            last = self.advance();
        }
        let inner = from.zip(last).map_or("", |(from, last)| self.slice(from, last));
        let end = if word == "[" && self.text() == "]" { self.advance() } else { last };
        let (Some(end), false) = (end, inner.is_empty()) else {
            let right = format!("{}(…)", event.text(self.source));
            self.report(SyntaxMistake::SelectorMark { mark: word, right: &right }, self.span_of(mark));
            return self.stop();
        };
        let right = format!("{}({inner})", event.text(self.source));
        let whole = self.across(event, end);
        self.report_with_fix_at(
            SyntaxMistake::SelectorMark { mark: word, right: &right },
            self.span_of(mark),
            whole,
            &right,
        );
    }

    /// Reports a list of events: `[PreToolUse, Stop]`.
    fn bracketed_events(&mut self) {
        let span = self.here();
        let inside = self.inside(self.at).filter(|inside| inside.close.text(self.source) == "]");
        let right = inside.as_ref().map_or("", |inside| inside.text).replace(['"', '\''], "");
        let right = right.trim().trim_end_matches(',');
        match inside.filter(|_| !right.is_empty()) {
            Some(inside) => {
                let whole = span.joined_with(self.span_of(inside.close));
                self.report_with_fix_at(SyntaxMistake::BracketedEvents { right }, span, whole, right);
                self.at += inside.length;
            }
            None => {
                self.report(SyntaxMistake::BracketedEvents { right: EVENTS_FORM }, span);
                self.stop();
            }
        }
    }

    /// Reads the selectors in the parentheses after an event.
    fn parenthesised_selectors(&mut self) {
        let event = self.back(1).map(|event| event.text(self.source));
        let Some(opener) = self.advance() else { return };
        if self.regex_in_parentheses(event.and_then(Event::from_name)) {
            return;
        }
        if self.host_permission(opener) || self.permission_as_event() {
            return;
        }
        if self.text() == ")" {
            let place = self.end_of_previous();
            self.report(SyntaxMistake::EmptyParentheses {}, place);
            self.at += 1;
            return;
        }
        self.selectors("(");
        if self.stopped || self.eat(")") {
            return;
        }
        let is_on_next_line = self.first_on_line();
        if self.at >= self.tokens.len() || is_on_next_line {
            self.report_unclosed(opener);
        } else {
            let found = self.describe_unexpected();
            self.report(SyntaxMistake::InSelector { found: &found }, self.here());
        }
        self.stop();
    }

    /// Reports a permission in the host's notation as a selector: `PreToolUse(Bash(git push:*))`. Returns whether
    /// there was one.
    fn host_permission(&mut self, opener: Token) -> bool {
        let is_tool = self.kind() == Some(TokenKind::Word) && self.text_at(1) == "(" && self.glued(1);
        let Some(tool) = self.peek().filter(|_| is_tool) else { return false };
        let inner = self.permission(self.at + 2);
        let span = self.span_of(tool).joined_with(inner.map_or(self.span_of(opener), |(_, end)| end));
        self.report_permission(tool.text(self.source), inner.map_or("", |(text, _)| text), span);
        true
    }

    /// Reports a permission in place of an event and its selectors: `on Bash(npm run test:*)`. Returns whether there
    /// was one.
    fn permission_as_event(&mut self) -> bool {
        let Some(tool) = self.back(2) else { return false };
        let Some((inner, last)) = self.permission(self.at) else { return false };
        // A tool and a path in one pair of parentheses: `PreToolUse(Edit, "src/**")`
        if let Some((name, test)) = inner.split_once(',')
            && test.trim().starts_with(['"', '\''])
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            let span = self.span_of(tool).joined_with(last);
            self.report_permission(name, test.trim().trim_matches(['"', '\'']), span);
            return true;
        }
        let is_regex = inner.starts_with('/') && inner.ends_with('/');
        let is_event = Event::from_name(tool.text(self.source)).is_some();
        // In the selector of an event, a `/` may be part of a tool's name.
        let is_permission = inner.contains(":*") || inner.contains(" *") || inner.contains('/') && !is_event;
        if is_regex || inner.starts_with(['"', '\'']) || !is_permission {
            return false;
        }
        let span = self.span_of(tool).joined_with(last);
        let name = if is_event { "Bash" } else { tool.text(self.source) };
        self.report_permission(name, inner, span);
        true
    }

    /// Returns the text between the parentheses of a permission, which may contain invalid tokens, and the empty span
    /// at its end. `from` is the index of the token after the opening parenthesis. `None` if the text is empty, or not
    /// closed on its line.
    pub(super) fn permission(&self, from: usize) -> Option<(&'a str, Span)> {
        let first = self.tokens.get(from)?;
        let line = self.source.get(first.start..)?.lines().next()?;
        let inner = line.get(..line.find(')')?)?;
        let end = first.start + inner.len();
        (!inner.is_empty()).then(|| (inner, Span::new(self.file, end, end)))
    }

    /// Reports a permission: proposes a selector for its tool, and a test for the text in its parentheses.
    fn report_permission(&mut self, tool: &str, inner: &str, span: Span) {
        let pattern = inner.trim_end_matches(":*").trim_end_matches(" *").trim();
        match tool {
            "Bash" => self.report(SyntaxMistake::BashPermission { pattern }, span),
            tool => self.report(SyntaxMistake::Permission { tool, test: &test_for_permission(tool, inner) }, span),
        }
        self.stop();
    }

    /// Reads selectors joined by `|`. `after` is `by` or `(`.
    pub(super) fn selectors(&mut self, after: &str) {
        loop {
            let first = self.peek();
            self.selector(after);
            if self.is_done() {
                return;
            }
            let span = self.here();
            let word = self.text();
            match word {
                "|" => self.at += 1,
                "," if self.nth(1).is_none() || words::CLAUSES.contains(&self.text_at(1)) => return,
                "," | "or" | "||" | "and" | "&&" | "&" => {
                    let from = self.end_of_previous();
                    let next = self.nth(1).map_or(span.end as usize, |next| next.start);
                    let gap = Span::new(span.file, from.end as usize, next);
                    let what = if after == "by" { "agents" } else { "selectors" };
                    let before = first.zip(self.back(1)).map_or("", |(first, last)| self.slice(first, last));
                    let right = format!("{before}|{}", self.glued_text_from(self.at + 1));
                    self.report_with_fix_at(
                        SyntaxMistake::BetweenSelectors { word, what, right: &right },
                        span,
                        gap,
                        "|",
                    );
                    self.at += 1;
                }
                // Names without a sign between them: `by researcher* Explore`.
                _ if after == "by"
                    && self.kind() == Some(TokenKind::Word)
                    && !self.first_on_line()
                    && !words::CLAUSES.contains(&word) =>
                {
                    let from = self.end_of_previous();
                    let gap = Span::new(span.file, from.end as usize, span.start as usize);
                    let before = first.zip(self.back(1)).map_or("", |(first, last)| self.slice(first, last));
                    let right = format!("{before}|{}", self.glued_text_from(self.at));
                    let mistake = SyntaxMistake::BetweenSelectors { word, what: "agents", right: &right };
                    self.report_with_fix_at(mistake, span, gap, "|");
                }
                _ => return,
            }
        }
    }

    /// Returns the source text from the token at the index `from` up to white space or a separator: `researcher*`.
    fn glued_text_from(&self, from: usize) -> &'a str {
        let rest = self.tokens.get(from..).unwrap_or_default();
        let is_separator = |token: &Token| matches!(token.text(self.source), "|" | "," | "(" | ")" | "||");
        let pairs = rest.iter().zip(rest.iter().skip(1));
        let glued = pairs.take_while(|(left, right)| left.end == right.start && !is_separator(right)).count();
        rest.first().zip(rest.get(glued)).map_or("", |(first, last)| self.slice(*first, *last))
    }

    /// Reads one selector, which may be an exclusion: `!reviewer`. `after` is `by` or `(`.
    pub(super) fn selector(&mut self, after: &str) {
        if self.kind() == Some(TokenKind::Word) && self.text() == "not" {
            let span = self.here();
            let next = self.nth(1).map_or(span.end as usize, |next| next.start);
            let gap = Span::new(span.file, span.start as usize, next);
            self.report_with_fix_at(SyntaxMistake::NotSelector {}, span, gap, "!");
            self.at += 1;
        }
        if self.text() == "!" {
            let span = self.here();
            self.at += 1;
            if let Some(name) =
                self.peek().filter(|name| !self.glued(0) && matches!(name.kind, TokenKind::Word | TokenKind::Text))
            {
                let gap = Span { start: span.end, end: self.span_of(name).start, ..span };
                let right = format!("!{}", name.text(self.source));
                self.report_with_fix_at(SyntaxMistake::SpacedExclusion { right: &right }, span, gap, "");
            }
        }
        let span = self.here();
        match self.kind() {
            Some(TokenKind::Regex | TokenKind::UnclosedRegex) => {
                let inner = self.text().trim_matches('/');
                self.report(
                    SyntaxMistake::RegexSelector {
                        instead: &RegexSelector::replacement_for(RegexSelector::from_regex(inner).as_ref()),
                    },
                    span,
                );
                self.at += 1;
            }
            Some(_) if after == "by" && self.regex_agents() => {}
            Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::UnclosedBlock | TokenKind::TypographicText) => {
                self.literal()
            }
            Some(TokenKind::Word | TokenKind::Number) => self.bare_selector(),
            Some(TokenKind::Punctuation) if matches!(self.text(), "*" | "?" | "." | ":" | "-" | "!") => {
                self.bare_selector()
            }
            Some(TokenKind::OpenBracket) if self.text() == "[" => self.bare_selector(),
            _ => {
                let place = self.end_of_previous();
                let mistake =
                    if after == "by" { SyntaxMistake::MissingAgent {} } else { SyntaxMistake::MissingSelector {} };
                self.report(mistake, place);
                self.stop();
            }
        }
    }

    /// Reads a selector without quotes, and reports characters in it that need quotes.
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
            let span = self.across(first, last);
            let right = format!("\"{text}\"");
            self.report_with_fix(SyntaxMistake::BareSelector { right: &right }, span, &right);
        }
    }

    /// Reads names of rules, separated by commas.
    pub(super) fn rule_names(&mut self) {
        self.rule_name();
        while !self.stopped && self.eat(",") {
            self.rule_name();
        }
    }

    /// Reads the name of a rule, and reports quotes around it.
    pub(super) fn rule_name(&mut self) {
        let span = self.here();
        match self.kind() {
            Some(TokenKind::Word | TokenKind::Number) => self.at += 1,
            Some(TokenKind::Text) => {
                let name = self.text().trim_matches(['"', '\'']);
                self.report_with_fix(SyntaxMistake::QuotedRuleName { name }, span, name);
                self.at += 1;
            }
            _ => {
                let place = self.end_of_previous();
                self.report(SyntaxMistake::MissingRuleName {}, place);
                self.stop();
            }
        }
    }
}
