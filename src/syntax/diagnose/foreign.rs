//! Reports whole tests in the form of another language, and values in place of a test.

use super::ClauseCursor;
use super::translate::{ForeignConstruct, translate};
use crate::span::Span;
use crate::syntax::mistakes::{SyntaxMistake, WORD_TEST_PREFIXES};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// The maximum length of a test that a message quotes, in characters.
pub(super) const MAX_QUOTED_CHARS: usize = 46;

/// The maximum length of a text that is translated as a test of another language, in bytes.
const MAX_TRANSLATED_BYTES: usize = 2_000;

impl ClauseCursor<'_> {
    /// Reports a test in the form of another language. Returns whether there was one.
    pub(super) fn foreign_test(&mut self) -> bool {
        if self.joined_tests() || self.quantified_block() || self.counted_calls() || self.string_of_yara() {
            return true;
        }
        let Some(first) = self.peek() else { return false };
        let end = self.end_of_test();
        let Some(last) = end.checked_sub(1).and_then(|at| self.tokens.get(at)).copied() else { return false };
        let written = self.slice(first, last);
        let Some(translation) = Some(written).filter(|text| text.len() <= MAX_TRANSLATED_BYTES).and_then(translate)
        else {
            return false;
        };
        let span = self.across(first, last);
        // A test of a command's words is possible only after `runs … where`.
        let needs_runs =
            self.filters == 0 && WORD_TEST_PREFIXES.iter().any(|front| translation.right.starts_with(front));
        let right = if needs_runs { format!("runs \"*\" where {}", translation.right) } else { translation.right };
        let right = right.as_str();
        let is_short = !written.contains('\n') && written.chars().count() <= MAX_QUOTED_CHARS;
        match translation.what {
            ForeignConstruct::Run => {
                let effect = self.effect_below(last.end);
                let on_fail = match effect {
                    "warn" | "context" | "ask" => effect,
                    _ => "deny",
                };
                let right = &format!("run {right} {{ on_fail: {on_fail} }}");
                let mistake = match is_short {
                    true => SyntaxMistake::RunMeant { written, right },
                    false => SyntaxMistake::LongRunMeant { right },
                };
                self.report(mistake, span);
            }
            ForeignConstruct::Index => self.indexed_word(first, last, right),
            ForeignConstruct::Call(word) if word.len() <= MAX_QUOTED_CHARS => {
                self.report_with_fix(SyntaxMistake::FunctionMeant { word: &word, right }, span, right);
            }
            _ => self.report_foreign_test(span, right),
        }
        self.at = end;
        true
    }

    /// Reports a count of earlier calls of a tool: `count(WebFetch) > 20`. Returns whether there was one.
    fn counted_calls(&mut self) -> bool {
        let is_count = matches!(self.text(), "count" | "len" | "length" | "calls" | "num_calls" | "sum" | "rate");
        let is_tool = self.nth(2).is_some_and(|tool| {
            tool.kind == TokenKind::Word && tool.text(self.source).starts_with(|c: char| c.is_ascii_uppercase())
        });
        let (Some(first), Some(last)) = (self.peek(), self.nth(3)) else { return false };
        if !is_count || !is_tool || self.text_at(1) != "(" || last.text(self.source) != ")" {
            return false;
        }
        let span = self.across(first, last);
        self.report(SyntaxMistake::CountOfCalls { written: self.slice(first, last) }, span);
        self.at = self.end_of_test();
        true
    }

    /// Reports a named string of YARA: `content contains $a`. Returns whether there was one.
    fn string_of_yara(&mut self) -> bool {
        let (Some(dollar), Some(name)) = (self.nth(2), self.nth(3)) else { return false };
        let word = name.text(self.source);
        let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let is_name = name.kind == TokenKind::Word
            && (1..=3).contains(&(word.len() - digits.len()))
            && digits.bytes().all(|b| b.is_ascii_digit());
        let is_test = self.kind() == Some(TokenKind::Word) && self.at_operator(1) && dollar.text(self.source) == "$";
        if !is_test || !is_name || self.at + 4 != self.end_of_test() {
            return false;
        }
        let written = self.slice(dollar, name);
        self.report(SyntaxMistake::VariableMeant { written, name: word }, self.across(dollar, name));
        self.at += 4;
        true
    }

    /// Returns the keyword of the first effect on the lines after an offset, within the same rule; empty if there is
    /// none.
    fn effect_below(&self, from: usize) -> &str {
        let below = self.source.get(from..).unwrap_or_default().lines().skip(1).map(str::trim_start);
        let words = below.take_while(|line| !line.starts_with('}')).map(|line| {
            let end = line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
            line.get(..end).unwrap_or_default()
        });
        words.into_iter().find(|word| matches!(*word, "deny" | "ask" | "halt" | "warn" | "context")).unwrap_or_default()
    }

    /// Reports `x["k"]` and `operands[0] == "a"`. If the latter follows a single pattern, the proposal adds the word
    /// to the pattern.
    fn indexed_word(&mut self, first: Token, last: Token, right: &str) {
        let span = self.across(first, last);
        let index =
            self.text_at(2).parse::<usize>().ok().filter(|index| *index < 8 && first.text(self.source) == "operands");
        let word = last.text(self.source).trim_matches(['"', '\'']);
        let is_word = last.kind == TokenKind::Text && !word.is_empty() && !word.contains([' ', '"', '*', '|', '(']);
        let single_pattern = self.back(3).zip(self.back(2)).zip(self.back(1)).filter(|((runs, pattern), filter)| {
            runs.text(self.source) == "runs" && pattern.kind == TokenKind::Text && filter.text(self.source) == "where"
        });
        let is_equality = self.text_at(4) == "==" && self.at + 6 == self.end_of_test();
        if let (Some(index), true, true, Some(((runs, pattern), _))) = (index, is_word, is_equality, single_pattern) {
            let pattern = pattern.text(self.source);
            let quote = pattern.get(..1).unwrap_or("\"");
            let pattern = pattern.trim_matches(['"', '\'']);
            let right = format!("runs {quote}{pattern}{} {word}{quote}", " *".repeat(index));
            let whole = self.span_of(runs).joined_with(span);
            return self.report_with_fix_at(SyntaxMistake::IndexedOperand { right: &right }, span, whole, &right);
        }
        let pattern = single_pattern.map(|((_, pattern), _)| pattern.text(self.source).trim_matches(['"', '\'']));
        if let Some(operand) = self.operand_of_index(first, pattern.unwrap_or_default()) {
            let behind =
                self.source.get(self.nth(3).map_or(first.end, |close| close.end)..last.end).unwrap_or_default();
            let right = format!("{operand}{behind}");
            return self.report_with_fix(SyntaxMistake::IndexedField { right: &right }, span, &right);
        }
        self.report_with_fix(SyntaxMistake::IndexedField { right }, span, right);
    }

    /// Returns the operand that `operands[0]` or `args[1]` means, behind the words of a pattern. `args` also has the
    /// words of the pattern, but not the program.
    fn operand_of_index(&self, field: Token, pattern: &str) -> Option<String> {
        let index = self.text_at(2).parse::<usize>().ok()?;
        let in_front = match field.text(self.source) {
            "operands" => 0,
            "args" => pattern.split_whitespace().skip(1).count(),
            _ => return None,
        };
        super::translate::operand_at(&index.checked_sub(in_front)?.to_string())
    }

    /// Returns the index after the test at the cursor. The test ends at `and`, `or`, an unmatched closing bracket, or
    /// a token that begins something else.
    fn end_of_test(&self) -> usize {
        let mut depth = 0_usize;
        let mut between = false;
        // In a shell pipeline and in Rego, the text after `|` or `;` belongs to the same test.
        let joint = match self.text() {
            "echo" | "printf" if self.nth(1).is_some_and(|next| next.kind != TokenKind::OpenBracket) => "|",
            "some" if self.text_at(2) == "in" => ";",
            _ => "",
        };
        // In `some x in field and x.a == 1`, the `and` belongs to the test because `x` follows.
        let is_bound = matches!(self.text(), "some" | "any" | "exists") && self.text_at(2) == "in";
        let bound = if is_bound { self.text_at(1) } else { "" };
        for at in self.at..self.tokens.len() {
            let Some(token) = self.tokens.get(at) else { return at };
            let text = token.text(self.source);
            let neighbour = |at: Option<usize>| at.and_then(|at| self.tokens.get(at));
            let glued = neighbour(at.checked_sub(1)).is_some_and(|before| before.end == token.start);
            let next = neighbour(Some(at + 1)).map_or("", |next| next.text(self.source));
            let new_line = at > self.at && !glued && self.first_on_line_ahead(at - self.at);
            match token.kind {
                TokenKind::OpenBracket if text == "{" && depth == 0 && at > self.at => {
                    let before = neighbour(at.checked_sub(1)).map_or("", |before| before.text(self.source));
                    if !(before == "$" || before.eq_ignore_ascii_case("in")) {
                        return at;
                    }
                    depth += 1;
                }
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket if depth == 0 => return at,
                TokenKind::CloseBracket => depth -= 1,
                _ if depth > 0 => {}
                TokenKind::Word if text.eq_ignore_ascii_case("and") && between => between = false,
                _ if !bound.is_empty()
                    && matches!(text, "and" | "&&" | ":" | ";" | "where")
                    && next.split('.').next() == Some(bound) => {}
                TokenKind::Word if text.eq_ignore_ascii_case("and") || text.eq_ignore_ascii_case("or") => return at,
                TokenKind::Word if matches!(text, "where" | "then" | "do" | "unless") => return at,
                TokenKind::Word if new_line && words::CLAUSES.contains(&text) => return at,
                TokenKind::Word => between |= text.eq_ignore_ascii_case("between"),
                TokenKind::Punctuation => match text {
                    _ if text == joint && !new_line => {}
                    "&&" | "||" | "&" | "," | ";" | "\\" => return at,
                    "?" if next == "." => {}
                    // A predicate of Ruby: `path start_with? "/"`.
                    "?" if glued && neighbour(Some(at + 1)).is_some_and(|next| next.kind == TokenKind::Text) => {}
                    // The modifier of a Sigma rule, as in `prompt|contains`, and the colon after it.
                    "|" if glued && modifies(next) => {}
                    ":" if glued && neighbour(at.checked_sub(1)).is_some_and(|m| modifies(m.text(self.source))) => {}
                    "|" | "?" | ":" => return at,
                    _ => {}
                },
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Reports a condition in braces: `{ runs "a" }`. Returns whether there was one.
    pub(super) fn braced_condition(&mut self) -> bool {
        let Some(opener) = self.peek().filter(|token| token.text(self.source) == "{") else { return false };
        let inside = self.inside(self.at).filter(|inside| inside.length > 2 && inside.close.text(self.source) == "}");
        let Some(inside) = inside else { return false };
        let right = inside.text.trim();
        let span = self.across(opener, inside.close);
        match right.contains('\n') || right.chars().count() > MAX_QUOTED_CHARS {
            true => self.report_with_fix_at(SyntaxMistake::LongBracedCondition {}, self.span_of(opener), span, right),
            false => self.report_with_fix(SyntaxMistake::BracedCondition { right }, span, right),
        }
        self.at += inside.length;
        true
    }

    /// Reports a value without a field and operator, `or "b"` after `x == "a"`, with all further values of that kind.
    /// `previous` is the first token of the previous test. Returns whether there was one.
    pub(super) fn loose_alternative(&mut self, previous: Option<Token>) -> bool {
        if !self.is_loose_value(0) {
            return false;
        }
        let (Some(from), Some(value)) = (previous, self.peek()) else { return false };
        let span = self.span_of(value);
        // The previous test must end in a value, and begin with a field or verb.
        let first = self
            .back(2)
            .filter(|_| from.kind == TokenKind::Word)
            .filter(|token| matches!(token.kind, TokenKind::Text | TokenKind::Number));
        let (Some(first), Some(operator), Some(operand)) = (first, self.back(3), self.back(4).or(self.back(3))) else {
            self.report(SyntaxMistake::LooseValue {}, span);
            self.at += 1;
            return true;
        };
        let joint = self.back(1).map_or("or", |joint| joint.text(self.source));
        let mut values = vec![first.text(self.source), value.text(self.source)];
        let mut last = value;
        self.at += 1;
        while matches!(self.text(), "or" | "and" | "||" | "&&") && self.is_loose_value(1) {
            let Some(next) = self.nth(1) else { break };
            values.push(next.text(self.source));
            last = next;
            self.at += 2;
        }
        let (start, right) = self.alternatives(from, operand, operator, first, joint, &values);
        let place = Span::new(self.file, start, last.end);
        self.report_with_fix_at(
            SyntaxMistake::LooseAlternative { right: &right },
            span.joined_with(self.span_of(last)),
            place,
            &right,
        );
        true
    }

    /// Whether the token `ahead` tokens ahead is a value that is not followed by an operator.
    pub(super) fn is_loose_value(&self, ahead: usize) -> bool {
        let is_value = self.nth(ahead).is_some_and(|token| matches!(token.kind, TokenKind::Text | TokenKind::Number));
        let next = self.text_at(ahead + 1);
        is_value
            && (matches!(next, "" | "or" | "and" | ")" | "||" | "&&" | "where" | ",")
                || self.first_on_line_ahead(ahead + 1))
    }

    /// Returns the offset at which the replaced text starts, and the correct form of a test with several values: `x
    /// in ["a", "b"]`. `from` is the first token of the test, and `first` its first value.
    fn alternatives(
        &self,
        from: Token,
        operand: Token,
        operator: Token,
        first: Token,
        joint: &str,
        values: &[&str],
    ) -> (usize, String) {
        let word = operator.text(self.source);
        let list = values.join(", ");
        let is_and = matches!(joint, "and" | "&&");
        let front = |start: Token| self.source.get(start.start..first.start).unwrap_or_default().trim_end();
        match word {
            "==" | "in" => (operand.start, format!("{} in [{list}]", operand.text(self.source))),
            "!=" => (operand.start, format!("{} {} [{list}]", operand.text(self.source), "not in")),
            "runs" | "pipes" | "into" | "like" | "under" | "outside" if !is_and => {
                // The replaced text begins at the verb, or at the field or verb before the operator.
                let start = if word == "runs" || word == "like" { from } else { operator };
                let start = if word == "into" { operator } else { start };
                (start.start, format!("{} [{list}]", front(start)))
            }
            _ => {
                let start = if word == "runs" { operator } else { operand };
                let front = front(start);
                let tests: Vec<String> = values.iter().map(|value| format!("{front} {value}")).collect();
                let joint = if is_and { " and " } else { " or " };
                (start.start, format!("({})", tests.join(joint)))
            }
        }
    }
}

/// Whether a word is a modifier of a field in a Sigma rule: `prompt|contains`.
fn modifies(word: &str) -> bool {
    matches!(word, "contains" | "startswith" | "endswith" | "re" | "all")
}
