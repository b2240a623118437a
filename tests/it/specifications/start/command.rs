//! `rules EVENT` as a process: exit codes, streams, the log.

use serde_json::{Value as Json, json};

use hookrules::schema::Event;

use super::{log_of, start, start_without};
use crate::machine::{Machine, Printed, Reply, send};

/// Runs a command with bytes that may not be a payload.
#[track_caller]
fn run(machine: &Machine, event: &str, args: &[&str], bytes: &[u8]) -> Printed {
    Printed::of(&send(machine.host_command(event, args), bytes))
}

/// Returns the line about an event, without its time.
#[track_caller]
fn without_time(line: &str) -> String {
    let (time, rest) = line.trim_end().split_once(' ').unwrap();
    assert!(time.starts_with("20") && time.ends_with('Z') && time.len() == 24, "{line}");
    rest.to_owned()
}

/// Specification 000: SubagentStart command processes valid input
#[test]
fn the_exit_code_says_how_it_went() {
    let machine = Machine::with(
        "rule brief {\n  on SubagentStart(coder)\n  context \"Read CONTRIBUTING.md.\"\n}\n\
         rule not-now {\n  on SubagentStart(stuck)\n  exit 2 \"Not now.\"\n}\n",
    );
    let whole = machine.handle("SubagentStart", &start(&machine, "coder"));
    assert_eq!(whole.exit, 0);
    let said: Json = serde_json::from_str(&whole.stdout).unwrap();
    assert_eq!(said["hookSpecificOutput"]["additionalContext"], "Read CONTRIBUTING.md.");

    let mut empty = start(&machine, "coder");
    empty["agent_id"] = json!("  ");
    for (payload, reason) in [
        (start_without(&machine, "coder", "agent_id"), "missing field `agent_id`"),
        (empty, "agent_id cannot be empty"),
        (machine.captured("2.1.330/Stop"), "the payload is for another event: \"Stop\", not `SubagentStart`"),
    ] {
        let invalid = machine.handle("SubagentStart", &payload);
        assert_eq!((invalid.exit, invalid.stdout.as_str()), (1, ""), "{invalid:?}");
        assert_eq!(invalid.stderr, format!("rules: {reason}\n"));
    }

    // The host does not stop the agent because of this code; it reflects the policy.
    let blocked = machine.handle("SubagentStart", &start(&machine, "stuck"));
    assert_eq!((blocked.exit, blocked.stdout.as_str(), blocked.stderr.as_str()), (2, "", "Not now.\n"), "{blocked:?}");
}

/// Specification 000: SubagentStart command with invalid JSON
#[test]
fn what_is_no_json_is_refused() {
    let machine = Machine::with("rule all {\n  on SubagentStart\n  warn \"Seen.\"\n}\n");
    let cut = start(&machine, "coder").to_string();
    for bytes in [&b"nonsense"[..], b"", b"[1]", &cut.as_bytes()[..cut.len() - 1]] {
        let printed = run(&machine, "SubagentStart", &[], bytes);
        assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""), "{printed:?}");
        assert!(printed.stderr.starts_with("rules: JSON parsing failed: "), "{printed:?}");
    }
    assert!(!machine.exists("state/log"));
}

/// Specification 000: SubagentStart log message includes agent details
#[test]
fn the_log_says_who_starts() {
    let machine = Machine::new();
    let printed = machine.handle("SubagentStart", &start(&machine, "coder"));
    let line = "Processing SubagentStart hook session_id=abc123 agent_id=coder subagent_type=coder";
    assert_eq!(without_time(&printed.stderr), line);
    assert_eq!(log_of(&machine, "hooks.log").unwrap(), printed.stderr, "the file has the same line");
    assert_eq!(printed.stdout, "");

    // Other handlers write in the same format.
    let stop = machine.captured("2.1.330/SubagentStop");
    let call = machine.bash("ls");
    let text = |payload: &Json, name: &str| payload[name].as_str().unwrap().to_owned();
    let expected = [
        line.to_owned(),
        format!(
            "Processing SubagentStop hook session_id={} agent_id={} subagent_type=general-purpose",
            text(&stop, "session_id"),
            text(&stop, "agent_id")
        ),
        format!("Processing PreToolUse hook session_id={} tool_name=Bash", text(&call, "session_id")),
    ];
    machine.handle("SubagentStop", &stop);
    machine.handle("PreToolUse", &call);
    let log = log_of(&machine, "hooks.log").unwrap();
    assert_eq!(log.lines().map(without_time).collect::<Vec<_>>(), expected);
}

