//! The packs that guard something: every way to it causes at least a question.

use hookrules::facts::StatedFacts;
use hookrules::policy::Policy;
use hookrules::verdict::Decision;
use serde_json::{Value as Json, json};

use crate::kit::{Given, bash, call, judge, policy, shown};
use crate::source::read;

fn pack() -> Policy {
    policy("use \"std/self-protection\"\n")
}

fn facts() -> StatedFacts {
    let files = [
        ".rules/project.rules",
        ".claude/settings.json",
        ".git/HEAD",
        ".git/config",
        ".git/hooks/pre-commit",
        "src/a.rs",
        ".env",
        ".env.local",
        ".env.example",
        "certs/server.pem",
        "certs/server.key",
        "/home/user/.ssh/id_rsa",
        "/home/user/.ssh/id_ed25519",
        "/home/user/.ssh/known_hosts",
        "/home/user/.aws/credentials",
    ];
    let facts = StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project");
    files.into_iter().fold(facts, |facts, file| facts.with_file(file, true))
}

fn decision(given: Given) -> Decision {
    judge(&pack(), &given.with(facts())).verdict.decision()
}

/// Checks that a pack at least asks about every command of a fixture.
#[track_caller]
fn none_gets_by(pack: &str, fixture: &str, at_least: usize) {
    let policy = policy(&format!("use \"{pack}\"\n"));
    let text = read(fixture);
    let commands: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    assert!(commands.len() >= at_least, "{fixture} has {} commands", commands.len());
    let gets_by =
        |line: &str| judge(&policy, &bash(&line.replace('⏎', "\n")).with(facts())).verdict.decision() < Decision::Ask;
    let wrong: Vec<&str> = commands.into_iter().filter(|line| gets_by(line)).collect();
    assert!(wrong.is_empty(), "these get by:\n{}", wrong.join("\n"));
}

#[test]
fn no_command_destroys_unasked() {
    none_gets_by("std/filesystem", "tests/fixtures/shell/destruction.txt", 100);
}

#[test]
fn no_command_shows_a_secret_unasked() {
    none_gets_by("std/secrets", "tests/fixtures/shell/leaks.txt", 150);
}

#[test]
fn no_other_tool_changes_a_guard_unasked() {
    let attacks: &[(&str, Json)] = &[
        ("Write", json!({"file_path": "/project/.rules/project.rules", "content": ""})),
        ("Write", json!({"file_path": "/project/src/../.rules/x.rules", "content": ""})),
        ("Write", json!({"file_path": ".rules/rules.toml", "content": ""})),
        ("Edit", json!({"file_path": "/project/.rules/project.rules", "old_string": "deny", "new_string": "warn"})),
        ("MultiEdit", json!({"file_path": "/project/.claude/settings.json", "edits": []})),
        ("NotebookEdit", json!({"notebook_path": "/project/.rules/a.rules", "new_source": ""})),
        ("Monitor", json!({"description": "x", "command": "rm -rf .rules"})),
        ("PowerShell", json!({"command": "Remove-Item -Recurse .rules"})),
        ("mcp__fs__write_file", json!({"path": ".rules/project.rules", "content": ""})),
        ("mcp__fs__edit_file", json!({"path": "/project/.rules/project.rules", "edits": []})),
        ("mcp__fs__move_file", json!({"source": ".rules", "destination": "/tmp/x"})),
        ("mcp__fs__move_file", json!({"source": "/tmp/x", "destination": ".rules/project.rules"})),
        ("mcp__fs__delete", json!({"paths": [".rules/project.rules"]})),
        ("mcp__fs__delete_directory", json!({"path": "."})),
        ("mcp__fs__apply", json!({"files": [{"path": "a"}, {"path": ".claude/settings.local.json"}]})),
        ("mcp__fs__put", json!({"uri": "file:///project/.git/hooks/pre-commit"})),
        ("mcp__shell__run", json!({"command": "rm -rf .rules"})),
        ("mcp__shell__run", json!({"script": "echo > .claude/settings.json"})),
    ];
    for (tool, input) in attacks {
        assert!(decision(call(tool, input.clone())) >= Decision::Ask, "{tool} {input}");
    }
}

#[test]
fn a_subagent_is_refused_where_the_user_is_asked() {
    let policy = pack();
    for given in [
        call("Write", json!({"file_path": ".rules/a.rules", "content": ""})),
        call("Edit", json!({"file_path": "/home/user/.bashrc", "old_string": "a", "new_string": "b"})),
        bash("rm -rf .claude"),
        bash("echo > .git/hooks/pre-commit"),
    ] {
        let evaluation = judge(&policy, &given.by("coder").with(facts()));
        assert_eq!(evaluation.verdict.decision(), Decision::Deny, "{}", shown(&evaluation.verdict));
    }
}

#[test]
fn looking_at_a_guard_is_no_change() {
    for given in [
        bash("cat .rules/project.rules"),
        bash("ls -la .rules .claude .git/hooks"),
        bash("grep -rn deny .rules"),
        bash("git diff -- .rules && git add .rules && git commit -m 'rules: tighten'"),
        bash("rules check && rules test"),
        bash("cp .rules/project.rules /tmp/copy.rules"),
        bash("jq .hooks .claude/settings.json"),
        bash("git log -p .rules | head"),
        call("Read", json!({"file_path": ".claude/settings.json"})),
        call("Grep", json!({"pattern": "deny", "path": ".rules"})),
        call("mcp__fs__read_file", json!({"path": ".rules/project.rules"})),
    ] {
        let evaluation = judge(&pack(), &given.with(facts()));
        assert_eq!(evaluation.verdict.decision(), Decision::Pass, "{}", shown(&evaluation.verdict));
    }
}
