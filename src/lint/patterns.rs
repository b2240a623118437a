//! Finds command patterns that no command can match: they begin with an assignment, or their `*` matches nothing.

use super::FindingSink;
use super::alternatives::single_patterns;
use super::comparison::{pattern_lists, pattern_of_inner};
use super::glob_as_text::shortened;
use super::task_runners::{task_help, task_words};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Patterns, Rule};
use crate::span::Sources;
use crate::syntax::{format_one_or_list, string_literal};
use hookrules_shell::Pattern;
use hookrules_shell::analysis::is_harmless_variable;
use hookrules_shell::programs::program;

/// Reports, in each test of commands, the first pattern that begins with an assignment, and each program without a
/// record.
pub(super) fn check(rule: &Rule, sources: &Sources, findings: &mut FindingSink) {
    for condition in [&rule.when, &rule.unless].into_iter().flatten() {
        condition.visit_tests(&mut |test, _| {
            let ConditionExpr::Command(command) = &test.kind else { return };
            let assigned = pattern_lists(test).flat_map(Patterns::iter).find_map(assignment);
            findings.extend(
                assigned.map(|(name, value, rest)| assignment_finding(test, command, (name, value, rest), sources)),
            );
            if let CommandTest::OnlyRuns { patterns } = command {
                findings.extend(missing_record_finding(test, patterns));
            }
        });
    }
}

/// Returns the name and the value of the assignment that a pattern begins with, and the rest of the pattern; `None` if
/// it begins with no assignment.
fn assignment(pattern: &Pattern) -> Option<(&str, &str, &str)> {
    let text = pattern.text().trim_start();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (name, value) = first.split_once('=')?;
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    is_name.then_some((name, value, rest.trim()))
}

/// Returns the test of an environment variable that replaces an assignment in a pattern, with the pattern's wildcards
/// and alternatives.
fn variable_test(name: &str, value: &str) -> String {
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value);
    let values: Vec<String> = inner.split('|').map(str::to_owned).collect();
    let is_glob = values.iter().any(|value| value.contains(['*', '?', '[']));
    match values.as_slice() {
        [any] if any == "*" => format!("exists env.{name}"),
        [one] if !is_glob => format!("env.{name} == {}", string_literal(one, "")),
        several if is_glob => format!("env.{name} like {}", format_one_or_list(several)),
        several => format!("env.{name} in {}", format_one_or_list(several)),
    }
}

/// Returns the finding about an assignment in a pattern, with the test to write instead: `where env.NAME == "VALUE"`.
fn assignment_finding(
    test: &Condition,
    command: &CommandTest,
    (name, value, rest): (&str, &str, &str),
    sources: &Sources,
) -> Diagnostic {
    let finding = Diagnostic::new(Code::ASSIGNMENT_IN_PATTERN, format!("a pattern that begins with `{name}={value}`"))
        .label(test.span, "no program has such a name: this never matches");
    let written = if rest.is_empty() { "*" } else { rest };
    let filter = variable_test(name, value);
    match command {
        CommandTest::Runs { filter: None, .. } => {
            let meant = format!("runs \"{written}\" where {filter}");
            let finding = finding.help(format!("write `{meant}`"));
            let text = sources.file(test.span).map(|file| file.slice(test.span)).unwrap_or_default();
            let is_alone = text == format!("runs \"{name}={value} {rest}\"");
            if is_alone { finding.fix_that_changes(test.span, meant) } else { finding }
        }
        CommandTest::Runs { .. } => finding.help(format!("write `runs \"{written}\" where ({filter} and …)`")),
        CommandTest::OnlyRuns { .. } if is_harmless_variable(name, value) => finding.help(format!(
            "leave it out: `{written}` also approves the command with `{name}={value}` in front of it"
        )),
        CommandTest::OnlyRuns { .. } => finding.help(format!(
            "no pattern approves a command with `{name}` in front of it: set it in a script of the project, and approve \
             that by its path, `\"./scripts/NAME.sh\"`"
        )),
        CommandTest::Pipes { .. } => finding.help("leave it out: the pattern starts with the program"),
    }
}

/// Returns the program of a pattern that ends with `*`, if the program has no record: it is then unknown which words the
/// `*` may match.
pub(super) fn unrecorded_program(pattern: &Pattern) -> Option<&str> {
    let (name, rest) = pattern.text().trim().split_once(char::is_whitespace)?;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+'));
    let ends_with_star = rest.split_whitespace().next_back() == Some("*");
    let has_record = program(name).is_some() || pattern.programs().has(name);
    (is_plain && ends_with_star && !has_record).then_some(name)
}

/// Returns the finding about the patterns that end with `*` after a program without a record.
fn missing_record_finding(test: &Condition, patterns: &Patterns) -> Option<Diagnostic> {
    let mut missing: Vec<(String, Pattern)> = Vec::new();
    for pattern in patterns.iter().flat_map(single_patterns) {
        // What a runner runs decides, `frob *` of `uv run frob *`, unless it is a task.
        let words: Vec<&str> = pattern.text().split_whitespace().collect();
        let inner = pattern_of_inner(&pattern).filter(|_| task_words(&words).is_none());
        let name = unrecorded_program(inner.as_ref().unwrap_or(&pattern)).map(str::to_owned);
        if let Some(name) = name.filter(|name| missing.iter().all(|(other, _)| other != name)) {
            missing.push((name, pattern));
        }
    }
    let (first, pattern) = missing.first()?;
    let text = pattern.text();
    let names: Vec<String> = missing.iter().map(|(name, _)| format!("`{name}`")).collect();
    let task_help = task_help(pattern, text.trim_end_matches(" *")).filter(|_| missing.len() == 1);
    let message = match missing.len() {
        1 => format!("`only runs \"{text}\"` never holds"),
        _ => shortened("a `*` after ", &names.join(", "), ", which have no record"),
    };
    let files = match missing.len() {
        1 => format!("`.rules/programs/{first}.toml`"),
        _ => format!("`.rules/programs/{first}.toml` and a file for each other one"),
    };
    let finding = Diagnostic::new(Code::STAR_WITHOUT_RECORD, message)
        .label(test.span, format!("no record says which words of {} do no harm", names.join(", ")));
    Some(
        finding.help(
            task_help.unwrap_or_else(|| {
                format!("write out the words instead of `*`, or say in {files} what becomes of each")
            }),
        ),
    )
}
