//! The consistency of tests of one value reference.
//!
//! "No" is certain; "yes" may be wrong.

use crate::lint::globs::PathGlob;
use crate::ruleset::{DirOperand, Literal, OrderOperator, PolicyValue, ValueTest};

/// The maximum number of literals per source that are tried.
const MAX_LITERALS: usize = 400;

/// The atoms of one value reference.
#[derive(Debug)]
pub(super) struct AtomGroup {
    pub(super) class: ReferenceClass,
}

/// The known properties of a value reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceClass {
    /// Whether it has at most one value.
    has_single_value: bool,
    /// Whether its values are paths, so that different texts may mean the same.
    has_paths: bool,
    /// How it can be unknown.
    pub(super) unknown: UnknownScope,
}

/// The tests of a value reference that can be unknown together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnknownScope {
    /// Never.
    Never,
    /// All of them at the same time.
    AllTogether,
    /// Each independently.
    Independently,
}

impl ReferenceClass {
    /// At most one value, which is known.
    pub(super) fn single_value() -> Self {
        Self { has_single_value: true, has_paths: false, unknown: UnknownScope::Never }
    }

    /// Any number of values.
    pub(super) fn several_values() -> Self {
        Self { has_single_value: false, ..Self::single_value() }
    }

    /// The commands of a call.
    pub(super) fn commands() -> Self {
        Self::several_values().with_separate_unknown()
    }

    pub(super) fn with_common_unknown(self) -> Self {
        Self { unknown: UnknownScope::AllTogether, ..self }
    }

    pub(super) fn with_separate_unknown(self) -> Self {
        Self { unknown: UnknownScope::Independently, ..self }
    }

    pub(super) fn with_paths(self) -> Self {
        Self { has_paths: true, ..self }
    }

    pub(super) fn has_several_values(self) -> bool {
        !self.has_single_value
    }
}

