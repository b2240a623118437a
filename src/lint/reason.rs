//! Finite reasoning about conditions: whether one can be true, and whether one follows from another.
//!
//! A condition becomes a formula over atoms. Atoms about one source exclude or imply each other as far as `theory`
//! knows, and `search` splits cases within a bound. An answer is either exact or absent; nothing uncertain is reported.
//! The event's budget is ignored, although it makes any test unknown if a call is too big to examine.

mod search;
mod theory;

use std::cell::Cell;
use std::collections::BTreeMap;

use super::calls::selected;
use crate::ruleset::{
    CommandTest, Condition, Derived, EventSelector, FactName, Head, Kind, Patterns, Rule, Source, Test, Value,
    WhereField,
};
use crate::schema::{Event, Subject, ToolSpec, Type};
use crate::wire::{Wire, Writer, to_bytes};

use theory::{Class, Group, Predicate};

/// The name of the agent that no other agent has started.
const MAIN: &str = "main";

/// The maximum number of atoms in a formula that is reasoned about.
const MOST_ATOMS: usize = 200;

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
    pub(super) fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// A test that is true, false or unknown independently of other sources.
#[derive(Debug)]
struct Atom<'c> {
    group: usize,
    predicate: Predicate<'c>,
}

/// The maximum number of steps for all questions about one rule.
const MOST_STEPS: usize = 400_000;

/// The atoms of one rule, without duplicates.
#[derive(Debug)]
pub(super) struct Atoms<'c> {
    atoms: Vec<Atom<'c>>,
    by_key: BTreeMap<Vec<u8>, usize>,
    groups: Vec<Group>,
    group_by_key: BTreeMap<Vec<u8>, usize>,
    /// The number of steps left.
    left: Cell<usize>,
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
            left: Cell::new(MOST_STEPS),
            has_one_path: false,
        }
    }
}

impl<'c> Atoms<'c> {
    /// Creates the atoms of a rule, initially none.
    pub(super) fn of(rule: &Rule) -> Self {
        let has_one_path = selected(rule).is_some_and(|tools| tools.iter().all(|tool| names_one_file(tool)));
        Self { has_one_path, ..Self::default() }
    }

    /// Whether there are too many atoms, or the questions took too many steps.
    pub(super) fn are_too_many(&self) -> bool {
        self.atoms.len() > MOST_ATOMS || self.left.get() == 0
    }

    /// Deducts steps from those left, and returns whether they suffice.
    fn charge(&self, steps: usize) -> bool {
        let left = self.left.get().saturating_sub(steps);
        self.left.set(left);
        left > 0
    }

    /// Converts a condition to a formula.
    pub(super) fn formula(&mut self, condition: &'c Condition) -> Formula {
        match &condition.kind {
            Kind::And(parts) => Formula::And(self.all(parts)),
            Kind::Or(parts) => Formula::Or(self.all(parts)),
            Kind::Not(inner) => self.formula(inner).negated(),
            Kind::Def(inner) => self.formula(inner),
            Kind::Constant(truth) => Formula::Constant(*truth),
            Kind::Exists(source) => self.of_source(source, Predicate::Exists),
            Kind::Truth(source) => self.of_source(source, Predicate::IsTrue),
            Kind::Compare { source, all, negated, test } => self.comparison(source, *all, *negated, test),
            Kind::Command(CommandTest::Runs { patterns, filter }) => {
                let filter = filter.as_ref().map(|filter| key_of(filter)).unwrap_or_default();
                self.runs(patterns, &filter)
            }
            other => self.opaque(other),
        }
    }

