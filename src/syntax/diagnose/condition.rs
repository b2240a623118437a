//! Reads conditions, and reports operators of other languages, plausible but invalid forms, and missing parts.

use super::ClauseCursor;
use crate::diagnostic::nearest_name;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::limits::MAX_DEPTH;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// The position of a condition, which determines which tests are possible.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ConditionContext {
    /// After `when`, `unless`, `=` or a parenthesis.
    Anywhere,
    /// Directly after `where`, where one test of a single command is expected.
    Filter,
}

impl ClauseCursor<'_> {
    /// Reads tests joined by `and` and `or`. A condition that is nested too deeply is given up.
    pub(super) fn condition(&mut self, place: ConditionContext) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.stop();
        }
        let mut previous = self.at;
        self.unary(place);
        self.words_behind_test(previous);
        while !self.is_done() && self.connective() {
            let from = self.at;
            if !self.loose_alternative(self.tokens.get(previous).copied())
                && !self.loose_exclusion(previous)
                && !self.loose_operator(previous)
            {
                self.unary(place);
            }
            self.words_behind_test(from);
            previous = from;
        }
        self.depth -= 1;
    }

    /// Reads `and` or `or`, or reports another language's word or mark for one of them. Returns whether there was
    /// one.
    fn connective(&mut self) -> bool {
        let span = self.here();
        let word = self.text();
        let right = match word {
            "and" | "or" => {
                self.at += 1;
                return true;
            }
            // A comma that ends the clause does not join anything.
            "," if self.commas_end_conditions || self.nth(1).is_none() || words::CLAUSES.contains(&self.text_at(1)) => {
                return false;
            }
            ";" if !self.first_on_line()
                && self.nth(1).is_some_and(|next| matches!(next.kind, TokenKind::Word | TokenKind::JsonPath))
                && !words::CLAUSES.contains(&self.text_at(1))
                && !matches!(self.text_at(1), "then" | "do") =>
            {
                self.report_with_fix(SyntaxMistake::ForeignJoint { word, right: "and" }, span, " and");
                self.at += 1;
                return true;
            }
            "," if !self.first_on_line() => {
                self.report_with_fix(SyntaxMistake::CommaBetweenTests {}, span, " and");
                self.at += 1;
                return true;
            }
            _ if let Some(joint) = phrases::meaning(PhrasePlace::Joint, word) => joint,
            "when" | "if" if !self.first_on_line() && self.at > 1 && self.nth(1).is_some() => "and",
            _ => return false,
        };
        self.report_with_fix(SyntaxMistake::ForeignJoint { word, right }, span, right);
        self.at += 1;
        true
    }

    /// Reads a test with any number of `not`s before it.
    pub(super) fn unary(&mut self, place: ConditionContext) {
        loop {
            let span = self.here();
            let word = self.text();
            if word == "not" {
                self.at += 1;
            } else if word == "never"
                && self.nth(1).is_some_and(|next| next.kind == TokenKind::Word)
                && !self.at_operator(1)
            {
                self.report_with_fix(SyntaxMistake::ForeignNot { word }, span, "not");
                self.at += 1;
            } else if word == "!" || (word.eq_ignore_ascii_case("not") && word != "not") {
                let spaced = if word == "!" && self.glued(1) { "not " } else { "not" };
                self.report_with_fix(SyntaxMistake::ForeignNot { word }, span, spaced);
                self.at += 1;
            } else {
                break;
            }
        }
        self.test(place);
    }

    /// Reads a single test.
    fn test(&mut self, place: ConditionContext) {
        if self.stopped {
            return;
        }
        if self.events_in_words() || self.place_in_shell() || self.foreign_test() || self.braced_condition() {
            return;
        }
        let span = self.here();
        let word = self.text();
        match self.kind() {
            None => self.missing_test(),
            Some(TokenKind::OpenBracket) if word == "(" => self.group(),
            Some(TokenKind::Word) => self.word_test(place),
            Some(TokenKind::JsonPath) if self.command_in_backticks() => {}
            Some(TokenKind::JsonPath) => {
                self.json_path();
                self.comparison(word);
            }
            Some(TokenKind::UnclosedJsonPath) => {
                self.report_malformed_token();
            }
            Some(TokenKind::Text | TokenKind::Number) => self.value_on_left(),
            Some(TokenKind::UnclosedRegex | TokenKind::Regex) if self.bare_absolute() => {}
            Some(
                TokenKind::TypographicText
                | TokenKind::UnclosedText
                | TokenKind::UnclosedBlock
                | TokenKind::UnclosedRegex,
            ) => {
                self.report_malformed_token();
            }
            Some(TokenKind::Punctuation) if word == "$" => self.naked_json_path(),
            Some(TokenKind::CloseBracket) => self.missing_test(),
            Some(TokenKind::Regex) => {
                self.report(SyntaxMistake::LoneRegex {}, span);
                self.at += 1;
            }
            _ => {
                let found = self.describe();
                self.report(SyntaxMistake::NotATest { found: &found }, span);
                self.stop_unless_joined();
            }
        }
    }

    /// Reports a command in backticks in place of a test: `` `git push` ``. Returns whether there was one.
    fn command_in_backticks(&mut self) -> bool {
        let written = self.text();
        let inner = written.trim_matches('`').trim();
        let is_words = inner.contains(' ') && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b" -_./".contains(&b));
        if !is_words || self.at_operator(1) {
            return false;
        }
        let right = format!("runs \"{inner}\"");
        self.report_with_fix(SyntaxMistake::ForeignTest { written, right: &right }, self.here(), &right);
        self.at += 1;
        true
    }

    /// Reports that a condition is missing after the previous token.
    fn missing_test(&mut self) {
        let place = self.end_of_previous();
        let before = self.back(1).map_or("", |token| token.text(self.source));
        let mistake = match before {
            "where" => SyntaxMistake::MissingCommandTest {},
            before => SyntaxMistake::MissingCondition { before },
        };
        self.report(mistake, place);
    }

    /// Reads a condition in parentheses.
    fn group(&mut self) {
        let Some(opener) = self.advance() else { return };
        self.condition(ConditionContext::Anywhere);
        if self.stopped || self.eat(")") {
            return;
        }
        if self.at >= self.tokens.len() || self.first_on_line() || self.kind() == Some(TokenKind::CloseBracket) {
            self.report_unclosed(opener);
        } else {
            let found = self.describe_unexpected();
            self.report(SyntaxMistake::InParentheses { found: &found }, self.here());
        }
        self.stop();
    }

    /// Reads a test that begins with a word.
    fn word_test(&mut self, place: ConditionContext) {
        if self.misjoined_count() {
            return;
        }
        if self.skip_subject_of_test() {
            return self.test(place);
        }
        if self.read_fact_in_words() || self.read_quantified_word(place) || self.measure_in_words() {
            return;
        }
        let span = self.here();
        let word = self.text();
        if self.is_question_about_past() && word == "happened" {
            return self.happened();
        }
        match word {
            "runs" | "pipes" | "only" if place == ConditionContext::Filter => {
                self.report(SyntaxMistake::TestOfOtherCommands { word }, span);
                self.stop_unless_joined();
            }
            "runs" => self.runs(),
            "only" => self.only_runs(),
            "pipes" => self.pipes(),
            "reads" | "writes" | "deletes" | "sends" => self.touches(),
            "connects" => self.connects(),
            "exists" => self.existence(),
            "unless" => {
                self.report_with_fix(SyntaxMistake::UnlessInCondition {}, span, "not");
                self.at += 1;
                self.unary(place);
            }
            // The condition ends here: its caller reads the word.
            "then" | "do" => {}
            "by" if place == ConditionContext::Anywhere && !self.first_on_line() => self.agent_test(),
            _ if self.text_at(1) == "(" && self.glued(1) && !matches!(word, "and" | "or" | "not") => {
                if let Some(name) = self.advance() {
                    self.call(name);
                }
                self.comparison(word);
            }
            "run" | "runs_command" | "executes" | "calls" if self.is_before_text() => {
                self.misnamed_test(SyntaxMistake::RunsMeant { word }, "runs");
            }
            "flag" | "has_flag" | "has_option" | "switch" if self.is_before_text() => self.named_flag(),
            "has" | "contains" | "includes" if self.is_before_text() && self.text_at(1).starts_with("\"-") => {
                self.named_flag();
            }
            _ if words::is_reserved(word) && !matches!(word, "file_exists" | "file_size") => self.reserved(),
            _ => self.field_test(),
        }
    }

    /// Reads `exists FIELD`, and reports a comparison after it.
    fn existence(&mut self) {
        let span = self.here();
        self.at += 1;
        let from = self.peek();
        self.operand("exists");
        if let (Some(from), true) = (from, !self.stopped && self.at_operator(0) && !self.first_on_line()) {
            let (operator, value) = (self.text(), self.text_at(1));
            let right = format!("{} {operator} {value}", from.text(self.source));
            let gap = Span::new(span.file, span.start as usize, from.start);
            self.report_with_fix_at(SyntaxMistake::ExistsCompared { right: &right }, span, gap, "");
            self.comparison(from.text(self.source));
        }
    }

    /// Reads `all FIELD OPERATOR V`, and reports `any of […]` and `any FIELD …`. Returns whether the next word was
    /// one of these quantifiers.
    fn read_quantified_word(&mut self, place: ConditionContext) -> bool {
        let (word, span) = (self.text(), self.here());
        match word {
            "all" => {
                self.at += 1;
                self.operand("all");
                self.comparison("all");
            }
            "any" | "none" | "every" | "some" if matches!(self.text_at(1), "of" | "[") => {
                let of = self.nth(1).filter(|of| of.text(self.source) == "of");
                let span = of.map_or(span, |of| span.joined_with(self.span_of(of)));
                self.report(SyntaxMistake::OfList { word: self.written(span) }, span);
                self.stop_unless_joined();
            }
            "any" | "none" if self.is_before_field() => {
                match word {
                    "any" => self.report_with_fix(SyntaxMistake::AnyBeforeField { word }, span, ""),
                    _ => self.report_with_fix(SyntaxMistake::NoneBeforeField { word }, span, "not"),
                }
                self.at += 1;
                self.test(place);
            }
            _ => return false,
        }
        true
    }

    /// Reports `by` in a condition, as in `unless by main`, and proposes a comparison of `agent`.
    fn agent_test(&mut self) {
        let span = self.here();
        self.at += 1;
        let Some(first) = self.peek() else { return self.missing_test() };
        // Moves past the names, which are separated by `|`. A name may be several tokens: `review-*`.
        loop {
            self.at += usize::from(self.text() == "!");
            self.at += 1;
            while self.glued(0) && !matches!(self.text(), "" | "|" | "," | "(" | ")") {
                self.at += 1;
            }
            if !self.eat("|") {
                break;
            }
        }
        let Some(last) = self.tokens.get(..self.at).and_then(<[Token]>::last).copied() else { return };
        let written = self.slice(first, last);
        let name = |name: &str| {
            let (not, rest) = name.trim().strip_prefix('!').map_or(("", name.trim()), |rest| ("!", rest.trim()));
            format!("{not}{}", rest.trim_matches(['"', '\'']))
        };
        let names: Vec<String> = written.split('|').map(name).collect();
        let is_negated = |name: &String| name.starts_with('!');
        let is_none_of = names.iter().all(is_negated);
        // If some agents are excluded and others are not, the `!` stays in the list, which is then one of globs.
        let is_glob = written.contains(['*', '?']) || (!is_none_of && names.iter().any(is_negated));
        let element = |name: &String| if is_none_of { name.trim_start_matches('!').to_owned() } else { name.clone() };
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", element(name))).collect();
        let (not, operator) = match (quoted.len(), is_glob, is_none_of) {
            (1, false, false) => ("", "=="),
            (1, false, true) => ("", "!="),
            (_, true, true) => ("not ", "like"),
            (_, true, false) => ("", "like"),
            (_, false, true) => ("not ", "in"),
            (_, false, false) => ("", "in"),
        };
        let value = match quoted.as_slice() {
            [only] => only.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        let right = format!("agent {not}{operator} {value}");
        let whole = span.joined_with(self.span_of(last));
        self.report_with_fix_at(SyntaxMistake::AgentTest { right: &right }, span, whole, &right);
    }

    /// Reports a reserved word in place of a field. A word that begins a clause there shows that the test is missing.
    fn reserved(&mut self) {
        let word = self.text();
        if word == "true" && self.at <= 1 && self.nth(1).is_none() {
            self.report(SyntaxMistake::AlwaysTrue {}, self.here());
            return self.stop();
        }
        let compared = self.at_operator(1) || matches!(self.text_at(1), "=" | "===");
        if words::CLAUSES.contains(&word) && !compared && (self.first_on_line() || self.at <= 1) {
            return self.missing_test();
        }
        self.report(SyntaxMistake::ReservedField { word }, self.here());
        self.stop_unless_joined();
    }

    /// Reads a comparison of a field, or a test with a misspelled verb.
    fn field_test(&mut self) {
        const VERBS: [&str; 8] = ["runs", "pipes", "reads", "writes", "deletes", "sends", "connects", "exists"];
        if self.foreign_verb() {
            return;
        }
        let word = self.text();
        if let Some(near) = self.is_before_text().then(|| nearest_name(word, VERBS)).flatten() {
            return self.misnamed_test(SyntaxMistake::UnknownTest { word, near }, near);
        }
        if self.misspelled_happened() {
            return;
        }
        let from = self.at;
        self.operand("");
        if !self.stopped && self.between_numbers(from) {
            return;
        }
        self.comparison(word);
    }

    /// Whether the token after the next one is a string.
    fn is_before_text(&self) -> bool {
        self.nth(1).is_some_and(|next| next.kind == TokenKind::Text)
    }

    /// Whether a field follows the next word, so that the word itself is not compared.
    fn is_before_field(&self) -> bool {
        let is_field = |next: &Token| matches!(next.kind, TokenKind::Word | TokenKind::JsonPath);
        self.nth(1).is_some_and(|next| is_field(&next)) && !self.at_operator(1)
    }
}
