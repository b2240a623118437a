//! Renders the texts of effects: replaces the placeholders by values, and escapes these.

use crate::context::{Context, PathForm, Scalar, path_component};
use crate::escape::line;
use crate::ruleset::{DerivedField, Template, TemplatePart, ValueReference};
use hookrules_shell::analysis::CommandScope;

use super::Matched;

/// The maximum number of characters of one value in a message.
pub const VALUE_LIMIT: usize = 300;

/// Renders a message. Each value is cut to [`VALUE_LIMIT`] characters, and escaped so that it stays on its line. The
/// whole message is not cut, because its maximum length depends on the host.
pub(super) fn render_message(template: &Template, context: &Context<'_>, matched: Option<&Matched>) -> String {
    render_with_values(template, context, matched, VALUE_LIMIT)
}

/// Renders a message of at most `limit` characters. No single value has a shorter limit.
pub(super) fn render_whole(
    template: &Template,
    context: &Context<'_>,
    matched: Option<&Matched>,
    limit: usize,
) -> String {
    let text = render_with_values(template, context, matched, limit);
    match text.char_indices().nth(limit) {
        None => text,
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

/// Renders a message in which each value has at most `max_chars` characters.
fn render_with_values(
    template: &Template,
    context: &Context<'_>,
    matched: Option<&Matched>,
    max_chars: usize,
) -> String {
    let mut out = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => out.push_str(text),
            // The text of a `let` comes from the author of the rule, so it is not escaped.
            TemplatePart::Value(ValueReference::Constant(text)) => out.push_str(text),
            TemplatePart::Value(source) => {
                out.push_str(&line(&joined_beginning(source, context, matched, max_chars), max_chars))
            }
            TemplatePart::Component(source) => {
                out.push_str(&line(&joined_components(source, context, matched), max_chars))
            }
        }
    }
    out
}

/// Renders a text with values that are neither cut nor escaped: for commands, records and rewrites.
pub(super) fn render_exact(template: &Template, context: &Context<'_>, matched: Option<&Matched>) -> String {
    let mut out = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => out.push_str(text),
            TemplatePart::Value(source) => out.push_str(&joined_values(source, context, matched)),
            TemplatePart::Component(source) => out.push_str(&joined_components(source, context, matched)),
        }
    }
    out
}

/// Returns the values of a reference as texts; none if they are unknown.
pub(super) fn values(source: &ValueReference, context: &Context<'_>, matched: Option<&Matched>) -> Vec<String> {
    if let Some(value) = value_of_match(source, matched) {
        return value.map(str::to_owned).into_iter().collect();
    }
    let values = context.lookup(source, PathForm::Lexical).unwrap_or_default();
    values.iter().map(Scalar::show).collect()
}

/// Returns the value of `{match}` or `{place}`, which may have none; `None` for any other reference.
pub(super) fn value_of_match<'m>(source: &ValueReference, matched: Option<&'m Matched>) -> Option<Option<&'m str>> {
    match source {
        ValueReference::Derived(DerivedField::Match) => Some(matched.map(|matched| matched.text.as_str())),
        ValueReference::Derived(DerivedField::Place) => Some(Some(place_phrase(matched))),
        _ => None,
    }
}

/// Returns the phrase that says where a command runs: `in a container`.
fn place_phrase(matched: Option<&Matched>) -> &'static str {
    match matched.and_then(|matched| matched.place) {
        Some(CommandScope::Local) => "on this machine",
        Some(CommandScope::Container) => "in a container",
        Some(CommandScope::Cluster) => "in a cluster",
        Some(CommandScope::Remote) => "on another machine",
        None => "where it runs",
    }
}

/// Whether a placeholder with this reference would be replaced by a value.
pub(super) fn has_value(source: &ValueReference, context: &Context<'_>, matched: Option<&Matched>) -> bool {
    match value_of_match(source, matched) {
        Some(value) => value.is_some(),
        None => !context.shown_values(source).is_empty(),
    }
}

/// Returns the beginning of a reference's joined values. If they are longer than the limit, it has at least one
/// character more. The values may have megabytes, and a text is rendered for each rule.
fn joined_beginning(
    source: &ValueReference,
    context: &Context<'_>,
    matched: Option<&Matched>,
    max_chars: usize,
) -> String {
    let beginning = |text: &str| text.chars().take(max_chars.saturating_add(1)).collect::<String>();
    if let Some(value) = value_of_match(source, matched) {
        return value.map(beginning).unwrap_or_default();
    }
    let mut out = String::new();
    for (at, value) in context.shown_values(source).iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        match value.as_text() {
            Some(text) => out.push_str(&beginning(text)),
            None => out.push_str(&value.show()),
        }
        // A character takes at most four bytes.
        if out.len() / 4 > max_chars {
            break;
        }
    }
    out
}

/// Returns the values of a reference, joined with `, `.
fn joined_values(source: &ValueReference, context: &Context<'_>, matched: Option<&Matched>) -> String {
    values(source, context, matched).join(", ")
}

/// Returns the values of a reference as components of paths, joined with `, `.
fn joined_components(source: &ValueReference, context: &Context<'_>, matched: Option<&Matched>) -> String {
    let components: Vec<String> = values(source, context, matched).iter().map(|value| path_component(value)).collect();
    components.join(", ")
}

/// Quotes a value for a note, in backticks: on one line, cut to 80 characters.
pub(super) fn quote(text: &str) -> String {
    format!("`{}`", line(text, 80))
}
