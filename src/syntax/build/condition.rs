//! Builds conditions. The tests of an `and` or `or` are one flat list; a mix of both is reported, with parentheses as
//! the fix, and kept in the tree.

use super::AstBuilder;
use crate::span::Span;
use crate::syntax::ast::{
    AstComparison, AstCondition, AstMeasure, AstValue, ConditionKind, Connective, FileVerb, HostsTest, Operand,
    OperandPosition, Operator, PastActor, PastEvents, PipesCondition, RunsCondition, TouchesCondition, ValueKind,
};
use crate::syntax::grammar::{Pair, Pairs, Rule};
use crate::syntax::mistakes::SyntaxMistake;

impl AstBuilder<'_> {
    /// Builds a condition: a test, or several tests joined by `and` and `or`.
    pub(super) fn condition(&mut self, pair: Pair<'_>) -> Option<AstCondition> {
        let mut inner = pair.into_inner();
        let mut tests = vec![self.unary(&mut inner)?];
        let mut connectives = Vec::new();
        while let Some(connective) = inner.next() {
            connectives.push(if connective.as_str() == "and" { Connective::And } else { Connective::Or });
            tests.push(self.unary(&mut inner)?);
        }
        if connectives.is_empty() { tests.pop() } else { self.chain(tests, connectives) }
    }

    /// Builds the condition for several tests and the connectives between them; a mix of `and` and `or` is reported.
    fn chain(&mut self, tests: Vec<AstCondition>, connectives: Vec<Connective>) -> Option<AstCondition> {
        let span = tests.first()?.span.joined_with(tests.last()?.span);
        let has = |wanted| connectives.contains(&wanted);
        let kind = match (has(Connective::And), has(Connective::Or)) {
            (true, true) => {
                self.report_mixed(&tests, &connectives, span);
                ConditionKind::Mixed(tests, connectives)
            }
            (true, false) => ConditionKind::And(tests),
            _ => ConditionKind::Or(tests),
        };
        Some(AstCondition { kind, span })
    }

    /// Builds `not … test`; the filter after `where` has the same form.
    fn unary(&mut self, inner: &mut Pairs<'_>) -> Option<AstCondition> {
        let mut negations = Vec::new();
        let mut next = inner.next()?;
        while next.as_rule() == Rule::kw_not {
            negations.push(self.span(&next));
            next = inner.next()?;
        }
        // Each `not` is a level of the tree, like brackets.
        match negations.first() {
            Some(first) => {
                let test = self.build_nested_by(negations.len(), *first, |builder| builder.test(next))?;
                Some(wrap_in_nots(test, negations))
            }
            None => self.test(next),
        }
    }

    /// Builds a test one level deeper in the tree.
    fn test(&mut self, pair: Pair<'_>) -> Option<AstCondition> {
        let span = self.span(&pair);
        self.build_nested(span, |builder| builder.test_at(pair, span))
    }

    /// Builds a test. The kinds that may contain another test (parentheses, `runs … where`) have separate functions,
    /// to keep the stack frame of each level of recursion small.
    fn test_at(&mut self, pair: Pair<'_>, span: Span) -> Option<AstCondition> {
        match pair.as_rule() {
            Rule::group => self.group(pair, span),
            Rule::runs_test => self.runs(pair, span),
            _ => self.simple_test(pair, span),
        }
    }

    /// Builds a condition in parentheses.
    fn group(&mut self, pair: Pair<'_>, span: Span) -> Option<AstCondition> {
        let mut condition = self.condition(pair.into_inner().next()?)?;
        // The parentheses are in the span of the condition; the tree has no node for them.
        condition.span = span;
        Some(condition)
    }

    /// Builds `runs P [where C]`.
    fn runs(&mut self, pair: Pair<'_>, span: Span) -> Option<AstCondition> {
        let mut inner = pair.into_inner();
        inner.next()?;
        let patterns = self.value(inner.next()?)?;
        let filter = match inner.nth(1) {
            Some(filter) => Some(Box::new(self.unary(&mut filter.into_inner())?)),
            None => None,
        };
        Some(AstCondition { kind: ConditionKind::Runs(RunsCondition { only: false, patterns, filter }), span })
    }

    /// Builds a test that contains no other test.
    fn simple_test(&mut self, pair: Pair<'_>, span: Span) -> Option<AstCondition> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        let kind = match rule {
            Rule::only_test => {
                let patterns = self.value(inner.nth(2)?)?;
                ConditionKind::Runs(RunsCondition { only: true, patterns, filter: None })
            }
            Rule::pipes_test => {
                let from = self.value(inner.nth(1)?)?;
                let into = self.value(inner.nth(1)?)?;
                ConditionKind::Pipes(PipesCondition { from, into })
            }
            Rule::touches_test => {
                let verb = FileVerb::from_keyword(inner.next()?.as_str())?;
                let operator = operator(inner.next()?.as_str())?;
                ConditionKind::Touches(TouchesCondition { verb, operator, value: self.value(inner.next()?)? })
            }
            Rule::connects_test => {
                inner.next()?;
                let test = match inner.next() {
                    Some(word) => {
                        let operator = operator(word.as_str())?;
                        Some(HostsTest { operator, value: self.value(inner.next()?)? })
                    }
                    None => None,
                };
                ConditionKind::Connects(test)
            }
            Rule::happened_test => ConditionKind::Happened(self.past_events(inner.nth(1)?)?),
            Rule::exists_test => ConditionKind::Exists(self.operand(inner.nth(1)?)?),
            Rule::all_test => {
                inner.next()?;
                ConditionKind::Compare(self.comparison(&mut inner, true)?.ok()?)
            }
            Rule::comparison => match self.comparison(&mut inner, false)? {
                Ok(compare) => ConditionKind::Compare(compare),
                Err(operand) => ConditionKind::Truth(operand),
            },
            _ => return None,
        };
        Some(AstCondition { kind, span })
    }

    /// Builds `F OP V`; `all` is whether the keyword `all` precedes it. Returns `Some(Err(operand))` if there is only
    /// an operand.
    fn comparison(&mut self, inner: &mut Pairs<'_>, all: bool) -> Option<Result<AstComparison, Operand>> {
        let operand = self.operand(inner.next()?)?;
        let Some(word) = inner.next() else { return Some(Err(operand)) };
        let operator_span = self.span(&word);
        let (negated, text) = match word.as_str().strip_prefix("not") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, word.as_str()),
        };
        let value = self.value(inner.next()?)?;
        Some(Ok(AstComparison { all, operand, negated, operator: operator(text)?, operator_span, value }))
    }

    /// Builds the left operand of a test.
    pub(super) fn operand(&mut self, pair: Pair<'_>) -> Option<Operand> {
        let span = self.span(&pair);
        Some(match pair.as_rule() {
            Rule::field => Operand::Field(self.field(&pair)),
            Rule::json_path => Operand::JsonPath(self.json_path(&pair)),
            Rule::option_operand => Operand::Option(self.text(&pair.into_inner().nth(1)?), span),
            Rule::file_operand => {
                let mut inner = pair.into_inner();
                let fact = Self::file_fact(&inner.next()?);
                let value = self.value(inner.next()?)?;
                Operand::File(fact, Box::new(value), span)
            }
            Rule::measure_operand => Operand::Measure(self.measure(pair)?, span),
            Rule::position_operand => Operand::Position(Self::position(pair)?, span),
            _ => return None,
        })
    }

    /// Builds `length F`, `count F` or `count deletes`.
    fn measure(&mut self, pair: Pair<'_>) -> Option<AstMeasure> {
        let mut inner = pair.into_inner();
        let keyword = inner.next()?.as_rule();
        let measured = inner.next()?;
        if measured.as_rule() == Rule::touch_verb {
            return FileVerb::from_keyword(measured.as_str()).map(AstMeasure::Files);
        }
        if measured.as_rule() == Rule::counted_events {
            return self.past_events(measured).map(AstMeasure::Past);
        }
        let operand = Box::new(self.operand(measured)?);
        Some(if keyword == Rule::kw_length { AstMeasure::Length(operand) } else { AstMeasure::Count(operand) })
    }

    /// Builds a mark with the parts that narrow its events: `edited by same agent within 10m`.
    fn past_events(&mut self, pair: Pair<'_>) -> Option<PastEvents> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let mark = self.name(&inner.next()?);
        let mut events = PastEvents { mark, of: None, by: None, since: None, within: None, span };
        for part in inner {
            let rule = part.as_rule();
            let argument = part.into_inner().nth(1)?;
            match rule {
                Rule::past_of => events.of = Some(Box::new(self.operand(argument)?)),
                Rule::past_by => {
                    events.by = Some(if argument.as_str() == "same" { PastActor::Same } else { PastActor::Another });
                }
                Rule::past_since => events.since = Some(self.name(&argument)),
                _ => events.within = Some(Box::new(self.value(argument)?)),
            }
        }
        Some(events)
    }

    /// Builds `operand N` or `last operand`. A number that is too large becomes the largest one, which no command
    /// reaches.
    fn position(pair: Pair<'_>) -> Option<OperandPosition> {
        let position = pair.into_inner().last()?;
        Some(match position.as_rule() {
            Rule::operand_number => OperandPosition::Nth(position.as_str().parse().unwrap_or(u32::MAX)),
            _ => OperandPosition::Last,
        })
    }

    /// Reports `a and b or c`. The fix puts parentheses around the groups joined by `and`; if each `or` is between
    /// two tests of the same field (`f == 1 or f == 2`), around the groups joined by `or`.
    fn report_mixed(&mut self, tests: &[AstCondition], connectives: &[Connective], span: Span) {
        let pairs = || tests.iter().zip(tests.iter().skip(1)).zip(connectives);
        let test_same_field = |(one, other): (&AstCondition, &AstCondition)| {
            self.operand_source(one).is_some_and(|field| self.operand_source(other) == Some(field))
        };
        let mut ors = pairs().filter(|(_, joint)| **joint == Connective::Or);
        let separator = if ors.all(|(pair, _)| test_same_field(pair)) { Connective::And } else { Connective::Or };
        let mut groups: Vec<Vec<&AstCondition>> = vec![Vec::new()];
        let connectives_after = connectives.iter().map(Some).chain(std::iter::once(None));
        for (test, joint) in tests.iter().zip(connectives_after) {
            if let Some(group) = groups.last_mut() {
                group.push(test);
            }
            if joint == Some(&separator) {
                groups.push(Vec::new());
            }
        }
        let groups: Vec<Span> = groups
            .iter()
            .filter(|group| group.len() > 1)
            .filter_map(|group| Some(group.first()?.span.joined_with(group.last()?.span)))
            .collect();
        let mut fixed = String::new();
        let mut copied_to = span.start;
        let slice = |from: u32, to: u32| self.source.get(from as usize..to as usize).unwrap_or_default();
        for group in groups {
            fixed.push_str(slice(copied_to, group.start));
            fixed.push_str(&format!("({})", slice(group.start, group.end)));
            copied_to = group.end;
        }
        fixed.push_str(slice(copied_to, span.end));
        let mistake = match fixed.contains('\n') || fixed.chars().count() > 90 {
            true => SyntaxMistake::MixedAndOrLong {},
            false => SyntaxMistake::MixedAndOr { right: &fixed },
        };
        // The fix is one of two readings, and only the author knows which one is intended.
        self.diagnostics.push(mistake.at(span).fix_that_changes(span, &fixed));
    }

    /// Returns the source text of a comparison's left operand; `None` for any other test.
    fn operand_source(&self, test: &AstCondition) -> Option<&str> {
        let ConditionKind::Compare(compare) = &test.kind else { return None };
        let span = compare.operand.span();
        self.source.get(span.start as usize..span.end as usize)
    }
}

/// Wraps a test in one `not` for each span, the last one innermost.
fn wrap_in_nots(test: AstCondition, negations: Vec<Span>) -> AstCondition {
    negations.into_iter().rev().fold(test, |test, not| {
        let span = not.joined_with(test.span);
        AstCondition { kind: ConditionKind::Not(Box::new(test)), span }
    })
}

/// Returns the operator for its source text.
fn operator(word: &str) -> Option<Operator> {
    Some(match word {
        "==" => Operator::Equal,
        "!=" => Operator::NotEqual,
        "<" => Operator::Less,
        "<=" => Operator::LessEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterEqual,
        "in" => Operator::In,
        "contains" => Operator::Contains,
        "starts_with" => Operator::StartsWith,
        "ends_with" => Operator::EndsWith,
        "like" => Operator::Like,
        "matches" => Operator::Matches,
        "under" => Operator::Under,
        "outside" => Operator::Outside,
        _ => return None,
    })
}

/// Whether a value is a literal that a `let` may define: not a name, a JSONPath, `null` or a map.
pub(super) fn is_constant(value: &AstValue) -> bool {
    !matches!(value.kind, ValueKind::Name(_) | ValueKind::JsonPath(_) | ValueKind::Null | ValueKind::Map(_))
}
