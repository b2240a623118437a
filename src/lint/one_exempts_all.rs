//! Exceptions of a guard that one of several operands, files or commands meets: it exempts the others too.

mod commands;

use std::path::{Path, PathBuf};

use super::comparison::{RuleTest, each_test};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CommandTest, Condition, Dir, HostTest, Kind, Patterns, Rule, Source, Test, TouchTest, Value, WhereField,
};
use crate::span::Span;
use crate::syntax::ast::{FileVerb, Operator};
use crate::syntax::one_or_list;
use hookrules_shell::path::{Case, PathGlobs, Roots, normalise};
use hookrules_shell::{Pattern, Start, analyse, file_accesses};

pub(super) const LINT: Lint = Lint { codes: &[Code::ONE_EXEMPTS_ALL], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    // An exception of an `allow` makes it stricter.
    if !rule.can_block || rule.can_allow {
        return;
    }
    let commands = commands::check(written, rule);
    let is_reported = |span: Span| commands.iter().any(|(exception, _)| exception.contains(span));
    let mut exempting = 0_usize;
    each_test(rule, &mut |seen| exempting += usize::from(exempts(&seen)));
    each_test(rule, &mut |seen| {
        // SeveralValues tests of words together describe one command, each of them a different word.
        let describes = exempting > 1 && exempts(&seen) && !is_list(&seen);
        if !is_reported(seen.test.span) && !describes {
            findings.extend(of_operands(written, seen).or_else(|| in_filter(written, seen)));
        }
    });
    if let Some(when) = &rule.when {
        of_files(written, when, findings);
        if let Some(unless) = &rule.unless {
            findings.extend(beside_unless(when, unless));
        }
    }
    findings.extend(files_of_commands(written, rule));
    findings.extend(hosts_of_commands(written, rule));
    findings.extend(commands.into_iter().map(|(_, finding)| finding));
}

/// A test that must have a certain result, together with others, for a rule to match.
#[derive(Clone, Copy)]
pub(super) struct NeededTest<'c> {
    pub(super) test: &'c Condition,
    /// Whether the result must be false.
    pub(super) is_negated: bool,
}

/// Collects the tests that must be true or false for a condition to hold, or if negated, to be false.
pub(super) fn parts<'c>(condition: &'c Condition, is_negated: bool, out: &mut Vec<NeededTest<'c>>) {
    match (&condition.kind, is_negated) {
        (Kind::And(all), false) | (Kind::Or(all), true) => all.iter().for_each(|part| parts(part, is_negated, out)),
        (Kind::Not(inner), _) => parts(inner, !is_negated, out),
        (Kind::Def(inner), _) => parts(inner, is_negated, out),
        _ => out.push(NeededTest { test: condition, is_negated }),
    }
}

/// Whether one operand that satisfies a test exempts the command.
fn exempts(seen: &RuleTest<'_>) -> bool {
    match &seen.test.kind {
        Kind::Compare { source: Source::Where(WhereField::Operands), all: false, negated, .. } => {
            seen.is_exception != *negated
        }
        _ => false,
    }
}

/// Whether a test lists harmless words.
fn is_list(seen: &RuleTest<'_>) -> bool {
    let Kind::Compare { test, .. } = &seen.test.kind else { return false };
    match test {
        Test::In(_) | Test::Under(_) | Test::Outside(_) | Test::LikePath(_) => true,
        Test::LikeText(globs) => globs.patterns().len() > 1 || globs.patterns().any(|glob| glob.contains('/')),
        _ => false,
    }
}

/// A property of which a command can have several values.
struct SeveralValues {
    /// The `where` field, in its source form.
    values: String,
    /// The noun for one value.
    one: &'static str,
    /// The noun for all values, for a message.
    what: &'static str,
    is_reported: bool,
}

/// Whether a test looks for an option.
fn names_option(test: &Test) -> bool {
    let is_option = |value: &Value| value.text().is_some_and(|text| text.starts_with('-'));
    match test {
        Test::Equal(value) | Test::StartsWith(value) | Test::Contains(value) => is_option(value),
        Test::In(values) => values.iter().any(is_option),
        _ => false,
    }
}

