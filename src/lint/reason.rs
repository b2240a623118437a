//! Finite reasoning about conditions: whether a condition can be true, and whether two conditions are equivalent.
//!
//! A condition becomes a formula over atoms. `theory` knows which tests of one source exclude or imply each other, and
//! `search` tries the values of atoms within a limit. Only certain results are reported; beyond the limit, there is no
//! answer. The budget of an event is ignored, although it can make any test unknown.

mod search;
mod theory;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::calls::selected_tools;
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, DerivedField, EventSelector, FactName, Head, Measure, Patterns, PolicyValue,
    Rule, ValueReference, ValueTest, WhereField,
};
use crate::schema::{Event, FieldType, Subject, ToolSpec};
use crate::wire::{Wire, Writer, to_bytes};

use theory::{AtomGroup, Predicate, ReferenceClass};

/// The name of the main thread: the agent that no other agent has started.
const MAIN: &str = "main";

/// The maximum number of atoms in the formulas of one rule.
const MAX_ATOMS: usize = 200;

/// A condition reduced to atoms and connectives, the form in which it is examined.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// A constant result.
    Constant(bool),
    /// The result of an atom, given by its index in [`Atoms`].
    Atom(usize),
    /// True if the formula in it is false.
    Not(Box<Formula>),
    /// True if all of these are true.
    And(Vec<Formula>),
    /// True if at least one of these is true.
    Or(Vec<Formula>),
}

impl Formula {
    /// Returns the negation of the formula.
    pub(super) fn negation(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// A test that is not divided further. Its result depends only on the results of other atoms about the same source.
#[derive(Debug)]
struct FormulaAtom<'c> {
    /// The index of the group of atoms about the same source.
    group: usize,
    predicate: Predicate<'c>,
}

/// The maximum number of search steps for all questions about one rule.
const MAX_STEPS: usize = 400_000;

/// The atoms in the conditions of one rule, without duplicates.
#[derive(Debug)]
pub(super) struct Atoms<'c> {
    atoms: Vec<FormulaAtom<'c>>,
    /// The index of each atom by its key: equal keys are equal tests.
    by_key: BTreeMap<Vec<u8>, usize>,
    /// For each source, what is known about its values.
    groups: Vec<AtomGroup>,
    /// The index of each group by the key of its source.
    group_by_key: BTreeMap<Vec<u8>, usize>,
    /// The number of search steps that remain.
    steps_left: Cell<usize>,
    /// Whether every call that the rule selects has at most one path.
    has_one_path: bool,
}

impl Default for Atoms<'_> {
    fn default() -> Self {
        Self {
            atoms: Vec::new(),
            by_key: BTreeMap::new(),
            groups: Vec::new(),
            group_by_key: BTreeMap::new(),
            steps_left: Cell::new(MAX_STEPS),
            has_one_path: false,
        }
    }
}

impl<'c> Atoms<'c> {
    /// Returns an empty set of atoms for the conditions of a rule.
    pub(super) fn for_rule(rule: &Rule) -> Self {
        let has_one_path = selected_tools(rule).is_some_and(|tools| tools.iter().all(|tool| has_one_file(tool)));
        Self { has_one_path, ..Self::default() }
    }

    /// Whether there are too many atoms or no steps are left. Nothing is reported then, because answers may be
    /// incomplete.
    pub(super) fn is_over_limit(&self) -> bool {
        self.atoms.len() > MAX_ATOMS || self.steps_left.get() == 0
    }

    /// Returns for each formula whether it shares no source with the others, so that its result does not depend on
    /// theirs.
    pub(super) fn are_independent(&self, formulas: &[Formula]) -> Vec<bool> {
        let groups: Vec<BTreeSet<usize>> = formulas
            .iter()
            .map(|formula| {
                let mut groups = BTreeSet::new();
                self.add_groups(formula, &mut groups);
                groups
            })
            .collect();
        let mut users: BTreeMap<usize, usize> = BTreeMap::new();
        groups.iter().flatten().for_each(|group| *users.entry(*group).or_default() += 1);
        groups
            .iter()
            .map(|groups_of_formula| groups_of_formula.iter().all(|group| users.get(group) == Some(&1)))
            .collect()
    }

