//! Exceptions of a guard that one of several operands or files meets: the others are let through with it.

use super::comparison::{Seen, each_test};
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, Dir, Kind, Patterns, Rule, Source, Test, TouchTest, WhereField};
use crate::span::Span;
use crate::syntax::ast::FileVerb;
use crate::syntax::one_or_list;

pub(super) const LINT: Lint = Lint { codes: &[Code::ONE_EXEMPTS_ALL], check };

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    // An exception of what allows makes it stricter.
    if !rule.can_block || rule.can_allow {
        return;
    }
    each_test(rule, &mut |seen| found.extend(of_operands(written, seen)));
    if let Some(when) = &rule.when {
        of_files(written, when, found);
        if let Some(unless) = &rule.unless {
            found.extend(beside_unless(when, unless));
        }
    }
}

/// Reports `where operands not in […]` of a guard.
fn of_operands(written: &Written<'_>, seen: Seen<'_>) -> Option<Diagnostic> {
    let Kind::Compare { source: Source::Where(WhereField::Operands), all: false, negated, test } = &seen.test.kind
    else {
        return None;
    };
    // What marks a call is one word on purpose, and a list says which words are harmless.
    let is_list = match test {
        Test::In(_) | Test::Under(_) | Test::Outside(_) | Test::LikePath(_) => true,
        Test::LikeText(globs) => globs.patterns().len() > 1 || globs.patterns().any(|glob| glob.contains('/')),
        _ => false,
    };
    if !is_list || seen.is_exception == *negated || seen.commands.is_some_and(takes_one) {
        return None;
    }
    let label = match negated {
        true => "false as soon as one operand is among these",
        false => "true as soon as one operand is among these",
    };
    let finding = Diagnostic::new(Code::ONE_EXEMPTS_ALL, "one of several `operands` exempts the others")
        .label(seen.test.span, label);
    let not = if *negated { "not " } else { "" };
    let Some(comparison) = written.comparison(seen.test) else {
        return Some(finding.help(format!("write `{not}all operands …`")));
    };
    let value = written.text(comparison.value);
    let instead = format!("{not}all operands {} {value}", comparison.operator.word());
    let help = match value.contains('\n') || value.len() > 60 {
        true => format!("write `{not}all operands {} […]`", comparison.operator.word()),
        false => format!("write `{instead}`"),
    };
    Some(finding.help(help).fix_that_changes(seen.test.span, instead))
}

/// Tells whether every pattern says how many operands there are.
fn takes_one(patterns: &Patterns) -> bool {
    patterns.iter().all(|pattern| pattern.text().ends_with("!*"))
}

/// A test of the files that a call touches.
struct Files<'c> {
    verb: FileVerb,
    test: &'c TouchTest,
    at: &'c Condition,
}

fn files(condition: &Condition) -> Option<Files<'_>> {
    match &condition.kind {
        Kind::Touches { verb, test } => Some(Files { verb: *verb, test, at: condition }),
        _ => None,
    }
}

/// Reports `writes under X and not writes under Y`: each of them may be about another file.
fn of_files(written: &Written<'_>, condition: &Condition, found: &mut Vec<Diagnostic>) {
    match &condition.kind {
        Kind::And(parts) => {
            for part in parts {
                let Kind::Not(inner) = &part.kind else { continue };
                let Some(exception) = files(inner) else { continue };
                let of_verb = |files: &Files<'_>| files.verb == exception.verb;
                let Some(guarded) = parts.iter().filter_map(files).find(of_verb) else { continue };
                found.push(both(written, &guarded, &exception, part.span));
            }
            parts.iter().for_each(|part| of_files(written, part, found));
        }
        Kind::Or(parts) => parts.iter().for_each(|part| of_files(written, part, found)),
        Kind::Def(inner) => of_files(written, inner, found),
        Kind::Command(CommandTest::Runs { filter: Some(filter), .. }) => of_files(written, filter, found),
        _ => {}
    }
}

fn beside_unless(when: &Condition, unless: &Condition) -> Option<Diagnostic> {
    let exception = files(unless)?;
    let guarded = match &when.kind {
        Kind::And(parts) => parts.iter().filter_map(files).find(|files| files.verb == exception.verb),
        _ => files(when).filter(|files| files.verb == exception.verb),
    }?;
    let help = match merged(&guarded, &exception) {
        Some(merged) => format!("write `when {} {merged}` without the `unless`", guarded.verb.word()),
        None => HELP.to_owned(),
    };
    Some(finding(guarded.verb, guarded.at.span, unless.span).help(help))
}

const HELP: &str = "say it of each file, in one test: `writes like [\"src/**\", \"!src/generated/**\"]`";

fn both(written: &Written<'_>, guarded: &Files<'_>, exception: &Files<'_>, not: Span) -> Diagnostic {
    let verb = guarded.verb.word();
    let finding = finding(guarded.verb, guarded.at.span, not);
    let Some(merged) = merged(guarded, exception) else { return finding.help(HELP) };
    let finding = finding.help(format!("write `{verb} {merged}`"));
    // Both stand side by side, and nothing else between them.
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

/// Returns one test that says of each file what two say of any.
fn merged(guarded: &Files<'_>, exception: &Files<'_>) -> Option<String> {
    if let (TouchTest::Outside(dirs), TouchTest::Under(more)) = (guarded.test, exception.test) {
        let all: Option<Vec<String>> = dirs.iter().chain(more.iter()).map(directory).collect();
        return Some(format!("outside [{}]", all?.join(", ")));
    }
    let (included, excluded) = (globs(guarded.test)?, globs(exception.test)?);
    let is_plain = |glob: &String| !glob.starts_with('!');
    if !included.iter().all(is_plain) || !excluded.iter().all(is_plain) {
        return None;
    }
    let all: Vec<String> = included.into_iter().chain(excluded.into_iter().map(|glob| format!("!{glob}"))).collect();
    Some(format!("like {}", one_or_list(&all)))
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

/// Returns the globs of what a test is about; nothing where no globs say it.
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
