//! Compiles the left sides of tests.

use super::ConditionCompiler;
use super::filled::Filling;
use super::misfits;
use super::resolve::resolve_name;
use crate::compile::field::{self, TypedReference};
use crate::compile::json_path;
use crate::compile::names::ScopedValue;
use crate::diagnostic::Diagnostic;
use crate::ruleset::{FactName, Measure, PolicyValue, ValueReference, WhereField};
use crate::schema::FieldType;
use crate::span::Span;
use crate::syntax::ast::{AstMeasure, AstValue, FileFact, Operand};

impl<'a> ConditionCompiler<'_, 'a> {
    /// Compiles the left side of a test.
    pub(in crate::compile) fn operand(&mut self, file: usize, operand: &'a Operand) -> Option<TypedReference> {
        let before = self.diagnostics.len();
        let typed = match operand {
            Operand::Field(name) => {
                let typed = resolve_name(name, self.head, self.names, file, self.in_where, self.diagnostics);
                if typed.is_none() && field::is_where_word(name) {
                    self.explain_ended_where(before);
                }
                typed?
            }
            Operand::JsonPath(path) => {
                self.reject_in_where("a JSONPath", path.span)?;
                json_path::compile_json_path(path).map_err(|error| self.diagnostics.push(*error)).ok()?
            }
            Operand::Option(flag, span) => {
                let problem = if self.in_where {
                    misfits::invalid_flag(flag)
                } else {
                    Some(misfits::option_outside_where(flag, *span))
                };
                self.reject_outside_where(problem, before)?;
                TypedReference {
                    source: ValueReference::Where(WhereField::Option(flag.value.clone())),
                    ty: FieldType::String,
                }
            }
            Operand::File(fact, value, _) => self.file_fact(file, *fact, value)?,
            Operand::Measure(measure, span) => self.measure(file, measure, *span)?,
            Operand::Position(position, span) => {
                let problem = misfits::invalid_position(*position, *span, self.in_where);
                self.reject_outside_where(problem, before)?;
                TypedReference { source: ValueReference::Where(WhereField::Operand(*position)), ty: FieldType::String }
            }
        };
        self.note_reference(&typed);
        Some(typed)
    }

    /// Reports a problem; `None` if there is one.
    pub(super) fn reject(&mut self, problem: Option<Diagnostic>) -> Option<()> {
        let is_fine = problem.is_none();
        self.diagnostics.extend(problem);
        is_fine.then_some(())
    }

    /// Reports a problem with a word that only a `where` knows, and whether a `where` has ended in front of it. `None`
    /// if there is a problem.
    fn reject_outside_where(&mut self, problem: Option<Diagnostic>, before: usize) -> Option<()> {
        let found = self.reject(problem);
        if found.is_none() {
            self.explain_ended_where(before);
        }
        found
    }

    /// Compiles `file_exists V` or `file_size V`.
    fn file_fact(&mut self, file: usize, fact: FileFact, value: &'a AstValue) -> Option<TypedReference> {
        self.tests_paths = true;
        let (value, followed) = self.single_value(ScopedValue { file, value })?;
        self.report_foreign_value(followed, Filling::Yes);
        let value = match self.file_name(followed) {
            Some(name) => PolicyValue::FileName(name),
            None => self.in_session(value, followed),
        };
        let ty = match fact {
            FileFact::Exists => FieldType::Boolean,
            FileFact::Size => FieldType::Number,
        };
        Some(TypedReference { source: ValueReference::Fact(FactName::File(fact, Box::new(value))), ty })
    }

    /// Compiles `length F`, `count F` or `count deletes`.
    fn measure(&mut self, file: usize, measure: &'a AstMeasure, span: Span) -> Option<TypedReference> {
        let measure = match measure {
            AstMeasure::Files(verb) => {
                self.tests_paths = true;
                Measure::Files(*verb)
            }
            AstMeasure::Past(events) => Measure::Past(Box::new(self.past_test(file, events)?)),
            AstMeasure::Count(operand) => match self.counted_mark(file, operand) {
                Some(test) => Measure::Past(Box::new(test?)),
                None if is_number_of_commands(operand) => {
                    self.diagnostics.push(misfits::number_of_commands(span));
                    return None;
                }
                None => Measure::Count(Box::new(self.operand(file, operand)?.source)),
            },
            AstMeasure::Length(operand) => {
                let typed = self.operand(file, operand)?;
                self.reject(misfits::without_length(operand, typed.ty, span))?;
                Measure::Length(Box::new(typed.source))
            }
        };
        Some(TypedReference { source: ValueReference::Measured(measure), ty: FieldType::Number })
    }
}

/// Whether `count` is about the commands of a call.
fn is_number_of_commands(operand: &Operand) -> bool {
    matches!(operand, Operand::Field(name) if matches!(name.text().as_str(), "commands" | "calls"))
}
