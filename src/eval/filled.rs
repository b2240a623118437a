//! Tests with globs whose placeholders are replaced by values of the event: `writes like "src/{agent}/**"`.

use std::sync::Arc;

use crate::context::{Context, PathForm, Reason};
use crate::ruleset::{FilledGlobs, Globs, Rule, TouchTest, ValueReference, ValueTest};
use crate::syntax::ast::FileVerb;
use hookrules_shell::path::{NameCase, PathGlobs, TextGlobs, glob_parts};

use super::Truth;
use super::condition::{ConditionJudge, kleene_or};
use super::test::{self, ValueResults};

/// The cost of compiling one part of a glob, in units of the budget.
const GLOB_PART_UNITS: u64 = 20;

/// Returns the tests of accessed files for a list of globs: one for each combination of the values of its
/// placeholders. One of the tests must hold.
pub(super) fn touch_tests(
    context: &Context<'_>,
    globs: &FilledGlobs,
    form: PathForm,
) -> Result<Vec<TouchTest>, Reason> {
    let test = |list: Vec<String>| Ok(TouchTest::Like(Arc::new(path_globs(context, globs, &list)?)));
    context.filled_globs(globs, form)?.into_iter().map(test).collect()
}

/// Returns the tests of values for a list of globs, one for each combination of the values of its placeholders.
fn value_tests(context: &Context<'_>, globs: &FilledGlobs, form: PathForm) -> Result<Vec<ValueTest>, Reason> {
    let test = |list: Vec<String>| match globs.are_paths {
        true => Ok(ValueTest::LikePath(Arc::new(path_globs(context, globs, &list)?))),
        false => {
            charge(context, &list)?;
            Ok(ValueTest::LikeText(TextGlobs::new(&list).map_err(|_| Reason::too_many_paths())?.into()))
        }
    };
    context.filled_globs(globs, form)?.into_iter().map(test).collect()
}

/// Compiles a list of globs whose placeholders are replaced. This fails only if a glob became too long.
fn path_globs(context: &Context<'_>, globs: &FilledGlobs, list: &[String]) -> Result<Globs, Reason> {
    charge(context, list)?;
    let directories: Vec<String> = globs.globs.iter().map(|glob| glob.directory.clone()).collect();
    PathGlobs::in_directories(list, &directories).map(Globs::from).map_err(|_| Reason::too_many_paths())
}

/// Charges the budget for the compilation of a list of globs.
fn charge(context: &Context<'_>, list: &[String]) -> Result<(), Reason> {
    let parts = list.iter().map(|glob| glob_parts(glob)).fold(0, u64::saturating_add);
    context.machine().charge_each(GLOB_PART_UNITS, usize::try_from(parts).unwrap_or(usize::MAX))
}

/// Tests each value of a reference with a list of globs: it must match with one of the combinations of the
/// placeholders' values.
pub(super) fn compare<'c>(
    context: &'c Context<'_>,
    (form, case): (PathForm, NameCase),
    (rule, source): (&Rule, &ValueReference),
    globs: &FilledGlobs,
) -> ValueResults<'c> {
    // If a placeholder has no value, nothing matches. If the reference has no value, nothing could match, even if the
    // placeholders are unknown.
    let nothing = ValueTest::LikeText(TextGlobs::default().into());
    let compare = |test: &ValueTest| test::compare(context, form, case, (rule, source), test);
    match value_tests(context, globs, form) {
        Ok(tests) => tests.iter().map(compare).reduce(ValueResults::or).unwrap_or_else(|| compare(&nothing)),
        Err(reason) => match compare(&nothing) {
            empty if empty.has_no_value() => empty,
            _ => ValueResults::unknown(reason),
        },
    }
}

impl ConditionJudge<'_> {
    /// Judges a test of the accessed files with a list of globs. Also returns a note on the file that decided.
    pub(super) fn judge_touches_filled(&mut self, verb: FileVerb, globs: &FilledGlobs) -> (Truth, Option<String>) {
        let tests = match touch_tests(self.context, globs, self.form) {
            Ok(tests) => tests,
            Err(reason) => return self.judge_touches_unfilled(verb, reason),
        };
        let mut result = (Truth::False, self.note(|| "a value that is filled in is missing".to_owned()));
        for test in &tests {
            let (truth, note) = self.judge_touches(verb, test);
            let is_decided = truth == Truth::True;
            result = (kleene_or(result.0, truth), note);
            if is_decided {
                break;
            }
        }
        result
    }

    /// Judges a test whose placeholders have unknown values: it is false if no file at all is accessed.
    fn judge_touches_unfilled(&mut self, verb: FileVerb, reason: Reason) -> (Truth, Option<String>) {
        let of_any_file = TouchTest::Outside(Vec::new().into());
        let matched = self.matched.take();
        let (truth, note) = self.judge_touches(verb, &of_any_file);
        self.matched = matched;
        match truth {
            Truth::False => (Truth::False, note),
            _ => (Truth::unknown(reason.clone()), self.note(|| reason.sentence())),
        }
    }
}
