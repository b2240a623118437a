//! Derives from a rule the atoms without which it cannot match.
//!
//! INVARIANT: an atom is used only if a call without it makes the test false, and not unknown, in both forms of paths.
//! Negated tests need nothing, and neither do tests of facts.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::atom::{AtomKind, GRAM, key, normalize_text};
use super::place::AtomSubject;
use crate::ruleset::head::MAIN;
use crate::ruleset::{
    AgentSelectors, CommandCoverage, CommandTest, Condition, ConditionExpr as Of, DirOperand, Literal, Patterns,
    PolicyValue, Rule, SelectorList, TouchTest, ValueReference, ValueTest,
};
use crate::schema::Event;
use hookrules_shell::Pattern;
use hookrules_shell::path::{PathGlobs, RequiredPart, TextGlobs, required_text};
use hookrules_shell::pattern::ProgramName;

/// The maximum number of condition nodes examined per rule. A rule with more is always judged.
const PARTS: u32 = 2_000;

/// The maximum number of list elements examined per rule; those of a `def` count at each use.
const ELEMENTS: usize = 8_192;

/// The maximum number of atoms for all rules of an event. Rules beyond it are always judged.
const ATOMS: usize = 2_000_000;

/// The number of recent places that are found without a lookup.
const RECENT: usize = 4;

/// The maximum nesting depth of conditions and definitions.
const DEPTH: u32 = 100;

/// The maximum number of components of a path in the policy.
const NAMES: usize = 4;

/// What a rule or a condition needs of a call in order not to be false.
#[derive(Debug)]
pub(super) enum RuleNeed {
    /// No known need.
    Nothing,
    /// This atom.
    Atom(Atom),
    /// All of these needs must be met: looking for any one of them suffices.
    All(Vec<RuleNeed>),
    /// One of these needs must be met; an empty list means that it is always false.
    OneOf(Vec<RuleNeed>),
}

/// A property that a call may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    /// The key of the fields below: atoms with the same key are treated as one.
    pub(super) key: u32,
    /// The place that it is about, as its number in [`AtomPlaces`].
    pub(super) place: u16,
    /// What it requires of that place.
    pub(super) kind: AtomKind,
    /// The range of its text in [`AtomPlaces`].
    start: u32,
    end: u32,
}

/// The places that the rules of an event ask about, in the order of first use.
#[derive(Default)]
pub(super) struct AtomPlaces {
    pub(super) all: Vec<AtomSubject>,
    known: BTreeMap<Vec<u8>, u16>,
    /// The most recently used places, encoded: the next lookup mostly hits one of them.
    recent: [Option<(Vec<u8>, u16)>; RECENT],
    /// The entry of `recent` to replace next.
    oldest: usize,
    /// Buffer for encoding a place.
    next: Vec<u8>,
    /// The number of atoms created.
    atoms: usize,
    /// The concatenated texts of the atoms, which avoids thousands of allocations.
    texts: Vec<u8>,
}

impl AtomPlaces {
    fn id(&mut self, place: &AtomSubject) -> Option<u16> {
        self.next.clear();
        place.encode(&mut self.next);
        if let Some((_, id)) = self.recent.iter().flatten().find(|(known, _)| *known == self.next) {
            return Some(*id);
        }
        let next = u16::try_from(self.all.len()).ok()?;
        let id = *self.known.entry(self.next.clone()).or_insert(next);
        if id == next {
            self.all.push(place.clone());
        }
        if let Some(oldest) = self.recent.get_mut(self.oldest % RECENT) {
            *oldest = Some((std::mem::take(&mut self.next), id));
        }
        self.oldest = self.oldest.wrapping_add(1);
        Some(id)
    }

    /// Whether it is expensive to determine a call's values for a place.
    pub(super) fn is_costly(&self, place: u16) -> bool {
        self.all.get(usize::from(place)).is_some_and(AtomSubject::is_costly)
    }

    /// Returns the number of atoms created, capped at the maximum.
    pub(super) fn atom_count(&self) -> usize {
        self.atoms.min(ATOMS)
    }

    /// Returns the text of an atom in its normal form; that of a link as spelled in the policy.
    pub(super) fn atom_text(&self, atom: &Atom) -> &[u8] {
        let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        self.texts.get(place(atom.start)..place(atom.end)).unwrap_or_default()
    }

