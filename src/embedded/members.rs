//! Finds commands in JSON. The text may be a fragment that lacks its beginning or its end.

use serde_json::Value as Json;

use super::line;
use hookrules_shell::quote;

/// Returns a shell line for each command in a member with one of these names. In a fragment without names, each line
/// counts.
pub(super) fn commands_by_name(text: &str, names: &[&str]) -> Vec<String> {
    let is_meant = |name: &str| {
        names.iter().any(|pattern| match pattern.strip_prefix('*') {
            Some(end) => name.ends_with(end),
            None => name == *pattern,
        })
    };
    let mut found = Vec::new();
    match serde_json::from_str::<Json>(text) {
        Ok(whole) => collect(&whole, &is_meant, &mut found),
        Err(_) => found.extend(commands_in_pairs(text, &is_meant)),
    }
    found
}

/// Returns a shell line for each member of the object that has this name. In a fragment, each member counts.
pub(super) fn commands_in_object(text: &str, name: &str) -> Vec<String> {
    match serde_json::from_str::<Json>(text) {
        Ok(whole) => {
            let object = whole.get(name).and_then(Json::as_object);
            object.into_iter().flat_map(|members| members.values()).flat_map(command_line).collect()
        }
        Err(_) => commands_in_pairs(text, &|_| true),
    }
}

/// Adds the commands in members for whose names `is_meant` is true.
fn collect(value: &Json, is_meant: &dyn Fn(&str) -> bool, found: &mut Vec<String>) {
    match value {
        Json::Object(members) => {
            for (name, inner) in members {
                if is_meant(name) && !inner.is_object() {
                    found.extend(command_line(inner));
                } else {
                    collect(inner, is_meant, found);
                }
            }
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, is_meant, found)),
        _ => {}
    }
}

/// Returns the shell line of a command that is shell text or a list of words; `None` for any other value.
fn command_line(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() => Some(line("sh", text)),
        Json::Array(items) => {
            let words: Vec<String> = items.iter().filter_map(Json::as_str).map(quote).collect();
            (!words.is_empty()).then(|| words.join(" "))
        }
        _ => None,
    }
}

/// Returns the commands in lines of the form `"name": "text",`. If there are none and no line has a colon, each line
/// counts.
fn commands_in_pairs(text: &str, is_meant: &dyn Fn(&str) -> bool) -> Vec<String> {
    let pair = |line: &str| {
        let line = line.trim().trim_start_matches('{').trim_end_matches(['}', ',', ' ']);
        let whole = serde_json::from_str::<Json>(&format!("{{{line}}}")).ok()?;
        let (name, value) = whole.as_object()?.iter().next()?;
        is_meant(name).then(|| command_line(value)).flatten()
    };
    let found: Vec<String> = text.lines().filter_map(pair).collect();
    if !found.is_empty() || text.contains(':') {
        return found;
    }
    text.lines().map(str::trim).filter(|text| !text.is_empty()).map(|text| line("sh", text)).collect()
}
