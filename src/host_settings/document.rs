//! A JSON text with the place of each value, and edits that preserve every other byte.
//!
//! An edit can be undone: [`JsonDocument::remove`] removes exactly the bytes that [`JsonDocument::append`] added. No
//! marker is needed: the contents of an object or a list that an edit creates begin on the line after its bracket,
//! while a value inserted into an existing empty one is on the bracket's own line. So when a container becomes empty,
//! its layout shows whether it existed before.

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::{PrettyFormatter, Serializer};

/// The deepest nesting of values. The parser is recursive, and its input comes from repositories.
pub(super) const MAX_DEPTH: usize = 64;

/// A JSON text, parsed.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonDocument {
    text: String,
    root: Option<JsonNode>,
}

/// A value and its byte range.
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
    /// Its members, in order; names may occur more than once.
    Object(Vec<JsonMember>),
    /// Its elements.
    Array(Vec<JsonNode>),
    /// A string, unescaped.
    String(String),
    /// A number, as it is written.
    Number(String),
    /// `true` or `false`.
    Boolean(bool),
    /// `null`.
    Null,
}

/// A member of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonMember {
    /// From its name to the end of its value.
    pub range: Range<usize>,
    /// Its name.
    pub name: String,
    /// Its value.
    pub node: JsonNode,
}

/// An error in a text, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonMistake {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The byte offset.
    pub offset: usize,
    /// The message, as a fragment.
    pub message: String,
}

/// The path from the root to a value, as positions.
pub(super) type NodePath = Vec<usize>;

impl JsonDocument {
    /// Parses a text as strictly as hosts do: comments and trailing commas are errors.
    ///
    /// # Errors
    /// Fails if the text is not JSON, or is nested deeper than [`MAX_DEPTH`].
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

    /// Returns the value at a path.
    #[must_use]
    pub fn node_at(&self, way: &[usize]) -> Option<&JsonNode> {
        way.iter().try_fold(self.root.as_ref()?, |node, at| node.child(*at))
    }

    /// Returns the document with an element appended to the list at these names; missing objects and a missing list are
    /// created.
    ///
    /// # Errors
    /// Fails if another kind of value is in the place of an object or of the list.
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

    /// Returns the document with one value replaced.
    ///
    /// # Errors
    /// Fails if there is no value at the path.
    pub fn replace(&self, way: &[usize], value: &Json) -> Result<Self, JsonMistake> {
        let node = self.node_at(way).ok_or_else(|| mistake(&self.text, 0, "nothing there".to_owned()))?;
        let indent = self.indent_of_line(node.range.start);
        self.with_replacement(node.range.clone(), &self.rendered(value, indent))
    }

    /// Returns the document without a value. A container that an edit created is removed too once it is empty; `None`
    /// if nothing is left.
    ///
    /// # Errors
    /// Fails if there is no value at the path.
    pub fn remove(&self, way: &[usize]) -> Result<Option<Self>, JsonMistake> {
        let Some((last, above)) = way.split_last() else { return Ok(None) };
        let holder = self.node_at(above).ok_or_else(|| mistake(&self.text, 0, "nothing there".to_owned()))?;
        let places = holder.places();
        let Some(place) = places.get(*last) else {
            return Err(mistake(&self.text, holder.range.start, "nothing there".to_owned()));
        };
        let before = last.checked_sub(1).and_then(|at| places.get(at));
        let range = match (before, places.get(last + 1)) {
            (Some(before), None) => before.end..place.end,
            (_, Some(after)) => place.start..after.start,
            (None, None) => {
                let open = holder.range.start + 1;
                let between = self.text.get(open..place.start).unwrap_or_default();
                if between.contains('\n') {
                    return self.remove(above);
                }
                open..place.end
            }
        };
        self.with_replacement(range, "").map(Some)
    }

