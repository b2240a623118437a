//! Compiles `record "FILE" { key: value, field }`.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::record_place::locate;
use crate::ruleset::{DerivedField, RecordSpec, RecordValue, ValueReference};
use crate::span::Span;
use crate::syntax::ast::{self, MapKey, ValueKind};

use super::names::{NameDefinition, ScopedValue};
use super::template::TextScope;
use super::values::{compile_literal, kind_noun};
use super::{field, json_path};

/// Compiles a record; `None` if it has no fields. Fields with mistakes are reported and omitted.
pub(super) fn compile_record<'a>(
    texts: &TextScope<'_, 'a>,
    file: &'a ast::StringLiteral,
    map: Option<&'a ast::MapLiteral>,
    verb: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RecordSpec> {
    check_place(file, diagnostics);
    let Some(map) = map.filter(|map| !map.entries.is_empty()) else {
        diagnostics.push(
            Diagnostic::new(Code::BAD_VALUE, "`record` without fields")
                .label(verb, "expected fields here")
                .help("write `record \"FILE\" { session_id, at: now }`"),
        );
        return None;
    };
    let mut fields: Vec<(String, RecordValue)> = Vec::new();
    let mut keys = BTreeSet::new();
    for entry in &map.entries {
        let Some((key, value)) = record_field(texts, entry, diagnostics) else { continue };
        if !keys.insert(key.clone()) {
            diagnostics.push(
                Diagnostic::new(Code::DUPLICATE_CLAUSE, format!("`{key}` appears twice"))
                    .label(entry.span, "the second")
                    .help("give it another key: `other: field`"),
            );
        }
        fields.push((key, value));
    }
    Some(RecordSpec { file: texts.template(file, diagnostics), fields })
}

/// Reports a file that may not be below `.rules/log/` or the state directory, whatever its placeholders become.
fn check_place(file: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) {
    if let Err(misplaced) = locate(&file.value) {
        diagnostics.push(
            Diagnostic::new(Code::RECORD_PLACE, format!("a record cannot be written to {misplaced}"))
                .label(file.span, "not a place for records")
                .help(misplaced.help()),
        );
    }
}

/// Compiles one field to its key and its value; `None` if a mistake was reported.
fn record_field<'a>(
    texts: &TextScope<'_, 'a>,
    entry: &'a ast::MapEntry,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(String, RecordValue)> {
    let key = match (&entry.key, &entry.value) {
        // The short form has no key, so the key is the last segment of the name.
        (MapKey::Name(name), None) => {
            let key = name.segments.last()?.text.clone();
            return Some((key, record_reference(texts, name, diagnostics)?));
        }
        (MapKey::Name(name), Some(_)) => name.text(),
        (MapKey::Text(text), Some(_)) => text.value.clone(),
        _ => {
            diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "a key of a record must be a name")
                    .label(entry.span, "not a key")
                    .help("write `key: value`, or a field alone"),
            );
            return None;
        }
    };
    let value = entry.value.as_ref()?;
    let compiled = match &value.kind {
        ValueKind::Text(text) => RecordValue::Text(texts.template(text, diagnostics)),
        ValueKind::Null => RecordValue::Null,
        ValueKind::Name(name) => record_reference(texts, name, diagnostics)?,
        ValueKind::JsonPath(path) => match json_path::compile_json_path(path) {
            Ok(typed) => RecordValue::Source(typed.source),
            Err(error) => {
                diagnostics.push(*error);
                return None;
            }
        },
        kind => match compile_literal(kind) {
            Some(literal) => RecordValue::Literal(literal),
            None => {
                diagnostics.push(unrecordable_value(value.span, kind_noun(kind)));
                return None;
            }
        },
    };
    Some((key, compiled))
}

/// Compiles a value that is a name: a field, a fact, a `let` or `now`.
fn record_reference<'a>(
    texts: &TextScope<'_, 'a>,
    name: &'a ast::FieldName,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RecordValue> {
    if let Some(single) = name.as_single_name() {
        if single.text == "now" {
            return Some(RecordValue::Source(ValueReference::Derived(DerivedField::Now)));
        }
        if let Some(NameDefinition::Let(scoped)) = texts.names.definition(texts.file, &single.text) {
            let ScopedValue { value, .. } = texts.names.resolve_lets(scoped, diagnostics);
            let constant = compile_literal(&value.kind).map(RecordValue::Literal);
            if constant.is_none() {
                diagnostics.push(unrecordable_value(value.span, kind_noun(&value.kind)));
            }
            return constant;
        }
        if let Some(NameDefinition::Def(..) | NameDefinition::Mark(..)) =
            texts.names.definition(texts.file, &single.text)
        {
            diagnostics.push(unrecordable_value(name.span, "a condition"));
            return None;
        }
    }
    if let Some(captured) = texts.names.captures.resolve(name) {
        let source = captured.map(|typed| RecordValue::Source(typed.source));
        return source.map_err(|error| diagnostics.push(*error)).ok();
    }
    match field::resolve_placeholder(name, texts.head, &|| texts.names.visible_names(texts.file)) {
        Ok(typed) => Some(RecordValue::Source(typed.in_zone(texts.names.zone()).source)),
        Err(_) if texts.head.events.is_empty() => None,
        Err(error) => {
            texts.names.account.report_unknown(name.span, *error, diagnostics);
            None
        }
    }
}

/// Returns the finding about a value that a record cannot contain.
fn unrecordable_value(span: Span, kind: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_VALUE, format!("a record cannot hold {kind}"))
        .label(span, "not a value to write")
        .help("write a field, a string, a number or a boolean")
}
