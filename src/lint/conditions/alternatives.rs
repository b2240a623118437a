//! Alternatives of which one always holds: `agent != "a" or agent != "b"`,
//! `writes outside "src" or writes outside "tests"`.
//!
//! Each part can be false on its own, so none of them shows that the whole cannot.

use std::path::{Component, Path};

use super::super::SourceTexts;
use super::super::reason::{Atoms, Formula};
use super::MOST_PARTS;
use crate::diagnostic::{Code, Diagnostic};
use crate::lint::FindingSink;
use crate::ruleset::{Condition, Dir, HostTest, Kind, Source, Test, TouchTest, Value};
use crate::span::Sources;
use crate::syntax::ast::FileVerb;
use crate::syntax::one_or_list;
use crate::wire::to_bytes;

/// Reports alternatives in a condition of which one always holds. Those of a `def` are shared by all its users.
pub(super) fn check<'c>(
    atoms: &mut Atoms<'c>,
    sources: &Sources,
    condition: &'c Condition,
    findings: &mut FindingSink,
) {
    match &condition.kind {
        Kind::And(parts) => parts.iter().for_each(|part| check(atoms, sources, part, findings)),
        Kind::Not(inner) => check(atoms, sources, inner, findings),
        Kind::Or(parts) => {
            let written = SourceTexts::new(sources);
            match either(&written, parts).or_else(|| never_false(atoms, &written, parts)) {
                Some((label, instead)) => findings.push(finding(condition, label, instead)),
                None => parts.iter().for_each(|part| check(atoms, sources, part, findings)),
            }
        }
        _ => {}
    }
}

fn finding(condition: &Condition, label: &str, instead: Option<String>) -> Diagnostic {
    let finding =
        Diagnostic::new(Code::TAUTOLOGY, "alternatives of which one always holds").label(condition.span, label);
    match instead.filter(|instead| !instead.contains('\n')) {
        Some(instead) if instead.len() <= 60 => {
            finding.help(format!("write `{instead}`")).fix_that_changes(condition.span, instead)
        }
        _ => finding.help("write `and` in place of `or`"),
    }
}

/// Returns why alternatives are never false, and the intended test, if the tests of a source show it.
fn never_false<'c>(
    atoms: &mut Atoms<'c>,
    written: &SourceTexts<'_>,
    parts: &'c [Condition],
) -> Option<(&'static str, Option<String>)> {
    // A part that is never false on its own is reported separately.
    let of_values = |part: &Condition| matches!(part.kind, Kind::Compare { .. } | Kind::Not(_));
    if parts.len() > MOST_PARTS || !parts.iter().all(of_values) {
        return None;
    }
    let formulas: Vec<Formula> = parts.iter().map(|part| atoms.formula(part)).collect();
    if atoms.are_too_many() || formulas.iter().any(|formula| atoms.is_never_false(formula)) {
        return None;
    }
    atoms
        .is_never_false(&Formula::Or(formulas))
        .then(|| ("one of these is true, whatever the value is", not_in(written, parts)))
}

/// Returns `FIELD not in […]` for tests that are each true of all values but their own.
fn not_in(written: &SourceTexts<'_>, parts: &[Condition]) -> Option<String> {
    let mut values: Vec<String> = Vec::new();
    let mut operand = None;
    for part in parts {
        let Kind::Compare { all: false, negated: true, test, .. } = &part.kind else { return None };
        match test {
            Test::Equal(value) => values.push(value.text()?.to_owned()),
            Test::In(own) => values
                .extend(own.iter().map(Value::text).collect::<Option<Vec<&str>>>()?.into_iter().map(str::to_owned)),
            _ => return None,
        }
        let own = written.comparison(part)?.operand;
        if operand.get_or_insert_with(|| own.clone()) != &own {
            return None;
        }
    }
    Some(format!("{} not in {}", operand?, one_or_list(&values)))
}

/// The operand of an `outside` test.
#[derive(PartialEq, Eq)]
enum Subject {
    Files(FileVerb),
    Hosts,
    Field(Vec<u8>),
}

/// The places of an `outside` test.
enum Places<'c> {
    Dirs(&'c [Dir]),
    Hosts(&'c HostTest),
}

fn outside(condition: &Condition) -> Option<(Subject, Places<'_>)> {
    match &condition.kind {
        Kind::Touches { verb, test: TouchTest::Outside(dirs) } => Some((Subject::Files(*verb), Places::Dirs(dirs))),
        Kind::Connects(test @ HostTest::Outside(_)) => Some((Subject::Hosts, Places::Hosts(test))),
        Kind::Compare { source, all: false, negated: false, test: Test::Outside(dirs) } => {
            Some((field(source), Places::Dirs(dirs)))
        }
        _ => None,
    }
}

fn field(source: &Source) -> Subject {
    Subject::Field(to_bytes(source))
}

/// Reports `writes outside A or writes outside B` if nothing can be in both.
fn either(written: &SourceTexts<'_>, parts: &[Condition]) -> Option<(&'static str, Option<String>)> {
    let all: Vec<(Subject, Places<'_>)> = parts.iter().map(outside).collect::<Option<_>>()?;
    let [(subject, _), _, ..] = all.as_slice() else { return None };
    if all.len() > MOST_PARTS || !all.iter().all(|(own, _)| own == subject) {
        return None;
    }
    let are_apart = |one: &Places<'_>, other: &Places<'_>| match (one, other) {
        (Places::Dirs(one), Places::Dirs(other)) => {
            one.iter().all(|one| other.iter().all(|other| dirs_are_apart(one, other)))
        }
        (Places::Hosts(one), Places::Hosts(other)) => one.names_none_of(other),
        _ => false,
    };
    let mut pairs =
        all.iter().enumerate().flat_map(|(at, (_, one))| all.iter().skip(at + 1).map(move |(_, other)| (one, other)));
    if !pairs.any(|(one, other)| are_apart(one, other)) {
        return None;
    }
    let label = match subject {
        Subject::Hosts => "every host is outside of one of these",
        _ => "every file is outside of one of these",
    };
    let mut front = None;
    let mut values = Vec::new();
    for part in parts {
        let (own, value) = written.text(part.span).split_once(" outside ")?;
        front.get_or_insert(own);
        let inner = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        values.push(inner.unwrap_or(value).trim().to_owned());
    }
    Some((label, Some(format!("{} outside [{}]", front?, values.join(", ")))))
}

/// Whether two directories have no file in common.
fn dirs_are_apart(one: &Dir, other: &Dir) -> bool {
    match (one, other) {
        (Dir::Literal(one), Dir::Literal(other)) => paths_are_apart(one, other),
        // Temporary directories are assumed to be outside of the project.
        (Dir::Project, Dir::Tmp) | (Dir::Tmp, Dir::Project) => true,
        (Dir::Literal(path), Dir::Tmp) | (Dir::Tmp, Dir::Literal(path)) => is_in_project(path),
        _ => false,
    }
}

fn paths_are_apart(one: &Path, other: &Path) -> bool {
    let is_below = |one: &Path, other: &Path| one.starts_with(other) || other.starts_with(one);
    let are_of_a_kind = is_in_project(one) && is_in_project(other) || one.is_absolute() && other.is_absolute();
    are_of_a_kind && !is_below(one, other)
}

fn is_in_project(path: &Path) -> bool {
    let mut parts = path.components();
    path.is_relative()
        && !path.starts_with("~")
        && parts.all(
            |part| matches!(part, Component::Normal(name) if !name.to_string_lossy().contains(['*', '?', '[', '{'])),
        )
}
