//! Finds values that `use … with` gives to a `let` that no remaining rule uses.

use std::collections::BTreeSet;

use super::FindingSink;
use super::visit_source::visit_names;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::policy::PolicyLayer;
use crate::span::{Sources, Span};
use crate::syntax::ast::{Exception, ItemKind, MapEntry, MapKey, Use, ValueKind};

/// Reports the entries of `use … with` that change nothing, in the files of a layer.
pub(super) fn check(layer: &PolicyLayer, sources: &Sources, findings: &mut FindingSink) {
    let files = &layer.files;
    for file in files.iter().filter(|file| file.pack.is_none()) {
        for (used, target) in file.loaded_uses() {
            findings.extend(used.except.iter().enumerate().filter_map(|(at, exception)| {
                let is_left_out =
                    |other: &Exception| other.narrowing.is_none() && other.rule.text == exception.rule.text;
                let others = used.except.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
                (exception.narrowing.is_some() && others.clone().any(is_left_out)).then(|| {
                    let name = &exception.rule.text;
                    Diagnostic::new(Code::UNUSED_DEFINITION, format!("`{name}` is left out, and excepted once more"))
                        .label(exception.rule.span, "changes nothing: the rule is left out as a whole")
                        .help("remove the one without a condition, or this one")
                })
            }));
            if let Some(map) = &used.with
                && let Some(names) = names_in_force(files, target, used)
            {
                let keys = map.entries.iter().filter_map(|entry| match &entry.key {
                    MapKey::Name(key) => key.as_single_name(),
                    MapKey::Text(_) | MapKey::File(..) | MapKey::Tree(..) => None,
                });
                for entry in &map.entries {
                    findings.extend(empty_value(entry));
                    findings.extend(files.get(target).and_then(|used_file| repeated_value(entry, used_file, sources)));
                }
                findings.extend(keys.filter(|key| !names.contains(key.text.as_str())).map(|key| {
                    Diagnostic::new(Code::UNUSED_DEFINITION, format!("nothing uses the `let` `{}` here", key.text))
                        .label(key.span, "changes nothing: the rules that use it are left out by `except`")
                        .help("remove it, or keep one of these rules")
                }));
            }
        }
    }
}

/// Returns the finding about an empty list: the tests that compare with it are never true.
fn empty_value(entry: &MapEntry) -> Option<Diagnostic> {
    let (MapKey::Name(key), Some(value)) = (&entry.key, &entry.value) else { return None };
    let is_empty = matches!(&value.kind, ValueKind::List(elements) if elements.is_empty());
    is_empty.then(|| {
        Diagnostic::new(Code::CONTRADICTORY_CONDITION, format!("`{}` becomes an empty list", key.text()))
            .label(value.span, "no test that compares with it is ever true")
            .help("name an element, or leave out the rules that use it: `use … except NAME`")
    })
}

/// Returns the finding about a value that the `let` of the used file has in any case.
fn repeated_value(entry: &MapEntry, used_file: &LoadedFile, sources: &Sources) -> Option<Diagnostic> {
    let MapKey::Name(key) = &entry.key else { return None };
    let name = key.as_single_name()?;
    let value = entry.value.as_ref()?;
    let own = used_file.ast.items.iter().find_map(|item| match &item.kind {
        ItemKind::Let(item) if item.name.text == name.text => Some(&item.value),
        _ => None,
    })?;
    let tokens = |span: Span| -> Option<String> {
        let text: String = sources.file(span)?.slice(span).split_whitespace().collect();
        Some(text.replace(",]", "]"))
    };
    (tokens(own.span)? == tokens(value.span)?).then(|| {
        Diagnostic::new(Code::UNUSED_DEFINITION, format!("`{}` has this value in any case", name.text))
            .label(value.span, "changes nothing")
            .help("remove it, or name what is different here")
    })
}

/// Returns the names that are used by the rules of a used file that are not left out, and by other files. `None` if the
/// file could not be parsed completely.
fn names_in_force<'f>(files: &'f [LoadedFile], target: usize, used: &Use) -> Option<BTreeSet<&'f str>> {
    let file = files.get(target).filter(|file| file.ast.unparsed_names.is_empty())?;
    let mut names = BTreeSet::new();
    for other in files.iter().filter(|other| other.uses.contains(&Some(target))) {
        for item in other.ast.items.iter().filter(|item| !matches!(item.kind, ItemKind::Use(_))) {
            visit_names(&item.kind, &mut |name| {
                names.insert(name);
            });
        }
    }
    let is_excepted =
        |name: &str| used.except.iter().any(|excepted| excepted.narrowing.is_none() && excepted.rule.text == name);
    for item in &file.ast.items {
        if matches!(&item.kind, ItemKind::Rule(rule) if !is_excepted(&rule.name.text)) {
            visit_names(&item.kind, &mut |name| {
                names.insert(name);
            });
        }
    }
    // Definitions use other definitions, in any order.
    loop {
        let before = names.len();
        for item in &file.ast.items {
            let name = match &item.kind {
                ItemKind::Let(item) => item.name.text.as_str(),
                ItemKind::Def(item) => item.name.text.as_str(),
                _ => continue,
            };
            if names.contains(name) {
                visit_names(&item.kind, &mut |name| {
                    names.insert(name);
                });
            }
        }
        if names.len() == before {
            return Some(names);
        }
    }
}
