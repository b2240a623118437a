//! Law 8: a rewrite launders nothing.

use serde_json::json;

use crate::kit::*;
use hookrules::facts::StatedFacts;

const TO_RM: &str = "rule rewrites { on PreToolUse(Bash)\n  when command == \"ls\"\n  rewrite command = \"rm\"\n}\n";

#[test]
fn law_8_a_rewrite_to_something_denied_is_denied() {
    let deny = "rule no-rm { on PreToolUse\n  when command == \"rm\"\n  deny \"no\"\n}\n";
    check(&format!("{TO_RM}{deny}"), &bash("ls"), "deny by no-rm: no");
    let halt = "rule no-rm { on PreToolUse\n  when command == \"rm\"\n  halt \"no\"\n}\n";
    check(&format!("{TO_RM}{halt}"), &bash("ls"), "halt by no-rm: no");
    let exit = "rule no-rm { on PreToolUse\n  when command == \"rm\"\n  exit 2 \"no\"\n}\n";
    check(&format!("{TO_RM}{exit}"), &bash("ls"), "deny by no-rm: no");
}

#[test]
fn law_8_an_ask_of_either_time_stands() {
    let on = |command: &str| {
        format!("{TO_RM}rule asks {{ on PreToolUse\n  when command == \"{command}\"\n  ask \"sure?\"\n}}\n")
    };
    let input = " + input {\"command\":\"rm\"}";
    check(&on("ls"), &bash("ls"), &format!("ask by asks: sure?{input}"));
    check(&on("rm"), &bash("ls"), &format!("ask by asks: sure?{input}"));
    let both = format!("{TO_RM}rule asks {{ on PreToolUse\n  ask \"sure?\"\n}}\n");
    check(&both, &bash("ls"), &format!("ask by asks: sure?{input}"));
}

#[test]
fn law_8_a_denial_of_the_input_as_it_came_stands() {
    let deny = "rule no-ls { on PreToolUse\n  when command == \"ls\"\n  deny \"no\"\n}\n";
    check(&format!("{TO_RM}{deny}"), &bash("ls"), "deny by no-ls: no");
}

#[test]
fn law_8_an_allow_counts_only_if_a_rule_allows_the_result_too() {
    let on =
        |command: &str| format!("{TO_RM}rule allows {{ on PreToolUse\n  when command == \"{command}\"\n  allow\n}}\n");
    let input = " + input {\"command\":\"rm\"}";
    check(&on("ls"), &bash("ls"), &format!("pass{input}"));
    // The original input is not allowed.
    check(&on("rm"), &bash("ls"), &format!("pass{input}"));
    let two = format!("{}rule allows-rm {{ on PreToolUse\n  when command == \"rm\"\n  allow\n}}\n", on("ls"));
    check(&two, &bash("ls"), &format!("allow by allows{input}"));
    let any = format!("{TO_RM}rule allows {{ on PreToolUse\n  allow\n}}\n");
    check(&any, &bash("ls"), &format!("allow by allows{input}"));
}

#[test]
fn law_8_the_rule_that_rewrote_may_be_the_one_that_allows() {
    let allows =
        "rule rewrites { on PreToolUse(Bash)\n  when command == \"ls\"\n  rewrite command = \"rm\"\n  allow\n}\n";
    check(allows, &bash("ls"), "allow by rewrites + input {\"command\":\"rm\"}");
    // Another rule changed it further, which the first one never saw.
    let then = format!("{allows}rule more {{ on PreToolUse(Bash)\n  rewrite command = \"mkfs\"\n}}\n");
    check(&then, &bash("ls"), "pass + input {\"command\":\"mkfs\"}");
    let before = format!("rule more {{ on PreToolUse(Bash)\n  rewrite command = \"mkfs\"\n}}\n{allows}");
    check(&before, &bash("ls"), "allow by rewrites + input {\"command\":\"rm\"}");
}

#[test]
fn law_8_rewrites_apply_in_evaluation_order_each_to_the_previous_result() {
    let one = "rule one { on PreToolUse(Bash)\n  rewrite command replace /a/ with \"b\"\n}\n";
    let two = "rule two { on PreToolUse(Bash)\n  rewrite command replace /b/ with \"c\"\n}\n";
    check(&format!("{one}{two}"), &bash("ab"), "pass + input {\"command\":\"cc\"}");
    check(&format!("{two}{one}"), &bash("ab"), "pass + input {\"command\":\"bc\"}");
    let wild = "rule wild { on PreToolUse\n  rewrite command replace /a/ with \"x\"\n}\n";
    check(&format!("{one}{wild}"), &bash("a"), "pass + input {\"command\":\"x\"}");
}

