//! Conditions in Kleene's logic, judged in one form of paths.

use crate::context::{Context, Form, Reason, Scalar, ShellText};
use crate::ruleset::{Condition, Dir, Kind, Patterns, Rule, Source, Test};
use hookrules_shell::analysis::CommandId;
use hookrules_shell::path::Case;

use super::file_answers::FileAnswers;
use super::once::Once;
use super::test::{self, Compared};
use super::{Detail, Judged, Node, Outcome, Role, Truth};

/// The base cost of a test.
const TEST: u64 = 10;

/// The most parts of conditions that one rule may evaluate. A count, not a time: the same everywhere.
const STEP_BUDGET: u32 = 100_000;

/// The judgement of one rule, in one form of paths and one case sensitivity.
pub(super) struct Judge<'j> {
    pub(super) context: &'j Context<'j>,
    pub(super) form: Form,
    pub(super) case: Case,
    pub(super) rule: &'j Rule,
    pub(super) detail: Detail,
    steps: u32,
    pub(super) matched: Option<String>,
    /// The value that the last test examined, if values are kept.
    value: Option<String>,
    pub(super) known: Known<'j>,
}

/// Cached answers about a call.
#[derive(Clone, Copy)]
pub(super) struct Known<'j> {
    /// Those about its commands; `None` in a `where`, which is about one command, and if no test is repeated.
    pub(super) commands: Option<&'j Once>,
    /// Those about its files.
    pub(super) files: &'j FileAnswers,
}

impl<'j> Judge<'j> {
    pub(super) fn new(
        context: &'j Context<'j>,
        (form, case): (Form, Case),
        rule: &'j Rule,
        detail: Detail,
        known: Known<'j>,
    ) -> Self {
        Self { context, form, case, rule, detail, steps: 0, matched: None, value: None, known }
    }

    /// Whether the leading command-only tests of the condition already make it false: their result is the same in every
    /// place and every form.
    pub(super) fn fails_at_once(&mut self) -> bool {
        self.rule.when.as_ref().is_some_and(|when| self.begins(when) == Some(Truth::False))
    }

    /// Evaluates the leading command-only tests of a condition; `None` if they do not decide it.
    fn begins(&mut self, condition: &Condition) -> Option<Truth> {
        match &condition.kind {
            Kind::Def(inner) => self.begins(inner),
            Kind::And(parts) => {
                for part in parts {
                    if self.begins(part)? == Truth::False {
                        return Some(Truth::False);
                    }
                }
                None
            }
            Kind::Command(test) if test.is_of_commands_alone() => {
                let context = self.context;
                context.machine().whole(|| self.command(test, &mut Vec::new())).ok().map(|(truth, _)| truth)
            }
            _ => None,
        }
    }

    /// Judges `when and not unless`.
    pub(super) fn rule(mut self) -> Judged {
        let mut parts = Vec::new();
        let mut truth = match &self.rule.when {
            Some(when) => self.judge(when, &mut parts),
            None => Truth::True,
        };
        if truth != Truth::False
            && let Some(unless) = &self.rule.unless
        {
            let matched = self.matched.take();
            let exception = self.judge(unless, &mut parts).negated();
            self.matched = matched;
            truth = both(truth, exception);
        }
        let outcome = Outcome::from(truth);
        let matched = self.matched.filter(|_| outcome == Outcome::Match);
        let shown = String::new();
        let (role, steps) = (Role::Full, self.steps);
        Judged { index: 0, shown, role, outcome, matched, parts, through_link: false, steps }
    }

    fn judge(&mut self, condition: &Condition, siblings: &mut Vec<Node>) -> Truth {
        self.steps += 1;
        if self.steps > STEP_BUDGET {
            return Truth::unknown(Reason::too_many_steps());
        }
        let mut parts = Vec::new();
        let (truth, note) = self.kind(condition, &mut parts);
        if self.detail == Detail::Conditions {
            let value = self.value.take();
            siblings.push(Node { span: condition.span, truth: truth.clone(), note, value, parts });
        }
        truth
    }

    fn kind(&mut self, condition: &Condition, parts: &mut Vec<Node>) -> (Truth, Option<String>) {
        let truth = match &condition.kind {
            Kind::And(conditions) => self.and(conditions, parts),
            Kind::Or(conditions) => self.or(conditions, parts),
            Kind::Not(inner) => self.judge(inner, parts).negated(),
            Kind::Def(inner) => self.judge(inner, parts),
            Kind::Constant(truth) => Truth::from(*truth),
            kind => return self.whole_test(kind, parts),
        };
        (truth, None)
    }

    /// Judges a single test. If the event's budget cut it short, the result is unknown: the rest might decide.
    fn whole_test(&mut self, kind: &Kind, parts: &mut Vec<Node>) -> (Truth, Option<String>) {
        let context = self.context;
        match context.machine().charge(TEST).and_then(|()| context.machine().whole(|| self.test(kind, parts))) {
            Ok(judged) => judged,
            Err(reason) => {
                let note = self.note(|| reason.sentence());
                (Truth::unknown(reason), note)
            }
        }
    }

