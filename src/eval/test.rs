//! Tests of values: compares each value of a reference with the right side of a test.

use std::path::Path;

use crate::context::{Context, PathForm, Reason, Scalar, ScalarValues};
use crate::ruleset::{
    DirOperand, LazyRegex, OrderOperator, PolicyValue, Rule, SearchFailure, TextEdge, ValueReference, ValueTest,
};
use hookrules_shell::Word;
use hookrules_shell::glob::{Fit, Glob};
use hookrules_shell::path::NameCase;
use hookrules_shell::word::WordPart;

use super::condition::{kleene_or, unknown_directory};
use super::{Truth, measure, scope};

/// The result of a test for each value of a reference. The deciding value is found only when it is displayed, because
/// a value may be a whole file.
pub(super) struct ValueResults<'c> {
    values: ScalarValues<'c>,
    /// The result for each value, in the same order.
    results: Vec<Truth>,
    /// The reason why the values are unknown, if they are.
    unknown: Option<Reason>,
    /// Whether the values are absolute paths that the test compares as texts. They are then displayed as they are,
    /// not relative to the project.
    are_texts: bool,
}

impl ValueResults<'_> {
    /// Creates the result of a test whose values are unknown.
    pub(super) fn unknown(reason: Reason) -> Self {
        Self { values: Vec::new(), results: Vec::new(), unknown: Some(reason), are_texts: false }
    }

    /// Returns the value that decides the test: the first that satisfies it or, if `each` value must, the first that
    /// fails it. If there is none, returns the first value.
    pub(super) fn deciding_value(&self, each: bool) -> Option<&Scalar<'_>> {
        self.first_with_result(if each { &Truth::False } else { &Truth::True }).or(self.values.first())
    }

    /// Returns each value with its result.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Scalar<'_>, &Truth)> {
        self.values.iter().zip(&self.results)
    }

    /// Returns the first value for which the test is true, as messages show it.
    pub(super) fn satisfying_value(&self) -> Option<String> {
        self.first_with_result(&Truth::True).map(Scalar::show)
    }

    /// Returns the first value with this result.
    fn first_with_result(&self, wanted: &Truth) -> Option<&Scalar<'_>> {
        let position = self.results.iter().position(|truth| truth == wanted)?;
        self.values.get(position)
    }

    /// Whether the reference is known to have no value.
    pub(super) fn has_no_value(&self) -> bool {
        self.unknown.is_none() && self.results.is_empty()
    }

    /// Combines the results of two tests of the same values. A value satisfies the combination if it satisfies one of
    /// the tests.
    pub(super) fn or(mut self, other: Self) -> Self {
        self.unknown = self.unknown.or(other.unknown);
        let both = self.results.into_iter().zip(other.results);
        self.results = both.map(|(one, other)| kleene_or(one, other)).collect();
        self
    }

    /// Whether at least one value satisfies the test.
    pub(super) fn any_satisfies(&self) -> Truth {
        if let Some(reason) = &self.unknown {
            return Truth::unknown(reason.clone());
        }
        let is_true = self.results.contains(&Truth::True);
        let unknown = self.results.iter().find(|truth| matches!(truth, Truth::Unknown(_)));
        if is_true { Truth::True } else { unknown.cloned().unwrap_or(Truth::False) }
    }

    /// Whether there is a value, and each value satisfies the test or, if `negated`, fails it.
    pub(super) fn all_satisfy(&self, negated: bool) -> Truth {
        if let Some(reason) = &self.unknown {
            return Truth::unknown(reason.clone());
        }
        let failing = if negated { Truth::True } else { Truth::False };
        let fails = self.results.is_empty() || self.results.contains(&failing);
        let unknown = self.results.iter().find(|truth| matches!(truth, Truth::Unknown(_)));
        if fails { Truth::False } else { unknown.cloned().unwrap_or(Truth::True) }
    }

    /// Returns a note on the values, of which it shows the deciding one: ``it is `a.rs` and 2 more``.
    pub(super) fn note(&self, context: &Context<'_>, each: bool, test: &ValueTest) -> String {
        if let Some(reason) = &self.unknown {
            return reason.sentence();
        }
        let Some(deciding) = self.deciding_value(each) else { return "it has no value".to_owned() };
        let whole = deciding.show();
        let whole = if self.are_texts { whole } else { context.machine().display_path(&whole) };
        let length = whole.chars().count();
        let shown = match length > MAX_SHOWN_CHARS {
            false => super::message::quote(&whole),
            // A long text is shown from its match, else from its beginning.
            true => {
                let found = match_start(&whole, test).map(|at| text_around(&whole, at));
                format!("{}, of {length} characters", super::message::quote(&found.unwrap_or(whole)))
            }
        };
        match self.results.len() {
            0 | 1 => format!("it is {shown}"),
            several => format!("it is {shown} and {} more", several.saturating_sub(1)),
        }
    }
}

