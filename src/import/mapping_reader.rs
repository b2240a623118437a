//! Converts the tree of a configuration to typed values. Reports every mistake at its position, and notes every value
//! that is not carried over.
//!
//! A value counts as carried over once [`PlacedValue::value`] has returned it; reading or checking the value is not
//! enough. So a value that the conversion forgets is noted too.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::node::{ConfigNode, ConfigNotation, ConfigValue};
use super::{ImportNote, NoteRank};
use crate::diagnostic::{Code, Diagnostic, nearest_name, suggest};
use crate::span::{Sources, Span};

/// A value of the configuration, which remembers where it comes from and whether it is carried over.
#[derive(Clone, Debug)]
pub(super) struct PlacedValue<T> {
    value: T,
    pub(super) span: Span,
    /// The node of the tree that the value was read from.
    node: NodeId,
    /// The nodes that are carried over; all values share this set.
    used: UsedNodes,
}

impl<T> PlacedValue<T> {
    fn new(value: T, node: &ConfigNode, findings: &ImportFindings<'_>) -> Self {
        Self { value, span: node.span, node: node_id(node), used: findings.used.clone() }
    }

    /// Returns the value, and marks it as carried over.
    pub(super) fn value(&self) -> &T {
        self.used.0.borrow_mut().insert(self.node);
        &self.value
    }

    /// Returns the value without marking it as carried over.
    pub(super) fn peek(&self) -> &T {
        &self.value
    }

    /// Converts the value. The result has the same span, and marks the same node as carried over.
    pub(super) fn map<U>(self, make: impl FnOnce(T) -> U) -> PlacedValue<U> {
        PlacedValue { value: make(self.value), span: self.span, node: self.node, used: self.used }
    }
}

/// The identity of a node: its address in memory. An alias is a copy of a node, with an address of its own.
type NodeId = usize;

fn node_id(node: &ConfigNode) -> NodeId {
    std::ptr::from_ref(node).addr()
}

/// The nodes whose values are carried over.
#[derive(Clone, Default, Debug)]
struct UsedNodes(Rc<RefCell<BTreeSet<NodeId>>>);

/// The mistakes and notes so far, and which values are carried over.
#[derive(Debug)]
pub(super) struct ImportFindings<'s> {
    pub(super) sources: &'s Sources,
    /// The program whose configuration is read: `conclaude`.
    program: &'static str,
    notation: ConfigNotation,
    /// The rank of the notes on the values that are being converted now.
    pub(super) rank: NoteRank,
    /// The mistakes. If there is one, no policy results.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The notes on values that are left out, or mean something else in the policy.
    pub(super) notes: Vec<ImportNote>,
    /// The nodes that are carried over.
    used: UsedNodes,
    /// The spans of values that a note already reports as left out, with everything in them.
    left_out: Vec<Span>,
}

impl<'s> ImportFindings<'s> {
    pub(super) fn new(sources: &'s Sources, program: &'static str, notation: ConfigNotation) -> Self {
        Self {
            sources,
            program,
            notation,
            rank: NoteRank::Text,
            diagnostics: Vec::new(),
            notes: Vec::new(),
            used: UsedNodes::default(),
            left_out: Vec::new(),
        }
    }

    /// Returns a phrase with the line of a span: `in line 7`.
    pub(super) fn line(&self, span: Span) -> String {
        let line = self.sources.file(span).map_or(0, |source| source.line_column(span.start).0);
        format!("in line {line}")
    }

    /// Reports a value that the program of the configuration would reject.
    pub(super) fn report_invalid(&mut self, span: Span, message: &str, label: &str, help: &str) {
        self.diagnostics.push(Diagnostic::new(Code::IMPORT_VALUE, message).label(span, label).help(help));
    }

    /// Adds a note on a value that is not carried over unchanged.
    pub(super) fn add_note(&mut self, span: Span, text: impl Into<String>) {
        self.notes.push(ImportNote { span, rank: self.rank, text: text.into() });
    }

    /// Adds a note on a value that is left out with everything in it.
    pub(super) fn leave_out(&mut self, span: Span, text: impl Into<String>) {
        self.left_out.push(span);
        self.add_note(span, text);
    }

