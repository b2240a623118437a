//! Reads TOML as the values of a configuration.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::node::{ConfigNode, ConfigValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{SourceFile, Span};

/// Parses a file.
///
/// # Errors
/// Every mistake in the TOML, at its position.
pub(super) fn parse(source: &SourceFile) -> Result<ConfigNode, Vec<Diagnostic>> {
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    if errors.is_empty() {
        let span = Span::new(source.id, 0, source.text.len());
        return Ok(ConfigNode { kind: table(source, document.get_ref()), span });
    }
    let findings = errors.iter().map(|error| {
        let range = error.span().unwrap_or(0..0);
        let reason = error.message().lines().next().unwrap_or_default();
        let message: String = format!("not TOML: {reason}").chars().take(72).collect();
        let found = Diagnostic::new(Code::IMPORT_SYNTAX, message);
        let found = found.label(Span::new(source.id, range.start, range.end), "at this place");
        found.help("write `key = value` with strings in quotes, and `[[rule]]` on a line of its own")
    });
    Err(findings.collect())
}

/// Converts a table, with its entries in the order of the source.
fn table(source: &SourceFile, table: &DeTable<'_>) -> ConfigValue {
    let mut entries: Vec<(ConfigNode, ConfigNode)> = table
        .iter()
        .map(|(key, value)| {
            let span = Span::new(source.id, key.span().start, key.span().end);
            let key = ConfigNode { kind: ConfigValue::Text(key.get_ref().to_string()), span };
            (key, node(source, value))
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.span);
    ConfigValue::Map(entries)
}

/// Converts a value and everything in it. A date becomes a text.
fn node(source: &SourceFile, value: &Spanned<DeValue<'_>>) -> ConfigNode {
    let span = Span::new(source.id, value.span().start, value.span().end);
    let kind = match value.get_ref() {
        DeValue::String(text) => ConfigValue::Text(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => ConfigValue::Number(number.to_string()),
            Err(_) => ConfigValue::Number(number.as_str().to_owned()),
        },
        DeValue::Float(number) => ConfigValue::Number(number.as_str().to_owned()),
        DeValue::Boolean(value) => ConfigValue::Boolean(*value),
        DeValue::Datetime(date) => ConfigValue::Text(date.to_string()),
        DeValue::Array(elements) => ConfigValue::List(elements.iter().map(|element| node(source, element)).collect()),
        DeValue::Table(entries) => table(source, entries),
    };
    ConfigNode { kind, span }
}
