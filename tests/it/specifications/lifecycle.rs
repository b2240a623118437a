//! Specification 002: the record of subagents that `use "std/subagents"` keeps.

use std::collections::BTreeMap;
use std::fs::File;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value as Json, json};

use crate::book::fenced;
use crate::kit;
use crate::machine::{Machine, Reply, send};
use crate::source::{read, sources};

const LIFECYCLE: &str = "project/.rules/log/subagent-lifecycle.json";
const STREAM: &str = "project/.rules/log/subagents.jsonl";
const PAGE: &str = "book/src/subagents.md";

fn machine() -> Machine {
    Machine::with("use \"std/subagents\"\n")
}

/// Returns the stop of a subagent as a real host sends it.
fn stop(machine: &Machine, agent: &str) -> Json {
    let mut payload = machine.captured("2.1.330/SubagentStop");
    payload["agent_id"] = json!(agent);
    payload["agent_transcript_path"] = json!(format!("/home/dev/.claude/subagents/agent-{agent}.jsonl"));
    payload
}

#[track_caller]
fn array(text: &str) -> Vec<Map<String, Json>> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[track_caller]
fn lines(text: &str) -> Vec<Map<String, Json>> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'r>(record: &'r Map<String, Json>, key: &str) -> &'r str {
    record[key].as_str().unwrap_or_else(|| panic!("{key}: {record:?}"))
}

fn keys(record: &Map<String, Json>) -> Vec<&str> {
    record.keys().map(String::as_str).collect()
}

/// Whether a text is a time in the format of ISO 8601 and RFC 3339, in UTC, to the millisecond.
fn is_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00.000Z" && text > "2026-01-01"
}

/// Returns the other files next to the records: pending or left over.
fn beside(machine: &Machine) -> Vec<String> {
    let names = std::fs::read_dir(machine.path("project/.rules/log")).unwrap();
    let mut names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let known = ["subagent-lifecycle.json", ".subagent-lifecycle.json.lock", "subagents.jsonl", ".gitignore"];
    names.retain(|name| !known.contains(&name.as_str()));
    names
}

/// Specification 002: AC-1 the hook is one command
#[test]
fn one_command_and_one_line_of_policy_keep_the_record() {
    let machine = machine();
    let mut command = machine.command(&["hook", "--scope", "project"]);
    command.arg("--state-dir").arg(machine.path("state")).arg("--managed-dir").arg(machine.path("managed"));
    command.arg("--config-dir").arg(machine.path("user")).env("CLAUDE_PROJECT_DIR", machine.path("project"));
    Reply::of(&send(command, stop(&machine, "a1").to_string().as_bytes())).is_silent();
    assert_eq!(array(&machine.read(LIFECYCLE)).len(), 1);
    // The command named after the event, which refuses invalid payloads, keeps the record, too.
    let printed = machine.handle("SubagentStop", &stop(&machine, "a2"));
    assert_eq!((printed.exit, printed.stdout.as_str()), (0, ""), "{printed:?}");
    assert_eq!(array(&machine.read(LIFECYCLE)).len(), 2);
}

/// Specification 002: AC-2 a record is appended
#[test]
fn each_stop_is_a_record_behind_the_others() {
    let machine = machine();
    machine.write(LIFECYCLE, "[ {\"agent_id\":\"old\", \"mine\" : 1.50} ]");
    for agent in ["a1", "a2", "a1"] {
        machine.hook(&stop(&machine, agent)).is_silent();
    }
    let written = machine.read(LIFECYCLE);
    assert!(written.starts_with("[ {\"agent_id\":\"old\", \"mine\" : 1.50},\n  {\"agent_id\":\"a1\""), "{written}");
    let agents: Vec<String> = array(&written).iter().map(|record| text(record, "agent_id").to_owned()).collect();
    assert_eq!(agents, ["old", "a1", "a2", "a1"]);
    assert!(beside(&machine).is_empty(), "{:?}", beside(&machine));
}

/// Specification 002: AC-3 agent_id, transcript_path and stopped_at in ISO 8601
#[test]
fn a_record_says_who_stopped_when_and_where_the_transcript_lies() {
    let machine = machine();
    for agent in ["a1", "a2"] {
        machine.hook(&stop(&machine, agent)).is_silent();
    }
    let records = array(&machine.read(LIFECYCLE));
    for (record, agent) in records.iter().zip(["a1", "a2"]) {
        assert_eq!(keys(record), ["agent_id", "transcript_path", "stopped_at"]);
        assert_eq!(text(record, "agent_id"), agent);
        // The subagent's transcript, not the session's.
        assert_eq!(text(record, "transcript_path"), format!("/home/dev/.claude/subagents/agent-{agent}.jsonl"));
        assert!(is_time(text(record, "stopped_at")), "{record:?}");
    }
    assert!(text(&records[0], "stopped_at") <= text(&records[1], "stopped_at"));
}

