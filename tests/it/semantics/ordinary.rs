//! The packs on a day's ordinary calls: they ask about none.

use hookrules::facts::StatedFacts;
use hookrules::packs::PACKS;
use hookrules::policy::Policy;
use hookrules::verdict::Decision;
use serde::Deserialize;
use serde_json::json;

use crate::kit::{bash, call, judge, policy, shown};
use crate::source::read;

#[derive(Deserialize)]
struct Call {
    tool: String,
    input: serde_json::Value,
}

fn all_packs() -> Policy {
    let uses: String = PACKS.iter().map(|(name, _)| format!("use \"{name}\"\n")).collect();
    policy(&uses)
}

fn facts() -> StatedFacts {
    StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project")
}

#[test]
fn another_day_of_commands_is_let_through() {
    let policy = all_packs();
    let text = read("tests/fixtures/shell/another-day.txt");
    let mut told = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        let evaluation = judge(&policy, &bash(&line.replace('⏎', "\n")).with(facts()));
        if evaluation.verdict.decision() > Decision::Allow {
            told.push(format!("{line}\n    {}", shown(&evaluation.verdict)));
        }
    }
    assert!(told.is_empty(), "{} are told about:\n{}", told.len(), told.join("\n"));
}

#[test]
fn a_day_of_calls_is_let_through() {
    let policy = all_packs();
    let text = read("tests/fixtures/tools/ordinary.jsonl");
    let calls: Vec<Call> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(calls.len() >= 60);
    let mut told = Vec::new();
    for Call { tool, input } in calls {
        let evaluation = judge(&policy, &call(&tool, input.clone()).with(facts()));
        if evaluation.verdict.decision() != Decision::Pass || !evaluation.verdict.contexts.is_empty() {
            told.push(format!("{tool} {input}\n    {}", shown(&evaluation.verdict)));
        }
    }
    assert!(told.is_empty(), "{} are told about:\n{}", told.len(), told.join("\n"));
}

/// `{match}` in a sentence is the file or the command that the sentence is about.
#[test]
fn what_is_told_names_the_file_or_the_command() {
    let policy = all_packs();
    let edit = |path: &str| call("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"}));
    let table = [
        (edit("Cargo.lock"), "`Cargo.lock` is written by the package manager."),
        (edit("src/generated/mod.rs"), "`src/generated/mod.rs` is generated."),
        (edit(".github/workflows/ci.yml"), "Change what CI runs, `.github/workflows/ci.yml`?"),
        (
            bash("cat > .github/workflows/lint.yml <<'EOF'\na\nEOF"),
            "Change what CI runs, `.github/workflows/lint.yml`?",
        ),
        (edit("src/a.rs").by("reviewer"), "Reviewers do not change the tree: `src/a.rs`."),
        (bash("git commit -m x").by("reviewer"), "Reviewers do not change the tree: `git commit -m x`."),
        (edit("src/a.rs").by("docs-writer"), "Report what should change in `src/a.rs`."),
        (edit("src/a.rs").by("tester"), "If `src/a.rs` must change for them"),
        (bash("docker ps -aq | xargs docker rm -f"), "`docker rm -f …` may stop or delete"),
        (bash("git config alias.co checkout"), "`git config alias.co checkout` sets what git runs"),
        (bash("rm -rf .git"), "This deletes `.git`"),
    ];
    for (given, expected) in table {
        let told = shown(&judge(&policy, &given.with(facts())).verdict);
        assert!(told.contains(expected), "not {expected:?} but:\n{told}");
    }
}

/// A guarded thing is reported once.
#[test]
fn one_rule_tells_of_a_guard() {
    let policy = all_packs();
    let edit = |path: &str| call("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"}));
    for given in [
        edit(".claude/settings.json"),
        edit(".rules/project.rules"),
        edit("../.rules/project.rules"),
        bash("chmod +x .git/hooks/pre-commit"),
        bash("rm ../.git/HEAD"),
    ] {
        let given = given.with(facts());
        let told = shown(&judge(&policy, &given).verdict);
        assert_eq!(told.matches("Is that intended?").count(), 1, "{told}");
    }
}
