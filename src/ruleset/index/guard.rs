//! Derives from a rule the atoms without which a call cannot match it.
//!
//! INVARIANT: an atom is used only if a call without it makes the test false, and not unknown, for paths as given and
//! with symbolic links resolved. No atoms are derived from negated tests and tests of facts.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::atom::{AtomKind, GRAM, key, normalize_text};
use super::facet::CallFacet;
use crate::ruleset::head::MAIN;
use crate::ruleset::{
    AgentSelectors, CommandCoverage, CommandTest, Condition, ConditionExpr as Of, DirOperand, Literal, Patterns,
    PolicyValue, Rule, SelectorList, TouchTest, ValueReference, ValueTest, may_move,
};
use crate::schema::Event;
use hookrules_shell::Pattern;
use hookrules_shell::path::{PathGlobs, RequiredPart, TextGlobs, required_text};
use hookrules_shell::pattern::ProgramName;

/// The maximum number of nodes of a rule's conditions that are examined. A rule with more is judged on every call.
const MAX_NODES: u32 = 2_000;

/// The maximum number of list items of a rule that are examined. The items of a `def` count at each use.
const MAX_ELEMENTS: usize = 8_192;

/// The maximum number of atoms of all rules of an event. No more are created after that, so that the remaining rules
/// are judged on every call.
const MAX_ATOMS: usize = 2_000_000;

/// The number of recently used facets that are compared before the map is searched.
const RECENT: usize = 4;

/// The maximum nesting depth of conditions and definitions.
const MAX_DEPTH: u32 = 100;

/// The maximum number of components of a path in the policy. A longer path gets no atoms.
const MAX_NAMES: usize = 4;

/// The atoms without which a call certainly does not match a rule or satisfy a condition.
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
    /// The hash of facet, kind and text. Atoms with the same key are treated as the same.
    pub(super) key: u32,
    /// The facet that the atom is about, by its number in [`CallFacets`].
    pub(super) facet: u16,
    /// How the text of the atom is compared with the facet.
    pub(super) kind: AtomKind,
    /// The range of the atom's text in `CallFacets::texts`.
    start: u32,
    /// The end of that range.
    end: u32,
}

/// The facets of the atoms of an event's rules, numbered in the order of first use, and the texts of the atoms.
#[derive(Default)]
pub(super) struct CallFacets {
    /// The facets, by their numbers.
    pub(super) all: Vec<CallFacet>,
    /// The number of each facet, by its encoding.
    known: BTreeMap<Vec<u8>, u16>,
    /// The most recently used facets, encoded, with their numbers; most lookups find one of them.
    recent: [Option<(Vec<u8>, u16)>; RECENT],
    /// The entry of `recent` to replace next.
    oldest: usize,
    /// A buffer in which a facet is encoded to be looked up.
    buffer: Vec<u8>,
    /// The number of atoms created.
    atoms: usize,
    /// The texts of all atoms in one buffer, which avoids thousands of allocations.
    texts: Vec<u8>,
}

impl CallFacets {
    /// Returns the number of a facet, which is assigned on first use; `None` if there are too many facets.
    fn id(&mut self, facet: &CallFacet) -> Option<u16> {
        self.buffer.clear();
        facet.encode(&mut self.buffer);
        if let Some((_, id)) = self.recent.iter().flatten().find(|(known, _)| *known == self.buffer) {
            return Some(*id);
        }
        let new_id = u16::try_from(self.all.len()).ok()?;
        let id = *self.known.entry(self.buffer.clone()).or_insert(new_id);
        if id == new_id {
            self.all.push(facet.clone());
        }
        if let Some(oldest) = self.recent.get_mut(self.oldest % RECENT) {
            *oldest = Some((std::mem::take(&mut self.buffer), id));
        }
        self.oldest = self.oldest.wrapping_add(1);
        Some(id)
    }

    /// Whether it is expensive to determine a call's values of a facet.
    pub(super) fn is_costly(&self, facet: u16) -> bool {
        self.all.get(usize::from(facet)).is_some_and(CallFacet::is_costly)
    }

    /// Returns the number of atoms created, at most [`MAX_ATOMS`].
    pub(super) fn atom_count(&self) -> usize {
        self.atoms.min(MAX_ATOMS)
    }

    /// Returns the text of an atom in its normal form. The text of a `LinkName` is spelled as in the policy.
    pub(super) fn atom_text(&self, atom: &Atom) -> &[u8] {
        let offset = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        self.texts.get(offset(atom.start)..offset(atom.end)).unwrap_or_default()
    }

