//! Tests of single values, and of touched files.

use std::path::Path;

use crate::context::{Context, Form, Reason, Scalar, Touched, Values};
use crate::path::{Case, TextGlobs, contains_as, is_modest};
use crate::ruleset::{Dir, Order, Source, Test, TouchTest};

use super::Truth;
use super::condition::homeless;

/// What a test came to for each value.
pub(super) struct Compared {
    results: Vec<Truth>,
    values: Vec<String>,
    unknown: Option<Reason>,
    /// The first value for which it came out true.
    pub(super) witness: Option<String>,
}

impl Compared {
    fn unknown(reason: Reason) -> Self {
        Self { results: Vec::new(), values: Vec::new(), unknown: Some(reason), witness: None }
    }

    /// One value satisfies it.
    pub(super) fn some(&self) -> Truth {
        if let Some(reason) = &self.unknown {
            return Truth::unknown(reason.clone());
        }
        let is_true = self.results.contains(&Truth::True);
        let unknown = self.results.iter().find(|truth| matches!(truth, Truth::Unknown(_)));
        if is_true { Truth::True } else { unknown.cloned().unwrap_or(Truth::False) }
    }

    /// There is a value, and each satisfies it (or, negated, none does).
    pub(super) fn every(&self, negated: bool) -> Truth {
        if let Some(reason) = &self.unknown {
            return Truth::unknown(reason.clone());
        }
        let failing = if negated { Truth::True } else { Truth::False };
        let fails = self.results.is_empty() || self.results.contains(&failing);
        let unknown = self.results.iter().find(|truth| matches!(truth, Truth::Unknown(_)));
        if fails { Truth::False } else { unknown.cloned().unwrap_or(Truth::True) }
    }

    /// Says what was looked at.
    pub(super) fn note(&self, context: &Context<'_>) -> String {
        match (&self.unknown, self.values.as_slice()) {
            (Some(reason), _) => reason.sentence(),
            (None, []) => "it has no value".to_owned(),
            (None, [only]) => format!("it is {}", super::message::quote(&context.shown(only))),
            (None, [first, rest @ ..]) => {
                let first = super::message::quote(&context.shown(first));
                format!("it is {first} and {} more", rest.len())
            }
        }
    }
}

/// Compares every value of a source.
pub(super) fn compare(context: &Context<'_>, form: Form, case: Case, source: &Source, test: &Test) -> Compared {
    let values = match context.lookup(source, form) {
        Ok(values) => values,
        Err(reason) => return Compared::unknown(reason),
    };
    let (right, missing) = right_side(context, form, test);
    let judge = |value: &Scalar<'_>| match (one(context, form, case, is_path(source), value, test, &right), &missing) {
        // One of those that are not known might be equal.
        (Truth::False, Some(reason)) => Truth::unknown(reason.clone()),
        (truth, _) => truth,
    };
    let results: Vec<Truth> = values.iter().map(judge).collect();
    let witness = results.iter().position(|truth| *truth == Truth::True).and_then(|at| values.get(at));
    let witness = witness.map(Scalar::show);
    Compared { results, witness, values: values.iter().take(2).map(Scalar::show).collect(), unknown: None }
}

/// Tells whether a source's values are absolute paths, so that the right side is read as a path too.
fn is_path(source: &Source) -> bool {
    use crate::ruleset::Derived;
    use crate::schema::Type;
    match source {
        Source::Raw { ty, .. } => matches!(ty, Type::Path | Type::List(Type::Path)),
        Source::Derived(derived) => {
            matches!(derived, Derived::Path | Derived::Project | Derived::Home | Derived::Tmp)
        }
        Source::Fact(fact) => matches!(fact, crate::ruleset::FactName::GitRoot),
        _ => false,
    }
}

/// Returns the right side of a test as far as it is known, and the first reason why not all of it is.
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
            Ok(values) => known.extend(values),
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
    if let Some(text) = value.as_text()
        && let Err(reason) = context.look_at(text.len(), looks(test, right, text))
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
            let matches = |text: &str| globs.matches(Path::new(text), context.roots_in(form), case);
            value.as_text().is_some_and(matches).into()
        }
        Test::Matches(regex) => match value.as_text().map(|text| regex.is_match(text)) {
            Some(Ok(matches)) => matches.into(),
            Some(Err(reason)) => Truth::unknown(Reason::new(reason, Some(regex.pattern().to_owned()), None)),
            None => Truth::False,
        },
        Test::Under(dirs) => placed(context, form, case, value, dirs, true),
        Test::Outside(dirs) => placed(context, form, case, value, dirs, false),
    }
}

