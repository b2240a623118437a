//! Prints values so that they parse to the same value.

use super::Printer;
use crate::syntax::ast::{
    AstElement, AstValue, FieldName, MapEntry, MapKey, MapLiteral, QuoteStyle, StringLiteral, ValueKind,
};
use crate::syntax::quote::{block_literal, escape_value};

impl Printer<'_> {
    /// Prints a value; a number, duration or size as it is in the source.
    pub(super) fn value(&mut self, value: &AstValue) {
        match &value.kind {
            ValueKind::Text(text) => self.text(text),
            ValueKind::Number(_, written) | ValueKind::Duration(_, written) | ValueKind::Size(_, written) => {
                self.source_token(value.span, written);
            }
            ValueKind::TimeRange(from, to) => {
                self.text(from);
                self.keyword("..");
                self.text(to);
            }
            ValueKind::Boolean(true) => self.source_token(value.span, "true"),
            ValueKind::Boolean(false) => self.source_token(value.span, "false"),
            ValueKind::Null => self.source_token(value.span, "null"),
            ValueKind::Regex(regex) => self.source_token(regex.span, format!("/{}/{}", regex.pattern, regex.flags)),
            ValueKind::List(elements) => {
                self.bracketed_elements(("[", "", "]"), elements, |printer, element| match element {
                    AstElement::Value(value) => printer.value(value),
                    AstElement::Spread(name) => printer.source_token(name.span, format!("...{}", name.text)),
                })
            }
            ValueKind::Map(map) => self.map(map),
            ValueKind::Name(name) => self.field(name),
            ValueKind::JsonPath(path) => self.source_token(path.span, format!("`{}`", path.text)),
        }
    }

    /// Prints a dotted name.
    pub(super) fn field(&mut self, name: &FieldName) {
        self.source_token(name.span, name.text());
    }

    /// Prints a map in braces.
    pub(super) fn map(&mut self, map: &MapLiteral) {
        self.bracketed_elements(("{", " ", "}"), &map.entries, Self::entry);
    }

    /// Prints an entry of a map.
    fn entry(&mut self, entry: &MapEntry) {
        match &entry.key {
            MapKey::Name(name) => self.field(name),
            MapKey::Text(text) => self.text(text),
            MapKey::File(fact, text, _) => {
                self.fact(*fact);
                self.space();
                self.text(text);
            }
            MapKey::Tree(fact, text, _) => {
                self.field(fact);
                self.space();
                self.text(text);
            }
        }
        if let Some(value) = &entry.value {
            self.keyword(":");
            self.space();
            self.value(value);
        }
    }

    /// Returns a glob as the text of a selector, without quotes if possible. `written` is its source text.
    pub(super) fn glob(glob: &str, written: Option<&str>) -> String {
        let bare = |c: char| c.is_ascii_alphanumeric() || "_-.:*?[]!".contains(c);
        if !glob.is_empty() && !glob.starts_with('!') && glob.chars().all(bare) {
            return glob.to_owned();
        }
        Self::quoted(glob, written)
    }

    /// Returns a value in quotes: its source text if that was quoted, else a new literal.
    pub(super) fn quoted(value: &str, written: Option<&str>) -> String {
        match written.filter(|written| written.starts_with(['"', '\''])) {
            Some(written) => raw_to_double_quoted(value, written).unwrap_or_else(|| written.to_owned()),
            None => format!("\"{}\"", escape_value(value, &[], true)),
        }
    }

    /// Prints a string as it is in the source; a string in single quotes gets double quotes if it needs no escapes.
    pub(super) fn text(&mut self, text: &StringLiteral) {
        let written = match self.slice(text.span) {
            Some(written) => raw_to_double_quoted(&text.value, written).unwrap_or_else(|| written.to_owned()),
            None => self.literal(text),
        };
        self.source_token(text.span, written);
    }

    /// Returns a new literal for a string that has no source text.
    fn literal(&self, text: &StringLiteral) -> String {
        let placeholders: Vec<usize> = text.placeholders.iter().map(|placeholder| placeholder.range.start).collect();
        match text.quote {
            QuoteStyle::Raw
                if !is_plain(&text.value) && !text.value.contains(['\'', '\n', '\r', '\0', '\u{feff}', '\u{fffd}']) =>
            {
                format!("'{}'", text.value)
            }
            QuoteStyle::Block => {
                block_literal(&text.value, &placeholders, if self.open_groups.is_empty() { "" } else { "  " })
            }
            QuoteStyle::Raw | QuoteStyle::Double => format!("\"{}\"", escape_value(&text.value, &placeholders, true)),
        }
    }
}

/// Whether a value needs no escapes, so that both kinds of quotes give the same value.
fn is_plain(value: &str) -> bool {
    escape_value(value, &[], true) == value
}

/// Returns a string in double quotes, if its source text is in single quotes and it needs no escapes; else `None`.
fn raw_to_double_quoted(value: &str, written: &str) -> Option<String> {
    (written.starts_with('\'') && is_plain(value)).then(|| format!("\"{value}\""))
}
