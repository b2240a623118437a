//! Compiles conditions: resolves names, checks types, compiles patterns.

mod clock;
mod defs;
mod excepted_files;
mod exceptions;
mod filled;
mod foreign;
mod key_kinds;
mod membership;
mod misfits;
mod operand;
mod past;
mod resolve;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, FactName, Head, HostTest, Literal, Measure, OrderOperator, Patterns,
    PolicyValue, TouchTest, ValueReference, ValueTest,
};
use crate::schema::{FieldType, current_tool_name};
use crate::span::Span;
use crate::syntax::ast::{self, ConditionKind, Operand, Operator, ValueKind};
use crate::syntax::{compared_with_null, foreign_constant};

use super::account::ChargeReason;
use super::captures::{CaptureEnd, add_captures};
use super::commands::ProgramPaths;
use super::field::{TOOL_NAME, TypedReference};
use super::names::{LayerNames, NameDefinition, ScopedValue};
use super::{commands, json_path, values, where_advice};
pub(super) use defs::check_def;
pub(super) use excepted_files::{ExceptedRule, let_of_files};
pub(super) use exceptions::{ExceptionStrictness, RuleConditions};
use filled::{Filling, PathGlobTest};
pub(super) use key_kinds::KeyKind;
use misfits::{operand_text, unsuitable_operator, wrong_value};
use resolve::resolve_name_or_text;

/// The maximum depth of a condition, including every `def` that it uses. Conditions are traversed recursively.
const MAX_LEVELS: usize = 320;

/// The number of findings in one rule or definition after which its remaining conditions are skipped.
const MAX_FINDINGS: usize = 100;

/// The number of levels that a `def` adds to the levels of its condition. It limits a chain of definitions to about
/// 64.
const DEF_LEVELS: usize = 3;

/// The identity of a definition: its file, and the offset of its name.
type DefKey = (usize, u32);

/// The definitions that have been compiled for one head; `None` for a definition with a mistake.
#[derive(Default)]
pub(super) struct DefCache(BTreeMap<DefKey, Option<CompiledDef>>);

/// A definition compiled for one head.
#[derive(Clone)]
struct CompiledDef {
    condition: Arc<Condition>,
    /// The depth of the condition.
    levels: usize,
    /// The number of parts, the unit of a policy's size, that each use of the definition is charged: its condition is
    /// encoded and traversed again there.
    parts: u64,
}

/// Compiles the conditions of one rule or definition, and records properties of their tests.
pub(super) struct ConditionCompiler<'c, 'a> {
    names: &'c LayerNames<'a>,
    head: &'c Head,
    diagnostics: &'c mut Vec<Diagnostic>,
    /// The number of findings before this rule or definition.
    findings_before: usize,
    /// Whether the current condition is in a `where`.
    in_where: bool,
    /// Whether the current comparison is about days of the week, whose names need no quotes.
    compares_days: bool,
    /// The test of the single-test `where` that ends before the `and` in front of the current condition.
    ended_where: Option<Span>,
    /// The definitions that have been compiled.
    defs: DefCache,
    /// The definitions that contain the current condition, to detect cycles.
    open_defs: Vec<DefKey>,
    /// The number of levels above the current condition.
    depth: usize,
    /// The depth of the deepest condition so far.
    deepest: usize,
    /// Whether a cycle of definitions is reported: only by the check of the definitions, not by the rules that use
    /// them.
    reports_cycles: bool,
    /// Whether some test is about paths or files.
    pub(super) tests_paths: bool,
    /// Whether some test is a `runs`.
    pub(super) tests_commands: bool,
    /// Whether some test outside of a `where` is about git's state or the existence of a file.
    pub(super) tests_surroundings: bool,
    /// Whether some test outside of a `where` is about git's state.
    pub(super) looks_at_git: bool,
    /// Whether some test outside of a `where` is about a file with a relative name.
    pub(super) looks_at_relative_files: bool,
    /// Whether any test, also in a `where`, is about git's state or the existence of a file.
    pub(super) depends_on_surroundings: bool,
    /// Whether some test is about `permission_mode`.
    pub(super) tests_permission_mode: bool,
}