    /// Creates an atom, as a need.
    fn atom(&mut self, place: &AtomSubject, kind: AtomKind, text: &[u8]) -> RuleNeed {
        self.atoms += 1;
        let ends = |places: &Self| {
            let start = places.texts.len();
            Some((u32::try_from(start).ok()?, u32::try_from(start + text.len()).ok()?))
        };
        match (self.id(place).filter(|_| self.atoms <= ATOMS), ends(self)) {
            (Some(place), Some((start, end))) => {
                self.texts.extend_from_slice(text);
                RuleNeed::Atom(Atom { key: key(place, kind, text), place, kind, start, end })
            }
            _ => RuleNeed::Nothing,
        }
    }

    /// Creates the need that the place has a value at all.
    fn presence_need(&mut self, place: &AtomSubject) -> RuleNeed {
        self.atom(place, AtomKind::Any, b"")
    }

    fn part_need(&mut self, place: &AtomSubject, text: &str) -> RuleNeed {
        let text = normalize_text(text);
        if text.len() < GRAM { RuleNeed::Nothing } else { self.atom(place, AtomKind::Part, text.as_bytes()) }
    }
}

/// Returns the subjects of an event that a rule selects, if all its selectors are literal; else `None`.
pub(super) fn subjects(rule: &Rule, event: Event) -> Option<Vec<&str>> {
    let of_event = rule.head.events.iter().filter(|selector| selector.event == event);
    let mut all = Vec::new();
    for selector in of_event {
        let list = selector.subjects.as_ref().filter(|list| !list.is_star() && !list.includes.is_empty())?;
        for glob in &list.includes {
            all.push(Some(glob.as_str()).filter(|glob| is_literal(glob))?);
        }
    }
    Some(all)
}

/// Whether a selector has no special characters.
fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '\\'])
}

/// Returns what a rule needs of a call on an event.
pub(super) fn need_of_rule(rule: &Rule, event: Event, places: &mut AtomPlaces) -> RuleNeed {
    let mut reader = GuardReader { rule, event, places, parts: 0, elements: 0, depth: 0 };
    let mut all = vec![reader.subjects()];
    all.extend(rule.head.agents.as_ref().map(|agents| reader.agents(agents)));
    // Commands in files are not searched just to find the rules that they concern.
    if rule.traits.commands == CommandCoverage::CallAndFiles {
        return RuleNeed::All(all);
    }
    let when = rule.when.as_ref().map_or(RuleNeed::Nothing, |when| reader.condition(when));
    all.push(if rule.looks_at_surroundings { reader.reduce_to_surroundings(when) } else { when });
    RuleNeed::All(all)
}

struct GuardReader<'r, 'p> {
    rule: &'r Rule,
    event: Event,
    places: &'p mut AtomPlaces,
    parts: u32,
    elements: usize,
    depth: u32,
}