#[test]
fn a_stop_without_a_transcript_is_recorded_and_found_by_its_id() {
    let machine = machine();
    let mut payload = machine.event("SubagentStop");
    payload["agent_id"] = json!("a1");
    machine.hook(&payload).is_silent();
    let records = array(&machine.read(LIFECYCLE));
    assert_eq!((keys(&records[0]).len(), &records[0]["transcript_path"]), (3, &Json::Null));
    assert!(text(&records[0], "agent_id") == "a1" && is_time(text(&records[0], "stopped_at")));
    let stream = lines(&machine.read(STREAM));
    assert_eq!((text(&stream[0], "agent_id"), text(&stream[0], "session_id")), ("a1", "s"));
    // If the session's transcript is known, the path of the subagent's follows from it.
    payload["transcript_path"] = json!("/home/dev/.claude/s.jsonl");
    machine.hook(&payload).is_silent();
    let derived = "/home/dev/.claude/s/subagents/agent-a1.jsonl";
    assert_eq!(text(&array(&machine.read(LIFECYCLE))[1], "transcript_path"), derived);
    // If not even that is possible, the record names the payload's transcript.
    for (session, own) in [("/home/dev/.wave/s.json", Json::Null), ("/home/dev/.claude/s.jsonl", json!(""))] {
        (payload["transcript_path"], payload["agent_transcript_path"]) = (json!(session), own);
        machine.hook(&payload).is_silent();
        let records = array(&machine.read(LIFECYCLE));
        assert_eq!(text(records.last().unwrap(), "transcript_path"), session);
        assert_eq!(keys(records.last().unwrap()), ["agent_id", "transcript_path", "stopped_at"]);
    }
    assert_eq!(array(&machine.read(LIFECYCLE)).len(), 4, "one record a stop");
    // Without an id, too: the fact that a subagent stopped is worth a record.
    machine.hook(&machine.event("SubagentStop")).is_silent();
    assert_eq!(array(&machine.read(LIFECYCLE))[4]["agent_id"], Json::Null);
}

/// Specification 002: AC-4 the append is atomic
#[test]
fn sixty_four_stops_at_once_lose_nothing_while_others_read() {
    let machine = machine();
    let expected: Vec<String> = (0..64).map(|agent| format!("agent{agent:02}")).collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = || {
            let (mut looks, mut most) = (0, 0);
            while !done.load(Ordering::Acquire) {
                let Ok(text) = std::fs::read_to_string(machine.path(LIFECYCLE)) else { continue };
                let there = array(&text).len();
                assert!(there >= most, "{there} records, and {most} before");
                (looks, most) = (looks + 1, there);
            }
            (looks, most)
        };
        let readers = [scope.spawn(reader), scope.spawn(reader)];
        let children: Vec<_> = expected
            .iter()
            .map(|agent| {
                let input = machine.path(&format!("{agent}.json"));
                std::fs::write(&input, stop(&machine, agent).to_string()).unwrap();
                let mut command = machine.hook_command(&["claude-code"]);
                command.stdin(File::open(input).unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped());
                command.spawn().unwrap()
            })
            .collect();
        let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        done.store(true, Ordering::Release);
        for output in outputs {
            Reply::of(&output).is_silent();
        }
        for reader in readers {
            let (looks, most) = reader.join().unwrap();
            assert!(looks > 0 && most <= 64, "{looks} looks, {most} records");
        }
    });
    let agents = |records: Vec<Map<String, Json>>| {
        let mut agents: Vec<String> = records.iter().map(|record| text(record, "agent_id").to_owned()).collect();
        agents.sort_unstable();
        agents
    };
    let log = if machine.exists("state/log") { machine.decisions() } else { String::new() };
    assert_eq!(agents(array(&machine.read(LIFECYCLE))), expected, "{log}");
    assert_eq!(agents(lines(&machine.read(STREAM))), expected, "{log}");
    assert!(beside(&machine).is_empty(), "{:?}", beside(&machine));
}

/// Creates an obstacle to writing the record.
type Spoil = fn(&Machine) -> &Machine;

