//! The syntax trees of values.

use std::time::Duration;

use super::{FieldName, FileFact, JsonPathLiteral, Name, StringLiteral};
use crate::span::Span;

/// A value.
#[derive(Clone, Debug)]
pub struct AstValue {
    /// The kind of value, with its contents.
    pub kind: ValueKind,
    /// Its span.
    pub span: Span,
}

impl AstValue {
    /// Returns the texts of a text, or of a list that contains only texts.
    #[must_use]
    pub fn texts(&self) -> Option<Vec<&str>> {
        match &self.kind {
            ValueKind::Text(only) => Some(vec![&only.value]),
            ValueKind::List(elements) => elements.iter().map(AstElement::text).collect(),
            _ => None,
        }
    }
}

impl AstElement {
    /// Returns the text, if it is one.
    fn text(&self) -> Option<&str> {
        match self {
            Self::Value(AstValue { kind: ValueKind::Text(text), .. }) => Some(&text.value),
            _ => None,
        }
    }
}

/// The kinds of values.
#[derive(Clone, Debug)]
pub enum ValueKind {
    /// A string.
    Text(StringLiteral),
    /// A number and its digits as written.
    Number(f64, String),
    /// `true`, `false`
    Boolean(bool),
    /// `null`
    Null,
    /// `500ms 30s 5m 1h`, and as written.
    Duration(Duration, String),
    /// `10KB 2MB` in bytes, and as written.
    Size(u64, String),
    /// `/…/flags`
    Regex(RegexLiteral),
    /// `[…]`
    List(Vec<AstElement>),
    /// `{…}`, in the lists and values of tests.
    Map(MapLiteral),
    /// A `let`, a field, a bare word of an option.
    Name(FieldName),
    /// `` `$.a.b` ``
    JsonPath(JsonPathLiteral),
}

/// An element of a list.
#[derive(Clone, Debug)]
pub enum AstElement {
    /// A value.
    Value(AstValue),
    /// `...name`
    Spread(Name),
}

/// A regex literal.
#[derive(Clone, Debug)]
pub struct RegexLiteral {
    /// The text between the slashes, with `\/` still escaped.
    pub pattern: String,
    /// The span of the pattern, for errors inside it.
    pub pattern_span: Span,
    /// The flags after the closing slash.
    pub flags: String,
    /// The span.
    pub span: Span,
}

/// `{ key: value, … }`.
#[derive(Clone, Debug)]
pub struct MapLiteral {
    /// In source order, including duplicates.
    pub entries: Vec<MapEntry>,
    /// The span, including the braces.
    pub span: Span,
}

/// An entry of a map.
#[derive(Clone, Debug)]
pub struct MapEntry {
    /// The key.
    pub key: MapKey,
    /// `None` for the shorthand `{ field }`.
    pub value: Option<AstValue>,
    /// The span.
    pub span: Span,
}

/// A key of a map.
#[derive(Clone, Debug)]
pub enum MapKey {
    /// `timeout`, `tool_input.command`, `git.branch`
    Name(FieldName),
    /// `"any text"`
    Text(StringLiteral),
    /// `file_exists "pnpm-lock.yaml"`, `file_size "x"`
    File(FileFact, StringLiteral, Span),
}
