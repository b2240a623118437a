//! What the hook guards by itself, whatever the rules say: each call, and what is asked of it.

use hookrules::eval::{Detail, Evaluation, decide};
use hookrules::context::{Context, ShellTools};
use hookrules::facts::StatedFacts;
use hookrules::hooks::Guard;
use hookrules::policy::Policy;
use hookrules::project::Places;
use hookrules::verdict::{Decision, Verdict};
use serde_json::{Value as Json, json};

use crate::kit::{Given, bash, call, policy, shown};
use crate::source::read;

fn facts() -> StatedFacts {
    let files = [".rules/project.rules", ".claude/settings.json", ".claude/settings.local.json", ".git/HEAD", ".git/config",
        ".git/hooks/pre-commit", ".mcp.json", "src/a.rs", "docs/a.md", "package.json"];
    let facts = StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project").with_host_pid(4711);
    files.into_iter().fold(facts, |facts, file| facts.with_file(file, true))
}

fn judged(policy: &Policy, given: &Given) -> Verdict {
    let tools = ShellTools::default();
    let context = Context::new(&given.payload, "claude-code", given.facts.as_ref(), &tools);
    let Ok(Evaluation { mut verdict, .. }) = decide(&policy.rules, &context, Detail::Outcomes);
    let places = Places {
        managed: "/etc/rules".into(),
        user: Some("/home/user/.config/rules".into()),
        state: Some("/home/user/.local/state/rules".into()),
        cache: Some("/home/user/.cache/rules".into()),
        project: Some("/project".into()),
        gone: None,
    };
    let sources = || vec!["/project/.rules/project.rules".into(), "/project/policies/team.rules".into(), "/srv/shared/a.rules".into()];
    let guard = Guard { payload: &given.payload, context: &context, policy: Some(policy), sources: &sources, places: &places };
    let Ok(()) = guard.check(&policy.rules, &mut verdict);
    verdict
}

#[test]
fn probe() {
    let policy = policy("use \"std/git\"\n");
    for line in std::fs::read_to_string("/tmp/guard/probe.txt").unwrap().lines() {
        let verdict = judged(&policy, &bash(&line.replace('⏎', "\n")).with(facts()));
        println!("{:5} {line}   → {}", verdict.decision().word(), verdict.votes.iter().map(|v| format!("[{}] {}", v.by, v.text())).collect::<Vec<_>>().join(" | ").replace('\n', " / "));
    }
}
