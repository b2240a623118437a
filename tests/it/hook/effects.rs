//! The effects of a policy besides its decisions: commands, records, notifications, the log.

use serde_json::{Value as Json, json};

use crate::machine::Machine;

#[test]
fn a_failing_gate_refuses_the_stop_and_is_released_after_its_attempts() {
    let machine = Machine::with(
        "rule gate {\n  on Stop\n  run \"echo two tests fail; exit 1\" { on_fail: deny, attempts: 2, message: \"Fix the tests.\" }\n}\n",
    );
    let stop = machine.captured("2.1.330/Stop");
    let mut again = stop.clone();
    again["stop_hook_active"] = json!(true);
    let first = machine.hook(&stop);
    assert_eq!(first.json["decision"], "block");
    assert!(first.reason().contains("Fix the tests.") && first.reason().contains("two tests fail"), "{first:?}");
    assert_eq!(machine.hook(&again).json["decision"], "block");
    let released = machine.hook(&again);
    assert_eq!((released.exit, &released.json["decision"]), (0, &Json::Null), "{released:?}");
    assert!(released.warning().contains("gate"), "{released:?}");
    // A stop that is no continuation starts a new count.
    assert_eq!(machine.hook(&stop).json["decision"], "block");
}

#[test]
fn a_gate_that_holds_says_nothing() {
    let machine = Machine::with("rule gate {\n  on Stop\n  run \"true\" { on_fail: deny }\n}\n");
    machine.hook(&machine.captured("2.1.330/Stop")).is_silent();
}

#[test]
fn every_command_of_a_subagents_stop_runs() {
    let machine = Machine::with(
        "rule one {\n  on SubagentStop\n  run \"touch one; echo red; exit 1\" { on_fail: deny, message: \"One.\" }\n}\n\
         rule two {\n  on SubagentStop\n  run \"touch two; exit 3\"\n}\n\
         rule three {\n  on SubagentStop\n  run \"touch three\"\n}\n",
    );
    let reply = machine.hook(&machine.captured("2.1.330/SubagentStop"));
    for name in ["one", "two", "three"] {
        assert!(machine.exists(&format!("project/{name}")), "{name}: {reply:?}");
    }
    reply.denies("One.\nred");
    assert!(reply.warning().contains("exit code 3"), "{reply:?}");
}

#[test]
fn a_denied_call_starts_no_command_of_another_rule() {
    let machine = Machine::with(
        "rule no {\n  on PreToolUse(Bash)\n  deny \"No.\"\n}\nrule touch {\n  on PreToolUse(Bash)\n  run \"touch ran\"\n}\n",
    );
    machine.hook(&machine.bash("ls")).denies("No.");
    assert!(!machine.exists("project/ran"));
}

#[test]
fn a_command_learns_of_the_event_from_its_environment_and_its_input() {
    let machine =
        Machine::with("rule look {\n  on SubagentStop\n  run \"env | grep ^CONCLAUDE_ > seen; cat > payload\"\n}\n");
    let payload = machine.captured("2.1.330/SubagentStop");
    machine.hook(&payload).is_silent();
    let seen = machine.read("project/seen");
    let text = |name: &str| payload[name].as_str().unwrap().to_owned();
    for (name, value) in [
        ("SESSION_ID", text("session_id")),
        ("TRANSCRIPT_PATH", text("transcript_path")),
        ("HOOK_EVENT", "SubagentStop".to_owned()),
        ("CWD", text("cwd")),
        ("AGENT_ID", text("agent_id")),
        ("SUBAGENT_TYPE", text("agent_type")),
        ("AGENT_TRANSCRIPT_PATH", text("agent_transcript_path")),
    ] {
        assert!(seen.lines().any(|line| line == format!("CONCLAUDE_{name}={value}")), "{name}={value}: {seen}");
    }
    let mut whole = payload.clone();
    whole["subagent_type"] = payload["agent_type"].clone();
    assert_eq!(serde_json::from_str::<Json>(&machine.read("project/payload")).unwrap(), whole);
}

