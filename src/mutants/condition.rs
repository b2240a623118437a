//! The mutations of conditions: removed operands, swapped connectives, negated tests, removed list elements.

use super::edit::{EditKind, MutantEdit};
use super::past::past_mutations;
use super::pattern;
use crate::span::Span;
use crate::syntax::ast::{
    AstComparison, AstCondition, AstElement, AstMeasure, AstValue, ConditionKind, HostsTest, Operand, OperandPosition,
    Operator, PipesCondition, RunsCondition, StringLiteral, TouchesCondition, ValueKind,
};
use hookrules_shell::path::glob_matches;

/// Returns the mutations of a condition, each with a single change.
///
/// The recursion is as deep as the condition, whose depth the parser limits.
pub(super) fn condition_mutations(condition: &AstCondition) -> Vec<(AstCondition, MutantEdit)> {
    let span = condition.span;
    let with = |kind| AstCondition { kind, span };
    let mut out = Vec::new();
    match &condition.kind {
        ConditionKind::And(parts) => operand_mutations(span, parts, ConditionKind::And, ("and", "or"), &mut out),
        ConditionKind::Or(parts) => operand_mutations(span, parts, ConditionKind::Or, ("or", "and"), &mut out),
        // A condition that mixes `and` and `or` without parentheses does not load.
        ConditionKind::Mixed(..) => {}
        ConditionKind::Not(inner) => {
            out.push(((**inner).clone(), MutantEdit::new(span, EditKind::Negation)));
            let inner = condition_mutations(inner).into_iter();
            out.extend(inner.map(|(inner, edit)| (with(ConditionKind::Not(Box::new(inner))), edit)));
        }
        ConditionKind::Compare(compare) => {
            let compares = comparison_mutations(compare).into_iter();
            out.extend(compares.map(|(compare, edit)| (with(ConditionKind::Compare(compare)), edit)));
        }
        test => {
            let not = ConditionKind::Not(Box::new(condition.clone()));
            out.push((with(not), MutantEdit::new(span, EditKind::Negation)));
            out.extend(value_mutations(test, span).into_iter().map(|(test, edit)| (with(test), edit)));
        }
    }
    out
}

/// Returns the test with one pattern, glob or host changed or removed, for each; empty for a test without a list.
fn value_mutations(test: &ConditionKind, span: Span) -> Vec<(ConditionKind, MutantEdit)> {
    match test {
        ConditionKind::Runs(runs) => {
            let runs = self::runs_mutations(runs, span).into_iter();
            runs.map(|(runs, edit)| (ConditionKind::Runs(runs), edit)).collect()
        }
        ConditionKind::Pipes(pipes) => {
            let from = pattern_mutations(&pipes.from).into_iter();
            let from = from.map(|(from, edit)| (PipesCondition { from, ..pipes.clone() }, edit));
            let into = pattern_mutations(&pipes.into).into_iter();
            let into = into.map(|(into, edit)| (PipesCondition { into, ..pipes.clone() }, edit));
            from.chain(into).map(|(pipes, edit)| (ConditionKind::Pipes(pipes), edit)).collect()
        }
        ConditionKind::Connects(Some(hosts)) => {
            let values = element_mutations(&hosts.value, is_glob_covered).into_iter();
            let hosts = values.map(|(value, edit)| (HostsTest { value, ..hosts.clone() }, edit));
            hosts.map(|(hosts, edit)| (ConditionKind::Connects(Some(hosts)), edit)).collect()
        }
        ConditionKind::Touches(touches) => {
            let values = element_mutations(&touches.value, is_glob_covered).into_iter();
            let touches = values.map(|(value, edit)| (TouchesCondition { value, ..touches.clone() }, edit));
            touches.map(|(touches, edit)| (ConditionKind::Touches(touches), edit)).collect()
        }
        ConditionKind::Happened(events) => {
            past_mutations(events).into_iter().map(|(events, edit)| (ConditionKind::Happened(events), edit)).collect()
        }
        _ => Vec::new(),
    }
}

