//! Reads what refers to other events of the session: headers of marks, conditions about their events, and the earlier
//! steps of an example.

use super::ClauseCursor;
use super::item::brace;
use crate::diagnostic::nearest_name;
use crate::span::Span;
use crate::syntax::ast::Name;
use crate::syntax::mistakes::{self, CompletePart, SyntaxMistake};
use crate::syntax::quantity::quantity_with_unit;
use crate::syntax::token::TokenKind;
use crate::syntax::words;

/// The keywords of the parts that narrow past events, in their order.
pub(super) const PARTS: [&str; 4] = ["of", "by", "since", "within"];

/// The word that asks for the number of past events.
pub(super) const COUNT: &str = "count";

/// The words for how a call ended.
const ENDS_OF_CALLS: [&str; 4] = ["done", "failed", "approved", "refused"];

impl ClauseCursor<'_> {
    /// Whether the key of a mark begins here, on the line of another clause: `on PreToolUse(Bash) key call`.
    pub(super) fn at_key(&self) -> bool {
        let follows = self.nth(1).is_some_and(|next| matches!(next.kind, TokenKind::Word | TokenKind::JsonPath));
        self.text() == "key" && !self.first_on_line() && follows && !self.first_on_line_ahead(1) && !self.at_operator(1)
    }

    /// Whether a question about a mark begins at the next word: `happened NAME`, or `count NAME` with a part that
    /// narrows its events.
    pub(super) fn is_question_about_past(&self) -> bool {
        match self.text() {
            "happened" => self.is_before_mark(),
            "count" => self.is_name_next() && PARTS.contains(&self.text_at(2)),
            _ => false,
        }
    }

    /// Whether a name follows the next word.
    fn is_name_next(&self) -> bool {
        self.nth(1).is_some_and(|token| token.kind == TokenKind::Word) && !words::is_reserved(self.text_at(1))
    }

    /// Whether a name that is no operator follows the next word: not in `happened contains "x"`, which compares a
    /// field.
    fn is_before_mark(&self) -> bool {
        self.is_name_next() && !self.at_operator(1)
    }

    /// Reads `happened NAME`, and reports a comparison after it.
    pub(super) fn happened(&mut self) {
        let span = self.here();
        self.past_events();
        if !self.stopped && self.compares_numbers(0) {
            self.report_with_fix(SyntaxMistake::HappenedCompared {}, span, COUNT);
            self.comparison(COUNT);
        }
    }

    /// Reads `happened NAME` with a misspelled `happened`, and reports the word. Returns whether there was one.
    pub(super) fn misspelled_happened(&mut self) -> bool {
        let word = self.text();
        let Some(near) = nearest_name(word, ["happened"]).filter(|_| self.is_before_mark()) else { return false };
        self.report_with_fix(SyntaxMistake::UnknownTest { word, near }, self.here(), near);
        self.happened();
        true
    }

    /// Reads a question about a mark, and reports parts that are repeated, out of order or incomplete.
    pub(super) fn past_events(&mut self) {
        let (question, mark) = (self.text(), self.text_at(1));
        self.at += 2;
        let mut last = None;
        while let Some(rank) = PARTS.iter().position(|word| *word == self.text()).filter(|_| !self.stopped) {
            let (word, span) = (self.text(), self.here());
            // At the start of a line, it is the clause `by`.
            if word == "by" && self.first_on_line() {
                return;
            }
            if last.is_some_and(|last| last >= rank) && !self.part_of_since(word, mark) {
                self.report(SyntaxMistake::PastPartOrder { word, question }, span);
            }
            last = last.max(Some(rank));
            self.at += 1;
            match word {
                "by" if matches!(self.text(), "same" | "another") && self.text_at(1) == "agent" => self.at += 2,
                "by" => {
                    self.report(SyntaxMistake::PastActorWords {}, span);
                    return self.stop();
                }
                "of" => self.operand("of"),
                "since" if self.kind() == Some(TokenKind::Word) => self.at += 1,
                "since" if self.text() == "(" => return self.several_after_since(span),
                "within" if self.time_in_words() => {}
                "within" if matches!(self.kind(), Some(TokenKind::Number | TokenKind::Word)) => self.at += 1,
                _ => {
                    let place = self.end_of_previous();
                    self.report(SyntaxMistake::PastPartEmpty { word }, place);
                    return self.stop();
                }
            }
        }
    }

    /// Reports a duration in another form after `within`: `within 10 minutes`, `within "10m"`, `within the last hour`.
    /// Returns whether there was one.
    fn time_in_words(&mut self) -> bool {
        let quoted = self.peek().filter(|text| text.kind == TokenKind::Text);
        let (time, length) = match quoted {
            Some(text) => match quantity_with_unit(text.text(self.source).trim_matches(['"', '\''])) {
                Some(time) => (time, 1),
                None => return false,
            },
            None => {
                let fillers = (0..2).take_while(|at| matches!(self.text_at(*at), "the" | "last" | "past")).count();
                match self.duration_ahead(fillers) {
                    Some((time, length)) => (time, fillers + length),
                    None => return false,
                }
            }
        };
        let (Some(first), Some(last)) = (self.peek(), self.nth(length - 1)) else { return false };
        let span = self.across(first, last);
        let written = self.written(span);
        if written != time {
            let right = format!("within {time}");
            self.report_with_fix(SyntaxMistake::TimeInWords { written, right: &right }, span, &time);
        }
        self.at += length;
        true
    }

    /// Reports `m happened`, `times m > 20`, `count(m) > 3`, `edited since tested` and `last edited > 5m`, whose words
    /// about a mark are in another order. Returns whether there was one.
    pub(super) fn events_in_words(&mut self) -> bool {
        let (Some(first), Some(second)) = (self.peek(), self.nth(1)) else { return false };
        let (word, next) = (self.text(), self.text_at(1));
        if self.first_on_line_ahead(1) || first.kind != TokenKind::Word {
            return false;
        }
        if matches!(next, "happened" | "occurred") && self.defines_mark(word) {
            let right = format!("happened {word}");
            let span = self.across(first, second);
            self.report_with_fix(SyntaxMistake::Swapped { right: &right }, span, &right);
            self.at += 2;
            return true;
        }
        if matches!(next, "since" | "within" | "of" | "after" | "in") && self.defines_mark(word) {
            let right = format!("happened {word}");
            self.report_with_fix(SyntaxMistake::EventsWithoutWord { mark: word, right: &right }, self.here(), &right);
            // The mark is where its question would have it, one word behind the cursor.
            self.at -= usize::from(self.at > 0);
            self.past_events();
            return true;
        }
        if word == "last" && self.compares_numbers(2) && self.defines_mark(next) {
            let Some((time, length)) = self.duration_ahead(3) else { return false };
            self.report(SyntaxMistake::EventsAgo { mark: next, time: &time }, self.across(first, second));
            self.at += 3 + length;
            return true;
        }
        let (name, length) = match next {
            "(" if matches!(word, "count" | "times" | "length") && self.text_at(3) == ")" => (self.text_at(2), 4),
            _ if matches!(word, "times" | "number" | "num") && self.compares_numbers(2) => (next, 2),
            _ => return false,
        };
        if !self.defines_mark(name) {
            return false;
        }
        let right = format!("{COUNT} {name}");
        self.report_measure(length, &right);
        self.comparison(&right);
        true
    }

    /// Whether the file has a mark with this name.
    fn defines_mark(&self, name: &str) -> bool {
        self.source.lines().filter_map(|line| line.strip_prefix("mark ")).any(|line| {
            let rest = line.trim_start().strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with([' ', '{']))
        })
    }

    /// Reports a part that directly follows `since NAME`, as if it were about the events of that mark. Returns whether
    /// it does.
    fn part_of_since(&mut self, word: &str, mark: &str) -> bool {
        let Some(start) = self.back(1).filter(|_| self.back(2).is_some_and(|it| it.text(self.source) == "since"))
        else {
            return false;
        };
        let span = self.here();
        match word {
            "since" => self.report(SyntaxMistake::SinceSeveral {}, span),
            _ => self.report(SyntaxMistake::SincePart { word, mark, start: start.text(self.source) }, span),
        }
        true
    }

    /// Reports the parentheses after `since`, and moves past them.
    fn several_after_since(&mut self, since: Span) {
        let opener = self.here();
        match self.inside(self.at) {
            Some(inside) => {
                self.at += inside.length;
                let close = self.span_of(inside.close);
                self.report(SyntaxMistake::SinceSeveral {}, since.joined_with(close));
            }
            None => {
                self.report(SyntaxMistake::SinceSeveral {}, since.joined_with(opener));
                self.stop();
            }
        }
    }

    /// Reports two counts in one comparison, and a part that follows the comparison of a count. Returns whether there
    /// was one of them.
    pub(super) fn misjoined_count(&mut self) -> bool {
        if !(self.text() == COUNT || self.text() == "happened") || !self.is_name_next() {
            return false;
        }
        let mut ahead = 2;
        let mut last = None;
        while let Some((rank, length)) = self.part_ahead(ahead) {
            last = last.max(Some(rank));
            ahead += length;
        }
        let operator = self.text_at(ahead);
        let is_compared = self.compares_numbers(ahead);
        let is_sum = matches!(operator, "-" | "+");
        if (is_compared || is_sum) && self.text_at(ahead + 1) == COUNT {
            let place = self.nth(ahead).map_or(self.here(), |token| self.span_of(token));
            self.report(SyntaxMistake::CountsCompared {}, place);
            self.stop_unless_joined();
            return true;
        }
        is_compared && self.part_behind_number(ahead, last)
    }

    /// Reports parts after the comparison whose operator is `operator` tokens ahead; `last` is the rank of the last
    /// part before it. Returns whether there was one.
    fn part_behind_number(&mut self, operator: usize, last: Option<usize>) -> bool {
        let (mut end, mut last, mut is_ordered) = (operator + 2, last, true);
        while let Some((rank, length)) = self.part_ahead(end) {
            is_ordered &= last.is_none_or(|last| last < rank);
            last = Some(rank);
            end += length;
        }
        let text = |from: usize, to: usize| {
            let (first, last) = self.nth(from).zip(self.nth(to))?;
            Some(self.slice(first, last))
        };
        let parts = (end > operator + 2).then(|| text(operator + 2, end - 1)).flatten();
        let (Some(events), Some(number), Some(parts)) = (text(1, operator - 1), text(operator, operator + 1), parts)
        else {
            return false;
        };
        let right = format!("{COUNT} {events} {parts} {number}");
        let (word, span) = (self.text_at(operator + 2), self.nth(operator + 2).map(|token| self.span_of(token)));
        let whole = self.nth(0).zip(self.nth(end - 1)).map(|(first, last)| self.across(first, last));
        if let Some((span, whole)) = span.zip(whole) {
            match is_ordered && !right.contains('\n') {
                true => self.report_with_fix_at(
                    SyntaxMistake::PartBehindNumber { word, right: &right },
                    span,
                    whole,
                    &right,
                ),
                false => self.report(SyntaxMistake::PastPartOrder { word, question: COUNT }, span),
            }
        }
        self.at += end;
        true
    }

    /// Returns the rank and the number of tokens of the part that narrows past events `ahead` tokens ahead; `None` if
    /// there is none, or if it is a clause of its own.
    pub(super) fn part_ahead(&self, ahead: usize) -> Option<(usize, usize)> {
        let word = self.text_at(ahead);
        let rank = PARTS.iter().position(|part| *part == word)?;
        let length = if word == "by" { 3 } else { 2 };
        let is_clause = word == "by" && self.first_on_line_ahead(ahead);
        (!is_clause && self.nth(ahead + length - 1).is_some()).then_some((rank, length))
    }

    /// Reads `after [ … ]`, the earlier steps of an example, if it follows.
    pub(super) fn steps_before(&mut self) {
        if self.text() != "after" {
            return;
        }
        let span = self.here();
        self.at += 1;
        let Some(opener) = self.peek().filter(|opener| opener.text(self.source) == "[") else {
            self.report(SyntaxMistake::AfterWithoutList {}, span);
            return self.stop();
        };
        self.at += 1;
        while !self.stopped && self.peek().is_some() && self.text() != "]" {
            let from = self.at;
            if self.text() == "wait" {
                self.at += 1;
                self.value("wait");
            } else {
                self.example_of_step();
            }
            if self.at == from || !self.eat(",") {
                break;
            }
        }
        if self.stopped || self.eat("]") {
            return;
        }
        self.report_unclosed(opener);
        self.stop();
    }

    /// Reads one earlier step of an example: `2 Bash "npm test" done`.
    pub(super) fn example_of_step(&mut self) {
        self.number_of_times();
        self.example("after");
        self.end_of_call();
    }

    /// Reads the number of times that a call happened, if it is given.
    pub(super) fn number_of_times(&mut self) {
        if self.kind() == Some(TokenKind::Number) {
            self.at += 1;
        }
    }

    /// Reads the word for how a call ended, if there is one.
    pub(super) fn end_of_call(&mut self) {
        if !self.stopped && ENDS_OF_CALLS.contains(&self.text()) {
            self.at += 1;
        }
    }

    /// Reports clauses in the header of a mark, `mark m on Read`, which belong in its braces.
    fn clauses_in_mark_header(&mut self, name: &str) {
        let (Some(first), Some(last)) = (self.peek(), self.last()) else { return };
        if !words::CLAUSES.contains(&self.text()) {
            return;
        }
        let clauses = self.slice(first, last).split('{').next().unwrap_or_default().trim();
        let right = format!("mark {name} {{\n  {clauses}\n}}");
        self.report(SyntaxMistake::ClausesInMarkHeader { right: &right }, self.across(first, last));
        self.stop();
    }

    /// Reads the name of a mark and the `{` after it, and reports what is missing. Returns the name in snake_case;
    /// `None` if there is none.
    pub(super) fn mark_name(&mut self) -> Option<Name> {
        let keyword = "mark";
        let Some(token) = self.peek().filter(|token| token.kind == TokenKind::Word) else {
            let form = mistakes::keyword_form(keyword);
            self.report(SyntaxMistake::DefinitionWithoutName { keyword, form }, self.end_of_previous());
            return None;
        };
        self.at += 1;
        let (span, written) = (self.span_of(token), token.text(self.source));
        let right = written.replace(['-', '.', '/'], "_");
        if right != written {
            self.report_with_fix(SyntaxMistake::NotSnakeCase { keyword, right: &right }, span, &right);
        }
        self.clauses_in_mark_header(&right);
        brace(self, CompletePart::MarkName, &format!("mark {right} {{"));
        Some(Name { text: right, span })
    }
}
