//! Reports operators and values in spoken form: `starts with`, `is empty`, `doesn't contain`, `ignoring case`.

use super::ClauseCursor;
use super::comparison::negated_operator;
use super::translate::escaped;
use crate::phrases::{self, Phrase, PhrasePlace};
use crate::span::Span;
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::TokenKind;

/// The maximum number of words of an operator.
const MAX_WORDS: usize = 4;

impl ClauseCursor<'_> {
    /// Reports a test of any of the texts in a `let`: `prompt contains any of words`. Returns whether there was one.
    fn any_of_name(&mut self, operator: &str) -> bool {
        if !matches!(self.text(), "any" | "any_of" | "one_of" | "either" | "anyof") {
            return false;
        }
        let skip = 1 + usize::from(self.text_at(1) == "of");
        let (Some(field), Some(first), Some(list)) = (self.back(2), self.peek(), self.nth(skip)) else { return false };
        if list.kind != TokenKind::Word || self.first_on_line_ahead(skip) {
            return false;
        }
        let name = list.text(self.source);
        let gap = Span::new(self.file, first.start, list.start);
        if !matches!(operator, "contains" | "starts_with" | "ends_with" | "matches") {
            let written = self.source.get(first.start..list.start).unwrap_or_default().trim_end();
            self.report_with_fix_at(SyntaxMistake::AnyBeforeField { word: written }, gap, gap, "");
            self.at += skip + 1;
            return true;
        }
        let texts = self.texts_of_let(name);
        let front = field.text(self.source);
        let tests: Vec<String> = texts.iter().map(|text| format!("{front} {operator} \"{text}\"")).collect();
        let separate_tests = format!("({})", tests.join(" or "));
        // There is no fix: with the tests written out, the list would be unused, so only the author can decide.
        let right = if tests.len() > 1 && separate_tests.chars().count() <= 90 {
            separate_tests
        } else {
            forms::matches_any(front)
        };
        let span = self.across(first, list);
        self.report(SyntaxMistake::ListBehindContains { operator, right: &right }, span);
        self.at += skip + 1;
        true
    }

    /// Returns the texts of a `let` whose list is on a single line of the file; empty if there is none.
    fn texts_of_let(&self, name: &str) -> Vec<&str> {
        let mut lists = self.source.lines().filter_map(|line| {
            let rest = line.strip_prefix("let ")?.trim_start().strip_prefix(name)?.trim_start().strip_prefix('=')?;
            rest.trim().strip_prefix('[')?.strip_suffix(']')
        });
        let inner = lists.next().unwrap_or_default();
        let texts = inner.split(',').map(|text| text.trim().trim_matches(['"', '\'']));
        texts.filter(|text| !text.is_empty() && !text.contains(['\\', '"', '['])).collect()
    }

    /// Reports a superfluous word between an operator and its value: `prompt contains word "x"`. Returns whether
    /// there was one.
    pub(super) fn word_before_value(&mut self, operator: &str) -> bool {
        if self.any_of_name(operator) {
            return true;
        }
        let says_nothing = phrases::says_nothing(&format!("$operator {}", self.text()));
        let is_before = self.nth(1).is_some_and(|next| next.kind == TokenKind::Text);
        let before = self.back(1);
        let (Some(before), Some(word), true) = (before, self.peek(), says_nothing && is_before) else { return false };
        let written = self.slice(before, word);
        let place = self.across(before, word);
        self.report_with_fix(SyntaxMistake::ForeignOperator { word: written, right: operator }, place, operator);
        self.at += 1;
        self.value(operator);
        true
    }

    /// Reports `prompt contains "x" ignoring case`, after the value, and proposes a regex with the flag `i`. Returns
    /// whether there was one.
    pub(super) fn without_case(&mut self) -> bool {
        let length = match [self.text(), self.text_at(1)] {
            ["ignoring" | "ignore" | "ignores" | "without", "case"] => 2,
            ["case", "insensitive" | "insensitively"] => 2,
            ["nocase" | "caseless" | "case_insensitive" | "ignorecase", _] => 1,
            _ => return false,
        };
        let (Some(field), Some(operator), Some(value), Some(last)) =
            (self.back(3), self.back(2), self.back(1), self.nth(length - 1))
        else {
            return false;
        };
        let text = escaped(value.text(self.source).trim_matches(['"', '\'']));
        let regex = match operator.text(self.source) {
            "contains" => text,
            "==" => format!("^{text}$"),
            "starts_with" => format!("^{text}"),
            "ends_with" => format!("{text}$"),
            _ => return false,
        };
        if field.kind != TokenKind::Word || value.kind != TokenKind::Text {
            return false;
        }
        let right = format!("{} matches /{regex}/i", field.text(self.source));
        let place = self.across(field, last);
        let written = self.slice(operator, last);
        match written.chars().count() > 46 {
            true => self.report_with_fix(SyntaxMistake::LongForeignTest { right: &right }, place, &right),
            false => self.report_with_fix(SyntaxMistake::ForeignTest { written, right: &right }, place, &right),
        }
        self.at += length;
        true
    }

    /// Reports an operator of several words, `prompt starts with "x"`, or one without a value, `content is empty`.
    /// Returns whether there was one.
    pub(super) fn spoken(&mut self) -> bool {
        let Some(first) = self.peek() else { return false };
        let Some((phrase, length)) = self.spoken_operator() else { return false };
        let meaning = phrase.means;
        let last = self.nth(length - 1).unwrap_or(first);
        let whole = self.across(first, last);
        let written = self.written(whole);
        self.report_with_fix(SyntaxMistake::ForeignOperator { word: written, right: meaning }, whole, meaning);
        self.at += length;
        // An equivalent such as `== ""` already contains its value.
        if !meaning.ends_with('"') {
            self.value(meaning.rsplit(' ').next().unwrap_or(meaning));
        }
        true
    }

    /// Returns the longest operator of the phrasebook at the cursor and the number of its words. A single word is found
    /// only if it is a whole comparison, with its value or without one.
    fn spoken_operator(&self) -> Option<(&'static Phrase, usize)> {
        let of_length = |length: usize| {
            let words: Vec<&str> = (0..length).map(|at| self.text_at(at)).collect();
            let (words, place) =
                (words.join(" "), if length > 1 { PhrasePlace::Operator } else { PhrasePlace::Comparison });
            let is_before_text = self.nth(length).is_some_and(|next| next.kind == TokenKind::Text);
            let before_text = || phrases::find_phrase(place, &format!("{words} $text")).filter(|_| is_before_text);
            let phrase = phrases::find_phrase(PhrasePlace::Comparison, &words)
                .or_else(before_text)
                .or_else(|| phrases::find_phrase(place, &words))?;
            Some((phrase, length))
        };
        (1..=MAX_WORDS).rev().find_map(of_length)
    }

    /// Reports a contraction, `path doesn't contain ".env"`, whose apostrophe opens an unclosed string. Returns
    /// whether there was one.
    pub(super) fn contraction(&mut self) -> bool {
        let (Some(first), Some(open)) = (self.peek(), self.nth(1)) else { return false };
        let word = first.text(self.source);
        let is_verb = matches!(word, "doesn" | "don" | "isn" | "aren" | "didn" | "won" | "can" | "wasn");
        let rest = self.source.get(open.start..).and_then(|rest| rest.strip_prefix("'t ")).unwrap_or_default();
        let name: String = rest.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '_').collect();
        let Some(operator) = negated_operator(&format!("not_{name}")).filter(|_| is_verb && self.glued(1)) else {
            return false;
        };
        let end = open.start + "'t ".len() + name.len();
        let whole = Span::new(self.file, first.start, end);
        let written = self.written(whole);
        self.report_with_fix(SyntaxMistake::ForeignOperator { word: written, right: &operator }, whole, &operator);
        self.stop();
        true
    }
}
