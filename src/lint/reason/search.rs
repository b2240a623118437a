//! Whether a formula can have a certain value: a bounded case split.

use super::theory::{self, Predicate, Unknown};
use super::{Atoms, Formula};

/// The maximum number of formula nodes visited per question.
const MOST_STEPS: usize = 20_000;

/// A set of truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Values(u8);

impl Values {
    /// Only true.
    const TRUE: Self = Self(1);
    /// Only false.
    const FALSE: Self = Self(2);
    /// Only unknown.
    const UNKNOWN: Self = Self(4);
    /// False or unknown.
    const NOT_TRUE: Self = Self(6);
    const KNOWN: Self = Self(3);
    const ALL: Self = Self(7);

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    fn is_one(self) -> bool {
        self.0.count_ones() == 1
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn negated(self) -> Self {
        let swapped = |from: Self, to: Self| if self.has(from) { to.0 } else { 0 };
        Self(swapped(Self::TRUE, Self::FALSE) | swapped(Self::FALSE, Self::TRUE) | (self.0 & Self::UNKNOWN.0))
    }
}

/// The tests that may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Logic {
    /// No test: enough to decide whether a formula can be true or false at all.
    Two,
    /// The tests of sources that may be unknown.
    Three,
}

impl Atoms<'_> {
    /// Whether a formula is certainly never true. It may be unknown.
    pub(in crate::lint) fn is_never_true(&self, formula: &Formula) -> bool {
        self.is_never(formula, Values::TRUE, Logic::Two)
    }

    /// Whether a formula is certainly never false or unknown.
    pub(in crate::lint) fn is_always_true(&self, formula: &Formula) -> bool {
        self.is_never(formula, Values::NOT_TRUE, Logic::Three)
    }

    /// Whether a formula is certainly never false. It may be unknown if its sources are.
    pub(in crate::lint) fn is_never_false(&self, formula: &Formula) -> bool {
        self.is_never(formula, Values::FALSE, Logic::Two)
    }

    /// Whether two formulas certainly always have the same value, unknowns included.
    pub(in crate::lint) fn are_the_same(&self, one: &Formula, other: &Formula) -> bool {
        [Values::TRUE, Values::FALSE, Values::UNKNOWN].into_iter().all(|value| {
            let mut search = Search::new(self, Logic::Three);
            search.find(&[(one, value), (other, Values(Values::ALL.0 & !value.0))]) == Some(false)
        })
    }

    fn is_never(&self, formula: &Formula, values: Values, logic: Logic) -> bool {
        Search::new(self, logic).find(&[(formula, values)]) == Some(false)
    }
}

struct Search<'s> {
    atoms: &'s Atoms<'s>,
    logic: Logic,
    assigned: Vec<Option<Values>>,
    /// The assigned atoms of each group.
    of_group: Vec<Vec<usize>>,
    steps: usize,
}

impl<'s> Search<'s> {
    fn new(atoms: &'s Atoms<'s>, logic: Logic) -> Self {
        let assigned = vec![None; atoms.atoms.len()];
        let of_group = vec![Vec::new(); atoms.groups.len()];
        Self { atoms, logic, assigned, of_group, steps: 0 }
    }

    /// Whether formulas can have certain values at the same time; `None` if that takes too long.
    fn find(&mut self, wanted: &[(&Formula, Values)]) -> Option<bool> {
        let mut open = None;
        for (formula, values) in wanted {
            let can = self.values(formula)?;
            if !can.has(*values) {
                return Some(false);
            }
            if !can.is_within(*values) {
                open = open.or_else(|| self.open(formula));
            }
        }
        let Some(atom) = open else { return Some(true) };
        for value in self.possible(atom) {
            if self.assign(atom, value) {
                let found = self.find(wanted)?;
                if found {
                    return Some(true);
                }
            }
            self.take_back(atom);
        }
        Some(false)
    }

    fn possible(&self, atom: usize) -> Vec<Values> {
        let all = self.of_atom(atom);
        [Values::TRUE, Values::FALSE, Values::UNKNOWN].into_iter().filter(|value| all.has(*value)).collect()
    }

    /// Returns the values that an atom can have on its own.
    fn of_atom(&self, at: usize) -> Values {
        if let Some(Some(value)) = self.assigned.get(at) {
            return *value;
        }
        let Some(atom) = self.atoms.atoms.get(at) else { return Values::ALL };
        let group = self.atoms.groups.get(atom.group);
        let may_be_unknown = group.is_none_or(|group| group.class.unknown != Unknown::Never)
            || matches!(atom.predicate, Predicate::Test(_) | Predicate::Opaque);
        if self.logic == Logic::Three && may_be_unknown { Values::ALL } else { Values::KNOWN }
    }

