//! Prints values so that they parse to the same value.

use super::Printer;
use crate::syntax::ast::{Element, FieldName, Key, Map, MapEntry, Quote, Text, Value, ValueKind};
use crate::syntax::quote::{block, escape};

impl Printer<'_> {
    pub(super) fn value(&mut self, value: &Value) {
        match &value.kind {
            ValueKind::Text(text) => self.text(text),
            ValueKind::Number(_, written) | ValueKind::Duration(_, written) | ValueKind::Size(_, written) => {
                self.leaf(value.span, written);
            }
            ValueKind::Boolean(true) => self.leaf(value.span, "true"),
            ValueKind::Boolean(false) => self.leaf(value.span, "false"),
            ValueKind::Null => self.leaf(value.span, "null"),
            ValueKind::Regex(regex) => self.leaf(regex.span, format!("/{}/{}", regex.pattern, regex.flags)),
            ValueKind::List(elements) => self.bracketed(("[", "", "]"), elements, |printer, element| match element {
                Element::Value(value) => printer.value(value),
                Element::Spread(name) => printer.leaf(name.span, format!("...{}", name.text)),
            }),
            ValueKind::Map(map) => self.map(map),
            ValueKind::Name(name) => self.field(name),
            ValueKind::JsonPath(path) => self.leaf(path.span, format!("`{}`", path.text)),
        }
    }

    pub(super) fn field(&mut self, name: &FieldName) {
        self.leaf(name.span, name.text());
    }

    pub(super) fn map(&mut self, map: &Map) {
        self.bracketed(("{", " ", "}"), &map.entries, Self::entry);
    }

    fn entry(&mut self, entry: &MapEntry) {
        match &entry.key {
            Key::Name(name) => self.field(name),
            Key::Text(text) => self.text(text),
            Key::File(fact, text, _) => {
                self.fact(*fact);
                self.space();
                self.text(text);
            }
        }
        if let Some(value) = &entry.value {
            self.word(":");
            self.space();
            self.value(value);
        }
    }

    /// Returns a glob, without quotes if possible.
    pub(super) fn glob(glob: &str, written: Option<&str>) -> String {
        let bare = |c: char| c.is_ascii_alphanumeric() || "_-.:*?[]!".contains(c);
        if !glob.is_empty() && !glob.starts_with('!') && glob.chars().all(bare) {
            return glob.to_owned();
        }
        Self::quoted(glob, written)
    }

    /// Returns a quoted value, as written if it was quoted in the source.
    pub(super) fn quoted(value: &str, written: Option<&str>) -> String {
        match written.filter(|written| written.starts_with(['"', '\''])) {
            Some(written) => unraw(value, written).unwrap_or_else(|| written.to_owned()),
            None => format!("\"{}\"", escape(value, &[], true)),
        }
    }

    /// Prints a string as written, but with double quotes if they suffice.
    pub(super) fn text(&mut self, text: &Text) {
        let written = match self.slice(text.span) {
            Some(written) => unraw(&text.value, written).unwrap_or_else(|| written.to_owned()),
            None => self.literal(text),
        };
        self.leaf(text.span, written);
    }

    /// Returns the literal of a string without a source.
    fn literal(&self, text: &Text) -> String {
        let placeholders: Vec<usize> = text.placeholders.iter().map(|placeholder| placeholder.range.start).collect();
        match text.quote {
            Quote::Raw
                if !is_plain(&text.value) && !text.value.contains(['\'', '\n', '\r', '\0', '\u{feff}', '\u{fffd}']) =>
            {
                format!("'{}'", text.value)
            }
            Quote::Block => block(&text.value, &placeholders, if self.open.is_empty() { "" } else { "  " }),
            Quote::Raw | Quote::Double => format!("\"{}\"", escape(&text.value, &placeholders, true)),
        }
    }
}

/// Whether a value needs no escapes, so that both kinds of quotes give the same value.
fn is_plain(value: &str) -> bool {
    escape(value, &[], true) == value
}

/// Converts a raw string to double quotes, if they suffice.
fn unraw(value: &str, written: &str) -> Option<String> {
    (written.starts_with('\'') && is_plain(value)).then(|| format!("\"{value}\""))
}
