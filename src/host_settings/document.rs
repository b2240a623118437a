//! A JSON text with the byte range of each value, and edits that preserve every other byte.

mod comments;
mod edit;

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Number, Value as Json};

pub use comments::JsonDialect;
use comments::{ends_in_line_comment, without_comments};

/// The maximum nesting of values. It protects the parser, which is recursive, from files in foreign repositories.
pub(super) const MAX_DEPTH: usize = 64;

/// A JSON text and its parsed values.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonDocument {
    text: String,
    dialect: JsonDialect,
    root: Option<JsonNode>,
}

/// A value and its byte range in the text.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonNode {
    /// The byte range.
    pub range: Range<usize>,
    /// The value.
    pub value: NodeValue,
}

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeValue {
    /// An object with its members, in order; a name may occur several times.
    Object(Vec<JsonMember>),
    /// A list with its elements.
    Array(Vec<JsonNode>),
    /// A string without its quotes and escapes.
    String(String),
    /// A number, as it is written in the text.
    Number(String),
    /// `true` or `false`.
    Boolean(bool),
    /// `null`.
    Null,
}

/// A member of an object: a name and a value.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonMember {
    /// The byte range from the name to the end of the value.
    pub range: Range<usize>,
    /// The name of the member.
    pub name: String,
    /// The value of the member.
    pub node: JsonNode,
}

/// An error in a text, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonMistake {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The byte offset from the beginning of the text.
    pub offset: usize,
    /// What is wrong, as a lowercase phrase.
    pub message: String,
}

/// The path from the root to a value: at each level, the index of the member or element.
pub(super) type NodePath = Vec<usize>;

impl JsonDocument {
    /// Parses a text as strictly as most hosts do: comments and trailing commas are errors. A byte order mark is
    /// allowed.
    ///
    /// # Errors
    /// Fails if the text is not JSON, or is nested deeper than [`MAX_DEPTH`]. An empty text is no error.
    pub fn parse(text: String) -> Result<Self, JsonMistake> {
        Self::parse_dialect(text, JsonDialect::STRICT)
    }