/// Returns how often a test reads a text.
fn looks(test: &Test, right: &[Scalar<'_>], text: &str) -> usize {
    // What covers one character is tried at every place.
    let weight = |glob: &String| 1 + glob.bytes().filter(|byte| matches!(byte, b'?' | b'[')).count();
    match test {
        Test::Contains(_) => right.len(),
        // Where words of any alphabet begin and end, no table says: that takes a slower engine.
        Test::Matches(regex) if regex.pattern().contains(r"\b") && !text.is_ascii() => 8,
        Test::Matches(_) => 1,
        Test::LikeText(globs) => globs.patterns().iter().map(weight).sum(),
        Test::LikePath(globs) => globs.patterns().iter().map(weight).sum(),
        _ => 0,
    }
}

fn placed(context: &Context<'_>, form: Form, case: Case, value: &Scalar<'_>, dirs: &[Dir], inside: bool) -> Truth {
    let Some(text) = value.as_text() else { return Truth::False };
    let path = context.absolute(text, form);
    match context.lies_under(&path, dirs, form, case) {
        Ok(true) => Truth::from(inside),
        Ok(false) => homeless(context, dirs).map_or(Truth::from(!inside), Truth::unknown),
        Err(reason) => Truth::unknown(reason),
    }
}

/// Equality of two values of one type; a path of the policy is read from the project root.
fn equal(context: &Context<'_>, form: Form, case: Case, is_path: bool, left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    match (left, right) {
        (Scalar::Text(left), Scalar::Text(right)) if is_path => {
            let right = context.policy_path(right, form);
            let (left, right) = (left.as_ref(), right.to_string_lossy());
            match case {
                Case::Exact => left == right,
                Case::Folded => crate::path::fold(left) == crate::path::fold(&right),
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

/// Judges one touched file.
pub(super) fn touch(context: &Context<'_>, form: Form, case: Case, file: &Touched, test: &TouchTest) -> Truth {
    let roots = context.roots_in(form);
    match test {
        TouchTest::Like(globs) => {
            let matches = |path: &Path| Truth::from(globs.matches(path, roots, case));
            if !file.recursive || matches(&file.path) == Truth::True {
                return matches(&file.path);
            }
            if !globs.could_match_below(&file.path, roots, case) {
                return Truth::False;
            }
            below(context, file, &file.path, matches)
        }
        TouchTest::Under(dirs) => match inside(context, form, case, &file.path, dirs) {
            Truth::True => Truth::True,
            outside if !file.recursive => outside,
            outside => holds_some_of(context, form, case, file, dirs, outside),
        },
        TouchTest::Outside(dirs) => match inside(context, form, case, &file.path, dirs) {
            Truth::False => Truth::True,
            other => other.negated(),
        },
    }
}

/// Tells whether a path lies in one of the directories.
fn inside(context: &Context<'_>, form: Form, case: Case, path: &Path, dirs: &[Dir]) -> Truth {
    match context.lies_under(path, dirs, form, case) {
        Ok(false) => homeless(context, dirs).map_or(Truth::False, Truth::unknown),
        other => other.into(),
    }
}

/// Tells whether a recursive access from above reaches something in one of the directories; `otherwise` holds
/// where it does not.
fn holds_some_of(
    context: &Context<'_>,
    form: Form,
    case: Case,
    file: &Touched,
    dirs: &[Dir],
    otherwise: Truth,
) -> Truth {
    let mut result = otherwise;
    for dir in dirs {
        // One that is not known was found so by the caller.
        let known = context.directories(dir, form).unwrap_or_default();
        for dir in known.iter().filter(|dir| contains_as(&file.path, dir, case)) {
            match below(context, file, dir, |_| Truth::True) {
                Truth::True => return Truth::True,
                unknown @ Truth::Unknown(_) => result = unknown,
                Truth::False => {}
            }
        }
    }
    result
}

/// Looks at the files in a directory at or below a touched one: those that exist and that the call's own filter lets through.
/// A filter without a wildcard names a file by itself too, whether it exists or not.
fn below(context: &Context<'_>, file: &Touched, directory: &Path, holds: impl Fn(&Path) -> Truth) -> Truth {
    let filter = file.filter.as_deref().map(Filter::new);
    if let Some(Filter::Name(name)) = &filter {
        let named = file.path.join(name);
        if named.starts_with(directory) && holds(&named) == Truth::True {
            return Truth::True;
        }
    }
    let passes = |path: &Path| filter.as_ref().is_none_or(|filter| filter.passes(path, &file.path));
    match context.files_below(directory) {
        Ok(files) => files.iter().any(|path| passes(path) && holds(path) == Truth::True).into(),
        Err(reason) => Truth::unknown(Reason::new(reason, Some(directory.to_string_lossy().into_owned()), None)),
    }
}

/// What a search lets through: the glob of a Grep or Glob, never less than the tool itself does.
enum Filter {
    /// One name, at any depth.
    Name(String),
    /// A glob of the last name or of the path inside.
    Globs(TextGlobs),
    /// Several globs in one text, exclusions, or nothing that we can read.
    Anything,
}

impl Filter {
    fn new(text: &str) -> Self {
        if !is_modest(text) {
            return Self::Anything;
        }
        let plain = text.trim_start_matches("./").trim_start_matches('/');
        let several = text.contains(char::is_whitespace) || (text.contains(',') && !text.contains('{'));
        if several || text.starts_with('!') || plain.is_empty() {
            return Self::Anything;
        }
        if !plain.contains(['*', '?', '[', '{', '\\']) {
            return Self::Name(plain.to_owned());
        }
        TextGlobs::new(&[plain.to_owned()]).map_or(Self::Anything, Self::Globs)
    }

    fn passes(&self, path: &Path, from: &Path) -> bool {
        match self {
            Self::Name(name) => path.ends_with(name),
            Self::Globs(globs) => {
                let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
                let inside = path.strip_prefix(from).unwrap_or(path).to_string_lossy();
                // `**/` stands for no directory as well.
                globs.matches(&name) || globs.matches(&inside) || globs.matches(&format!("/{inside}"))
            }
            Self::Anything => true,
        }
    }
}
