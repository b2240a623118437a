//! Signals, limits, and wrong files in place of standard streams.

use std::io::{Read, Write};
use std::process::{Output, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use super::{CALLS, Matrix, POLICY, end, hook, through_shell};
use crate::machine::{Machine, send};

const SIGNALS: &[Signal] = &[
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGPIPE,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGALRM,
    Signal::SIGVTALRM,
    Signal::SIGPROF,
    Signal::SIGXCPU,
    Signal::SIGXFSZ,
    Signal::SIGABRT,
    Signal::SIGSEGV,
    Signal::SIGKILL,
    Signal::SIGCHLD,
    Signal::SIGWINCH,
];

/// The moment of a signal.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Part of the payload was read; the rest follows.
    Reading,
    /// The payload was written completely.
    Working,
    /// The first byte of the answer is available.
    Answering,
}

/// Runs a hook and sends it a signal. Nothing depends on the clock: a pipe holds less than half of the payload, so
/// after writing that much, the writer knows that the hook is reading.
fn interrupted(machine: &Machine, call: &str, signal: Signal, moment: Moment) -> Output {
    let mut payload = machine.bash(call);
    payload["tool_input"]["description"] = json!("x".repeat(400_000));
    let bytes = payload.to_string().into_bytes();
    let mut command = machine.hook_command(&["claude-code"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let send_signal = || {
        // It is not waited for yet, so the process id is still its own.
        kill(pid, signal).unwrap();
    };
    let (half, rest) = bytes.split_at(200_000);
    let mut stdin = child.stdin.take().unwrap();
    // After its end, nobody reads.
    drop(stdin.write_all(half));
    if matches!(moment, Moment::Reading) {
        send_signal();
    }
    drop(stdin.write_all(rest));
    drop(stdin);
    let mut first = [0; 1];
    let mut begun = Vec::new();
    match moment {
        Moment::Reading => {}
        Moment::Working => send_signal(),
        Moment::Answering => {
            let read = child.stdout.as_mut().unwrap().read(&mut first).unwrap();
            begun.extend_from_slice(&first[..read]);
            send_signal();
        }
    }
    let mut output = child.wait_with_output().unwrap();
    output.stdout.splice(0..0, begun);
    output
}

#[test]
fn no_signal_lets_a_call_through() {
    let machine = Machine::with(POLICY);
    let mut matrix = Matrix::default();
    for signal in SIGNALS {
        for moment in [Moment::Reading, Moment::Working, Moment::Answering] {
            for call in CALLS {
                let row = format!("{signal} while {moment:?}");
                matrix.closed(&row, &interrupted(&machine, call, *signal, moment));
            }
        }
        // It leaves nothing that misleads the next hook.
        matrix.right(&format!("after {signal}"), CALLS[0], &hook(&machine, CALLS[0]));
    }
    matrix.done();
}

/// Limits that a shell sets before it starts the hook, in its own units.
const LIMITS: &[(&str, &[u64])] = &[
    // Blocks of 512 or 1024 bytes.
    ("ulimit -f", &[0, 1, 8]),
    // KiB of address space, of stack and of data.
    ("ulimit -v", &[1, 256, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536]),
    ("ulimit -s", &[1, 8, 16, 32, 64, 128, 256, 512, 1_024]),
    ("ulimit -d", &[0, 16, 64, 256, 1_024, 8_192]),
    ("ulimit -n", &[0, 1, 2, 3, 4, 5, 6, 8, 12]),
    // Seconds.
    ("ulimit -t", &[0, 1]),
    ("ulimit -c", &[0]),
    ("ulimit -l", &[0]),
];

#[test]
fn no_limit_lets_a_call_through() {
    let mut matrix = Matrix::default();
    for (limit, values) in LIMITS {
        for value in *values {
            let machine = Machine::with(POLICY);
            // The second one finds what the first one could store.
            for round in ["first", "second"] {
                for call in CALLS {
                    let command = through_shell(&machine, &format!("{limit} {value} || exit 99;"), "");
                    let output = send(command, machine.bash(call).to_string().as_bytes());
                    assert_ne!(output.status.code(), Some(99), "{limit} {value} cannot be set: {output:?}");
                    matrix.closed(&format!("{limit} {value}, the {round} hook"), &output);
                }
            }
            matrix.right(&format!("after {limit} {value}"), CALLS[1], &hook(&machine, CALLS[1]));
        }
    }
    matrix.done();
}

#[test]
fn a_limit_on_processes_changes_no_answer() {
    let machine = Machine::with(POLICY);
    let mut matrix = Matrix::default();
    for call in CALLS {
        // The option's name differs among shells.
        let before = "{ ulimit -u 1 || ulimit -p 1; } 2>/dev/null || exit 99;";
        let output = send(through_shell(&machine, before, ""), machine.bash(call).to_string().as_bytes());
        matrix.right("one process", call, &output);
    }
    matrix.done();
}

#[test]
fn a_closed_stream_lets_no_call_through() {
    let machine = Machine::with(POLICY);
    let mut matrix = Matrix::default();
    for closed in 1..8_u8 {
        let streams = ["<&-", ">&-", "2>&-"];
        let behind: Vec<&str> =
            streams.iter().enumerate().filter(|(at, _)| closed & (1 << at) != 0).map(|(_, text)| *text).collect();
        let behind = behind.join(" ");
        for call in CALLS {
            let output = send(through_shell(&machine, "", &behind), machine.bash(call).to_string().as_bytes());
            matrix.closed(&format!("{behind}: {call}"), &output);
        }
    }
    matrix.done();
}

/// Wrong files in place of the standard streams.
const SINKS: &[&str] = &[
    ">/dev/null",
    ">/dev/full",
    ">/dev/full 2>&1",
    "2>/dev/full",
    "</dev/null",
    "</dev/zero",
    "<.",
    ">&- 2>/dev/full",
    "3>&- 4>&- 5>&-",
];

#[test]
fn a_stream_that_leads_nowhere_lets_no_call_through() {
    let machine = Machine::with(POLICY);
    let mut matrix = Matrix::default();
    for sink in SINKS {
        for call in CALLS {
            let output = send(through_shell(&machine, "", sink), machine.bash(call).to_string().as_bytes());
            matrix.closed(&format!("{sink}: {call}"), &output);
        }
    }
    matrix.done();
}

#[test]
fn a_pipe_that_nobody_reads_lets_no_call_through() {
    let machine = Machine::with(POLICY);
    let mut matrix = Matrix::default();
    for call in CALLS {
        for drops in [[true, false], [false, true], [true, true]] {
            let mut command = machine.hook_command(&["claude-code"]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            if drops[0] {
                drop(child.stdout.take());
            }
            if drops[1] {
                drop(child.stderr.take());
            }
            child.stdin.take().unwrap().write_all(machine.bash(call).to_string().as_bytes()).unwrap();
            matrix.closed(&format!("{drops:?} closed: {call}"), &child.wait_with_output().unwrap());
        }
    }
    matrix.done();
}

#[test]
fn a_file_that_may_not_grow_takes_no_answer() {
    let machine = Machine::with(POLICY);
    let mut matrix = Matrix::default();
    for call in CALLS {
        let command = through_shell(&machine, "ulimit -f 0;", "> answer.json");
        let mut output = send(command, machine.bash(call).to_string().as_bytes());
        output.stdout = std::fs::read(machine.path("project/answer.json")).unwrap_or_default();
        matrix.closed(call, &output);
    }
    matrix.done();
}

#[test]
fn the_ends_of_a_matrix_are_told_apart() {
    let ends =
        |script: &str| format!("{:?}", end(&std::process::Command::new("sh").args(["-c", script]).output().unwrap()));
    let ask = "printf '{\"hookSpecificOutput\":{\"permissionDecision\":\"ask\"}}'";
    for (script, expected) in [
        ("exit 0", "Open"),
        ("echo x", "Open"),
        ("exit 2", "Denied"),
        ("exit 1", "Failed"),
        ("kill -TERM $$", "Failed"),
        (ask, "Asked"),
        (&format!("{ask} | head -c 20"), "Open"),
    ] {
        assert_eq!(ends(script), expected, "{script}");
    }
}
