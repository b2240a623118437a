//! Finds exceptions of a guard that one of several operands, files, hosts or commands meets, and so exempts the others:
//! `runs "rm" and not deletes under "build"`.

mod commands;
mod counts;

use std::path::{Path, PathBuf};

use super::comparison::{RuleTest, visit_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CaptureReference, CommandTest, Condition, ConditionExpr, DirOperand, HostTest, Patterns, PolicyValue, Rule,
    TouchTest, ValueReference, ValueTest, WhereField,
};
use crate::span::Span;
use crate::syntax::ast::{FileVerb, Operator};
use crate::syntax::format_one_or_list;
use hookrules_shell::path::{NameCase, PathGlobs, Roots, normalise};
use hookrules_shell::{Pattern, StartDirectories, analyse, file_accesses};
use regex_syntax::hir::Look;

pub(super) const LINT: Lint = Lint { codes: &[Code::ONE_EXEMPTS_ALL], check };

/// Reports, in a rule that blocks, exceptions that one of several operands, files, hosts or commands can meet.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    // An exception of an `allow` makes the rule stricter, so it is not checked.
    if !rule.can_block || rule.can_allow {
        return;
    }
    let commands = commands::check(written, rule);
    let is_reported = |span: Span| commands.iter().any(|(exception, _)| exception.contains(span));
    let mut operand_exemptions = 0_usize;
    visit_tests(rule, &mut |seen| operand_exemptions += usize::from(is_single_operand_exemption(&seen)));
    visit_tests(rule, &mut |seen| {
        // Several tests of single operands together describe one command: each is about another word.
        let describes_command = operand_exemptions > 1 && is_single_operand_exemption(&seen) && !is_list(&seen);
        if !is_reported(seen.test.span) && !describes_command {
            findings.extend(operand_exception(written, seen).or_else(|| file_exception_in_filter(written, seen)));
        }
    });
    if let Some(when) = &rule.when {
        check_file_exceptions(written, when, findings);
        if let Some(unless) = &rule.unless {
            findings.extend(file_exception_in_unless(when, unless));
        }
    }
    findings.extend(file_exception_of_commands(written, rule));
    findings.extend(counts::check(written, rule));
    findings.extend(host_exception(written, rule));
    findings.extend(commands.into_iter().map(|(_, finding)| finding));
}

/// A test that must have a certain result for a condition to be true, or for a rule to match.
#[derive(Clone, Copy)]
pub(super) struct NeededTest<'c> {
    pub(super) test: &'c Condition,
    /// Whether that result is false.
    pub(super) is_negated: bool,
}

/// Collects the tests that must all have a certain result for a condition to be true or, with `is_negated`, false.
pub(super) fn collect_needed_tests<'c>(condition: &'c Condition, is_negated: bool, out: &mut Vec<NeededTest<'c>>) {
    match (&condition.kind, is_negated) {
        (ConditionExpr::And(all), false) | (ConditionExpr::Or(all), true) => {
            all.iter().for_each(|part| collect_needed_tests(part, is_negated, out))
        }
        (ConditionExpr::Not(inner), _) => collect_needed_tests(inner, !is_negated, out),
        (ConditionExpr::Certain(inner), _) => collect_needed_tests(inner, is_negated, out),
        (ConditionExpr::Def(inner), _) => collect_needed_tests(inner, is_negated, out),
        _ => out.push(NeededTest { test: condition, is_negated }),
    }
}

/// Whether a test is an exemption by operands, which one operand meets for the whole command.
fn is_single_operand_exemption(seen: &RuleTest<'_>) -> bool {
    match &seen.test.kind {
        ConditionExpr::Compare { source: ValueReference::Where(WhereField::Operands), all: false, negated, .. } => {
            seen.is_exception != *negated
        }
        _ => false,
    }
}

/// Whether a test compares with a list of values, directories or path globs. Such values are a list of harmless ones,
/// not the mark of one command.
fn is_list(seen: &RuleTest<'_>) -> bool {
    let ConditionExpr::Compare { test, .. } = &seen.test.kind else { return false };
    match test {
        ValueTest::In(_) | ValueTest::Under(_) | ValueTest::Outside(_) | ValueTest::LikePath(_) => true,
        ValueTest::LikeText(globs) => globs.patterns().len() > 1 || globs.patterns().any(|glob| glob.contains('/')),
        _ => false,
    }
}

