//! Texts of effects, with placeholders filled in and values escaped.

use crate::context::{Context, PathForm, Scalar};
use crate::escape::line;
use crate::ruleset::{DerivedField, Template, TemplatePart, ValueReference};

/// How many characters of one value a message shows.
pub const VALUE_LIMIT: usize = 300;

/// Renders a message: each value of the event is cut to [`VALUE_LIMIT`] and escaped to stay on its line. The whole is
/// not cut here: its length is for the host to limit.
pub(super) fn message(template: &Template, context: &Context<'_>, matched: Option<&str>) -> String {
    render_with_values(template, context, matched, VALUE_LIMIT)
}

/// Renders a message of at most so many characters, with values cut only to that limit.
pub(super) fn render_whole(template: &Template, context: &Context<'_>, matched: Option<&str>, limit: usize) -> String {
    let text = render_with_values(template, context, matched, limit);
    match text.char_indices().nth(limit) {
        None => text,
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

fn render_with_values(template: &Template, context: &Context<'_>, matched: Option<&str>, longest: usize) -> String {
    let mut out = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => out.push_str(text),
            // The author of the rule also wrote this.
            TemplatePart::Value(ValueReference::Constant(text)) => out.push_str(text),
            TemplatePart::Value(source) => {
                out.push_str(&line(&joined_beginning(source, context, matched, longest), longest))
            }
        }
    }
    out
}

/// Renders a text with unmodified values: for commands, records, rewrites.
pub(super) fn exact(template: &Template, context: &Context<'_>, matched: Option<&str>) -> String {
    let mut out = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => out.push_str(text),
            TemplatePart::Value(source) => out.push_str(&joined_values(source, context, matched)),
        }
    }
    out
}

/// Returns the values of a source; empty if there are none, or if they are unknown.
pub(super) fn values(source: &ValueReference, context: &Context<'_>, matched: Option<&str>) -> Vec<String> {
    if let ValueReference::Derived(DerivedField::Match) = source {
        return matched.map(str::to_owned).into_iter().collect();
    }
    let values = context.lookup(source, PathForm::Lexical).unwrap_or_default();
    values.iter().map(Scalar::show).collect()
}

/// Whether a source has a value.
pub(super) fn has_value(source: &ValueReference, context: &Context<'_>, matched: Option<&str>) -> bool {
    match source {
        ValueReference::Derived(DerivedField::Match) => matched.is_some(),
        source => !context.shown_values(source).is_empty(),
    }
}

/// Returns the values of a source, joined, up to one more character than the limit: there may be megabytes of values,
/// and a text for each rule.
fn joined_beginning(source: &ValueReference, context: &Context<'_>, matched: Option<&str>, longest: usize) -> String {
    let first = |text: &str| text.chars().take(longest.saturating_add(1)).collect::<String>();
    if let ValueReference::Derived(DerivedField::Match) = source {
        return matched.map(first).unwrap_or_default();
    }
    let mut out = String::new();
    for (at, value) in context.shown_values(source).iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        match value.as_text() {
            Some(text) => out.push_str(&first(text)),
            None => out.push_str(&value.show()),
        }
        // A character takes at most four bytes.
        if out.len() / 4 > longest {
            break;
        }
    }
    out
}

fn joined_values(source: &ValueReference, context: &Context<'_>, matched: Option<&str>) -> String {
    values(source, context, matched).join(", ")
}

/// Quotes a value for a note: one line, cut.
pub(super) fn quote(text: &str) -> String {
    format!("`{}`", line(text, 80))
}
