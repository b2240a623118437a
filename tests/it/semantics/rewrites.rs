//! The meaning of `rewrite runs "P" to "Q"` for a call: its tools, its events, and unknown values.

use hookrules::config::LayerKind;
use hookrules::context::{Context, ShellTools};
use hookrules::eval::{RuleOutcome, TraceDetail, evaluate};
use hookrules::host::Host;
use serde_json::json;

use crate::kit::*;

const PNPM: &str =
    "rule pnpm {\n  on PreToolUse, PermissionRequest\n  when exists tool_name\n  rewrite runs \"npm\" to \"pnpm\"\n}\n";

fn reason(policy_text: &str, given: &Given) -> String {
    match outcome_of(&policy(policy_text), given) {
        RuleOutcome::Unknown(reason) => reason.sentence(),
        other => panic!("not unknown: {other:?}"),
    }
}

#[test]
fn each_command_that_matches_is_edited_and_all_else_stays() {
    check(
        PNPM,
        &bash("cd a && sudo npm ci && echo 'npm ci' # npm"),
        r#"pass + input {"command":"cd a && sudo pnpm ci && echo 'npm ci' # npm"}"#,
    );
    let given = call("Bash", json!({"command": "npm t", "timeout": 5, "description": "npm"}));
    check(PNPM, &given, r#"pass + input {"command":"pnpm t","timeout":5,"description":"npm"}"#);
    check(PNPM, &bash("ls"), "pass");
    check(PNPM, &read("npm"), "pass");
}

#[test]
fn it_works_on_every_tool_that_runs_a_shell_command() {
    check(PNPM, &call("Monitor", json!({"command": "npm t"})), r#"pass + input {"command":"pnpm t"}"#);
    let request = event("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": "npm t"}}));
    let allows =
        "rule pnpm {\n  on PermissionRequest\n  when runs \"npm\"\n  rewrite runs \"npm\" to \"pnpm\"\n  allow\n}\n";
    check(allows, &request, r#"allow by pnpm + input {"command":"pnpm t"}"#);

    let given = call("mcp__shell__run", json!({"cmd": "npm t"}));
    let mut tools = ShellTools::default();
    tools.add_shell_member(LayerKind::Project, "mcp__shell__run", "cmd");
    let context = Context::new(&given.payload, Host::CLAUDE_CODE.name(), &*given.facts, &tools);
    let verdict = evaluate(&policy(PNPM).rules, &context, TraceDetail::Outcomes).verdict;
    assert_eq!(shown(&verdict), r#"pass + input {"cmd":"pnpm t"}"#);
}

#[test]
fn what_is_not_known_makes_the_rule_unknown() {
    assert_eq!(
        reason(PNPM, &bash("$NPM ci")),
        "the value of a variable is not known before it runs: `$NPM`; write the value itself"
    );
    assert_eq!(
        reason(PNPM, &bash("sh -c 'npm ci'")),
        "a word that would change is not in the command itself: `npm`; write the command itself, not in \
         another text or a variable"
    );
    assert_eq!(
        reason(PNPM, &call("mcp__box__exec", json!({"cmd": "npm ci"}))),
        "it is not known whether this tool runs a shell command: `mcp__box__exec`; name it under `[shell]` in rules.toml"
    );
    assert_eq!(reason(PNPM, &call("Bash", json!({"command": ["npm", "ci"]}))), "the command is not a plain text");
    assert!(reason(PNPM, &call("PowerShell", json!({"command": "npm ci"}))).contains("is not in the command itself"));
    check(PNPM, &call("PowerShell", json!({"command": "ls"})), "pass");
    check(PNPM, &call("mcp__box__exec", json!({"cmd": "ls"})), "pass");
    // The rule cannot block, so nothing happens.
    check(PNPM, &bash("$NPM ci"), "pass");
    let asks =
        PNPM.replace("  rewrite", "  unknown ask\n  context \"pnpm\"\n  rewrite").replace(", PermissionRequest", "");
    check(
        &asks,
        &bash("$NPM ci"),
        "ask by pnpm: `$NPM ci` cannot be judged: the value of a variable is not known before it runs: `$NPM`; write \
         the value itself\nIt may be what `pnpm` guards against.",
    );
    check(&asks, &bash("npm ci"), "pass + context \"pnpm\" + input {\"command\":\"pnpm ci\"}");
}

#[test]
fn what_the_examples_say_of_a_rewrite_is_checked() {
    let examples = "rule pnpm {\n  on PreToolUse(Bash)\n  when runs \"npm\"\n  rewrite runs \"npm\" to \"pnpm\"\n\n  \
                    fires on \"npm ci\"\n  quiet on \"pnpm ci\"\n  unknown on \"sh -c 'npm ci'\"\n}\n\
                    test \"pnpm\" {\n  given Bash \"npm ci\"\n  expect pass rewrites command to \"pnpm ci\"\n}\n";
    policy(examples);
}

#[test]
fn rewrites_of_one_rule_follow_each_other() {
    let policy = "rule pnpm {\n  on PreToolUse(Bash)\n  rewrite runs \"npm ci\" to \"pnpm install --frozen-lockfile\"\n  \
                  rewrite runs \"npm\" to \"pnpm\"\n}\n";
    check(policy, &bash("npm ci; npm t"), r#"pass + input {"command":"pnpm install --frozen-lockfile; pnpm t"}"#);
    // There is no rewrite if one of the commands is unknown.
    check(policy, &bash("npm ci; sh -c 'npm t'"), "pass");
    let set = "rule pnpm {\n  on PreToolUse(Bash)\n  rewrite command = \"npm {command}\"\n  rewrite runs \"npm\" to \"pnpm\"\n}\n";
    check(set, &bash("t"), r#"pass + input {"command":"pnpm t"}"#);
}

#[test]
fn what_cannot_be_rewritten_is_an_error() {
    let rule = |head: &str, from: &str, to: &str| {
        format!("rule r {{\n  on {head}\n  rewrite runs \"{from}\" to \"{to}\"\n}}\n")
    };
    let pre = "PreToolUse";
    rejects(&rule(pre, "npm", "p*"), "R0401 `p*` in a new command is a glob, an alternative or a `!`");
    rejects(&rule(pre, "npm", "pnpm|yarn"), "R0401 `pnpm|yarn` in a new command is a glob, an alternative or a `!`");
    rejects(&rule(pre, "npm", "pnpm !-g"), "R0401 `!-g` in a new command is a glob, an alternative or a `!`");
    rejects(&rule(pre, "npm", "pnpm '$X'"), "R0401 `'$X'` in a new command is a quote or an expansion");
    rejects(&rule(pre, "npm", "pnpm {agent}"), "R0401 a placeholder in the new command");
    rejects(&rule(pre, "npm", ""), "R0401 the new command is empty");
    rejects(&rule(pre, "npm", "-f"), "R0401 a command pattern that begins with `-f`");
    rejects(&rule(pre, "npm", "a && b"), "R0401 shell syntax in a command pattern");
    rejects(&rule(pre, "npm (a", "pnpm"), "R0401 a `(` that is not closed");
    rejects(&rule(pre, "npm  ci", "npm ci"), "R0401 the new command is the same as the old one");
    rejects(&rule("PreToolUse(Read)", "npm", "pnpm"), "R0510 the selected tools have no `command`");
    rejects(&rule("PostToolUse", "npm", "pnpm"), "R0510 `PostToolUse` cannot change the input of a call");
    policy(&rule("PreToolUse(Bash|Read)", "npm", "pnpm"));
    policy(&rule("PreToolUse", "rm", "/opt/bin/trash"));
}
