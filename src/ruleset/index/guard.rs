//! From a rule to the atoms without which it cannot match.
//!
//! INVARIANT: an atom is taken only where a call that lacks it makes what it stands for false, and not unknown, in
//! every form of paths. What is negated needs nothing, and neither does what a fact decides.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::atom::{GRAM, Kind, key, plain};
use super::place::AtomSubject;
use crate::ruleset::head::MAIN;
use crate::ruleset::{
    AgentSelectors, CommandTest, Commands, Condition, Dir, Kind as Of, Literal, Patterns, Rule, SelectorList, Source,
    Test, TouchTest, Value,
};
use crate::schema::Event;
use hookrules_shell::path::{PathGlobs, Required, TextGlobs, required_text};
use hookrules_shell::{Pattern, ProgramName};

/// The most parts of conditions of one rule that are looked at. One that has more is judged each time.
const PARTS: u32 = 2_000;

/// The most elements of lists in the conditions of one rule that are looked at, those of a `def` each time that it is
/// used.
const ELEMENTS: usize = 8_192;

/// The most atoms that the rules of an event are made to need. What comes after them is judged each time.
const ATOMS: usize = 2_000_000;

/// How many places are found without a search.
const RECENT: usize = 4;

/// How deep conditions and definitions may lie in each other.
const DEPTH: u32 = 100;

/// The most names of a path of the policy.
const NAMES: usize = 4;

/// What a rule, or a part of one, needs of a call to be anything else than false.
#[derive(Debug)]
pub(super) enum Need {
    /// Nothing that can be told.
    Nothing,
    /// This.
    Atom(Atom),
    /// Every one of these needs is its own: one of them can be looked for in place of all.
    All(Vec<Need>),
    /// One of these needs is met; where there is none, nothing makes it anything else than false.
    OneOf(Vec<Need>),
}

/// Something that a call may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    /// The key of all below: two that have one key are taken for one.
    pub(super) key: u32,
    /// What it is about, by its place among [`Places`].
    pub(super) place: u16,
    /// What it says of that.
    pub(super) kind: Kind,
    /// Where its text stands among [`Places`].
    start: u32,
    end: u32,
}

/// The places that the rules of an event ask about, in the order in which they first do.
#[derive(Default)]
pub(super) struct Places {
    pub(super) all: Vec<AtomSubject>,
    known: BTreeMap<Vec<u8>, u16>,
    /// Those that were asked about last, as they are written: the next is mostly among them.
    recent: [Option<(Vec<u8>, u16)>; RECENT],
    /// Which of these is replaced next.
    oldest: usize,
    /// Where the next one is written.
    next: Vec<u8>,
    /// How many atoms were made.
    atoms: usize,
    /// The texts of the atoms, one behind the other: thousands of them take no memory of their own.
    texts: Vec<u8>,
}

impl Places {
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

    /// Tells whether it costs much to tell what a call has of a place.
    pub(super) fn is_costly(&self, place: u16) -> bool {
        self.all.get(usize::from(place)).is_some_and(AtomSubject::is_costly)
    }

    /// Returns how many atoms were made: no more are needed.
    pub(super) fn made(&self) -> usize {
        self.atoms.min(ATOMS)
    }

    /// Returns the text of an atom, as it is looked for; a link as the policy writes it.
    pub(super) fn text(&self, atom: &Atom) -> &[u8] {
        let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        self.texts.get(place(atom.start)..place(atom.end)).unwrap_or_default()
    }

    /// Returns the need of an atom.
    fn atom(&mut self, place: &AtomSubject, kind: Kind, text: &[u8]) -> Need {
        self.atoms += 1;
        let ends = |places: &Self| {
            let start = places.texts.len();
            Some((u32::try_from(start).ok()?, u32::try_from(start + text.len()).ok()?))
        };
        match (self.id(place).filter(|_| self.atoms <= ATOMS), ends(self)) {
            (Some(place), Some((start, end))) => {
                self.texts.extend_from_slice(text);
                Need::Atom(Atom { key: key(place, kind, text), place, kind, start, end })
            }
            _ => Need::Nothing,
        }
    }

    /// Returns the need that there is one at all.
    fn any(&mut self, place: &AtomSubject) -> Need {
        self.atom(place, Kind::Any, b"")
    }

    fn part(&mut self, place: &AtomSubject, text: &str) -> Need {
        let text = plain(text);
        if text.len() < GRAM { Need::Nothing } else { self.atom(place, Kind::Part, text.as_bytes()) }
    }
}

/// Returns the subjects of an event that a rule selects, each to the letter; nothing where it may select others.
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

/// Tells whether what a selector says is meant to the letter.
fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '\\'])
}

