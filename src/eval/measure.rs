//! Tests of numbers: the lengths of values, and the number of values or files.

use std::collections::BTreeSet;

use crate::context::{Context, PathForm, Reason, Scalar, ScalarValues, TouchLocation, TouchReach, TouchedFile};
use crate::ruleset::{Measure, Rule, ValueReference, ValueTest, WhereField};
use crate::syntax::ast::FileVerb;
use hookrules_shell::Word;
use hookrules_shell::path::{NameCase, fold};
use hookrules_shell::word::WordPart;

use super::condition::ConditionJudge;
use super::test::{self, ValueResults};
use super::touches::{BYTES_PER_FILE, display_location};
use super::{Truth, scope};

impl<'j> ConditionJudge<'j> {
    /// Tests a measure: a length, or a number of values or files.
    pub(super) fn test_measure(&self, measure: &Measure, test: &ValueTest) -> ValueResults<'j> {
        let (context, form) = (self.context, self.form);
        let numbers = match measure {
            Measure::Length(source) => {
                values(context, form, self.rule, source).map(|values| values.iter().filter_map(length).collect())
            }
            Measure::Count(source) => {
                values(context, form, self.rule, source).map(|values| vec![value_count(source, &values)])
            }
            Measure::Files(verb) => self.file_count(*verb).map(|count| vec![count]),
            // `judge_past_count` compares these.
            Measure::Past(_) => Ok(Vec::new()),
        };
        match numbers {
            Ok(numbers) => test::compare_values(context, form, (self.case, false), numbers, test),
            Err(reason) => ValueResults::unknown(reason),
        }
    }

    /// Returns the number of files that the call touches with a verb. Files that are known only by a glob, or as the
    /// contents of a directory, are not counted, so the real number may be greater.
    fn file_count(&self, verb: FileVerb) -> Result<Scalar<'static>, Reason> {
        if let Some(reason) = self.uncertain_commands() {
            return Err(reason);
        }
        let context = self.context;
        let touches = match self.rule.can_allow {
            true => context.touched_files_for_allow(verb, self.form),
            false => context.touched_files(verb, self.form),
        };
        context.machine().charge_text(BYTES_PER_FILE, touches.files.len())?;
        let unseen = || self.rule.can_allow.then(|| context.unseen_program()).flatten();
        let mentioned = || touches.mentioned.first().map(|said| said.reason.clone());
        let mut doubt = touches.unknown.clone().or_else(mentioned).or_else(unseen);
        let mut counted = BTreeSet::new();
        for file in &touches.files {
            let (name, others) = self.counted_file(file)?;
            counted.extend(name);
            doubt = doubt.or(others);
        }
        Ok(number(counted.len(), doubt))
    }

    /// Returns the path of a touched file, if it certainly counts, and why other files may count, too, if they may.
    fn counted_file(&self, file: &TouchedFile) -> Result<(Option<String>, Option<Reason>), Reason> {
        let path = match &file.location {
            TouchLocation::OneOf { why, .. } => return Ok((None, Some(why.clone()))),
            TouchLocation::Path(path) => path,
        };
        let visible = scope::visible_directories(self.rule);
        let is_visible = visible.is_empty() || self.context.is_under(path, &visible, self.form, self.case)?;
        let contents_doubt = (file.reach != TouchReach::PathOnly)
            .then(|| Reason::uncounted_files(&display_location(self.context, &file.location)));
        // A directory that is searched, or into which something is unpacked, is not itself one of the files.
        let is_file = matches!(file.reach, TouchReach::PathOnly | TouchReach::Everything);
        let text = path.to_string_lossy();
        let name = match self.case {
            NameCase::Exact => text.into_owned(),
            NameCase::Folded => fold(&text).to_string(),
        };
        let is_certain = is_visible && is_file && file.doubt.is_none();
        Ok((is_certain.then_some(name), file.doubt.clone().filter(|_| is_visible).or(contents_doubt)))
    }
}

