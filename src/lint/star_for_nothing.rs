//! Finds a `*` in `only runs` after a program that executes its operands, where the `*` matches nothing: `only runs
//! "bash *"`.

use std::path::Path;

use super::comparison::{names_commands_of_runner, pattern_of_inner, visit_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::is_plain_runner;
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Rule};
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::programs::{OperandEffect, Program};
use hookrules_shell::word::Cause;
use hookrules_shell::{Analysis, Pattern, StartDirectories, analyse};

pub(super) const LINT: Lint = Lint { codes: &[Code::STAR_FOR_NOTHING, Code::ANY_COMMAND], check };

/// Reports patterns of `only runs` whose last `*` can match no word, because the program would execute the word
/// (`bash *`), and an `allow` with a pattern that matches every program.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) = &seen.test.kind else { return };
        if rule.can_allow && !seen.is_exception && patterns.iter().any(Pattern::is_universal) {
            findings.push(any_command_finding(seen.test));
        }
        let useless = patterns.iter().filter(|pattern| has_useless_star(pattern));
        findings.extend(useless.map(|pattern| useless_star_finding(written, seen.test, pattern)));
    });
}

/// Returns the finding about an `allow` with a pattern that matches every program.
fn any_command_finding(test: &Condition) -> Diagnostic {
    Diagnostic::new(Code::ANY_COMMAND, "an `allow` of any program")
        .label(test.span, "true for `rm -r x` too, and for whatever else is a known program")
        .help("name the programs: `only runs [\"ls *\", \"git (status|diff|log) *\"]`")
}

/// Returns the finding about a pattern whose `*` matches nothing.
fn useless_star_finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern) -> Diagnostic {
    let text = pattern.text();
    let span = written.pattern_span(test, text).unwrap_or(test.span);
    let words = text.trim_end_matches('*').trim_end();
    // What a shell reads from a file is always unknown, whatever the file's name.
    let help = if reads_script(words) {
        "run the script as a program of its own, and write its name: `only runs \"./check.sh\"`".to_owned()
    } else {
        format!("write out what may run: `only runs \"{words} …\"`")
    };
    Diagnostic::new(Code::STAR_FOR_NOTHING, format!("the `*` of `{text}` stands for nothing"))
        .label(span, format!("`{words}` runs what it is given: a `*` is no command, script or code"))
        .help(help)
}

/// Whether a word after these is the name of a script that a shell reads.
fn reads_script(words: &str) -> bool {
    let analysis = analyse(&format!("{words} x"), &StartDirectories { cwd: Path::new("/"), home: None });
    analysis.opaque.iter().any(|code| code.reason.cause == Cause::ScriptFile)
}

/// Whether one of the operands of a program is code.
fn takes_code(record: &Program) -> bool {
    matches!(record.operands, OperandEffect::Runs | OperandEffect::FirstRuns)
}

/// Whether the `*` at the end of a pattern matches no word, because the program would execute the word.
pub(super) fn has_useless_star(pattern: &Pattern) -> bool {
    // What a runner runs decides: `git *` of `rtk git *` stands for subcommands.
    if let Some(inner) = pattern_of_inner(pattern).filter(|inner| inner.unrecorded().is_none()) {
        return has_useless_star(&inner);
    }
    let mut words: Vec<&str> = pattern.text().split_whitespace().collect();
    let is_plain = |word: &&str| {
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+' | b'/' | b'='))
    };
    if words.pop() != Some("*") || words.is_empty() || !words.iter().all(is_plain) {
        return false;
    }
    // Tries two words: sed executes its operand too, but a `*` matches a script such as `1p`, which only prints.
    ["x", "1p"].into_iter().all(|word| is_refused(pattern, &words, word))
}

/// Whether the `*` after these words does not match `word`, because the program would execute that word.
fn is_refused(pattern: &Pattern, words: &[&str], word: &str) -> bool {
    let text = words.iter().copied().chain([word]).collect::<Vec<&str>>().join(" ");
    let analysis = analyse(&text, &StartDirectories { cwd: Path::new("/"), home: None });
    if names_commands_of_runner(pattern, &analysis) {
        return false;
    }
    let Analysis { mut commands, opaque, .. } = analysis;
    // The pattern of a task covers the program that may have the task's name.
    commands.retain(|command| !command.may_be_task);
    let Some(first) = commands.first() else { return false };
    let Some(record) = first.argv_with(pattern.programs()).table() else { return false };
    // If the program requires a subcommand, the refusal only means that the tried word is none.
    let executes_operands = record.commands.is_empty() && (record.is_interpreter() || takes_code(record));
    // What such a program runs needs a pattern of its own, which decides about it.
    let are_inner_commands_judged = words.first().is_some_and(|program| is_plain_runner(program));
    let runs_unjudged_command = commands.len() > 1 && !are_inner_commands_judged || !opaque.is_empty();
    runs_unjudged_command || executes_operands && pattern.runs_only(first, &Roots::default()) != Fit::Yes
}
