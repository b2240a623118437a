//! Finds patterns for programs that run what a project defines under a name: scripts of a package manager, targets of
//! `make`.
//!
//! What such a name runs is unknown. So a pattern must also consider further words, the directory that defines the
//! name, and several names in one command.

use std::path::Path;

use super::alternatives::single_patterns;
use super::comparison::{RuleTest, plainest_command, visit_tests, word_alternatives};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts, never_fires};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Patterns, Rule, ValueReference, WhereField};
use crate::syntax::{format_one_or_list, string_literal};
use hookrules_shell::glob::Fit;
use hookrules_shell::programs::Program;
use hookrules_shell::project::{TaskWords, project_use};
use hookrules_shell::{Pattern, StartDirectories, analyse};

pub(super) const LINT: Lint = Lint { codes: &[Code::STAR_FOR_SCRIPT, Code::ALLOW_ANYWHERE, Code::ANY_PLACE], check };

/// Reports a `*` after a script or in place of one, an `allow` in any directory and, in a guard, a task that is found at one position
/// only.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let tests_directory = |seen: &RuleTest<'_>| {
        let (ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source)) = &seen.test.kind else {
            return false;
        };
        matches!(source, ValueReference::Where(WhereField::Cwd) | ValueReference::Raw { .. }) && is_directory(source)
    };
    let mut has_directory_test = false;
    visit_tests(rule, &mut |seen| has_directory_test |= tests_directory(&seen));
    visit_tests(rule, &mut |seen| match &seen.test.kind {
        ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) if rule.can_allow && !seen.is_exception => {
            findings.extend(patterns.iter().filter_map(|pattern| {
                any_task_finding(written, seen.test, pattern).or_else(|| star_finding(written, seen.test, pattern))
            }));
            if !has_directory_test {
                findings.extend(directory_finding(written, seen.test, patterns));
            }
        }
        ConditionExpr::Command(CommandTest::Runs { patterns, filter })
            if rule.can_block && !rule.can_allow && !seen.is_exception =>
        {
            let is_alone = filter.is_none() && patterns.count() == 1;
            findings.extend(
                patterns.iter().filter_map(|pattern| any_position_finding(written, seen.test, pattern, is_alone)),
            );
        }
        _ => {}
    });
}

/// Whether a source is the working directory of a command or of the session.
fn is_directory(source: &ValueReference) -> bool {
    match source {
        ValueReference::Where(field) => *field == WhereField::Cwd,
        ValueReference::Raw { path, .. } => path.iter().map(String::as_str).eq(["cwd"]),
        _ => false,
    }
}

fn pattern_words(pattern: &Pattern) -> Vec<&str> {
    pattern.text().split_whitespace().collect()
}

/// Returns how the program of a pattern names its scripts or tasks, if the pattern names one; a final `*` would then
/// add words to it. `None` if it names none.
pub(super) fn task_words(words: &[&str]) -> Option<TaskWords> {
    let (programs, rest) = words.split_first()?;
    let mut operands = rest.iter().copied().filter(|word| !word.starts_with(['-', '!']));
    let operand = operands.next().filter(|word| !word.starts_with('*'))?;
    let tasks_of_program = |first| word_alternatives(programs).find_map(|program| project_use(program, &[first]).tasks);
    word_alternatives(operand).find_map(tasks_of_program)
}

/// The options that name a task of the project, of programs that take none as an operand.
const TASK_OPTIONS: &[(&str, &str)] = &[("cmake", "--target"), ("nox", "--sessions")];

/// A task that most projects would not want to have run: the message shows it.
const SAMPLE_TASK: &str = "deploy";

