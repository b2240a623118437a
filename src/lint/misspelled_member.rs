//! Finds members of a tool's input that no built-in tool has, but that resemble a member of one: `tool_input.file_pat`.
//!
//! Such a rule compiles if it selects every tool: it may be about a server's tool, whose members are unknown.

use std::collections::BTreeSet;

use super::comparison::visit_tests;
use super::sources::{compared_references, effect_references, tested_reference};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::ruleset::{Rule, ValueReference};
use crate::schema::{Subject, TOOLS};
use crate::span::Span;

pub(super) const LINT: Lint = Lint { codes: &[Code::MISSPELLED_MEMBER], check };

/// Reports misspelled members in the conditions and effects of a rule that selects every tool.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    // If a rule names its tools, their members are known, and another member does not compile.
    let selects_every_tool = |selector: &crate::ruleset::EventSelector| {
        matches!(selector.event.spec().subject, Subject::Tool)
            && selector.subjects.as_ref().is_none_or(|list| list.is_star())
    };
    if !rule.head.events.iter().any(selects_every_tool) {
        return;
    }
    let mut reported: BTreeSet<String> = BTreeSet::new();
    let mut add = |source: &ValueReference, span: Span| {
        let ValueReference::Raw { path, .. } = source.measured_values() else { return };
        let [input, member, ..] = path.as_slice() else { return };
        let intended = (input == "tool_input").then(|| similar_member(member)).flatten();
        let Some(near) = intended else { return };
        // The same mistake is reported once.
        if !reported.insert(member.clone()) {
            return;
        }
        let (wrong, right) = (format!("tool_input.{member}"), format!("tool_input.{near}"));
        let finding = Diagnostic::new(Code::MISSPELLED_MEMBER, format!("no built-in tool has `{wrong}`"))
            .label(span, "a member of the tool's input")
            .help(format!("a field named `{right}` exists"));
        let text = written.text(span);
        let position = text.find(&wrong).filter(|first| text.rfind(&wrong) == Some(*first));
        let finding = match position {
            Some(first) => {
                let start = span.start as usize + first;
                finding.fix_that_changes(Span::new(span.file, start, start + wrong.len()), right)
            }
            None => finding,
        };
        findings.push(finding);
    };
    visit_tests(rule, &mut |seen| {
        let references = tested_reference(seen.test).into_iter().chain(compared_references(seen.test));
        references.for_each(|source| add(source, seen.test.span));
    });
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        effect_references(effect).into_iter().for_each(|source| add(source, *span));
    }
}

/// Returns the member of a built-in tool's input that a name resembles; `None` if it is the name of a member, or
/// resembles none.
fn similar_member(member: &str) -> Option<&'static str> {
    let known = || TOOLS.iter().flat_map(|tool| tool.input).map(|field| field.name);
    if member.len() < 5 || known().any(|name| name == member) {
        return None;
    }
    let near = nearest_name(member, known())?;
    // Names of different things can also differ in one letter, so both must begin with the same three letters.
    let common_letters = near.chars().zip(member.chars()).take_while(|(one, other)| one == other).count();
    (common_letters >= 3).then_some(near)
}
