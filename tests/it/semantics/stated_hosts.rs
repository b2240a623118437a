//! Examples and tests that state a host: what it changes, what the host is sent, and the messages for wrong ones.

use hookrules::diagnostic::Diagnostic;
use hookrules::examples::{self, ExampleReport};

use crate::kit::*;
use crate::machine::Machine;

/// A policy with every kind of answer.
const POLICY: &str = r#"
rule asks {
  on PreToolUse(Bash)
  when runs "make"
  ask "Make?"
}
rule denies {
  on PreToolUse(Bash)
  when runs "rm"
  deny "No rm."
}
rule allows {
  on PreToolUse(Bash)
  when only runs "ls"
  allow
}
rule rewrites {
  on PreToolUse(Bash)
  rewrite runs "npm" to "pnpm"
  unknown deny
}
rule halts {
  on PreToolUse(Bash)
  when runs "reboot"
  halt "Stop."
}
rule tells {
  on PreToolUse(Bash)
  when runs "git push"
  context "Push to a branch."
}
rule ends {
  on Stop
  halt "Enough."
}
"#;

/// Runs the examples and tests of a policy. Returns the number of those that pass, and the findings.
#[track_caller]
fn run(text: &str) -> (ExampleReport, String) {
    let policy = policy(text);
    let mut all = ExampleReport::default();
    policy.layers.iter().for_each(|layer| all.add(examples::judge_layer(layer)));
    let told = |found: &Diagnostic| {
        let label = found.labels.first().map_or("", |label| label.text.as_str());
        format!("{} | {label} | {}\n", found.message, found.help.as_deref().unwrap_or_default())
    };
    let failed = all.failed.iter().map(told).collect();
    (all, failed)
}

fn case(given: &str, expect: &str) -> String {
    format!("{POLICY}\ntest \"t\" {{\n  given {given}\n  expect {expect}\n}}\n")
}

#[track_caller]
fn passes(given: &str, expect: &str) {
    let (report, failed) = run(&case(given, expect));
    assert_eq!((report.passed, failed.as_str()), (1, ""), "given {given} expect {expect}");
}

#[track_caller]
fn fails(given: &str, expect: &str, told: &str) {
    let (_, failed) = run(&case(given, expect));
    assert!(failed.contains(told), "given {given} expect {expect}: {told} is not in {failed}");
}

#[test]
fn the_decision_is_the_same_on_every_host() {
    for host in hookrules::host::Host::all().filter(|host| host.not_called().is_none()) {
        for (call, decision) in
            [("make", "ask"), ("rm a", "deny"), ("ls", "allow"), ("reboot", "halt"), ("true", "pass")]
        {
            passes(&format!("Bash \"{call}\" on {}", host.name()), decision);
        }
    }
}

#[test]
fn the_answer_is_what_the_host_can_carry() {
    for (host, call, expect) in [
        ("claude-code", "make", "ask sends ask"),
        ("codex", "make", "ask by asks sends deny message contains \"Make?\""),
        ("codex", "rm a", "deny sends deny"),
        ("codex", "ls", "allow sends pass"),
        ("codex", "npm i", "pass sends rewrite"),
        ("codex", "git push", "pass sends context"),
        ("codex", "reboot", "halt sends deny"),
        ("claude-code", "reboot", "halt sends halt"),
        ("kimi", "npm i", "pass sends deny"),
        ("cline", "rm a", "deny sends deny"),
        ("wave", "make", "ask sends deny"),
        ("wave", "ls", "allow sends pass"),
        ("qwen", "make", "ask sends ask"),
        ("copilot", "ls", "allow sends allow"),
    ] {
        passes(&format!("Bash \"{call}\" on {host}"), expect);
    }
    passes("Bash \"make\"", "ask sends ask");
    passes("Stop on wave", "halt sends halt");
    passes("Stop on cline", "halt sends pass");
}

#[test]
fn a_failure_says_what_is_sent_and_why() {
    fails(
        "Bash \"make\" on codex",
        "ask sends ask",
        "Codex CLI cannot ask on PreToolUse, so it is sent a denial | if the policy is right, write `sends deny`; \
         `rules explain --host codex` shows every byte",
    );
    fails(
        "Bash \"ls\" on codex",
        "allow sends allow",
        "Codex CLI cannot allow on PreToolUse, so it is sent no decision",
    );
    fails("Bash \"npm i\" on kimi", "pass sends rewrite", "Kimi Code CLI cannot rewrite on PreToolUse");
    fails("Bash \"rm a\" on codex", "deny sends ask", "Codex CLI is sent a denial");
    fails("Bash \"make\"", "ask sends deny", "Claude Code is sent a question");
    fails("Bash \"git push\" on kiro", "pass sends context", "Kiro takes no context on PreToolUse, so it is not sent");
    fails("Bash \"rm a\" on codex", "deny sends rewrite", "nothing is rewritten");
    fails("Bash \"rm a\" on codex", "deny sends context", "there is no context");
}

