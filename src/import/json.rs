//! Reads JSON as the values of a configuration.

use super::node::{ConfigNode, ConfigValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::host_settings::{JsonDocument, JsonNode, NodeValue};
use crate::span::{SourceFile, Span};

/// Parses a file. An empty file is null. If an object has two members with one name, the last counts, as in most
/// programs.
///
/// # Errors
/// The first position at which the text is not JSON.
pub(super) fn parse(source: &SourceFile) -> Result<ConfigNode, Box<Diagnostic>> {
    match JsonDocument::parse(source.text.clone()) {
        Ok(document) => Ok(match document.root() {
            Some(root) => node(source, root),
            None => ConfigNode { kind: ConfigValue::Null, span: Span::new(source.id, 0, 0) },
        }),
        Err(mistake) => {
            let rest = source.text.get(mistake.offset..).unwrap_or_default();
            let width = rest.chars().next().map_or(0, char::len_utf8);
            let span = Span::new(source.id, mistake.offset, mistake.offset + width);
            let message: String = format!("not JSON: {}", mistake.message).chars().take(72).collect();
            let found = Diagnostic::new(Code::IMPORT_SYNTAX, message).label(span, "at this place");
            Err(Box::new(found.help("write strings in double quotes, and `,` between values but not after the last")))
        }
    }
}

/// Converts a value and everything in it.
fn node(source: &SourceFile, json: &JsonNode) -> ConfigNode {
    let span = Span::new(source.id, json.range.start, json.range.end);
    let kind = match &json.value {
        NodeValue::Null => ConfigValue::Null,
        NodeValue::Boolean(value) => ConfigValue::Boolean(*value),
        NodeValue::Number(digits) => ConfigValue::Number(digits.clone()),
        NodeValue::String(text) => ConfigValue::Text(text.clone()),
        NodeValue::Array(elements) => ConfigValue::List(elements.iter().map(|element| node(source, element)).collect()),
        NodeValue::Object(members) => {
            let is_last = |at: usize, name: &str| members.iter().skip(at + 1).all(|later| later.name != name);
            let last_members = members.iter().enumerate().filter(|(at, member)| is_last(*at, &member.name));
            ConfigValue::Map(
                last_members
                    .map(|(_, member)| {
                        let span = Span::new(source.id, member.range.start, member.node.range.start);
                        let key = ConfigNode { kind: ConfigValue::Text(member.name.clone()), span };
                        (key, node(source, &member.node))
                    })
                    .collect(),
            )
        }
    };
    ConfigNode { kind, span }
}
