//! Judges conditions in Kleene's three-valued logic, for one form of paths.

use crate::context::{Context, PathForm, Reason, Scalar, ShellText};
use crate::ruleset::{Condition, ConditionExpr, DirOperand, Measure, Patterns, Rule, ValueReference, ValueTest};
use hookrules_shell::analysis::CommandId;
use hookrules_shell::path::NameCase;

use super::file_answers::FileAnswers;
use super::filled;
use super::once::CommandTestCache;
use super::places;
use super::test::{self, ValueResults};
use super::{ConditionTrace, Matched, RuleJudgement, RuleOutcome, RuleRole, TraceDetail, Truth};

/// The cost of a test, apart from its values, in units of the budget.
const TEST_UNITS: u64 = 10;

/// The maximum number of condition parts that are evaluated for one rule. It is a count, not a time, so the result is
/// the same on every machine.
const MAX_STEPS: u32 = 100_000;

/// The judgement of one rule's conditions, for one form of paths and one case sensitivity.
pub(super) struct ConditionJudge<'j> {
    pub(super) context: &'j Context<'j>,
    /// Whether paths are compared as given, or with symbolic links resolved.
    pub(super) form: PathForm,
    /// Whether the comparison of paths ignores case.
    pub(super) case: NameCase,
    pub(super) rule: &'j Rule,
    pub(super) detail: TraceDetail,
    /// The number of condition parts that were evaluated so far.
    steps: u32,
    /// The value of `{match}`: what satisfied the first test of a command, path or word.
    pub(super) matched: Option<Matched>,
    /// The value that decided the last test, if the trace keeps values.
    value: Option<String>,
    polarity: Polarity,
    /// Whether the current condition is in `unless`.
    is_in_unless: bool,
    /// Whether the current condition is an exception, which must be certain.
    is_exception: bool,
    /// The cached results of earlier tests.
    pub(super) known: AnswerCaches<'j>,
}

/// Whether a condition is below an odd number of negations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Polarity {
    Positive,
    Negative,
}

impl Polarity {
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }
}

/// Which of several values must satisfy a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    /// One is enough.
    Any,
    /// `all`: each must, after a `not` of the comparison.
    All,
    /// Each file or URL of the call must, before a `not` of the comparison.
    EveryTarget,
}

/// The caches of test results that the judgements of one rule share.
#[derive(Clone, Copy)]
pub(super) struct AnswerCaches<'j> {
    /// The results of tests of commands. `None` in a `where`, which is about one command, and for a rule that repeats
    /// no test.
    pub(super) commands: Option<&'j CommandTestCache>,
    /// The results of tests of files.
    pub(super) files: &'j FileAnswers,
}

impl<'j> ConditionJudge<'j> {
    pub(super) fn new(
        context: &'j Context<'j>,
        (form, case): (PathForm, NameCase),
        rule: &'j Rule,
        detail: TraceDetail,
        known: AnswerCaches<'j>,
    ) -> Self {
        let polarity = Polarity::Positive;
        Self {
            context,
            form,
            case,
            rule,
            detail,
            steps: 0,
            matched: None,
            value: None,
            polarity,
            is_in_unless: false,
            is_exception: false,
            known,
        }
    }

    /// Whether the first tests of `when`, if they are about commands alone, already make it false. Their result is
    /// the same for every place and for every form of paths.
    pub(super) fn is_false_by_commands(&mut self) -> bool {
        self.rule.when.as_ref().is_some_and(|when| self.judge_leading_commands(when) == Some(Truth::False))
    }

    /// Judges the first tests of a condition as long as they are about commands alone; `None` if they do not decide
    /// the condition.
    fn judge_leading_commands(&mut self, condition: &Condition) -> Option<Truth> {
        match &condition.kind {
            ConditionExpr::Def(inner) => self.judge_leading_commands(inner),
            ConditionExpr::And(parts) => {
                for part in parts {
                    if self.judge_leading_commands(part)? == Truth::False {
                        return Some(Truth::False);
                    }
                }
                None
            }
            ConditionExpr::Command(test) if test.is_of_commands_alone() => {
                let context = self.context;
                context
                    .machine()
                    .complete_lookup(|| self.judge_command(test, &mut Vec::new()))
                    .ok()
                    .map(|(truth, _)| truth)
            }
            _ => None,
        }
    }

