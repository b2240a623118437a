//! Reads a comparison, and reports superfluous notation at its field and operators of other languages.

use super::ClauseCursor;
use crate::diagnostic::nearest_name;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::mistakes::{EXISTS_OPTION, NOT_EXISTS, SyntaxMistake, WRITES_LIKE, forms};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// The prefixes of negated operators that are one word: `not_contains`.
const NEGATIONS: &[&str] = &["not_", "doesnt_", "does_not_", "isnt_", "is_not_", "no_"];

/// Returns the negated operator of the policy language for a single word: `not contains` for `not_contains` and
/// `does_not_contain`; `None` for any other word.
pub(super) fn negated_operator(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let positive = NEGATIONS.iter().find_map(|front| lower.strip_prefix(front))?;
    let from_phrasebook = phrases::meaning(PhrasePlace::Operator, positive);
    let is_positive = |operator: &&str| *operator == positive || operator.strip_suffix('s') == Some(positive);
    let own_operator = words::OPERATORS.iter().copied().find(is_positive);
    match from_phrasebook.or(own_operator)? {
        "==" => Some("!=".to_owned()),
        symbol if !symbol.starts_with(|c: char| c.is_ascii_alphabetic()) => None,
        operator => Some(format!("not {operator}")),
    }
}

/// Returns the regex literal for a string after an operator of another language: `/a\.b/` for `"a\\.b"` after `=~`.
fn regex_of(written: &str, operator: &str) -> String {
    let inner = written.trim_matches(['"', '\'']);
    // In double quotes a backslash is doubled.
    let inner = if written.starts_with('\'') { inner.to_owned() } else { inner.replace("\\\\", "\\") };
    let inner = inner.replace("\\/", "/").replace('/', "\\/");
    // `~*` and `!~*` are case-insensitive.
    format!("/{inner}/{}", if operator.ends_with('*') { "i" } else { "" })
}