/// A property of a command that can have several values, with the words for it in messages.
struct MultiValueProperty {
    /// The source form of the property: `operands`.
    values: String,
    /// The noun for one value: `operand`.
    value_noun: &'static str,
    /// The noun for all values: `branches of a push`.
    values_noun: &'static str,
    /// Whether an exception by one value is reported.
    is_reported: bool,
}

/// Whether a test looks for an option.
fn is_option_search(test: &ValueTest) -> bool {
    let is_option = |value: &PolicyValue| value.as_text().is_some_and(|text| text.starts_with('-'));
    match test {
        ValueTest::Equal(value) | ValueTest::StartsWith(value) | ValueTest::Contains(value) => is_option(value),
        ValueTest::In(values) => values.iter().any(is_option),
        _ => false,
    }
}

/// Returns the words for a field of `where` that can have several values; `None` for any other field.
fn multi_value_property(field: &WhereField, test: &ValueTest, seen: &RuleTest<'_>) -> Option<MultiValueProperty> {
    Some(match field {
        // Options among the operands are reported by another lint. A single operand usually marks a whole call on
        // purpose, such as a subcommand, unless the program treats all its operands alike.
        WhereField::Operands => {
            let marks_whole_call =
                matches!(test, ValueTest::Equal(_)) && !seen.filtered_patterns.is_some_and(has_uniform_operands);
            let is_reported = !is_option_search(test) && !marks_whole_call;
            MultiValueProperty {
                values: "operands".to_owned(),
                value_noun: "operand",
                values_noun: "`operands`",
                is_reported,
            }
        }
        WhereField::PushTarget => MultiValueProperty {
            values: "push_target".to_owned(),
            value_noun: "branch",
            values_noun: "branches of a push",
            is_reported: true,
        },
        WhereField::Domain => MultiValueProperty {
            values: "domain".to_owned(),
            value_noun: "host",
            values_noun: "hosts of a command",
            is_reported: true,
        },
        // Most programs use the last value of an option that occurs twice.
        WhereField::Option(name) => MultiValueProperty {
            values: format!("option {}", crate::syntax::string_literal(name, "")),
            value_noun: "value",
            values_noun: "values of an option",
            is_reported: is_list(seen)
                || matches!(test, ValueTest::Equal(_) | ValueTest::LikeText(_) | ValueTest::StartsWith(_)),
        },
        _ => return None,
    })
}

/// Returns the words for a capture. A regex that is anchored matches once, so it captures one text of each value.
fn captured_property(written: &SourceTexts<'_>, capture: &CaptureReference) -> MultiValueProperty {
    let is_anchored = written.regex(capture.regex.pattern()).is_some_and(|hir| {
        let properties = hir.properties();
        properties.look_set_prefix().contains(Look::Start) || properties.look_set_suffix().contains(Look::End)
    });
    MultiValueProperty {
        values: capture.group.clone(),
        value_noun: "captured text",
        values_noun: "texts of a capture",
        is_reported: !is_anchored,
    }
}

