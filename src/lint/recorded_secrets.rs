//! Finds records and notifications of whole texts, which may contain keys and tokens. A record is stored without
//! redaction.

use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{DerivedField, Effect, RecordValue, Rule, Template, TemplatePart, ValueReference};

pub(super) const LINT: Lint = Lint { codes: &[Code::SECRET_IN_RECORD], check };

/// The fields of an event that contain texts of an agent, a user or a tool.
const WHOLE_TEXT_FIELDS: &[&str] = &["tool_input", "tool_response", "prompt"];

/// Reports the first whole text in each record and each notification.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let (text_name, label) = match effect {
            Effect::Record(record) => (
                record.fields.iter().find_map(|(_, value)| recorded_text_name(value)),
                "kept as it is, with the keys that are in it",
            ),
            Effect::Notify { title, body } => (
                shown_text_name(title).or_else(|| shown_text_name(body)),
                "shown on the screen, and kept by the desktop",
            ),
            _ => continue,
        };
        let Some(name) = text_name else { continue };
        let word = if matches!(effect, Effect::Record(_)) { "record" } else { "notification" };
        let help = match name {
            "tool_input" => "name the members that are needed: `file: tool_input.file_path`, `tool_name`",
            "tool_response" => "leave it out, and record the call: `tool_name`, `when: now`",
            _ if word == "notification" => "leave it out, or say whose it is: `{session_id}`, `{cwd}`",
            _ => "leave it out, or record what it is about: `session_id`, `cwd`, `when: now`",
        };
        findings.push(
            Diagnostic::new(Code::SECRET_IN_RECORD, format!("a {word} of the whole `{name}`"))
                .label(*span, label)
                .help(help),
        );
    }
}

/// Returns the name of a whole text in the value of a record.
fn recorded_text_name(value: &RecordValue) -> Option<&'static str> {
    match value {
        RecordValue::Source(source) => whole_text_name(source),
        RecordValue::Text(text) => shown_text_name(text),
        RecordValue::Literal(_) | RecordValue::Null => None,
    }
}

/// Returns the name of a whole text in a placeholder.
fn shown_text_name(text: &Template) -> Option<&'static str> {
    text.parts.iter().find_map(|part| match part {
        TemplatePart::Value(source) | TemplatePart::Component(source) => whole_text_name(source),
        TemplatePart::Text(_) => None,
    })
}

/// Returns the name of a source if it is a whole text; else `None`.
fn whole_text_name(source: &ValueReference) -> Option<&'static str> {
    match source {
        ValueReference::Raw { path, .. } => match path.as_slice() {
            [name] => WHOLE_TEXT_FIELDS.iter().copied().find(|whole| whole == name),
            _ => None,
        },
        ValueReference::Derived(DerivedField::Content) => Some("content"),
        _ => None,
    }
}