    /// Adds the groups to which the atoms of a formula belong.
    fn add_groups(&self, formula: &Formula, groups: &mut BTreeSet<usize>) {
        match formula {
            Formula::Constant(_) => {}
            Formula::Atom(at) => groups.extend(self.atoms.get(*at).map(|atom| atom.group)),
            Formula::Not(inner) => self.add_groups(inner, groups),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.add_groups(part, groups)),
        }
    }

    /// Subtracts steps from those that remain. Returns whether any are left.
    fn charge(&self, steps: usize) -> bool {
        let remaining = self.steps_left.get().saturating_sub(steps);
        self.steps_left.set(remaining);
        remaining > 0
    }

    /// Converts a condition to a formula, and adds the atoms that it needs.
    pub(super) fn formula(&mut self, condition: &'c Condition) -> Formula {
        match &condition.kind {
            ConditionExpr::And(parts) => Formula::And(self.formulas(parts)),
            ConditionExpr::Or(parts) => Formula::Or(self.formulas(parts)),
            ConditionExpr::Not(inner) => self.formula(inner).negation(),
            ConditionExpr::Def(inner) => self.formula(inner),
            ConditionExpr::Certain(inner) => self.formula(inner),
            ConditionExpr::Constant(truth) => Formula::Constant(*truth),
            ConditionExpr::Exists(source) => self.reference_atom(source, Predicate::Exists),
            ConditionExpr::Truth(source) => self.reference_atom(source, Predicate::IsTrue),
            ConditionExpr::Compare { source, all, negated, test } => self.comparison(source, *all, *negated, test),
            ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => {
                let filter = filter.as_ref().map(|filter| condition_key(filter)).unwrap_or_default();
                self.runs(patterns, &filter)
            }
            other => self.opaque_atom(other),
        }
    }

    fn formulas(&mut self, parts: &'c [Condition]) -> Vec<Formula> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    /// Returns a formula that is true of every event that a selector selects; `true` if the selector's names do not
    /// determine the subject.
    pub(super) fn selector_formula(&mut self, selector: &'c EventSelector) -> Formula {
        let Some(list) = selector.subjects.as_ref().filter(|list| !list.includes.is_empty()) else {
            return Formula::Constant(true);
        };
        let Some(source) =
            selector_subject(selector.event).filter(|_| list.includes.iter().all(|name| is_plain_name(name)))
        else {
            return Formula::Constant(true);
        };
        let names = list.includes.iter().map(String::as_str);
        self.reference_atom(&source, Predicate::from_texts(names))
    }

    /// Returns a formula that is true of every event that a selector matches by one name: the tool, or the field that
    /// is the subject, has this name. `None` if the name is a glob, or if the event's subject may be missing.
    pub(super) fn subject_formula(&mut self, event: Event, name: &'c str) -> Option<Formula> {
        let source = selector_subject(event)?;
        is_plain_name(name).then(|| self.reference_atom(&source, Predicate::from_texts([name].into_iter())))
    }

    /// Returns a formula that is true of every event that `by` matches by one name: the agent has this name or is
    /// `main`, because a session that was started as an agent counts as `main` too. `None` if the name is a glob, or if
    /// the rule is about SubagentStop.
    pub(super) fn agent_formula(&mut self, head: &Head, name: &'c str) -> Option<Formula> {
        let is_known = is_plain_name(name) && head.events.iter().all(|selector| selector.event != Event::SubagentStop);
        let names = [name, MAIN];
        is_known.then(|| {
            self.reference_atom(&ValueReference::Derived(DerivedField::Agent), Predicate::from_texts(names.into_iter()))
        })
    }

    /// Returns the formula of a comparison, which says explicitly whether a value must exist.
    fn comparison(&mut self, source: &ValueReference, all: bool, negated: bool, test: &'c ValueTest) -> Formula {
        let predicate = Predicate::from_test(test);
        match (all && self.reference_class(source).has_several_values(), negated) {
            (false, false) => self.reference_atom(source, predicate),
            // With `all`, a value is required; a negation without `all` is also true if there is no value.
            (false, true) if !all => self.reference_atom(source, predicate).negation(),
            (_, true) => Formula::And(vec![
                self.reference_atom(source, Predicate::Exists),
                self.reference_atom(source, predicate).negation(),
            ]),
            (true, false) => self.reference_atom(source, Predicate::Each(Box::new(predicate))),
        }
    }

    /// Returns the atom for a test of a source.
    fn reference_atom(&mut self, source: &ValueReference, predicate: Predicate<'c>) -> Formula {
        let class = self.reference_class(source);
        let source = to_bytes(source);
        self.charge(1 + predicate.size());
        let group = *self.group_by_key.entry(source.clone()).or_insert_with(|| {
            self.groups.push(AtomGroup { class });
            self.groups.len() - 1
        });
        let mut key = source;
        predicate.write_key(&mut key);
        self.atom(key, group, predicate)
    }

    /// Returns the formula of `runs`: one atom for each pattern, joined by `or`.
    fn runs(&mut self, patterns: &'c Patterns, filter: &[u8]) -> Formula {
        let mut group_key = b"runs".to_vec();
        group_key.extend(filter);
        let group = *self.group_by_key.entry(group_key.clone()).or_insert_with(|| {
            self.groups.push(AtomGroup { class: ReferenceClass::commands() });
            self.groups.len() - 1
        });
        let mut pattern_atoms = Vec::new();
        for pattern in patterns.iter() {
            let mut key = group_key.clone();
            pattern.encode(&mut key);
            // The records of programs influence how a pattern reads commands, so patterns with different records are
            // different atoms.
            for record in pattern.programs().records() {
                key.extend((std::sync::Arc::as_ptr(record) as usize).to_le_bytes());
            }
            let has_records = pattern.programs().records().next().is_some();
            let predicate = if has_records { Predicate::Opaque } else { Predicate::Runs(pattern.text()) };
            pattern_atoms.push(self.atom(key, group, predicate));
            if self.is_over_limit() {
                break;
            }
        }
        Formula::Or(pattern_atoms)
    }

    /// Returns the atom for a test about which nothing is known. Equal tests share an atom.
    fn opaque_atom(&mut self, kind: &ConditionExpr) -> Formula {
        let mut out = Writer::default();
        kind.encode(&mut out);
        let key = out.into_bytes();
        self.groups.push(AtomGroup { class: ReferenceClass::commands() });
        let group = self.groups.len() - 1;
        self.atom(key, group, Predicate::Opaque)
    }

    /// Returns the atom with this key, and adds it if it is new.
    fn atom(&mut self, key: Vec<u8>, group: usize, predicate: Predicate<'c>) -> Formula {
        let next = self.atoms.len();
        let at = *self.by_key.entry(key).or_insert(next);
        if at == next {
            self.atoms.push(FormulaAtom { group, predicate });
        }
        Formula::Atom(at)
    }

    /// Returns what is known about the values of a source.
    fn reference_class(&self, source: &ValueReference) -> ReferenceClass {
        match source {
            ValueReference::Derived(DerivedField::Path) if self.has_one_path => {
                ReferenceClass::single_value().with_separate_unknown().with_paths()
            }
            ValueReference::Raw { path, ty } => raw_class(path, *ty),
            ValueReference::Derived(derived) => derived_class(*derived),
            ValueReference::Fact(fact) => fact_class(fact),
            ValueReference::Where(WhereField::Program) => ReferenceClass::single_value().with_separate_unknown(),
            ValueReference::Measured(Measure::Count(_) | Measure::Files(_) | Measure::Past(_)) => {
                ReferenceClass::single_value().with_separate_unknown()
            }
            ValueReference::JsonPath(_)
            | ValueReference::Where(_)
            | ValueReference::Constant(_)
            | ValueReference::Capture(_)
            | ValueReference::Measured(Measure::Length(_)) => ReferenceClass::several_values().with_separate_unknown(),
        }
    }
}

