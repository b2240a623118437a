//! Compiles conditions: resolves names, checks types, compiles patterns.

mod foreign;
mod look_up;
mod misfits;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CommandTest, Condition, EventSelector, FactName, Head, HostTest, Kind, Literal, Order, Source, Test, TouchTest,
    Value, WhereField,
};
use crate::schema::{Event, Type, current_tool_name};
use crate::span::Span;
use crate::syntax::ast::{self, ConditionKind, Operand, Operator, ValueKind};

use super::account::Cost;
use super::field::{TOOL_NAME, Typed};
use super::names::{Named, Names, Scoped};
use super::{commands, json_path, values, where_advice};
use foreign::bare_texts;
use look_up::{look_up, look_up_or_text};
use misfits::{operand_text, unfitting, wrong_value};

/// The maximum depth of a condition, including every `def` that it names: traversals of a condition are recursive.
const MAX_LEVELS: usize = 320;

/// The number of findings in one rule or definition after which its remaining conditions are skipped.
const MAX_FINDINGS: usize = 100;

/// The levels that a `def` counts for in addition to its condition's, so that a chain has at most about 64 of them.
const DEF_LEVELS: usize = 3;

/// A definition, identified by its file and the offset of its name.
type Key = (usize, u32);

/// The definitions compiled for one head; `None` if one has a mistake.
#[derive(Default)]
pub(super) struct Defs(BTreeMap<Key, Option<Made>>);

/// A compiled definition.
#[derive(Clone)]
struct Made {
    condition: Arc<Condition>,
    levels: usize,
    /// The number of parts that it counts for at each use, where it is encoded and traversed again.
    parts: u64,
}

/// The state of compiling the conditions of one rule.
pub(super) struct Conditions<'c, 'a> {
    names: &'c Names<'a>,
    head: &'c Head,
    diagnostics: &'c mut Vec<Diagnostic>,
    /// The number of findings before it.
    before: usize,
    in_where: bool,
    defs: Defs,
    open: Vec<Key>,
    /// The number of levels above the current condition, and the deepest level seen so far.
    depth: usize,
    deepest: usize,
    /// Cycles of definitions are reported when definitions are checked, and not for each rule again.
    tells_of_rings: bool,
    /// Whether paths or files are tested.
    pub(super) looks_at_paths: bool,
    /// Whether there is a `runs`.
    pub(super) looks_at_commands: bool,
    /// Whether git's state or the existence of a file is tested outside of a `where`.
    pub(super) looks_at_surroundings: bool,
    /// Whether either is tested anywhere.
    pub(super) hangs_on_surroundings: bool,
    /// Whether `permission_mode` is tested.
    pub(super) names_mode: bool,
}

impl<'c, 'a> Conditions<'c, 'a> {
    pub(super) fn new(names: &'c Names<'a>, head: &'c Head, diagnostics: &'c mut Vec<Diagnostic>) -> Self {
        Self {
            names,
            head,
            before: diagnostics.len(),
            diagnostics,
            in_where: false,
            defs: Defs::default(),
            open: Vec::new(),
            depth: 0,
            deepest: 0,
            tells_of_rings: false,
            looks_at_paths: false,
            looks_at_commands: false,
            looks_at_surroundings: false,
            hangs_on_surroundings: false,
            names_mode: false,
        }
    }

    /// Compiles a condition of a file; `None` if a mistake was reported.
    pub(super) fn condition(&mut self, file: usize, condition: &'a ast::Condition) -> Option<Condition> {
        self.fits(1, condition.span)?;
        if self.diagnostics.len() > self.before + MAX_FINDINGS {
            return None;
        }
        self.names.account.charge(1, Cost::Definition, condition.span)?;
        self.depth += 1;
        let compiled = self.condition_at(file, condition);
        self.depth -= 1;
        compiled
    }