/// Returns what is said about a field that may have several values.
fn several_values(field: &WhereField, test: &Test, seen: &RuleTest<'_>) -> Option<SeveralValues> {
    Some(match field {
        // Another lint reports an option that is looked for among the operands. A single word marks a call on purpose,
        // unless the program treats all its operands alike.
        WhereField::Operands => {
            let marks = matches!(test, Test::Equal(_)) && !seen.commands.is_some_and(treats_each_alike);
            let is_reported = !names_option(test) && !marks;
            SeveralValues { values: "operands".to_owned(), one: "operand", what: "`operands`", is_reported }
        }
        WhereField::PushTarget => SeveralValues {
            values: "push_target".to_owned(),
            one: "branch",
            what: "branches of a push",
            is_reported: true,
        },
        WhereField::Domain => {
            SeveralValues { values: "domain".to_owned(), one: "host", what: "hosts of a command", is_reported: true }
        }
        // Most programs use the last value of an option that is given twice.
        WhereField::Option(name) => SeveralValues {
            values: format!("option {}", crate::syntax::literal(name, "")),
            one: "value",
            what: "values of an option",
            is_reported: is_list(seen) || matches!(test, Test::Equal(_) | Test::LikeText(_) | Test::StartsWith(_)),
        },
        _ => return None,
    })
}

/// Reports `where operands not in […]` in a guard, `where push_target != "dev"`, and
/// `where option "--env" != "staging"`.
fn of_operands(written: &SourceTexts<'_>, seen: RuleTest<'_>) -> Option<Diagnostic> {
    let Kind::Compare { source: Source::Where(field), all: false, negated, test } = &seen.test.kind else {
        return None;
    };
    let is_list = is_list(&seen);
    let SeveralValues { values, one, what, is_reported } = several_values(field, test, &seen)?;
    let has_one = *field == WhereField::Operands && seen.commands.is_some_and(takes_one);
    if !is_reported || has_one || seen.is_exception == *negated {
        return None;
    }
    let label = match (negated, is_list) {
        (true, true) => format!("false as soon as one {one} is among these"),
        (false, true) => format!("true as soon as one {one} is among these"),
        (true, false) => format!("false as soon as one {one} is like this"),
        (false, false) => format!("true as soon as one {one} is like this"),
    };
    let finding = Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several {what} exempts the others"))
        .label(seen.test.span, label);
    let not = if *negated { "not " } else { "" };
    let Some(comparison) = written.comparison(seen.test) else {
        return Some(finding.help(format!("write `{not}all {values} …`")));
    };
    let operator = match comparison.operator {
        Operator::NotEqual => Operator::Equal,
        other => other,
    };
    let value = written.text(comparison.value);
    let instead = format!("{not}all {values} {} {value}", operator.word());
    // A `not` before the test is kept, so it is shown in the help.
    let not = if written.is_behind_not(seen.test.span) { "not " } else { not };
    let help = match value.contains('\n') || value.len() > 60 {
        true => format!("write `{not}all {values} {} […]`", operator.word()),
        // Outside of a `where`, `domain` is another field.
        false if *field == WhereField::Domain => format!("write `where {not}all {values} {} {value}`", operator.word()),
        false => format!("write `{not}all {values} {} {value}`", operator.word()),
    };
    Some(finding.help(help).fix_that_changes(seen.test.span, instead))
}

/// Reports `runs "rm" and not deletes under "build"`: the exempting file may belong to another command, or be one of
/// several.
fn files_of_commands(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    let mut all = Vec::new();
    rule.when.iter().for_each(|when| parts(when, false, &mut all));
    rule.unless.iter().for_each(|unless| parts(unless, true, &mut all));
    let is_guard = |part: &&NeededTest<'_>| matches!(part.test.kind, Kind::Command(CommandTest::Runs { .. }));
    let guard = all.iter().filter(|part| !part.is_negated).find(is_guard)?;
    if all.iter().any(|part| !part.is_negated && files(part.test).is_some()) {
        return None;
    }
    let exception = all.iter().filter(|part| part.is_negated).find_map(|part| files(part.test))?;
    let verb = exception.verb.word();
    let finding =
        Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several files that it {verb} exempts the others"))
            .label(exception.at.span, "true as soon as any file of the call is there")
            .label(guard.test.span, "true if any command of the call is this");
    let Kind::Command(CommandTest::Runs { patterns, filter: None }) = &guard.test.kind else { return None };
    let outside = match exception.test {
        TouchTest::Under(dirs) => dirs.iter().map(directory).collect::<Option<Vec<String>>>(),
        _ => None,
    };
    let (Some(dirs), [_]) = (outside, patterns.iter().collect::<Vec<_>>().as_slice()) else {
        return Some(finding.help(format!("test the files of that command: `runs \"…\" where {verb} …`")));
    };
    let dirs = match dirs.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    Some(finding.help(format!("write `{} where {verb} outside {dirs}`", written.text(guard.test.span))))
}

