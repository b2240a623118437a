//! The name of the subagent that stopped: from the payload, else from the transcript, else `unknown`.

use serde_json::{Value as Json, json};

use super::{calling, nameless, noting, ran};
use crate::kit::{Comes, Given, Unreadable, check, conditions, event};
use crate::machine::{Machine, Reply};
use hookrules::facts::{MachineFacts, StatedFacts};

const TALK: &str = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"go on\"}}\n";
const NAME: &str = "rule name {\n  on SubagentStop\n  run \"echo $CONCLAUDE_SUBAGENT_NAME >> ran\"\n}\n";

/// Asserts the name that a stop without a type gets from a transcript.
#[track_caller]
fn told(transcript: &str, expected: &str) -> Reply {
    let machine = Machine::with(&format!("{NAME}{}", noting(&[expected])));
    let reply = machine.hook(&nameless(&machine, transcript));
    assert_eq!(ran(&machine), [expected, expected], "{reply:?}");
    reply
}

/// Specification 003: Transcript contains subagent invocation
#[test]
fn the_most_recent_call_in_the_transcript_names_the_subagent() {
    told(&calling("Task", "coder"), "coder").is_silent();
    told(&calling("Agent", "coder"), "coder").is_silent();
    let session = [TALK, &calling("Task", "coder"), TALK, &calling("Agent", "test-runner"), TALK].concat();
    told(&session, "test-runner").is_silent();
    told(&[TALK, &calling("Task", "a"), &calling("Task", "b"), &calling("Bash", "c")].concat(), "b").is_silent();
}

/// Specification 003: Transcript does not contain subagent data
#[test]
fn without_a_call_in_the_transcript_the_name_is_unknown() {
    told("", "unknown").is_silent();
    told(TALK, "unknown").is_silent();
    told(&[TALK, &calling("Bash", "coder")].concat(), "unknown").is_silent();

    for (standing, why) in [
        ("nothing", "the transcript does not exist"),
        ("fifo", "the transcript is not a regular file"),
        ("link", "the transcript is a symbolic link"),
    ] {
        let machine = Machine::with(&format!("{NAME}{}", noting(&["coder", "un*"])));
        let payload = nameless(&machine, &calling("Task", "coder"));
        std::fs::rename(machine.path("home/session.jsonl"), machine.path("home/real")).unwrap();
        match standing {
            "fifo" => drop(machine.fifo("home/session.jsonl")),
            "link" => drop(machine.link("real", "home/session.jsonl")),
            _ => {}
        }
        let reply = machine.hook(&payload);
        assert_eq!((reply.exit, reply.decision()), (0, ""), "{reply:?}");
        assert_eq!(ran(&machine), ["unknown", "un*"]);
        assert!(reply.warning().contains(why), "{reply:?}");
    }

    // The host may name no transcript.
    let machine = Machine::with(NAME);
    let mut payload = nameless(&machine, "");
    payload.as_object_mut().unwrap().shift_remove("transcript_path");
    machine.hook(&payload).is_silent();
    assert_eq!(ran(&machine), ["unknown"]);
}

/// Specification 003: Malformed transcript file
#[test]
fn a_malformed_transcript_is_logged_and_the_name_is_unknown() {
    let machine = Machine::with(&format!("{NAME}{}", noting(&["coder", "unknown"])));
    let payload = nameless(&machine, &[&calling("Task", "coder"), "{\"type\":\n", TALK].concat());
    let message =
        "It is not known which subagent stopped, so it counts as `unknown`: a line of the transcript is not JSON.";
    let first = machine.hook(&payload);
    assert_eq!((first.exit, first.warning()), (0, message), "told once a session");
    machine.hook(&payload).is_silent();
    assert_eq!(ran(&machine), ["unknown", "unknown", "unknown", "unknown"]);
    let log = machine.decisions();
    let lines: Vec<Json> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{log}");
    for line in lines {
        assert_eq!((&line["event"], &line["problems"]), (&json!("SubagentStop"), &json!([message])));
    }
    // A file whose only line is not JSON.
    let other = machine.hook(&{
        let mut payload = nameless(&machine, "no transcript");
        payload["session_id"] = json!("another");
        payload
    });
    let message = "It is not known which subagent stopped, so it counts as `unknown`: the last line of the transcript is not JSON.";
    assert_eq!(other.warning(), message);
    // A call too far from the end is not found, and the user is told that, too.
    let far = told(&format!("{}{}", calling("Task", "coder"), TALK.repeat(1 + (8 << 20) / TALK.len())), "unknown");
    assert!(far.warning().contains("there is no call in the last 8 MiB of the transcript"), "{far:?}");
    // A broken line before the call does not matter, and the last line may not be completely written yet.
    told(&["{\"type\":\n", &calling("Task", "coder"), "{\"type\":"].concat(), "coder").is_silent();
}

#[test]
fn what_the_payload_says_is_the_name() {
    let machine = Machine::with(NAME);
    let transcript = calling("Task", "another");
    for (types, expected) in [
        (json!({ "agent_type": "coder" }), "coder"),
        (json!({ "subagent_type": "coder" }), "coder"),
        (json!({ "agent_type": "coder", "subagent_type": "tester" }), "coder"),
        (json!({ "agent_type": "", "subagent_type": "tester" }), "tester"),
        (json!({ "agent_type": null }), "another"),
        // A fork of the host itself, which no agent called.
        (json!({ "agent_type": "" }), "unknown"),
    ] {
        let mut payload = nameless(&machine, &transcript);
        payload.as_object_mut().unwrap().extend(types.as_object().unwrap().clone());
        machine.hook(&payload).is_silent();
        assert_eq!(ran(&machine).last().map(String::as_str), Some(expected), "{types}");
    }
}