/// Returns those values of a reference that the rule sees.
fn values<'c>(
    context: &'c Context<'_>,
    form: PathForm,
    rule: &Rule,
    source: &ValueReference,
) -> Result<ScalarValues<'c>, Reason> {
    let mut values = context.lookup(source, form)?;
    scope::retain_visible_files(rule, context, source, &mut values);
    Ok(values)
}

/// Returns the length of a text in bytes, and of all texts in an object; `None` for any other value.
fn length(value: &Scalar<'_>) -> Option<Scalar<'static>> {
    match value {
        Scalar::Text(text) => Some(number(text.len(), None)),
        // A word that the shell splits may become several shorter words, or none.
        Scalar::PartlyKnown(word) if word.may_split_at_blanks() => {
            word_reason(word).map(|reason| Scalar::AtLeast(f64::NEG_INFINITY, reason.into()))
        }
        Scalar::PartlyKnown(word) => {
            let known = word.parts.iter().filter_map(WordPart::text).map(str::len).sum();
            Some(number(known, word_reason(word)))
        }
        Scalar::Object(json) => {
            let texts = Scalar::texts_of_object(json);
            Some(number(texts.map(|text| text.as_text().map_or(0, str::len)).sum(), None))
        }
        Scalar::Number(_) | Scalar::Boolean(_) | Scalar::Time(_) | Scalar::AtLeast(..) => None,
    }
}

/// Returns the number of values. A word is not counted if it may be no value, several, or an option instead of an
/// operand. The real number may then be greater.
fn value_count(source: &ValueReference, values: &[Scalar<'_>]) -> Scalar<'static> {
    let are_operands = matches!(source, ValueReference::Where(WhereField::Operands));
    let (mut counted, mut doubt) = (0_usize, None);
    for value in values {
        let Scalar::PartlyKnown(word) = value else {
            counted += 1;
            continue;
        };
        let may_be_absent = word.may_split_at_blanks() || are_operands && word.prefix().is_empty();
        counted += usize::from(!may_be_absent);
        if may_be_absent || word.may_split() {
            doubt = doubt.or_else(|| word.unknown_reason().as_ref().map(Reason::uncounted));
        }
    }
    number(counted, doubt)
}

/// Returns why a word is unknown.
fn word_reason(word: &Word) -> Option<Reason> {
    word.unknown_reason().map(Reason::from)
}

/// Makes a number. If there is a doubt, it is the lowest that the number can be.
#[expect(clippy::cast_precision_loss, reason = "lengths and counts are below 2^53")]
fn number(counted: usize, doubt: Option<Reason>) -> Scalar<'static> {
    match doubt {
        None => Scalar::Number(counted as f64),
        Some(reason) => Scalar::AtLeast(counted as f64, reason.into()),
    }
}

/// Tests a number, of which only the lowest possible value is known, against each number of the right side.
pub(super) fn test_least(least: f64, reason: &Reason, test: &ValueTest, right: &[Scalar<'_>]) -> Truth {
    use crate::ruleset::OrderOperator::{Greater, GreaterEqual, Less, LessEqual};
    let numbers = right.iter().filter_map(|right| match right {
        Scalar::Number(number) => Some(*number),
        _ => None,
    });
    let decided = |bound: f64| match test {
        ValueTest::Order(Greater, _) if least > bound => Some(Truth::True),
        ValueTest::Order(GreaterEqual, _) if least >= bound => Some(Truth::True),
        ValueTest::Order(Less, _) if least >= bound => Some(Truth::False),
        ValueTest::Order(LessEqual, _) | ValueTest::Equal(_) | ValueTest::In(_) if least > bound => Some(Truth::False),
        ValueTest::Order(..) | ValueTest::Equal(_) | ValueTest::In(_) => None,
        _ => Some(Truth::False),
    };
    let judged = numbers.map(|bound| decided(bound).unwrap_or_else(|| Truth::unknown(reason.clone())));
    judged.fold(Truth::False, super::condition::kleene_or)
}
