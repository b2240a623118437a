//! Translates calls of `apply_patch`, a tool of several agents that creates, changes and deletes files as one text (a
//! patch) states. They are judged as calls of Edit or Write for the files in the patch.

use hookrules_shell::files::patched_files;
use hookrules_shell::quote;
use serde_json::{Map, Value as Json};

use super::decode::nonempty_text;

/// The name of the tool.
pub(super) const NAME: &str = "apply_patch";

/// The tool of the schema for a patch that changes existing files.
const EDIT: &str = "Edit";
/// The tool of the schema for a patch that only creates files.
const WRITE: &str = "Write";

/// The members of the input that may contain the patch; which one does depends on the agent and its version.
const PATCHES: &[&str] = &["command", "input", "patch", "patchText", "patch_text", "diff"];

/// The member with the changes of each file, which some agents send instead of a patch.
const CHANGES: &str = "changes";

/// Translates a call of `apply_patch` into one of Write if all files are new, and otherwise into one of Edit. Returns
/// the other one of these names, because rules on it also apply to the call. `None` for any other tool.
///
/// The files, and the removed and added lines, become members of the input. Since a patch can also delete and rename
/// files, the input also gets a `command` that applies the patch. If there is no patch, the input is not changed.
pub(super) fn translate(json: &mut Map<String, Json>) -> Option<&'static str> {
    if nonempty_text(json, "tool_name") != Some(NAME) {
        return None;
    }
    let patch = json.get("tool_input").and_then(patch);
    let files = patch.as_deref().and_then(patched_files).unwrap_or_default();
    let (tool, other_tool) = match !files.is_empty() && files.iter().all(|file| file.is_new) {
        true => (WRITE, EDIT),
        false => (EDIT, WRITE),
    };
    if let Some(patch) = &patch {
        let mut input = Map::new();
        if !files.is_empty() {
            input.insert("file_path".to_owned(), files.iter().map(|file| file.path).collect());
        }
        if tool == WRITE {
            input.insert("content".to_owned(), lines(patch, '+').into());
        } else {
            input.insert("old_string".to_owned(), lines(patch, '-').into());
            input.insert("new_string".to_owned(), lines(patch, '+').into());
        }
        input.insert("command".to_owned(), format!("{NAME} {}", quote(patch)).into());
        json.insert("tool_input".to_owned(), Json::Object(input));
    }
    json.insert("tool_name".to_owned(), tool.into());
    Some(other_tool)
}

/// Returns the patch in the input of a call, in whichever form it was sent.
fn patch(input: &Json) -> Option<String> {
    if let Json::String(patch) = input {
        return Some(patch.clone());
    }
    let given = PATCHES.iter().find_map(|member| match input.get(*member)? {
        Json::String(patch) => Some(patch.clone()),
        // The words of a command: `["apply_patch", PATCH]`.
        Json::Array(words) => match words.as_slice() {
            [Json::String(name), Json::String(patch)] if name == NAME => Some(patch.clone()),
            _ => None,
        },
        _ => None,
    });
    given.or_else(|| patch_from_changes(input.get(CHANGES)?))
}

/// Builds a patch from the changes of each file: either an object whose keys are the paths, or a list of objects with a
/// path. `None` for any other form.
fn patch_from_changes(changes: &Json) -> Option<String> {
    let mut patch = "*** Begin Patch\n".to_owned();
    let mut add = |path: &str, change: &Json| {
        // The kind of a change is the name of a member (`{ "add": … }`), or the text of its member `type` or `kind`.
        let kinds = |change: &Json| match change {
            Json::String(kind) => vec![kind.to_lowercase()],
            Json::Object(members) => {
                let named = ["type", "kind"].iter().filter_map(|name| members.get(*name)?.as_str());
                named.chain(members.keys().map(String::as_str)).map(str::to_lowercase).collect()
            }
            _ => Vec::new(),
        };
        let inner_kinds = |name: &str| -> Vec<String> { change.get(name).map(kinds).unwrap_or_default() };
        let all_kinds: Vec<String> = kinds(change).into_iter().chain(inner_kinds("kind")).collect();
        let is = |kind: &str| all_kinds.iter().any(|found| found == kind);
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

/// Collects the members of an object and of the objects in it whose values are texts, as pairs of name and text.
fn members<'j>(object: &'j Json, out: &mut Vec<(&'j str, &'j str)>) {
    for (name, value) in object.as_object().into_iter().flatten() {
        match value {
            Json::String(text) => out.push((name, text)),
            inner => members(inner, out),
        }
    }
}

/// Returns the lines of a patch that begin with `sign`, without the sign.
fn lines(patch: &str, sign: char) -> String {
    let lines = patch.lines().filter_map(|line| line.strip_prefix(sign));
    lines.map(|line| format!("{line}\n")).collect()
}
