//! Reports tests in a call or after a quantifier, as in other languages: `any(runs "a", runs "b")`, `every p in paths
//! { … }`.

use pest::Parser;

use super::ClauseCursor;
use super::translate::bound_test;
use crate::span::Span;
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::{TokenKind, tokenise};

impl ClauseCursor<'_> {
    /// Reports a call whose arguments are valid tests: `any(runs "a", runs "b")`. Returns whether there was one.
    pub(super) fn joined_tests(&mut self) -> bool {
        let joint = match self.text() {
            "any" | "any_of" | "anyOf" | "or" | "OR" | "one_of" => "or",
            "all" | "all_of" | "allOf" | "and" | "AND" | "every" => "and",
            _ => return false,
        };
        let (Some(first), true) = (self.peek(), self.text_at(1) == "(" && self.glued(1)) else { return false };
        let Some(inside) = self.inside(self.at + 1).filter(|inside| inside.parts.len() > 1) else { return false };
        if !inside.parts.iter().all(|part| is_condition(part)) {
            return false;
        }
        let pattern = |part: &&str| part.strip_prefix("runs ").filter(|rest| is_text(rest)).map(str::to_owned);
        let patterns: Option<Vec<String>> = inside.parts.iter().map(pattern).collect();
        let right = match patterns.filter(|_| joint == "or") {
            Some(patterns) => format!("runs [{}]", patterns.join(", ")),
            None => format!("({})", inside.parts.join(&format!(" {joint} "))),
        };
        // A mix of `and` and `or` is not valid: it needs parentheses, which only the author can add.
        if !is_condition(&right) {
            return false;
        }
        let word = first.text(self.source);
        self.report_with_fix(
            SyntaxMistake::FunctionMeant { word, right: &right },
            self.span_of(first).joined_with(self.span_of(inside.close)),
            &right,
        );
        self.at += 1 + inside.length;
        true
    }

    /// Reports `some x in FIELD { test }` and `every x in FIELD (test)`: a comparison already applies to each value
    /// of a field. Returns whether there was one.
    pub(super) fn quantified_block(&mut self) -> bool {
        let is_every = match self.text() {
            "some" | "any" | "exists" => false,
            "every" | "all" => true,
            _ => return false,
        };
        let (Some(first), Some(variable), Some(list)) = (self.peek(), self.nth(1), self.nth(3)) else { return false };
        let is_block = matches!(self.text_at(4), "{" | "(");
        if self.text_at(2) != "in" || !is_block || variable.kind != TokenKind::Word || list.kind != TokenKind::Word {
            return false;
        }
        let Some(inside) = self.inside(self.at + 4) else { return false };
        let (variable, list) = (variable.text(self.source), list.text(self.source));
        let field = if matches!(list, "paths" | "files") { "path" } else { list };
        let inner = inside.text.trim();
        let test = test_of_members(field, variable, inner).or_else(|| bound_test(field, variable, inner));
        let test = test.map(|test| if is_every { format!("all {test}") } else { test });
        let Some(right) = test.filter(|test: &String| is_condition(test)) else { return false };
        // A message may use the variable too; that is not reported separately.
        self.names.extend(self.nth(1).map(|token| (variable.to_owned(), self.span_of(token))));
        let span = self.span_of(first).joined_with(self.span_of(inside.close));
        self.report_foreign_test(span, &right);
        self.at += 4 + inside.length;
        true
    }

    /// Reports an operator without a field, whose field is that of the previous test: `path == "a" or under "b"`.
    /// `previous` is the index at which that test begins. Returns whether there was one.
    pub(super) fn loose_operator(&mut self, previous: usize) -> bool {
        let word = self.text();
        let is_operator = self.at_operator(0) && word != "not" && self.kind() != Some(TokenKind::OpenBracket);
        let Some(value) = self.nth(1).filter(|value| is_operator && value.kind == TokenKind::Text) else {
            return false;
        };
        let skip = usize::from(self.tokens.get(previous).is_some_and(|token| token.text(self.source) == "not"));
        let Some(field) = self.tokens.get(previous + skip).filter(|field| field.kind == TokenKind::Word) else {
            return false;
        };
        let field_name = field.text(self.source);
        let right = format!("{field_name} {word} {}", value.text(self.source));
        if !is_condition(&right) {
            return false;
        }
        let span = self.here();
        let place = Span { end: span.start, ..span };
        self.report_with_fix_at(
            SyntaxMistake::LooseOperator { word, right: &right },
            span,
            place,
            format!("{field_name} "),
        );
        self.at += 2;
        true
    }
}

/// Whether a text is a valid condition of at most 200 characters.
pub(super) fn is_condition(text: &str) -> bool {
    text.chars().count() <= 200 && Grammar::parse(Rule::lone_clause, &format!("when {text}")).is_ok()
}

/// Whether a text is a single string.
fn is_text(text: &str) -> bool {
    let mut tokens = tokenise(text).filter(|token| !token.is_trivia());
    tokens.next().is_some_and(|token| token.kind == TokenKind::Text) && tokens.next().is_none()
}

/// Converts a test of a member of each element of a field, `x.env == "prod"`, to a test of a JSONPath; `None` if no
/// member of the variable is tested.
pub(super) fn test_of_members(field: &str, variable: &str, inner: &str) -> Option<String> {
    let mut out = String::new();
    let mut copied_to = 0;
    for token in tokenise(inner).filter(|token| token.kind == TokenKind::Word) {
        let member = token.text(inner).strip_prefix(variable).and_then(|rest| rest.strip_prefix('.'));
        if let Some(member) = member {
            out.push_str(inner.get(copied_to..token.start)?);
            out.push_str(&format!("`$.{field}[*].{member}`"));
            copied_to = token.end;
        }
    }
    out.push_str(inner.get(copied_to..)?);
    (copied_to > 0).then_some(out)
}
