//! PreSkillShellCommand, which the rules on PreToolUse judge, and events that this version does not know.

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Reply};

/// Returns the event for a skill's command, with the given `invoked_by`.
fn skill(machine: &Machine, command: &str, invoked_by: &str) -> Json {
    let mut payload = machine.captured("2.1.332/PreSkillShellCommand.user");
    payload["tool_input"]["command"] = json!(command);
    payload["invoked_by"] = json!(invoked_by);
    payload["cwd"] = json!(machine.path("project"));
    payload
}

/// Returns the answer to a skill's command under a rule on PreToolUse with these clauses.
#[track_caller]
fn answered(clauses: &str, command: &str) -> Reply {
    let machine = Machine::with(&format!("rule r {{\n  on PreToolUse(Bash)\n{clauses}\n}}\n"));
    machine.hook(&skill(&machine, command, "user"))
}

#[test]
fn rules_of_pre_tool_use_judge_the_command_of_a_skill() {
    let reply = answered("  when runs \"rm\" and event == \"PreToolUse\"\n  deny \"No.\"", "rm -rf x");
    let specific = json!({
        "hookEventName": "PreSkillShellCommand", "permissionDecision": "deny", "permissionDecisionReason": "No.",
    });
    assert_eq!((reply.exit, &reply.json["hookSpecificOutput"]), (2, &specific));
    assert_eq!(reply.stderr.trim_end(), "No.");
    answered("  when runs \"rm\"\n  deny \"No.\"", "ls").is_silent();
}

#[test]
fn an_ask_and_a_rewrite_deny_the_command_of_a_skill_and_say_what_to_do() {
    let reply = answered("  ask \"Sure?\"", "git push");
    reply.denies("Sure?\nA command in a skill cannot wait for an answer");
    assert!(reply.reason().contains("the user can run it"), "{reply:?}");
    let reply = answered("  rewrite tool_input.command replace /push/ with \"fetch\"", "git push");
    reply.denies("cannot be changed");
    assert!(
        reply.reason().ends_with("\ngit fetch") && reply.json.to_string().find("updatedInput").is_none(),
        "{reply:?}"
    );
    // An unknown command would be asked about, and is therefore denied.
    answered("  when runs \"rm\"\n  deny \"No.\"", "$X").denies("cannot be judged");
}

#[test]
fn a_halt_ends_the_load_of_a_skill() {
    let reply = answered("  halt \"Stop.\"", "ls");
    assert_eq!((&reply.json["continue"], &reply.json["stopReason"]), (&json!(false), &json!("Stop.")), "{reply:?}");
}

#[test]
fn a_context_for_the_command_of_a_skill_is_shown_to_the_user() {
    for effect in ["context", "warn"] {
        let reply = answered(&format!("  {effect} \"Note.\""), "ls");
        assert_eq!((reply.exit, &reply.json), (0, &json!({ "systemMessage": "Note." })), "{effect}");
    }
}

#[test]
fn a_rule_of_pre_tool_use_records_the_command_of_a_skill_and_starts_nothing() {
    let marker = "touch STARTED";
    let policy = format!(
        "rule r {{\n  on PreToolUse\n  record \".rules/log/calls.jsonl\" {{ what: event }}\n  run \"{marker}\" {{ on_fail: ignore }}\n}}\n"
    );
    let machine = Machine::with(&policy);
    machine.hook(&skill(&machine, "ls", "user")).is_silent();
    assert!(machine.read("project/.rules/log/calls.jsonl").contains("\"what\":\"PreToolUse\""));
    assert!(!machine.exists("project/STARTED"));
    // A command that could deny is not started either: that it would have to run is reason enough to deny.
    answered("  run \"exit 2\"", "ls").denies("checks this call with a command");
}

