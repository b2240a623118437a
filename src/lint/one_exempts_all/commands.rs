//! Finds exceptions of a guard that one command of a call meets, and so exempts the others: with `unless runs "kubectl
//! get"`, `kubectl get x; kubectl delete y` passes.

use std::path::Path;

use super::super::SourceTexts;
use super::super::comparison::{is_condition, plainest_command};
use super::{NeededTest, collect_needed_tests};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, Patterns, Rule, ValueReference, ValueTest, WhereField, WhereFilter,
};
use crate::span::Span;
use crate::syntax::format_one_or_list;
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::{Pattern, StartDirectories, analyse};

/// A test of commands: `runs P where C`.
struct RunsTest<'c> {
    test: &'c Condition,
    patterns: &'c Patterns,
    filter: Option<&'c WhereFilter>,
    /// Whether the test must be true for the rule to match, whatever the other tests are.
    is_needed: bool,
}

/// Returns the findings about exceptions that one of several commands can meet, each with the span of the exception.
pub(super) fn check(written: &SourceTexts<'_>, rule: &Rule) -> Vec<(Span, Diagnostic)> {
    let mut needed = Vec::new();
    rule.when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    rule.unless.iter().for_each(|unless| collect_needed_tests(unless, true, &mut needed));
    let mut found = Vec::new();
    check_needed_tests(written, rule, &[], &needed, &mut found);
    found
}

/// Checks the exceptions among the tests `needed`, all of which a match requires together with those in `context`. Then
/// checks the alternatives of each `or` among them.
fn check_needed_tests<'c>(
    written: &SourceTexts<'_>,
    rule: &Rule,
    context: &[NeededTest<'c>],
    needed: &[NeededTest<'c>],
    found: &mut Vec<(Span, Diagnostic)>,
) {
    let all_needed: Vec<NeededTest<'c>> = context.iter().chain(needed).copied().collect();
    let guards = guard_tests(&all_needed);
    for exception in needed.iter().filter_map(exempting_test) {
        // If no guard matches the exempted command, the author intends the exception: a commit is allowed after a test
        // run.
        let may_match_same = |guard: &RunsTest<'_>| {
            guard.patterns.iter().any(|one| exception.patterns.iter().any(|other| one.may_meet(other)))
        };
        let guard = guards.iter().find(|guard| may_match_same(guard));
        // A test that any command meets is no exception.
        let is_universal = exception.filter.is_none() && exception.patterns.iter().any(Pattern::is_universal);
        // An exception that covers everything that the guard matches is reported by another lint.
        let covers = |guard: &RunsTest<'_>| {
            let is_covered = |text: &str| exception.patterns.iter().any(|one| words_after(one.text(), text).is_some());
            exception.filter.is_none() && guard.patterns.iter().all(|pattern| is_covered(pattern.text()))
        };
        if !is_universal && !guard.is_some_and(covers) && (guards.is_empty() || guard.is_some()) {
            found.push((exception.test.span, finding(written, rule, &exception, guard)));
        }
    }
    for part in needed {
        if let (ConditionExpr::Or(alternatives), false) = (&part.test.kind, part.is_negated) {
            for alternative in alternatives {
                let mut inner = Vec::new();
                collect_needed_tests(alternative, false, &mut inner);
                check_needed_tests(written, rule, &all_needed, &inner, found);
            }
        }
    }
}

/// Returns the tests of commands that contribute to a match of the rule, without negated ones.
fn guard_tests<'c>(all: &[NeededTest<'c>]) -> Vec<RunsTest<'c>> {
    let mut guards = Vec::new();
    for part in all.iter().filter(|part| !part.is_negated) {
        part.test.visit_tests(&mut |test, negated| {
            let ConditionExpr::Command(command) = &test.kind else { return };
            let is_needed = std::ptr::eq(test, part.test);
            let mut add = |patterns, filter| guards.push(RunsTest { test, patterns, filter, is_needed });
            match command {
                _ if negated => {}
                CommandTest::Runs { patterns, filter } => add(patterns, filter.as_ref()),
                CommandTest::OnlyRuns { patterns } => add(patterns, None),
                CommandTest::Pipes { from, into } => {
                    add(from, None);
                    add(into, None);
                }
            }
        });
    }
    guards
}

