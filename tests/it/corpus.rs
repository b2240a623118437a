//! Calls with the expected answers of policies: a corpus of commands, a day of a developer, of an agent, and of an
//! attacker.
//!
//! A row of `corpus.jsonl` is a command, one of the policies of `corpus.rules`, and the outcome. `verified` rows were
//! run by bash 5.2 with stub programs, the others are reasoned; `accept` lists other tolerable outcomes.

use std::collections::BTreeMap;
use std::fmt::Write;

use hookrules::eval::RuleOutcome;
use hookrules::facts::{MachineFacts, StatedFacts};
use hookrules::packs::PACKS;
use hookrules::policy::Policy;
use hookrules::verdict::Decision;
use serde::Deserialize;
use serde_json::json;

use crate::kit::{Given, bash, event, judge, policy};
use crate::machine::Machine;
use crate::source::read;

#[derive(Deserialize)]
struct Row {
    id: String,
    policy: String,
    tier: String,
    expect: String,
    #[serde(default)]
    accept: Vec<String>,
    command: String,
    why: String,
}

/// The results of the rows of a policy.
#[derive(Default)]
struct Counts {
    rows: usize,
    hits: usize,
    misses: usize,
    false_alarms: usize,
    opaque: usize,
}

fn rows() -> Vec<Row> {
    let text = read("tests/fixtures/shell/corpus.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Judges a row by the rule of its policy.
fn outcome(policy: &Policy, row: &Row) -> &'static str {
    let given = bash(&row.command).set(json!({"cwd": "/home/u/proj"}));
    let facts = StatedFacts::default().with_project("/home/u/proj").with_home("/home/u").with_git_branch("topic");
    let facts = [".env", ".env.example", "sub/.env", "src/env.ts"]
        .into_iter()
        .fold(facts, |facts, file| facts.with_file(file, true));
    let evaluation = judge(policy, &given.with(facts));
    let judged = evaluation.trace.rules.iter().find(|judged| judged.display_name == row.policy).unwrap();
    match judged.outcome {
        RuleOutcome::Match => "match",
        RuleOutcome::NoMatch => "no-match",
        RuleOutcome::Unknown(_) => "opaque",
    }
}

#[test]
fn the_corpus_comes_out_as_it_says() {
    let policy = policy(&read("tests/fixtures/shell/corpus.rules"));
    let mut table: BTreeMap<(String, String), Counts> = BTreeMap::new();
    let mut otherwise = String::new();
    for row in &rows() {
        let is = outcome(&policy, row);
        let counts = table.entry((row.policy.clone(), row.tier.clone())).or_default();
        counts.rows += 1;
        counts.opaque += usize::from(is == "opaque");
        if is == row.expect || row.accept.iter().any(|accept| accept == is) {
            counts.hits += 1;
            continue;
        }
        counts.misses += usize::from(row.expect != "no-match");
        counts.false_alarms += usize::from(row.expect == "no-match");
        let Row { id, policy, tier, expect, command, why, .. } = row;
        // Aspirational rows are only counted, and must not be false alarms.
        if tier == "aspirational" && expect != "no-match" {
            continue;
        }
        writeln!(otherwise, "{id} {tier} {policy}: {is}, not {expect} ({why})\n    {command:?}").unwrap();
    }
    for ((policy, tier), Counts { rows, hits, misses, false_alarms, opaque }) in &table {
        println!(
            "{policy:24} {tier:12} {rows:4} rows {hits:4} hits {misses:3} misses {false_alarms:3} false alarms {opaque:3} opaque"
        );
    }
    assert!(otherwise.is_empty(), "\n{otherwise}");
}

#[test]
fn a_day_of_commands_is_let_through() {
    let policy = all_packs();
    let facts = || StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project");
    let mut asked = Vec::new();
    for line in read("tests/fixtures/shell/ordinary.txt").lines().filter(|line| !line.starts_with("# ")) {
        let command = line.replace('⏎', "\n");
        let evaluation = judge(&policy, &bash(&command).with(facts()));
        match evaluation.verdict.decision() {
            Decision::Pass | Decision::Allow => {}
            _ => asked.push(format!("{command}\n    {}", crate::kit::shown(&evaluation.verdict))),
        }
    }
    println!("{} are asked about:\n{}", asked.len(), asked.join("\n"));
    let is_denied = |told: &&String| told.contains("\n    deny");
    assert!(
        asked.len() <= 2 && !asked.iter().any(|told| is_denied(&told)),
        "more than two are asked about, or one is denied"
    );
}

/// Returns the policy that uses every pack.
fn all_packs() -> Policy {
    policy(&PACKS.iter().map(|(name, _)| format!("use \"{name}\"\n")).collect::<String>())
}

/// Returns the call of a line: a command, or a call as JSON.
fn call(line: &str) -> Given {
    match line.starts_with('{') {
        true => event("PreToolUse", serde_json::from_str(line).unwrap()),
        false => bash(&line.replace('⏎', "\n")),
    }
}

/// Whether a call proceeds without a question.
fn goes_ahead(decision: Decision) -> bool {
    matches!(decision, Decision::Pass | Decision::Allow)
}

#[test]
fn the_work_of_an_agent_is_let_through() {
    // The first loses the changes in that file, the second may wait forever, the third opens the machine, and the last
    // may leave out the policy.
    let meant = [
        "git checkout main -- Cargo.lock",
        "until curl -sf localhost:3000/health; do sleep 1; done",
        "ngrok http 3000 &",
        "git sparse-checkout set src tests",
    ];
    let policy = all_packs();
    let facts = || StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project");
    let text = read("tests/fixtures/work.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    let verdicts = lines.iter().map(|line| (*line, judge(&policy, &call(line).with(facts())).verdict));
    let told: Vec<_> = verdicts.filter(|(_, verdict)| !goes_ahead(verdict.decision())).collect();
    for (line, verdict) in told.iter().filter(|(line, _)| !meant.contains(line)) {
        println!("{line}\n    {}", crate::kit::shown(verdict));
    }
    assert_eq!(told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), meant);
    assert!(lines.len() >= 500 && meant.len() * 100 <= lines.len(), "more than one in a hundred is asked about");
}

/// A line of the fixture that proceeds has its reason after `⟵`, so that a closed loophole is noticed too.
#[test]
fn what_an_attacker_tries_is_asked_about() {
    let policy = all_packs();
    let facts =
        || StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project").with_file(".env", true);
    let text = read("tests/fixtures/tries.txt");
    let (mut otherwise, mut tries, mut reasons) = (String::new(), 0, 0);
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        let (line, reason) = line.split_once(" ⟵ ").map_or((line, None), |(line, reason)| (line, Some(reason)));
        tries += 1;
        reasons += usize::from(reason.is_some());
        let verdict = judge(&policy, &call(line).with(facts())).verdict;
        if goes_ahead(verdict.decision()) != reason.is_some() {
            writeln!(otherwise, "{line}\n    {}", crate::kit::shown(&verdict)).unwrap();
        }
    }
    assert!(otherwise.is_empty(), "these go ahead without a reason, or no longer do:\n{otherwise}");
    assert!(tries >= 900 && reasons * 10 <= tries, "{reasons} of {tries} are let through");
}

