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

/// Words for operators of other languages, with ours.
const FOREIGN_WORDS: &[(&str, &str)] = &[
    ("is", "=="),
    ("equals", "=="),
    ("eq", "=="),
    ("ne", "!="),
    ("neq", "!="),
    ("isnt", "!="),
    ("lt", "<"),
    ("gt", ">"),
    ("has", "contains"),
    ("includes", "contains"),
    ("include", "contains"),
    ("startsWith", "starts_with"),
    ("startswith", "starts_with"),
    ("begins_with", "starts_with"),
    ("endsWith", "ends_with"),
    ("endswith", "ends_with"),
    ("match", "matches"),
    ("regex", "matches"),
    ("glob", "like"),
    ("within", "under"),
    ("inside", "under"),
    ("one_of", "in"),
];

/// Marks for operators of other languages, with ours.
const FOREIGN_MARKS: &[(&str, &str)] = &[
    ("=", "=="),
    ("===", "=="),
    ("!==", "!="),
    ("<>", "!="),
    ("=~", "matches"),
    ("~=", "matches"),
    ("~", "matches"),
    ("!~", "not matches"),
    (":", "=="),
    (":=", "=="),
    ("=>", ">="),
    ("->", "=="),
];

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
            "runs" | "pipes" | "only" | "reads" | "writes" | "deletes" if place == Place::Filter => {
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
        self.value(after);
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

    /// Reads a field with whatever people glue to one.
    fn operand(&mut self, after: &str) {
        if self.stopped {
            return;
        }
        let Some(token) = self.peek() else { return self.missing_operand(after) };
        let word = token.text(self.source);
        match token.kind {
            Kind::JsonPath => return self.json_path(),
            Kind::Mark if word == "$" => return self.naked_json_path(),
            Kind::Word => {}
            _ => return self.missing_operand(after),
        }
        self.at += 1;
        if word == "option" && self.kind() == Some(Kind::Text) {
            self.at += 1;
            return;
        }
        if matches!(word, "file_exists" | "file_size") {
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
            let fix = Fix { span, replacement: right.clone() };
            self.syntax_fix(
                span,
                format!("`{word}` is no name of a field"),
                "fields are snake_case",
                format!("write `{right}`, or a string in quotes"),
                fix,
            );
        }
    }

    fn missing_operand(&mut self, after: &str) {
        let span = self.here();
        self.syntax(
            span,
            format!("`{after}` without a field"),
            "a field is expected here",
            format!("write `{after} tool_input.url`"),
        );
        self.stop_unless_joined();
    }

    fn indexed(&mut self, field: Token) {
        let Some(close) =
            (self.at..self.tokens.len()).find(|at| self.tokens.get(*at).is_some_and(|t| t.text(self.source) == "]"))
        else {
            if let Some(open) = self.peek() {
                self.unclosed(open);
            }
            return self.stop();
        };
        let last = self.tokens.get(close).copied().unwrap_or(field);
        self.at = close + 1;
        // `x[0].y` goes on behind the bracket.
        let mut end = last;
        while self.glued(0) && !matches!(self.text(), ")" | "," | "(") {
            let Some(next) = self.advance() else { break };
            end = next;
        }
        let text = self.slice(field, end);
        let right = format!("`$.{}`", text.replace('"', "'"));
        let span = self.span_of(field).to(self.span_of(end));
        let fix = Fix { span, replacement: right.clone() };
        self.syntax_fix(
            span,
            "an index on a field",
            "fields have no index",
            format!("write it as a JSONPath: {right}"),
            fix,
        );
    }

    fn call(&mut self, name: Token) {
        let span = self.span_of(name);
        let word = name.text(self.source);
        let help = match word {
            "startsWith" | "starts_with" | "startswith" => "write `field starts_with \"…\"`".to_owned(),
            "endsWith" | "ends_with" | "endswith" => "write `field ends_with \"…\"`".to_owned(),
            "contains" | "includes" => "write `field contains \"…\"`".to_owned(),
            "matches" | "match" | "regex" | "test" => "write `field matches /…/`".to_owned(),
            "exists" | "has" | "defined" => "write `exists field`".to_owned(),
            "glob" | "like" => "write `field like \"…\"`".to_owned(),
            _ => "write a test, such as `field contains \"…\"`; a `def` is named without parentheses".to_owned(),
        };
        self.syntax(span, format!("a call of `{word}`"), "there are no functions", help);
        let mut depth = 0_usize;
        while let Some(token) = self.advance() {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        if depth > 0 {
            self.stop();
        }
    }

    fn naked_json_path(&mut self) {
        let Some(first) = self.advance() else { return };
        let mut last = first;
        while self.glued(0) && (self.kind() != Some(Kind::Close) || self.text() == "]") {
            let Some(next) = self.advance() else { break };
            last = next;
        }
        let right = format!("`{}`", self.slice(first, last));
        let span = self.span_of(first).to(self.span_of(last));
        let fix = Fix { span, replacement: right.clone() };
        self.syntax_fix(span, "a JSONPath without backticks", "a path into the payload", format!("write {right}"), fix);
        self.comparison("the JSONPath");
    }

    /// Reports `"x" == field`.
    fn yoda(&mut self) {
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
            _ => {
                let help = "begin with a field: `command contains \"…\"`, `runs \"…\"`";
                self.syntax(span, "a value where a test should begin", "not compared with anything", help);
                return self.stop_unless_joined();
            }
        };
        self.at += 1;
        let Some(field) = self.peek().filter(|token| token.kind == Kind::Word) else {
            self.syntax(span, "a value on the left side", "a test begins with a field", "write `field == \"…\"`");
            return self.stop_unless_joined();
        };
        self.at += 1;
        let right = format!("{} {mirrored} {literal}", field.text(self.source));
        let whole = span.to(self.span_of(field));
        let fix = Fix { span: whole, replacement: right.clone() };
        self.syntax_fix(
            whole,
            "the value stands on the left side",
            "a test begins with its field",
            format!("write `{right}`"),
            fix,
        );
    }

    /// Whether the token ahead is an operator of this language.
    fn at_operator(&self, ahead: usize) -> bool {
        let word = self.text_at(ahead);
        words::OPERATORS.contains(&word) || matches!(word, "==" | "!=" | "<" | "<=" | ">" | ">=" | "not")
    }

    /// Reads an operator and a value, if any follow.
    fn comparison(&mut self, operand: &str) {
        if self.done() || self.first_on_line() && !self.at_operator(0) {
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
            let help = format!("write `not {operand} …`, or `{operand} not in […]`");
            self.syntax(span, "`not` without an operator", "negates nothing", help);
            return self.stop_unless_joined();
        }
        if self.at_operator(0) {
            return self.operator_and_value();
        }
        if word == "exists" || (word == "is" && matches!(self.text_at(1), "set" | "present" | "defined")) {
            let last = self.nth(usize::from(word == "is")).map_or(span, |token| self.span_of(token));
            let before =
                self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(span, |token| self.span_of(*token));
            let whole = before.to(last);
            let right = format!("exists {operand}");
            let fix = Fix { span: whole, replacement: right.clone() };
            self.syntax_fix(
                whole,
                format!("`{word}` stands behind the field"),
                "goes in front",
                format!("write `{right}`"),
                fix,
            );
            self.at += 1 + usize::from(word == "is");
            return;
        }
        if self.foreign_operator(span) {
            return;
        }
        if self.at_value() {
            let place = self.after();
            let help = format!("write `{operand} == …`, `{operand} like …` or `{operand} contains …`");
            self.syntax(place, "an operator is missing", "between the field and the value", help);
            return self.literal();
        }
        let mistyped = self.kind() == Some(Kind::Word) && !words::is_reserved(word) && self.nth(1).is_some();
        if let Some(near) = nearest(word, words::OPERATORS.iter().copied()).filter(|_| mistyped) {
            let fix = Fix { span, replacement: near.to_owned() };
            self.syntax_fix(
                span,
                format!("unknown operator `{word}`"),
                "not a word of this language",
                format!("an operator named `{near}` exists"),
                fix,
            );
            self.at += 1;
            return self.value(near);
        }
        if mistyped && self.nth(1).is_some_and(|next| matches!(next.kind, Kind::Text | Kind::Number | Kind::Regex)) {
            let help = "operators: `==` `!=` `<` `<=` `>` `>=` `in` `contains` `starts_with` `ends_with` `like` `matches` `under` `outside`";
            self.syntax(span, format!("unknown operator `{word}`"), "not a word of this language", help);
            self.at += 1;
            self.literal();
        }
    }

    fn operator_and_value(&mut self) {
        let operator = self.text();
        self.at += 1;
        if operator == "==" && self.text() == "=" && self.glued(0) {
            self.at += 1;
        }
        let place = self.here();
        let negated = self.text() == "not" && matches!(operator, "==" | "!=");
        if negated {
            self.syntax(
                place,
                "`not` after an operator",
                "stands on the wrong side",
                "write `!=`, or `not` in front of the test",
            );
            self.at += 1;
        }
        self.value(operator);
        if matches!(operator, "in" | "like" | "under" | "outside" | "==") && self.text() == "|" {
            let span = self.here();
            self.syntax(
                span,
                "`|` between values",
                "alternatives stand in a list",
                format!("write `{} [\"a\", \"b\"]`", if operator == "==" { "in" } else { operator }),
            );
            self.stop_unless_joined();
        }
    }

    /// Reads another language's operator and its value.
    fn foreign_operator(&mut self, from: Span) -> bool {
        let word = self.text();
        let mut span = from.to(self.here());
        let mut written = word.to_owned();
        let mut length = 1;
        let negated = |text: &str| matches!(text, "not" | "n't");
        let known =
            FOREIGN_MARKS.iter().chain(FOREIGN_WORDS).find(|(foreign, _)| *foreign == word).map(|(_, ours)| *ours);
        let mut ours = match known {
            Some(ours) => ours,
            None if self.kind() == Some(Kind::Word) => {
                match words::OPERATORS.iter().find(|ours| word.eq_ignore_ascii_case(ours)) {
                    Some(ours) => ours,
                    None => return false,
                }
            }
            None => return false,
        };
        if word == "is" {
            match self.text_at(1) {
                next if negated(next) && self.text_at(2) == "in" => (ours, length) = ("not in", 3),
                next if negated(next) => (ours, length) = ("!=", 2),
                "in" => (ours, length) = ("in", 2),
                _ => {}
            }
        }
        if word == "=" && self.text_at(1) == "=" && self.glued(1) {
            length = 2;
        }
        if let Some(last) = self.nth(length - 1).filter(|_| length > 1) {
            span = span.to(self.span_of(last));
            written = self.source.get(span.range()).unwrap_or_default().to_owned();
        }
        if span.start == from.start && written == word && from.end != self.here().end {
            written = format!("not {word}");
            ours = match ours {
                "==" => "!=",
                other => other,
            };
        }
        let verb = if written == "=" { "assigns elsewhere" } else { "compares elsewhere" };
        self.foreign(span, format!("`{written}` is no operator of this language"), verb, ours);
        self.at += length;
        self.value(ours);
        true
    }
}
