//! The values of a configuration with their places, in whichever language it is written.

use crate::span::Span;

/// A value and its span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ConfigNode {
    pub(super) kind: ConfigValue,
    pub(super) span: Span,
}

/// The contents of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ConfigValue {
    /// The value is `null`, `~`, or missing.
    Null,
    /// `true` or `false`, without quotes.
    Boolean(bool),
    /// A number without quotes, with an optional sign, as it is in the source.
    Number(String),
    /// Any other text.
    Text(String),
    /// A list.
    List(Vec<ConfigNode>),
    /// A mapping, with its entries in source order.
    Map(Vec<(ConfigNode, ConfigNode)>),
}

impl ConfigValue {
    /// Returns the kind of value with its article: `a list`.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Boolean(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}