/// Returns the test of commands that exempts a call. `None` if there is none, or if a test next to it considers every
/// command of the call.
fn exempting_test<'c>(part: &NeededTest<'c>) -> Option<RunsTest<'c>> {
    if !part.is_negated {
        return None;
    }
    let mut inner = Vec::new();
    collect_needed_tests(part.test, false, &mut inner);
    let considers_all = |part: &NeededTest<'_>| match &part.test.kind {
        ConditionExpr::Command(CommandTest::OnlyRuns { .. }) => !part.is_negated,
        ConditionExpr::Command(CommandTest::Runs { .. }) => part.is_negated,
        _ => false,
    };
    if inner.iter().any(considers_all) {
        return None;
    }
    inner.iter().filter(|part| !part.is_negated).find_map(|inner| match &inner.test.kind {
        ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => {
            let is_needed = std::ptr::eq(inner.test, part.test);
            Some(RunsTest { test: inner.test, patterns, filter: filter.as_ref(), is_needed })
        }
        _ => None,
    })
}

/// Returns the finding about an exception, with one test that replaces guard and exception if such a test can be
/// written.
fn finding(
    written: &SourceTexts<'_>,
    rule: &Rule,
    exception: &RunsTest<'_>,
    guard: Option<&RunsTest<'_>>,
) -> Diagnostic {
    let finding = Diagnostic::new(Code::ONE_EXEMPTS_ALL, "one of several commands exempts the others")
        .label(exception.test.span, "true as soon as one command of the call is this");
    let finding = match guard {
        Some(guard) => finding.label(guard.test.span, "true if any command of the call is this"),
        None => finding,
    };
    let joined = |guard| joined_test(written, guard, exception).filter(|joined| is_condition(joined));
    if let Some((guard, joined)) = guard.and_then(|guard| Some((guard, joined(guard)?))) {
        let finding = finding.help(format!("say it of the same command: `{joined}`"));
        return match guard_and_exception_span(written, rule, guard, exception) {
            Some(span) => finding.fix_that_changes(span, joined),
            None => finding,
        };
    }
    match only_runs_patterns(exception) {
        Some(patterns) => {
            let instead = format!("only runs {}", format_one_or_list(&patterns));
            let is_short = !instead.contains('\n') && instead.len() <= 60;
            let help = if is_short { instead.as_str() } else { "only runs […]" };
            let finding = finding.help(format!("ask it of every command: `{help}`"));
            // A definition is not changed, because other rules may use it as a guard.
            let is_own = rule.span.contains(exception.test.span);
            let is_written = written.patterns(exception.test).len() == exception.patterns.count();
            if is_own && is_written { finding.fix_that_changes(exception.test.span, instead) } else { finding }
        }
        None if exception.filter.is_some() => {
            finding.help("say it of the same command: `runs \"…\" where not …`, without this exception")
        }
        None => finding.help("ask it of every command: `only runs […]`, with every word written out"),
    }
}

/// Returns a single test that applies guard and exception to the same command: `runs "git push !--dry-run"` for `runs
/// "git push"` except `runs "git push --dry-run"`. `None` if no such test can be written.
fn joined_test(written: &SourceTexts<'_>, guard: &RunsTest<'_>, exception: &RunsTest<'_>) -> Option<String> {
    let ([guarded], [excepted]) = (&*pattern_texts(guard.patterns), &*pattern_texts(exception.patterns)) else {
        return None;
    };
    let filter = guard.filter.map(|filter| written.text(filter.span));
    // If one pattern does not begin with the other, they are compared without a final ` *`.
    let length_without_star = |pattern: &'_ str| pattern.strip_suffix(" *").map_or(pattern.len(), str::len);
    let (stem, longer) = (
        guarded.get(..length_without_star(guarded)).unwrap_or(guarded),
        excepted.get(..length_without_star(excepted)).unwrap_or(excepted),
    );
    let further_words = words_after(guarded, excepted).or_else(|| words_after(stem, longer));
    match (exception.filter, further_words.as_deref()) {
        (None, Some([flag])) if flag.starts_with('-') => {
            let pattern = format!("{guarded} !{flag}");
            Pattern::new(&pattern).ok()?;
            let filter = filter.map(|filter| format!(" where {}", with_brackets(filter))).unwrap_or_default();
            Some(format!("runs {}{filter}", format_one_or_list(&[pattern])))
        }
        (Some(exempt), Some([])) => {
            let negation = negated_source(written, exempt)?;
            let filter = match (filter, &guard.filter.map(|filter| &filter.kind)) {
                (None, _) if matches!(exempt.kind, ConditionExpr::And(_) | ConditionExpr::Or(_)) => {
                    format!("({negation})")
                }
                (None, _) => negation,
                (Some(filter), Some(ConditionExpr::And(_))) => format!("({} and {negation})", without_brackets(filter)),
                (Some(filter), Some(ConditionExpr::Or(_))) => format!("({} and {negation})", with_brackets(filter)),
                (Some(filter), _) => format!("({filter} and {negation})"),
            };
            let joined = format!("runs {} where {filter}", format_one_or_list(&[(*guarded).to_owned()]));
            (!joined.contains('\n')).then_some(joined)
        }
        _ => None,
    }
}

