//! Edits of a JSON text that preserve every other byte.
//!
//! [`JsonDocument::remove`] undoes [`JsonDocument::append`] to the byte, without a marker in the text. This works
//! because the layout shows which containers an edit created: in these, the content begins on the line after the
//! opening bracket, whereas a value that is inserted into an existing empty container begins on the line of the
//! bracket. A created container is removed when it becomes empty.
//!
//! A value is added after the remark on the line of the last one, and with a comma if that one has a comma. No comment
//! outside of a removed value is removed.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::comments::{comment_length, end_of_content, ends_in_line_comment, without_comments};
use super::{JsonDocument, JsonMistake, JsonNode, NodeValue, mistake};

impl JsonDocument {
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
        let Some(child) = child_ranges.get(*last) else {
            return Err(mistake(&self.text, container.range.start, "nothing there".to_owned()));
        };
        let inside = container.inside();
        let (before, after) = (last.checked_sub(1).and_then(|at| child_ranges.get(at)), child_ranges.get(last + 1));
        let start = before.map_or(inside.start, |before| before.end);
        let end = after.map_or(inside.end, |after| after.start);
        let comma = self.comma_in(child.end..end);
        let cuts = if let (Some(comma), Some(_)) = (comma, after) {
            vec![child.clone(), comma..comma + 1 + self.blanks_after(comma + 1)]
        } else {
            let is_created = self.slice(&(start..child.start)).contains('\n');
            if before.is_none() && is_created && self.is_blank_around(&inside, child) {
                return self.remove(above);
            }
            let comma = comma.or_else(|| self.comma_in(start..child.start).filter(|_| before.is_some()));
            let cut = self.blanks_before(start, child)..child.end;
            comma.map(|at| at..at + 1).into_iter().chain([cut]).collect()
        };
        self.with_replacements(cuts.into_iter().map(|cut| (cut, String::new())).collect()).map(Some)
    }

    /// Returns the document with a value added at the end of a container: of an object, under `name`, or of a list, for
    /// which `name` is `None`.
    fn insert(&self, container: &JsonNode, name: Option<&str>, value: &Json) -> Result<Self, JsonMistake> {
        let format_child = |indent: &str| {
            let value = self.format_like_document(value, indent);
            name.map_or_else(|| value.clone(), |name| format!("{}: {value}", Json::from(name)))
        };
        let inside = container.inside();
        let child_ranges = container.child_ranges();
        let (Some(first), Some(last)) = (child_ranges.first(), child_ranges.last()) else {
            let child = format_child(self.indent_of_line(container.range.start));
            return self.with_replacement(inside.start..inside.start, &child);
        };
        let comma = self.comma_in(last.end..inside.end);
        let at = self.end_of_remark(comma.map_or(last.end, |comma| comma + 1));
        let is_on_own_line = self.slice(&(inside.start..first.start)).contains('\n');
        let indent = self.indent_of_line(if is_on_own_line { first.start } else { last.start });
        let separator = if is_on_own_line || ends_in_line_comment(self.slice(&(0..at))) {
            format!("{}{indent}", self.line_end())
        } else {
            " ".to_owned()
        };
        let child = format!("{separator}{}", format_child(indent));
        if comma.is_some() {
            return self.with_replacement(at..at, &format!("{child},"));
        }
        self.with_replacements(vec![(last.end..last.end, ",".to_owned()), (at..at, child)])
    }

    /// Replaces a byte range of the text, and parses the result again.
    fn with_replacement(&self, range: Range<usize>, text: &str) -> Result<Self, JsonMistake> {
        self.with_replacements(vec![(range, text.to_owned())])
    }

    /// Replaces byte ranges of the text, which do not overlap, and parses the result again.
    fn with_replacements(&self, mut replacements: Vec<(Range<usize>, String)>) -> Result<Self, JsonMistake> {
        replacements.sort_by_key(|(range, _)| range.start);
        let (mut text, mut at) = (String::new(), 0);
        for (range, replacement) in replacements {
            text.push_str(self.slice(&(at..range.start)));
            text.push_str(&replacement);
            at = range.end;
        }
        text.push_str(self.slice(&(at..self.text.len())));
        Self::parse_dialect(text, self.dialect)
    }

    /// Returns a part of the text.
    fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Returns the position of the comma between two values, or after the last one.
    fn comma_in(&self, range: Range<usize>) -> Option<usize> {
        let between = self.slice(&range);
        let between = if self.dialect.comments { without_comments(between) } else { Cow::Borrowed(between) };
        between.find(',').map(|at| range.start + at)
    }

    /// Whether a container has only one value, and otherwise white space and at most one comma.
    fn is_blank_around(&self, inside: &Range<usize>, child: &Range<usize>) -> bool {
        let after = self.slice(&(child.end..inside.end)).trim_ascii();
        self.slice(&(inside.start..child.start)).trim_ascii().is_empty() && matches!(after, "" | ",")
    }

    /// Returns the length of the white space at a position.
    fn blanks_after(&self, at: usize) -> usize {
        let rest = self.slice(&(at..self.text.len()));
        rest.len() - rest.trim_ascii_start().len()
    }

    /// Returns the position of the white space before a value that is to be removed, but not before `start`. If the end
    /// of a comment's line is needed to end the comment, it does not count.
    fn blanks_before(&self, start: usize, child: &Range<usize>) -> usize {
        let at = start + end_of_content(self.slice(&(start..child.start)));
        let after = self.slice(&(child.end..self.text.len())).trim_start_matches([' ', '\t', ',']);
        let ends_line = after.starts_with(['\r', '\n']);
        if ends_line || !self.dialect.comments || !ends_in_line_comment(self.slice(&(0..at))) {
            return at;
        }
        at + self.slice(&(at..child.start)).find('\n').map_or(0, |end| end + 1)
    }

    /// Returns the end of the comments that follow a position on its line; the position itself if there are none.
    fn end_of_remark(&self, mut at: usize) -> usize {
        if !self.dialect.comments {
            return at;
        }
        loop {
            let rest = self.slice(&(at..self.text.len()));
            let comment = rest.trim_start_matches([' ', '\t']);
            let Some(length) = comment_length(comment) else { return at };
            at += rest.len() - comment.len() + length;
        }
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
