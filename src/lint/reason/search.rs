//! Decides whether a formula can have a certain value, by trying values for its atoms within a limit.

use super::theory::{self, Predicate, UnknownScope};
use super::{Atoms, Formula};

/// The maximum number of parts of formulas that are visited to answer one question.
const MAX_STEPS: usize = 20_000;

/// A set of truth values, with one bit for each of true, false and unknown.
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
    /// True or false.
    const KNOWN: Self = Self(3);
    /// True, false or unknown.
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

/// The truth values that the results of tests are taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TruthLogic {
    /// True and false. This is enough to decide whether a formula can be true, or can be false.
    TwoValued,
    /// True, false and, for tests of sources that can be unknown, unknown.
    ThreeValued,
}

impl Atoms<'_> {
    /// Whether a formula is certainly never true; it may be unknown.
    pub(in crate::lint) fn is_never_true(&self, formula: &Formula) -> bool {
        self.is_never(formula, TruthValues::TRUE, TruthLogic::TwoValued)
    }

    /// Whether a formula is certainly always true, and never unknown.
    pub(in crate::lint) fn is_always_true(&self, formula: &Formula) -> bool {
        self.is_never(formula, TruthValues::NOT_TRUE, TruthLogic::ThreeValued)
    }

    /// Whether a formula is certainly never false; it may be unknown.
    pub(in crate::lint) fn is_never_false(&self, formula: &Formula) -> bool {
        self.is_never(formula, TruthValues::FALSE, TruthLogic::TwoValued)
    }

    /// Whether two formulas certainly always have the same value, even where it is unknown.
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

/// A search for values of the atoms such that all formulas have wanted values.
struct ValueSearch<'s> {
    atoms: &'s Atoms<'s>,
    logic: TruthLogic,
    /// The value that is being tried for each atom, if there is one.
    trial_values: Vec<Option<TruthValues>>,
    /// For each group, its atoms for which a value is being tried.
    trial_atoms_by_group: Vec<Vec<usize>>,
    /// The number of parts of formulas visited so far.
    steps: usize,
}

impl<'s> ValueSearch<'s> {
    fn new(atoms: &'s Atoms<'s>, logic: TruthLogic) -> Self {
        let assigned = vec![None; atoms.atoms.len()];
        let atoms_of_group = vec![Vec::new(); atoms.groups.len()];
        Self { atoms, logic, trial_values: assigned, trial_atoms_by_group: atoms_of_group, steps: 0 }
    }

    /// Whether the formulas can have the wanted values at the same time; `None` if the limit is reached.
    fn can_hold(&mut self, wanted: &[(&Formula, TruthValues)]) -> Option<bool> {
        // Looks for a formula that can still have a value other than the wanted ones.
        let mut undecided = None;
        for (formula, values) in wanted {
            let possible = self.formula_values(formula)?;
            if !possible.intersects(*values) {
                return Some(false);
            }
            if !possible.is_subset_of(*values) {
                undecided = undecided.or_else(|| self.unassigned_atom(formula));
            }
        }
        // Every formula has its wanted value, or there is no atom left to try.
        let Some(atom) = undecided else { return Some(true) };
        // Tries the values of an atom, and takes each back unless it leads to a solution.
        for value in self.possible_values(atom) {
            if self.assign(atom, value) {
                let is_solution = self.can_hold(wanted)?;
                if is_solution {
                    return Some(true);
                }
            }
            self.unassign(atom);
        }
        Some(false)
    }

    /// Returns the single values to try for an atom.
    fn possible_values(&self, atom: usize) -> Vec<TruthValues> {
        let values = self.atom_values(atom);
        [TruthValues::TRUE, TruthValues::FALSE, TruthValues::UNKNOWN]
            .into_iter()
            .filter(|value| values.intersects(*value))
            .collect()
    }

