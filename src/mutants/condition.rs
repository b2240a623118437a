//! Mutations of a condition.

use super::edit::{Edit, EditKind};
use super::pattern;
use crate::span::Span;
use crate::syntax::ast::{
    Compare, Condition, ConditionKind, Element, HostsTest, Operator, Pipes, Runs, Text, Touches, Value, ValueKind,
};
use hookrules_shell::path::glob_matches;

/// Returns the mutations of a condition, with one change each.
///
/// The recursion is as deep as the tree, which the limit on nesting bounds.
pub(super) fn conditions(condition: &Condition) -> Vec<(Condition, Edit)> {
    let span = condition.span;
    let with = |kind| Condition { kind, span };
    let mut out = Vec::new();
    match &condition.kind {
        ConditionKind::And(parts) => operands(span, parts, ConditionKind::And, ("and", "or"), &mut out),
        ConditionKind::Or(parts) => operands(span, parts, ConditionKind::Or, ("or", "and"), &mut out),
        // This does not load.
        ConditionKind::Mixed(..) => {}
        ConditionKind::Not(inner) => {
            out.push(((**inner).clone(), Edit::new(span, EditKind::Negated)));
            let inner = conditions(inner).into_iter();
            out.extend(inner.map(|(inner, edit)| (with(ConditionKind::Not(Box::new(inner))), edit)));
        }
        ConditionKind::Compare(compare) => {
            let compares = compares(compare).into_iter();
            out.extend(compares.map(|(compare, edit)| (with(ConditionKind::Compare(compare)), edit)));
        }
        test => {
            let not = ConditionKind::Not(Box::new(condition.clone()));
            out.push((with(not), Edit::new(span, EditKind::Negated)));
            out.extend(tests(test, span).into_iter().map(|(test, edit)| (with(test), edit)));
        }
    }
    out
}

/// Returns the mutations of the values of a test, with one change each.
fn tests(test: &ConditionKind, span: Span) -> Vec<(ConditionKind, Edit)> {
    match test {
        ConditionKind::Runs(runs) => {
            let runs = self::runs(runs, span).into_iter();
            runs.map(|(runs, edit)| (ConditionKind::Runs(runs), edit)).collect()
        }
        ConditionKind::Pipes(pipes) => {
            let from = patterns(&pipes.from).into_iter();
            let from = from.map(|(from, edit)| (Pipes { from, ..pipes.clone() }, edit));
            let into = patterns(&pipes.into).into_iter();
            let into = into.map(|(into, edit)| (Pipes { into, ..pipes.clone() }, edit));
            from.chain(into).map(|(pipes, edit)| (ConditionKind::Pipes(pipes), edit)).collect()
        }
        ConditionKind::Connects(Some(hosts)) => {
            let values = elements(&hosts.value, is_glob_beside).into_iter();
            let hosts = values.map(|(value, edit)| (HostsTest { value, ..hosts.clone() }, edit));
            hosts.map(|(hosts, edit)| (ConditionKind::Connects(Some(hosts)), edit)).collect()
        }
        ConditionKind::Touches(touches) => {
            let values = elements(&touches.value, is_glob_beside).into_iter();
            let touches = values.map(|(value, edit)| (Touches { value, ..touches.clone() }, edit));
            touches.map(|(touches, edit)| (ConditionKind::Touches(touches), edit)).collect()
        }
        _ => Vec::new(),
    }
}

/// Removes each operand, mutates each operand, and swaps the connective.
fn operands(
    span: Span,
    parts: &[Condition],
    make: fn(Vec<Condition>) -> ConditionKind,
    (word, by): (&'static str, &'static str),
    out: &mut Vec<(Condition, Edit)>,
) {
    let whole = |parts: Vec<Condition>| match <[Condition; 1]>::try_from(parts) {
        Ok([only]) => only,
        Err(parts) => Condition { kind: make(parts), span },
    };
    for (at, part) in parts.iter().enumerate() {
        let mut others = parts.to_vec();
        others.remove(at);
        if !others.is_empty() {
            out.push((whole(others), Edit::new(part.span, EditKind::Removed)));
        }
        for (changed, edit) in conditions(part) {
            let mut parts = parts.to_vec();
            if let Some(place) = parts.get_mut(at) {
                *place = changed;
            }
            out.push((Condition { kind: make(parts), span }, edit));
        }
    }
    let swapped = if word == "and" { ConditionKind::Or } else { ConditionKind::And };
    let kind = swapped(parts.to_vec());
    out.push((Condition { kind, span }, Edit::new(span, EditKind::Replaced { word, by })));
}