#[test]
fn a_value_of_the_payload_is_never_shell_text() {
    let machine = Machine::with(
        "rule bare {\n  on PostToolUse(Bash)\n  run \"printf '<%s>' x{tool_input.command} >> seen\"\n}\n\
         rule quoted {\n  on PostToolUse(Bash)\n  run \"printf '<%s>' \\\"x{tool_input.command}\\\" >> seen\"\n}\n\
         rule argv {\n  on PostToolUse(Bash)\n  run [\"sh\", \"-c\", \"printf '<%s>' \\\"$1\\\" >> seen\", \"sh\", \"{tool_input.command}\"]\n}\n",
    );
    for value in [
        "'; touch owned; '",
        "\"; touch owned; \"",
        "$(touch owned)",
        "`touch owned`",
        "; touch owned #",
        "a\ntouch owned\n",
        "${IFS}$(touch owned)",
        "-n $'\\x27; touch owned'",
        "*",
    ] {
        let mut payload = machine.captured("2.1.330/PostToolUse.Bash");
        payload["tool_input"]["command"] = json!(value);
        let reply = machine.hook(&payload);
        assert_eq!(reply.exit, 0, "{reply:?}");
        assert!(!machine.exists("project/owned"), "{value}: {reply:?}");
        let seen = machine.read("project/seen");
        assert_eq!(seen, format!("<x{value}><x{value}><{value}>"));
        std::fs::remove_file(machine.path("project/seen")).unwrap();
    }
}

/// The command or file that matched is data in both forms, also if it is a text of the shell itself.
#[test]
fn what_matched_is_never_shell_text() {
    let machine = Machine::with(
        "rule shell {\n  on PreToolUse(Bash)\n  when runs \"git commit\"\n  run \"printf '<%s>' x{match} >> seen\"\n}\n\
         rule argv {\n  on PreToolUse(Bash)\n  when runs \"git commit\"\n  run [\"sh\", \"-c\", \"printf '<%s>' \\\"$1\\\" >> seen\", \"sh\", \"{match}\"]\n}\n\
         rule file {\n  on PreToolUse(Bash)\n  when deletes like \"*\"\n  run \"printf '<%s>' x{match} >> deleted\"\n}\n",
    );
    for command in [
        "git commit -m '; touch owned; '",
        "git commit -m '$(touch owned)'",
        "git commit -m '`touch owned`'",
        "git commit -m '\"; touch owned; \"'",
        "git commit -m 'a b' -- '*'",
    ] {
        let reply = machine.hook(&machine.bash(&format!("ls && {command}")));
        assert!(reply.exit == 0 && !machine.exists("project/owned"), "{command}: {reply:?}");
        assert_eq!(machine.read("project/seen"), format!("<x{command}><{command}>"));
        std::fs::remove_file(machine.path("project/seen")).unwrap();
    }
    let reply = machine.hook(&machine.bash("rm '$(touch owned); a'"));
    assert!(reply.exit == 0 && !machine.exists("project/owned"), "{reply:?}");
    assert_eq!(machine.read("project/deleted"), "<x$(touch owned); a>");
}

/// A command may run where the file of the call is, whose name is data too.
#[test]
fn a_command_runs_in_the_directory_of_the_file() {
    let machine =
        Machine::with("rule format {\n  on PostToolUse(Write)\n  run \"pwd > where\" { cwd: \"{path}\" }\n}\n");
    for directory in ["api", "$(touch owned); b", "-c"] {
        std::fs::create_dir_all(machine.path(&format!("project/{directory}"))).unwrap();
        let mut payload = machine.captured("2.1.330/PostToolUse.Bash");
        payload["tool_name"] = json!("Write");
        let file = machine.path(&format!("project/{directory}/a.ts"));
        payload["tool_input"] = json!({"file_path": file, "content": "x"});
        let reply = machine.hook(&payload);
        assert!(reply.exit == 0 && !machine.exists("project/owned"), "{directory}: {reply:?}");
        let seen = machine.read(&format!("project/{directory}/where"));
        assert!(seen.trim_end().ends_with(&format!("project/{directory}")), "{seen}");
    }
}

#[test]
fn a_command_that_does_not_end_is_ended() {
    let machine = Machine::with("rule slow {\n  on PreToolUse(Bash)\n  run \"sleep 60\" { timeout: 200ms }\n}\n");
    machine.hook(&machine.bash("ls")).asks("did not end within 200ms");
}

