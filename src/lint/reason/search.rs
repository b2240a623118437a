//! Whether a formula can have a certain value: a bounded case split.

use super::theory::{self, Predicate, UnknownScope};
use super::{Atoms, Formula};

/// The maximum number of formula nodes visited per question.
const MAX_STEPS: usize = 20_000;

/// A set of truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TruthValues(u8);

impl TruthValues {
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

    fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    fn is_single(self) -> bool {
        self.0.count_ones() == 1
    }

    fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn negation(self) -> Self {
        let swapped = |from: Self, to: Self| if self.intersects(from) { to.0 } else { 0 };
        Self(swapped(Self::TRUE, Self::FALSE) | swapped(Self::FALSE, Self::TRUE) | (self.0 & Self::UNKNOWN.0))
    }
}

/// The number of truth values: which tests may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TruthLogic {
    /// No test: enough to decide whether a formula can be true or false at all.
    TwoValued,
    /// The tests of sources that may be unknown.
    ThreeValued,
}

impl Atoms<'_> {
    /// Whether a formula is certainly never true. It may be unknown.
    pub(in crate::lint) fn is_never_true(&self, formula: &Formula) -> bool {
        self.is_never(formula, TruthValues::TRUE, TruthLogic::TwoValued)
    }

    /// Whether a formula is certainly never false or unknown.
    pub(in crate::lint) fn is_always_true(&self, formula: &Formula) -> bool {
        self.is_never(formula, TruthValues::NOT_TRUE, TruthLogic::ThreeValued)
    }

    /// Whether a formula is certainly never false. It may be unknown if its sources are.
    pub(in crate::lint) fn is_never_false(&self, formula: &Formula) -> bool {
        self.is_never(formula, TruthValues::FALSE, TruthLogic::TwoValued)
    }

    /// Whether two formulas certainly always have the same value, unknowns included.
    pub(in crate::lint) fn are_the_same(&self, one: &Formula, other: &Formula) -> bool {
        [TruthValues::TRUE, TruthValues::FALSE, TruthValues::UNKNOWN].into_iter().all(|value| {
            let mut search = ValueSearch::new(self, TruthLogic::ThreeValued);
            search.can_hold(&[(one, value), (other, TruthValues(TruthValues::ALL.0 & !value.0))]) == Some(false)
        })
    }

    fn is_never(&self, formula: &Formula, values: TruthValues, logic: TruthLogic) -> bool {
        ValueSearch::new(self, logic).can_hold(&[(formula, values)]) == Some(false)
    }
}

struct ValueSearch<'s> {
    atoms: &'s Atoms<'s>,
    logic: TruthLogic,
    assigned: Vec<Option<TruthValues>>,
    /// The assigned atoms of each group.
    assigned_by_group: Vec<Vec<usize>>,
    steps: usize,
}

impl<'s> ValueSearch<'s> {
    fn new(atoms: &'s Atoms<'s>, logic: TruthLogic) -> Self {
        let assigned = vec![None; atoms.atoms.len()];
        let of_group = vec![Vec::new(); atoms.groups.len()];
        Self { atoms, logic, assigned, assigned_by_group: of_group, steps: 0 }
    }

    /// Whether formulas can have certain values at the same time; `None` if that takes too long.
    fn can_hold(&mut self, wanted: &[(&Formula, TruthValues)]) -> Option<bool> {
        let mut open = None;
        for (formula, values) in wanted {
            let can = self.formula_values(formula)?;
            if !can.intersects(*values) {
                return Some(false);
            }
            if !can.is_subset_of(*values) {
                open = open.or_else(|| self.unassigned_atom(formula));
            }
        }
        let Some(atom) = open else { return Some(true) };
        for value in self.possible_values(atom) {
            if self.assign(atom, value) {
                let found = self.can_hold(wanted)?;
                if found {
                    return Some(true);
                }
            }
            self.unassign(atom);
        }
        Some(false)
    }

    fn possible_values(&self, atom: usize) -> Vec<TruthValues> {
        let all = self.atom_values(atom);
        [TruthValues::TRUE, TruthValues::FALSE, TruthValues::UNKNOWN]
            .into_iter()
            .filter(|value| all.intersects(*value))
            .collect()
    }

    /// Returns the values that an atom can have on its own.
    fn atom_values(&self, at: usize) -> TruthValues {
        if let Some(Some(value)) = self.assigned.get(at) {
            return *value;
        }
        let Some(atom) = self.atoms.atoms.get(at) else { return TruthValues::ALL };
        let group = self.atoms.groups.get(atom.group);
        let may_be_unknown = group.is_none_or(|group| group.class.unknown != UnknownScope::Never)
            || matches!(atom.predicate, Predicate::Test(_) | Predicate::Opaque);
        if self.logic == TruthLogic::ThreeValued && may_be_unknown { TruthValues::ALL } else { TruthValues::KNOWN }
    }