/// Returns the finding about an exception in a `where` that one operand, branch, host or option value meets: `operands
/// not in […]`, `push_target != "dev"`, `option "--env" != "staging"`.
fn operand_exception(written: &SourceTexts<'_>, seen: RuleTest<'_>) -> Option<Diagnostic> {
    let ConditionExpr::Compare { source, all: false, negated, test } = &seen.test.kind else { return None };
    let is_list = is_list(&seen);
    let property = match source {
        ValueReference::Where(field) => multi_value_property(field, test, &seen)?,
        ValueReference::Capture(capture) => captured_property(written, capture),
        _ => return None,
    };
    let MultiValueProperty { values, value_noun: noun_for_value, values_noun: noun_for_values, is_reported } = property;
    let is_of = |field: &WhereField| matches!(source, ValueReference::Where(it) if it == field);
    let takes_one_operand = is_of(&WhereField::Operands) && seen.filtered_patterns.is_some_and(has_fixed_operands);
    if !is_reported || takes_one_operand || seen.is_exception == *negated {
        return None;
    }
    let label = match (negated, is_list) {
        (true, true) => format!("false as soon as one {noun_for_value} is among these"),
        (false, true) => format!("true as soon as one {noun_for_value} is among these"),
        (true, false) => format!("false as soon as one {noun_for_value} is like this"),
        (false, false) => format!("true as soon as one {noun_for_value} is like this"),
    };
    let finding =
        Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several {noun_for_values} exempts the others"))
            .label(seen.test.span, label);
    let negation = if *negated { "not " } else { "" };
    let Some(comparison) = written.comparison(seen.test) else {
        return Some(finding.help(format!("write `{negation}all {values} …`")));
    };
    let operator = match comparison.operator {
        Operator::NotEqual => Operator::Equal,
        other => other,
    };
    let value = written.text(comparison.value);
    let instead = format!("{negation}all {values} {} {value}", operator.as_str());
    // A `not` before the test is kept by the fix, so the help shows it.
    let negation = if written.is_after_not(seen.test.span) { "not " } else { negation };
    let help = match value.contains('\n') || value.len() > 60 {
        true => format!("write `{negation}all {values} {} […]`", operator.as_str()),
        // The help shows the `where`, because outside of it `domain` is another field.
        false if is_of(&WhereField::Domain) => {
            format!("write `where {negation}all {values} {} {value}`", operator.as_str())
        }
        false => format!("write `{negation}all {values} {} {value}`", operator.as_str()),
    };
    Some(finding.help(help).fix_that_changes(seen.test.span, instead))
}

/// Returns the finding about `runs "rm" and not deletes under "build"`: the exempting file may be one that another
/// command deletes, or one of several.
fn file_exception_of_commands(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    let mut needed = Vec::new();
    rule.when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    rule.unless.iter().for_each(|unless| collect_needed_tests(unless, true, &mut needed));
    let is_guard = |part: &&NeededTest<'_>| matches!(part.test.kind, ConditionExpr::Command(CommandTest::Runs { .. }));
    let guard = needed.iter().filter(|part| !part.is_negated).find(is_guard)?;
    if needed.iter().any(|part| !part.is_negated && file_test(part.test).is_some()) {
        return None;
    }
    let exception = needed.iter().filter(|part| part.is_negated).find_map(|part| file_test(part.test))?;
    let verb = exception.verb.keyword();
    let finding =
        Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several files that it {verb} exempts the others"))
            .label(exception.condition.span, "true as soon as any file of the call is there")
            .label(guard.test.span, "true if any command of the call is this");
    let ConditionExpr::Command(CommandTest::Runs { patterns, filter: None }) = &guard.test.kind else { return None };
    let directories = match exception.test {
        TouchTest::Under(dirs) => dirs.iter().map(directory_source).collect::<Option<Vec<String>>>(),
        _ => None,
    };
    let (Some(dirs), [_]) = (directories, patterns.iter().collect::<Vec<_>>().as_slice()) else {
        return Some(finding.help(format!("test the files of that command: `runs \"…\" where {verb} …`")));
    };
    let dirs = match dirs.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    Some(finding.help(format!("write `{} where {verb} outside {dirs}`", written.text(guard.test.span))))
}

/// Returns the finding about `runs "rm" where not deletes under "build"`: the command may delete another file
/// elsewhere.
fn file_exception_in_filter(written: &SourceTexts<'_>, seen: RuleTest<'_>) -> Option<Diagnostic> {
    seen.filtered_patterns.filter(|_| seen.is_exception)?;
    let files = file_test(seen.test)?;
    let verb = files.verb.keyword();
    // A glob without a directory describes the kind of command, not where it may work.
    if matches!(files.test, TouchTest::Like(globs) if globs.patterns().any(|glob| !glob.contains('/'))) {
        return None;
    }
    let instead = complement(&files)?;
    let finding =
        Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several files that it {verb} exempts the others"))
            .label(seen.test.span, "true as soon as one file of the command is there")
            .help(format!("write `{instead}`, without the `not`"));
    Some(match negation_span(written, seen.test.span) {
        Some(span) => finding.fix_that_changes(span, instead),
        None => finding,
    })
}

