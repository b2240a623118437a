//! Laws 1, 2, 7 and 9: every match counts, the strictest vote wins, a denied call prepares nothing.

use serde_json::json;

use crate::kit::*;
use hookrules::config::LayerKind;
use hookrules::facts::StatedFacts;
use hookrules::verdict::Decision;

/// Rules that all match a call of Bash.
const ALL: &str = r#"
rule passes { on PreToolUse
  context "c" }
rule allows { on PreToolUse
  allow "fine" }
rule asks { on PreToolUse
  ask "sure?" }
rule denies { on PreToolUse
  deny "no" }
rule halts { on PreToolUse
  halt "stop" }
"#;

/// Returns the rules of [`ALL`] except some.
fn without(names: &[&str]) -> String {
    let rules = ALL.split("\nrule ").filter(|rule| !names.iter().any(|name| rule.starts_with(name)));
    rules
        .map(
            |rule| {
                if rule.is_empty() { String::new() } else { format!("\nrule {}\n", rule.trim_start_matches("rule ")) }
            },
        )
        .collect()
}

#[test]
fn law_1_every_rule_that_matches_counts() {
    check(
        "rule first { on PreToolUse\n  deny \"one\" }\nrule second { on PreToolUse\n  deny \"two\"\n  context \"c\" }\n",
        &bash("x"),
        "deny by first, second: one\ntwo + context \"c\"",
    );
}

#[test]
fn law_2_the_strictest_vote_wins() {
    check(&without(&[]), &bash("x"), "halt by halts: stop + context \"c\"");
    check(&without(&["halts"]), &bash("x"), "deny by denies: no + context \"c\"");
    check(&without(&["halts", "denies"]), &bash("x"), "ask by asks: sure? + context \"c\"");
    check(&without(&["halts", "denies", "asks"]), &bash("x"), "allow by allows: fine + context \"c\"");
    check(&without(&["halts", "denies", "asks", "allows"]), &bash("x"), "pass + context \"c\"");
}

#[test]
fn law_2_exit_two_votes_deny_and_any_other_exit_votes_nothing() {
    let rule = |code: u8, event: &str| format!("rule r {{ on {event}\n  exit {code} \"e\" }}\n");
    check(&rule(2, "PreToolUse"), &bash("x"), "deny by r: e");
    check(&rule(0, "PreToolUse"), &bash("x"), "pass + exit 0 \"e\"");
    check(&rule(1, "PreToolUse"), &bash("x"), "pass + exit 1 \"e\"");
    check(&rule(3, "PreToolUse"), &bash("x"), "pass + exit 3 \"e\"");
    check(&rule(2, "Stop"), &event("Stop", json!({})), "deny by r: e");
    check(&rule(2, "Notification"), &event("Notification", json!({"message": "m"})), "pass + exit 2 \"e\"");
    let request = event("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": "x"}}));
    check(&rule(2, "PermissionRequest"), &request, "deny by r: e");
}

#[test]
fn law_2_each_message_is_given_once_and_the_rest_is_counted() {
    let rules: String = (1..=6).map(|n| format!("rule r{n} {{ on PreToolUse\n  deny \"m{}\" }}\n", n.min(5))).collect();
    check(&rules, &bash("x"), "deny by r1, r2, r3, r4, r5, r6: m1\nm2\nm3\n(and 3 more rules say so)");
    check(
        "rule a { on PreToolUse\n  deny \"same\" }\nrule b { on PreToolUse\n  deny \"same\" }\n",
        &bash("x"),
        "deny by a, b: same",
    );
}

#[test]
fn law_2_messages_of_votes_that_lost_are_not_given() {
    check(
        "rule a { on PreToolUse\n  ask \"asked\" }\nrule b { on PreToolUse\n  deny \"denied\" }\n",
        &bash("x"),
        "deny by b: denied",
    );
}

#[test]
fn law_2_nothing_is_allowed_that_no_rule_allowed() {
    check("rule r { on PreToolUse\n  warn \"w\" }\n", &bash("x"), "pass + warn \"w\"");
    check("rule r { on PreToolUse\n  rewrite command = \"y\" }\n", &bash("x"), "pass + input {\"command\":\"y\"}");
}

fn request(tool: &str) -> Given {
    let input = if tool == "Bash" { json!({"command": "x"}) } else { json!({"file_path": "/project/a"}) };
    event("PermissionRequest", json!({"tool_name": tool, "tool_input": input}))
}

const ALLOW_REQUESTS: &str = "rule yes { on PermissionRequest\n  allow }\n";