#[test]
fn law_8_a_value_in_a_rewrite_is_that_of_the_previous_result() {
    let one = "rule one { on PreToolUse(Bash)\n  rewrite command = \"nice {command}\"\n}\n";
    let two = "rule two { on PreToolUse(Bash)\n  rewrite command = \"time {command}\"\n}\n";
    check(&format!("{one}{two}"), &bash("ls"), "pass + input {\"command\":\"time nice ls\"}");
    let copies = "rule copies { on PreToolUse(Bash)\n  rewrite tool_input.description = command\n}\n";
    check(&format!("{one}{copies}"), &bash("ls"), "pass + input {\"command\":\"nice ls\",\"description\":\"nice ls\"}");
}

#[test]
fn law_8_conditions_are_judged_on_the_input_as_it_came() {
    let policy = format!(
        "{TO_RM}rule sees-ls {{ on PreToolUse(Bash)\n  when command == \"ls\"\n  context \"ls\"\n}}\n\
                          rule sees-rm {{ on PreToolUse(Bash)\n  when command == \"rm\"\n  context \"rm\"\n}}\n"
    );
    check(&policy, &bash("ls"), "pass + context \"ls\" + input {\"command\":\"rm\"}");
}

#[test]
fn law_8_runs_get_the_result() {
    let policy = format!("{TO_RM}rule runs {{ on PreToolUse(Bash)\n  run [\"log\", \"--\", \"{{command}}\"]\n}}\n");
    check(&policy, &bash("ls"), "pass + input {\"command\":\"rm\"} + run [\"log\", \"--\", \"rm\"]");
}

#[test]
fn law_8_a_rewrite_that_changes_nothing_is_none() {
    check("rule r { on PreToolUse\n  rewrite command = \"ls\"\n  allow\n}\n", &bash("ls"), "allow by r");
}

#[test]
fn law_8_a_denial_together_with_a_rewrite_is_an_error() {
    for vote in ["deny \"x\"", "halt \"x\"", "exit 2 \"x\""] {
        rejects(
            &format!("rule r {{ on PreToolUse\n  rewrite command = \"y\"\n  {vote}\n}}\n"),
            "R0506 a rewrite of a call that is denied",
        );
    }
    policy("rule r { on PreToolUse\n  rewrite command = \"y\"\n  ask \"x\"\n}\n");
    policy("rule r { on PreToolUse\n  rewrite command = \"y\"\n  exit 1 \"x\"\n}\n");
}

#[test]
fn law_8_what_the_result_makes_unknown_votes_as_unknown() {
    let deny = "rule guard { on PreToolUse\n  when command == \"rm\" and env.X == \"1\"\n  deny \"no\"\n}\n";
    let facts = || Unreadable(StatedFacts::for_examples());
    check(
        &format!("{TO_RM}{deny}"),
        &bash("ls").with(facts()),
        "ask by guard: `rm` cannot be judged: `env` cannot be read: the variable X is not UTF-8\n\
         It may be what `guard` guards against: \"no\" + input {\"command\":\"rm\"}",
    );
    // The vote of the clause counts, even if the rule has no other vote.
    let only_unknown =
        "rule guard { on PreToolUse\n  when command == \"rm\" and env.X == \"1\"\n  unknown deny\n  warn \"w\"\n}\n";
    check(
        &format!("{TO_RM}{only_unknown}"),
        &bash("ls").with(facts()),
        "deny by guard: `rm` cannot be judged: `env` cannot be read: the variable X is not UTF-8\n\
         It may be what `guard` guards against.",
    );
}

#[test]
fn law_8_a_gate_that_only_the_result_reaches_is_unknown() {
    let gate =
        "rule gate { on PreToolUse\n  when command == \"rm\"\n  run \"check\" { on_fail: deny, message: \"m\" }\n}\n";
    check(
        &format!("{TO_RM}{gate}"),
        &bash("ls"),
        "ask by gate: `rm` cannot be judged: only a command can judge the rewritten call\n\
         It may be what `gate` guards against: \"m\" + input \
         {\"command\":\"rm\"}",
    );
    // A command that the original input triggered runs, and gets the rewritten input.
    let both = "rule gate { on PreToolUse\n  run \"check\" { on_fail: deny }\n}\n";
    check(&format!("{TO_RM}{both}"), &bash("ls"), "pass + input {\"command\":\"rm\"} + run \"check\" []");
}