/// Returns the test that is true if any file does not meet a test: `deletes outside "build"` for `deletes under
/// "build"`. `None` if it cannot be written.
fn complement(files: &FileTest<'_>) -> Option<String> {
    let verb = files.verb.keyword();
    match files.test {
        TouchTest::Under(dirs) => {
            let values = dirs.iter().map(directory_source).collect::<Option<Vec<String>>>()?;
            Some(format!("{verb} outside {}", one_or_several(&values)))
        }
        TouchTest::Like(globs) => {
            let plain = |glob: &str| (!glob.starts_with('!')).then(|| format!("!{glob}"));
            let excluded = globs.patterns().map(plain).collect::<Option<Vec<String>>>()?;
            let values: Vec<String> = std::iter::once("/**".to_owned()).chain(excluded).collect();
            Some(format!("{verb} like {}", format_one_or_list(&values)))
        }
        // `not deletes outside …` means that every file is inside, so no single file exempts the others.
        TouchTest::Outside(_) => None,
    }
}

/// Returns the span of a test and the `not` before it; `None` without a `not`.
pub(super) fn negation_span(written: &SourceTexts<'_>, test: Span) -> Option<Span> {
    let start = test.start.checked_sub(4)?;
    let span = Span { start, ..test };
    written.text(span).starts_with("not ").then_some(span)
}

/// Formats source texts as a single value, or as a list.
fn one_or_several(values: &[String]) -> String {
    match values {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// Returns the finding about `connects and not connects under "acme.example"`: the call may also connect to another
/// host.
fn host_exception(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    let mut needed = Vec::new();
    rule.when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    rule.unless.iter().for_each(|unless| collect_needed_tests(unless, true, &mut needed));
    let is_guard = |part: &&NeededTest<'_>| {
        matches!(part.test.kind, ConditionExpr::Command(CommandTest::Runs { .. }) | ConditionExpr::Connects(_))
    };
    let guard = needed.iter().filter(|part| !part.is_negated).find(is_guard)?;
    let hosts = |part: &NeededTest<'_>| match &part.test.kind {
        ConditionExpr::Connects(test @ (HostTest::Like(..) | HostTest::Under(_))) => {
            Some((test.clone(), part.test.span))
        }
        _ => None,
    };
    // If another test considers every host, the exception can exempt nothing that this test reports.
    if needed
        .iter()
        .any(|part| !part.is_negated && matches!(part.test.kind, ConditionExpr::Connects(HostTest::Outside(_))))
    {
        return None;
    }
    let (test, span) = needed.iter().filter(|part| part.is_negated).find_map(hosts)?;
    let finding = Diagnostic::new(Code::ONE_EXEMPTS_ALL, "one of several hosts of a call exempts the others")
        .label(span, "true as soon as any host of the call is this")
        .label(guard.test.span, "true if any command of the call is this");
    let value = |operator: &str| Some(written.text(span).strip_prefix("connects ")?.strip_prefix(operator)?.trim());
    let instead = match test {
        HostTest::Under(_) => value("under").map(|value| format!("connects outside {value}")),
        HostTest::Like(globs, _) => {
            let excluded = globs.patterns().map(|glob| format!("!{}", glob.strip_suffix(":*").unwrap_or(glob)));
            let globs: Vec<String> = std::iter::once("*".to_owned()).chain(excluded).collect();
            Some(format!("connects like {}", format_one_or_list(&globs)))
        }
        _ => None,
    };
    let is_short = |instead: &String| !instead.contains('\n') && instead.len() <= 60;
    Some(match instead.filter(is_short) {
        Some(instead) => finding.help(format!("write `{instead}`, without the exception")),
        None => finding.help("write `connects outside […]`, without the exception"),
    })
}

/// Whether the programs of these patterns access all their operands as files in the same way, as `rm` does.
fn has_uniform_operands(patterns: &Patterns) -> bool {
    const NAMES: [&str; 3] = ["first-file", "second-file", "third-file"];
    let start = StartDirectories { cwd: Path::new("/"), home: None };
    let touches_all = |pattern: &Pattern| {
        let text = format!("{} {}", pattern.text().trim_end_matches(['*', ' ']), NAMES.join(" "));
        let analysis = analyse(&text, &start);
        let [command] = analysis.commands.as_slice() else { return false };
        let accesses = file_accesses(&analysis, command);
        let verb = |name: &str| {
            let is_named = |access: &&hookrules_shell::files::FileAccess| access.path.known_text() == Some(name);
            accesses.iter().filter(is_named).map(|access| access.verb).max()
        };
        let first = NAMES.first().and_then(|name| verb(name));
        first.is_some() && NAMES.iter().all(|name| verb(name) == first)
    };
    patterns.iter().all(touches_all)
}

