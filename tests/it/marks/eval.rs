//! Sessions in `rules eval`: lines in order, and pasts that a line states.

use super::*;
use crate::machine::Printed;

/// A rule that asks about times.
const PACE: &str = r#"mark fetched {
  on PreToolUse(WebFetch)
}

rule two-pages {
  on PreToolUse(WebFetch)
  when count fetched within 10m >= 2
  deny "{count fetched} pages."
}
"#;

/// Returns the decisions and messages that `rules eval` prints.
pub(super) fn judged(machine: &Machine, args: &[&str], input: &str) -> Vec<(String, String)> {
    let printed = machine.rules(&[&["eval"], args].concat(), input);
    assert_eq!(printed.exit, 0, "{printed:?}");
    let member = |line: &Json, name: &str| line[name].as_str().unwrap().to_owned();
    let lines = printed.stdout.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    lines.map(|line| (member(&line, "decision"), member(&line, "message"))).collect()
}

/// Returns the decisions and messages of lines.
fn decided(machine: &Machine, lines: &[Json]) -> Vec<(String, String)> {
    judged(machine, &[], &lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

fn decisions(machine: &Machine, lines: &[Json]) -> Vec<String> {
    decided(machine, lines).into_iter().map(|(decision, _)| decision).collect()
}

/// Returns an event of a session.
fn event(machine: &Machine, session: &str, name: &str, more: Json) -> Json {
    let mut event = machine.event(name);
    event["session_id"] = json!(session);
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

fn call(machine: &Machine, session: &str, name: &str, (id, tool, input): (&str, &str, Json)) -> Json {
    event(
        machine,
        session,
        name,
        json!({ "tool_use_id": id, "tool_name": tool, "tool_input": input, "tool_response": {} }),
    )
}

/// Returns the events of a call that succeeds.
fn done(machine: &Machine, session: &str, call_of: (&str, &str, Json)) -> [Json; 2] {
    ["PreToolUse", "PostToolUse"].map(|name| call(machine, session, name, call_of.clone()))
}

fn start(machine: &Machine, session: &str) -> Json {
    event(machine, session, "SessionStart", json!({ "source": "startup" }))
}

fn stop(machine: &Machine, session: &str) -> Json {
    event(machine, session, "Stop", json!({ "stop_hook_active": false }))
}

fn edit(machine: &Machine, session: &str, id: &str) -> [Json; 2] {
    let input = json!({ "file_path": machine.path("project/src/a.ts"), "old_string": "a", "new_string": "b" });
    done(machine, session, (id, "Edit", input))
}

fn tests(machine: &Machine, session: &str, id: &str) -> [Json; 2] {
    done(machine, session, (id, "Bash", json!({ "command": "npm test" })))
}

#[test]
fn the_lines_of_a_session_are_its_past_in_their_order() {
    let machine = Machine::with(GATE);
    let mut lines = vec![start(&machine, "a"), stop(&machine, "a"), start(&machine, "b")];
    lines.extend(edit(&machine, "a", "1"));
    lines.extend([stop(&machine, "a"), stop(&machine, "b")]);
    lines.extend(tests(&machine, "a", "2"));
    lines.push(stop(&machine, "a"));
    let expected = ["pass", "pass", "pass", "pass", "pass", "deny", "pass", "pass", "pass", "pass"];
    assert_eq!(decisions(&machine, &lines), expected);
    // In several files, too.
    let (first, second) = lines.split_at(4);
    let text = |lines: &[Json]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    machine.write("first.jsonl", &text(first)).write("second.jsonl", &text(second));
    let mut command = machine.command(&["eval"]);
    command.arg(machine.path("first.jsonl")).arg(machine.path("second.jsonl"));
    let printed = Printed::of(&send(command, b""));
    assert!(printed.stdout.lines().nth(5).unwrap().contains("\"decision\":\"deny\""), "{printed:?}");
}

#[test]
fn lines_that_are_not_of_one_session_know_nothing() {
    let machine = Machine::with(GATE);
    let mut nameless = stop(&machine, "a");
    nameless.as_object_mut().unwrap().remove("session_id");
    for (one, other) in [(stop(&machine, "a"), stop(&machine, "b")), (nameless.clone(), nameless)] {
        let alone = decided(&machine, std::slice::from_ref(&one));
        let both = decided(&machine, &[one, other]);
        assert_eq!(both, [alone.clone(), alone].concat());
        assert_eq!(both[0].0, "deny", "{both:?}");
    }
    // Without the start of a session, only what the lines have is known.
    let mut lines = vec![stop(&machine, "a")];
    lines.extend(tests(&machine, "a", "1"));
    lines.push(stop(&machine, "a"));
    assert_eq!(decisions(&machine, &lines), ["deny", "ask", "pass", "pass"]);
}

#[test]
fn a_line_states_all_that_happened_before() {
    let machine = Machine::with(GATE);
    let project = machine.path("project");
    let line = |history: &[Json]| json!({ "payload": stop(&machine, "a"), "facts": { "project": project, "history": history } });
    let edited = edit(&machine, "a", "1").to_vec();
    let tested = [edited.clone(), tests(&machine, "a", "2").to_vec()].concat();
    let lines = [line(&[]), line(&edited), line(&tested)];
    assert_eq!(decisions(&machine, &lines), ["pass", "deny", "pass"]);
    // The lines after it go on from there.
    let mut lines = vec![line(&edited)];
    lines.extend(
        tests(&machine, "a", "2").map(|payload| json!({ "payload": payload, "facts": { "project": project } })),
    );
    lines.push(json!({ "payload": stop(&machine, "a"), "facts": { "project": project } }));
    assert_eq!(decisions(&machine, &lines), ["deny", "pass", "pass", "pass"]);
    for (history, problem) in [
        (json!("x"), "`history` is not a list of payloads"),
        (json!([{ "hook_event_name": "Nonsense" }]), "`history`: `Nonsense` is no event of the host"),
        (json!([{ "payload": stop(&machine, "a"), "facts": {} }]), "`history`: unexpected `facts` beside `payload`"),
    ] {
        let line = json!({ "payload": stop(&machine, "a"), "facts": { "history": history } });
        let printed = Printed::of(&send(machine.command(&["eval"]), line.to_string().as_bytes()));
        assert!(printed.exit == 1 && printed.stdout.contains(problem), "{printed:?}");
    }
}

#[test]
fn a_time_is_known_where_it_is_stated() {
    let machine = Machine::with(PACE);
    let fetch =
        |id: &str| call(&machine, "a", "PreToolUse", (id, "WebFetch", json!({ "url": "https://a.b/", "prompt": "x" })));
    let at = |id: &str, time: &str| json!({ "payload": fetch(id), "time": format!("2026-01-01T{time}Z") });
    let start = json!({ "payload": start(&machine, "a"), "time": "2026-01-01T11:59:00Z" });
    let lines = [
        start,
        at("1", "12:00:00"),
        at("2", "12:00:01.500"),
        at("3", "12:09:59"),
        at("4", "12:10:02"),
        at("5", "12:11:00"),
    ];
    assert_eq!(decisions(&machine, &lines), ["pass", "pass", "pass", "deny", "pass", "deny"]);
    // Without times, nothing is known of them.
    let mut lines = vec![self::start(&machine, "a")];
    lines.extend(["1", "2", "3"].map(fetch));
    assert_eq!(decisions(&machine, &lines), ["pass", "pass", "pass", "ask"]);
    let line = json!({ "payload": fetch("1"), "time": "noon" });
    let printed = Printed::of(&send(machine.command(&["eval"]), line.to_string().as_bytes()));
    assert!(printed.exit == 1 && printed.stdout.contains("`time` is not a time in UTC"), "{printed:?}");
}