    /// Creates an atom, and returns that a call needs it; `Nothing` if there are too many atoms, facets or texts.
    fn atom(&mut self, facet: &CallFacet, kind: AtomKind, text: &[u8]) -> RuleNeed {
        self.atoms += 1;
        let text_range = |facets: &Self| {
            let start = facets.texts.len();
            Some((u32::try_from(start).ok()?, u32::try_from(start + text.len()).ok()?))
        };
        match (self.id(facet).filter(|_| self.atoms <= MAX_ATOMS), text_range(self)) {
            (Some(facet), Some((start, end))) => {
                self.texts.extend_from_slice(text);
                RuleNeed::Atom(Atom { key: key(facet, kind, text), facet, kind, start, end })
            }
            _ => RuleNeed::Nothing,
        }
    }

    /// Returns that a call needs any value of a facet.
    fn presence_need(&mut self, facet: &CallFacet) -> RuleNeed {
        self.atom(facet, AtomKind::Any, b"")
    }

    /// Returns that a call needs a text of a facet that contains `text`; `Nothing` if `text` is shorter than a gram.
    fn part_need(&mut self, facet: &CallFacet, text: &str) -> RuleNeed {
        let text = normalize_text(text);
        if text.len() < GRAM { RuleNeed::Nothing } else { self.atom(facet, AtomKind::Part, text.as_bytes()) }
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
pub(super) fn need_of_rule(rule: &Rule, event: Event, facets: &mut CallFacets) -> RuleNeed {
    let mut reader = NeedReader { rule, event, facets, parts: 0, elements: 0, depth: 0 };
    let mut needs = vec![reader.subjects()];
    needs.extend(rule.head.agents.as_ref().map(|agents| reader.agents(agents)));
    // For such a rule, the atoms of commands in files would count too. They are not searched only to find rules, so
    // the rule is listed by its head alone.
    if rule.traits.commands == CommandCoverage::CallAndFiles {
        return RuleNeed::All(needs);
    }
    let mut when = rule.when.as_ref().map_or(RuleNeed::Nothing, |when| reader.condition_need(when));
    // The call may have begun in another directory than the one in which its files are looked up.
    if rule.is_judged_where_begun()
        && let Some(moves) = may_move(rule.span)
    {
        when = RuleNeed::any_of([when, reader.condition_need(&moves)]);
    }
    needs.push(if rule.looks_at_surroundings { reader.reduce_to_surroundings(when) } else { when });
    RuleNeed::All(needs)
}

/// Derives the atoms that a call needs to match one rule, and counts the nodes, list items and levels that were
/// examined.
struct NeedReader<'r, 'p> {
    rule: &'r Rule,
    event: Event,
    facets: &'p mut CallFacets,
    /// The number of condition nodes examined so far.
    parts: u32,
    /// The number of list items examined so far.
    elements: usize,
    /// The number of conditions that contain the current one.
    depth: u32,
}

impl<'r> NeedReader<'r, '_> {
    /// Returns that a call needs a subject that the rule's head selects on the event.
    fn subjects(&mut self) -> RuleNeed {
        let (rule, event) = (self.rule, self.event);
        let of_event = rule.head.events.iter().filter(|selector| selector.event == event);
        RuleNeed::any_of(of_event.map(|selector| self.selectors(&CallFacet::Subject, selector.subjects.as_ref())))
    }

    /// Returns that a call needs an agent that the rule's `by` selects.
    fn agents(&mut self, agents: &AgentSelectors) -> RuleNeed {
        self.selectors(&CallFacet::Agent, Some(&agents.0))
    }

    /// Returns that a call needs a text that a list of selectors selects. Excluded globs are ignored, except that
    /// `!main` alone needs an agent other than the main one.
    fn selectors(&mut self, facet: &CallFacet, list: Option<&SelectorList>) -> RuleNeed {
        let excludes_main =
            |list: &&SelectorList| list.includes.is_empty() && list.excludes.iter().any(|glob| glob == MAIN);
        if matches!(facet, CallFacet::Agent) && list.as_ref().is_some_and(excludes_main) {
            return self.facets.presence_need(facet);
        }
        let Some(list) = list.filter(|list| !list.is_star() && !list.includes.is_empty()) else {
            return RuleNeed::Nothing;
        };
        RuleNeed::any_of(list.includes.iter().map(|glob| self.glob(facet, glob)))
    }

    /// Returns that a call needs a text that a glob matches.
    fn glob(&mut self, facet: &CallFacet, glob: &str) -> RuleNeed {
        if is_literal(glob) {
            return self.facets.atom(facet, AtomKind::Whole, glob.as_bytes());
        }
        match required_text(glob) {
            Some(RequiredPart::ExactText(text)) => self.facets.atom(facet, AtomKind::Whole, text.as_bytes()),
            Some(RequiredPart::Substring(text)) => self.facets.part_need(facet, &text),
            _ => RuleNeed::Nothing,
        }
    }

    /// Counts list items, and returns whether they may still be examined.
    fn has_room(&mut self, elements: usize) -> bool {
        self.elements = self.elements.saturating_add(elements);
        self.elements <= MAX_ELEMENTS
    }

    /// Returns the atoms that a call needs so that a condition is not certainly false.
    fn condition_need(&mut self, condition: &Condition) -> RuleNeed {
        self.parts += 1;
        if self.parts > MAX_NODES || self.depth > MAX_DEPTH {
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
                self.path_globs_need(&CallFacet::Touched(*verb), globs)
            }
            Of::Touches { verb, test: TouchTest::Under(dirs) } => {
                self.directories_need(&CallFacet::Touched(*verb), dirs)
            }
            // A call that touches no files touches none outside.
            Of::Touches { verb, test: TouchTest::Outside(_) } if !self.rule.can_allow => {
                self.facets.presence_need(&CallFacet::Touched(*verb))
            }
            // A call that touches no files touches none that a list matches, whatever is filled in.
            Of::TouchesFilled { verb, .. } if !self.rule.can_allow => {
                self.facets.presence_need(&CallFacet::Touched(*verb))
            }
            // A call that connects to no host connects to none of these.
            Of::Connects(_) if !self.rule.can_allow => self.facets.presence_need(&CallFacet::Connected),
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

    /// Returns the atoms that a call needs to satisfy a comparison that is not negated. Without a value, such a
    /// comparison is false, with or without `all`.
    fn compare(&mut self, source: &ValueReference, test: &ValueTest) -> RuleNeed {
        let Some(facet) = CallFacet::field(source) else { return RuleNeed::Nothing };
        let need = self.test(&facet, test);
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
            RuleNeed::Nothing if is_of_texts && !facet.is_always_there() => self.facets.presence_need(&facet),
            need => need,
        }
    }

    /// Returns the atoms that a call needs so that a value of the facet satisfies a test.
    fn test(&mut self, facet: &CallFacet, test: &ValueTest) -> RuleNeed {
        match test {
            ValueTest::Under(dirs) if facet.is_path() => self.directories_need(facet, dirs),
            ValueTest::Equal(value) => self.equal(facet, value),
            ValueTest::In(values) if self.has_room(values.len()) => {
                RuleNeed::any_of(values.iter().map(|value| self.equal(facet, value)))
            }
            ValueTest::Contains(value) | ValueTest::StartsWith(value) | ValueTest::EndsWith(value) => match value {
                PolicyValue::Literal(Literal::Text(text)) => self.facets.part_need(facet, text),
                _ => RuleNeed::Nothing,
            },
            ValueTest::LikeText(globs) => self.globs_need(facet, globs),
            ValueTest::LikePath(globs) if facet.is_path() => self.path_globs_need(facet, globs),
            ValueTest::Matches(regex) => match regex.required_texts() {
                Some(texts) => RuleNeed::any_of(texts.iter().map(|text| self.facets.part_need(facet, text))),
                None => RuleNeed::Nothing,
            },
            _ => RuleNeed::Nothing,
        }
    }

    /// Returns the atoms that a call needs so that a value of the facet is equal to `value`.
    fn equal(&mut self, facet: &CallFacet, value: &PolicyValue) -> RuleNeed {
        match value {
            PolicyValue::Literal(Literal::Text(text)) if facet.is_path() => self.path_need(facet, Path::new(text)),
            PolicyValue::Literal(Literal::Text(text)) => self.facets.atom(facet, AtomKind::Whole, text.as_bytes()),
            _ => RuleNeed::Nothing,
        }
    }

    /// Returns that a call needs a path in one of these directories. If a rule allows, nothing is derived for files
    /// that a call accesses: while some commands are unknown, such a test is unknown, not false.
    fn directories_need(&mut self, facet: &CallFacet, dirs: &[DirOperand]) -> RuleNeed {
        if (self.rule.can_allow && matches!(facet, CallFacet::Touched(_))) || !self.has_room(dirs.len()) {
            return RuleNeed::Nothing;
        }
        let mut one = |dir: &DirOperand| match dir {
            DirOperand::Literal(path) => self.path_need(facet, path),
            _ => RuleNeed::Nothing,
        };
        RuleNeed::any_of(dirs.iter().map(&mut one))
    }

    /// Returns that a call needs a path at or below `path`, which is relative to the project: a path with the last
    /// component of `path` as a name, unless `path` leads through a symbolic link. Returns `Nothing` for other paths,
    /// such as absolute ones.
    fn path_need(&mut self, facet: &CallFacet, path: &Path) -> RuleNeed {
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
        let Some(last) = names.last().filter(|_| names.len() <= MAX_NAMES) else { return RuleNeed::Nothing };
        let mut needs = vec![self.facets.atom(facet, AtomKind::Name, last.to_ascii_lowercase().as_bytes())];
        for count in 1..=names.len() {
            // Keeps the spelling of the policy, which is needed to find the directory of the link.
            let prefix = names.iter().take(count).copied().collect::<Vec<_>>().join("/");
            needs.push(self.facets.atom(facet, AtomKind::LinkName, prefix.as_bytes()));
        }
        RuleNeed::any_of(needs)
    }

    /// Returns that a call needs a text that matches a list of globs. Excluding globs are ignored, since they only make
    /// fewer texts match.
    fn globs_need(&mut self, facet: &CallFacet, globs: &TextGlobs) -> RuleNeed {
        if !self.has_room(globs.patterns().len()) {
            return RuleNeed::Nothing;
        }
        let includes: Vec<_> = globs.alternatives().filter(|(excludes, _)| !excludes).collect();
        if !self.has_room(includes.len().saturating_sub(globs.patterns().len())) {
            return RuleNeed::Nothing;
        }
        RuleNeed::any_of(includes.into_iter().map(|(_, glob)| self.glob(facet, &glob)))
    }

    /// Returns that a call needs a path that matches a list of globs.
    fn path_globs_need(&mut self, facet: &CallFacet, globs: &PathGlobs) -> RuleNeed {
        // While some commands of a call are unknown, a test of accessed files is unknown for a rule that allows, not
        // false.
        if (self.rule.can_allow && matches!(facet, CallFacet::Touched(_))) || !self.has_room(globs.patterns().len()) {
            return RuleNeed::Nothing;
        }
        let required = globs.required();
        if !self.has_room(required.len().saturating_sub(globs.patterns().len())) {
            return RuleNeed::Nothing;
        }
        let mut one = |required: &RequiredPart<'_>| match required {
            RequiredPart::Name(text) => self.facets.atom(facet, AtomKind::Name, text.as_bytes()),
            RequiredPart::Extension(text) => self.facets.atom(facet, AtomKind::Extension, text.as_bytes()),
            RequiredPart::Substring(text) | RequiredPart::ExactText(text) => self.facets.part_need(facet, text),
        };
        RuleNeed::any_of(required.iter().map(|all| RuleNeed::All(all.iter().map(&mut one).collect())))
    }