/// Whether every pattern ends with `!*`, so that no further operands may follow.
fn has_fixed_operands(patterns: &Patterns) -> bool {
    patterns.iter().all(|pattern| pattern.text().ends_with("!*"))
}

/// A test of the files that a call accesses, such as `writes under "src"`, as its parts.
struct FileTest<'c> {
    verb: FileVerb,
    test: &'c TouchTest,
    condition: &'c Condition,
}

/// Returns a test of files as its parts; `None` for any other test.
fn file_test(condition: &Condition) -> Option<FileTest<'_>> {
    match &condition.kind {
        ConditionExpr::Touches { verb, test } => Some(FileTest { verb: *verb, test, condition }),
        _ => None,
    }
}

/// Reports `writes under X and not writes under Y` in a condition: the two tests may be about different files.
fn check_file_exceptions(written: &SourceTexts<'_>, condition: &Condition, findings: &mut FindingSink) {
    match &condition.kind {
        ConditionExpr::And(parts) => {
            for part in parts {
                let ConditionExpr::Not(inner) = &part.kind else { continue };
                let Some(exception) = file_test(inner) else { continue };
                let has_same_verb = |files: &FileTest<'_>| files.verb == exception.verb;
                let Some(guarded) = parts.iter().filter_map(file_test).find(has_same_verb) else { continue };
                findings.push(combined_finding(written, &guarded, &exception, part.span));
            }
            parts.iter().for_each(|part| check_file_exceptions(written, part, findings));
        }
        ConditionExpr::Or(parts) => parts.iter().for_each(|part| check_file_exceptions(written, part, findings)),
        ConditionExpr::Def(inner) => check_file_exceptions(written, inner, findings),
        ConditionExpr::Command(CommandTest::Runs { filter: Some(filter), .. }) => {
            check_file_exceptions(written, filter, findings)
        }
        _ => {}
    }
}

/// Returns the finding about a test of files in `when` and an exception by files in `unless`, which may be true of
/// different files.
fn file_exception_in_unless(when: &Condition, unless: &Condition) -> Option<Diagnostic> {
    let (mut needed, mut exceptions) = (Vec::new(), Vec::new());
    collect_needed_tests(when, false, &mut needed);
    collect_needed_tests(unless, true, &mut exceptions);
    let guards: Vec<FileTest<'_>> =
        needed.iter().filter(|part| !part.is_negated).filter_map(|it| file_test(it.test)).collect();
    let negated = exceptions.iter().filter(|part| part.is_negated).filter_map(|part| file_test(part.test));
    negated.into_iter().find_map(|exception| {
        let guarded = guards.iter().find(|files| files.verb == exception.verb)?;
        let is_whole = std::ptr::eq(exception.condition, unless);
        let help = match merged_test(guarded, &exception).filter(|_| is_whole) {
            Some(merged) => format!("write `when {} {merged}` without the `unless`", guarded.verb.keyword()),
            None => each_file_phrase(guarded.verb),
        };
        Some(finding(guarded.verb, guarded.condition.span, exception.condition.span).help(help))
    })
}

fn each_file_phrase(verb: FileVerb) -> String {
    format!("say it of each file, in one test: `{} like [\"src/**\", \"!src/generated/**\"]`", verb.keyword())
}

/// Returns the finding about a test of files and an exception in the same `and`, with one test that replaces both.
fn combined_finding(
    written: &SourceTexts<'_>,
    guarded: &FileTest<'_>,
    exception: &FileTest<'_>,
    exception_span: Span,
) -> Diagnostic {
    let verb = guarded.verb.keyword();
    let finding = finding(guarded.verb, guarded.condition.span, exception_span);
    let Some(merged) = merged_test(guarded, exception) else { return finding.help(each_file_phrase(guarded.verb)) };
    let finding = finding.help(format!("write `{verb} {merged}`"));
    // Replaces both tests, but only if nothing except the `and` is between them.
    let (first, second) = if guarded.condition.span.start < exception_span.start {
        (guarded.condition.span, exception_span)
    } else {
        (exception_span, guarded.condition.span)
    };
    let between = Span { start: first.end, end: second.start, ..first };
    let has_text_between = written.text(between).trim() != "and";
    if has_text_between {
        finding
    } else {
        finding.fix_that_changes(first.joined_with(second), format!("{verb} {merged}"))
    }
}

