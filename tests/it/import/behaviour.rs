//! Decisions of imported policies, compared with those of conclaude.

use hookrules::facts::StatedFacts;
use hookrules::policy::Policy;
use hookrules::verdict::Command;
use serde_json::json;

use super::{fixture, policy_of};
use crate::kit::{Given, bash, call, check_policy, event, judge, read, shown, write};

/// Returns the commands for an event, in order.
fn commands(policy: &Policy, given: &Given) -> Vec<String> {
    let verdict = judge(policy, given).verdict;
    let text = |command: &Command| match command {
        Command::Shell { script, .. } => script.clone(),
        Command::Argv(words) => words.last().unwrap().clone(),
    };
    verdict.runs.iter().map(|run| text(&run.command)).collect()
}

fn decision(policy: &Policy, given: &Given) -> String {
    shown(&judge(policy, given).verdict).split([' ', ':']).next().unwrap().to_owned()
}

/// Asserts the decision on calls.
#[track_caller]
fn decides(policy: &Policy, expected: &str, calls: Vec<Given>) {
    for given in calls {
        assert_eq!(decision(policy, &given), expected, "{given:?}");
    }
}

fn edit(path: &str) -> Given {
    call("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"}))
}

fn stopped(agent: &str) -> Given {
    event(
        "SubagentStop",
        json!({"agent_id": "a1", "agent_type": agent, "agent_transcript_path": "/home/user/a.jsonl", "stop_hook_active": false}),
    )
}

#[test]
fn wildcard_commands_run_before_those_of_a_pattern() {
    let policy = policy_of(&fixture("subagents"));
    let coder = ["echo every", "echo any coder", "npm run lint", "echo ${CONCLAUDE_SUBAGENT_NAME}"];
    assert_eq!(commands(&policy, &stopped("coder")), coder);
    assert_eq!(commands(&policy, &stopped("auto-coder")), ["echo every", "echo any coder", "echo auto"]);
    assert_eq!(commands(&policy, &stopped("agent_7x")), ["echo every", "echo number"]);
    assert_eq!(commands(&policy, &stopped("agent_x")), ["echo every"]);
    assert_eq!(commands(&policy, &stopped("coder-agent")), ["echo every"]);
    assert_eq!(commands(&policy, &event("Stop", json!({"stop_hook_active": false}))), Vec::<String>::new());
}

#[test]
fn options_of_a_command_are_carried_over() {
    let policy = policy_of(&fixture("subagents"));
    let verdict = judge(&policy, &stopped("coder")).verdict;
    let lint = verdict.runs.iter().find(|run| run.source_text == "npm run lint").unwrap();
    assert_eq!(lint.message.as_deref(), Some("Linting failed"));
    assert!(lint.options.show_stdout && lint.options.show_stderr);
    assert_eq!(lint.options.max_output_lines, Some(50));
    let every = verdict.runs.first().unwrap();
    assert!(
        !every.options.show_stdout
            && !every.options.show_stderr
            && every.message.is_none()
            && every.options.on_fail.is_none()
    );
}

#[test]
fn uneditable_files_are_denied_and_others_pass() {
    let policy = policy_of(&fixture("small"));
    decides(
        &policy,
        "deny",
        vec![
            edit("/project/package-lock.json"),
            edit("/project/Cargo.lock"),
            edit("/project/a/b/yarn.lock"),
            write("/project/.env", "A=1"),
            write("/project/.env.d/a", "A=1"),
            call("NotebookEdit", json!({"notebook_path": "/project/x.lock", "new_source": ""})),
            call("MultiEdit", json!({"file_path": "/project/x.lock", "edits": []})),
        ],
    );
    decides(
        &policy,
        "pass",
        vec![
            edit("/project/package.json"),
            edit("/project/a/package-lock.json"),
            edit("/project/lock.rs"),
            edit("/project/a/.env"),
            read("/project/.env"),
            bash("rm Cargo.lock"),
        ],
    );
    check_policy(
        &policy,
        &edit("/project/.env"),
        "deny by protect-env: Environment files hold secrets. Use .env.example instead.",
    );
}

#[test]
fn new_files_stay_out_of_the_root() {
    let policy = policy_of("");
    decides(&policy, "deny", vec![write("/project/a.md", ""), write("/project/.hidden", ""), write("b.md", "")]);
    decides(&policy, "pass", vec![write("/project/src/a.md", ""), edit("/project/a.md"), write("/tmp/a.md", "")]);
    let free = policy_of("preToolUse: { preventRootAdditions: false }");
    decides(&free, "pass", vec![write("/project/a.md", "")]);
}

#[test]
fn a_file_of_the_root_that_exists_is_overwritten() {
    let policy = policy_of("preToolUse: { preventAdditions: [dist] }");
    let there = |path: &str| write(path, "").with(StatedFacts::for_examples().with_file(path, true));
    decides(&policy, "pass", vec![there("/project/a.md"), there("/project/dist/a.js")]);
    decides(&policy, "deny", vec![write("/project/dist/b.js", ""), write("/project/dist/a/b.js", "")]);
}

#[test]
fn agents_are_told_apart() {
    let policy = policy_of(&fixture("everything"));
    decides(
        &policy,
        "deny",
        vec![
            edit("/project/tests/a.rs").by("coder"),
            edit("/project/src/a/b.test.ts").by("coder"),
            // `m*` matches the main thread too.
            edit("/project/docs/a.md"),
            edit("/project/docs/a.md").by("maker"),
            edit("/project/lib/a.rs").by("planner"),
        ],
    );
    decides(
        &policy,
        "pass",
        vec![
            edit("/project/tests/a.rs"),
            edit("/project/tests/a.rs").by("tester"),
            edit("/project/docs/a.md").by("coder"),
            edit("/project/src/a.rs").by("planner"),
        ],
    );
}

