//! Finds fields that a host never fills: a test of such a field always has the same result, a selector never matches,
//! and a text lacks the value. If a host does not report which agent acts, all of them look like the main one.

use super::FindingSink;
use super::on_host::event_names;
use super::sources::{compared_references, effect_references, tested_reference};
use crate::diagnostic::{Code, Diagnostic};
use crate::host::Host;
use crate::ruleset::{AgentSelectors, Condition, ConditionExpr, DerivedField, Rule, ValueReference};
use crate::schema::{Event, Subject};
use crate::span::Span;

/// The maximum number of events that are listed in a finding.
const MAX_LISTED_EVENTS: usize = 4;

/// Reports the fields in the head, the conditions and the effects of a rule that the host never fills.
pub(super) fn check_unfilled_fields(rule: &Rule, host: Host, findings: &mut FindingSink) {
    let mut add = |finding: Option<Diagnostic>| findings.extend(finding);
    for selector in &rule.head.events {
        let (Subject::Field(field) | Subject::BaseName(field)) = selector.event.spec().subject else { continue };
        let Some(list) = selector.subjects.as_ref().filter(|list| !list.is_star()) else { continue };
        let selector_span = list.written.first().map_or(rule.name_span, |(_, span)| *span);
        let lacks = is_unfilled(host, selector.event, field);
        add(lacks.then(|| finding(field, selector_span, "never matches", &[selector.event])));
    }
    let hides_agents =
        host.hides_subagents() && rule.head.event_set().iter().any(|event| event.spec().subject == Subject::Tool);
    if let Some(AgentSelectors(list)) = rule.head.agents.as_ref().filter(|agents| hides_agents && !agents.0.is_star()) {
        add(Some(hidden_agent(list.written.first().map_or(rule.name_span, |(_, span)| *span))));
    }
    for condition in [&rule.when, &rule.unless].into_iter().flatten() {
        condition.visit_tests(&mut |test, _| {
            let tested = tested_reference(test).into_iter().chain(compared_references(test));
            let is_actor = |source: &ValueReference| {
                matches!(source, ValueReference::Derived(DerivedField::Agent | DerivedField::AgentType))
            };
            add((hides_agents && tested.into_iter().any(is_actor)).then(|| hidden_agent(test.span)));
            let consequence = if is_negated(test) { "always true" } else { "always false" };
            tested_reference(test)
                .into_iter()
                .for_each(|source| add(unfilled_field_finding(rule, host, source, test.span, consequence)));
            compared_references(test)
                .into_iter()
                .for_each(|source| add(unfilled_field_finding(rule, host, source, test.span, "has no value")));
        });
    }
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        effect_references(effect)
            .into_iter()
            .for_each(|source| add(unfilled_field_finding(rule, host, source, *span, "stays empty")));
    }
}

/// Returns the finding about a selection of agents on a host that does not report which agent acts.
fn hidden_agent(span: Span) -> Diagnostic {
    Diagnostic::new(Code::NOT_TOLD, "nobody tells which agent acts".to_owned())
        .label(span, "a subagent is taken for `main`")
        .help("deny the call that starts the subagent, or `@allow(not-told-by-host, \"…\")` accepts it")
}

/// Returns the finding about a field that the host does not fill on some events of the rule, although the schema has
/// it there.
fn unfilled_field_finding(
    rule: &Rule,
    host: Host,
    source: &ValueReference,
    span: Span,
    consequence: &str,
) -> Option<Diagnostic> {
    let field = match source.measured_values() {
        ValueReference::Raw { path, .. } => path.first()?.as_str(),
        ValueReference::JsonPath(path) => path.member()?,
        ValueReference::Derived(_)
        | ValueReference::Fact(_)
        | ValueReference::Where(_)
        | ValueReference::Constant(_)
        | ValueReference::Capture(_)
        | ValueReference::Measured(_) => return None,
    };
    let events = rule.head.event_set().into_iter();
    let events: Vec<Event> = events.filter(|event| is_unfilled(host, *event, field)).collect();
    (!events.is_empty()).then(|| finding(field, span, consequence, &events))
}

/// Whether the host sends an event without a field that the schema has for the event.
fn is_unfilled(host: Host, event: Event, field: &str) -> bool {
    host.capabilities(event).is_some()
        && event.fields().any(|known| known.name == field)
        && !host.has_field_value(event, field)
}

/// Returns the finding about a field without a value on some events. The label begins with `consequence`, what this
/// means for the test or text.
fn finding(field: &str, span: Span, consequence: &str, events: &[Event]) -> Diagnostic {
    let on = if events.len() > MAX_LISTED_EVENTS {
        format!("{} events of this rule", events.len())
    } else {
        event_names(events)
    };
    let help = "`@allow(not-told-by-host, \"…\")` accepts it";
    Diagnostic::new(Code::NOT_TOLD, format!("`{field}` has no value here"))
        .label(span, format!("{consequence} on {on}"))
        .help(help)
}

/// Whether a test of a field without a value is true.
fn is_negated(test: &Condition) -> bool {
    matches!(test.kind, ConditionExpr::Compare { negated: true, .. })
}