    /// Judges the rule's conditions: `when` and not `unless`.
    pub(super) fn judge_rule(mut self) -> RuleJudgement {
        let mut parts = Vec::new();
        let mut truth = match &self.rule.when {
            Some(when) => self.judge(when, &mut parts),
            None => Truth::True,
        };
        if truth != Truth::False
            && let Some(unless) = &self.rule.unless
        {
            // The text for `{match}` comes from `when` only.
            let matched = self.matched.take();
            self.is_in_unless = true;
            let exception = self.judge_negated(unless, &mut parts);
            self.matched = matched;
            truth = kleene_and(truth, exception);
        }
        let outcome = RuleOutcome::from(truth);
        let matched = self.matched.filter(|_| outcome == RuleOutcome::Match);
        let display_name = String::new();
        let (role, steps) = (RuleRole::Full, self.steps);
        RuleJudgement {
            index: 0,
            display_name,
            role,
            outcome,
            matched,
            parts,
            through_link: false,
            place: None,
            tree: None,
            steps,
        }
    }

    /// Judges a condition, and adds it to the trace of its siblings if the trace keeps conditions.
    pub(super) fn judge(&mut self, condition: &Condition, siblings: &mut Vec<ConditionTrace>) -> Truth {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Truth::unknown(Reason::too_many_steps());
        }
        // A `Certain` has the same position as the condition in it, so the trace would show it twice.
        match &condition.kind {
            ConditionExpr::Certain(inner) => return self.judge_certain(inner, siblings),
            ConditionExpr::Not(inner) if matches!(inner.kind, ConditionExpr::Certain(_)) => {
                return self.judge_negated(inner, siblings);
            }
            _ => {}
        }
        let mut parts = Vec::new();
        let (truth, note) = self.judge_kind(condition, &mut parts);
        if self.detail == TraceDetail::Conditions {
            let value = self.value.take();
            siblings.push(ConditionTrace { span: condition.span, truth: truth.clone(), note, value, parts });
        }
        truth
    }

    /// Judges a condition by its kind. Also returns a note on the decisive value.
    fn judge_kind(&mut self, condition: &Condition, parts: &mut Vec<ConditionTrace>) -> (Truth, Option<String>) {
        let truth = match &condition.kind {
            ConditionExpr::And(conditions) => self.judge_all(conditions, parts),
            ConditionExpr::Or(conditions) => self.judge_any(conditions, parts),
            ConditionExpr::Not(inner) => self.judge_negated(inner, parts),
            ConditionExpr::Certain(inner) => self.judge_certain(inner, parts),
            ConditionExpr::Def(inner) => self.judge(inner, parts),
            ConditionExpr::Constant(truth) => Truth::from(*truth),
            kind => return self.judge_test(kind, parts),
        };
        (truth, None)
    }

    /// Judges `not CONDITION`.
    fn judge_negated(&mut self, condition: &Condition, parts: &mut Vec<ConditionTrace>) -> Truth {
        self.polarity = self.polarity.negated();
        let truth = self.judge(condition, parts).negated();
        self.polarity = self.polarity.negated();
        truth
    }

    /// Returns why a value that an exception tests is only partly known: `bot/$X` may be `bot/x:main`. `None` outside
    /// of exceptions.
    fn partly_known_value(&self, source: &ValueReference) -> Option<Reason> {
        if !self.is_exception || matches!(source, ValueReference::Measured(_)) {
            return None;
        }
        let values = self.context.lookup(source, self.form).ok()?;
        values.iter().find_map(|value| match value {
            Scalar::PartlyKnown(word) => Some(Reason::of_word(word)),
            _ => None,
        })
    }

    /// Judges whether a condition certainly holds: unknown becomes false.
    fn judge_certain(&mut self, condition: &Condition, siblings: &mut Vec<ConditionTrace>) -> Truth {
        let was_exception = std::mem::replace(&mut self.is_exception, true);
        let truth = self.judge(condition, siblings);
        self.is_exception = was_exception;
        match truth {
            Truth::Unknown(_) => Truth::False,
            known => known,
        }
    }

    /// Judges a single test, and charges it. If the budget cut it short, the result is unknown: the rest could have
    /// decided.
    fn judge_test(&mut self, kind: &ConditionExpr, parts: &mut Vec<ConditionTrace>) -> (Truth, Option<String>) {
        let context = self.context;
        match context
            .machine()
            .charge(TEST_UNITS)
            .and_then(|()| context.machine().complete_lookup(|| self.judge_test_by_kind(kind, parts)))
        {
            Ok(judged) => judged,
            Err(reason) => {
                let note = self.note(|| reason.sentence());
                (Truth::unknown(reason), note)
            }
        }
    }

    /// Judges a single test, by its kind.
    fn judge_test_by_kind(&mut self, kind: &ConditionExpr, parts: &mut Vec<ConditionTrace>) -> (Truth, Option<String>) {
        match kind {
            ConditionExpr::Exists(source) => (self.judge_exists(source), None),
            ConditionExpr::Truth(source) => (self.judge_truth(source), None),
            ConditionExpr::Command(test) => self.judge_command(test, parts),
            ConditionExpr::Touches { verb, test } => self.judge_touches(*verb, test),
            ConditionExpr::TouchesFilled { verb, globs } => self.judge_touches_filled(*verb, globs),
            ConditionExpr::Connects(test) => self.judge_connects(test),
            ConditionExpr::Happened(test) => self.judge_happened(test),
            ConditionExpr::Compare { source: ValueReference::Measured(Measure::Past(past)), negated, test, .. } => {
                let (truth, note) = self.judge_past_count(past, test);
                (if *negated { truth.negated() } else { truth }, note)
            }
            ConditionExpr::Compare { source, all, negated, test } => {
                let compared = match (source, test) {
                    _ if let Some(reason) = self.partly_known_value(source) => ValueResults::unknown(reason),
                    (ValueReference::Measured(measure), _) => self.test_measure(measure, test),
                    (_, ValueTest::LikeFilled(globs)) => {
                        filled::compare(self.context, (self.form, self.case), (self.rule, source), globs)
                    }
                    _ => test::compare(self.context, self.form, self.case, (self.rule, source), test),
                };
                let quantifier = match (*all, self.needs_every_target(source, *negated)) {
                    (true, _) => Quantifier::All,
                    (false, true) => Quantifier::EveryTarget,
                    (false, false) => Quantifier::Any,
                };
                self.judge_comparison(&compared, test, quantifier, *negated)
            }
            ConditionExpr::And(_)
            | ConditionExpr::Or(_)
            | ConditionExpr::Not(_)
            | ConditionExpr::Certain(_)
            | ConditionExpr::Def(_)
            | ConditionExpr::Constant(_) => (Truth::False, None),
        }
    }

    /// Judges an `and`: false as soon as one part is false, else unknown if a part is.
    fn judge_all(&mut self, conditions: &[Condition], parts: &mut Vec<ConditionTrace>) -> Truth {
        let mut result = Truth::True;
        for condition in conditions {
            let truth = self.judge(condition, parts);
            if truth == Truth::False {
                return truth;
            }
            result = kleene_and(result, truth);
        }
        result
    }

    /// Judges an `or`: true as soon as one part is true, else unknown if a part is.
    fn judge_any(&mut self, conditions: &[Condition], parts: &mut Vec<ConditionTrace>) -> Truth {
        let mut result = Truth::False;
        for condition in conditions {
            let truth = self.judge(condition, parts);
            if truth == Truth::True {
                return truth;
            }
            result = kleene_or(result, truth);
        }
        result
    }

    /// Judges the condition of a `where` for one command that matches `patterns`. If it is judged for several places,
    /// a rule that can allow needs all of them, any other rule one; a negation swaps this.
    pub(super) fn judge_filter(
        &mut self,
        shell: &ShellText,
        (command, patterns): (CommandId, &Patterns),
        condition: &Condition,
        parts: &mut Vec<ConditionTrace>,
    ) -> Truth {
        let context = self.context.for_matched_command(shell, command, patterns);
        let places = places::of_filter(self.rule, &context, command, condition, self.known.files);
        let (join, neutral): (fn(Truth, Truth) -> Truth, _) = match (self.rule.can_allow, self.polarity) {
            (false, Polarity::Positive) | (true, Polarity::Negative) => (kleene_or, Truth::False),
            (true, Polarity::Positive) | (false, Polarity::Negative) => (kleene_and, Truth::True),
        };
        let mut judged = places.iter().map(|place| self.judge_filter_in(&context.at_place(place), condition, parts));
        match judged.next() {
            Some(first) => judged.fold(join(neutral, first), join),
            None => {
                drop(judged);
                self.judge_filter_in(&context, condition, parts)
            }
        }
    }

    fn judge_filter_in(
        &mut self,
        context: &Context<'_>,
        condition: &Condition,
        parts: &mut Vec<ConditionTrace>,
    ) -> Truth {
        let (form, case, rule, detail, polarity) = (self.form, self.case, self.rule, self.detail, self.polarity);
        let known = AnswerCaches { commands: None, ..self.known };
        let steps = self.steps;
        let mut judge = ConditionJudge {
            context,
            form,
            case,
            rule,
            detail,
            steps,
            matched: None,
            value: None,
            polarity,
            is_in_unless: self.is_in_unless,
            is_exception: false,
            known,
        };
        let truth = judge.judge(condition, parts);
        self.steps = judge.steps;
        truth
    }

    /// Judges `exists`: whether a reference has a value. Unknown for a word that may be empty after the shell splits
    /// it, such as `$X`.
    fn judge_exists(&self, source: &ValueReference) -> Truth {
        let values = match self.context.lookup(source, self.form) {
            Ok(values) => values,
            Err(reason) => return Truth::unknown(reason),
        };
        let exist = values.iter().map(|value| match value {
            Scalar::PartlyKnown(word) if word.may_split_at_blanks() => test::unknown_word(word),
            _ => Truth::True,
        });
        exist.fold(Truth::False, kleene_or)
    }

    /// Judges a reference that is itself a condition: whether one of its values is the boolean true.
    fn judge_truth(&mut self, source: &ValueReference) -> Truth {
        let values = match self.context.lookup(source, self.form) {
            Ok(values) => values,
            Err(reason) => return Truth::unknown(reason),
        };
        Truth::from(values.contains(&Scalar::Boolean(true)))
    }

    /// Whether a comparison, before a `not` of its own, must hold for every file or URL of a call that has several,
    /// because its truth permits the call: in a rule that can allow, or in the `unless` of any other rule. A negation
    /// there needs none of them, as everywhere.
    fn needs_every_target(&self, source: &ValueReference, negated: bool) -> bool {
        let polarity = if negated { self.polarity.negated() } else { self.polarity };
        let permits = match self.rule.can_allow {
            true => polarity == Polarity::Positive,
            false => self.is_in_unless && polarity == Polarity::Negative,
        };
        permits && matches!(source, ValueReference::Derived(field) if field.is_of_targets())
    }

    /// Combines the results for the values into the result of the whole comparison. Also returns a note on the
    /// decisive value.
    fn judge_comparison(
        &mut self,
        compared: &ValueResults<'_>,
        test: &ValueTest,
        quantifier: Quantifier,
        negated: bool,
    ) -> (Truth, Option<String>) {
        let shows_failing = match quantifier {
            Quantifier::Any => false,
            Quantifier::All => !negated,
            Quantifier::EveryTarget => true,
        };
        let note = self.note(|| compared.note(self.context, shows_failing, test));
        if self.detail == TraceDetail::Conditions {
            self.value = compared.deciding_value(shows_failing).map(Scalar::show);
        }
        // `not` before an operator negates the whole test or, with `all`, the test of each value.
        let truth = match (quantifier, negated) {
            (Quantifier::Any, false) => compared.any_satisfies(),
            (Quantifier::Any, true) => compared.any_satisfies().negated(),
            (Quantifier::All, negated) => compared.all_satisfy(negated),
            (Quantifier::EveryTarget, false) => compared.all_satisfy(false),
            (Quantifier::EveryTarget, true) => compared.all_satisfy(false).negated(),
        };
        if truth == Truth::True
            && !negated
            && self.matched.is_none()
            && let Some(witness) = compared.satisfying_value()
        {
            self.matched = Some(Matched::here(self.context.machine().display_path(&witness)));
        }
        (truth, note)
    }
}

/// Returns Kleene's `or`. If both are unknown, the first reason is kept.
pub(super) fn kleene_or(a: Truth, b: Truth) -> Truth {
    kleene_and(a.negated(), b.negated()).negated()
}

/// Returns Kleene's `and`. If both are unknown, the first reason is kept.
pub(super) fn kleene_and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Truth::False, _) | (_, Truth::False) => Truth::False,
        (Truth::True, b) => b,
        (unknown, _) => unknown,
    }
}

/// Returns why it is unknown whether a path is in these directories: the project's or the home directory is not
/// known. `None` if all are known.
pub(super) fn unknown_directory(context: &Context<'_>, dirs: &[DirOperand]) -> Option<Reason> {
    let is_unknown = |dir: &DirOperand| match dir {
        DirOperand::Project => context.machine().project().is_none(),
        DirOperand::Home => context.machine().home().is_none(),
        _ => false,
    };
    let name_of = |dir: &DirOperand| if matches!(dir, DirOperand::Project) { "project" } else { "home" };
    let dir = dirs.iter().find(|dir| is_unknown(dir))?;
    Some(Reason::unknown_dir(name_of(dir)))
}
