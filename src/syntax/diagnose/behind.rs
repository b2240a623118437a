//! Reports words behind a complete test that narrow it in another form: `happened m in the last 10m`, `runs "rm" option
//! "-r"`, `runs "rm" except where operands == "a"`.
//!
//! No help here says to delete them: without these words, a test is true of other calls.

use super::ClauseCursor;
use super::past::{COUNT, PARTS};
use super::quantified::is_condition;
use crate::span::Span;
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::TokenKind;
use crate::syntax::words;

/// The words that begin an exception behind a test of commands. `but` does, too, if more than a value follows.
pub(super) const EXCEPTIONS: [&str; 5] = ["except", "excluding", "without", "minus", "ignoring"];

/// The fields of a single command, which a test behind `where` begins with.
const OF_COMMANDS: [&str; 15] = [
    "args",
    "cwd",
    "domain",
    "env",
    "input",
    "operands",
    "option",
    "piped_from",
    "piped_to",
    "program",
    "push_target",
    "variables",
    "via",
    "operand",
    "last",
];

/// What words behind a question about the past mean.
enum EventWords {
    /// A part that narrows the events, by its rank and its text: `within 10m`.
    Part(usize, String),
    /// A comparison of their number: `>= 2`.
    Times(String),
}

impl<'a> ClauseCursor<'a> {
    /// Reports words that narrow the test before the cursor, which begins at the index `from`.
    pub(super) fn words_behind_test(&mut self, from: usize) {
        if self.is_done() || self.first_on_line() {
            return;
        }
        let tokens = self.tokens.get(from..self.at).unwrap_or_default();
        let nots = tokens.iter().take_while(|token| token.text(self.source) == "not").count();
        if matches!(self.tokens.get(from + nots).map(|token| token.text(self.source)), Some("happened" | COUNT)) {
            self.words_behind_events(from + nots);
        }
    }

    /// Reports words behind a question about the past whose first word has the index `from`.
    fn words_behind_events(&mut self, from: usize) {
        if self.text() == "before" && self.nth(1).is_some_and(|name| name.kind == TokenKind::Word) {
            let (mark, other) = (self.tokens.get(from + 1).map_or("", |mark| mark.text(self.source)), self.text_at(1));
            self.report(SyntaxMistake::EventsBefore { mark, other }, self.here());
            self.at += 2;
            return;
        }
        if let Some((time, length)) = self.events_ago() {
            let mark = self.tokens.get(from + 1).map_or("", |mark| mark.text(self.source));
            self.report(SyntaxMistake::EventsAgo { mark, time: &time }, self.here());
            self.at += length;
            return;
        }
        let begin = self.at;
        let mut parts: Vec<(usize, String)> = self.parts_of_events(from);
        let mut number = self.number_of_events(from);
        while let Some((words, length)) = self.event_words() {
            match words {
                EventWords::Part(rank, part) => parts.push((rank, part)),
                EventWords::Times(times) => number = Some(times),
            }
            self.at += length;
        }
        let (Some(first), Some(mark), Some(word), Some(last)) =
            (self.tokens.get(from), self.tokens.get(from + 1), self.tokens.get(begin), self.back(1))
        else {
            return;
        };
        if self.at == begin {
            return;
        }
        parts.sort_by_key(|(rank, _)| *rank);
        let question = if number.is_some() { COUNT } else { "happened" };
        let texts = parts.iter().map(|(_, part)| part.as_str()).chain(number.as_deref());
        let right = [question, mark.text(self.source)].into_iter().chain(texts).collect::<Vec<_>>().join(" ");
        let place = self.across(*first, last);
        let span = self.across(*word, last);
        let written = self.short(span);
        let is_once = parts.windows(2).all(|pair| matches!(pair, [(one, _), (other, _)] if one < other));
        match is_once && is_condition(&right) {
            true => self.report_with_fix_at(
                SyntaxMistake::WordsBehindEvents { written, right: &right },
                span,
                place,
                &right,
            ),
            false => self.report(SyntaxMistake::PastPartOrder { word: written, question }, span),
        }
    }

    /// Returns the parts that narrow the events of the question whose first word has the index `from`.
    fn parts_of_events(&self, from: usize) -> Vec<(usize, String)> {
        let mut parts = Vec::new();
        let mut at = from + 2;
        while let Some(word) = self.tokens.get(at).filter(|_| at < self.at).map(|word| word.text(self.source)) {
            let Some(rank) = PARTS.iter().position(|part| *part == word) else { break };
            let length = if word == "by" { 3 } else { 2 };
            let (Some(first), Some(last)) = (self.tokens.get(at), self.tokens.get(at + length - 1)) else { break };
            parts.push((rank, self.slice(*first, *last).to_owned()));
            at += length;
        }
        parts
    }