fn compares(compare: &Compare) -> Vec<(Compare, Edit)> {
    let mut out = Vec::new();
    let word = compare.operator.word();
    let others: &[Operator] = match compare.operator {
        Operator::Equal => &[Operator::NotEqual],
        Operator::NotEqual => &[Operator::Equal],
        Operator::Less => &[Operator::LessEqual, Operator::GreaterEqual],
        Operator::LessEqual => &[Operator::Less, Operator::Greater],
        Operator::Greater => &[Operator::GreaterEqual, Operator::LessEqual],
        Operator::GreaterEqual => &[Operator::Greater, Operator::Less],
        _ => {
            let changed = Compare { negated: !compare.negated, ..compare.clone() };
            out.push((changed, Edit::new(compare.operator_span, EditKind::Negated)));
            &[]
        }
    };
    for operator in others.iter().copied() {
        let kind = EditKind::Replaced { word, by: operator.word() };
        out.push((Compare { operator, ..compare.clone() }, Edit::new(compare.operator_span, kind)));
    }
    if compare.all {
        let changed = Compare { all: false, ..compare.clone() };
        let span = Span { end: compare.operand.span().start, ..compare.operand.span() };
        out.push((changed, Edit::new(span, EditKind::ClauseRemoved("all"))));
    }
    let is_beside = if compare.operator == Operator::Like { is_glob_beside } else { |_: &str, _: &str| false };
    for (value, edit) in elements(&compare.value, is_beside) {
        out.push((Compare { value, ..compare.clone() }, edit));
    }
    out
}

fn runs(runs: &Runs, span: Span) -> Vec<(Runs, Edit)> {
    let mut out = Vec::new();
    if runs.only {
        let changed = Runs { only: false, ..runs.clone() };
        out.push((changed, Edit::new(span, EditKind::Replaced { word: "only runs", by: "runs" })));
    }
    for (patterns, edit) in patterns(&runs.patterns) {
        out.push((Runs { patterns, ..runs.clone() }, edit));
    }
    if let Some(filter) = &runs.filter {
        out.push((Runs { filter: None, ..runs.clone() }, Edit::new(filter.span, EditKind::ClauseRemoved("where"))));
        for (filter, edit) in conditions(filter) {
            out.push((Runs { filter: Some(Box::new(filter)), ..runs.clone() }, edit));
        }
    }
    out
}

/// Mutates the patterns of a command test: removes each, and parts of each.
fn patterns(value: &Value) -> Vec<(Value, Edit)> {
    let mut out = elements(value, is_pattern_beside);
    match &value.kind {
        ValueKind::Text(text) => {
            out.extend(pattern::parts(text).into_iter().map(|(text, edit)| (of_text(text, value.span), edit)));
        }
        ValueKind::List(list) => {
            for (at, element) in list.iter().enumerate() {
                let Element::Value(Value { kind: ValueKind::Text(text), span }) = element else { continue };
                for (text, edit) in pattern::parts(text) {
                    let mut list = list.clone();
                    if let Some(place) = list.get_mut(at) {
                        *place = Element::Value(of_text(text, *span));
                    }
                    out.push((Value { kind: ValueKind::List(list), span: value.span }, edit));
                }
            }
        }
        _ => {}
    }
    out
}

fn of_text(text: Text, span: Span) -> Value {
    Value { kind: ValueKind::Text(text), span }
}

/// Removes each element of a list, except for those that another element covers: without them the list has the same
/// meaning.
pub(super) fn elements(value: &Value, is_beside: fn(&str, &str) -> bool) -> Vec<(Value, Edit)> {
    let ValueKind::List(list) = &value.kind else { return Vec::new() };
    if list.len() < 2 {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (at, element) in list.iter().enumerate() {
        let mut others = list.clone();
        others.remove(at);
        // The last matching glob decides: a glob before an exclusion may be included again after it.
        let excludes = list.iter().any(|one| text_of(one).is_some_and(|text| text.starts_with('!')));
        let from = if excludes { at } else { 0 };
        let covers = |other: &Element| match (text_of(element), text_of(other)) {
            (Some(own), Some(other)) => own == other || is_beside(own, other),
            _ => false,
        };
        if others.iter().skip(from).any(covers) {
            continue;
        }
        let span = match element {
            Element::Value(value) => value.span,
            Element::Spread(name) => name.span,
        };
        let value = Value { kind: ValueKind::List(others), span: value.span };
        out.push((value, Edit::new(span, EditKind::Removed)));
    }
    out
}

fn text_of(element: &Element) -> Option<&str> {
    match element {
        Element::Value(Value { kind: ValueKind::Text(text), .. }) => Some(&text.value),
        _ => None,
    }
}

/// Whether another glob matches everything that this one does, as far as that is easy to see.
pub(super) fn is_glob_beside(own: &str, other: &str) -> bool {
    let (own, other) = match (own.strip_prefix('!'), other.strip_prefix('!')) {
        (Some(own), Some(other)) => (own, other),
        (None, None) => (own, other),
        _ => return false,
    };
    let is_name = |glob: &str| !glob.contains(['/', '~']);
    let is_plain = !own.contains(['*', '?', '[', '{', '\\']);
    other.strip_prefix("**/").is_some_and(|rest| rest == own)
        || other.replacen("/**/", "/", 1) == own
        || (is_plain && is_name(own) && is_name(other) && glob_matches(other, own))
}

/// Whether another pattern matches everything that this one does: its words are a prefix.
fn is_pattern_beside(own: &str, other: &str) -> bool {
    own.strip_prefix(other).is_some_and(|rest| rest.starts_with(' ')) && !other.contains('!')
}
