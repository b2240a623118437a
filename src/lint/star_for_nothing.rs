//! Finds a `*` in `only runs` after a program that executes or overwrites its operands, where the `*` matches nothing:
//! `only runs "bash *"`.

use std::path::Path;

use super::alternatives::{dead_patterns, single_patterns};
use super::comparison::{names_commands_of_runner, pattern_of_inner, plainest_command, visit_tests};
use super::{FindingSink, Lint, SourceTexts, never_fires};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::is_plain_runner;
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Patterns, Rule};
use crate::span::Span;
use crate::syntax::format_one_or_list;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::programs::{OperandEffect, Program};
use hookrules_shell::word::Cause;
use hookrules_shell::{Analysis, Pattern, StartDirectories, Word, analyse, quote};

pub(super) const LINT: Lint = Lint { codes: &[Code::STAR_FOR_NOTHING, Code::ANY_COMMAND], check };

/// Reports patterns of `only runs` whose last `*` can match no word, because the program would execute or overwrite the
/// word (`bash *`), and an `allow` with a pattern that matches every program.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) = &seen.test.kind else { return };
        if rule.can_allow && !seen.is_exception && patterns.iter().any(allows_any_command) {
            findings.push(any_command_finding(seen.test));
        }
        for pattern in patterns.iter() {
            let span = written.pattern_span(seen.test, pattern.text()).unwrap_or(seen.test.span);
            let useless = reported_patterns(pattern, seen.is_exception, has_useless_star);
            let help = |single: &Pattern| (single.text().to_owned(), help_for_useless_star(single));
            findings.extend(useless.iter().map(help).map(|(text, help)| useless_star_finding(&text, span, help)));
            let lacks_inner = |single: &Pattern| lacks_inner_pattern(patterns, single);
            let lacking = reported_patterns(pattern, seen.is_exception, lacks_inner);
            findings.extend(lacking.iter().map(|single| lacking_pattern_finding(single, span)));
        }
    });
}

/// Like [`dead_patterns`]; one alternative of many that exempts nothing in an exception does no harm.
fn reported_patterns(pattern: &Pattern, is_exception: bool, is_dead: impl Fn(&Pattern) -> bool) -> Vec<Pattern> {
    match is_exception && single_patterns(pattern).len() > 1 {
        true => Vec::new(),
        false => dead_patterns(pattern, is_dead),
    }
}

/// Whether a pattern matches every program, and not only those of one directory.
fn allows_any_command(pattern: &Pattern) -> bool {
    pattern.is_universal() && never_fires::approves(&[pattern.text()], pattern, "rm -r x")
}

/// Returns the finding about an `allow` with a pattern that matches every program.
fn any_command_finding(test: &Condition) -> Diagnostic {
    Diagnostic::new(Code::ANY_COMMAND, "an `allow` of any program")
        .label(test.span, "true for `rm -r x` too, and for whatever else is a known program")
        .help("name the programs: `only runs [\"ls *\", \"git (status|log) *\"]`")
}

/// Programs that log in to a machine if they get no command for it, so that a `*` stands for the machine.
const LOGINS: &[&str] = &["ssh", "autossh", "mosh", "et"];

/// A word that stands for a program that a runner runs.
const INNER_WORD: &str = "x";

/// Whether the `*` of a pattern is the command that a runner runs, which needs a pattern of its own, and no other pattern
/// names one.
fn lacks_inner_pattern(patterns: &Patterns, pattern: &Pattern) -> bool {
    let Some(front) = runner_front(pattern) else { return false };
    let name = front.split(' ').next().unwrap_or_default();
    if LOGINS.contains(&name) || has_useless_star(pattern) || pattern_of_inner(pattern).is_some() {
        return false;
    }
    let others = patterns.iter().filter(|other| other.text() != pattern.text()).flat_map(single_patterns);
    let others = others.map(|other| plainest_command(&other.text_of_look())).flat_map(|text| [quote(&text), text]);
    // Some options of a runner only look: `command -v make`.
    let mut samples = others.chain(["-v x".to_owned()]);
    !samples.any(|words| never_fires::fit(patterns, &never_fires::analysis(&format!("{front} {words}"))).0 == Fit::Yes)
}

/// Returns the words in front of the command that a runner with a `*` runs: `timeout 60` for `timeout *`, because some
/// runners take an operand of their own first. `None` if the `*` is no command.
fn runner_front(pattern: &Pattern) -> Option<String> {
    let front = plainest_command(pattern.text().strip_suffix(" *")?);
    let name = front.split(' ').next().unwrap_or_default();
    let operand = if is_plain_runner(name) { "60" } else { "web" };
    let runs_word = |front: &String| {
        let analysis = never_fires::analysis(&format!("{front} {INNER_WORD}"));
        let is_word = |word: &Word| word.known_text() == Some(INNER_WORD);
        // A task may have the name of a program, and then the program does not run.
        let is_inner = |command: &&SimpleCommand| !command.outer_commands.is_empty() && !command.may_be_task;
        let mut inner = analysis.commands.iter().filter(is_inner);
        inner.any(|command| command.words.first().is_some_and(is_word))
    };
    let fronts = [front.clone(), format!("{front} {operand}"), format!("{front} {operand} --")];
    fronts.into_iter().find(runs_word)
}