/// The cost of one of the texts in an object, apart from its length, in units of the budget.
const OBJECT_TEXT_UNITS: u64 = 4;

/// The maximum length, in characters, of a value that is displayed from its beginning, and the length of the text
/// before a match that is displayed in a longer value.
const MAX_SHOWN_CHARS: usize = 80;
const CHARS_BEFORE_MATCH: usize = 20;

/// Returns the byte offset at which a text satisfies a test; `None` if no single position does.
fn match_start(text: &str, test: &ValueTest) -> Option<usize> {
    match test {
        ValueTest::Contains(value) => text.find(value.as_text()?),
        ValueTest::EndsWith(value) => {
            text.len().checked_sub(value.as_text()?.len()).filter(|at| text.is_char_boundary(*at))
        }
        ValueTest::Matches(regex) => regex.compiled().ok()?.find(text).map(|found| found.start()),
        _ => None,
    }
}

/// Returns the rest of a text, from a few characters before an offset.
fn text_around(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    match before.char_indices().rev().nth(CHARS_BEFORE_MATCH) {
        None => text.to_owned(),
        Some((start, sign)) => format!("…{}", text.get(start + sign.len_utf8()..).unwrap_or_default()),
    }
}

/// Tests each value of a reference.
pub(super) fn compare<'c>(
    context: &'c Context<'_>,
    form: PathForm,
    case: NameCase,
    (rule, source): (&Rule, &ValueReference),
    test: &ValueTest,
) -> ValueResults<'c> {
    let mut values = match context.lookup(source, form) {
        Ok(values) => values,
        Err(reason) => return ValueResults::unknown(reason),
    };
    scope::retain_visible_files(rule, context, source, &mut values);
    if matches!(source, ValueReference::Raw { .. } | ValueReference::JsonPath(_))
        && is_of_text(test)
        && let Err(reason) = replace_objects_by_texts(context, &mut values)
    {
        return ValueResults::unknown(reason);
    }
    compare_values(context, form, (case, source.is_path()), values, test)
}

/// Tests each of these values. Paths of the right side are relative to the policy if the values `are_paths`.
pub(super) fn compare_values<'c>(
    context: &'c Context<'_>,
    form: PathForm,
    (case, are_paths): (NameCase, bool),
    values: ScalarValues<'c>,
    test: &ValueTest,
) -> ValueResults<'c> {
    let (right, unknown_operand) = operand_values(context, form, test);
    let judge = |value: &Scalar<'_>| match (
        test_value(context, form, case, are_paths, value, test, &right),
        &unknown_operand,
    ) {
        // An unknown value of the right side might be equal.
        (Truth::False, Some(reason)) => Truth::unknown(reason.clone()),
        (truth, _) => truth,
    };
    let results = values.iter().map(judge).collect();
    let are_texts = are_paths && is_of_text(test);
    ValueResults { values, results, unknown: None, are_texts }
}

/// Replaces each object among the values by the texts in it. A test of a text then holds if one of them satisfies it.
fn replace_objects_by_texts(context: &Context<'_>, values: &mut ScalarValues<'_>) -> Result<(), Reason> {
    if !values.iter().any(|value| matches!(value, Scalar::Object(_))) {
        return Ok(());
    }
    let mut texts = ScalarValues::new();
    for value in values.drain(..) {
        match value {
            Scalar::Object(json) => texts.extend(Scalar::texts_of_object(json)),
            value => texts.push(value),
        }
    }
    context.machine().charge_each(OBJECT_TEXT_UNITS, texts.len())?;
    *values = texts;
    Ok(())
}

/// Whether a test compares a path as a mere text, so that its first character matters.
fn is_of_text(test: &ValueTest) -> bool {
    matches!(
        test,
        ValueTest::Contains(_)
            | ValueTest::StartsWith(_)
            | ValueTest::EndsWith(_)
            | ValueTest::LikeText(_)
            | ValueTest::Matches(_)
    )
}