/// Returns the finding about a test of files, and an exception that another file of the call can meet.
fn finding(verb: FileVerb, guarded: Span, exception: Span) -> Diagnostic {
    let verb = verb.keyword();
    Diagnostic::new(Code::ONE_EXEMPTS_ALL, format!("one of several files that it {verb} exempts the others"))
        .label(exception, "false as soon as any file of the call is there")
        .label(guarded, "true if any file of the call is here")
}

/// Returns a single test that is true of the files for which the guard is true and the exception is not; `None` if no
/// test can express this.
fn merged_test(guarded: &FileTest<'_>, exception: &FileTest<'_>) -> Option<String> {
    if let (TouchTest::Outside(dirs), TouchTest::Under(more)) = (guarded.test, exception.test) {
        let joined: Option<Vec<String>> = dirs.iter().chain(more.iter()).map(directory_source).collect();
        return Some(format!("outside [{}]", joined?.join(", ")));
    }
    let (included, excluded) = (test_globs(guarded.test)?, test_globs(exception.test)?);
    let is_plain = |glob: &String| !glob.starts_with('!');
    if !included.iter().all(is_plain) || !excluded.iter().all(is_plain) {
        return None;
    }
    let included_count = included.len();
    let joined: Vec<String> = included.into_iter().chain(excluded.into_iter().map(|glob| format!("!{glob}"))).collect();
    let is_effective = joined.iter().take(included_count).any(|glob| is_matched_by_list(glob, &joined));
    is_effective.then(|| format!("like {}", format_one_or_list(&joined)))
}

/// Whether a list of globs matches the simplest path of one of its globs. If not, a later exclusion covers this glob.
fn is_matched_by_list(glob: &str, all: &[String]) -> bool {
    let Ok(globs) = PathGlobs::new(all) else { return false };
    let (project, home) = (PathBuf::from("/home/user/project"), PathBuf::from("/home/user"));
    let plain = glob.replace("**", "some/way").replace(['*', '?'], "x");
    let path = normalise(&plain, &project, Some(&home));
    let roots = Roots { project: Some(project), home: Some(home), ..Roots::default() };
    globs.matches(Path::new(&path), &roots, NameCase::Exact)
}

/// Returns the source text of a directory; `None` if it comes from the event.
fn directory_source(dir: &DirOperand) -> Option<String> {
    Some(match dir {
        DirOperand::Project => "project".to_owned(),
        DirOperand::Tmp => "tmp".to_owned(),
        DirOperand::Home => "home".to_owned(),
        DirOperand::Literal(path) => crate::syntax::string_literal(path.to_str()?, ""),
        DirOperand::Source(_) | DirOperand::Filled(_) => return None,
    })
}

/// Returns the globs with the same meaning as a test of files; `None` if no globs have it.
fn test_globs(test: &TouchTest) -> Option<Vec<String>> {
    match test {
        TouchTest::Like(globs) => Some(globs.patterns().map(str::to_owned).collect()),
        TouchTest::Under(dirs) => dirs.iter().map(directory_glob).collect(),
        TouchTest::Outside(_) => None,
    }
}

/// Returns the glob for everything below a directory; `None` for a temporary directory, or one that comes from the
/// event.
fn directory_glob(dir: &DirOperand) -> Option<String> {
    match dir {
        DirOperand::Project => Some("./**".to_owned()),
        DirOperand::Home => Some("~/**".to_owned()),
        DirOperand::Literal(path) => {
            let path = path.to_str()?.trim_end_matches('/');
            (!path.is_empty() && !path.contains(['*', '?', '[', '{', '\\'])).then(|| format!("{path}/**"))
        }
        DirOperand::Tmp | DirOperand::Source(_) | DirOperand::Filled(_) => None,
    }
}