    /// Returns the value that is being tried for an atom or, without one, all values that the atom can have if no other
    /// atom is considered.
    fn atom_values(&self, at: usize) -> TruthValues {
        if let Some(Some(value)) = self.trial_values.get(at) {
            return *value;
        }
        let Some(atom) = self.atoms.atoms.get(at) else { return TruthValues::ALL };
        let group = self.atoms.groups.get(atom.group);
        let may_be_unknown = group.is_none_or(|group| group.class.unknown != UnknownScope::Never)
            || matches!(atom.predicate, Predicate::Test(_) | Predicate::Opaque);
        if self.logic == TruthLogic::ThreeValued && may_be_unknown { TruthValues::ALL } else { TruthValues::KNOWN }
    }

    /// Sets the value to try for an atom. Returns whether it is consistent with the values of the other atoms of its
    /// group.
    fn assign(&mut self, atom_index: usize, value: TruthValues) -> bool {
        if let Some(slot) = self.trial_values.get_mut(atom_index) {
            *slot = Some(value);
        }
        let Some(atom) = self.atoms.atoms.get(atom_index) else { return true };
        if let Some(group) = self.trial_atoms_by_group.get_mut(atom.group) {
            group.push(atom_index);
        }
        let (Some(group), Some(assigned)) =
            (self.atoms.groups.get(atom.group), self.trial_atoms_by_group.get(atom.group))
        else {
            return true;
        };
        let predicate_and_value = |atom_index: &usize| {
            let atom = self.atoms.atoms.get(*atom_index)?;
            Some((&atom.predicate, self.trial_values.get(*atom_index).copied().flatten()?))
        };
        let assigned: Vec<(&Predicate<'_>, TruthValues)> = assigned.iter().filter_map(predicate_and_value).collect();
        self.atoms.charge(assigned.iter().map(|(predicate, _)| predicate.size()).sum());
        let unknown_count = assigned.iter().filter(|(_, value)| *value == TruthValues::UNKNOWN).count();
        // A regex can be unknown because its text is too long for it, although the source is known to the other
        // tests.
        let has_only_plain_tests = assigned.iter().all(|(predicate, _)| !matches!(predicate, Predicate::Test(_)));
        if group.class.unknown == UnknownScope::AllTogether && has_only_plain_tests && unknown_count > 0 {
            return unknown_count == assigned.len();
        }
        let known: Vec<(&Predicate<'_>, bool)> = assigned
            .into_iter()
            .filter(|(_, value)| *value != TruthValues::UNKNOWN)
            .map(|(predicate, value)| (predicate, value == TruthValues::TRUE))
            .collect();
        known.is_empty() || theory::are_consistent(group.class, &known)
    }

    /// Removes the value that is being tried for an atom.
    fn unassign(&mut self, at: usize) {
        if let Some(slot) = self.trial_values.get_mut(at) {
            *slot = None;
        }
        if let Some(atom) = self.atoms.atoms.get(at)
            && let Some(group) = self.trial_atoms_by_group.get_mut(atom.group)
        {
            group.retain(|other| *other != at);
        }
    }

    /// Returns a superset of the values that a formula can still have; `None` if the limit is reached.
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

    /// Returns the values that an `and` or `or` can have. For `and`, `true` is neutral and `false` decides; for `or`,
    /// the reverse. The whole can be neutral if all parts can, and deciding if one part can.
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
        let mut possible = TruthValues(0);
        if all_neutral {
            possible = possible.union(neutral);
        }
        if one_decides {
            possible = possible.union(deciding);
        }
        if one_unknown && none_decides {
            possible = possible.union(TruthValues::UNKNOWN);
        }
        Some(possible)
    }

    /// Returns the first atom of a formula for which no value is being tried, and which can still change the formula's
    /// value.
    fn unassigned_atom(&mut self, formula: &Formula) -> Option<usize> {
        match formula {
            Formula::Constant(_) => None,
            Formula::Atom(at) => self.trial_values.get(*at).is_some_and(Option::is_none).then_some(*at),
            Formula::Not(inner) => self.unassigned_atom(inner),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(|part| {
                let is_decided = self.formula_values(part).is_some_and(TruthValues::is_single);
                if is_decided { None } else { self.unassigned_atom(part) }
            }),
        }
    }
}
