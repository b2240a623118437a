//! `rules hook` as the host calls it: one process per event, captured payloads in, answers out.

mod cache;
mod effects;
mod failure;
mod foreign;
mod guard;
mod layers;
#[cfg(unix)]
mod limits;
mod packs;
mod payloads;
mod programs;
mod project;
mod skill_commands;
mod time;
mod together;
mod told;
pub(crate) mod wave;

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Reply, send};
use crate::source::{files, read};

#[test]
fn a_denial_is_json_and_exit_2_and_the_reason_on_stderr() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  deny \"Not here.\"\n}\n");
    let reply = machine.hook(&machine.bash("ls"));
    assert_eq!(reply.exit, 2);
    assert_eq!(reply.stderr.trim_end(), "Not here.");
    assert_eq!(
        reply.json,
        json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "Not here.",
        } })
    );
    machine.hook(&machine.file("Read", "project/a")).is_silent();
}

/// A dynamic linker would complain that it cannot find the library.
#[cfg(static_libc)]
#[test]
fn a_library_of_the_environment_is_not_loaded() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  deny \"Not here.\"\n}\n");
    let mut command = machine.hook_command(&["claude-code"]);
    command.env("LD_PRELOAD", machine.path("evil.so")).env("LD_LIBRARY_PATH", machine.path("."));
    let reply = Reply::of(&send(command, machine.bash("ls").to_string().as_bytes()));
    assert_eq!((reply.exit, reply.stderr.trim_end()), (2, "Not here."));
}

#[test]
fn an_ask_and_an_allow_exit_0() {
    let machine = Machine::with(
        "rule ask {\n  on PreToolUse(Bash)\n  ask \"Sure?\"\n}\nrule go {\n  on PreToolUse(Read)\n  allow \"Reading is fine.\"\n}\n",
    );
    machine.hook(&machine.bash("ls")).asks("Sure?");
    let reply = machine.hook(&machine.file("Read", "project/a"));
    assert_eq!((reply.exit, reply.decision(), reply.reason()), (0, "allow", "Reading is fine."));
}

#[test]
fn an_allow_is_not_given_in_plan_mode() {
    let machine = Machine::with("rule go {\n  on PreToolUse(Bash)\n  allow\n}\n");
    assert_eq!(machine.hook(&machine.captured("2.1.330/PreToolUse.Bash")).decision(), "allow");
    machine.hook(&machine.captured("2.1.330/PreToolUse.Bash.plan")).is_silent();
}

#[test]
fn a_context_reaches_the_agent() {
    let machine = Machine::with("rule tell {\n  on SessionStart(startup)\n  context \"Read {project}/GUIDE.md.\"\n}\n");
    let reply = machine.hook(&machine.captured("2.1.330/SessionStart.startup"));
    assert_eq!(reply.context(), format!("Read {}/GUIDE.md.", machine.path("project").display()));
    machine.hook(&machine.captured("2.1.330/SessionStart.clear")).is_silent();
}

#[test]
fn a_rewrite_sends_the_whole_input_back() {
    let machine = Machine::with(
        "rule cap {\n  on PreToolUse(Bash)\n  rewrite tool_input.timeout = 1000\n  rewrite tool_input.command replace /MARK(\\d)/ with \"mark-$1\"\n}\n",
    );
    let payload = machine.captured("2.1.330/PreToolUse.Bash");
    let reply = machine.hook(&payload);
    let mut expected = payload["tool_input"].clone();
    expected["timeout"] = json!(1000);
    expected["command"] = json!("touch mark-1; echo ran-ok");
    assert_eq!(reply.json["hookSpecificOutput"]["updatedInput"], expected);
    assert_eq!((reply.exit, reply.decision()), (0, ""));
}

/// Asserts that two outputs have the same shape: the same members in the same order, with the same values except
/// strings.
fn assert_same_shape(old: &Json, new: &Json, place: &str) {
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            assert!(old.keys().eq(new.keys()), "{place}: {new:?}");
            for (name, value) in old {
                assert_same_shape(value, &new[name], &format!("{place}.{name}"));
            }
        }
        (Json::Array(old), Json::Array(new)) => {
            assert_eq!(old.len(), new.len(), "{place}");
            old.iter().zip(new).for_each(|(old, new)| assert_same_shape(old, new, place));
        }
        (Json::String(_), Json::String(_)) => {}
        _ => assert_eq!(old, new, "{place}"),
    }
}

#[test]
fn a_rewrite_of_an_output_keeps_the_shape_of_every_output() {
    let machine =
        Machine::with("rule hide {\n  on PostToolUse\n  rewrite tool_response replace /(?s).+/ with \"[hidden]\"\n}\n");
    let mut seen = 0;
    for (name, payload) in machine.all_captured("2.1.330/PostToolUse.") {
        let old = &payload["tool_response"];
        let reply = machine.hook(&payload);
        assert_eq!(reply.exit, 0, "{name}");
        let specific = &reply.json["hookSpecificOutput"];
        let Some(new) = specific.get("updatedToolOutput") else {
            // Nothing to hide: its only strings are single words or empty.
            continue;
        };
        assert_eq!(specific["hookEventName"], json!("PostToolUse"), "{name}");
        assert_same_shape(old, new, &name);
        assert_eq!(new.get("type"), old.get("type"), "{name}");
        seen += 1;
    }
    assert!(seen > 15, "{seen} outputs");
}

