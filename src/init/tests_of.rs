//! Finds the commands that run a project's tests, by its manifests and task files.

use serde_json::Value as Json;

use super::managers::find_manager;
use super::tree::ProjectTree;

/// The maximum number of commands that are returned.
const MAX_COMMANDS: usize = 3;

/// The commands of task runners, and the names of their task files; the other tables count only if no task file has a
/// `test` task.
const RUNNERS: &[(&str, &[&str])] =
    &[("make test", &["Makefile", "makefile", "GNUmakefile"]), ("just test", &["justfile", "Justfile"])];

/// Test commands, each with the files that a project must have for it. The first file is the manifest.
const COMMANDS: &[(&str, &[&str])] = &[
    ("cargo test", &["Cargo.toml"]),
    ("go test ./...", &["go.mod"]),
    ("./mvnw verify", &["pom.xml", "mvnw"]),
    ("mvn verify", &["pom.xml"]),
    ("./gradlew test", &["build.gradle", "gradlew"]),
    ("./gradlew test", &["build.gradle.kts", "gradlew"]),
    ("gradle test", &["build.gradle"]),
    ("gradle test", &["build.gradle.kts"]),
    ("bundle exec rspec", &["Gemfile", ".rspec"]),
    ("bin/rails test", &["Gemfile", "bin/rails"]),
    ("mix test", &["mix.exs"]),
    ("swift test", &["Package.swift"]),
    ("dart test", &["pubspec.yaml"]),
    ("deno test", &["deno.json"]),
    ("vendor/bin/phpunit", &["composer.json", "phpunit.xml"]),
    ("vendor/bin/phpunit", &["composer.json", "phpunit.xml.dist"]),
];

/// The test commands of Node packages, by package manager; without one, npm's.
const NODE: &[(&str, &str)] =
    &[("pnpm", "pnpm test"), ("Yarn", "yarn test"), ("Bun", "bun run test"), ("npm", "npm test")];
const NODE_DEFAULT: &str = "npm test";

/// The commands that run pytest, by package manager.
const PYTEST: &[(&str, &str)] = &[("uv", "uv run pytest"), ("Poetry", "poetry run pytest")];
const PYTEST_DEFAULT: &str = "pytest";

/// Returns the commands that run the tests, at most [`MAX_COMMANDS`].
pub(super) fn test_commands(tree: &ProjectTree) -> Vec<&'static str> {
    let has_task = |files: &[&str]| files.iter().filter_map(|file| tree.text(file)).any(has_test_task);
    if let Some((command, _)) = RUNNERS.iter().find(|(_, files)| has_task(files)) {
        return vec![command];
    }
    let mut commands: Vec<&'static str> = Vec::new();
    let mut manifests: Vec<&str> = Vec::new();
    for (command, files) in COMMANDS {
        let Some(manifest) = files.first() else { continue };
        // One command for each manifest: the more specific ones come first in the table.
        if !manifests.contains(manifest) && files.iter().all(|file| tree.has_file(file)) {
            manifests.push(manifest);
            commands.push(command);
        }
    }
    if tree.text("package.json").is_some_and(has_test_script) {
        commands.push(managed_command("package.json", NODE, tree).unwrap_or(NODE_DEFAULT));
    }
    let pyproject = tree.text("pyproject.toml").unwrap_or_default();
    if tree.has_file("pytest.ini")
        || tree.has_file("conftest.py")
        || tree.has_file("tests/conftest.py")
        || pyproject.contains("pytest")
    {
        commands.push(managed_command("pyproject.toml", PYTEST, tree).unwrap_or(PYTEST_DEFAULT));
    }
    commands.truncate(MAX_COMMANDS);
    commands
}

/// Returns the command of a table for the package manager that a project has for a manifest.
fn managed_command(manifest: &str, table: &[(&str, &'static str)], tree: &ProjectTree) -> Option<&'static str> {
    let manager = find_manager(tree, manifest)?;
    table.iter().find(|(name, _)| *name == manager.name).map(|(_, command)| *command)
}

/// Whether a task file has a task named `test`: a line that begins with `test:`.
fn has_test_task(text: &str) -> bool {
    text.lines().any(|line| {
        line.strip_prefix("test").is_some_and(|rest| {
            let rest = rest.trim_start();
            rest.starts_with(':') && !rest.starts_with(":=")
        })
    })
}

/// Whether a package.json has a test script other than npm's default, which only fails.
fn has_test_script(text: &str) -> bool {
    let json: Json = serde_json::from_str(text).unwrap_or_default();
    let script = json.get("scripts").and_then(|scripts| scripts.get("test")).and_then(Json::as_str);
    script.is_some_and(|script| !script.contains("no test specified"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_are_run_as_the_project_says() {
        let script = r#"{"scripts": {"test": "vitest"}}"#;
        let none = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
        for (files, commands) in [
            (&[][..], &[][..]),
            (&[("Cargo.toml", "")], &["cargo test"]),
            (&[("Cargo.toml", ""), ("Makefile", "all: test\n\ntest: all\n\tcargo test\n")], &["make test"]),
            (&[("Cargo.toml", ""), ("Makefile", "tests: x\ntest := a\n")], &["cargo test"]),
            (&[("package.json", script)], &["npm test"]),
            (&[("package.json", script), ("pnpm-lock.yaml", "")], &["pnpm test"]),
            (&[("package.json", script), ("pnpm-workspace.yaml", "")], &["pnpm test"]),
            (&[("package.json", r#"{"packageManager": "yarn@4.0.0", "scripts": {"test": "jest"}}"#)], &["yarn test"]),
            (&[("package.json", none)], &[]),
            (&[("package.json", "{")], &[]),
            (&[("pom.xml", ""), ("mvnw", "")], &["./mvnw verify"]),
            (&[("pyproject.toml", "[tool.pytest.ini_options]"), ("uv.lock", "")], &["uv run pytest"]),
            (&[("pyproject.toml", "")], &[]),
            (&[("go.mod", ""), ("package.json", script), ("yarn.lock", "")], &["go test ./...", "yarn test"]),
            (&[("sub/Cargo.toml", "")], &[]),
        ] {
            let mut tree = ProjectTree::default();
            for (path, text) in files {
                tree.files.insert((*path).to_owned());
                tree.texts.insert((*path).to_owned(), (*text).to_owned());
            }
            assert_eq!(test_commands(&tree), commands, "{files:?}");
        }
    }
}