    /// Adds a note on every value of a tree that is not carried over, at any depth.
    pub(super) fn note_unused(&mut self, node: &ConfigNode, path: &str) {
        match &node.kind {
            ConfigValue::Null => {}
            ConfigValue::List(elements) => elements.iter().for_each(|element| self.note_unused(element, path)),
            ConfigValue::Map(entries) => {
                for (key, value) in entries {
                    let name = match &key.kind {
                        ConfigValue::Text(name) | ConfigValue::Number(name) => name.as_str(),
                        _ => "",
                    };
                    let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                    self.note_unused(value, &path);
                }
            }
            ConfigValue::Boolean(_) | ConfigValue::Number(_) | ConfigValue::Text(_) => {
                let is_used = self.used.0.borrow().contains(&node_id(node));
                if !is_used && !self.left_out.iter().any(|span| span.contains(node.span)) {
                    self.add_note(node.span, format!("`{path}`: has no equivalent here; left out"));
                }
            }
        }
    }

    /// Reports a value that is not of the expected kind, such as `a list`.
    fn report_kind(&mut self, node: &ConfigNode, path: &str, expected: &str, help: &str) {
        let message = format!("`{path}` is {expected}");
        let found =
            Diagnostic::new(Code::IMPORT_KIND, message).label(node.span, format!("this is {}", node.kind.noun()));
        self.diagnostics.push(found.help(help));
    }
}

/// A mapping whose values are read key by key.
pub(super) struct MappingReader<'n> {
    /// The full name of the mapping, such as `stop.commands`; empty for the whole configuration.
    path: String,
    span: Span,
    entries: &'n [(ConfigNode, ConfigNode)],
    /// The keys that have been looked up.
    read_keys: Vec<&'static str>,
}

impl<'n> MappingReader<'n> {
    /// Opens a mapping; null counts as an empty one. Reports any other value, and returns `None`.
    pub(super) fn new(node: &'n ConfigNode, path: impl Into<String>, findings: &mut ImportFindings) -> Option<Self> {
        let path = path.into();
        let entries: &[(ConfigNode, ConfigNode)] = match &node.kind {
            ConfigValue::Map(entries) => entries,
            ConfigValue::Null => &[],
            _ => {
                findings.report_kind(node, &path, "a mapping", findings.notation.mapping());
                return None;
            }
        };
        Some(Self { path, span: node.span, entries, read_keys: Vec::new() })
    }