    /// Returns the comparison before the cursor if the question at the index `from` is a count: `> 5`.
    fn number_of_events(&self, from: usize) -> Option<String> {
        let is_count = self.tokens.get(from).is_some_and(|word| word.text(self.source) == COUNT);
        let (operator, number) = self.back(2).zip(self.back(1))?;
        (is_count && number.kind == TokenKind::Number).then(|| self.slice(operator, number).to_owned())
    }

    /// Returns what the next words mean behind a question about the past, and their number.
    fn event_words(&self) -> Option<(EventWords, usize)> {
        if self.is_done() || self.first_on_line() {
            return None;
        }
        let rank = |word: &str| PARTS.iter().position(|part| *part == word);
        let word = self.text();
        if let Some((times, length)) = self.number_of_times_behind() {
            return Some((EventWords::Times(times), length));
        }
        let fillers = (0..5).take_while(|at| is_word_of_time(self.text_at(*at))).count();
        if let Some((time, length)) = self.duration_ahead(fillers).filter(|_| fillers > 0) {
            return Some((EventWords::Part(rank("within")?, format!("within {time}")), fillers + length));
        }
        let next = self.nth(1).filter(|next| next.kind == TokenKind::Word && !self.first_on_line_ahead(1));
        match word {
            "after" | "following" if next.is_some() => {
                Some((EventWords::Part(rank("since")?, format!("since {}", self.text_at(1))), 2))
            }
            "for" | "on" | "with" | "to" if next.is_some() && !words::is_reserved(self.text_at(1)) => {
                Some((EventWords::Part(rank("of")?, format!("of {}", self.text_at(1))), 2))
            }
            "path" | "match" | "call" | "url" | "domain" | "command" => {
                Some((EventWords::Part(rank("of")?, format!("of {word}")), 1))
            }
            _ => {
                let (rank, length) = self.part_ahead(0)?;
                let (first, last) = self.peek().zip(self.nth(length - 1))?;
                Some((EventWords::Part(rank, self.slice(first, last).to_owned()), length))
            }
        }
    }

    /// Returns the comparison that words for a number of events mean, and how many words these are: `twice`, `3 times`,
    /// `more than 3 times`.
    fn number_of_times_behind(&self) -> Option<(String, usize)> {
        let fixed = match self.text() {
            "once" => Some(1),
            "twice" => Some(2),
            "thrice" => Some(3),
            _ => None,
        };
        if let Some(number) = fixed {
            return Some((format!(">= {number}"), 1));
        }
        let (operator, skip) = match [self.text(), self.text_at(1)] {
            ["at", "least"] => (">=", 2),
            ["more", "than"] => (">", 2),
            _ => (">=", 0),
        };
        let number = self.nth(skip).filter(|number| number.kind == TokenKind::Number)?;
        matches!(self.text_at(skip + 1), "times" | "time" | "x")
            .then(|| (format!("{operator} {}", number.text(self.source)), skip + 2))
    }

    /// Returns the duration of words that ask how long ago an event was, and their number: `ago > 5m`, `5m ago`.
    fn events_ago(&self) -> Option<(String, usize)> {
        let skip = match [self.text(), self.text_at(1)] {
            ["ago", _] => 1 + usize::from(self.compares_numbers(1)),
            ["more" | "less", "than"] => 2,
            _ => 0,
        };
        let (time, length) = self.duration_ahead(skip)?;
        let ago = usize::from(self.text_at(skip + length) == "ago");
        (self.text() == "ago" || ago == 1).then_some((time, skip + length + ago))
    }

    /// Returns the duration `ahead` tokens ahead as it should be written, and the number of its tokens.
    pub(super) fn duration_ahead(&self, ahead: usize) -> Option<(String, usize)> {
        if let Some(quantity) = self.spaced_quantity(ahead) {
            return (!quantity.ends_with('B')).then_some((quantity, 2));
        }
        let token = self.nth(ahead)?;
        let text = token.text(self.source);
        match (token.kind, text) {
            (TokenKind::Number, _) => text.ends_with(['s', 'm', 'h', 'd']).then(|| (text.to_owned(), 1)),
            (TokenKind::Word, "hour") => Some(("1h".to_owned(), 1)),
            (TokenKind::Word, "minute") => Some(("1m".to_owned(), 1)),
            _ => None,
        }
    }