    /// Reports a condition that would be too deep with this many more levels.
    fn fits(&mut self, levels: usize, span: Span) -> Option<()> {
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

    /// Dispatches to a function for each kind of condition: that way each level of recursion keeps only the frame of
    /// its own kind on the stack.
    fn condition_at(&mut self, file: usize, condition: &'a ast::Condition) -> Option<Condition> {
        let kind = match &condition.kind {
            ConditionKind::And(parts) => {
                where_advice::tell(parts, self.diagnostics);
                self.all(file, parts).map(Kind::And)
            }
            ConditionKind::Or(parts) => self.all(file, parts).map(Kind::Or),
            // The parser has reported the mix; the parts are still checked.
            ConditionKind::Mixed(parts, _) => {
                let _reported = self.all(file, parts);
                None
            }
            ConditionKind::Not(inner) => self.not(file, inner),
            ConditionKind::Truth(operand) => self.truth(file, operand, condition.span),
            ConditionKind::Runs(runs) => self.runs(file, runs, condition.span),
            plain => self.plain(file, plain, condition.span),
        };
        kind.map(|kind| Condition { kind, span: condition.span })
    }

    fn not(&mut self, file: usize, inner: &'a ast::Condition) -> Option<Kind> {
        self.condition(file, inner).map(|inner| Kind::Not(Box::new(inner)))
    }

    fn plain(&mut self, file: usize, kind: &'a ConditionKind, span: Span) -> Option<Kind> {
        Some(match kind {
            ConditionKind::Compare(compare) => self.compare(file, compare)?,
            ConditionKind::Exists(operand) => Kind::Exists(self.operand(file, operand)?.source),
            ConditionKind::Pipes(pipes) => {
                self.outside_where("pipes", span)?;
                let from = commands::patterns(self.names, Scoped { file, value: &pipes.from }, self.diagnostics);
                let into = commands::patterns(self.names, Scoped { file, value: &pipes.into }, self.diagnostics);
                Kind::Command(CommandTest::Pipes { from: from?, into: into? })
            }
            ConditionKind::Touches(touches) => self.touches(file, touches)?,
            ConditionKind::Connects(test) => self.connects(file, test.as_ref())?,
            _ => return None,
        })
    }

    /// Compiles every part, so that all mistakes are reported.
    fn all(&mut self, file: usize, parts: &'a [ast::Condition]) -> Option<Vec<Condition>> {
        let compiled: Vec<Option<Condition>> = parts.iter().map(|part| self.condition(file, part)).collect();
        compiled.into_iter().collect()
    }

    fn outside_where(&mut self, word: &str, span: Span) -> Option<()> {
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

    fn runs(&mut self, file: usize, runs: &'a ast::Runs, span: Span) -> Option<Kind> {
        self.outside_where("runs", span)?;
        self.looks_at_commands = true;
        let patterns = commands::patterns(self.names, Scoped { file, value: &runs.patterns }, self.diagnostics);
        let mut filter = None;
        self.fits_pattern(runs, span)?;
        if let Some(condition) = &runs.filter {
            self.in_where = true;
            let compiled = self.condition(file, condition);
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
        Some(Kind::Command(match runs.only {
            true => CommandTest::OnlyRuns { patterns },
            false => CommandTest::Runs { patterns, filter },
        }))
    }

    fn touches(&mut self, file: usize, touches: &'a ast::Touches) -> Option<Kind> {
        self.looks_at_paths = true;
        let scoped = Scoped { file, value: &touches.value };
        let test = match touches.operator {
            Operator::Under => TouchTest::Under(self.directories(scoped)?.into()),
            Operator::Outside => TouchTest::Outside(self.directories(scoped)?.into()),
            _ => TouchTest::Like(values::path_globs(self.names, scoped, self.diagnostics)?),
        };
        Some(Kind::Touches { verb: touches.verb, test })
    }

    fn connects(&mut self, file: usize, test: Option<&'a ast::HostsTest>) -> Option<Kind> {
        let Some(test) = test else { return Some(Kind::Connects(HostTest::Any)) };
        let scoped = Scoped { file, value: &test.value };
        values::host_test(self.names, scoped, test.operator, self.diagnostics).map(Kind::Connects)
    }

    fn directories(&mut self, scoped: Scoped<'a>) -> Option<Vec<crate::ruleset::Dir>> {
        let before = self.diagnostics.len();
        let (head, names, in_where) = (self.head, self.names, self.in_where);
        let mut resolve = |name: &ast::FieldName, diagnostics: &mut Vec<Diagnostic>| {
            look_up_or_text(name, head, names, scoped.file, in_where, diagnostics).map(|typed| (typed.source, typed.ty))
        };
        let dirs = values::directories(names, scoped, &mut resolve, self.diagnostics);
        (self.diagnostics.len() == before).then_some(dirs)
    }

    fn truth(&mut self, file: usize, operand: &'a Operand, span: Span) -> Option<Kind> {
        match self.def_named(file, operand) {
            Some((home, def)) => self.def(home, def, span),
            None => self.value(file, operand, span),
        }
    }

    fn def_named(&self, file: usize, operand: &'a Operand) -> Option<(usize, &'a ast::Def)> {
        let Operand::Field(name) = operand else { return None };
        match self.names.get(file, &name.single()?.text) {
            Some(Named::Def(home, def)) => Some((home, def)),
            _ => None,
        }
    }

    fn value(&mut self, file: usize, operand: &'a Operand, span: Span) -> Option<Kind> {
        if let Operand::Field(name) = operand
            && let Some(single) = name.single()
        {
            match self.names.get(file, &single.text) {
                Some(Named::Let(scoped)) => {
                    let value = self.names.follow(scoped, self.diagnostics).value;
                    if let ValueKind::Boolean(truth) = value.kind {
                        return Some(Kind::Constant(truth));
                    }
                    self.diagnostics.push(
                        Diagnostic::new(
                            Code::TYPE_MISMATCH,
                            format!("`{}` is {}, not a condition", single.text, values::kind_word(&value.kind)),
                        )
                        .label(span, "a value alone is neither true nor false")
                        .label(value.span, "defined here")
                        .help(format!("compare it: `path like {}`", single.text)),
                    );
                    return None;
                }
                Some(Named::Def(..)) | None => {}
            }
        }
        let typed = self.operand(file, operand)?;
        match typed.ty {
            Type::Boolean | Type::Any => Some(Kind::Truth(typed.source)),
            _ => {
                let name = operand_text(operand);
                self.diagnostics.push(
                    Diagnostic::new(Code::TYPE_MISMATCH, format!("`{name}` is not a boolean"))
                        .label(span, "a value alone is neither true nor false")
                        .help(format!("compare it, as in `{name} == …`, or write `exists {name}`")),
                );
                None
            }
        }
    }

    fn def(&mut self, home: usize, def: &'a ast::Def, span: Span) -> Option<Kind> {
        let key = (home, def.name.span.start);
        self.may_name(key, def, span)?;
        if let Some(known) = self.defs.0.get(&key) {
            let Made { condition, levels, parts } = known.clone()?;
            self.fits(levels, span)?;
            self.names.account.charge(parts, Cost::Definition, span)?;
            return Some(Kind::Def(condition));
        }
        let Made { condition, levels, .. } = self.definition(key, def)?;
        self.fits(levels, span)?;
        Some(Kind::Def(condition))
    }

    /// Reports a `def` in a place where it is not allowed, or within itself.
    fn may_name(&mut self, key: Key, def: &ast::Def, span: Span) -> Option<()> {
        if self.in_where {
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "a `def` inside `where`")
                    .label(span, "`where` tests the command alone")
                    .help("put `and …` after it"),
            );
            return None;
        }
        if !self.open.contains(&key) {
            return Some(());
        }
        if self.tells_of_rings {
            self.diagnostics.push(
                Diagnostic::new(Code::CIRCULAR, format!("`{}` is defined by itself", def.name.text))
                    .label(span, "part of its own definition")
                    .label(def.name.span, "defined here")
                    .help("write out the condition"),
            );
        }
        None
    }

    /// Compiles a definition once, and counts its levels.
    fn definition(&mut self, key: Key, def: &'a ast::Def) -> Option<Made> {
        let parts_above = self.names.account.parts();
        let above = std::mem::replace(&mut self.deepest, self.depth);
        self.open.push(key);
        self.depth += DEF_LEVELS;
        let compiled = self.condition(key.0, &def.condition);
        self.depth -= DEF_LEVELS;
        self.open.pop();
        let levels = self.deepest - self.depth;
        self.deepest = self.deepest.max(above);
        let parts = self.names.account.parts().saturating_sub(parts_above);
        let made = compiled.map(|condition| Made { condition: Arc::new(condition), levels, parts });
        self.defs.0.insert(key, made.clone());
        made
    }

    fn operand(&mut self, file: usize, operand: &'a Operand) -> Option<Typed> {
        let typed = match operand {
            Operand::Field(name) => look_up(name, self.head, self.names, file, self.in_where, self.diagnostics)?,
            Operand::JsonPath(path) => {
                self.outside_where("a JSONPath", path.span)?;
                json_path::json_path(path).map_err(|error| self.diagnostics.push(*error)).ok()?
            }
            Operand::Option(flag, span) => {
                if !self.in_where {
                    self.diagnostics.push(misfits::option_outside(flag, *span));
                    return None;
                }
                if let Some(found) = misfits::no_flag(flag) {
                    self.diagnostics.push(found);
                    return None;
                }
                Typed { source: Source::Where(WhereField::Option(flag.value.clone())), ty: Type::String }
            }
            Operand::File(fact, value, _) => {
                self.looks_at_paths = true;
                let scoped = Scoped { file, value };
                let value = self.single(scoped)?.0;
                let ty = match fact {
                    ast::FileFact::Exists => Type::Boolean,
                    ast::FileFact::Size => Type::Number,
                };
                Typed { source: Source::Fact(FactName::File(*fact, Box::new(value))), ty }
            }
        };
        self.notice(&typed);
        Some(typed)
    }

    fn notice(&mut self, typed: &Typed) {
        self.looks_at_paths |= matches!(typed.ty, Type::Path | Type::List(Type::Path));
        let is_of_surroundings = typed.source.is_of_surroundings();
        self.looks_at_surroundings |= !self.in_where && is_of_surroundings;
        self.hangs_on_surroundings |= is_of_surroundings;
        if let Source::Raw { path, .. } = &typed.source {
            self.names_mode |= path.first().is_some_and(|name| name == "permission_mode");
        }
        if let Source::JsonPath(path) = &typed.source {
            self.names_mode |= path.text.contains("permission_mode");
        }
    }

    fn single(&mut self, scoped: Scoped<'a>) -> Option<(Value, Scoped<'a>)> {
        let before = self.diagnostics.len();
        let (head, names, in_where) = (self.head, self.names, self.in_where);
        let mut noticed = Vec::new();
        let mut resolve = |value: &ast::Value, diagnostics: &mut Vec<Diagnostic>| {
            let typed = match &value.kind {
                ValueKind::Name(name) => look_up_or_text(name, head, names, scoped.file, in_where, diagnostics)?,
                ValueKind::JsonPath(path) => {
                    json_path::json_path(path).map_err(|error| diagnostics.push(*error)).ok()?
                }
                _ => return None,
            };
            noticed.push(Typed { source: typed.source.clone(), ty: typed.ty });
            Some((typed.source, typed.ty))
        };
        let value = values::single(names, scoped, &mut resolve, self.diagnostics);
        for typed in &noticed {
            self.notice(typed);
        }
        if value.is_none() && self.diagnostics.len() == before {
            let value = names.follow(scoped, self.diagnostics).value;
            // A name without a value has no finding only if that follows from another mistake.
            if !matches!(value.kind, ValueKind::Name(_)) {
                self.diagnostics.push(wrong_value(value));
            }
        }
        value
    }

    fn compare(&mut self, file: usize, compare: &'a ast::Compare) -> Option<Kind> {
        if let Some(found) = self.of_another_language(file, compare) {
            self.diagnostics.push(found);
            return None;
        }
        let typed = self.operand(file, &compare.operand);
        let scoped = Scoped { file, value: &compare.value };
        let name = operand_text(&compare.operand);
        let ty = typed.as_ref().map_or(Type::Any, |typed| typed.ty);
        let ty = misfits::compared_as(compare.operator, typed.as_ref(), ty);
        if let Some(found) = misfits::against_foreign(compare, &name, ty, self.names, file) {
            self.diagnostics.push(found);
            return None;
        }
        // An operand that cannot be a field has no type to check a value against.
        if typed.is_none() && (misfits::is_ordered(compare.operator) || compare.operator == Operator::In) {
            return None;
        }
        let test = self.test(compare, &name, ty, scoped);
        let negated = compare.negated ^ (compare.operator == Operator::NotEqual);
        Some(Kind::Compare { source: typed?.source, all: compare.all, negated, test: test? })
    }

    fn test(&mut self, compare: &'a ast::Compare, name: &str, ty: Type, scoped: Scoped<'a>) -> Option<Test> {
        let operator = compare.operator;
        let inner = if let Type::List(inner) = ty { *inner } else { ty };
        let is_text = matches!(inner, Type::String | Type::Path | Type::Enum(_) | Type::Any);
        let fits = match operator {
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                matches!(inner, Type::Number | Type::Any)
            }
            Operator::Contains | Operator::StartsWith | Operator::EndsWith | Operator::Like | Operator::Matches => {
                is_text
            }
            // A text that does not name a file cannot be in a directory; the words of a command may name one.
            Operator::Under | Operator::Outside => {
                matches!(inner, Type::Path | Type::Any) || (is_text && self.in_where)
            }
            Operator::Equal | Operator::NotEqual | Operator::In => true,
        };
        if !fits {
            self.diagnostics.push(unfitting(compare, name, ty));
            return None;
        }
        match operator {
            Operator::Equal | Operator::NotEqual => Some(Test::Equal(self.checked(name, ty, scoped)?)),
            Operator::Less => Some(Test::Order(Order::Less, self.number(name, ty, scoped)?)),
            Operator::LessEqual => Some(Test::Order(Order::LessEqual, self.number(name, ty, scoped)?)),
            Operator::Greater => Some(Test::Order(Order::Greater, self.number(name, ty, scoped)?)),
            Operator::GreaterEqual => Some(Test::Order(Order::GreaterEqual, self.number(name, ty, scoped)?)),
            Operator::In => self.membership(compare, name, ty, scoped),
            Operator::Contains => Some(Test::Contains(self.text(compare, scoped)?)),
            Operator::StartsWith => Some(Test::StartsWith(self.text(compare, scoped)?)),
            Operator::EndsWith => Some(Test::EndsWith(self.text(compare, scoped)?)),
            Operator::Like if inner == Type::Path => {
                Some(Test::LikePath(values::path_globs(self.names, scoped, self.diagnostics)?))
            }
            Operator::Like => {
                let named: fn(&str) -> &str = if name == TOOL_NAME { current_tool_name } else { |glob| glob };
                Some(Test::LikeText(values::text_globs(self.names, scoped, named, self.diagnostics)?.into()))
            }
            Operator::Matches => Some(Test::Matches(values::regex(self.names, scoped, self.diagnostics)?)),
            Operator::Under | Operator::Outside => {
                self.looks_at_paths = true;
                let dirs = self.directories(scoped)?;
                Some(if operator == Operator::Under { Test::Under(dirs.into()) } else { Test::Outside(dirs.into()) })
            }
        }
    }

