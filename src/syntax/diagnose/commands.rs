//! Reads tests of commands, and reports mistakes in their patterns.

use super::ClauseCursor;
use super::condition::ConditionContext;
use crate::span::Span;
use crate::syntax::language::draft;
use crate::syntax::mistakes::{PATTERN, SyntaxMistake};
use crate::syntax::token::{Token, TokenKind};

impl ClauseCursor<'_> {
    /// Reads `runs P where C`.
    pub(super) fn runs(&mut self) {
        let from = self.at;
        self.at += 1;
        if self.text() == "only" {
            let front = self.back(1);
            let place = front.map_or(self.here(), |front| self.span_of(front).joined_with(self.here()));
            self.report_with_fix(SyntaxMistake::Swapped { right: "only runs" }, place, "only runs");
            self.at += 1;
            return self.patterns("only runs");
        }
        if self.text() == "not" {
            self.report(SyntaxMistake::NotAfterRuns {}, self.here());
            self.at += 1;
        }
        self.patterns("runs");
        self.words_after_pattern(from);
        self.filter();
    }

    /// Reads `only runs P`.
    pub(super) fn only_runs(&mut self) {
        let from = self.at;
        self.at += 1;
        if !self.eat("runs") {
            let place = self.end_of_previous();
            self.report_with_fix(SyntaxMistake::OnlyWithoutRuns {}, place, " runs");
        }
        self.patterns("only runs");
        self.words_after_pattern(from);
        if self.text() == "where" {
            self.report(SyntaxMistake::WhereAfterOnlyRuns {}, self.here());
            self.stop_unless_joined();
        }
    }

    /// Reads `pipes P into P`.
    pub(super) fn pipes(&mut self) {
        self.at += 1;
        self.patterns("pipes");
        if self.stopped {
            return;
        }
        if self.eat("into") {
            return self.patterns("into");
        }
        let place = self.end_of_previous();
        self.report(SyntaxMistake::PipesWithoutInto {}, place);
        self.stop_unless_joined();
    }

    /// Reports a test of commands whose verb is another word, and reads its patterns and filter. `test` is the right
    /// verb.
    pub(super) fn misnamed_test(&mut self, mistake: SyntaxMistake<'_>, test: &str) {
        self.report_with_fix(mistake, self.here(), test);
        self.at += 1;
        self.patterns(test);
        self.filter();
    }

    /// Reads the pattern or patterns after a verb. `after` is the verb, such as `only runs`.
    fn patterns(&mut self, after: &str) {
        if self.stopped || self.value_in_parentheses(after) {
            return;
        }
        if self.kind() == Some(TokenKind::Regex) {
            self.report(SyntaxMistake::RegexPattern { after }, self.here());
            self.at += 1;
            return;
        }
        if let Some(token) = self.peek().filter(|token| token.kind == TokenKind::JsonPath) {
            let inner = token.text(self.source).trim_matches('`').trim();
            if !inner.starts_with('$') {
                let right = format!("\"{}\"", inner.replace('\\', "\\\\").replace('"', "\\\""));
                let span = self.span_of(token);
                self.report_with_fix(SyntaxMistake::TextInBackticks { what: PATTERN, right: &right }, span, &right);
                self.at += 1;
                return;
            }
        }
        if self.word_before_pattern(after) {
            return;
        }
        if let Some(span) = self.bare_command() {
            let words = self.written(span);
            self.report(SyntaxMistake::BareCommand { after, words }, span);
            return self.stop_unless_joined();
        }
        self.value(after);
    }

    /// Reports a word between a verb and its patterns: `runs any ["a", "b"]`, `runs like "npm *"`, `runs matches
    /// /npm/`. Returns whether there was one.
    fn word_before_pattern(&mut self, after: &str) -> bool {
        let word = self.text();
        let (Some(first), Some(value)) = (self.peek(), self.nth(1)) else { return false };
        let is_search = matches!(word, "matches" | "match" | "contains" | "regex");
        let joins = matches!(word, "any" | "any_of" | "one_of" | "in" | "like" | "is" | "command" | "commands" | "of");
        let is_value = matches!(value.kind, TokenKind::Text | TokenKind::Regex) || value.text(self.source) == "[";
        if !(is_search || joins) || !is_value || value.kind == TokenKind::Regex && !is_search {
            return false;
        }
        let text = value.text(self.source);
        let right = match value.kind {
            TokenKind::Regex => {
                draft::test_for_regex("command", text.trim_end_matches(char::is_alphanumeric).trim_matches('/'))
            }
            TokenKind::Text => format!("{after} {text}"),
            _ => format!("{after} […]"),
        };
        let mistake = SyntaxMistake::WordAfterRuns { word, right: &right };
        let gap = Span::new(self.file, first.start, value.start);
        let before = self.back(1);
        match (value.kind, before) {
            (TokenKind::Regex, Some(verb)) if after == "runs" => {
                let whole = self.across(verb, value);
                self.report_with_fix_at(mistake, self.span_of(first), whole, &right);
                self.at += 2;
                return true;
            }
            (TokenKind::Regex, _) => self.report(mistake, self.span_of(first)),
            _ => self.report_with_fix_at(mistake, self.span_of(first), gap, ""),
        }
        self.at += 1;
        self.value(after);
        true
    }

    /// Reports `runs("rm")`. `test` is the text before the value in the fix, such as `runs` or `writes like`. Returns
    /// whether there was one.
    pub(super) fn value_in_parentheses(&mut self, test: &str) -> bool {
        let Some(opener) = self.peek().filter(|open| open.text(self.source) == "(" && self.glued(0)) else {
            return false;
        };
        let rest = self.tokens.get(self.at + 1..).unwrap_or_default();
        let is_plain =
            |token: &Token| token.kind == TokenKind::Text || matches!(token.text(self.source), "[" | "]" | ",");
        let length = rest.iter().take_while(|token| is_plain(token)).count();
        let Some((first, last)) = rest.first().zip(length.checked_sub(1).and_then(|at| rest.get(at))) else {
            return false;
        };
        let Some(close) = rest.get(length).filter(|close| close.text(self.source) == ")") else { return false };
        let values = self.slice(*first, *last);
        let list = if length > 1 && !values.starts_with('[') { format!("[{values}]") } else { values.to_owned() };
        let right = format!("{test} {list}");
        let front = self.back(1).unwrap_or(opener);
        let place = self.across(front, *close);
        let written = if test.starts_with("only") { format!("runs {list}") } else { right.clone() };
        self.report_with_fix_at(
            SyntaxMistake::TestInParentheses { right: &right },
            self.span_of(opener),
            place,
            written,
        );
        self.at += length + 2;
        true
    }

    /// Returns the span of a command without its quotes in place of a pattern: `runs git push`. `None` for a single
    /// word, which may be the name of a `let`.
    fn bare_command(&self) -> Option<Span> {
        let first = self.peek().filter(|token| token.kind == TokenKind::Word)?;
        let goes_on = |token: &Token| {
            let between = self.source.get(first.end..token.start).unwrap_or("\n");
            let joins = matches!(token.text(self.source), "and" | "or" | "where" | "into");
            !between.contains('\n') && !joins && token.kind != TokenKind::CloseBracket
        };
        let last = self.tokens.iter().skip(self.at + 1).take_while(|token| goes_on(token)).last()?;
        Some(self.across(first, *last))
    }

    /// Reads `where C`, or reports another word in place of `where`.
    fn filter(&mut self) {
        if self.option_by_name() {
            return;
        }
        let is_meant = matches!(self.text(), "with" | "having" | "whose") && !self.first_on_line();
        if is_meant && !self.stopped && self.nth(1).is_some_and(|next| next.kind == TokenKind::Word) {
            let (word, span) = (self.text(), self.here());
            self.report_with_fix(SyntaxMistake::ForeignJoint { word, right: "where" }, span, "where");
            self.at += 1;
            self.where_condition();
        } else if self.eat("where") {
            self.where_condition();
        }
    }

    /// Reads the condition after `where`.
    fn where_condition(&mut self) {
        self.depth += 1;
        self.filters += 1;
        self.unary(ConditionContext::Filter);
        self.filters -= 1;
        self.depth -= 1;
    }
}
