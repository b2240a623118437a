//! Laws of the places of a rule, on random rules and calls. The seed is fixed.

use hookrules::eval::RuleOutcome;
use hookrules::facts::{GitState, StatedFacts};
use hookrules::policy::Policy;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use serde_json::json;

use crate::kit::{Given, bash, call, judge, outcome_of, policy};

/// Conditions about git.
const OF_GIT: &[&str] = &[
    "git.branch == \"main\"",
    "git.branch != \"main\"",
    "git.branch in [\"topic\", \"other\"]",
    "exists git.branch",
    "git.worktree",
    "git.remote contains \"example\"",
];

/// Conditions about the call, each of which can only become true if the call does more. None is about `cd`, which is a
/// command of the directory that it leaves.
const OF_CALLS: &[&str] = &[
    "writes like \"**\"",
    "writes like \"*.ts\"",
    "deletes like \"**\"",
    "reads like \"*.ts\"",
    "runs \"git commit\"",
    "runs \"git push\"",
    "runs [\"npm *\", \"touch\"]",
    "runs [\"git *\", \"touch *\", \"cp *\", \"echo *\", \"make *\"]",
    "tool_name == \"Bash\"",
];

/// Conditions about git in places of their own.
const OF_COMMANDS: &[&str] = &[
    "runs \"git *\" where git.branch == \"main\"",
    "runs \"*\" where (writes like \"**\" and git.branch == \"main\")",
    "runs \"git push\" where not git.worktree",
];

/// Commands; `D` is a directory of the working tree in which they run.
const COMMANDS: &[&str] = &[
    "git commit -m x",
    "git push origin HEAD",
    "git -C src commit -m x",
    "git -C D/src push",
    "(cd src; git push)",
    "bash -c 'git commit -m x'",
    "echo x > a.ts",
    "echo x >> D/b.ts",
    "cp a.ts src/b.ts",
    "rm -rf src",
    "touch D/new",
    "sed -i s/a/b/ src/a.ts",
    "find src -name '*.ts' -delete",
    "npm --prefix src publish",
    "make -C D/src",
    "cat a.ts | tee c.ts",
    "for f in a b; do touch $f; done",
    "touch \"$FILE\"",
    "eval \"$CODE\"",
];

/// Commands that change what git says.
const CHANGES: &[&str] =
    &["git checkout -b n", "git switch other", "git checkout \"$B\"", "git remote set-url origin x"];

fn state() -> impl Strategy<Value = GitState> {
    let branch = select(&[Some("main"), Some("topic"), Some("other"), None][..]);
    let remote = select(&[Some("https://example.org/x"), Some("https://localhost/x"), None][..]);
    (branch, remote, any::<bool>()).prop_map(|(branch, remote, worktree)| GitState {
        branch: branch.map(str::to_owned),
        remote: remote.map(str::to_owned),
        worktree,
        ..GitState::default()
    })
}

/// Returns conditions in which more of a call can only make more true, with some conditions about the call.
fn monotone(of_calls: &[&'static str]) -> impl Strategy<Value = String> {
    let of_calls = of_calls.to_vec();
    let (git, calls) = (|| select(OF_GIT), || select(of_calls.clone()));
    prop_oneof![
        git().prop_map(str::to_owned),
        (calls(), git()).prop_map(|(a, b)| format!("{a} and {b}")),
        (calls(), git(), git()).prop_map(|(a, b, c)| format!("{a} and ({b} or not {c})")),
        (calls(), calls(), git()).prop_map(|(a, b, c)| format!("({a} or {b}) and {c}")),
        (calls(), git(), calls(), git()).prop_map(|(a, b, c, d)| format!("({a} and {b}) or ({c} and {d})")),
    ]
}

fn condition(of_calls: &[&'static str]) -> impl Strategy<Value = String> {
    let negated = (select(of_calls.to_vec()), select(OF_GIT)).prop_map(|(a, b)| format!("not {a} and {b}"));
    prop_oneof![3 => monotone(of_calls), 1 => negated]
}

/// Returns commands that run in a directory, which they enter.
fn commands(directory: &'static str, all: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(select(all), 1..4)
        .prop_map(move |list| format!("cd {directory} && {}", list.join("; ").replace('D', directory)))
}

/// Returns the conditions about calls, also those with places of their own.
fn of_all() -> Vec<&'static str> {
    [OF_CALLS, OF_COMMANDS].concat()
}

fn all_commands() -> &'static [&'static str] {
    static ALL: std::sync::LazyLock<Vec<&str>> = std::sync::LazyLock::new(|| [COMMANDS, CHANGES].concat());
    &ALL
}