    fn test(&mut self, kind: &Kind, parts: &mut Vec<Node>) -> (Truth, Option<String>) {
        match kind {
            Kind::Exists(source) => (self.exists(source), None),
            Kind::Truth(source) => (self.truth(source), None),
            Kind::Command(test) => self.command(test, parts),
            Kind::Touches { verb, test } => self.touches(*verb, test),
            Kind::Connects(test) => self.connects(test),
            Kind::Compare { source, all, negated, test } => {
                let compared = test::compare(self.context, self.form, self.case, source, test);
                self.compared(&compared, test, *all, *negated)
            }
            Kind::And(_) | Kind::Or(_) | Kind::Not(_) | Kind::Def(_) | Kind::Constant(_) => (Truth::False, None),
        }
    }

    /// `False` as soon as one part is false; else unknown if any part is.
    fn and(&mut self, conditions: &[Condition], parts: &mut Vec<Node>) -> Truth {
        let mut result = Truth::True;
        for condition in conditions {
            let truth = self.judge(condition, parts);
            if truth == Truth::False {
                return truth;
            }
            result = both(result, truth);
        }
        result
    }

    /// `True` as soon as one part is true; else unknown if any part is.
    fn or(&mut self, conditions: &[Condition], parts: &mut Vec<Node>) -> Truth {
        let mut result = Truth::False;
        for condition in conditions {
            let truth = self.judge(condition, parts);
            if truth == Truth::True {
                return truth;
            }
            result = either(result, truth);
        }
        result
    }

    /// Judges the condition of a `where` on one command, which matches one of some patterns.
    pub(super) fn filter(
        &mut self,
        shell: &ShellText,
        (command, patterns): (CommandId, &Patterns),
        condition: &Condition,
        parts: &mut Vec<Node>,
    ) -> Truth {
        let context = self.context.of_matched(shell, command, patterns);
        let (form, case, rule, detail) = (self.form, self.case, self.rule, self.detail);
        let mut judge = Judge {
            context: &context,
            form,
            case,
            rule,
            detail,
            steps: self.steps,
            matched: None,
            value: None,
            known: Known { commands: None, ..self.known },
        };
        let truth = judge.judge(condition, parts);
        self.steps = judge.steps;
        truth
    }

    fn exists(&self, source: &Source) -> Truth {
        let values = match self.context.lookup(source, self.form) {
            Ok(values) => values,
            Err(reason) => return Truth::unknown(reason),
        };
        let exist = values.iter().map(|value| match value {
            Scalar::Partly(word) if word.may_break() => test::partly_known(word),
            _ => Truth::True,
        });
        exist.fold(Truth::False, either)
    }

    fn truth(&mut self, source: &Source) -> Truth {
        let values = match self.context.lookup(source, self.form) {
            Ok(values) => values,
            Err(reason) => return Truth::unknown(reason),
        };
        Truth::from(values.contains(&Scalar::Boolean(true)))
    }

    fn compared(&mut self, compared: &Compared<'_>, test: &Test, all: bool, negated: bool) -> (Truth, Option<String>) {
        let note = self.note(|| compared.note(self.context, all && !negated, test));
        if self.detail == Detail::Conditions {
            self.value = compared.decisive(all && !negated).map(Scalar::show);
        }
        // `not` before an operator negates the whole test or, with `all`, the test of each value.
        let truth = match (all, negated) {
            (false, false) => compared.some(),
            (false, true) => compared.some().negated(),
            (true, negated) => compared.every(negated),
        };
        if truth == Truth::True
            && !negated
            && self.matched.is_none()
            && let Some(witness) = compared.witness()
        {
            self.matched = Some(self.context.machine().shown(&witness));
        }
        (truth, note)
    }
}

/// Kleene's `or`; the first of two reasons is kept.
pub(super) fn either(a: Truth, b: Truth) -> Truth {
    both(a.negated(), b.negated()).negated()
}

/// Kleene's `and`; the first of two reasons is kept.
pub(super) fn both(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Truth::False, _) | (_, Truth::False) => Truth::False,
        (Truth::True, b) => b,
        (unknown, _) => unknown,
    }
}

/// Returns why containment cannot be judged if one of the directories has no location on this machine.
pub(super) fn homeless(context: &Context<'_>, dirs: &[Dir]) -> Option<Reason> {
    let absent = |dir: &Dir| match dir {
        Dir::Project => context.machine().project().is_none(),
        Dir::Home => context.machine().home().is_none(),
        _ => false,
    };
    let word = |dir: &Dir| if matches!(dir, Dir::Project) { "project" } else { "home" };
    let dir = dirs.iter().find(|dir| absent(dir))?;
    Some(Reason::homeless(word(dir)))
}