/// Returns what names a task behind these words if they name none yet: an option with a blank behind it, or nothing for
/// an operand. `None` if the program has no tasks, or if they name one.
fn place_of_task(pattern: &Pattern, front: &str) -> Option<String> {
    let analysis = never_fires::analysis(&plainest_command(front));
    let argv = analysis.commands.last()?.argv_with(pattern.programs());
    let words: Vec<&str> = argv.subcommands.iter().chain(&argv.operands).filter_map(|word| word.known_text()).collect();
    if let Some((_, option)) = TASK_OPTIONS.iter().find(|(name, _)| argv.is_program(name)) {
        let is_given = argv.options.iter().any(|given| given.option == argv.option(option));
        return (!is_given).then(|| format!("{option} "));
    }
    // A subcommand in place of the `*` is reported by another lint.
    if argv.table().is_some_and(|table| !table.commands.is_empty()) {
        return None;
    }
    let name = argv.name?;
    // The first word of some scripts is a task: `python manage.py flush`.
    let (name, words) = match words.split_first() {
        Some((script, words)) if argv.table().is_some_and(Program::is_interpreter) => (*script, words),
        _ => (name, words.as_slice()),
    };
    let tasks = project_use(name.rsplit('/').next().unwrap_or(name), words);
    let takes_operand = matches!(tasks.tasks, Some(TaskWords::Operands | TaskWords::First));
    (takes_operand && tasks.task_names(words).is_empty()).then(String::new)
}

/// Returns a pattern that names tasks behind these words, for one that names none although its program runs the tasks of
/// a project. `None` if no pattern with a task would hold either.
fn pattern_of_tasks(pattern: &Pattern, front: &str) -> Option<String> {
    let named = format!("{front} {}(test|lint)", place_of_task(pattern, front)?);
    never_fires::approves(&[&named], pattern, &plainest_command(&named)).then_some(named)
}

/// Returns the help for a pattern that names no task behind these words, as for [`pattern_of_tasks`].
pub(super) fn task_help(pattern: &Pattern, front: &str) -> Option<String> {
    let named = pattern_of_tasks(pattern, front)?;
    Some(format!("name those that are meant: `{}`", string_literal(&named, "")))
}

/// A task that a pattern allows although it does not name it.
struct UnnamedTask {
    /// The command that runs it.
    command: String,
    /// The pattern that names tasks in place of the `*`.
    instead: String,
}

impl UnnamedTask {
    /// Returns such a task for a pattern without alternatives whose `*` is in place of a task.
    fn new(single: &Pattern) -> Option<Self> {
        let front = single.text().strip_suffix(" *")?;
        // A `*` may be the value of an option in front of it, so that the task is another word.
        [front.to_owned(), format!("{front} *")].into_iter().find_map(|front| {
            let place = place_of_task(single, &front)?;
            let command = format!("{} {place}{SAMPLE_TASK}", plainest_command(&front));
            let is_allowed = never_fires::approves(&[single.text()], single, &command);
            let instead = pattern_of_tasks(single, &front).filter(|_| is_allowed)?;
            Some(Self { command, instead })
        })
    }
}

/// Returns the finding about a `*` in place of a task in an `allow`.
fn any_task_finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern) -> Option<Diagnostic> {
    let singles = single_patterns(pattern);
    let tasks: Vec<Option<UnnamedTask>> = singles.iter().map(UnnamedTask::new).collect();
    let command = &tasks.iter().flatten().next()?.command;
    let instead = |(single, task): (&Pattern, &Option<UnnamedTask>)| {
        task.as_ref().map_or_else(|| single.text().to_owned(), |task| task.instead.clone())
    };
    let instead: Vec<String> = singles.iter().zip(&tasks).map(instead).collect();
    let span = written.pattern_span(test, pattern.text()).unwrap_or(test.span);
    Some(
        Diagnostic::new(Code::STAR_FOR_SCRIPT, shortened("the `*` of `", pattern.text(), "` stands for every task"))
            .label(span, format!("`{command}` is allowed too"))
            .help(format!("name those that are meant: `{}`", format_one_or_list(&instead))),
    )
}

/// Returns the finding about a `*` after a script or task in an `allow`.
fn star_finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern) -> Option<Diagnostic> {
    let mut words = pattern_words(pattern);
    // Behind a program without a record, the `*` stands for no word, as another lint says.
    if words.pop() != Some("*") || pattern.unrecorded().is_some() {
        return None;
    }
    let tasks = task_words(&words)?;
    let bare = words.join(" ").trim_end_matches(" --").to_owned();
    let label = match tasks {
        TaskWords::Operands => "stands for other tasks too, and for `SHELL=/tmp/x`",
        TaskWords::First | TaskWords::Subcommand => "its words go to whatever the script runs: `-- --config=/tmp/x`",
    };
    let literal_span = written.pattern_span(test, pattern.text());
    let finding =
        Diagnostic::new(Code::STAR_FOR_SCRIPT, shortened("the `*` of `", pattern.text(), "` allows any words"))
            .label(literal_span.unwrap_or(test.span), label)
            .help(format!(
                "write `{}`, and each word that may follow; if any may, write `@allow({}, \"…\")` above the rule",
                string_literal(&bare, ""),
                Code::STAR_FOR_SCRIPT.name
            ));
    Some(match literal_span {
        Some(literal_span) => finding.fix_that_changes(literal_span, string_literal(&bare, "")),
        None => finding,
    })
}

