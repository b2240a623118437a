//! Running commands: their order, their output, their failures.

use std::fs::File;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{listening, notified, noting, ran, stop};
use crate::kit;
use crate::machine::{Machine, Reply};

/// Specification 003: Wildcard and specific pattern both match
#[test]
fn the_wildcards_commands_run_first_and_all_have_ended_when_the_hook_answers() {
    let machine = Machine::with(&noting(&["coder", "*"]));
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert_eq!(ran(&machine), ["*", "coder"]);

    // The first command runs until the test closes the pipe.
    let machine = Machine::with(
        "rule specific {\n  on SubagentStop(coder)\n  run \"echo specific >> ran\"\n}\n\
         rule every {\n  on SubagentStop(*)\n  run \"cat gate > /dev/null; echo every >> ran\"\n}\n",
    );
    let gate = machine.fifo("project/gate").path("project/gate");
    let input = machine.path("payload.json");
    std::fs::write(&input, stop(&machine, "coder").to_string()).unwrap();
    let mut command = machine.hook_command(&["claude-code"]);
    let command = command.stdin(File::open(input).unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (send, opened) = channel();
    // This blocks until the command opens the pipe.
    std::thread::spawn(move || send.send(File::options().write(true).open(gate).unwrap()));
    let gate = opened.recv_timeout(Duration::from_secs(60)).expect("the command starts");
    assert!(child.try_wait().unwrap().is_none(), "the hook waits for it");
    assert_eq!(ran(&machine), Vec::<String>::new());
    drop(gate);
    Reply::of(&child.wait_with_output().unwrap()).is_silent();
    assert_eq!(ran(&machine), ["every", "specific"]);
}

/// Specification 003: Wildcard and specific pattern both match
#[test]
fn a_head_that_selects_on_another_event_is_no_wildcard() {
    let rule = |name: &str, head: &str| format!("rule {name} {{\n  on {head}\n  run \"echo {name} >> ran\"\n}}\n");
    let machine = Machine::with(
        &[
            rule("specific", "SubagentStop(coder)"),
            rule("two-events", "SubagentStop(*), PreToolUse(Bash)"),
            rule("every-call", "SubagentStop(*), PreToolUse(*)"),
            rule("every", "SubagentStop"),
        ]
        .concat(),
    );
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert_eq!(ran(&machine), ["every-call", "every", "specific", "two-events"]);
}

/// Specification 003: Multiple glob patterns match
#[test]
fn the_order_is_the_same_however_the_files_came_about() {
    let files = [("a", "*coder"), ("b", "auto*"), ("c", "other"), ("d", "*"), ("e", "auto-coder")];
    let expected = ["*", "*coder", "auto*", "auto-coder"];
    for turn in 0..files.len() {
        let machine = Machine::new();
        let mut written = files;
        written.rotate_left(turn);
        if turn % 2 == 1 {
            written.reverse();
        }
        for (file, pattern) in written {
            let rule = noting(&[pattern]).replace("rule r0", &format!("rule {file}"));
            machine.write(&format!("project/.rules/{file}.rules"), &rule);
        }
        for _ in 0..2 {
            machine.hook(&stop(&machine, "auto-coder")).is_silent();
            assert_eq!(ran(&machine), expected, "{written:?}");
            std::fs::remove_file(machine.path("project/ran")).unwrap();
        }
    }
}

/// Specification 003: No patterns match
#[test]
fn no_patterns_match() {
    let machine = Machine::with(&noting(&["coder", "tester"]));
    listening(&machine);
    machine.hook(&stop(&machine, "unknown-agent")).is_silent();
    assert_eq!(ran(&machine), Vec::<String>::new());
    notified(&machine);
}

/// Returns the text that the user sees when a command has run, if any.
#[track_caller]
fn shown(command: &str, options: &str) -> Option<String> {
    let machine = Machine::with(&format!(
        "rule r {{\n  on SubagentStop(coder)\n  run \"{command}; echo done >> ran\" {{ {options} }}\n}}\n"
    ));
    let reply = machine.hook(&stop(&machine, "coder"));
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""), "{reply:?}");
    assert_eq!(ran(&machine), ["done"], "it runs to its end, whatever is shown");
    // The host shows nothing for this event, so the user reads the text at the next event that shows one.
    assert_eq!(reply.json, Json::Null);
    reply.held.first().cloned()
}

