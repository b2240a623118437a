//! Tests of the session's past: `happened`, `count` of a mark.

use crate::context::{EventDescriber, PathForm, Reason, Scalar, TouchLocation, TouchReach, TouchedFile};
use crate::history::{KeyTexts, PastEvent, Tally, TallyDoubt};
use crate::ruleset::{Condition, ConditionExpr, OrderOperator, PastTest, TouchTest, ValueTest};
use crate::syntax::ast::FileVerb;

use super::condition::{ConditionJudge, kleene_or};
use super::touches::TouchJudge;
use super::{Truth, scope};

impl ConditionJudge<'_> {
    /// Judges `happened M`: unknown if the past allows both a true and a false answer.
    pub(super) fn judge_happened(&self, test: &PastTest) -> (Truth, Option<String>) {
        self.judge_tally(test, |tally| match (tally.least, tally.most, &tally.doubt) {
            (1.., ..) => Truth::True,
            (0, Some(0), _) => Truth::False,
            (_, _, Some(doubt)) => Truth::unknown(Reason::past(test, doubt)),
            (_, _, None) => Truth::False,
        })
    }

    /// Judges a comparison of the number of past events with a mark.
    pub(super) fn judge_past_count(&self, past: &PastTest, test: &ValueTest) -> (Truth, Option<String>) {
        let right = self.numbers(test);
        self.judge_tally(past, |tally| compare_tally(past, tally, test, &right))
    }

    /// Judges the number of past events that a test asks about with `judge`. Also returns a note on that number.
    fn judge_tally(&self, test: &PastTest, judge: impl FnOnce(&Tally<'_>) -> Truth) -> (Truth, Option<String>) {
        let see = |tally: &Tally<'_>, events: EventDescriber<'_>| {
            (judge(tally), self.note(|| past_note(test, tally, events)))
        };
        let judged = self.context.tally(test, || self.matching_files(), see);
        judged.unwrap_or_else(|reason| (Truth::unknown(reason.clone()), self.note(|| reason.sentence())))
    }

    /// Returns the known numbers on the right side of a test.
    fn numbers(&self, test: &ValueTest) -> Vec<f64> {
        let values = match test {
            ValueTest::Equal(value) | ValueTest::Order(_, value) => std::slice::from_ref(value),
            ValueTest::In(values) => values.as_slice(),
            _ => &[],
        };
        let looked_up = values.iter().filter_map(|value| self.context.value(value, self.form).ok());
        let numbers = looked_up.flat_map(|values| {
            values
                .iter()
                .filter_map(|value| match value {
                    Scalar::Number(number) => Some(*number),
                    _ => None,
                })
                .collect::<Vec<_>>()
        });
        numbers.collect()
    }

    /// Returns the files for which a test of files in the rule's `when` holds, with their links resolved.
    pub(super) fn matching_files(&self) -> KeyTexts {
        let mut keys = KeyTexts::default();
        if let Some(when) = &self.rule.when {
            when.visit_tests(&mut |test, is_negated| {
                if !is_negated {
                    self.add_matching_files(test, &mut keys);
                }
            });
        }
        keys
    }

    fn add_matching_files(&self, test: &Condition, keys: &mut KeyTexts) {
        match &test.kind {
            ConditionExpr::Touches { verb, test } => self.add_touched_files(*verb, test, keys),
            ConditionExpr::TouchesFilled { .. } => keys.has_others = true,
            ConditionExpr::Compare { source, negated: false, test, .. } if source.is_path() => {
                let compared =
                    super::test::compare(self.context, PathForm::Physical, self.case, (self.rule, source), test);
                for (value, truth) in compared.each() {
                    match (truth, value) {
                        (Truth::True, Scalar::Text(text)) => {
                            keys.certain.insert(text.clone().into_owned());
                        }
                        (Truth::False, _) => {}
                        _ => keys.has_others = true,
                    }
                }
            }
            _ => {}
        }
    }

    fn add_touched_files(&self, verb: FileVerb, test: &TouchTest, keys: &mut KeyTexts) {
        let context = self.context;
        let touches = context.touched_files(verb, PathForm::Physical);
        let visible = scope::visible_directories(self.rule);
        let judge = TouchJudge { context, form: PathForm::Physical, case: self.case, test, visible: &visible };
        keys.has_others |= touches.unknown.is_some() || !touches.mentioned.is_empty();
        let is_single_file = |file: &TouchedFile| file.doubt.is_none() && matches!(file.reach, TouchReach::PathOnly);
        for file in &touches.files {
            match (judge.judge_file(file).truth, &file.location) {
                (Truth::False, _) => {}
                (Truth::True, TouchLocation::Path(path)) if is_single_file(file) => {
                    keys.certain.insert(path.to_string_lossy().into_owned());
                }
                // Files below a directory, or one of several possible files.
                _ => keys.has_others = true,
            }
        }
    }
}