impl<'r> GuardReader<'r, '_> {
    fn subjects(&mut self) -> RuleNeed {
        let (rule, event) = (self.rule, self.event);
        let of_event = rule.head.events.iter().filter(|selector| selector.event == event);
        RuleNeed::any_of(of_event.map(|selector| self.selectors(&AtomSubject::Subject, selector.subjects.as_ref())))
    }

    fn agents(&mut self, agents: &AgentSelectors) -> RuleNeed {
        self.selectors(&AtomSubject::Agent, Some(&agents.0))
    }

    fn selectors(&mut self, place: &AtomSubject, list: Option<&SelectorList>) -> RuleNeed {
        let is_no_main =
            |list: &&SelectorList| list.includes.is_empty() && list.excludes.iter().any(|glob| glob == MAIN);
        if matches!(place, AtomSubject::Agent) && list.as_ref().is_some_and(is_no_main) {
            return self.places.presence_need(place);
        }
        let Some(list) = list.filter(|list| !list.is_star() && !list.includes.is_empty()) else {
            return RuleNeed::Nothing;
        };
        RuleNeed::any_of(list.includes.iter().map(|glob| self.glob(place, glob)))
    }

    fn glob(&mut self, place: &AtomSubject, glob: &str) -> RuleNeed {
        if is_literal(glob) {
            return self.places.atom(place, AtomKind::Whole, glob.as_bytes());
        }
        match required_text(glob) {
            Some(RequiredPart::ExactText(text)) => self.places.atom(place, AtomKind::Whole, text.as_bytes()),
            Some(RequiredPart::Substring(text)) => self.places.part_need(place, &text),
            _ => RuleNeed::Nothing,
        }
    }

    /// Counts the elements of a list and returns whether they may be examined.
    fn has_room(&mut self, elements: usize) -> bool {
        self.elements = self.elements.saturating_add(elements);
        self.elements <= ELEMENTS
    }

    fn condition(&mut self, condition: &Condition) -> RuleNeed {
        self.parts += 1;
        if self.parts > PARTS || self.depth > DEPTH {
            return RuleNeed::Nothing;
        }
        self.depth += 1;
        let need = match &condition.kind {
            Of::And(parts) => RuleNeed::All(parts.iter().map(|part| self.condition(part)).collect()),
            Of::Or(parts) => RuleNeed::any_of(parts.iter().map(|part| self.condition(part))),
            Of::Def(inner) => self.condition(inner),
            // No call makes it true or unknown.
            Of::Constant(false) => RuleNeed::OneOf(Vec::new()),
            Of::Compare { source, negated: false, test, .. } => self.compare(source, test),
            Of::Command(test) => self.command(test),
            Of::Touches { verb, test: TouchTest::Like(globs) } => self.paths(&AtomSubject::Touched(*verb), globs),
            Of::Touches { verb, test: TouchTest::Under(dirs) } => {
                self.directories_need(&AtomSubject::Touched(*verb), dirs)
            }
            // A call that touches no files touches none outside.
            Of::Touches { verb, test: TouchTest::Outside(_) } if !self.rule.can_allow => {
                self.places.presence_need(&AtomSubject::Touched(*verb))
            }
            // A call that connects to no host connects to none of these.
            Of::Connects(_) if !self.rule.can_allow => self.places.presence_need(&AtomSubject::Connected),
            Of::Constant(true)
            | Of::Not(_)
            | Of::Compare { .. }
            | Of::Exists(_)
            | Of::Truth(_)
            | Of::Touches { .. }
            | Of::Connects(_) => RuleNeed::Nothing,
        };
        self.depth -= 1;
        need
    }

    /// A test that is not negated is false without a value, with or without `all`.
    fn compare(&mut self, source: &ValueReference, test: &ValueTest) -> RuleNeed {
        let Some(place) = AtomSubject::field(source) else { return RuleNeed::Nothing };
        let need = self.test(&place, test);
        // These tests are false for values that are not texts.
        let is_of_texts = matches!(
            test,
            ValueTest::Contains(_)
                | ValueTest::StartsWith(_)
                | ValueTest::EndsWith(_)
                | ValueTest::LikeText(_)
                | ValueTest::LikePath(_)
                | ValueTest::Matches(_)
        );
        match need {
            RuleNeed::Nothing if is_of_texts && !place.is_always_there() => self.places.presence_need(&place),
            need => need,
        }
    }

    fn test(&mut self, place: &AtomSubject, test: &ValueTest) -> RuleNeed {
        match test {
            ValueTest::Under(dirs) if place.is_path() => self.directories_need(place, dirs),
            ValueTest::Equal(value) => self.equal(place, value),
            ValueTest::In(values) if self.has_room(values.len()) => {
                RuleNeed::any_of(values.iter().map(|value| self.equal(place, value)))
            }
            ValueTest::Contains(value) | ValueTest::StartsWith(value) | ValueTest::EndsWith(value) => match value {
                PolicyValue::Literal(Literal::Text(text)) => self.places.part_need(place, text),
                _ => RuleNeed::Nothing,
            },
            ValueTest::LikeText(globs) => self.globs_need(place, globs),
            ValueTest::LikePath(globs) if place.is_path() => self.paths(place, globs),
            ValueTest::Matches(regex) => match regex.required_texts() {
                Some(texts) => RuleNeed::any_of(texts.iter().map(|text| self.places.part_need(place, text))),
                None => RuleNeed::Nothing,
            },
            _ => RuleNeed::Nothing,
        }
    }

    fn equal(&mut self, place: &AtomSubject, value: &PolicyValue) -> RuleNeed {
        match value {
            PolicyValue::Literal(Literal::Text(text)) if place.is_path() => self.path_need(place, Path::new(text)),
            PolicyValue::Literal(Literal::Text(text)) => self.places.atom(place, AtomKind::Whole, text.as_bytes()),
            _ => RuleNeed::Nothing,
        }
    }

    fn directories_need(&mut self, place: &AtomSubject, dirs: &[DirOperand]) -> RuleNeed {
        if (self.rule.can_allow && matches!(place, AtomSubject::Touched(_))) || !self.has_room(dirs.len()) {
            return RuleNeed::Nothing;
        }
        let mut one = |dir: &DirOperand| match dir {
            DirOperand::Literal(path) => self.path_need(place, path),
            _ => RuleNeed::Nothing,
        };
        RuleNeed::any_of(dirs.iter().map(&mut one))
    }

    /// A path of the policy, relative to the project. Every file at or below it has its last component, unless the path
    /// leads through a link: then the file may have any other.
    fn path_need(&mut self, place: &AtomSubject, path: &Path) -> RuleNeed {
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(name) => match name.to_str().filter(|name| name.is_ascii()) {
                    // `~` and `$HOME` lead elsewhere.
                    Some(name) if !name.starts_with(['~', '$']) => names.push(name),
                    _ => return RuleNeed::Nothing,
                },
                _ => return RuleNeed::Nothing,
            }
        }
        let Some(last) = names.last().filter(|_| names.len() <= NAMES) else { return RuleNeed::Nothing };
        let mut needs = vec![self.places.atom(place, AtomKind::Name, last.to_ascii_lowercase().as_bytes())];
        for count in 1..=names.len() {
            // Keeps the spelling of the policy, which is needed to find the directory of the link.
            let start = names.iter().take(count).copied().collect::<Vec<_>>().join("/");
            needs.push(self.places.atom(place, AtomKind::LinkName, start.as_bytes()));
        }
        RuleNeed::any_of(needs)
    }

    /// Exclusions are ignored: they only narrow the match.
    fn globs_need(&mut self, place: &AtomSubject, globs: &TextGlobs) -> RuleNeed {
        if !self.has_room(globs.patterns().len()) {
            return RuleNeed::Nothing;
        }
        let includes: Vec<_> = globs.alternatives().filter(|(excludes, _)| !excludes).collect();
        if !self.has_room(includes.len().saturating_sub(globs.patterns().len())) {
            return RuleNeed::Nothing;
        }
        RuleNeed::any_of(includes.into_iter().map(|(_, glob)| self.glob(place, &glob)))
    }

    fn paths(&mut self, place: &AtomSubject, globs: &PathGlobs) -> RuleNeed {
        // If not all commands of a call are known, no allow may depend on the files that they touch.
        if (self.rule.can_allow && matches!(place, AtomSubject::Touched(_))) || !self.has_room(globs.patterns().len()) {
            return RuleNeed::Nothing;
        }
        let required = globs.required();
        if !self.has_room(required.len().saturating_sub(globs.patterns().len())) {
            return RuleNeed::Nothing;
        }
        let mut one = |required: &RequiredPart<'_>| match required {
            RequiredPart::Name(text) => self.places.atom(place, AtomKind::Name, text.as_bytes()),
            RequiredPart::Extension(text) => self.places.atom(place, AtomKind::Extension, text.as_bytes()),
            RequiredPart::Substring(text) | RequiredPart::ExactText(text) => self.places.part_need(place, text),
        };
        RuleNeed::any_of(required.iter().map(|all| RuleNeed::All(all.iter().map(&mut one).collect())))
    }

    fn command(&mut self, test: &CommandTest) -> RuleNeed {
        match test {
            CommandTest::Runs { patterns, .. } => self.runs_need(patterns),
            CommandTest::OnlyRuns { patterns } => self.only_runs_need(patterns),
            CommandTest::Pipes { from, into } => RuleNeed::All(vec![self.runs_need(from), self.runs_need(into)]),
        }
    }

    /// A program, and the first word that the pattern requires after it.
    fn runs_need(&mut self, patterns: &Patterns) -> RuleNeed {
        self.patterns(&AtomSubject::Programs, patterns, |reader, pattern| {
            let named = reader.programs_need(&AtomSubject::Programs, pattern);
            let words = pattern.words_required().filter(|words| reader.has_room(words.count()));
            let Some(words) = words else { return named };
            let mut needs = Vec::with_capacity(words.count());
            words
                .for_each(|word| needs.push(reader.places.atom(&AtomSubject::Words, AtomKind::Whole, word.as_bytes())));
            RuleNeed::All(vec![named, RuleNeed::any_of(needs)])
        })
    }

    fn only_runs_need(&mut self, patterns: &Patterns) -> RuleNeed {
        let place = &AtomSubject::Leading;
        self.patterns(place, patterns, |reader, pattern| reader.programs_need(place, pattern))
    }

    fn patterns(
        &mut self,
        place: &AtomSubject,
        patterns: &Patterns,
        mut one: impl FnMut(&mut Self, &Pattern) -> RuleNeed,
    ) -> RuleNeed {
        if !self.has_room(patterns.count()) {
            return RuleNeed::Nothing;
        }
        let mut all: Vec<RuleNeed> = patterns.iter().map(|pattern| one(self, pattern)).collect();
        if self.rule.can_allow && !all.is_empty() {
            all.push(self.places.atom(place, AtomKind::Guess, b""));
        }
        RuleNeed::any_of(all)
    }

    /// The programs of a pattern.
    fn programs_need(&mut self, place: &AtomSubject, pattern: &Pattern) -> RuleNeed {
        let mut more = 0;
        let of_name = |(number, name): (usize, ProgramName<'_>)| {
            more = number;
            match name {
                ProgramName::Whole(name) => self.places.atom(place, AtomKind::Whole, name.as_bytes()),
                ProgramName::Part(text) => match self.places.part_need(place, &text) {
                    RuleNeed::Nothing => self.places.presence_need(place),
                    need => need,
                },
                ProgramName::Any => self.places.presence_need(place),
            }
        };
        let need = RuleNeed::any_of(pattern.programs_required().enumerate().map(of_name));
        if self.has_room(more) { need } else { RuleNeed::Nothing }
    }

    /// Reduces the needs of a rule that is judged where its commands run. Such a rule is unknown if there are too many
    /// commands: only needs for programs and words count, and a program of any of its `runs` suffices.
    fn reduce_to_surroundings(&mut self, when: RuleNeed) -> RuleNeed {
        let ids = [&AtomSubject::Programs, &AtomSubject::Words].map(|place| self.places.id(place));
        let [Some(programs), Some(words)] = ids else { return RuleNeed::Nothing };
        let mut all = vec![when.limited_to(&[programs, words])];
        let mut open: Vec<&'r Condition> = [&self.rule.when, &self.rule.unless].into_iter().flatten().collect();
        while let Some(condition) = open.pop() {
            self.parts += 1;
            if self.parts > PARTS {
                return RuleNeed::Nothing;
            }
            match &condition.kind {
                Of::And(parts) | Of::Or(parts) => open.extend(parts),
                Of::Not(inner) => open.push(inner),
                Of::Def(inner) => open.push(inner),
                Of::Command(CommandTest::Runs { patterns, .. }) => {
                    all.push(self.runs_need(patterns));
                }
                _ => {}
            }
        }
        RuleNeed::any_of(all)
    }
}