    /// Returns the atoms that a call needs to satisfy a test of commands.
    fn command(&mut self, test: &CommandTest) -> RuleNeed {
        match test {
            CommandTest::Runs { patterns, .. } => self.runs_need(patterns),
            // A rule that does not see all commands may miss the first one.
            CommandTest::OnlyRuns { .. } if self.rule.base.scope().is_some() => RuleNeed::Nothing,
            CommandTest::OnlyRuns { patterns } => self.only_runs_need(patterns),
            CommandTest::Pipes { from, into } => RuleNeed::All(vec![self.runs_need(from), self.runs_need(into)]),
        }
    }

    /// Returns the atoms that a call needs to satisfy `runs`: for one of the patterns, its program and one of the words
    /// that it requires after the program.
    fn runs_need(&mut self, patterns: &Patterns) -> RuleNeed {
        self.patterns_need(&CallFacet::Programs, patterns, |reader, pattern| {
            let named = reader.programs_need(&CallFacet::Programs, pattern);
            let words = pattern.words_required().filter(|words| reader.has_room(words.count()));
            let Some(words) = words else { return named };
            let mut needs = Vec::with_capacity(words.count());
            words.for_each(|word| needs.push(reader.facets.atom(&CallFacet::Words, AtomKind::Whole, word.as_bytes())));
            RuleNeed::All(vec![named, RuleNeed::any_of(needs)])
        })
    }

