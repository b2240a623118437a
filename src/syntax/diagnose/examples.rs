//! Reads examples, and reports mistakes in them.

use super::ClauseCursor;
use crate::schema::{Event, TOOLS};
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

impl ClauseCursor<'_> {
    /// Reads `on EXAMPLE, …`. `word` is the keyword before it: `fires`, `quiet` or `unknown`.
    pub(super) fn examples(&mut self, word: &str) {
        if matches!(self.text(), "when" | "if" | "for") && self.firing_condition(word) {
            return;
        }
        if !self.eat("on") {
            let place = self.end_of_previous();
            self.report_with_fix(SyntaxMistake::MissingOn { word }, place, " on");
        }
        if self.text() == ":" {
            let span = self.here();
            self.report_with_fix(SyntaxMistake::OnColon { word }, span, "");
            self.at += 1;
        }
        loop {
            self.example(&format!("{word} on"));
            if !self.stopped {
                self.steps_before();
            }
            if self.is_done() {
                return;
            }
            if self.text() == "," && (self.nth(1).is_none() || words::is_reserved(self.text_at(1))) {
                return;
            }
            if self.eat(",") {
                continue;
            }
            let is_joint = matches!(self.text(), "and" | "or" | "|" | ";" | "&&");
            if is_joint && self.nth(1).is_some_and(|next| next.kind == TokenKind::Text) {
                let (mark, span) = (self.text(), self.here());
                let gap = self.end_of_previous().joined_with(span);
                self.report_with_fix_at(SyntaxMistake::BetweenElements { mark }, span, gap, ",");
                self.at += 1;
                continue;
            }
            let begins_example =
                matches!(self.kind(), Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::TypographicText))
                    || self.kind() == Some(TokenKind::Word) && !words::is_reserved(self.text());
            if !begins_example {
                return;
            }
            let place = self.end_of_previous();
            let mistake = match self.first_on_line() {
                true => SyntaxMistake::MissingCommaAtEnd {},
                false => SyntaxMistake::MissingExampleComma {},
            };
            self.report_with_fix(mistake, place, ",");
        }
    }

    /// Reads one example. `after` is the text before it, such as `fires on`, for the message that the example is
    /// missing.
    pub(super) fn example(&mut self, after: &str) {
        if self.bare_example() || self.agent_first() {
            return;
        }
        let from = self.at;
        if self.kind() == Some(TokenKind::Word) && !words::is_reserved(self.text()) && self.text() != "with" {
            self.at += 1;
            if self.named_argument() {
                return;
            }
            if self.text() == "(" && self.glued(0) {
                let Some(opener) = self.advance() else { return };
                self.selector("(");
                if !self.stopped && !self.eat(")") {
                    if self.at >= self.tokens.len() || self.first_on_line() {
                        self.report_unclosed(opener);
                    } else {
                        let found = self.describe_unexpected();
                        self.report(SyntaxMistake::InSubject { found: &found }, self.here());
                    }
                    self.stop();
                }
            }
        }
        if matches!(
            self.kind(),
            Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::UnclosedBlock | TokenKind::TypographicText)
        ) {
            self.literal();
        }
        self.parts_of_example(from);
        if self.at == from && !self.stopped {
            let place = self.end_of_previous();
            let found = &self.describe();
            self.report(SyntaxMistake::MissingExample { after, found }, place);
            self.stop();
        }
    }

    /// Reports a call with a named argument, `Edit(file_path="a")`. The cursor is after the name of the tool. Returns
    /// whether there was one.
    fn named_argument(&mut self) -> bool {
        let back = self.back(1);
        let (Some(tool), Some(value), Some(close)) = (back, self.nth(3), self.nth(4)) else { return false };
        let is_named = self.text() == "(" && matches!(self.text_at(2), "=" | ":") && value.kind == TokenKind::Text;
        if !is_named || close.text(self.source) != ")" {
            return false;
        }
        let (name, key) = (tool.text(self.source), self.text_at(1));
        let is_main = matches!(key, "file_path" | "path" | "command" | "cmd" | "url" | "prompt" | "query" | "pattern");
        let value = value.text(self.source);
        let right = match is_main {
            true => format!("{name} {value}"),
            false => forms::example_with(name, key, value),
        };
        let place = self.across(tool, close);
        self.report_with_fix(SyntaxMistake::NamedArgument { right: &right }, place, &right);
        self.at += 5;
        true
    }

    /// Reports an example that begins with its agent: `fires on by "coder" "ls"`. Returns whether there was one.
    fn agent_first(&mut self) -> bool {
        let (Some(by), Some(agent), Some(text)) = (self.peek(), self.nth(1), self.nth(2)) else { return false };
        let is_name = matches!(agent.kind, TokenKind::Word | TokenKind::Text);
        if by.text(self.source) != "by" || !is_name || text.kind != TokenKind::Text {
            return false;
        }
        let right = format!("{} by {}", text.text(self.source), agent.text(self.source));
        let place = self.across(by, text);
        self.report_with_fix_at(SyntaxMistake::AgentFirst { right: &right }, self.span_of(by), place, &right);
        self.at += 3;
        true
    }

    /// Reports an example without quotes, `fires on git push -f`: several words on a line, none of which is a tool.
    /// Returns whether there was one.
    fn bare_example(&mut self) -> bool {
        if self.bare_text_of_tool() {
            return true;
        }
        let Some(first) = self.peek().filter(|token| token.kind == TokenKind::Word) else { return false };
        let is_lower_case = first.text(self.source).starts_with(|c: char| c.is_ascii_lowercase());
        let is_word =
            |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Number) || token.text(self.source) == "-";
        let has_keyword =
            matches!(self.text_at(1), "by" | "on" | "with") || words::is_reserved(first.text(self.source));
        let rest = self.tokens.get(self.at + 1..).unwrap_or_default();
        let on_line = |token: &Token| {
            let between = self.source.get(first.end..token.start).unwrap_or("\n");
            !between.contains('\n') && !matches!(token.text(self.source), "," | "{")
        };
        let length = rest.iter().take_while(|token| on_line(token)).count();
        let Some(last) = length.checked_sub(1).and_then(|at| rest.get(at)).copied() else { return false };
        let (Some(second), true, false) = (rest.first(), is_lower_case, has_keyword) else { return false };
        if !is_word(second) || second.start == first.end {
            return false;
        }
        let right = format!("\"{}\"", self.slice(first, last).replace('\\', "\\\\").replace('"', "\\\""));
        let span = self.across(first, last);
        self.report_with_fix(SyntaxMistake::BareExample { right: &right }, span, &right);
        self.at += length + 1;
        true
    }

    /// Reports a text without quotes after the name of a tool: `quiet on Read .env`. Returns whether there was one.
    fn bare_text_of_tool(&mut self) -> bool {
        let Some(tool) = self.peek().filter(|token| token.kind == TokenKind::Word) else { return false };
        let is_tool = tool.text(self.source).starts_with(|c: char| c.is_ascii_uppercase());
        let rest = self.tokens.get(self.at + 1..).unwrap_or_default();
        let on_line = |token: &Token| {
            let between = self.source.get(tool.end..token.start).unwrap_or("\n");
            !between.contains('\n') && !matches!(token.text(self.source), "," | "{" | "by" | "on" | "with")
        };
        let length = rest.iter().take_while(|token| on_line(token)).count();
        let (Some(begin), Some(last)) = (rest.first(), length.checked_sub(1).and_then(|at| rest.get(at)).copied())
        else {
            return false;
        };
        let is_plain =
            |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Punctuation | TokenKind::Number);
        if !is_tool || begin.start == tool.end || !rest.iter().take(length).all(is_plain) {
            return false;
        }
        let text = self.slice(*begin, last).replace('\\', "\\\\");
        let right = format!("{} \"{text}\"", tool.text(self.source));
        let span = self.across(*begin, last);
        let whole = self.span_of(tool).joined_with(span);
        self.report_with_fix_at(SyntaxMistake::BareExample { right: &right }, span, whole, &right);
        self.at += length + 1;
        true
    }

    /// Reads the host after `on` in an example.
    fn host_of_example(&mut self) {
        let Some(name) = self.peek().filter(|name| matches!(name.kind, TokenKind::Word | TokenKind::Text)) else {
            let place = self.end_of_previous();
            self.report(SyntaxMistake::MissingHost {}, place);
            return self.stop_at_comma();
        };
        let written = name.text(self.source);
        let right = written.trim_matches(['"', '\'']).to_ascii_lowercase();
        if written != right {
            self.report_with_fix(SyntaxMistake::WrittenHost { right: &right }, self.span_of(name), &right);
        }
        self.at += 1;
    }

    /// Reads the facts after `with` in an example.
    fn facts_of_example(&mut self) {
        if self.text() == "{" {
            return self.map();
        }
        let place = self.end_of_previous();
        self.report(SyntaxMistake::FactsWithoutBraces {}, place);
        self.stop_at_comma();
    }

    /// Whether the cursor is at `on HOST`, and not at the clause `on EVENT`.
    fn is_host_next(&self) -> bool {
        let next = self.text_at(1);
        let is_selected = Event::from_name(next).is_some() || next == "*" || TOOLS.iter().any(|tool| tool.name == next);
        self.text() == "on" && !is_selected
    }

    /// Reads `by`, `on`, `with` and the fields of an example, and reports parts in another order than this. `from` is
    /// the index at which the example begins.
    fn parts_of_example(&mut self, from: usize) {
        const ORDER: [&str; 4] = ["by", "on", "with", "{"];
        let (start, mistakes_before) = (self.at, self.found.len());
        let mut parts: Vec<(usize, Token, usize)> = Vec::new();
        let mut misplaced = None;
        while !self.stopped {
            let Some(rank) = ORDER.iter().position(|word| *word == self.text()) else { break };
            // Each part occurs once, and only the fields can begin an example.
            if parts.iter().any(|(earlier, ..)| *earlier == rank) || self.at == from && rank < 3 {
                break;
            }
            if rank == 1 && !self.is_host_next() {
                break;
            }
            let Some(begin) = self.peek() else { break };
            if misplaced.is_none() && parts.last().is_some_and(|(last, ..)| *last > rank) {
                misplaced = Some(begin);
            }
            match rank {
                0 => {
                    self.at += 1;
                    self.selector("by");
                }
                1 => {
                    self.at += 1;
                    self.host_of_example();
                }
                2 => {
                    self.at += 1;
                    self.facts_of_example();
                }
                _ => self.map(),
            }
            parts.push((rank, begin, self.at));
        }
        let Some(misplaced) = misplaced else { return };
        let end = |at: usize| self.tokens.get(..at).and_then(<[Token]>::last).copied();
        let (Some(begin), Some(last)) = (self.tokens.get(start).copied(), end(self.at)) else { return };
        let (word, span) = (misplaced.text(self.source), self.span_of(misplaced));
        let is_whole = !self.stopped && self.found.len() == mistakes_before;
        let whole = self.slice(begin, last);
        if !is_whole || whole.contains(['\n', '#']) {
            return self.report(SyntaxMistake::ExampleOrder { word }, span);
        }
        // The fix puts the parts in the right order.
        parts.sort_by_key(|(rank, ..)| *rank);
        let texts = parts.iter().filter_map(|(_, begin, end_index)| Some(self.slice(*begin, end(*end_index)?)));
        let right = texts.collect::<Vec<_>>().join(" ");
        let place = self.across(begin, last);
        let shown = if right.chars().count() > 60 { "by … on … with { … } { … }" } else { &right };
        self.report_with_fix_at(SyntaxMistake::ExampleMisordered { word, right: shown }, span, place, &right);
    }

    /// Moves to the next comma, or to the end.
    fn stop_at_comma(&mut self) {
        while self.peek().is_some() && self.text() != "," {
            self.at += 1;
        }
    }
}
