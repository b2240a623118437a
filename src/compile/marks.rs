//! Compiles marks, and gives conditions what they need to ask about them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::condition::{ConditionCompiler, KeyKind};
use super::names::{LayerNames, NameDefinition};
use crate::diagnostic::Diagnostic;
use crate::history::{MarkId, short_digest};
use crate::layer::Layer;
use crate::ruleset::{
    Condition, ConditionExpr, Effect, EventSelector, Head, KeySource, MarkPhase, MarkSpec, MarkedEvents, NeverCertain,
    PastTest, Rule, ValueReference, or_moves,
};
use crate::schema::{Event, Subject};
use crate::syntax::ast::{self, Operand, RuleItemKind};

/// The word after `unknown` in a mark whose events count even if they only may have happened.
pub(super) const COUNTS: &str = "counts";

/// A compiled mark.
struct CompiledMark {
    /// The mark as the conditions that ask about it refer to it.
    events: MarkedEvents,
    /// Whether its events have keys.
    has_key: bool,
    /// The kind of their keys; `None` if they can be any text.
    key_kind: Option<KeyKind>,
}

/// The compiled marks of a layer, by file and name.
#[derive(Default)]
pub(super) struct Marks {
    compiled: RefCell<BTreeMap<(usize, String), CompiledMark>>,
    /// Whether marks are being compiled, and not the rules that ask about them.
    are_compiling: Cell<bool>,
}

impl Marks {
    /// Whether marks are being compiled, and not the rules that ask about them.
    pub(super) fn are_compiling(&self) -> bool {
        self.are_compiling.get()
    }

    /// Returns the mark that a file defines, and whether its events have keys; `None` if the mark has a mistake, which
    /// was reported.
    pub(super) fn named(&self, file: usize, name: &str) -> Option<(MarkedEvents, bool)> {
        let marks = self.compiled.borrow();
        let mark = marks.get(&(file, name.to_owned()))?;
        Some((mark.events.clone(), mark.has_key))
    }

    /// Returns the kind of the keys of a mark that a file defines; `None` if they can be any text.
    pub(super) fn key_kind(&self, file: usize, name: &str) -> Option<KeyKind> {
        self.compiled.borrow().get(&(file, name.to_owned()))?.key_kind
    }
}

/// Compiles the marks of a layer, before the rules that ask about them.
pub(super) fn compile_marks<'a>(
    names: &LayerNames<'a>,
    layer: &'a Layer,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Rule> {
    let mut compiled = Vec::new();
    names.marks.are_compiling.set(true);
    for (file, loaded) in layer.files.iter().enumerate() {
        names.enter_file(file);
        for item in &loaded.ast.items {
            let ast::ItemKind::Rule(mark) = &item.kind else { continue };
            if mark.kind != RuleItemKind::Mark || names.is_excepted(file, &mark.name.text) {
                continue;
            }
            let before = diagnostics.len();
            let rule = super::rule::compile_rule(names, file, layer, item, mark, diagnostics);
            if names.account.exceeded_limit().is_some() {
                diagnostics.truncate(before);
                break;
            }
            let Some(Effect::Mark(spec)) = rule.effects.first() else { continue };
            let id = MarkId(short_digest([rule.layer.prefix().as_bytes(), &rule.meaning()]));
            let of_commands = rule.when.as_ref().filter(|when| !when.tests_files());
            let (commands, directory) = of_commands.map(certain_commands).unwrap_or_default();
            let never_certain = NeverCertain::of_mark(&rule.head, rule.when.as_ref());
            let events = MarkedEvents {
                id,
                name: mark.name.text.clone(),
                commands,
                directory: directory.or_else(|| Some(rule.base.scope()?.to_string_lossy().into_owned())),
                is_of_user: rule.head.events.iter().all(|selector| selector.event.spec().subject != Subject::Tool),
                counts_possible: spec.counts_possible,
                names_commands: of_commands.is_some_and(names_commands),
                is_of_ended_calls: is_about_ended_calls(&rule.head),
                has_calls_as_keys: matches!(spec.key, Some(KeySource::Call)),
                never_certain: never_certain.filter(|why| !spec.counts_possible || *why == NeverCertain::Background),
            };
            let compiled_mark =
                CompiledMark { events, has_key: spec.key.is_some(), key_kind: spec.key.as_ref().and_then(KeyKind::of) };
            names.marks.compiled.borrow_mut().insert((file, mark.name.text.clone()), compiled_mark);
            let spec = MarkSpec { id, ..spec.clone() };
            compiled.extend(beginnings(&rule, &spec));
            compiled.push(Rule { effects: vec![Effect::Mark(spec)].into(), ..rule });
        }
    }
    names.marks.are_compiling.set(false);
    compiled
}

/// Returns the names of the marks in the scope of a file.
pub(super) fn visible_marks<'a>(names: &LayerNames<'a>, file: usize) -> Vec<&'a str> {
    let is_mark = |name: &&str| matches!(names.definition(file, name), Some(NameDefinition::Mark(..)));
    names.visible_names(file).into_iter().filter(is_mark).collect()
}

