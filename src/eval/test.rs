//! Tests of single values.

use std::path::Path;

use crate::context::{Context, Form, Reason, Scalar, Values};
use crate::ruleset::{Dir, Edge, LazyRegex, NotSearched, Order, Source, Test};
use hookrules_shell::Word;
use hookrules_shell::glob::{Fit, Glob};
use hookrules_shell::path::Case;
use hookrules_shell::word::Part;

use super::Truth;
use super::condition::homeless;

/// The result of a test for each value. The deciding value is looked up only for output: a value may be a whole file.
pub(super) struct Compared<'c> {
    values: Values<'c>,
    results: Vec<Truth>,
    unknown: Option<Reason>,
    /// Whether they are absolute paths that are compared as texts: then output needs them whole.
    are_texts: bool,
}

impl Compared<'_> {
    fn unknown(reason: Reason) -> Self {
        Self { values: Vec::new(), results: Vec::new(), unknown: Some(reason), are_texts: false }
    }

    /// Returns the deciding value: the first that satisfies the test or, if each must, the first that fails it; else
    /// the first value.
    pub(super) fn decisive(&self, each: bool) -> Option<&Scalar<'_>> {
        self.first(if each { &Truth::False } else { &Truth::True }).or(self.values.first())
    }

    /// Returns the first value for which the test is true.
    pub(super) fn witness(&self) -> Option<String> {
        self.first(&Truth::True).map(Scalar::show)
    }

    fn first(&self, wanted: &Truth) -> Option<&Scalar<'_>> {
        let at = self.results.iter().position(|truth| truth == wanted)?;
        self.values.get(at)
    }

    /// Whether some value satisfies the test.
    pub(super) fn some(&self) -> Truth {
        if let Some(reason) = &self.unknown {
            return Truth::unknown(reason.clone());
        }
        let is_true = self.results.contains(&Truth::True);
        let unknown = self.results.iter().find(|truth| matches!(truth, Truth::Unknown(_)));
        if is_true { Truth::True } else { unknown.cloned().unwrap_or(Truth::False) }
    }

    /// Whether there is a value, and each satisfies the test (or, negated, none does).
    pub(super) fn every(&self, negated: bool) -> Truth {
        if let Some(reason) = &self.unknown {
            return Truth::unknown(reason.clone());
        }
        let failing = if negated { Truth::True } else { Truth::False };
        let fails = self.results.is_empty() || self.results.contains(&failing);
        let unknown = self.results.iter().find(|truth| matches!(truth, Truth::Unknown(_)));
        if fails { Truth::False } else { unknown.cloned().unwrap_or(Truth::True) }
    }

    /// Returns a note on the examined values, represented by the deciding one: a failing one if each must hold.
    pub(super) fn note(&self, context: &Context<'_>, each: bool, test: &Test) -> String {
        if let Some(reason) = &self.unknown {
            return reason.sentence();
        }
        let Some(first) = self.decisive(each) else { return "it has no value".to_owned() };
        let whole = first.show();
        let whole = if self.are_texts { whole } else { context.machine().shown(&whole) };
        let length = whole.chars().count();
        let first = match length > SHOWN {
            false => super::message::quote(&whole),
            // A long text is shown from its match, else from its beginning.
            true => {
                let found = found_in(&whole, test).map(|at| around(&whole, at));
                format!("{}, of {length} characters", super::message::quote(&found.unwrap_or(whole)))
            }
        };
        match self.results.len() {
            0 | 1 => format!("it is {first}"),
            several => format!("it is {first} and {} more", several.saturating_sub(1)),
        }
    }
}

/// The longest value that is shown whole, in characters, and how much of the text before a match is shown.
const SHOWN: usize = 80;
const IN_FRONT: usize = 20;

/// Returns the start of a test's match in a text.
fn found_in(text: &str, test: &Test) -> Option<usize> {
    match test {
        Test::Contains(value) => text.find(value.text()?),
        Test::EndsWith(value) => text.len().checked_sub(value.text()?.len()).filter(|at| text.is_char_boundary(*at)),
        Test::Matches(regex) => regex.get().ok()?.find(text).map(|found| found.start()),
        _ => None,
    }
}

/// Returns a text from a little before an offset.
fn around(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    match before.char_indices().rev().nth(IN_FRONT) {
        None => text.to_owned(),
        Some((start, sign)) => format!("…{}", text.get(start + sign.len_utf8()..).unwrap_or_default()),
    }
}