/// Reports `runs "rm" where not deletes under "build"`: another file of the command may be elsewhere.
fn in_filter(written: &SourceTexts<'_>, seen: RuleTest<'_>) -> Option<Diagnostic> {
    seen.commands.filter(|_| seen.is_exception)?;
    let files = files(seen.test)?;
    let verb = files.verb.word();
    let instead = match files.test {
        TouchTest::Under(dirs) => {
            let all = dirs.iter().map(directory).collect::<Option<Vec<String>>>()?;
            format!("{verb} outside {}", list(&all))
        }
        // A glob without a directory describes which commands are meant rather than where they may work.
        TouchTest::Like(globs) if globs.patterns().any(|glob| !glob.contains('/')) => return None,
        TouchTest::Like(globs) => {
            let plain = |glob: &str| (!glob.starts_with('!')).then(|| format!("!{glob}"));
            let excluded = globs.patterns().map(plain).collect::<Option<Vec<String>>>()?;
            let all: Vec<String> = std::iter::once("/**".to_owned()).chain(excluded).collect();
            format!("{verb} like {}", one_or_list(&all))
        }
        // No file is outside, so every file is inside.
        TouchTest::Outside(_) => return None,
    };
    let finding =
        Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several files that it {verb} exempts the others"))
            .label(seen.test.span, "true as soon as one file of the command is there")
            .help(format!("write `{instead}`, without the `not`"));
    Some(match negation(written, seen.test.span) {
        Some(span) => finding.fix_that_changes(span, instead),
        None => finding,
    })
}

/// Returns the span of a test with a preceding `not`, if there is one.
fn negation(written: &SourceTexts<'_>, test: Span) -> Option<Span> {
    let start = test.start.checked_sub(4)?;
    let span = Span { start, ..test };
    written.text(span).starts_with("not ").then_some(span)
}

