//! Compiles exceptions to a rule: `use … except NAME where C` and `use … except NAME when C`.

use std::sync::Arc;

use super::ConditionCompiler;
use super::excepted_files::{ExceptedRule, excepted_files};
use super::misfits::operand_text;
use crate::compile::field;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, FactName, Measure, TouchTest, ValueReference, WhereField};
use crate::span::Span;
use crate::syntax::ast::{AstCondition, ConditionKind, ExceptionNarrowing, Name, Operand};

/// The two conditions of a rule.
pub(in crate::compile) struct RuleConditions {
    pub(in crate::compile) when: Option<Condition>,
    pub(in crate::compile) unless: Option<Condition>,
}

/// What an exception does to its rule if it is unknown, or holds only for some of several values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::compile) enum ExceptionStrictness {
    /// The exception does not apply, because the rule restricts.
    MustBeCertain,
    /// The exception applies, because the rule allows.
    MayHold,
}

impl<'a> ConditionCompiler<'_, 'a> {
    /// Adds an exception of a `use` in `file` to the conditions of a rule.
    pub(in crate::compile) fn add_exception(
        &mut self,
        (file, narrowing): (usize, &'a ExceptionNarrowing),
        rule: ExceptedRule<'a>,
        strictness: ExceptionStrictness,
        conditions: &mut RuleConditions,
    ) {
        let is_of_commands = matches!(narrowing, ExceptionNarrowing::Where(_));
        if let Some(found) = excepted_files(narrowing.condition(), rule, conditions) {
            return self.diagnostics.push(found);
        }
        if let Some(found) = self.misplaced_word(narrowing) {
            return self.diagnostics.push(found);
        }
        self.in_where = is_of_commands;
        let hidden = self.names.captures.hide();
        let compiled = self.condition(file, narrowing.condition());
        self.names.captures.show(hidden);
        self.in_where = false;
        let Some(compiled) = compiled else { return };
        let exception = match strictness {
            ExceptionStrictness::MayHold => compiled,
            ExceptionStrictness::MustBeCertain => {
                let Some(of_all) = self.of_every_value(&compiled, false) else { return };
                Condition { span: of_all.span, kind: ConditionExpr::Certain(Box::new(of_all)) }
            }
        };
        match is_of_commands {
            true => self.except_commands(exception, rule.name, conditions),
            false => self.except_events(exception, conditions),
        }
    }

    /// Returns the finding about an exception that is about the other thing than its word says: `when push_target ==
    /// "main"`, `where env.CI == "true"`; `None` for any other.
    fn misplaced_word(&self, narrowing: &'a ExceptionNarrowing) -> Option<Diagnostic> {
        let word = narrowing.keyword();
        let right = if word == "where" { "when" } else { "where" };
        let mut operands = Vec::new();
        let runs = visit_operands(narrowing.condition(), &mut operands);
        if let Some(span) = runs.filter(|_| word == "where") {
            let found = Diagnostic::new(Code::BAD_USE, "`runs` in the exception of a rule that has its own")
                .label(span, "`where` tests the command that the rule found")
                .help(
                    "write the words that are excepted: `where operands == \"x\"`, `where push_target like \"bot/*\"`",
                );
            return Some(found);
        }
        let is_misplaced = |operand: &&&'a Operand| match operand {
            Operand::Option(..) | Operand::Position(..) => word == "when",
            Operand::Field(name) if word == "when" => field::is_where_word(name),
            Operand::Field(name) => {
                field::resolve_where(name).is_err() && field::resolve(name, self.head, &Vec::new).is_ok()
            }
            _ => false,
        };
        let misplaced: Vec<&&Operand> = operands.iter().filter(is_misplaced).collect();
        let first = misplaced.first()?;
        let (about, other) = match word {
            "when" => ("the command", "the event"),
            _ => ("the event", "the command alone"),
        };
        let name = operand_text(first);
        let found = Diagnostic::new(Code::BAD_USE, format!("`{name}` behind `{word}` of an exception"))
            .label(first.span(), format!("about {about}, and `{word}` is about {other}"));
        // Neither of the two words is about the input of the call.
        let is_input = |operand: &Operand| match operand {
            Operand::Field(name) => {
                field::resolve(name, self.head, &Vec::new).is_ok_and(|typed| is_of_input(&typed.source))
            }
            _ => false,
        };
        Some(match misplaced.len() == operands.len() {
            true if word == "where" && operands.iter().any(|operand| is_input(operand)) => found.help(
                "test the words and files of the command: `where operands == \"x\"`, `where deletes under \"build\"`",
            ),
            true => found.help(format!("write `{right}` in place of `{word}`")),
            false => found.help("an exception is about the command, `where …`, or the event, `when …`: leave one out"),
        })
    }

    /// Adds an exception to the `where` of each `runs` of a rule.
    fn except_commands(&mut self, exception: Condition, rule: &Name, conditions: &mut RuleConditions) {
        let problem = match conditions.when.as_ref().map_or(CommandsInRule::None, commands_of) {
            CommandsInRule::One => None,
            CommandsInRule::None => Some("that tests no command with `runs`"),
            CommandsInRule::Several => Some("that needs several commands at once"),
            CommandsInRule::OneOrOther => Some("that also holds without a command of its `runs`"),
        };
        if let Some(problem) = problem {
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_USE, format!("`where` in an exception of a rule {problem}"))
                    .label(exception.span, "of which command?")
                    .label(rule.span, "the rule")
                    .help(format!(
                        "write `except {}` alone, and a rule of your own with the exception; `when …` is for the event",
                        rule.text
                    )),
            );
            return;
        }
        conditions.when = conditions.when.take().map(|when| exclude_excepted_commands(when, &exception));
    }

    /// Adds an exception to the `unless` of a rule.
    fn except_events(&mut self, exception: Condition, conditions: &mut RuleConditions) {
        let mut of_call: Option<Span> = None;
        exception.visit_tests(&mut |test, _| {
            if is_of_call(test) {
                of_call.get_or_insert(test.span);
            }
        });
        if let Some(span) = of_call {
            let help = match conditions.when.as_ref().is_some_and(has_one_command) {
                true => "write `where …` to except a command; one harmless command would otherwise except all others",
                false => "write the `except` without it, and a rule of your own with the exception",
            };
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_USE, "`when` of an exception is about the event")
                    .label(span, "about the commands and files of the call")
                    .help(help),
            );
            return;
        }
        let span = exception.span;
        conditions.unless = Some(match conditions.unless.take() {
            Some(unless) => Condition { kind: ConditionExpr::Or(vec![unless, exception]), span },
            None => exception,
        });
    }

    /// Changes an exception so that every value must satisfy its tests, not just one. Reports a test that has no such
    /// form.
    fn of_every_value(&mut self, condition: &Condition, is_negated: bool) -> Option<Condition> {
        let mut each = |parts: &[Condition]| {
            parts.iter().map(|part| self.of_every_value(part, is_negated)).collect::<Option<Vec<_>>>()
        };
        let condition = &with_inherited_variables(condition);
        let kind = match &condition.kind {
            ConditionExpr::And(parts) => ConditionExpr::And(each(parts)?),
            ConditionExpr::Or(parts) => ConditionExpr::Or(each(parts)?),
            ConditionExpr::Not(inner) => ConditionExpr::Not(Box::new(self.of_every_value(inner, !is_negated)?)),
            ConditionExpr::Def(inner) => ConditionExpr::Def(Arc::new(self.of_every_value(inner, is_negated)?)),
            // One equal value satisfies `==`, and also `not … !=`: all must be equal.
            ConditionExpr::Compare { source, all: false, negated, test } if is_negated == *negated => {
                let kind =
                    ConditionExpr::Compare { source: source.clone(), all: true, negated: false, test: test.clone() };
                match negated {
                    false => kind,
                    true => ConditionExpr::Not(Box::new(Condition { kind, span: condition.span })),
                }
            }
            // With no value, `!=` holds, but says nothing about what the command does. So a value must exist.
            ConditionExpr::Compare { source, all: false, negated, .. } => {
                let exists = Condition { kind: ConditionExpr::Exists(source.clone()), span: condition.span };
                with_a_value(condition.clone(), exists, *negated)
            }
            // One file in a directory satisfies `under`: no other file may be outside.
            ConditionExpr::Touches { verb, test: TouchTest::Under(dirs) } if !is_negated => {
                let outside = ConditionExpr::Touches { verb: *verb, test: TouchTest::Outside(dirs.clone()) };
                ConditionExpr::And(vec![condition.clone(), negation(outside, condition.span)])
            }
            kind if kind.file_verb().is_some() && !is_negated => {
                self.diagnostics.push(
                    Diagnostic::new(Code::BAD_USE, "a test of files that one of several files satisfies")
                        .label(condition.span, "the command may touch others, too")
                        .help("write `under` with a directory, or `not … outside`"),
                );
                return None;
            }
            kind => kind.clone(),
        };
        Some(Condition { kind, span: condition.span })
    }
}

