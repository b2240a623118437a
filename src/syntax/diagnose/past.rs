//! Reads what refers to other events of the session: headers of marks, conditions about their events, and the earlier
//! steps of an example.

use super::ClauseCursor;
use super::item::brace;
use crate::diagnostic::nearest_name;
use crate::syntax::ast::Name;
use crate::syntax::mistakes::{self, CompletePart, SyntaxMistake};
use crate::syntax::token::TokenKind;
use crate::syntax::words;

/// The keywords of the parts that narrow past events, in their order.
const PARTS: [&str; 4] = ["of", "by", "since", "within"];

/// The word that asks for the number of past events.
const COUNT: &str = "count";

/// The operators that compare numbers.
const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// The words for how a call ended.
const ENDS_OF_CALLS: [&str; 4] = ["done", "failed", "approved", "refused"];

impl ClauseCursor<'_> {
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
        if !self.stopped && COMPARISONS.contains(&self.text()) {
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
        self.at += 2;
        let mut last = None;
        while let Some(rank) = PARTS.iter().position(|word| *word == self.text()).filter(|_| !self.stopped) {
            let (word, span) = (self.text(), self.here());
            // At the start of a line, it is the clause `by`.
            if word == "by" && self.first_on_line() {
                return;
            }
            if last.is_some_and(|last| last >= rank) {
                self.report(SyntaxMistake::PastPartOrder { word }, span);
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
                "within" if matches!(self.kind(), Some(TokenKind::Number | TokenKind::Word)) => self.at += 1,
                _ => {
                    let place = self.end_of_previous();
                    self.report(SyntaxMistake::PastPartEmpty { word }, place);
                    return self.stop();
                }
            }
        }
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
        brace(self, CompletePart::RuleName, &format!("mark {right} {{"));
        Some(Name { text: right, span })
    }
}
