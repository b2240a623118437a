//! The part of a project's file that defines its tasks, the scripts of a `package.json`, and the other files that decide
//! what these tasks are.

use std::path::{Path, PathBuf};

use hookrules_shell::path::glob_matches;
use hookrules_shell::project::files_of_same_tasks;
use serde_json::Value as Json;

use super::loaded::PACKAGE;
use crate::files;
use crate::platform::paths::shown;
use crate::project::{LoadInput, MAX_PINNED};

/// For each file that holds more than tasks, the member that defines the tasks.
const MEMBER_WITH_TASKS: [(&str, &str); 3] =
    [("package.json", "scripts"), ("composer.json", "scripts"), ("deno.json", "tasks")];

/// Files next to a `package.json` that choose the shell, the package manager or the packages that its scripts run with.
const SETTINGS_OF_PACKAGES: &[&str] = &[NPMRC, ".yarnrc", ".yarnrc.yml", "bunfig.toml", WORKSPACE];

/// The settings of npm and pnpm. Most of the file says from where packages come, and may hold secrets.
const NPMRC: &str = ".npmrc";

/// The keys of a `.npmrc` that decide what a script runs.
const KEYS_OF_SCRIPTS: &[&str] =
    &["script-shell", "shell", "shell-emulator", "node-options", "node-version", "use-node-version", "ignore-scripts"];

/// The file in which pnpm lists the packages of a workspace.
const WORKSPACE: &str = "pnpm-workspace.yaml";

/// The maximum number of directories that are searched for the packages of a workspace.
const MAX_DIRECTORIES: usize = 256;

/// Returns the files in the same directory that decide what the tasks of a file are: those that the program takes
/// instead (`GNUmakefile`), and the settings of its scripts (`.npmrc`).
pub(super) fn files_beside(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let settings = if name == PACKAGE { SETTINGS_OF_PACKAGES } else { &[] };
    let names = files_of_same_tasks(name).into_iter().chain(settings.iter().copied());
    names.filter(|other| *other != name).map(|other| path.with_file_name(other)).collect()
}

/// Returns the manifests of the packages that a `package.json` or a `pnpm-workspace.yaml` makes a workspace of, and
/// records each directory that was listed for them in `seen`. An error is a sentence for a pattern that is not followed.
pub(super) fn manifests_of_workspace(path: &Path, seen: &mut Vec<LoadInput>) -> Result<Vec<PathBuf>, String> {
    let Some(root) = path.parent() else { return Ok(Vec::new()) };
    let text = || {
        let bytes = files::read(path, MAX_PINNED).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    };
    let patterns = match path.file_name().and_then(|name| name.to_str()) {
        Some(PACKAGE) => patterns_of_manifest(&text()),
        Some(WORKSPACE) => patterns_of_list(&text()),
        _ => return Ok(Vec::new()),
    };
    let mut manifests = Vec::new();
    // A pattern that leaves packages out only makes fewer of them.
    for pattern in patterns.iter().filter(|pattern| !pattern.starts_with('!')) {
        let mut directories = vec![root.to_path_buf()];
        for name in pattern.split('/').filter(|name| !matches!(*name, "" | ".")) {
            if name == "**" || name == ".." {
                return Err(format!("the packages of `{pattern}` in `{}` are not looked for", shown(&path)));
            }
            let is_glob = name.contains(['*', '?', '[', '{']);
            let mut below = Vec::new();
            for directory in directories {
                if !is_glob {
                    below.push(directory.join(name));
                    continue;
                }
                let (found, look) = LoadInput::list_directories(&directory);
                seen.push(look);
                let is_named = |path: &PathBuf| {
                    path.file_name().and_then(|own| own.to_str()).is_some_and(|own| glob_matches(name, own))
                };
                below.extend(found.into_iter().filter(is_named));
            }
            if below.len() > MAX_DIRECTORIES {
                return Err(format!("`{pattern}` in `{}` names more than {MAX_DIRECTORIES} packages", shown(&path)));
            }
            directories = below;
        }
        manifests.extend(directories.into_iter().map(|directory| directory.join(PACKAGE)));
    }
    Ok(manifests)
}

/// Returns the patterns under `workspaces` in a `package.json`: a list, or the member `packages` of an object.
fn patterns_of_manifest(text: &str) -> Vec<String> {
    let Ok(file) = serde_json::from_str::<Json>(text) else { return Vec::new() };
    let list = file.get("workspaces").and_then(|own| own.as_array().or_else(|| own.get("packages")?.as_array()));
    list.into_iter().flatten().filter_map(|pattern| pattern.as_str().map(str::to_owned)).collect()
}

/// Returns the patterns under `packages` in a `pnpm-workspace.yaml`: the items of that list.
fn patterns_of_list(text: &str) -> Vec<String> {
    let after = text.lines().skip_while(|line| line.split('#').next().map(str::trim_end) != Some("packages:")).skip(1);
    let is_of_list = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with(['-', '#']);
    let items = after.take_while(is_of_list).filter_map(|line| line.trim_start().strip_prefix('-'));
    let plain = |item: &str| item.split(" #").next().unwrap_or(item).trim().trim_matches(['"', '\'']).to_owned();
    items.map(plain).collect()
}

/// Returns the tasks that a file of a package manager defines, as indented JSON: a new dependency changes no task.
/// `None` if the file is no such file, or could not be read as the manager reads it.
pub(super) fn text_of_tasks(path: &Path, bytes: &[u8]) -> Option<String> {
    let name = path.file_name()?;
    if name == NPMRC {
        let key = |line: &str| line.split('=').next().unwrap_or(line).trim().trim_end_matches("[]").to_owned();
        let lines = std::str::from_utf8(bytes).ok()?.lines();
        let lines: Vec<&str> = lines.filter(|line| KEYS_OF_SCRIPTS.contains(&key(line).as_str())).collect();
        return Some(lines.join("\n"));
    }
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

    #[test]
    fn the_settings_of_scripts_count_without_the_secrets() {
        let text = "//r/:_authToken=x\nscript-shell = ./sh\nregistry=https://r\nnode-options=--require=./x\n";
        let kept = text_of_tasks(Path::new("a/.npmrc"), text.as_bytes()).unwrap();
        assert_eq!(kept, "script-shell = ./sh\nnode-options=--require=./x");
    }

    #[test]
    fn files_that_decide_what_a_task_is_are_next_to_it() {
        let beside = |name: &str| {
            let files = files_beside(&Path::new("/p").join(name)).into_iter();
            files.map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(beside("Makefile"), ["GNUmakefile", "makefile"]);
        assert!(beside("package.json").contains(&NPMRC.to_owned()), "{:?}", beside("package.json"));
        assert_eq!(beside("scripts.sh"), [""; 0]);
    }

    #[test]
    fn the_packages_of_a_workspace_are_listed_in_two_ways() {
        assert_eq!(patterns_of_manifest(r#"{"workspaces": ["packages/*", "web"]}"#), ["packages/*", "web"]);
        assert_eq!(patterns_of_manifest(r#"{"workspaces": {"packages": ["a"]}}"#), ["a"]);
        assert_eq!(patterns_of_manifest("{}"), [""; 0]);
        let list = "packages: # all\n  - 'apps/*'\n\n  # more\n  - \"libs/*\" # these\n- '!x'\ncatalog:\n  - y\n";
        assert_eq!(patterns_of_list(list), ["apps/*", "libs/*", "!x"]);
    }
}
