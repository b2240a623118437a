//! Decides whether several tests of one source can have given results at the same time.
//!
//! The answer `false` is certain; `true` may be wrong.

use crate::lint::globs::PathGlob;
use crate::ruleset::{DirOperand, Literal, OrderOperator, PolicyValue, ValueTest};

/// The maximum number of literals that are tried as the value of one source; beyond it, the tests count as consistent.
const MAX_LITERALS: usize = 400;

/// The atoms about one source.
#[derive(Debug)]
pub(super) struct AtomGroup {
    pub(super) class: ReferenceClass,
}

/// What is known about the values of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceClass {
    /// Whether the source has at most one value.
    has_single_value: bool,
    /// Whether the values are paths, where different texts can name the same file.
    has_paths: bool,
    /// Which of the source's tests can be unknown at the same time.
    pub(super) unknown: UnknownScope,
}

/// Which tests of a source can be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnknownScope {
    /// No test can be unknown.
    Never,
    /// Either all tests are unknown, or none is.
    AllTogether,
    /// Each test can be unknown, regardless of the others.
    Independently,
}

impl ReferenceClass {
    /// Returns the class of sources with at most one value, which is never unknown.
    pub(super) fn single_value() -> Self {
        Self { has_single_value: true, has_paths: false, unknown: UnknownScope::Never }
    }

    /// Returns the class of sources with any number of values, which are never unknown.
    pub(super) fn several_values() -> Self {
        Self { has_single_value: false, ..Self::single_value() }
    }