impl ClauseCursor<'_> {
    /// Reads a field with the notation that is attached to it: an index, a call. `after` is the word before it.
    pub(super) fn operand(&mut self, after: &str) {
        if self.stopped {
            return;
        }
        let Some(token) = self.peek() else { return self.missing_operand(after) };
        let word = token.text(self.source);
        match token.kind {
            TokenKind::JsonPath => return self.json_path(),
            TokenKind::Punctuation if word == "$" => return self.naked_json_path(),
            TokenKind::Word => {}
            _ => return self.missing_operand(after),
        }
        if self.is_question_about_past() {
            return self.past_events();
        }
        if self.is_measure() {
            return self.measure();
        }
        self.at += 1;
        self.place_of_operand(word);
        if word == "option" && self.kind() == Some(TokenKind::Text) {
            self.at += 1;
            return;
        }
        if word == "option" && matches!(self.text(), "-" | "--") {
            return self.bare_flag();
        }
        if matches!(word, "file_exists" | "file_size") {
            if self.list_of_files(token) || self.size_without_file(token) {
                return;
            }
            return self.value(word);
        }
        if self.glued(0) && self.text() == "[" {
            return self.indexed(token);
        }
        if self.text() == "(" && self.glued(0) {
            return self.call(token);
        }
        let first = word.split('.').next().unwrap_or_default();
        if first.contains('-') || word.contains('/') {
            let span = self.span_of(token);
            let right = word.replace(['-', '/'], "_");
            self.report_with_fix(SyntaxMistake::NotAField { word, right: &right }, span, &right);
        }
    }

    /// Reports that a field is missing after a word; a string after `exists` is meant as a file or option.
    fn missing_operand(&mut self, after: &str) {
        let span = self.here();
        if let Some(file) = self.peek().filter(|file| after == "exists" && file.kind == TokenKind::Text) {
            let text = file.text(self.source);
            let is_option = self.filters > 0 && text.trim_start_matches(['"', '\'']).starts_with('-');
            let right = if is_option { format!("{EXISTS_OPTION} {text}") } else { format!("file_exists {text}") };
            let front = self.back(1).unwrap_or(file);
            let place = self.span_of(front).joined_with(span);
            self.report_with_fix_at(SyntaxMistake::FileMeant { right: &right }, span, place, &right);
            self.at += 1;
            return;
        }
        self.report(SyntaxMistake::MissingField { after }, span);
        self.stop_unless_joined();
    }

    /// Reports a field with an index, `x[0].y`, and proposes a JSONPath.
    fn indexed(&mut self, field: Token) {
        let Some(close) =
            (self.at..self.tokens.len()).find(|at| self.tokens.get(*at).is_some_and(|t| t.text(self.source) == "]"))
        else {
            if let Some(open) = self.peek() {
                self.report_unclosed(open);
            }
            return self.stop();
        };
        let last = self.tokens.get(close).copied().unwrap_or(field);
        self.at = close + 1;
        // In `x[0].y`, the name continues after the bracket.
        let mut end = last;
        while self.glued(0) && !matches!(self.text(), ")" | "," | "(") {
            let Some(next) = self.advance() else { break };
            end = next;
        }
        let text = self.slice(field, end);
        let span = self.across(field, end);
        // The operands of a command are counted from 1, and are no part of the payload.
        let words = ["operands[", "operand[", "args[", "arg["].iter().find_map(|name| text.strip_prefix(name));
        let index = words.and_then(|rest| rest.strip_suffix(']'));
        if let Some(right) = index.and_then(|index| super::translate::operand_at(index.trim())) {
            return self.report_with_fix(SyntaxMistake::IndexedField { right: &right }, span, &right);
        }
        let right = format!("`$.{}`", text.replace('"', "'"));
        self.report_with_fix(SyntaxMistake::IndexedJsonPath { right: &right }, span, &right);
    }

    /// Whether the file has a `def` with this name, with or without parameters.
    fn defines(&self, name: &str) -> bool {
        self.source.lines().filter_map(|line| line.strip_prefix("def ")).any(|line| {
            let rest = line.trim_start().strip_prefix(name);
            rest.is_some_and(|rest| rest.trim_start().starts_with(['=', '(', ':', '{']))
        })
    }

    /// Reports a call, `f(a)`, of a `def`, of a field, or of a function. The cursor is after the name.
    pub(super) fn call(&mut self, name: Token) {
        let span = self.span_of(name);
        let word = name.text(self.source);
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let close = rest.iter().position(|token| token.text(self.source) == ")");
        let arguments = rest.get(1..close.unwrap_or(1)).unwrap_or_default();
        let brackets = rest.first().zip(close.and_then(|at| rest.get(at)));
        let place = brackets.map(|(open, close)| self.across(*open, *close));
        let is_flat = !arguments.iter().any(|token| token.kind == TokenKind::OpenBracket);
        match place.filter(|_| is_flat) {
            Some(place) if self.defines(word) => {
                self.report_with_fix_at(SyntaxMistake::CallOfDef { word }, span, place, "")
            }
            Some(place) if arguments.is_empty() && close.is_some() => {
                self.report_with_fix_at(SyntaxMistake::CallOfField { word }, span, place, "");
            }
            _ => {
                let last = word.rsplit('.').next().unwrap_or_default().replace('-', "_").to_ascii_lowercase();
                let name = if words::is_reserved(&last) || last.is_empty() { "a_name" } else { &last };
                let argument = arguments.iter().find(|token| token.kind == TokenKind::Word);
                let field = argument.map_or("path", |token| token.text(self.source));
                // The operator after the call also fits the field if numbers are compared.
                let operator = close.and_then(|at| rest.get(at + 1)).map_or("", |token| token.text(self.source));
                let test = &forms::comparison(operator);
                self.report(SyntaxMistake::FunctionCall { word, name, field, test }, span);
            }
        }
        match self.inside(self.at) {
            Some(inside) => self.at += inside.length,
            None => self.stop(),
        }
    }

    /// Reports a JSONPath without backticks, `$.a`, and reads the comparison with it.
    pub(super) fn naked_json_path(&mut self) {
        let Some(first) = self.advance() else { return };
        let mut last = first;
        while self.glued(0) && (self.kind() != Some(TokenKind::CloseBracket) || self.text() == "]") {
            let Some(next) = self.advance() else { break };
            last = next;
        }
        let right = format!("`{}`", self.slice(first, last));
        let span = self.across(first, last);
        self.report_with_fix(SyntaxMistake::BareJsonPath { right: &right }, span, &right);
        self.comparison(&right);
    }

    /// Reports a value in place of a field: a comparison with its value on the left (`"x" == field`), or a value
    /// without a test.
    pub(super) fn value_on_left(&mut self) {
        let Some(value) = self.advance() else { return };
        let span = self.span_of(value);
        let literal = value.text(self.source);
        let mirrored = match self.text() {
            "==" | "=" | "===" => "==",
            "!=" => "!=",
            "<" => ">",
            ">" => "<",
            "<=" => ">=",
            ">=" => "<=",
            "in" => "contains",
            _ if literal.contains(['/', '*']) && !literal.contains(' ') => {
                let right = format!("{WRITES_LIKE} {literal}");
                self.report(SyntaxMistake::LoneGlob { right: &right }, span);
                return self.stop_unless_joined();
            }
            _ => {
                self.report(SyntaxMistake::LoneValue {}, span);
                return self.stop_unless_joined();
            }
        };
        self.at += 1;
        let Some(field) = self.peek().filter(|token| token.kind == TokenKind::Word) else {
            self.report(SyntaxMistake::ValueOnLeft {}, span);
            return self.stop_unless_joined();
        };
        // The operand may have several words: `3 <= count m`.
        let found = self.found.len();
        self.operand("");
        if self.stopped || self.found.len() > found {
            return;
        }
        let operand = self.slice(field, self.back(1).unwrap_or(field));
        let right = format!("{operand} {mirrored} {literal}");
        let whole = span.joined_with(self.back(1).map_or(span, |last| self.span_of(last)));
        self.report_with_fix(SyntaxMistake::Mirrored { right: &right }, whole, &right);
    }

    /// Whether the token `ahead` tokens ahead is an operator of the policy language, or `not`.
    pub(super) fn at_operator(&self, ahead: usize) -> bool {
        let word = self.text_at(ahead);
        words::OPERATORS.contains(&word) || matches!(word, "==" | "!=" | "<" | "<=" | ">" | ">=" | "not")
    }

    /// Reads an operator and a value after an operand, if they follow. `operand` is the operand's text.
    pub(super) fn comparison(&mut self, operand: &str) {
        if self.is_done() || self.first_on_line() && !self.at_operator(0) {
            return;
        }
        if self.part_of_time(operand) || self.text_with_spaced_size(operand) {
            return;
        }
        let span = self.here();
        let word = self.text();
        if matches!(word, "and" | "or" | ")" | "where" | "then" | "do" | "," | "&&" | "||" | "}") {
            return;
        }
        if word == "not" {
            self.at += 1;
            if words::OPERATORS.contains(&self.text()) {
                return self.operator_and_value();
            }
            if self.foreign_operator(span) {
                return;
            }
            self.report(SyntaxMistake::NotWithoutOperator { operand }, span);
            return self.stop_unless_joined();
        }
        if self.at_operator(0) {
            return self.operator_and_value();
        }
        if self.existence_after_field(operand) || self.contraction() || self.spoken() || self.foreign_operator(span) {
            return;
        }
        if self.at_value() {
            let place = self.end_of_previous();
            match means_earlier_command(operand) && self.kind() == Some(TokenKind::Text) {
                true => self.report(SyntaxMistake::EarlierCommand { word: operand, pattern: self.text() }, place),
                false => self.report(SyntaxMistake::MissingOperator { operand }, place),
            }
            return self.literal();
        }
        self.unknown_operator();
    }

    /// Reports a word in place of an operator, if a value follows it or it is a misspelled operator.
    fn unknown_operator(&mut self) {
        let (word, span) = (self.text(), self.here());
        if self.kind() != Some(TokenKind::Word) || words::is_reserved(word) {
            return;
        }
        let Some(next) = self.nth(1) else { return };
        if let Some(near) = nearest_name(word, words::OPERATORS.iter().copied()) {
            self.report_with_fix(SyntaxMistake::UnknownOperatorNear { word, near }, span, near);
            self.at += 1;
            self.value(near);
        } else if matches!(next.kind, TokenKind::Text | TokenKind::Number | TokenKind::Regex) {
            self.report(SyntaxMistake::UnknownOperator { word }, span);
            self.at += 1;
            self.literal();
        }
    }

    /// Reports words after a field that test whether it has a value: `path is set`, `path does not exist`. Returns
    /// whether there were any.
    fn existence_after_field(&mut self, operand: &str) -> bool {
        let (last, is_absent) = match [self.text(), self.text_at(1), self.text_at(2)] {
            ["is", "not", "set" | "present" | "defined" | "there" | "given"] => (2, true),
            ["does", "not", "exist" | "exists"] => (2, true),
            // `is set to "x"` is a comparison.
            ["is", "set" | "present" | "defined" | "given" | "there", next] if next != "to" => (1, false),
            ["exists", ..] => (0, false),
            ["present" | "defined", ..] if self.nth(1).is_none() => (0, false),
            _ => return false,
        };
        let right = format!("{} {operand}", if is_absent { NOT_EXISTS } else { "exists" });
        let word = self.here();
        let place = |token: Option<Token>| token.map_or(word, |token| self.span_of(token));
        let whole = place(self.back(1)).joined_with(place(self.nth(last)));
        self.report_with_fix(SyntaxMistake::ExistsBehind { word: self.text(), right: &right }, whole, &right);
        self.at += last + 1;
        true
    }

    /// Reports a regex after `matches` that is a glob or contains a `/`, and several regexes. Returns whether it
    /// reported something.
    fn misused_regex(&mut self) -> bool {
        self.glob_in_slashes()
            || self.kind() == Some(TokenKind::Regex) && self.slash_in_regex()
            || self.regexes_in_list()
    }

    /// Reports a glob in slashes after `matches`: `matches /*.rs/`. Returns whether there was one.
    fn glob_in_slashes(&mut self) -> bool {
        if self.kind() != Some(TokenKind::Regex) || !self.text().starts_with("/*") {
            return false;
        }
        let regex = self.here();
        let glob = self.text().trim_end_matches(char::is_alphanumeric).trim_matches('/');
        let right = format!("like \"{glob}\"");
        let operator = self.back(1).map_or(regex, |token| self.span_of(token));
        self.report_with_fix_at(
            SyntaxMistake::GlobInSlashes { right: &right },
            regex,
            operator.joined_with(regex),
            &right,
        );
        self.at += 1;
        true
    }

    /// Reports several regexes after `matches`: `matches [/a/, /b/]`, `matches any [/a/, /b/]`. Returns whether there
    /// were any.
    fn regexes_in_list(&mut self) -> bool {
        let any = usize::from(matches!(self.text(), "any" | "any_of" | "one_of"));
        if self.text_at(any) != "[" || self.nth(any + 1).is_none_or(|first| first.kind != TokenKind::Regex) {
            return false;
        }
        let rest = self.tokens.get(self.at + any + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|token| token.text(self.source) == "]") else { return false };
        let (Some(first), Some(last)) = (self.peek(), rest.get(length).copied()) else { return false };
        let regexes = rest.iter().take(length).filter(|token| token.kind == TokenKind::Regex);
        let inner: Option<Vec<&str>> = regexes
            .map(|token| token.text(self.source).strip_prefix('/').and_then(|rest| rest.strip_suffix('/')))
            .collect();
        let span = self.across(first, last);
        match inner {
            Some(inner) => {
                let right = format!("/{}/", inner.join("|"));
                self.report_with_fix(SyntaxMistake::ListOfRegexes { right: &right }, span, &right);
            }
            None => self.report(SyntaxMistake::ListOfRegexes { right: "/a|b/" }, span),
        }
        self.at += any + length + 2;
        true
    }

    /// Reads an operator and its value, and reports mistakes between them, such as `== not "b"`.
    fn operator_and_value(&mut self) {
        let operator = self.text();
        self.at += 1;
        if operator == "==" && self.text() == "=" && self.glued(0) {
            self.at += 1;
        }
        let negation = self.here();
        let is_exclamation_mark =
            self.text() == "!" && self.glued(1) && self.nth(1).is_some_and(|next| next.kind == TokenKind::Text);
        let negated = (self.text() == "not" || is_exclamation_mark) && matches!(operator, "==" | "!=");
        if negated {
            let gap =
                self.nth(1).map_or(negation, |next| Span::new(negation.file, negation.start as usize, next.start));
            let operator_span = self.back(1).map_or(negation, |token| self.span_of(token));
            let right = if operator == "==" { "!= " } else { "== " };
            let word = self.text();
            self.report_with_fix_at(
                SyntaxMistake::NotAfterOperator { word, right: right.trim() },
                negation,
                operator_span.joined_with(gap),
                right,
            );
            self.at += 1;
        }
        if operator == "matches" && self.misused_regex() {
            return;
        }
        if self.word_before_value(operator) {
            return;
        }
        self.value(operator);
        if self.without_case() {
            return;
        }
        if matches!(operator, "in" | "like" | "under" | "outside" | "==") && self.text() == "|" {
            let span = self.here();
            let operator = if operator == "==" { "in" } else { operator };
            self.report(SyntaxMistake::BarBetweenValues { operator }, span);
            self.stop_unless_joined();
        }
    }

    /// Returns the policy operator for another language's operator at the cursor (`includes`, `-eq`, `=~`, `IN`), and
    /// the number of its tokens; `None` if it is unknown.
    fn operator_meant(&self) -> Option<(&'static str, usize)> {
        let word = self.text();
        if word == "-" && self.glued(1) {
            return phrases::meaning(PhrasePlace::Operator, &format!("-{}", self.text_at(1)))
                .map(|operator| (operator, 2));
        }
        let in_other_case = || words::OPERATORS.iter().copied().find(|operator| word.eq_ignore_ascii_case(operator));
        phrases::meaning(PhrasePlace::Operator, word).or_else(in_other_case).map(|operator| (operator, 1))
    }

    /// Reports another language's operator, and reads its value. `from` is the span of a `not` before the operator,
    /// or of the operator. Returns whether there was one.
    fn foreign_operator(&mut self, from: Span) -> bool {
        let word = self.text();
        // Before the keyword of an effect, the arrow is not an operator.
        if matches!(word, "=>" | "->") && words::CLAUSES.contains(&self.text_at(1)) {
            return false;
        }
        if self.negated_in_one_word(from) {
            return true;
        }
        let Some((mut meaning, length)) = self.operator_meant() else { return false };
        let span = from.joined_with(self.nth(length - 1).map_or(self.here(), |last| self.span_of(last)));
        let mut written = if length > 1 { self.written(span).to_owned() } else { word.to_owned() };
        // A `not` precedes the operator: `a not equals "b"`.
        if written == word && from.end != self.here().end {
            written = format!("not {word}");
            meaning = if meaning == "==" { "!=" } else { meaning };
        }
        let word = written.as_str();
        if let Some(text) = self.nth(length).filter(|text| meaning.ends_with("matches") && text.kind == TokenKind::Text)
        {
            let right = format!("{meaning} {}", regex_of(text.text(self.source), word));
            let whole = span.joined_with(self.span_of(text));
            self.report_with_fix_at(SyntaxMistake::ForeignOperator { word, right: &right }, span, whole, &right);
            self.at += length + 1;
            return true;
        }
        let mistake = match word {
            "=" => SyntaxMistake::Assignment { word, right: meaning },
            _ => SyntaxMistake::ForeignOperator { word, right: meaning },
        };
        self.report_with_fix(mistake, span, meaning);
        self.at += length;
        self.value(meaning);
        true
    }

    /// Reports a negated operator in one word, `not_contains` or `!in`, and reads its value. Returns whether there
    /// was one.
    fn negated_in_one_word(&mut self, from: Span) -> bool {
        let word = self.text();
        let is_exclamation_mark = word == "!" && words::OPERATORS.contains(&self.text_at(1));
        let operator = match self.kind() {
            Some(TokenKind::Word) => negated_operator(word),
            _ => is_exclamation_mark.then(|| format!("not {}", self.text_at(1))),
        };
        let Some(operator) = operator else { return false };
        let length = 1 + usize::from(is_exclamation_mark);
        let whole = from.joined_with(self.nth(length - 1).map_or(from, |last| self.span_of(last)));
        let word = if is_exclamation_mark { self.written(whole) } else { word };
        self.report_with_fix(SyntaxMistake::ForeignOperator { word, right: &operator }, whole, &operator);
        self.at += length;
        self.value(&operator);
        true
    }
}

/// Whether a word before a string asks about a command that ran earlier: `ran "npm test"`.
fn means_earlier_command(name: &str) -> bool {
    matches!(name, "ran" | "has_run" | "have_run" | "did_run" | "already_ran" | "previously_ran" | "executed")
}