/// A test of one value.
#[derive(Clone, Debug)]
pub(super) enum Predicate<'c> {
    /// There is a value.
    Exists,
    /// It is `true`.
    IsTrue,
    /// It is in one of these sets of texts.
    Texts(Vec<TextSet<'c>>),
    /// It is one of these literals.
    Literals(Vec<&'c Literal>),
    /// It is a number with this relation to another.
    Order(OrderOperator, f64),
    /// Any other test of one value.
    Test(&'c ValueTest),
    /// Every value satisfies it, and there is one.
    Each(Box<Predicate<'c>>),
    /// Some command matches this pattern.
    Runs(&'c str),
    /// A test of which nothing is known, except that equal keys mean the same test.
    Opaque,
}

/// A set of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextSet<'c> {
    /// This text.
    Exactly(&'c str),
    /// Texts with this prefix.
    Prefix(&'c str),
    /// Texts with this suffix.
    Suffix(&'c str),
    /// Texts that contain this.
    Substring(&'c str),
}

impl TextSet<'_> {
    fn has_text(self, text: &str) -> bool {
        match self {
            Self::Exactly(other) => text == other,
            Self::Prefix(start) => text.starts_with(start),
            Self::Suffix(end) => text.ends_with(end),
            Self::Substring(part) => text.contains(part),
        }
    }

    /// Whether every text of this set is in the other.
    fn is_subset_of(self, other: Self) -> bool {
        match (self, other) {
            (Self::Exactly(text), other) => other.has_text(text),
            (_, Self::Prefix("") | Self::Suffix("") | Self::Substring("")) => true,
            (Self::Prefix(text), Self::Prefix(_) | Self::Substring(_))
            | (Self::Suffix(text), Self::Suffix(_) | Self::Substring(_))
            | (Self::Substring(text), Self::Substring(_)) => other.has_text(text),
            _ => false,
        }
    }

    /// Whether the two sets have no text in common.
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Exactly(text), other) | (other, Self::Exactly(text)) => !other.has_text(text),
            (Self::Prefix(one), Self::Prefix(other)) => !one.starts_with(other) && !other.starts_with(one),
            (Self::Suffix(one), Self::Suffix(other)) => !one.ends_with(other) && !other.ends_with(one),
            _ => false,
        }
    }

    fn write_key(self, out: &mut Vec<u8>) {
        let (mark, text) = match self {
            Self::Exactly(text) => (b'=', text),
            Self::Prefix(text) => (b'^', text),
            Self::Suffix(text) => (b'$', text),
            Self::Substring(text) => (b'~', text),
        };
        super::write_key_run(mark, text.as_bytes(), out);
    }
}

impl<'c> Predicate<'c> {
    /// Converts a test to a predicate.
    pub(super) fn from_test(test: &'c ValueTest) -> Self {
        let literal = |value: &'c PolicyValue| match value {
            PolicyValue::Literal(literal) => Some(literal),
            PolicyValue::Source(_) => None,
        };
        let text = |value: &'c PolicyValue| match value {
            PolicyValue::Literal(Literal::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        let made = match test {
            ValueTest::Equal(value) => literal(value).map(|literal| Self::from_literals(vec![literal])),
            ValueTest::In(values) => values.iter().map(literal).collect::<Option<_>>().map(Self::from_literals),
            ValueTest::Order(order, PolicyValue::Literal(Literal::Number(number))) => {
                Some(Self::Order(*order, *number))
            }
            ValueTest::StartsWith(value) => text(value).map(|text| Self::Texts(vec![TextSet::Prefix(text)])),
            ValueTest::EndsWith(value) => text(value).map(|text| Self::Texts(vec![TextSet::Suffix(text)])),
            ValueTest::Contains(value) => text(value).map(|text| Self::Texts(vec![TextSet::Substring(text)])),
            ValueTest::LikeText(globs) => {
                globs.patterns().map(text_set_of_glob).collect::<Option<_>>().map(Self::Texts)
            }
            _ => None,
        };
        made.unwrap_or(Self::Test(test))
    }

    /// Creates the predicate for one of some texts.
    pub(super) fn from_texts(texts: impl Iterator<Item = &'c str>) -> Self {
        Self::Texts(texts.map(TextSet::Exactly).collect())
    }

    fn from_literals(literals: Vec<&'c Literal>) -> Self {
        let text = |literal: &&'c Literal| match literal {
            Literal::Text(text) => Some(TextSet::Exactly(text)),
            _ => None,
        };
        match literals.iter().map(text).collect() {
            Some(texts) => Self::Texts(texts),
            None => Self::Literals(literals),
        }
    }

    /// Appends a key that identifies the predicate among those of one source.
    pub(super) fn write_key(&self, out: &mut Vec<u8>) {
        match self {
            Self::Exists => out.push(b'e'),
            Self::IsTrue => out.push(b't'),
            Self::Texts(shapes) => {
                let mut keys: Vec<Vec<u8>> = shapes
                    .iter()
                    .map(|shape| {
                        let mut key = Vec::new();
                        shape.write_key(&mut key);
                        key
                    })
                    .collect();
                keys.sort_unstable();
                keys.dedup();
                super::write_key_run(b's', &keys.concat(), out);
            }
            Self::Literals(literals) => super::write_key_run(b'l', format!("{literals:?}").as_bytes(), out),
            Self::Order(order, number) => super::write_key_run(b'o', format!("{order:?}{number}").as_bytes(), out),
            Self::Test(test) => super::write_key_run(b'?', &crate::wire::to_bytes(*test), out),
            Self::Each(inner) => {
                out.push(b'a');
                inner.write_key(out);
            }
            Self::Runs(text) => super::write_key_run(b'r', text.as_bytes(), out),
            Self::Opaque => out.push(b'x'),
        }
    }

    /// Returns the number of its literals or texts.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Texts(shapes) => shapes.len(),
            Self::Literals(literals) => literals.len(),
            Self::Each(inner) => inner.size(),
            _ => 1,
        }
    }

    /// Evaluates it for a value, if the result is known.
    fn evaluate(&self, value: CandidateValue<'_>) -> Option<bool> {
        match (self, value) {
            (Self::Opaque | Self::Runs(_) | Self::Each(_), _) => None,
            (_, CandidateValue::Absent) => Some(false),
            (Self::Exists, _) => Some(true),
            (Self::IsTrue, value) => Some(matches!(value, CandidateValue::Boolean(true))),
            (Self::Texts(shapes), CandidateValue::Text(text)) => Some(shapes.iter().any(|shape| shape.has_text(text))),
            (Self::Texts(shapes), CandidateValue::OtherText) => {
                let has_any = shapes.iter().any(|shape| TextSet::Substring("").is_subset_of(*shape));
                if has_any {
                    Some(true)
                } else {
                    shapes.iter().all(|shape| matches!(shape, TextSet::Exactly(_))).then_some(false)
                }
            }
            (Self::Texts(_), _) => Some(false),
            (Self::Literals(literals), value) => Some(literals.iter().any(|literal| match (literal, value) {
                (Literal::Text(one), CandidateValue::Text(other)) => one == other,
                (Literal::Number(one), CandidateValue::Number(other)) => one.total_cmp(&other).is_eq(),
                (Literal::Boolean(one), CandidateValue::Boolean(other)) => *one == other,
                _ => false,
            })),
            (Self::Order(order, number), CandidateValue::Number(value)) => Some(match order {
                OrderOperator::Less => value < *number,
                OrderOperator::LessEqual => value <= *number,
                OrderOperator::Greater => value > *number,
                OrderOperator::GreaterEqual => value >= *number,
            }),
            (Self::Order(..), _) => Some(false),
            (Self::Test(ValueTest::LikeText(globs)), CandidateValue::Text(text)) => Some(globs.matches(text)),
            (Self::Test(ValueTest::Matches(regex)), CandidateValue::Text(text)) => {
                regex.compiled().ok().map(|regex| regex.is_match(text))
            }
            (Self::Test(ValueTest::LikeText(_) | ValueTest::Matches(_)), CandidateValue::OtherText) => None,
            (Self::Test(ValueTest::LikeText(_) | ValueTest::Matches(_)), _) => Some(false),
            (Self::Test(_), _) => None,
        }
    }

    /// Whether it implies the other predicate, for values other than the tried texts.
    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Texts(own), Self::Texts(others)) => {
                let mut own = own.iter().filter(|shape| !matches!(shape, TextSet::Exactly(_)));
                own.all(|shape| others.iter().any(|other| shape.is_subset_of(*other)))
            }
            (Self::Runs(own), Self::Runs(other)) => is_narrower_pattern(own, other),
            _ => false,
        }
    }

    /// Whether no value satisfies both, other than the tried texts.
    fn excludes(&self, other: &Self) -> bool {
        let (Self::Texts(own), Self::Texts(others)) = (self, other) else { return false };
        let open = |shapes: &[TextSet<'c>]| -> Vec<TextSet<'c>> {
            shapes.iter().filter(|shape| !matches!(shape, TextSet::Exactly(_))).copied().collect()
        };
        let (own, others) = (open(own), open(others));
        own.iter().all(|shape| others.iter().all(|other| shape.excludes(*other)))
    }

    /// Returns globs of which a satisfying path matches one; `None` if they are unknown.
    fn matching_globs(&self) -> Option<Vec<PathGlob<'c>>> {
        let test = match self {
            Self::Test(test) => test,
            Self::Texts(shapes) => {
                let path = |shape: &TextSet<'c>| match shape {
                    TextSet::Exactly(path) => PathGlob::from_path(path),
                    _ => None,
                };
                return shapes.iter().map(path).collect();
            }
            _ => return None,
        };
        match test {
            // Exclusions only make the set smaller, so they can be ignored.
            ValueTest::LikePath(globs) => {
                globs.patterns().filter(|glob| !glob.starts_with('!')).map(PathGlob::new).collect()
            }
            ValueTest::Under(dirs) => dirs
                .iter()
                .map(|dir| match dir {
                    DirOperand::Literal(path) => PathGlob::below_directory(path.to_str()?),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }

    /// Returns directories that contain no satisfying path.
    fn excluded_globs(&self) -> Vec<PathGlob<'c>> {
        let Self::Test(ValueTest::Outside(dirs)) = self else { return Vec::new() };
        let literal = |dir: &'c DirOperand| match dir {
            DirOperand::Literal(path) => PathGlob::below_directory(path.to_str()?),
            _ => None,
        };
        dirs.iter().filter_map(literal).collect()
    }

    fn candidate_values(&self) -> Vec<CandidateValue<'c>> {
        match self {
            Self::Texts(shapes) => shapes
                .iter()
                .map(|shape| match shape {
                    TextSet::Exactly(text)
                    | TextSet::Prefix(text)
                    | TextSet::Suffix(text)
                    | TextSet::Substring(text) => CandidateValue::Text(text),
                })
                .collect(),
            Self::Literals(literals) => literals.iter().map(|literal| CandidateValue::from_literal(literal)).collect(),
            Self::Order(_, number) => vec![CandidateValue::Number(*number)],
            Self::Each(inner) => inner.candidate_values(),
            _ => Vec::new(),
        }
    }
}