/// Returns the known values of a test's right side, and the reason of the first unknown one.
fn operand_values<'c>(
    context: &'c Context<'_>,
    form: PathForm,
    test: &'c ValueTest,
) -> (ScalarValues<'c>, Option<Reason>) {
    let operands = match test {
        ValueTest::Equal(value)
        | ValueTest::Order(_, value)
        | ValueTest::Contains(value)
        | ValueTest::StartsWith(value)
        | ValueTest::EndsWith(value) => std::slice::from_ref(value),
        ValueTest::In(values) => values.as_slice(),
        _ => &[],
    };
    let (mut known, mut first_reason) = (Vec::with_capacity(operands.len()), None);
    for operand in operands {
        // A list may have hundreds of constants.
        if let PolicyValue::Literal(literal) = operand {
            known.push(Scalar::from_literal(literal));
            continue;
        }
        match context.value(operand, form) {
            Ok(values) => {
                for value in values {
                    match value {
                        Scalar::PartlyKnown(word) => {
                            first_reason = first_reason.or_else(|| word.unknown_reason().map(Reason::from))
                        }
                        value => known.push(value),
                    }
                }
            }
            Err(reason) => first_reason = first_reason.or(Some(reason)),
        }
    }
    (known, first_reason)
}

/// Tests one value. `right` has the known values of the right side.
fn test_value(
    context: &Context<'_>,
    form: PathForm,
    case: NameCase,
    is_path: bool,
    value: &Scalar<'_>,
    test: &ValueTest,
    right: &[Scalar<'_>],
) -> Truth {
    if let Scalar::PartlyKnown(word) = value {
        return match test {
            ValueTest::Matches(regex) => search_known_parts(context, word, regex),
            _ => test_partly_known(word, test, right),
        };
    }
    if let Scalar::AtLeast(least, reason) = value {
        return measure::test_least(*least, reason, test, right);
    }
    if let Some(text) = value.as_text()
        && let Err(reason) = context.machine().charge_text(text.len(), read_count(test, right))
    {
        return Truth::unknown(reason);
    }
    let any_text = |holds: fn(&str, &str) -> bool| {
        let text = value.as_text();
        text.is_some_and(|text| right.iter().filter_map(Scalar::as_text).any(|right| holds(text, right)))
    };
    match test {
        ValueTest::Equal(_) | ValueTest::In(_) => {
            right.iter().any(|right| equal(context, form, case, is_path, value, right)).into()
        }
        ValueTest::Order(order, _) => right.iter().any(|right| is_ordered(*order, value, right)).into(),
        ValueTest::Contains(_) => any_text(|text, part| text.contains(part)).into(),
        ValueTest::StartsWith(_) => any_text(|text, part| text.starts_with(part)).into(),
        ValueTest::EndsWith(_) => any_text(|text, part| text.ends_with(part)).into(),
        ValueTest::LikeText(globs) => value.as_text().is_some_and(|text| globs.matches(text)).into(),
        ValueTest::LikePath(globs) => {
            let matches = |text: &str| globs.matches(Path::new(text), context.machine().roots_in(form), case);
            value.as_text().is_some_and(matches).into()
        }
        ValueTest::Matches(regex) => match value.as_text().map(|text| regex.is_match(text, context.machine().budget()))
        {
            Some(Ok(matches)) => matches.into(),
            Some(Err(reason)) => Truth::unknown(Reason::from_search(reason, Some(regex))),
            None => Truth::False,
        },
        ValueTest::Under(dirs) => test_containment(context, form, case, value, dirs, true),
        ValueTest::Outside(dirs) => test_containment(context, form, case, value, dirs, false),
        ValueTest::InTime(range) => matches!(value, Scalar::Time(time) if range.contains(*time)).into(),
        // Each combination of its values is tested as another kind.
        ValueTest::LikeFilled(_) => Truth::False,
    }
}

/// Tests a word that is only partly known. The result is known if the known parts decide it.
fn test_partly_known(word: &Word, test: &ValueTest, right: &[Scalar<'_>]) -> Truth {
    let fits_glob = |start: &str, end: &str| {
        let globs = right.iter().filter_map(Scalar::as_text).map(|text| format!("{start}{}{end}", literal_glob(text)));
        Truth::from(globs.fold(Fit::No, |fit, glob| fit.or(Glob::new(&glob).test(word))))
    };
    match test {
        ValueTest::Equal(_) | ValueTest::In(_) => fits_glob("", ""),
        ValueTest::Contains(_) => fits_glob("*", "*"),
        ValueTest::StartsWith(_) => fits_glob("", "*"),
        ValueTest::EndsWith(_) => fits_glob("*", ""),
        ValueTest::LikeText(globs) => {
            let mut fit = Fit::No;
            for (excludes, glob) in globs.alternatives() {
                let entry_fit = Glob::new(&glob).test(word);
                // The last matching entry decides.
                fit = if excludes { fit.and(entry_fit.negate()) } else { fit.or(entry_fit) };
            }
            fit.into()
        }
        // A word of shell text is never a number. A list with placeholders is tested as another kind.
        ValueTest::Order(..) | ValueTest::InTime(_) | ValueTest::LikeFilled(_) => Truth::False,
        ValueTest::LikePath(_) | ValueTest::Matches(_) | ValueTest::Under(_) | ValueTest::Outside(_) => {
            unknown_word(word)
        }
    }
}

/// Searches the known parts of a word for a regex. A match within one part is certain, since it does not depend on
/// the unknown parts; without one, the result is unknown.
fn search_known_parts(context: &Context<'_>, word: &Word, regex: &LazyRegex) -> Truth {
    let last = word.parts.len().saturating_sub(1);
    for (at, part) in word.parts.iter().enumerate() {
        let WordPart::Text(text) = part else { continue };
        let edge = |is_edge: bool| if is_edge { TextEdge::Boundary } else { TextEdge::UnknownText };
        match regex.is_match_within(text, edge(at == 0), edge(at == last), context.machine().budget()) {
            Ok(true) => return Truth::True,
            Ok(false) | Err(SearchFailure::Regex(_)) => {}
            Err(SearchFailure::Budget(spent)) => return Truth::unknown(spent.into()),
        }
    }
    unknown_word(word)
}

/// Returns `Unknown` with the reason why a word is unknown; `False` for a word that is completely known.
pub(super) fn unknown_word(word: &Word) -> Truth {
    word.unknown_reason().map_or(Truth::False, |why| Truth::unknown(why.into()))
}

/// Returns a glob that matches only this text.
fn literal_glob(text: &str) -> String {
    let mut glob = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// Returns how many times a test reads a text, from which its cost is computed.
fn read_count(test: &ValueTest, right: &[Scalar<'_>]) -> usize {
    // A wildcard for one character is tried at every position.
    let weight = |glob: &str| 1 + glob.bytes().filter(|byte| matches!(byte, b'?' | b'[')).count();
    match test {
        ValueTest::Contains(_) => right.len(),
        ValueTest::LikeText(globs) => globs.patterns().map(weight).sum(),
        ValueTest::LikePath(globs) => globs.patterns().map(weight).sum(),
        _ => 0,
    }
}

/// Whether a path is inside one of these directories or, if `inside` is false, outside of all of them.
fn test_containment(
    context: &Context<'_>,
    form: PathForm,
    case: NameCase,
    value: &Scalar<'_>,
    dirs: &[DirOperand],
    inside: bool,
) -> Truth {
    let Some(text) = value.as_text() else { return Truth::False };
    if let Some(reason) = context.unknown_location(text) {
        return Truth::unknown(reason);
    }
    let path = context.absolute(text, form);
    match context.is_under(&path, dirs, form, case) {
        Ok(true) => Truth::from(inside),
        Ok(false) => unknown_directory(context, dirs).map_or(Truth::from(!inside), Truth::unknown),
        Err(reason) => Truth::unknown(reason),
    }
}

/// Whether two values are equal; values of different types are not. If the left one is a path, the right one is a
/// path in the policy: it is relative to the project or to one of its worktrees.
fn equal(
    context: &Context<'_>,
    form: PathForm,
    case: NameCase,
    is_path: bool,
    left: &Scalar<'_>,
    right: &Scalar<'_>,
) -> bool {
    match (left, right) {
        (Scalar::Text(left), Scalar::Text(right)) if is_path => context.policy_paths(right, form).iter().any(|right| {
            let (left, right) = (left.as_ref(), right.to_string_lossy());
            match case {
                NameCase::Exact => left == right,
                NameCase::Folded => hookrules_shell::path::fold(left) == hookrules_shell::path::fold(&right),
            }
        }),
        (Scalar::Text(left), Scalar::Text(right)) => left == right,
        (Scalar::Number(left), Scalar::Number(right)) => (left - right).abs() < f64::EPSILON || left == right,
        (Scalar::Boolean(left), Scalar::Boolean(right)) => left == right,
        _ => false,
    }
}

/// Whether two numbers are in this order; false for values that are not numbers.
fn is_ordered(order: OrderOperator, left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    let (Scalar::Number(left), Scalar::Number(right)) = (left, right) else { return false };
    match order {
        OrderOperator::Less => left < right,
        OrderOperator::LessEqual => left <= right,
        OrderOperator::Greater => left > right,
        OrderOperator::GreaterEqual => left >= right,
    }
}