/// Returns the source that the selectors of an event are matched against; `None` if the event may have no value for it.
fn selector_subject(event: Event) -> Option<ValueReference> {
    match event.spec().subject {
        Subject::Tool => Some(ValueReference::Derived(DerivedField::ToolName)),
        // If the payload of SubagentStop does not name the agent, the host identifies it by its transcript.
        Subject::Field(name) if name != "agent_type" => {
            let ty = event.fields().find(|field| field.name == name)?.ty;
            Some(ValueReference::Raw { path: vec![name.to_owned()], ty })
        }
        Subject::Field(_) | Subject::BaseName(_) | Subject::None => None,
    }
}

/// Whether a selector is a plain name, and not a glob.
fn is_plain_name(name: &str) -> bool {
    !name.contains(['*', '?', '[', '\\', '{'])
}

/// Whether a tool has exactly one file in its input, as a path.
fn has_one_file(tool: &ToolSpec) -> bool {
    let mut files = tool.files.iter().filter(|file| !file.glob);
    let is_path = |member: &str| tool.input.iter().any(|field| field.name == member && field.ty == FieldType::Path);
    files.next().is_some_and(|file| is_path(file.member)) && files.next().is_none()
}

/// Returns what is known about the values of a field of the payload.
fn raw_class(path: &[String], ty: FieldType) -> ReferenceClass {
    let class = match ty {
        FieldType::String | FieldType::Path | FieldType::Enum(_) | FieldType::Number | FieldType::Boolean
            if path.len() <= 2 =>
        {
            ReferenceClass::single_value()
        }
        _ => ReferenceClass::several_values(),
    };
    // A permission request lacks some fields of the call, whose tests are then unknown.
    let has_field = |event: Event| path.first().is_some_and(|name| event.fields().any(|field| field.name == name));
    let may_lack = has_field(Event::PreToolUse) && !has_field(Event::PermissionRequest);
    let class = if may_lack { class.with_common_unknown() } else { class };
    if matches!(ty, FieldType::Path | FieldType::List(FieldType::Path)) { class.with_paths() } else { class }
}

