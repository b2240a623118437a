//! Prints conditions, broken before `and` and `or`.

use super::lines::{Breaks, Line, Next, Shape};
use super::{Ends, Printer};
use crate::syntax::ast::{Compare, Condition, ConditionKind, Connective, FileFact, Operand, Operator, Runs};

/// Whether a condition is in parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Required parentheses.
    Parentheses,
    /// No required parentheses.
    Nothing,
}

impl Printer<'_> {
    pub(super) fn condition(&mut self, condition: &Condition) {
        self.within(condition, Around::Nothing);
    }

    /// Prints a test among others: joined tests get parentheses.
    fn part(&mut self, test: &Condition) {
        self.within(test, if joined(test).is_some() { Around::Parentheses } else { Around::Nothing });
    }

    /// Prints a condition with the parentheses that it needs. Redundant ones are dropped, unless they contain a
    /// comment.
    fn within(&mut self, condition: &Condition, around: Around) {
        let start = joined(condition).and_then(|(tests, _)| tests.first()).map(|first| first.span.start as usize);
        let mut opened = 0_usize;
        let mut has_parentheses = around == Around::Parentheses;
        if has_parentheses {
            self.word("(");
            opened += 1;
        }
        while self.opens_before(start) {
            self.skip("(");
            if !has_parentheses && self.has_comment_ahead() {
                self.text_piece("(".to_owned());
                has_parentheses = true;
            }
            opened += 1;
        }
        if has_parentheses {
            self.parenthesised(condition, opened);
            return;
        }
        self.bare(condition, Shape::Hanging);
        for _ in 0..opened {
            self.skip(")");
        }
    }

    /// Whether the next parenthesis encloses a condition whose first test begins at `start`, rather than only that
    /// test.
    fn opens_before(&self, start: Option<usize>) -> bool {
        let Some(written) = &self.written else { return false };
        written.is_next("(") && start.is_none_or(|start| written.next_word() < start)
    }

    /// Prints the content after an opening parenthesis, and the closing one.
    fn parenthesised(&mut self, condition: &Condition, opened: usize) {
        self.open(Shape::Bracket);
        if self.ends_here() == Ends::Here {
            self.force();
        }
        let edge = Line { flat: "", breaks: Breaks::WithGroup, next: Next::Inner, blank: false };
        self.line(edge);
        match joined(condition) {
            Some((tests, connectives)) => self.chain(tests, connectives),
            None => self.bare(condition, Shape::Hanging),
        }
        for _ in 1..opened {
            self.skip(")");
        }
        self.line(Line { next: Next::Outer, ..edge });
        self.word(")");
        self.close();
    }

    fn bare(&mut self, condition: &Condition, shape: Shape) {
        match &condition.kind {
            ConditionKind::And(_) | ConditionKind::Or(_) | ConditionKind::Mixed(..) => {
                self.open(shape);
                if let Some((tests, connectives)) = joined(condition) {
                    self.chain(tests, connectives);
                }
                self.close();
            }
            ConditionKind::Not(test) => {
                self.word("not");
                self.glue(" ");
                self.part(test);
            }
            ConditionKind::Compare(compare) => self.compare(compare),
            ConditionKind::Exists(operand) => {
                self.word("exists");
                self.space();
                self.operand(operand);
            }
            ConditionKind::Truth(operand) => self.operand(operand),
            ConditionKind::Runs(runs) => self.runs(runs),
            ConditionKind::Pipes(pipes) => {
                self.word("pipes");
                self.space();
                self.value(&pipes.from);
                self.space();
                self.word("into");
                self.space();
                self.value(&pipes.into);
            }
            ConditionKind::Touches(touches) => {
                self.word(touches.verb.word());
                self.space();
                self.word(touches.operator.word());
                self.space();
                self.value(&touches.value);
            }
            ConditionKind::Connects(test) => {
                self.word("connects");
                if let Some(test) = test {
                    self.space();
                    self.word(test.operator.word());
                    self.space();
                    self.value(&test.value);
                }
            }
        }
    }

    /// Prints joined tests: each on a new line if they do not fit on one, or were not on one.
    fn chain(&mut self, tests: &[Condition], connectives: Connectives<'_>) {
        for (index, test) in tests.iter().enumerate() {
            if index > 0 {
                if self.ends_here() == Ends::Here {
                    self.force();
                }
                self.line(Line { flat: " ", breaks: Breaks::WithGroup, next: Next::Inner, blank: true });
                self.word(match connectives.before(index) {
                    Connective::And => "and",
                    Connective::Or => "or",
                });
                if self.ends_here() == Ends::Here {
                    self.force();
                }
                self.glue(" ");
            }
            self.part(test);
        }
    }

    fn compare(&mut self, compare: &Compare) {
        if compare.all {
            self.word("all");
            self.space();
        }
        self.operand(&compare.operand);
        let symbol = matches!(
            compare.operator,
            Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
        );
        let not = if compare.negated && !symbol { "not " } else { "" };
        self.space();
        self.leaf(compare.operator_span, format!("{not}{}", compare.operator.word()));
        self.space();
        self.value(&compare.value);
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Field(name) => self.field(name),
            Operand::JsonPath(path) => self.leaf(path.span, format!("`{}`", path.text)),
            Operand::Option(flag, _) => {
                self.word("option");
                self.space();
                self.text(flag);
            }
            Operand::File(fact, value, _) => {
                self.fact(*fact);
                self.space();
                self.value(value);
            }
        }
    }

    pub(super) fn fact(&mut self, fact: FileFact) {
        self.word(match fact {
            FileFact::Exists => "file_exists",
            FileFact::Size => "file_size",
        });
    }

    fn runs(&mut self, runs: &Runs) {
        if runs.only {
            self.word("only");
            self.space();
        }
        self.word("runs");
        self.space();
        self.value(&runs.patterns);
        let Some(filter) = &runs.filter else { return };
        self.line(Line { flat: " ", breaks: Breaks::IfItHelps, next: Next::Deeper, blank: false });
        self.word("where");
        self.space();
        self.filter(filter);
    }

    /// Prints the filter after `where`: a single test, or anything else in parentheses.
    fn filter(&mut self, filter: &Condition) {
        let mut test = filter;
        while let ConditionKind::Not(inner) = &test.kind {
            test = inner;
        }
        match (&test.kind, &filter.kind) {
            (ConditionKind::Runs(_) | ConditionKind::Pipes(_), _) => self.within(filter, Around::Parentheses),
            // Around a `not` no parentheses are needed.
            (_, ConditionKind::Not(_) | ConditionKind::Compare(_) | ConditionKind::Exists(_)) => self.condition(filter),
            (_, ConditionKind::Truth(_) | ConditionKind::Touches(_) | ConditionKind::Connects(_)) => {
                self.condition(filter)
            }
            _ => self.within(filter, Around::Parentheses),
        }
    }
}

/// The connectives of a chain of tests.
#[derive(Clone, Copy)]
enum Connectives<'c> {
    All(Connective),
    Each(&'c [Connective]),
}

impl Connectives<'_> {
    /// Returns the connective before a test other than the first.
    fn before(self, test: usize) -> Connective {
        match self {
            Self::All(connective) => connective,
            Self::Each(each) => each.get(test.saturating_sub(1)).copied().unwrap_or(Connective::Or),
        }
    }
}

/// Returns the tests of a chain, and their connectives.
fn joined(condition: &Condition) -> Option<(&[Condition], Connectives<'_>)> {
    match &condition.kind {
        ConditionKind::And(tests) => Some((tests, Connectives::All(Connective::And))),
        ConditionKind::Or(tests) => Some((tests, Connectives::All(Connective::Or))),
        ConditionKind::Mixed(tests, connectives) => Some((tests, Connectives::Each(connectives))),
        _ => None,
    }
}
