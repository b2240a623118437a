//! `apply_patch`, the tool with which several agents create, change and delete files by one text: judged as Edit or
//! Write on the files that the text names.

use hookrules_shell::files::patched_files;
use hookrules_shell::quote;
use serde_json::{Map, Value as Json};

use super::PayloadMembers;
use crate::host::decode::nonempty_text;

const NAME: &str = "apply_patch";

/// The schema's tools under which heads select it.
const EDIT: &str = "Edit";
const WRITE: &str = "Write";

/// The members of its input that hold the patch, by agent and version.
const PATCHES: &[&str] = &["command", "input", "patch", "patchText", "patch_text", "diff"];

/// The member with the changes by file, where an agent sends these instead of a patch.
const CHANGES: &str = "changes";

/// Translates a call of `apply_patch`. Returns the other name under which heads select it.
///
/// The files, the removed and the added text are members of the schema's tool; the patch itself stays as the command
/// that applies it, which deletes and renames as well. Without a readable patch the files are unknown.
pub(in crate::host) fn translate(json: &mut PayloadMembers) -> Option<&'static str> {
    if nonempty_text(json, "tool_name") != Some(NAME) {
        return None;
    }
    let patch = json.get("tool_input").and_then(patch);
    let files = patch.as_deref().and_then(patched_files).unwrap_or_default();
    let (ours, other) = match !files.is_empty() && files.iter().all(|file| file.is_new) {
        true => (WRITE, EDIT),
        false => (EDIT, WRITE),
    };
    if let Some(patch) = &patch {
        let mut input = Map::new();
        if !files.is_empty() {
            input.insert("file_path".to_owned(), files.iter().map(|file| file.path).collect());
        }
        if ours == WRITE {
            input.insert("content".to_owned(), lines(patch, '+').into());
        } else {
            input.insert("old_string".to_owned(), lines(patch, '-').into());
            input.insert("new_string".to_owned(), lines(patch, '+').into());
        }
        input.insert("command".to_owned(), format!("{NAME} {}", quote(patch)).into());
        json.insert("tool_input".to_owned(), Json::Object(input));
    }
    json.insert("tool_name".to_owned(), ours.into());
    Some(other)
}

/// Returns the patch in a call's input.
fn patch(input: &Json) -> Option<String> {
    if let Json::String(patch) = input {
        return Some(patch.clone());
    }
    let given = PATCHES.iter().find_map(|member| match input.get(*member)? {
        Json::String(patch) => Some(patch.clone()),
        // The words of a command.
        Json::Array(words) => match words.as_slice() {
            [Json::String(name), Json::String(patch)] if name == NAME => Some(patch.clone()),
            _ => None,
        },
        _ => None,
    });
    given.or_else(|| patch_from_changes(input.get(CHANGES)?))
}

/// Returns the patch that makes changes given by file: a map from paths, or a list of objects with one.
fn patch_from_changes(changes: &Json) -> Option<String> {
    let mut patch = "*** Begin Patch\n".to_owned();
    let mut add = |path: &str, change: &Json| {
        // The kind is a member with the details, or a text in a member of its own.
        let kinds = |change: &Json| match change {
            Json::String(kind) => vec![kind.to_lowercase()],
            Json::Object(members) => {
                let named = ["type", "kind"].iter().filter_map(|name| members.get(*name)?.as_str());
                named.chain(members.keys().map(String::as_str)).map(str::to_lowercase).collect()
            }
            _ => Vec::new(),
        };
        let inner = |name: &str| -> Vec<String> { change.get(name).map(kinds).unwrap_or_default() };
        let all: Vec<String> = kinds(change).into_iter().chain(inner("kind")).collect();
        let is = |kind: &str| all.iter().any(|own| own == kind);
        let header = match (is("add"), is("delete")) {
            (true, _) => "Add",
            (_, true) => "Delete",
            _ => "Update",
        };
        patch.push_str(&format!("*** {header} File: {path}\n"));
        let mut texts = Vec::new();
        members(change, &mut texts);
        for (name, value) in texts {
            match name {
                "move_path" | "movePath" => patch.push_str(&format!("*** Move to: {value}\n")),
                "content" if header == "Add" => value.lines().for_each(|line| patch.push_str(&format!("+{line}\n"))),
                "unified_diff" | "unifiedDiff" | "diff" => {
                    let changed = value.lines().filter(|line| line.starts_with(['+', '-']));
                    changed.for_each(|line| patch.push_str(&format!("{line}\n")));
                }
                _ => {}
            }
        }
    };
    match changes {
        Json::Object(by_path) => by_path.iter().for_each(|(path, change)| add(path, change)),
        Json::Array(list) => {
            for change in list {
                let path = ["path", "file", "file_path"].iter().find_map(|name| change.get(*name)?.as_str());
                add(path?, change);
            }
        }
        _ => return None,
    }
    patch.push_str("*** End Patch\n");
    Some(patch)
}

/// Collects the texts in the members of an object and of the objects in it.
fn members<'j>(object: &'j Json, out: &mut Vec<(&'j str, &'j str)>) {
    for (name, value) in object.as_object().into_iter().flatten() {
        match value {
            Json::String(text) => out.push((name, text)),
            inner => members(inner, out),
        }
    }
}

/// Returns the lines of a patch that begin with a sign, without it.
fn lines(patch: &str, sign: char) -> String {
    let lines = patch.lines().filter_map(|line| line.strip_prefix(sign));
    lines.map(|line| format!("{line}\n")).collect()
}
