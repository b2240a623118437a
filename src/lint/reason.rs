//! Finite reasoning about conditions: whether one can be true, and whether one follows from another.
//!
//! A condition becomes a formula over atoms. Atoms about one source exclude or imply each other as far as `theory`
//! knows, and `search` splits cases within a bound. An answer is either exact or absent; nothing uncertain is reported.
//! The event's budget is ignored, although it makes any test unknown if a call is too big to examine.

mod search;
mod theory;

use std::cell::Cell;
use std::collections::BTreeMap;

use super::calls::selected_tools;
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, DerivedField, EventSelector, FactName, Head, Patterns, PolicyValue, Rule,
    ValueReference, ValueTest, WhereField,
};
use crate::schema::{Event, FieldType, Subject, ToolSpec};
use crate::wire::{Wire, Writer, to_bytes};

use theory::{AtomGroup, Predicate, ReferenceClass};

/// The name of the agent that no other agent has started.
const MAIN: &str = "main";

/// The maximum number of atoms in a formula that is reasoned about.
const MAX_ATOMS: usize = 200;

/// A condition in the form that is reasoned about.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// A constant.
    Constant(bool),
    /// An atom, by its index in [`Atoms`].
    Atom(usize),
    /// The negation.
    Not(Box<Formula>),
    /// All of these hold.
    And(Vec<Formula>),
    /// At least one of these holds.
    Or(Vec<Formula>),
}

impl Formula {
    /// Returns the negation.
    pub(super) fn negation(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// A test that is true, false or unknown independently of other sources.
#[derive(Debug)]
struct FormulaAtom<'c> {
    group: usize,
    predicate: Predicate<'c>,
}

/// The maximum number of steps for all questions about one rule.
const MAX_STEPS: usize = 400_000;

/// The atoms of one rule, without duplicates.
#[derive(Debug)]
pub(super) struct Atoms<'c> {
    atoms: Vec<FormulaAtom<'c>>,
    by_key: BTreeMap<Vec<u8>, usize>,
    groups: Vec<AtomGroup>,
    group_by_key: BTreeMap<Vec<u8>, usize>,
    /// The number of steps left.
    steps_left: Cell<usize>,
    /// Whether each call that the rule selects has at most one path.
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
    /// Creates the atoms of a rule, initially none.
    pub(super) fn for_rule(rule: &Rule) -> Self {
        let has_one_path = selected_tools(rule).is_some_and(|tools| tools.iter().all(|tool| has_one_file(tool)));
        Self { has_one_path, ..Self::default() }
    }

    /// Whether there are too many atoms, or the questions took too many steps.
    pub(super) fn is_over_limit(&self) -> bool {
        self.atoms.len() > MAX_ATOMS || self.steps_left.get() == 0
    }

    /// Deducts steps from those left, and returns whether they suffice.
    fn charge(&self, steps: usize) -> bool {
        let left = self.steps_left.get().saturating_sub(steps);
        self.steps_left.set(left);
        left > 0
    }

