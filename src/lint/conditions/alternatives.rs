//! Finds alternatives of which at least one is always true: `agent != "a" or agent != "b"`, `writes outside "src" or
//! writes outside "tests"`.
//!
//! Each alternative can be false, so a check of single parts does not find the mistake.

use std::path::{Component, Path};

use super::super::SourceTexts;
use super::super::reason::{Atoms, Formula};
use super::MAX_PARTS;
use crate::diagnostic::{Code, Diagnostic};
use crate::lint::FindingSink;
use crate::ruleset::{
    Condition, ConditionExpr, DirOperand, HostTest, PolicyValue, TouchTest, ValueReference, ValueTest,
};
use crate::span::Sources;
use crate::syntax::ast::FileVerb;
use crate::syntax::format_one_or_list;
use crate::wire::to_bytes;

/// Reports each `or` that is always true because at least one of its alternatives is. A `def` in the condition is not
/// examined.
pub(super) fn check<'c>(
    atoms: &mut Atoms<'c>,
    sources: &Sources,
    condition: &'c Condition,
    findings: &mut FindingSink,
) {
    match &condition.kind {
        ConditionExpr::And(parts) => parts.iter().for_each(|part| check(atoms, sources, part, findings)),
        ConditionExpr::Not(inner) => check(atoms, sources, inner, findings),
        ConditionExpr::Or(parts) => {
            let written = SourceTexts::new(sources);
            match separate_outside_tests(&written, parts).or_else(|| why_never_false(atoms, &written, parts)) {
                Some((label, instead)) => findings.push(finding(condition, label, instead)),
                None => parts.iter().for_each(|part| check(atoms, sources, part, findings)),
            }
        }
        _ => {}
    }
}

/// Returns the finding about alternatives of which at least one is always true; `instead` is the test that is probably
/// meant.
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

/// Returns a label that explains why at least one of the alternatives is always true, and the test that is probably
/// meant. `None` if all can be false together, or if a single one is always true.
fn why_never_false<'c>(
    atoms: &mut Atoms<'c>,
    written: &SourceTexts<'_>,
    parts: &'c [Condition],
) -> Option<(&'static str, Option<String>)> {
    // A single alternative that is always true is reported by the caller.
    let is_value_test = |part: &Condition| matches!(part.kind, ConditionExpr::Compare { .. } | ConditionExpr::Not(_));
    if parts.len() > MAX_PARTS || !parts.iter().all(is_value_test) {
        return None;
    }
    let formulas: Vec<Formula> = parts.iter().map(|part| atoms.formula(part)).collect();
    if atoms.is_over_limit() || formulas.iter().any(|formula| atoms.is_never_false(formula)) {
        return None;
    }
    atoms
        .is_never_false(&Formula::Or(formulas))
        .then(|| ("one of these is true, whatever the value is", not_in_list(written, parts)))
}

/// Returns `FIELD not in […]` for comparisons such as `FIELD != "a"` of a single field; `None` for any other tests.
fn not_in_list(written: &SourceTexts<'_>, parts: &[Condition]) -> Option<String> {
    let mut values: Vec<String> = Vec::new();
    let mut operand = None;
    for part in parts {
        let ConditionExpr::Compare { all: false, negated: true, test, .. } = &part.kind else { return None };
        match test {
            ValueTest::Equal(value) => values.push(value.as_text()?.to_owned()),
            ValueTest::In(listed) => values.extend(
                listed.iter().map(PolicyValue::as_text).collect::<Option<Vec<&str>>>()?.into_iter().map(str::to_owned),
            ),
            _ => return None,
        }
        let part_operand = written.comparison(part)?.operand;
        if operand.get_or_insert_with(|| part_operand.clone()) != &part_operand {
            return None;
        }
    }
    Some(format!("{} not in {}", operand?, format_one_or_list(&values)))
}

/// What an `outside` test is about.
#[derive(PartialEq, Eq)]
enum OutsideOperand {
    /// The files that a call accesses with this verb.
    Files(FileVerb),
    /// The hosts that a call connects to.
    Hosts,
    /// The values of this source, serialised.
    Field(Vec<u8>),
}