#[test]
fn law_2_a_permission_request_is_judged_by_the_votes_of_pre_tool_use_too() {
    let with = |rule: &str| format!("{ALLOW_REQUESTS}{rule}\n");
    check(&with(""), &request("Bash"), "allow by yes");
    check(&with("rule r { on PreToolUse\n  deny \"no\"\n}"), &request("Bash"), "deny by r: no");
    check(&with("rule r { on PreToolUse\n  ask \"sure?\"\n}"), &request("Bash"), "ask by r: sure?");
    check(&with("rule r { on PreToolUse\n  halt \"stop\"\n}"), &request("Bash"), "halt by r: stop");
    check(&with("rule r { on PreToolUse\n  exit 2 \"no\"\n}"), &request("Bash"), "deny by r: no");
    check(&with("rule r { on PreToolUse(Write)\n  deny \"no\"\n}"), &request("Bash"), "allow by yes");
    check(&with("rule r { on PreToolUse(Bash)\n  deny \"no\"\n}"), &request("Bash"), "deny by r: no");
}

#[test]
fn law_2_of_a_pre_tool_use_rule_only_the_votes_count_on_a_permission_request() {
    let rule = "rule r { on PreToolUse\n  ask \"sure?\"\n  context \"c\"\n  warn \"w\"\n  rewrite command = \"y\"\n  \
                run \"true\"\n  record \"x.jsonl\" { session_id }\n  notify \"n\"\n}\n";
    check(&format!("{ALLOW_REQUESTS}{rule}"), &request("Bash"), "ask by r: sure?");
    check("rule r { on PreToolUse\n  allow\n}\n", &request("Bash"), "pass");
    check("rule r { on PreToolUse\n  warn \"w\"\n}\n", &request("Bash"), "pass");
}

#[test]
fn law_2_a_rule_of_both_events_counts_by_either_head() {
    let rule = "rule r { on PreToolUse, PermissionRequest(Bash)\n  deny \"no\"\n}\n";
    check(rule, &request("Bash"), "deny by r: no");
    // The request is for another tool, but the call would have been denied.
    check(&format!("{ALLOW_REQUESTS}{rule}"), &request("Write"), "deny by r: no");
}

#[test]
fn law_2_a_permission_request_looks_to_rules_of_pre_tool_use_like_the_call_itself() {
    let request =
        || event("PermissionRequest", json!({"tool_name": "Read", "tool_input": {"file_path": "/project/.env"}}));
    for head in ["PreToolUse", "PreToolUse, PermissionRequest", "*"] {
        for is in ["event", "hook_event_name", "`$.hook_event_name`"] {
            let rule = format!(
                "rule r {{ on {head}\n  when {is} == \"PreToolUse\" and path like \".env\"\n  exit 2 \"no\"\n}}\n"
            );
            check(&format!("{ALLOW_REQUESTS}{rule}"), &request(), "deny by r: no");
        }
    }
    for lacking in ["not exists tool_use_id", "tool_use_id != \"x\"", "`$.tool_use_id` == \"x\"", "`$.*` == \"x\""] {
        let rule = format!("rule r {{ on PreToolUse\n  when {lacking}\n  deny \"no\"\n}}\n");
        let decision = judge(&policy(&format!("{ALLOW_REQUESTS}{rule}")), &request()).verdict.decision();
        assert_eq!(decision, Decision::Ask, "{lacking}");
    }
}

#[test]
fn law_2_no_allow_is_given_where_a_pre_tool_use_rule_is_unknown() {
    let rule = |clause: &str| {
        format!("{ALLOW_REQUESTS}rule r {{ on PreToolUse\n  when env.X == \"1\"\n  {clause}\n  deny \"no\"\n}}\n")
    };
    let unknown = || request("Bash").with(Unreadable(StatedFacts::for_examples()));
    let message = "`x` cannot be judged: `env` cannot be read: the variable X is not UTF-8\nIt may be what `r` guards against: \"no\"";
    check(&rule(""), &unknown(), &format!("ask by r: {message}"));
    check(&rule("unknown ask"), &unknown(), &format!("ask by r: {message}"));
    check(&rule("unknown deny"), &unknown(), &format!("deny by r: {message}"));
}

#[test]
fn law_2_unknown_ignore_is_ignored_on_the_permission_request_too() {
    let rule = |when: &str| {
        format!("{ALLOW_REQUESTS}rule r {{ on PreToolUse\n  when {when}\n  unknown ignore\n  deny \"no\"\n}}\n")
    };
    let unknown = || request("Bash").with(Unreadable(StatedFacts::for_examples()));
    let decision = |when: &str| judge(&policy(&rule(when)), &unknown()).verdict.decision();
    assert_eq!(decision("env.X == \"1\""), Decision::Allow);
    assert_eq!(decision("command == \"x\""), Decision::Deny);
    // On PreToolUse it was known, and may have been what the rule tests.
    assert_eq!(decision("tool_use_id == \"x\""), Decision::Ask);
}

