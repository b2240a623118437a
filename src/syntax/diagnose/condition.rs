//! Conditions: other languages' operators, forms that look right and are not, and what is missing.

use super::Cursor;
use crate::diagnostic::{Code, Diagnostic, Fix, nearest};
use crate::span::Span;
use crate::syntax::limits::MAX_DEPTH;
use crate::syntax::token::{Kind, Token};
use crate::syntax::words;

/// Where a condition stands, for what its words may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// After `when`, `unless`, `=` or a parenthesis.
    Anywhere,
    /// Directly after `where`: one test.
    Filter,
}

impl Cursor<'_> {
    /// Reads tests joined by `and` and `or`.
    pub(super) fn condition(&mut self, place: Place) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.stop();
        }
        let mut previous = self.peek();
        self.unary(place);
        while !self.done() && self.connective() {
            let from = self.peek();
            if !self.loose_alternative(previous) {
                self.unary(place);
            }
            previous = from;
        }
        self.depth -= 1;
    }

    /// Reads `and` or `or`, or another language's word for it.
    fn connective(&mut self) -> bool {
        let span = self.here();
        let word = self.text();
        let right = match word {
            "and" | "or" => {
                self.at += 1;
                return true;
            }
            "&&" | "&" => "and",
            "||" | "|" => "or",
            "," if !self.first_on_line() => {
                let fix = Fix { span, replacement: " and".to_owned() };
                self.syntax_fix(span, "a comma between tests", "tests are joined by words", "write `and` or `or`", fix);
                self.at += 1;
                return true;
            }
            _ if word.eq_ignore_ascii_case("and") => "and",
            _ if word.eq_ignore_ascii_case("or") => "or",
            "xor" | "but" | "plus" => "and",
            _ => return false,
        };
        self.foreign(span, format!("`{word}` is no word of this language"), "joins two tests elsewhere", right);
        self.at += 1;
        true
    }

    /// Reports `or "b"` after `x == "a"`.
    fn loose_alternative(&mut self, previous: Option<Token>) -> bool {
        let literal = matches!(self.kind(), Some(Kind::Text | Kind::Number));
        let ends = matches!(self.text_at(1), "" | "or" | "and" | ")" | "||") || self.nth(1).is_none();
        let (Some(from), Some(value), true) = (previous, self.peek(), literal && ends) else { return false };
        let operand = from.text(self.source);
        let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at)).copied();
        let span = self.span_of(value);
        let listed =
            before.filter(|token| matches!(token.kind, Kind::Text | Kind::Number)).map(|token| token.text(self.source));
        let help = match listed {
            Some(first) if from.kind == Kind::Word => {
                format!("write `{operand} in [{first}, {}]`", value.text(self.source))
            }
            _ => "write a whole test, or all values in one list: `x in [\"a\", \"b\"]`".to_owned(),
        };
        self.syntax(span, "a value where a test should stand", "compared with nothing", help);
        self.at += 1;
        true
    }

    fn unary(&mut self, place: Place) {
        loop {
            let span = self.here();
            let word = self.text();
            if word == "not" {
                self.at += 1;
            } else if word == "!" || (word.eq_ignore_ascii_case("not") && word != "not") {
                let spaced = if word == "!" && self.glued(1) { "not " } else { "not" };
                self.report(
                    Diagnostic::new(Code::FOREIGN_OPERATOR, format!("`{word}` is no word of this language"))
                        .label(span, "negates elsewhere")
                        .help("write `not`")
                        .fix(span, spaced),
                );
                self.at += 1;
            } else {
                break;
            }
        }
        self.test(place);
    }

    fn test(&mut self, place: Place) {
        if self.stopped {
            return;
        }
        let span = self.here();
        let word = self.text();
        match self.kind() {
            None => self.missing_test(),
            Some(Kind::Open) if word == "(" => self.group(),
            Some(Kind::Word) => self.word_test(place),
            Some(Kind::JsonPath) => {
                self.json_path();
                self.comparison("the JSONPath");
            }
            Some(Kind::OpenJsonPath) => {
                self.open_token();
            }
            Some(Kind::Text | Kind::Number) => self.yoda(),
            Some(Kind::SmartText | Kind::OpenText | Kind::OpenBlock | Kind::OpenRegex) => {
                self.open_token();
            }
            Some(Kind::Mark) if word == "$" => self.naked_json_path(),
            Some(Kind::Close) => self.missing_test(),
            Some(Kind::Regex) => {
                self.syntax(span, "a regex without a field", "compared with nothing", "write `command matches /…/`");
                self.at += 1;
            }
            _ => {
                let message = format!("{} where a test should begin", self.describe());
                self.syntax(
                    span,
                    message,
                    "not a test",
                    "begin with a field, `runs`, `reads`, `writes`, `deletes` or `(`",
                );
                self.stop_unless_joined();
            }
        }
    }

    fn missing_test(&mut self) {
        let place = self.after();
        let before =
            self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or("", |token| token.text(self.source));
        let message = format!("`{before}` without a condition");
        self.syntax(
            place,
            message,
            "a condition is missing here",
            format!("write `{before} runs \"git push\"`, or delete `{before}`"),
        );
    }

    fn group(&mut self) {
        let Some(opener) = self.advance() else { return };
        self.condition(Place::Anywhere);
        if self.stopped || self.eat(")") {
            return;
        }
        if self.at >= self.tokens.len() || self.first_on_line() || self.kind() == Some(Kind::Close) {
            self.unclosed(opener);
        } else {
            let message = format!("{} inside of parentheses", self.describe());
            let help = "join the tests with `and` or `or`, and close the parentheses with `)`";
            let span = self.here();
            self.syntax(span, message, "not expected here", help);
        }
        self.stop();
    }

    fn word_test(&mut self, place: Place) {
        let span = self.here();
        let word = self.text();
        match word {
            "runs" | "pipes" | "only" if place == Place::Filter => {
                let help = "`where` is about the command that `runs` found; join with `and` for another test";
                self.syntax(span, format!("`{word}` after `where`"), "not a test of one command", help);
                self.stop_unless_joined();
            }
            "runs" => {
                self.at += 1;
                if self.text() == "not" {
                    let span = self.here();
                    self.syntax(span, "`not` after `runs`", "stands on the wrong side", "write `not runs \"…\"`");
                    self.at += 1;
                }
                self.patterns("runs");
                self.filter();
            }
            "only" => {
                self.at += 1;
                if !self.eat("runs") {
                    let place = self.after();
                    let fix = Fix { span: place, replacement: " runs".to_owned() };
                    self.syntax_fix(
                        place,
                        "`only` without `runs`",
                        "`runs` is missing here",
                        "write `only runs \"…\"`",
                        fix,
                    );
                }
                self.patterns("only runs");
                if self.text() == "where" {
                    let span = self.here();
                    let help = "`only runs` reads its patterns to the letter; say it in the pattern";
                    self.syntax(span, "`where` after `only runs`", "takes no `where`", help);
                    self.stop_unless_joined();
                }
            }
            "pipes" => {
                self.at += 1;
                self.patterns("pipes");
                if self.stopped {
                    return;
                }
                if self.eat("into") {
                    return self.patterns("into");
                }
                let place = self.after();
                self.syntax(
                    place,
                    "`pipes` without `into`",
                    "`into` is missing here",
                    "write `pipes \"curl\" into \"sh\"`",
                );
                self.stop_unless_joined();
            }
            "reads" | "writes" | "deletes" => self.touches(),
            "exists" => {
                self.at += 1;
                self.operand("exists");
            }
            "all" => {
                self.at += 1;
                self.operand("all");
                self.comparison("all");
            }
            "any" | "none" | "every" | "some" if self.text_at(1) == "of" || self.text_at(1) == "[" => {
                let help = "write `field in [\"a\", \"b\"]`, or join the tests with `or`";
                let end = self.nth(1).map_or(span, |of| self.span_of(of));
                self.syntax(
                    span.to(end),
                    format!("`{word} of` is no form of this language"),
                    "lists stand behind `in`",
                    help,
                );
                self.stop_unless_joined();
            }
            "any" | "none"
                if self
                    .nth(1)
                    .is_some_and(|next| matches!(next.kind, Kind::Word | Kind::JsonPath) && !self.at_operator(1)) =>
            {
                let help = match word {
                    "any" => "leave it out: a comparison is true when one of the values makes it true",
                    _ => "write `not` in front of the test: it is true when no value makes it true",
                };
                let right = if word == "any" { "" } else { "not" };
                let fix = Fix { span, replacement: right.to_owned() };
                self.syntax_fix(span, format!("`{word}` is no word of this language"), "not needed", help, fix);
                self.at += 1;
                self.test(place);
            }
            "unless" => {
                let fix = Fix { span, replacement: "not".to_owned() };
                let help = "write `not`, or put `unless …` on a line of its own";
                self.syntax_fix(span, "`unless` inside a condition", "begins a clause of its own", help, fix);
                self.at += 1;
                self.unary(place);
            }
            "then" | "do" => {}
            _ if self.text_at(1) == "(" && self.glued(1) && !matches!(word, "and" | "or" | "not") => {
                if let Some(name) = self.advance() {
                    self.call(name);
                }
                self.comparison(word);
            }
            "run" | "runs_command" | "executes" | "calls"
                if self.nth(1).is_some_and(|next| next.kind == Kind::Text) =>
            {
                self.foreign(span, format!("`{word}` is no test"), "an effect, not a test", "runs");
                self.at += 1;
                self.patterns("runs");
                self.filter();
            }
            _ if words::is_reserved(word) && !matches!(word, "file_exists" | "file_size") => {
                let compared = self.at_operator(1) || matches!(self.text_at(1), "=" | "===");
                if words::CLAUSES.contains(&word) && !compared && (self.first_on_line() || self.at <= 1) {
                    return self.missing_test();
                }
                let message = format!("`{word}` where a test should begin");
                self.syntax(
                    span,
                    message,
                    "a word of the language, not a field",
                    "begin with a field, `runs`, `reads`, `writes`, `deletes` or `(`",
                );
                self.stop_unless_joined();
            }
            _ => {
                let verbs = ["runs", "pipes", "reads", "writes", "deletes", "exists"];
                let verb = self.nth(1).filter(|next| next.kind == Kind::Text).and_then(|_| nearest(word, verbs));
                if let Some(verb) = verb {
                    let fix = Fix { span, replacement: verb.to_owned() };
                    self.syntax_fix(
                        span,
                        format!("unknown test `{word}`"),
                        "not a word of this language",
                        format!("a test named `{verb}` exists"),
                        fix,
                    );
                    self.at += 1;
                    self.patterns(verb);
                    return self.filter();
                }
                self.operand("");
                self.comparison(word);
            }
        }
    }

    fn patterns(&mut self, after: &str) {
        if self.stopped {
            return;
        }
        if self.kind() == Some(Kind::Regex) {
            let span = self.here();
            let help = "write a pattern in quotes, word by word: `runs \"git push (--force|--mirror)\"`";
            self.syntax(span, format!("a regex after `{after}`"), "a pattern is no regex", help);
            self.at += 1;
            return;
        }
        if let Some(span) = self.bare_command() {
            let words = self.source.get(span.range()).unwrap_or_default();
            let help = format!("write it in quotes: `{after} \"{words}\"`");
            self.syntax(span, "a command pattern without quotes", "the words of a command", help);
            return self.stop_unless_joined();
        }
        self.value(after);
    }

    /// Several words in a row where a pattern is to stand: the command itself. One alone may be a `let`.
    fn bare_command(&self) -> Option<Span> {
        let first = self.peek().filter(|token| token.kind == Kind::Word)?;
        let goes_on = |token: &Token| {
            let between = self.source.get(first.end..token.start).unwrap_or("\n");
            let joins = matches!(token.text(self.source), "and" | "or" | "where" | "into");
            !between.contains('\n') && !joins && token.kind != Kind::Close
        };
        let last = self.tokens.iter().skip(self.at + 1).take_while(|token| goes_on(token)).last()?;
        Some(self.span_of(first).to(self.span_of(*last)))
    }

    fn filter(&mut self) {
        if self.eat("where") {
            self.depth += 1;
            self.unary(Place::Filter);
            self.depth -= 1;
        }
    }

    fn touches(&mut self) {
        let verb = self.text();
        self.at += 1;
        if self.text() == "not" {
            let span = self.here();
            let help = format!("write `not {verb} like …` for \"no file\", or negate in the list: `[\"**\", \"!…\"]`");
            self.syntax(
                span,
                format!("`not` after `{verb}`"),
                "could mean \"no file is\" or \"some file is not\"",
                help,
            );
            self.at += 1;
        }
        if matches!(self.text(), "like" | "under" | "outside") {
            let operator = self.text();
            self.at += 1;
            return self.value(operator);
        }
        let place = self.after();
        if self.at_value() {
            let fix = Fix { span: place, replacement: " like".to_owned() };
            let help = format!("write `{verb} like \"…\"`, `{verb} under …` or `{verb} outside …`");
            self.syntax_fix(place, format!("`{verb}` without `like`"), "an operator is missing here", help, fix);
            return self.literal();
        }
        let help = format!("write `{verb} like \"…\"`, `{verb} under …` or `{verb} outside …`");
        let span = self.here();
        self.syntax(span, format!("`{verb}` takes `like`, `under` or `outside`"), "expected one of them here", help);
        self.stop_unless_joined();
    }
}