/// Returns a call that only acts in `/w`.
fn call_in_w() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        3 => commands("/w", all_commands()).prop_map(|text| ("Bash", text)),
        1 => select(&["/w/a.ts", "/w/src/new/b"][..]).prop_map(|file| ("Write", file.to_owned())),
    ]
}

fn given((tool, text): &(&str, String)) -> Given {
    match *tool {
        "Bash" => bash(text),
        tool => call(tool, json!({ "file_path": text, "content": "x" })),
    }
}

/// Returns facts with a repository in `/project` and one in `/w`.
fn two(project: &GitState, other: &GitState) -> StatedFacts {
    let facts = StatedFacts::for_examples().with_working_tree("/project", project.clone());
    facts.with_working_tree("/w", other.clone())
}

fn rule(condition: &str, effect: &str) -> Policy {
    policy(&format!("rule r {{\n  on PreToolUse\n  when {condition}\n  {effect}\n}}\n"))
}

fn is_match(policy: &Policy, text: &str, facts: StatedFacts) -> bool {
    outcome_of(policy, &bash(text).with(facts)) == RuleOutcome::Match
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_128),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_call_in_another_working_tree_is_judged_as_in_a_repository_of_its_own(
        condition in condition(&of_all()),
        effect in select(&["deny \"M\"", "ask \"M\"", "allow", "unknown deny\n  warn \"M\""][..]),
        (project, other) in (state(), state()),
        call in call_in_w(),
    ) {
        let policy = rule(&condition, effect);
        let alone = StatedFacts::for_examples().with_project("/w").with_working_tree("/w", other.clone());
        let there = judge(&policy, &given(&call).set(json!({ "cwd": "/w" })).with(alone)).verdict;
        let from_here = judge(&policy, &given(&call).with(two(&project, &other))).verdict;
        prop_assert_eq!(from_here.decision(), there.decision());
    }

    #[test]
    fn an_allow_in_two_places_never_follows_from_one(
        condition in condition(OF_CALLS),
        (first, second) in (state(), state()),
        (here, there) in (commands("/project", COMMANDS), commands("/w", COMMANDS)),
    ) {
        let policy = rule(&condition, "allow");
        let text = format!("{here}; {there}");
        if is_match(&policy, &text, two(&first, &second)) {
            for state in [&first, &second] {
                prop_assert!(is_match(&policy, &text, two(state, state)), "{text}: not allowed if both are {state:?}");
            }
        }
    }

    #[test]
    fn a_deny_in_one_place_is_a_deny_of_the_call(
        (all, of_one) in (monotone(&of_all()), monotone(OF_CALLS)),
        (first, second) in (state(), state()),
        (here, there) in (commands("/project", COMMANDS), commands("/w", COMMANDS)),
    ) {
        let facts = || two(&first, &second);
        let both = [format!("{here}; {there}"), format!("({there}); {here}"), format!("({here}) | ({there})")];
        let policy = rule(&all, "deny \"M\"");
        if is_match(&policy, &here, facts()) || is_match(&policy, &there, facts()) {
            for text in &both {
                prop_assert!(is_match(&policy, text, facts()), "{text}");
            }
        }
        // Without a place of its own for each command, one of the states explains a denial.
        let policy = rule(&of_one, "deny \"M\"");
        for text in both.iter().filter(|text| is_match(&policy, text, facts())) {
            let explains = |state: &GitState| is_match(&policy, text, two(state, state));
            prop_assert!(explains(&first) || explains(&second), "{text}");
        }
    }
}
