//! Prints conditions. A condition that is too long is broken before `and` and `or`.

use super::layout::{BreakCondition, GroupIndent, LineBreak, NextIndent};
use super::{Printer, SourceLineBreak};
use crate::span::Span;
use crate::syntax::ast::{
    AstComparison, AstCondition, AstMeasure, ConditionKind, Connective, FileFact, Operand, OperandPosition, Operator,
    PastEvents, PipesCondition, RunsCondition,
};

/// Whether a condition needs parentheses where it is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ParenthesesNeed {
    /// The condition must be in parentheses.
    Required,
    /// The condition can be without parentheses.
    Unneeded,
}

impl Printer<'_> {
    /// Prints a condition that needs no parentheses.
    pub(super) fn condition(&mut self, condition: &AstCondition) {
        self.condition_within(condition, ParenthesesNeed::Unneeded);
    }

    /// Prints a test of a chain; it gets parentheses if it is itself a chain of `and` or `or`.
    fn chain_element(&mut self, test: &AstCondition) {
        self.condition_within(
            test,
            if chain_tests(test).is_some() { ParenthesesNeed::Required } else { ParenthesesNeed::Unneeded },
        );
    }

    /// Prints a condition, in parentheses if it needs them. Redundant parentheses of the source are dropped, unless
    /// there is a comment after them.
    fn condition_within(&mut self, condition: &AstCondition, need: ParenthesesNeed) {
        let first_test_start =
            chain_tests(condition).and_then(|(tests, _)| tests.first()).map(|first| first.span.start as usize);
        let mut open_count = 0_usize;
        let mut has_parentheses = need == ParenthesesNeed::Required;
        if has_parentheses {
            self.keyword("(");
            open_count += 1;
        }
        // Skips the parentheses of the source around this condition. If a comment follows one of them, it is kept,
        // since the comment would have no position otherwise.
        while self.is_opened_before(first_test_start) {
            self.skip("(");
            if !has_parentheses && self.has_comment_ahead() {
                self.text_piece("(".to_owned());
                has_parentheses = true;
            }
            open_count += 1;
        }
        if has_parentheses {
            self.parenthesised_condition(condition, open_count);
            return;
        }
        self.bare_condition(condition, GroupIndent::Hanging);
        for _ in 0..open_count {
            self.skip(")");
        }
    }

    /// Whether the next word of the source is a parenthesis around a whole condition. `start` is the start of the
    /// condition's first test: a parenthesis at `start` belongs only to that test.
    fn is_opened_before(&self, start: Option<usize>) -> bool {
        let Some(source) = &self.source else { return false };
        source.is_next_word("(") && start.is_none_or(|start| source.next_word_start() < start)
    }

    /// Prints the condition after an opening parenthesis, and the closing one. `open_count` is the number of opening
    /// parentheses in the source, of which one is printed.
    fn parenthesised_condition(&mut self, condition: &AstCondition, open_count: usize) {
        self.open_group(GroupIndent::Bracket);
        if self.line_break_in_source() == SourceLineBreak::Present {
            self.force_break();
        }
        let edge = LineBreak {
            unbroken_text: "",
            breaks: BreakCondition::IfGroupBroken,
            next: NextIndent::Inner,
            has_blank_line: false,
        };
        self.line_break(edge);
        match chain_tests(condition) {
            Some((tests, connectives)) => self.chain(tests, connectives),
            None => self.bare_condition(condition, GroupIndent::Hanging),
        }
        for _ in 1..open_count {
            self.skip(")");
        }
        self.line_break(LineBreak { next: NextIndent::Outer, ..edge });
        self.keyword(")");
        self.close_group();
    }

    /// Prints a condition without parentheses around it.
    fn bare_condition(&mut self, condition: &AstCondition, shape: GroupIndent) {
        match &condition.kind {
            ConditionKind::And(_) | ConditionKind::Or(_) | ConditionKind::Mixed(..) => {
                self.open_group(shape);
                if let Some((tests, connectives)) = chain_tests(condition) {
                    self.chain(tests, connectives);
                }
                self.close_group();
            }
            ConditionKind::Not(test) => {
                self.keyword("not");
                self.comment_break(" ");
                self.chain_element(test);
            }
            ConditionKind::Compare(compare) => self.compare(compare),
            ConditionKind::Exists(operand) => {
                self.keyword("exists");
                self.space();
                self.operand(operand);
            }
            ConditionKind::Truth(operand) => self.operand(operand),
            ConditionKind::Runs(runs) => self.runs(runs),
            ConditionKind::Pipes(pipes) => self.pipes(pipes),
            ConditionKind::Touches(touches) => {
                self.keyword(touches.verb.keyword());
                self.space();
                self.keyword(touches.operator.as_str());
                self.space();
                self.value(&touches.value);
            }
            ConditionKind::Happened(events) => {
                self.keyword("happened");
                self.space();
                self.past_events(events);
            }
            ConditionKind::Connects(test) => {
                self.keyword("connects");
                if let Some(test) = test {
                    self.space();
                    self.keyword(test.operator.as_str());
                    self.space();
                    self.value(&test.value);
                }
            }
        }
    }

    /// Prints `pipes A into B`.
    fn pipes(&mut self, pipes: &PipesCondition) {
        self.keyword("pipes");
        self.space();
        self.value(&pipes.from);
        self.space();
        self.keyword("into");
        self.space();
        self.value(&pipes.into);
    }

    /// Prints a mark with the parts that narrow its events.
    fn past_events(&mut self, events: &PastEvents) {
        self.name(&events.mark);
        if let Some(key) = &events.of {
            self.past_part("of");
            self.operand(key);
        }
        if let Some(actor) = events.by {
            self.past_part("by");
            self.keyword(actor.keyword());
            self.space();
            self.keyword("agent");
        }
        if let Some(mark) = &events.since {
            self.past_part("since");
            self.name(mark);
        }
        if let Some(time) = &events.within {
            self.past_part("within");
            self.value(time);
        }
    }

    /// Prints the keyword of a part that narrows past events, on a new line if it does not fit.
    fn past_part(&mut self, word: &str) {
        self.line_break(LineBreak {
            unbroken_text: " ",
            breaks: BreakCondition::IfFull,
            next: NextIndent::Deeper,
            has_blank_line: false,
        });
        self.keyword(word);
        self.space();
    }

    /// Prints tests joined by `and` or `or`: each on a new line if they do not fit on one line, or were on several in
    /// the source.
    fn chain(&mut self, tests: &[AstCondition], connectives: ChainConnectives<'_>) {
        for (index, test) in tests.iter().enumerate() {
            if index > 0 {
                if self.line_break_in_source() == SourceLineBreak::Present {
                    self.force_break();
                }
                self.line_break(LineBreak {
                    unbroken_text: " ",
                    breaks: BreakCondition::IfGroupBroken,
                    next: NextIndent::Inner,
                    has_blank_line: true,
                });
                self.keyword(match connectives.connective_before(index) {
                    Connective::And => "and",
                    Connective::Or => "or",
                });
                if self.line_break_in_source() == SourceLineBreak::Present {
                    self.force_break();
                }
                self.comment_break(" ");
            }
            self.chain_element(test);
        }
    }

    /// Prints a comparison.
    fn compare(&mut self, compare: &AstComparison) {
        if compare.all {
            self.keyword("all");
            self.space();
        }
        self.operand(&compare.operand);
        let is_symbol = matches!(
            compare.operator,
            Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
        );
        let not = if compare.negated && !is_symbol { "not " } else { "" };
        self.space();
        self.source_token(compare.operator_span, format!("{not}{}", compare.operator.as_str()));
        self.space();
        self.value(&compare.value);
    }

    /// Prints the left operand of a test.
    pub(super) fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Field(name) => self.field(name),
            Operand::JsonPath(path) => self.source_token(path.span, format!("`{}`", path.text)),
            Operand::Option(flag, _) => {
                self.keyword("option");
                self.space();
                self.text(flag);
            }
            Operand::File(fact, value, _) => {
                self.fact(*fact);
                self.space();
                self.value(value);
            }
            Operand::Measure(measure, _) => self.measure(measure),
            Operand::Position(position, span) => self.position(*position, *span),
        }
    }

    /// Prints `length F`, `count F` or `count deletes`.
    fn measure(&mut self, measure: &AstMeasure) {
        self.keyword(if let AstMeasure::Length(_) = measure { "length" } else { "count" });
        self.space();
        match measure {
            AstMeasure::Length(operand) | AstMeasure::Count(operand) => self.operand(operand),
            AstMeasure::Files(verb) => self.keyword(verb.keyword()),
            AstMeasure::Past(events) => self.past_events(events),
        }
    }

    /// Prints `operand N` or `last operand`.
    fn position(&mut self, position: OperandPosition, span: Span) {
        match position {
            OperandPosition::Nth(number) => {
                self.keyword("operand");
                self.space();
                self.source_token(span, number.to_string());
            }
            OperandPosition::Last => {
                self.keyword("last");
                self.space();
                self.keyword("operand");
            }
        }
    }

    /// Prints the keyword of a fact about a file.
    pub(super) fn fact(&mut self, fact: FileFact) {
        self.keyword(match fact {
            FileFact::Exists => "file_exists",
            FileFact::Size => "file_size",
        });
    }

    /// Prints `runs P [where C]` or `only runs P`.
    fn runs(&mut self, runs: &RunsCondition) {
        if runs.only {
            self.keyword("only");
            self.space();
        }
        self.keyword("runs");
        self.space();
        self.value(&runs.patterns);
        let Some(filter) = &runs.filter else { return };
        self.line_break(LineBreak {
            unbroken_text: " ",
            breaks: BreakCondition::IfFullAndFitsAlone,
            next: NextIndent::Deeper,
            has_blank_line: false,
        });
        self.keyword("where");
        self.space();
        self.filter(filter);
    }

    /// Prints the condition after `where`: a single test without parentheses, anything else in parentheses.
    fn filter(&mut self, filter: &AstCondition) {
        let mut test = filter;
        while let ConditionKind::Not(inner) = &test.kind {
            test = inner;
        }
        match (&test.kind, &filter.kind) {
            (ConditionKind::Runs(_) | ConditionKind::Pipes(_), _) => {
                self.condition_within(filter, ParenthesesNeed::Required)
            }
            // A `not` binds more tightly than `and`, so it needs no parentheses.
            (_, ConditionKind::Not(_) | ConditionKind::Compare(_) | ConditionKind::Exists(_)) => self.condition(filter),
            (_, ConditionKind::Truth(_) | ConditionKind::Touches(_) | ConditionKind::Connects(_)) => {
                self.condition(filter)
            }
            _ => self.condition_within(filter, ParenthesesNeed::Required),
        }
    }
}

/// The connectives between the tests of a chain.
#[derive(Clone, Copy)]
enum ChainConnectives<'c> {
    /// The same connective between all tests.
    All(Connective),
    /// One connective for each pair of adjacent tests.
    Each(&'c [Connective]),
}

impl ChainConnectives<'_> {
    /// Returns the connective before the test at an index from 1.
    fn connective_before(self, test: usize) -> Connective {
        match self {
            Self::All(connective) => connective,
            Self::Each(each) => each.get(test.saturating_sub(1)).copied().unwrap_or(Connective::Or),
        }
    }
}

/// Returns the tests and the connectives of a condition that joins tests by `and` or `or`; `None` for any other
/// condition.
fn chain_tests(condition: &AstCondition) -> Option<(&[AstCondition], ChainConnectives<'_>)> {
    match &condition.kind {
        ConditionKind::And(tests) => Some((tests, ChainConnectives::All(Connective::And))),
        ConditionKind::Or(tests) => Some((tests, ChainConnectives::All(Connective::Or))),
        ConditionKind::Mixed(tests, connectives) => Some((tests, ChainConnectives::Each(connectives))),
        _ => None,
    }
}
