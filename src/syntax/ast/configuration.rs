//! What a `use` changes in the policy that it imports, as a value that can be compared.

use super::{AstElement, AstValue, MapEntry, MapKey, Use, ValueKind};

/// The changes of a `use` to its target: the rules that it leaves out, and the values that it gives to `let`s. Two are
/// equal if they make the same changes, in any order of their entries.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct UseConfiguration {
    except: Vec<String>,
    with: Vec<String>,
    names_lets: bool,
}

impl UseConfiguration {
    /// Whether a value is the name of a `let`, which may have another value in another file: `with { branches: mine }`.
    #[must_use]
    pub fn names_lets(&self) -> bool {
        self.names_lets
    }
}

impl Use {
    /// Returns the changes to the target.
    #[must_use]
    pub fn configuration(&self) -> UseConfiguration {
        let mut except: Vec<String> = self.except.iter().map(|name| name.text.clone()).collect();
        except.sort_unstable();
        let entries = || self.with.iter().flat_map(|map| &map.entries);
        let mut with: Vec<String> = entries().map(entry_key).collect();
        with.sort_unstable();
        let names_lets = entries().filter_map(|entry| entry.value.as_ref()).any(names_let);
        UseConfiguration { except, with, names_lets }
    }
}

/// Whether a value is, or has in it, the name of a `let`.
fn names_let(value: &AstValue) -> bool {
    match &value.kind {
        ValueKind::Name(_) => true,
        ValueKind::List(elements) => elements.iter().any(|element| match element {
            AstElement::Value(value) => names_let(value),
            AstElement::Spread(_) => true,
        }),
        ValueKind::Map(map) => map.entries.iter().filter_map(|entry| entry.value.as_ref()).any(names_let),
        _ => false,
    }
}

/// Returns a text that is equal for equal entries of `with`.
fn entry_key(entry: &MapEntry) -> String {
    let value = entry.value.as_ref().map(value_key).unwrap_or_default();
    format!("{:?}: {value}", option_name(&entry.key))
}

/// Returns a text that is equal for equal values, regardless of their spans.
fn value_key(value: &AstValue) -> String {
    match &value.kind {
        ValueKind::Text(text) => format!("{:?}", text.value),
        ValueKind::Number(_, digits) | ValueKind::Duration(_, digits) | ValueKind::Size(_, digits) => digits.clone(),
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

/// Returns the text of a key; `None` for a key that names a file.
fn option_name(key: &MapKey) -> Option<String> {
    match key {
        MapKey::Name(name) => Some(name.text()),
        MapKey::Text(text) => Some(text.value.clone()),
        MapKey::File(..) | MapKey::Tree(..) => None,
    }
}