#[test]
fn law_8_holds_on_permission_requests_too() {
    let policy = "rule rewrites { on PermissionRequest\n  rewrite command = \"rm\"\n  allow\n}\n\
                  rule no-rm { on PreToolUse\n  when command == \"rm\"\n  deny \"no\"\n}\n";
    let request = event("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}));
    check(policy, &request, "deny by no-rm: no");
}

#[test]
fn law_4_a_rewrite_that_the_tool_would_refuse_is_unknown() {
    let open = |rewrite: &str| format!("rule rewrites {{ on PreToolUse\n  rewrite {rewrite}\n  unknown deny\n}}\n");
    let refused = |rewrite: &str, given: &Given| {
        let evaluation = judge(&policy(&open(rewrite)), given);
        assert!(shown(&evaluation.verdict).starts_with("deny by rewrites: "), "{rewrite}: {:?}", evaluation.verdict);
        assert_eq!(evaluation.verdict.updated_input, None, "{rewrite}");
    };
    refused("tool_input.command = null", &bash("ls"));
    refused("tool_input.timeout = \"abc\"", &bash("ls"));
    refused("tool_input.limit = \"abc\"", &read("/project/a"));
    // Another tool may lack this member, or accept it.
    check(&open("tool_input.command = null"), &read("/project/a"), "pass");
    let server = call("mcp__x__y", json!({ "command": "ls" }));
    check(&open("tool_input.command = null"), &server, "pass + input {}");
}

const PNPM: &str = "rule pnpm {\n  on PreToolUse(Bash)\n  when runs \"npm\"\n  rewrite runs \"npm\" to \"pnpm\"\n}\n";

#[test]
fn law_8_what_an_edited_command_became_is_judged_again() {
    let deny = |command: &str| format!("rule no {{\n  on PreToolUse\n  when runs \"{command}\"\n  deny \"no\"\n}}\n");
    check(&format!("{PNPM}{}", deny("pnpm")), &bash("npm t"), "deny by no: no");
    check(&format!("{PNPM}{}", deny("npm")), &bash("npm t"), "deny by no: no");
    check(&format!("{PNPM}{}", deny("yarn")), &bash("npm t"), "pass + input {\"command\":\"pnpm t\"}");
    let allow =
        |command: &str| format!("{PNPM}rule ok {{\n  on PreToolUse\n  when only runs \"{command} *\"\n  allow\n}}\n");
    check(&allow("npm"), &bash("npm t"), "pass + input {\"command\":\"pnpm t\"}");
    check(&allow("npm|pnpm"), &bash("npm t"), "allow by ok + input {\"command\":\"pnpm t\"}");
}

#[test]
fn law_8_edits_of_commands_follow_each_other() {
    let yarn = "rule yarn {\n  on PreToolUse(Bash)\n  rewrite runs \"pnpm\" to \"yarn\"\n}\n";
    check(&format!("{PNPM}{yarn}"), &bash("npm t; pnpm x"), "pass + input {\"command\":\"yarn t; yarn x\"}");
    check(&format!("{yarn}{PNPM}"), &bash("npm t; pnpm x"), "pass + input {\"command\":\"pnpm t; yarn x\"}");
}

#[test]
fn law_8_an_edit_that_an_earlier_rewrite_makes_unknown_is_not_made() {
    let wraps = "rule wraps {\n  on PreToolUse(Bash)\n  rewrite command = \"sh -c '{command}'\"\n}\n";
    let given = || bash("npm t");
    let input = " + input {\"command\":\"sh -c 'npm t'\"}";
    check(&format!("{wraps}{PNPM}"), &given(), &format!("pass{input}"));
    let unknown = |clause: &str| format!("{wraps}{}", PNPM.replace("  rewrite", &format!("  {clause}\n  rewrite")));
    let reason = "`sh -c 'npm t'` cannot be judged: a word that would change is not in the command itself: `npm`; \
                  write the command itself, not in another text or a variable\nIt may be what `pnpm` guards against.";
    check(&unknown("unknown ask"), &given(), &format!("ask by pnpm: {reason}{input}"));
    check(&unknown("unknown deny"), &given(), &format!("deny by pnpm: {reason}"));
    // The rule allowed its own result, not this one.
    check(&unknown("allow"), &given(), &format!("pass{input}"));
}

#[test]
fn law_7_a_denied_call_is_not_edited() {
    let deny = "rule no {\n  on PreToolUse\n  when runs \"ls\"\n  deny \"no\"\n}\n";
    check(&format!("{PNPM}{deny}"), &bash("npm t; ls"), "deny by no: no");
}
