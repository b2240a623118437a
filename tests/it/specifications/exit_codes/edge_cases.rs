//! Edge cases that the document asks about and leaves open; `book/src/commands.md` answers them in words.

use std::time::{Duration, Instant};

use hookrules::schema::Event;

use crate::hook::wave::Heard;
use crate::machine::{Machine, send};

use super::{ERR, EVENTS, OUT, PROMPT, command, rule, turn, turn_on, undisturbed};

fn heard(event: Event, effect: &str) -> Heard {
    let machine = Machine::with(&rule(event, effect));
    machine.wave(&machine.wave_payload(event.name()))
}

/// Specification 004: EC-1 both streams at 0
#[test]
fn of_both_streams_at_0_the_first_counts_and_the_second_does_not() {
    for event in EVENTS {
        let agent = turn(&command(event, 0), event);
        assert!(!agent.user_sees(ERR), "{event:?}: {agent:?}");
        assert_eq!(agent.user_says().contains(&OUT), event == Event::UserPromptSubmit, "{event:?}: {agent:?}");
        assert_eq!((agent.calls, agent.stops), (1, 1));
    }
}

/// Specification 004: EC-2 no output at all
#[test]
fn a_code_alone_says_what_it_means() {
    for event in EVENTS {
        assert_eq!(turn(&rule(event, "run \"true\""), event).messages, undisturbed(), "{event:?}");
        let shown = turn(&rule(event, "run \"exit 3\""), event);
        assert_eq!(shown.errors(), ["`exit 3` failed with exit code 3"], "{event:?}");
        // A block needs some text.
        let refused = turn(&rule(event, "run \"exit 2\""), event);
        let told = if event == Event::PostToolUse { "`exit 2` failed with exit code 2" } else { "`exit 2` refused" };
        assert!(refused.user_sees(told), "{event:?}: {refused:?}");
    }
}

/// Specification 004: EC-3 a hook that hangs
#[test]
fn a_command_that_hangs_is_ended_with_everything_that_it_started() {
    for event in EVENTS {
        let script = "trap '' TERM; (trap '' TERM; sleep 60) & echo $! > pid; wait; sleep 60";
        let machine = Machine::with(&rule(event, &format!("run \"{script}\" {{ timeout: 300ms }}")));
        let began = Instant::now();
        let agent = turn_on(&machine, event);
        assert!(began.elapsed() < Duration::from_secs(20), "{event:?}");
        // A guard that could not judge has not agreed; on the other events the user is told.
        let told = "did not end within 300ms";
        match event {
            Event::PreToolUse => assert!(agent.calls == 0 && agent.result().unwrap().contains(told), "{agent:?}"),
            _ => assert!(agent.errors()[0].contains(told) && agent.calls == 1 && agent.stops == 1, "{agent:?}"),
        }
        let pid: i32 = machine.read("project/pid").trim().parse().unwrap();
        while is_running(pid) {
            assert!(began.elapsed() < Duration::from_secs(20), "{event:?}: the grandchild still runs");
            std::thread::yield_now();
        }
    }
}