impl<'c, 'a> ConditionCompiler<'c, 'a> {
    /// Creates the compiler of the conditions of a rule with this head.
    pub(super) fn new(names: &'c LayerNames<'a>, head: &'c Head, diagnostics: &'c mut Vec<Diagnostic>) -> Self {
        Self {
            names,
            head,
            findings_before: diagnostics.len(),
            diagnostics,
            in_where: false,
            compares_days: false,
            ended_where: None,
            defs: DefCache::default(),
            open_defs: Vec::new(),
            depth: 0,
            deepest: 0,
            reports_cycles: false,
            tests_paths: false,
            tests_commands: false,
            tests_surroundings: false,
            looks_at_git: false,
            looks_at_relative_files: false,
            depends_on_surroundings: false,
            tests_permission_mode: false,
        }
    }

    /// Compiles a condition; `None` if it has a mistake, or a limit is exceeded. `file` is the number of the file in
    /// which names are looked up.
    pub(super) fn condition(&mut self, file: usize, condition: &'a ast::AstCondition) -> Option<Condition> {
        self.check_depth(1, condition.span)?;
        if self.diagnostics.len() > self.findings_before + MAX_FINDINGS {
            return None;
        }
        self.names.account.charge(1, ChargeReason::Definition, condition.span)?;
        self.depth += 1;
        let compiled = self.condition_at(file, condition);
        self.depth -= 1;
        compiled
    }

    /// Records a condition with `levels` levels below the current one. Reports it, and returns `None`, if that is too
    /// deep.
    fn check_depth(&mut self, levels: usize, span: Span) -> Option<()> {
        let deepest = self.depth + levels;
        if deepest > MAX_LEVELS {
            self.diagnostics.push(
                Diagnostic::new(Code::TOO_DEEP, "definitions are nested too deeply")
                    .label(span, "one level too many")
                    .help("write one of them out: a chain has at most about 64 `def`s"),
            );
            return None;
        }
        self.deepest = self.deepest.max(deepest);
        Some(())
    }

    /// Compiles a condition by its kind. The kinds are separate functions, so that a level of recursion needs only
    /// the stack frame of its own kind.
    fn condition_at(&mut self, file: usize, condition: &'a ast::AstCondition) -> Option<Condition> {
        let kind = match &condition.kind {
            ConditionKind::And(parts) => {
                where_advice::report_short_where(parts, self.diagnostics);
                self.conditions(file, parts).map(ConditionExpr::And)
            }
            ConditionKind::Or(parts) => self
                .scope_captures(CaptureEnd::Or, |compiler| compiler.alternatives(file, parts))
                .map(ConditionExpr::Or),
            // The parser has reported the mixture of `and` and `or`; the parts are checked nevertheless.
            ConditionKind::Mixed(parts, _) => {
                let _reported = self.conditions(file, parts);
                None
            }
            ConditionKind::Not(inner) => self.negation(file, inner),
            ConditionKind::Truth(operand) => self.truth(file, operand, condition.span),
            ConditionKind::Runs(runs) => self.runs(file, runs, condition.span),
            plain => self.simple_condition(file, plain, condition.span),
        };
        kind.map(|kind| Condition { kind, span: condition.span })
    }

    /// Compiles a `not`.
    fn negation(&mut self, file: usize, inner: &'a ast::AstCondition) -> Option<ConditionExpr> {
        let compiled = self.scope_captures(CaptureEnd::Negation, |compiler| compiler.condition(file, inner));
        compiled.map(|inner| ConditionExpr::Not(Box::new(inner)))
    }

    /// Compiles a part of a condition whose captures have no value outside of it.
    fn scope_captures<T>(&mut self, why: CaptureEnd, compile: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.names.captures.count();
        let compiled = compile(self);
        self.names.captures.end_after(before, why);
        compiled
    }