    /// Converts a condition to a formula.
    pub(super) fn formula(&mut self, condition: &'c Condition) -> Formula {
        match &condition.kind {
            ConditionExpr::And(parts) => Formula::And(self.formulas(parts)),
            ConditionExpr::Or(parts) => Formula::Or(self.formulas(parts)),
            ConditionExpr::Not(inner) => self.formula(inner).negation(),
            ConditionExpr::Def(inner) => self.formula(inner),
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

    /// Returns what is known of every event that a selector selects.
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

    /// Returns what is known of an event that a selector matches by one name: the name of its tool, or a value of its
    /// field.
    pub(super) fn subject_formula(&mut self, event: Event, name: &'c str) -> Option<Formula> {
        let source = selector_subject(event)?;
        is_plain_name(name).then(|| self.reference_atom(&source, Predicate::from_texts([name].into_iter())))
    }

    /// Returns what is known of an event that `by` matches by one name. A session that was started as an agent has that
    /// agent's type, but is `main` too.
    pub(super) fn agent_formula(&mut self, head: &Head, name: &'c str) -> Option<Formula> {
        let is_known = is_plain_name(name) && head.events.iter().all(|selector| selector.event != Event::SubagentStop);
        let names = [name, MAIN];
        is_known.then(|| {
            self.reference_atom(&ValueReference::Derived(DerivedField::Agent), Predicate::from_texts(names.into_iter()))
        })
    }

    fn comparison(&mut self, source: &ValueReference, all: bool, negated: bool, test: &'c ValueTest) -> Formula {
        let predicate = Predicate::from_test(test);
        match (all && self.reference_class(source).has_several_values(), negated) {
            (false, false) => self.reference_atom(source, predicate),
            // `all` requires a value, too; a negation without it does not.
            (false, true) if !all => self.reference_atom(source, predicate).negation(),
            (_, true) => Formula::And(vec![
                self.reference_atom(source, Predicate::Exists),
                self.reference_atom(source, predicate).negation(),
            ]),
            (true, false) => self.reference_atom(source, Predicate::Each(Box::new(predicate))),
        }
    }

    /// Returns the atom of a test of a source. A comparison with another field is a separate, opaque atom.
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

    /// Returns one atom per pattern: some command matches one of them.
    fn runs(&mut self, patterns: &'c Patterns, filter: &[u8]) -> Formula {
        let mut group_key = b"runs".to_vec();
        group_key.extend(filter);
        let group = *self.group_by_key.entry(group_key.clone()).or_insert_with(|| {
            self.groups.push(AtomGroup { class: ReferenceClass::commands() });
            self.groups.len() - 1
        });
        let mut all = Vec::new();
        for pattern in patterns.iter() {
            let mut key = group_key.clone();
            pattern.encode(&mut key);
            // The records of a pattern affect how it parses commands.
            for record in pattern.programs().records() {
                key.extend((std::sync::Arc::as_ptr(record) as usize).to_le_bytes());
            }
            let has_records = pattern.programs().records().next().is_some();
            let predicate = if has_records { Predicate::Opaque } else { Predicate::Runs(pattern.text()) };
            all.push(self.atom(key, group, predicate));
            if self.is_over_limit() {
                break;
            }
        }
        Formula::Or(all)
    }

    fn opaque_atom(&mut self, kind: &ConditionExpr) -> Formula {
        let mut out = Writer::default();
        kind.encode(&mut out);
        let key = out.into_bytes();
        self.groups.push(AtomGroup { class: ReferenceClass::commands() });
        let group = self.groups.len() - 1;
        self.atom(key, group, Predicate::Opaque)
    }

    fn atom(&mut self, key: Vec<u8>, group: usize, predicate: Predicate<'c>) -> Formula {
        let next = self.atoms.len();
        let at = *self.by_key.entry(key).or_insert(next);
        if at == next {
            self.atoms.push(FormulaAtom { group, predicate });
        }
        Formula::Atom(at)
    }

    fn reference_class(&self, source: &ValueReference) -> ReferenceClass {
        match source {
            ValueReference::Derived(DerivedField::Path) if self.has_one_path => {
                ReferenceClass::single_value().with_separate_unknown().with_paths()
            }
            ValueReference::Raw { path, ty } => raw_class(path, *ty),
            ValueReference::Derived(derived) => derived_class(*derived),
            ValueReference::Fact(fact) => fact_class(fact),
            ValueReference::Where(WhereField::Program) => ReferenceClass::single_value().with_separate_unknown(),
            ValueReference::JsonPath(_) | ValueReference::Where(_) | ValueReference::Constant(_) => {
                ReferenceClass::several_values().with_separate_unknown()
            }
        }
    }
}

/// Returns the source that the selectors of an event match, if it is a field that every such event has.
fn selector_subject(event: Event) -> Option<ValueReference> {
    match event.spec().subject {
        Subject::Tool => Some(ValueReference::Derived(DerivedField::ToolName)),
        // A subagent that has stopped is identified by its transcript if the payload does not name it.
        Subject::Field(name) if name != "agent_type" => {
            let ty = event.fields().find(|field| field.name == name)?.ty;
            Some(ValueReference::Raw { path: vec![name.to_owned()], ty })
        }
        Subject::Field(_) | Subject::BaseName(_) | Subject::None => None,
    }
}

/// Whether a selector is a name rather than a glob.
fn is_plain_name(name: &str) -> bool {
    !name.contains(['*', '?', '[', '\\', '{'])
}

/// Whether a tool takes one file, named by its path.
fn has_one_file(tool: &ToolSpec) -> bool {
    let mut files = tool.files.iter().filter(|file| !file.glob);
    let is_path = |member: &str| tool.input.iter().any(|field| field.name == member && field.ty == FieldType::Path);
    files.next().is_some_and(|file| is_path(file.member)) && files.next().is_none()
}

fn raw_class(path: &[String], ty: FieldType) -> ReferenceClass {
    let class = match ty {
        FieldType::String | FieldType::Path | FieldType::Enum(_) | FieldType::Number | FieldType::Boolean
            if path.len() <= 2 =>
        {
            ReferenceClass::single_value()
        }
        _ => ReferenceClass::several_values(),
    };
    // A permission request does not repeat every field of its call.
    let carries = |event: Event| path.first().is_some_and(|name| event.fields().any(|field| field.name == name));
    let may_lack = carries(Event::PreToolUse) && !carries(Event::PermissionRequest);
    let class = if may_lack { class.with_common_unknown() } else { class };
    if matches!(ty, FieldType::Path | FieldType::List(FieldType::Path)) { class.with_paths() } else { class }
}

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
        DerivedField::Content | DerivedField::Match | DerivedField::Now => ReferenceClass::several_values(),
        DerivedField::Path | DerivedField::Project | DerivedField::Home | DerivedField::Tmp => {
            ReferenceClass::several_values().with_separate_unknown().with_paths()
        }
    }
}