/// Compares every value of a source.
pub(super) fn compare<'c>(
    context: &'c Context<'_>,
    form: Form,
    case: Case,
    source: &Source,
    test: &Test,
) -> Compared<'c> {
    let values = match context.lookup(source, form) {
        Ok(values) => values,
        Err(reason) => return Compared::unknown(reason),
    };
    let (right, missing) = right_side(context, form, test);
    let judge = |value: &Scalar<'_>| match (one(context, form, case, source.is_path(), value, test, &right), &missing) {
        // One of the unknown values might be equal.
        (Truth::False, Some(reason)) => Truth::unknown(reason.clone()),
        (truth, _) => truth,
    };
    let results = values.iter().map(judge).collect();
    let are_texts = source.is_path() && is_of_text(test);
    Compared { values, results, unknown: None, are_texts }
}

/// Whether a test examines a path as a text, from its first character.
fn is_of_text(test: &Test) -> bool {
    matches!(test, Test::Contains(_) | Test::StartsWith(_) | Test::EndsWith(_) | Test::LikeText(_) | Test::Matches(_))
}

/// Returns the known values of a test's right side, and the first reason why others are unknown.
fn right_side<'c>(context: &'c Context<'_>, form: Form, test: &'c Test) -> (Values<'c>, Option<Reason>) {
    let written = match test {
        Test::Equal(value)
        | Test::Order(_, value)
        | Test::Contains(value)
        | Test::StartsWith(value)
        | Test::EndsWith(value) => std::slice::from_ref(value),
        Test::In(values) => values.as_slice(),
        _ => &[],
    };
    let (mut known, mut missing) = (Vec::new(), None);
    for value in written {
        match context.value(value, form) {
            Ok(values) => {
                for value in values {
                    match value {
                        Scalar::Partly(word) => missing = missing.or_else(|| word.why().map(Reason::from)),
                        value => known.push(value),
                    }
                }
            }
            Err(reason) => missing = missing.or(Some(reason)),
        }
    }
    (known, missing)
}

