//! A JSON text with the byte range of each value, and edits that preserve every other byte.
//!
//! [`JsonDocument::remove`] undoes [`JsonDocument::append`] to the byte, without a marker in the text. This works
//! because the layout shows which containers an edit created: in these, the content begins on the line after the
//! opening bracket, whereas a value that is inserted into an existing empty container begins on the line of the
//! bracket. A created container is removed when it becomes empty.

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::{PrettyFormatter, Serializer};

/// The maximum nesting of values. It protects the parser, which is recursive, from files in foreign repositories.
pub(super) const MAX_DEPTH: usize = 64;

/// A JSON text and its parsed values.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonDocument {
    text: String,
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
    /// Parses a text as strictly as hosts do: comments and trailing commas are errors. A byte order mark is allowed.
    ///
    /// # Errors
    /// Fails if the text is not JSON, or is nested deeper than [`MAX_DEPTH`]. An empty text is no error.
    pub fn parse(text: String) -> Result<Self, JsonMistake> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mark = text.len() - body.len();
        if let Some(at) = excess_depth_offset(body) {
            return Err(mistake(&text, mark + at, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        let strict = ParseOptions {
            allow_comments: false,
            allow_loose_object_property_names: false,
            allow_trailing_commas: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let readable = replace_lone_surrogates(body);
        let parsed = parse_to_ast(&readable, &CollectOptions::default(), &strict);
        let root = match parsed {
            Ok(parsed) => parsed.value.map(|value| node(&value, mark)),
            Err(error) => {
                let message = error.kind().to_string();
                return Err(mistake(&text, mark + error.range().start, lowercase_first(&message)));
            }
        };
        Ok(Self { text, root })
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
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

    /// Returns the document with an element added at the end of the list to which these names of members lead (`hooks`,
    /// `PreToolUse`). Missing objects, and a missing list, are created.
    ///
    /// # Errors
    /// Fails if a value on the way is not an object, or the value at the end is not a list.
    pub fn append(&self, names: &[&str], element: &Json) -> Result<Self, JsonMistake> {
        let Some(root) = &self.root else {
            let whole = names
                .iter()
                .rev()
                .fold(Json::Array(vec![element.clone()]), |inner, name| single_member_object(name, inner));
            return self.with_replacement(self.text.len()..self.text.len(), &format!("{}\n", pretty(&whole, "", "  ")));
        };
        let mut node = root;
        for (at, name) in names.iter().enumerate() {
            let NodeValue::Object(_) = &node.value else {
                return Err(mistake(&self.text, node.range.start, self.expected(names, at, "an object")));
            };
            match node.member(name) {
                Some(member) => node = &member.node,
                None => {
                    let rest = names.get(at + 1..).unwrap_or_default();
                    let list = Json::Array(vec![element.clone()]);
                    let value = rest.iter().rev().fold(list, |inner, name| single_member_object(name, inner));
                    return self.insert(node, Some(name), &value);
                }
            }
        }
        match &node.value {
            NodeValue::Array(_) => self.insert(node, None, element),
            _ => Err(mistake(&self.text, node.range.start, self.expected(names, names.len(), "a list"))),
        }
    }

    /// Returns the document with the value at a path replaced.
    ///
    /// # Errors
    /// Fails if there is no value at the path.
    pub fn replace(&self, way: &[usize], value: &Json) -> Result<Self, JsonMistake> {
        let node = self.node_at(way).ok_or_else(|| mistake(&self.text, 0, "nothing there".to_owned()))?;
        let indent = self.indent_of_line(node.range.start);
        self.with_replacement(node.range.clone(), &self.format_like_document(value, indent))
    }

    /// Returns the document without the value at a path. Containers that an edit has created are removed too if they
    /// become empty. `None` if nothing is left.
    ///
    /// # Errors
    /// Fails if there is no value at the path.
    pub fn remove(&self, way: &[usize]) -> Result<Option<Self>, JsonMistake> {
        let Some((last, above)) = way.split_last() else { return Ok(None) };
        let container = self.node_at(above).ok_or_else(|| mistake(&self.text, 0, "nothing there".to_owned()))?;
        let child_ranges = container.child_ranges();
        let Some(range_of_child) = child_ranges.get(*last) else {
            return Err(mistake(&self.text, container.range.start, "nothing there".to_owned()));
        };
        let before = last.checked_sub(1).and_then(|at| child_ranges.get(at));
        let range = match (before, child_ranges.get(last + 1)) {
            (Some(before), None) => before.end..range_of_child.end,
            (_, Some(after)) => range_of_child.start..after.start,
            (None, None) => {
                let open = container.range.start + 1;
                let between = self.text.get(open..range_of_child.start).unwrap_or_default();
                if between.contains('\n') {
                    return self.remove(above);
                }
                open..range_of_child.end
            }
        };
        self.with_replacement(range, "").map(Some)
    }

    /// Returns the document with a value added at the end of a container: of an object, under `name`, or of a list, for
    /// which `name` is `None`.
    fn insert(&self, container: &JsonNode, name: Option<&str>, value: &Json) -> Result<Self, JsonMistake> {
        let format_child = |indent: &str| {
            let value = self.format_like_document(value, indent);
            name.map_or_else(|| value.clone(), |name| format!("{}: {value}", Json::from(name)))
        };
        match (container.child_ranges().first(), container.child_ranges().last()) {
            (Some(first), Some(last)) => {
                let open = container.range.start + 1;
                let text_before_first = self.text.get(open..first.start).unwrap_or_default();
                let separator = match text_before_first.rfind('\n') {
                    Some(at) => format!("{}{}", self.line_end(), text_before_first.get(at + 1..).unwrap_or_default()),
                    None => " ".to_owned(),
                };
                let indent = self.indent_of_line(last.start);
                let indent = separator.strip_prefix(self.line_end()).unwrap_or(indent).to_owned();
                self.with_replacement(last.end..last.end, &format!(",{separator}{}", format_child(&indent)))
            }
            _ => {
                let at = container.range.start + 1;
                self.with_replacement(at..at, &format_child(self.indent_of_line(container.range.start)))
            }
        }
    }

    /// Replaces a byte range of the text, and parses the result again.
    fn with_replacement(&self, range: Range<usize>, text: &str) -> Result<Self, JsonMistake> {
        let before = self.text.get(..range.start).unwrap_or_default();
        let after = self.text.get(range.end..).unwrap_or_default();
        Self::parse(format!("{before}{text}{after}"))
    }

    /// Formats a value with the indentation and the line ends of the document. `indent` is the indentation of the line
    /// on which the value begins.
    fn format_like_document(&self, value: &Json, indent: &str) -> String {
        pretty(value, indent, &self.unit()).replace('\n', self.line_end())
    }

    /// Returns the line end of the text: `\r\n` if the text contains one, and otherwise `\n`.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Returns the indentation of one level: that of the first member of the outermost object, if that is on a line of
    /// its own, or else two spaces.
    fn unit(&self) -> String {
        let first = self.root.as_ref().and_then(|root| root.child_ranges().first().map(|place| place.start));
        let indent = first.map_or("", |at| self.indent_of_line(at));
        let is_on_own_line = first.is_some_and(|at| self.text.get(..at).is_some_and(|before| before.contains('\n')));
        if is_on_own_line && !indent.is_empty() { indent.to_owned() } else { "  ".to_owned() }
    }

    /// Returns the white space at the beginning of the line that contains a position.
    fn indent_of_line(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rfind('\n').map_or(before, |end| before.get(end + 1..).unwrap_or_default());
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(..width).unwrap_or_default()
    }

    /// Returns the message that the value to which the first `at` names lead must be `what`.
    fn expected(&self, names: &[&str], at: usize, what: &str) -> String {
        match names.get(..at) {
            None | Some([]) => format!("expected {what}"),
            Some(names) => format!("`{}` must be {what}", names.join(".")),
        }
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

    /// Returns the value of the member or element at an index.
    fn child(&self, at: usize) -> Option<&Self> {
        match &self.value {
            NodeValue::Object(members) => members.get(at).map(|member| &member.node),
            NodeValue::Array(elements) => elements.get(at),
            _ => None,
        }
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

/// Builds an object with one member.
fn single_member_object(name: &str, value: Json) -> Json {
    Json::Object([(name.to_owned(), value)].into_iter().collect())
}

/// Formats a value over several lines. Every line except the first begins with `indent`, followed by one `unit` for
/// each level.
fn pretty(value: &Json, indent: &str, unit: &str) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _written =
        value.serialize(&mut Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(unit.as_bytes())));
    String::from_utf8_lossy(&bytes).replace('\n', &format!("\n{indent}"))
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