/// The directories or hosts of an `outside` test.
enum OutsidePlaces<'c> {
    Dirs(&'c [DirOperand]),
    Hosts(&'c HostTest),
}

/// Returns what an `outside` test is about, and its directories or hosts; `None` for any other test.
fn outside_test(condition: &Condition) -> Option<(OutsideOperand, OutsidePlaces<'_>)> {
    match &condition.kind {
        ConditionExpr::Touches { verb, test: TouchTest::Outside(dirs) } => {
            Some((OutsideOperand::Files(*verb), OutsidePlaces::Dirs(dirs)))
        }
        ConditionExpr::Connects(test @ HostTest::Outside(_)) => {
            Some((OutsideOperand::Hosts, OutsidePlaces::Hosts(test)))
        }
        ConditionExpr::Compare { source, all: false, negated: false, test: ValueTest::Outside(dirs) } => {
            Some((field_operand(source), OutsidePlaces::Dirs(dirs)))
        }
        _ => None,
    }
}

fn field_operand(source: &ValueReference) -> OutsideOperand {
    OutsideOperand::Field(to_bytes(source))
}

/// Returns a label and the probably intended test for alternatives such as `writes outside A or writes outside B`,
/// where nothing is in both A and B. `None` for any other alternatives.
fn separate_outside_tests(written: &SourceTexts<'_>, parts: &[Condition]) -> Option<(&'static str, Option<String>)> {
    let tests: Vec<(OutsideOperand, OutsidePlaces<'_>)> = parts.iter().map(outside_test).collect::<Option<_>>()?;
    let [(subject, _), _, ..] = tests.as_slice() else { return None };
    if tests.len() > MAX_PARTS || !tests.iter().all(|(other_subject, _)| other_subject == subject) {
        return None;
    }
    let are_disjoint = |one: &OutsidePlaces<'_>, other: &OutsidePlaces<'_>| match (one, other) {
        (OutsidePlaces::Dirs(one), OutsidePlaces::Dirs(other)) => {
            one.iter().all(|one| other.iter().all(|other| are_disjoint_dirs(one, other)))
        }
        (OutsidePlaces::Hosts(one), OutsidePlaces::Hosts(other)) => one.is_disjoint_from(other),
        _ => false,
    };
    let mut pairs = tests
        .iter()
        .enumerate()
        .flat_map(|(at, (_, one))| tests.iter().skip(at + 1).map(move |(_, other)| (one, other)));
    if !pairs.any(|(one, other)| are_disjoint(one, other)) {
        return None;
    }
    let label = match subject {
        OutsideOperand::Hosts => "every host is outside of one of these",
        _ => "every file is outside of one of these",
    };
    let mut test_before_outside = None;
    let mut values = Vec::new();
    for part in parts {
        let (before_outside, value) = written.text(part.span).split_once(" outside ")?;
        test_before_outside.get_or_insert(before_outside);
        let inner = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        values.push(inner.unwrap_or(value).trim().to_owned());
    }
    Some((label, Some(format!("{} outside [{}]", test_before_outside?, values.join(", ")))))
}

/// Whether two directories certainly have no file in common.
fn are_disjoint_dirs(one: &DirOperand, other: &DirOperand) -> bool {
    match (one, other) {
        (DirOperand::Literal(one), DirOperand::Literal(other)) => are_disjoint_paths(one, other),
        // Temporary directories are assumed to be outside of the project.
        (DirOperand::Project, DirOperand::Tmp) | (DirOperand::Tmp, DirOperand::Project) => true,
        (DirOperand::Literal(path), DirOperand::Tmp) | (DirOperand::Tmp, DirOperand::Literal(path)) => {
            is_in_project(path)
        }
        _ => false,
    }
}

/// Whether two paths, both in the project or both absolute, are not below each other.
fn are_disjoint_paths(one: &Path, other: &Path) -> bool {
    let is_nested = |one: &Path, other: &Path| one.starts_with(other) || other.starts_with(one);
    // On Windows, a path from the root may be on the drive that the other names.
    let are_rooted = one.has_root() && other.has_root() && one.is_absolute() == other.is_absolute();
    let are_comparable = is_in_project(one) && is_in_project(other) || are_rooted;
    are_comparable && !is_nested(one, other)
}

/// Whether a path is relative, and has neither `..`, `~` nor a wildcard.
fn is_in_project(path: &Path) -> bool {
    let mut parts = path.components();
    path.is_relative()
        && !path.starts_with("~")
        && parts.all(
            |part| matches!(part, Component::Normal(name) if !name.to_string_lossy().contains(['*', '?', '[', '{'])),
        )
}