#[test]
fn law_7_a_denied_call_runs_and_rewrites_nothing() {
    let other = "rule other { on PreToolUse\n  rewrite command = \"y\"\n  run \"make\"\n  context \"c\"\n  warn \"w\"\n  \
                 notify \"t\" \"b\"\n  record \"f.jsonl\" { session_id }\n}\n";
    let effects = " + context \"c\" + warn \"w\" + notify \"t\" \"b\" + record \"f.jsonl\" {\"session_id\":\"s\"}";
    let by = |vote: &str| format!("{other}rule votes {{ on PreToolUse\n  {vote}\n}}\n");
    check(&by("deny \"no\""), &bash("x"), &format!("deny by votes: no{effects}"));
    check(&by("halt \"no\""), &bash("x"), &format!("halt by votes: no{effects}"));
    check(&by("exit 2 \"no\""), &bash("x"), &format!("deny by votes: no{effects}"));
    let done = format!("{effects} + input {{\"command\":\"y\"}} + run \"make\" []");
    check(&by("ask \"sure?\""), &bash("x"), &format!("ask by votes: sure?{done}"));
    check(&by("warn \"v\""), &bash("x"), &format!("pass{}", done.replacen("\"w\"", "\"w\" + warn \"v\"", 1)));
}

#[test]
fn law_7_the_commands_of_the_rules_that_deny_run() {
    let policy = "rule denies { on PreToolUse\n  deny \"no\"\n  run \"tell\"\n}\n\
                  rule other { on PreToolUse\n  run \"make\"\n}\n";
    check(policy, &bash("x"), "deny by denies: no + run \"tell\" []");
}

#[test]
fn law_7_on_subagent_events_all_commands_run() {
    let policy =
        "rule denies { on SubagentStop\n  deny \"go on\"\n}\nrule other { on SubagentStop\n  run \"make\"\n}\n";
    let stop = event("SubagentStop", json!({"agent_id": "a", "agent_type": "coder"}));
    check(policy, &stop, "deny by denies: go on + run \"make\" []");
}

#[test]
fn law_7_what_an_unknown_rule_votes_is_all_that_it_does() {
    let policy = "rule r { on PreToolUse\n  when env.X == \"1\"\n  unknown deny\n  context \"c\"\n  run \"make\"\n  \
                  record \"f.jsonl\" { session_id }\n}\n";
    check(
        policy,
        &bash("x").with(Unreadable(StatedFacts::for_examples())),
        "deny by r: `x` cannot be judged: `env` cannot be read: the variable X is not UTF-8\nIt may be what `r` guards against.",
    );
}

#[test]
fn law_9_every_mistake_of_every_file_is_reported() {
    let policy = compiled(&[(
        LayerKind::Project,
        &[
            (
                "a.rules",
                "rule one { on PreToolUze\n  deny \"x\"\n}\nrule two { on PreToolUse\n  when tol_name == \"x\"\n  deny \"x\"\n}\n",
            ),
            ("b.rules", "rule three { on Stop\n  allow\n}\n"),
        ],
    )]);
    let text = rendered(&policy);
    for place in ["a.rules:1:", "a.rules:5:", "b.rules:2:"] {
        assert!(text.contains(place), "{place} is not in\n{text}");
    }
    assert!(policy.rules.rules().is_empty(), "a layer with an error runs in part");
}

#[test]
fn law_9_a_broken_layer_is_out_whole_and_stops_no_other() {
    let user: &[(&str, &str)] = &[("u.rules", "rule guard { on PreToolUse\n  deny \"no\"\n}\n")];
    let broken: &[(&str, &str)] =
        &[("p.rules", "rule fine { on PreToolUse\n  halt \"stop\"\n}\nrule bad { on Nowhere\n  deny \"x\"\n}\n")];
    let policy = compiled(&[(LayerKind::User, user), (LayerKind::Project, broken)]);
    assert_eq!(policy.broken_layers().count(), 1);
    check_policy(&policy, &bash("x"), "deny by user/guard: no");
}

#[test]
fn law_9_rule_names_are_unique_in_a_layer_and_shown_with_their_layer() {
    rejects("rule a { on Stop\n  deny \"x\" }\nrule a { on Stop\n  deny \"y\" }\n", "R0201 two rules are named `a`");
    let text: &[(&str, &str)] = &[("x.rules", "rule a { on Stop\n  deny \"x\"\n}\n")];
    let all: Vec<_> = LayerKind::ALL.iter().map(|kind| (*kind, text)).collect();
    let policy = loads(compiled(&all));
    check_policy(&policy, &event("Stop", json!({})), "deny by managed/a, user/a, a, local/a: x");
}

#[test]
fn law_9_names_are_unique_across_the_files_of_a_layer() {
    let policy = compiled(&[(
        LayerKind::Project,
        &[("a.rules", "rule a { on Stop\n  deny \"x\"\n}\n"), ("b.rules", "rule a { on Stop\n  deny \"y\"\n}\n")],
    )]);
    assert!(rendered(&policy).contains("two rules are named `a`"), "{}", rendered(&policy));
}