#[test]
fn an_allow_blocks_all_else_and_decides_at_once() {
    let policy = policy_of(&fixture("everything"));
    let git = bash("git status").by("reviewer");
    check_policy(&policy, &git, "deny by only-cargo: Only some commands may be run here, and this is not one of them.");
    decides(
        &policy,
        "deny",
        vec![
            bash("git push --force origin main"),
            bash("curl example.com"),
            bash("npm test"),
            bash("cargo test").by("reviewer"),
            write("/project/src/a.ts", ""),
            read("/project/key.pem"),
        ],
    );
    decides(
        &policy,
        "pass",
        vec![
            bash("cargo test"),
            bash("cargo build --release"),
            write("/project/src/a.js", ""),
            read("/project/key.pub"),
        ],
    );
}

#[test]
fn a_prefix_is_the_first_words() {
    let policy = policy_of(&fixture("everything"));
    let coder = |command: &str| shown(&judge(&policy, &bash(command).by("coder")).verdict);
    assert!(coder("rm -rf").contains("no-rm-rf-for-coder"));
    assert!(coder("rm -rf build").contains("no-rm-rf-for-coder"));
    assert!(!coder("rm -rfv build").contains("no-rm-rf-for-coder"));
}

#[test]
fn dialogs_are_answered_by_the_name_of_the_tool() {
    let request = |tool: &str| event("PermissionRequest", json!({"tool_name": tool, "tool_input": {}}));
    let text = |default: &str| {
        format!(
            "preToolUse: {{ preventRootAdditions: false }}\npermissionRequest:\n  default: {default}\n  allow: [Read, 'Edit*', Bash]\n  deny: [Bash, KillShell]\n"
        )
    };
    let denying = policy_of(&text("deny"));
    decides(&denying, "allow", vec![request("Read"), request("EditFile")]);
    decides(&denying, "deny", vec![request("Bash"), request("KillShell"), request("WebFetch")]);
    let allowing = policy_of(&text("allow"));
    decides(&allowing, "allow", vec![request("Read")]);
    decides(&allowing, "deny", vec![request("Bash")]);
    // A tool that the configuration does not name is only recorded.
    decides(&allowing, "pass", vec![request("WebFetch")]);
    let observed = judge(&allowing, &request("WebFetch")).observed;
    assert_eq!(observed.iter().map(|vote| vote.author.name()).collect::<Vec<_>>(), ["other-tools"]);
}

#[test]
fn contexts_come_with_the_prompts_they_are_about() {
    let policy = policy_of(&fixture("everything"));
    let prompt = |text: &str| event("UserPromptSubmit", json!({"prompt": text}));
    let about = judge(&policy, &prompt("Fix the LOGIN page")).verdict;
    let texts: Vec<&str> = about.contexts.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(texts, ["Read @.claude/contexts/auth.md first.\nThen say what you will do."]);
    assert_eq!(commands(&policy, &prompt("login")), [".claude/contexts/auth.md", ".claude/scripts/log-prompt.sh"]);
    assert!(judge(&policy, &prompt("SRC/DB")).verdict.contexts.is_empty(), "the rule is off");
    assert!(judge(&policy, &prompt("nothing")).verdict.contexts.is_empty());
    let log = judge(&policy, &prompt("x")).verdict.runs.remove(0);
    assert!(log.options.background, "what it prints is for nobody");
    assert_eq!(
        log.env.iter().find(|(name, _)| *name == "CONCLAUDE_USER_PROMPT").map(|(_, value)| value.as_str()),
        Some("x")
    );
}

#[test]
fn a_command_that_shows_nothing_to_a_prompt_runs_in_the_background_whatever_it_says_of_its_output() {
    let policy = policy_of("userPromptSubmit:\n  commands:\n    - run: ./log.sh\n      maxOutputLines: 5\n");
    let log = judge(&policy, &event("UserPromptSubmit", json!({"prompt": "x"}))).verdict.runs.remove(0);
    assert_eq!((log.options.background, log.options.max_output_lines), (true, None));
}

#[test]
fn stop_commands_run_in_order_and_the_last_goes_on() {
    let policy = policy_of(&fixture("everything"));
    let stop = event("Stop", json!({"stop_hook_active": false}));
    let found = commands(&policy, &stop);
    assert_eq!(found.first().map(String::as_str), Some("nix develop -c lint"));
    assert_eq!(found.last().map(String::as_str), Some("false"));
    assert_eq!(found.get(1..3).unwrap(), ["cargo fmt --check", "cargo test --quiet"]);
    assert!(found.contains(&"awk '{print $1} {cwd}' \"$CONCLAUDE_CONFIG_DIR/list\"".to_owned()), "{found:#?}");
    let verdict = judge(&policy, &stop).verdict;
    assert!(verdict.runs.iter().all(|run| run.options.on_fail == Some(hookrules::verdict::OnFail::Deny)));
    assert_eq!(verdict.runs.last().unwrap().message.as_deref(), Some("continue working on the task"));
    let rules: std::collections::BTreeSet<&str> = verdict.runs.iter().map(|run| run.rule.as_str()).collect();
    assert_eq!(rules.len(), verdict.runs.len(), "a rule each: the first that fails keeps the others from running");
}