#[test]
fn a_command_that_cannot_start_is_asked_about() {
    let machine = Machine::with("rule gone {\n  on PreToolUse(Bash)\n  run [\"no-such-program-here\"]\n}\n");
    machine.hook(&machine.bash("ls")).asks("could not be started");
}

const RECORD: &str =
    "rule stops {\n  on SubagentStop\n  record \".rules/log/stops.jsonl\" { agent_id, kind: agent_type }\n}\n";

#[test]
fn a_record_is_a_line_in_the_projects_log() {
    let machine = Machine::with(RECORD);
    let payload = machine.captured("2.1.330/SubagentStop");
    machine.hook(&payload).is_silent();
    machine.hook(&payload).is_silent();
    let text = machine.read("project/.rules/log/stops.jsonl");
    let line = json!({ "agent_id": payload["agent_id"], "kind": payload["agent_type"] });
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, [line.clone(), line]);
    assert_eq!(machine.read("project/.rules/log/.gitignore"), "*\n");
}

#[test]
fn a_record_that_fails_changes_no_answer() {
    let policy = format!("{RECORD}rule say {{\n  on SubagentStop\n  warn \"Seen.\"\n}}\n");
    let spoil: [fn(&Machine); 4] = [
        |machine| {
            machine.fifo("project/.rules/log/stops.jsonl");
        },
        |machine| {
            machine.link("/dev/zero", "project/.rules/log/stops.jsonl");
        },
        |machine| {
            machine.link(machine.path("home"), "project/.rules/log");
        },
        |machine| {
            machine.write("home/target", "").link(machine.path("home/target"), "project/.rules/log/stops.jsonl");
        },
    ];
    for spoil in spoil {
        let machine = Machine::with(&policy);
        spoil(&machine);
        let reply = machine.hook(&machine.captured("2.1.330/SubagentStop"));
        assert_eq!((reply.exit, &reply.json, reply.warning()), (0, &Json::Null, "Seen."));
        assert!(!machine.exists("home/stops.jsonl"));
        assert!(!machine.exists("home/target") || machine.read("home/target").is_empty());
        let log = machine.decisions();
        assert!(log.contains("the record `.rules/log/stops.jsonl` was not written"), "{log}");
    }
}

#[test]
fn a_record_of_the_account_lies_in_the_state_directory() {
    let machine =
        Machine::with("rule stops {\n  on SubagentStop\n  record \"stops/{agent_id}.jsonl\" { agent_id }\n}\n");
    let mut payload = machine.captured("2.1.330/SubagentStop");
    payload["agent_id"] = json!("../../up");
    machine.hook(&payload).is_silent();
    let names: Vec<String> = std::fs::read_dir(machine.path("state/stops"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(names.iter().all(|name| !name.contains('/') && name.ends_with(".jsonl")), "{names:?}");
    assert!(!machine.exists("up.jsonl") && !machine.exists("state/up.jsonl"));
}

#[test]
fn a_decision_is_logged_redacted_in_a_private_file() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  deny \"Not `{command}`.\"\n}\n");
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"all\"\n");
    // At the first hook of an account there is no state directory.
    std::fs::remove_dir(machine.path("state")).unwrap();
    machine
        .hook(&machine.bash("curl -H 'Authorization: Bearer s3cr3t-s3cr3t' x; export API_KEY=hunter2"))
        .denies("Not");
    let text = machine.decisions();
    assert!(!text.contains("hunter2") && !text.contains("s3cr3t"), "{text}");
    let line: Json = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(line["decision"], "deny");
    assert_eq!(line["rules"], json!([{ "rule": "no", "decision": "deny" }]));
    assert_eq!(line["payload"]["tool_name"], "Bash");
    let directory = std::fs::read_dir(machine.path("state/log")).unwrap().next().unwrap().unwrap().path();
    let mode = |path: &std::path::Path| crate::system::mode(path) & 0o777;
    assert_eq!(mode(&directory.join("decisions.jsonl")), 0o600);
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&machine.path("state")), 0o700);
}

#[test]
fn what_passes_is_logged_only_where_everything_is() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Read)\n  deny \"No.\"\n}\n");
    machine.hook(&machine.bash("ls")).is_silent();
    assert!(!machine.exists("state/log"));
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"off\"\n");
    machine.hook(&machine.file("Read", "project/a")).denies("No.");
    assert!(!machine.exists("state/log"));
}