/// Returns the set of texts of a glob whose only wildcards are `*` at its ends.
fn text_set_of_glob(glob: &str) -> Option<TextSet<'_>> {
    let has_end = |glob: &str| glob.len() > 1 && glob.ends_with('*');
    let (inner, starts_open) = glob.strip_prefix('*').map_or((glob, false), |rest| (rest, true));
    let (inner, ends_open) =
        if has_end(glob) { (inner.strip_suffix('*').unwrap_or(inner), true) } else { (inner, false) };
    if inner.contains(['*', '?', '[', ']', '{', '}', '\\', '!']) {
        return None;
    }
    Some(match (starts_open, ends_open) {
        (false, false) => TextSet::Exactly(inner),
        (false, true) => TextSet::Prefix(inner),
        (true, false) => TextSet::Suffix(inner),
        (true, true) => TextSet::Substring(inner),
    })
}

/// Whether every command that a pattern matches is also matched by the other: it begins with the other's words.
fn is_narrower_pattern(pattern: &str, other: &str) -> bool {
    let mut words = pattern.split_whitespace();
    let others = other.split_whitespace();
    let is_plain = |word: &str| !word.contains(['*', '?', '[', '!', '(', '|', '{', '\\', '"', '\'']);
    let mut any = false;
    for other in others {
        if !is_plain(other) || words.next() != Some(other) {
            return false;
        }
        any = true;
    }
    any
}