/// Returns the negation of an exempting condition as source text; for a field with several values, it is `not all …`.
/// `None` if the condition is itself negated.
fn negated_source(written: &SourceTexts<'_>, exempt: &Condition) -> Option<String> {
    let text = written.text(exempt.span);
    match &exempt.kind {
        ConditionExpr::Compare { negated: true, .. } | ConditionExpr::Not(_) => None,
        ConditionExpr::Compare { source: ValueReference::Where(field), all: false, test, .. }
            if has_several(field) && !matches!(test, ValueTest::Matches(_)) =>
        {
            Some(format!("not all {}", without_brackets(text)))
        }
        ConditionExpr::And(_) | ConditionExpr::Or(_) => Some(format!("not {}", with_brackets(text))),
        _ => Some(format!("not {text}")),
    }
}

/// Whether a field of `where` can have several values.
fn has_several(field: &WhereField) -> bool {
    matches!(field, WhereField::Operands | WhereField::Args | WhereField::Option(_))
}

/// Returns a text in parentheses; adds them unless a pair already encloses it.
fn with_brackets(text: &str) -> String {
    let is_in = text.starts_with('(') && is_enclosed(text);
    if is_in { text.to_owned() } else { format!("({text})") }
}

/// Returns a text without the pair of parentheses that surrounds it, if there is one.
fn without_brackets(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|_| is_enclosed(text)).unwrap_or(text)
}

/// Whether the last parenthesis of a text closes the first one; parentheses in strings are counted too.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8() == text.len();
        }
    }
    false
}

fn pattern_texts(patterns: &Patterns) -> Vec<&str> {
    patterns.iter().map(Pattern::text).collect()
}

/// Returns the words that follow those of a pattern in a longer one; `None` if the longer one does not begin with the
/// pattern.
fn words_after<'t>(pattern: &str, longer: &'t str) -> Option<Vec<&'t str>> {
    let mut words = longer.split_whitespace();
    let begins = pattern.split_whitespace().all(|word| words.next() == Some(word));
    begins.then(|| words.collect())
}

/// Returns the span from a guard to the exception after it; `None` if there is anything but `and not` or `unless`
/// between them.
fn guard_and_exception_span(
    written: &SourceTexts<'_>,
    rule: &Rule,
    guard: &RunsTest<'_>,
    exception: &RunsTest<'_>,
) -> Option<Span> {
    let (first, last) = (guard.test.span, exception.test.span);
    if !guard.is_needed || !exception.is_needed || first.file != last.file || first.end > last.start {
        return None;
    }
    let between = written.text(Span { start: first.end, end: last.start, ..first });
    let between: Vec<&str> = between.split_whitespace().collect();
    let is_unless = rule.unless.as_ref().is_some_and(|unless| unless.span == last);
    let is_only_connective = between == ["and", "not"] || between == ["unless"] && is_unless;
    is_only_connective.then(|| first.joined_with(last))
}

/// Returns the patterns of an exception for an `only runs`, with a final `*` if possible, so that further words may
/// follow. `None` if one of them would match no command.
fn only_runs_patterns(exception: &RunsTest<'_>) -> Option<Vec<String>> {
    if exception.filter.is_some() {
        return None;
    }
    let allowed_pattern = |text: &str| {
        let has_final_star = text.ends_with('*');
        let with_star = format!("{text} *");
        let mut candidates = [Some(with_star).filter(|_| !has_final_star), Some(text.to_owned())].into_iter().flatten();
        candidates.find(|candidate| is_allowed_by(candidate, exception.patterns))
    };
    exception.patterns.iter().map(|pattern| allowed_pattern(pattern.text())).collect()
}

/// Whether `only runs` with a pattern is true for the simplest command that the pattern describes: the first
/// alternative of each group, and `x` for each wildcard.
fn is_allowed_by(text: &str, patterns: &Patterns) -> bool {
    let Ok(pattern) = Pattern::with_programs(text, patterns.programs()) else { return false };
    let start = StartDirectories { cwd: Path::new("/"), home: None };
    let analysis = analyse(&plainest_command(text), &start);
    let [command] = analysis.commands.as_slice() else { return false };
    pattern.runs_only(command, &Roots::default()) == Fit::Yes
}
