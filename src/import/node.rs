//! The values of a configuration with their spans, in whichever language the configuration is written.

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
    /// A number without quotes, with an optional sign, as written in the source.
    Number(String),
    /// Any other text.
    Text(String),
    /// A list.
    List(Vec<ConfigNode>),
    /// A mapping, with its entries in source order.
    Map(Vec<(ConfigNode, ConfigNode)>),
}

impl ConfigValue {
    /// Returns the kind of value with its article, such as `a list`.
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

/// The language of a configuration, for advice on what to write instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConfigNotation {
    Yaml,
    /// The front matter of hookify: lines with a key, a colon and a value.
    FrontMatter,
    Json,
    Toml,
    Starlark,
}

impl ConfigNotation {
    /// Returns advice on how to write a list.
    pub(super) fn list(self) -> &'static str {
        match self {
            Self::Yaml => "write `- …` on lines of their own, or `[…]`",
            Self::FrontMatter => "write `- …` on lines of their own below the key",
            Self::Json | Self::Starlark => "write `[…]`",
            Self::Toml => "write `[…]`, and `[[name]]` for a list of tables",
        }
    }

    /// Returns advice on how to write a mapping.
    pub(super) fn mapping(self) -> &'static str {
        match self {
            Self::Yaml => "write `key: value` on lines of their own below it",
            Self::FrontMatter => "write `field: …`, `operator: …` and `pattern: …`",
            Self::Json => "write `{ \"key\": value }`",
            Self::Toml => "write `key = value` on lines of their own below `[[name]]`",
            Self::Starlark => "write `key = value` in the call",
        }
    }

    /// Returns how to write a key with a value.
    pub(super) fn entry(self, key: &str) -> String {
        match self {
            Self::Yaml | Self::FrontMatter => format!("{key}: …"),
            Self::Json => format!("\"{key}\": …"),
            Self::Toml | Self::Starlark => format!("{key} = …"),
        }
    }
}
