//! A session of two thousand events: what its hooks answered, and what `rules eval` says of the same events from the
//! log and from a file.

use super::eval::judged;
use super::*;

/// Marks with further kinds of key, and questions with every part but a time, in addition to the marks of [`GATE`].
const MORE: &str = r#"mark failed {
  on PostToolUseFailure(Bash)
}

mark fetched {
  on PreToolUse(WebFetch)
  key domain
}

rule tests-before-stop {
  on Stop, SubagentStop
  when happened edited since tested
  deny "{count edited since tested} edits without tests."
  unknown deny
}

rule one-writer {
  on PreToolUse(Edit)
  when happened edited of path by another agent since tested
  ask "Another agent changed it, {count edited} edits in all."
}

rule no-loops {
  on PreToolUse(Bash)
  when count called of call since edited >= 3
  deny "{count called of call} times the same."
}

rule after-failures {
  on PreToolUse(Bash)
  when runs "make" and count failed by same agent since tested >= 2
  ask "{count failed by same agent since tested} failures since the tests."
}

rule pages {
  on PreToolUse(WebFetch)
  when count fetched of domain >= 4
  deny "{count fetched of domain} pages of one site, {count fetched} in all."
}
"#;

const COMMANDS: [&str; 9] = [
    "npm test",
    "npm test",
    "npm test 2>&1 | tail -20",
    "make",
    "make lint",
    "ls src",
    "echo x > src/b.ts",
    "rm src/c.ts",
    "sleep 1 && touch src/d.ts",
];

/// A sequence of numbers that is the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Returns the events of a session with two subagents, in which calls end in another order than they begin.
fn events(machine: &Machine, count: usize) -> Vec<Json> {
    let session = session(machine);
    let mut numbers = Numbers(41);
    let mut events = vec![session.event("SessionStart", json!({ "source": "startup" }))];
    let mut running: Vec<Json> = Vec::new();
    while events.len() < count {
        let mut call = match numbers.below(10) {
            0 => {
                json!({ "tool_name": "WebFetch", "tool_input": { "url": format!("https://{}.example/", numbers.below(4)), "prompt": "x" } })
            }
            1 | 2 => {
                let path = machine.path(&format!("project/src/{}.ts", numbers.below(4)));
                json!({ "tool_name": "Edit", "tool_input": { "file_path": path, "old_string": "a", "new_string": "b" } })
            }
            3 => json!({ "stop_hook_active": false }),
            _ => json!({ "tool_name": "Bash", "tool_input": { "command": COMMANDS[numbers.below(COMMANDS.len())] } }),
        };
        if let agent @ 1.. = numbers.below(3) {
            call["agent_id"] = json!(format!("agent-{agent}"));
            call["agent_type"] = json!("coder");
        }
        if call["tool_name"].is_null() {
            let name = if call["agent_id"].is_null() { "Stop" } else { "SubagentStop" };
            events.push(session.event(name, call));
            continue;
        }
        call["tool_use_id"] = json!(format!("t{}", events.len()));
        events.push(session.event("PreToolUse", call.clone()));
        running.push(call);
        if running.len() > numbers.below(3) {
            let mut ended = running.swap_remove(numbers.below(running.len()));
            let fails = numbers.below(6) == 0;
            let (name, member, value) = match fails {
                true => ("PostToolUseFailure", "error", json!("Exit code 1")),
                false => ("PostToolUse", "tool_response", json!({})),
            };
            ended[member] = value;
            events.push(session.event(name, ended));
        }
    }
    events
}

/// Returns what a hook answered in the words of `rules eval`.
fn answered(reply: &Reply) -> (String, String) {
    let decision = match reply.decision() {
        "" => "pass",
        "block" => "deny",
        decision => decision,
    };
    (decision.to_owned(), reply.reason().to_owned())
}

#[test]
fn a_long_session_is_judged_alike_by_hooks_the_log_and_a_file() {
    let (marks, _) = GATE.split_once("rule ").unwrap();
    let machine = Machine::with(&format!("{marks}{MORE}"));
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"all\"\n");
    let events = events(&machine, 2_000);
    let answers: Vec<_> = events.iter().map(|event| answered(&machine.hook(event))).collect();
    for rule in ["edits without tests", "Another agent", "times the same", "failures since", "pages of one site"] {
        assert!(answers.iter().any(|(_, message)| message.contains(rule)), "{rule} never came up");
    }
    assert!(answers.iter().filter(|(decision, _)| decision == "pass").count() > 1_000);
    let same = |judged: Vec<(String, String)>| {
        assert_eq!(judged.len(), answers.len());
        for ((event, answer), judged) in events.iter().zip(&answers).zip(judged) {
            assert_eq!(*answer, judged, "{event}");
        }
    };
    let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
    same(judged(&machine, &[], &lines));
    same(judged(&machine, &["--log", "--state-dir", machine.path("state").to_str().unwrap()], ""));
}