/// Returns what is known about the values of a derived field.
fn derived_class(derived: DerivedField) -> ReferenceClass {
    match derived {
        DerivedField::Event
        | DerivedField::Host
        | DerivedField::ToolName
        | DerivedField::Command
        | DerivedField::Url => ReferenceClass::single_value(),
        DerivedField::Agent | DerivedField::AgentType | DerivedField::Domain => {
            ReferenceClass::single_value().with_common_unknown()
        }
        DerivedField::Content | DerivedField::Match | DerivedField::Place | DerivedField::Now => {
            ReferenceClass::several_values()
        }
        DerivedField::Path | DerivedField::Project | DerivedField::Home | DerivedField::Tmp => {
            ReferenceClass::several_values().with_separate_unknown().with_paths()
        }
    }
}

/// Returns what is known about the values of a fact.
fn fact_class(fact: &FactName) -> ReferenceClass {
    match fact {
        FactName::Env(_)
        | FactName::Withheld(_)
        | FactName::GitBranch
        | FactName::GitRemote
        | FactName::GitWorktree
        | FactName::Time(_)
        | FactName::Weekday(_)
        | FactName::Os => ReferenceClass::single_value().with_common_unknown(),
        FactName::File(_, value) | FactName::OwnFile(_, _, value) if matches!(**value, PolicyValue::Literal(_)) => {
            ReferenceClass::single_value().with_common_unknown()
        }
        FactName::GitRoot => ReferenceClass::several_values().with_separate_unknown().with_paths(),
        FactName::HostPids | FactName::File(..) | FactName::OwnFile(..) => {
            ReferenceClass::several_values().with_separate_unknown()
        }
    }
}

/// Returns a key that is equal for conditions with the same structure and the same tests, in any order of operands.
pub(super) fn condition_key(condition: &Condition) -> Vec<u8> {
    let mut out = Vec::new();
    write_condition_key(condition, &mut out);
    out
}

/// Appends the key of a condition.
fn write_condition_key(condition: &Condition, out: &mut Vec<u8>) {
    let write_parts = |mark: u8, parts: &[Condition], out: &mut Vec<u8>| {
        let mut keys: Vec<Vec<u8>> = parts.iter().map(condition_key).collect();
        keys.sort_unstable();
        keys.dedup();
        write_key_run(mark, &keys.concat(), out);
    };
    match &condition.kind {
        ConditionExpr::And(parts) => write_parts(b'&', parts, out),
        ConditionExpr::Or(parts) => write_parts(b'|', parts, out),
        ConditionExpr::Not(inner) => write_key_run(b'!', &condition_key(inner), out),
        ConditionExpr::Def(inner) => write_condition_key(inner, out),
        ConditionExpr::Certain(inner) => write_key_run(b'c', &condition_key(inner), out),
        ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => {
            let mut inner = to_bytes(patterns);
            if let Some(filter) = filter {
                write_key_run(b'?', &condition_key(filter), &mut inner);
            }
            write_key_run(b'r', &inner, out);
        }
        kind => write_key_run(b'=', &to_bytes(kind), out),
    }
}

/// Appends bytes, preceded by a mark and their length, so that different sequences of parts have different keys.
fn write_key_run(mark: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(mark);
    out.extend(bytes.len().to_le_bytes());
    out.extend(bytes);
}

/// Returns a key that is equal for heads with the same selectors, in any order.
pub(super) fn head_key(head: &Head) -> Vec<u8> {
    let list_key = |list_key: &crate::ruleset::SelectorList| {
        let (mut includes, mut excludes) = (list_key.includes.clone(), list_key.excludes.clone());
        includes.sort_unstable();
        excludes.sort_unstable();
        format!("{includes:?}{excludes:?}")
    };
    let mut events: Vec<String> = head
        .events
        .iter()
        .map(|one| format!("{}{:?}", one.event.name(), one.subjects.as_ref().map(list_key)))
        .collect();
    events.sort_unstable();
    format!("{events:?}{:?}", head.agents.as_ref().map(|agents| list_key(&agents.0))).into_bytes()
}