/// A candidate value of a value reference.
#[derive(Clone, Copy, Debug)]
pub(super) enum CandidateValue<'c> {
    /// No value.
    Absent,
    /// A text.
    Text(&'c str),
    /// A text that does not occur in the policy.
    OtherText,
    /// A number.
    Number(f64),
    /// A boolean.
    Boolean(bool),
    /// A value for which no comparison holds.
    Other,
}

impl<'c> CandidateValue<'c> {
    fn from_literal(literal: &'c Literal) -> Self {
        match literal {
            Literal::Text(text) => Self::Text(text),
            Literal::Number(number) => Self::Number(*number),
            Literal::Boolean(truth) => Self::Boolean(*truth),
        }
    }
}

/// Whether the tests of one source can have these results at the same time.
pub(super) fn are_consistent(class: ReferenceClass, tests: &[(&Predicate<'_>, bool)]) -> bool {
    if let [(predicate, truth)] = tests {
        // Even a predicate that holds for every value requires a value.
        return !matches!((class.has_single_value, predicate), (_, Predicate::Texts(shapes)) if shapes.is_empty() && *truth);
    }
    if tests.iter().any(|(predicate, _)| matches!(predicate, Predicate::Runs(_))) {
        return are_consistent_runs(tests);
    }
    if class.has_paths {
        return !class.has_single_value || are_consistent_paths(tests);
    }
    let mut tried: Vec<CandidateValue<'_>> =
        tests.iter().flat_map(|(predicate, _)| predicate.candidate_values()).collect();
    if tried.len() > MAX_LITERALS {
        return true;
    }
    add_numbers(&mut tried);
    tried.extend([
        CandidateValue::Absent,
        CandidateValue::OtherText,
        CandidateValue::Boolean(true),
        CandidateValue::Boolean(false),
        CandidateValue::Other,
    ]);
    if class.has_single_value {
        return can_hold_for_one_value(&tried, tests);
    }
    can_hold_for_several_values(&tried, tests)
}

/// The maximum number of pairs of globs that are compared.
const MAX_GLOB_PAIRS: usize = 400;

/// Whether one path can give the tests these results, as far as globs and directories can tell.
fn are_consistent_paths(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let held: Vec<Vec<PathGlob<'_>>> =
        tests.iter().filter(|(_, truth)| *truth).filter_map(|(predicate, _)| predicate.matching_globs()).collect();
    let are_apart = |one: &[PathGlob<'_>], other: &[PathGlob<'_>]| {
        one.len() * other.len() <= MAX_GLOB_PAIRS && one.iter().all(|one| other.iter().all(|other| one.excludes(other)))
    };
    let outside = tests.iter().filter(|(_, truth)| *truth).flat_map(|(predicate, _)| predicate.excluded_globs());
    let outside: Vec<PathGlob<'_>> = outside.take(MAX_GLOB_PAIRS).collect();
    let is_left_out = |places: &Vec<PathGlob<'_>>| {
        places.len() * outside.len() <= MAX_GLOB_PAIRS
            && !places.is_empty()
            && places.iter().all(|place| outside.iter().any(|directory| directory.covers(place)))
    };
    !held.iter().any(is_left_out)
        && !held.iter().enumerate().any(|(at, one)| held.iter().skip(at + 1).any(|other| are_apart(one, other)))
}

/// Adds a number between each two neighbours, and one beyond either end.
fn add_numbers(tried: &mut Vec<CandidateValue<'_>>) {
    let number = |tried: &CandidateValue<'_>| match tried {
        CandidateValue::Number(number) => Some(*number),
        _ => None,
    };
    let mut numbers: Vec<f64> = tried.iter().filter_map(number).collect();
    numbers.sort_by(f64::total_cmp);
    let between: Vec<f64> =
        numbers.windows(2).filter_map(|two| two.first().zip(two.last())).map(|(a, b)| a.midpoint(*b)).collect();
    let ends = [numbers.first().map(|first| first - 1.0), numbers.last().map(|last| last + 1.0)];
    tried.extend(between.into_iter().chain(ends.into_iter().flatten()).map(CandidateValue::Number));
    if numbers.is_empty() {
        tried.push(CandidateValue::Number(0.0));
    }
}