    /// Compiles the parts of an `or`. The captures of one part have no value in the others.
    fn alternatives(&mut self, file: usize, parts: &'a [ast::AstCondition]) -> Option<Vec<Condition>> {
        let compiled: Vec<Option<Condition>> = parts
            .iter()
            .map(|part| self.scope_captures(CaptureEnd::Or, |compiler| compiler.condition(file, part)))
            .collect();
        compiled.into_iter().collect()
    }

    /// Compiles a condition that contains no other condition.
    fn simple_condition(&mut self, file: usize, kind: &'a ConditionKind, span: Span) -> Option<ConditionExpr> {
        Some(match kind {
            ConditionKind::Compare(compare) => self.comparison(file, compare)?,
            ConditionKind::Exists(operand) => {
                self.reject(misfits::exists_of_measure(operand))?;
                ConditionExpr::Exists(self.operand(file, operand)?.source)
            }
            ConditionKind::Pipes(pipes) => {
                self.reject_in_where("pipes", span)?;
                let from = self.patterns(file, &pipes.from, ProgramPaths::Ignored);
                let into = self.patterns(file, &pipes.into, ProgramPaths::Ignored);
                ConditionExpr::Command(CommandTest::Pipes { from: from?, into: into? })
            }
            ConditionKind::Touches(touches) => self.touches(file, touches)?,
            ConditionKind::Connects(test) => self.connects(file, test.as_ref())?,
            ConditionKind::Happened(events) => self.happened(file, events)?,
            _ => return None,
        })
    }

    /// Compiles all parts, so that all mistakes are reported; `None` if one has a mistake.
    fn conditions(&mut self, file: usize, parts: &'a [ast::AstCondition]) -> Option<Vec<Condition>> {
        let ended_above = self.ended_where;
        let mut compiled = Vec::with_capacity(parts.len());
        for part in parts {
            compiled.push(self.condition(file, part));
            self.ended_where = where_advice::single_where_test(part).or(self.ended_where);
        }
        self.ended_where = ended_above;
        compiled.into_iter().collect()
    }

    /// Reports a test that a `where` cannot contain, if the current condition is in one.
    pub(super) fn reject_in_where(&mut self, word: &str, span: Span) -> Option<()> {
        if !self.in_where {
            return Some(());
        }
        self.diagnostics.push(
            Diagnostic::new(Code::BAD_VALUE, format!("`{word}` inside `where`"))
                .label(span, "`where` tests a single command")
                .help(format!("put `and {word} …` after the whole `runs … where …`")),
        );
        None
    }

    /// Compiles a pattern or a list of patterns.
    fn patterns(&mut self, file: usize, value: &'a ast::AstValue, paths: ProgramPaths) -> Option<Patterns> {
        commands::compile_patterns(self.names, ScopedValue { file, value }, paths, self.diagnostics)
    }