    /// Returns the span of the mapping.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Returns the full name of a key of this mapping: `stop.commands`.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Returns the value of a key, and marks the key as looked up; `None` if the key is missing or its value is null.
    pub(super) fn node(&mut self, key: &'static str) -> Option<&'n ConfigNode> {
        self.read_keys.push(key);
        let found = self.entries.iter().find(|(name, _)| matches!(&name.kind, ConfigValue::Text(text) if text == key));
        found.map(|(_, value)| value).filter(|value| value.kind != ConfigValue::Null)
    }

    /// Returns the mapping at a key. `None` if there is no value, or if it is not a mapping, which is reported.
    pub(super) fn table(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<MappingReader<'n>> {
        let node = self.node(key)?;
        MappingReader::new(node, self.path_of(key), findings)
    }

    /// Returns the elements of the list at a key. Empty if there is no value, or if it is not a list, which is
    /// reported.
    pub(super) fn list(&mut self, key: &'static str, findings: &mut ImportFindings) -> &'n [ConfigNode] {
        let path = self.path_of(key);
        self.node(key).map_or(&[], |node| list(node, &path, findings))
    }

    /// Returns the text at a key. `None` if there is no value, or if it is not a text, which is reported.
    pub(super) fn text(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<PlacedValue<String>> {
        let node = self.node(key)?;
        text(node, &self.path_of(key), findings)
    }

    /// Returns the text at a required key. Reports a missing or blank text, and returns `None`.
    pub(super) fn required(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<PlacedValue<String>> {
        if self.node(key).is_none() {
            let found = Diagnostic::new(Code::IMPORT_MISSING, format!("`{}` is missing", self.path_of(key)));
            let found = found.label(self.span, format!("`{key}` is missing here"));
            findings.diagnostics.push(found.help(format!("add `{}`", findings.notation.entry(key))));
            return None;
        }
        let text = self.text(key, findings)?;
        if text.peek().trim().is_empty() {
            findings.report_invalid(text.span, &format!("`{}` is empty", self.path_of(key)), "empty", "add a value");
            return None;
        }
        Some(text)
    }

    /// Returns the texts of the list at a key. Reports and skips elements that are not texts.
    pub(super) fn texts(&mut self, key: &'static str, findings: &mut ImportFindings) -> Vec<PlacedValue<String>> {
        let path = self.path_of(key);
        self.list(key, findings).iter().filter_map(|node| text(node, &path, findings)).collect()
    }

    /// Returns the boolean at a key. `None` if there is no value, or if it is not a boolean, which is reported.
    pub(super) fn boolean(&mut self, key: &'static str, findings: &mut ImportFindings) -> Option<PlacedValue<bool>> {
        let node = self.node(key)?;
        match node.kind {
            ConfigValue::Boolean(value) => Some(PlacedValue::new(value, node, findings)),
            _ => {
                findings.report_kind(node, &self.path_of(key), "a boolean", "write `true` or `false`, without quotes");
                None
            }
        }
    }

    /// Returns the integer at a key. `None` if there is no value, or if it is not an integer in the range, which is
    /// reported.
    pub(super) fn number(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
        findings: &mut ImportFindings,
    ) -> Option<PlacedValue<u32>> {
        let node = self.node(key)?;
        let ConfigValue::Number(digits) = &node.kind else {
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

    /// Adds a note on every key that has not been looked up.
    pub(super) fn note_unread_keys(self, findings: &mut ImportFindings) {
        for (key, value) in self.entries {
            let name = match &key.kind {
                ConfigValue::Text(name) | ConfigValue::Number(name) => name.as_str(),
                ConfigValue::Boolean(true) => "true",
                ConfigValue::Boolean(false) => "false",
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
            let program = findings.program;
            let hint = near.map_or_else(String::new, |near| format!(" ({program} has `{near}`)"));
            findings.leave_out(
                key.span.joined_with(value.span),
                format!("`{path}`: not a key of {program}{hint}; left out"),
            );
        }
    }
}

/// Returns the elements of a list; null counts as an empty one. Reports any other value, and returns an empty list.
pub(super) fn list<'n>(node: &'n ConfigNode, path: &str, findings: &mut ImportFindings) -> &'n [ConfigNode] {
    match &node.kind {
        ConfigValue::List(elements) => elements,
        ConfigValue::Null => &[],
        _ => {
            findings.report_kind(node, path, "a list", findings.notation.list());
            &[]
        }
    }
}

/// Returns the text of a node. Reports any other value, and a text with a NUL, and returns `None`.
pub(super) fn text(node: &ConfigNode, path: &str, findings: &mut ImportFindings) -> Option<PlacedValue<String>> {
    match &node.kind {
        ConfigValue::Text(text) if text.contains('\0') => {
            findings.report_invalid(
                node.span,
                &format!("`{path}` holds a NUL"),
                "no program accepts it",
                "remove `\\0`",
            );
            None
        }
        ConfigValue::Text(text) => Some(PlacedValue::new(text.clone(), node, findings)),
        _ => {
            findings.report_kind(node, path, "a string", "write it in quotes");
            None
        }
    }
}

/// Looks up a text in a table of words and their meanings, ignoring case. Reports any other text, and returns `None`.
pub(super) fn word<T: Copy>(
    text: PlacedValue<String>,
    words: &[(&str, T)],
    key: &str,
    findings: &mut ImportFindings,
) -> Option<PlacedValue<T>> {
    let meaning = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&text.value));
    if meaning.is_none() {
        let shown: String = text.value.escape_debug().take(20).collect();
        let message = format!("`{key}` is never `{shown}`");
        let found = Diagnostic::new(Code::IMPORT_VALUE, message).label(text.span, "not one of its values");
        let help = suggest("value", &text.value, words.iter().map(|(word, _)| *word));
        findings.diagnostics.push(found.help_if_any(help));
    }
    meaning.map(|(_, value)| text.map(|_| *value))
}
