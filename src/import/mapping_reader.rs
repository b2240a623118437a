//! Converts a YAML tree to typed values: every mistake is reported at its place, and every unused value is noted.
//!
//! A value is used once [`PlacedValue::value`] returns it; reading or checking it is not enough. Values that are not
//! carried over are therefore reported even if nobody thought of them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::ImportNote;
use super::yaml::{YamlNode, YamlValue};
use crate::diagnostic::{Code, Diagnostic, nearest_name, suggest};
use crate::span::{SourceFile, Span};

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct PlacedValue<T> {
    value: T,
    pub(super) span: Span,
    node: NodeId,
    used: UsedNodes,
}

impl<T> PlacedValue<T> {
    fn new(value: T, node: &YamlNode, findings: &ImportFindings<'_>) -> Self {
        Self { value, span: node.span, node: node_id(node), used: findings.used.clone() }
    }

    /// Returns the value, and marks it as used.
    pub(super) fn value(&self) -> &T {
        self.used.0.borrow_mut().insert(self.node);
        &self.value
    }

    /// Returns the value without marking it as used.
    pub(super) fn peek(&self) -> &T {
        &self.value
    }

    /// Maps the value; the result shares the mark of use.
    pub(super) fn map<U>(self, make: impl FnOnce(T) -> U) -> PlacedValue<U> {
        PlacedValue { value: make(self.value), span: self.span, node: self.node, used: self.used }
    }
}

/// The address of a node in memory. An alias makes its own node, at the same place of the text.
type NodeId = usize;

fn node_id(node: &YamlNode) -> NodeId {
    std::ptr::from_ref(node).addr()
}

/// The nodes whose values are used.
#[derive(Clone, Default, Debug)]
struct UsedNodes(Rc<RefCell<BTreeSet<NodeId>>>);

/// The mistakes and notes so far.
#[derive(Debug)]
pub(super) struct ImportFindings<'s> {
    source: &'s SourceFile,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) notes: Vec<ImportNote>,
    used: UsedNodes,
    /// The spans that a note reports as left out entirely.
    left_out: Vec<Span>,
}

impl<'s> ImportFindings<'s> {
    pub(super) fn new(source: &'s SourceFile) -> Self {
        Self { source, diagnostics: Vec::new(), notes: Vec::new(), used: UsedNodes::default(), left_out: Vec::new() }
    }

    /// Returns the line of a place as a phrase.
    pub(super) fn line(&self, span: Span) -> String {
        format!("in line {}", self.source.line_column(span.start).0)
    }

    /// Reports an invalid value.
    pub(super) fn report_invalid(&mut self, span: Span, message: &str, label: &str, help: &str) {
        self.diagnostics.push(Diagnostic::new(Code::YAML_VALUE, message).label(span, label).help(help));
    }

    /// Notes what is not carried over unchanged.
    pub(super) fn add_note(&mut self, span: Span, text: impl Into<String>) {
        self.notes.push(ImportNote { span, text: text.into() });
    }

    /// Notes what is left out, with all its contents.
    pub(super) fn leave_out(&mut self, span: Span, text: impl Into<String>) {
        self.left_out.push(span);
        self.add_note(span, text);
    }

    /// Notes every unused value of a tree, at any depth.
    pub(super) fn note_unused(&mut self, node: &YamlNode, path: &str) {
        match &node.kind {
            YamlValue::Null => {}
            YamlValue::List(elements) => elements.iter().for_each(|element| self.note_unused(element, path)),
            YamlValue::Map(entries) => {
                for (key, value) in entries {
                    let name = match &key.kind {
                        YamlValue::Text(name) | YamlValue::Number(name) => name.as_str(),
                        _ => "",
                    };
                    let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                    self.note_unused(value, &path);
                }
            }
            YamlValue::Boolean(_) | YamlValue::Number(_) | YamlValue::Text(_) => {
                let is_used = self.used.0.borrow().contains(&node_id(node));
                if !is_used && !self.left_out.iter().any(|span| span.contains(node.span)) {
                    self.add_note(node.span, format!("`{path}`: has no equivalent here; left out"));
                }
            }
        }
    }

    fn report_kind(&mut self, node: &YamlNode, path: &str, wanted: &str, help: &str) {
        let message = format!("`{path}` is {wanted}");
        let found = Diagnostic::new(Code::YAML_KIND, message).label(node.span, format!("this is {}", node.kind.noun()));
        self.diagnostics.push(found.help(help));
    }
}

/// A mapping whose keys are taken one by one.
pub(super) struct MappingReader<'n> {
    /// Its full name: `stop.commands`.
    path: String,
    span: Span,
    entries: &'n [(YamlNode, YamlNode)],
    read_keys: Vec<&'static str>,
}

impl<'n> MappingReader<'n> {
    /// Opens a mapping. Null counts as an empty one.
    pub(super) fn new(node: &'n YamlNode, path: impl Into<String>, findings: &mut ImportFindings) -> Option<Self> {
        let path = path.into();
        let entries: &[(YamlNode, YamlNode)] = match &node.kind {
            YamlValue::Map(entries) => entries,
            YamlValue::Null => &[],
            _ => {
                findings.report_kind(node, &path, "a mapping", "write `key: value` on lines of their own below it");
                return None;
            }
        };
        Some(Self { path, span: node.span, entries, read_keys: Vec::new() })
    }

