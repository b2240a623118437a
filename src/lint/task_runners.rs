//! Programs that run what a project defines under a name: scripts of package managers, targets of `make`.
//!
//! It is unknown what such a name runs, so it is also unknown how it uses the words after it, where the project is, and
//! which names may occur together.

use std::path::Path;

use super::comparison::{RuleTest, alternatives, each_test};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, Kind, Patterns, Rule, Source, WhereField};
use crate::syntax::literal;
use hookrules_shell::glob::Fit;
use hookrules_shell::project::{Tasks, project_use};
use hookrules_shell::{Pattern, Start, analyse};

pub(super) const LINT: Lint = Lint { codes: &[Code::STAR_FOR_SCRIPT, Code::ALLOW_ANYWHERE, Code::ANY_PLACE], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let looks_at_directory = |seen: &RuleTest<'_>| {
        let (Kind::Compare { source, .. } | Kind::Exists(source)) = &seen.test.kind else { return false };
        matches!(source, Source::Where(WhereField::Cwd) | Source::Raw { .. }) && is_directory(source)
    };
    let mut knows_directory = false;
    each_test(rule, &mut |seen| knows_directory |= looks_at_directory(&seen));
    each_test(rule, &mut |seen| match &seen.test.kind {
        Kind::Command(CommandTest::OnlyRuns { patterns }) if rule.can_allow && !seen.is_exception => {
            findings.extend(patterns.iter().filter_map(|pattern| star(written, seen.test, pattern)));
            if !knows_directory {
                findings.extend(anywhere(written, seen.test, patterns));
            }
        }
        Kind::Command(CommandTest::Runs { patterns, filter })
            if rule.can_block && !rule.can_allow && !seen.is_exception =>
        {
            let is_alone = filter.is_none() && patterns.count() == 1;
            findings.extend(patterns.iter().filter_map(|pattern| any_place(written, seen.test, pattern, is_alone)));
        }
        _ => {}
    });
}

fn is_directory(source: &Source) -> bool {
    match source {
        Source::Where(field) => *field == WhereField::Cwd,
        Source::Raw { path, .. } => path.iter().map(String::as_str).eq(["cwd"]),
        _ => false,
    }
}

fn words(pattern: &Pattern) -> Vec<&str> {
    pattern.text().split_whitespace().collect()
}

/// Returns how a pattern names a script or a task, to which a final `*` would pass words.
fn names_task(words: &[&str]) -> Option<Tasks> {
    let (programs, rest) = words.split_first()?;
    let mut operands = rest.iter().copied().filter(|word| !word.starts_with(['-', '!']));
    let operand = operands.next().filter(|word| !word.starts_with('*'))?;
    let of = |first| alternatives(programs).find_map(|program| project_use(program, &[first]).tasks);
    alternatives(operand).find_map(of)
}

fn star(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern) -> Option<Diagnostic> {
    let mut words = words(pattern);
    if words.pop() != Some("*") {
        return None;
    }
    let tasks = names_task(&words)?;
    let bare = words.join(" ").trim_end_matches(" --").to_owned();
    let label = match tasks {
        Tasks::Operands => "stands for other tasks too, and for `SHELL=/tmp/x`",
        Tasks::First | Tasks::Subcommand => "its words go to whatever the script runs: `-- --config=/tmp/x`",
    };
    let place = written.pattern(test, pattern.text());
    let finding =
        Diagnostic::new(Code::STAR_FOR_SCRIPT, shortened("the `*` of `", pattern.text(), "` allows any words"))
            .label(place.unwrap_or(test.span), label)
            .help(format!("write `{}`, and each word that may follow", literal(&bare, "")));
    Some(match place {
        Some(place) => finding.fix_that_changes(place, literal(&bare, "")),
        None => finding,
    })
}

/// Reports `only runs ["cd *", "make test"]`: `cd /tmp/x && make test` runs the makefile there.
fn anywhere(written: &SourceTexts<'_>, test: &Condition, patterns: &Patterns) -> Option<Diagnostic> {
    let is_cd = |pattern: &&Pattern| matches!(words(pattern).as_slice(), ["cd" | "pushd", "*"]);
    let cd = patterns.iter().find(is_cd)?;
    let runs = |program: &&str| project_use(program, &[]).runs_code;
    let mut programs: Vec<&str> = Vec::new();
    for pattern in patterns.iter() {
        let first = pattern.text().split_whitespace().next();
        programs.extend(first.into_iter().flat_map(alternatives).filter(runs));
    }
    programs.dedup();
    let first = programs.first()?;
    let place = written.pattern(test, cd.text()).unwrap_or(test.span);
    Some(
        Diagnostic::new(Code::ALLOW_ANYWHERE, format!("an `allow` of `{first}` in any directory"))
            .label(place, format!("`cd /tmp/x && {first} …` runs what lies in `/tmp/x`"))
            .help(format!("add `and not runs {} where cwd outside project`", literal(&programs.join("|"), ""))),
    )
}

/// Reports `runs "make deploy"` in a guard: `make build deploy` deploys too.
fn any_place(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern, is_alone: bool) -> Option<Diagnostic> {
    let all = words(pattern);
    let [program, task, rest @ ..] = all.as_slice() else { return None };
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:.".contains(&byte));
    let tasks: Vec<&str> = alternatives(task).collect();
    let mut programs = alternatives(program);
    let takes_any_place = |program: &str| project_use(program, &tasks).tasks == Some(Tasks::Operands);
    if !programs.clone().all(takes_any_place)
        || task.starts_with(['-', '!', '*'])
        || !tasks.iter().all(|task| is_word(task))
        || !rest.iter().all(|word| *word == "*")
    {
        return None;
    }
    let first = programs.next()?;
    let other = format!("{first} other {}", tasks.first()?);
    let analysis = analyse(&other, &Start { cwd: Path::new("/"), home: None });
    if analysis.commands.iter().any(|command| pattern.runs(command) != Fit::No) {
        return None;
    }
    let mut texts: Vec<String> = tasks.iter().map(|task| literal(task, "")).collect();
    // Gradle prefixes the task with the module if there are several: `:app:publish`.
    let has_modules = matches!(first, "gradle" | "gradlew");
    if has_modules {
        let bare = tasks.iter().filter(|task| !task.contains(':'));
        texts.extend(bare.map(|task| literal(&format!("*:{task}"), "")));
    }
    let value = match texts.as_slice() {
        [only] => format!("== {only}"),
        several if has_modules => format!("like [{}]", several.join(", ")),
        several => format!("in [{}]", several.join(", ")),
    };
    let instead = format!("runs {} where operands {value}", literal(program, ""));
    let place = written.pattern(test, pattern.text()).unwrap_or(test.span);
    let message = shortened("`", pattern.text(), "` is found in one place only");
    let finding = Diagnostic::new(Code::ANY_PLACE, message)
        .label(place, format!("`{other}` passes: `{first}` takes tasks in any order"))
        .help(format!("write `{instead}`"));
    let is_written = written.text(test.span) == format!("runs {}", literal(pattern.text(), ""));
    Some(match is_alone && is_written {
        true => finding.fix_that_changes(test.span, instead),
        false => finding,
    })
}
