//! `std/read-only`: commands that only read proceed, and nothing else does.

use hookrules::facts::StatedFacts;
use hookrules::policy::Policy;
use hookrules::verdict::Decision;
use serde_json::json;

use crate::kit::{Given, bash, call, event, judge, policy};
use crate::source::read;

fn pack() -> Policy {
    policy("use \"std/read-only\"\n")
}

/// The project is a repository with some files to read.
fn facts() -> StatedFacts {
    let files = ["a.rs", "b.rs", "README.md", "CHANGELOG.md", "Cargo.toml", "src/lib.rs", "src/main.rs"];
    let facts = StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project");
    files.into_iter().fold(facts, |facts, file| facts.with_file(file, true))
}

/// Like [`facts`], with secrets among the files.
fn with_secrets() -> StatedFacts {
    [".env", "server.pem", "config/prod.key"].into_iter().fold(facts(), |facts, file| facts.with_file(file, true))
}

fn decision(policy: &Policy, given: &Given) -> Decision {
    judge(policy, given).verdict.decision()
}

/// Checks the decision about every command of a fixture.
#[track_caller]
fn all_come_to(fixture: &str, facts: fn() -> StatedFacts, expected: Decision, at_least: usize) {
    let policy = pack();
    let text = read(fixture);
    let commands: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    assert!(commands.len() >= at_least, "{fixture} has {} commands", commands.len());
    let comes_to = |line: &str| decision(&policy, &bash(&line.replace('⏎', "\n")).with(facts()));
    let wrong: Vec<&str> = commands.into_iter().filter(|line| comes_to(line) != expected).collect();
    assert!(wrong.is_empty(), "not {}:\n{}", expected.keyword(), wrong.join("\n"));
}

#[test]
fn what_does_more_than_look_is_not_allowed() {
    all_come_to("tests/fixtures/shell/evasions.txt", with_secrets, Decision::Pass, 400);
}

#[test]
fn what_only_looks_is_allowed() {
    all_come_to("tests/fixtures/shell/inspections.txt", facts, Decision::Allow, 60);
}

#[test]
fn a_search_that_finds_a_secret_is_not_allowed() {
    let policy = pack();
    for command in ["rg -uu KEY", "grep -r KEY .", "cat *", "find . -type f | xargs cat", "cat config/*"] {
        assert_eq!(decision(&policy, &bash(command).with(with_secrets())), Decision::Pass, "{command}");
    }
    for command in ["grep -rn KEY src", "cat *.md", "ls -la"] {
        assert_eq!(decision(&policy, &bash(command).with(with_secrets())), Decision::Allow, "{command}");
    }
}

#[test]
fn a_repository_inside_the_project_is_not_the_project_s() {
    let policy = pack();
    let nested = || facts().with_git_root("/project/vendor/evil");
    assert_eq!(decision(&policy, &bash("git status").with(nested())), Decision::Pass);
    let bare = || StatedFacts::for_examples().with_git_branch("main");
    assert_eq!(decision(&policy, &bash("git log").with(bare())), Decision::Pass);
    let above = || facts().with_git_root("/");
    assert_eq!(decision(&policy, &bash("git status").with(above())), Decision::Allow);
    assert_eq!(decision(&policy, &bash("ls").with(nested())), Decision::Allow);
}

#[test]
fn a_toolchain_that_the_project_names_is_not_started() {
    let policy = pack();
    let named = || facts().with_file("rust-toolchain.toml", true);
    assert_eq!(decision(&policy, &bash("cargo --version").with(facts())), Decision::Allow);
    assert_eq!(decision(&policy, &bash("cargo --version").with(named())), Decision::Pass);
    assert_eq!(decision(&policy, &bash("cd src && cargo --version").with(facts())), Decision::Pass);
    let below = bash("cargo --version").with(facts()).set(json!({"cwd": "/project/src"}));
    assert_eq!(decision(&policy, &below), Decision::Pass);
}

#[test]
fn only_a_shell_looks() {
    let policy = pack();
    let write = call("Write", json!({"file_path": "/project/a.rs", "content": "ls"})).with(facts());
    assert_eq!(decision(&policy, &write), Decision::Pass);
    let likely = call("mcp__shell__run", json!({"command": "ls"})).with(facts());
    assert_eq!(decision(&policy, &likely), Decision::Pass);
    let empty = bash("# nothing\n").with(facts());
    assert_eq!(decision(&policy, &empty), Decision::Pass);
}

#[test]
fn the_dialog_is_answered_as_the_call_is() {
    let policy = pack();
    let asked = |command: &str| {
        event("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": command}})).with(facts())
    };
    assert_eq!(decision(&policy, &asked("git status && ls")), Decision::Allow);
    assert_eq!(decision(&policy, &asked("git status && rm x")), Decision::Pass);
}