#[test]
fn the_line_of_a_blocked_event_stands_in_the_file_alone() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  deny \"Not here.\"\n}\n");
    let printed = machine.handle("PreToolUse", &machine.bash("ls"));
    assert_eq!((printed.exit, printed.stderr.as_str()), (2, "Not here.\n"), "{printed:?}");
    assert!(printed.stdout.contains(r#""permissionDecision":"deny""#), "{printed:?}");
    assert!(log_of(&machine, "hooks.log").unwrap().contains("Processing PreToolUse hook"));
}

#[test]
fn the_file_is_silent_where_no_log_is_wanted() {
    let machine = Machine::new();
    machine.write("user/rules.toml", "[log]\nlevel = \"off\"\n");
    let printed = machine.handle("SubagentStart", &start(&machine, "coder"));
    assert!(printed.exit == 0 && printed.stderr.contains("Processing SubagentStart hook"), "{printed:?}");
    assert!(!machine.exists("state/log"));
}

#[test]
fn a_log_that_cannot_be_written_changes_nothing() {
    let machine = Machine::new();
    machine.write("state/log", "a file where a directory belongs");
    let printed = machine.handle("SubagentStart", &start(&machine, "coder"));
    assert_eq!((printed.exit, printed.stdout.as_str()), (0, ""), "{printed:?}");
}

/// Specification 000: SubagentStart log message includes agent details
#[test]
fn the_hook_of_a_host_logs_every_subagent_and_no_other_quiet_event() {
    let machine = Machine::new();
    machine.hook(&machine.bash("ls")).is_silent();
    assert_eq!(log_of(&machine, "hooks.log"), None);
    machine.hook(&start(&machine, "coder")).is_silent();
    let mut stop = start(&machine, "coder");
    stop["hook_event_name"] = json!("SubagentStop");
    machine.hook(&stop).is_silent();
    let log = log_of(&machine, "hooks.log").unwrap();
    let lines: Vec<String> = log.lines().map(without_time).collect();
    let line = |event: &str| format!("Processing {event} hook session_id=abc123 agent_id=coder subagent_type=coder");
    assert_eq!(lines, [line("SubagentStart"), line("SubagentStop")]);
}

#[test]
fn the_log_of_decisions_says_who_acted() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  deny \"No.\"\n}\n");
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"all\"\n");
    let mut call = machine.bash("ls");
    call["agent_id"] = json!("a7");
    call["agent_type"] = json!("tester");
    machine.hook(&call).denies("No.");
    machine.handle("SubagentStart", &start(&machine, "coder"));
    call["agent_id"] = json!(null);
    machine.hook(&call).denies("No.");
    let log: Vec<Json> =
        log_of(&machine, "decisions.jsonl").unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let who: Vec<_> = log.iter().map(|entry| [&entry["agent_id"], &entry["subagent_type"]]).collect();
    assert_eq!(json!(who), json!([["a7", "tester"], ["coder", "coder"], [null, null]]));
}

