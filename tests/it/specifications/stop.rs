//! Commands when a subagent stops: rules on SubagentStop, from the pattern to the outcome of the command.

mod commands;
mod environment;
mod loading;
mod name;
mod patterns;

use serde_json::{Value as Json, json};

use crate::machine::Machine;

/// Returns a rule for each pattern; its command appends the pattern to `ran` as a line.
fn noting(patterns: &[&str]) -> String {
    let rule = |(number, pattern): (usize, &&str)| {
        format!("rule r{number} {{\n  on SubagentStop(\"{pattern}\")\n  run \"echo '{pattern}' >> ran\"\n}}\n")
    };
    patterns.iter().enumerate().map(rule).collect()
}

/// Returns the stop of a subagent of this type, as the host sends it.
fn stop(machine: &Machine, name: &str) -> Json {
    let mut payload = machine.captured("2.1.330/SubagentStop");
    payload["agent_type"] = json!(name);
    payload
}

/// Returns the stop of a subagent without a type, in a session with this transcript.
fn nameless(machine: &Machine, transcript: &str) -> Json {
    let mut payload = machine.captured("2.1.330/SubagentStop");
    payload.as_object_mut().unwrap().shift_remove("agent_type");
    payload["transcript_path"] = json!(machine.path("home/session.jsonl"));
    machine.write("home/session.jsonl", transcript);
    payload
}

/// Returns a line of a transcript in which the agent calls a subagent.
fn calling(tool: &str, subagent: &str) -> String {
    let input = json!({ "description": "d", "prompt": "p", "subagent_type": subagent });
    let block = json!({ "type": "tool_use", "id": "toolu_1", "name": tool, "input": input });
    let message = json!({ "role": "assistant", "content": [{ "type": "text", "text": "Now." }, block] });
    format!("{}\n", json!({ "type": "assistant", "uuid": "u", "message": message }))
}

/// Returns what the commands wrote to `ran`, in the order in which they ran.
fn ran(machine: &Machine) -> Vec<String> {
    if !machine.exists("project/ran") {
        return Vec::new();
    }
    machine.read("project/ran").lines().map(str::to_owned).collect()
}

/// Sets up notifications about every event, through a command that writes to `home/told`.
fn listening(machine: &Machine) {
    let script = machine.path("home/notify.sh");
    machine.write("home/notify.sh", "#!/bin/sh\nprintf '%s|' \"$@\" >> \"$HOME/told\"\n").mode("home/notify.sh", 0o755);
    let settings = format!("[notifications]\nenabled = true\nchannel = \"command\"\ncommand = [{script:?}]\n");
    machine.write("user/rules.toml", &settings);
}

/// Asserts that the user was notified of the stop once, and returns the notification.
#[track_caller]
fn notified(machine: &Machine) -> String {
    assert!(machine.exists("home/told"), "nobody was told");
    let told = machine.read("home/told");
    assert_eq!(told.matches("SubagentStop").count(), 1, "{told}");
    std::fs::remove_file(machine.path("home/told")).unwrap();
    told
}