/// Adds the mutations of an `and` or `or`: each operand removed, each mutation of an operand, and the other connective.
fn operand_mutations(
    span: Span,
    parts: &[AstCondition],
    make: fn(Vec<AstCondition>) -> ConditionKind,
    (connective, other_connective): (&'static str, &'static str),
    out: &mut Vec<(AstCondition, MutantEdit)>,
) {
    let joined = |parts: Vec<AstCondition>| match <[AstCondition; 1]>::try_from(parts) {
        Ok([only]) => only,
        Err(parts) => AstCondition { kind: make(parts), span },
    };
    for (index, part) in parts.iter().enumerate() {
        let mut others = parts.to_vec();
        others.remove(index);
        if !others.is_empty() {
            out.push((joined(others), MutantEdit::new(part.span, EditKind::TextRemoval)));
        }
        for (changed, edit) in condition_mutations(part) {
            let mut parts = parts.to_vec();
            if let Some(operand) = parts.get_mut(index) {
                *operand = changed;
            }
            out.push((AstCondition { kind: make(parts), span }, edit));
        }
    }
    let swapped = if connective == "and" { ConditionKind::Or } else { ConditionKind::And };
    let kind = swapped(parts.to_vec());
    out.push((
        AstCondition { kind, span },
        MutantEdit::new(span, EditKind::WordReplacement { word: connective, by: other_connective }),
    ));
}

/// Returns the mutations of a comparison: another operator or its negation, `all` removed, and each element of its list
/// removed.
fn comparison_mutations(compare: &AstComparison) -> Vec<(AstComparison, MutantEdit)> {
    let mut out = Vec::new();
    let word = compare.operator.as_str();
    let others: &[Operator] = match compare.operator {
        Operator::Equal => &[Operator::NotEqual],
        Operator::NotEqual => &[Operator::Equal],
        Operator::Less => &[Operator::LessEqual, Operator::GreaterEqual],
        Operator::LessEqual => &[Operator::Less, Operator::Greater],
        Operator::Greater => &[Operator::GreaterEqual, Operator::LessEqual],
        Operator::GreaterEqual => &[Operator::Greater, Operator::Less],
        _ => {
            let changed = AstComparison { negated: !compare.negated, ..compare.clone() };
            out.push((changed, MutantEdit::new(compare.operator_span, EditKind::Negation)));
            &[]
        }
    };
    for operator in others.iter().copied() {
        let kind = EditKind::WordReplacement { word, by: operator.as_str() };
        out.push((AstComparison { operator, ..compare.clone() }, MutantEdit::new(compare.operator_span, kind)));
    }
    if compare.all {
        let changed = AstComparison { all: false, ..compare.clone() };
        let span = Span { end: compare.operand.span().start, ..compare.operand.span() };
        out.push((changed, MutantEdit::new(span, EditKind::ClauseRemoval("all"))));
    }
    if let Operand::Position(position, span) = compare.operand {
        let (changed, by) = match position {
            OperandPosition::Nth(_) => (OperandPosition::Last, "last operand"),
            OperandPosition::Last => (OperandPosition::Nth(1), "operand 1"),
        };
        let changed = AstComparison { operand: Operand::Position(changed, span), ..compare.clone() };
        let word = if position == OperandPosition::Last { "last operand" } else { "operand" };
        out.push((changed, MutantEdit::new(span, EditKind::WordReplacement { word, by })));
    }
    if let Operand::Measure(AstMeasure::Past(events), span) = &compare.operand {
        for (events, edit) in past_mutations(events) {
            let operand = Operand::Measure(AstMeasure::Past(events), *span);
            out.push((AstComparison { operand, ..compare.clone() }, edit));
        }
    }
    let is_covered = if compare.operator == Operator::Like { is_glob_covered } else { |_: &str, _: &str| false };
    for (value, edit) in element_mutations(&compare.value, is_covered) {
        out.push((AstComparison { value, ..compare.clone() }, edit));
    }
    out
}

/// Returns the mutations of `runs`: `only` removed, each mutation of the patterns, and the `where` removed or mutated.
fn runs_mutations(runs: &RunsCondition, span: Span) -> Vec<(RunsCondition, MutantEdit)> {
    let mut out = Vec::new();
    if runs.only {
        let changed = RunsCondition { only: false, ..runs.clone() };
        out.push((changed, MutantEdit::new(span, EditKind::WordReplacement { word: "only runs", by: "runs" })));
    }
    for (patterns, edit) in pattern_mutations(&runs.patterns) {
        out.push((RunsCondition { patterns, ..runs.clone() }, edit));
    }
    if let Some(filter) = &runs.filter {
        out.push((
            RunsCondition { filter: None, ..runs.clone() },
            MutantEdit::new(filter.span, EditKind::ClauseRemoval("where")),
        ));
        for (filter, edit) in condition_mutations(filter) {
            out.push((RunsCondition { filter: Some(Box::new(filter)), ..runs.clone() }, edit));
        }
    }
    out
}