/// Specification 002: AC-5 the stop always goes ahead
#[test]
fn a_stop_goes_ahead_in_silence_whatever_becomes_of_the_record() {
    // The obstacle, and its message in the log.
    let spoil: [(Spoil, &str); 7] = [
        (|it| it.write("project/.rules/log", "no directory"), "`log` is a link or not a directory"),
        (|it| it.link("/nowhere", "project/.rules/log"), "`log` is a link or not a directory"),
        (|it| it.link("/dev/zero", LIFECYCLE), ": `subagent-lifecycle.json` is a link"),
        (|it| it.fifo(LIFECYCLE), "it is not a regular file"),
        (|it| it.write(LIFECYCLE, "{\"agents\": []}"), "does not hold a JSON array; the record is in"),
        (|it| it.write(LIFECYCLE, "[{\"agent_id\":"), "does not hold a JSON array; the record is in"),
        (|it| it.fifo("project/.rules/log/.subagent-lifecycle.json.lock"), "it is not a regular file"),
    ];
    for (spoil, told) in spoil {
        let machine = machine();
        spoil(&machine);
        machine.hook(&stop(&machine, "a1")).is_silent();
        let log = machine.decisions();
        assert!(log.contains(told), "{told}: {log}");
    }
}

#[test]
fn a_stop_goes_ahead_where_nothing_may_be_written() {
    let machine = machine();
    machine.write("project/.rules/log/.gitignore", "*\n").mode("project/.rules/log", 0o555);
    machine.hook(&stop(&machine, "a1")).is_silent();
    // Root may write nevertheless.
    let written = machine.exists(LIFECYCLE);
    assert!(written || machine.decisions().contains("was not written"), "neither written nor told");
    machine.mode("project/.rules/log", 0o755);
}

#[test]
fn a_stop_goes_ahead_while_another_process_holds_the_record_and_is_kept() {
    let machine = machine();
    machine.write("project/.rules/log/.subagent-lifecycle.json.lock", "");
    let holder = File::options().append(true).open(machine.path("project/.rules/log/.subagent-lifecycle.json.lock"));
    let holder = holder.unwrap();
    holder.lock().unwrap();
    for agent in ["a1", "a2"] {
        machine.hook(&stop(&machine, agent)).is_silent();
    }
    assert!(!machine.exists(LIFECYCLE) && beside(&machine).len() == 2, "{:?}", beside(&machine));
    drop(holder);
    machine.hook(&stop(&machine, "a3")).is_silent();
    let records = array(&machine.read(LIFECYCLE));
    let agents: Vec<&str> = records.iter().map(|record| text(record, "agent_id")).collect();
    assert_eq!(agents, ["a1", "a2", "a3"]);
    assert!(beside(&machine).is_empty(), "{:?}", beside(&machine));
}

#[test]
fn the_pack_votes_on_nothing() {
    let policy = kit::policy("use \"std/subagents\"\n");
    for name in ["SubagentStart", "SubagentStop", "SessionEnd"] {
        let verdict =
            kit::judge(&policy, &kit::event(name, json!({"agent_id": "a1", "stop_hook_active": true}))).verdict;
        assert!(verdict.votes.is_empty() && verdict.runs.is_empty() && !verdict.records.is_empty(), "{name}");
    }
}

