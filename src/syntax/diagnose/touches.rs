//! Reads tests of files and hosts (`reads`, `writes`, `deletes`, `sends`, `connects`), and reports superfluous text
//! after them.

use super::ClauseCursor;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::mistakes::{CONNECTS_LIKE, CONNECTS_UNDER, SyntaxMistake};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

impl ClauseCursor<'_> {
    /// Reads `connects`, with a test of the hosts if one follows.
    pub(super) fn connects(&mut self) {
        let is_bare =
            self.nth(1).is_some_and(|next| next.kind == TokenKind::Word && next.text(self.source).contains('.'));
        if is_bare || self.text_at(1) == "*" {
            self.at += 1;
            let Some(first) = self.advance() else { return };
            let last = self.end_of_bare_text(first);
            let right = format!("like \"{}\"", self.slice(first, last));
            let span = self.across(first, last);
            return self.report_with_fix(SyntaxMistake::BareText { after: "connects", right: &right }, span, &right);
        }
        let is_text = self.nth(1).is_some_and(|next| next.kind == TokenKind::Text);
        if is_text || self.tests_hosts(self.text_at(1)) {
            return self.touches();
        }
        self.at += 1;
        self.port_after(None);
    }

    /// Whether a word after `connects` begins a test of the hosts.
    fn tests_hosts(&self, word: &str) -> bool {
        words::OPERATORS.contains(&word)
            || matches!(word, "not" | "!" | "[" | "=~" | "any" | "anything" | "anywhere")
            || phrases::find_phrase(PhrasePlace::VerbOperator, word).is_some()
            || phrases::says_nothing(&format!("$verb {word}"))
    }

    /// Reports a port in words: `connects port 22`, `connects like "*.org" port 22`. `host` is the host before it.
    /// Returns whether there was one.
    fn port_after(&mut self, host: Option<Token>) -> bool {
        let port = self.nth(1).filter(|port| self.text() == "port" && port.kind == TokenKind::Number);
        let Some(port) = port.filter(|_| !self.first_on_line()) else { return false };
        let number = port.text(self.source);
        let name = host.map_or("*", |host| host.text(self.source).trim_matches(['"', '\'']));
        let written = format!("\"{name}:{number}\"");
        let operator = if name.contains('*') { CONNECTS_LIKE } else { CONNECTS_UNDER };
        let right = format!("{operator} {written}");
        let span = self.here().joined_with(self.span_of(port));
        match host {
            Some(host) => {
                let place = self.across(host, port);
                self.report_with_fix_at(SyntaxMistake::PortAfterHosts { right: &right }, span, place, &written);
            }
            None => {
                self.report_with_fix(SyntaxMistake::PortAfterHosts { right: &right }, span, format!("like {written}"))
            }
        }
        self.at += 2;
        true
    }

    /// Reads a verb, an operator and a value: `writes under "src"`.
    pub(super) fn touches(&mut self) {
        let verb = self.text();
        self.at += 1;
        if self.value_in_parentheses(&format!("{verb} like")) || self.number_of_files(verb) {
            return;
        }
        if matches!(self.text(), "not" | "!") && self.text_at(1) == "under" {
            self.report(SyntaxMistake::NotUnderAfterVerb { verb, word: self.text() }, self.here());
            return self.stop_unless_joined();
        }
        if matches!(self.text(), "not" | "!") {
            self.report(SyntaxMistake::NotAfterVerb { verb }, self.here());
            self.at += 1;
        }
        if matches!(self.text(), "like" | "under" | "outside") {
            let operator = self.text();
            self.at += 1;
            let host = self.peek().filter(|host| verb == "connects" && host.kind == TokenKind::Text);
            self.value(operator);
            if self.port_after(host) {
                return;
            }
            return self.exception_in_test(verb, operator);
        }
        if self.foreign_after_verb(verb) {
            return;
        }
        if self.verb_and_value(verb) {
            return;
        }
        self.report(SyntaxMistake::VerbWithoutOperator { verb }, self.here());
        self.stop_unless_joined();
    }

    /// Reports another word for a verb, `edits "a"` or `removes under "src"`. Returns whether there was one.
    pub(super) fn foreign_verb(&mut self) -> bool {
        let Some(first) = self.peek() else { return false };
        let word = first.text(self.source);
        let Some(verb) = phrases::meaning(PhrasePlace::Verb, word) else { return false };
        let span = self.span_of(first);
        if matches!(self.text_at(1), "like" | "under" | "outside") {
            self.report_with_fix(SyntaxMistake::VerbElsewhere { word, right: verb }, span, verb);
            self.at += 2;
            self.value(self.tokens.get(self.at - 1).map_or("", |token| token.text(self.source)));
            return true;
        }
        let Some((written, length)) = self.text_or_list(1) else { return false };
        let right = format!("{verb} {}", operator_with_texts(verb, &inner_texts(written)));
        let place = self.nth(length).map_or(span, |last| span.joined_with(self.span_of(last)));
        let shown = if right.chars().count() > 60 {
            format!("{verb} {}", operator_with_texts(verb, &["…"]))
        } else {
            right.clone()
        };
        self.report_with_fix_at(SyntaxMistake::VerbElsewhere { word, right: &shown }, span, place, right);
        self.at += 1 + length;
        true
    }

    /// Reports a missing operator: `reads "a"`, `writes "a" or "b"`, `reads any of ["a"]`, `deletes anything`.
    /// Returns whether it is one of these.
    fn verb_and_value(&mut self, verb: &str) -> bool {
        let fillers = self.fillers();
        let (Some(first), Some(value)) = (self.nth(fillers.saturating_sub(1)), self.nth(fillers)) else {
            return self.verb_and_anything(verb, fillers);
        };
        if fillers > 0 && matches!(value.text(self.source), "like" | "under" | "outside") {
            let (from, word) = (self.here(), value.text(self.source));
            let gap = Span { end: self.span_of(value).start, ..from };
            let written = self.source.get(from.joined_with(self.span_of(first)).range()).unwrap_or_default();
            self.report_with_fix_at(
                SyntaxMistake::ForeignAfterVerb { verb, word: written, right: word },
                from,
                gap,
                "",
            );
            self.at += fillers + 1;
            self.value(word);
            return true;
        }
        let Some((written, mut length)) = self.text_or_list(fillers) else {
            return self.verb_and_anything(verb, fillers);
        };
        let mut texts: Vec<&str> = inner_texts(written);
        // Further values: `"a" or "b"`
        while value.kind == TokenKind::Text
            && matches!(self.text_at(fillers + length), "or" | "||" | "and" | ",")
            && self.is_loose_value(fillers + length + 1)
        {
            texts.extend(self.nth(fillers + length + 1).map(|text| text.text(self.source).trim_matches(['"', '\''])));
            length += 2;
        }
        let edit = operator_with_texts(verb, &texts);
        let right = format!("{verb} {edit}");
        let shown =
            if right.chars().count() > 60 { format!("{verb} {}", operator_with_texts(verb, &["…"])) } else { right };
        let last = self.nth(fillers + length - 1).unwrap_or(value);
        let place = self.here().joined_with(self.span_of(last));
        self.report_with_fix_at(
            SyntaxMistake::VerbWithoutLike { verb, right: &shown },
            self.end_of_previous(),
            place,
            edit,
        );
        self.at += fillers + length;
        true
    }

    /// Reports a verb with any file or host as its object: `deletes anything`, `connects to any host`. `fillers` is
    /// the number of superfluous words. Returns whether it is one.
    fn verb_and_anything(&mut self, verb: &str, fillers: usize) -> bool {
        let ends =
            |at: usize| matches!(self.text_at(at), "" | "and" | "or" | ")" | "where") || self.first_on_line_ahead(at);
        let is_any =
            |word: &str| matches!(word, "any" | "anything" | "everything" | "all" | "anywhere" | "something" | "files");
        let object = usize::from(is_any(self.text_at(fillers)) && !ends(fillers));
        let length = fillers + object;
        let words = self.tokens.get(self.at..self.at + length).unwrap_or_default();
        let (Some(last), true) = (words.last(), words.iter().any(|word| is_any(word.text(self.source)))) else {
            return false;
        };
        if !ends(length) {
            return false;
        }
        let place = self.here().joined_with(self.span_of(*last));
        let word = self.written(place);
        let (right, edit) = match verb {
            "connects" => (verb.to_owned(), String::new()),
            _ => (format!("{verb} like \"**\""), "like \"**\"".to_owned()),
        };
        self.report_with_fix(SyntaxMistake::AnythingAfterVerb { verb, word, right: &right }, place, edit);
        self.at += length;
        true
    }

    /// Returns the number of superfluous words at the cursor: `to`, `any of`, `the host`.
    fn fillers(&self) -> usize {
        let says_nothing = |word: &str| phrases::says_nothing(&format!("$verb {word}"));
        (0..4).take_while(|at| says_nothing(self.text_at(*at)) && !self.first_on_line_ahead(*at)).count()
    }

    /// Reports an exception after a test: `writes under "src" except "src/generated"`.
    fn exception_in_test(&mut self, verb: &str, operator: &str) {
        let is_exception = matches!(self.text(), "except" | "excluding" | "but") && !self.first_on_line();
        let skip = usize::from(self.text() == "but" && self.text_at(1) == "not") + 1;
        let (Some(last), Some((except, length))) = (self.back(1), self.text_or_list(skip)) else { return };
        // The verb and the operator precede the value, which is `"src"` or `["src", "lib"]`.
        let before = self.tokens.get(..self.at).unwrap_or_default();
        let from = match last.text(self.source) {
            "]" => before.iter().rposition(|token| token.text(self.source) == "["),
            _ => self.at.checked_sub(1).filter(|_| last.kind == TokenKind::Text),
        };
        let (Some(from), Some(end)) = (from, self.nth(skip + length - 1)) else { return };
        let (Some(first), Some(begin)) = (before.get(from), from.checked_sub(2).and_then(|at| before.get(at))) else {
            return;
        };
        if self.stopped || !is_exception {
            return;
        }
        let suffix = if operator == "under" { "/**" } else { "" };
        let glob = |not: &str, text: &&str| format!("\"{not}{}{suffix}\"", text.trim_end_matches('/'));
        let included = inner_texts(self.slice(*first, last));
        let excluded = inner_texts(except);
        let globs: Vec<String> =
            included.iter().map(|text| glob("", text)).chain(excluded.iter().map(|text| glob("!", text))).collect();
        let right = format!("{verb} like [{}]", globs.join(", "));
        let place = self.across(*begin, end);
        let mistake = SyntaxMistake::ExceptAfterTest { right: &right };
        if operator == "outside" {
            self.report(mistake, self.here());
        } else {
            self.report_with_fix_at(mistake, self.here(), place, &right);
        }
        self.at += skip + length;
    }

    /// Reports a network in a call: `connects in ip("10.0.0.0/8")`. Returns whether there was one.
    fn address_in_call(&mut self) -> bool {
        let is_call = matches!(self.text_at(1), "ip" | "cidr" | "net" | "network" | "subnet" | "inet" | "ipnet");
        let value = self.nth(3).filter(|value| value.kind == TokenKind::Text && self.text_at(2) == "(");
        let (Some(first), Some(value), Some(last), true) = (self.peek(), value, self.nth(4), is_call) else {
            return false;
        };
        if last.text(self.source) != ")" {
            return false;
        }
        let right = format!("under {}", value.text(self.source));
        let place = self.across(first, last);
        self.report_with_fix(
            SyntaxMistake::ForeignOperator { word: self.slice(first, last), right: &right },
            place,
            &right,
        );
        self.at += 5;
        true
    }

    /// Reports another word or sign for the operator, `reads glob "…"`, and reads its value. Returns whether there
    /// was one.
    fn foreign_after_verb(&mut self, verb: &str) -> bool {
        let word = self.text();
        let is_sign = matches!(word, "==" | "=" | "=~" | ":");
        if !(is_sign || self.kind() == Some(TokenKind::Word)) {
            return false;
        }
        let is_list = self.text_at(1) == "[";
        // After a word that means the same as `like`, the value need not change.
        let (right, is_same) = match word {
            "in" if !is_list && self.address_in_call() => return true,
            "in" if is_list => ("like", true),
            "contains" | "matches" | "match" | "starts_with" | "ends_with" | "=~" => ("like", false),
            _ if let Some(operator) = phrases::meaning(PhrasePlace::VerbOperator, word) => (operator, true),
            _ => return false,
        };
        let (span, value) = (self.here(), self.nth(1));
        if !value.is_some_and(|value| {
            matches!(value.kind, TokenKind::Text | TokenKind::Regex) || value.text(self.source) == "["
        }) {
            return false;
        }
        // `under` tests a host with all its subdomains; a value with an asterisk is a glob.
        let is_host = |value: &Token| value.kind == TokenKind::Text && !value.text(self.source).contains('*');
        let without_glob = value.filter(is_host).map(|value| value.text(self.source));
        if let Some(host) = without_glob.filter(|host| verb == "sends" && word == "to" && !host.contains('/')) {
            let right = format!("{CONNECTS_UNDER} {host}");
            self.report(SyntaxMistake::SentTo { word, right: &right }, span);
            self.at += 2;
            return true;
        }
        let has_glob = |at: usize| self.nth(at).is_some_and(|token| token.text(self.source).contains('*'));
        let is_plain = without_glob.is_some() || is_list && !(2..8).any(has_glob);
        let right = if verb == "connects" && is_same && is_plain { "under" } else { right };
        let mistake = SyntaxMistake::ForeignAfterVerb { verb, word, right };
        if is_same {
            self.report_with_fix(mistake, span, right)
        } else {
            self.report(mistake, span)
        }
        self.at += 1;
        if self.kind() == Some(TokenKind::Regex) {
            self.at += 1
        } else {
            self.value(right)
        }
        true
    }
}