/// Returns the mutations of a pattern or a list of patterns: each element removed, and parts of each pattern removed.
fn pattern_mutations(value: &AstValue) -> Vec<(AstValue, MutantEdit)> {
    let mut out = element_mutations(value, is_pattern_covered);
    match &value.kind {
        ValueKind::Text(text) => {
            out.extend(
                pattern::part_removals(text).into_iter().map(|(text, edit)| (text_value(text, value.span), edit)),
            );
        }
        ValueKind::List(list) => {
            for (at, element) in list.iter().enumerate() {
                let AstElement::Value(AstValue { kind: ValueKind::Text(text), span }) = element else { continue };
                for (text, edit) in pattern::part_removals(text) {
                    let mut list = list.clone();
                    if let Some(place) = list.get_mut(at) {
                        *place = AstElement::Value(text_value(text, *span));
                    }
                    out.push((AstValue { kind: ValueKind::List(list), span: value.span }, edit));
                }
            }
        }
        _ => {}
    }
    out
}

fn text_value(text: StringLiteral, span: Span) -> AstValue {
    AstValue { kind: ValueKind::Text(text), span }
}

/// Returns copies of a list, each without one element; empty for a list of fewer than two. An element that another one
/// covers is not removed, because the shorter list would mean the same.
pub(super) fn element_mutations(value: &AstValue, is_covered: fn(&str, &str) -> bool) -> Vec<(AstValue, MutantEdit)> {
    let ValueKind::List(list) = &value.kind else { return Vec::new() };
    if list.len() < 2 {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (index, element) in list.iter().enumerate() {
        let mut others = list.clone();
        others.remove(index);
        // In a list with exclusions the last matching glob decides, so only a later element can make this one
        // superfluous.
        let has_exclusions = list.iter().any(|one| element_text(one).is_some_and(|text| text.starts_with('!')));
        let first_covering = if has_exclusions { index } else { 0 };
        let covers = |other: &AstElement| match (element_text(element), element_text(other)) {
            (Some(text), Some(other)) => text == other || is_covered(text, other),
            _ => false,
        };
        if others.iter().skip(first_covering).any(covers) {
            continue;
        }
        let span = match element {
            AstElement::Value(value) => value.span,
            AstElement::Spread(name) => name.span,
        };
        let value = AstValue { kind: ValueKind::List(others), span: value.span };
        out.push((value, MutantEdit::new(span, EditKind::TextRemoval)));
    }
    out
}

/// Returns the text of an element; `None` if it is not a string literal.
fn element_text(element: &AstElement) -> Option<&str> {
    match element {
        AstElement::Value(AstValue { kind: ValueKind::Text(text), .. }) => Some(&text.value),
        _ => None,
    }
}

/// Whether the glob `other` obviously matches everything that `glob` matches: `**/a` covers `a`, `a/**/b` covers `a/b`,
/// `*.rs` covers `x.rs`.
pub(super) fn is_glob_covered(glob: &str, other: &str) -> bool {
    let (glob, other) = match (glob.strip_prefix('!'), other.strip_prefix('!')) {
        (Some(glob), Some(other)) => (glob, other),
        (None, None) => (glob, other),
        _ => return false,
    };
    let is_name = |text: &str| !text.contains(['/', '~']);
    let is_plain = !glob.contains(['*', '?', '[', '{', '\\']);
    other.strip_prefix("**/").is_some_and(|rest| rest == glob)
        || other.replacen("/**/", "/", 1) == glob
        || (is_plain && is_name(glob) && is_name(other) && glob_matches(other, glob))
}

/// Whether the pattern `other` matches everything that `pattern` matches because its words are a prefix: `git push`
/// covers `git push -f`.
fn is_pattern_covered(pattern: &str, other: &str) -> bool {
    pattern.strip_prefix(other).is_some_and(|rest| rest.starts_with(' ')) && !other.contains('!')
}