/// Specification 002: AC-6 registered for SubagentStop
#[test]
fn the_books_settings_register_every_event_of_the_pack() {
    let blocks = fenced(PAGE, "json");
    let settings =
        blocks.iter().find_map(|text| serde_json::from_str::<Json>(text).ok().filter(|it| it["hooks"].is_object()));
    let settings = settings.expect("the page shows settings");
    let machine = machine();
    for event in ["SubagentStart", "SubagentStop", "SessionEnd"] {
        let entry = &settings["hooks"][event][0];
        assert_eq!(entry["matcher"], "*", "{event}");
        let hook = &entry["hooks"][0];
        assert_eq!(
            (&hook["type"], &hook["command"]),
            (&json!("command"), &json!("/absolute/path/to/rules")),
            "{event}"
        );
        // The registered command keeps the record.
        let args: Vec<&str> = hook["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        assert_eq!(args[0], "hook", "{event}");
        let mut payload = machine.event(event);
        payload["agent_id"] = json!("a1");
        Reply::of(&send(machine.hook_command(&args[1..]), payload.to_string().as_bytes())).is_silent();
    }
    assert_eq!((array(&machine.read(LIFECYCLE)).len(), lines(&machine.read(STREAM)).len()), (1, 3));
}

#[test]
fn one_stream_tells_starts_stops_and_the_end_of_the_session() {
    let machine = machine();
    machine.hook(&machine.captured("2.1.330/SubagentStart")).is_silent();
    machine.hook(&machine.captured("2.1.330/SubagentStop")).is_silent();
    machine.hook(&machine.captured("2.1.330/SessionEnd.clear")).is_silent();
    let stream = lines(&machine.read(STREAM));
    let events: Vec<&str> = stream.iter().map(|line| text(line, "event")).collect();
    assert_eq!(events, ["SubagentStart", "SubagentStop", "SessionEnd"]);
    assert!(stream.iter().all(|line| is_time(text(line, "at"))), "{stream:?}");
    assert!(stream.is_sorted_by_key(|line| text(line, "at").to_owned()), "{stream:?}");
    for key in ["session_id", "agent_id", "agent_type"] {
        assert_eq!(stream[0][key], stream[1][key], "{key} finds the stop of a start");
    }
    assert_eq!(text(&stream[0], "agent_type"), "general-purpose");
    assert_eq!(text(&stream[2], "reason"), "clear");
}

/// The records on the page have the actual format, and its durations follow from its lines.
#[test]
fn the_books_records_are_what_the_pack_writes() {
    let machine = machine();
    for event in ["SubagentStart", "SubagentStop", "SessionEnd"] {
        let mut payload = machine.event(event);
        payload["agent_type"] = json!("coder");
        machine.hook(&payload).is_silent();
    }
    let real = lines(&machine.read(STREAM));
    let shown = lines(&fenced(PAGE, "jsonl").concat());
    for line in &shown {
        let same = real.iter().find(|it| it["event"] == line["event"]).expect("the pack records this event");
        assert_eq!(keys(line), keys(same));
        assert!(is_time(text(line, "at")), "{line:?}");
    }
    let blocks = fenced(PAGE, "json");
    let shown_array = blocks.iter().find(|block| block.starts_with('[')).expect("the page shows the array");
    for record in array(shown_array) {
        assert_eq!(keys(&record), keys(&array(&machine.read(LIFECYCLE))[0]));
    }
    let printed = fenced(PAGE, "text").concat();
    let mut agents: BTreeMap<&str, Vec<&Map<String, Json>>> = BTreeMap::new();
    for line in shown.iter().filter(|line| line.contains_key("agent_id")) {
        agents.entry(text(line, "agent_id")).or_default().push(line);
    }
    let is_start = |line: &&Map<String, Json>| text(line, "event") == "SubagentStart";
    let durations = agents.iter().map(|(agent, lines)| {
        let at = lines.iter().rposition(is_start).unwrap();
        let end = lines[at + 1..].last().copied();
        let end = end.or(shown.iter().find(|line| text(line, "event") == "SessionEnd")).unwrap();
        let took = milliseconds(text(end, "at")) - milliseconds(text(lines[at], "at"));
        format!("{} {agent} {took} ms\n", text(lines[at], "agent_type"))
    });
    let durations: Vec<String> = durations.collect();
    assert!(agents.values().any(|lines| lines.iter().copied().filter(is_start).count() > 1), "one starts again");
    assert_eq!(printed, durations.concat());
}

/// Returns the time of day in milliseconds.
fn milliseconds(time: &str) -> u64 {
    let number = |from: usize, to: usize| time.get(from..to).unwrap().parse::<u64>().unwrap();
    ((number(11, 13) * 60 + number(14, 16)) * 60 + number(17, 19)) * 1_000 + number(20, 23)
}

/// The compiler refuses public items without documentation; this also finds items that are exempt from its check.
///
/// Specification 002: AC-7 one idea a file, typed, documented
#[test]
fn what_is_public_is_documented() {
    const ITEMS: [&str; 8] = ["fn", "const fn", "async fn", "struct", "enum", "trait", "const", "type"];
    let (mut seen, mut bare) = (0, Vec::new());
    for path in sources() {
        let text = read(&path);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            let item = line.strip_prefix("pub ").filter(|_| !line.contains('$')).unwrap_or_default();
            if !ITEMS.iter().any(|word| item.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '))) {
                continue;
            }
            seen += 1;
            // The lines above the item, up to the end of the previous one.
            let ends = |line: &str| line.is_empty() || line.ends_with(['{', '}', ';']);
            let mut above = lines[..at].iter().rev().take_while(|line| !ends(line));
            if !above.any(|line| line.starts_with("/// ") || line.starts_with("#[doc = ")) {
                bare.push(format!("{}:{}: {line}", path.display(), at + 1));
            }
        }
    }
    assert!(bare.is_empty() && seen > 300, "{seen} public items, without documentation: {bare:#?}");
}