    /// Returns the class of the commands of a call.
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

/// A test of a source, reduced to what the theory distinguishes.
#[derive(Clone, Debug)]
pub(super) enum Predicate<'c> {
    /// The source has a value.
    Exists,
    /// The value is `true`.
    IsTrue,
    /// The value is a text in one of these sets.
    Texts(Vec<TextSet<'c>>),
    /// The value is one of these literals.
    Literals(Vec<&'c Literal>),
    /// The value is a number that has this relation to the given one.
    Order(OrderOperator, f64),
    /// The value satisfies a test for which there is no other variant.
    Test(&'c ValueTest),
    /// Every value satisfies the predicate, and there is at least one value.
    Each(Box<Predicate<'c>>),
    /// A command of the call matches this pattern.
    Runs(&'c str),
    /// A test about which nothing is known, except that equal ones have equal results.
    Opaque,
}

/// A set of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextSet<'c> {
    /// The set of this text alone.
    Exactly(&'c str),
    /// The texts that begin with this one.
    Prefix(&'c str),
    /// The texts that end with this one.
    Suffix(&'c str),
    /// The texts that contain this one.
    Substring(&'c str),
}

impl TextSet<'_> {
    /// Whether a text is in the set.
    fn has_text(self, text: &str) -> bool {
        match self {
            Self::Exactly(other) => text == other,
            Self::Prefix(start) => text.starts_with(start),
            Self::Suffix(end) => text.ends_with(end),
            Self::Substring(part) => text.contains(part),
        }
    }

    /// Whether certainly every text of this set is in the other one.
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

    /// Whether certainly no text is in both sets.
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Exactly(text), other) | (other, Self::Exactly(text)) => !other.has_text(text),
            (Self::Prefix(one), Self::Prefix(other)) => !one.starts_with(other) && !other.starts_with(one),
            (Self::Suffix(one), Self::Suffix(other)) => !one.ends_with(other) && !other.ends_with(one),
            _ => false,
        }
    }

    /// Appends a key that identifies the set.
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
    /// Converts the test of a comparison to a predicate.
    pub(super) fn from_test(test: &'c ValueTest) -> Self {
        let literal = |value: &'c PolicyValue| match value {
            PolicyValue::Literal(literal) => Some(literal),
            PolicyValue::Source(_) | PolicyValue::FileName(_) => None,
        };
        let text = |value: &'c PolicyValue| match value {
            PolicyValue::Literal(Literal::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        let predicate = match test {
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
        predicate.unwrap_or(Self::Test(test))
    }

    /// Returns the predicate that the value is one of these texts.
    pub(super) fn from_texts(texts: impl Iterator<Item = &'c str>) -> Self {
        Self::Texts(texts.map(TextSet::Exactly).collect())
    }

    /// Returns the predicate that the value is one of these literals.
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

    /// Appends a key that identifies the predicate among the predicates of one source.
    pub(super) fn write_key(&self, out: &mut Vec<u8>) {
        match self {
            Self::Exists => out.push(b'e'),
            Self::IsTrue => out.push(b't'),
            Self::Texts(sets) => {
                let mut keys: Vec<Vec<u8>> = sets
                    .iter()
                    .map(|set| {
                        let mut key = Vec::new();
                        set.write_key(&mut key);
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

    /// Returns the number of literals or texts in the predicate, which is the cost of examining it.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Texts(sets) => sets.len(),
            Self::Literals(literals) => literals.len(),
            Self::Each(inner) => inner.size(),
            _ => 1,
        }
    }

    /// Returns whether a value satisfies the predicate; `None` if this is unknown.
    fn evaluate(&self, value: CandidateValue<'_>) -> Option<bool> {
        match (self, value) {
            (Self::Opaque | Self::Runs(_) | Self::Each(_), _) => None,
            (_, CandidateValue::Absent) => Some(false),
            (Self::Exists, _) => Some(true),
            (Self::IsTrue, value) => Some(matches!(value, CandidateValue::Boolean(true))),
            (Self::Texts(sets), CandidateValue::Text(text)) => Some(sets.iter().any(|set| set.has_text(text))),
            (Self::Texts(sets), CandidateValue::OtherText) => {
                let has_any = sets.iter().any(|set| TextSet::Substring("").is_subset_of(*set));
                if has_any {
                    Some(true)
                } else {
                    sets.iter().all(|set| matches!(set, TextSet::Exactly(_))).then_some(false)
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

    /// Whether certainly every value that satisfies this predicate satisfies the other one. Texts that occur in the
    /// policy are ignored here, because they are tried one by one.
    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Texts(own), Self::Texts(others)) => {
                let mut own = own.iter().filter(|set| !matches!(set, TextSet::Exactly(_)));
                own.all(|set| others.iter().any(|other| set.is_subset_of(*other)))
            }
            (Self::Runs(own), Self::Runs(other)) => is_narrower_pattern(own, other),
            _ => false,
        }
    }

    /// Whether certainly no value satisfies both predicates. Texts that occur in the policy are ignored here, because
    /// they are tried one by one.
    fn excludes(&self, other: &Self) -> bool {
        let (Self::Texts(own), Self::Texts(others)) = (self, other) else { return false };
        let open = |sets: &[TextSet<'c>]| -> Vec<TextSet<'c>> {
            sets.iter().filter(|set| !matches!(set, TextSet::Exactly(_))).copied().collect()
        };
        let (own, others) = (open(own), open(others));
        own.iter().all(|set| others.iter().all(|other| set.excludes(*other)))
    }

    /// Returns globs that together match every path that satisfies the predicate; `None` if no globs are known to.
    fn matching_globs(&self) -> Option<Vec<PathGlob<'c>>> {
        let test = match self {
            Self::Test(test) => test,
            Self::Texts(sets) => {
                let path = |set: &TextSet<'c>| match set {
                    TextSet::Exactly(path) => PathGlob::from_path(path),
                    _ => None,
                };
                return sets.iter().map(path).collect();
            }
            _ => return None,
        };
        match test {
            // Without the exclusions of a list, the globs match more paths, never fewer.
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

    /// Returns globs for the directories that certainly contain no path that satisfies the predicate.
    fn excluded_globs(&self) -> Vec<PathGlob<'c>> {
        let Self::Test(ValueTest::Outside(dirs)) = self else { return Vec::new() };
        let literal = |dir: &'c DirOperand| match dir {
            DirOperand::Literal(path) => PathGlob::below_directory(path.to_str()?),
            _ => None,
        };
        dirs.iter().filter_map(literal).collect()
    }

    /// Returns the values that the predicate mentions, which are tried as the value of the source.
    fn candidate_values(&self) -> Vec<CandidateValue<'c>> {
        match self {
            Self::Texts(sets) => sets
                .iter()
                .map(|set| match set {
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

/// Returns the set of texts that a glob matches; `None` if it has any wildcard except a `*` at its beginning or end.
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

/// Whether every command that a pattern matches also matches the other pattern, because the words of the other are the
/// first words of the pattern.
fn is_narrower_pattern(pattern: &str, other: &str) -> bool {
    let mut words = pattern.split_whitespace();
    let others = other.split_whitespace();
    let is_plain = |word: &str| !word.contains(['*', '?', '[', '!', '(', '|', '{', '\\', '"', '\'']);
    let mut has_words = false;
    for other in others {
        if !is_plain(other) || words.next() != Some(other) {
            return false;
        }
        has_words = true;
    }
    has_words
}

/// A value that is tried as the value of a source.
#[derive(Clone, Copy, Debug)]
pub(super) enum CandidateValue<'c> {
    /// The source has no value.
    Absent,
    /// A text that occurs in the policy.
    Text(&'c str),
    /// Any text that does not occur in the policy.
    OtherText,
    /// A number.
    Number(f64),
    /// A boolean.
    Boolean(bool),
    /// Any value for which no comparison is true.
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

/// Whether tests of one source can have these results at the same time.
pub(super) fn are_consistent(class: ReferenceClass, tests: &[(&Predicate<'_>, bool)]) -> bool {
    if let [(predicate, truth)] = tests {
        // A single test can have any result, except that no text is in an empty list.
        let is_empty_list = matches!(predicate, Predicate::Texts(sets) if sets.is_empty());
        return !(is_empty_list && *truth);
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

/// The maximum number of pairs of globs that are compared; beyond it, the tests count as consistent.
const MAX_GLOB_PAIRS: usize = 400;

/// Whether one path can give the tests these results, as far as their globs and directories determine it.
fn are_consistent_paths(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let required_globs: Vec<Vec<PathGlob<'_>>> =
        tests.iter().filter(|(_, truth)| *truth).filter_map(|(predicate, _)| predicate.matching_globs()).collect();
    let exclude_each_other = |one: &[PathGlob<'_>], other: &[PathGlob<'_>]| {
        one.len() * other.len() <= MAX_GLOB_PAIRS && one.iter().all(|one| other.iter().all(|other| one.excludes(other)))
    };
    let excluded_directories =
        tests.iter().filter(|(_, truth)| *truth).flat_map(|(predicate, _)| predicate.excluded_globs());
    let excluded_directories: Vec<PathGlob<'_>> = excluded_directories.take(MAX_GLOB_PAIRS).collect();
    let is_excluded = |globs: &Vec<PathGlob<'_>>| {
        globs.len() * excluded_directories.len() <= MAX_GLOB_PAIRS
            && !globs.is_empty()
            && globs.iter().all(|glob| excluded_directories.iter().any(|directory| directory.covers(glob)))
    };
    !required_globs.iter().any(is_excluded)
        && !required_globs
            .iter()
            .enumerate()
            .any(|(at, one)| required_globs.iter().skip(at + 1).any(|other| exclude_each_other(one, other)))
}

/// Adds numbers to try: one between each two neighbours, one below the smallest, and one above the largest.
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

/// Whether one of the tried values can give the tests these results.
fn can_hold_for_one_value(tried: &[CandidateValue<'_>], tests: &[(&Predicate<'_>, bool)]) -> bool {
    tried.iter().any(|value| {
        let fits =
            |(predicate, truth): &(&Predicate<'_>, bool)| predicate.evaluate(*value).is_none_or(|is| is == *truth);
        tests.iter().all(fits) && (!matches!(value, CandidateValue::OtherText) || can_hold_for_other_text(tests))
    })
}

/// Whether a text that does not occur in the policy can give the tests these results.
fn can_hold_for_other_text(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let (held, failed): (Vec<_>, Vec<_>) = tests.iter().partition(|(_, truth)| *truth);
    let contradicted = held.iter().enumerate().any(|(at, (one, _))| {
        failed.iter().any(|(other, _)| one.implies(other))
            || held.iter().skip(at + 1).any(|(other, _)| one.excludes(other))
    });
    !contradicted
}

/// Whether a source with several of the tried values can give the tests these results.
fn can_hold_for_several_values(tried: &[CandidateValue<'_>], tests: &[(&Predicate<'_>, bool)]) -> bool {
    // What every value must satisfy or fail.
    let mut all_must: Vec<(&Predicate<'_>, bool)> = Vec::new();
    // What at least one value must satisfy or fail.
    let mut one_must: Vec<(&Predicate<'_>, bool)> = Vec::new();
    for (predicate, truth) in tests {
        match (predicate, truth) {
            (Predicate::Each(inner), true) => {
                all_must.push((inner, true));
                one_must.push((inner, true));
            }
            (Predicate::Each(inner), false) => one_must.push((inner, false)),
            (Predicate::Exists, true) => one_must.push((predicate, true)),
            (_, true) => one_must.push((predicate, true)),
            (_, false) => all_must.push((predicate, false)),
        }
    }
    // Without any value, each `all` is false, so its failure needs a witness only if there must be a value.
    let must_have_value = one_must.iter().any(|(_, truth)| *truth);
    one_must.iter().filter(|(_, truth)| *truth || must_have_value).all(|witness| {
        let mut tests = all_must.clone();
        tests.push(*witness);
        let tried: Vec<CandidateValue<'_>> =
            tried.iter().filter(|value| !matches!(value, CandidateValue::Absent)).copied().collect();
        can_hold_for_one_value(&tried, &tests)
    })
}

/// Whether tests of command patterns can have these results: a pattern cannot match while a more general one does not.
fn are_consistent_runs(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let (held, failed): (Vec<_>, Vec<_>) = tests.iter().partition(|(_, truth)| *truth);
    !held.iter().any(|(one, _)| failed.iter().any(|(other, _)| one.implies(other)))
}
