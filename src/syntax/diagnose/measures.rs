//! Reports numbers about values, and operands by their place, in other words: `size of content > 8KB`, `command length
//! > 9`, `content longer than 8KB`, `first operand == "x"`.

use super::ClauseCursor;
use crate::span::Span;
use crate::syntax::mistakes::{LAST_OPERAND, SIZE_OF_FILE, SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// The operators that compare numbers.
const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Other words for `length`.
const LENGTHS: [&str; 7] = ["length", "size", "len", "bytes", "chars", "characters", "size_of"];

/// Other words for `count`.
const COUNTS: [&str; 6] = ["count", "number", "num", "amount", "count_of", "number_of"];

/// The verbs of the tests of files that `count` takes.
const VERBS: [&str; 4] = ["reads", "writes", "deletes", "sends"];

/// Fields that are certainly texts, so that a size after their comparison is meant as that of their length.
const TEXTS: [&str; 6] = ["content", "command", "prompt", "url", "tool_input.content", "tool_input.command"];

/// The words for the places of operands, with the number or the form of each.
const PLACES: [(&str, &str); 7] = [
    ("first", "1"),
    ("second", "2"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
    ("last", LAST_OPERAND),
    ("final", LAST_OPERAND),
];

/// Whether a word is one for an operand of a command.
fn means_operand(word: &str) -> bool {
    matches!(word, "operand" | "operands" | "arg" | "args" | "argument" | "arguments" | "param" | "parameter")
}

/// Whether a quantity is a size in bytes.
fn is_size(quantity: &str) -> bool {
    quantity.ends_with('B')
}

/// Returns the operand of `file_size` or `length` that is meant by the size of a field: a path that is compared with
/// a size is about its file.
fn size_operand(field: &str, value: &str) -> String {
    match field {
        "file" if is_size(value) => SIZE_OF_FILE.to_owned(),
        "path" | "tool_input.file_path" if is_size(value) => format!("file_size {field}"),
        _ => format!("length {field}"),
    }
}

impl ClauseCursor<'_> {
    /// Reports a number about a value, or the place of an operand, in other words, and reads the comparison after it.
    /// Returns whether there was one.
    pub(super) fn measure_in_words(&mut self) -> bool {
        self.count_of_some_files()
            || self.length_of_files()
            || self.called_measure()
            || self.measure_before_field()
            || self.measure_behind_field()
            || self.longer_than()
            || self.length_of_flag()
            || self.operand_in_words()
    }

    /// Whether `length F` or `count F` begins at the next word.
    pub(super) fn is_measure(&self) -> bool {
        matches!(self.text(), "length" | "count") && self.is_measured(1, self.text())
    }

    /// Reads `length F` or `count F` up to its comparison.
    pub(super) fn measure(&mut self) {
        let measure = self.text();
        self.at += 1;
        match VERBS.contains(&self.text()) {
            true => self.at += 1,
            false => self.operand(measure),
        }
    }

    /// Whether the token `ahead` tokens ahead is a value that has a length or can be counted.
    fn is_measured(&self, ahead: usize, measure: &str) -> bool {
        let Some(token) = self.nth(ahead).filter(|_| !self.first_on_line_ahead(ahead)) else { return false };
        let word = token.text(self.source);
        match token.kind {
            TokenKind::JsonPath => true,
            TokenKind::Word if self.at_operator(ahead) => false,
            TokenKind::Word => !words::is_reserved(word) || measure == "count" && VERBS.contains(&word),
            _ => false,
        }
    }

    /// Whether the token `ahead` tokens ahead compares numbers.
    pub(super) fn compares_numbers(&self, ahead: usize) -> bool {
        COMPARISONS.contains(&self.text_at(ahead))
    }

    /// Returns the value `ahead` tokens ahead as it should be written, and the number of its tokens.
    fn measured_value(&self, ahead: usize) -> (String, usize) {
        match self.spaced_quantity(ahead) {
            Some(quantity) => (quantity, 2),
            None => (self.text_at(ahead).to_owned(), 1),
        }
    }

    /// Reports the next `length` tokens, which mean `right`, and moves past them.
    pub(super) fn report_measure(&mut self, length: usize, right: &str) {
        let (Some(first), Some(last)) = (self.peek(), self.nth(length.saturating_sub(1))) else { return };
        self.report_measure_at(self.across(first, last), right);
        self.at += length;
    }

    /// Reports the words of a span, which mean `right`.
    fn report_measure_at(&mut self, span: Span, right: &str) {
        let written = self.written(span);
        self.report_with_fix(SyntaxMistake::MeasureInWords { written, right }, span, right);
    }

    /// Reports `count deletes like "src/**" > 5`, and `count runs "rm" > 5`. Returns whether it was one of these.
    fn count_of_some_files(&mut self) -> bool {
        let verb = self.text_at(1);
        if !COUNTS.contains(&self.text()) {
            return false;
        }
        let (Some(first), operator) = (self.peek(), self.text_at(2)) else { return false };
        let span = self.nth(1).map_or(self.span_of(first), |verb| self.across(first, verb));
        let is_of_commands = matches!(verb, "commands" | "calls" | "runs");
        if is_of_commands && (verb == "runs" || self.compares_numbers(2)) {
            self.report(SyntaxMistake::CountOfCommands {}, span);
            self.stop_unless_joined();
            return true;
        }
        if !VERBS.contains(&verb) || !matches!(operator, "like" | "under" | "outside") {
            return false;
        }
        let length = match self.text_or_list(3) {
            Some((_, length)) => length,
            None if self.nth(3).is_some_and(|name| name.kind == TokenKind::Word) => 1,
            None => return false,
        };
        let (Some(value), Some(last)) = (self.nth(3), self.nth(2 + length)) else { return false };
        if !self.compares_numbers(3 + length) {
            return false;
        }
        let files = format!("{verb} {operator} {}", self.slice(value, last));
        let number = format!("count {verb} {} {}", self.text_at(3 + length), self.text_at(4 + length));
        self.report(SyntaxMistake::CountOfSomeFiles { verb, files: &files, number: &number }, span);
        self.stop_unless_joined();
        true
    }

    /// Reports `length deletes > 20`: files are counted. Returns whether it was that.
    fn length_of_files(&mut self) -> bool {
        let verb = self.text_at(1);
        if !LENGTHS.contains(&self.text()) || !VERBS.contains(&verb) || !self.compares_numbers(2) {
            return false;
        }
        let right = format!("count {verb}");
        self.report_measure(2, &right);
        self.comparison(&right);
        true
    }

    /// Reports a number of files without `count`, whose verb is before the cursor: `deletes > 20`, `writes count > 20`,
    /// `deletes more than 20`. Returns whether there was one.
    pub(super) fn number_of_files(&mut self, verb: &str) -> bool {
        let Some(first) = self.back(1).filter(|_| VERBS.contains(&verb)) else { return false };
        let right = format!("count {verb}");
        if let Some((operator, skip)) = self.spoken_order() {
            let Some(number) = self.nth(skip).filter(|number| number.kind == TokenKind::Number) else { return false };
            let right = format!("{right} {operator} {}", number.text(self.source));
            // `files` after the number says nothing.
            let files = usize::from(matches!(self.text_at(skip + 1), "files" | "file"));
            let Some(last) = self.nth(skip + files) else { return false };
            self.report_measure_at(self.across(first, last), &right);
            self.at += skip + files + 1;
            return true;
        }
        let length = usize::from(COUNTS.contains(&self.text()));
        if !self.compares_numbers(length) || !self.nth(length + 1).is_some_and(|it| it.kind == TokenKind::Number) {
            return false;
        }
        let last = if length == 1 { self.peek().unwrap_or(first) } else { first };
        self.report_measure_at(self.across(first, last), &right);
        self.at += length;
        self.comparison(&right);
        true
    }

    /// Returns the operator that words mean before a number, and how many words these are: `more than`, `at least`.
    fn spoken_order(&self) -> Option<(&'static str, usize)> {
        Some(match [self.text(), self.text_at(1)] {
            ["more" | "over", "than"] => (">", 2),
            ["fewer" | "less", "than"] => ("<", 2),
            ["at", "least"] => (">=", 2),
            ["at", "most"] => ("<=", 2),
            ["over", _] => (">", 1),
            _ => return None,
        })
    }

    /// Reports `$1`, a word of a command in the notation of a shell. Returns whether there was one.
    pub(super) fn place_in_shell(&mut self) -> bool {
        let Some(number) = self.nth(1) else { return false };
        let is_place = self.text() == "$" && self.glued(1) && number.kind == TokenKind::Number;
        let text = number.text(self.source);
        if !is_place || text == "0" || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        self.report_place(2, &format!("operand {text}"));
        true
    }

    /// Reports `length command between 3 and 10`, where `from` is the index of the first word of the operand. Returns
    /// whether there was such a range.
    pub(super) fn between_numbers(&mut self, from: usize) -> bool {
        let is_number = |ahead: usize| self.nth(ahead).is_some_and(|number| number.kind == TokenKind::Number);
        if self.text() != "between" || !is_number(1) || !matches!(self.text_at(2), "and" | "to") || !is_number(3) {
            return false;
        }
        let (Some(first), Some(before), Some(last)) = (self.tokens.get(from), self.back(1), self.nth(3)) else {
            return false;
        };
        let operand = self.slice(*first, before);
        let right = format!("({operand} >= {} and {operand} <= {})", self.text_at(1), self.text_at(3));
        let span = self.across(*first, last);
        self.report_foreign_test(span, &right);
        self.at += 4;
        true
    }

    /// Reports `count(deletes)`. Returns whether there was such a call.
    fn called_measure(&mut self) -> bool {
        // Only where the unit is a word of its own: another report translates the call and its comparison.
        let is_length = LENGTHS.contains(&self.text()) && self.text_at(1) == "(" && self.text_at(3) == ")";
        if let Some(value) = self.spaced_quantity(5).filter(|_| is_length && self.compares_numbers(4)) {
            let right = size_operand(self.text_at(2), &value);
            self.report_measure(4, &right);
            self.comparison(&right);
            return true;
        }
        let is_call = self.text() == "count" && self.text_at(1) == "(" && self.text_at(3) == ")";
        if !is_call || !VERBS.contains(&self.text_at(2)) {
            return false;
        }
        let right = format!("count {}", self.text_at(2));
        self.report_measure(4, &right);
        self.comparison(&right);
        true
    }

    /// Reports `size content`, `length of content` and `number of operands`. Returns whether there was one.
    fn measure_before_field(&mut self) -> bool {
        let word = self.text();
        let is_length = LENGTHS.contains(&word);
        if !is_length && !COUNTS.contains(&word) {
            return false;
        }
        let measure = if is_length { "length" } else { "count" };
        let of = usize::from(self.text_at(1) == "of");
        let the = usize::from(matches!(self.text_at(1 + of), "the" | "all"));
        let at = 1 + of + the;
        if word == measure && at == 1 || !self.is_measured(at, measure) || !self.compares_numbers(at + 1) {
            return false;
        }
        let field = self.text_at(at);
        let right = match is_length {
            true => size_operand(field, &self.measured_value(at + 2).0),
            false => format!("count {}", plural(field)),
        };
        self.report_measure(at + 1, &right);
        self.comparison(&right);
        true
    }

    /// Reports `content length > 8KB` and `operand count > 3`. Returns whether there was one.
    fn measure_behind_field(&mut self) -> bool {
        let measure = self.text_at(1);
        let is_length = LENGTHS.contains(&measure);
        let is_count = measure == "count";
        if !(is_length || is_count) || !self.is_measured(0, "") || !self.compares_numbers(2) {
            return false;
        }
        let field = self.text();
        let right = match is_length {
            true => size_operand(field, &self.measured_value(3).0),
            false => format!("count {}", plural(field)),
        };
        self.report_measure(2, &right);
        self.comparison(&right);
        true
    }

    /// Reports `content longer than 8KB`. Returns whether there was such a comparison.
    fn longer_than(&mut self) -> bool {
        let is = usize::from(matches!(self.text_at(1), "is" | "are"));
        let operator = match self.text_at(1 + is) {
            "longer" | "larger" | "bigger" => ">",
            "shorter" | "smaller" => "<",
            _ => return false,
        };
        let is_number = self.nth(3 + is).is_some_and(|value| value.kind == TokenKind::Number);
        if self.text_at(2 + is) != "than" || !is_number || !self.is_measured(0, "") {
            return false;
        }
        let (value, length) = self.measured_value(3 + is);
        let right = format!("{} {operator} {value}", size_operand(self.text(), &value));
        self.report_measure(3 + is + length, &right);
        true
    }

    /// Reports the place of an operand in other words: `first operand`, `operand first`, `arg 1`. Returns whether
    /// there was one.
    fn operand_in_words(&mut self) -> bool {
        if let Some((right, length)) = self.operand_in_call() {
            self.report_place(length, &right);
            return true;
        }
        let (first, second) = (self.text(), self.text_at(1));
        let is_valid = matches!((first, second), ("last", "operand"));
        let right = if means_operand(second) && !is_valid {
            place_of(first)
        } else if means_operand(first) {
            let is_number = self.nth(1).is_some_and(|number| number.kind == TokenKind::Number);
            match second {
                number if is_number && first != "operand" => Some(format!("operand {number}")),
                word => place_of(word),
            }
        } else {
            None
        };
        let Some(right) = right.filter(|_| !self.first_on_line_ahead(1)) else { return false };
        self.report_place(2, &right);
        true
    }

    /// Reports the next `length` tokens, which mean the operand `right`, and reads the comparison behind them.
    fn report_place(&mut self, length: usize, right: &str) {
        let (Some(first), Some(last)) = (self.peek(), self.nth(length.saturating_sub(1))) else { return };
        let span = self.across(first, last);
        let written = self.written(span);
        self.report_with_fix(SyntaxMistake::PlaceInWords { written, right }, span, right);
        self.at += length;
        self.comparison(right);
    }

    /// Returns what `last(operands)` and `operand -1` mean, and the number of their tokens.
    fn operand_in_call(&self) -> Option<(String, usize)> {
        let (first, second, third) = (self.text(), self.text_at(1), self.text_at(2));
        if second == "(" && means_operand(third) && self.text_at(3) == ")" {
            return Some((place_of(first)?, 4));
        }
        let is_negative = means_operand(first) && second == "-" && self.glued(2);
        (is_negative && third == "1").then(|| (LAST_OPERAND.to_owned(), 3))
    }

    /// Reports the length of an option in other words: `length "-m" < 10`, `len(option "-m") < 10`, `option "-m".length
    /// < 10`. Returns whether there was one.
    pub(super) fn length_of_flag(&mut self) -> bool {
        let Some((flag, length)) = self.flag_with_length().filter(|(_, length)| self.compares_numbers(*length)) else {
            return false;
        };
        let right = forms::length_of_option(self.text_at(flag));
        if self.peek().zip(self.nth(length - 1)).is_none_or(|(first, last)| self.slice(first, last) == right) {
            return false;
        }
        self.report_measure(length, &right);
        self.comparison(&right);
        true
    }

    /// Returns how many tokens ahead the option is whose length the next words mean, and the number of these words.
    fn flag_with_length(&self) -> Option<(usize, usize)> {
        // The place of an option's name at a token, and of the token after it.
        let option_at = |ahead: usize| {
            let flag = ahead + usize::from(self.text_at(ahead) == "option");
            let token = self.nth(flag).filter(|token| token.kind == TokenKind::Text)?;
            let name = token.text(self.source).trim_start_matches(['"', '\'']);
            name.starts_with('-').then_some((flag, flag + 1))
        };
        if LENGTHS.contains(&self.text()) {
            let of = 1 + usize::from(matches!(self.text_at(1), "of" | "("));
            let (flag, end) = option_at(of + usize::from(self.text_at(of) == "the"))?;
            return Some((flag, end + usize::from(self.text_at(1) == "(")));
        }
        let (flag, end) = option_at(0)?;
        let measure = end + usize::from(self.text_at(end) == ".");
        let is_call = self.text_at(measure + 1) == "(" && self.text_at(measure + 2) == ")";
        let length = measure + 1 + 2 * usize::from(is_call);
        LENGTHS.contains(&self.text_at(measure)).then_some((flag, length))
    }

    /// Reports the place of an operand as a value: `operand 1 == operand 2`, `file_exists last operand`. Returns
    /// whether there was one.
    pub(super) fn operand_as_value(&mut self) -> bool {
        let open = usize::from(self.text() == "(");
        let is_number = self.nth(open + 1).is_some_and(|number| number.kind == TokenKind::Number);
        let is_place = match self.text_at(open) {
            "operand" => is_number,
            "last" => self.text_at(open + 1) == "operand",
            _ => false,
        };
        let length = 2 + 2 * open;
        let (Some(first), Some(last), true) = (self.peek(), self.nth(length - 1), is_place) else { return false };
        if self.first_on_line_ahead(length - 1) {
            return false;
        }
        let span = self.across(first, last);
        let written = self.written(span);
        self.report(SyntaxMistake::OperandAsValue { written }, span);
        self.at += length;
        true
    }

    /// Moves past the place in `operand 1` or `last operand`, whose first word was `word`.
    pub(super) fn place_of_operand(&mut self, word: &str) {
        let follows = match word {
            "operand" => self.kind() == Some(TokenKind::Number),
            "last" => self.text() == "operand",
            _ => false,
        };
        self.at += usize::from(follows);
    }

    /// Reports a text that is compared with a size in two words, `content > 8 KB`: the unit is not its only mistake.
    /// Returns whether there was one.
    pub(super) fn text_with_spaced_size(&mut self, operand: &str) -> bool {
        let field = self.back(1).filter(|field| field.text(self.source) == operand && TEXTS.contains(&operand));
        let (Some(field), Some(last), true) = (field, self.nth(2), self.compares_numbers(0)) else { return false };
        let Some(value) = self.spaced_quantity(1).filter(|value| is_size(value)) else { return false };
        if self.before(field).is_some_and(|before| matches!(before.text(self.source), "length" | "count")) {
            return false;
        }
        let right = format!("length {operand} {} {value}", self.text());
        self.report_measure_at(self.across(field, last), &right);
        self.at += 3;
        true
    }

    /// Returns the token before another that was read.
    fn before(&self, token: Token) -> Option<Token> {
        self.tokens.iter().take(self.at).rev().find(|before| before.end <= token.start).copied()
    }

    /// Reports a word after an effect about how often it happens: `deny "No." once`.
    pub(super) fn often_behind_effect(&mut self, verb: &str) {
        let is_often = |word: &str| matches!(word, "once" | "always" | "only" | "per" | "every" | "each");
        if self.stopped || self.first_on_line() || !is_often(self.text()) {
            return;
        }
        let Some(first) = self.peek() else { return };
        let mut last = first;
        while let Some(word) = self.peek().filter(|word| word.kind == TokenKind::Word && !self.first_on_line()) {
            last = word;
            self.at += 1;
        }
        let span = self.across(first, last);
        let word = self.written(span);
        if word.starts_with("always") || word.starts_with("every") && word.ends_with("time") {
            let gap = Span { start: self.end_of(first), ..span };
            return self.report_with_fix_at(SyntaxMistake::AlwaysBehindEffect { word }, span, gap, "");
        }
        self.report(SyntaxMistake::OnceBehindEffect { word, verb }, span);
    }

    /// Returns where the token before another ends.
    fn end_of(&self, token: Token) -> u32 {
        self.before(token).map_or(self.span_of(token).start, |before| self.span_of(before).end)
    }
}

/// Returns the field with all operands or words of a command for one that names a single one.
fn plural(field: &str) -> &str {
    match field {
        "operand" => "operands",
        "arg" | "argument" | "arguments" => "args",
        _ => field,
    }
}

/// Returns the operand at the place that a word names: `first`.
fn place_of(word: &str) -> Option<String> {
    let (_, place) = PLACES.iter().find(|(name, _)| *name == word)?;
    Some(if *place == LAST_OPERAND { LAST_OPERAND.to_owned() } else { format!("operand {place}") })
}
