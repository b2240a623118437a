//! The `use`s of a file: the files they name, and keys that are equal for equal exceptions and values.

use std::collections::BTreeSet;

use crate::syntax::ast::{self, AstElement, MapKey, ValueKind};

/// Returns the files that some `use`s refer to, without duplicates.
pub(super) fn distinct_files(uses: &[Option<usize>]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    uses.iter().copied().flatten().filter(|file| seen.insert(*file)).collect()
}

/// Returns a text that is equal for two `use`s with the same `except` and `with`, regardless of the order of their
/// entries.
pub(super) fn use_key(used: &ast::Use) -> String {
    // The debug text of a condition includes its span, so exceptions with conditions at different places always differ.
    let key = |exception: &ast::Exception| format!("{} {:?}", exception.rule.text, exception.narrowing);
    let mut except: Vec<String> = used.except.iter().map(key).collect();
    except.sort_unstable();
    let entries = used.with.iter().flat_map(|map| &map.entries);
    let mut with: Vec<String> = entries.map(entry_key).collect();
    with.sort_unstable();
    format!("{except:?} {with:?}")
}

/// Returns a text that is equal for equal entries of `with`.
fn entry_key(entry: &ast::MapEntry) -> String {
    let value = entry.value.as_ref().map(value_key).unwrap_or_default();
    format!("{:?}: {value}", option_name(&entry.key))
}

/// Returns a text that is equal for equal values, regardless of their spans.
fn value_key(value: &ast::AstValue) -> String {
    match &value.kind {
        ValueKind::Text(text) => format!("{:?}", text.value),
        ValueKind::Number(_, digits) | ValueKind::Duration(_, digits) | ValueKind::Size(_, digits) => digits.clone(),
        ValueKind::TimeRange(from, to) => format!("{:?}..{:?}", from.value, to.value),
        ValueKind::Boolean(truth) => truth.to_string(),
        ValueKind::Null => "null".to_owned(),
        ValueKind::Regex(regex) => format!("/{}/{}", regex.pattern, regex.flags),
        ValueKind::JsonPath(path) => path.text.clone(),
        ValueKind::Name(name) => name.text(),
        ValueKind::List(elements) => {
            let element = |element: &AstElement| match element {
                AstElement::Value(value) => value_key(value),
                AstElement::Spread(name) => format!("...{}", name.text),
            };
            format!("[{}]", elements.iter().map(element).collect::<Vec<_>>().join(", "))
        }
        ValueKind::Map(map) => format!("{{{}}}", map.entries.iter().map(entry_key).collect::<Vec<_>>().join(", ")),
    }
}

/// Returns the text of an option's key; `None` for a key that names a file.
#[must_use]
fn option_name(key: &MapKey) -> Option<String> {
    match key {
        MapKey::Name(name) => Some(name.text()),
        MapKey::Text(text) => Some(text.value.clone()),
        MapKey::File(..) | MapKey::Tree(..) => None,
    }
}