/// Returns the texts in the source text of a list or of a single string, without quotes.
fn inner_texts(written: &str) -> Vec<&str> {
    let texts = written.trim_matches(['[', ']']).split(',').map(|text| text.trim().trim_matches(['"', '\'']));
    texts.filter(|text| !text.is_empty()).collect()
}

/// Returns an operator with the given texts as its value, fitting the verb: `under "example.com"` for hosts, `under
/// "src"` for directories, `like [".env", "*.pem"]` for anything else.
fn operator_with_texts(verb: &str, texts: &[&str]) -> String {
    let hosts: Vec<&str> = texts.iter().map(|text| host_of(text)).collect();
    let texts = if verb == "connects" { hosts.as_slice() } else { texts };
    let has_glob = texts.iter().any(|text| text.contains(['*', '?']));
    // A name without an extension, such as `src`, is taken for a directory if its files are changed.
    let changes = matches!(verb, "writes" | "deletes");
    let is_directory = |text: &&str| {
        let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let is_lower = |b: u8| b.is_ascii_lowercase() || matches!(b, b'_' | b'-');
        text.len() > 2 && (text.ends_with('/') || changes && last.bytes().all(is_lower))
    };
    let is_directory = !has_glob && !texts.is_empty() && texts.iter().all(is_directory);
    let operator = if !has_glob && (verb == "connects" || is_directory) { "under" } else { "like" };
    let quoted: Vec<String> = texts
        .iter()
        .map(|text| format!("\"{}\"", if is_directory { text.trim_end_matches('/') } else { text }))
        .collect();
    match quoted.as_slice() {
        [only] => format!("{operator} {only}"),
        several => format!("{operator} [{}]", several.join(", ")),
    }
}

/// Returns the host of a URL; any other text is returned unchanged.
fn host_of(text: &str) -> &str {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let is_url = rest.len() < text.len();
    if is_url { rest.split(['/', '?', '#']).next().unwrap_or(rest) } else { text }
}
