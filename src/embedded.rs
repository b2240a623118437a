//! Finds the commands in files that programs run: git hooks, shell profiles, recipes of make, package scripts,
//! pipeline steps, notebook cells.
//!
//! From the name of a file and its text, or a part of that, this module produces shell text that does what the file
//! would do. It knows nothing about calls, and reads no files.

mod lines;
mod make;
mod members;
mod notebook;
mod steps;

use std::path::Path;

use hookrules_shell::interpret::is_shell_script;
use hookrules_shell::project::task_files;
use hookrules_shell::quote;
use hookrules_shell::startup::startup_files;

/// The format of a file that contains commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FileFormat {
    /// The file is a shell script.
    Shell,
    /// The file has rules of make.
    Make,
    /// The file has recipes of just.
    Just,
    /// The file is JSON with commands in members of these names. A `*` at the beginning of a name matches any text.
    Members(&'static [&'static str]),
    /// The file is JSON with a command in each member of the object that has this name: `scripts`.
    Object(&'static str),
    /// The file is YAML with commands under certain keys.
    Steps,
    /// The file is a Jupyter notebook.
    Notebook,
}

/// The directory in which the commands of a file run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunDirectory {
    /// The commands run in the directory of the file.
    FileDirectory,
    /// The commands run in the working directory of the session: the file runs at the root of its repository, or in a
    /// shell that the user starts.
    SessionDirectory,
}

/// The files that programs run, by the ends of their paths, with their formats and directories. A `*` matches a part
/// of a name. Files that the records of programs name, such as `Makefile` and `.bashrc`, are not listed here.
const FILES: &[(&[&str], FileFormat, RunDirectory)] = &[
    (&[".git/hooks/*", ".husky/*", ".githooks/*"], FileFormat::Shell, RunDirectory::SessionDirectory),
    (
        &[
            // System and user files that the startup files of shells source.
            ".bash_aliases",
            "profile.d/*",
        ],
        FileFormat::Shell,
        RunDirectory::SessionDirectory,
    ),
    (&["*.sh", "*.bash", "*.zsh"], FileFormat::Shell, RunDirectory::SessionDirectory),
    (&[".envrc"], FileFormat::Shell, RunDirectory::FileDirectory),
    (&["*.mk", "Makefile.*"], FileFormat::Make, RunDirectory::FileDirectory),
    (&["*.just"], FileFormat::Just, RunDirectory::FileDirectory),
    (&["package.json", "composer.json"], FileFormat::Object("scripts"), RunDirectory::FileDirectory),
    (&[".vscode/tasks.json", "hooks.json"], FileFormat::Members(&["command"]), RunDirectory::SessionDirectory),
    (&[".claude/settings*.json"], FileFormat::Members(&["command"]), RunDirectory::SessionDirectory),
    (&["devcontainer.json"], FileFormat::Members(&["*Command"]), RunDirectory::SessionDirectory),
    (
        &[
            "workflows/*.yml",
            "workflows/*.yaml",
            "action.yml",
            "action.yaml",
            ".gitlab-ci.yml",
            ".circleci/config.yml",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
            "cloudbuild.yaml",
            "buildspec.yml",
            ".travis.yml",
            ".drone.yml",
            ".pre-commit-config.yaml",
            "lefthook.yml",
            ".lefthook.yml",
            "lefthook.yaml",
            "Taskfile.yml",
            "Taskfile.yaml",
        ],
        FileFormat::Steps,
        RunDirectory::SessionDirectory,
    ),
    (&["*.ipynb"], FileFormat::Notebook, RunDirectory::FileDirectory),
];

/// Returns shell text that does what a file with this text would do, and the directory in which it runs. `None` if no
/// program runs the file, or if it contains no command. The text may be a part of the file.
#[must_use]
pub fn commands(path: &Path, text: &str) -> Option<(String, RunDirectory)> {
    let (kind, place) = format_of_path(path)
        .or_else(|| is_shell_script(text).then_some((FileFormat::Shell, RunDirectory::SessionDirectory)))?;
    let lines = match kind {
        FileFormat::Shell => vec![line("bash", text)],
        FileFormat::Make => make::recipes(text),
        FileFormat::Just => lines::recipes(text),
        FileFormat::Members(names) => members::commands_by_name(text, names),
        FileFormat::Object(name) => members::commands_in_object(text, name),
        FileFormat::Steps => steps::commands(text),
        FileFormat::Notebook => notebook::cells(text),
    };
    (!lines.is_empty()).then(|| (lines.join("\n"), place))
}

/// Returns a shell line for each command of a notebook cell, and one that runs its Python code.
#[must_use]
pub fn notebook_cell_lines(source: &str) -> Vec<String> {
    notebook::cell_commands(source)
}

/// Returns a shell line that runs a text in its own shell, so that its syntax errors, its changes of directory and
/// its `exit` affect no other line.
fn line(shell: &str, text: &str) -> String {
    format!("{shell} -c {}", quote(text))
}

/// Returns the format of a file and the directory in which its commands run; `None` if no program runs it.
fn format_of_path(path: &Path) -> Option<(FileFormat, RunDirectory)> {
    let names: Vec<&str> = path.iter().map(|name| name.to_str().unwrap_or_default()).collect();
    let ends = |pattern: &&str| {
        let mut from_end = names.iter().rev();
        pattern.rsplit('/').all(|part| from_end.next().is_some_and(|name| is_name_match(part, name)))
    };
    let listed = FILES.iter().find(|(patterns, ..)| patterns.iter().any(&ends));
    listed.map(|(_, kind, place)| (*kind, *place)).or_else(|| format_by_name(names.last()?))
}