    fn checked(&mut self, name: &str, ty: Type, scoped: Scoped<'a>) -> Option<Value> {
        let value = self.names.follow(scoped, self.diagnostics).value;
        if matches!(value.kind, ValueKind::Null) {
            self.diagnostics.push(misfits::null(name, value.span));
            return None;
        }
        let (value, followed) = self.single(scoped)?;
        if let Value::Literal(_) = value {
            let before = self.diagnostics.len();
            values::check_type(name, ty, followed.value, self.diagnostics);
            if self.diagnostics.iter().skip(before).any(Diagnostic::is_error) {
                return None;
            }
        }
        Some(match value {
            Value::Literal(Literal::Text(text)) if name == TOOL_NAME => {
                Value::Literal(Literal::Text(current_tool_name(&text).to_owned()))
            }
            value => value,
        })
    }

    fn number(&mut self, name: &str, ty: Type, scoped: Scoped<'a>) -> Option<Value> {
        let ty = if ty == Type::Any { Type::Number } else { ty };
        self.checked(name, ty, scoped)
    }

    fn text(&mut self, compare: &'a ast::Compare, scoped: Scoped<'a>) -> Option<Value> {
        let value = self.names.follow(scoped, self.diagnostics).value;
        let word = compare.operator.word();
        let help = match &value.kind {
            ValueKind::Text(_) | ValueKind::Name(_) | ValueKind::JsonPath(_) => return Some(self.single(scoped)?.0),
            ValueKind::Regex(_) => "use `matches` with a regex".to_owned(),
            ValueKind::List(_) => "use `like` with globs, or join tests with `or`".to_owned(),
            _ => "write it in quotes".to_owned(),
        };
        self.diagnostics.push(
            Diagnostic::new(
                Code::TYPE_MISMATCH,
                format!("`{word}` takes a string, not {}", values::kind_word(&value.kind)),
            )
            .label(value.span, format!("this is {}", values::kind_word(&value.kind)))
            .help(help),
        );
        None
    }

