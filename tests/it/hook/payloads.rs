//! Odd payloads that agents and hosts may send: each is judged like one without the oddity.

use serde_json::{Value as Json, json};

use crate::machine::Machine;

const GUARD: &str = "rule guard {\n  on PreToolUse(Bash|mcp__*)\n  when tool_input.command contains \"rm -rf\"\n  deny \"No rm -rf.\"\n}\n";

/// Asserts that the dangerous payload is denied and the harmless one passes, as without the oddity.
#[track_caller]
fn decided(machine: &Machine, dangerous: &str, harmless: &str) {
    machine.hook_bytes(dangerous.as_bytes()).denies("No rm -rf.");
    machine.hook_bytes(harmless.as_bytes()).is_silent();
}

#[test]
fn a_lone_surrogate_hides_nothing() {
    let machine = Machine::with(GUARD);
    let call = |command: &str| machine.bash("CMD").to_string().replace("CMD", command);
    for odd in [" # \\ud800", " # \\udfff\\ud800", " # \\ud83d\\u0020", " # \\ud800\\ud800"] {
        decided(&machine, &call(&format!("rm -rf ~{odd}")), &call(&format!("ls{odd}")));
    }
}

#[test]
fn deep_nesting_hides_nothing() {
    let machine = Machine::with(GUARD);
    for depth in [120, 190] {
        let nested = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let call = |command: &str| {
            let mut payload = machine.captured("2.1.330/PreToolUse.mcp__my-srv__do_it");
            payload["tool_input"] = json!({ "command": command, "deep": "DEEP" });
            payload.to_string().replace("\"DEEP\"", &nested)
        };
        decided(&machine, &call("rm -rf ~"), &call("ls"));
    }
}

#[test]
fn a_number_out_of_range_hides_nothing() {
    let machine = Machine::with(GUARD);
    for number in ["1e999", "-1e999", "123456789012345678901234567890", "1e-999", "0.1e+1000000"] {
        let call = |command: &str| {
            let mut payload = machine.bash(command);
            payload["tool_input"]["timeout"] = json!("NUMBER");
            payload.to_string().replace("\"NUMBER\"", number)
        };
        decided(&machine, &call("rm -rf ~"), &call("ls"));
    }
}

#[test]
fn a_long_text_hides_nothing() {
    let machine = Machine::with(GUARD);
    let padding = "x".repeat(10_000_000);
    let call = |command: &str| machine.bash(&format!("{command} # {padding}")).to_string();
    decided(&machine, &call("rm -rf ~"), &call("ls"));
}

#[test]
fn a_field_that_lacks_hides_nothing() {
    let machine = Machine::with(GUARD);
    let all = machine.bash("rm -rf ~");
    for name in ["permission_mode", "session_id", "cwd", "transcript_path", "tool_use_id", "effort", "prompt_id"] {
        for odd in [None, Some(Json::Null), Some(json!("")), Some(json!(7)), Some(json!({}))] {
            let call = |command: &str| {
                let mut payload = all.clone();
                payload["tool_input"]["command"] = json!(command);
                match &odd {
                    None => drop(payload.as_object_mut().unwrap().remove(name)),
                    Some(odd) => payload[name] = odd.clone(),
                }
                payload.to_string()
            };
            // For most, the dangerous call is enough: a process for each would only take longer.
            if odd.is_none() || name == "cwd" {
                decided(&machine, &call("rm -rf ~"), &call("ls"));
            } else {
                machine.hook_bytes(call("rm -rf ~").as_bytes()).denies("No rm -rf.");
            }
        }
    }
}

#[test]
fn unknown_members_and_white_space_change_nothing() {
    let machine = Machine::with(GUARD);
    let mut payload = machine.bash("rm -rf ~");
    payload["brand_new"] = json!({ "a": [1, 2, 3] });
    payload["tool_input"]["brand_new"] = json!(true);
    let text = format!("\n\t {}\r\n\n", serde_json::to_string_pretty(&payload).unwrap());
    machine.hook_bytes(text.as_bytes()).denies("No rm -rf.");
}

#[test]
fn a_byte_order_mark_hides_nothing() {
    let machine = Machine::with(GUARD);
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(machine.bash("rm -rf ~").to_string().bytes());
    let reply = machine.hook_bytes(&bytes);
    assert!(reply.exit == 2 || reply.decision() == "ask", "{reply:?}");
}

#[test]
fn a_member_that_stands_twice_hides_nothing() {
    let machine = Machine::with(GUARD);
    for (first, second) in [("ls", "rm -rf ~"), ("rm -rf ~", "ls")] {
        let twice = machine
            .bash("CMD")
            .to_string()
            .replace("\"command\":\"CMD\"", &format!("\"command\":{first:?},\"command\":{second:?}"));
        let reply = machine.hook_bytes(twice.as_bytes());
        // `JSON.parse`, the host's parser, uses the last one.
        if second == "ls" { assert_ne!(reply.decision(), "allow") } else { reply.denies("No rm -rf.") }
    }
}

#[test]
fn bytes_that_are_no_utf8_hide_nothing() {
    let machine = Machine::with(GUARD);
    let text = machine.bash("rm -rf ~ BYTES").to_string();
    let (before, after) = text.split_once("BYTES").unwrap();
    let bytes = [before.as_bytes(), b"\xff\xfe\x80", after.as_bytes()].concat();
    let reply = machine.hook_bytes(&bytes);
    assert!(matches!(reply.decision(), "deny" | "ask"), "{reply:?}");
}