impl RuleNeed {
    /// Returns the need of one element of a list. A test of an empty list is unknown if its source is, so it needs
    /// nothing.
    fn any_of(needs: impl IntoIterator<Item = Self>) -> Self {
        let mut needs = needs.into_iter();
        // Most lists have one element.
        let Some(first) = needs.next() else { return Self::Nothing };
        let Some(second) = needs.next() else { return first };
        let mut all = Vec::with_capacity(needs.size_hint().0.saturating_add(2));
        all.extend([first, second]);
        all.extend(needs);
        Self::OneOf(all)
    }

    /// Reduces the need to these places.
    fn limited_to(self, places: &[u16]) -> Self {
        match self {
            Self::Atom(atom) if !places.contains(&atom.place) => Self::Nothing,
            Self::All(needs) => Self::All(needs.into_iter().map(|need| need.limited_to(places)).collect()),
            Self::OneOf(needs) => Self::OneOf(needs.into_iter().map(|need| need.limited_to(places)).collect()),
            other => other,
        }
    }

    /// Calls `see` with every atom.
    pub(super) fn atoms<'n>(&'n self, see: &mut impl FnMut(&'n Atom)) {
        match self {
            Self::Nothing => {}
            Self::Atom(atom) => see(atom),
            Self::All(needs) | Self::OneOf(needs) => needs.iter().for_each(|need| need.atoms(see)),
        }
    }

    /// Chooses the atoms to list a rule under: a matching call must have one of them. Adds the cheapest set of atoms
    /// and returns its cost. Returns `None` if there is none; the atoms added until then must be discarded.
    pub(super) fn choose<'n>(
        &'n self,
        cost: &impl Fn(&Atom) -> Option<u64>,
        chosen: &mut Vec<&'n Atom>,
    ) -> Option<u64> {
        match self {
            Self::Nothing => None,
            Self::Atom(atom) => {
                chosen.push(atom);
                cost(atom)
            }
            Self::All(needs) => {
                let (start, mut least) = (chosen.len(), None);
                for need in needs {
                    let end = chosen.len();
                    match need.choose(cost, chosen) {
                        Some(own) if least.is_none_or(|least| own < least) => {
                            chosen.drain(start..end);
                            least = Some(own);
                        }
                        _ => chosen.truncate(end),
                    }
                }
                least
            }
            Self::OneOf(needs) => {
                needs.iter().try_fold(0_u64, |all, need| Some(all.saturating_add(need.choose(cost, chosen)?)))
            }
        }
    }
}

#[cfg(test)]
mod tests;