#[test]
fn the_transcript_is_read_only_where_the_name_is_needed() {
    for (rule, needed) in [
        ("on SubagentStop\n  warn \"w\"", false),
        ("on SubagentStop(*)\n  when exists agent_id\n  warn \"w\"", false),
        ("on SubagentStart(coder), Stop\n  warn \"w\"", false),
        ("on SubagentStop(coder)\n  warn \"w\"", true),
        ("on SubagentStop\n  when agent_type == \"coder\"\n  warn \"w\"", true),
        ("on SubagentStop\n  when exists subagent_type\n  warn \"w\"", true),
        ("on SubagentStop\n  when agent == \"coder\"\n  warn \"w\"", true),
        ("on SubagentStop\n  warn \"{agent_type}\"", true),
        ("on SubagentStop\n  run \"true\"", true),
    ] {
        let machine = Machine::with(&format!("rule r {{\n  {rule}\n}}\n"));
        let payload = nameless(&machine, "broken\n");
        let warning = machine.hook(&payload).warning().contains("is not known which subagent");
        assert_eq!(warning, needed, "{rule}");
        let mut named = payload;
        named["agent_type"] = json!("coder");
        assert!(!machine.hook(&named).warning().contains("is not known which subagent"), "{rule}");
    }
    // On any other event no subagent has stopped.
    let machine = Machine::with("rule r {\n  on *\n  when agent_type == \"coder\"\n  run \"echo x >> ran\"\n}\n");
    let mut payload = nameless(&machine, &calling("Task", "coder"));
    for event in ["Stop", "SubagentStart", "SessionStart"] {
        payload["hook_event_name"] = json!(event);
        machine.hook(&payload).is_silent();
        assert_eq!(ran(&machine), Vec::<String>::new(), "{event}");
    }
}

fn unnamed() -> Given {
    event("SubagentStop", json!({ "agent_id": "a1" }))
}

/// Returns the stop of a coder whose name is only in the transcript.
fn from_transcript(directory: &tempfile::TempDir) -> Given {
    let path = directory.path().join("t.jsonl");
    std::fs::write(&path, calling("Task", "coder")).unwrap();
    unnamed().set(json!({ "transcript_path": path })).with(MachineFacts::new(Some("/project".into())))
}

#[test]
fn fields_and_messages_have_the_name_that_the_head_selects_by() {
    let directory = tempfile::tempdir().unwrap();
    let coder = from_transcript(&directory);
    let rule = "rule r {\n  on SubagentStop(cod*)\n  warn \"{agent_type} {subagent_type} {agent}\"\n  \
                record \"a.jsonl\" { agent_type }\n}\n";
    let expected = "pass + warn \"coder coder coder\" + record \"a.jsonl\" {\"agent_type\":\"coder\"}";
    check(rule, &coder, expected);
    conditions(
        &coder,
        &[
            ("agent_type == \"coder\"", Comes::T),
            ("subagent_type like \"c*\"", Comes::T),
            ("agent == \"coder\"", Comes::T),
            ("agent == \"main\"", Comes::F),
            ("exists agent_type", Comes::T),
            // A path reads the payload as sent.
            ("exists `$.agent_type`", Comes::F),
        ],
    );
}

#[test]
fn where_nothing_tells_the_name_the_fields_do_not_claim_one() {
    conditions(
        &unnamed(),
        &[
            ("agent_type == \"unknown\"", Comes::F),
            ("agent_type != \"coder\"", Comes::T),
            ("exists agent_type", Comes::F),
            ("agent == \"coder\"", Comes::U),
            ("agent == \"main\"", Comes::U),
        ],
    );
    let unreadable = unnamed().with(Unreadable(StatedFacts::for_examples()));
    conditions(
        &unreadable,
        &[
            ("agent_type == \"coder\"", Comes::U),
            ("exists agent_type", Comes::U),
            ("agent != \"coder\"", Comes::U),
            ("exists agent_id", Comes::T),
        ],
    );
    for given in [unnamed(), unnamed().with(Unreadable(StatedFacts::for_examples()))] {
        for (selector, selects) in
            [("unknown", true), ("un*", true), ("*", true), ("!coder", true), ("coder", false), ("!un*", false)]
        {
            let rule = format!("rule r {{\n  on SubagentStop({selector})\n  warn \"<{{agent_type}}>\"\n}}\n");
            check(&rule, &given, if selects { "pass + warn \"<>\"" } else { "pass" });
        }
    }
    // Any other subject without a value still matches only `*`.
    check("rule r {\n  on SubagentStart(un*)\n  warn \"w\"\n}\n", &event("SubagentStart", json!({})), "pass");
}

#[test]
fn explain_and_eval_find_the_same_name() {
    let machine = Machine::new();
    machine.write("project/p.rules", "rule r {\n  on SubagentStop(coder)\n  warn \"It is {agent_type}.\"\n}\n");
    let payload = nameless(&machine, &calling("Task", "coder")).to_string();
    let explained = machine.rules(&["explain", "--policy", "p.rules"], &payload);
    assert!(explained.stdout.starts_with("SubagentStop(coder) → pass"), "{explained:?}");
    assert!(explained.stdout.contains("warn by r: It is coder."), "{explained:?}");
    let decided = machine.rules(&["eval", "--policy", "p.rules"], &format!("{payload}\n"));
    assert!(decided.stdout.contains("It is coder."), "{decided:?}");

    machine.write("home/session.jsonl", "broken\n");
    let explained = machine.rules(&["explain", "--policy", "p.rules"], &payload);
    assert!(explained.stdout.starts_with("SubagentStop(unknown) → pass"), "{explained:?}");
    assert!(explained.stderr.contains("a line of the transcript is not JSON"), "{explained:?}");
}
