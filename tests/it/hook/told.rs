//! Deferred messages: if the host shows nothing, the user reads them at the next event of the session that shows text.

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Reply, send};

/// Answers an event, and leaves deferred messages in place.
#[track_caller]
fn answer(machine: &Machine, payload: &Json) -> Reply {
    Reply::of(&send(machine.hook_command(&["claude-code"]), payload.to_string().as_bytes()))
}

fn prompt(machine: &Machine) -> Json {
    let mut prompt = machine.event("UserPromptSubmit");
    prompt["prompt"] = json!("Go on.");
    prompt
}

/// Events for which the host shows nothing, or whose answer the model would read.
const UNSEEN: [&str; 6] =
    ["PreCompact", "PostCompact", "PreModelSwitch", "PermissionRequest", "SubagentStop", "Notification"];

#[test]
fn a_warning_that_is_not_shown_is_told_once_at_the_next_event_that_is() {
    for name in UNSEEN {
        let machine = Machine::with(&format!("rule r {{\n  on {name}\n  warn \"Hey.\"\n}}\n"));
        let mut event = machine.event(name);
        event["agent_id"] = if name == "SubagentStop" { json!("a7") } else { Json::Null };
        answer(&machine, &event).is_silent();
        answer(&machine, &event).is_silent();
        // Neither another session nor an event that shows nothing delivers the message.
        let mut other = prompt(&machine);
        other["session_id"] = json!("other");
        answer(&machine, &other).is_silent();
        answer(&machine, &machine.event("CwdChanged")).is_silent();
        let told = answer(&machine, &prompt(&machine));
        assert_eq!(told.json, json!({ "systemMessage": format!("{name}: Hey.") }));
        answer(&machine, &prompt(&machine)).is_silent();
    }
}

#[test]
fn a_policy_that_does_not_load_is_told_of_after_a_compaction_and_not_to_the_model() {
    let machine = Machine::with("rule r {\n");
    answer(&machine, &machine.event("PreCompact")).is_silent();
    let told = answer(&machine, &machine.event("SessionStart"));
    assert!(told.warning().starts_with("PreCompact: The project policy does not load"), "{told:?}");
}

#[test]
fn a_command_that_fails_where_nothing_is_shown_is_told_of_later() {
    let machine = Machine::with("rule r {\n  on SubagentStart\n  run \"false\"\n}\n");
    answer(&machine, &machine.event("SubagentStart")).is_silent();
    let told = answer(&machine, &prompt(&machine));
    assert_eq!(told.warning(), "SubagentStart: `false` failed with exit code 1");
}

#[test]
fn a_denied_change_of_settings_is_told_of_later() {
    let machine = Machine::with("rule r {\n  on ConfigChange\n  deny \"Ask first.\"\n}\n");
    machine.register();
    let denied = answer(&machine, &machine.event("ConfigChange"));
    assert_eq!((denied.exit, denied.warning()), (2, ""));
    assert_eq!(answer(&machine, &prompt(&machine)).warning(), "ConfigChange: Ask first.");
}

#[test]
fn a_warning_about_a_subagents_call_waits_for_the_main_thread() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  warn \"Careful.\"\n}\n");
    let mut call = machine.bash("ls");
    call["session_id"] = json!("s");
    call["agent_id"] = json!("a7");
    answer(&machine, &call).is_silent();
    assert_eq!(answer(&machine, &prompt(&machine)).warning(), "PreToolUse: Careful.");
    call["agent_id"] = Json::Null;
    assert_eq!(answer(&machine, &call).warning(), "Careful.");
}

#[test]
fn what_waits_at_the_end_of_a_session_is_a_notification() {
    let machine = Machine::with("rule r {\n  on PreCompact, SessionEnd\n  warn \"Hey.\"\n}\n");
    let told = machine.path("home/told");
    machine.write("home/told", "");
    let script = format!("echo \"$RULES_BODY\" >> {told:?}");
    let channel = format!("[notifications]\nchannel = \"command\"\ncommand = [\"sh\", \"-c\", '{script}']\n");
    machine.write("user/rules.toml", &channel);
    answer(&machine, &machine.event("PreCompact")).is_silent();
    answer(&machine, &machine.event("SessionEnd")).is_silent();
    let mut parts: Vec<String> = machine.read("home/told").lines().map(str::to_owned).collect();
    parts.sort();
    assert_eq!(parts, ["PreCompact: Hey.", "SessionEnd: Hey."]);
}

#[test]
fn a_context_on_pre_compact_is_an_instruction_to_the_summary() {
    for (text, stdout) in
        [("Keep the names.", "Keep the names."), (r#"{\"continue\": false}"#, "Note:\n{\"continue\": false}")]
    {
        let machine = Machine::with(&format!("rule r {{\n  on PreCompact\n  context \"{text}\"\n}}\n"));
        let output = send(machine.hook_command(&["claude-code"]), machine.event("PreCompact").to_string().as_bytes());
        assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()), (Some(0), stdout));
    }
}

#[test]
fn a_halted_prompt_is_erased() {
    let machine = Machine::with("rule r {\n  on UserPromptSubmit\n  halt \"Stop.\"\n}\n");
    let reply = answer(&machine, &prompt(&machine));
    assert_eq!((reply.exit, reply.stderr.as_str()), (2, "Stop.\n"));
    // With `continue: false` the host would keep the prompt, and the model would read it in the next turn.
    assert_eq!(reply.json, json!({ "decision": "block", "reason": "Stop." }));
}
