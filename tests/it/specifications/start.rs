//! Specification 000: the start of a subagent, from the payload on standard input to what follows.
//!
//! The tests of the payload's type and its validation are next to the code, in `src/types/tests.rs`.

mod command;
mod notifications;

use std::fs;

use hookrules::hooks::{HandlerResult, HookResult, Registration, handle, is_system_event_hook, places};
use hookrules::host::Host;
use hookrules::schema::Event;
use serde_json::{Value as Json, json};

use crate::machine::Machine;

/// A policy that writes the environment of every start to one file per agent.
const LOOK: &str = "rule look {\n  on SubagentStart\n  run \"env > seen-$CONCLAUDE_AGENT_ID\"\n}\n";

/// Returns the start of a subagent as in the specification.
fn start(machine: &Machine, agent: &str) -> Json {
    json!({
        "session_id": "abc123",
        "transcript_path": "/tmp/main.json",
        "hook_event_name": "SubagentStart",
        "cwd": machine.path("project"),
        "permission_mode": "default",
        "agent_id": agent,
        "subagent_type": agent,
        "agent_transcript_path": format!("/tmp/{agent}.json"),
    })
}

/// Returns the same payload without one of its members.
fn start_without(machine: &Machine, agent: &str, name: &str) -> Json {
    let mut payload = start(machine, agent);
    payload.as_object_mut().unwrap().remove(name).unwrap();
    payload
}

/// Handles a payload in this process, with the directories of a machine.
fn handled(machine: &Machine, payload: &Json) -> HandlerResult<HookResult> {
    let directories = [machine.path("managed"), machine.path("user"), machine.path("state")];
    let [managed, user, state] = directories.each_ref().map(|path| Some(path.as_path()));
    let registration = Registration {
        host: Host::CLAUDE_CODE,
        project: Some(machine.path("project")),
        start_directory: None,
        places: places(managed, user, state, None),
        requires_policy: false,
        problem: None,
    };
    handle(Event::SubagentStart, payload.to_string().as_bytes(), &registration)
}

/// Returns the text of the only file with a name in the machine's log, if there is one.
fn log_of(machine: &Machine, name: &str) -> Option<String> {
    let directories = fs::read_dir(machine.path("state/log")).ok()?;
    let paths = directories.map(|entry| entry.unwrap().path().join(name));
    let found: Vec<_> = paths.filter(|path| path.exists()).collect();
    assert!(found.len() < 2, "one project, one log: {found:?}");
    found.first().map(|path| fs::read_to_string(path).unwrap())
}

#[track_caller]
fn has_lines(text: &str, lines: &[String]) {
    for line in lines {
        assert!(text.lines().any(|one| one == line), "{line} is not in:\n{text}");
    }
}

/// Specification 000: Successful SubagentStart hook execution
/// Specification 000: Integration tests verify handler execution
#[test]
fn a_whole_start_is_handled() {
    let machine = Machine::with(LOOK);
    notifications::notify(&machine, "enabled = true\nhooks = [\"SubagentStart\"]\nshow_system_events = true");
    // The command calls `handle_subagent_start`, which reads standard input.
    let printed = machine.handle("SubagentStart", &start(&machine, "coder"));
    assert_eq!((printed.exit, printed.stdout.as_str()), (0, ""), "{printed:?}");
    let log = log_of(&machine, "hooks.log").unwrap();
    for text in [&printed.stderr, &log] {
        assert!(text.contains("Processing SubagentStart hook session_id=abc123 agent_id=coder"), "{text}");
    }
    let names = ["AGENT_ID=coder", "SUBAGENT_TYPE=coder", "AGENT_TRANSCRIPT_PATH=/tmp/coder.json"];
    has_lines(&machine.read("project/seen-coder"), &names.map(|name| format!("CONCLAUDE_{name}")));
    assert!(notifications::told(&machine).is_some());

    let result = handled(&machine, &start(&machine, "coder"));
    assert_eq!(result, Ok(HookResult::silent()));
    assert!(!result.unwrap().is_blocked());
}

/// Specification 000: Invalid payload causes handler failure
/// Specification 000: Integration tests verify handler execution
#[test]
fn a_start_that_lacks_something_is_refused_and_nothing_happens() {
    let note = "rule note {\n  on SubagentStart\n  record \".rules/log/starts.jsonl\" { agent_id }\n}\n";
    let machine = Machine::with(&format!("{LOOK}{note}"));
    notifications::notify(&machine, "enabled = true");
    let nothing_happened = || {
        let entries = fs::read_dir(machine.path("project")).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, [".git", ".rules"]);
        assert!(!machine.exists("project/.rules/log") && !machine.exists("state/log"));
        assert_eq!(notifications::told(&machine), None);
    };
    for name in ["agent_id", "subagent_type", "session_id", "agent_transcript_path"] {
        let error = handled(&machine, &start_without(&machine, "coder", name)).unwrap_err();
        // For the last one, the message also says why it could not be derived.
        let told = error.to_string();
        assert_eq!(told.split(", and ").next(), Some(&*format!("missing field `{name}`")), "{told}");
        let mut empty = start(&machine, "coder");
        empty[name] = json!(" ");
        let error = handled(&machine, &empty).unwrap_err();
        assert_eq!(error.to_string(), format!("{name} cannot be empty"));
        nothing_happened();
    }
    let printed = machine.handle("SubagentStart", &start_without(&machine, "coder", "agent_id"));
    assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""), "{printed:?}");
    assert_eq!(printed.stderr, "rules: missing field `agent_id`\n");
    nothing_happened();
    // With a complete payload, the same machine does all of it.
    handled(&machine, &start(&machine, "coder")).unwrap();
    assert!(machine.exists("project/seen-coder") && machine.exists("project/.rules/log/starts.jsonl"));
    assert!(notifications::told(&machine).is_some());
}

