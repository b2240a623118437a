//! Inherited limits, masks and descriptors. The hook answers, or ends in a way that is no consent.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::machine::{Machine, Reply, send};

const POLICY: &str = "rule no-rm {\n  on PreToolUse(Bash)\n  when runs \"rm\"\n  deny \"No.\"\n}\n\
                      rule sure {\n  on PreToolUse(Bash)\n  when runs \"cp\"\n  ask \"Sure?\"\n}\n\
                      rule runs {\n  on PreToolUse(Bash)\n  when runs \"mv\"\n  run \"exit 2\"\n}\n";

/// Runs the hook from a shell, after a command of that shell.
fn behind(machine: &Machine, shell: &str, command: &str) -> Output {
    let hook = machine.hook_command(&["claude-code"]);
    let mut limited = Command::new("sh");
    limited.arg("-c").arg(format!("{shell}; exec \"$@\"")).arg("sh");
    limited.arg(hook.get_program()).args(hook.get_args()).current_dir(hook.get_current_dir().unwrap());
    for (name, value) in hook.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    send(limited, machine.bash(command).to_string().as_bytes())
}

/// Whether a host that blocks on a failing hook would let the call proceed.
fn is_consent(output: &Output) -> bool {
    output.status.code() == Some(0) && !String::from_utf8_lossy(&output.stdout).contains("permissionDecision")
}

#[test]
fn a_limit_on_files_lets_the_answer_stand() {
    for blocks in ["0", "1", "8"] {
        let machine = Machine::with(POLICY);
        for (command, decision) in [("rm x", "deny"), ("cp a b", "ask"), ("mv a b", "deny")] {
            for _ in 0..2 {
                let reply = Reply::of(&behind(&machine, &format!("ulimit -f {blocks}"), command));
                assert_eq!(reply.decision(), decision, "{blocks} {command}: {reply:?}");
            }
        }
    }
}

#[test]
fn commands_of_a_run_have_the_limit_s_signal_as_any_program() {
    // The signal of the limit ends the child, which would continue if the signal were ignored or blocked.
    let policy = "rule runs {\n  on PreToolUse(Bash)\n  run \"head -c 9999 /dev/zero > big; exit 0\"\n}\n";
    let machine = Machine::with(policy);
    let reply = Reply::of(&behind(&machine, "ulimit -f 0", "ls"));
    reply.is_silent();
    let told = "rule runs {\n  on PreToolUse(Bash)\n  run \"grep -q 'SigBlk:.0*$' /proc/self/status || exit 2\"\n}\n";
    if cfg!(target_os = "linux") {
        let reply = Reply::of(&behind(&Machine::with(told), "ulimit -f 0", "ls"));
        assert_eq!(reply.decision(), "", "{reply:?}");
    }
}

#[test]
fn no_limit_makes_a_consent_of_what_is_denied() {
    let machine = Machine::with(POLICY);
    for command in ["rm x", "cp a b", "mv a b"] {
        for limit in [
            "-n 0", "-n 1", "-n 2", "-n 3", "-n 4", "-n 5", "-n 6", "-n 7", "-n 8", "-n 12", "-v 4096", "-v 8192",
            "-v 16384", "-v 65536", "-d 0", "-d 64", "-d 1024", "-d 4096", "-s 16", "-s 64", "-s 128", "-s 256",
            "-t 1", "-f 0",
        ] {
            let output = behind(&machine, &format!("ulimit {limit}"), command);
            assert!(!is_consent(&output), "{command} under {limit}: {output:?}");
            // The shell itself may fail with so few resources; then no hook could run.
            let ended = output.status.code().is_some_and(|code| code > 0) || output.status.signal().is_some();
            assert!(
                ended || serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok(),
                "{limit}: {output:?}"
            );
        }
    }
}

#[test]
fn signals_that_are_ignored_change_no_answer() {
    let machine = Machine::with(POLICY);
    for signals in ["CHLD", "PIPE", "TERM HUP INT QUIT", "ALRM USR1 USR2", "XFSZ XCPU"] {
        for (command, decision) in [("rm x", "deny"), ("cp a b", "ask"), ("mv a b", "deny")] {
            let reply = Reply::of(&behind(&machine, &format!("trap '' {signals}"), command));
            assert_eq!(reply.decision(), decision, "{signals} {command}: {reply:?}");
        }
    }
}