    /// Assigns a value, and returns whether it is consistent with the other atoms of the same source.
    fn assign(&mut self, at: usize, value: TruthValues) -> bool {
        if let Some(slot) = self.assigned.get_mut(at) {
            *slot = Some(value);
        }
        let Some(atom) = self.atoms.atoms.get(at) else { return true };
        if let Some(group) = self.assigned_by_group.get_mut(atom.group) {
            group.push(at);
        }
        let (Some(group), Some(assigned)) = (self.atoms.groups.get(atom.group), self.assigned_by_group.get(atom.group))
        else {
            return true;
        };
        let of = |at: &usize| {
            let atom = self.atoms.atoms.get(*at)?;
            Some((&atom.predicate, self.assigned.get(*at).copied().flatten()?))
        };
        let assigned: Vec<(&Predicate<'_>, TruthValues)> = assigned.iter().filter_map(of).collect();
        self.atoms.charge(assigned.iter().map(|(predicate, _)| predicate.size()).sum());
        let unknown = assigned.iter().filter(|(_, value)| *value == TruthValues::UNKNOWN).count();
        // A regex may be too big for one test while the source is known to the others.
        let is_plain = assigned.iter().all(|(predicate, _)| !matches!(predicate, Predicate::Test(_)));
        if group.class.unknown == UnknownScope::AllTogether && is_plain && unknown > 0 {
            return unknown == assigned.len();
        }
        let known: Vec<(&Predicate<'_>, bool)> = assigned
            .into_iter()
            .filter(|(_, value)| *value != TruthValues::UNKNOWN)
            .map(|(predicate, value)| (predicate, value == TruthValues::TRUE))
            .collect();
        known.is_empty() || theory::are_consistent(group.class, &known)
    }

    fn unassign(&mut self, at: usize) {
        if let Some(slot) = self.assigned.get_mut(at) {
            *slot = None;
        }
        if let Some(atom) = self.atoms.atoms.get(at)
            && let Some(group) = self.assigned_by_group.get_mut(atom.group)
        {
            group.retain(|other| *other != at);
        }
    }

    /// Returns a superset of the values that a formula can still have; `None` if that takes too long.
    fn formula_values(&mut self, formula: &Formula) -> Option<TruthValues> {
        self.steps += 1;
        if self.steps > MAX_STEPS || !self.atoms.charge(1) {
            return None;
        }
        Some(match formula {
            Formula::Constant(true) => TruthValues::TRUE,
            Formula::Constant(false) => TruthValues::FALSE,
            Formula::Atom(at) => self.atom_values(*at),
            Formula::Not(inner) => self.formula_values(inner)?.negation(),
            Formula::And(parts) => self.connective_values(parts, TruthValues::TRUE)?,
            Formula::Or(parts) => self.connective_values(parts, TruthValues::FALSE)?,
        })
    }

    /// Returns the values of a connective: it is neutral if all its parts are neutral, and one part with the opposite
    /// value decides it.
    fn connective_values(&mut self, parts: &[Formula], neutral: TruthValues) -> Option<TruthValues> {
        let deciding = neutral.negation();
        let (mut all_neutral, mut one_decides, mut none_decides, mut one_unknown) = (true, false, true, false);
        for part in parts {
            let values = self.formula_values(part)?;
            all_neutral &= values.intersects(neutral);
            one_decides |= values.intersects(deciding);
            one_unknown |= values.intersects(TruthValues::UNKNOWN);
            none_decides &= !values.is_subset_of(deciding);
            if values == deciding {
                return Some(deciding);
            }
        }
        let mut all = TruthValues(0);
        if all_neutral {
            all = all.union(neutral);
        }
        if one_decides {
            all = all.union(deciding);
        }
        if one_unknown && none_decides {
            all = all.union(TruthValues::UNKNOWN);
        }
        Some(all)
    }

    /// Returns the first unassigned atom of a formula that may affect its value.
    fn unassigned_atom(&mut self, formula: &Formula) -> Option<usize> {
        match formula {
            Formula::Constant(_) => None,
            Formula::Atom(at) => self.assigned.get(*at).is_some_and(Option::is_none).then_some(*at),
            Formula::Not(inner) => self.unassigned_atom(inner),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(|part| {
                let is_decided = self.formula_values(part).is_some_and(TruthValues::is_single);
                if is_decided { None } else { self.unassigned_atom(part) }
            }),
        }
    }
}