#[test]
fn a_wrong_host_or_answer_is_a_mistake() {
    fails("Bash \"ls\" on codx", "allow", "unknown host `codx` | not a host | a host named `codex` exists");
    fails("Bash \"ls\" on emacs", "allow", "unknown host `emacs` | not a host | `rules list --hosts` lists the hosts");
    fails(
        "Notification \"x\" on codex",
        "pass",
        "`codex` never sends `Notification` | no such event there | it sends `",
    );
    fails("Bash \"ls\" on continue", "allow", "`continue` never calls a hook");
    fails("Bash \"ls\" on wave { permission_mode: \"plan\" }", "allow", "`wave` never sends `permission_mode`");
    fails("Bash \"make\" on codex", "ask sends block", "`block` is not an answer | not an answer | write `sends deny`");
    fails(
        "Bash \"make\" on codex",
        "ask sends rewrites",
        "`rewrites` is not an answer | not an answer | an answer named `rewrite` exists",
    );
    fails(
        "Bash \"make\" on codex",
        "ask sends nothing",
        "`nothing` is not an answer | not an answer | write `sends pass`",
    );
}

#[test]
fn a_stated_host_is_the_fact_and_its_fields_are_those_that_it_sends() {
    let rule = |when: &str, example: &str| {
        format!("rule r {{\n  on PreToolUse(Bash)\n  when {when}\n  warn \"w\"\n  {example}\n}}\n")
    };
    for (when, example) in [
        ("host == \"codex\"", "fires on \"ls\" on codex, Bash \"ls\" by \"a\" on codex with { os: \"linux\" }"),
        ("host == \"codex\"", "quiet on \"ls\", \"ls\" on claude-code, \"ls\" on gemini { cwd: \"/tmp\" }"),
        ("event == \"PreToolUse\"", "fires on \"ls\" on gemini"),
        ("permission_mode == \"default\"", "fires on \"ls\", \"ls\" on codex"),
        ("permission_mode == \"default\"", "quiet on \"ls\" on wave"),
        ("agent_type == \"a\"", "fires on \"ls\" by \"a\" on wave"),
    ] {
        let (report, failed) = run(&rule(when, example));
        assert!(report.failed.is_empty() && report.passed > 0, "{when}: {example}: {failed}");
    }
    let (_, failed) = run(&rule("host == \"codex\"", "fires on \"ls\" on codex, \"ls\""));
    assert!(failed.contains("`on HOST` holds for its own example alone"), "{failed}");
}

#[test]
fn on_and_sends_are_names_elsewhere() {
    let text = "rule on-sends {\n  on PreToolUse(mcp__on__sends)\n  when tool_input.on == \"a\" or tool_input.sends == \"b\"\n  \
                warn \"w\"\n  fires on { tool_input.on: \"a\" }\n}\n\
                test \"on\" {\n  given mcp__on__sends { on: \"a\", sends: \"c\" }\n  expect pass\n}\n";
    let (report, failed) = run(text);
    assert!(report.failed.is_empty() && report.passed == 2, "{failed}");
}

#[test]
fn all_examples_run_as_calls_of_one_host() {
    let text = "rule r {\n  on PreToolUse(Bash), Notification\n  when host == \"codex\"\n  warn \"w\"\n  \
                fires on Bash \"ls\", Bash \"ls\" on codex\n  quiet on Bash \"ls\" on gemini, Notification \"x\"\n}\n";
    let machine = Machine::with(text);
    let here = machine.rules(&["test"], "");
    assert!(here.stdout.contains("3 passed, 1 failed"), "{here:?}");
    // Codex never sends a notification, so that example is one of Claude Code.
    let there = machine.rules(&["test", "--host", "codex"], "");
    assert!(there.stdout.contains("4 passed, 0 failed") && there.exit == 0, "{there:?}");
    let never = machine.rules(&["test", "--host", "continue"], "");
    assert_eq!((never.exit, never.stdout.as_str()), (2, ""), "{never:?}");
}
