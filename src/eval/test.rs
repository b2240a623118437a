//! Tests of single values, and of touched files.

use std::path::Path;

use crate::context::{Context, Form, Reason, Scalar, Touched, Values};
use crate::path::{Case, TextGlobs, contains};
use crate::ruleset::{Order, Rule, Source, Test, TouchTest};

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
pub(super) fn compare(context: &Context<'_>, form: Form, rule: &Rule, source: &Source, test: &Test) -> Compared {
    let values = match context.lookup(source, form) {
        Ok(values) => values,
        Err(reason) => return Compared::unknown(reason),
    };
    let right = match right_side(context, form, test) {
        Ok(right) => right,
        Err(reason) => return Compared::unknown(reason),
    };
    let judge = |value: &Scalar<'_>| one(context, form, rule, is_path(source), value, test, &right);
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

fn right_side<'c>(context: &'c Context<'_>, form: Form, test: &'c Test) -> Result<Values<'c>, Reason> {
    match test {
        Test::Equal(value)
        | Test::Order(_, value)
        | Test::Contains(value)
        | Test::StartsWith(value)
        | Test::EndsWith(value) => context.value(value, form),
        Test::In(values) => {
            let mut all = Vec::new();
            for value in values {
                all.extend(context.value(value, form)?);
            }
            Ok(all)
        }
        _ => Ok(Vec::new()),
    }
}

fn one(
    context: &Context<'_>,
    form: Form,
    rule: &Rule,
    is_path: bool,
    value: &Scalar<'_>,
    test: &Test,
    right: &[Scalar<'_>],
) -> Truth {
    let texts = |holds: fn(&str, &str) -> bool| {
        let text = value.as_text();
        text.is_some_and(|text| right.iter().filter_map(Scalar::as_text).any(|right| holds(text, right)))
    };
    match test {
        Test::Equal(_) | Test::In(_) => {
            right.iter().any(|right| equal(context, form, rule, is_path, value, right)).into()
        }
        Test::Order(order, _) => right.iter().any(|right| ordered(*order, value, right)).into(),
        Test::Contains(_) => texts(|text, part| text.contains(part)).into(),
        Test::StartsWith(_) => texts(|text, part| text.starts_with(part)).into(),
        Test::EndsWith(_) => texts(|text, part| text.ends_with(part)).into(),
        Test::LikeText(globs) => value.as_text().is_some_and(|text| globs.matches(text)).into(),
        Test::LikePath(globs) => {
            let matches = |text: &str| globs.matches(Path::new(text), context.roots(), case(context, rule));
            value.as_text().is_some_and(matches).into()
        }
        Test::Matches(regex) => match value.as_text().map(|text| regex.is_match(text)) {
            Some(Ok(matches)) => matches.into(),
            Some(Err(reason)) => Truth::unknown(Reason::new(reason, Some(regex.pattern().to_owned()), None)),
            None => Truth::False,
        },
        Test::Under(dirs) => placed(context, form, value, dirs, true),
        Test::Outside(dirs) => placed(context, form, value, dirs, false),
    }
}

fn placed(context: &Context<'_>, form: Form, value: &Scalar<'_>, dirs: &[crate::ruleset::Dir], inside: bool) -> Truth {
    let Some(text) = value.as_text() else { return Truth::False };
    let path = context.absolute(text, form);
    match context.lies_under(&path, dirs, form) {
        Ok(true) => Truth::from(inside),
        Ok(false) => homeless(context, dirs).map_or(Truth::from(!inside), Truth::unknown),
        Err(reason) => Truth::unknown(reason),
    }
}

/// Equality of two values of one type; a path of the policy is read from the project root.
fn equal(context: &Context<'_>, form: Form, rule: &Rule, is_path: bool, left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    match (left, right) {
        (Scalar::Text(left), Scalar::Text(right)) if is_path => {
            let right = context.policy_path(right, form);
            let (left, right) = (left.as_ref(), right.to_string_lossy());
            match case(context, rule) {
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

/// Names on a file system that folds case are one name for a rule that guards, two for one that allows.
fn case(context: &Context<'_>, rule: &Rule) -> Case {
    if !rule.can_allow && context.folds_names() { Case::Folded } else { Case::Exact }
}

/// Judges one touched file.
pub(super) fn touch(context: &Context<'_>, form: Form, rule: &Rule, file: &Touched, test: &TouchTest) -> Truth {
    let case = case(context, rule);
    match test {
        TouchTest::Like(globs) => {
            if !file.recursive {
                return globs.matches(&file.path, context.roots(), case).into();
            }
            if globs.matches(&file.path, context.roots(), case) {
                return Truth::True;
            }
            if !globs.could_match_below(&file.path, context.roots(), case) {
                return Truth::False;
            }
            below(context, form, file, |path| globs.matches(path, context.roots(), case))
        }
        TouchTest::Under(dirs) => match context.lies_under(&file.path, dirs, form) {
            Ok(false) if file.recursive => match holds_one_of(context, form, file, dirs) {
                Ok(false) => homeless(context, dirs).map_or(Truth::False, Truth::unknown),
                Ok(true) => below(context, form, file, |path| context.lies_under(path, dirs, form).unwrap_or(false)),
                Err(reason) => Truth::unknown(reason),
            },
            Ok(false) => homeless(context, dirs).map_or(Truth::False, Truth::unknown),
            other => other.into(),
        },
        TouchTest::Outside(dirs) => match context.lies_under(&file.path, dirs, form) {
            Ok(false) => homeless(context, dirs).map_or(Truth::True, Truth::unknown),
            other => other.map(|inside| !inside).into(),
        },
    }
}

fn holds_one_of(
    context: &Context<'_>,
    form: Form,
    file: &Touched,
    dirs: &[crate::ruleset::Dir],
) -> Result<bool, Reason> {
    for dir in dirs {
        if context.directories(dir, form)?.iter().any(|dir| contains(&file.path, dir)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Looks at the files below that exist and that the call's own filter lets through. A filter without a
/// wildcard names a file by itself, whether it exists or not.
fn below(context: &Context<'_>, _form: Form, file: &Touched, holds: impl Fn(&Path) -> bool) -> Truth {
    let filter = match &file.filter {
        None => None,
        Some(filter) if !filter.contains(['*', '?', '[', '{', '!']) => {
            return holds(&file.path.join(filter)).into();
        }
        // A filter that we cannot read lets everything through.
        Some(filter) => TextGlobs::new(std::slice::from_ref(filter)).ok(),
    };
    let passes = |path: &Path| match &filter {
        None => true,
        Some(globs) => {
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let inside = path.strip_prefix(&file.path).unwrap_or(path).to_string_lossy();
            globs.matches(&name) || globs.matches(&inside)
        }
    };
    match context.files_below(&file.path) {
        Ok(files) => files.iter().any(|path| passes(path) && holds(path)).into(),
        Err(reason) => Truth::unknown(Reason::new(reason, Some(file.path.to_string_lossy().into_owned()), None)),
    }
}