    /// Reports an exception behind a pattern that is a test: `runs "rm" except where operands == "a"`, `runs "rm"
    /// without option "-r"`, and a test without its `where`: `runs "rm" option "-r"`. Returns whether there was one.
    pub(super) fn test_behind_pattern(&mut self) -> bool {
        let Some(first) = self.peek() else { return false };
        let word = self.text();
        let is_exception = word == "but" || EXCEPTIONS.contains(&word);
        let not = usize::from(is_exception && self.text_at(1) == "not");
        let test = if is_exception { 1 + not } else { 0 };
        let is_where = self.text_at(test) == "where" && is_exception;
        let test = test + usize::from(is_where);
        let Some(begin) = self.nth(test) else { return false };
        let is_operator = self.at_operator(test + 1);
        let is_of_command = OF_COMMANDS.contains(&self.text_at(test)) || self.text_at(test) == "(";
        // A word in front of an operator is a field; what else follows a pattern is reported elsewhere.
        let is_field = begin.kind == TokenKind::Word && !words::is_reserved(self.text_at(test));
        if !(is_of_command || is_where || is_field && is_operator) {
            return false;
        }
        let Some(length) = self.length_of_test(test) else { return false };
        let Some(last) = self.nth(test + length - 1) else { return false };
        let span = self.across(first, last);
        let written = self.slice(begin, last);
        let shown = self.short(self.across(begin, last));
        let is_compared = (0..length).any(|ahead| self.at_operator(test + ahead));
        let exists = if self.text_at(test) == "option" && !is_compared { "exists " } else { "" };
        let is_joined = written.contains(" and ") || written.contains(" or ") || written.starts_with('(');
        let touches = matches!(self.text_at(test), "reads" | "writes" | "deletes" | "sends");
        let inner = match (is_exception, is_joined) {
            // Of several values, each must be excepted: one that is not makes the rule fire.
            (true, false) if touches && self.text_at(test + 1) == "under" => written.replacen("under", "outside", 1),
            (true, false) if !touches && is_compared && has_several_values(self.text_at(test)) => {
                forms::not_all(written)
            }
            (true, false) if !touches => format!("not {exists}{written}"),
            (true, _) => String::new(),
            (false, true) if !written.starts_with('(') => format!("({exists}{written})"),
            (false, _) => format!("{exists}{written}"),
        };
        let right = format!("where {inner}");
        let is_valid = (is_of_command || is_where) && is_condition(&format!("runs \"a\" {right}"));
        let mistake = SyntaxMistake::FilterWithoutWhere { word, right: &right };
        match is_valid {
            true => self.report_with_fix(mistake, span, &right),
            false if is_exception => self.report(SyntaxMistake::ExceptionBehindPattern { word }, span),
            false => self.report(SyntaxMistake::TestBehindPattern { written: shown }, span),
        }
        self.at += test + length;
        true
    }

    /// Returns the source text of a span as a message shows it: its first word if it is long or has several lines.
    fn short(&self, span: Span) -> &'a str {
        let written = self.written(span);
        let is_long = written.chars().count() > 30 || written.contains('\n');
        if is_long { written.split_whitespace().next().unwrap_or_default() } else { written }
    }

    /// Returns the number of tokens from `ahead` on up to the end of the condition or of the parentheses around it.
    fn length_of_test(&self, ahead: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut length = 0;
        while let Some(token) = self.nth(ahead + length) {
            match token.kind {
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket if depth == 0 => break,
                TokenKind::CloseBracket => depth -= 1,
                TokenKind::Word if self.first_on_line_ahead(ahead + length) => break,
                _ => {}
            }
            length += 1;
        }
        (length > 0).then_some(length)
    }
}

/// Whether a command can have several values of a field.
fn has_several_values(field: &str) -> bool {
    matches!(
        field,
        "args" | "domain" | "operands" | "option" | "piped_from" | "piped_to" | "push_target" | "variables" | "via"
    )
}

/// Whether a word before a duration says that it ends now: `in the last 10m`.
fn is_word_of_time(word: &str) -> bool {
    matches!(word, "in" | "for" | "during" | "over" | "inside" | "within" | "the" | "last" | "past" | "previous")
}
