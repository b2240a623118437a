//! An `allow` behind a negated test of a field that may have no value: then the test is true, and the call is allowed.

use super::comparison::{Seen, each_test};
use super::glob_as_text::shortened;
use super::no_value::selected;
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Derived, Kind, Rule, Source};
use crate::schema::{Field, ToolSpec};

pub(super) const LINT: Lint = Lint { codes: &[Code::ABSENT_UNDER_NEGATION], check };

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    if !rule.can_allow {
        return;
    }
    let mut tests: Vec<Seen<'_>> = Vec::new();
    each_test(rule, &mut |seen| tests.push(seen));
    let sure: Vec<&Source> =
        tests.iter().filter(|seen| !seen.is_exception).filter_map(|seen| needs_value(seen)).collect();
    for seen in &tests {
        let Kind::Compare { source, all: false, negated, .. } = &seen.test.kind else { continue };
        // In an exception the test has no `not`, and is false without a value.
        if seen.is_exception || !negated || seen.commands.is_some() {
            continue;
        }
        let may_be_absent = may_be_absent(rule, source) == Some(true);
        if may_be_absent && !sure.iter().any(|other| same(other, source)) {
            found.extend(finding(written, *seen));
        }
    }
}

fn finding(written: &Written<'_>, seen: Seen<'_>) -> Option<Diagnostic> {
    let comparison = written.comparison(seen.test)?;
    let name = comparison.operand.trim_matches('`');
    let text = written.text(seen.test.span);
    let help = match text.contains('\n') || text.len() > 60 {
        true => format!("write `all {name} …`, which needs a value"),
        false => format!("write `all {text}`, which needs a value"),
    };
    Some(
        Diagnostic::new(Code::ABSENT_UNDER_NEGATION, shortened("allows a call without `", name, "`"))
            .label(seen.test.span, format!("true where `{name}` has no value"))
            .help(help)
            .fix_that_changes(seen.test.span, format!("all {text}")),
    )
}

/// Returns what a test needs a value of.
fn needs_value<'c>(seen: &Seen<'c>) -> Option<&'c Source> {
    match &seen.test.kind {
        Kind::Exists(source) | Kind::Truth(source) => Some(source),
        Kind::Compare { source, all, negated, .. } if *all || !negated => Some(source),
        _ => None,
    }
}

fn same(one: &Source, other: &Source) -> bool {
    match (one, other) {
        (Source::Raw { path: one, .. }, Source::Raw { path: other, .. }) => one == other,
        (Source::JsonPath(one), Source::JsonPath(other)) => one.text == other.text,
        (Source::Derived(one), Source::Derived(other)) => one == other,
        _ => false,
    }
}

/// Tells whether a call that a rule selects may lack a value; nothing where that is not certain.
fn may_be_absent(rule: &Rule, source: &Source) -> Option<bool> {
    match source {
        Source::JsonPath(_) => Some(true),
        Source::Raw { path, .. } => match path.as_slice() {
            [first, member] if first == "tool_input" => {
                let tools = selected(rule)?;
                Some(!tools.iter().all(|tool| is_required(tool.input, member)))
            }
            [only] => {
                let events = rule.head.event_set().into_iter();
                Some(!events.into_iter().all(|event| event.fields().any(|field| field.name == only && field.required)))
            }
            _ => None,
        },
        Source::Derived(Derived::Path) => {
            let names_a_file =
                |tool: &&ToolSpec| tool.files.iter().any(|file| !file.glob && is_required(tool.input, file.member));
            Some(!selected(rule)?.iter().all(names_a_file))
        }
        _ => None,
    }
}

fn is_required(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| field.name == name && field.required)
}