/// Formats values as a single value or as a list.
fn list(values: &[String]) -> String {
    match values {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// Reports `connects and not connects under "acme.example"`: another host, or another command, may connect elsewhere.
fn hosts_of_commands(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    let mut all = Vec::new();
    rule.when.iter().for_each(|when| parts(when, false, &mut all));
    rule.unless.iter().for_each(|unless| parts(unless, true, &mut all));
    let is_guard =
        |part: &&NeededTest<'_>| matches!(part.test.kind, Kind::Command(CommandTest::Runs { .. }) | Kind::Connects(_));
    let guard = all.iter().filter(|part| !part.is_negated).find(is_guard)?;
    let hosts = |part: &NeededTest<'_>| match &part.test.kind {
        Kind::Connects(test @ (HostTest::Like(..) | HostTest::Under(_))) => Some((test.clone(), part.test.span)),
        _ => None,
    };
    // A further test of every host decides on its own.
    if all.iter().any(|part| !part.is_negated && matches!(part.test.kind, Kind::Connects(HostTest::Outside(_)))) {
        return None;
    }
    let (test, span) = all.iter().filter(|part| part.is_negated).find_map(hosts)?;
    let finding = Diagnostic::new(Code::ONE_EXEMPTS_ALL, "one of several hosts of a call exempts the others")
        .label(span, "true as soon as any host of the call is this")
        .label(guard.test.span, "true if any command of the call is this");
    let value = |operator: &str| Some(written.text(span).strip_prefix("connects ")?.strip_prefix(operator)?.trim());
    let instead = match test {
        HostTest::Under(_) => value("under").map(|value| format!("connects outside {value}")),
        HostTest::Like(globs, _) => {
            let excluded = globs.patterns().map(|glob| format!("!{}", glob.strip_suffix(":*").unwrap_or(glob)));
            let all: Vec<String> = std::iter::once("*".to_owned()).chain(excluded).collect();
            Some(format!("connects like {}", one_or_list(&all)))
        }
        _ => None,
    };
    let is_short = |instead: &String| !instead.contains('\n') && instead.len() <= 60;
    Some(match instead.filter(is_short) {
        Some(instead) => finding.help(format!("write `{instead}`, without the exception")),
        None => finding.help("write `connects outside […]`, without the exception"),
    })
}

/// Whether programs treat all their operands, which are files, like the first one.
fn treats_each_alike(patterns: &Patterns) -> bool {
    const NAMES: [&str; 3] = ["first-file", "second-file", "third-file"];
    let start = Start { cwd: Path::new("/"), home: None };
    let touches_all = |pattern: &Pattern| {
        let text = format!("{} {}", pattern.text().trim_end_matches(['*', ' ']), NAMES.join(" "));
        let analysis = analyse(&text, &start);
        let [command] = analysis.commands.as_slice() else { return false };
        let accesses = file_accesses(&analysis, command);
        let verb = |name: &str| {
            let is_it = |access: &&hookrules_shell::files::FileAccess| access.path.known() == Some(name);
            accesses.iter().filter(is_it).map(|access| access.verb).max()
        };
        let first = NAMES.first().and_then(|name| verb(name));
        first.is_some() && NAMES.iter().all(|name| verb(name) == first)
    };
    patterns.iter().all(touches_all)
}

/// Whether every pattern fixes the number of operands.
fn takes_one(patterns: &Patterns) -> bool {
    patterns.iter().all(|pattern| pattern.text().ends_with("!*"))
}

/// A test of the files that a call accesses.
struct FileTest<'c> {
    verb: FileVerb,
    test: &'c TouchTest,
    at: &'c Condition,
}

fn files(condition: &Condition) -> Option<FileTest<'_>> {
    match &condition.kind {
        Kind::Touches { verb, test } => Some(FileTest { verb: *verb, test, at: condition }),
        _ => None,
    }
}

/// Reports `writes under X and not writes under Y`: the two tests may be about different files.
fn of_files(written: &SourceTexts<'_>, condition: &Condition, findings: &mut FindingSink) {
    match &condition.kind {
        Kind::And(parts) => {
            for part in parts {
                let Kind::Not(inner) = &part.kind else { continue };
                let Some(exception) = files(inner) else { continue };
                let of_verb = |files: &FileTest<'_>| files.verb == exception.verb;
                let Some(guarded) = parts.iter().filter_map(files).find(of_verb) else { continue };
                findings.push(both(written, &guarded, &exception, part.span));
            }
            parts.iter().for_each(|part| of_files(written, part, findings));
        }
        Kind::Or(parts) => parts.iter().for_each(|part| of_files(written, part, findings)),
        Kind::Def(inner) => of_files(written, inner, findings),
        Kind::Command(CommandTest::Runs { filter: Some(filter), .. }) => of_files(written, filter, findings),
        _ => {}
    }
}

fn beside_unless(when: &Condition, unless: &Condition) -> Option<Diagnostic> {
    let (mut needed, mut exceptions) = (Vec::new(), Vec::new());
    parts(when, false, &mut needed);
    parts(unless, true, &mut exceptions);
    let guards: Vec<FileTest<'_>> =
        needed.iter().filter(|part| !part.is_negated).filter_map(|it| files(it.test)).collect();
    let negated = exceptions.iter().filter(|part| part.is_negated).filter_map(|part| files(part.test));
    negated.into_iter().find_map(|exception| {
        let guarded = guards.iter().find(|files| files.verb == exception.verb)?;
        let is_whole = std::ptr::eq(exception.at, unless);
        let help = match merged(guarded, &exception).filter(|_| is_whole) {
            Some(merged) => format!("write `when {} {merged}` without the `unless`", guarded.verb.word()),
            None => of_each(guarded.verb),
        };
        Some(finding(guarded.verb, guarded.at.span, exception.at.span).help(help))
    })
}

