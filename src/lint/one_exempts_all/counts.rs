//! Finds exceptions of a guard by a number of files that one of these files meets: `count deletes > 10 and not deletes
//! under "build"` lets every call through that also deletes a file of `build`.

use super::super::SourceTexts;
use super::{NeededTest, collect_needed_tests, complement, file_test, negation_span};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Measure, Rule, ValueReference};

/// Returns the finding about the first such exception of a rule.
pub(super) fn check(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    let mut needed = Vec::new();
    rule.when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    rule.unless.iter().for_each(|unless| collect_needed_tests(unless, true, &mut needed));
    let counted = |part: &NeededTest<'_>| match &part.test.kind {
        ConditionExpr::Compare { source: ValueReference::Measured(Measure::Files(verb)), .. } => Some(*verb),
        _ => None,
    };
    let exceptions = needed.iter().filter(|part| part.is_negated).filter_map(|part| file_test(part.test));
    let (guard, exception) = exceptions.into_iter().find_map(|exception| {
        let guards = |part: &&NeededTest<'_>| !part.is_negated && counted(part) == Some(exception.verb);
        needed.iter().find(guards).map(|guard| (guard, exception))
    })?;
    // Another lint reports a second test of the same files.
    let is_same = |part: &NeededTest<'_>| file_test(part.test).is_some_and(|files| files.verb == exception.verb);
    if needed.iter().any(|part| !part.is_negated && is_same(part)) {
        return None;
    }
    let instead = complement(&exception)?;
    let verb = exception.verb.keyword();
    let finding =
        Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several files that it {verb} exempts the others"))
            .label(exception.condition.span, "true as soon as any file of the call is there")
            .label(guard.test.span, "counts all files of the call");
    Some(match negation_span(written, exception.condition.span) {
        Some(span) => finding.help(format!("write `{instead}`, without the `not`")).fix_that_changes(span, instead),
        None => finding.help(format!("write `and {instead}` in `when`, without the exception")),
    })
}