/// Returns the format and the directory for a file that a program looks up by its name, according to the records of
/// programs.
fn format_by_name(name: &str) -> Option<(FileFormat, RunDirectory)> {
    let tasks = [("make", FileFormat::Make), ("just", FileFormat::Just)];
    let is_of = |program: &str| task_files(program).contains(&name);
    let of_tasks =
        tasks.into_iter().find(|(program, _)| is_of(program)).map(|(_, kind)| (kind, RunDirectory::FileDirectory));
    of_tasks.or_else(|| {
        startup_files().any(|file| file == name).then_some((FileFormat::Shell, RunDirectory::SessionDirectory))
    })
}

/// Whether a name matches a pattern with at most one `*`.
fn is_name_match(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expected: &[&str]) {
        let found = commands(Path::new(path), text).map(|(text, _)| text).unwrap_or_default();
        assert_eq!(found, expected.join("\n"), "{path}: {text}");
    }

    #[test]
    fn scripts_are_known_by_their_names_or_their_first_line() {
        for path in [
            ".git/hooks/pre-push",
            "/p/.husky/pre-commit",
            "/home/u/.bashrc",
            "~/.zlogout",
            ".kshrc",
            "tools/x.sh",
            "/etc/profile.d/a",
        ] {
            check(path, "git push -f", &["bash -c 'git push -f'"]);
        }
        for first in ["#!/usr/bin/env bash", "#!/usr/bin/env -S bash -e", "#!/bin/mksh", "#! /usr/bin/env FOO=1 ash"] {
            check("tools/x", &format!("{first}\nls"), &[&format!("bash -c '{first}\nls'")]);
        }
        for path in ["src/a.rs", "README.md", "tools/x", "hooks/pre-push"] {
            check(path, "git push -f", &[]);
        }
        check("tools/x", "#!/usr/bin/env node\nls", &[]);
    }

    #[test]
    fn recipes_of_make() {
        check(
            "Makefile",
            "OUT := build dir\nall: a ## git push\n\t@-rm -rf $(OUT)/x $$HOME $@\n\techo \\\n\t  b\nb: ; git push\n",
            &[
                "export OUT=\"build dir\"",
                "sh -c 'rm -rf ${OUT}/x $HOME ${MAKE_VALUE}'",
                "sh -c 'echo \\\n\t  b'",
                "sh -c 'git push'",
            ],
        );
        check(
            "x.mk",
            "A = $(shell git rev-parse HEAD) $(wildcard *)",
            &["export A=\"$(git rev-parse HEAD) ${MAKE_VALUE}\""],
        );
        // A part of a recipe.
        check("Makefile", "git push --force", &["sh -c 'git push --force'"]);
    }

    #[test]
    fn recipes_of_just() {
        check("justfile", "build x:\n  @cargo build {{x}}\n", &["sh -c 'cargo build ${JUST_VALUE}'"]);
        check("justfile", "git push -f", &["sh -c 'git push -f'"]);
    }

    #[test]
    fn scripts_of_packages() {
        check(
            "web/package.json",
            "{\"name\": \"rm -rf x\", \"scripts\": {\"a\": \"tsc && \\\"x\\\"\", \"postinstall\": \"node a.js\"}, \"b\": \"c\"}",
            &["sh -c 'tsc && \"x\"'", "sh -c 'node a.js'"],
        );
        check("package.json", "    \"postinstall\": \"rm -rf ~\",", &["sh -c 'rm -rf ~'"]);
        check(".vscode/tasks.json", "{\"tasks\": [{\"label\": \"x\", \"command\": \"make\"}]}", &["sh -c 'make'"]);
        check("devcontainer.json", "{\"postCreateCommand\": [\"git\", \"push it\"]}", &["'git' 'push it'"]);
    }

    #[test]
    fn steps_of_pipelines() {
        check(
            ".github/workflows/a.yml",
            "on: push\njobs:\n  a:\n    steps:\n      - name: rm -rf x\n        run: |\n          make\n            deep\n\n          git push ${{ x }}\n      - run: 'it''s'\n      - uses: a/b@v1\n",
            &["bash -c 'make\n  deep\n\ngit push ${PIPELINE_VALUE}'", "bash -c 'it'\\''s'"],
        );
        check(
            ".gitlab-ci.yml",
            "a:\n  stage: rm\n  script:\n    - make # all\n    - \"git push \\\"x\\\"\"\n    - >\n      one\n      two\n  only: [main]\n",
            &["bash -c 'make'", "bash -c 'git push \"x\"'", "bash -c 'one two'"],
        );
        check("lefthook.yml", "pre-push:\n  commands:\n    a:\n      run: git push -f\n", &["bash -c 'git push -f'"]);
        check(".gitlab-ci.yml", "  script: [make, \"a b\"]", &["bash -c 'make'", "bash -c 'a b'"]);
        // A part of a step.
        check(".github/workflows/a.yml", "          git push --force", &["bash -c 'git push --force'"]);
        check(".github/workflows/a.yml", "name: x", &[]);
    }

    #[test]
    fn cells_of_notebooks() {
        check(
            "a.ipynb",
            "!git push {x}\nx = !ls\n%cd a\nprint(1)",
            &["bash -c 'git push ${x}'", "bash -c 'ls'", "python3 -c 'pass\npass\npass\nprint(1)'"],
        );
        check("a.ipynb", "%%bash\ngit push -f\n", &["bash -c 'git push -f'"]);
        check(
            "a.ipynb",
            "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"!ls\"]}, {\"cell_type\": \"code\", \"source\": [\"%%sh\\n\", \"rm x\"]}]}",
            &["bash -c 'rm x'"],
        );
    }
}
