//! Which tests of one source can be true at the same time.
//!
//! "No" is certain; "yes" may be wrong.

use crate::lint::globs::PathGlob;
use crate::ruleset::{Dir, Literal, Order, Test, Value};

/// The maximum number of literals per source that are tried.
const MOST_LITERALS: usize = 400;

/// The tests of one source.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) class: Class,
}

/// What is known of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// Whether it has at most one value.
    has_one: bool,
    /// Whether its values are paths, so that different texts may mean the same.
    of_paths: bool,
    /// How it can be unknown.
    pub(super) unknown: Unknown,
}

/// How the tests of a source can be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unknown {
    /// Never.
    Never,
    /// All of them at the same time.
    AtOnce,
    /// Each independently.
    Apart,
}

impl Class {
    /// At most one value, which is known.
    pub(super) fn one() -> Self {
        Self { has_one: true, of_paths: false, unknown: Unknown::Never }
    }

    /// Any number of values.
    pub(super) fn several() -> Self {
        Self { has_one: false, ..Self::one() }
    }

    /// The commands of a call.
    pub(super) fn commands() -> Self {
        Self::several().partly_known()
    }

    pub(super) fn known_or_not(self) -> Self {
        Self { unknown: Unknown::AtOnce, ..self }
    }

    pub(super) fn partly_known(self) -> Self {
        Self { unknown: Unknown::Apart, ..self }
    }

    pub(super) fn of_paths(self) -> Self {
        Self { of_paths: true, ..self }
    }

