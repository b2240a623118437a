//! The parts of the syntax tree for values.

use std::time::Duration;

use super::{FieldName, FileFact, JsonPathLiteral, Name, StringLiteral};
use crate::span::Span;

/// A value.
#[derive(Clone, Debug)]
pub struct AstValue {
    /// The kind of value, with its contents.
    pub kind: ValueKind,
    /// Its position in the file.
    pub span: Span,
}

impl AstValue {
    /// Returns the text of a string, or the texts of a list that contains only strings; else `None`.
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
    /// Returns the text of an element that is a string; else `None`.
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
    /// A number, and its source text.
    Number(f64, String),
    /// `true`, `false`
    Boolean(bool),
    /// `null`
    Null,
    /// A duration (`500ms`, `30s`, `5m`, `1h`), and its source text.
    Duration(Duration, String),
    /// A size (`10KB`, `2MB`) in bytes, and its source text.
    Size(u64, String),
    /// `"22:00".."06:00"`: the texts of both ends.
    TimeRange(StringLiteral, StringLiteral),
    /// `/…/flags`
    Regex(RegexLiteral),
    /// `[…]`
    List(Vec<AstElement>),
    /// `{…}`, within the fields of an example and in the expected values of a test.
    Map(MapLiteral),
    /// The name of a `let` or field, or a bare word as an option's value.
    Name(FieldName),
    /// `` `$.a.b` ``
    JsonPath(JsonPathLiteral),
}

/// An element of a list.
#[derive(Clone, Debug)]
pub enum AstElement {
    /// A value.
    Value(AstValue),
    /// `...name`: the elements of a `let` that is a list.
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
    /// The whole literal, with slashes and flags.
    pub span: Span,
}

/// `{ key: value, … }`.
#[derive(Clone, Debug)]
pub struct MapLiteral {
    /// The entries in source order, including duplicates.
    pub entries: Vec<MapEntry>,
    /// The span, including the braces.
    pub span: Span,
}

/// An entry of a map.
#[derive(Clone, Debug)]
pub struct MapEntry {
    /// The key.
    pub key: MapKey,
    /// The value; `None` for the shorthand `{ field }`.
    pub value: Option<AstValue>,
    /// From the key to the end of the value.
    pub span: Span,
}

/// A key of a map.
#[derive(Clone, Debug)]
pub enum MapKey {
    /// A bare name: `timeout`, `tool_input.command`, `git.branch`
    Name(FieldName),
    /// A string: `"any text"`
    Text(StringLiteral),
    /// A fact about a file: `file_exists "pnpm-lock.yaml"`, `file_size "x"`
    File(FileFact, StringLiteral, Span),
    /// A fact about the working tree in another directory: `git.branch "../feature"`
    Tree(FieldName, StringLiteral, Span),
}