    /// Inserts after the last member of an object or element of a list.
    fn insert(&self, holder: &JsonNode, name: Option<&str>, value: &Json) -> Result<Self, JsonMistake> {
        let rendered = |indent: &str| {
            let value = self.rendered(value, indent);
            name.map_or_else(|| value.clone(), |name| format!("{}: {value}", Json::from(name)))
        };
        match (holder.places().first(), holder.places().last()) {
            (Some(first), Some(last)) => {
                let open = holder.range.start + 1;
                let between = self.text.get(open..first.start).unwrap_or_default();
                let separator = match between.rfind('\n') {
                    Some(at) => format!("{}{}", self.line_end(), between.get(at + 1..).unwrap_or_default()),
                    None => " ".to_owned(),
                };
                let indent = self.indent_of_line(last.start);
                let indent = separator.strip_prefix(self.line_end()).unwrap_or(indent).to_owned();
                self.with_replacement(last.end..last.end, &format!(",{separator}{}", rendered(&indent)))
            }
            _ => {
                let at = holder.range.start + 1;
                self.with_replacement(at..at, &rendered(self.indent_of_line(holder.range.start)))
            }
        }
    }

    fn with_replacement(&self, range: Range<usize>, text: &str) -> Result<Self, JsonMistake> {
        let before = self.text.get(..range.start).unwrap_or_default();
        let after = self.text.get(range.end..).unwrap_or_default();
        Self::parse(format!("{before}{text}{after}"))
    }

    fn rendered(&self, value: &Json, indent: &str) -> String {
        pretty(value, indent, &self.unit()).replace('\n', self.line_end())
    }

    /// The line ending of the text.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The indentation of one level: that of the first member of the outermost object, else two spaces.
    fn unit(&self) -> String {
        let first = self.root.as_ref().and_then(|root| root.places().first().map(|place| place.start));
        let indent = first.map_or("", |at| self.indent_of_line(at));
        let own = first.is_some_and(|at| self.text.get(..at).is_some_and(|before| before.contains('\n')));
        if own && !indent.is_empty() { indent.to_owned() } else { "  ".to_owned() }
    }

    /// The white space at the beginning of a place's line.
    fn indent_of_line(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rfind('\n').map_or(before, |end| before.get(end + 1..).unwrap_or_default());
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(..width).unwrap_or_default()
    }

    fn expected(&self, names: &[&str], at: usize, what: &str) -> String {
        match names.get(..at) {
            None | Some([]) => format!("expected {what}"),
            Some(names) => format!("`{}` must be {what}", names.join(".")),
        }
    }
}

impl JsonNode {
    /// Returns the member with a name: the last one, which is the one that counts.
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

    fn child(&self, at: usize) -> Option<&Self> {
        match &self.value {
            NodeValue::Object(members) => members.get(at).map(|member| &member.node),
            NodeValue::Array(elements) => elements.get(at),
            _ => None,
        }
    }

    /// Returns the byte range of each member or element.
    fn places(&self) -> Vec<Range<usize>> {
        match &self.value {
            NodeValue::Object(members) => members.iter().map(|member| member.range.clone()).collect(),
            NodeValue::Array(elements) => elements.iter().map(|element| element.range.clone()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Creates an object with one member.
fn single_member_object(name: &str, value: Json) -> Json {
    Json::Object([(name.to_owned(), value)].into_iter().collect())
}

/// Renders a value over several lines, the first without indentation.
fn pretty(value: &Json, indent: &str, unit: &str) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _written =
        value.serialize(&mut Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(unit.as_bytes())));
    String::from_utf8_lossy(&bytes).replace('\n', &format!("\n{indent}"))
}

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

/// Returns the offset at which a text is nested too deep. It looks only at brackets outside of strings.
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

/// Returns a text of the same length in which each lone surrogate (`\ud83d` alone) is the replacement character: hosts
/// accept such strings.
fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut whole = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += next;
        let is_pair = matches!((unit(at), unit(at + 6)), (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)));
        let is_half = !is_pair && matches!(unit(at), Some(0xd800..=0xdfff));
        if is_half {
            whole.to_mut().replace_range(at..at + 6, "\\ufffd");
        }
        at += if is_pair { 12 } else { 2 };
        // The character after a backslash may have several bytes.
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    whole
}

fn mistake(text: &str, at: usize, message: String) -> JsonMistake {
    let (line, column) = line_and_column(text, at);
    JsonMistake { line, column, offset: at, message }
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before.get(start..).unwrap_or_default().chars().count() + 1)
}

/// Lowercases the first letter of a sentence, which follows a place.
fn lowercase_first(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests;
