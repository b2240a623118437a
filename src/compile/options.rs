//! The `{ key: value }` after an effect: known keys, the right types, each once.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast::{self, Key, ValueKind};
use crate::syntax::{foreign_option, with_unit};

use super::values::kind_word;

/// The options of one effect, by name.
pub(super) struct Options<'a> {
    entries: BTreeMap<String, &'a ast::Value>,
}

impl<'a> Options<'a> {
    /// Reads a map whose keys are among `known`.
    pub(super) fn new(
        map: Option<&'a ast::Map>,
        effect: &str,
        known: &[&str],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut entries = BTreeMap::new();
        for entry in map.iter().flat_map(|map| &map.entries) {
            let Some((name, value)) = read(entry, diagnostics) else { continue };
            if !known.contains(&name.as_str()) {
                diagnostics.push(unknown(entry, &name, effect, known));
            } else if entries.insert(name.clone(), value).is_some() {
                diagnostics.push(
                    Diagnostic::new(Code::DUPLICATE_CLAUSE, format!("`{name}` appears twice"))
                        .label(entry.span, "the second")
                        .help("remove one of them"),
                );
            }
        }
        Self { entries }
    }

    /// Returns an option as it was written.
    pub(super) fn get(&self, name: &str) -> Option<&'a ast::Value> {
        self.entries.get(name).copied()
    }

    /// Returns a boolean, `false` without one.
    pub(super) fn flag(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let Some(value) = self.get(name) else { return false };
        match value.kind {
            ValueKind::Boolean(truth) => truth,
            _ => {
                diagnostics.push(wrong(name, value, "a boolean", "write `true` or `false`"));
                false
            }
        }
    }

    /// Returns a text.
    pub(super) fn text(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<&'a ast::Text> {
        let value = self.get(name)?;
        match &value.kind {
            ValueKind::Text(text) => Some(text),
            _ => {
                diagnostics.push(wrong(name, value, "a string", "write it in quotes"));
                None
            }
        }
    }

    /// Returns one of the option's own words.
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        let value = self.get(name)?;
        let list = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let given = match &value.kind {
            ValueKind::Name(name) => name.text(),
            ValueKind::Text(text) => text.value.clone(),
            _ => {
                diagnostics.push(wrong(name, value, "a word", &format!("write one of {list}")));
                return None;
            }
        };
        if let Some((_, found)) = words.iter().find(|(word, _)| *word == given) {
            return Some(*found);
        }
        let near = nearest(&given, words.iter().map(|(word, _)| *word));
        let diagnostic = Diagnostic::new(Code::BAD_VALUE, format!("`{name}` is never `{given}`"))
            .label(value.span, "not one of its values")
            .help(format!("write one of {list}"));
        diagnostics.push(match near {
            Some(near) => diagnostic.fix(value.span, near),
            None => diagnostic,
        });
        None
    }

    /// Returns a duration over zero.
    pub(super) fn duration(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Duration> {
        let value = self.get(name)?;
        match &value.kind {
            ValueKind::Duration(duration, _) if !duration.is_zero() => Some(*duration),
            // A number with a unit was reported where it was read.
            ValueKind::Number(_, digits) if digits.contains(|c: char| c.is_ascii_alphabetic()) => None,
            ValueKind::Number(_, digits) => {
                diagnostics.push(wrong(
                    name,
                    value,
                    "a duration",
                    &format!("write the unit: {digits}s, or {digits}ms"),
                ));
                None
            }
            ValueKind::Text(text) if with_unit(&text.value).is_some() => {
                let right = with_unit(&text.value).unwrap_or_default();
                diagnostics.push(wrong(name, value, "a duration", &format!("write `{right}`")).fix(value.span, &right));
                None
            }
            _ => {
                diagnostics.push(wrong(name, value, "a duration", "write a number with its unit: 500ms, 30s, 5m, 1h"));
                None
            }
        }
    }

    /// Returns a whole number of at least 1. One that is too large becomes the largest: it bounds nothing either.
    pub(super) fn count(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<u32> {
        let value = self.get(name)?;
        if let ValueKind::Number(_, digits) = &value.kind
            && let Some(count @ 1..) = whole(digits)
        {
            return Some(count);
        }
        let mut finding = wrong(name, value, "a whole number of at least 1", "write 1 or more");
        if let (ValueKind::Number(number, _), Some(label)) = (&value.kind, finding.labels.first_mut()) {
            label.text = if *number < 1.0 { "less than 1" } else { "not whole" }.to_owned();
        }
        diagnostics.push(finding);
        None
    }

    /// Returns a map of names to texts.
    pub(super) fn map(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, &'a ast::Text)> {
        let Some(value) = self.get(name) else { return Vec::new() };
        let ValueKind::Map(map) = &value.kind else {
            diagnostics.push(wrong(name, value, "a map", "write { NAME: \"value\" }"));
            return Vec::new();
        };
        let mut out = Vec::new();
        for entry in &map.entries {
            let Some((key, value)) = read(entry, diagnostics) else { continue };
            match &value.kind {
                ValueKind::Text(text) => out.push((key, text)),
                _ => diagnostics.push(wrong(&key, value, "a string", "write it in quotes")),
            }
        }
        out
    }
}

/// Reads digits as a number, the largest that there is if it is larger; `None` for anything else than digits.
fn whole(digits: &str) -> Option<u32> {
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| digits.parse().unwrap_or(u32::MAX))
}

fn read<'a>(entry: &'a ast::MapEntry, diagnostics: &mut Vec<Diagnostic>) -> Option<(String, &'a ast::Value)> {
    let name = match &entry.key {
        Key::Name(name) => Some(name.text()),
        Key::Text(text) => Some(text.value.clone()),
        Key::File(..) => None,
    };
    match (name, &entry.value) {
        (Some(name), Some(value)) => Some((name, value)),
        _ => {
            diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "missing value of an option")
                    .label(entry.span, "only `record` takes a name without a value")
                    .help("write `name: value`"),
            );
            None
        }
    }
}

fn unknown(entry: &ast::MapEntry, name: &str, effect: &str, known: &[&str]) -> Diagnostic {
    let span = match &entry.key {
        Key::Name(name) => name.span,
        Key::Text(text) => text.span,
        Key::File(_, _, span) => *span,
    };
    if known.is_empty() {
        return Diagnostic::new(Code::UNKNOWN_OPTION, format!("`{effect}` takes no options"))
            .label(span, "not an option")
            .help("remove the braces");
    }
    let found = Diagnostic::new(Code::UNKNOWN_OPTION, format!("`{effect}` has no option `{name}`"))
        .label(span, "not an option")
        .help(format!("valid: {}", known.join(", ")));
    match foreign_option(name).filter(|option| known.contains(option)) {
        Some(option) => found.help(format!("the option is called `{option}`")).fix(span, option),
        None => found.meant(span, "option", name, known.iter().copied()),
    }
}

fn wrong(name: &str, value: &ast::Value, wanted: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_VALUE, format!("`{name}` is {wanted}"))
        .label(value.span, format!("this is {}", kind_word(&value.kind)))
        .help(help)
}