/// Specification 003: Command with showStdout enabled
#[test]
fn standard_output_is_shown_within_its_bound() {
    assert_eq!(shown("seq 4; echo no >&2", "show_stdout: true").as_deref(), Some("1\n2\n3\n4"));
    let bounded = shown("seq 9; echo no >&2", "show_stdout: true, max_output_lines: 3");
    assert_eq!(bounded.as_deref(), Some("1\n[6 lines left out]\n8\n9"));
    assert_eq!(shown("seq 3", "show_stdout: true, max_output_lines: 3").as_deref(), Some("1\n2\n3"));
    assert_eq!(shown("true", "show_stdout: true"), None);
    // As many complete lines as requested, up to the limit of one reader.
    let line = "x".repeat(80);
    let script = "i=0; while [ $i -lt 300 ]; do echo $i-LINE; i=$((i+1)); done".replace("LINE", &line);
    let hundred = shown(&script, "show_stdout: true, max_output_lines: 100").unwrap();
    let lines: Vec<&str> = hundred.lines().collect();
    assert_eq!((lines.len(), lines[50]), (101, "[200 lines left out]"));
    assert!(lines.iter().all(|shown| shown.ends_with(&line) || shown.starts_with('[')), "{hundred}");
    let all = shown(&script, "show_stdout: true").unwrap();
    assert!(all.len() <= 10_000 && all.starts_with("0-xxx") && all.contains("\n299-xxx"), "{all}");
    assert!(all.lines().all(|shown| shown.ends_with(&line) || shown.ends_with(" lines left out]")), "{all}");
    let counted = shown("seq 272700", "show_stdout: true, max_output_lines: 2").unwrap();
    assert_eq!(counted, "1\n[272698 lines left out]\n272700");
}

/// Specification 003: Command with showStderr enabled
#[test]
fn standard_error_is_shown_within_its_bound() {
    assert_eq!(shown("seq 4 >&2; echo no", "show_stderr: true").as_deref(), Some("1\n2\n3\n4"));
    let bounded = shown("seq 9 >&2; echo no", "show_stderr: true, max_output_lines: 3");
    assert_eq!(bounded.as_deref(), Some("1\n[6 lines left out]\n8\n9"));
    let both = shown("seq 9; seq 11 19 >&2", "show_stdout: true, show_stderr: true, max_output_lines: 2");
    assert_eq!(both.as_deref(), Some("1\n[7 lines left out]\n9\n11\n[7 lines left out]\n19"));
}

/// Specification 003: Command with output disabled
#[test]
fn output_that_is_not_asked_for_is_not_shown() {
    assert_eq!(shown("seq 9; seq 9 >&2", "show_stdout: false, show_stderr: false"), None);
    assert_eq!(shown("seq 9; seq 9 >&2", "timeout: 20s"), None);
    // Not even if the command fails; only the failure is reported.
    for code in [1, 2, 3] {
        let machine = Machine::with(&format!(
            "rule r {{\n  on SubagentStop\n  run \"echo out; echo err >&2; echo done >> ran; exit {code}\" {{ message: \"M.\" }}\n}}\n"
        ));
        let reply = machine.hook(&stop(&machine, "coder"));
        assert_eq!((reply.exit, &reply.json, reply.warning()), (0, &Json::Null, "M."));
        assert_eq!(ran(&machine), ["done"]);
    }
}

/// Returns the only line of the decision log.
#[track_caller]
fn logged(machine: &Machine) -> Json {
    serde_json::from_str(machine.decisions().trim_end()).expect("one line")
}

/// Specification 003: Command execution fails
#[test]
fn a_command_that_fails_is_logged_and_the_rest_runs() {
    for code in [1, 2, 77] {
        let machine = Machine::with(&format!(
            "rule fails {{\n  on SubagentStop(*)\n  run \"echo fails >> ran; exit {code}\"\n  run \"echo next >> ran\"\n}}\n\
             rule other {{\n  on SubagentStop(coder)\n  run \"echo other >> ran\"\n}}\n"
        ));
        let reply = machine.hook(&stop(&machine, "coder"));
        assert_eq!((reply.exit, reply.decision()), (0, ""), "{reply:?}");
        assert_eq!(ran(&machine), ["fails", "next", "other"]);
        let sentence = format!("`echo fails >> ran; exit {code}` failed with exit code {code}");
        assert_eq!(reply.warning(), sentence);
        let log = logged(&machine);
        assert_eq!(log["problems"], json!([format!("fails: {sentence}")]));
        assert_eq!((&log["event"], &log["decision"]), (&json!("SubagentStop"), &json!("pass")));
    }
}