/// Collects the operands of a condition, and returns the span of a test of commands in it.
fn visit_operands<'a>(condition: &'a AstCondition, operands: &mut Vec<&'a Operand>) -> Option<Span> {
    match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) | ConditionKind::Mixed(parts, _) => {
            parts.iter().filter_map(|part| visit_operands(part, operands)).last()
        }
        ConditionKind::Not(inner) => visit_operands(inner, operands),
        ConditionKind::Compare(compare) => {
            operands.push(&compare.operand);
            None
        }
        ConditionKind::Exists(operand) | ConditionKind::Truth(operand) => {
            operands.push(operand);
            None
        }
        ConditionKind::Runs(_) | ConditionKind::Pipes(_) => Some(condition.span),
        _ => None,
    }
}

/// Returns the negation of a condition.
fn negation(kind: ConditionExpr, span: Span) -> Condition {
    Condition { kind: ConditionExpr::Not(Box::new(Condition { kind, span })), span }
}

/// Returns a comparison that holds only if there is a value, or for one that is negated, fails only then.
fn with_a_value(test: Condition, exists: Condition, is_negated: bool) -> ConditionExpr {
    match is_negated {
        true => ConditionExpr::And(vec![exists, test]),
        false => {
            let span = test.span;
            ConditionExpr::Or(vec![test, negation(exists.kind, span)])
        }
    }
}

