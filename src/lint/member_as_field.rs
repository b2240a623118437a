//! Finds short names that mean a field of the event, although every selected tool has a member with the same name:
//! `subagent_type` on `Agent` is the type of the agent that acts, not of the one that starts.

use std::collections::BTreeSet;

use super::calls::selected_tools;
use super::comparison::visit_tests;
use super::sources::{compared_references, effect_references, tested_reference};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{DerivedField, Rule, ValueReference};
use crate::schema::{BASE_FIELDS, ToolSpec};
use crate::span::Span;

pub(super) const LINT: Lint = Lint { codes: &[Code::MEMBER_AS_FIELD], check };

/// A name for the type of the acting agent that is also a member of a tool's input.
const SUBAGENT_TYPE: &str = "subagent_type";

/// Reports names of fields that every event may have, in a rule whose tools all have a member with that name. The
/// fields of one event, such as the `reason` of PermissionDenied, are what a rule on that event is about.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let Some(tools) = selected_tools(rule) else { return };
    let mut reported: BTreeSet<&str> = BTreeSet::new();
    let mut add = |source: &ValueReference, span: Span| {
        let Some(name) = ambiguous_name(source, &tools) else { return };
        let text = written.text(span);
        let positions = bare_positions(text, name);
        // `agent_type` is the same field under a name that no tool has.
        if positions.is_empty() || !reported.insert(name) {
            return;
        }
        let member = format!("tool_input.{name}");
        let acting = if name == SUBAGENT_TYPE { "; the type of the acting agent is `agent_type`" } else { "" };
        let finding = Diagnostic::new(Code::MEMBER_AS_FIELD, format!("`{name}` is not the member of the tool's input"))
            .label(span, meaning(name))
            .help(format!("write `{member}` for the member{acting}"));
        findings.push(match positions.as_slice() {
            [single] => {
                let start = span.start as usize + single;
                finding.fix_that_changes(Span::new(span.file, start, start + name.len()), member)
            }
            _ => finding,
        });
    };
    visit_tests(rule, &mut |seen| {
        // A definition may be meant for rules on other tools too.
        if !seen.is_shared {
            let references = tested_reference(seen.test).into_iter().chain(compared_references(seen.test));
            references.for_each(|source| add(source, seen.test.span));
        }
    });
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        effect_references(effect).into_iter().for_each(|source| add(source, *span));
    }
}

/// Returns the name of a field that every event may have and that is a member of each tool's input.
fn ambiguous_name(source: &ValueReference, tools: &[&ToolSpec]) -> Option<&'static str> {
    let name = match source.measured_values() {
        ValueReference::Derived(DerivedField::AgentType) => SUBAGENT_TYPE,
        ValueReference::Raw { path, .. } => {
            let [name] = path.as_slice() else { return None };
            BASE_FIELDS.iter().map(|field| field.name).find(|base| base == name)?
        }
        _ => return None,
    };
    tools.iter().all(|tool| tool.input.iter().any(|member| member.name == name)).then_some(name)
}

/// Returns what a name of a field means to a rule.
fn meaning(name: &str) -> &'static str {
    match name {
        SUBAGENT_TYPE => "the type of the agent that acts",
        "session_id" => "the id of this session",
        "effort" => "the effort of the agent that acts",
        _ => "a field of the event",
    }
}

/// Returns the positions at which a name is in a text as a whole name, not as a part of a path.
fn bare_positions(text: &str, name: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    text.match_indices(name)
        .map(|(position, _)| position)
        .filter(|position| {
            let before = text.get(..*position).unwrap_or_default();
            let after = text.get(position + name.len()..).unwrap_or_default();
            !before.ends_with(is_part) && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
        .collect()
}
