//! Values as text that reads back to the same value.

use super::Printer;
use crate::syntax::ast::{Element, Key, Map, MapEntry, Quote, Text, Value, ValueKind};
use crate::syntax::quote::{block, escape};

impl Printer {
    /// Prints a value; `indent` is that of the line it stands on, for block strings.
    pub(super) fn value(&mut self, value: &Value, indent: &str) {
        match &value.kind {
            ValueKind::Text(text) => self.text(text, indent),
            ValueKind::Number(_, written) | ValueKind::Duration(_, written) | ValueKind::Size(_, written) => {
                self.push(written);
            }
            ValueKind::Boolean(true) => self.push("true"),
            ValueKind::Boolean(false) => self.push("false"),
            ValueKind::Null => self.push("null"),
            ValueKind::Regex(regex) => self.push(&format!("/{}/{}", regex.pattern, regex.flags)),
            ValueKind::List(elements) => {
                self.push("[");
                self.joined(elements, ", ", |printer, element| match element {
                    Element::Value(value) => printer.value(value, indent),
                    Element::Spread(name) => printer.push(&format!("...{}", name.text)),
                });
                self.push("]");
            }
            ValueKind::Map(map) => self.map(map, indent),
            ValueKind::Name(name) => self.push(&name.text()),
            ValueKind::JsonPath(path) => self.push(&format!("`{}`", path.text)),
        }
    }

    pub(super) fn map(&mut self, map: &Map, indent: &str) {
        if map.entries.is_empty() {
            return self.push("{}");
        }
        self.push("{ ");
        self.joined(&map.entries, ", ", |printer, entry| printer.entry(entry, indent));
        self.push(" }");
    }

    fn entry(&mut self, entry: &MapEntry, indent: &str) {
        match &entry.key {
            Key::Name(name) => self.push(&name.text()),
            Key::Text(text) => self.text(text, indent),
            Key::File(fact, text, _) => {
                self.fact(*fact);
                self.push(" ");
                self.text(text, indent);
            }
        }
        if let Some(value) = &entry.value {
            self.push(": ");
            self.value(value, indent);
        }
    }

    /// Prints a glob bare where it can be.
    pub(super) fn glob(&mut self, glob: &str) {
        let bare = |c: char| c.is_ascii_alphanumeric() || "_-.:*?[]!".contains(c);
        if !glob.is_empty() && !glob.starts_with('!') && glob.chars().all(bare) {
            self.push(glob);
        } else {
            self.quoted(glob);
        }
    }

    /// Prints a value between double quotes.
    pub(super) fn quoted(&mut self, value: &str) {
        self.push("\"");
        let escaped = escape(value, &[], true);
        self.push(&escaped);
        self.push("\"");
    }

    pub(super) fn text(&mut self, text: &Text, indent: &str) {
        let placeholders: Vec<usize> = text.placeholders.iter().map(|placeholder| placeholder.range.start).collect();
        match text.quote {
            Quote::Raw if !text.value.contains(['\'', '\n', '\r', '\0', '\u{feff}', '\u{fffd}']) => {
                self.push(&format!("'{}'", text.value));
            }
            Quote::Block => {
                let body = block(&text.value, &placeholders, indent);
                self.push(&body);
            }
            Quote::Raw | Quote::Double => {
                self.push("\"");
                let escaped = escape(&text.value, &placeholders, true);
                self.push(&escaped);
                self.push("\"");
            }
        }
    }
}