/// Returns the test whether any event of a mark happened; `None` if the name is not a mark.
pub(super) fn past_of_mark(names: &LayerNames<'_>, file: usize, name: &ast::Name) -> Option<PastTest> {
    let Some(NameDefinition::Mark(home, _)) = names.definition(file, &name.text) else { return None };
    let (mark, _) = names.marks.named(home, &name.text)?;
    Some(PastTest { mark, of: None, by: None, since: None, within: None })
}

/// Compiles the key and the `unknown` clause of a mark, and returns the effect that remembers its events. The id in the
/// effect is set later, because it depends on the whole compiled mark.
pub(super) fn compile_mark_effect<'a>(
    names: &LayerNames<'a>,
    (file, head): (usize, &Head),
    (key, unknown): (Option<&'a Operand>, Option<&ast::Name>),
    diagnostics: &mut Vec<Diagnostic>,
) -> Effect {
    let mut conditions = ConditionCompiler::new(names, head, diagnostics);
    let key = key.and_then(|key| conditions.key_source(file, key));
    let counts_possible = unknown.is_some_and(|word| word.text == COUNTS);
    Effect::Mark(MarkSpec { id: MarkId::default(), key, phase: MarkPhase::Happens, counts_possible })
}

/// Returns the rule that remembers the beginnings of a mark's calls; `None` for a mark that is not about ended calls.
fn beginnings(rule: &Rule, spec: &MarkSpec) -> Option<Rule> {
    let events: Vec<EventSelector> = rule
        .head
        .events
        .iter()
        .filter(|selector| selector.event.ends_call())
        .map(|selector| EventSelector { event: Event::PreToolUse, subjects: selector.subjects.clone() })
        .collect();
    let head = Head { events, every_event: false, agents: rule.head.agents.clone() };
    let spec = MarkSpec { key: None, phase: MarkPhase::Begins, ..spec.clone() };
    (!head.events.is_empty()).then(|| Rule {
        head,
        when: rule.when.as_ref().map(|when| match when.tests_commands_or_files() {
            // The end of the call is judged in the directory in which it begins.
            true => or_moves(as_begun(when, true)),
            false => as_begun(when, true),
        }),
        unless: rule.unless.as_ref().map(|unless| as_begun(unless, false)),
        effects: vec![Effect::Mark(spec)].into(),
        display_name: format!("{} (begins)", rule.display_name),
        examples: Vec::new(),
        ..rule.clone()
    })
}

/// Whether a mark is only about ended calls, and not only about failed ones. A mark about failures alone is intended.
fn is_about_ended_calls(head: &Head) -> bool {
    let runs = |selector: &EventSelector| selector.event == Event::PostToolUse;
    head.events.iter().all(|selector| selector.event.ends_call()) && head.events.iter().any(runs)
}

/// Returns a condition about the beginning of a call. A test of a value that only exists at the end becomes the
/// constant `otherwise`. With `true`, the result holds whenever `condition` may hold at the end; with `false`, only if
/// it certainly will.
fn as_begun(condition: &Condition, otherwise: bool) -> Condition {
    let begun = |parts: &[Condition]| parts.iter().map(|part| as_begun(part, otherwise)).collect();
    let is_of_end = |source: &ValueReference| match source.measured_values() {
        ValueReference::Raw { path, .. } => {
            path.first().is_some_and(|name| Event::PreToolUse.fields().all(|field| field.name != *name))
        }
        ValueReference::JsonPath(_) => true,
        _ => false,
    };
    let kind = match &condition.kind {
        ConditionExpr::And(parts) => ConditionExpr::And(begun(parts)),
        ConditionExpr::Or(parts) => ConditionExpr::Or(begun(parts)),
        ConditionExpr::Not(inner) => ConditionExpr::Not(Box::new(as_begun(inner, !otherwise))),
        ConditionExpr::Def(inner) => as_begun(inner, otherwise).kind,
        ConditionExpr::Certain(inner) => ConditionExpr::Certain(Box::new(as_begun(inner, otherwise))),
        ConditionExpr::Compare { source, test, .. }
            if is_of_end(source) || test.references().into_iter().any(is_of_end) =>
        {
            ConditionExpr::Constant(otherwise)
        }
        ConditionExpr::Exists(source) | ConditionExpr::Truth(source) if is_of_end(source) => {
            ConditionExpr::Constant(otherwise)
        }
        kind => kind.clone(),
    };
    Condition { kind, span: condition.span }
}

/// Whether a condition includes a test which commands are run.
fn names_commands(condition: &Condition) -> bool {
    let mut found = false;
    condition.visit_tests(&mut |test, is_negated| {
        found |= !is_negated && matches!(test.kind, ConditionExpr::Command(_));
    });
    found
}

/// Returns a command for each pattern of a condition that has one test of commands, `make test` for `make|just test`, and
/// the directory in which its `where` wants them.
fn certain_commands(condition: &Condition) -> (Vec<Option<String>>, Option<String>) {
    let Some((patterns, filter)) = condition.only_command_test() else { return Default::default() };
    let directory = filter.map(|filter| filter.only_directory());
    match directory {
        // What else has to hold of the command is not said by a pattern.
        Some(None) => Default::default(),
        directory => (patterns.iter().map(|pattern| pattern.shortest_command()).collect(), directory.flatten()),
    }
}
