//! The types of values in the schema of settings, and the check whether a value has a type.

use super::super::document::{JsonNode, NodeValue};

/// The type of a value in the settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SettingsValueKind {
    /// A text, which may be empty.
    Text,
    /// A text that is not empty.
    FilledText,
    /// A text with a scheme: `https://example.com`.
    Url,
    /// `true` or `false`.
    Boolean,
    /// A finite number.
    Number,
    /// A number above 0.
    Positive,
    /// A whole number above 0.
    Whole,
    /// A list of any values.
    List,
    /// A list of texts.
    Texts,
    /// A list of texts, or one text that is the name of an MCP server.
    ServerNames,
    /// An object with any members.
    Object,
    /// An object whose values are texts.
    TextMap,
    /// One of these texts.
    OneOf(&'static [&'static str]),
}

impl SettingsValueKind {
    /// Whether a value has this type.
    pub(super) fn is_valid(self, node: &JsonNode) -> bool {
        let is_text = |node: &JsonNode| node.as_text().is_some();
        match self {
            Self::Text => is_text(node),
            Self::FilledText => node.as_text().is_some_and(|text| !text.is_empty()),
            Self::Url => node.as_text().is_some_and(has_scheme),
            Self::Boolean => node.as_boolean().is_some(),
            Self::Number => node.as_number().is_some_and(f64::is_finite),
            Self::Positive => is_positive(node),
            Self::Whole => is_positive(node) && node.as_number().is_some_and(|number| number.fract() == 0.0),
            Self::List => matches!(node.value, NodeValue::Array(_)),
            Self::Texts => matches!(node.value, NodeValue::Array(_)) && node.elements().iter().all(is_text),
            Self::ServerNames => node.as_text().is_some_and(is_name) || Self::Texts.is_valid(node),
            Self::Object => matches!(node.value, NodeValue::Object(_)),
            Self::TextMap => {
                matches!(node.value, NodeValue::Object(_)) && node.members().iter().all(|member| is_text(&member.node))
            }
            Self::OneOf(words) => node.as_text().is_some_and(|text| words.contains(&text)),
        }
    }

    /// Describes what a value must be, as the end of a sentence: "must be a text".
    pub(super) fn requirement(self) -> String {
        let what = match self {
            Self::Text => "a text",
            Self::FilledText => "a text that is not empty",
            Self::Url => "a URL",
            Self::Boolean => "`true` or `false`",
            Self::Number => "a number",
            Self::Positive => "a number above 0",
            Self::Whole => "a whole number above 0",
            Self::List => "a list",
            Self::Texts | Self::ServerNames => "a list of texts",
            Self::Object => "an object",
            Self::TextMap => "an object of texts",
            Self::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                return format!("must be {}", words.join(" or "));
            }
        };
        format!("must be {what}")
    }

    /// Whether a JSON text is a value of the type.
    #[cfg(test)]
    pub(super) fn is_valid_json(self, text: &str) -> bool {
        let document = super::JsonDocument::parse(text.to_owned()).unwrap();
        document.root().is_some_and(|node| self.is_valid(node))
    }
}

/// Whether a value is a finite number above 0.
fn is_positive(node: &JsonNode) -> bool {
    node.as_number().is_some_and(|number| number > 0.0 && number.is_finite())
}

/// Whether a text can be the name of a server: ASCII letters, digits, `_` and `-`.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Whether a URL begins with a scheme: `https:`.
fn has_scheme(url: &str) -> bool {
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_letter)
}