    /// Returns the atoms that a call needs to satisfy `only runs`: a program of one of the patterns that is certainly
    /// run.
    fn only_runs_need(&mut self, patterns: &Patterns) -> RuleNeed {
        let facet = &CallFacet::Leading;
        self.patterns_need(facet, patterns, |reader, pattern| reader.programs_need(facet, pattern))
    }

    /// Returns that a call needs the atoms of one of the patterns. `need_of` returns those of a single pattern.
    fn patterns_need(
        &mut self,
        facet: &CallFacet,
        patterns: &Patterns,
        mut need_of: impl FnMut(&mut Self, &Pattern) -> RuleNeed,
    ) -> RuleNeed {
        if !self.has_room(patterns.count()) {
            return RuleNeed::Nothing;
        }
        let mut all: Vec<RuleNeed> = patterns.iter().map(|pattern| need_of(self, pattern)).collect();
        // If it is uncertain that a text is a command, the test is unknown for a rule that allows, not false.
        if self.rule.can_allow && !all.is_empty() {
            all.push(self.facets.atom(facet, AtomKind::Guess, b""));
        }
        RuleNeed::any_of(all)
    }

    /// Returns that a call needs a program that a pattern names.
    fn programs_need(&mut self, facet: &CallFacet, pattern: &Pattern) -> RuleNeed {
        let mut further_names = 0;
        let of_name = |(number, name): (usize, ProgramName<'_>)| {
            further_names = number;
            match name {
                ProgramName::Whole(name) => self.facets.atom(facet, AtomKind::Whole, name.as_bytes()),
                ProgramName::Part(text) => match self.facets.part_need(facet, &text) {
                    RuleNeed::Nothing => self.facets.presence_need(facet),
                    need => need,
                },
                ProgramName::Any => self.facets.presence_need(facet),
            }
        };
        let need = RuleNeed::any_of(pattern.programs_required().enumerate().map(of_name));
        if self.has_room(further_names) { need } else { RuleNeed::Nothing }
    }