fn fact_class(fact: &FactName) -> ReferenceClass {
    match fact {
        FactName::Env(_)
        | FactName::Withheld(_)
        | FactName::GitBranch
        | FactName::GitRemote
        | FactName::GitWorktree
        | FactName::Os => ReferenceClass::single_value().with_common_unknown(),
        FactName::File(_, value) | FactName::OwnFile(_, value) if matches!(**value, PolicyValue::Literal(_)) => {
            ReferenceClass::single_value().with_common_unknown()
        }
        FactName::GitRoot => ReferenceClass::several_values().with_separate_unknown().with_paths(),
        FactName::HostPids | FactName::File(..) | FactName::OwnFile(..) => {
            ReferenceClass::several_values().with_separate_unknown()
        }
    }
}

/// Returns a key that is equal for conditions with the same text and structure, wherever they occur.
pub(super) fn condition_key(condition: &Condition) -> Vec<u8> {
    let mut out = Vec::new();
    write_condition_key(condition, &mut out);
    out
}

fn write_condition_key(condition: &Condition, out: &mut Vec<u8>) {
    let several = |mark: u8, parts: &[Condition], out: &mut Vec<u8>| {
        let mut keys: Vec<Vec<u8>> = parts.iter().map(condition_key).collect();
        keys.sort_unstable();
        keys.dedup();
        write_key_run(mark, &keys.concat(), out);
    };
    match &condition.kind {
        ConditionExpr::And(parts) => several(b'&', parts, out),
        ConditionExpr::Or(parts) => several(b'|', parts, out),
        ConditionExpr::Not(inner) => write_key_run(b'!', &condition_key(inner), out),
        ConditionExpr::Def(inner) => write_condition_key(inner, out),
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

fn write_key_run(mark: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(mark);
    out.extend(bytes.len().to_le_bytes());
    out.extend(bytes);
}

/// Returns a key that is equal for heads with the same selectors.
pub(super) fn head_key(head: &Head) -> Vec<u8> {
    let list = |list: &crate::ruleset::SelectorList| {
        let (mut includes, mut excludes) = (list.includes.clone(), list.excludes.clone());
        includes.sort_unstable();
        excludes.sort_unstable();
        format!("{includes:?}{excludes:?}")
    };
    let mut events: Vec<String> =
        head.events.iter().map(|one| format!("{}{:?}", one.event.name(), one.subjects.as_ref().map(list))).collect();
    events.sort_unstable();
    format!("{events:?}{:?}", head.agents.as_ref().map(|agents| list(&agents.0))).into_bytes()
}
