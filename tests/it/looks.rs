//! Commands that agents run to look, and commands that only seem to: what `std/read-only` says of each.
//!
//! A row of `looks.jsonl` is a command that changed no file when it was executed in a project of its own, without a
//! network; of one with `executed: false`, the program was absent, and its manual says so. Logs that a program keeps
//! for itself do not count. `because` says why a look keeps the prompt. A row of `evasions.jsonl` is a command that
//! did change a file there, start what nobody looked at, or show what is private; `changes` names what. A row of
//! `losses.jsonl` destroyed the file `victim` when it was executed in a directory with the files of `with_victim`; `passes` says why a rule that
//! guards the file misses it.

use hookrules::facts::StatedFacts;
use hookrules::policy::Policy;
use hookrules::verdict::Decision;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::kit::{bash, judge, policy};
use crate::machine::Machine;
use crate::source::read;

#[derive(Deserialize, Default)]
struct Row {
    command: String,
    #[serde(default)]
    facts: Map<String, Value>,
    because: Option<String>,
    #[serde(default)]
    changes: Vec<String>,
    passes: Option<String>,
}

fn rows(file: &str) -> Vec<Row> {
    read(format!("tests/fixtures/{file}")).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is_allowed(policy: &Policy, row: &Row) -> bool {
    let facts = StatedFacts::default().with_project("/project").with_home("/home/dev").with_tmp(["/tmp"]);
    let given = bash(&row.command).set(json!({"cwd": "/project"})).with(facts.with_json(&row.facts).unwrap());
    judge(policy, &given).verdict.decision() == Decision::Allow
}

#[test]
fn at_least_nine_looks_of_ten_need_no_prompt() {
    let (policy, rows) = (policy("use \"std/read-only\""), rows("looks.jsonl"));
    let allowed = rows.iter().filter(|row| is_allowed(&policy, row)).count();
    for row in &rows {
        assert_eq!(is_allowed(&policy, row), row.because.is_none(), "{}", row.command);
    }
    assert!(rows.len() >= 200 && allowed * 10 >= rows.len() * 9, "{allowed} of {}", rows.len());
}

#[test]
fn what_only_seems_to_look_keeps_the_prompt() {
    let (policy, rows) = (policy("use \"std/read-only\""), rows("evasions.jsonl"));
    for row in &rows {
        assert!(!row.changes.is_empty() && !is_allowed(&policy, row), "{}", row.command);
    }
    assert!(rows.len() >= 60, "{}", rows.len());
}

/// Makes a project that is a repository, with a further one below it and one without a working tree.
fn with_repositories() -> Machine {
    let machine = Machine::with("use \"std/read-only\"\n");
    for repository in [".git", "nested", "vendor/x/.git"] {
        for (file, text) in [("HEAD", "ref: refs/heads/main\n"), ("objects/x", ""), ("refs/x", ""), ("config", "")] {
            machine.write(&format!("project/{repository}/{file}"), text);
        }
    }
    machine
}

#[test]
fn git_in_another_repository_keeps_the_prompt() {
    let machine = with_repositories();
    let mut rows = rows("evasions.jsonl");
    rows.retain(|row| row.command.contains("nested"));
    assert!(rows.len() >= 4, "{}", rows.len());
    for (row, decision) in rows.iter().zip(decisions(&machine, &rows)) {
        assert_eq!(decision, "pass", "{}", row.command);
    }
    let row = |command: &str| Row { command: command.to_owned(), ..Row::default() };
    let own = [row("git status"), row("git -C docs log"), row("cd docs && git log -1")];
    assert_eq!(decisions(&machine, &own), ["allow"; 3]);
    let other = [row("git -C vendor/x status"), row("cd vendor/x && git log"), row("ls; cd vendor; git -C x diff")];
    assert_eq!(decisions(&machine, &other), ["pass"; 3]);
}

/// Makes a project with the files that the losses were executed beside, under a policy that guards one of them.
fn with_victim(policy: &str) -> Machine {
    let machine = Machine::with(policy);
    for (file, text) in [
        ("victim", "keep\nme\n"),
        ("names", "victim\n"),
        ("keep", "a\nb\n"),
        ("src/victim", "other\n"),
        ("doc/x", ""),
        ("data.json", "{\"f\":\"victim\"}"),
        ("in.tar", ""),
    ] {
        machine.write(&format!("project/{file}"), text);
    }
    machine
}

/// Returns the decision on each command, judged in its directory.
fn decisions(machine: &Machine, rows: &[Row]) -> Vec<String> {
    let calls: String = rows.iter().map(|row| format!("{}\n", machine.bash(&row.command))).collect();
    let printed = machine.rules(&["eval", "--policy", ".rules"], &calls);
    let lines = printed.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| line["decision"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_destroys_a_file_is_denied_or_asked_about() {
    let rows = rows("losses.jsonl");
    let guarded = "rule guarded {\n  on PreToolUse\n  when deletes like [\"victim\", \"victim/**\"] or writes like \
                   [\"victim\", \"victim/**\"]\n  deny \"No.\"\n}\n";
    let found = decisions(&with_victim(guarded), &rows);
    assert_eq!(found.len(), rows.len());
    for (row, decision) in rows.iter().zip(found) {
        let is_missed = !matches!(decision.as_str(), "deny" | "ask");
        assert_eq!(is_missed, row.passes.is_some(), "{}: {decision}", row.command);
    }
    let missed = rows.iter().filter(|row| row.passes.is_some()).count();
    assert!(rows.len() >= 400 && missed <= 20, "{missed} of {}", rows.len());
}

#[test]
fn what_destroys_a_file_is_not_allowed_as_a_look() {
    let rows = rows("losses.jsonl");
    for (row, decision) in rows.iter().zip(decisions(&with_victim("use \"std/read-only\"\n"), &rows)) {
        assert_ne!(decision, "allow", "{}", row.command);
    }
}