/// Specification 003: Command spawning fails
#[test]
fn a_command_that_cannot_be_started_is_logged_and_the_user_is_still_notified() {
    for (command, why) in [
        ("[\"no-such-program-here\"]", "could not be started: program not found"),
        ("\"no-such-program-here\"", "could not be started: program not found (exit code 127)"),
        ("[\"./tool.sh\"]", "could not be started: "),
        ("\"./tool.sh\"", "could not be started (exit code 126)"),
        ("\"true\" { cwd: \"gone\" }", "could not be started: there is no directory"),
    ] {
        let machine = Machine::with(&format!(
            "rule gone {{\n  on SubagentStop(coder)\n  run {command}\n}}\n{}",
            noting(&["coder"])
        ));
        // A file that is not executable.
        machine.write("project/tool.sh", "#!/bin/sh\necho tool >> ran\n").mode("project/tool.sh", 0o644);
        listening(&machine);
        let reply = machine.hook(&stop(&machine, "coder"));
        assert_eq!((reply.exit, reply.decision()), (0, ""), "{reply:?}");
        assert!(reply.warning().contains(why), "{command}: {reply:?}");
        assert_eq!(ran(&machine), ["coder"]);
        let problems = logged(&machine)["problems"].to_string();
        assert!(problems.contains("gone: ") && problems.contains(why), "{command}: {problems}");
        notified(&machine);
    }
}

/// Specification 003: All commands complete despite individual failures
#[test]
fn every_command_is_attempted_and_the_hook_succeeds() {
    let machine = Machine::with(
        "rule codes {\n  on SubagentStop(*)\n  run \"echo 1 >> ran; exit 1\"\n  run \"echo 2 >> ran; exit 2\"\n  \
         run \"echo 3 >> ran; kill -9 $$\"\n}\n\
         rule slow {\n  on SubagentStop(coder)\n  run \"echo 4 >> ran; sleep 60\" { timeout: 200ms, message: \"Too slow.\" }\n}\n\
         rule gone {\n  on SubagentStop(c*)\n  run [\"no-such-program-here\"] { on_fail: warn }\n  \
         run \"echo 5 >> ran\"\n}\n\
         rule last {\n  on SubagentStop(*er)\n  run \"echo 6 >> ran\" { show_stdout: true }\n}\n",
    );
    listening(&machine);
    let reply = machine.hook(&stop(&machine, "coder"));
    assert_eq!(ran(&machine), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!((reply.exit, reply.decision(), reply.stderr.as_str()), (0, "", ""), "{reply:?}");
    let problems = logged(&machine)["problems"].clone();
    let problems: Vec<&str> = problems.as_array().unwrap().iter().filter_map(Json::as_str).collect();
    let ends = ["exit code 1", "exit code 2", "signal 9", "did not end within 200ms", "program not found"];
    assert_eq!(problems.len(), ends.len(), "{problems:?}");
    for (problem, end) in problems.iter().zip(ends) {
        assert!(problem.contains(end), "{end}: {problems:?}");
    }
    notified(&machine);
}

/// For the agent and the user, the output of a command that fails is also cut at line ends only.
#[test]
fn what_is_said_of_a_failure_is_cut_at_line_ends() {
    let line = "y".repeat(80);
    let script = "i=0; while [ $i -lt 300 ]; do echo $i-LINE; i=$((i+1)); done >&2; exit CODE".replace("LINE", &line);
    for (event, code, options) in [
        ("PostToolUse", "2", "max_output_lines: 100"),
        ("PostToolUse", "1", "max_output_lines: 100, on_fail: context, message: \"M.\""),
        ("PreToolUse", "2", "max_output_lines: 100"),
        ("PreToolUse", "1", "max_output_lines: 100, on_fail: deny, message: \"M.\""),
        ("PreToolUse", "1", "max_output_lines: 100"),
    ] {
        let run = format!("run \"{}\" {{ {options} }}", script.replace("CODE", code));
        let machine = Machine::with(&format!("rule r {{\n  on {event}\n  {run}\n}}\n"));
        let mut payload = machine.bash("ls");
        payload["hook_event_name"] = json!(event);
        let answer = machine.hook(&payload).json.to_string();
        let text = answer.replace("\\n", "\n");
        assert_eq!(text.matches(&format!("-{line}")).count(), 100, "{event} {code} {options}: {text}");
        assert!(text.contains("\n[200 lines left out]\n"), "{event} {code} {options}: {text}");
    }
}

/// Specification 003: All commands complete despite individual failures
#[test]
fn a_command_without_a_timeout_may_take_as_long_as_the_host_waits() {
    let of = |on: &str| {
        let policy = kit::policy(&format!("rule r {{\n  on {on}\n  run \"true\"\n}}\n"));
        kit::judge(&policy, &kit::event(on, json!({}))).verdict.runs.remove(0).timeout
    };
    for event in ["SubagentStart", "SubagentStop", "Notification", "SessionEnd", "StopFailure"] {
        assert!(of(event) > Duration::from_hours(1), "{event}");
    }
    for event in ["PreToolUse", "UserPromptSubmit", "Stop"] {
        assert_eq!(of(event), Duration::from_secs(60), "{event}");
    }
}
