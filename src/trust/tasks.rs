//! The part of a project's file that defines its tasks: the scripts of a `package.json`.

use std::path::Path;

use serde_json::Value as Json;

/// For each file that holds more than tasks, the member that defines the tasks.
const MEMBER_WITH_TASKS: [(&str, &str); 3] =
    [("package.json", "scripts"), ("composer.json", "scripts"), ("deno.json", "tasks")];

/// Returns the tasks that a file of a package manager defines, as indented JSON: a new dependency changes no task.
/// `None` if the file is no such file, or could not be read as the manager reads it.
pub(super) fn text_of_tasks(path: &Path, bytes: &[u8]) -> Option<String> {
    let name = path.file_name()?;
    let (_, member) = MEMBER_WITH_TASKS.iter().find(|(file, _)| name == *file)?;
    let file: Json = serde_json::from_slice(bytes).ok()?;
    let tasks = file.as_object()?.get(*member).unwrap_or(&Json::Null);
    serde_json::to_string_pretty(tasks).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tasks_of_a_package_count() {
        let tasks = |name: &str, text: &str| text_of_tasks(Path::new(name), text.as_bytes());
        let text = r#"{"scripts": {"lint": "eslint ."}, "dependencies": {"a": "1"}}"#;
        assert_eq!(tasks("web/package.json", text).unwrap(), "{\n  \"lint\": \"eslint .\"\n}");
        assert_eq!(tasks("package.json", r#"{"dependencies": {"a": "2"}}"#).unwrap(), "null");
        // The last of two members of one name is the one that counts.
        assert_eq!(tasks("package.json", r#"{"scripts": {}, "scripts": {"a": "b"}}"#).unwrap(), "{\n  \"a\": \"b\"\n}");
        for (name, text) in [("Makefile", text), ("package.json", "{\"scripts\": {}} // x"), ("package.json", "[]")] {
            assert_eq!(tasks(name, text), None, "{name} {text}");
        }
    }
}