/// Returns the finding about a runner without a pattern for what it runs.
fn lacking_pattern_finding(pattern: &Pattern, span: Span) -> Diagnostic {
    let text = pattern.text();
    let front = text.trim_end_matches(" *");
    let whole = runner_front(pattern).unwrap_or_else(|| front.to_owned());
    // Behind an option is one word of code, or the name of a module.
    let is_after_option = whole.rsplit(' ').next().is_some_and(|word| word.starts_with('-'));
    let sample = if is_after_option { "pytest" } else { "make test" };
    let named = (vec![format!("{whole} {sample}")], format!("{whole} {sample}"));
    let apart = (vec![format!("{whole} *"), "wc *".to_owned()], format!("{whole} wc"));
    let holds = |(texts, command): &(Vec<String>, String)| {
        let known: Vec<&str> = texts.iter().map(String::as_str).collect();
        never_fires::approves(&known, pattern, command)
    };
    let help = match [named, apart].into_iter().find(holds).map(|(texts, _)| texts) {
        Some(texts) => format!("name what may run, as in `only runs {}`", format_one_or_list(&texts)),
        None => never_fires::script_help(pattern),
    };
    Diagnostic::new(Code::STAR_FOR_NOTHING, format!("the `*` of `{text}` stands for no command"))
        .label(span, format!("`{front}` runs what it is given, and that needs a pattern of its own"))
        .help(help)
}

/// Returns the finding about a pattern whose `*` matches nothing.
fn useless_star_finding(text: &str, span: Span, help: UselessStarHelp) -> Diagnostic {
    let words = text.trim_end_matches('*').trim_end();
    let (nothing, label) = match help.effect {
        StarEffect::Executes => {
            ("nothing", format!("`{words}` runs what it is given: a `*` is no command, script or code"))
        }
        StarEffect::Overwrites => {
            ("no file", format!("`{words}` may overwrite a file that it is given: a `*` is no such file"))
        }
    };
    Diagnostic::new(Code::STAR_FOR_NOTHING, format!("the `*` of `{text}` stands for {nothing}"))
        .label(span, label)
        .help(help.help)
}

/// Why a `*` matches no word, and what to write instead.
struct UselessStarHelp {
    effect: StarEffect,
    help: String,
}

/// What a program would do with a word in place of a `*`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StarEffect {
    /// It executes the word.
    Executes,
    /// It overwrites the file that the word names.
    Overwrites,
}

/// Returns why the `*` of a pattern matches no word, and a help that leads to a pattern that holds.
fn help_for_useless_star(pattern: &Pattern) -> UselessStarHelp {
    let words = pattern.text().trim_end_matches('*').trim_end();
    let holds = |text: &str| never_fires::approves(&[text], pattern, &plainest_command(text));
    // What a runner runs decides, as in `has_useless_star`.
    let inner = pattern_of_inner(pattern);
    let own_words = inner.as_ref().map_or(words, |inner| inner.text().trim_end_matches('*').trim_end());
    let analysis = never_fires::analysis(&format!("{own_words} {INNER_WORD}"));
    let record = analysis.commands.first().and_then(|command| command.argv_with(pattern.programs()).table());
    let is_interpreter = record.is_some_and(Program::is_interpreter);
    let look = Some(format!("{words} @looks")).filter(|look| !is_interpreter && approves_word(pattern, look, words));
    let look = look.map(|look| format!("for the calls that only look, write `\"{look}\"`"));
    if record.is_some_and(|record| record.operands == OperandEffect::Writes) {
        let help = look.unwrap_or_else(|| format!("name the files, as in `\"{words} a.txt\"`"));
        return UselessStarHelp { effect: StarEffect::Overwrites, help };
    }
    // What a shell reads from a file is always unknown, whatever the file's name.
    let is_script = reads_script(words);
    // The word behind an option is code, and a word behind it would be an operand of the code.
    let is_after_option = words.rsplit(' ').next().is_some_and(|word| word.starts_with('-'));
    let sample = match (analysis.commands.len() > 1, is_after_option) {
        (true, true) => Some("pytest"),
        (true, false) => Some("make test"),
        (false, false) if is_interpreter => Some("scripts/check"),
        (false, _) => None,
    };
    let named = sample.map(|sample| format!("{words} {sample}")).filter(|named| holds(named));
    let help = if is_script && words.contains(' ') && holds(words) {
        format!("write out the words, as in `\"{words}\"`")
    } else if is_script {
        "run the script as a program of its own, and write its name: `only runs \"./check.sh\"`".to_owned()
    } else if let Some(look) = look {
        look
    } else if let Some(named) = named {
        format!("write out what may run, as in `only runs \"{named}\"`")
    } else {
        format!("write out what may run: `only runs \"{words} …\"`")
    };
    UselessStarHelp { effect: StarEffect::Executes, help }
}

/// Whether a pattern approves a command of these words and one more.
fn approves_word(like: &Pattern, text: &str, words: &str) -> bool {
    never_fires::approves(&[text], like, &format!("{words} {INNER_WORD}"))
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

/// Whether the `*` at the end of a pattern matches no word, because the program would execute or overwrite the word.
pub(super) fn has_useless_star(pattern: &Pattern) -> bool {
    // What a runner runs decides: `git *` of `rtk git *` stands for subcommands.
    if let Some(inner) = pattern_of_inner(pattern) {
        return inner.unrecorded().is_none() && has_useless_star(&inner);
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

/// Whether the `*` after these words does not match `word`, because the program would execute or overwrite that word.
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
    let overwrites_operands = record.operands == OperandEffect::Writes;
    // Other patterns judge the commands that it runs: those of `bash -c x`.
    let is_allowed = || match commands.len() {
        1 => never_fires::approves(&[pattern.text()], pattern, &text),
        _ => pattern.runs_only(first, &Roots::default()) == Fit::Yes,
    };
    runs_unjudged_command || (executes_operands || overwrites_operands) && !is_allowed()
}
