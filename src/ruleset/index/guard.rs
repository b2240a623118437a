//! Derives from a rule the atoms without which a call cannot match it.
//!
//! INVARIANT: an atom is used only if a call without it makes the test false, and not unknown, for paths as given and
//! with symbolic links resolved. No atoms are derived from negated tests and tests of facts.

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

/// The maximum number of nodes of a rule's conditions that are examined. A rule with more is judged on every call.
const PARTS: u32 = 2_000;

/// The maximum number of list items of a rule that are examined. The items of a `def` count at each use.
const ELEMENTS: usize = 8_192;

/// The maximum number of atoms of all rules of an event. No more are created after that, so that the remaining rules
/// are judged on every call.
const ATOMS: usize = 2_000_000;

/// The number of recently used places that are compared before the map is searched.
const RECENT: usize = 4;

/// The maximum nesting depth of conditions and definitions.
const DEPTH: u32 = 100;

/// The maximum number of components of a path in the policy for which atoms are created.
const NAMES: usize = 4;

/// The atoms that a call needs so that a rule or a condition is not certainly false.
#[derive(Debug)]
pub(super) enum RuleNeed {
    /// No atom is known to be needed.
    Nothing,
    /// The call needs this atom.
    Atom(Atom),
    /// The call needs all of these, so it suffices to list the rule under any one of them.
    All(Vec<RuleNeed>),
    /// The call needs at least one of these. An empty list means that no call can make the condition true or unknown.
    OneOf(Vec<RuleNeed>),
}

/// A property that a call may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    /// The hash of place, kind and text. Atoms with the same key are treated as the same.
    pub(super) key: u32,
    /// The place that the atom is about, by its number in [`AtomPlaces`].
    pub(super) place: u16,
    /// How the text of the atom is compared with the place.
    pub(super) kind: AtomKind,
    /// The range of the atom's text in `AtomPlaces::texts`.
    start: u32,
    /// The end of that range.
    end: u32,
}

/// The places of the atoms of an event's rules, numbered in the order of first use, and the texts of the atoms.
#[derive(Default)]
pub(super) struct AtomPlaces {
    /// The places, by their numbers.
    pub(super) all: Vec<AtomSubject>,
    /// The number of each place, by its encoding.
    known: BTreeMap<Vec<u8>, u16>,
    /// The most recently used places, encoded, with their numbers; most lookups find one of them.
    recent: [Option<(Vec<u8>, u16)>; RECENT],
    /// The entry of `recent` to replace next.
    oldest: usize,
    /// A buffer in which a place is encoded to be looked up.
    next: Vec<u8>,
    /// The number of atoms created.
    atoms: usize,
    /// The texts of all atoms in one buffer, which avoids thousands of allocations.
    texts: Vec<u8>,
}

impl AtomPlaces {
    /// Returns the number of a place, which is assigned on first use; `None` if there are too many places.
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

    /// Whether it is expensive to determine the values that a call has at a place.
    pub(super) fn is_costly(&self, place: u16) -> bool {
        self.all.get(usize::from(place)).is_some_and(AtomSubject::is_costly)
    }

    /// Returns the number of atoms created, at most [`ATOMS`].
    pub(super) fn atom_count(&self) -> usize {
        self.atoms.min(ATOMS)
    }

    /// Returns the text of an atom in its normal form. The text of a `LinkName` is spelled as in the policy.
    pub(super) fn atom_text(&self, atom: &Atom) -> &[u8] {
        let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        self.texts.get(place(atom.start)..place(atom.end)).unwrap_or_default()
    }

    /// Creates an atom and returns it as a need; `Nothing` if there are too many atoms, places or texts.
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

    /// Returns the need that a text at the place contains this text; `Nothing` if the text is shorter than a gram.
    fn part_need(&mut self, place: &AtomSubject, text: &str) -> RuleNeed {
        let text = normalize_text(text);
        if text.len() < GRAM { RuleNeed::Nothing } else { self.atom(place, AtomKind::Part, text.as_bytes()) }
    }
}

/// Returns the subjects of an event that a rule selects; `None` if they cannot be listed, because a selector is a
/// glob or everything is selected.
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

/// Whether a selector is a plain name, without special characters of globs.
fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '\\'])
}

/// Returns the atoms that a call on an event needs to match a rule.
pub(super) fn need_of_rule(rule: &Rule, event: Event, places: &mut AtomPlaces) -> RuleNeed {
    let mut reader = NeedReader { rule, event, places, parts: 0, elements: 0, depth: 0 };
    let mut all = vec![reader.subjects()];
    all.extend(rule.head.agents.as_ref().map(|agents| reader.agents(agents)));
    // For such a rule, the atoms of commands in files would count too. They are not searched only to find rules, so
    // the rule is listed by its head alone.
    if rule.traits.commands == CommandCoverage::CallAndFiles {
        return RuleNeed::All(all);
    }
    let when = rule.when.as_ref().map_or(RuleNeed::Nothing, |when| reader.condition_need(when));
    all.push(if rule.looks_at_surroundings { reader.reduce_to_surroundings(when) } else { when });
    RuleNeed::All(all)
}