    /// Assigns a value, and returns whether it is consistent with the other atoms of the same source.
    fn assign(&mut self, at: usize, value: Values) -> bool {
        if let Some(slot) = self.assigned.get_mut(at) {
            *slot = Some(value);
        }
        let Some(atom) = self.atoms.atoms.get(at) else { return true };
        if let Some(group) = self.of_group.get_mut(atom.group) {
            group.push(at);
        }
        let (Some(group), Some(assigned)) = (self.atoms.groups.get(atom.group), self.of_group.get(atom.group)) else {
            return true;
        };
        let of = |at: &usize| {
            let atom = self.atoms.atoms.get(*at)?;
            Some((&atom.predicate, self.assigned.get(*at).copied().flatten()?))
        };
        let assigned: Vec<(&Predicate<'_>, Values)> = assigned.iter().filter_map(of).collect();
        self.atoms.charge(assigned.iter().map(|(predicate, _)| predicate.size()).sum());
        let unknown = assigned.iter().filter(|(_, value)| *value == Values::UNKNOWN).count();
        // A regex may be too big for one test while the source is known to the others.
        let is_plain = assigned.iter().all(|(predicate, _)| !matches!(predicate, Predicate::Test(_)));
        if group.class.unknown == Unknown::AtOnce && is_plain && unknown > 0 {
            return unknown == assigned.len();
        }
        let known: Vec<(&Predicate<'_>, bool)> = assigned
            .into_iter()
            .filter(|(_, value)| *value != Values::UNKNOWN)
            .map(|(predicate, value)| (predicate, value == Values::TRUE))
            .collect();
        known.is_empty() || theory::can_be(group.class, &known)
    }

    fn take_back(&mut self, at: usize) {
        if let Some(slot) = self.assigned.get_mut(at) {
            *slot = None;
        }
        if let Some(atom) = self.atoms.atoms.get(at)
            && let Some(group) = self.of_group.get_mut(atom.group)
        {
            group.retain(|other| *other != at);
        }
    }

    /// Returns a superset of the values that a formula can still have; `None` if that takes too long.
    fn values(&mut self, formula: &Formula) -> Option<Values> {
        self.steps += 1;
        if self.steps > MOST_STEPS || !self.atoms.charge(1) {
            return None;
        }
        Some(match formula {
            Formula::Constant(true) => Values::TRUE,
            Formula::Constant(false) => Values::FALSE,
            Formula::Atom(at) => self.of_atom(*at),
            Formula::Not(inner) => self.values(inner)?.negated(),
            Formula::And(parts) => self.joined(parts, Values::TRUE)?,
            Formula::Or(parts) => self.joined(parts, Values::FALSE)?,
        })
    }

    /// Returns the values of a connective: it is neutral if all its parts are neutral, and one part with the opposite
    /// value decides it.
    fn joined(&mut self, parts: &[Formula], neutral: Values) -> Option<Values> {
        let deciding = neutral.negated();
        let (mut all_neutral, mut one_decides, mut none_decides, mut one_unknown) = (true, false, true, false);
        for part in parts {
            let values = self.values(part)?;
            all_neutral &= values.has(neutral);
            one_decides |= values.has(deciding);
            one_unknown |= values.has(Values::UNKNOWN);
            none_decides &= !values.is_within(deciding);
            if values == deciding {
                return Some(deciding);
            }
        }
        let mut all = Values(0);
        if all_neutral {
            all = all.with(neutral);
        }
        if one_decides {
            all = all.with(deciding);
        }
        if one_unknown && none_decides {
            all = all.with(Values::UNKNOWN);
        }
        Some(all)
    }

    /// Returns the first unassigned atom of a formula that may affect its value.
    fn open(&mut self, formula: &Formula) -> Option<usize> {
        match formula {
            Formula::Constant(_) => None,
            Formula::Atom(at) => self.assigned.get(*at).is_some_and(Option::is_none).then_some(*at),
            Formula::Not(inner) => self.open(inner),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(|part| {
                let is_decided = self.values(part).is_some_and(Values::is_one);
                if is_decided { None } else { self.open(part) }
            }),
        }
    }
}