#[test]
fn a_halt_denies_the_call_too() {
    let machine = Machine::with("rule stop {\n  on PreToolUse(Bash)\n  halt \"Enough.\"\n}\n");
    let reply = machine.hook(&machine.bash("ls"));
    assert_eq!((&reply.json["continue"], &reply.json["stopReason"]), (&json!(false), &json!("Enough.")));
    reply.denies("Enough.");
    assert_eq!(reply.exit, 2);
}

#[test]
fn what_pre_tool_use_asks_about_is_not_allowed_by_permission_request() {
    let machine = Machine::with(
        "rule nod {\n  on PreToolUse(Bash)\n  when tool_input.command contains \"push\"\n  ask \"Push?\"\n}\n\
         rule free {\n  on PermissionRequest(Bash)\n  allow\n}\n",
    );
    let request = |command: &str| {
        let mut payload = machine.captured("2.1.330/PermissionRequest.Bash");
        payload["tool_input"]["command"] = json!(command);
        machine.hook(&payload)
    };
    machine.hook(&machine.bash("git push")).asks("Push?");
    assert_eq!(request("git push").decision(), "");
    assert_eq!(request("git status").decision(), "allow");
}

#[test]
fn a_rewrite_to_something_denied_is_denied() {
    let machine = Machine::with(
        "rule swap {\n  on PreToolUse(Bash)\n  rewrite tool_input.command replace /harmless/ with \"harmful\"\n}\n\
         rule guard {\n  on PreToolUse(Bash)\n  when tool_input.command contains \"harmful\"\n  deny \"Harm.\"\n}\n",
    );
    let reply = machine.hook(&machine.bash("harmless"));
    reply.denies("Harm.");
    assert_eq!(reply.json["hookSpecificOutput"]["updatedInput"], Json::Null);
}

#[test]
fn the_project_is_the_hosts_and_not_where_the_agent_went() {
    let machine = Machine::with("rule out {\n  on PreToolUse(Read)\n  when path outside project\n  deny \"Out.\"\n}\n");
    let mut payload = machine.file("Read", "project/sub/a");
    payload["cwd"] = json!(machine.path("project/sub"));
    machine.hook(&payload).is_silent();
    payload["tool_input"]["file_path"] = json!("../../user/a");
    machine.hook(&payload).denies("Out.");
}

#[test]
fn without_the_hosts_variable_the_project_is_the_payloads_cwd() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  deny \"No.\"\n}\n");
    let mut command = machine.hook_command(&[]);
    command.env_remove("CLAUDE_PROJECT_DIR").current_dir("/");
    Reply::of(&send(command, machine.bash("ls").to_string().as_bytes())).denies("No.");
}

#[test]
fn an_answer_that_cannot_be_written_blocks() {
    let machine = Machine::with("rule go {\n  on PreToolUse(Bash)\n  allow\n}\n");
    let mut command = machine.hook_command(&[]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let payload = machine.bash("ls").to_string();
    let input = machine.path("payload.json");
    std::fs::write(&input, payload).unwrap();
    command.stdin(std::fs::File::open(input).unwrap()).stdout(full).stderr(std::process::Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the answer could not be written"), "{output:?}");
}

#[test]
fn an_answer_that_nobody_reads_blocks() {
    let machine = Machine::with("rule go {\n  on PreToolUse(Bash)\n  allow\n}\n");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let input = machine.path("payload.json");
    std::fs::write(&input, machine.bash("ls").to_string()).unwrap();
    let mut command = machine.hook_command(&[]);
    command.stdin(std::fs::File::open(input).unwrap()).stdout(writer).stderr(std::process::Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Sends one captured payload of each event.
#[test]
fn every_captured_payload_is_answered_by_the_contract() {
    let machine = Machine::with(
        "rule all {\n  on *\n  warn \"Seen {hook_event_name}.\"\n}\nrule calls {\n  on PreToolUse\n  deny \"No.\"\n}\n",
    );
    machine.register();
    let captured = files("tests/fixtures/payloads/claude-code/2.1.330", &["json"]);
    assert!(captured.len() > 100);
    let mut seen = std::collections::BTreeSet::new();
    for path in captured {
        let payload: Json = serde_json::from_str(&read(&path)).unwrap();
        let event = payload["hook_event_name"].as_str().unwrap().to_owned();
        // One payload per event: a process for every payload would only take longer.
        if !seen.insert(event.clone()) {
            continue;
        }
        let reply = machine.hook(&payload);
        match event.as_str() {
            "PreToolUse" => reply.denies("No."),
            // At the end of a session the user gets a notification instead.
            "WorktreeCreate" | "MessageDisplay" | "SessionEnd" => reply.is_silent(),
            "PostToolUse" => {
                assert!(reply.warning().starts_with("Seen PostToolUse.\nThis call ran although"), "{reply:?}")
            }
            _ => assert_eq!(reply.warning(), format!("Seen {event}."), "{reply:?}"),
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}