    /// Returns the span of the mapping.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Returns the full name of a key.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Returns the value of a key; `None` if the key is missing or its value is null.
    pub(super) fn node(&mut self, key: &'static str) -> Option<&'n YamlNode> {
        self.read_keys.push(key);
        let found = self.entries.iter().find(|(name, _)| matches!(&name.kind, YamlValue::Text(text) if text == key));
        found.map(|(_, value)| value).filter(|value| value.kind != YamlValue::Null)
    }

    /// Returns the mapping at a key.
    pub(super) fn table(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<MappingReader<'n>> {
        let node = self.node(key)?;
        MappingReader::new(node, self.path_of(key), findings)
    }

    /// Returns the elements of the list at a key.
    pub(super) fn list(&mut self, key: &'static str, findings: &mut ImportFindings) -> &'n [YamlNode] {
        let path = self.path_of(key);
        self.node(key).map_or(&[], |node| list(node, &path, findings))
    }

    /// Returns the text at a key.
    pub(super) fn text(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<PlacedValue<String>> {
        let node = self.node(key)?;
        text(node, &self.path_of(key), findings)
    }

    /// Returns the text at a required key, which must not be blank.
    pub(super) fn required(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<PlacedValue<String>> {
        if self.node(key).is_none() {
            let found = Diagnostic::new(Code::YAML_MISSING, format!("`{}` is missing", self.path_of(key)));
            let found = found.label(self.span, format!("`{key}` is missing here"));
            findings.diagnostics.push(found.help(format!("add `{key}: …`")));
            return None;
        }
        let text = self.text(key, findings)?;
        if text.peek().trim().is_empty() {
            findings.report_invalid(text.span, &format!("`{}` is empty", self.path_of(key)), "empty", "add a value");
            return None;
        }
        Some(text)
    }

    /// Returns the texts of the list at a key.
    pub(super) fn texts(&mut self, key: &'static str, findings: &mut ImportFindings) -> Vec<PlacedValue<String>> {
        let path = self.path_of(key);
        self.list(key, findings).iter().filter_map(|node| text(node, &path, findings)).collect()
    }

    /// Returns the boolean at a key.
    pub(super) fn boolean(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<PlacedValue<bool>> {
        let node = self.node(key)?;
        match node.kind {
            YamlValue::Boolean(value) => Some(PlacedValue::new(value, node, findings)),
            _ => {
                findings.report_kind(node, &self.path_of(key), "a boolean", "write `true` or `false`, without quotes");
                None
            }
        }
    }

    /// Returns the whole number at a key, if it is in a range.
    pub(super) fn number(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
        findings: &mut ImportFindings,
    ) -> Option<PlacedValue<u32>> {
        let node = self.node(key)?;
        let YamlValue::Number(digits) = &node.kind else {
            findings.report_kind(node, &self.path_of(key), "a number", "write it in digits, without quotes");
            return None;
        };
        let number = digits.parse().ok().filter(|number| range.contains(number));
        if number.is_none() {
            let (low, high) = range.into_inner();
            let message = format!("`{key}` is never {}", digits.chars().take(20).collect::<String>());
            findings.report_invalid(
                node.span,
                &message,
                "out of range",
                &format!("write a number from {low} to {high}"),
            );
        }
        number.map(|number| PlacedValue::new(number, node, findings))
    }

    /// Notes every key that was not read.
    pub(super) fn finish(self, findings: &mut ImportFindings) {
        for (key, value) in self.entries {
            let name = match &key.kind {
                YamlValue::Text(name) | YamlValue::Number(name) => name.as_str(),
                YamlValue::Boolean(true) => "true",
                YamlValue::Boolean(false) => "false",
                kind => {
                    findings.leave_out(
                        key.span.joined_with(value.span),
                        format!("a key that is {}: left out", kind.noun()),
                    );
                    continue;
                }
            };
            if self.read_keys.contains(&name) {
                continue;
            }
            let path = self.path_of(name);
            let near = nearest_name(name, self.read_keys.iter().copied());
            let hint = near.map_or_else(String::new, |near| format!(" (conclaude has `{near}`)"));
            findings.leave_out(
                key.span.joined_with(value.span),
                format!("`{path}`: not a key of conclaude{hint}; left out"),
            );
        }
    }
}

/// Returns the elements of a list.
pub(super) fn list<'n>(node: &'n YamlNode, path: &str, findings: &mut ImportFindings) -> &'n [YamlNode] {
    match &node.kind {
        YamlValue::List(elements) => elements,
        YamlValue::Null => &[],
        _ => {
            findings.report_kind(node, path, "a list", "write `- …` on lines of their own, or `[…]`");
            &[]
        }
    }
}

/// Returns a text.
pub(super) fn text(node: &YamlNode, path: &str, findings: &mut ImportFindings) -> Option<PlacedValue<String>> {
    match &node.kind {
        YamlValue::Text(text) if text.contains('\0') => {
            findings.report_invalid(
                node.span,
                &format!("`{path}` holds a NUL"),
                "no program accepts it",
                "remove `\\0`",
            );
            None
        }
        YamlValue::Text(text) => Some(PlacedValue::new(text.clone(), node, findings)),
        _ => {
            findings.report_kind(node, path, "a string", "write it in quotes");
            None
        }
    }
}

/// Returns one of several words, ignoring case.
pub(super) fn word<T: Copy>(
    text: PlacedValue<String>,
    words: &[(&str, T)],
    key: &str,
    findings: &mut ImportFindings,
) -> Option<PlacedValue<T>> {
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&text.value));
    if found.is_none() {
        let shown: String = text.value.escape_debug().take(20).collect();
        let message = format!("`{key}` is never `{shown}`");
        let found = Diagnostic::new(Code::YAML_VALUE, message).label(text.span, "not one of its values");
        let help = suggest("value", &text.value, words.iter().map(|(word, _)| *word));
        findings.diagnostics.push(found.help_if_any(help));
    }
    found.map(|(_, value)| text.map(|_| *value))
}