/// Returns a test in which a variable of the command is the variable of the hook: the text of a command cannot meet an
/// exception by setting it.
fn with_inherited_variables(condition: &Condition) -> Condition {
    let mut inherited = condition.clone();
    if let ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) = &mut inherited.kind {
        inherit_variable(source);
    }
    inherited
}

fn inherit_variable(source: &mut ValueReference) {
    match source {
        ValueReference::Where(WhereField::Env(name)) => *source = ValueReference::Fact(FactName::Env(name.clone())),
        ValueReference::Measured(Measure::Length(values)) => inherit_variable(values),
        _ => {}
    }
}

/// Which commands make a condition true.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommandsInRule {
    /// No command: the condition has no `runs`.
    None,
    /// One command of a `runs`.
    One,
    /// One command of a `runs`, or something other than a command, to which an exception for a command would not apply.
    OneOrOther,
    /// Commands of several `runs` together: an exception would not say which of them it means.
    Several,
}

/// Whether an exception can say for which command a condition is not true.
pub(super) fn has_one_command(condition: &Condition) -> bool {
    commands_of(condition) == CommandsInRule::One
}

/// Returns which commands make a condition true.
fn commands_of(condition: &Condition) -> CommandsInRule {
    use CommandsInRule::{None, One, OneOrOther, Several};
    let join = |parts: &[Condition], join: fn(CommandsInRule, CommandsInRule) -> CommandsInRule| {
        parts.iter().map(commands_of).reduce(join).unwrap_or(None)
    };
    match &condition.kind {
        ConditionExpr::Command(CommandTest::Runs { .. }) => One,
        ConditionExpr::Def(inner) => commands_of(inner),
        ConditionExpr::And(parts) => join(parts, |one, other| match (one, other) {
            (None, other) | (other, None) => other,
            _ => Several,
        }),
        ConditionExpr::Or(parts) => join(parts, |one, other| match (one, other) {
            (Several, _) | (_, Several) => Several,
            (None, None) => None,
            (One, One) => One,
            _ => OneOrOther,
        }),
        _ => None,
    }
}

/// Restricts each `runs` in a condition to commands for which `exception` does not hold, by adding `not EXCEPTION` to
/// its `where`.
fn exclude_excepted_commands(condition: Condition, exception: &Condition) -> Condition {
    let each =
        |parts: Vec<Condition>| parts.into_iter().map(|part| exclude_excepted_commands(part, exception)).collect();
    let span = condition.span;
    let kind = match condition.kind {
        ConditionExpr::And(parts) => ConditionExpr::And(each(parts)),
        ConditionExpr::Or(parts) => ConditionExpr::Or(each(parts)),
        ConditionExpr::Def(inner) => {
            ConditionExpr::Def(Arc::new(exclude_excepted_commands((*inner).clone(), exception)))
        }
        ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => {
            let not = Condition { kind: ConditionExpr::Not(Box::new(exception.clone())), span: exception.span };
            let filter = match filter {
                Some(filter) => Condition { kind: ConditionExpr::And(vec![(*filter).clone(), not]), span: filter.span },
                None => not,
            };
            ConditionExpr::Command(CommandTest::Runs { patterns, filter: Some(filter.into()) })
        }
        kind => kind,
    };
    Condition { kind, span }
}

/// Whether a test is about the commands, files or texts of a call.
fn is_of_call(test: &Condition) -> bool {
    match &test.kind {
        ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => {
            is_of_input(source)
        }
        ConditionExpr::Command(_) | ConditionExpr::Connects(_) => true,
        kind => kind.file_verb().is_some(),
    }
}

/// Whether a value is a part of the call's input.
fn is_of_input(source: &ValueReference) -> bool {
    match source {
        ValueReference::Derived(derived) => derived.is_of_contents(),
        ValueReference::Raw { path, .. } => path.first().is_some_and(|name| name == "tool_input"),
        ValueReference::JsonPath(_) | ValueReference::Measured(_) | ValueReference::Capture(_) => true,
        ValueReference::Fact(_) | ValueReference::Where(_) | ValueReference::Constant(_) => false,
    }
}
