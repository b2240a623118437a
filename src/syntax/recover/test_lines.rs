//! Parses a test in which some lines have mistakes, one line after the other.

use std::ops::Range;

use super::Recovery;
use crate::diagnostic::nearest_name;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::ast::{AstTest, Expectation, TestCase};
use crate::syntax::build::{AstBuilder, SessionLine};
use crate::syntax::chunks::{BodyKind, TokenChunk};
use crate::syntax::diagnose;
use crate::syntax::grammar::Rule;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::text::decode_literal;
use crate::syntax::token::{Token, TokenKind};

/// The lines of a test case whose `expect` has not been read yet.
#[derive(Default)]
struct OpenCase {
    /// The position of the first line; `None` if there is none yet.
    begun_at: Option<Span>,
    /// Whether a `given` has begun a session, which `then` and `wait` continue.
    has_session: bool,
    /// The lines so far; `None` for a line with a mistake.
    lines: Vec<Option<SessionLine>>,
}

impl Recovery<'_> {
    /// Parses a test case by case, and diagnoses its invalid lines; `None` if its name is missing.
    pub(super) fn test(&mut self, piece: &TokenChunk, tokens: &[Token]) -> Option<AstTest> {
        let (header, body) = self.header(piece);
        let before = self.diagnostics.len();
        self.diagnose_tokens(&header, None, |cursor| diagnose::header(cursor, "test"));
        self.report_unclosed(piece, &header, "test");
        let name = tokens.get(1).filter(|token| token.kind == TokenKind::Text).map(|token| {
            let span = Span::new(self.id, token.start, token.end);
            decode_literal(token.text(self.source), span, &mut Vec::new())
        });
        let mut cases = self.cases(body);
        TestCase::join_sessions(&mut cases);
        if self.diagnostics.len() == before {
            self.report_stray_line_break(piece, &header);
        }
        Some(AstTest { name: name?, cases })
    }

    /// Returns the cases of a test whose lines are all valid: each from its first line to its `expect`. Reports a
    /// `given` without an `expect`, and an `expect`, `then` or `wait` without a `given`.
    fn cases(&mut self, body: Range<usize>) -> Vec<TestCase> {
        let mut cases = Vec::new();
        let mut open_case = OpenCase::default();
        let ranges = self.layout.clauses(body, BodyKind::TestLines).into_iter();
        let lines: Vec<Vec<Token>> = ranges.flat_map(|range| self.split_given_expect(range)).collect();
        for tokens in lines {
            if self.has_enough() {
                break;
            }
            let Some(first) = tokens.first() else { continue };
            let span = Span::new(self.id, first.start, first.end);
            match first.text(self.source) {
                "given" => {
                    if let Some(span) = open_case.begun_at {
                        self.diagnostics.push(SyntaxMistake::LoneGiven {}.at(span));
                    }
                    open_case =
                        OpenCase { begun_at: Some(span), has_session: true, lines: vec![self.session_line(&tokens)] };
                }
                word @ ("then" | "wait") => {
                    let line = self.session_line(&tokens);
                    if !open_case.has_session {
                        self.diagnostics.push(SyntaxMistake::LoneThen { word }.at(span));
                    }
                    open_case.begun_at = open_case.begun_at.or(Some(span));
                    open_case.lines.push(line);
                }
                "expect" if self.reports_call_behind(&tokens) => open_case = OpenCase::default(),
                "expect" => {
                    let expect = self.expect(&tokens);
                    if open_case.begun_at.take().is_none() {
                        self.diagnostics.push(SyntaxMistake::LoneExpect {}.at(span));
                    }
                    let lines = std::mem::take(&mut open_case.lines);
                    cases.extend(expect.and_then(|expect| self.case_of_lines(lines, expect, span)));
                }
                word => match self.not_in_test(word, span) {
                    Some("given") => {
                        open_case = OpenCase { begun_at: Some(span), has_session: true, lines: vec![None] };
                    }
                    Some(_) => open_case = OpenCase { has_session: open_case.has_session, ..OpenCase::default() },
                    None => {}
                },
            }
        }
        if let Some(span) = open_case.begun_at {
            self.diagnostics.push(SyntaxMistake::LoneGiven {}.at(span));
        }
        cases
    }

    /// Returns the case that an `expect` ends; `None` if one of its lines has a mistake.
    fn case_of_lines(&mut self, lines: Vec<Option<SessionLine>>, expect: Expectation, span: Span) -> Option<TestCase> {
        let lines: Option<Vec<SessionLine>> = lines.into_iter().collect();
        let mut builder = AstBuilder::new(self.id, self.source, 0);
        let case = builder.case_of_steps(lines?, expect, span);
        self.diagnostics.append(&mut builder.diagnostics);
        case.into_iter().next()
    }

    /// Reports a line of a test that begins with neither `given` nor `expect`, and returns the one that was meant;
    /// `None` if that is unknown.
    fn not_in_test(&mut self, word: &str, span: Span) -> Option<&'static str> {
        let near = nearest_name(word, ["given", "expect"]).or(phrases::meaning(PhrasePlace::TestLine, word));
        let word = word.lines().next().unwrap_or_default();
        self.diagnostics.push(match near {
            Some(near) => SyntaxMistake::InTestNear { word, near }.at(span).fix(span, near),
            None => SyntaxMistake::InTest { word }.at(span),
        });
        near
    }

    /// Reports the call behind an expectation, `expect deny on Bash "rm x"`. Returns whether there is one.
    fn reports_call_behind(&mut self, tokens: &[Token]) -> bool {
        let [expect, decision, joint, call, ..] = tokens else { return false };
        let is_joint = matches!(joint.text(self.source), "on" | "for" | "when" | "of" | "at");
        let is_call = matches!(call.kind, TokenKind::Word | TokenKind::Text);
        let Some(last) = tokens.last().filter(|_| is_joint && is_call) else { return false };
        let slice = |from: &Token, to: &Token| self.source.get(from.start..to.end).unwrap_or_default();
        let (given, expected) = (format!("given {}", slice(call, last)), slice(expect, decision).to_owned());
        let span = Span::new(self.id, expect.start, last.end);
        let found = SyntaxMistake::CallBehindExpectation { given: &given }.at(span);
        self.diagnostics.push(found.fix(span, format!("{given}\n  {expected}")));
        true
    }

    /// Reports a `given` and its `expect` on one line, and splits the line between them. Returns any other line as it
    /// is.
    fn split_given_expect(&mut self, range: Range<usize>) -> Vec<Vec<Token>> {
        let tokens = self.layout.significant(range);
        let is = |token: &Token, word: &str| token.text(self.source) == word;
        let is_given = tokens.first().is_some_and(|first| is(first, "given"));
        let Some(at) = tokens.iter().position(|token| is(token, "expect")).filter(|_| is_given) else {
            return vec![tokens];
        };
        let (given, expectation) = tokens.split_at_checked(at).unwrap_or_default();
        if let (Some(last), Some(expect)) = (given.last(), expectation.first()) {
            let place = Span::new(self.id, expect.start, expect.end);
            let gap = Span::new(self.id, last.end, expect.start);
            self.diagnostics.push(SyntaxMistake::TwoClauses { word: "expect" }.at(place).fix(gap, "\n  "));
        }
        vec![given.to_vec(), expectation.to_vec()]
    }

    /// Parses the line of a `given`, `then` or `wait`, or diagnoses it and returns `None`.
    fn session_line(&mut self, tokens: &[Token]) -> Option<SessionLine> {
        match self.parse_tokens(Rule::lone_given, tokens, |builder, pair| builder.session_line(pair)) {
            Ok(line) => Some(line),
            Err(error) => {
                self.diagnose_tokens(tokens, error, diagnose::given);
                None
            }
        }
    }

    /// Parses the line of an `expect`, or diagnoses it and returns `None`.
    fn expect(&mut self, tokens: &[Token]) -> Option<Expectation> {
        match self.parse_tokens(Rule::lone_expect, tokens, |builder, pair| builder.expect(pair)) {
            Ok(expect) => Some(expect),
            Err(error) => {
                self.diagnose_tokens(tokens, error, diagnose::expect);
                None
            }
        }
    }
}