/// Returns what a rule needs of a call of an event.
pub(super) fn need(rule: &Rule, event: Event, places: &mut Places) -> Need {
    let mut reader = GuardReader { rule, event, places, parts: 0, elements: 0, depth: 0 };
    let mut all = vec![reader.subjects()];
    all.extend(rule.head.agents.as_ref().map(|agents| reader.agents(agents)));
    // What stands in a file is not looked into to find out whom it concerns.
    if rule.traits.commands == Commands::InFilesToo {
        return Need::All(all);
    }
    let when = rule.when.as_ref().map_or(Need::Nothing, |when| reader.condition(when));
    all.push(if rule.looks_at_surroundings { reader.in_surroundings(when) } else { when });
    Need::All(all)
}

struct GuardReader<'r, 'p> {
    rule: &'r Rule,
    event: Event,
    places: &'p mut Places,
    parts: u32,
    elements: usize,
    depth: u32,
}

impl<'r> GuardReader<'r, '_> {
    fn subjects(&mut self) -> Need {
        let (rule, event) = (self.rule, self.event);
        let of_event = rule.head.events.iter().filter(|selector| selector.event == event);
        Need::one_of(of_event.map(|selector| self.selectors(&AtomSubject::Subject, selector.subjects.as_ref())))
    }

    fn agents(&mut self, agents: &AgentSelectors) -> Need {
        self.selectors(&AtomSubject::Agent, Some(&agents.0))
    }

    fn selectors(&mut self, place: &AtomSubject, list: Option<&SelectorList>) -> Need {
        let is_no_main =
            |list: &&SelectorList| list.includes.is_empty() && list.excludes.iter().any(|glob| glob == MAIN);
        if matches!(place, AtomSubject::Agent) && list.as_ref().is_some_and(is_no_main) {
            return self.places.any(place);
        }
        let Some(list) = list.filter(|list| !list.is_star() && !list.includes.is_empty()) else { return Need::Nothing };
        Need::one_of(list.includes.iter().map(|glob| self.glob(place, glob)))
    }

    fn glob(&mut self, place: &AtomSubject, glob: &str) -> Need {
        if is_literal(glob) {
            return self.places.atom(place, Kind::Whole, glob.as_bytes());
        }
        match required_text(glob) {
            Some(Required::Whole(text)) => self.places.atom(place, Kind::Whole, text.as_bytes()),
            Some(Required::Part(text)) => self.places.part(place, &text),
            _ => Need::Nothing,
        }
    }

    /// Counts the elements of a list; tells whether they may be looked at.
    fn has_room(&mut self, elements: usize) -> bool {
        self.elements = self.elements.saturating_add(elements);
        self.elements <= ELEMENTS
    }

    fn condition(&mut self, condition: &Condition) -> Need {
        self.parts += 1;
        if self.parts > PARTS || self.depth > DEPTH {
            return Need::Nothing;
        }
        self.depth += 1;
        let need = match &condition.kind {
            Of::And(parts) => Need::All(parts.iter().map(|part| self.condition(part)).collect()),
            Of::Or(parts) => Need::one_of(parts.iter().map(|part| self.condition(part))),
            Of::Def(inner) => self.condition(inner),
            // Nothing that a call has makes it true, and nothing unknown.
            Of::Constant(false) => Need::OneOf(Vec::new()),
            Of::Compare { source, negated: false, test, .. } => self.compare(source, test),
            Of::Command(test) => self.command(test),
            Of::Touches { verb, test: TouchTest::Like(globs) } => self.paths(&AtomSubject::Touched(*verb), globs),
            Of::Touches { verb, test: TouchTest::Under(dirs) } => self.under(&AtomSubject::Touched(*verb), dirs),
            // What touches nothing touches nothing outside.
            Of::Touches { verb, test: TouchTest::Outside(_) } if !self.rule.can_allow => {
                self.places.any(&AtomSubject::Touched(*verb))
            }
            // What talks to nobody talks to none of these.
            Of::Connects(_) if !self.rule.can_allow => self.places.any(&AtomSubject::Connected),
            Of::Constant(true)
            | Of::Not(_)
            | Of::Compare { .. }
            | Of::Exists(_)
            | Of::Truth(_)
            | Of::Touches { .. }
            | Of::Connects(_) => Need::Nothing,
        };
        self.depth -= 1;
        need
    }

    /// Without a value a test is false, negated or not: that is `all`'s business as well.
    fn compare(&mut self, source: &Source, test: &Test) -> Need {
        let Some(place) = AtomSubject::field(source) else { return Need::Nothing };
        let need = self.test(&place, test);
        // These are false of what is no text.
        let is_of_texts = matches!(
            test,
            Test::Contains(_)
                | Test::StartsWith(_)
                | Test::EndsWith(_)
                | Test::LikeText(_)
                | Test::LikePath(_)
                | Test::Matches(_)
        );
        match need {
            Need::Nothing if is_of_texts && !place.is_always_there() => self.places.any(&place),
            need => need,
        }
    }

    fn test(&mut self, place: &AtomSubject, test: &Test) -> Need {
        match test {
            Test::Under(dirs) if place.is_path() => self.under(place, dirs),
            Test::Equal(value) => self.equal(place, value),
            Test::In(values) if self.has_room(values.len()) => {
                Need::one_of(values.iter().map(|value| self.equal(place, value)))
            }
            Test::Contains(value) | Test::StartsWith(value) | Test::EndsWith(value) => match value {
                Value::Literal(Literal::Text(text)) => self.places.part(place, text),
                _ => Need::Nothing,
            },
            Test::LikeText(globs) => self.texts(place, globs),
            Test::LikePath(globs) if place.is_path() => self.paths(place, globs),
            Test::Matches(regex) => match regex.required() {
                Some(texts) => Need::one_of(texts.iter().map(|text| self.places.part(place, text))),
                None => Need::Nothing,
            },
            _ => Need::Nothing,
        }
    }

    fn equal(&mut self, place: &AtomSubject, value: &Value) -> Need {
        match value {
            Value::Literal(Literal::Text(text)) if place.is_path() => self.leads_to(place, Path::new(text)),
            Value::Literal(Literal::Text(text)) => self.places.atom(place, Kind::Whole, text.as_bytes()),
            _ => Need::Nothing,
        }
    }

    fn under(&mut self, place: &AtomSubject, dirs: &[Dir]) -> Need {
        if (self.rule.can_allow && matches!(place, AtomSubject::Touched(_))) || !self.has_room(dirs.len()) {
            return Need::Nothing;
        }
        let mut one = |dir: &Dir| match dir {
            Dir::Literal(path) => self.leads_to(place, path),
            _ => Need::Nothing,
        };
        Need::one_of(dirs.iter().map(&mut one))
    }

    /// A path of the policy from the project. What is there or below it has its last name, unless the path leads
    /// through a link: then it may have any other.
    fn leads_to(&mut self, place: &AtomSubject, path: &Path) -> Need {
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(name) => match name.to_str().filter(|name| name.is_ascii()) {
                    // `~` and `$HOME` lead elsewhere.
                    Some(name) if !name.starts_with(['~', '$']) => names.push(name),
                    _ => return Need::Nothing,
                },
                _ => return Need::Nothing,
            }
        }
        let Some(last) = names.last().filter(|_| names.len() <= NAMES) else { return Need::Nothing };
        let mut needs = vec![self.places.atom(place, Kind::Name, last.to_ascii_lowercase().as_bytes())];
        for count in 1..=names.len() {
            // As it is written: so the directory is found in which links are looked for.
            let start = names.iter().take(count).copied().collect::<Vec<_>>().join("/");
            needs.push(self.places.atom(place, Kind::Through, start.as_bytes()));
        }
        Need::one_of(needs)
    }

    /// An exclusion only takes away.
    fn texts(&mut self, place: &AtomSubject, globs: &TextGlobs) -> Need {
        if !self.has_room(globs.patterns().len()) {
            return Need::Nothing;
        }
        let includes: Vec<_> = globs.alternatives().filter(|(excludes, _)| !excludes).collect();
        if !self.has_room(includes.len().saturating_sub(globs.patterns().len())) {
            return Need::Nothing;
        }
        Need::one_of(includes.into_iter().map(|(_, glob)| self.glob(place, &glob)))
    }

    fn paths(&mut self, place: &AtomSubject, globs: &PathGlobs) -> Need {
        // Of a call whose commands are not all told, no allow hangs on what they touch.
        if (self.rule.can_allow && matches!(place, AtomSubject::Touched(_))) || !self.has_room(globs.patterns().len()) {
            return Need::Nothing;
        }
        let required = globs.required();
        if !self.has_room(required.len().saturating_sub(globs.patterns().len())) {
            return Need::Nothing;
        }
        let mut one = |required: &Required<'_>| match required {
            Required::Name(text) => self.places.atom(place, Kind::Name, text.as_bytes()),
            Required::Extension(text) => self.places.atom(place, Kind::Extension, text.as_bytes()),
            Required::Part(text) | Required::Whole(text) => self.places.part(place, text),
        };
        Need::one_of(required.iter().map(|all| Need::All(all.iter().map(&mut one).collect())))
    }

    fn command(&mut self, test: &CommandTest) -> Need {
        match test {
            CommandTest::Runs { patterns, .. } => self.runs(patterns),
            CommandTest::OnlyRuns { patterns } => self.only_runs(patterns),
            CommandTest::Pipes { from, into } => Need::All(vec![self.runs(from), self.runs(into)]),
        }
    }

    /// A program, and with it the first word that the pattern names behind it.
    fn runs(&mut self, patterns: &Patterns) -> Need {
        self.patterns(&AtomSubject::Programs, patterns, |reader, pattern| {
            let named = reader.named(&AtomSubject::Programs, pattern);
            let words = pattern.words_required().filter(|words| reader.has_room(words.count()));
            let Some(words) = words else { return named };
            let mut needs = Vec::with_capacity(words.count());
            words.each(|word| needs.push(reader.places.atom(&AtomSubject::Words, Kind::Whole, word.as_bytes())));
            Need::All(vec![named, Need::one_of(needs)])
        })
    }

    fn only_runs(&mut self, patterns: &Patterns) -> Need {
        let place = &AtomSubject::Leading;
        self.patterns(place, patterns, |reader, pattern| reader.named(place, pattern))
    }

    fn patterns(
        &mut self,
        place: &AtomSubject,
        patterns: &Patterns,
        mut one: impl FnMut(&mut Self, &Pattern) -> Need,
    ) -> Need {
        if !self.has_room(patterns.count()) {
            return Need::Nothing;
        }
        let mut all: Vec<Need> = patterns.iter().map(|pattern| one(self, pattern)).collect();
        if self.rule.can_allow && !all.is_empty() {
            all.push(self.places.atom(place, Kind::Guess, b""));
        }
        Need::one_of(all)
    }

    /// A program of a pattern.
    fn named(&mut self, place: &AtomSubject, pattern: &Pattern) -> Need {
        let mut more = 0;
        let of_name = |(number, name): (usize, ProgramName<'_>)| {
            more = number;
            match name {
                ProgramName::Whole(name) => self.places.atom(place, Kind::Whole, name.as_bytes()),
                ProgramName::Part(text) => match self.places.part(place, &text) {
                    Need::Nothing => self.places.any(place),
                    need => need,
                },
                ProgramName::Any => self.places.any(place),
            }
        };
        let need = Need::one_of(pattern.programs_required().enumerate().map(of_name));
        if self.has_room(more) { need } else { Need::Nothing }
    }

    /// A rule that is judged where its commands run is unknown where these are too many: whatever else it needs, a
    /// program of one of its `runs` it needs too.
    fn in_surroundings(&mut self, when: Need) -> Need {
        let ids = [&AtomSubject::Programs, &AtomSubject::Words].map(|place| self.places.id(place));
        let [Some(programs), Some(words)] = ids else { return Need::Nothing };
        let mut all = vec![when.about(&[programs, words])];
        let mut open: Vec<&'r Condition> = [&self.rule.when, &self.rule.unless].into_iter().flatten().collect();
        while let Some(condition) = open.pop() {
            self.parts += 1;
            if self.parts > PARTS {
                return Need::Nothing;
            }
            match &condition.kind {
                Of::And(parts) | Of::Or(parts) => open.extend(parts),
                Of::Not(inner) => open.push(inner),
                Of::Def(inner) => open.push(inner),
                Of::Command(CommandTest::Runs { patterns, .. }) => {
                    all.push(self.runs(patterns));
                }
                _ => {}
            }
        }
        Need::one_of(all)
    }
}

