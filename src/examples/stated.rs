//! Reads the facts that an example states.

use serde_json::{Map, Value as Json};

use super::input::{example_problem, insert, json_literal, key_path};
use crate::diagnostic::{Code, Diagnostic};
use crate::facts::{FactsError, StatedFacts};
use crate::span::Span;
use crate::syntax::ast::{Example, FileFact, MapKey, ValueKind};

/// Rejects a fact such as `git.branch` among the fields of the payload: facts belong after `with`.
pub(super) fn check_fact(path: &[String], is_of_server: bool, span: Span) -> Result<(), Diagnostic> {
    let is_fact = match path {
        [one] => one == "os" || (!is_of_server && matches!(one.as_str(), "time" | "weekday")),
        [first, _] if first == "env" => true,
        // The input of a server's tool may have a member `git`; its members that are not facts are allowed.
        [first, name] if first == "git" => {
            !is_of_server || matches!(name.as_str(), "branch" | "remote" | "root" | "worktree")
        }
        _ => false,
    };
    if !is_fact {
        return Ok(());
    }
    let name = path.join(".");
    let help = format!("write it behind `with`, before the fields: `with {{ {name}: … }}`");
    Err(example_problem(span, format!("`{name}` is a fact, and no field of the payload"), &help))
}

/// Returns the facts after `with` in an example, as JSON.
pub(super) fn stated_facts(example: &Example) -> Result<Map<String, Json>, Diagnostic> {
    let mut facts = Map::new();
    for entry in example.with.iter().flat_map(|map| &map.entries) {
        let Some(value) = &entry.value else {
            return Err(example_problem(entry.span, "missing value of a fact", "write `git.branch: \"main\"`"));
        };
        match &entry.key {
            MapKey::File(fact, name, _) => {
                let fact = if *fact == FileFact::Exists { "file_exists" } else { "file_size" };
                insert(&mut facts, &[fact.to_owned(), name.value.clone()], json_literal(value)?);
            }
            MapKey::Tree(fact, directory, _) => {
                let member = fact.segments.last().map(|segment| segment.text.clone()).unwrap_or_default();
                insert(&mut facts, &["git".to_owned(), directory.value.clone(), member], json_literal(value)?);
            }
            key => {
                let path = key_path(key).unwrap_or_default();
                // A day needs no quotes, as in a condition.
                let json = match &value.kind {
                    ValueKind::Name(day) if path == ["weekday"] => day.text().into(),
                    _ => json_literal(value)?,
                };
                insert(&mut facts, &path, json);
            }
        }
    }
    Ok(facts)
}

/// Returns the finding about facts that cannot be read, at the unknown fact if there is one.
pub(super) fn invalid_facts(example: &Example, error: &FactsError) -> Diagnostic {
    let map = example.with.as_ref();
    let help = format!("the facts are {}", StatedFacts::written_names());
    let whole = map.map_or(example.span, |map| map.span);
    let Some(unknown) = error.unknown() else { return example_problem(whole, error.to_string(), &help) };
    let entries = map.iter().flat_map(|map| &map.entries);
    let key =
        entries.map(|entry| &entry.key).find(|key| key_path(key).is_some_and(|path| path.join(".") == unknown.name));
    let span = match key {
        Some(MapKey::Name(name)) => name.span,
        Some(MapKey::Text(text)) => text.span,
        _ => whole,
    };
    let found =
        Diagnostic::new(Code::BAD_EXAMPLE, format!("unknown fact `{}`", unknown.name)).label(span, "not a fact");
    match &unknown.suggestion {
        Some(meant) => found.help(format!("write `{meant}`")).fix(span, meant.as_str()),
        None => found.help(help),
    }
}
