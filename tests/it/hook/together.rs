//! Duplicate registrations that differ in an argument: one acts, the other only decides.

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Reply, send};

const POLICY: &str = r#"
rule told {
  on PreToolUse(Bash), Stop
  context "Note."
  run "echo ran >> ran"
  record "seen.jsonl" { tool_name }
}
rule gate {
  on Stop
  run "exit 1" { on_fail: deny, message: "Not yet.", attempts: 2 }
}
rule guard {
  on PreToolUse(Bash)
  when command contains "forbidden"
  deny "No."
}
"#;

/// Returns the policy without its context, which one of the events cannot carry.
fn policy() -> String {
    POLICY.replace("  on PreToolUse(Bash), Stop\n  context \"Note.\"\n", "  on PreToolUse(Bash), Stop\n")
}

/// Answers an event as the user's registration does (`u`), or as the project's (`p`).
#[track_caller]
fn answer(machine: &Machine, registration: char, payload: &Json) -> Reply {
    let args: &[&str] = if registration == 'p' { &["claude-code", "--require-policy"] } else { &["claude-code"] };
    Reply::of(&send(machine.hook_command(args), payload.to_string().as_bytes()))
}

fn lines(machine: &Machine, path: &str) -> usize {
    if machine.exists(path) { machine.read(path).lines().count() } else { 0 }
}

#[test]
fn a_call_is_acted_on_once_and_decided_by_both() {
    let machine = Machine::with(&policy());
    for (number, order) in ["up", "pu", "u"].into_iter().enumerate() {
        let mut call = machine.bash("forbidden");
        call["tool_use_id"] = json!(format!("toolu_{number}"));
        for registration in order.chars() {
            answer(&machine, registration, &call).denies("No.");
        }
        let mut call = machine.bash("ls");
        call["tool_use_id"] = json!(format!("toolu_ls_{number}"));
        for registration in order.chars() {
            answer(&machine, registration, &call).is_silent();
        }
    }
    // A denied call runs no command, but is recorded.
    assert_eq!((lines(&machine, "project/ran"), lines(&machine, "state/seen.jsonl")), (3, 6));
    assert_eq!(machine.decisions().matches("\"only_decided\":true").count(), 2);
}

#[test]
fn a_context_is_told_once() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  context \"Note.\"\n}\n");
    let call = machine.bash("ls");
    assert_eq!(answer(&machine, 'p', &call).context(), "Note.");
    answer(&machine, 'u', &call).is_silent();
}

#[test]
fn refusals_are_counted_once_for_each_stop_though_stops_are_the_same() {
    let machine = Machine::with(&policy());
    let mut stop = machine.event("Stop");
    stop["stop_hook_active"] = json!(true);
    let refused = |registration| answer(&machine, registration, &stop).decision() == "block";
    let seen: Vec<bool> = "upuppu".chars().map(refused).collect();
    // The stop is refused twice, by whichever registration came first, and then passes.
    assert_eq!(seen, [true, false, true, false, false, false]);
    // The command does not run for refused stops, but once for the one that passes.
    assert_eq!(lines(&machine, "project/ran"), 1);
}

#[test]
fn one_registration_acts_on_an_event_as_often_as_it_comes() {
    let machine = Machine::with(&policy());
    let call = machine.bash("ls");
    (0..4).for_each(|_| answer(&machine, 'u', &call).is_silent());
    assert_eq!(lines(&machine, "project/ran"), 4);
}

#[test]
fn registrations_with_other_policies_or_without_a_place_for_state_act_each_for_itself() {
    let machine = Machine::with(&policy());
    let call = machine.bash("ls").to_string();
    machine.write("other/a.rules", "rule own {\n  on PreToolUse(Bash)\n  run \"echo ran >> ran\"\n}\n");
    let mut other = machine.command(&["hook", "claude-code", "--scope", "project", "--config-dir"]);
    other.arg(machine.path("other")).arg("--managed-dir").arg(machine.path("managed"));
    other.arg("--state-dir").arg(machine.path("state")).env("CLAUDE_PROJECT_DIR", machine.path("project"));
    let _first = send(machine.hook_command(&["claude-code"]), call.as_bytes());
    let _second = send(other, call.as_bytes());
    // The first runs its command; the second, with another policy, runs that command and its own.
    assert_eq!(lines(&machine, "project/ran"), 3);

    let machine = Machine::with(&policy());
    let _none = std::fs::remove_dir_all(machine.path("state"));
    machine.write("state", "a file where the directory should be");
    let call = machine.bash("ls");
    "up".chars().for_each(|registration| drop(answer(&machine, registration, &call)));
    assert_eq!(lines(&machine, "project/ran"), 2);
}

#[test]
fn who_only_decides_allows_nothing_that_a_command_may_refuse() {
    let machine = Machine::with("rule a {\n  on PreToolUse(Bash)\n  allow\n  run \"exit 2\"\n}\n");
    let call = machine.bash("ls");
    answer(&machine, 'u', &call).denies("");
    answer(&machine, 'p', &call).is_silent();
}

#[test]
fn a_prompt_that_no_user_wrote_does_not_begin_anew() {
    for (source, prompt, expected) in [
        (Json::Null, "Go on.", "block"),
        (json!("user"), "Go on.", "block"),
        (json!("sdk"), "<task-notification>", "block"),
        (Json::Null, "<task-notification>\n<task-id>a7</task-id>", ""),
        (json!("system"), "Go on.", ""),
        (json!("loop_wakeup"), "Go on.", ""),
    ] {
        let machine = Machine::with(&policy());
        let mut stop = machine.event("Stop");
        stop["stop_hook_active"] = json!(true);
        (0..2).for_each(|_| answer(&machine, 'u', &stop).denies("Not yet."));
        let mut submit = machine.event("UserPromptSubmit");
        submit["prompt"] = json!(prompt);
        if !source.is_null() {
            submit["source"] = source.clone();
        }
        answer(&machine, 'u', &submit).is_silent();
        // The host marks the first stop of any turn as no continuation.
        stop["stop_hook_active"] = json!(false);
        assert_eq!(answer(&machine, 'u', &stop).decision(), expected, "{source} {prompt}");
    }
}