#[test]
fn who_acts_is_unknown_where_the_host_calls_for_a_skill() {
    let machine = Machine::with("rule r {\n  on PreToolUse\n  by main\n  deny \"Main.\"\n}\n");
    for (by, expected) in [("user", "Main."), ("claude", "Main."), ("other", "cannot be judged")] {
        machine.hook(&skill(&machine, "ls", by)).denies(expected);
    }
    let machine = Machine::with("rule r {\n  on PreToolUse\n  by coder\n  deny \"Coder.\"\n}\n");
    machine.hook(&skill(&machine, "ls", "user")).is_silent();
    machine.hook(&skill(&machine, "ls", "other")).denies("does not say for whom");
    let mut payload = skill(&machine, "ls", "other");
    payload.as_object_mut().unwrap().remove("invoked_by");
    machine.hook(&payload).denies("does not say for whom");
    let machine = Machine::with("rule r {\n  on PreToolUse\n  by *\n  when agent_type == \"x\"\n  deny \"No.\"\n}\n");
    machine.hook(&skill(&machine, "ls", "other")).denies("cannot be judged");
    machine.hook(&skill(&machine, "ls", "user")).is_silent();
}

#[test]
fn a_rule_can_name_the_event_and_its_fields() {
    let machine = Machine::with(
        "rule r {\n  on PreSkillShellCommand(Bash)\n  when command_name == \"cmdy\" and event == \"PreSkillShellCommand\"\n  deny \"Not in {command_name}.\"\n}\n",
    );
    machine.hook(&skill(&machine, "ls", "user")).denies("Not in cmdy.");
    let machine = Machine::with("rule r {\n  on PreSkillShellCommand\n  context \"No.\"\n}\n");
    let printed = machine.rules(&["check"], "");
    assert!(printed.exit == 1 && (printed.stdout + &printed.stderr).contains("R0502"), "no context reaches anybody");
}

#[test]
fn a_broken_policy_and_a_change_of_the_policy_deny_the_command_of_a_skill() {
    let machine = Machine::with("rule r {\n");
    machine.hook(&skill(&machine, "ls", "user")).denies("does not load");
    let machine = Machine::with("rule r {\n  on PreToolUse\n  when runs \"x\"\n  deny \"No.\"\n}\n");
    machine.hook(&skill(&machine, "rm .rules/project.rules", "user")).denies("what agents may do");
}

#[test]
fn a_call_by_an_unknown_event_is_judged_and_logged_by_its_name() {
    let machine = Machine::with(
        "rule r {\n  on PreToolUse(Bash)\n  when runs \"rm\"\n  deny \"No.\"\n}\nrule a {\n  on PreToolUse(Bash)\n  when runs \"git\"\n  ask \"Sure?\"\n}\n",
    );
    let call = |command: &str| {
        let mut payload = machine.bash(command);
        payload["hook_event_name"] = json!("PreMacro");
        payload
    };
    let reply = machine.hook(&call("rm x"));
    assert_eq!((reply.exit, &reply.json, reply.stderr.as_str()), (2, &Json::Null, "No.\n"));
    assert!(reply.warning().contains("`PreMacro`, an event that this version of rules does not know"), "{reply:?}");
    let reply = machine.hook(&call("git push"));
    assert!(reply.exit == 2 && reply.stderr.starts_with("Sure?\n") && reply.held.is_empty(), "{reply:?}");
    machine.hook(&call("ls")).is_silent();
    assert_eq!(machine.decisions().matches("\"event\":\"PreMacro\"").count(), 3);
    let state = machine.path("state");
    let handler = json!({
        "type": "command", "command": crate::system::program(), "args": ["hook", "claude-code", "--state-dir", state],
        "onFailure": "block",
    });
    let settings = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [handler] }] } });
    machine.write("project/.claude/settings.json", &settings.to_string());
    let shown = machine.rules(&["doctor"], "").stdout;
    assert!(shown.contains("warn  events") && shown.contains("know: PreMacro"), "{shown}");
}

#[test]
fn an_unknown_event_with_a_result_or_without_a_call_passes() {
    let machine = Machine::with("rule r {\n  on *\n  deny \"No.\"\n}\n");
    for (member, value) in [("tool_response", json!({})), ("tool_output", json!("x")), ("error", json!("x"))] {
        let mut payload = machine.bash("rm x");
        payload["hook_event_name"] = json!("PostMacro");
        payload[member] = value;
        machine.hook(&payload).is_silent();
    }
    machine.hook(&machine.event("PreMacro")).is_silent();
}