/// The same in a tree with files: files that are guarded are left alone, and unpacking over them is asked about.
#[test]
fn a_day_of_commands_is_let_through_where_files_lie() {
    let machine = Machine::new();
    machine
        .write("project/.git/HEAD", "ref: refs/heads/topic\n")
        .write("project/.git/config", "[core]\n\tbare = false\n");
    let files = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "package.json",
        ".env",
        ".env.example",
        ".rules/project.rules",
        "names.txt",
        ".claude/settings.json",
        ".github/workflows/ci.yml",
        "src/main.rs",
        "src/lib.rs",
        "scripts/clean.sh",
        "build.log",
    ];
    for file in files {
        machine.write(&format!("project/{file}"), "");
    }
    machine.write("project/.gitignore", ".env\n/target\nnode_modules/\n*.log\n");
    let policy = all_packs();
    let mut told = Vec::new();
    let texts = ["ordinary", "another-day"].map(|name| read(format!("tests/fixtures/shell/{name}.txt")));
    for line in texts.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with("# ")) {
        let given = bash(&line.replace('⏎', "\n")).set(json!({"cwd": machine.path("project")}));
        let evaluation = judge(&policy, &given.with(MachineFacts::new(Some(machine.path("project")))));
        match evaluation.verdict.decision() {
            Decision::Pass | Decision::Allow => {}
            _ => told.push((line, crate::kit::shown(&evaluation.verdict))),
        }
    }
    for (line, shown) in &told {
        println!("{line}\n    {shown}");
    }
    // Downloads or unpacked files here may be guarded ones, and so may the files that a search or a conflict lists. A
    // deletion on the remote is for everybody.
    let meant = [
        "curl -sL",
        "wget https",
        "git diff --name-only | xargs prettier",
        "git checkout --ours .",
        "git push origin --delete",
    ];
    let is_meant = |line: &str| meant.iter().any(|start| line.starts_with(start));
    assert!(told.iter().all(|(line, _)| is_meant(line)), "others are asked about, or denied");
}

/// Results of policies about files on a day's commands: few are unknown, and none is denied.
#[test]
fn a_day_of_commands_touches_no_file_that_policies_guard() {
    let machine = Machine::new();
    let files =
        [".env", ".env.example", "src/main.rs", "src/lib.rs", "names.txt", "scripts/clean.sh", "tests/.env.test"];
    for file in files {
        machine.write(&format!("project/{file}"), "");
    }
    machine.write("project/.gitignore", ".env\n.env.test\n/target\nnode_modules/\n");
    let policy = policy(&read("tests/fixtures/shell/corpus.rules"));
    let mut told = Vec::new();
    for line in read("tests/fixtures/shell/ordinary.txt").lines().filter(|line| !line.starts_with("# ")) {
        let command = line.replace('⏎', "\n");
        let given = bash(&command).set(json!({"cwd": machine.path("project")}));
        let evaluation = judge(&policy, &given.with(MachineFacts::new(Some(machine.path("project")))));
        let guards = |shown: &str| shown.starts_with("no-env") || shown == "no-outside-write";
        for judged in evaluation.trace.rules.iter().filter(|judged| guards(&judged.display_name)) {
            let how = match &judged.outcome {
                RuleOutcome::NoMatch => continue,
                RuleOutcome::Match => {
                    format!("match of {}", judged.matched.as_ref().map_or("", |matched| &matched.text))
                }
                RuleOutcome::Unknown(reason) => reason.sentence(),
            };
            told.push(format!("{command}\n    {}: {how}", judged.display_name));
        }
    }
    println!("{}", told.join("\n"));
    let is_meant =
        |told: &String| ["git worktree ", "curl -sL", "wget https"].iter().any(|start| told.starts_with(start));
    assert!(told.iter().all(is_meant), "others are unknown, or denied");
}