#[test]
fn every_event_has_its_command() {
    let machine = Machine::new();
    for event in Event::ALL {
        let payload = machine.captured(&format!("constructed/{}", event.name()));
        let printed = machine.handle(event.name(), &payload);
        assert_eq!((printed.exit, printed.stdout.as_str()), (0, ""), "{event:?}: {printed:?}");
        let line = format!("Processing {} hook session_id=", event.name());
        assert!(without_time(&printed.stderr).starts_with(&line), "{event:?}: {printed:?}");
        let mut other = payload;
        other["hook_event_name"] = json!(if *event == Event::Stop { "Setup" } else { "Stop" });
        let printed = machine.handle(event.name(), &other);
        assert!(printed.exit == 1 && printed.stderr.contains("is for another event"), "{event:?}: {printed:?}");
    }
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_is_done() {
    let machine = Machine::with("rule seen {\n  on *\n  record \".rules/log/seen.jsonl\" { cwd }\n}\n");
    let start = start(&machine, "coder").to_string();
    for (args, told) in [
        (&["--bogus"][..], "unexpected argument '--bogus' found"),
        (&["foo"], "the host must be `claude-code`"),
        (&["wave"], "use `rules hook wave` for its payloads"),
        (&["--color", "purple"], "invalid value 'purple'"),
        (&["claude-code", "more"], "unexpected argument 'more' found"),
        (&["--require-policy=yes"], "unexpected value 'yes'"),
    ] {
        for (event, payload) in [("SubagentStart", start.clone()), ("PreToolUse", machine.bash("ls").to_string())] {
            let printed = run(&machine, event, args, payload.as_bytes());
            assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""), "{args:?}: {printed:?}");
            let all_accesses_known = printed.stderr.starts_with("rules: ") && printed.stderr.contains(told);
            assert!(all_accesses_known && printed.stderr.lines().count() == 1, "{args:?}: {printed:?}");
            assert!(printed.stderr.contains(&format!("`rules {event} --help`")), "{args:?}: {printed:?}");
        }
    }
    // An argument before the event counts, too.
    let printed = Printed::of(&send(machine.host_command("--bogus", &["SubagentStart"]), start.as_bytes()));
    assert!(printed.exit == 1 && printed.stderr.contains("'--bogus'"), "{printed:?}");
    assert!(!machine.exists("project/.rules/log") && !machine.exists("state/log"));
    run(&machine, "SubagentStart", &[], start.as_bytes());
    assert!(machine.exists("project/.rules/log/seen.jsonl"));
}

#[test]
fn arguments_may_stand_in_front_of_the_event() {
    let machine = Machine::new();
    let mut command = machine.command(&["--color", "never", "SubagentStart", "claude-code", "--state-dir"]);
    command.arg(machine.path("state")).arg("--config-dir").arg(machine.path("user"));
    command.env("CLAUDE_PROJECT_DIR", machine.path("project"));
    let printed = Printed::of(&send(command, start(&machine, "coder").to_string().as_bytes()));
    assert_eq!((printed.exit, printed.stdout.as_str()), (0, ""), "{printed:?}");
    assert_eq!(log_of(&machine, "hooks.log"), Some(printed.stderr));
}

#[test]
fn a_policy_that_is_broken_is_told() {
    let machine = Machine::with("rule broken {\n  on PreToolUse\n  deny \"never closed\n}\n");
    Reply::of(&send(machine.host_command("PreToolUse", &[]), machine.bash("ls").to_string().as_bytes()))
        .asks("The project policy does not load");
    let printed = machine.handle("SubagentStart", &start(&machine, "coder"));
    assert_eq!((printed.exit, printed.stdout.as_str()), (0, ""), "{printed:?}");
    // The host shows nothing for this event: the user reads the text at the next event that shows one.
    assert!(machine.held().concat().contains("The project policy does not load"));
}

#[test]
fn an_event_that_there_is_not_is_no_command() {
    let machine = Machine::new();
    for (name, meant) in
        [("subagentstart", "SubagentStart"), ("SubagentStrat", "SubagentStart"), ("chekc", "check"), ("stpo", "Stop")]
    {
        let printed = machine.rules(&[name], "{}");
        assert!(printed.exit == 2 && printed.stderr.contains("unrecognized subcommand"), "{printed:?}");
        assert!(printed.stderr.contains(&format!("exists: '{meant}'")), "{printed:?}");
    }
}