fn of_each(verb: FileVerb) -> String {
    format!("say it of each file, in one test: `{} like [\"src/**\", \"!src/generated/**\"]`", verb.word())
}

fn both(written: &SourceTexts<'_>, guarded: &FileTest<'_>, exception: &FileTest<'_>, not: Span) -> Diagnostic {
    let verb = guarded.verb.word();
    let finding = finding(guarded.verb, guarded.at.span, not);
    let Some(merged) = merged(guarded, exception) else { return finding.help(of_each(guarded.verb)) };
    let finding = finding.help(format!("write `{verb} {merged}`"));
    // Only if the two tests are adjacent.
    let (first, second) =
        if guarded.at.span.start < not.start { (guarded.at.span, not) } else { (not, guarded.at.span) };
    let between = Span { start: first.end, end: second.start, ..first };
    let is_apart = written.text(between).trim() != "and";
    if is_apart { finding } else { finding.fix_that_changes(first.to(second), format!("{verb} {merged}")) }
}

fn finding(verb: FileVerb, guarded: Span, exception: Span) -> Diagnostic {
    let verb = verb.word();
    Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several files that it {verb} exempts the others"))
        .label(exception, "false as soon as any file of the call is there")
        .label(guarded, "true if any file of the call is here")
}

/// Returns a single test that applies two tests to the same file.
fn merged(guarded: &FileTest<'_>, exception: &FileTest<'_>) -> Option<String> {
    if let (TouchTest::Outside(dirs), TouchTest::Under(more)) = (guarded.test, exception.test) {
        let all: Option<Vec<String>> = dirs.iter().chain(more.iter()).map(directory).collect();
        return Some(format!("outside [{}]", all?.join(", ")));
    }
    let (included, excluded) = (globs(guarded.test)?, globs(exception.test)?);
    let is_plain = |glob: &String| !glob.starts_with('!');
    if !included.iter().all(is_plain) || !excluded.iter().all(is_plain) {
        return None;
    }
    let count = included.len();
    let all: Vec<String> = included.into_iter().chain(excluded.into_iter().map(|glob| format!("!{glob}"))).collect();
    let is_alive = all.iter().take(count).any(|glob| is_reached(glob, &all));
    is_alive.then(|| format!("like {}", one_or_list(&all)))
}

/// Whether a list of globs matches the simplest path that one of its globs describes, so that no later glob excludes
/// it.
fn is_reached(glob: &str, all: &[String]) -> bool {
    let Ok(globs) = PathGlobs::new(all) else { return false };
    let (project, home) = (PathBuf::from("/home/user/project"), PathBuf::from("/home/user"));
    let plain = glob.replace("**", "some/way").replace(['*', '?'], "x");
    let path = normalise(&plain, &project, Some(&home));
    let roots = Roots { project: Some(project), home: Some(home), ..Roots::default() };
    globs.matches(Path::new(&path), &roots, Case::Exact)
}

fn directory(dir: &Dir) -> Option<String> {
    Some(match dir {
        Dir::Project => "project".to_owned(),
        Dir::Tmp => "tmp".to_owned(),
        Dir::Home => "home".to_owned(),
        Dir::Literal(path) => crate::syntax::literal(path.to_str()?, ""),
        Dir::Source(_) => return None,
    })
}

/// Returns the globs equivalent to a test; `None` if there are none.
fn globs(test: &TouchTest) -> Option<Vec<String>> {
    match test {
        TouchTest::Like(globs) => Some(globs.patterns().map(str::to_owned).collect()),
        TouchTest::Under(dirs) => dirs.iter().map(below).collect(),
        TouchTest::Outside(_) => None,
    }
}

fn below(dir: &Dir) -> Option<String> {
    match dir {
        Dir::Project => Some("./**".to_owned()),
        Dir::Home => Some("~/**".to_owned()),
        Dir::Literal(path) => {
            let path = path.to_str()?.trim_end_matches('/');
            (!path.is_empty() && !path.contains(['*', '?', '[', '{', '\\'])).then(|| format!("{path}/**"))
        }
        Dir::Tmp | Dir::Source(_) => None,
    }
}