/// Derives the needs of one rule, and counts the nodes, list items and levels that were examined.
struct NeedReader<'r, 'p> {
    rule: &'r Rule,
    event: Event,
    places: &'p mut AtomPlaces,
    /// The number of condition nodes examined so far.
    parts: u32,
    /// The number of list items examined so far.
    elements: usize,
    /// The number of conditions that contain the current one.
    depth: u32,
}

impl<'r> NeedReader<'r, '_> {
    /// Returns the need for a subject that the rule's head selects on the event.
    fn subjects(&mut self) -> RuleNeed {
        let (rule, event) = (self.rule, self.event);
        let of_event = rule.head.events.iter().filter(|selector| selector.event == event);
        RuleNeed::any_of(of_event.map(|selector| self.selectors(&AtomSubject::Subject, selector.subjects.as_ref())))
    }

    /// Returns the need for an agent that the rule's `by` selects.
    fn agents(&mut self, agents: &AgentSelectors) -> RuleNeed {
        self.selectors(&AtomSubject::Agent, Some(&agents.0))
    }

    /// Returns the need for a text that a list of selectors selects. Excluded globs are ignored, except that `!main`
    /// alone needs another agent than the main one.
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

    /// Returns the need for a text that a glob matches.
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

    /// Counts list items, and returns whether they may still be examined.
    fn has_room(&mut self, elements: usize) -> bool {
        self.elements = self.elements.saturating_add(elements);
        self.elements <= ELEMENTS
    }

    /// Returns the need of a condition.
    fn condition_need(&mut self, condition: &Condition) -> RuleNeed {
        self.parts += 1;
        if self.parts > PARTS || self.depth > DEPTH {
            return RuleNeed::Nothing;
        }
        self.depth += 1;
        let need = match &condition.kind {
            Of::And(parts) => RuleNeed::All(parts.iter().map(|part| self.condition_need(part)).collect()),
            Of::Or(parts) => RuleNeed::any_of(parts.iter().map(|part| self.condition_need(part))),
            Of::Def(inner) => self.condition_need(inner),
            // No call can make it true or unknown.
            Of::Constant(false) => RuleNeed::OneOf(Vec::new()),
            Of::Compare { source, negated: false, test, .. } => self.compare(source, test),
            Of::Command(test) => self.command(test),
            Of::Touches { verb, test: TouchTest::Like(globs) } => {
                self.path_globs_need(&AtomSubject::Touched(*verb), globs)
            }
            Of::Touches { verb, test: TouchTest::Under(dirs) } => {
                self.directories_need(&AtomSubject::Touched(*verb), dirs)
            }
            // A call that touches no files touches none outside.
            Of::Touches { verb, test: TouchTest::Outside(_) } if !self.rule.can_allow => {
                self.places.presence_need(&AtomSubject::Touched(*verb))
            }
            // A call that touches no files touches none that a list matches, whatever is filled in.
            Of::TouchesFilled { verb, .. } if !self.rule.can_allow => {
                self.places.presence_need(&AtomSubject::Touched(*verb))
            }
            // A call that connects to no host connects to none of these.
            Of::Connects(_) if !self.rule.can_allow => self.places.presence_need(&AtomSubject::Connected),
            Of::Constant(true)
            | Of::Not(_)
            | Of::Certain(_)
            | Of::Compare { .. }
            | Of::Exists(_)
            | Of::Truth(_)
            | Of::Touches { .. }
            | Of::TouchesFilled { .. }
            | Of::Connects(_)
            | Of::Happened(_) => RuleNeed::Nothing,
        };
        self.depth -= 1;
        need
    }

    /// Returns the need of a comparison that is not negated. Such a test is false without a value, with or without
    /// `all`.
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
                | ValueTest::LikeFilled(_)
                | ValueTest::Matches(_)
        );
        match need {
            RuleNeed::Nothing if is_of_texts && !place.is_always_there() => self.places.presence_need(&place),
            need => need,
        }
    }

    /// Returns the need that a value at the place satisfies a test.
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
            ValueTest::LikePath(globs) if place.is_path() => self.path_globs_need(place, globs),
            ValueTest::Matches(regex) => match regex.required_texts() {
                Some(texts) => RuleNeed::any_of(texts.iter().map(|text| self.places.part_need(place, text))),
                None => RuleNeed::Nothing,
            },
            _ => RuleNeed::Nothing,
        }
    }

    /// Returns the need that a value at the place is equal to another.
    fn equal(&mut self, place: &AtomSubject, value: &PolicyValue) -> RuleNeed {
        match value {
            PolicyValue::Literal(Literal::Text(text)) if place.is_path() => self.path_need(place, Path::new(text)),
            PolicyValue::Literal(Literal::Text(text)) => self.places.atom(place, AtomKind::Whole, text.as_bytes()),
            _ => RuleNeed::Nothing,
        }
    }

    /// Returns the need for a path in one of these directories. If a rule allows, nothing is derived for files that a
    /// call accesses: while some commands are unknown, such a test is unknown, not false.
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

    /// Returns the need for a path at or below `path`, which is relative to the project: it has the last component of
    /// `path` as a name, unless `path` leads through a symbolic link. Returns `Nothing` for other paths, such as
    /// absolute ones.
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

    /// Returns the need for a text that matches a list of globs. Excluding globs are ignored, since they only make
    /// fewer texts match.
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

    /// Returns the need for a path that matches a list of globs.
    fn path_globs_need(&mut self, place: &AtomSubject, globs: &PathGlobs) -> RuleNeed {
        // While some commands of a call are unknown, a test of accessed files is unknown for a rule that allows, not
        // false.
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

    /// Returns the need of a test of commands.
    fn command(&mut self, test: &CommandTest) -> RuleNeed {
        match test {
            CommandTest::Runs { patterns, .. } => self.runs_need(patterns),
            // A rule that does not see all commands may miss the first one.
            CommandTest::OnlyRuns { .. } if self.rule.base.scope().is_some() => RuleNeed::Nothing,
            CommandTest::OnlyRuns { patterns } => self.only_runs_need(patterns),
            CommandTest::Pipes { from, into } => RuleNeed::All(vec![self.runs_need(from), self.runs_need(into)]),
        }
    }

    /// Returns the need of `runs`: for one of the patterns, its program and one of the words that it requires after
    /// it.
    fn runs_need(&mut self, patterns: &Patterns) -> RuleNeed {
        self.patterns_need(&AtomSubject::Programs, patterns, |reader, pattern| {
            let named = reader.programs_need(&AtomSubject::Programs, pattern);
            let words = pattern.words_required().filter(|words| reader.has_room(words.count()));
            let Some(words) = words else { return named };
            let mut needs = Vec::with_capacity(words.count());
            words
                .for_each(|word| needs.push(reader.places.atom(&AtomSubject::Words, AtomKind::Whole, word.as_bytes())));
            RuleNeed::All(vec![named, RuleNeed::any_of(needs)])
        })
    }

    /// Returns the need of `only runs`: a program of one of the patterns is certainly run.
    fn only_runs_need(&mut self, patterns: &Patterns) -> RuleNeed {
        let place = &AtomSubject::Leading;
        self.patterns_need(place, patterns, |reader, pattern| reader.programs_need(place, pattern))
    }

    /// Returns the need for one of the patterns, each of which has the need that `one` returns.
    fn patterns_need(
        &mut self,
        place: &AtomSubject,
        patterns: &Patterns,
        mut one: impl FnMut(&mut Self, &Pattern) -> RuleNeed,
    ) -> RuleNeed {
        if !self.has_room(patterns.count()) {
            return RuleNeed::Nothing;
        }
        let mut all: Vec<RuleNeed> = patterns.iter().map(|pattern| one(self, pattern)).collect();
        // If it is uncertain that a text is a command, the test is unknown for a rule that allows, not false.
        if self.rule.can_allow && !all.is_empty() {
            all.push(self.places.atom(place, AtomKind::Guess, b""));
        }
        RuleNeed::any_of(all)
    }

    /// Returns the need for a program that a pattern names.
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

    /// Weakens the need of a rule that is judged once for each place where its commands run.
    ///
    /// If there are too many such commands, the rule is unknown, not false. So only the needs for programs and words
    /// are kept, and a program of any `runs` of the rule suffices.
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
                Of::Not(inner) | Of::Certain(inner) => open.push(inner),
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
    /// Returns the need for at least one of several; `Nothing` without any. A test of an empty list is not certainly
    /// false: it is unknown if the tested value is.
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

    /// Replaces the needs for atoms of places that are not in `places` by `Nothing`.
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

    /// Adds the cheapest atoms under which a rule with this need can be listed, so that every matching call has one
    /// of them, and returns their cost. Returns `None` if there are no such atoms; the caller must then discard the
    /// ones that were added.
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
                        // The chosen atoms of the cheapest need so far are at `start..end`.
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