    pub(super) fn is_several(self) -> bool {
        !self.has_one
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
    Texts(Vec<Shape<'c>>),
    /// It is one of these literals.
    Literals(Vec<&'c Literal>),
    /// It is a number with this relation to another.
    Order(Order, f64),
    /// Any other test of one value.
    Test(&'c Test),
    /// Every value satisfies it, and there is one.
    Each(Box<Predicate<'c>>),
    /// Some command matches this pattern.
    Runs(&'c str),
    /// A test of which nothing is known, except that equal keys mean the same test.
    Opaque,
}

/// A set of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape<'c> {
    /// This text.
    Is(&'c str),
    /// Texts with this prefix.
    Starts(&'c str),
    /// Texts with this suffix.
    Ends(&'c str),
    /// Texts that contain this.
    Contains(&'c str),
}

impl Shape<'_> {
    fn holds(self, text: &str) -> bool {
        match self {
            Self::Is(other) => text == other,
            Self::Starts(start) => text.starts_with(start),
            Self::Ends(end) => text.ends_with(end),
            Self::Contains(part) => text.contains(part),
        }
    }

    /// Whether every text of this set is in the other.
    fn is_in(self, other: Self) -> bool {
        match (self, other) {
            (Self::Is(text), other) => other.holds(text),
            (_, Self::Starts("") | Self::Ends("") | Self::Contains("")) => true,
            (Self::Starts(text), Self::Starts(_) | Self::Contains(_))
            | (Self::Ends(text), Self::Ends(_) | Self::Contains(_))
            | (Self::Contains(text), Self::Contains(_)) => other.holds(text),
            _ => false,
        }
    }

    /// Whether the two sets have no text in common.
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Is(text), other) | (other, Self::Is(text)) => !other.holds(text),
            (Self::Starts(one), Self::Starts(other)) => !one.starts_with(other) && !other.starts_with(one),
            (Self::Ends(one), Self::Ends(other)) => !one.ends_with(other) && !other.ends_with(one),
            _ => false,
        }
    }

    fn put_key(self, out: &mut Vec<u8>) {
        let (mark, text) = match self {
            Self::Is(text) => (b'=', text),
            Self::Starts(text) => (b'^', text),
            Self::Ends(text) => (b'$', text),
            Self::Contains(text) => (b'~', text),
        };
        super::put_run(mark, text.as_bytes(), out);
    }
}

impl<'c> Predicate<'c> {
    /// Converts a test to a predicate.
    pub(super) fn of(test: &'c Test) -> Self {
        let literal = |value: &'c Value| match value {
            Value::Literal(literal) => Some(literal),
            Value::Source(_) => None,
        };
        let text = |value: &'c Value| match value {
            Value::Literal(Literal::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        let made = match test {
            Test::Equal(value) => literal(value).map(|literal| Self::of_literals(vec![literal])),
            Test::In(values) => values.iter().map(literal).collect::<Option<_>>().map(Self::of_literals),
            Test::Order(order, Value::Literal(Literal::Number(number))) => Some(Self::Order(*order, *number)),
            Test::StartsWith(value) => text(value).map(|text| Self::Texts(vec![Shape::Starts(text)])),
            Test::EndsWith(value) => text(value).map(|text| Self::Texts(vec![Shape::Ends(text)])),
            Test::Contains(value) => text(value).map(|text| Self::Texts(vec![Shape::Contains(text)])),
            Test::LikeText(globs) => globs.patterns().map(of_glob).collect::<Option<_>>().map(Self::Texts),
            _ => None,
        };
        made.unwrap_or(Self::Test(test))
    }

    /// Creates the predicate for one of some texts.
    pub(super) fn one_of(texts: impl Iterator<Item = &'c str>) -> Self {
        Self::Texts(texts.map(Shape::Is).collect())
    }

    fn of_literals(literals: Vec<&'c Literal>) -> Self {
        let text = |literal: &&'c Literal| match literal {
            Literal::Text(text) => Some(Shape::Is(text)),
            _ => None,
        };
        match literals.iter().map(text).collect() {
            Some(texts) => Self::Texts(texts),
            None => Self::Literals(literals),
        }
    }

    /// Appends a key that identifies the predicate among those of one source.
    pub(super) fn put_key(&self, out: &mut Vec<u8>) {
        match self {
            Self::Exists => out.push(b'e'),
            Self::IsTrue => out.push(b't'),
            Self::Texts(shapes) => {
                let mut keys: Vec<Vec<u8>> = shapes
                    .iter()
                    .map(|shape| {
                        let mut key = Vec::new();
                        shape.put_key(&mut key);
                        key
                    })
                    .collect();
                keys.sort_unstable();
                keys.dedup();
                super::put_run(b's', &keys.concat(), out);
            }
            Self::Literals(literals) => super::put_run(b'l', format!("{literals:?}").as_bytes(), out),
            Self::Order(order, number) => super::put_run(b'o', format!("{order:?}{number}").as_bytes(), out),
            Self::Test(test) => super::put_run(b'?', &crate::wire::to_bytes(*test), out),
            Self::Each(inner) => {
                out.push(b'a');
                inner.put_key(out);
            }
            Self::Runs(text) => super::put_run(b'r', text.as_bytes(), out),
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
    fn of_value(&self, value: Tried<'_>) -> Option<bool> {
        match (self, value) {
            (Self::Opaque | Self::Runs(_) | Self::Each(_), _) => None,
            (_, Tried::Nothing) => Some(false),
            (Self::Exists, _) => Some(true),
            (Self::IsTrue, value) => Some(matches!(value, Tried::Boolean(true))),
            (Self::Texts(shapes), Tried::Text(text)) => Some(shapes.iter().any(|shape| shape.holds(text))),
            (Self::Texts(shapes), Tried::OtherText) => {
                let has_any = shapes.iter().any(|shape| Shape::Contains("").is_in(*shape));
                if has_any {
                    Some(true)
                } else {
                    shapes.iter().all(|shape| matches!(shape, Shape::Is(_))).then_some(false)
                }
            }
            (Self::Texts(_), _) => Some(false),
            (Self::Literals(literals), value) => Some(literals.iter().any(|literal| match (literal, value) {
                (Literal::Text(one), Tried::Text(other)) => one == other,
                (Literal::Number(one), Tried::Number(other)) => one.total_cmp(&other).is_eq(),
                (Literal::Boolean(one), Tried::Boolean(other)) => *one == other,
                _ => false,
            })),
            (Self::Order(order, number), Tried::Number(value)) => Some(match order {
                Order::Less => value < *number,
                Order::LessEqual => value <= *number,
                Order::Greater => value > *number,
                Order::GreaterEqual => value >= *number,
            }),
            (Self::Order(..), _) => Some(false),
            (Self::Test(Test::LikeText(globs)), Tried::Text(text)) => Some(globs.matches(text)),
            (Self::Test(Test::Matches(regex)), Tried::Text(text)) => regex.get().ok().map(|regex| regex.is_match(text)),
            (Self::Test(Test::LikeText(_) | Test::Matches(_)), Tried::OtherText) => None,
            (Self::Test(Test::LikeText(_) | Test::Matches(_)), _) => Some(false),
            (Self::Test(_), _) => None,
        }
    }

    /// Whether it implies the other predicate, for values other than the tried texts.
    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Texts(own), Self::Texts(others)) => {
                let mut own = own.iter().filter(|shape| !matches!(shape, Shape::Is(_)));
                own.all(|shape| others.iter().any(|other| shape.is_in(*other)))
            }
            (Self::Runs(own), Self::Runs(other)) => narrows(own, other),
            _ => false,
        }
    }

    /// Whether no value satisfies both, other than the tried texts.
    fn excludes(&self, other: &Self) -> bool {
        let (Self::Texts(own), Self::Texts(others)) = (self, other) else { return false };
        let open = |shapes: &[Shape<'c>]| -> Vec<Shape<'c>> {
            shapes.iter().filter(|shape| !matches!(shape, Shape::Is(_))).copied().collect()
        };
        let (own, others) = (open(own), open(others));
        own.iter().all(|shape| others.iter().all(|other| shape.excludes(*other)))
    }

    /// Returns globs of which a satisfying path matches one; `None` if they are unknown.
    fn places(&self) -> Option<Vec<PathGlob<'c>>> {
        let test = match self {
            Self::Test(test) => test,
            Self::Texts(shapes) => {
                let path = |shape: &Shape<'c>| match shape {
                    Shape::Is(path) => PathGlob::exact(path),
                    _ => None,
                };
                return shapes.iter().map(path).collect();
            }
            _ => return None,
        };
        match test {
            // Exclusions only make the set smaller, so they can be ignored.
            Test::LikePath(globs) => {
                globs.patterns().filter(|glob| !glob.starts_with('!')).map(PathGlob::new).collect()
            }
            Test::Under(dirs) => dirs
                .iter()
                .map(|dir| match dir {
                    Dir::Literal(path) => PathGlob::below(path.to_str()?),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }

    /// Returns directories that contain no satisfying path.
    fn left_out(&self) -> Vec<PathGlob<'c>> {
        let Self::Test(Test::Outside(dirs)) = self else { return Vec::new() };
        let literal = |dir: &'c Dir| match dir {
            Dir::Literal(path) => PathGlob::below(path.to_str()?),
            _ => None,
        };
        dirs.iter().filter_map(literal).collect()
    }

    fn literals(&self) -> Vec<Tried<'c>> {
        match self {
            Self::Texts(shapes) => shapes
                .iter()
                .map(|shape| match shape {
                    Shape::Is(text) | Shape::Starts(text) | Shape::Ends(text) | Shape::Contains(text) => {
                        Tried::Text(text)
                    }
                })
                .collect(),
            Self::Literals(literals) => literals.iter().map(|literal| Tried::of(literal)).collect(),
            Self::Order(_, number) => vec![Tried::Number(*number)],
            Self::Each(inner) => inner.literals(),
            _ => Vec::new(),
        }
    }
}

/// Returns the set of texts of a glob whose only wildcards are `*` at its ends.
fn of_glob(glob: &str) -> Option<Shape<'_>> {
    let has_end = |glob: &str| glob.len() > 1 && glob.ends_with('*');
    let (inner, starts_open) = glob.strip_prefix('*').map_or((glob, false), |rest| (rest, true));
    let (inner, ends_open) =
        if has_end(glob) { (inner.strip_suffix('*').unwrap_or(inner), true) } else { (inner, false) };
    if inner.contains(['*', '?', '[', ']', '{', '}', '\\', '!']) {
        return None;
    }
    Some(match (starts_open, ends_open) {
        (false, false) => Shape::Is(inner),
        (false, true) => Shape::Starts(inner),
        (true, false) => Shape::Ends(inner),
        (true, true) => Shape::Contains(inner),
    })
}

/// Whether every command that a pattern matches is also matched by the other: it begins with the other's words.
fn narrows(pattern: &str, other: &str) -> bool {
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

/// A value that is tried for a source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tried<'c> {
    /// No value.
    Nothing,
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

impl<'c> Tried<'c> {
    fn of(literal: &'c Literal) -> Self {
        match literal {
            Literal::Text(text) => Self::Text(text),
            Literal::Number(number) => Self::Number(*number),
            Literal::Boolean(truth) => Self::Boolean(*truth),
        }
    }
}

/// Whether the tests of one source can have these results at the same time.
pub(super) fn can_be(class: Class, tests: &[(&Predicate<'_>, bool)]) -> bool {
    if let [(predicate, truth)] = tests {
        // Even a predicate that holds for every value requires a value.
        return !matches!((class.has_one, predicate), (_, Predicate::Texts(shapes)) if shapes.is_empty() && *truth);
    }
    if tests.iter().any(|(predicate, _)| matches!(predicate, Predicate::Runs(_))) {
        return runs_can_be(tests);
    }
    if class.of_paths {
        return !class.has_one || paths_can_be(tests);
    }
    let mut tried: Vec<Tried<'_>> = tests.iter().flat_map(|(predicate, _)| predicate.literals()).collect();
    if tried.len() > MOST_LITERALS {
        return true;
    }
    add_numbers(&mut tried);
    tried.extend([Tried::Nothing, Tried::OtherText, Tried::Boolean(true), Tried::Boolean(false), Tried::Other]);
    if class.has_one {
        return one_value(&tried, tests);
    }
    several_values(&tried, tests)
}

/// The maximum number of pairs of globs that are compared.
const MOST_PAIRS: usize = 400;

/// Whether one path can give the tests these results, as far as globs and directories can tell.
fn paths_can_be(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let held: Vec<Vec<PathGlob<'_>>> =
        tests.iter().filter(|(_, truth)| *truth).filter_map(|(predicate, _)| predicate.places()).collect();
    let are_apart = |one: &[PathGlob<'_>], other: &[PathGlob<'_>]| {
        one.len() * other.len() <= MOST_PAIRS && one.iter().all(|one| other.iter().all(|other| one.excludes(other)))
    };
    let outside = tests.iter().filter(|(_, truth)| *truth).flat_map(|(predicate, _)| predicate.left_out());
    let outside: Vec<PathGlob<'_>> = outside.take(MOST_PAIRS).collect();
    let is_left_out = |places: &Vec<PathGlob<'_>>| {
        places.len() * outside.len() <= MOST_PAIRS
            && !places.is_empty()
            && places.iter().all(|place| outside.iter().any(|directory| directory.covers(place)))
    };
    !held.iter().any(is_left_out)
        && !held.iter().enumerate().any(|(at, one)| held.iter().skip(at + 1).any(|other| are_apart(one, other)))
}

/// Adds a number between each two neighbours, and one beyond either end.
fn add_numbers(tried: &mut Vec<Tried<'_>>) {
    let number = |tried: &Tried<'_>| match tried {
        Tried::Number(number) => Some(*number),
        _ => None,
    };
    let mut numbers: Vec<f64> = tried.iter().filter_map(number).collect();
    numbers.sort_by(f64::total_cmp);
    let between: Vec<f64> =
        numbers.windows(2).filter_map(|two| two.first().zip(two.last())).map(|(a, b)| a.midpoint(*b)).collect();
    let ends = [numbers.first().map(|first| first - 1.0), numbers.last().map(|last| last + 1.0)];
    tried.extend(between.into_iter().chain(ends.into_iter().flatten()).map(Tried::Number));
    if numbers.is_empty() {
        tried.push(Tried::Number(0.0));
    }
}

/// Whether one value gives the tests these results.
fn one_value(tried: &[Tried<'_>], tests: &[(&Predicate<'_>, bool)]) -> bool {
    tried.iter().any(|value| {
        let fits =
            |(predicate, truth): &(&Predicate<'_>, bool)| predicate.of_value(*value).is_none_or(|is| is == *truth);
        tests.iter().all(fits) && (!matches!(value, Tried::OtherText) || other_text(tests))
    })
}

/// Whether a text that does not occur in the policy may give the tests these results.
fn other_text(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let (held, failed): (Vec<_>, Vec<_>) = tests.iter().partition(|(_, truth)| *truth);
    let contradicted = held.iter().enumerate().any(|(at, (one, _))| {
        failed.iter().any(|(other, _)| one.implies(other))
            || held.iter().skip(at + 1).any(|(other, _)| one.excludes(other))
    });
    !contradicted
}

/// Whether a set of values gives the tests these results.
fn several_values(tried: &[Tried<'_>], tests: &[(&Predicate<'_>, bool)]) -> bool {
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
        let tried: Vec<Tried<'_>> = tried.iter().filter(|value| !matches!(value, Tried::Nothing)).copied().collect();
        one_value(&tried, &tests)
    })
}

/// Whether patterns of commands can have these results: a pattern cannot match without the more general ones.
fn runs_can_be(tests: &[(&Predicate<'_>, bool)]) -> bool {
    let (held, failed): (Vec<_>, Vec<_>) = tests.iter().partition(|(_, truth)| *truth);
    !held.iter().any(|(one, _)| failed.iter().any(|(other, _)| one.implies(other)))
}
