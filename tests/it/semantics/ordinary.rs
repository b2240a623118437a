//! The packs on a day's ordinary calls: none is asked about.

use hookrules::facts::StatedFacts;
use hookrules::packs::PACKS;
use hookrules::policy::Policy;
use hookrules::verdict::Decision;
use serde::Deserialize;

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