/// Whether a process is running; a zombie that its new parent has not reaped yet is not.
fn is_running(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Specification 004: EC-4 very large output
#[test]
fn of_very_large_output_the_beginning_and_the_end_are_kept() {
    // 400 MB of output, read by a process with 300 MB of address space, of which the C library reserves 64 for a
    // thread.
    let output = "echo first; head -c 400000000 /dev/zero | tr '\\\\0' x; echo; echo last";
    let limited = |event: Event, effect: &str| {
        let machine = Machine::with(&rule(event, effect));
        let hook = machine.hook_command(&["wave"]);
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -v 300000; exec \"$@\"", "sh"]).arg(hook.get_program()).args(hook.get_args());
        command.env_remove("CLAUDE_PROJECT_DIR").env("WAVE_PROJECT_DIR", machine.path("project"));
        let ended = send(command, machine.wave_payload(event.name()).to_string().as_bytes());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Heard { exit: ended.status.code().unwrap(), stdout: text(ended.stdout), stderr: text(ended.stderr) }
    };
    let context = limited(Event::UserPromptSubmit, &format!("run \"{output}\""));
    assert_eq!((context.exit, context.stderr.as_str()), (0, ""));
    assert!(context.stdout.starts_with("first\nxxx") && context.stdout.ends_with("xxx\nlast"));
    assert!(context.stdout.contains("bytes left out]") && context.stdout.len() <= 10_000, "{}", context.stdout.len());
    let refused = limited(Event::PreToolUse, &format!("run \"({output}) >&2; exit 2\""));
    assert_eq!((refused.exit, refused.stdout.as_str()), (2, ""));
    assert!(refused.stderr.starts_with("first\nxxx") && refused.stderr.ends_with("xxx\nlast\n"), "{}", refused.stderr);
    assert!(refused.stderr.chars().count() <= 10_001);
}

/// Specification 004: EC-5 stderr that is not UTF-8
#[test]
fn what_is_no_text_becomes_text() {
    for event in EVENTS {
        let bytes = "printf 'a\\\\377\\\\000\\\\033[31mb\\\\303' >&2; exit 2";
        let refused = turn(&rule(event, &format!("run \"{bytes}\"")), event);
        assert!(refused.user_sees("a\u{fffd}b\u{fffd}"), "{event:?}: {refused:?}");
    }
    let context = turn(&rule(Event::UserPromptSubmit, "run \"printf 'a\\\\377b'\""), Event::UserPromptSubmit);
    assert_eq!(context.user_says(), [PROMPT, "a\u{fffd}b"]);
}

#[test]
fn a_command_that_did_not_get_to_judge_does_not_agree() {
    for (script, told) in [
        ("kill -9 $$", "was ended by signal 9"),
        ("kill -TERM $$", "was ended by signal 15"),
        ("./no-such-guard.sh", "program not found (exit code 127)"),
        ("exit 126", "could not be started (exit code 126)"),
        ("sh -c 'kill -9 $$'", "was ended by signal 9"),
    ] {
        let effect = format!("run \"{script}\"");
        let call = heard(Event::PreToolUse, &effect);
        assert!(call.exit == 2 && call.stderr.contains(told), "{script}: {call:?}");
        assert!(call.stderr.ends_with("This host cannot ask the user, so it is denied.\n"), "{script}: {call:?}");
        for event in [Event::PostToolUse, Event::UserPromptSubmit, Event::Stop] {
            let other = heard(event, &effect);
            assert!(other.exit == 1 && other.stderr.contains(told), "{event:?} {script}: {other:?}");
        }
    }
}

/// One answer has one code: a context outranks a warning, a refusal outranks a context, and warnings are joined.
#[test]
fn several_rules_end_in_one_code() {
    let policy = |first: &str, second: &str| {
        format!("rule a {{\n  on UserPromptSubmit\n  {first}\n}}\nrule b {{\n  on UserPromptSubmit\n  {second}\n}}\n")
    };
    let answer = |policy: &str| {
        let machine = Machine::with(policy);
        machine.wave(&machine.wave_payload("UserPromptSubmit"))
    };
    let both = answer(&policy("run \"echo read this\"", "run \"echo careful >&2; exit 1\""));
    assert_eq!((both.exit, both.stdout.as_str()), (0, "read this"));
    let refused = answer(&policy("run \"echo read this\"", "run \"echo no >&2; exit 2\""));
    assert_eq!((refused.exit, refused.stdout.as_str(), refused.stderr.as_str()), (2, "", "no\n"));
    let shown = answer(&policy("exit 77 \"First.\"", "exit 3 \"Second.\""));
    assert_eq!((shown.exit, shown.stderr.as_str()), (77, "First.\nSecond.\n"));
}
