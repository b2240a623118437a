//! Sessions that a hook would have recorded, judged again.

use serde_json::{Value as Json, json};

use super::*;
use crate::action::{JournalAdditions, remember};
use crate::context::{event_digest, input_digest};
use crate::facts::SessionPast;
use crate::journal::{self, SessionPlace, WrittenEvent};
use crate::schema::Event;
use crate::time::rfc3339;

const POLICY: &str = r#"mark edited {
  on PostToolUse(Edit|Bash)
  when writes like "src/**"
  key match
}

mark tested {
  on PostToolUse(Bash)
  when runs "npm test"
}

mark failed {
  on PostToolUseFailure(Bash)
}

mark called {
  on PreToolUse(Bash)
  key call
}

mark fetched {
  on PreToolUse(WebFetch)
}

rule tests-before-stop {
  on Stop
  when happened edited since tested
  deny "Edited {count edited} times."
  unknown deny
}

rule no-loops {
  on PreToolUse(Bash)
  when count called of call within 10m >= 3
  deny "{count called} calls, and this one again."
}

rule two-writers {
  on PreToolUse(Edit)
  when happened edited of path by another agent
  ask "Another agent wrote {path}."
}

rule unread-failure {
  on PreToolUse(Bash)
  when runs "git commit *" and count failed since tested >= 2
  deny "It failed {count failed} times."
}

rule budget {
  on PreToolUse(WebFetch)
  when count fetched within 1h >= 5 or not happened called within 30m
  ask "{count fetched} pages."
}
"#;

/// The number of events.
const EVENTS: usize = 2_000;

/// Numbers that look random, and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// Returns the payloads of a session with their times, in milliseconds since 1970.
fn generated_session(count: usize) -> Vec<(Json, u64)> {
    let mut numbers = Numbers(0x5eed);
    let mut time = 1_767_268_800_000;
    let start = json!({ "hook_event_name": "SessionStart", "session_id": "s", "cwd": "/project", "source": "startup" });
    let (mut events, mut running) = (vec![(start, time)], Vec::new());
    while events.len() < count {
        time += u64::try_from(numbers.below(90_000)).unwrap();
        let mut event = match numbers.below(10) {
            0 => json!({ "hook_event_name": "Stop", "stop_hook_active": false }),
            1..=4 if !running.is_empty() => {
                let at = numbers.below(running.len());
                let mut ended: Json = running.swap_remove(at);
                let name = if numbers.below(4) == 0 { "PostToolUseFailure" } else { "PostToolUse" };
                ended["hook_event_name"] = json!(name);
                ended["tool_response"] = json!({});
                ended["error"] = json!("It failed.");
                // Another registration reports it, too.
                if numbers.below(8) == 0 {
                    events.push((ended.clone(), time));
                }
                ended
            }
            _ => {
                let (tool, input) = match numbers.below(4) {
                    0 => (
                        "Edit",
                        json!({ "file_path": format!("/project/src/{}", numbers.below(6)), "old_string": "a", "new_string": "b" }),
                    ),
                    1 => ("WebFetch", json!({ "url": "https://a.b/", "prompt": "x" })),
                    _ => {
                        let command = numbers.pick(&[
                            "npm test",
                            "npm test | tail",
                            "npm test &",
                            "make x",
                            "make  x",
                            "git commit -m x",
                            "cd src && touch a",
                            "sed -i s/a/b/ src/1",
                            "npm test || true",
                            "rm $X",
                        ]);
                        ("Bash", json!({ "command": command }))
                    }
                };
                let id = format!("t{}", events.len());
                let call = json!({ "hook_event_name": "PreToolUse", "tool_use_id": id, "tool_name": tool, "tool_input": input });
                running.push(call.clone());
                call
            }
        };
        event["session_id"] = json!("s");
        event["cwd"] = json!("/project");
        if numbers.below(3) == 0 {
            event["agent_id"] = json!(numbers.pick(&["a", "b"]));
            event["agent_type"] = json!("helper");
        }
        events.push((event, time));
    }
    events
}

/// Judges an event with the journal of its session, as a hook does, and adds to the journal. Returns the printed judgement.
fn record(policy: &Policy, place: SessionPlace<'_>, (event, time): &(Json, u64)) -> String {
    let DecodedPayload::Event { payload, damage: None } = decode(Host::CLAUDE_CODE, event.to_string().as_bytes())
    else {
        panic!("{event}");
    };
    let past = SessionPast::of_journal(journal::read(place).unwrap(), Some(*time));
    let facts = StatedFacts::default().with_project("/project").with_past(past);
    let context = Context::new(&payload, Host::CLAUDE_CODE.name(), &facts, &policy.settings.shell_tools);
    let Ok(evaluation) = decide(&policy.rules, &context, TraceDetail::Outcomes);
    let start = (payload.event == Event::SessionStart).then(|| policy.rules.marks());
    let added = JournalAdditions { start, marks: evaluation.verdict.marks.clone(), ..JournalAdditions::default() };
    let call = payload.nonempty_text("tool_use_id");
    let of = WrittenEvent {
        event: payload.event,
        digest: event_digest(&payload),
        call,
        input: input_digest(&payload),
        time: *time,
    };
    if !added.is_empty_but_for_policy() {
        remember(place, of, &added).unwrap();
    }
    serde_json::to_string(&EvaluationReport::from_evaluation(&evaluation)).unwrap()
}

#[test]
fn a_recorded_session_is_judged_again_as_it_was() {
    let loaded = project::load_text("session.rules", POLICY);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    assert_eq!(policy.errors().count(), 0);
    let state = tempfile::tempdir().unwrap();
    let place = SessionPlace { state: state.path(), session: "s" };
    let events = generated_session(EVENTS);
    let recorded: Vec<String> = events.iter().map(|event| record(&policy, place, event)).collect();
    let line = |(event, time): &(Json, u64)| {
        let time = rfc3339(std::time::Duration::from_millis(*time));
        format!("{}\n", json!({ "payload": event, "time": time, "facts": { "project": "/project" } }))
    };
    let lines: String = events.iter().map(line).collect();
    let (around, sessions) = (
        ProjectLocator::for_registration(
            None,
            registration(Host::CLAUDE_CODE, &RegistrationArgs::default(), SettingsScope::Project, None),
        ),
        Sessions::default(),
    );
    let mut judge = LineJudge {
        host: Host::CLAUDE_CODE,
        policy: &policy,
        elsewhere: None,
        around: &around,
        guards: false,
        stated: None,
        accepted: AcceptedLines::Any,
        sessions: Some(&sessions),
        analyses: Rc::default(),
        nested: Rc::default(),
        machine: BTreeMap::new(),
        projects: BTreeMap::new(),
    };
    let replayed = judge.decide_chunk(&Chunk { first: 1, bytes: lines.into_bytes() });
    let replayed = String::from_utf8(replayed.text).unwrap();
    assert_eq!(replayed.lines().count(), recorded.len());
    for (number, (again, before)) in replayed.lines().zip(&recorded).enumerate() {
        assert_eq!(again, before, "event {number}: {:?}", events[number]);
    }
    // Each rule decided something.
    let has = |part: &str| recorded.iter().filter(|line| line.contains(part)).count();
    for rule in ["tests-before-stop", "no-loops", "two-writers", "unread-failure", "budget"] {
        assert!(has(&format!("\"decided_by\":[\"{rule}\"")) > 2, "{rule}");
    }
    assert!(
        has("\"unknown\"") > 10 && has("\"decision\":\"pass\"") > 500,
        "{} {}",
        has("\"unknown\""),
        has("\"pass\"")
    );
}
