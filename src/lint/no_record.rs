//! Finds options of programs without a record. The other spellings of such an option are unknown: `runs "netlify deploy
//! --prod"` does not match `-p`.

use super::FindingSink;
use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Patterns, Rule, ValueReference, WhereField};
use crate::span::{Sources, Span};
use crate::syntax::string_literal;
use hookrules_shell::Pattern;

/// Reports, for each test in a guard, the first option of each program without a record.
pub(super) fn check(rule: &Rule, sources: &Sources, findings: &mut FindingSink) {
    if !rule.can_block || rule.can_allow {
        return;
    }
    visit_tests(rule, &mut |seen| match &seen.test.kind {
        ConditionExpr::Command(CommandTest::Runs { patterns, .. }) if !seen.is_exception => {
            check_patterns(sources, seen.test, patterns, findings);
        }
        // Other lints report comparisons with the value of an option.
        ConditionExpr::Exists(ValueReference::Where(WhereField::Option(option))) => {
            let programs = seen
                .filtered_patterns
                .and_then(|patterns| patterns.iter().map(Pattern::unrecorded).collect::<Option<Vec<_>>>());
            let program = programs.and_then(|programs| programs.first().copied());
            let is_reported = program.is_some_and(|name| has_both_spellings(seen.filtered_patterns, name, option));
            findings
                .extend(program.filter(|_| !is_reported).map(|name| finding(sources, seen.test.span, name, option)));
        }
        _ => {}
    });
}

/// Reports the first option of each program without a record, among the patterns of a test.
fn check_patterns(sources: &Sources, test: &Condition, patterns: &Patterns, findings: &mut FindingSink) {
    let options: Vec<(&str, &str)> =
        patterns.iter().filter_map(|pattern| Some((pattern.unrecorded()?, single_spelling_option(pattern)?))).collect();
    let mut reported: Vec<&str> = Vec::new();
    for (name, flag) in options {
        if !reported.contains(&name) && !has_both_spellings(Some(patterns), name, flag) {
            reported.push(name);
            findings.push(finding(sources, test.span, name, flag));
        }
    }
}

/// Whether the patterns contain options of a program both in a long form and as a single letter, so that the author
/// covers both spellings.
fn has_both_spellings(patterns: Option<&Patterns>, name: &str, flag: &str) -> bool {
    let is_long = |flag: &str| flag.starts_with("--");
    let is_other = |pattern: &Pattern| {
        pattern.unrecorded() == Some(name)
            && single_spelling_option(pattern).is_some_and(|other| is_long(other) != is_long(flag))
    };
    patterns.is_some_and(|patterns| patterns.iter().any(is_other))
}

/// Returns the finding about an option, at the option itself if it occurs in the test.
fn finding(sources: &Sources, test: Span, name: &str, flag: &str) -> Diagnostic {
    let text = sources.file(test).map_or("", |file| file.slice(test));
    let option_span = text.find(flag).map_or(test, |offset| {
        let start = test.start as usize + offset;
        Span::new(test.file, start, start + flag.len())
    });
    let both = match flag.starts_with("--") {
        true => format!("({flag}|-…)"),
        false => format!("({flag}|--…)"),
    };
    Diagnostic::new(Code::NO_RECORD, shortened("no record of `", name, "` knows its options"))
        .label(option_span, format!("only `{flag}` as it is written is found, no other spelling"))
        .help(format!("write each spelling, {}, or add `.rules/programs/{name}.toml`", string_literal(&both, "")))
}

/// Returns the first option of a pattern; `None` if it has none, or only one with a wildcard. A forbidden long option
/// counts too: the pattern would miss its other spelling.
fn single_spelling_option(pattern: &Pattern) -> Option<&str> {
    let mut words = pattern.text().split_whitespace().skip(1).take_while(|word| *word != "--");
    // A forbidden single letter does not count, because it is usually the only spelling.
    let flag = words.find_map(|word| {
        let absent = word.strip_prefix('!').filter(|flag| flag.starts_with("--"));
        absent.or_else(|| Some(word).filter(|flag| flag.starts_with('-')))
    })?;
    let bare = flag.split('=').next()?;
    (bare.len() > 1 && !bare.contains(['*', '?'])).then_some(bare)
}