    /// Compiles `runs … where …` or `only runs`.
    fn runs(&mut self, file: usize, runs: &'a ast::RunsCondition, span: Span) -> Option<ConditionExpr> {
        self.reject_in_where("runs", span)?;
        self.tests_commands = true;
        let paths = if runs.only { ProgramPaths::OfProject } else { ProgramPaths::Ignored };
        let patterns = self.patterns(file, &runs.patterns, paths);
        self.report_values_in_patterns(ScopedValue { file, value: &runs.patterns });
        let mut filter = None;
        self.fits_pattern(runs, span)?;
        if let Some(condition) = &runs.filter {
            self.in_where = true;
            let compiled = self.scope_captures(CaptureEnd::Where, |compiler| compiler.condition(file, condition));
            self.in_where = false;
            filter = Some(compiled?.into());
        }
        let patterns = patterns?;
        if runs.only && filter.is_some() {
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "`only runs` takes no `where`")
                    .label(span, "every command must match the pattern literally")
                    .help("name the flags and operands in the pattern itself"),
            );
            return None;
        }
        Some(ConditionExpr::Command(match runs.only {
            true => CommandTest::OnlyRuns { patterns },
            false => CommandTest::Runs { patterns, filter },
        }))
    }

    /// Compiles a test of files: `reads`, `writes`, `deletes`, `sends`.
    fn touches(&mut self, file: usize, touches: &'a ast::TouchesCondition) -> Option<ConditionExpr> {
        self.tests_paths = true;
        let scoped = ScopedValue { file, value: &touches.value };
        let test = match touches.operator {
            Operator::Under => TouchTest::Under(self.directories(scoped)?.into()),
            Operator::Outside => TouchTest::Outside(self.directories(scoped)?.into()),
            _ => match self.path_globs(scoped)? {
                PathGlobTest::Stated(globs) => TouchTest::Like(globs),
                PathGlobTest::Filled(globs) => {
                    return Some(ConditionExpr::TouchesFilled { verb: touches.verb, globs });
                }
            },
        };
        Some(ConditionExpr::Touches { verb: touches.verb, test })
    }

    /// Compiles a test of hosts.
    fn connects(&mut self, file: usize, test: Option<&'a ast::HostsTest>) -> Option<ConditionExpr> {
        let Some(test) = test else { return Some(ConditionExpr::Connects(HostTest::Any)) };
        let scoped = ScopedValue { file, value: &test.value };
        let hosts = values::compile_host_test(self.names, scoped, test.operator, self.diagnostics)?;
        self.report_value_in_host(scoped);
        Some(ConditionExpr::Connects(hosts))
    }

    /// Compiles the directories of `under` and `outside`; `None` if a mistake was reported.
    fn directories(&mut self, scoped: ScopedValue<'a>) -> Option<Vec<crate::ruleset::DirOperand>> {
        let filled = self.filled_directories(scoped);
        let before = self.diagnostics.len();
        let (head, names, in_where) = (self.head, self.names, self.in_where);
        let mut resolve = |name: &ast::FieldName, diagnostics: &mut Vec<Diagnostic>| {
            resolve_name_or_text(name, head, names, scoped.file, in_where, diagnostics)
                .map(|typed| (typed.source, typed.ty))
        };
        let template = |text: &ast::StringLiteral| filled.get(&text.span).cloned();
        let dirs = values::compile_directories(names, scoped, &mut resolve, &template, self.diagnostics);
        (self.diagnostics.len() == before).then_some(dirs)
    }

    /// Compiles a condition that is only a name: of a `def`, a boolean `let` or a boolean field.
    fn truth(&mut self, file: usize, operand: &'a Operand, span: Span) -> Option<ConditionExpr> {
        match self.find_def(file, operand) {
            Some((home, def)) => self.def(home, def, span),
            None => self.boolean_value(file, operand, span),
        }
    }

    /// Returns the `def` that an operand names, with its file; `None` if the operand is something else.
    fn find_def(&self, file: usize, operand: &'a Operand) -> Option<(usize, &'a ast::Def)> {
        let Operand::Field(name) = operand else { return None };
        match self.names.definition(file, &name.as_single_name()?.text) {
            Some(NameDefinition::Def(home, def)) => Some((home, def)),
            _ => None,
        }
    }

    /// Compiles a boolean `let` or field as a condition.
    fn boolean_value(&mut self, file: usize, operand: &'a Operand, span: Span) -> Option<ConditionExpr> {
        if let Operand::Field(name) = operand
            && let Some(single) = name.as_single_name()
        {
            match self.names.definition(file, &single.text) {
                Some(NameDefinition::Let(scoped)) => {
                    let value = self.names.resolve_lets(scoped, self.diagnostics).value;
                    if let ValueKind::Boolean(truth) = value.kind {
                        return Some(ConditionExpr::Constant(truth));
                    }
                    self.diagnostics.push(
                        Diagnostic::new(
                            Code::TYPE_MISMATCH,
                            format!("`{}` is {}, not a condition", single.text, values::kind_noun(&value.kind)),
                        )
                        .label(span, "a value alone is neither true nor false")
                        .label(value.span, "defined here")
                        .help(format!("compare it: `path like {}`", single.text)),
                    );
                    return None;
                }
                Some(NameDefinition::Def(..) | NameDefinition::Mark(..)) | None => {}
            }
        }
        let before = self.diagnostics.len();
        let typed = self.operand(file, operand);
        if typed.is_none() {
            let found = self.diagnostics.iter_mut().skip(before);
            found.for_each(|found| resolve::withdraw_value(found, self.head, self.in_where));
        }
        let typed = typed?;
        match typed.ty {
            FieldType::Boolean | FieldType::Any => Some(ConditionExpr::Truth(typed.source)),
            _ => {
                let name = operand_text(operand);
                self.diagnostics.push(
                    Diagnostic::new(Code::TYPE_MISMATCH, format!("`{name}` is not a boolean"))
                        .label(span, "a value alone is neither true nor false")
                        .help(match &typed.source {
                            ValueReference::Measured(Measure::Past(past)) => {
                                let mark = &past.mark.name;
                                format!("write `happened {mark}` for any number, or compare it: `count {mark} >= 3`")
                            }
                            _ => misfits::help_for_lone_value(operand),
                        }),
                );
                None
            }
        }
    }

    /// Explains findings since `before` about a word that is only known in a `where`: the `where` ended in front of it.
    fn explain_ended_where(&mut self, before: usize) {
        let Some(filter) = self.ended_where.filter(|_| !self.in_where) else { return };
        for found in self.diagnostics.iter_mut().skip(before) {
            *found = misfits::behind_where(found, filter);
        }
    }

    /// Records which properties a test has because it uses this reference.
    fn note_reference(&mut self, typed: &TypedReference) {
        self.tests_paths |= matches!(typed.ty, FieldType::Path | FieldType::List(FieldType::Path));
        let is_of_surroundings = typed.source.is_of_surroundings();
        self.tests_surroundings |= !self.in_where && is_of_surroundings;
        self.looks_at_git |= !self.in_where && typed.source.is_of_git();
        self.looks_at_relative_files |= !self.in_where && typed.source.is_of_relative_file();
        self.depends_on_surroundings |= is_of_surroundings;
        if let ValueReference::Raw { path, .. } = &typed.source {
            self.tests_permission_mode |= path.first().is_some_and(|name| name == "permission_mode");
        }
        if let ValueReference::JsonPath(path) = &typed.source {
            self.tests_permission_mode |= path.text.contains("permission_mode");
        }
    }

    /// Compiles the right side of a test to one value. Also returns the value after its `let`s have been resolved.
    fn single_value(&mut self, scoped: ScopedValue<'a>) -> Option<(PolicyValue, ScopedValue<'a>)> {
        let before = self.diagnostics.len();
        let (head, names, in_where) = (self.head, self.names, self.in_where);
        let mut references = Vec::new();
        let mut resolve = |value: &ast::AstValue, diagnostics: &mut Vec<Diagnostic>| {
            let typed = match &value.kind {
                ValueKind::Name(name) => resolve_name_or_text(name, head, names, scoped.file, in_where, diagnostics)?,
                ValueKind::JsonPath(path) => {
                    json_path::compile_json_path(path).map_err(|error| diagnostics.push(*error)).ok()?
                }
                _ => return None,
            };
            references.push(TypedReference { source: typed.source.clone(), ty: typed.ty });
            Some((typed.source, typed.ty))
        };
        let value = values::compile_single_value(names, scoped, &mut resolve, self.diagnostics);
        for typed in &references {
            self.note_reference(typed);
        }
        if value.is_none() && self.diagnostics.len() == before {
            let value = names.resolve_lets(scoped, self.diagnostics).value;
            // A name for which nothing was reported is the consequence of another mistake, which was.
            if !matches!(value.kind, ValueKind::Name(_)) {
                self.diagnostics.push(wrong_value(value));
            }
        }
        value
    }

    /// Compiles a comparison. Forms from other languages are reported with a translation.
    fn comparison(&mut self, file: usize, compare: &'a ast::AstComparison) -> Option<ConditionExpr> {
        if let Some(found) = self.of_another_language(file, compare) {
            self.diagnostics.push(found);
            return None;
        }
        let typed = self.operand(file, &compare.operand);
        let scoped = ScopedValue { file, value: &compare.value };
        let name = operand_text(&compare.operand);
        let ty = typed.as_ref().map_or(FieldType::Any, |typed| typed.ty);
        let ty = misfits::comparison_type(compare.operator, typed.as_ref(), ty);
        let source = typed.as_ref().map(|typed| &typed.source);
        self.compares_days = matches!(source, Some(ValueReference::Fact(FactName::Weekday(_))));
        let is_defined = |word: &str| self.names.definition(file, word).is_some();
        if !self.compares_days
            && let Some(found) = foreign_constant(compare, &name, ty, &is_defined)
        {
            self.diagnostics.push(found);
            return None;
        }
        // Without a field there is no type, so the value cannot be checked.
        if typed.is_none() && (misfits::is_ordered(compare.operator) || compare.operator == Operator::In) {
            return None;
        }
        let test = match source {
            Some(ValueReference::Fact(FactName::Time(_))) => self.time_test(compare, scoped),
            _ => self.test(compare, &name, ty, scoped),
        };
        let negated = compare.is_negated();
        if let (Some(typed), Some(ValueTest::Matches(regex))) = (&typed, &test) {
            let before = self.names.captures.count();
            let regex_and_span = (regex, compare.value.span);
            add_captures(self.names, file, (self.head, &typed.source), regex_and_span, self.diagnostics);
            // A text that does not match captures nothing.
            if negated {
                self.names.captures.end_after(before, CaptureEnd::Negation);
            }
        }
        Some(ConditionExpr::Compare { source: typed?.source, all: compare.all, negated, test: test? })
    }

    /// Compiles the operator and the right side of a comparison; `ty` is the type of the left side.
    fn test(
        &mut self,
        compare: &'a ast::AstComparison,
        name: &str,
        ty: FieldType,
        scoped: ScopedValue<'a>,
    ) -> Option<ValueTest> {
        let operator = compare.operator;
        let inner = if let FieldType::List(inner) = ty { *inner } else { ty };
        self.reject(misfits::regex_without_matches(compare, name))?;
        self.reject(misfits::whole_input(compare, self.head))?;
        self.reject_time_range(name, scoped)?;
        if !self.suits(operator, inner) {
            self.diagnostics.push(unsuitable_operator(compare, name, ty));
            return None;
        }
        match operator {
            Operator::Equal | Operator::NotEqual => Some(ValueTest::Equal(self.checked_value(name, ty, scoped)?)),
            Operator::Less => Some(ValueTest::Order(OrderOperator::Less, self.number(name, ty, scoped)?)),
            Operator::LessEqual => Some(ValueTest::Order(OrderOperator::LessEqual, self.number(name, ty, scoped)?)),
            Operator::Greater => Some(ValueTest::Order(OrderOperator::Greater, self.number(name, ty, scoped)?)),
            Operator::GreaterEqual => {
                Some(ValueTest::Order(OrderOperator::GreaterEqual, self.number(name, ty, scoped)?))
            }
            Operator::In => self.membership(compare, name, ty, scoped),
            Operator::Contains => Some(ValueTest::Contains(self.text_value(compare, &inner, scoped)?)),
            Operator::StartsWith => Some(ValueTest::StartsWith(self.text_value(compare, &inner, scoped)?)),
            Operator::EndsWith => Some(ValueTest::EndsWith(self.text_value(compare, &inner, scoped)?)),
            Operator::Like if inner == FieldType::Path => Some(match self.path_globs(scoped)? {
                PathGlobTest::Stated(globs) => ValueTest::LikePath(globs),
                PathGlobTest::Filled(globs) => ValueTest::LikeFilled(globs),
            }),
            Operator::Like => {
                let named: fn(&str) -> &str = if name == TOOL_NAME { current_tool_name } else { |glob| glob };
                self.text_globs(scoped, named)
            }
            Operator::Matches => Some(ValueTest::Matches(values::compile_regex(self.names, scoped, self.diagnostics)?)),
            Operator::Under | Operator::Outside => {
                self.tests_paths = true;
                let dirs = self.directories(scoped)?;
                Some(if operator == Operator::Under {
                    ValueTest::Under(dirs.into())
                } else {
                    ValueTest::Outside(dirs.into())
                })
            }
        }
    }

    /// Whether an operator can compare values of this type.
    fn suits(&self, operator: Operator, ty: FieldType) -> bool {
        let is_text = matches!(ty, FieldType::String | FieldType::Path | FieldType::Enum(_) | FieldType::Any);
        match operator {
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                matches!(ty, FieldType::Number | FieldType::Any)
            }
            Operator::Contains | Operator::StartsWith | Operator::EndsWith | Operator::Like | Operator::Matches => {
                is_text
            }
            // A text that does not name a file cannot be in a directory; the words of a command may name one.
            Operator::Under | Operator::Outside => {
                matches!(ty, FieldType::Path | FieldType::Any) || (is_text && self.in_where)
            }
            Operator::Equal | Operator::NotEqual | Operator::In => true,
        }
    }

    /// Compiles the right side of a comparison, and checks its type. The former name of a tool is replaced by the
    /// current one.
    fn checked_value(&mut self, name: &str, ty: FieldType, scoped: ScopedValue<'a>) -> Option<PolicyValue> {
        let value = self.names.resolve_lets(scoped, self.diagnostics).value;
        if matches!(value.kind, ValueKind::Null) {
            self.diagnostics.push(compared_with_null(name, value.span));
            return None;
        }
        if self.compares_days && matches!(value.kind, ValueKind::Name(_)) {
            return self.day(ScopedValue { value, ..scoped });
        }
        let (value, followed) = self.single_value(scoped)?;
        self.report_value_in_text(followed);
        if self.in_where || ty == FieldType::Path {
            self.report_foreign_value(followed, Filling::No);
        }
        if let PolicyValue::Literal(_) = value {
            let before = self.diagnostics.len();
            values::check_type(name, ty, followed.value, self.diagnostics);
            if self.diagnostics.iter().skip(before).any(Diagnostic::is_error) {
                return None;
            }
        }
        Some(match value {
            PolicyValue::Literal(Literal::Text(text)) if name == TOOL_NAME => {
                PolicyValue::Literal(Literal::Text(current_tool_name(&text).to_owned()))
            }
            value if matches!(ty, FieldType::Path | FieldType::List(FieldType::Path)) => {
                self.in_session(value, followed)
            }
            value => value,
        })
    }

    /// Makes a path in the policy relative to the project directory of the session. Any other value is unchanged.
    fn in_session(&self, value: PolicyValue, from: ScopedValue<'a>) -> PolicyValue {
        match value {
            PolicyValue::Literal(Literal::Text(path)) => {
                PolicyValue::Literal(Literal::Text(self.names.base(from.file).in_session(&path).into_owned()))
            }
            value => value,
        }
    }

    /// Compiles the right side of `<`, `<=`, `>` or `>=`.
    fn number(&mut self, name: &str, ty: FieldType, scoped: ScopedValue<'a>) -> Option<PolicyValue> {
        let ty = if ty == FieldType::Any { FieldType::Number } else { ty };
        self.checked_value(name, ty, scoped)
    }
}