    /// Weakens the need of a rule that is judged once for each directory in which its commands run.
    ///
    /// If there are too many such commands, the rule is unknown, not false. So only the needs for programs and words
    /// are kept, and a program of any `runs` of the rule suffices.
    fn reduce_to_surroundings(&mut self, when: RuleNeed) -> RuleNeed {
        let ids = [&CallFacet::Programs, &CallFacet::Words].map(|facet| self.facets.id(facet));
        let [Some(programs), Some(words)] = ids else { return RuleNeed::Nothing };
        let mut all = vec![when.limited_to(&[programs, words])];
        let mut unvisited: Vec<&'r Condition> = [&self.rule.when, &self.rule.unless].into_iter().flatten().collect();
        while let Some(condition) = unvisited.pop() {
            self.parts += 1;
            if self.parts > MAX_NODES {
                return RuleNeed::Nothing;
            }
            match &condition.kind {
                Of::And(parts) | Of::Or(parts) => unvisited.extend(parts),
                Of::Not(inner) | Of::Certain(inner) => unvisited.push(inner),
                Of::Def(inner) => unvisited.push(inner),
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
    /// Returns that a call needs at least one of several; `Nothing` if there are none, because a test of an empty list
    /// is not certainly false: it is unknown if the tested value is.
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

    /// Replaces the needs for atoms of facets that are not in `facets` by `Nothing`.
    fn limited_to(self, facets: &[u16]) -> Self {
        match self {
            Self::Atom(atom) if !facets.contains(&atom.facet) => Self::Nothing,
            Self::All(needs) => Self::All(needs.into_iter().map(|need| need.limited_to(facets)).collect()),
            Self::OneOf(needs) => Self::OneOf(needs.into_iter().map(|need| need.limited_to(facets)).collect()),
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
                        Some(need_cost) if least.is_none_or(|least| need_cost < least) => {
                            chosen.drain(start..end);
                            least = Some(need_cost);
                        }
                        _ => chosen.truncate(end),
                    }
                }
                least
            }
            Self::OneOf(needs) => {
                needs.iter().try_fold(0_u64, |sum, need| Some(sum.saturating_add(need.choose(cost, chosen)?)))
            }
        }
    }
}

#[cfg(test)]
mod tests;