#[test]
fn an_answer_that_nobody_can_read_blocks() {
    let machine = Machine::with(POLICY);
    for command in ["rm x", "cp a b", "mv a b"] {
        for closed in ["exec >&-", "exec >/dev/null", "exec </dev/null >&-", "exec >/dev/null 2>&-", "exec 1</dev/null"]
        {
            let output = behind(&machine, closed, command);
            assert_eq!(output.status.code(), Some(2), "{command} behind {closed}: {output:?}");
        }
        if cfg!(target_os = "linux") {
            let output = behind(&machine, "exec >/dev/full", command);
            assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        }
    }
    // A hook without an answer needs no reader.
    assert_eq!(behind(&machine, "exec >&-", "ls").status.code(), Some(0));
    assert_eq!(behind(&machine, "exec <&-", "rm x").status.code(), Some(2));
    Reply::of(&behind(&machine, "exec 2>&-", "cp a b")).asks("Sure?");
}

#[test]
fn a_reader_that_has_gone_blocks() {
    let machine = Machine::with(POLICY);
    let mut hook = machine.hook_command(&["claude-code"]);
    let mut child = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut pipe = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut pipe, machine.bash("cp a b").to_string().as_bytes()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn an_end_by_a_signal_is_an_end_by_a_signal() {
    // Not HUP, INT and QUIT: a process that a shell starts in the background ignores them.
    for signal in ["TERM", "KILL"] {
        let machine = Machine::with(POLICY);
        let mut hook = machine.hook_command(&["claude-code"]);
        let mut child = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The hook waits for its payload.
        let status = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status().unwrap();
        assert!(status.success());
        assert!(child.wait().unwrap().signal().is_some(), "{signal}");
    }
}

/// Starts a hook whose command opens the pipe `project/alive` and runs for a long time.
fn hook_with_command(machine: &Machine, script: &str, starter: &[&str]) -> Child {
    machine.write("project/command.sh", script).fifo("project/alive");
    let hook = machine.hook_command(&["claude-code"]);
    let mut started = match starter {
        [] => Command::new(hook.get_program()),
        [program, words @ ..] => {
            let mut started = Command::new(program);
            started.args(words).arg(hook.get_program());
            started
        }
    };
    started.args(hook.get_args()).current_dir(machine.path("project"));
    started.env("CLAUDE_PROJECT_DIR", machine.path("project"));
    let mut child = started.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(machine.bash("ls").to_string().as_bytes()).unwrap();
    child
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status().unwrap().success());
}

const RUNS: &str = "rule waits {\n  on PreToolUse\n  run [\"sh\", \"command.sh\"] { on_fail: deny }\n}\n";

#[test]
fn a_signal_that_ends_the_hook_ends_its_command_and_what_that_has_started() {
    for script in [
        "exec 3> alive\necho ready >&3\nsleep 60 &\nsleep 60\n",
        // The command and its children ignore the signal.
        "trap '' TERM\nexec 3> alive\necho ready >&3\nsleep 60 &\nsleep 60\n",
        // The command ends on its own, with a code that would be a denial.
        "trap 'exit 2' TERM\nexec 3> alive\necho ready >&3\nsleep 60 &\nwait\n",
    ] {
        let machine = Machine::with(RUNS);
        let mut child = hook_with_command(&machine, script, &[]);
        let mut alive = BufReader::new(File::open(machine.path("project/alive")).unwrap());
        let mut line = String::new();
        alive.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        signal(&child, "TERM");
        let began = Instant::now();
        // End of file: every process that could write to it has ended.
        alive.read_to_end(&mut Vec::new()).unwrap();
        assert!(began.elapsed() < Duration::from_secs(30), "{script}");
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(15), "{script}: {status:?}");
        let mut answer = String::new();
        child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
        assert_eq!(answer, "", "{script}");
    }
}

#[test]
fn a_signal_that_the_hook_was_started_to_ignore_stays_ignored() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let machine = Machine::with(RUNS);
    machine.fifo("project/go");
    let script = "exec 3> alive\necho ready >&3\nread x < go\necho \"It went on.\" >&2\nexit 2\n";
    let child = hook_with_command(&machine, script, &["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]);
    let mut alive = BufReader::new(File::open(machine.path("project/alive")).unwrap());
    alive.read_line(&mut String::new()).unwrap();
    signal(&child, "HUP");
    machine.write("project/go", "x\n");
    let output = child.wait_with_output().unwrap();
    Reply::of(&output).denies("It went on.");
}