#[test]
fn a_log_that_cannot_be_written_changes_no_answer() {
    let policy = "rule no {\n  on PreToolUse(Bash)\n  deny \"No.\"\n}\n";
    let machine = Machine::with(policy);
    machine.write("state/log", "a file where a directory belongs");
    machine.hook(&machine.bash("ls")).denies("No.");

    let machine = Machine::with(policy);
    machine.hook(&machine.bash("ls")).denies("No.");
    let directory = std::fs::read_dir(machine.path("state/log")).unwrap().next().unwrap().unwrap().file_name();
    let log = format!("state/log/{}/decisions.jsonl", directory.to_str().unwrap());
    std::fs::remove_file(machine.path(&log)).unwrap();
    machine.fifo(&log);
    machine.hook(&machine.bash("ls")).denies("No.");
    std::fs::remove_file(machine.path(&log)).unwrap();
    machine.link("/dev/zero", &log);
    machine.hook(&machine.bash("ls")).denies("No.");
}

#[test]
fn what_is_observed_stands_in_the_log_alone() {
    let machine =
        Machine::with("@observe\nrule soon {\n  on PreToolUse(Bash)\n  deny \"Soon.\"\n  run \"touch ran\"\n}\n");
    machine.hook(&machine.bash("ls")).is_silent();
    let line: Json = serde_json::from_str(machine.decisions().trim_end()).unwrap();
    assert_eq!(line["decision"], "pass");
    assert_eq!(line["observed"], json!([{ "rule": "soon", "decision": "deny" }]));
    assert!(!machine.exists("project/ran"));
}

#[test]
fn a_rule_that_is_off_does_nothing() {
    let machine = Machine::with("@off\nrule later {\n  on PreToolUse(Bash)\n  deny \"Later.\"\n}\n");
    machine.hook(&machine.bash("ls")).is_silent();
    assert!(!machine.exists("state/log"));
}

#[test]
fn a_notification_goes_through_the_users_channel_after_the_answer() {
    let machine = Machine::with("rule tell {\n  on Stop\n  notify \"Done\" \"{last_assistant_message}\"\n}\n");
    let script = machine.path("home/notify.sh");
    machine.write("home/notify.sh", "#!/bin/sh\nprintf '%s|' \"$@\" > \"$HOME/told\"\n").mode("home/notify.sh", 0o755);
    machine.write(
        "user/rules.toml",
        &format!("[notifications]\nchannel = \"command\"\ncommand = [{script:?}, \"{{title}}\", \"{{body}}\"]\n"),
    );
    machine.hook(&machine.captured("2.1.330/Stop")).is_silent();
    assert!(machine.exists("home/told"), "the command ran: {}", machine.read("user/rules.toml"));
    assert!(machine.read("home/told").contains("Done"), "{}", machine.read("home/told"));
}

#[test]
fn the_answer_does_not_wait_for_notifications_and_records() {
    let machine = Machine::with("rule tell {\n  on Stop\n  warn \"Bye.\"\n  notify \"Done\"\n}\n");
    // Opening the pipe for reading blocks until there is a writer: the test, once it has the answer.
    machine.fifo("home/gate");
    let (gate, told) = (machine.path("home/gate"), machine.path("home/told"));
    let script = format!("cat {gate:?} > {told:?}");
    machine.write(
        "user/rules.toml",
        &format!("[notifications]\nchannel = \"command\"\ncommand = [\"sh\", \"-c\", '{script}']\n"),
    );
    let input = machine.path("payload.json");
    std::fs::write(&input, machine.captured("2.1.330/Stop").to_string()).unwrap();
    let mut child = machine
        .hook_command(&[])
        .stdin(std::fs::File::open(input).unwrap())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut answer = [0; 1_000];
    let read = std::io::Read::read(child.stdout.as_mut().unwrap(), &mut answer).unwrap();
    assert_eq!(&answer[..read], b"{\"systemMessage\":\"Bye.\"}");
    assert!(child.try_wait().unwrap().is_none(), "it is still about the notification");
    // Opening it for both reading and writing never blocks.
    let mut gate = std::fs::File::options().read(true).write(true).open(&gate).unwrap();
    std::io::Write::write_all(&mut gate, b"told").unwrap();
    drop(gate);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
