//! Conditions as text.

use super::Printer;
use crate::syntax::ast::{Compare, Condition, ConditionKind, Connective, FileFact, Operand, Operator, Runs};

impl Printer {
    pub(super) fn condition(&mut self, condition: &Condition) {
        match &condition.kind {
            ConditionKind::And(tests) => self.joined(tests, " and ", Self::part),
            ConditionKind::Or(tests) => self.joined(tests, " or ", Self::part),
            ConditionKind::Mixed(tests, connectives) => {
                let mut joints = connectives.iter();
                for (index, test) in tests.iter().enumerate() {
                    if index > 0 {
                        self.push(match joints.next() {
                            Some(Connective::And) => " and ",
                            _ => " or ",
                        });
                    }
                    self.part(test);
                }
            }
            ConditionKind::Not(test) => {
                self.push("not ");
                self.part(test);
            }
            ConditionKind::Compare(compare) => self.compare(compare),
            ConditionKind::Exists(operand) => {
                self.push("exists ");
                self.operand(operand);
            }
            ConditionKind::Truth(operand) => self.operand(operand),
            ConditionKind::Runs(runs) => self.runs(runs),
            ConditionKind::Pipes(pipes) => {
                self.push("pipes ");
                self.value(&pipes.from, "  ");
                self.push(" into ");
                self.value(&pipes.into, "  ");
            }
            ConditionKind::Touches(touches) => {
                self.push(touches.verb.word());
                self.push(&format!(" {} ", touches.operator.word()));
                self.value(&touches.value, "  ");
            }
        }
    }

    /// A test among others: joined tests get parentheses.
    fn part(&mut self, test: &Condition) {
        match test.kind {
            ConditionKind::And(_) | ConditionKind::Or(_) | ConditionKind::Mixed(..) => self.parenthesised(test),
            _ => self.condition(test),
        }
    }

    fn parenthesised(&mut self, test: &Condition) {
        self.push("(");
        self.condition(test);
        self.push(")");
    }

    fn compare(&mut self, compare: &Compare) {
        if compare.all {
            self.push("all ");
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
        self.push(if compare.negated && !symbol { " not " } else { " " });
        self.push(compare.operator.word());
        self.push(" ");
        self.value(&compare.value, "  ");
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Field(name) => self.push(&name.text()),
            Operand::JsonPath(path) => self.push(&format!("`{}`", path.text)),
            Operand::Option(flag, _) => {
                self.push("option ");
                self.text(flag, "  ");
            }
            Operand::File(fact, value, _) => {
                self.fact(*fact);
                self.push(" ");
                self.value(value, "  ");
            }
        }
    }

    pub(super) fn fact(&mut self, fact: FileFact) {
        self.push(match fact {
            FileFact::Exists => "file_exists",
            FileFact::Size => "file_size",
        });
    }

    fn runs(&mut self, runs: &Runs) {
        self.push(if runs.only { "only runs " } else { "runs " });
        self.value(&runs.patterns, "  ");
        let Some(filter) = &runs.filter else { return };
        self.push(" where ");
        self.filter(filter);
    }

    /// After `where` one test stands, or anything in parentheses.
    fn filter(&mut self, filter: &Condition) {
        match &filter.kind {
            ConditionKind::Not(inner) => {
                self.push("not ");
                self.filter(inner);
            }
            ConditionKind::Compare(_) | ConditionKind::Exists(_) | ConditionKind::Truth(_) => self.condition(filter),
            _ => self.parenthesised(filter),
        }
    }
}