/// Returns the finding about an `allow` of `cd *` and a task runner: in `cd /tmp/x && make test`, the makefile in
/// `/tmp/x` is run.
fn directory_finding(written: &SourceTexts<'_>, test: &Condition, patterns: &Patterns) -> Option<Diagnostic> {
    let is_cd = |pattern: &&Pattern| matches!(pattern_words(pattern).as_slice(), ["cd" | "pushd", "*"]);
    let cd = patterns.iter().find(is_cd)?;
    let runs_project_code = |program: &&str| project_use(program, &[]).runs_code;
    let mut programs: Vec<&str> = Vec::new();
    for pattern in patterns.iter() {
        let first = pattern.text().split_whitespace().next();
        programs.extend(first.into_iter().flat_map(word_alternatives).filter(runs_project_code));
    }
    programs.dedup();
    let first = programs.first()?;
    let literal_span = written.pattern_span(test, cd.text()).unwrap_or(test.span);
    Some(
        Diagnostic::new(Code::ALLOW_ANYWHERE, format!("an `allow` of `{first}` in any directory"))
            .label(literal_span, format!("`cd /tmp/x && {first} …` runs what lies in `/tmp/x`"))
            .help(format!("add `and not runs {} where cwd outside project`", string_literal(&programs.join("|"), ""))),
    )
}

/// Returns the finding about a task in a guard, if its program takes tasks in any order: `runs "make deploy"` misses
/// `make build deploy`.
fn any_position_finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    pattern: &Pattern,
    is_alone: bool,
) -> Option<Diagnostic> {
    let words = pattern_words(pattern);
    let [program, task, rest @ ..] = words.as_slice() else { return None };
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:.".contains(&byte));
    let tasks: Vec<&str> = word_alternatives(task).collect();
    let mut programs = word_alternatives(program);
    let takes_any_position = |program: &str| project_use(program, &tasks).tasks == Some(TaskWords::Operands);
    if !programs.clone().all(takes_any_position)
        || task.starts_with(['-', '!', '*'])
        || !tasks.iter().all(|task| is_word(task))
        || !rest.iter().all(|word| *word == "*")
    {
        return None;
    }
    let first = programs.next()?;
    // No finding if the pattern also matches a command with another task before this one.
    let evading_command = format!("{first} other {}", tasks.first()?);
    let analysis = analyse(&evading_command, &StartDirectories { cwd: Path::new("/"), home: None });
    if analysis.commands.iter().any(|command| pattern.runs(command) != Fit::No) {
        return None;
    }
    let mut texts: Vec<String> = tasks.iter().map(|task| string_literal(task, "")).collect();
    // Gradle puts the module before the task if there are several modules: `:app:publish`.
    let has_modules = matches!(first, "gradle" | "gradlew");
    if has_modules {
        let bare = tasks.iter().filter(|task| !task.contains(':'));
        texts.extend(bare.map(|task| string_literal(&format!("*:{task}"), "")));
    }
    let value = match texts.as_slice() {
        [only] => format!("== {only}"),
        several if has_modules => format!("like [{}]", several.join(", ")),
        several => format!("in [{}]", several.join(", ")),
    };
    let instead = format!("runs {} where operands {value}", string_literal(program, ""));
    let literal_span = written.pattern_span(test, pattern.text()).unwrap_or(test.span);
    let message = shortened("`", pattern.text(), "` is found in one place only");
    let finding = Diagnostic::new(Code::ANY_PLACE, message)
        .label(literal_span, format!("`{evading_command}` passes: `{first}` takes tasks in any order"))
        .help(format!("write `{instead}`"));
    let is_literal_test = written.text(test.span) == format!("runs {}", string_literal(pattern.text(), ""));
    Some(match is_alone && is_literal_test {
        true => finding.fix_that_changes(test.span, instead),
        false => finding,
    })
}