impl Need {
    /// Returns the need of one thing out of a list. A test of an empty list is unknown where what it looks at is, so
    /// that it needs nothing.
    fn one_of(needs: impl IntoIterator<Item = Self>) -> Self {
        let mut needs = needs.into_iter();
        // Most lists have one element.
        let Some(first) = needs.next() else { return Self::Nothing };
        let Some(second) = needs.next() else { return first };
        let mut all = Vec::with_capacity(needs.size_hint().0.saturating_add(2));
        all.extend([first, second]);
        all.extend(needs);
        Self::OneOf(all)
    }

    /// Returns what is left of it where some places alone are looked at.
    fn about(self, places: &[u16]) -> Self {
        match self {
            Self::Atom(atom) if !places.contains(&atom.place) => Self::Nothing,
            Self::All(needs) => Self::All(needs.into_iter().map(|need| need.about(places)).collect()),
            Self::OneOf(needs) => Self::OneOf(needs.into_iter().map(|need| need.about(places)).collect()),
            other => other,
        }
    }

    /// Shows every atom of it.
    pub(super) fn atoms<'n>(&'n self, see: &mut impl FnMut(&'n Atom)) {
        match self {
            Self::Nothing => {}
            Self::Atom(atom) => see(atom),
            Self::All(needs) | Self::OneOf(needs) => needs.iter().for_each(|need| need.atoms(see)),
        }
    }

    /// Chooses the atoms under which a rule stands: one of them a call must have. Of several ways it takes the one that
    /// costs least, adds its atoms, and tells what it costs; nothing where there is none, and what it added until then
    /// does not count.
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