    fn all(&mut self, parts: &'c [Condition]) -> Vec<Formula> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    /// Returns what is known of every event that a selector selects.
    pub(super) fn selected(&mut self, selector: &'c EventSelector) -> Formula {
        let Some(list) = selector.subjects.as_ref().filter(|list| !list.includes.is_empty()) else {
            return Formula::Constant(true);
        };
        let Some(source) = subject_of(selector.event).filter(|_| list.includes.iter().all(|name| is_plain(name)))
        else {
            return Formula::Constant(true);
        };
        let names = list.includes.iter().map(String::as_str);
        self.of_source(&source, Predicate::one_of(names))
    }

    /// Returns what is known of an event that a selector matches by one name: the name of its tool, or a value of its
    /// field.
    pub(super) fn named(&mut self, event: Event, name: &'c str) -> Option<Formula> {
        let source = subject_of(event)?;
        is_plain(name).then(|| self.of_source(&source, Predicate::one_of([name].into_iter())))
    }

    /// Returns what is known of an event that `by` matches by one name. A session that was started as an agent has that
    /// agent's type, but is `main` too.
    pub(super) fn acting(&mut self, head: &Head, name: &'c str) -> Option<Formula> {
        let is_known = is_plain(name) && head.events.iter().all(|selector| selector.event != Event::SubagentStop);
        let names = [name, MAIN];
        is_known.then(|| self.of_source(&Source::Derived(Derived::Agent), Predicate::one_of(names.into_iter())))
    }

    fn comparison(&mut self, source: &Source, all: bool, negated: bool, test: &'c Test) -> Formula {
        let predicate = Predicate::of(test);
        match (all && self.class(source).is_several(), negated) {
            (false, false) => self.of_source(source, predicate),
            // `all` requires a value, too; a negation without it does not.
            (false, true) if !all => self.of_source(source, predicate).negated(),
            (_, true) => Formula::And(vec![
                self.of_source(source, Predicate::Exists),
                self.of_source(source, predicate).negated(),
            ]),
            (true, false) => self.of_source(source, Predicate::Each(Box::new(predicate))),
        }
    }

    /// Returns the atom of a test of a source. A comparison with another field is a separate, opaque atom.
    fn of_source(&mut self, source: &Source, predicate: Predicate<'c>) -> Formula {
        let class = self.class(source);
        let source = to_bytes(source);
        self.charge(1 + predicate.size());
        let group = *self.group_by_key.entry(source.clone()).or_insert_with(|| {
            self.groups.push(Group { class });
            self.groups.len() - 1
        });
        let mut key = source;
        predicate.put_key(&mut key);
        self.atom(key, group, predicate)
    }

    /// Returns one atom per pattern: some command matches one of them.
    fn runs(&mut self, patterns: &'c Patterns, filter: &[u8]) -> Formula {
        let mut group_key = b"runs".to_vec();
        group_key.extend(filter);
        let group = *self.group_by_key.entry(group_key.clone()).or_insert_with(|| {
            self.groups.push(Group { class: Class::commands() });
            self.groups.len() - 1
        });
        let mut all = Vec::new();
        for pattern in patterns.iter() {
            let mut key = group_key.clone();
            pattern.put(&mut key);
            // The records of a pattern affect how it parses commands.
            for record in pattern.programs().records() {
                key.extend((std::sync::Arc::as_ptr(record) as usize).to_le_bytes());
            }
            let has_records = pattern.programs().records().next().is_some();
            let predicate = if has_records { Predicate::Opaque } else { Predicate::Runs(pattern.text()) };
            all.push(self.atom(key, group, predicate));
            if self.are_too_many() {
                break;
            }
        }
        Formula::Or(all)
    }

    fn opaque(&mut self, kind: &Kind) -> Formula {
        let mut out = Writer::default();
        kind.put(&mut out);
        let key = out.into_bytes();
        self.groups.push(Group { class: Class::commands() });
        let group = self.groups.len() - 1;
        self.atom(key, group, Predicate::Opaque)
    }

    fn atom(&mut self, key: Vec<u8>, group: usize, predicate: Predicate<'c>) -> Formula {
        let next = self.atoms.len();
        let at = *self.by_key.entry(key).or_insert(next);
        if at == next {
            self.atoms.push(Atom { group, predicate });
        }
        Formula::Atom(at)
    }

    fn class(&self, source: &Source) -> Class {
        match source {
            Source::Derived(Derived::Path) if self.has_one_path => Class::one().partly_known().of_paths(),
            Source::Raw { path, ty } => raw_class(path, *ty),
            Source::Derived(derived) => derived_class(*derived),
            Source::Fact(fact) => fact_class(fact),
            Source::Where(WhereField::Program) => Class::one().partly_known(),
            Source::JsonPath(_) | Source::Where(_) | Source::Constant(_) => Class::several().partly_known(),
        }
    }
}

/// Returns the source that the selectors of an event match, if it is a field that every such event has.
fn subject_of(event: Event) -> Option<Source> {
    match event.spec().subject {
        Subject::Tool => Some(Source::Derived(Derived::ToolName)),
        // A subagent that has stopped is identified by its transcript if the payload does not name it.
        Subject::Field(name) if name != "agent_type" => {
            let ty = event.fields().find(|field| field.name == name)?.ty;
            Some(Source::Raw { path: vec![name.to_owned()], ty })
        }
        Subject::Field(_) | Subject::BaseName(_) | Subject::None => None,
    }
}

/// Whether a selector is a name rather than a glob.
fn is_plain(name: &str) -> bool {
    !name.contains(['*', '?', '[', '\\', '{'])
}

/// Whether a tool takes one file, named by its path.
fn names_one_file(tool: &ToolSpec) -> bool {
    let mut files = tool.files.iter().filter(|file| !file.glob);
    let is_path = |member: &str| tool.input.iter().any(|field| field.name == member && field.ty == Type::Path);
    files.next().is_some_and(|file| is_path(file.member)) && files.next().is_none()
}

fn raw_class(path: &[String], ty: Type) -> Class {
    let class = match ty {
        Type::String | Type::Path | Type::Enum(_) | Type::Number | Type::Boolean if path.len() <= 2 => Class::one(),
        _ => Class::several(),
    };
    // A permission request does not repeat every field of its call.
    let carries = |event: Event| path.first().is_some_and(|name| event.fields().any(|field| field.name == name));
    let may_lack = carries(Event::PreToolUse) && !carries(Event::PermissionRequest);
    let class = if may_lack { class.known_or_not() } else { class };
    if matches!(ty, Type::Path | Type::List(Type::Path)) { class.of_paths() } else { class }
}

fn derived_class(derived: Derived) -> Class {
    match derived {
        Derived::Event | Derived::Host | Derived::ToolName | Derived::Command | Derived::Url => Class::one(),
        Derived::Agent | Derived::AgentType | Derived::Domain => Class::one().known_or_not(),
        Derived::Content | Derived::Match | Derived::Now => Class::several(),
        Derived::Path | Derived::Project | Derived::Home | Derived::Tmp => Class::several().partly_known().of_paths(),
    }
}

fn fact_class(fact: &FactName) -> Class {
    match fact {
        FactName::Env(_)
        | FactName::Withheld(_)
        | FactName::GitBranch
        | FactName::GitRemote
        | FactName::GitWorktree
        | FactName::Os => Class::one().known_or_not(),
        FactName::File(_, value) | FactName::OwnFile(_, value) if matches!(**value, Value::Literal(_)) => {
            Class::one().known_or_not()
        }
        FactName::GitRoot => Class::several().partly_known().of_paths(),
        FactName::HostPids | FactName::File(..) | FactName::OwnFile(..) => Class::several().partly_known(),
    }
}

/// Returns a key that is equal for conditions with the same text and structure, wherever they occur.
pub(super) fn key_of(condition: &Condition) -> Vec<u8> {
    let mut out = Vec::new();
    put_key(condition, &mut out);
    out
}

fn put_key(condition: &Condition, out: &mut Vec<u8>) {
    let several = |mark: u8, parts: &[Condition], out: &mut Vec<u8>| {
        let mut keys: Vec<Vec<u8>> = parts.iter().map(key_of).collect();
        keys.sort_unstable();
        keys.dedup();
        put_run(mark, &keys.concat(), out);
    };
    match &condition.kind {
        Kind::And(parts) => several(b'&', parts, out),
        Kind::Or(parts) => several(b'|', parts, out),
        Kind::Not(inner) => put_run(b'!', &key_of(inner), out),
        Kind::Def(inner) => put_key(inner, out),
        Kind::Command(CommandTest::Runs { patterns, filter }) => {
            let mut inner = to_bytes(patterns);
            if let Some(filter) = filter {
                put_run(b'?', &key_of(filter), &mut inner);
            }
            put_run(b'r', &inner, out);
        }
        kind => put_run(b'=', &to_bytes(kind), out),
    }
}

fn put_run(mark: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(mark);
    out.extend(bytes.len().to_le_bytes());
    out.extend(bytes);
}

/// Returns a key that is equal for heads with the same selectors.
pub(super) fn key_of_head(head: &Head) -> Vec<u8> {
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