/// Compares the number of past events. The result is unknown if it differs among the numbers that are possible.
fn compare_tally(past: &PastTest, tally: &Tally<'_>, test: &ValueTest, right: &[f64]) -> Truth {
    #[expect(clippy::cast_precision_loss, reason = "a journal has fewer events than 2^53")]
    let (least, most) = (tally.least as f64, tally.most.map_or(f64::INFINITY, |most| most as f64));
    let unknown = || match &tally.doubt {
        Some(doubt) => Truth::unknown(Reason::past(past, doubt)),
        None => Truth::False,
    };
    let each = right.iter().map(|bound| {
        let (always, never) = match test {
            ValueTest::Order(OrderOperator::Less, _) => (most < *bound, least >= *bound),
            ValueTest::Order(OrderOperator::LessEqual, _) => (most <= *bound, least > *bound),
            ValueTest::Order(OrderOperator::Greater, _) => (least > *bound, most <= *bound),
            ValueTest::Order(OrderOperator::GreaterEqual, _) => (least >= *bound, most < *bound),
            #[expect(clippy::float_cmp, reason = "both are whole numbers")]
            ValueTest::Equal(_) | ValueTest::In(_) => {
                (least == *bound && most == *bound, most < *bound || least > *bound)
            }
            _ => (false, true),
        };
        match (always, never) {
            (true, _) => Truth::True,
            (_, true) => Truth::False,
            _ => unknown(),
        }
    });
    each.fold(Truth::False, kleene_or)
}

/// Returns a note on how often events with a mark happened, and on the last that counts.
fn past_note(test: &PastTest, tally: &Tally<'_>, events: EventDescriber<'_>) -> String {
    let doubtful = match &tally.doubt {
        Some(
            TallyDoubt::Possible(event, _)
            | TallyDoubt::Later(event)
            | TallyDoubt::Order(event)
            | TallyDoubt::Key(event)
            | TallyDoubt::Actor(event)
            | TallyDoubt::Time(event),
        ) => Some(*event),
        Some(TallyDoubt::Unseen) | None => None,
    };
    let of_mark = |event: &&PastEvent| event.mark == test.mark.id;
    let which = if tally.most.is_none_or(|most| most > 1) { "the last " } else { "" };
    let last = tally.last.or(doubtful.filter(of_mark));
    let last = last.map(|event| format!(": {which}{}", events.describe(event)));
    let doubtful_since = doubtful.filter(|event| !of_mark(event));
    let of_since = test.since.as_ref().zip(doubtful_since.or(tally.since));
    let of_since = of_since.map(|(since, event)| format!("; the last `{}` was {}", since.name, events.describe(event)));
    [count_note(test, tally), last.unwrap_or_default(), of_since.unwrap_or_default()].concat()
}

/// Returns a note on how often events with a mark happened.
fn count_note(test: &PastTest, tally: &Tally<'_>) -> String {
    let since = test.since.as_ref().map(|since| format!(" since the last `{}`", since.name)).unwrap_or_default();
    let name = &test.mark.name;
    let certain = tally.least;
    let times = |count: usize| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    match tally.most {
        Some(most) if most == certain && most == 0 => format!("`{name}` did not happen{since}"),
        Some(most) if most == certain => format!("`{name}` happened {}{since}", times(certain)),
        Some(most) => format!("`{name}` certainly happened {}{since}, perhaps {}", times(certain), times(most)),
        None if certain == 0 => format!("`{name}` may have happened{since}"),
        None => format!("`{name}` happened at least {}{since}", times(certain)),
    }
}
