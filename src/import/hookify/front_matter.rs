//! Reads the front matter of a rule line by line, as hookify does. It is not YAML: a value is the rest of its line
//! without its outer quotes, so `pattern: "rm\s+-rf"` is `rm\s+-rf`.

use crate::diagnostic::{Code, Diagnostic};
use crate::import::node::{ConfigNode, ConfigValue};
use crate::span::{SourceFile, Span};

/// The front matter of a file, and the text below it.
pub(super) struct FrontMatter {
    pub(super) values: ConfigNode,
    pub(super) message: String,
}

/// The line that begins and ends the front matter.
const FENCE: &str = "---";

/// Splits a file into its front matter and its message.
///
/// # Errors
/// There is no front matter, or one of its lines is neither `key: value` nor an element of a list.
pub(super) fn parse(source: &SourceFile) -> Result<FrontMatter, Box<Diagnostic>> {
    let text = source.text.as_str();
    let mut lines = PlacedLines { source, at: 0 };
    let is_fence = |line: &PlacedLine<'_>| line.text.trim_end() == FENCE;
    let Some(first) = lines.next().filter(is_fence) else {
        let span = super::super::start_of_file(source);
        let help = "begin the file with `---`, the keys, and `---`";
        return Err(refusal(span, "a rule of hookify without front matter", "no `---` here", help));
    };
    let mut reader = FrontMatterReader { entries: Vec::new() };
    for line in lines.by_ref() {
        if is_fence(&line) {
            let message = text.get(line.start + line.text.len()..).unwrap_or_default().to_owned();
            let span = Span::new(source.id, first.start, line.start + FENCE.len());
            return Ok(FrontMatter { values: ConfigNode { kind: ConfigValue::Map(reader.entries), span }, message });
        }
        reader.add(source, &line)?;
    }
    let span = Span::new(source.id, first.start, first.start + FENCE.len());
    Err(refusal(span, "front matter without an end", "begins here", "end it with a line `---`"))
}

/// A line and the offset of its first byte.
struct PlacedLine<'s> {
    start: usize,
    text: &'s str,
}

/// Iterates over the lines of a file.
struct PlacedLines<'s> {
    source: &'s SourceFile,
    at: usize,
}

impl<'s> Iterator for PlacedLines<'s> {
    type Item = PlacedLine<'s>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.source.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').unwrap_or(rest.len());
        let start = self.at;
        self.at += length + 1;
        Some(PlacedLine { start, text: rest.get(..length)?.trim_end_matches('\r') })
    }
}

/// Collects the keys and values of the front matter, line by line.
struct FrontMatterReader {
    entries: Vec<(ConfigNode, ConfigNode)>,
}

impl FrontMatterReader {
    /// Adds the key, value or list element of a line.
    fn add(&mut self, source: &SourceFile, line: &PlacedLine<'_>) -> Result<(), Box<Diagnostic>> {
        let stripped = line.text.trim();
        if stripped.is_empty() || stripped.starts_with('#') {
            return Ok(());
        }
        let indent = line.text.len() - line.text.trim_start().len();
        let start = line.start + indent;
        let line_span = || Span::new(source.id, start, start + stripped.len());
        if indent == 0 && !stripped.starts_with('-') {
            let Some((key, value)) = entry(source, start, stripped) else {
                let help = "write `key: value`, and the elements of a list as `- …` below their key";
                return Err(refusal(line_span(), "a line that is no `key: value`", "not a key", help));
            };
            if let Some((first, _)) = self.entries.iter().find(|(known, _)| known.kind == key.kind) {
                let found = Diagnostic::new(Code::IMPORT_SYNTAX, "a key appears twice in a mapping");
                let found = found.label(key.span, "the second").label(first.span, "the first");
                return Err(Box::new(found.help("remove one of them")));
            }
            self.entries.push((key, value));
            return Ok(());
        }
        let Some(list) = self.entries.last_mut().and_then(|(_, value)| list_of(value)) else {
            let help = "write elements only below a key without a value";
            return Err(refusal(line_span(), "an element without a list", "belongs to no key", help));
        };
        if let Some(element) = stripped.strip_prefix('-') {
            let skipped = stripped.len() - element.trim_start().len();
            list.push(element_of(source, start + skipped, element.trim_start()));
            return Ok(());
        }
        match (list.last_mut(), entry(source, start, stripped)) {
            (Some(ConfigNode { kind: ConfigValue::Map(entries), span }), Some(more)) => {
                *span = span.joined_with(more.1.span);
                entries.push(more);
                Ok(())
            }
            _ => {
                let help = "write `field: …`, `operator: …` and `pattern: …` below a `-`";
                Err(refusal(line_span(), "a line that belongs to no condition", "not read", help))
            }
        }
    }
}

/// Returns the elements of a list; a missing value becomes an empty list. `None` for any other value.
fn list_of(value: &mut ConfigNode) -> Option<&mut Vec<ConfigNode>> {
    if value.kind == ConfigValue::Null {
        value.kind = ConfigValue::List(Vec::new());
    }
    if let ConfigValue::List(elements) = &mut value.kind { Some(elements) } else { None }
}

/// Reads a list element: one entry such as `field: command`, several with commas between them, or a text.
fn element_of(source: &SourceFile, start: usize, text: &str) -> ConfigNode {
    let span = Span::new(source.id, start, start + text.len());
    if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return ConfigNode { span, ..element_of(source, start + 1, inner) };
    }
    let is_several = text.contains(':') && text.contains(',');
    let parts: Vec<&str> = if is_several { text.split(',').collect() } else { vec![text] };
    let mut entries = Vec::new();
    let mut at = start;
    for part in parts {
        let skipped = part.len() - part.trim_start().len();
        entries.extend(entry(source, at + skipped, part.trim()));
        at += part.len() + 1;
    }
    let kind =
        if entries.is_empty() { ConfigValue::Text(unquoted(text).to_owned()) } else { ConfigValue::Map(entries) };
    ConfigNode { kind, span }
}

/// Reads `key: value`; `None` if the text has no colon.
fn entry(source: &SourceFile, start: usize, text: &str) -> Option<(ConfigNode, ConfigNode)> {
    let (key, rest) = text.split_once(':')?;
    let key_span = Span::new(source.id, start, start + key.len());
    let key_node = ConfigNode { kind: ConfigValue::Text(key.trim().to_owned()), span: key_span };
    let value = rest.trim();
    let from = start + text.len() - rest.trim_start().len();
    let kind = match unquoted(value) {
        "" if value.is_empty() => ConfigValue::Null,
        word if word.eq_ignore_ascii_case("true") => ConfigValue::Boolean(true),
        word if word.eq_ignore_ascii_case("false") => ConfigValue::Boolean(false),
        other => ConfigValue::Text(other.to_owned()),
    };
    Some((key_node, ConfigNode { kind, span: Span::new(source.id, from, from + value.len()) }))
}

/// Removes any quotes around a value.
fn unquoted(value: &str) -> &str {
    value.trim_matches('"').trim_matches('\'')
}

fn refusal(span: Span, message: &str, label: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::IMPORT_SYNTAX, message).label(span, label).help(help))
}
