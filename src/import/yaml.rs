//! Parses YAML to a tree with the span of every value. Only this module uses the types of the YAML parser.
//!
//! Supports what a configuration needs: one document of mappings, lists and scalars, and aliases. This module knows
//! neither keys nor the types of their values.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, options};

use super::node::{ConfigNode, ConfigValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{SourceFile, Span};

/// The maximum nesting depth of lists and mappings, with aliases expanded.
const MAX_DEPTH: usize = 32;

/// The maximum number of values in a file, with aliases expanded. Without this limit, aliases of aliases could double
/// the number with every line.
const MAX_NODES: usize = 10_000;

/// Parses a text. A text without any value is null.
///
/// # Errors
/// The first position at which the text is not YAML, or not supported: a tag, a second document, a duplicate key, an
/// alias within its own anchor, too many or too deeply nested values.
pub(super) fn parse(source: &SourceFile) -> Result<ConfigNode, Box<Diagnostic>> {
    let limits = options! {
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = YamlBuilder { source, open: Vec::new(), anchors: BTreeMap::new(), nodes: 0, root: None };
    for event in Parser::new_from_str_with_options(&source.text, limits) {
        let (event, span) = event.map_err(|error| builder.syntax_error(&error))?;
        let span = builder.span(span.byte_range().unwrap_or_default());
        builder.handle_event(event, span)?;
    }
    let start = Span::new(source.id, 0, 0);
    Ok(builder.root.unwrap_or(ConfigNode { kind: ConfigValue::Null, span: start }))
}

/// A list or mapping whose end has not been reached.
struct OpenCollection {
    /// The parser's number for the anchor of the list or mapping; 0 if it has none.
    anchor: usize,
    start: Span,
    content: CollectionContent,
    /// The nesting depth of its elements so far.
    height: usize,
}

/// The elements of an open list, or the entries of an open mapping and a key without its value.
enum CollectionContent {
    /// The elements of a list so far.
    List(Vec<ConfigNode>),
    /// The complete entries of a mapping so far, and a key whose value has not been reached.
    Map { entries: Vec<(ConfigNode, ConfigNode)>, key: Option<ConfigNode> },
}

/// Builds the tree from the events of the YAML parser.
struct YamlBuilder<'s> {
    source: &'s SourceFile,
    /// The lists and mappings that contain the current position, the innermost last.
    open: Vec<OpenCollection>,
    /// The value of each anchor so far, and the value's nesting depth.
    anchors: BTreeMap<usize, (ConfigNode, usize)>,
    /// The number of values so far, with aliases expanded.
    nodes: usize,
    root: Option<ConfigNode>,
}

impl YamlBuilder<'_> {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.source.id, range.start, range.end.max(range.start))
    }

    /// Adds the value of a parser event to the tree, or opens or closes a list or mapping.
    fn handle_event(&mut self, event: Event<'_>, span: Span) -> Result<(), Box<Diagnostic>> {
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                Err(refusal(span, "a second document", "a configuration is one document", "remove the `---`"))
            }
            Event::Alias(anchor) => {
                let Some((node, height)) = self.anchors.get(&anchor).cloned() else {
                    let message = "an alias within what it names";
                    return Err(refusal(span, message, "never ends", "write the value out"));
                };
                // An alias counts like a copy of its value.
                self.count_nodes(node_size(&node), span)?;
                self.add_node(ConfigNode { span, ..node }, height)
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = tag.as_ref().is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix() == "str");
                if tag.is_some() && !is_text {
                    return Err(tag_finding(span));
                }
                self.count_nodes(1, span)?;
                let plain = style == ScalarStyle::Plain && !is_text;
                let kind = if plain { plain_kind(&text) } else { ConfigValue::Text(text.into_owned()) };
                let node = ConfigNode { kind, span };
                if anchor > 0 {
                    self.anchors.insert(anchor, (node.clone(), 0));
                }
                self.add_node(node, 0)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.open_collection(anchor, tag.is_some(), span, CollectionContent::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, tag) => self.open_collection(
                anchor,
                tag.is_some(),
                span,
                CollectionContent::Map { entries: Vec::new(), key: None },
            ),
            Event::SequenceEnd | Event::MappingEnd => self.close_collection(span),
            _ => Ok(()),
        }
    }

    /// Begins a list or a mapping; a tag is an error.
    fn open_collection(
        &mut self,
        anchor: usize,
        is_tagged: bool,
        start: Span,
        content: CollectionContent,
    ) -> Result<(), Box<Diagnostic>> {
        if is_tagged {
            return Err(tag_finding(start));
        }
        self.count_nodes(1, start)?;
        self.open.push(OpenCollection { anchor, start, content, height: 0 });
        Ok(())
    }

    /// Completes the innermost list or mapping, and adds it to its parent.
    fn close_collection(&mut self, end: Span) -> Result<(), Box<Diagnostic>> {
        let Some(closed) = self.open.pop() else { return Ok(()) };
        let kind = match closed.content {
            CollectionContent::List(elements) => ConfigValue::List(elements),
            CollectionContent::Map { entries, .. } => ConfigValue::Map(entries),
        };
        let node = ConfigNode { kind, span: closed.start.joined_with(end) };
        let height = closed.height + 1;
        if closed.anchor > 0 {
            self.anchors.insert(closed.anchor, (node.clone(), height));
        }
        self.add_node(node, height)
    }

    /// Adds a complete value to its parent, or makes it the root.
    fn add_node(&mut self, node: ConfigNode, height: usize) -> Result<(), Box<Diagnostic>> {
        if self.open.len() + height > MAX_DEPTH {
            return Err(refusal(node.span, "nested too deep", "one too many", "write fewer aliases of aliases"));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        parent.height = parent.height.max(height);
        match &mut parent.content {
            CollectionContent::List(elements) => elements.push(node),
            CollectionContent::Map { entries, key } => match key.take() {
                None => {
                    if let Some((first, _)) = entries.iter().find(|(known, _)| known.kind == node.kind) {
                        let found = Diagnostic::new(Code::IMPORT_SYNTAX, "a key appears twice in a mapping");
                        let found = found.label(node.span, "the second").label(first.span, "the first");
                        return Err(Box::new(found.help("remove one of them")));
                    }
                    *key = Some(node);
                }
                Some(key) => entries.push((key, node)),
            },
        }
        Ok(())
    }

    /// Adds to the count of values; fails if there are too many.
    fn count_nodes(&mut self, more: usize, span: Span) -> Result<(), Box<Diagnostic>> {
        self.nodes = self.nodes.saturating_add(more);
        if self.nodes > MAX_NODES {
            let message = format!("more than {MAX_NODES} values");
            return Err(refusal(span, &message, "one too many", "write fewer aliases of aliases"));
        }
        Ok(())
    }

    /// Returns the finding about a text that the parser rejects.
    fn syntax_error(&self, error: &ScanError) -> Box<Diagnostic> {
        let offset = error.marker().byte_offset().unwrap_or(self.source.text.len()).min(self.source.text.len());
        // At the end of the text, there is no character to mark.
        let width = self.source.text.get(offset..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let first = error.info().lines().next().unwrap_or_default().to_owned();
        let mut message: String = format!("not YAML: {first}").chars().take(72).collect();
        message.truncate(message.trim_end_matches('.').len());
        let found =
            Diagnostic::new(Code::IMPORT_SYNTAX, message).label(self.span(offset..offset + width), "at this place");
        Box::new(found.help("indent with spaces, and quote a text that contains `: `, ` #`, `*`, `{`, `[` or `!`"))
    }
}

/// Returns the number of values in a value, including the value itself. A long text counts as several, because aliases
/// copy it.
fn node_size(node: &ConfigNode) -> usize {
    match &node.kind {
        ConfigValue::Text(text) => 1 + text.len() / 256,
        ConfigValue::List(elements) => elements.iter().map(node_size).sum::<usize>() + 1,
        ConfigValue::Map(entries) => {
            entries.iter().map(|(key, value)| node_size(key) + node_size(value)).sum::<usize>() + 1
        }
        _ => 1,
    }
}

/// Returns the value of an unquoted scalar.
fn plain_kind(text: &str) -> ConfigValue {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ConfigValue::Null,
        "true" | "True" | "TRUE" => ConfigValue::Boolean(true),
        "false" | "False" | "FALSE" => ConfigValue::Boolean(false),
        _ if digits.starts_with(|c: char| c.is_ascii_digit()) && digits.parse::<f64>().is_ok() => {
            ConfigValue::Number(text.to_owned())
        }
        _ => ConfigValue::Text(text.to_owned()),
    }
}

fn tag_finding(span: Span) -> Box<Diagnostic> {
    refusal(span, "a tag", "tags are not supported", "write the value without it")
}

fn refusal(span: Span, message: &str, label: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::IMPORT_SYNTAX, message).label(span, label).help(help))
}

#[cfg(test)]
mod tests;