fn one(
    context: &Context<'_>,
    form: Form,
    case: Case,
    is_path: bool,
    value: &Scalar<'_>,
    test: &Test,
    right: &[Scalar<'_>],
) -> Truth {
    if let Scalar::Partly(word) = value {
        return match test {
            Test::Matches(regex) => partly_matches(context, word, regex),
            _ => partly(word, test, right),
        };
    }
    if let Some(text) = value.as_text()
        && let Err(reason) = context.machine().look_at(text.len(), looks(test, right))
    {
        return Truth::unknown(reason);
    }
    let texts = |holds: fn(&str, &str) -> bool| {
        let text = value.as_text();
        text.is_some_and(|text| right.iter().filter_map(Scalar::as_text).any(|right| holds(text, right)))
    };
    match test {
        Test::Equal(_) | Test::In(_) => {
            right.iter().any(|right| equal(context, form, case, is_path, value, right)).into()
        }
        Test::Order(order, _) => right.iter().any(|right| ordered(*order, value, right)).into(),
        Test::Contains(_) => texts(|text, part| text.contains(part)).into(),
        Test::StartsWith(_) => texts(|text, part| text.starts_with(part)).into(),
        Test::EndsWith(_) => texts(|text, part| text.ends_with(part)).into(),
        Test::LikeText(globs) => value.as_text().is_some_and(|text| globs.matches(text)).into(),
        Test::LikePath(globs) => {
            let matches = |text: &str| globs.matches(Path::new(text), context.machine().roots_in(form), case);
            value.as_text().is_some_and(matches).into()
        }
        Test::Matches(regex) => match value.as_text().map(|text| regex.is_match(text, context.machine().budget())) {
            Some(Ok(matches)) => matches.into(),
            Some(Err(reason)) => Truth::unknown(not_searched(reason, Some(regex))),
            None => Truth::False,
        },
        Test::Under(dirs) => placed(context, form, case, value, dirs, true),
        Test::Outside(dirs) => placed(context, form, case, value, dirs, false),
    }
}

/// Tests a partly known word: its known parts may decide.
fn partly(word: &Word, test: &Test, right: &[Scalar<'_>]) -> Truth {
    let fits = |start: &str, end: &str| {
        let globs = right.iter().filter_map(Scalar::as_text).map(|text| format!("{start}{}{end}", literally(text)));
        Truth::from(globs.fold(Fit::No, |fit, glob| fit.or(Glob::new(&glob).fit(word))))
    };
    match test {
        Test::Equal(_) | Test::In(_) => fits("", ""),
        Test::Contains(_) => fits("*", "*"),
        Test::StartsWith(_) => fits("", "*"),
        Test::EndsWith(_) => fits("*", ""),
        Test::LikeText(globs) => {
            let mut fit = Fit::No;
            for (excludes, glob) in globs.alternatives() {
                let own = Glob::new(&glob).fit(word);
                // The last matching entry decides.
                fit = if excludes { fit.and(own.negated()) } else { fit.or(own) };
            }
            fit.into()
        }
        // A word is not a number.
        Test::Order(..) => Truth::False,
        Test::LikePath(_) | Test::Matches(_) | Test::Under(_) | Test::Outside(_) => partly_known(word),
    }
}

/// Searches the known parts of a word: a match within one part holds regardless of the others.
fn partly_matches(context: &Context<'_>, word: &Word, regex: &LazyRegex) -> Truth {
    let last = word.parts.len().saturating_sub(1);
    for (at, part) in word.parts.iter().enumerate() {
        let Part::Text(text) = part else { continue };
        let edge = |is_edge: bool| if is_edge { Edge::OfText } else { Edge::Open };
        match regex.is_match_within(text, edge(at == 0), edge(at == last), context.machine().budget()) {
            Ok(true) => return Truth::True,
            Ok(false) | Err(NotSearched::Regex(_)) => {}
            Err(NotSearched::Spent(spent)) => return Truth::unknown(spent.into()),
        }
    }
    partly_known(word)
}

/// Returns why a regex was not searched for, and the regex if it is given.
pub(super) fn not_searched(why: NotSearched, regex: Option<&LazyRegex>) -> Reason {
    match why {
        NotSearched::Regex(reason) => Reason::regex(reason, regex.map(LazyRegex::pattern)),
        NotSearched::Spent(spent) => spent.into(),
    }
}

/// Returns the reason why a word is unknown, as the result of a test.
pub(super) fn partly_known(word: &Word) -> Truth {
    word.why().map_or(Truth::False, |why| Truth::unknown(why.into()))
}

/// Returns the glob that matches only this text.
fn literally(text: &str) -> String {
    let mut glob = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// Returns the number of times that a test reads a text.
fn looks(test: &Test, right: &[Scalar<'_>]) -> usize {
    // A wildcard for one character is tried at every position.
    let weight = |glob: &str| 1 + glob.bytes().filter(|byte| matches!(byte, b'?' | b'[')).count();
    match test {
        Test::Contains(_) => right.len(),
        Test::LikeText(globs) => globs.patterns().map(weight).sum(),
        Test::LikePath(globs) => globs.patterns().map(weight).sum(),
        _ => 0,
    }
}

fn placed(context: &Context<'_>, form: Form, case: Case, value: &Scalar<'_>, dirs: &[Dir], inside: bool) -> Truth {
    let Some(text) = value.as_text() else { return Truth::False };
    if let Some(reason) = context.nowhere(text) {
        return Truth::unknown(reason);
    }
    let path = context.absolute(text, form);
    match context.lies_under(&path, dirs, form, case) {
        Ok(true) => Truth::from(inside),
        Ok(false) => homeless(context, dirs).map_or(Truth::from(!inside), Truth::unknown),
        Err(reason) => Truth::unknown(reason),
    }
}

/// Equality of two values of one type; a path in the policy is relative to the project root.
fn equal(context: &Context<'_>, form: Form, case: Case, is_path: bool, left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    match (left, right) {
        (Scalar::Text(left), Scalar::Text(right)) if is_path => {
            let right = context.policy_path(right, form);
            let (left, right) = (left.as_ref(), right.to_string_lossy());
            match case {
                Case::Exact => left == right,
                Case::Folded => hookrules_shell::path::fold(left) == hookrules_shell::path::fold(&right),
            }
        }
        (Scalar::Text(left), Scalar::Text(right)) => left == right,
        (Scalar::Number(left), Scalar::Number(right)) => (left - right).abs() < f64::EPSILON || left == right,
        (Scalar::Boolean(left), Scalar::Boolean(right)) => left == right,
        _ => false,
    }
}

fn ordered(order: Order, left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    let (Scalar::Number(left), Scalar::Number(right)) = (left, right) else { return false };
    match order {
        Order::Less => left < right,
        Order::LessEqual => left <= right,
        Order::Greater => left > right,
        Order::GreaterEqual => left >= right,
    }
}
