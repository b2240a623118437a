//! Limits of time and work: neither a payload nor a directory tree silences the hook.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::machine::{Machine, Reply};

const POLICY: &str = "rule a {\n  on PreToolUse(Bash)\n  when command contains \"forbidden\"\n  deny \"No.\"\n}\n";

/// Starts a hook, writes its input and leaves the pipe open.
fn never_ending(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    stdin.flush().unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    output
}

#[test]
fn a_payload_that_never_ends_is_judged_as_far_as_it_came() {
    let machine = Machine::with(POLICY);
    let whole = machine.bash("ls").to_string();
    for (input, decision) in [
        (whole.trim_end_matches('}').to_owned(), "ask"),
        (format!("{whole}{{"), "ask"),
        (machine.bash("forbidden").to_string(), "deny"),
    ] {
        let output = never_ending(machine.hook_command(&["claude-code", "--timeout", "0.5"]), input.as_bytes());
        let reply = Reply::of(&output);
        assert_eq!(reply.decision(), decision, "{output:?}");
    }
    let output = never_ending(machine.hook_command(&["claude-code", "--timeout", "0.5"]), b"");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_whole_payload_is_judged_although_nobody_closes_it() {
    let machine = Machine::with(&format!(
        "{POLICY}\nrule b {{\n  on PreToolUse(Bash)\n  when command == \"id\"\n  ask \"Sure?\"\n}}\n"
    ));
    for (command, decision) in [("ls", ""), ("forbidden", "deny"), ("id", "ask")] {
        for end in ["", "\n"] {
            let input = format!("{}{end}", machine.bash(command));
            let output = never_ending(machine.hook_command(&["claude-code", "--timeout", "10"]), input.as_bytes());
            let reply = Reply::of(&output);
            assert_eq!(reply.decision(), decision, "{output:?}");
            assert!(!String::from_utf8_lossy(&output.stdout).contains("in time"), "{output:?}");
        }
    }
}

#[test]
fn a_timeout_that_is_none_is_answered_as_a_registration_that_cannot_be_meant() {
    let machine = Machine::with(POLICY);
    for stated in ["0", "-1", "soon", "1e400", ""] {
        let command = machine.hook_command(&["claude-code", &format!("--timeout={stated}")]);
        let output = crate::machine::send(command, machine.bash("ls").to_string().as_bytes());
        assert_eq!(Reply::of(&output).decision(), "ask", "{stated}: {output:?}");
    }
}

/// The bounds on the work for an event, tested with process limits that a debug build can keep, too.
#[test]
fn no_call_takes_long_or_much() {
    let policy = "rule regex {\n  on PreToolUse(Bash)\n  when command matches /((a{1,50}){1,20}){1,5}0/\n  deny \"No.\"\n}\n\
                  rule files {\n  on PreToolUse\n  when deletes like \"**/kept\" or reads like \"**/kept\"\n  deny \"No.\"\n}\n";
    let machine = Machine::with(policy);
    let globs: String = (0..500).map(|number| format!(" /*/*/*/*/a*{number}")).collect();
    let list = |element: &str, count: usize| {
        let text = machine.bash("ls").to_string();
        let list = vec![element; count].join(",");
        text.replace("\"ls\"", &format!("\"ls\",\"list\":[{list}]"))
    };
    for (what, decision, input) in [
        ("a regex", Some("ask"), machine.bash(&"a".repeat(5_000)).to_string()),
        // How many files these reach depends on the machine.
        ("globs", None, machine.bash(&format!("rm{globs}")).to_string()),
        ("walks", None, machine.bash(&"setfacl -R -m u:x:r /; ".repeat(20)).to_string()),
        ("values", Some("ask"), list("0", 4_000_000)),
        ("objects", Some("ask"), list("{\"\":0}", 1_000_000)),
    ] {
        let mut command = Command::new("/bin/sh");
        // Twenty times the limit for a release build: a debug build is slow.
        let hook = machine.hook_command(&["claude-code"]);
        command.args(["-c", "ulimit -t 40; ulimit -v 600000; exec \"$@\"", "sh"]).arg(hook.get_program());
        command.args(hook.get_args()).env_clear();
        command.envs(hook.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(directory) = hook.get_current_dir() {
            command.current_dir(directory);
        }
        let output = crate::machine::send(command, input.as_bytes());
        assert!(matches!(output.status.code(), Some(0 | 2)), "{what}: {output:?}");
        let found = Reply::of(&output);
        assert!(decision.is_none_or(|decision| found.decision() == decision), "{what}: {output:?}");
    }
}

/// The bytes arrive one by one and never stop, so there is always something to read.
#[test]
fn a_byte_now_and_then_does_not_set_the_clock_anew() {
    let machine = Machine::with(POLICY);
    for (payload, decision) in [(machine.bash("forbidden"), "deny"), (machine.bash("ls"), "ask")] {
        let payload = payload.to_string().trim_end_matches('}').to_owned();
        let mut command = machine.hook_command(&["claude-code", "--timeout", "1"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            let _ended = stdin.write_all(payload.as_bytes());
            while stdin.write_all(b" ").is_ok() {}
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let reply = Reply::of(&output);
        assert_eq!(reply.decision(), decision, "{output:?}");
        assert!(decision == "deny" || reply.reason().contains("did not arrive in time"), "{output:?}");
    }
}