    /// Parses a text in a dialect of JSON. A byte order mark is allowed.
    ///
    /// # Errors
    /// Like [`Self::parse`].
    pub fn parse_dialect(text: String, dialect: JsonDialect) -> Result<Self, JsonMistake> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mark = text.len() - body.len();
        let body = if dialect.comments { without_comments(body) } else { Cow::Borrowed(body) };
        if let Some(at) = excess_depth_offset(&body) {
            return Err(mistake(&text, mark + at, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        let options = ParseOptions {
            allow_comments: dialect.comments,
            allow_loose_object_property_names: false,
            allow_trailing_commas: dialect.trailing_commas,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let readable = replace_lone_surrogates(&body);
        let parsed = parse_to_ast(&readable, &CollectOptions::default(), &options);
        let root = match parsed {
            Ok(parsed) => parsed.value.map(|value| node(&value, mark)),
            Err(error) => {
                let message = error.kind().to_string();
                return Err(mistake(&text, mark + error.range().start, lowercase_first(&message)));
            }
        };
        Ok(Self { text, dialect, root })
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a value at the end of the text would be part of a comment.
    #[must_use]
    pub fn ends_in_comment(&self) -> bool {
        self.dialect.comments && ends_in_line_comment(&self.text)
    }

    /// Returns the outermost value; `None` if the text is empty.
    #[must_use]
    pub fn root(&self) -> Option<&JsonNode> {
        self.root.as_ref()
    }

    /// Returns the value at a path; `None` if there is none.
    #[must_use]
    pub fn node_at(&self, way: &[usize]) -> Option<&JsonNode> {
        way.iter().try_fold(self.root.as_ref()?, |node, at| node.child(*at))
    }
}

impl JsonNode {
    /// Returns the member with this name. If there are several, it is the last one, which the host reads.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&JsonMember> {
        self.members().iter().rev().find(|member| member.name == name)
    }

    /// Returns the members of an object; empty for any other value.
    #[must_use]
    pub fn members(&self) -> &[JsonMember] {
        match &self.value {
            NodeValue::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements of a list; empty for any other value.
    #[must_use]
    pub fn elements(&self) -> &[JsonNode] {
        match &self.value {
            NodeValue::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the value if it is a string.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value if it is a boolean.
    #[must_use]
    pub fn as_boolean(&self) -> Option<bool> {
        match self.value {
            NodeValue::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value if it is a number.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match &self.value {
            NodeValue::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns the value as JSON. Of several members with the same name, it has the last.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match &self.value {
            NodeValue::Object(members) => {
                members.iter().map(|member| (member.name.clone(), member.node.to_json())).collect()
            }
            NodeValue::Array(elements) => elements.iter().map(Self::to_json).collect(),
            NodeValue::String(text) => Json::from(text.as_str()),
            NodeValue::Number(text) => text.parse::<Number>().map_or(Json::Null, Json::Number),
            NodeValue::Boolean(value) => Json::from(*value),
            NodeValue::Null => Json::Null,
        }
    }

    /// Returns the value of the member or element at an index.
    fn child(&self, at: usize) -> Option<&Self> {
        match &self.value {
            NodeValue::Object(members) => members.get(at).map(|member| &member.node),
            NodeValue::Array(elements) => elements.get(at),
            _ => None,
        }
    }

    /// Returns the byte range between the brackets of an object or a list.
    fn inside(&self) -> Range<usize> {
        self.range.start + 1..self.range.end.saturating_sub(1)
    }

    /// Returns the byte range of each member or element; empty for any other value.
    fn child_ranges(&self) -> Vec<Range<usize>> {
        match &self.value {
            NodeValue::Object(members) => members.iter().map(|member| member.range.clone()).collect(),
            NodeValue::Array(elements) => elements.iter().map(|element| element.range.clone()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Converts a parsed value. `mark` is the length of the byte order mark, by which all ranges are shifted.
fn node(value: &ast::Value<'_>, mark: usize) -> JsonNode {
    let at = |range: &jsonc_parser::common::Range| mark + range.start..mark + range.end;
    match value {
        ast::Value::Object(object) => {
            let member = |property: &ast::ObjectProp<'_>| JsonMember {
                range: at(&property.range),
                name: property.name.as_str().to_owned(),
                node: node(&property.value, mark),
            };
            JsonNode {
                range: at(&object.range),
                value: NodeValue::Object(object.properties.iter().map(member).collect()),
            }
        }
        ast::Value::Array(array) => {
            let elements = array.elements.iter().map(|element| node(element, mark)).collect();
            JsonNode { range: at(&array.range), value: NodeValue::Array(elements) }
        }
        ast::Value::StringLit(text) => {
            JsonNode { range: at(&text.range), value: NodeValue::String(text.value.clone().into_owned()) }
        }
        ast::Value::NumberLit(number) => {
            JsonNode { range: at(&number.range), value: NodeValue::Number(number.value.to_owned()) }
        }
        ast::Value::BooleanLit(boolean) => {
            JsonNode { range: at(&boolean.range), value: NodeValue::Boolean(boolean.value) }
        }
        ast::Value::NullKeyword(null) => JsonNode { range: at(&null.range), value: NodeValue::Null },
    }
}

/// Returns the offset of the first bracket that is nested deeper than [`MAX_DEPTH`], if there is one. Brackets in
/// strings do not count.
fn excess_depth_offset(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

/// Replaces each lone surrogate (`\ud83d` without its second half) by `\ufffd`, which has the same length. Hosts accept
/// lone surrogates, but the parser does not.
fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut replaced = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += next;
        let is_pair = matches!((unit(at), unit(at + 6)), (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)));
        let is_half = !is_pair && matches!(unit(at), Some(0xd800..=0xdfff));
        if is_half {
            replaced.to_mut().replace_range(at..at + 6, "\\ufffd");
        }
        at += if is_pair { 12 } else { 2 };
        // The character after a backslash may have several bytes.
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    replaced
}

/// Builds the error about a byte offset of a text.
fn mistake(text: &str, at: usize, message: String) -> JsonMistake {
    let (line, column) = line_and_column(text, at);
    JsonMistake { line, column, offset: at, message }
}

/// Returns the line and column of a byte offset, both counted from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before.get(start..).unwrap_or_default().chars().count() + 1)
}

/// Lowercases the first letter of a sentence, so that it can be printed after a position.
fn lowercase_first(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests;