/// Specification 000: Environment variables exported on success
/// Specification 000: Integration tests verify handler execution
#[test]
fn the_environment_says_who_starts() {
    let machine = Machine::with(LOOK);
    assert_eq!(handled(&machine, &start(&machine, "tester")), Ok(HookResult::silent()));
    let cwd = format!("CONCLAUDE_CWD={}", machine.path("project").display());
    let expected = [
        "CONCLAUDE_AGENT_ID=tester",
        "CONCLAUDE_SUBAGENT_TYPE=tester",
        "CONCLAUDE_AGENT_TRANSCRIPT_PATH=/tmp/tester.json",
        "CONCLAUDE_SESSION_ID=abc123",
        "CONCLAUDE_TRANSCRIPT_PATH=/tmp/main.json",
        "CONCLAUDE_HOOK_EVENT=SubagentStart",
        &cwd,
    ];
    has_lines(&machine.read("project/seen-tester"), &expected.map(str::to_owned));
}

/// Specification 000: Integration tests verify handler execution
#[test]
fn agents_of_every_type_are_handled() {
    let agents = ["coder", "tester", "stuck"];
    let rules = agents.map(|agent| {
        let context = "You are the {subagent_type} {agent_id}.";
        format!("rule brief-{agent} {{\n  on SubagentStart({agent})\n  context \"{context}\"\n}}\n")
    });
    let machine = Machine::with(&format!("{LOOK}{}", rules.concat()));
    for agent in agents {
        let result = handled(&machine, &start(&machine, agent)).unwrap();
        assert!(!result.is_blocked());
        let said: Json = serde_json::from_str(&result.output().stdout).unwrap();
        let context = format!("You are the {agent} {agent}.");
        let specific = json!({ "hookEventName": "SubagentStart", "additionalContext": context });
        assert_eq!(said, json!({ "hookSpecificOutput": specific }));
        has_lines(&machine.read(&format!("project/seen-{agent}")), &[format!("CONCLAUDE_SUBAGENT_TYPE={agent}")]);
    }
}

#[test]
fn a_start_that_a_real_host_announced_is_handled() {
    for version in ["2.1.197", "2.1.330"] {
        let machine = Machine::with(LOOK);
        let payload = machine.captured(&format!("{version}/SubagentStart"));
        let printed = machine.handle("SubagentStart", &payload);
        assert_eq!((printed.exit, printed.stdout.as_str()), (0, ""), "{printed:?}");
        let agent = payload["agent_id"].as_str().unwrap();
        // The host itself sends the path of the transcript when the same agent stops.
        let stop = machine.captured(&format!("{version}/SubagentStop"));
        assert_eq!(stop["agent_id"], agent);
        let expected = [
            format!("CONCLAUDE_AGENT_ID={agent}"),
            format!("CONCLAUDE_SUBAGENT_TYPE={}", payload["agent_type"].as_str().unwrap()),
            format!("CONCLAUDE_AGENT_TRANSCRIPT_PATH={}", stop["agent_transcript_path"].as_str().unwrap()),
        ];
        has_lines(&machine.read(&format!("project/seen-{agent}")), &expected);
    }
}

/// The decoder adds members that a host does not send, but does not replace wrong ones that it sends.
#[test]
fn a_member_that_is_sent_is_not_mended() {
    let machine = Machine::with(LOOK);
    let mut sent = machine.captured("2.1.330/SubagentStart");
    sent["transcript_path"] = json!("/home/dev/.claude/projects/-home-dev-proj/5f1c.jsonl");
    for name in ["subagent_type", "agent_transcript_path"] {
        for (value, reason) in [(json!(""), "cannot be empty"), (json!(" "), "cannot be empty"), (json!(7), "a text")] {
            let mut payload = sent.clone();
            payload[name] = value.clone();
            let printed = machine.handle("SubagentStart", &payload);
            assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""), "{name} {value}: {printed:?}");
            assert!(printed.stderr.contains(name) && printed.stderr.contains(reason), "{name} {value}: {printed:?}");
            assert!(!machine.exists(&format!("project/seen-{}", sent["agent_id"].as_str().unwrap())));
        }
        sent[name] = json!(null);
    }
    assert_eq!(machine.handle("SubagentStart", &sent).exit, 0, "null says nothing");
}

/// Specification 000: SubagentStart recognized as system event
#[test]
fn a_start_happens_by_itself() {
    assert!(is_system_event_hook("SubagentStart"));
    let calls = [
        "PreToolUse",
        "PreSkillShellCommand",
        "PostToolUse",
        "PostToolUseFailure",
        "PermissionRequest",
        "PermissionDenied",
    ];
    for event in Event::ALL {
        assert_eq!(is_system_event_hook(event.name()), !calls.contains(&event.name()), "{event:?}");
    }
    for name in ["", "subagentstart", "SubagentStart ", "Subagent", "*"] {
        assert!(!is_system_event_hook(name), "{name:?} is no event");
    }
    let machine = Machine::new();
    notifications::notify(&machine, "enabled = true\nshow_system_events = true");
    assert_eq!(handled(&machine, &start(&machine, "coder")), Ok(HookResult::silent()));
    assert!(notifications::told(&machine).is_some());
}