    fn membership(&mut self, compare: &'a ast::Compare, name: &str, ty: Type, scoped: Scoped<'a>) -> Option<Test> {
        let followed = self.names.follow(scoped, self.diagnostics);
        match &followed.value.kind {
            ValueKind::List(_) => {}
            // A field whose value is a list.
            ValueKind::Name(_) | ValueKind::JsonPath(_) => {
                let value = self.single(scoped)?.0;
                let Some(found) = misfits::in_place(compare, name, &value) else {
                    return Some(Test::In(vec![value].into()));
                };
                self.diagnostics.push(found);
                return None;
            }
            _ => {
                self.diagnostics.push(misfits::no_list(name, followed.value));
                return None;
            }
        }
        let elements = self.names.elements(followed, self.diagnostics);
        if values::is_empty_as_written(scoped.value) {
            self.diagnostics.push(values::empty_list(scoped.value.span));
            return None;
        }
        if let Some(found) = bare_texts(followed, self.head, self.names, self.in_where) {
            self.diagnostics.push(found);
            return None;
        }
        let compiled: Vec<Option<Value>> =
            elements.into_iter().map(|element| self.checked(name, ty, element)).collect();
        Some(Test::In(compiled.into_iter().collect::<Option<Vec<Value>>>()?.into()))
    }
}

/// Checks a `def` on its own, for every event: each rule that uses it checks it again for its own events. The result is
/// remembered for other definitions that name it.
pub(super) fn check_def<'a>(
    names: &Names<'a>,
    file: usize,
    def: &'a ast::Def,
    checked: &mut Defs,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let key = (file, def.name.span.start);
    if checked.0.contains_key(&key) {
        return;
    }
    let all = Event::ALL.iter().map(|event| EventSelector { event: *event, subjects: None });
    let head = Head { events: all.collect(), every_event: true, agents: None };
    names.account.begin(&def.name.text);
    let mut conditions = Conditions::new(names, &head, diagnostics);
    conditions.defs = std::mem::take(checked);
    conditions.tells_of_rings = true;
    let _checked = conditions.definition(key, def);
    *checked = conditions.defs;
}