/// Whether one value gives the tests these results.
fn can_hold_for_one_value(tried: &[CandidateValue<'_>], tests: &[(&Predicate<'_>, bool)]) -> bool {
    tried.iter().any(|value| {
        let fits =
            |(predicate, truth): &(&Predicate<'_>, bool)| predicate.evaluate(*value).is_none_or(|is| is == *truth);
        tests.iter().all(fits) && (!matches!(value, CandidateValue::OtherText) || can_hold_for_other_text(tests))
    })
}

/// Whether a text that does not occur in the policy may give the tests these results.
fn can_hold_for_other_text(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let (held, failed): (Vec<_>, Vec<_>) = tests.iter().partition(|(_, truth)| *truth);
    let contradicted = held.iter().enumerate().any(|(at, (one, _))| {
        failed.iter().any(|(other, _)| one.implies(other))
            || held.iter().skip(at + 1).any(|(other, _)| one.excludes(other))
    });
    !contradicted
}

/// Whether a set of values gives the tests these results.
fn can_hold_for_several_values(tried: &[CandidateValue<'_>], tests: &[(&Predicate<'_>, bool)]) -> bool {
    // The predicates that every value must satisfy or fail.
    let mut each: Vec<(&Predicate<'_>, bool)> = Vec::new();
    let mut some: Vec<(&Predicate<'_>, bool)> = Vec::new();
    for (predicate, truth) in tests {
        match (predicate, truth) {
            (Predicate::Each(inner), true) => {
                each.push((inner, true));
                some.push((inner, true));
            }
            (Predicate::Each(inner), false) => some.push((inner, false)),
            (Predicate::Exists, true) => some.push((predicate, true)),
            (_, true) => some.push((predicate, true)),
            (_, false) => each.push((predicate, false)),
        }
    }
    // Without any value, each `all` is already false.
    let must_be = some.iter().any(|(_, truth)| *truth);
    some.iter().filter(|(_, truth)| *truth || must_be).all(|witness| {
        let mut tests = each.clone();
        tests.push(*witness);
        let tried: Vec<CandidateValue<'_>> =
            tried.iter().filter(|value| !matches!(value, CandidateValue::Absent)).copied().collect();
        can_hold_for_one_value(&tried, &tests)
    })
}

/// Whether patterns of commands can have these results: a pattern cannot match without the more general ones.
fn are_consistent_runs(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let (held, failed): (Vec<_>, Vec<_>) = tests.iter().partition(|(_, truth)| *truth);
    !held.iter().any(|(one, _)| failed.iter().any(|(other, _)| one.implies(other)))
}
