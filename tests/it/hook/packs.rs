//! The programs that the packs start, with stubs before the real ones on the PATH.

use serde_json::json;

use crate::machine::{Machine, Reply, send};

/// A machine whose project uses a pack, with its own stub programs.
struct Stubbed {
    machine: Machine,
}

impl Stubbed {
    fn using(pack: &str) -> Self {
        Self { machine: Machine::with(&format!("use \"{pack}\"\n")) }
    }

    fn program(self, name: &str, script: &str) -> Self {
        let path = format!("bin/{name}");
        self.machine.write(&path, &format!("#!/bin/sh\n{script}\n")).mode(&path, 0o755);
        self
    }

    fn file(self, path: &str, text: &str) -> Self {
        self.machine.write(&format!("project/{path}"), text);
        self
    }

    #[track_caller]
    fn hook(&self, payload: &serde_json::Value) -> Reply {
        let mut command = self.machine.hook_command(&["claude-code"]);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.machine.path("bin").display()));
        Reply::of(&send(command, payload.to_string().as_bytes()))
    }

    fn stop(&self) -> serde_json::Value {
        let mut payload = self.machine.captured("2.1.330/Stop");
        payload["stop_hook_active"] = json!(false);
        payload["transcript_path"] = json!(self.machine.path("project/transcript.jsonl"));
        payload
    }

    fn edited(&self, path: &str) -> serde_json::Value {
        let mut payload = self.machine.file("Write", &format!("project/{path}"));
        payload["hook_event_name"] = json!("PostToolUse");
        payload["tool_response"] = json!({});
        payload
    }
}

#[test]
fn tests_that_fail_hold_a_stop_back_where_something_changed() {
    let changed = Stubbed::using("std/lifecycle")
        .file("Cargo.toml", "")
        .program("git", "echo ' M src/a.rs'")
        .program("cargo", "echo \"$*: a test fails\"; exit 101");
    let reply = changed.hook(&changed.stop());
    assert_eq!(reply.exit, 2);
    let reason = reply.json["reason"].as_str().unwrap().to_owned();
    assert!(reason.starts_with("Tests fail.") && reason.contains("test --quiet: a test fails"), "{reason}");
    let unchanged =
        Stubbed::using("std/lifecycle").file("Cargo.toml", "").program("git", "exit 0").program("cargo", "exit 101");
    unchanged.hook(&unchanged.stop()).is_silent();
}

#[test]
fn sources_that_changed_after_the_tests_hold_a_stop_back() {
    let machine = Stubbed::using("std/lifecycle");
    let in_session = |mut payload: serde_json::Value| {
        payload["session_id"] = json!("s1");
        machine.hook(&payload)
    };
    let mut start = machine.machine.event("SessionStart");
    start["source"] = json!("startup");
    in_session(start).is_silent();
    in_session(machine.edited("a.c")).is_silent();
    let reply = in_session(machine.stop());
    assert_eq!((reply.exit, reply.json["decision"].as_str()), (2, Some("block")));
    let mut tests = machine.machine.bash("make check");
    in_session(tests.clone()).is_silent();
    tests["hook_event_name"] = json!("PostToolUse");
    tests["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false, "isImage": false});
    in_session(tests).is_silent();
    in_session(machine.stop()).is_silent();
}

#[test]
fn a_formatter_runs_on_the_file_and_is_not_missed() {
    let machine = Stubbed::using("std/lifecycle").program("ruff", "echo \"$*\"; exit 1");
    let path = machine.machine.path("project/src/a b.py");
    let context = machine.hook(&machine.edited("src/a b.py")).context().to_owned();
    assert!(context.starts_with("ruff found:\n"), "{context}");
    assert!(context.contains(&format!("check --quiet --output-format concise -- {}", path.display())), "{context}");
    machine.hook(&machine.edited("src/a.tf")).is_silent();
    machine.hook(&machine.edited("src/a.ts")).is_silent();
}

#[test]
fn subagents_at_work_are_counted() {
    let line = |session: &str, event: &str, agent: &str| {
        format!("{{\"at\":\"x\",\"event\":\"{event}\",\"session_id\":\"{session}\",\"agent_id\":\"{agent}\"}}\n")
    };
    let started: String = ["a", "b", "c", "d"].map(|agent| line("s", "SubagentStart", agent)).concat();
    let machine = Stubbed::using("std/roles").file(".rules/log/subagents.jsonl", &started);
    let mut call = machine.machine.event("PreToolUse");
    call["tool_name"] = json!("Agent");
    call["tool_input"] = json!({"prompt": "look", "description": "look"});
    machine.hook(&call).asks("4 subagents are at work already. Start another?");
    let stopped = format!("{started}{}{}", line("s", "SubagentStop", "a"), line("other", "SubagentStart", "z"));
    machine.machine.write("project/.rules/log/subagents.jsonl", &stopped);
    machine.hook(&call).is_silent();
    machine.machine.write("project/.rules/log/subagents.jsonl", &stopped.replace("other", "s"));
    machine.hook(&call).asks("4 subagents are at work already. Start another?");
}
